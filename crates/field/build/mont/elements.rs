//! Kernels of F_p: sums and differences of two, products and squares.

use super::function::{ADD, At, Function, OPERANDS, SUB, word};
use super::layout::Layout;
use super::rows::{product, square};

/// Registers for N words where the operands at rsi and rdx are not needed any more when the last two are loaded.
const SHORT: [&str; 6] = ["rax", "r8", "r9", "r10", "r11", "rsi"];
const LONG: [&str; 8] = ["rax", "r8", "r9", "r10", "r11", "rbx", "rbp", "rsi"];

fn registers(n: usize) -> &'static [&'static str] {
    if n <= SHORT.len() { &SHORT[SHORT.len() - n..] } else { &LONG[LONG.len() - n..] }
}

/// d = the words at rsi ± those at rdx. The last register may be rsi.
fn two(f: &mut Function, d: &[&str], op: [&str; 2]) {
    for (k, d) in d.iter().enumerate() {
        f.line(format_args!("mov {d}, {}", word("rsi", k)));
        f.line(format_args!("{} {d}, {}", if k == 0 { op[0] } else { op[1] }, word("rdx", k)));
    }
}

/// out = a + b modulo p.
pub(crate) fn add(layout: Layout) -> String {
    let d = registers(layout.0);
    let mut f = Function::new(format!("add_{}", layout.0), OPERANDS, "a + b modulo p, of canonical a and b.");
    f.enter(d, 0);
    two(&mut f, d, ADD);
    f.store("rdi", 0, d);
    f.line("mov edx, 0");
    f.line("adc edx, edx");
    // a + b − p; CF where a + b < p
    f.chain(SUB, d, "rcx", Layout::P);
    f.line("sbb rdx, 0");
    choose(&mut f, d, "cmovc");
    f.leave();
    f.finish()
}

/// out = a − b modulo p.
pub(crate) fn sub(layout: Layout) -> String {
    let d = registers(layout.0);
    let mut f = Function::new(format!("sub_{}", layout.0), OPERANDS, "a − b modulo p, of canonical a and b.");
    f.enter(d, 0);
    two(&mut f, d, SUB);
    f.store("rdi", 0, d);
    f.line("sbb rdx, rdx");
    // a − b + p
    f.chain(ADD, d, "rcx", Layout::P);
    f.line("add rdx, rdx");
    choose(&mut f, d, "cmovnc");
    f.leave();
    f.finish()
}

/// out = what it holds where the condition is met, else d.
fn choose(f: &mut Function, d: &[&str], op: &str) {
    for (k, d) in d.iter().enumerate() {
        f.line(format_args!("{op} {d}, {}", word("rdi", k)));
        f.line(format_args!("mov {}, {d}", word("rdi", k)));
    }
}

/// The words t from [rsp + 8·at] on: t/R modulo p, canonical, to the words at rdi, for t < p².
fn redc(f: &mut Function, layout: Layout, at: usize) {
    let n = layout.0;
    let c = layout.words();
    f.load(&c[..n], "rsp", at);
    f.line(format_args!("xor {}, {}", c[n], c[n]));
    f.call(format!("rows_{n}"));
    let c = layout.rotated();
    f.chain(ADD, &c[..n], "rsp", at + n);
    f.line(format_args!("adc {}, 0", c[n]));
    f.call(format!("close_{n}"));
}

/// The product of the operands at rsi and rdx, or the square of the one at rsi.
pub(crate) fn multiply(f: &mut Function, layout: Layout, out: At, is_square: bool) {
    if is_square {
        return square(f, layout, out, ("rsi", 0));
    }
    f.line("mov rcx, rdx");
    product(f, layout, out, [("rsi", 0), ("rcx", 0)]);
}

/// out = a·b/R modulo p, canonical, or a²/R.
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
    redc(&mut f, layout, 0);
    f.leave();
    f.finish()
}

/// out = a·b, unreduced, or a².
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
