//! Reads the machine code of the kernels: which functions they call, where they jump, and how many multiplications
//! they contain.

use super::kernels::{Listed, inventory};
use super::rules::BLOCKS;
use std::collections::HashMap;

/// The kind of an instruction, as far as it matters to the checks below. Targets are addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// vpmadd52luq or vpmadd52huq.
    Ifma,
    Call(usize),
    Jump(usize),
    Return,
    Other,
}

/// A reader of one instruction after another.
struct Reader<'a> {
    code: &'a Listed,
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.code.byte(self.at - 1)
    }

    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Returns the address to which an instruction refers that ends with a distance of 1 or 4 bytes.
    fn target(&mut self, bytes: usize) -> usize {
        let distance: i64 = if bytes == 1 {
            i64::from(self.byte() as i8)
        } else {
            i64::from(i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]))
        };
        (self.code.address() + self.at).wrapping_add_signed(distance as isize)
    }

    /// Reads ModRM, SIB and displacement, and returns the field `reg`.
    fn operand(&mut self) -> u8 {
        let modrm = self.byte();
        let (mode, rm) = (modrm >> 6, modrm & 7);
        if mode != 3 {
            let base = if rm == 4 { self.byte() & 7 } else { rm };
            self.skip(match mode {
                0 if base == 5 => 4,
                0 => 0,
                1 => 1,
                _ => 4,
            });
        }
        modrm >> 3 & 7
    }

    /// Reads the next instruction of the subset that kernels use (Intel SDM, volume 2, appendix A and 2.7).
    fn next(&mut self) -> Kind {
        let start = self.at;
        let mut op = self.byte();
        match op {
            0x62 => {
                let (map, _, _, op) = (self.byte() & 7, self.byte(), self.byte(), self.byte());
                self.operand();
                if map == 3 || map == 1 && matches!(op, 0x70..=0x73) {
                    self.skip(1);
                }
                return if map == 2 && matches!(op, 0xb4 | 0xb5) { Kind::Ifma } else { Kind::Other };
            }
            // two-byte VEX: vzeroupper, and moves of masks
            0xc5 => {
                let (_, op) = (self.byte(), self.byte());
                if op != 0x77 {
                    self.operand();
                }
                return Kind::Other;
            }
            // three-byte VEX: blsr, and moves between general and vector registers
            0xc4 => {
                self.skip(3);
                self.operand();
                return Kind::Other;
            }
            // the prefix of tzcnt
            0xf3 => op = self.byte(),
            _ => {}
        }
        let wide = (0x48..0x50).contains(&op);
        if (0x40..0x50).contains(&op) {
            op = self.byte();
        }
        match op {
            0x50..=0x5f | 0x90 => {}
            0x70..=0x7f | 0xeb => return Kind::Jump(self.target(1)),
            0xe9 => return Kind::Jump(self.target(4)),
            0xe8 => return Kind::Call(self.target(4)),
            0xc3 => return Kind::Return,
            // arithmetic between a register and an operand, moves, lea
            0x01 | 0x03 | 0x09 | 0x0b | 0x21 | 0x23 | 0x29 | 0x2b | 0x31 | 0x33 | 0x39 | 0x3b | 0x63 | 0x85 | 0x89
            | 0x8b | 0x8d => {
                self.operand();
            }
            // arithmetic with a constant
            0xa8 => self.skip(1),
            0x05 | 0x0d | 0x25 | 0x2d | 0x35 | 0x3d | 0xa9 => self.skip(4),
            0x83 | 0xc1 => {
                self.operand();
                self.skip(1);
            }
            0x81 | 0xc7 => {
                self.operand();
                self.skip(4);
            }
            0xb8..=0xbf => self.skip(if wide { 8 } else { 4 }),
            // inc and dec, neg
            0xff if self.operand() < 2 => {}
            0xf7 if self.operand() == 3 => {}
            0x0f => match self.byte() {
                0x80..=0x8f => return Kind::Jump(self.target(4)),
                // cmov, nop, imul, movzx, tzcnt
                0x40..=0x4f | 0x1f | 0xaf | 0xb7 | 0xbc => {
                    self.operand();
                }
                second => panic!("{}: the instruction 0f {second:02x} at {start:#x}", self.code.name),
            },
            _ => panic!("{}: the instruction {op:02x} at {start:#x}", self.code.name),
        }
        Kind::Other
    }
}

/// Returns the instructions of a kernel up to its return, and its length in bytes.
fn read(code: &Listed) -> (Vec<Kind>, usize) {
    let mut reader = Reader { code, at: 0 };
    let mut kinds = vec![];
    while kinds.last() != Some(&Kind::Return) {
        kinds.push(reader.next());
    }
    (kinds, reader.at)
}

/// Kernels call only kernels, jump only within themselves, and contain as many multiplications as the generator says.
#[test]
fn kernels_are_what_the_generator_says() {
    let kernels = inventory();
    for code in &kernels {
        let (kinds, length) = read(code);
        let ifma = kinds.iter().filter(|kind| **kind == Kind::Ifma).count();
        assert_eq!(ifma, code.ifma, "{}: multiplications", code.name);
        for kind in kinds {
            match kind {
                Kind::Call(to) => {
                    assert!(kernels.iter().any(|k| k.address() == to), "{} calls {to:#x}, no kernel", code.name)
                }
                Kind::Jump(to) => {
                    let inside = (code.address()..code.address() + length).contains(&to);
                    assert!(inside, "{} jumps to {to:#x}, outside of it", code.name)
                }
                _ => {}
            }
        }
    }
}

/// The number of multiplications that a kernel and all kernels that it calls issue.
fn issued(kernels: &HashMap<usize, &Listed>, code: &Listed) -> usize {
    let calls = read(code).0.into_iter().filter_map(|kind| if let Kind::Call(to) = kind { Some(to) } else { None });
    code.issued + calls.map(|to| issued(kernels, kernels[&to])).sum::<usize>()
}

/// The least number of limbs whose squares and reductions are computed by halves.
const HALVED: usize = BLOCKS as usize;

/// The multiplications of a product: by halves from 22 limbs on and at 20, else by rows.
fn product(l: usize) -> usize {
    if matches!(l, 20 | 22..) { 3 * product(l / 2) + l } else { 2 * l * l }
}

fn square(l: usize) -> usize {
    if l >= HALVED { 3 * square(l / 2) + l } else { l * l + l }
}

/// The multiplications of a reduction. By halves, these are the digits for each half and their products with the
/// upper half of p. In a Montgomery-friendly p, z limbs are 0 and one is 1 or 3.
fn reduction(l: usize, z: usize) -> usize {
    let digits = |h: usize| if h >= HALVED { reduction(h, z) } else { 2 * h * (h - z) };
    match l {
        HALVED.. => 2 * (digits(l / 2) + product(l / 2)),
        _ if z > 0 => 2 * l * (l - z) + l - 2,
        _ => 2 * l * l,
    }
}

/// Operations cost what the module documentation of the engine states.
#[test]
fn operations_cost_what_the_documentation_says() {
    let kernels = inventory();
    let by_address = kernels.iter().map(|code| (code.address(), code)).collect();
    let mut checked = 0;
    for code in &kernels {
        let Some((name, l)) = code.name.rsplit_once('_').and_then(|(name, l)| Some((name, l.parse().ok()?))) else {
            panic!("{} names no number of limbs", code.name);
        };
        let (name, z) = match name.split_once("_friendly") {
            Some((name, zeros)) => (name, zeros.parse().unwrap_or_else(|_| panic!("{}: zeros", code.name))),
            None => (name, 0),
        };
        let want = match name {
            "mul_wide" => product(l),
            "sqr_wide" => square(l),
            "mul" => product(l) + reduction(l, z),
            "sqr" => square(l) + reduction(l, z),
            "reduce" => reduction(l, z),
            "reduce_tight" => reduction(l, z) + 2 * l + 1,
            "sum" | "sum_of_two" | "difference" | "three_and_two" | "three_less_two" => 2 * l + 1,
            "complex_mul_wide" | "complex_sums_mul_wide" => 3 * product(l),
            "complex_mul" => 3 * product(l) + 2 * reduction(l, z),
            "complex_sqr_wide" | "complex_sum_sqr_wide" => 2 * product(l),
            name if name.starts_with("complex_sums_mul_lin_") => 3 * product(l),
            name if name.starts_with("complex_sum_sqr_lin_") => 2 * product(l),
            "reduce_three_and_two" | "reduce_three_less_two" => reduction(l, z) + 2 * l + 1,
            "reduce_three_and_two_tight" | "reduce_three_less_two_tight" => reduction(l, z) + 2 * (2 * l + 1),
            "complex_sqr" => 2 * square(l) + product(l) + 2 * reduction(l, z),
            // below the sizes that work on blocks, whose differences are closed
            "sub" if l < HALVED => 0,
            "add" | "lin" => 0,
            name if name.starts_with("rows_mul_") => product(l),
            "rows_reduce" => reduction(l, z),
            "rows_reduce_three" => reduction(l, z) + 2 * l + 1,
            "rows_sum" => 2 * l + 1,
            name if name.starts_with("rows_form") || name.starts_with("rows_multiple") => 0,
            _ => continue,
        };
        assert_eq!(issued(&by_address, code), want, "{}", code.name);
        checked += 1;
    }
    assert!(checked >= 9 * super::LIMBS.len(), "{checked} kernels");
}

/// Kernels are aligned, so that their time does not depend on where the linker puts them.
#[test]
fn kernels_begin_at_a_cache_line() {
    for code in inventory() {
        assert_eq!(code.address() % 64, 0, "{}", code.name);
    }
}
