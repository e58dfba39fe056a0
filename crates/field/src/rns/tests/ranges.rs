//! Fuzz tests of the range rules of `rns` against its arithmetic.
#![allow(clippy::unwrap_used)]

use super::bases::Bases;
use super::residues::Residues;
use super::rules::RnsRules;
use super::tests::{integer, residues};
use super::{Rns, bits};
use crate::bounds::Rules;
use crate::dispatch::Margin;
use crate::ranges::{Raw, fuzz};
use num_bigint::{BigInt, BigUint};
use std::sync::Arc;

impl<const W: usize> Rns<W> {
    fn own_rules(&self) -> RnsRules {
        RnsRules::new(&self.0.bases, self.0.lazy_sums)
    }
}

impl<const W: usize> Raw for Rns<W> {
    const LANES: usize = 1;
    const SIGNED: bool = true;

    fn kernel_modulus(&self) -> BigUint {
        self.0.modulus.clone()
    }

    fn radix(&self) -> BigUint {
        self.0.bases.product.clone()
    }

    /// Unreduced values are in units of p².
    fn wide_unit(&self) -> BigUint {
        (&self.0.modulus * &self.0.modulus) << 40u32
    }

    fn rules(&self) -> Arc<dyn Rules> {
        Arc::new(self.own_rules())
    }

    fn most(&self) -> i64 {
        self.own_rules().alpha
    }

    fn top(&self, high: i64) -> BigUint {
        &self.0.modulus * high as u64
    }

    fn place(&self, lanes: &[&BigInt]) -> Residues<W> {
        residues(&self.0.bases, lanes[0])
    }

    fn numbers(&self, x: &Residues<W>) -> Vec<BigInt> {
        vec![integer(&self.0.bases, x)]
    }

    fn wides(&self, x: &Residues<W>) -> Vec<BigInt> {
        self.numbers(x)
    }
}

/// Tests moduli of all lengths that fit into `places` of the residues, with α from 2^4 on, both with reduced and with
/// lazy sums.
fn keeps<const W: usize>(places: usize, turns: usize) {
    fuzz(0xb111_0e00 + places as u64, turns, 4, |turn, rng| {
        let margin = Margin { spare: 4 + rng.below(60), lazy_sums: turn % 2 == 0, ..Margin::default() };
        let length = 2 + rng.below(bits(places, margin.spare) - 1);
        let p = rng.modulus(length, 32);
        Some(Rns::<W>::new(&p, margin).unwrap())
    });
}

#[test]
fn results_keep_the_ranges_of_the_rules() {
    keeps::<72>(32, 96);
    keeps::<72>(72, 16);
    keeps::<264>(136, 6);
    keeps::<264>(264, 1);
}

/// α alone decides, whatever the signs of a form.
#[test]
fn what_exceeds_alpha_is_refused() {
    use crate::bounds::Range;
    use crate::term::{minus, plus, times};
    let p = (BigUint::from(1u32) << 1037u32) - 3u32;
    let bases = Bases::new(&p, 6);
    assert_eq!(bases.n, 33);
    let rules = RnsRules::new(&bases, false);
    let alpha = rules.alpha;
    assert_eq!(BigUint::from(alpha as u64), bases.product.clone() / (&p * 4u32));
    let (most, more) = (Range::new(-alpha, alpha), Range::new(0, alpha + 1));
    assert!(rules.reduce(&[plus(&most)]).is_ok() && rules.reduce(&[minus(&most)]).is_ok());
    assert!(rules.reduce(&[plus(&more)]).is_err() && rules.reduce(&[minus(&more)]).is_err());
    assert!(rules.reduce(&[times(2, &most)]).unwrap_err().contains("at most α"));
    assert!(rules.product(more, most).is_err() && rules.product(most, more).is_err());
    assert!(rules.add(most, Range::new(0, 1), false).is_err() && rules.add(most, Range::new(0, 1), true).is_err());
    assert!(rules.sum(&[plus(&more)]).is_err());
    let product = rules.product(rules.closed(), rules.closed()).unwrap();
    assert_eq!(product, Range::new(-2, 4));
    assert!(rules.mul_sum(product, &[plus(&most)]).is_ok());
    assert!(rules.mul_sum(product, &[plus(&more)]).is_err());
    assert!(rules.three_forms(&[plus(&most)], Range::new(0, 1)).is_err());
}
