//! Tests of the range rules of `mont` against its kernels.
#![allow(clippy::unwrap_used)]

use super::ring::{Ring, Slack};
use super::roomy::SPARE_BITS;
use super::{Isa, Mont, Residue, Sum, kernels, rules_on};
use crate::bounds::Rules;
use crate::ranges::{Raw, fuzz};
use crate::words::to_words;
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::sync::Arc;
#[cfg(target_arch = "x86_64")]
use std::{collections::BTreeSet, path::Path};

/// The numbers of spare bits below this one are tested: those that decide between tight and roomy, and more.
const SPARES: u64 = 48;

impl<const N: usize> Mont<N> {
    fn spare(&self) -> u64 {
        64 * self.words() as u64 - self.kernel_modulus().bits()
    }
}

/// Σ words_i·2^(64i).
fn number<'a>(words: impl Iterator<Item = &'a u64>) -> BigUint {
    BigUint::new(words.flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect())
}

impl<const N: usize> Raw for Mont<N> {
    const LANES: usize = 1;

    fn kernel_modulus(&self) -> BigUint {
        number(self.0.m.p().iter())
    }

    fn radix(&self) -> BigUint {
        BigUint::one() << (64 * self.words())
    }

    fn rules(&self) -> Arc<dyn Rules> {
        rules_on(self.0.isa(), self.0.modulus().bits(), self.words() as u64)
    }

    fn most(&self) -> i64 {
        match self.0.slack {
            Slack::Tight(_) => 1,
            Slack::Roomy(_) => 1 << (self.spare() - 1).min(u64::from(SPARE_BITS - 1)),
        }
    }

    /// The upper end of a range is exclusive.
    fn top(&self, high: i64) -> BigUint {
        (self.kernel_modulus() * high as u64).max(BigUint::one()) - 1u32
    }

    fn place(&self, lanes: &[&BigInt]) -> Residue<N> {
        let mut x = Residue([0; N]);
        self.write(&mut x).copy_from_slice(&to_words(lanes[0].magnitude(), self.words()));
        x
    }

    fn numbers(&self, x: &Residue<N>) -> Vec<BigInt> {
        vec![number(self.read(x).iter()).into()]
    }

    fn wides(&self, x: &Sum<N>) -> Vec<BigInt> {
        let wide = 2 * self.words();
        let words: Vec<u64> = x.words.as_flattened().iter().copied().chain([x.last]).collect();
        let top = words[wide] as i64;
        let negative = match self.0.slack {
            Slack::Tight(_) => top,
            // the sign is that of the words, if they may be negative
            Slack::Roomy(_) => top & words[wide - 1] as i64 >> 63,
        };
        vec![BigInt::from(number(words[..wide].iter())) + (BigInt::from(negative) << (64 * wide))]
    }
}

/// Examines numbers of spare bits, with assembly and without, on n words: every number on few words, every fourth on
/// more, from n on. Returns whether there was time for all.
fn keeps<const N: usize>(n: usize) -> bool {
    let bits = 64 * n as u64;
    let (turns, step) = if n <= 8 { (2 * SPARES as usize, 1) } else { (SPARES as usize / 2, 4) };
    fuzz(0xb111_0f00 + bits, turns, kernels::lengths().count() as u32, |turn, rng| {
        // a modulus of one word cannot have as many spare bits
        let spare = ((turn as u64 / 2 * step + n as u64) % SPARES).min(bits - 3);
        let p = rng.modulus(bits - spare, 64);
        let isa = if turn % 2 == 0 { Isa::Portable } else { Isa::detect() };
        Some(Mont::<N>(Arc::new(Ring::new(&p, n, isa))))
    }) >= turns
}

/// Every number of words, in a capacity of 8 or of 65: results depend on the number of words alone. Kernels of few
/// words have a test of their own.
#[test]
fn kernels_keep_the_ranges_of_the_rules() {
    let of = |n: usize| if n <= 8 { keeps::<8>(n) } else { keeps::<65>(n) };
    let all = kernels::lengths().map(of).fold(true, |all, kept| all & kept);
    #[cfg(target_arch = "x86_64")]
    if all && Isa::detect() != Isa::Portable {
        let called: BTreeSet<&str> = crate::called::noted().iter().map(|(kernel, _)| *kernel).collect();
        let mut written = BTreeSet::new();
        kernels_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mont"), &mut written);
        let missing: Vec<&String> = written.iter().filter(|kernel| !called.contains(kernel.as_str())).collect();
        assert!(written.len() > 20 && missing.is_empty(), "no operation of this test calls {missing:?} of {written:?}");
    }
}

/// Collects the names of the kernels in assembly in the files of a folder. Each kernel notes its calls with
/// `called!`; the names of kernels that a macro writes for one size are the first arguments of `…_of_size!`.
#[cfg(target_arch = "x86_64")]
fn kernels_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            kernels_in(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let blocks = text.lines().filter(|line| line.trim() == "asm!(").count();
        let named: Vec<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix("called!(")?.split([',', ')']).next()).collect();
        assert_eq!(named.len(), blocks, "{}: every block of assembly has its `called!`", path.display());
        let of_size = text.lines().filter_map(|line| {
            let (name, rest) = line.split_once("_of_size!(")?;
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_').then_some(rest)
        });
        let made = of_size.flat_map(|names| names.split(' ').take_while(|name| name.parse::<usize>().is_err()));
        found.extend(named.into_iter().filter(|name| !name.starts_with('$')).chain(made).map(str::to_owned));
    }
}
