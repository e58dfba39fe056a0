//! Quadratic equations over F_2^m, m odd, and where searches for their solutions begin: what η_T and genus 2 share.
//!
//! y² + y = c has a solution where the trace of c is 0: the half-trace of c, and that plus 1. Variable time.

use crate::search::powers_and_all;
use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, Prime, at, plus};
use num_bigint::BigUint;
use num_traits::One;

type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// Up to which degree all elements of a field follow.
const SMALL: usize = 16;

/// y with y² + y = c, of the two the one whose lowest bit is this, and where there is one.
pub(crate) fn solve<const N: usize>(f: &Binary<N>, c: &Elem<N>, odd: bool) -> Option<Elem<N>> {
    at! {f; h = half_trace(c); check = sqr_sum(&h, &[plus(&h)]); other = add(&h, &f.one());}
    let y = if f.lane(f.is_odd(&h), 0) == odd { h } else { other };
    f.lane(f.equal(&check, c), 0).then_some(y)
}

/// The powers of x^(m − 1) + x. Polynomials of low degree would not do for a search: modulo a trinomial the trace of most x^i
/// is 0. In small fields all elements follow, which those powers may leave out.
pub(crate) fn candidates<const N: usize>(f: &Binary<N>) -> impl Iterator<Item = Elem<N>> + '_ {
    let base = f.constant(&((BigUint::one() << (f.degree() - 1)) | BigUint::from(2u32)));
    powers_and_all(f, base, 1 << f.degree().min(SMALL))
}
