//! Kernels of F_p: sums and differences of two elements, products and squares, and the step that adds an element to a
//! canonical one.

use super::function::{ADD, At, Function, OPERANDS, SUB, word};
use super::layout::Layout;
use super::rows::{product, square};

/// Registers for N words, up to 6 and up to 8. The last one is rsi: the address of an operand is not needed any more
/// when the operand's last word is loaded.
const SHORT: [&str; 6] = ["rax", "r8", "r9", "r10", "r11", "rsi"];
const LONG: [&str; 8] = ["rax", "r8", "r9", "r10", "r11", "rbx", "rbp", "rsi"];

fn registers(n: usize) -> &'static [&'static str] {
    if n <= SHORT.len() { &SHORT[SHORT.len() - n..] } else { &LONG[LONG.len() - n..] }
}

/// d = the words at rsi ± the words at rdx. The last register may be rsi.
fn two(f: &mut Function, d: &[&str], op: [&str; 2]) {
    for (k, d) in d.iter().enumerate() {
        f.line(format_args!("mov {d}, {}", word("rsi", k)));
        f.line(format_args!("{} {d}, {}", if k == 0 { op[0] } else { op[1] }, word("rdx", k)));
    }
}

/// out = a ± b modulo p.
pub(crate) fn add(layout: Layout, minus: bool) -> String {
    let d = registers(layout.0);
    let (name, sign, op) = if minus { ("sub", '−', SUB) } else { ("add", '+', ADD) };
    let head = format!("a {sign} b modulo p, of canonical a and b.");
    let mut f = Function::new(format!("{name}_{}", layout.0), OPERANDS, &head);
    f.enter(d, 0);
    two(&mut f, d, op);
    let cmov = corrected(&mut f, d, minus);
    for (k, d) in d.iter().enumerate() {
        f.line(format_args!("{cmov} {d}, {}", word("rdi", k)));
        f.line(format_args!("mov {}, {d}", word("rdi", k)));
    }
    f.leave();
    f.finish()
}

/// Takes a sum or a difference d of canonical elements and its carry; stores d at rdi, and leaves d ∓ p in the
/// registers. Returns the conditional move that takes the words at rdi where these are canonical. Overwrites rdx.
fn corrected(f: &mut Function, d: &[&str], minus: bool) -> &'static str {
    f.store("rdi", 0, d);
    if minus {
        // d + p, which counts if d has borrowed
        f.line("sbb rdx, rdx");
        f.chain(ADD, d, "rcx", Layout::P);
        f.line("add rdx, rdx");
        "cmovnc"
    } else {
        // d − p, which counts unless it borrows
        f.line("mov edx, 0");
        f.line("adc edx, edx");
        f.chain(SUB, d, "rcx", Layout::P);
        f.line("sbb rdx, 0");
        "cmovc"
    }
}

/// d = d ± x modulo p, canonical, for a canonical d and the canonical element x at an address; without an address,
/// d = 2d modulo p. Overwrites the words at rdi, and rdx.
pub(crate) fn step(f: &mut Function, d: &[&str], minus: bool, x: Option<&str>) {
    let op = if minus { SUB } else { ADD };
    match x {
        Some(x) => f.chain(op, d, x, 0),
        None => d.iter().enumerate().for_each(|(k, d)| f.line(format_args!("{} {d}, {d}", op[usize::from(k > 0)]))),
    }
    let cmov = corrected(f, d, minus);
    for (k, d) in d.iter().enumerate() {
        f.line(format_args!("{cmov} {d}, {}", word("rdi", k)));
    }
}

/// Reduces the words t in the frame from word `at` on. Writes t/R modulo p, canonical, to the words at rdi and leaves
/// it in the accumulator. Requires t < (2 + 2^−40)p² or, if `signed`, with the sign of t in a word above, |t| < p².
pub(crate) fn redc(f: &mut Function, layout: Layout, at: usize, signed: bool) {
    let n = layout.0;
    let (low, top) = layout.words().split_at(n);
    f.load(low, "rsp", at);
    f.line(format_args!("xor {}, {}", top[0], top[0]));
    if signed {
        // + (p_(N − 1) + 1)·2^(64(N − 1))·p ≥ p²
        f.line(format_args!("add {}, {}", low[n - 1], word("rcx", layout.square_bias())));
        f.line(format_args!("adc {}, 0", top[0]));
    }
    f.call(format!("rows_{n}"));
    let c = layout.rotated();
    f.chain(ADD, &c[..n], "rsp", at + n);
    f.line(format_args!("adc {}, {}", c[n], if signed { word("rsp", at + 2 * n) } else { "0".into() }));
    if signed {
        f.chain(ADD, &c[..n], "rcx", layout.square_bias() + 1);
        f.line(format_args!("adc {}, 0", c[n]));
    }
    f.call(format!("close_{n}"));
}

/// Writes the product of the operands at rsi and rdx, or the square of the operand at rsi.
pub(crate) fn multiply(f: &mut Function, layout: Layout, out: At, is_square: bool) {
    if is_square {
        return square(f, layout, out, ("rsi", 0));
    }
    f.line("mov rcx, rdx");
    product(f, layout, out, [("rsi", 0), ("rcx", 0)]);
}

/// out = a·b/R or, if `is_square`, a²/R modulo p, canonical.
pub(crate) fn mul(layout: Layout, is_square: bool) -> String {
    let n = layout.0;
    let (name, head) = if is_square { ("sqr", "a²/R") } else { ("mul", "a·b/R") };
    let head = format!("{head} modulo p, canonical, of residues.");
    let mut f = Function::new(format!("{name}_{n}"), OPERANDS, &head);
    // the product, and the modulus
    f.enter(&layout.used(), 2 * n + 1);
    f.line(format_args!("mov {}, rcx", word("rsp", 2 * n)));
    multiply(&mut f, layout, ("rsp", 0), is_square);
    f.line(format_args!("mov rcx, {}", word("rsp", 2 * n)));
    redc(&mut f, layout, 0, false);
    f.leave();
    f.finish()
}

/// out = a·b or, if `is_square`, a², unreduced.
pub(crate) fn mul_wide(layout: Layout, is_square: bool) -> String {
    let n = layout.0;
    let (name, head) = if is_square { ("sqr_wide", "a², unreduced.") } else { ("mul_wide", "a·b, unreduced.") };
    let mut f = Function::new(format!("{name}_{n}"), OPERANDS, head);
    f.enter(&layout.used(), 0);
    multiply(&mut f, layout, ("rdi", 0), is_square);
    f.line(format_args!("mov {}, 0", word("rdi", 2 * n)));
    f.leave();
    f.finish()
}
