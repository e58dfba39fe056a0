//! Loops over limbs in memory, a few limbs in each iteration: carries, estimated quotients, and forms in chunks. They
//! accompany products of L² instructions and cost 2 to 5 L.

use crate::columns::Columns;
use crate::forms::form_behind;
use crate::function::{At, Function, Z};
use crate::layout::Layout;
use crate::reduction::quotient;

/// The number of limbs per iteration.
const TURN: usize = 5;
/// The most columns in one chunk of a form.
const CHUNK: usize = 20;

/// Writes a loop over the limbs `from` to `to`. `turn` writes the code for the vectors k = 0, …, 4 behind the byte
/// offset rax, which steps from the limb `from` on, and after the loop for the limbs that are left below `to`.
pub(crate) fn repeat(f: &mut Function, from: usize, to: usize, mut turn: impl FnMut(&mut Function, usize)) {
    let (turns, left) = ((to - from) / TURN, (to - from) % TURN);
    assert!(turns > 0, "{from} to {to} in steps of {TURN}");
    f.line(format_args!("mov eax, {}", 64 * from));
    f.line("5:");
    f.body(turns, |f| (0..TURN).for_each(|k| turn(f, k)));
    f.line(format_args!("add rax, {}", 64 * TURN));
    f.line(format_args!("cmp rax, {}", 64 * (from + turns * TURN)));
    f.line("jne 5b");
    (0..left).for_each(|k| turn(f, k));
}

/// The vector k vectors behind `place`, plus the byte offset rax of the loop.
pub(crate) fn behind(place: At, k: usize) -> At {
    let base = match place.0 {
        "rdi" => "rdi + rax",
        "rsi" => "rsi + rax",
        "rdx" => "rdx + rax",
        "rcx" => "rcx + rax",
        other => panic!("no loop runs behind {other}"),
    };
    At(base, place.1 + k)
}

/// Stores Σ c·w of `count` columns at rdi; the list is in rsi and rdx.
pub(crate) fn chunks(f: &mut Function, count: usize) {
    // the longest chunk that divides the columns
    let chunk = (1..=CHUNK).rev().find(|chunk| count.is_multiple_of(*chunk)).unwrap_or(1);
    f.line("xor r11d, r11d");
    f.line("mov r10, rsi");
    f.line("7:");
    let mut columns = Columns::new(chunk);
    form_behind(f, &mut columns, chunk, 0, Some("r11"));
    columns.store(f, 0..chunk, At("rdi + r11", 0));
    // the start of the list, and its length from the distance to its end
    f.line("mov rdx, rsi");
    f.line("sub rdx, r10");
    f.line("shr rdx, 4");
    f.line("mov rsi, r10");
    f.line(format_args!("add r11, {}", 64 * chunk));
    f.line(format_args!("cmp r11, {}", 64 * count));
    f.line("jne 7b");
}

/// Stores at rdi the L columns at rsi as limbs of [0, 2^52), the last one as it is. `bias` is added to the columns
/// first. With `tight`, an estimated multiple of p is then subtracted, as in [`shrink`](crate::reduction::shrink).
pub(crate) fn settle(f: &mut Function, limbs: usize, bias: Option<At>, tight: bool) {
    let layout = Layout(limbs);
    let column = |f: &mut Function, from: At, bias: Option<At>| {
        let z = f.load(from);
        if let Some(bias) = bias {
            f.add(z, z, bias);
        }
        z
    };
    let further = |at: At, k: usize| At(at.0, at.1 + k);
    let above = |f: &mut Function, k: usize| column(f, At("rsi", k), bias.map(|bias| further(bias, k)));
    let q = tight.then(|| {
        let (top, below) = (above(f, limbs - 1), above(f, limbs - 2));
        let q = quotient(f, layout, top, below);
        f.give(top);
        f.give(below);
        q
    });
    let (mask, carry) = (f.load(layout.mask()), f.zero());
    let high = q.map(|_| f.zero());
    let limb = |f: &mut Function, z: Z, complement: At| {
        // instructions that do not wait for the carry come first
        if let (Some(q), Some(high)) = (q, high) {
            f.add(z, z, high);
            f.lo(z, q, complement);
            f.line(format_args!("vpxorq {high}, {high}, {high}"));
            f.hi(high, q, complement);
        }
        f.add(z, z, carry);
    };
    let done = |f: &mut Function, z: Z, to: At| {
        f.carry(carry, z);
        f.and(z, z, mask);
        f.store(to, z);
    };
    let complement = layout.complement();
    repeat(f, 0, limbs - TURN, |f, k| {
        let z = column(f, behind(At("rsi", 0), k), bias.map(|bias| behind(bias, k)));
        limb(f, z, behind(complement, k));
        done(f, z, behind(At("rdi", 0), k));
    });
    for k in limbs - TURN..limbs {
        let z = above(f, k);
        limb(f, z, further(complement, k));
        if k + 1 < limbs {
            done(f, z, At("rdi", k));
            continue;
        }
        if let (Some(q), Some(high)) = (q, high) {
            f.sub(high, high, q);
            f.line(format_args!("vpsllq {high}, {high}, 52"));
            f.add(z, z, high);
        }
        f.store(At("rdi", k), z);
    }
}
