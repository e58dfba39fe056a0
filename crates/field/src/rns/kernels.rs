//! The functions that take the time, compiled several times: for the vector instructions of newer processors too. What they compute is
//! written once, in plain Rust (`residues.rs`, `reduction.rs`); the compiler finds the vectors.

use super::reduction::Reduction;
use super::residues::{Channels, Residues};
use crate::term::Term;

/// The widest vector instructions of this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Isa(Vectors);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vectors {
    /// What every processor of the architecture has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// What this processor has.
    pub(super) fn detect() -> Self {
        Isa::all().pop().unwrap_or(Isa(Vectors::Portable))
    }

    /// What it has, the least first.
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Vectors::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Vectors::Avx2);
            }
            let [f, vl] = [is_x86_feature_detected!("avx512f"), is_x86_feature_detected!("avx512vl")];
            if f && vl && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512bw") {
                all.push(Vectors::Avx512);
            }
        }
        all.into_iter().map(Isa).collect()
    }
}

/// Functions whose first argument says for which instructions they were compiled.
macro_rules! for_each_instruction_set {
    ($($(#[$note:meta])* fn $name:ident<const W: usize>($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {
        $($(#[$note])*
        #[allow(unsafe_code)]
        #[inline]
        pub(super) fn $name<const W: usize>(isa: Isa, $($arg: $type),*) {
            #[inline(always)]
            fn body<const W: usize>($($arg: $type),*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2<const W: usize>($($arg: $type),*) {
                body::<W>($($arg),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
            fn avx512<const W: usize>($($arg: $type),*) {
                body::<W>($($arg),*);
            }
            match isa.0 {
                Vectors::Portable => body::<W>($($arg),*),
                // SAFETY: such an `Isa` is only made where the instructions were detected
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx2 => unsafe { avx2::<W>($($arg),*) },
                // SAFETY: as above
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx512 => unsafe { avx512::<W>($($arg),*) },
            }
        })*
    };
}

for_each_instruction_set! {
    /// a·b.
    fn product<const W: usize>(channels: &Channels<W>, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        channels.product(out, a, b);
    }

    /// sum + a·b.
    fn add_product<const W: usize>(
        channels: &Channels<W>,
        sum: &mut Residues<W>,
        a: &Residues<W>,
        b: &Residues<W>,
    ) {
        channels.add_product(sum, a, b);
    }

    /// a + b.
    fn sum<const W: usize>(channels: &Channels<W>, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        channels.sum(out, a, b);
    }

    /// a − b.
    fn difference<const W: usize>(channels: &Channels<W>, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        channels.difference(out, a, b);
    }

    /// Σ c·x.
    fn form<const W: usize>(channels: &Channels<W>, out: &mut Residues<W>, terms: &[Term<'_, Residues<W>>]) {
        channels.form(out, terms);
    }

    /// T/A modulo p, closed.
    fn reduce<const W: usize>(
        reduction: &Reduction<W>,
        channels: &Channels<W>,
        out: &mut Residues<W>,
        t: &Residues<W>,
    ) {
        reduction.reduce(channels, out, t);
    }
}
