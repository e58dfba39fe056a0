//! The curve equation y^2 = x^3 + a x + b over F_q, and the traces of Frobenius over extensions of F_q.

use std::borrow::Cow;

use num_bigint::{BigInt, BigUint};

use crate::{Error, Location};

/// The curve equation y^2 = x^3 + a x + b over F_q.
pub(crate) struct Equation<'a> {
    pub(crate) q: &'a BigUint,
    pub(crate) a: Cow<'a, BigUint>,
    pub(crate) b: Cow<'a, BigUint>,
    /// The equation as messages write it.
    pub(crate) text: &'static str,
}

impl Equation<'_> {
    /// Checks the range and the curve equation of an affine point. `at` gives the location of y (true) or of x (false).
    pub(crate) fn check(&self, x: &BigUint, y: &BigUint, at: impl Fn(bool) -> Location) -> Result<(), Error> {
        for (value, of_y) in [(x, false), (y, true)] {
            if value >= self.q {
                return Err(Error::GeneratorRange { at: at(of_y) });
            }
        }
        if (y * y) % self.q != ((x * x + &*self.a) * x + &*self.b) % self.q {
            return Err(Error::GeneratorOffCurve { at: at(true), curve: self.text });
        }
        Ok(())
    }

    /// Checks that a and b are below q and that 4 a^3 + 27 b^2 is not 0. `at` gives the location of b (true) or of
    /// a (false).
    pub(crate) fn check_coefficients(&self, at: impl Fn(bool) -> Location) -> Result<(), Error> {
        for (value, of_b) in [(&*self.a, false), (&*self.b, true)] {
            if value >= self.q {
                return Err(Error::CoefficientRange { at: at(of_b) });
            }
        }
        let discriminant = self.a.pow(3) * 4u8 + self.b.pow(2) * 27u8;
        if discriminant % self.q == BigUint::ZERO {
            return Err(Error::SingularCurve { at: at(true) });
        }
        Ok(())
    }
}

/// Computes t_n, the trace of the q^n-power Frobenius, for a curve with trace t over F_q: #E(F_{q^n}) = q^n + 1 - t_n.
/// t_0 = 2, t_1 = t, t_(n+1) = t t_n - q t_(n-1).
pub(crate) fn trace(q: &BigUint, t: &BigInt, n: u32) -> BigInt {
    let q = BigInt::from(q.clone());
    let (mut before, mut now) = (BigInt::from(2u8), t.clone());
    for _ in 1..n {
        let next = t * &now - &q * &before;
        before = std::mem::replace(&mut now, next);
    }
    now
}
