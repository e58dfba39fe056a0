//! Kernels on rows against big integers: every kernel, on every number of limbs, with few and with many spare bits, on rows of zeros, of
//! ones and of any limbs.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::ranges::Rng;
use crate::rows::Factors;
use num_bigint::{BigInt, Sign};
use num_traits::One;

/// The numbers of elements and of unreduced values in memory.
const ELEMENTS: usize = 40;
const WIDES: usize = 20;

/// The rows that kernels read and write: elements, unreduced values, and places for results.
struct Memory {
    rows: Vec<Row>,
    wide: usize,
    limbs: usize,
}

impl Memory {
    fn new(f: &IfmaRows, limbs: usize, rng: &mut Rng) -> Self {
        let wide = (2 * limbs).div_ceil(LANES);
        let top = (f.modulus() * crate::ifma::multiplier(f.modulus(), limbs)) >> (LIMB * (limbs as u64 - 1));
        let top = top.iter_u64_digits().next().unwrap_or(0) - 1;
        let mut rows = vec![Row::default(); ELEMENTS + (WIDES + LANES) * wide + LANES];
        for row in &mut rows[..ELEMENTS] {
            // limbs of 0, of ones, and any, together less than the modulus of the kernels
            let limb = |most: u64, rng: &mut Rng| [0, most, rng.below(most + 1)][rng.below(3) as usize] as i64;
            row.0[..limbs].iter_mut().for_each(|x| *x = limb((1 << LIMB) - 1, rng));
            row.0[limbs - 1] = limb(top, rng);
        }
        for row in &mut rows[ELEMENTS..ELEMENTS + WIDES * wide] {
            row.0.iter_mut().for_each(|x| *x = rng.below(1 << 55) as i64);
        }
        Memory { rows, wide, limbs }
    }

    fn wide(&self, i: usize) -> usize {
        ELEMENTS + i * self.wide
    }

    /// The row to which the result of lane i goes.
    fn result(&self, is_wide: bool, i: usize) -> usize {
        if is_wide { self.wide(WIDES + i) } else { self.wide(WIDES + LANES) + i }
    }

    fn number(&self, row: usize, is_wide: bool) -> BigInt {
        let limbs = if is_wide { 2 * self.limbs } else { self.limbs };
        let limbs = self.rows[row..].iter().flat_map(|row| row.0).take(limbs);
        limbs.enumerate().map(|(j, x)| BigInt::from(x) << (LIMB * j as u64)).sum()
    }

    /// Calls a kernel with a list of numbers and one of rows.
    fn call(&mut self, f: &IfmaRows, kernel: Kernel, numbers: &[usize], rows: &[usize]) {
        self.call_with(f, kernel, &numbers.iter().copied().chain(offsets(rows)).collect::<Vec<_>>());
    }

    /// Calls a kernel with a list.
    fn call_with(&mut self, f: &IfmaRows, kernel: Kernel, list: &[usize]) {
        let list: Vec<u16> = list.iter().map(|n| *n as u16).collect();
        f.field.0.machine.call_on_rows(kernel, &mut self.rows, &list, LANES);
    }
}

/// Offsets of rows.
fn offsets(rows: &[usize]) -> impl Iterator<Item = usize> {
    rows.iter().map(|row| LANES * row)
}

/// Fields of every number of limbs, with the fewest and with more spare bits.
fn each(mut examine: impl FnMut(&IfmaRows, usize, &mut Rng)) {
    let mut examined = 0;
    for limbs in 3..=MAX {
        for spare in [ROOMY, ROOMY + 9, 40, 50] {
            let mut rng = Rng::new(0xb111_0d00 + 64 * limbs as u64 + spare);
            let p = rng.modulus(LIMB * limbs as u64 - spare, LIMB);
            match IfmaRows::new(&p, ROOMY) {
                Ok(f) if f.wide() == (2 * limbs).div_ceil(LANES) => {
                    examine(&f, limbs, &mut rng);
                    examined += 1;
                }
                Ok(_) => {}
                Err(e) => panic!("{limbs} limbs, {spare} spare bits: {e}"),
            }
        }
    }
    assert!(examined > 20, "{examined} fields");
}

#[test]
fn products_are_those_of_sums_of_rows() {
    each(|f, limbs, rng| {
        for (factors, pairs) in Factors::ALL.iter().flat_map(|f| (0..=Kernel::PAIRS).map(move |pairs| (*f, pairs))) {
            let kernel = Kernel::Mul { factors, pairs };
            let [plus, minus] = factors.terms();
            let mut m = Memory::new(f, limbs, rng);
            let layers = plus + minus;
            let mut rows: Vec<usize> = (0..2 * layers * LANES).map(|_| rng.below(ELEMENTS as u64) as usize).collect();
            // the subtracted row is the first row of its factor, so that no difference is negative
            for (i, lane) in (0..2).flat_map(|i| (0..LANES).map(move |lane| (i, lane))).filter(|_| minus > 0) {
                rows[(layers * i + plus) * LANES + lane] = rows[layers * i * LANES + lane];
            }
            rows.extend((0..LANES).map(|i| m.result(true, i)));
            m.call(f, kernel, &[], &rows);
            let product = |lane: usize| {
                let [a, b] = [0, layers * LANES].map(|at| {
                    let x = |k: usize| m.number(rows[at + k * LANES + lane], false);
                    (0..plus).map(x).sum::<BigInt>() - (plus..layers).map(x).sum::<BigInt>()
                });
                a * b
            };
            for lane in 0..LANES {
                let want = match lane % 3 {
                    0 if lane < 3 * usize::from(pairs) => product(lane) - product(lane + 1),
                    1 if lane < 3 * usize::from(pairs) => BigInt::from(0),
                    2 if lane < 3 * usize::from(pairs) => product(lane) - product(lane - 1) - product(lane - 2),
                    _ => product(lane),
                };
                assert_eq!(m.number(m.result(true, lane), true), want, "{limbs} limbs, {kernel:?}, lane {lane}");
            }
        }
    });
}

fn row_of_element(rng: &mut Rng) -> usize {
    rng.below(ELEMENTS as u64) as usize
}

#[test]
fn sums_and_reductions_agree_with_integers() {
    each(|f, limbs, rng| {
        let (p, r) = (BigInt::from(f.modulus().clone()), BigInt::one() << (LIMB * limbs as u64));
        let n = BigInt::from(f.modulus() * crate::ifma::multiplier(f.modulus(), limbs));
        for kernel in
            [Kernel::Reduce, Kernel::ReduceThree, Kernel::Sum, Kernel::Form, Kernel::FormWide, Kernel::FormCarried]
        {
            let shapes = match kernel {
                Kernel::Form => vec![Kernel::FORM],
                Kernel::FormWide | Kernel::FormCarried => vec![Kernel::FORM_WIDE],
                _ => vec![[1, 0], [2, 0], [1, 1], [3, 2], [4, 5]],
            };
            for [plus, minus] in shapes {
                let reduces = matches!(kernel, Kernel::Reduce | Kernel::ReduceThree);
                let is_form = matches!(kernel, Kernel::FormWide | Kernel::FormCarried);
                let is_wide = reduces || is_form;
                let mut m = Memory::new(f, limbs, rng);
                if reduces {
                    // at most p·R/32
                    let most = (f.modulus() * (BigUint::one() << (LIMB * limbs as u64))) >> 5u32;
                    for i in 0..WIDES {
                        let x = rng.up_to(&most);
                        let at = m.wide(i);
                        let mut digits =
                            split(&x.to_u64_digits(), LIMB).take(2 * limbs).collect::<Vec<_>>().into_iter();
                        for row in &mut m.rows[at..at + f.wide()] {
                            row.0 = std::array::from_fn(|_| digits.next().unwrap_or(0) as i64);
                        }
                    }
                }
                let row = |m: &Memory, rng: &mut Rng| {
                    if is_wide { m.wide(rng.below(WIDES as u64) as usize) } else { rng.below(ELEMENTS as u64) as usize }
                };
                let lanes: Vec<Vec<usize>> =
                    (0..LANES).map(|_| (0..plus + minus).map(|_| row(&m, rng)).collect()).collect();
                let result = |m: &Memory, lane| m.result(is_form, lane);
                let results: Vec<usize> = (0..LANES).map(|lane| result(&m, lane)).collect();
                let want = |m: &Memory, lane: usize| -> BigInt {
                    let x = |k: usize| m.number(lanes[lane][k], is_wide);
                    (0..plus).map(x).sum::<BigInt>() - (plus..plus + minus).map(x).sum::<BigInt>()
                };
                let want: Vec<BigInt> = (0..LANES).map(|lane| want(&m, lane)).collect();
                let beside = [0; 2].map(|_| (0..LANES).map(|_| row_of_element(rng)).collect::<Vec<_>>());
                let tripled = rng.below(256) as usize;
                let difference =
                    |m: &Memory, lane: usize| m.number(beside[0][lane], false) - m.number(beside[1][lane], false);
                let difference: Vec<BigInt> = (0..LANES).map(|lane| difference(&m, lane)).collect();
                if is_form || kernel == Kernel::Form {
                    let rows: Vec<usize> =
                        (0..LANES).flat_map(|lane| lanes[lane].iter().copied().chain([results[lane]])).collect();
                    m.call(f, kernel, &[], &rows);
                } else {
                    let layers: Vec<usize> =
                        (0..plus + minus).flat_map(|k| lanes.iter().map(move |lane| lane[k])).collect();
                    let mut list: Vec<usize> = [plus, minus].into_iter().chain(offsets(&layers)).collect();
                    if kernel == Kernel::ReduceThree {
                        list.extend(offsets(&beside[0]).chain(offsets(&beside[1])).chain([tripled]));
                    }
                    list.extend(offsets(&results));
                    m.call_with(f, kernel, &list);
                }
                for lane in 0..LANES {
                    let got = m.number(results[lane], is_form);
                    let what = format!("{limbs} limbs, {kernel:?} of {plus} and {minus}, lane {lane}");
                    match kernel {
                        Kernel::Reduce => {
                            assert_eq!((&got * &r - &want[lane]) % &p, BigInt::from(0), "{what}");
                            // forms within ±p·R are reduced to at most a little more than 3p
                            assert!(got.sign() != Sign::Minus && got < 3 * &n + (&n >> 6u32), "{what}");
                        }
                        Kernel::ReduceThree => {
                            let three = match tripled >> lane & 1 {
                                1 => 3 * &want[lane] + 2 * &difference[lane] * &r,
                                _ => want[lane].clone(),
                            };
                            assert_eq!((&got * &r - three) % &p, BigInt::from(0), "{what}");
                            assert!(got.sign() != Sign::Minus && got <= &n + (&n >> 7u32), "{what}");
                        }
                        Kernel::Sum => {
                            assert_eq!((&got - &want[lane]) % &p, BigInt::from(0), "{what}");
                            assert!(got.sign() != Sign::Minus && got <= &n + (&n >> 7u32), "{what}");
                        }
                        _ => {
                            assert_eq!(got, want[lane], "{what}");
                            let columns = m.rows[results[lane]..].iter().flat_map(|row| row.0).take(2 * limbs - 1);
                            let carried = columns.map(i64::abs).max() < Some((1 << LIMB) + (1 << 11));
                            assert!(carried || kernel != Kernel::FormCarried, "{what}");
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn multiples_agree_with_integers() {
    each(|f, limbs, rng| {
        for kernel in [Kernel::Multiple, Kernel::MultipleWide, Kernel::MultipleCarried] {
            let is_wide = kernel != Kernel::Multiple;
            let mut m = Memory::new(f, limbs, rng);
            let row = |m: &Memory, rng: &mut Rng| match is_wide {
                true => m.wide(rng.below(WIDES as u64) as usize),
                false => row_of_element(rng),
            };
            let terms: Vec<[usize; 4]> = (0..LANES)
                .map(|lane| [row(&m, rng), rng.below(7) as usize, row(&m, rng), m.result(is_wide, lane)])
                .collect();
            let want: Vec<BigInt> =
                terms.iter().map(|[x, s, y, _]| (m.number(*x, is_wide) << *s) + m.number(*y, is_wide)).collect();
            let list: Vec<usize> =
                terms.iter().flat_map(|[x, s, y, sum]| [LANES * x, *s, LANES * y, LANES * sum]).collect();
            m.call_with(f, kernel, &list);
            for ([.., sum], want) in terms.iter().zip(&want) {
                assert_eq!(&m.number(*sum, is_wide), want, "{limbs} limbs, {kernel:?}");
            }
        }
    });
}
