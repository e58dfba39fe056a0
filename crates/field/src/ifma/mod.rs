//! Eight residues at a time: Montgomery arithmetic (Montgomery 1985) on 52-bit limbs with the fused multiply-add of AVX-512 IFMA,
//! for any odd modulus chosen at run time. Each lane of a vector holds an independent value.
//!
//! A residue x is held as a number congruent to x·R modulo N, R = 2^(52L), in L limbs; an unreduced value as 2L signed columns of
//! 64 bits, in which products are accumulated without carries. N is p, or a multiple of p where p is much shorter than its
//! limbs. `rules` has the ranges: how far a number may be outside [0, p).
//!
//! Cost in IFMA instructions for eight lanes: 2L² for a product, L² + L for a square, 2L² for a reduction, 2L + 1 for
//! a closed sum. The ports issue two per cycle. Products of 20 limbs, and products and squares of 24 and more, take
//! three of half as many limbs and L more instructions (Karatsuba): 1900 instead of 3200 for a product of 40 limbs,
//! and 2840 for its reduction, nearly half of which is products of 20 limbs. A Montgomery-friendly modulus
//! (`build/shape.rs`: p ≡ 3 modulo a power of 2^52) saves most of 2L instructions for each zero limb: 498 instead of
//! 800 for a reduction of 20 limbs, 8 of them 0. A test reads these counts from the machine code.
//!
//! The kernels are written by the build script (`build/`), one for each operation and L. An element has a capacity of C
//! limbs, so that code is compiled for a few C and not for every L. Everything runs in constant time: no branch and no address
//! depends on the value of an element.

#[cfg(test)]
#[path = "tests/code.rs"]
mod code;
mod forms;
mod integers;
mod inverse;
mod kernels;
mod lanes;
mod modulus;
mod places;
#[cfg(test)]
#[path = "tests/ranges.rs"]
mod ranges;
#[cfg(not(windows))]
mod rows;
mod rules;
mod transposed;

use crate::at;
use crate::blank::Blank;
use crate::bounds::Rules;
use crate::complex;
use crate::contract::{Field, ModulusError};
use crate::dispatch::Margin;
use crate::term::{List, Term, outweighs, plus, times};
use forms::{Grouped, RUN, has_large, parts, whole};
use integers::Integers;
#[cfg(feature = "paths")]
pub use integers::residue_and_inverse;
use kernels::Machine;
use modulus::{LIMB, constants, limbs, multiplier, zeros};
use num_bigint::BigUint;
use num_traits::One;
pub use places::{Columns, Residues};
use rules::{LaneRules, MIN_SPARE};
use std::sync::Arc;

#[cfg(not(windows))]
pub(crate) use rows::field_of_rows;
#[cfg(feature = "research")]
pub(crate) use transposed::quarters;

/// The numbers of limbs that kernels are generated for.
pub const LIMBS: &[usize] = kernels::LIMBS;

/// One truth value per lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneMask(u8);

/// F_p on up to C limbs of 52 bits, in eight lanes. Only constructed where the processor has the instructions.
#[derive(Clone)]
pub struct Ifma<const C: usize>(Arc<Inner<C>>);

struct Inner<const C: usize> {
    machine: Machine,
    tight: bool,
    /// The largest weight of a sum that is not computed in two parts.
    light: u32,
    /// Whether three times any form is reduced at once, and not only three times a form near 0.
    triples: bool,
    /// N, the modulus of the kernels.
    n: Residues<C>,
    /// R mod N: the residue 1.
    one: Residues<C>,
    /// R² mod N: turns an integer into a residue.
    r2: Residues<C>,
    /// The integer N/p.
    multiplier: Residues<C>,
    integers: Integers,
    modulus: BigUint,
}

/// Returns true if this processor has AVX-512 F, AVX-512 IFMA and BMI1.
pub fn detected() -> bool {
    kernels::detect()
}

/// Returns the length of the longest modulus that fits `limbs` limbs and leaves `spare` bits; 0 if the limbs have
/// fewer bits.
pub(crate) fn bits(limbs: usize, spare: u64) -> u64 {
    (LIMB * limbs as u64).saturating_sub(spare.max(MIN_SPARE))
}

/// Returns the least number of limbs, at most `most`, that has kernels and leaves a modulus of `bits` bits its
/// `spare` bits.
fn limbs_for(bits: u64, most: usize, spare: u64) -> Option<usize> {
    LIMBS.iter().copied().find(|l| bits <= self::bits(*l, spare)).filter(|l| *l <= most)
}

/// The range rules of a modulus of this length, if it fits in at most `most` limbs with this margin.
pub(crate) fn rules(bits: u64, most: usize, margin: Margin) -> Option<Arc<dyn Rules>> {
    let limbs = limbs_for(bits, most, margin.spare)?;
    let spare = (LIMB * limbs as u64 - bits).min(modulus::MAX_SPARE);
    Some(Arc::new(LaneRules::new(spare, limbs, margin)))
}

impl<const C: usize> Ifma<C> {
    /// The number of 52-bit limbs of an element.
    pub fn limbs(&self) -> usize {
        self.0.machine.limbs()
    }

    /// Creates the field of p elements with a margin that suffices for towers. Returns `None` if the processor lacks
    /// the instructions.
    ///
    /// # Errors
    /// Returns an error if p is even, below 3, or longer than 52·C − 6 bits. The caller must know that p is prime:
    /// primality is not checked.
    pub fn new(p: &BigUint) -> Result<Option<Self>, ModulusError> {
        Self::with_margin(p, Margin::default())
    }

    /// Like [`Ifma::new`], with a given margin: the margin can decide how many limbs the field needs.
    ///
    /// # Errors
    /// Returns an error if p is even, below 3, or longer than 52·C − `spare` bits.
    pub fn with_margin(p: &BigUint, margin: Margin) -> Result<Option<Self>, ModulusError> {
        if !p.bit(0) || p.is_one() {
            return Err(ModulusError::NotOddPrime(p.clone()));
        }
        let max = bits(C, margin.spare);
        let count = limbs_for(p.bits(), C, margin.spare).ok_or(ModulusError::TooLarge { bits: p.bits(), max })?;
        let multiplier = multiplier(p, count);
        let n = p * &multiplier;
        let rules = LaneRules::new(LIMB * count as u64 - n.bits(), count, margin);
        let Some(machine) = Machine::new(count, zeros(&n), rules, constants(&n, count, rules)) else {
            return Ok(None);
        };
        let r = BigUint::one() << (LIMB * count as u64);
        let residues = |x: &BigUint| Residues::new(&limbs(x, count));
        Ok(Some(Ifma(Arc::new(Inner {
            machine,
            tight: rules.tight,
            light: rules.light(),
            triples: rules.triples(),
            n: residues(&n),
            one: residues(&(&r % &n)),
            r2: residues(&(&r * &r % &n)),
            multiplier: residues(&multiplier),
            integers: Integers::new(p, &multiplier),
            modulus: p.clone(),
        }))))
    }

    /// Passes a form to `then`, after its terms with large coefficients have been summed and carried.
    #[inline(always)]
    fn with_grouped(&self, terms: &[Term<Columns<C>>], mut then: impl FnMut(&[Term<Columns<C>>])) {
        if has_large(terms, self.0.machine.limbs()) { self.with_group(terms, &mut then) } else { then(terms) }
    }

    #[inline(never)]
    fn with_group(&self, terms: &[Term<Columns<C>>], then: &mut dyn FnMut(&[Term<Columns<C>>])) {
        let mut grouped = Grouped::new();
        if !grouped.split(terms) {
            return then(terms);
        }
        // the sum alternates between two places
        let mut places = [Columns::default(); 2];
        let [mut sum, mut next] = places.each_mut();
        for (i, run) in grouped.inner.terms().chunks(RUN).enumerate() {
            if i == 0 {
                self.0.machine.lin_carried(sum, run);
            } else {
                self.0.machine.lin_carried(next, List::new().all(1, &[plus(&*sum)]).all(1, run).terms());
                std::mem::swap(&mut sum, &mut next);
            }
        }
        let multiple = [times(grouped.coefficient, &*sum)];
        self.with_group(grouped.outer.terms(), &mut |outer| then(List::new().all(1, outer).all(1, &multiple).terms()));
    }

    /// Returns true if the kernel of a product can add these terms.
    #[inline(always)]
    fn adds<T>(&self, terms: &[Term<T>]) -> bool {
        self.0.machine.has_sums() && !outweighs(terms, self.0.light - 1)
    }

    /// Computes Σ c·x with any terms, closed.
    fn any_sum(&self, out: &mut Residues<C>, terms: &[Term<Residues<C>>]) {
        let (mut inner, mut outer) = (List::new(), List::new());
        if self.0.tight && parts(terms, self.0.light, [&mut inner, &mut outer]) {
            let mut sum = Residues::default();
            self.any_sum(&mut sum, inner.terms());
            self.0.machine.sum(out, List::new().all(1, outer.terms()).all(1, &[whole(&sum)]).terms());
        } else {
            self.0.machine.sum(out, terms);
        }
    }

    /// Computes 3·Σ c·w/R ± 2x as [`Machine::reduce_three_and_two`] does, and returns true, if one kernel does it.
    #[inline(always)]
    fn three_at_once(
        &self,
        out: &mut Residues<C>,
        terms: &[Term<Columns<C>>],
        x: &Residues<C>,
        way: [bool; 2],
    ) -> bool {
        let machine = &self.0.machine;
        !has_large(terms, machine.limbs()) && machine.reduce_three_and_two(out, terms, x, way)
    }

    /// Computes a·b in F_p(i), or a² without b, closed, and returns true, if there are kernels of F_p(i).
    #[inline(always)]
    fn complex_by_kernels(
        &self,
        out: &mut [Residues<C>; 2],
        a: &[Residues<C>; 2],
        b: Option<&[Residues<C>; 2]>,
    ) -> bool {
        if self.0.machine.complex(out, a, b) {
            return true;
        }
        let mut wide = Blank::blank();
        let done = self.0.machine.complex_wide(&mut wide, a, b);
        if done {
            self.reduce2(out, &[plus(&wide[0])], &[plus(&wide[1])]);
        }
        done
    }
}

/// Returns the mask with these truth values in the first lanes; the other lanes are false.
fn lane_mask(values: &[bool]) -> LaneMask {
    LaneMask(values.iter().enumerate().fold(0, |mask, (lane, v)| mask | u8::from(*v) << lane))
}

impl<const C: usize> Field for Ifma<C> {
    type Elem = Residues<C>;
    type Wide = Columns<C>;
    type Mask = LaneMask;

    #[inline]
    fn zero(&self) -> Residues<C> {
        Residues::new(&[])
    }

    #[inline]
    fn one(&self) -> Residues<C> {
        self.0.one
    }

    #[inline(always)]
    fn mul_wide(&self, out: &mut Columns<C>, a: &Residues<C>, b: &Residues<C>) {
        self.0.machine.mul_wide(out, a, b);
    }

    #[inline(always)]
    fn sqr_wide(&self, out: &mut Columns<C>, a: &Residues<C>) {
        self.0.machine.sqr_wide(out, a);
    }

    #[inline(always)]
    fn lin(&self, out: &mut Columns<C>, terms: &[Term<Columns<C>>]) {
        self.with_grouped(terms, |terms| self.0.machine.lin(out, terms));
    }

    #[inline(always)]
    fn reduce(&self, out: &mut Residues<C>, terms: &[Term<Columns<C>>]) {
        self.with_grouped(terms, |terms| self.0.machine.reduce(out, terms, self.0.tight));
    }

    #[inline(always)]
    fn reduce_near(&self, out: &mut Residues<C>, terms: &[Term<Columns<C>>]) {
        if has_large(terms, self.0.machine.limbs()) {
            return self.reduce(out, terms);
        }
        self.0.machine.reduce(out, terms, false);
    }

    #[inline(always)]
    fn reduce_three_and_two(&self, out: &mut Residues<C>, terms: &[Term<Columns<C>>], x: &Residues<C>, subtract: bool) {
        if !(self.0.triples && self.three_at_once(out, terms, x, [subtract, true])) {
            at! {self; p = reduce(terms);}
            self.three_and_two(out, &p, x, subtract);
        }
    }

    #[inline(always)]
    fn reduce_three_and_two_near(
        &self,
        out: &mut Residues<C>,
        terms: &[Term<Columns<C>>],
        x: &Residues<C>,
        subtract: bool,
    ) {
        if !self.three_at_once(out, terms, x, [subtract, false]) {
            self.reduce_three_and_two(out, terms, x, subtract);
        }
    }

    #[inline(always)]
    fn complex_sums_mul_wide(&self, out: &mut [Columns<C>; 2], [a, c, b, d]: [&[Residues<C>; 2]; 4]) {
        if !self.0.machine.complex_sums(out, [a, c, b, d]) {
            at! {self; x0 = add(&a[0], &c[0]); x1 = add(&a[1], &c[1]); y0 = add(&b[0], &d[0]); y1 = add(&b[1], &d[1]);}
            self.complex_mul_wide(out, &[x0, x1], &[y0, y1]);
        }
    }

    #[inline(always)]
    fn complex_sum_sqr_wide(&self, out: &mut [Columns<C>; 2], [a, c]: [&[Residues<C>; 2]; 2]) {
        if !self.0.machine.complex_sums(out, [a, c]) {
            at! {self; x0 = add(&a[0], &c[0]); x1 = add(&a[1], &c[1]);}
            self.complex_sqr_wide(out, &[x0, x1]);
        }
    }

    fn complex_sums_mul_lin(
        &self,
        out: &mut [Columns<C>; 2],
        operands: [&[Residues<C>; 2]; 4],
        terms: [&[Term<Columns<C>>]; 2],
    ) {
        if !self.0.machine.complex_lin(out, operands, terms) {
            complex::plus_terms(self, out, |x| self.complex_sums_mul_wide(x, operands), terms);
        }
    }

    fn complex_sum_sqr_lin(
        &self,
        out: &mut [Columns<C>; 2],
        operands: [&[Residues<C>; 2]; 2],
        terms: [&[Term<Columns<C>>]; 2],
    ) {
        if !self.0.machine.complex_lin(out, operands, terms) {
            complex::plus_terms(self, out, |x| self.complex_sum_sqr_wide(x, operands), terms);
        }
    }

    #[inline(always)]
    fn add(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>) {
        self.0.machine.add(out, a, b);
    }

    #[inline(always)]
    fn sub(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>) {
        if self.0.tight {
            self.0.machine.sum_of_two(out, a, b, true);
        } else {
            self.0.machine.sub(out, a, b);
        }
    }

    #[inline(always)]
    fn three_and_two(&self, out: &mut Residues<C>, p: &Residues<C>, x: &Residues<C>, subtract: bool) {
        self.0.machine.three_and_two(out, p, x, subtract);
    }

    /// Sums that have kernels of their own are recognised where the caller writes them, since this function is
    /// inlined.
    #[inline(always)]
    fn sum(&self, out: &mut Residues<C>, terms: &[Term<Residues<C>>]) {
        match terms {
            [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => self.0.machine.sum_of_two(out, a, b, false),
            [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => self.0.machine.sum_of_two(out, a, b, true),
            _ => self.any_sum(out, terms),
        }
    }

    #[inline(always)]
    fn mul(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>) {
        self.0.machine.mul(out, a, b);
    }

    #[inline(always)]
    fn sqr(&self, out: &mut Residues<C>, a: &Residues<C>) {
        self.0.machine.sqr(out, a);
    }

    #[inline(always)]
    fn mul_sum(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>, terms: &[Term<Residues<C>>]) {
        if self.adds(terms) {
            self.0.machine.mul_sum(out, a, b, terms);
        } else {
            let mut product = Residues::default();
            self.mul(&mut product, a, b);
            self.any_sum(out, List::new().all(1, &[plus(&product)]).all(1, terms).terms());
        }
    }

    #[inline(always)]
    fn sqr_sum(&self, out: &mut Residues<C>, a: &Residues<C>, terms: &[Term<Residues<C>>]) {
        if self.adds(terms) {
            self.0.machine.sqr_sum(out, a, terms);
        } else {
            self.mul_sum(out, a, a, terms);
        }
    }

    #[inline(always)]
    fn complex_mul_wide(&self, out: &mut [Columns<C>; 2], a: &[Residues<C>; 2], b: &[Residues<C>; 2]) {
        if !self.0.machine.complex_wide(out, a, Some(b)) {
            complex::mul_wide(self, out, a, b);
        }
    }

    #[inline(always)]
    fn complex_sqr_wide(&self, out: &mut [Columns<C>; 2], a: &[Residues<C>; 2]) {
        if !self.0.machine.complex_wide(out, a, None) {
            complex::sqr_wide(self, out, a);
        }
    }

    #[inline(always)]
    fn complex_mul(&self, out: &mut [Residues<C>; 2], a: &[Residues<C>; 2], b: &[Residues<C>; 2]) {
        if !self.complex_by_kernels(out, a, Some(b)) {
            complex::mul(self, out, a, b);
        }
    }

    #[inline(always)]
    fn complex_sqr(&self, out: &mut [Residues<C>; 2], a: &[Residues<C>; 2]) {
        if !self.complex_by_kernels(out, a, None) {
            complex::sqr(self, out, a);
        }
    }

    fn inv(&self, out: &mut Residues<C>, a: &Residues<C>) {
        self.inverse(out, a);
    }

    #[inline(always)]
    fn select(&self, out: &mut Residues<C>, mask: LaneMask, a: &Residues<C>, b: &Residues<C>) {
        self.0.machine.select(out, mask.0, a, b);
    }

    /// A multiple of p becomes 0 or N by the product with N/p, which divides by R.
    fn is_zero(&self, a: &Residues<C>) -> LaneMask {
        let mut out = Residues::default();
        self.mul(&mut out, a, &self.0.multiplier);
        LaneMask(self.0.machine.zero_or(&out, &self.0.n))
    }

    #[inline]
    fn mask(&self, value: bool) -> LaneMask {
        LaneMask(u8::from(value).wrapping_neg())
    }

    #[inline]
    fn mask_from(&self, values: &[bool]) -> LaneMask {
        lane_mask(values)
    }

    #[inline]
    fn and(&self, a: LaneMask, b: LaneMask) -> LaneMask {
        LaneMask(a.0 & b.0)
    }

    #[inline]
    fn not(&self, a: LaneMask) -> LaneMask {
        LaneMask(!a.0)
    }
}
