//! Points from x-coordinates and from elements of the field: half-traces, and a map to the curve.
//!
//! The map is Shallue and van de Woestijne's for characteristic 2 (ANTS-VII, 2006) on this curve. With
//! h(x) = x³ + x + b the trace of h(x) + h(x + z²) is that of x·(z⁴ + z) + z⁶ + z², since a and a² have the same trace. For
//! x = (u² + u + b)/(z⁴ + z) and a z for which h(z²) has trace 1, this trace is 1, so exactly one of x and x + z² belongs
//! to a point. Of its two y, the map takes the one whose lowest bit is that of u, which tells u from u + 1. x + z²
//! comes from other u, so each point that is reached is reached from two u.

use super::Eta;
use super::group::Group;
use crate::complete_group::CompleteGroup;
use crate::curve::Affine;
use crate::half_trace::{candidates, solve};
use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, Prime, at, plus};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// Returns z² and 1/(z⁴ + z) for the first candidate z for which h(z²) has trace 1 and z⁴ + z is not 0.
pub(super) fn constants<const N: usize>(group: &Group<Binary<N>>) -> [Elem<N>; 2] {
    let f = group.field();
    let of = |z: Elem<N>| {
        at! {f; zz = sqr(&z); z4 = sqr(&zz); d = add(&z4, &z); inverse = inv(&d);}
        let suits = solve(f, &group.rhs(&zz), false).is_none() && !f.lane(f.is_zero(&d), 0);
        suits.then_some([zz, inverse])
    };
    candidates(f).find_map(of).unwrap_or_else(|| unreachable!("half of all elements have trace 1"))
}

impl<const N: usize> Eta<N> {
    /// Returns the point over x whose y has this lowest bit, or `None` if there is none. Variable time.
    pub(super) fn point_over(&self, x: &Elem<N>, odd: bool) -> Option<Affine<Binary<N>>> {
        let y = solve(self.field(), &self.group.rhs(x), odd)?;
        Some(Affine { x: x.clone(), y, infinity: self.field().mask(false) })
    }

    /// Iterates over points whose x is a power of x^(m − 1) + x and whose y has the lowest bit 0. The search for a
    /// generator begins with them.
    pub(super) fn points_over(&self) -> impl Iterator<Item = Affine<Binary<N>>> + '_ {
        candidates(self.field()).filter_map(|x| self.point_over(&x, false))
    }

    /// Maps u to a point. Variable time.
    pub(super) fn mapped(&self, u: &Elem<N>) -> Affine<Binary<N>> {
        let (f, [zz, inverse]) = (self.field(), &self.map);
        at! {f; c = sqr_sum(u, &[plus(u)]);}
        let b = if self.b { f.one() } else { f.zero() };
        at! {f; numerator = add(&c, &b); x = mul(&numerator, inverse); other = add(&x, zz);}
        let odd = f.lane(f.is_odd(u), 0);
        let point = self.point_over(&x, odd).or_else(|| self.point_over(&other, odd));
        point.unwrap_or_else(|| unreachable!("one of the two belongs to a point"))
    }
}
