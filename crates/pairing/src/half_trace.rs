//! Quadratic equations over F_2^m, m odd, and the candidates with which searches for solutions begin. Shared by η_T
//! and genus 2.
//!
//! y² + y = c has solutions if the trace of c is 0: the half-trace of c, and the half-trace plus 1. Variable time.

use crate::search::powers_and_all;
use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, Prime, at, plus};
use num_bigint::BigUint;
use num_traits::One;

type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// The largest degree for which all elements of the field follow the powers.
const SMALL: usize = 16;

/// Solves y² + y = c. Returns the solution whose lowest bit is 1 if `odd` is true and 0 otherwise, or `None` if there
/// is no solution.
pub(crate) fn solve<const N: usize>(f: &Binary<N>, c: &Elem<N>, odd: bool) -> Option<Elem<N>> {
    at! {f; h = half_trace(c); check = sqr_sum(&h, &[plus(&h)]); other = add(&h, &f.one());}
    let y = if f.lane(f.is_odd(&h), 0) == odd { h } else { other };
    f.lane(f.equal(&check, c), 0).then_some(y)
}

/// Iterates over the powers of x^(m − 1) + x. Polynomials of low degree are unsuitable for a search: modulo a
/// trinomial most x^i have trace 0. In small fields all elements follow, because the powers may miss some of them.
pub(crate) fn candidates<const N: usize>(f: &Binary<N>) -> impl Iterator<Item = Elem<N>> + '_ {
    let base = f.constant(&((BigUint::one() << (f.degree() - 1)) | BigUint::from(2u32)));
    powers_and_all(f, base, 1 << f.degree().min(SMALL))
}
