//! The prime-order subgroups of a group of composite order n, given the factors of n. For types A and A1 only: where G1 and G2
//! differ, their order is prime.

use crate::backend::{FactorsError, Group};
use crate::point::Point;
use crate::system::System;
use bilinear_field::CollectVec;
use bilinear_params::generate::LEAST_FACTOR_BITS;
use bilinear_params::{Curve, Factors, Family, Supersingular, SupersingularKind};
use num_traits::Zero;
use zeroize::Zeroizing;

/// Odd numbers below this divide an order whose factors are not known, if one of them is so small.
const DIVISORS: u32 = 1 << 16;

/// Whether a prime factor of so many bits is too small.
fn is_small(bits: u64) -> bool {
    bits < LEAST_FACTOR_BITS as u64
}

/// The parameters of type A1.
fn composite(curve: &Curve) -> Option<&Supersingular> {
    match curve.family() {
        Family::Supersingular(s) if s.kind() == SupersingularKind::A1 => Some(s),
        _ => None,
    }
}

/// Whether the order of a curve of type A1 is seen to have a small prime factor: by their sizes, where these are known.
pub(crate) fn has_small_factor(curve: &Curve) -> bool {
    composite(curve).is_some_and(|s| match s.prime_bits() {
        Some(sizes) => sizes.iter().copied().any(is_small),
        None => (3..DIVISORS).step_by(2).any(|d| (s.order() % d).is_zero()),
    })
}

impl System {
    /// The same system, knowing the prime factors of the group's order.
    ///
    /// # Errors
    /// If they are those of another curve, one is small, the curve's generator is one of a subgroup, or the curve has two groups of prime order.
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
    /// If they are not known here, or the curve has two groups of prime order.
    pub fn factors(&self) -> Result<&Factors, FactorsError> {
        if !self.is_symmetric() {
            return Err(FactorsError::PrimeOrder { curve: self.name() });
        }
        self.known_factors().ok_or_else(|| FactorsError::Unknown { curve: self.name() })
    }

    /// A generator of each prime-order subgroup: (n/p_i)·G. Constant time in the factors but for their sizes.
    ///
    /// # Errors
    /// As [`System::factors`].
    pub fn subgroup_generators(&self) -> Result<Vec<Point>, FactorsError> {
        let (factors, generator) = (self.factors()?, self.generator(Group::G1));
        let of = |index| self.secret_multiple(index, factors.cofactor(index), &generator);
        (0..factors.primes().len()).map(of).collect()
    }

    /// The component of P in the i-th prime-order subgroup, e_i·P for the idempotent e_i: P is the sum of its components. Constant
    /// time in the factors but for their sizes.
    ///
    /// # Errors
    /// As [`System::factors`]; if there is no i-th one.
    pub fn project(&self, index: usize, p: &Point) -> Result<Point, FactorsError> {
        self.secret_multiple(index, self.factors()?.idempotent(index), p)
    }

    /// The components of points in the i-th prime-order subgroup, in lanes where there are enough.
    pub(crate) fn projections(&self, index: usize, points: &[Point]) -> Result<Vec<Point>, FactorsError> {
        let e = self.secret(index, self.factors()?.idempotent(index))?;
        let terms: Vec<(&[u8], &Point)> = points.iter().map(|p| (&e[..], p)).collect_vec();
        Ok(self.multiples(Group::G1, &terms))
    }

    /// Whether P is in the i-th prime-order subgroup. Constant time in the factors but for their sizes.
    ///
    /// # Errors
    /// As [`System::factors`]; if there is no i-th one.
    pub fn in_subgroup(&self, index: usize, p: &Point) -> Result<bool, FactorsError> {
        Ok(self.secret_multiple(index, self.factors()?.prime(index), p)?.is_infinity())
    }

    /// kP, where there is an i-th factor to make k of.
    fn secret_multiple(&self, index: usize, k: Option<Zeroizing<Vec<u8>>>, p: &Point) -> Result<Point, FactorsError> {
        Ok(self.mul_secret(&self.secret(index, k)?, p))
    }

    /// What was made of the i-th factor, where there is one.
    fn secret(&self, index: usize, k: Option<Zeroizing<Vec<u8>>>) -> Result<Zeroizing<Vec<u8>>, FactorsError> {
        let count = self.factors()?.primes().len();
        k.ok_or_else(|| FactorsError::Index { curve: self.name(), index, count })
    }

    fn name(&self) -> String {
        self.curve().name().to_owned()
    }
}
