//! Linear forms in columns: loops over a list of terms. A term is a coefficient of 32 bits and, at byte 8, an address.

use crate::columns::Columns;
use crate::function::{At, Function};

/// The registers that hold the list and its length on entry; both are consumed.
const TERMS: &str = "rsi";
const COUNT: &str = "edx";
/// Scratch registers: the coefficient and the address of a term.
const COEFFICIENT: &str = "rax";
const VALUE: &str = "r8";

/// Adds Σ c·w over the list to `count` columns; columns without a register count as zero. Column 0 is column `first`
/// of the values. A coefficient costs one addition per column for each of its set bits, and a shift for each of these
/// above bit 0. A leading coefficient of 2 is an addition of its own.
pub(crate) fn form(f: &mut Function, columns: &mut Columns, count: usize, first: usize) {
    form_behind(f, columns, count, first, None);
}

/// Like [`form`], for values that lie `offset` bytes behind their addresses; `offset` is a register.
pub(crate) fn form_behind(
    f: &mut Function,
    columns: &mut Columns,
    count: usize,
    first: usize,
    offset: Option<&'static str>,
) {
    let value = |f: &mut Function| {
        f.line(format_args!("mov {VALUE}, [{TERMS} + 8]"));
        if let Some(offset) = offset {
            f.line(format_args!("add {VALUE}, {offset}"));
        }
    };
    let fresh: Vec<bool> = (0..count).map(|k| columns.untouched(k)).collect();
    let registers: Vec<_> = (0..count).map(|k| columns.touch(f, k)).collect();
    let next = |f: &mut Function| {
        f.line(format_args!("movsxd {COEFFICIENT}, dword ptr [{TERMS}]"));
        value(f);
        f.line(format_args!("add {TERMS}, 16"));
    };
    let again = |f: &mut Function| {
        f.line(format_args!("dec {COUNT}"));
        f.line("jnz 2b");
    };
    f.line(format_args!("test {COUNT}, {COUNT}"));
    f.line("jz 9f");
    // a leading +w or +2w is loaded where the column holds nothing to add to
    for (coefficient, otherwise) in [(1, "25"), (2, "2")] {
        f.line(format_args!("cmp dword ptr [{TERMS}], {coefficient}"));
        f.line(format_args!("jne {otherwise}f"));
        value(f);
        f.line(format_args!("add {TERMS}, 16"));
        for (k, z) in registers.iter().enumerate() {
            let w = At(VALUE, first + k);
            match (coefficient, fresh[k]) {
                (1, true) => f.line(format_args!("vmovdqa64 {z}, {w}")),
                (1, false) => f.add(*z, *z, w),
                (_, is_fresh) => {
                    let twice = if is_fresh { *z } else { f.take() };
                    f.line(format_args!("vmovdqa64 {twice}, {w}"));
                    f.add(twice, twice, twice);
                    if !is_fresh {
                        f.add(*z, *z, twice);
                        f.give(twice);
                    }
                }
            }
        }
        f.line(format_args!("dec {COUNT}"));
        f.line("jz 9f");
        if coefficient == 1 {
            f.line("jmp 2f");
            f.line("25:");
        }
    }
    f.line("2:");
    next(f);
    // an odd coefficient is ±1 plus an even coefficient
    f.line("test al, 1");
    f.line("jz 4f");
    f.line("test eax, eax");
    f.line("js 3f");
    for (k, z) in registers.iter().enumerate() {
        f.add(*z, *z, At(VALUE, first + k));
    }
    f.line("dec eax");
    f.line("jnz 4f");
    again(f);
    f.line("jmp 9f");
    f.line("3:");
    for (k, z) in registers.iter().enumerate() {
        f.sub(*z, *z, At(VALUE, first + k));
    }
    f.line("inc eax");
    f.line("jnz 4f");
    again(f);
    f.line("jmp 9f");
    f.line("4:");
    // an even coefficient, bit by bit
    f.line("test eax, eax");
    f.line("jz 8f");
    f.line("mov r9d, eax");
    f.line("neg eax");
    f.line("cmovs eax, r9d");
    f.line("test r9d, r9d");
    f.line("js 6f");
    let (bit, shifted) = (f.take(), f.take());
    for (label, subtract) in [("5", false), ("6", true)] {
        f.line(format_args!("{label}:"));
        f.line("tzcnt r9d, eax");
        f.line(format_args!("vpbroadcastq {bit}, r9"));
        for (k, z) in registers.iter().enumerate() {
            f.line(format_args!("vmovdqa64 {shifted}, {}", At(VALUE, first + k)));
            f.line(format_args!("vpsllvq {shifted}, {shifted}, {bit}"));
            if subtract { f.sub(*z, *z, shifted) } else { f.add(*z, *z, shifted) }
        }
        f.line("blsr eax, eax");
        f.line(format_args!("jnz {label}b"));
        if subtract {
            f.line("8:");
        }
        again(f);
        if !subtract {
            f.line("jmp 9f");
        }
    }
    f.give(bit);
    f.give(shifted);
    f.line("9:");
}
