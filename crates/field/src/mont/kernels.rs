//! Multi-precision kernels of the Montgomery engine: products, squares, reduction and linear steps on N 64-bit words.
//!
//! Little-endian words, N ≥ 1 known at compile time, any odd modulus below 2^(64N) known at run time. Everything is
//! constant time: no branch and no address depends on a word. Two implementations of each kernel:
//!
//! * `portable`: plain Rust, any processor;
//! * `adx`: x86-64 assembly around MULX (BMI2), which multiplies without touching the carry flag.
//!
//! [`Isa`] chooses at run time; a value of [`Isa::Adx`] can only come from [`Isa::detect`], so holding one is the proof that
//! the processor has the instructions. Cost in word products: N² for a product, N(N+1)/2 for a square, at most N² + N for a
//! reduction; a linear step is one pass of N add-with-carry.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
#[macro_use]
#[rustfmt::skip]
mod rows;
use super::Sum;
use super::modulus::Modulus;
#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;
#[cfg(target_arch = "x86_64")]
pub(super) use words::{MOST_FEW, Words};

#[cfg(target_arch = "x86_64")]
mod linear;
mod portable;
#[cfg(target_arch = "x86_64")]
mod product;
#[cfg(target_arch = "x86_64")]
mod reduction;
#[cfg(target_arch = "x86_64")]
mod small;
#[cfg(target_arch = "x86_64")]
mod square;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod words;

/// Which instructions the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isa {
    /// Plain Rust.
    Portable,
    /// x86-64 with BMI2 and ADX.
    #[cfg(target_arch = "x86_64")]
    Adx(Proof),
}

/// Made by [`Isa::detect`] alone: the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(());

impl Isa {
    /// The fastest kernels that this processor can run.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx") {
            return Isa::Adx(Proof(()));
        }
        Isa::Portable
    }

    /// Whether there are kernels of so many words that keep everything in registers.
    pub(super) fn has_few(self, words: usize) -> bool {
        match self {
            Isa::Portable => {
                let _ = words;
                false
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Adx(_) => words::exist(words),
        }
    }

    /// The assembly, if the operating system says that this processor has its instructions. Valgrind runs them, but does not name
    /// them to a program that asks.
    #[cfg(test)]
    pub(super) fn named_by_the_system() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") {
            let flags: Vec<&str> = text.lines().find(|l| l.starts_with("flags"))?.split_whitespace().collect();
            return ["bmi2", "adx"].iter().all(|flag| flags.contains(flag)).then_some(Isa::Adx(Proof(())));
        }
        None
    }
}

/// What kernels of few words add to the word above the low half of a form, so that it is not negative; less than 2^(64N)·p with any
/// coefficients of 32 bits.
pub(super) const BIAS: u64 = 1 << 40;

/// The words from which on reductions in assembly have blocks.
const BLOCKS: usize = 17;

/// 2N words: the number lo + hi·2^(64N).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Wide<const N: usize> {
    pub(super) lo: [u64; N],
    pub(super) hi: [u64; N],
}

impl<const N: usize> Default for Wide<N> {
    #[inline]
    fn default() -> Self {
        Wide { lo: [0; N], hi: [0; N] }
    }
}

/// Runs the chosen implementation. The assembly is sound to call because `Isa::Adx` proves its instructions.
macro_rules! choose {
    ($isa:expr, $module:ident :: $name:ident ( $($arg:expr),* )) => {
        match $isa {
            Isa::Portable => portable::$name($($arg),*),
            // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX.
            #[cfg(target_arch = "x86_64")]
            Isa::Adx(_) => unsafe { $module::$name($($arg),*) },
        }
    };
}

/// out = a·b, by the kernel for its size.
///
/// # Safety
/// As [`product::mul_wide`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn adx_product<const N: usize>(out: *mut Wide<N>, a: &[u64; N], b: &[u64; N]) {
    // SAFETY: the caller's promise; each kernel gets its size.
    unsafe {
        match N {
            5 => small::product_5(out, a, b),
            6 => small::product_6(out, a, b),
            8 => small::product_8(out, a, b),
            10 => small::product_10(out, a, b),
            _ => product::mul_wide(out, a, b),
        }
    }
}

/// out = a·b.
#[inline]
pub(super) fn mul_wide<const N: usize>(isa: Isa, out: &mut Wide<N>, a: &[u64; N], b: &[u64; N]) {
    match isa {
        Isa::Portable => portable::mul_wide(out, a, b),
        // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { adx_product(out, a, b) },
    }
}

/// out = a².
#[inline]
pub(super) fn sqr_wide<const N: usize>(isa: Isa, out: &mut Wide<N>, a: &[u64; N]) {
    choose!(isa, square::sqr_wide(out, a))
}

/// Hands a·b to `then`, without initialising or moving it.
#[inline(always)]
pub(super) fn with_product<const N: usize>(isa: Isa, a: &[u64; N], b: &[u64; N], then: impl FnOnce(&mut Wide<N>)) {
    match isa {
        Isa::Portable => {
            let mut t = Wide::default();
            portable::mul_wide(&mut t, a, b);
            then(&mut t)
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => {
            let mut t = MaybeUninit::uninit();
            // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX; the product fills `t`.
            let t = unsafe {
                adx_product(t.as_mut_ptr(), a, b);
                t.assume_init_mut()
            };
            then(t)
        }
    }
}

/// Hands a² to `then`, as [`with_product`].
#[inline(always)]
pub(super) fn with_square<const N: usize>(isa: Isa, a: &[u64; N], then: impl FnOnce(&mut Wide<N>)) {
    match isa {
        Isa::Portable => {
            let mut t = Wide::default();
            portable::sqr_wide(&mut t, a);
            then(&mut t)
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => {
            let mut t = MaybeUninit::uninit();
            // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX; the square fills `t`.
            let t = unsafe {
                square::sqr_wide(t.as_mut_ptr(), a);
                t.assume_init_mut()
            };
            then(t)
        }
    }
}

/// out + carry·2^(64N) = t/2^(64N) modulo p, below t/R + p + 2p/2^64; returns the carry. `t` is destroyed.
#[inline]
pub(super) fn redc<const N: usize>(isa: Isa, out: &mut [u64; N], t: &mut Wide<N>, m: &Modulus<N>) -> u64 {
    match isa {
        Isa::Portable => portable::redc(out, t, &m.p, m.ninv),
        // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) if small::reduces(N) => unsafe { small::redc(out, t, m) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { reduction::redc(out, t, m) },
    }
}

/// As [`redc`] for t < pR, canonical.
#[inline]
pub(super) fn redc_closed<const N: usize>(isa: Isa, out: &mut [u64; N], t: &mut Wide<N>, m: &Modulus<N>) {
    match isa {
        // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) if small::closes(N) => unsafe { small::redc_closed(out, t, m) },
        // 2p may be exceeded
        _ if by_blocks(isa, N) => {
            let carry = redc(isa, out, t, m);
            m.canonical(isa, out, carry);
        }
        _ => {
            let carry = redc(isa, out, t, m);
            cond_sub(isa, out, carry, &m.p);
        }
    }
}

/// Whether reductions of N words go by blocks; those by rows are below t/R + p.
fn by_blocks(isa: Isa, n: usize) -> bool {
    isa != Isa::Portable && n >= BLOCKS
}

/// t/2^(64N) modulo a tight p, for t in [0, 2^15·pR): canonical.
#[inline]
pub(super) fn redc_canonical<const N: usize>(isa: Isa, out: &mut [u64; N], t: &mut Sum<N>, m: &Modulus<N>) {
    match isa {
        // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) if small::reduces(N) => unsafe { small::redc_canonical(out, t, m) },
        _ => {
            let carry = redc(isa, out, &mut t.words, m);
            m.canonical(isa, out, t.top as u64 + carry);
        }
    }
}

/// out = a + b mod p, for a and b in [0, p).
#[inline]
pub(super) fn add_mod<const N: usize>(isa: Isa, out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    choose!(isa, linear::add_mod(out, a, b, p))
}

/// out = a − b mod p, for a and b in [0, p).
#[inline]
pub(super) fn sub_mod<const N: usize>(isa: Isa, out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    choose!(isa, linear::sub_mod(out, a, b, p))
}

/// x + top·2^(64N) in [0, 2p) loses p if it is at least that.
#[inline]
pub(super) fn cond_sub<const N: usize>(isa: Isa, x: &mut [u64; N], top: u64, p: &[u64; N]) {
    choose!(isa, linear::cond_sub(x, top, p))
}

/// out = a − b, plus p·2^(64N) where that is negative, for a and b in [0, p·2^(64N)).
#[inline]
pub(super) fn sub_mod_wide<const N: usize>(isa: Isa, out: &mut Wide<N>, a: &Wide<N>, b: &Wide<N>, p: &[u64; N]) {
    choose!(isa, linear::sub_mod_wide(out, a, b, p))
}

/// x += y modulo 2^(64N).
#[inline]
pub(super) fn add_to<const N: usize>(isa: Isa, x: &mut [u64; N], y: &[u64; N]) {
    choose!(isa, linear::add_to(x, y));
}

/// x −= q·y for a q that may be secret; returns the borrow word.
#[inline]
pub(super) fn sub_scaled<const N: usize>(isa: Isa, x: &mut [u64; N], q: u64, y: &[u64; N]) -> u64 {
    choose!(isa, linear::scaled_sub_from(x, y, q))
}
