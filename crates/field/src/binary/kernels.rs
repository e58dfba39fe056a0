//! The operations that have code of their own for some fields, as functions that any code can call.

use super::quad::Residues;
use super::{Residue, Sum};
use crate::term::Term;

/// The terms of Σ c·x.
pub(super) type Terms<'a, const N: usize> = &'a [Term<'a, Residue<N>>];

/// The operations of a field in registers.
pub(super) struct Long<const N: usize> {
    /// Computes the reduced Σ c·w plus Σ c·x.
    pub(super) reduce: fn(&mut Residue<N>, &[Term<'_, Sum<N>>], Terms<'_, N>),
    /// Computes a².
    pub(super) sqr: fn(&mut Residue<N>, &Residue<N>),
    /// Computes a^(2^n).
    pub(super) squares: fn(&mut Residue<N>, &Residue<N>, usize),
    /// Computes a + b.
    pub(super) add: fn(&mut Residue<N>, &Residue<N>, &Residue<N>),
    /// Computes Σ c·x.
    pub(super) sum: fn(&mut Residue<N>, Terms<'_, N>),
}

/// The operations on several elements side by side, including their reductions.
pub(super) struct Trinomial<const N: usize> {
    /// Computes a·b for each pair.
    pub(super) mul: fn(&mut [Residue<N>], &[&Residue<N>], &[&Residue<N>]),
    /// Replaces each x by x^(2^n).
    pub(super) squares: fn(&mut [Residue<N>], usize),
    /// The operations on four elements that are stored as digits.
    pub(super) four: Kernels<N>,
}

/// A function that adds three elements. Their addresses are passed in registers: in an array they would be stored one
/// by one and loaded in pairs, which stalls.
type Three<const N: usize> = fn(&mut Residues<N>, &Residues<N>, &Residues<N>, &Residues<N>);
/// A function that adds four elements.
type Four<const N: usize> = fn(&mut Residues<N>, &Residues<N>, &Residues<N>, &Residues<N>, &Residues<N>);

/// The operations on four elements in registers.
#[derive(Clone, Copy)]
pub(super) struct Kernels<const N: usize> {
    /// Computes a·b.
    pub(super) mul: fn(&mut Residues<N>, &Residues<N>, &Residues<N>),
    /// Computes a².
    pub(super) sqr: fn(&mut Residues<N>, &Residues<N>),
    /// Computes a^(2^n), in place.
    pub(super) squares: fn(&mut Residues<N>, usize),
    /// Computes a + b.
    pub(super) add: fn(&mut Residues<N>, &Residues<N>, &Residues<N>),
    /// Computes a + b + c.
    pub(super) add_three: Three<N>,
    /// Computes a + b + c + d.
    pub(super) add_four: Four<N>,
}

/// Returns the operations for a field that this processor has instructions for.
pub(super) fn detected<const N: usize>(m: usize, exponents: &[usize]) -> (Option<Long<N>>, Option<Trinomial<N>>) {
    #[cfg(target_arch = "x86_64")]
    return (super::long::detected(m, exponents), super::trinomial::detected(m, exponents));
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (m, exponents);
        (None, None)
    }
}
