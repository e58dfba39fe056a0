//! What touches vectors: the generated kernels, and safe functions over them. An [`Ifma`](super::Ifma) exists only where the
//! processor has AVX-512 F, DQ and IFMA, and every call goes through one.
#![allow(unsafe_code)]

use crate::term::Term;
use std::mem::MaybeUninit;

/// Lanes of a vector.
pub(super) const LANES: usize = 8;

/// One number of 64 bits a lane.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Vector(pub(super) [u64; LANES]);

/// A residue a lane: L limbs of 52 bits, limb by limb.
///
/// Only kernels read it, so a default one is a mere place and costs nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Residues<const L: usize>(MaybeUninit<[Vector; L]>);

/// An unreduced sum of products a lane: 2L signed columns of weight 2^(52k), as the products leave them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Columns<const L: usize>(MaybeUninit<[[Vector; L]; 2]>);

impl<const L: usize> Default for Residues<L> {
    #[inline(always)]
    fn default() -> Self {
        Residues(MaybeUninit::uninit())
    }
}

impl<const L: usize> Default for Columns<L> {
    #[inline(always)]
    fn default() -> Self {
        Columns(MaybeUninit::uninit())
    }
}

impl<const L: usize> From<[Vector; L]> for Residues<L> {
    fn from(limbs: [Vector; L]) -> Self {
        Residues(MaybeUninit::new(limbs))
    }
}

/// The constants of a modulus, where the kernels expect them (build/layout.rs).
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Modulus<const L: usize> {
    /// p.
    pub(super) p: [Vector; L],
    /// (p·u + 1)/2^52.
    pub(super) friendly: [Vector; L],
    /// 2^(52L) − p.
    pub(super) complement: [Vector; L],
    /// The multiple of p that makes sums of elements positive.
    pub(super) lift: [Vector; L],
    /// The multiple of p that, times R, makes sums of products positive.
    pub(super) lift_wide: [Vector; L],
    /// u = −1/p mod 2^52.
    pub(super) u: Vector,
    /// 2^52 − 1.
    pub(super) mask: Vector,
    /// ⌊2^(52 + shift)/p'⌋ for p' = p/2^(52(L − 1)).
    pub(super) reciprocal: Vector,
    /// bits(p) − 52(L − 1) − 1.
    pub(super) shift: Vector,
}

/// A term as the kernels read it: the layout of every [`Term`].
#[repr(C)]
pub(super) struct Item {
    _coefficient: i32,
    _value: *const Vector,
}

type Binary = unsafe extern "sysv64" fn(*mut Vector, *const Vector, *const Vector);
type Unary = unsafe extern "sysv64" fn(*mut Vector, *const Vector);
type Modular = unsafe extern "sysv64" fn(*mut Vector, *const Vector, *const Vector, *const Vector);
type List = unsafe extern "sysv64" fn(*mut Vector, *const Item, usize, *const Vector);

/// The kernels for one number of limbs.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    mul_wide: Binary,
    sqr_wide: Unary,
    mul: Modular,
    sqr: Modular,
    add: Modular,
    sum: List,
    lin: List,
    reduce: List,
    reduce_tight: List,
}

include!(concat!(env!("OUT_DIR"), "/ifma.rs"));

/// The kernels for L limbs, chosen when the program is compiled.
struct Of<const L: usize>;

impl<const L: usize> Of<L> {
    const KERNELS: Kernels = match kernels(L) {
        Some(kernels) => kernels,
        None => panic!("no kernels are generated for this number of limbs"),
    };
}

/// Whether this processor has what the kernels use.
pub(super) fn detect() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512ifma")
}

/// a·b.
#[inline(always)]
pub(super) fn mul_wide<const L: usize>(out: &mut Columns<L>, a: &Residues<L>, b: &Residues<L>) {
    // SAFETY: the kernel reads L vectors of a and b and writes 2L of out; its instructions exist (see the head of the file)
    unsafe { (Of::<L>::KERNELS.mul_wide)(place(out), vectors(a), vectors(b)) }
}

/// a².
#[inline(always)]
pub(super) fn sqr_wide<const L: usize>(out: &mut Columns<L>, a: &Residues<L>) {
    // SAFETY: as above
    unsafe { (Of::<L>::KERNELS.sqr_wide)(place(out), vectors(a)) }
}

/// a·b/R.
#[inline(always)]
pub(super) fn mul<const L: usize>(out: &mut Residues<L>, a: &Residues<L>, b: &Residues<L>, modulus: &Modulus<L>) {
    // SAFETY: the kernel reads L vectors of a and b, and the modulus; it writes L vectors of out
    unsafe { (Of::<L>::KERNELS.mul)(place(out), vectors(a), vectors(b), vectors(modulus)) }
}

/// a²/R.
#[inline(always)]
pub(super) fn sqr<const L: usize>(out: &mut Residues<L>, a: &Residues<L>, modulus: &Modulus<L>) {
    // SAFETY: as above
    unsafe { (Of::<L>::KERNELS.sqr)(place(out), vectors(a), vectors(a), vectors(modulus)) }
}

/// a + b, limbs carried.
#[inline(always)]
pub(super) fn add<const L: usize>(out: &mut Residues<L>, a: &Residues<L>, b: &Residues<L>, modulus: &Modulus<L>) {
    // SAFETY: as above
    unsafe { (Of::<L>::KERNELS.add)(place(out), vectors(a), vectors(b), vectors(modulus)) }
}

/// lift + Σ c·x less a multiple of p, near [0, p).
#[inline(always)]
pub(super) fn sum<const L: usize>(out: &mut Residues<L>, terms: &[Term<Residues<L>>], modulus: &Modulus<L>) {
    // SAFETY: a term is an i32 and, at byte 8, the address of L vectors; the kernel reads all of them, and the modulus
    unsafe { (Of::<L>::KERNELS.sum)(place(out), terms.as_ptr().cast(), terms.len(), vectors(modulus)) }
}

/// Σ c·w.
#[inline(always)]
pub(super) fn lin<const L: usize>(out: &mut Columns<L>, terms: &[Term<Columns<L>>], modulus: &Modulus<L>) {
    // SAFETY: a term is an i32 and, at byte 8, the address of 2L vectors; the kernel writes 2L vectors of out
    unsafe { (Of::<L>::KERNELS.lin)(place(out), terms.as_ptr().cast(), terms.len(), vectors(modulus)) }
}

/// (lift·R + Σ c·w)/R; `tight`: less a multiple of p.
#[inline(always)]
pub(super) fn reduce<const L: usize>(
    out: &mut Residues<L>,
    terms: &[Term<Columns<L>>],
    modulus: &Modulus<L>,
    tight: bool,
) {
    let kernel = if tight { Of::<L>::KERNELS.reduce_tight } else { Of::<L>::KERNELS.reduce };
    // SAFETY: as above, with L vectors of out
    unsafe { kernel(place(out), terms.as_ptr().cast(), terms.len(), vectors(modulus)) }
}

/// The limbs of a residue. They are copied in assembly, which turns the undefined content of a mere place into some content.
pub(super) fn read<const L: usize>(x: &Residues<L>) -> [Vector; L] {
    let mut out = [Vector::default(); L];
    // SAFETY: both are L vectors long, and string instructions are in every x86-64
    unsafe {
        std::arch::asm!("rep movsq", inout("rcx") L * LANES => _, inout("rsi") vectors(x) => _,
            inout("rdi") out.as_mut_ptr() => _, options(nostack, preserves_flags));
    }
    out
}

/// `a` in the lanes of the mask, `b` in the others.
#[inline]
pub(super) fn select<const L: usize>(out: &mut Residues<L>, mask: u8, a: &Residues<L>, b: &Residues<L>) {
    // SAFETY: the loop reads L vectors of a and b and writes L of out
    unsafe {
        std::arch::asm!(
            "kmovw k1, {mask:e}",
            "2:",
            "vmovdqa64 zmm0, zmmword ptr [{b} + {i}]",
            "vmovdqa64 zmm0{{k1}}, zmmword ptr [{a} + {i}]",
            "vmovdqa64 zmmword ptr [{out} + {i}], zmm0",
            "add {i}, 64",
            "cmp {i}, {end}",
            "jne 2b",
            "vzeroupper",
            mask = in(reg) u32::from(mask), a = in(reg) vectors(a), b = in(reg) vectors(b), out = in(reg) place(out),
            i = inout(reg) 0usize => _, end = const 64 * L, out("zmm0") _, out("k1") _, options(nostack),
        );
    }
}

#[inline(always)]
fn vectors<T>(x: &T) -> *const Vector {
    (x as *const T).cast()
}

#[inline(always)]
fn place<T>(x: &mut T) -> *mut Vector {
    (x as *mut T).cast()
}
