//! The prime-order subgroups of a group of composite order n, given the factors of n. Only types A and A1 are served:
//! on curves where G1 and G2 differ, the order is prime.

use crate::backend::{FactorsError, Group};
use crate::point::Point;
use crate::system::System;
use bilinear_field::CollectVec;
use bilinear_params::generate::MIN_FACTOR_BITS;
use bilinear_params::{Curve, Factors, Family, Supersingular, SupersingularKind};
use num_traits::Zero;
use zeroize::Zeroizing;

/// The bound of trial division: an order whose factors are not proven is divided by the odd numbers below this bound.
const DIVISORS: u32 = 1 << 16;

/// Returns true if a prime factor with this number of bits is too small.
fn is_small(bits: u64) -> bool {
    bits < MIN_FACTOR_BITS as u64
}

/// The parameters of a curve of type A1; `None` for other curves.
fn composite(curve: &Curve) -> Option<&Supersingular> {
    match curve.family() {
        Family::Supersingular(s) if s.kind() == SupersingularKind::A1 => Some(s),
        _ => None,
    }
}

/// Returns true if the order of a curve of type A1, D, E or G is found to have a small prime factor. On type A1 the sizes
/// of the factors tell, and trial division: the sizes may be false unless the factors are published and thus proven.
pub(crate) fn has_small_factor(curve: &Curve) -> bool {
    match curve.family() {
        Family::QuadraticTwist(_) | Family::DegreeOne(_) => is_small(curve.family().order().bits()),
        _ => composite(curve).is_some_and(|s| {
            let sizes = s.prime_bits().unwrap_or_default();
            sizes.iter().copied().any(is_small)
                || (!curve.is_test_only() && (3..DIVISORS).step_by(2).any(|d| (s.order() % d).is_zero()))
        }),
    }
}

impl System {
    /// Returns the same system, with the prime factors of the group's order known.
    ///
    /// # Errors
    /// Returns an error if the factors belong to another curve, if one is small, if the curve's generator lies in a
    /// proper subgroup, or if the curve has two groups of prime order.
    pub fn with_factors(&self, factors: &Factors) -> Result<System, FactorsError> {
        if !self.is_symmetric() {
            return Err(FactorsError::PrimeOrder { curve: self.name() });
        }
        if !factors.belong_to(self.curve()) {
            return Err(FactorsError::Mismatch { curve: self.name() });
        }
        let small = factors.prime_bits().into_iter().position(is_small);
        if let Some(index) = small.filter(|_| composite(self.curve()).is_some()) {
            return Err(FactorsError::Small { curve: self.name(), index });
        }
        let system = self.knowing(factors.clone());
        match system.subgroup_generators()?.iter().position(Point::is_infinity) {
            Some(index) => Err(FactorsError::Generator { curve: self.name(), index }),
            None => Ok(system),
        }
    }

    /// The prime factors of the order.
    ///
    /// # Errors
    /// Returns an error if this system does not know the factors, or if the curve has two groups of prime order.
    pub fn factors(&self) -> Result<&Factors, FactorsError> {
        if !self.is_symmetric() {
            return Err(FactorsError::PrimeOrder { curve: self.name() });
        }
        self.known_factors().ok_or_else(|| FactorsError::Unknown { curve: self.name() })
    }

    /// Computes a generator of each prime-order subgroup: (n/p_i)·G. Constant time in the factors except for their
    /// sizes.
    ///
    /// # Errors
    /// Returns an error as [`System::factors`] does.
    pub fn subgroup_generators(&self) -> Result<Vec<Point>, FactorsError> {
        let (factors, generator) = (self.factors()?, self.generator(Group::G1));
        let of = |index| self.secret_multiple(index, factors.cofactor(index), &generator);
        (0..factors.primes().len()).map(of).collect()
    }

    /// Computes the component of P in the i-th prime-order subgroup, e_i·P for the idempotent e_i: P is the sum of
    /// its components. Constant time in the factors except for their sizes.
    ///
    /// # Errors
    /// Returns an error as [`System::factors`] does, or if there is no i-th subgroup.
    pub fn project(&self, index: usize, p: &Point) -> Result<Point, FactorsError> {
        self.secret_multiple(index, self.factors()?.idempotent(index), p)
    }

    /// Computes the components of points in the i-th prime-order subgroup, in lanes where there are enough points.
    pub(crate) fn projections(&self, index: usize, points: &[Point]) -> Result<Vec<Point>, FactorsError> {
        let e = self.secret(index, self.factors()?.idempotent(index))?;
        let terms: Vec<(&[u8], &Point)> = points.iter().map(|p| (&e[..], p)).collect_vec();
        Ok(self.multiples(Group::G1, &terms))
    }

    /// Returns true if P is in the i-th prime-order subgroup. Constant time in the factors except for their sizes.
    ///
    /// # Errors
    /// Returns an error as [`System::factors`] does, or if there is no i-th subgroup.
    pub fn in_subgroup(&self, index: usize, p: &Point) -> Result<bool, FactorsError> {
        Ok(self.secret_multiple(index, self.factors()?.prime(index), p)?.is_infinity())
    }

    /// Computes kP for a k derived from the i-th factor, or returns an error if there is no i-th factor.
    fn secret_multiple(&self, index: usize, k: Option<Zeroizing<Vec<u8>>>, p: &Point) -> Result<Point, FactorsError> {
        Ok(self.mul_secret(&self.secret(index, k)?, p))
    }

    /// Returns the value derived from the i-th factor, or an error if there is no i-th factor.
    fn secret(&self, index: usize, k: Option<Zeroizing<Vec<u8>>>) -> Result<Zeroizing<Vec<u8>>, FactorsError> {
        let count = self.factors()?.primes().len();
        k.ok_or_else(|| FactorsError::Index { curve: self.name(), index, count })
    }

    fn name(&self) -> String {
        self.curve().name().to_owned()
    }
}
