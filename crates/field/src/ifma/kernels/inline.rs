//! Operations too short for a kernel: inline assembly that selects, broadcasts, compares and copies limbs.
//!
//! Constant time. Loads have no mask, and masks choose between registers: a load whose mask is 0 suppresses page faults, so that whether
//! memory is touched would depend on the mask.
#![allow(unsafe_code)]

use super::{Machine, place, vectors};
#[cfg(test)]
use crate::ifma::places::Columns;
use crate::ifma::places::{LANES, Residues, Vector};

impl Machine {
    // The three functions that follow are inlined, so they name every register that they write. Registers from zmm16
    // on need no vzeroupper: no SSE code waits for their upper halves. The lower sixteen may belong to the caller.

    /// Selects `a` in the lanes of the mask, and `b` in the other lanes.
    #[inline]
    pub(in crate::ifma) fn select<const C: usize>(
        &self,
        out: &mut Residues<C>,
        mask: u8,
        a: &Residues<C>,
        b: &Residues<C>,
    ) {
        // SAFETY: the loop reads L vectors of a and b and writes L of out
        unsafe {
            std::arch::asm!(
                "kmovw k1, {mask:e}",
                "2:",
                "vmovdqa64 zmm16, zmmword ptr [{b} + {i}]",
                "vmovdqa64 zmm17, zmmword ptr [{a} + {i}]",
                "vmovdqa64 zmm16{{k1}}, zmm17",
                "vmovdqa64 zmmword ptr [{out} + {i}], zmm16",
                "add {i}, 64",
                "cmp {i}, {end}",
                "jne 2b",
                mask = in(reg) u32::from(mask), a = in(reg) vectors(a), b = in(reg) vectors(b), out = in(reg) place(out),
                i = inout(reg) 0usize => _, end = in(reg) 64 * self.limbs, out("zmm16") _, out("zmm17") _, out("k1") _,
                options(nostack),
            );
        }
    }

    /// Writes the limbs of one residue to every lane.
    #[inline]
    pub(in crate::ifma) fn broadcast<const C: usize>(&self, out: &mut Residues<C>, limbs: &[u64; C]) {
        // SAFETY: the loop reads L ≤ C limbs and writes L vectors of out
        unsafe {
            std::arch::asm!(
                "2:",
                "vpbroadcastq zmm16, qword ptr [{limbs} + {i}]",
                "vmovdqa64 zmmword ptr [{out} + 8*{i}], zmm16",
                "add {i}, 8",
                "cmp {i}, {end}",
                "jne 2b",
                limbs = in(reg) limbs.as_ptr(), out = in(reg) place(out), i = inout(reg) 0usize => _,
                end = in(reg) 8 * self.limbs, out("zmm16") _, options(nostack),
            );
        }
    }

    /// Returns the lanes whose limbs are all 0, or all equal to those of n.
    pub(in crate::ifma) fn zero_or<const C: usize>(&self, x: &Residues<C>, n: &Residues<C>) -> u8 {
        let mask: u32;
        // SAFETY: the loop reads L vectors of x and n
        unsafe {
            std::arch::asm!(
                "vpxorq zmm16, zmm16, zmm16",
                "vpxorq zmm17, zmm17, zmm17",
                "2:",
                "vmovdqa64 zmm18, zmmword ptr [{x} + {i}]",
                "vporq zmm16, zmm16, zmm18",
                "vpxorq zmm18, zmm18, zmmword ptr [{n} + {i}]",
                "vporq zmm17, zmm17, zmm18",
                "add {i}, 64",
                "cmp {i}, {end}",
                "jne 2b",
                "vptestnmq k1, zmm16, zmm16",
                "vptestnmq k2, zmm17, zmm17",
                "korw k1, k1, k2",
                "kmovw {mask:e}, k1",
                mask = out(reg) mask, x = in(reg) vectors(x), n = in(reg) vectors(n), i = inout(reg) 0usize => _,
                end = in(reg) 64 * self.limbs, out("zmm16") _, out("zmm17") _, out("zmm18") _, out("k1") _, out("k2") _,
                options(nostack, readonly),
            );
        }
        mask as u8
    }

    /// Returns the limbs of a residue, and 0 above them. The limbs stay on the stack, which is wiped where they are
    /// secret.
    pub(in crate::ifma) fn read<const C: usize>(&self, x: &Residues<C>) -> [Vector; C] {
        let mut out = [Vector::default(); C];
        self.read_into(&mut out, x);
        out
    }

    /// Copies the L limbs of a residue to the first L vectors of `out`, which may be longer. Assembly copies them, which
    /// turns the undefined content of uninitialised memory into some defined content.
    pub(in crate::ifma) fn read_into<const C: usize>(&self, out: &mut [Vector], x: &Residues<C>) {
        // SAFETY: a residue has the capacity for L vectors
        unsafe { copy(&mut out[..self.limbs], vectors(x)) }
    }

    /// Returns the columns of an unreduced value, copied as in [`read_into`](Self::read_into).
    #[cfg(test)]
    pub(in crate::ifma) fn read_wide<const C: usize>(&self, x: &Columns<C>) -> Vec<Vector> {
        let mut out = vec![Vector::default(); 2 * self.limbs];
        // SAFETY: an unreduced value has the capacity for 2L vectors
        unsafe { copy(&mut out, vectors(x)) }
        out
    }

    /// Writes to the lanes of each mask the limbs of its residue; the residues lie `stride` apart. Every lane is in one
    /// mask.
    ///
    /// # Panics
    /// Panics if the table is too short.
    pub(in crate::ifma) fn entry<const C: usize>(
        &self,
        out: &mut Residues<C>,
        (table, stride): (&[[u64; C]], usize),
        masks: &[u16],
    ) {
        assert!(!masks.is_empty() && table.len() > (masks.len() - 1) * stride, "a table that is too short");
        assert!(self.limbs <= C, "residues that are too short");
        // SAFETY: a residue of C limbs for each mask, and a place of as many
        unsafe { write_entry(self.limbs, place(out), table.as_ptr().cast(), size_of_val(&table[0]) * stride, masks) };
    }
}

/// Copies as many vectors as `to` holds.
///
/// # Safety
/// As many vectors must lie at `from`.
unsafe fn copy(to: &mut [Vector], from: *const Vector) {
    // SAFETY: both have this length, and string instructions are in every x86-64
    unsafe {
        std::arch::asm!("rep movsq", inout("rcx") to.len() * LANES => _, inout("rsi") from => _,
            inout("rdi") to.as_mut_ptr() => _, options(nostack, preserves_flags));
    }
}

/// Writes L limbs of residues that lie `stride` bytes apart to the lanes of the masks. Not inlined, so that one copy serves all lengths.
///
/// # Safety
/// There is at least one mask, a residue of L limbs at each stride for every mask, and `out` has places for L vectors.
#[inline(never)]
unsafe fn write_entry(limbs: usize, out: *mut Vector, table: *const u64, stride: usize, masks: &[u16]) {
    let fours = limbs - limbs % 4;
    // SAFETY: the loops read limbs 0, 1, …, L − 1 of each residue, and write L vectors of out
    unsafe {
        if fours > 0 {
            std::arch::asm!(
                "2:",
                "vpxorq zmm16, zmm16, zmm16",
                "vpxorq zmm17, zmm17, zmm17",
                "vpxorq zmm18, zmm18, zmm18",
                "vpxorq zmm19, zmm19, zmm19",
                "mov {residue}, {limbs}",
                "mov {i}, {masks}",
                "3:",
                "kmovw k1, word ptr [{i}]",
                "vpbroadcastq zmm20, qword ptr [{residue}]",
                "vpbroadcastq zmm21, qword ptr [{residue} + 8]",
                "vpbroadcastq zmm22, qword ptr [{residue} + 16]",
                "vpbroadcastq zmm23, qword ptr [{residue} + 24]",
                "vmovdqa64 zmm16{{k1}}, zmm20",
                "vmovdqa64 zmm17{{k1}}, zmm21",
                "vmovdqa64 zmm18{{k1}}, zmm22",
                "vmovdqa64 zmm19{{k1}}, zmm23",
                "add {residue}, {stride}",
                "add {i}, 2",
                "cmp {i}, {end}",
                "jne 3b",
                "vmovdqa64 zmmword ptr [{out}], zmm16",
                "vmovdqa64 zmmword ptr [{out} + 64], zmm17",
                "vmovdqa64 zmmword ptr [{out} + 128], zmm18",
                "vmovdqa64 zmmword ptr [{out} + 192], zmm19",
                "add {limbs}, 32",
                "add {out}, 256",
                "cmp {limbs}, {last}",
                "jne 2b",
                limbs = inout(reg) table => _, last = in(reg) table.add(fours),
                out = inout(reg) out => _, masks = in(reg) masks.as_ptr(), end = in(reg) masks.as_ptr_range().end,
                stride = in(reg) stride, residue = out(reg) _, i = out(reg) _,
                out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _, out("zmm20") _,
                out("zmm21") _, out("zmm22") _, out("zmm23") _, out("k1") _, options(nostack),
            );
        }
        for limb in fours..limbs {
            std::arch::asm!(
                "vpxorq zmm16, zmm16, zmm16",
                "2:",
                "kmovw k1, word ptr [{i}]",
                "vpbroadcastq zmm20, qword ptr [{residue}]",
                "vmovdqa64 zmm16{{k1}}, zmm20",
                "add {residue}, {stride}",
                "add {i}, 2",
                "cmp {i}, {end}",
                "jne 2b",
                "vmovdqa64 zmmword ptr [{out}], zmm16",
                residue = inout(reg) table.add(limb) => _, out = in(reg) out.add(limb),
                i = inout(reg) masks.as_ptr() => _, end = in(reg) masks.as_ptr_range().end,
                stride = in(reg) stride, out("zmm16") _, out("zmm20") _, out("k1") _, options(nostack),
            );
        }
    }
}
