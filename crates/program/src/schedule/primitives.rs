//! The recorder with nothing but products, forms and reductions in F_p: fused operations become what the contract
//! defines them as, by the contract's own defaults. A product in F_p(i) takes 3 products and a square takes 2
//! (Karatsuba), with sums and differences around them. Lazy reduction is kept, since forms of unreduced values are.

use crate::recorder::{Elem, Mask, Recorder, Wide};
use bilinear_field::{Field, Prime, Term, times};
use num_bigint::BigUint;

/// A recorder of primitive operations.
#[derive(Clone)]
pub(super) struct Primitives(pub(super) Recorder);

impl Field for Primitives {
    type Elem = Elem;
    type Wide = Wide;
    type Mask = Mask;

    fn zero(&self) -> Elem {
        self.0.zero()
    }

    fn one(&self) -> Elem {
        self.0.one()
    }

    fn mul_wide(&self, out: &mut Wide, a: &Elem, b: &Elem) {
        self.0.mul_wide(out, a, b);
    }

    fn sqr_wide(&self, out: &mut Wide, a: &Elem) {
        self.0.sqr_wide(out, a);
    }

    fn lin(&self, out: &mut Wide, terms: &[Term<'_, Wide>]) {
        self.0.lin(out, terms);
    }

    fn reduce(&self, out: &mut Elem, terms: &[Term<'_, Wide>]) {
        self.0.reduce(out, terms);
    }

    fn add(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        self.0.add(out, a, b);
    }

    fn sub(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        self.0.sub(out, a, b);
    }

    fn sum(&self, out: &mut Elem, terms: &[Term<'_, Elem>]) {
        self.0.sum(out, terms);
    }

    /// Records one form instead of three sums.
    fn three_and_two(&self, out: &mut Elem, p: &Elem, x: &Elem, subtract: bool) {
        self.sum(out, &[times(3, p), times(if subtract { -2 } else { 2 }, x)]);
    }

    fn inv(&self, out: &mut Elem, a: &Elem) {
        self.0.inv(out, a);
    }

    fn select(&self, out: &mut Elem, mask: Mask, a: &Elem, b: &Elem) {
        self.0.select(out, mask, a, b);
    }

    fn is_zero(&self, a: &Elem) -> Mask {
        self.0.is_zero(a)
    }

    fn mask(&self, value: bool) -> Mask {
        self.0.mask(value)
    }

    fn mask_from(&self, values: &[bool]) -> Mask {
        self.0.mask_from(values)
    }

    fn and(&self, a: Mask, b: Mask) -> Mask {
        self.0.and(a, b)
    }

    fn not(&self, a: Mask) -> Mask {
        self.0.not(a)
    }
}

impl Prime for Primitives {
    type Uniform = Elem;

    fn modulus(&self) -> &BigUint {
        self.0.modulus()
    }

    fn constant(&self, x: &BigUint) -> Elem {
        self.0.constant(x)
    }

    fn is_odd(&self, a: &Elem) -> Mask {
        self.0.is_odd(a)
    }

    fn uniform(&self, a: &Elem) -> Elem {
        self.0.uniform(a)
    }

    fn broadcast(&self, out: &mut Elem, a: &Elem) {
        self.0.broadcast(out, a);
    }
}
