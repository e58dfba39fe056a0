//! The range rules of `mont` against its kernels.
#![allow(clippy::unwrap_used)]

use super::room::SPARE_BITS;
use super::{Isa, Mont, Residue, Slack, Sum, rules, to_words};
use crate::bounds::Rules;
use crate::ranges::{Raw, fuzz};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::sync::Arc;

/// Turns of a number of words: once every number of spare bits, which decide between tight and roomy, and some more.
const TURNS: u64 = 48;

/// Numbers of words.
const TYPES: u32 = 11;

impl<const N: usize> Mont<N> {
    fn spare(&self) -> u64 {
        64 * N as u64 - self.modulus.bits()
    }
}

/// Σ words_i·2^(64i).
fn number<'a>(words: impl Iterator<Item = &'a u64>) -> BigUint {
    BigUint::new(words.flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect())
}

impl<const N: usize> Raw for Mont<N> {
    const LANES: usize = 1;

    fn kernel_modulus(&self) -> BigUint {
        (*self.modulus).clone()
    }

    fn r_bits(&self) -> u64 {
        64 * N as u64
    }

    fn rules(&self) -> Arc<dyn Rules> {
        rules(self.modulus.bits(), N as u64)
    }

    fn most(&self) -> i64 {
        match self.slack {
            Slack::Tight(_) => 1,
            Slack::Roomy(_) => 1 << (self.spare() - 1).min(u64::from(SPARE_BITS - 1)),
        }
    }

    /// The end of a range is not in it.
    fn top(&self, high: i64) -> BigUint {
        (&*self.modulus * high as u64).max(BigUint::one()) - 1u32
    }

    fn place(&self, lanes: &[&BigUint]) -> Residue<N> {
        Residue(to_words(lanes[0]))
    }

    fn number(&self, x: &Residue<N>, _: usize) -> BigUint {
        number(x.0.iter())
    }

    fn wide(&self, x: &Sum<N>, _: usize) -> BigInt {
        let sum = BigInt::from(number(x.words.lo.iter().chain(&x.words.hi)));
        let negative = match self.slack {
            Slack::Tight(_) => x.top,
            // the sign is that of the words, if there may be one
            Slack::Roomy(_) => x.top & x.words.hi[N - 1] as i64 >> 63,
        };
        sum + (BigInt::from(negative) << (128 * N))
    }
}

fn keeps<const N: usize>() {
    let bits = 64 * N as u64;
    fuzz(0xb111_0f00 + bits, TURNS as usize, TYPES, |turn, rng| {
        // a modulus of one word cannot have as many spare bits
        let spare = (turn as u64 % TURNS).min(bits - 3);
        let p = rng.modulus(bits - spare, 64);
        let isa = if turn % 5 == 0 { Isa::Portable } else { Isa::detect() };
        Some(Mont::<N>::with_isa(&p, isa).unwrap())
    });
}

#[test]
fn kernels_keep_the_ranges_of_the_rules() {
    keeps::<1>();
    keeps::<2>();
    keeps::<4>();
    keeps::<5>();
    keeps::<6>();
    keeps::<8>();
    keeps::<10>();
    keeps::<12>();
    keeps::<17>();
    keeps::<33>();
    keeps::<65>();
}
