//! The Weil pairing of points of y^2 = x^3 + a x + b over F_q, used only to tell subgroups of one prime order apart
//! (Miller, "The Weil pairing, and its efficient calculation", J. Cryptology 17, 2004).
//!
//! It works in affine coordinates with an inversion in F_q for each line, since it runs once for a description. The
//! pairings of `bilinear-pairing` take curves that this crate has checked, so the checks have arithmetic of their
//! own, as in `points.rs`.

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The affine coordinates (x, y) of a point.
pub(crate) type Affine = (BigUint, BigUint);

/// The curve y^2 = x^3 + a x + b over F_q, given by q and a.
pub(crate) struct Weil<'a> {
    pub(crate) q: &'a BigUint,
    pub(crate) a: &'a BigUint,
}

impl Weil<'_> {
    /// Returns true if two points of an odd prime order r generate the same subgroup. They do if
    /// w(P, Q) = -f_P(Q) / f_Q(P) is 1, where f_P has the divisor r (P) - r (O) and the leading coefficient 1.
    pub(crate) fn is_one(&self, r: &BigUint, p: &Affine, q: &Affine) -> bool {
        match (self.function(r, p, q), self.function(r, q, p)) {
            (Some(f), Some(g)) => ((f + g) % self.q).is_zero(),
            // a line through multiples of one point contains no point of another subgroup
            _ => true,
        }
    }

    /// Computes f_P(Q), or `None` if a line is 0 at Q.
    fn function(&self, r: &BigUint, p: &Affine, q: &Affine) -> Option<BigUint> {
        let (mut f, mut t) = (BigUint::one(), Some(p.clone()));
        for i in (0..r.bits() - 1).rev() {
            // f = f_m^2, and f_2m after the line; t = 2mP
            f = &f * &f % self.q;
            f = f * self.step(&mut t, None, q)? % self.q;
            if r.bit(i) {
                // f_(2m + 1); t = (2m + 1)P
                f = f * self.step(&mut t, Some(p), q)? % self.q;
            }
        }
        Some(f)
    }

    /// Evaluates at Q the line through T and P divided by the vertical line through T + P, and replaces T by T + P.
    /// Without P, the line is the tangent at T, and T is doubled.
    fn step(&self, t: &mut Option<Affine>, p: Option<&Affine>, (x, y): &Affine) -> Option<BigUint> {
        let minus = |u: &BigUint, v: &BigUint| (u + (self.q - v)) % self.q;
        let (tx, ty) = t.take()?;
        let slope = match p {
            None => (&tx * &tx * 3u8 + self.a) * (&ty * 2u8).modinv(self.q)?,
            // T = -P: the line is vertical, and there is no other one to divide by
            Some((px, _)) if *px == tx => return Some(minus(x, &tx)).filter(|line| !line.is_zero()),
            Some((px, py)) => minus(py, &ty) * minus(px, &tx).modinv(self.q)?,
        } % self.q;
        let third = minus(&(&slope * &slope % self.q), &((&tx + p.map_or(&tx, |(px, _)| px)) % self.q));
        let line = minus(&minus(y, &ty), &(&slope * minus(x, &tx) % self.q));
        let vertical = minus(x, &third).modinv(self.q)?;
        let height = minus(&(&slope * minus(&tx, &third) % self.q), &ty);
        *t = Some((third, height));
        (!line.is_zero()).then(|| line * vertical % self.q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All points of order 3 of y^2 = x^3 + 3x + 12 over F_19: two points lie in one subgroup iff they are P and P,
    /// or P and -P.
    #[test]
    fn subgroups_of_one_order_are_told_apart() {
        let (q, a, r) = (BigUint::from(19u8), BigUint::from(3u8), BigUint::from(3u8));
        let weil = Weil { q: &q, a: &a };
        let is_on = |x: u32, y: u32| (y * y + 19 * 19 * 19 - x * x * x - 3 * x - 12).is_multiple_of(19);
        let points = (0..19u32).flat_map(|x| (1..19u32).map(move |y| (x, y))).filter(|(x, y)| is_on(*x, *y));
        // x is a root of the third division polynomial 3x^4 + 6ax^2 + 12bx - a^2
        let of_order_3 = points.filter(|(x, _)| (3 * x.pow(4) + 18 * x * x + 144 * x + 19 - 9).is_multiple_of(19));
        let points: Vec<(u32, u32)> = of_order_3.collect();
        assert_eq!(points.len(), 8);
        let affine = |(x, y): (u32, u32)| (BigUint::from(x), BigUint::from(y));
        for p in &points {
            for s in &points {
                assert_eq!(weil.is_one(&r, &affine(*p), &affine(*s)), p.0 == s.0, "{p:?} {s:?}");
            }
        }
    }
}
