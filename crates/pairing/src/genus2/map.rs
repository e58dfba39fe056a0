//! Divisors from shorter descriptions: half-traces, and a map to the curve.
//!
//! For (u, v) with u = X² + u1·X + u0, the remainder of f modulo u has the coefficients v1²·u1 + v1 of X and
//! v1²·u0 + v0² + v0 of 1. So z = u1·v1 satisfies z² + z = u1·f1, and v0 another such equation: u and the lowest bits of z and
//! v0 determine v. If u has no root, one of the two z leads to a v0; if u has two roots, both do.
//!
//! The map is Shallue and van de Woestijne's for characteristic 2 (ANTS-VII, 2006) on this curve. With
//! h(x) = x⁵ + x³ + d the trace of h(x) + h(x + z⁴) is that of x·(z + z² + z⁸ + z^16) + z^20 + z^12, since a and a² have the same
//! trace. For x = (t² + t + d)/(z + z² + z⁸ + z^16) and a z for which h(z⁴) has trace 1, this trace is 1, so exactly
//! one of x and x + z⁴ belongs to a point. Of its two y, the map takes the one whose lowest bit is that of t.

use super::Genus2;
use super::divisor::{Divisor, Jacobian};
use crate::half_trace::{candidates, solve};
use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, Prime, at, plus};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// Returns z⁴ and 1/(z + z² + z⁸ + z^16) for the first candidate z for which h(z⁴) has trace 1 and the sum is not 0.
pub(super) fn constants<const N: usize>(jacobian: &Jacobian<N>) -> [Elem<N>; 2] {
    let f = jacobian.field();
    let of = |z: Elem<N>| {
        at! {f;
            z2 = sqr(&z);
            z4 = sqr(&z2);
            z8 = sqr(&z4);
            z16 = sqr(&z8);
            sum = sum(&[plus(&z), plus(&z2), plus(&z8), plus(&z16)]);
            inverse = inv(&sum);
        }
        let suits = solve(f, &jacobian.rhs(&z4), false).is_none() && !f.lane(f.is_zero(&sum), 0);
        suits.then_some([z4, inverse])
    };
    candidates(f).find_map(of).unwrap_or_else(|| unreachable!("half of all elements have trace 1"))
}

/// Iterates over the divisors of points over the candidates, with the y whose lowest bit is 0.
pub(super) fn degenerate<const N: usize>(jacobian: &Jacobian<N>) -> impl Iterator<Item = Divisor<Binary<N>>> + '_ {
    candidates(jacobian.field()).filter_map(|x| jacobian.point(&x, false))
}

impl<const N: usize> Jacobian<N> {
    /// Returns the divisor of the point over x whose y has this lowest bit, or `None` if there is none. Variable
    /// time.
    pub fn point(&self, x: &Elem<N>, odd: bool) -> Option<Divisor<Binary<N>>> {
        let y = solve(self.field(), &self.rhs(x), odd)?;
        Some(Divisor::Degenerate { x: x.clone(), y })
    }

    /// Returns the divisor with u = X² + u1·X + u0 for which u1·v1 and v0 have these lowest bits, or `None` if there
    /// is none. Variable time.
    pub fn divisor(&self, u1: &Elem<N>, u0: &Elem<N>, [of_z, of_v0]: [bool; 2]) -> Option<Divisor<Binary<N>>> {
        let f = self.field();
        let [high, low] = self.remainder(u1, u0);
        let v1 = if f.lane(f.is_zero(u1), 0) {
            // z = 0
            if of_z {
                return None;
            }
            high
        } else {
            at! {f; c = mul(u1, &high);}
            let z = solve(f, &c, of_z)?;
            at! {f; inverse = inv(u1); v1 = mul(&z, &inverse);}
            v1
        };
        at! {f; square = sqr(&v1); c = mul_sum(&square, u0, &[plus(&low)]);}
        let v0 = solve(f, &c, of_v0)?;
        Some(Divisor::General { u1: u1.clone(), u0: u0.clone(), v1, v0 })
    }

    /// Returns the lowest bits of u1·v1 and v0.
    pub fn bits(&self, [u1, v1, v0]: [&Elem<N>; 3]) -> [bool; 2] {
        let f = self.field();
        at! {f; z = mul(u1, v1);}
        [f.lane(f.is_odd(&z), 0), f.lane(f.is_odd(v0), 0)]
    }
}

impl<const N: usize> Genus2<N> {
    /// Maps t to the divisor of a point. Variable time.
    pub fn map(&self, t: &Elem<N>) -> Divisor<Binary<N>> {
        let (f, jacobian, [z4, inverse]) = (self.field(), self.jacobian(), &self.map);
        at! {f; c = sqr_sum(t, &[plus(t)]);}
        let numerator = if jacobian.d() { jacobian.plus_one(&c) } else { c };
        at! {f; x = mul(&numerator, inverse); other = add(&x, z4);}
        let odd = f.lane(f.is_odd(t), 0);
        let point = jacobian.point(&x, odd).or_else(|| jacobian.point(&other, odd));
        point.unwrap_or_else(|| unreachable!("one of the two belongs to a point"))
    }
}
