//! Loads values into lanes and stores them from lanes, one integer modulo p for each lane.

use super::forms::has_large;
use super::integers::{self, Words};
use super::modulus::{LIMB, limbs};
use super::places::{LANES, Residues, Vector};
use super::{Ifma, Inner, LaneMask};
#[cfg(not(windows))]
use crate::code::Code;
use crate::contract::{Field, Lanes, Prime, parity};
#[cfg(not(windows))]
use crate::kernel::Kernel;
use crate::term::{Term, outweighs, times};
use crate::words::split;
use num_bigint::BigUint;

/// The most bits of an index into a table.
const ENTRY_BITS: usize = 6;

/// Returns, for each index of these bits, the mask of the lanes that have it.
fn masks_of(bits: &[LaneMask]) -> [u16; 1 << ENTRY_BITS] {
    let mut masks = [0; 1 << ENTRY_BITS];
    for (i, mask) in masks[..1 << bits.len()].iter_mut().enumerate() {
        let is_bit = |(j, bit): (usize, &LaneMask)| if i >> j & 1 == 1 { bit.0 } else { !bit.0 };
        *mask = bits.iter().enumerate().map(is_bit).fold(0xff, |all, bit| all & u16::from(bit));
    }
    masks
}

impl<const C: usize> Ifma<C> {
    /// Returns the limbs of x·c/R in [0, (1 + 2^-50)N] for each lane, where c = N/p: c times a number congruent to
    /// x/R modulo p.
    pub(super) fn leave(&self, x: &Residues<C>) -> [Vector; C] {
        let mut out = Residues::default();
        self.mul(&mut out, x, &self.0.multiplier);
        self.0.machine.read(&out)
    }

    /// Sets x to the integer modulo p in a lane of limbs that `leave` returned. Before the call, x must be 0 or a
    /// result of this function.
    pub(super) fn integer(&self, x: &mut Words, limbs: &[Vector; C], lane: usize) {
        self.0.integers.canonical(x, limbs[..self.limbs()].iter().map(|v| v.0[lane]));
    }
}

impl<const C: usize> Prime for Ifma<C> {
    type Uniform = [u64; C];

    fn modulus(&self) -> &BigUint {
        &self.0.modulus
    }

    fn constant(&self, x: &BigUint) -> Residues<C> {
        let mut out = Residues::default();
        let x = Residues::new(&limbs(&(x % &self.0.modulus), self.0.machine.limbs()));
        self.mul(&mut out, &x, &self.0.r2);
        out
    }

    fn is_odd(&self, a: &Self::Elem) -> Self::Mask {
        parity(self, a)
    }

    fn uniform(&self, a: &Residues<C>) -> [u64; C] {
        let mut out = [0; C];
        for (limb, vector) in out.iter_mut().zip(self.0.machine.read(a)) {
            *limb = vector.0[0];
        }
        out
    }

    #[inline]
    fn broadcast(&self, out: &mut Residues<C>, a: &[u64; C]) {
        self.0.machine.broadcast(out, a);
    }
}

/// Returns the terms of a form with these coefficients, without values.
#[cfg(not(windows))]
fn terms_of(coefficients: &[i32]) -> Vec<Term<'static, ()>> {
    coefficients.iter().map(|c| times(*c, &())).collect()
}

impl<const C: usize> Lanes for Ifma<C> {
    const LANES: usize = LANES;
    const ENTRY_BITS: usize = ENTRY_BITS;

    fn load(&self, out: &mut Residues<C>, values: &[&[u64]]) {
        assert!(values.len() <= LANES, "{} values for {LANES} lanes", values.len());
        let mut x = vec![Vector::default(); self.0.machine.limbs()];
        for (lane, words) in values.iter().enumerate() {
            assert!(words.len() <= self.word_len(), "a value to load is longer than p");
            for (limb, value) in x.iter_mut().zip(split(words, LIMB)) {
                limb.0[lane] = value;
            }
        }
        self.mul(out, &Residues::new(&x), &self.0.r2);
    }

    fn store(&self, words: &mut [u64], a: &Residues<C>, lane: usize) {
        let mut value = integers::ZERO;
        self.integer(&mut value, &self.leave(a), lane);
        let len = self.word_len();
        words[..len].copy_from_slice(&value[..len]);
        words[len..].fill(0);
    }

    fn store_all(&self, words: &mut [u64], a: &Residues<C>) {
        let (limbs, len) = (self.leave(a), self.word_len());
        let mut value = integers::ZERO;
        for (lane, words) in words[..LANES * len].chunks_mut(len).enumerate() {
            self.integer(&mut value, &limbs, lane);
            words.copy_from_slice(&value[..len]);
        }
    }

    fn entry(&self, out: &mut Residues<C>, (table, stride): (&[[u64; C]], usize), bits: &[LaneMask]) {
        self.0.machine.entry(out, (table, stride), &masks_of(bits)[..1 << bits.len()]);
    }

    #[inline]
    fn gather<'a>(&self, out: &mut Residues<C>, residue: impl Fn(usize) -> &'a [u64; C]) {
        let mut rows = [residue(0); LANES];
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = residue(lane);
        }
        self.0.machine.gather(out, rows);
    }

    #[inline]
    fn scatter(&self, a: &Residues<C>, take: impl FnMut(usize, &[u64; C])) {
        self.0.machine.scatter(a, take);
    }

    #[cfg(not(windows))]
    fn kernel(&self, code: Code, coefficients: &[i32]) -> Option<Kernel<Self>> {
        let Inner { machine, tight, light, triples, .. } = &*self.0;
        let terms = terms_of(coefficients);
        let has_steps = match code {
            Code::MulSum | Code::SqrSum => !self.adds(&terms),
            Code::Lin => has_large(&terms, machine.limbs()),
            Code::ReduceThreePlusTwo | Code::ReduceThreeMinusTwo if !*triples => true,
            code if code.near().is_some() || code.is_near() => has_large(&terms, machine.limbs()),
            Code::Sum => *tight && outweighs(&terms, *light),
            _ => false,
        };
        if has_steps {
            return None;
        }
        machine.kernel(code, &terms, *tight && !code.is_near(), size_of::<Residues<C>>())
    }

    fn lane(&self, mask: LaneMask, lane: usize) -> bool {
        assert!(lane < LANES, "lane {lane} of {LANES}");
        mask.0 >> lane & 1 == 1
    }
}
