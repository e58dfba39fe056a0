//! Every kernel of few words against the portable engine, called as an executor calls it.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::contract::{Field, Lanes};
use crate::mont::Mont;
use crate::mont::{Residue, Sum as Wide};
use crate::ranges::{Rng, Turn, repeat};
use crate::term::{Term, times};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The number of moduli for each number of words.
const MODULI: usize = 48;

/// A field on both sets of instructions.
struct Both<const N: usize> {
    fast: Mont<N>,
    slow: Mont<N>,
    p: BigUint,
    /// The addresses of the kernels that were called.
    called: RefCell<BTreeSet<usize>>,
    calls: Cell<u64>,
}

fn words<const M: usize>(x: &BigUint) -> [u64; M] {
    crate::words::to_words(x, M).try_into().unwrap()
}

impl<const N: usize> Both<N> {
    fn element(&self, rng: &mut Rng) -> Residue<N> {
        let x = match rng.below(4) {
            0 => BigUint::from(rng.below(2)),
            1 => &self.p - 1u32 - rng.below(2),
            _ => rng.up_to(&(&self.p - 1u32)),
        };
        Residue(words(&x))
    }

    /// Draws an unreduced value within ±`most`·p·R.
    fn wide(&self, rng: &mut Rng, most: u64) -> Wide<N> {
        let top = (&self.p << (64 * N)) * most;
        let x = match rng.below(4) {
            0 => top,
            1 => BigUint::from(rng.below(2)),
            _ => rng.up_to(&top),
        };
        let x = if rng.below(2) == 0 { BigInt::from(x) } else { -BigInt::from(x) };
        let modulus = BigInt::one() << (128 * N + 64);
        let x = if x.is_negative() { x + modulus } else { x }.to_biguint().unwrap();
        let half = |i: usize| words::<N>(&((&x >> (64 * N * i)) % (BigUint::one() << (64 * N))));
        let top = (&x >> (128 * N)).iter_u64_digits().next().unwrap_or(0);
        Wide { words: [half(0), half(1)], last: top }
    }

    /// Calls the kernel of an operation, if it has one.
    fn call<T, O>(&self, code: Code, out: &mut O, [a, b]: [*const u64; 2], terms: &[Term<T>]) -> Option<()> {
        let coefficients: Vec<i32> = terms.iter().map(|t| t.coeff).collect();
        let kernel = self.fast.kernel(code, &coefficients)?;
        let (function, context) = (kernel.function(), kernel.context());
        self.called.borrow_mut().insert(function as usize);
        self.calls.update(|calls| calls + 1);
        let (list, out) = (terms.as_ptr().cast::<()>(), (&raw mut *out).cast::<()>());
        let number = std::ptr::without_provenance;
        let [b, c, d, e] = match kernel.arguments() {
            Arguments::Operands => [b.cast(), context, list, number(terms.len())],
            Arguments::Complex(stride) => [b.cast(), context, number(stride), number(0)],
            Arguments::Pairs(stride) => [number(stride), context, number(0), number(0)],
            Arguments::Form | Arguments::FormAndElement => [number(terms.len()), context, a.cast(), number(0)],
        };
        let first = match kernel.arguments() {
            Arguments::Operands | Arguments::Complex(_) => a.cast(),
            _ => list,
        };
        // SAFETY: operands as the kernel's arguments say
        unsafe { function(out, first, b, c, d, e.addr()) };
        Some(())
    }
}

fn all<const N: usize>(s: &Wide<N>) -> ([[u64; N]; 2], u64) {
    (s.words, s.last)
}

/// The coefficients of forms with kernels of their own, and others.
fn forms(rng: &mut Rng) -> Vec<Vec<i32>> {
    let mut forms: Vec<Vec<i32>> = vec![vec![], vec![2], vec![3], vec![4], vec![-2], vec![-3], vec![9, -9, 1]];
    forms.extend([vec![1, -2], vec![-1, -2], vec![1, -1, -2]]);
    for plus in 0..=5 {
        forms.extend((0..=5).map(|minus| [vec![1; plus], vec![-1; minus]].concat()));
    }
    forms.extend((0..8).map(|_| (0..rng.below(9)).map(|_| rng.below(129) as i32 - 64).collect()));
    forms
}

/// The addresses of the first two elements, which an operation takes.
fn first_two<const N: usize>(elements: &[Residue<N>]) -> [*const u64; 2] {
    [0, 1].map(|i| elements.get(i).map_or(std::ptr::null(), |x| x.0.as_ptr()))
}

fn forms_agree<const N: usize>(f: &Both<N>, rng: &mut Rng, seed: &str) {
    for coefficients in forms(rng) {
        let weight: u64 = coefficients.iter().map(|c| u64::from(c.unsigned_abs())).sum();
        // a form of at most (2^12 − 1)·pR, since reductions beside an element take pR less than 2^12·pR
        let values: Vec<Wide<N>> = coefficients.iter().map(|_| f.wide(rng, 4095 / weight.max(1))).collect();
        let terms: Vec<Term<Wide<N>>> = coefficients.iter().zip(&values).map(|(c, w)| times(*c, w)).collect();
        let none = [std::ptr::null(); 2];
        let (mut got, mut want) = (f.element(rng), f.element(rng));
        f.call(Code::Reduce, &mut got, none, &terms).unwrap();
        f.slow.reduce(&mut want, &terms);
        assert_eq!(got, want, "reduce {coefficients:?}, {seed}");
        f.fast.reduce(&mut got, &terms);
        assert_eq!(got, want, "reduce as a method {coefficients:?}, {seed}");
        let (mut got, mut want) = (f.wide(rng, 1), f.wide(rng, 1));
        f.call(Code::Lin, &mut got, none, &terms).unwrap();
        f.slow.lin(&mut want, &terms);
        assert_eq!(all(&got), all(&want), "lin {coefficients:?}, {seed}");
        f.fast.lin(&mut got, &terms);
        assert_eq!(all(&got), all(&want), "lin as a method {coefficients:?}, {seed}");
        let x = f.element(rng);
        for (code, subtract) in [(Code::ReduceThreePlusTwo, false), (Code::ReduceThreeMinusTwo, true)] {
            let (mut got, mut want) = (f.element(rng), f.element(rng));
            f.call(code, &mut got, [x.0.as_ptr(), std::ptr::null()], &terms).unwrap();
            f.slow.reduce_three_and_two(&mut want, &terms, &x, subtract);
            assert_eq!(got, want, "{code:?} {coefficients:?}, {seed}");
        }
        let elements: Vec<Residue<N>> = coefficients.iter().map(|_| f.element(rng)).collect();
        let terms: Vec<Term<Residue<N>>> = coefficients.iter().zip(&elements).map(|(c, x)| times(*c, x)).collect();
        let (a, b) = (f.element(rng), f.element(rng));
        for code in [Code::MulSum, Code::SqrSum] {
            let (mut got, mut want) = (f.element(rng), f.element(rng));
            f.call(code, &mut got, [a.0.as_ptr(), b.0.as_ptr()], &terms).unwrap();
            match code {
                Code::MulSum => f.slow.mul_sum(&mut want, &a, &b, &terms),
                _ => f.slow.sqr_sum(&mut want, &a, &terms),
            }
            assert_eq!(got, want, "{code:?} {coefficients:?}, {seed}");
        }
        let (mut got, mut want) = (f.element(rng), f.element(rng));
        f.call(Code::Sum, &mut got, first_two(&elements), &terms).unwrap();
        f.slow.sum(&mut want, &terms);
        assert_eq!(got, want, "sum {coefficients:?}, {seed}");
    }
}

fn elements_agree<const N: usize>(f: &Both<N>, rng: &mut Rng, seed: &str) {
    let terms: [Term<Residue<N>>; 0] = [];
    for _ in 0..8 {
        let (a, b) = (f.element(rng), f.element(rng));
        for code in [Code::Add, Code::Sub, Code::Mul, Code::Sqr] {
            let (mut got, mut want) = (f.element(rng), f.element(rng));
            f.call(code, &mut got, [a.0.as_ptr(), b.0.as_ptr()], &terms).unwrap();
            match code {
                Code::Add => f.slow.add(&mut want, &a, &b),
                Code::Sub => f.slow.sub(&mut want, &a, &b),
                Code::Mul => f.slow.mul(&mut want, &a, &b),
                _ => f.slow.sqr(&mut want, &a),
            }
            assert_eq!(got, want, "{code:?}, {seed}");
        }
        // any words
        let full = (BigUint::one() << (64 * N)) - 1u32;
        let [a, b] = [(); 2].map(|()| Residue::<N>(words(&rng.up_to(&full))));
        for code in [Code::MulWide, Code::SqrWide] {
            let (mut got, mut want) = (f.wide(rng, 1), f.wide(rng, 1));
            f.call(code, &mut got, [a.0.as_ptr(), b.0.as_ptr()], &terms).unwrap();
            match code {
                Code::MulWide => f.slow.mul_wide(&mut want, &a, &b),
                _ => f.slow.sqr_wide(&mut want, &a),
            }
            assert_eq!(all(&got), all(&want), "{code:?}, {seed}");
        }
    }
}

/// Compares residues, since the factors of squares may contain another multiple of p.
fn same_residues<const N: usize>(f: &Both<N>, got: &[Wide<N>; 2], want: &[Wide<N>; 2], seed: &str) {
    for (got, want) in got.iter().zip(want) {
        let mut reduced = [Residue::default(); 2];
        f.slow.reduce(&mut reduced[0], &[times(1, got)]);
        f.slow.reduce(&mut reduced[1], &[times(1, want)]);
        assert_eq!(reduced[0], reduced[1], "complex square, {seed}");
    }
}

/// Compares products and squares in F_p(i). Returns `None` if there are no such kernels for this modulus.
fn complex_agree<const N: usize>(f: &Both<N>, rng: &mut Rng, seed: &str) -> Option<()> {
    for _ in 0..8 {
        let [a, b, c, d] = [(); 4].map(|()| [f.element(rng), f.element(rng)]);
        let [mut got, mut want] = [(); 2].map(|()| [f.wide(rng, 1), f.wide(rng, 1)]);
        let at = [a[0].0.as_ptr(), b[0].0.as_ptr()];
        let halves = [&a, &c, &b, &d].map(|x| x.each_ref().map(|half| times(1, half)));
        let terms = halves.as_flattened();
        f.call::<Residue<N>, _>(Code::ComplexMulWide, &mut got, at, &[])?;
        f.slow.complex_mul_wide(&mut want, &a, &b);
        assert_eq!(got.each_ref().map(all), want.each_ref().map(all), "complex_mul_wide, {seed}");
        f.call(Code::ComplexSumsMulWide, &mut got, at, terms)?;
        f.slow.complex_sums_mul_wide(&mut want, [&a, &c, &b, &d]);
        assert_eq!(got.each_ref().map(all), want.each_ref().map(all), "complex_sums_mul_wide, {seed}");
        let same = |got: &[Wide<N>; 2], want: &[Wide<N>; 2]| same_residues(f, got, want, seed);
        let [mut product, mut square] = [(); 2].map(|()| [f.element(rng), f.element(rng)]);
        f.call::<Residue<N>, _>(Code::ComplexMul, &mut product, at, &[])?;
        f.call::<Residue<N>, _>(Code::ComplexSqr, &mut square, at, &[])?;
        let mut want_reduced = [a, a];
        f.slow.complex_mul(&mut want_reduced[0], &a, &b);
        f.slow.complex_sqr(&mut want_reduced[1], &a);
        assert_eq!([product, square], want_reduced, "complex_mul and complex_sqr, {seed}");
        f.call::<Residue<N>, _>(Code::ComplexSqrWide, &mut got, at, &[])?;
        f.slow.complex_sqr_wide(&mut want, &a);
        same(&got, &want);
        f.call(Code::ComplexSumSqrWide, &mut got, at, &terms[..4])?;
        f.slow.complex_sum_sqr_wide(&mut want, [&a, &c]);
        same(&got, &want);
        complex_lins_agree(f, rng, &halves, seed)?;
    }
    Some(())
}

/// Products and squares of sums with forms that have kernels, and with forms that have none.
fn complex_lins_agree<const N: usize>(
    f: &Both<N>,
    rng: &mut Rng,
    halves: &[[Term<'_, Residue<N>>; 2]; 4],
    seed: &str,
) -> Option<()> {
    let forms: [[&[i32]; 2]; 4] =
        [[&[-1, -1], &[-1, -1]], [&[1, -1, -1], &[1, -1, -1]], [&[1, -1, -1, -1], &[1, 1, -1, -1]], [&[], &[]]];
    let [a, c, b, d] = halves.each_ref().map(|half| half.map(|t| *t.value));
    for (i, forms) in forms.into_iter().enumerate() {
        let values: Vec<Wide<N>> = forms.concat().iter().map(|_| f.wide(rng, 1000)).collect();
        let terms: Vec<Term<Wide<N>>> = forms.concat().into_iter().zip(&values).map(|(c, w)| times(c, w)).collect();
        let (first, second) = terms.split_at(forms[0].len());
        for (code, elements) in [(Code::ComplexSumsMulLin, 4), (Code::ComplexSumSqrLin, 2)] {
            let listed = halves[..elements].as_flattened().iter().map(untyped);
            let listed: Vec<Term<()>> = listed.chain(terms.iter().map(untyped)).collect();
            let mut got = [f.wide(rng, 1), f.wide(rng, 1)];
            if f.call(code, &mut got, [std::ptr::null(); 2], &listed).is_none() {
                assert!(i == 3 || elements == 2 && i > 0, "no {code:?} for {forms:?}, {seed}");
                continue;
            }
            let mut want = [f.wide(rng, 1), f.wide(rng, 1)];
            match code {
                Code::ComplexSumsMulLin => f.slow.complex_sums_mul_lin(&mut want, [&a, &c, &b, &d], [first, second]),
                _ => f.slow.complex_sum_sqr_lin(&mut want, [&a, &c], [first, second]),
            }
            same_residues(f, &got, &want, seed);
            if code == Code::ComplexSumsMulLin {
                assert_eq!(got.each_ref().map(all), want.each_ref().map(all), "{code:?} {forms:?}, {seed}");
            }
        }
    }
    Some(())
}

/// A term of any kind, by its address.
fn untyped<'a, T>(t: &Term<'a, T>) -> Term<'a, ()> {
    // SAFETY: nothing is read of a value without a size
    times(t.coeff, unsafe { &*std::ptr::from_ref(t.value).cast() })
}

/// Tests the kernels of N words, and adds the addresses of those that were called.
fn agree<const N: usize>(called: &mut BTreeSet<usize>) {
    let mut complex = 0;
    let turns = repeat(&format!("{N} words"), 0x30b7 + N as u64, MODULI, 4, |Turn { number, note, .. }, rng| {
        let spare = *number as u64 % 16;
        let p = rng.modulus(64 * N as u64 - spare, 64);
        let note = format!("{N} words, {spare} spare bits, {note}");
        let p = if p.bits() == 64 * N as u64 { p - (BigUint::one() << (64 * N - 20)) } else { p };
        let (fast, slow) = (Mont::<N>::new(&p).unwrap(), Mont::portable(&p).unwrap());
        let f = Both { fast, slow, p, called: RefCell::default(), calls: Cell::default() };
        forms_agree(&f, rng, &note);
        elements_agree(&f, rng, &note);
        let has = complex_agree(&f, rng, &note).is_some();
        assert_eq!(has, spare >= 2, "{note}");
        complex += usize::from(has);
        called.append(&mut f.called.borrow_mut());
        Some(f.calls.get())
    });
    assert!(complex > turns / 2, "{N} words: {complex} moduli with kernels of F_p(i)");
}

/// Calls every kernel.
#[test]
fn kernels_agree_with_portable_code() {
    if Isa::detect() == Isa::Portable {
        return;
    }
    assert_eq!((0..100).filter(|n| exist(*n)).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8]);
    let mut called = BTreeSet::new();
    agree::<3>(&mut called);
    agree::<4>(&mut called);
    agree::<5>(&mut called);
    agree::<6>(&mut called);
    agree::<7>(&mut called);
    agree::<8>(&mut called);
    let missing = inventory().into_iter().filter(|(_, start)| !called.contains(&start.addr()));
    let missing: Vec<&str> = missing.map(|(name, _)| name).collect();
    assert!(missing.is_empty() && inventory().len() > 500, "this test does not call {missing:?}");
}
