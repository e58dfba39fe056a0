//! The contract between the mathematics and the engines.
//!
//! `Elem` is a residue in a machine's own representation, possibly many lanes of it. `Wide` is an unreduced sum of
//! products. Two products, two linear forms on `Wide` (one stays, one reduces) and one on `Elem` are all that a machine
//! must provide; everything else derives from them, and an engine overrides whatever it can fuse.
//!
//! Two conventions carry the whole design:
//!
//! * **Results go to an out-parameter.** An element of eight lanes is kilobytes; returning it by value costs a copy. The
//!   [`at!`](crate::at) macro keeps formulas readable.
//! * **Sums are lists** ([`Term`]). An extension field rearranges the lists of its coefficients (a non-residue such as
//!   1 + i is only a permutation with signs), so the last combination of a product in F_p^12 lands in the base field's one
//!   `reduce`: the generalised lazy reduction of Aranha et al. (EUROCRYPT 2011, section 3) by recursion alone.
//!
//! Ranges: `add` and `sub` may let ranges grow ("lazy"); `sum`, `neg`, `mul`, `sqr`, `reduce` and `inv` return the smallest
//! range of the machine ("closed"). How much a range may grow between two closed values is up to the machine, and
//! [`Bounds`](crate::bounds::Bounds) proves it for every curve.

use crate::at;
use crate::blank::Blank;
use crate::code::Code;
use crate::complex;
use crate::kernel::Kernel;
use crate::term::{List, Term, minus, plus};
use crate::words::from_words;
use num_bigint::BigUint;
use zeroize::Zeroizing;

/// Arithmetic in a finite field. The modulus and all constants live in `self`; elements are bare limbs.
///
/// Out-parameters never alias the inputs (the borrow checker sees to it) and their former content is irrelevant. No method
/// branches on the value of an element.
pub trait Field: Clone + Send + Sync {
    /// A residue, or one residue per lane.
    type Elem: Clone + Blank + Send + Sync;
    /// An unreduced sum of products.
    type Wide: Clone + Blank + Send + Sync;
    /// A truth value, or one per lane.
    type Mask: Copy + Send + Sync;

    /// Returns 0.
    fn zero(&self) -> Self::Elem;
    /// Returns 1.
    fn one(&self) -> Self::Elem;

    /// Computes a·b, unreduced.
    fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem);
    /// Computes a_i·b_i for four pairs, unreduced: for machines of one lane that compute them side by side.
    #[inline(always)]
    fn mul_wide_four(&self, out: [&mut Self::Wide; 4], a: [&Self::Elem; 4], b: [&Self::Elem; 4]) {
        for (i, out) in out.into_iter().enumerate() {
            self.mul_wide(out, a[i], b[i]);
        }
    }
    /// Computes a², unreduced.
    fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem);
    /// Computes Σ c·w, unreduced.
    fn lin(&self, out: &mut Self::Wide, terms: &[Term<Self::Wide>]);
    /// Computes Σ c·w, reduced to a closed element.
    fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]);
    /// Reduces a Σ c·w that is as near 0 as [`Rules::reduce_near`](crate::bounds::Rules::reduce_near) requires; the range may grow.
    #[inline(always)]
    fn reduce_near(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
        self.reduce(out, terms);
    }
    /// Computes the reduced Σ c·w plus Σ c·x, closed.
    #[inline(always)]
    fn reduce_sum(&self, out: &mut Self::Elem, wides: &[Term<Self::Wide>], terms: &[Term<Self::Elem>]) {
        at! {self; remainder = reduce(wides);}
        self.sum(out, List::new().all(1, &[plus(&remainder)]).all(1, terms).terms());
    }
    /// Computes a + b; the range may grow.
    fn add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem);
    /// Computes Σ c·x, closed.
    fn sum(&self, out: &mut Self::Elem, terms: &[Term<Self::Elem>]);
    /// Computes 1/a, and 0 for a = 0; closed.
    fn inv(&self, out: &mut Self::Elem, a: &Self::Elem);

    /// Selects `a` where the mask is set, else `b`.
    fn select(&self, out: &mut Self::Elem, mask: Self::Mask, a: &Self::Elem, b: &Self::Elem);
    /// Returns the mask of the lanes where a = 0.
    fn is_zero(&self, a: &Self::Elem) -> Self::Mask;
    /// Returns a mask with the same truth value in every lane.
    fn mask(&self, value: bool) -> Self::Mask;
    /// Returns the truth values of the lanes as a mask; lanes beyond `values` are false. A machine without values has one lane.
    fn mask_from(&self, values: &[bool]) -> Self::Mask;
    /// Returns a ∧ b.
    fn and(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns ¬a.
    fn not(&self, a: Self::Mask) -> Self::Mask;

    /// Computes a·b, closed.
    #[inline]
    fn mul(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        at! {self; w = mul_wide(a, b);}
        self.reduce(out, &[plus(&w)]);
    }

    /// Computes a_i·b_i for each i, closed: for machines of one lane that compute many products side by side.
    #[inline(always)]
    fn mul_all<const K: usize>(&self, out: &mut [Self::Elem; K], a: [&Self::Elem; K], b: [&Self::Elem; K]) {
        for (out, (a, b)) in out.iter_mut().zip(a.into_iter().zip(b)) {
            self.mul(out, a, b);
        }
    }

    /// Computes a², closed.
    #[inline]
    fn sqr(&self, out: &mut Self::Elem, a: &Self::Elem) {
        at! {self; w = sqr_wide(a);}
        self.reduce(out, &[plus(&w)]);
    }

    /// Replaces each x by x^(2^n), closed: for machines of one lane that compute many squarings side by side.
    fn sqr_all(&self, xs: &mut [Self::Elem], n: usize) {
        for x in xs {
            for _ in 0..n {
                at! {self; square = sqr(x);}
                x.clone_from(&square);
            }
        }
    }

    /// Computes a·b + Σ c·x, closed; without terms it is [`mul`](Self::mul).
    #[inline(always)]
    fn mul_sum(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem, terms: &[Term<Self::Elem>]) {
        if terms.is_empty() {
            return self.mul(out, a, b);
        }
        at! {self; product = mul(a, b);}
        self.sum(out, List::new().all(1, &[plus(&product)]).all(1, terms).terms());
    }

    /// Computes a² + Σ c·x, closed; without terms it is [`sqr`](Self::sqr).
    #[inline(always)]
    fn sqr_sum(&self, out: &mut Self::Elem, a: &Self::Elem, terms: &[Term<Self::Elem>]) {
        if terms.is_empty() {
            return self.sqr(out, a);
        }
        at! {self; square = sqr(a);}
        self.sum(out, List::new().all(1, &[plus(&square)]).all(1, terms).terms());
    }

    /// Computes Σ a_i·b_i over two slices of equal length ≥ 1, closed, with one reduction.
    fn dot(&self, out: &mut Self::Elem, a: &[Self::Elem], b: &[Self::Elem]) {
        debug_assert_eq!(a.len(), b.len());
        let last = a.len() - 1;
        at! {self; end = mul_wide(&a[last], &b[last]);}
        if last == 0 {
            return self.reduce(out, &[plus(&end)]);
        }
        // the sum alternates between two places
        let mut sums: [Self::Wide; 2] = Blank::blank();
        let [mut sum, mut next] = sums.each_mut();
        self.mul_wide(sum, &a[0], &b[0]);
        for (x, y) in a[1..last].iter().zip(&b[1..last]) {
            at! {self; product = mul_wide(x, y);}
            self.lin(next, &[plus(&*sum), plus(&product)]);
            std::mem::swap(&mut sum, &mut next);
        }
        self.reduce(out, &[plus(&*sum), plus(&end)]);
    }

    /// Computes a − b; the range may grow.
    #[inline(always)]
    fn sub(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        self.sum(out, &[plus(a), minus(b)]);
    }

    /// Computes −a, closed.
    #[inline(always)]
    fn neg(&self, out: &mut Self::Elem, a: &Self::Elem) {
        self.sum(out, &[minus(a)]);
    }

    /// Computes 3p + 2x, or 3p − 2x if `subtract`, closed: the sums of squarings in cyclotomic subgroups.
    #[inline(always)]
    fn three_and_two(&self, out: &mut Self::Elem, p: &Self::Elem, x: &Self::Elem, subtract: bool) {
        // 3p ± 2x = 2(p ± x) + p
        let mut t = Self::Elem::blank();
        if subtract {
            self.sub(&mut t, p, x)
        } else {
            self.add(&mut t, p, x)
        }
        at! {self; twice = add(&t, &t);}
        self.sum(out, &[plus(&twice), plus(p)]);
    }

    /// Computes 3·Σ c·w + 2x, or 3·Σ c·w − 2x if `subtract`, reduced to a closed element.
    #[inline(always)]
    fn reduce_three_and_two(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>], x: &Self::Elem, subtract: bool) {
        at! {self; p = reduce(terms);}
        self.three_and_two(out, &p, x, subtract);
    }

    /// Like `reduce_three_and_two`, for a form as near 0 as [`Rules::three_forms_near`](crate::bounds::Rules::three_forms_near) requires.
    #[inline(always)]
    fn reduce_three_and_two_near(
        &self,
        out: &mut Self::Elem,
        terms: &[Term<Self::Wide>],
        x: &Self::Elem,
        subtract: bool,
    ) {
        self.reduce_three_and_two(out, terms, x, subtract);
    }

    /// Returns the mask of a = b, lane by lane.
    #[inline]
    fn equal(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Mask {
        at! {self; d = sub(a, b);}
        self.is_zero(&d)
    }

    /// Returns a ∨ b.
    #[inline]
    fn or(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
        self.not(self.and(self.not(a), self.not(b)))
    }

    /// Computes two independent reductions, which a machine may interleave.
    #[inline(always)]
    fn reduce2(&self, out: &mut [Self::Elem; 2], first: &[Term<Self::Wide>], second: &[Term<Self::Wide>]) {
        let [o0, o1] = out;
        self.reduce(o0, first);
        self.reduce(o1, second);
    }

    /// Computes (a0 + a1·i)(b0 + b1·i) with i² = −1, unreduced. 3 products.
    #[inline(always)]
    fn complex_mul_wide(&self, out: &mut [Self::Wide; 2], a: &[Self::Elem; 2], b: &[Self::Elem; 2]) {
        complex::mul_wide(self, out, a, b);
    }

    /// Computes (a0 + a1·i)² with i² = −1, unreduced. 2 products.
    #[inline(always)]
    fn complex_sqr_wide(&self, out: &mut [Self::Wide; 2], a: &[Self::Elem; 2]) {
        complex::sqr_wide(self, out, a);
    }

    /// Computes (a + c)(b + d) in F_p(i), i² = −1, for the operands a, c, b and d in this order, unreduced. 3 products.
    #[inline(always)]
    fn complex_sums_mul_wide(&self, out: &mut [Self::Wide; 2], [a, c, b, d]: [&[Self::Elem; 2]; 4]) {
        at! {self; x0 = add(&a[0], &c[0]); x1 = add(&a[1], &c[1]); y0 = add(&b[0], &d[0]); y1 = add(&b[1], &d[1]);}
        self.complex_mul_wide(out, &[x0, x1], &[y0, y1]);
    }

    /// Computes (a + c)² in F_p(i), i² = −1, unreduced. 2 products.
    #[inline(always)]
    fn complex_sum_sqr_wide(&self, out: &mut [Self::Wide; 2], [a, c]: [&[Self::Elem; 2]; 2]) {
        at! {self; x0 = add(&a[0], &c[0]); x1 = add(&a[1], &c[1]);}
        self.complex_sqr_wide(out, &[x0, x1]);
    }

    /// Computes (a + c)(b + d) + Σ c·w in F_p(i), i² = −1: operands in the order a, c, b, d; terms for each half; unreduced. 3 products.
    #[inline(always)]
    fn complex_sums_mul_lin(
        &self,
        out: &mut [Self::Wide; 2],
        operands: [&[Self::Elem; 2]; 4],
        terms: [&[Term<Self::Wide>]; 2],
    ) {
        complex::plus_terms(self, out, |x| self.complex_sums_mul_wide(x, operands), terms);
    }

    /// Computes (a + c)² + Σ c·w in F_p(i), i² = −1, with terms for each half, unreduced. 2 products.
    #[inline(always)]
    fn complex_sum_sqr_lin(
        &self,
        out: &mut [Self::Wide; 2],
        operands: [&[Self::Elem; 2]; 2],
        terms: [&[Term<Self::Wide>]; 2],
    ) {
        complex::plus_terms(self, out, |x| self.complex_sum_sqr_wide(x, operands), terms);
    }

    /// Computes (a0 + a1·i)(b0 + b1·i) with i² = −1, closed. 3 products, 2 reductions.
    #[inline(always)]
    fn complex_mul(&self, out: &mut [Self::Elem; 2], a: &[Self::Elem; 2], b: &[Self::Elem; 2]) {
        complex::mul(self, out, a, b);
    }

    /// Computes (a0 + a1·i)² with i² = −1, closed. 2 products, 2 reductions.
    #[inline(always)]
    fn complex_sqr(&self, out: &mut [Self::Elem; 2], a: &[Self::Elem; 2]) {
        complex::sqr(self, out, a);
    }

    /// Computes c/x for every x if none is 0: one inversion and 3(n − 1) + 1 products (Montgomery's trick). Where a lane of some x is 0,
    /// that lane of every result is 0, and the mask is set there.
    ///
    /// # Panics
    /// Panics if `out` and `xs` differ in length.
    fn quotients(&self, out: &mut [Self::Elem], c: &Self::Elem, xs: &[Self::Elem]) -> Self::Mask {
        assert_eq!(out.len(), xs.len(), "one place for each quotient is needed");
        let Some(last) = xs.len().checked_sub(1) else { return self.mask(false) };
        out[0].clone_from(&xs[0]);
        for i in 1..=last {
            // out_i = x_0 ⋯ x_i
            let (products, rest) = out.split_at_mut(i);
            self.mul(&mut rest[0], &products[i - 1], &xs[i]);
        }
        let zero = self.is_zero(&out[last]);
        at! {self; inverse = inv(&out[last]); scaled = mul(&inverse, c);}
        // `so_far` alternates between two places
        let mut places = [scaled, Self::Elem::blank()];
        let [mut so_far, mut next] = places.each_mut();
        for i in (1..=last).rev() {
            // so_far = c/(x_0 ⋯ x_i)
            let (products, rest) = out.split_at_mut(i);
            self.mul(&mut rest[0], so_far, &products[i - 1]);
            self.mul(next, so_far, &xs[i]);
            std::mem::swap(&mut so_far, &mut next);
        }
        out[0].clone_from(so_far);
        zero
    }

    /// Runs a named step of a formula, such as a doubling with its line. Returns what `step` computes; a machine that records finds its
    /// routines by the name.
    #[inline(always)]
    fn routine<T>(&self, _name: &'static str, step: impl FnOnce() -> T) -> T {
        step()
    }

    /// Inverts every element in place, 0 to 0 (Montgomery's trick): one inversion, 3n products; none for n = 0, no product for n = 1.
    fn inv_many(&self, xs: &mut [Self::Elem]) {
        match xs {
            [] => return,
            [x] => {
                at! {self; inverse = inv(x);}
                return x.clone_from(&inverse);
            }
            _ => {}
        }
        let mut products = vec![Self::Elem::default(); xs.len()];
        let one = self.one();
        let mut running = one.clone();
        for (x, product) in xs.iter().zip(&mut products) {
            // running = x_0 ⋯ x_{i−1}, zeros left out
            product.clone_from(&running);
            at! {self; factor = select(self.is_zero(x), &one, x);}
            self.mul(&mut running, product, &factor);
        }
        at! {self; inverse = inv(&running);}
        for (x, product) in xs.iter_mut().zip(&products).rev() {
            // inverse = 1/(x_0 ⋯ x_i), zeros left out
            let zero = self.is_zero(x);
            at! {self; factor = select(zero, &one, x); own = mul(&inverse, product); next = mul(&inverse, &factor);}
            self.select(x, zero, &self.zero(), &own);
            inverse = next;
        }
    }
}

/// A prime field F_p: the bottom of every tower. F_2^m and F_3^m implement it too where a machine computes in them as a whole (`binary`,
/// `ternary`): statements on p then hold for their polynomial f, with digit i of an integer in radix 2 or 3 the coefficient of x^i.
pub trait Prime: Field {
    /// A residue that is the same in every lane, stored once and broadcast when it is used.
    type Uniform: Clone + PartialEq + Send + Sync;

    /// The modulus p.
    fn modulus(&self) -> &BigUint;

    /// Returns x mod p, in every lane.
    fn constant(&self, x: &BigUint) -> Self::Elem;

    /// Returns the residue of the first lane.
    fn uniform(&self, a: &Self::Elem) -> Self::Uniform;

    /// Writes a residue to every lane; its range is kept.
    fn broadcast(&self, out: &mut Self::Elem, a: &Self::Uniform);

    /// Returns the mask of the lanes where the residue, as an integer in [0, p), is odd.
    fn is_odd(&self, a: &Self::Elem) -> Self::Mask;

    /// The length of an encoded residue in bytes: ⌈bits(p)/8⌉.
    fn byte_len(&self) -> usize {
        self.modulus().bits().div_ceil(8) as usize
    }

    /// The number of words of a residue: ⌈bits(p)/64⌉.
    fn word_len(&self) -> usize {
        self.modulus().bits().div_ceil(64) as usize
    }
}

/// A prime field whose elements hold values: each lane holds an independent residue.
pub trait Lanes: Prime {
    /// The number of residues in one `Elem`.
    const LANES: usize;

    /// The modulus of the numbers that represent residues: p, or a multiple of p. Fields of one type and p may differ in it.
    fn inner_modulus(&self) -> BigUint {
        self.modulus().clone()
    }

    /// Loads canonical residues (little-endian words, x < p), one per lane; lanes beyond `values` become 0.
    ///
    /// # Panics
    /// Panics if there are more values than lanes, or a value has more words than p. A value of p or more is a logic error that debug
    /// builds report.
    fn load(&self, out: &mut Self::Elem, values: &[&[u64]]);

    /// Stores the canonical residue of one lane as little-endian words.
    ///
    /// # Panics
    /// Panics if `words` is shorter than p or `lane` is out of range.
    fn store(&self, words: &mut [u64], a: &Self::Elem, lane: usize);

    /// Stores the canonical residues of all lanes, one after the other, as [`Prime::word_len`] little-endian words each.
    ///
    /// # Panics
    /// Panics if `words` is too short for the residues of all lanes.
    fn store_all(&self, words: &mut [u64], a: &Self::Elem) {
        for (lane, words) in words.chunks_mut(self.word_len()).enumerate().take(Self::LANES) {
            self.store(words, a, lane);
        }
    }

    /// Writes the element whose residue in lane i is `residue(i)`; the ranges are kept.
    #[inline]
    fn gather<'a>(&self, out: &mut Self::Elem, residue: impl Fn(usize) -> &'a Self::Uniform)
    where
        Self::Uniform: 'a,
    {
        const { assert!(Self::LANES == 1, "fields of several lanes have their own") };
        self.broadcast(out, residue(0));
    }

    /// Calls `take` with each lane's number and residue, in the form that [`Lanes::gather`] reads.
    #[inline]
    fn scatter(&self, a: &Self::Elem, mut take: impl FnMut(usize, &Self::Uniform)) {
        const { assert!(Self::LANES == 1, "fields of several lanes have their own") };
        take(0, &self.uniform(a));
    }

    /// The most bits of an index for which the field has [`Lanes::entry`]; 0 where selections read a table as fast.
    const ENTRY_BITS: usize = 0;

    /// Writes, for each lane, the entry of a table of 2^n residues whose index has these n bits, lowest first. The entries lie `stride`
    /// residues apart. Every entry is read; the ranges are kept. Panics for more than [`Lanes::ENTRY_BITS`] bits, and for a short table.
    fn entry(&self, _out: &mut Self::Elem, _table: (&[Self::Uniform], usize), _bits: &[Self::Mask]) {
        unreachable!("more than ENTRY_BITS bits")
    }

    /// Returns the kernel of an operation whose linear form, if any, has these coefficients. `None` where the operation takes more than
    /// one kernel: the caller must then call the method of the same name.
    fn kernel(&self, _code: Code, _coefficients: &[i32]) -> Option<Kernel<Self>> {
        None
    }

    /// Returns the truth value of one lane.
    fn lane(&self, mask: Self::Mask, lane: usize) -> bool;

    /// Returns the residue of one lane as an integer.
    fn value(&self, a: &Self::Elem, lane: usize) -> BigUint {
        let mut words = vec![0; self.word_len()];
        self.store(&mut words, a, lane);
        from_words(&words)
    }
}

/// Computes [`Prime::is_odd`] for a field whose elements hold values. Constant time.
pub(crate) fn parity<F: Lanes>(f: &F, a: &F::Elem) -> F::Mask {
    let len = f.word_len();
    let mut words = Zeroizing::new(vec![0; F::LANES * len]);
    f.store_all(&mut words, a);
    f.mask_from(&are_odd(&words, len))
}

/// Returns for each number of `len` words whether it is odd.
fn are_odd(words: &[u64], len: usize) -> Zeroizing<Vec<bool>> {
    // black_box keeps the comparison a value; without it the compiler could turn it into a branch
    Zeroizing::new(words.chunks(len).map(|own| std::hint::black_box(own[0] & 1) == 1).collect())
}

/// The reason why a modulus cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModulusError {
    /// Montgomery form needs an odd modulus above 2.
    #[error("modulus is {0}: an odd prime of at least 3 is needed")]
    NotOddPrime(BigUint),
    /// F_2^m needs an irreducible polynomial, of odd degree above 1.
    #[error("{0:#x}, as a polynomial over F_2, is not irreducible of odd degree above 1")]
    Reducible(BigUint),
    /// F_3^m needs an irreducible polynomial, of a degree prime to 6 and above 1.
    #[error("{0}, as a polynomial over F_3, is not irreducible of a degree prime to 6 and above 1")]
    ReducibleOverF3(BigUint),
    /// The modulus does not fit the machine.
    #[error("modulus has {bits} bits: this engine takes at most {max}")]
    TooLarge {
        /// The number of bits of the modulus.
        bits: u64,
        /// The largest number of bits that fits.
        max: u64,
    },
}
