//! The prime-order subgroups of a group of composite order n, for those who know the factors of n. Types A and A1: where the
//! groups are two, their order is prime.

use crate::point::Point;
use crate::system::System;
use bilinear_backend::{FactorsError, Group};
use num_bigint::BigUint;

impl System {
    /// The same system, knowing the prime factors of the group's order.
    ///
    /// # Errors
    /// If their product is not the order, or the order is prime.
    pub fn with_factors(&self, factors: &[BigUint]) -> Result<System, FactorsError> {
        if !self.is_symmetric() {
            return Err(FactorsError::PrimeOrder { curve: self.name() });
        }
        if factors.iter().product::<BigUint>() != *self.order() {
            return Err(FactorsError::Mismatch { curve: self.name() });
        }
        Ok(self.knowing(factors.to_vec()))
    }

    /// The prime factors of the order.
    ///
    /// # Errors
    /// If they are not known here, or the curve has two groups of prime order.
    pub fn factors(&self) -> Result<&[BigUint], FactorsError> {
        if !self.is_symmetric() {
            return Err(FactorsError::PrimeOrder { curve: self.name() });
        }
        self.known_factors().ok_or_else(|| FactorsError::Unknown { curve: self.name() })
    }

    /// A generator of each prime-order subgroup: (n/p_i)·G.
    ///
    /// # Errors
    /// As [`System::factors`].
    pub fn subgroup_generators(&self) -> Result<Vec<Point>, FactorsError> {
        let (factors, order, generator) = (self.factors()?, self.order(), self.generator(Group::G1));
        Ok(factors.iter().map(|p| self.mul(&(order / p), &generator)).collect())
    }

    /// The component of P in the i-th prime-order subgroup: P is the sum of its components.
    ///
    /// # Errors
    /// As [`System::factors`]; if there is no i-th one.
    pub fn project(&self, index: usize, p: &Point) -> Result<Point, FactorsError> {
        let prime = self.factor(index)?;
        let rest = self.order() / prime;
        // the idempotent: 1 modulo the prime, 0 modulo the others
        let inverse = rest.modpow(&(prime - 2u32), prime);
        Ok(self.mul(&(rest * inverse), p))
    }

    /// Whether P is in the i-th prime-order subgroup.
    ///
    /// # Errors
    /// As [`System::factors`]; if there is no i-th one.
    pub fn in_subgroup(&self, index: usize, p: &Point) -> Result<bool, FactorsError> {
        Ok(self.mul(self.factor(index)?, p).is_infinity())
    }

    fn factor(&self, index: usize) -> Result<&BigUint, FactorsError> {
        let factors = self.factors()?;
        factors.get(index).ok_or_else(|| FactorsError::Index { curve: self.name(), index, count: factors.len() })
    }

    fn name(&self) -> String {
        self.curve().name().to_owned()
    }
}
