//! Kernels of F_p(i), i² = −1, where 4p < 2^(64N). An element is two elements of F_p side by side, and an unreduced
//! value is two unreduced values of F_p side by side.
//!
//! Products are Karatsuba's: v0 = a0·b0, v1 = a1·b1, s = (a0 + a1)(b0 + b1), without a correction of the sums, so that
//! s − v0 − v1 = a0·b1 + a1·b0 is exact and not negative. Squares are (a0 + a1)(a0 − a1) and 2a0·a1.

use super::elements::redc;
use super::forms::{Terms, accumulate};
use super::function::{ADD, At, FORM, Function, OPERANDS, SUB, word};
use super::layout::{ALL, Layout};
use super::rows::product;
use crate::complex::{Forms, signs};

/// Registers for the words of a linear step.
fn registers(n: usize) -> &'static [&'static str] {
    const STEP: [&str; 8] = ["r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbx"];
    &STEP[..n]
}

/// out = a ± b, computed in the registers of a linear step.
fn two(f: &mut Function, n: usize, op: [&str; 2], out: At, [a, b]: [At; 2]) {
    let d = registers(n);
    f.load(d, a.0, a.1);
    f.chain(op, d, b.0, b.1);
    f.store(out.0, out.1, d);
}

/// to = a + c in F_p(i), for the elements whose halves are the terms at rsi from number `first` on.
fn sum_of_terms(f: &mut Function, n: usize, to: At, first: usize) {
    for (i, register) in ["rax", "rdx"].into_iter().enumerate() {
        f.line(format_args!("mov {register}, {}", word("rsi", 2 * (first + 2 * i) + 1)));
    }
    for half in [0, n] {
        two(f, n, ADD, (to.0, to.1 + half), [("rax", half), ("rdx", half)]);
    }
}

/// The frame of a product: v0, v1 and s, the sums of halves, then operands that are sums.
struct Frame {
    layout: Layout,
}

impl Frame {
    fn at(&self, elements: usize) -> At {
        ("rsp", self.layout.0 * elements)
    }

    /// The addresses of v0, v1 and s.
    fn products(&self) -> [At; 3] {
        [0, 2, 4].map(|i| self.at(i))
    }

    /// The addresses of a0 + a1 and b0 + b1.
    fn sums(&self) -> [At; 2] {
        [6, 7].map(|i| self.at(i))
    }

    /// The addresses of operands that are sums.
    fn operands(&self) -> [At; 2] {
        [8, 10].map(|i| self.at(i))
    }

    fn words(&self, sums: bool) -> usize {
        self.layout.0 * if sums { 12 } else { 8 }
    }
}

/// Writes a·b to the words at `out`, for operands at rsi and rcx or in the frame: v0 − v1 and its sign, then
/// s − v0 − v1 and 0.
fn karatsuba(f: &mut Function, frame: &Frame, out: At, [a, b]: [At; 2]) {
    let n = frame.layout.0;
    let half = |(base, at): At| (base, at + n);
    let ([v0, v1, s], [x, y]) = (frame.products(), frame.sums());
    two(f, n, ADD, x, [a, half(a)]);
    two(f, n, ADD, y, [b, half(b)]);
    product(f, frame.layout, v0, [a, b]);
    product(f, frame.layout, v1, [half(a), half(b)]);
    // runs beside the third product, since it waits for nothing
    difference(f, frame, out);
    product(f, frame.layout, s, [x, y]);
    cross(f, frame, (out.0, out.1 + 2 * n + 1));
}

/// Writes v0 − v1 and its sign to the words at `out`.
fn difference(f: &mut Function, frame: &Frame, out: At) {
    let (n, [v0, v1, _]) = (frame.layout.0, frame.products());
    for k in 0..2 * n {
        f.line(format_args!("mov rax, {}", word(v0.0, v0.1 + k)));
        f.line(format_args!("{} rax, {}", SUB[usize::from(k > 0)], word(v1.0, v1.1 + k)));
        f.line(format_args!("mov {}, rax", word(out.0, out.1 + k)));
    }
    f.line("sbb rax, rax");
    f.line(format_args!("mov {}, rax", word(out.0, out.1 + 2 * n)));
}

/// Writes s − v0 − v1 and 0 to the words at `out`.
fn cross(f: &mut Function, frame: &Frame, out: At) {
    let (n, [v0, v1, s]) = (frame.layout.0, frame.products());
    // as many words at a time as there are registers; borrows wait in rdx and rcx
    let all = &ALL[..10.min(2 * n)];
    for from in (0..2 * n).step_by(all.len()) {
        let (is_first, is_last) = (from == 0, from + all.len() >= 2 * n);
        let d = &all[..all.len().min(2 * n - from)];
        f.load(d, s.0, s.1 + from);
        for (v, borrow) in [(v0, "rdx"), (v1, "rcx")] {
            if !is_first {
                f.line(format_args!("add {borrow}, {borrow}"));
            }
            f.chain(if is_first { SUB } else { ["sbb"; 2] }, d, v.0, v.1 + from);
            if !is_last {
                f.line(format_args!("sbb {borrow}, {borrow}"));
            }
        }
        f.store(out.0, out.1 + from, d);
    }
    f.line(format_args!("mov {}, 0", word(out.0, out.1 + 2 * n)));
}

/// out = (a0 + a1·i)(b0 + b1·i), unreduced.
pub(crate) fn mul_wide(layout: Layout) -> String {
    let frame = Frame { layout };
    let mut f = Function::new(format!("complex_mul_wide_{}", layout.0), OPERANDS, "a·b in F_p(i), unreduced.");
    f.enter(&ALL, frame.words(false));
    f.line("mov rcx, rdx");
    karatsuba(&mut f, &frame, ("rdi", 0), [("rsi", 0), ("rcx", 0)]);
    f.leave();
    f.finish()
}

/// out = (a + c)(b + d) in F_p(i), unreduced. The terms of the list are the halves of a, c, b and d; the halves of an
/// element lie side by side. With forms, the terms of each half of the result follow.
pub(crate) fn sums_mul_wide(layout: Layout, forms: Option<Forms>) -> String {
    let n = layout.0;
    let frame = Frame { layout };
    let head = "(a + c)(b + d) in F_p(i), unreduced.";
    let mut f = Function::new(name("complex_sums_mul", forms, n), FORM, head);
    f.enter(&ALL, frame.words(true));
    for (i, to) in frame.operands().into_iter().enumerate() {
        sum_of_terms(&mut f, n, to, 4 * i);
    }
    karatsuba(&mut f, &frame, ("rdi", 0), frame.operands());
    add_forms(&mut f, layout, forms, 8);
    f.leave();
    f.finish()
}

/// Returns the name of a kernel of sums, with or without forms.
fn name(operation: &str, forms: Option<Forms>, n: usize) -> String {
    match forms {
        Some(forms) => format!("{operation}_lin_{}_{n}", signs(forms)),
        None => format!("{operation}_wide_{n}"),
    }
}

/// Adds the forms of both halves to the product at rdi, from term `first` of the list on. Word 0 of the frame must be
/// free.
fn add_forms(f: &mut Function, layout: Layout, forms: Option<Forms>, first: usize) {
    let mut from = first;
    for (half, form) in forms.into_iter().flatten().enumerate() {
        f.line(format_args!("add rsi, {}", 16 * from));
        let minus = form.iter().filter(|c| **c < 0).count();
        let terms = Terms::Ones(form.len() - minus, minus);
        accumulate(f, layout, terms, (2 * layout.0 + 1) * half, true, 0);
        from = form.len();
    }
}

/// out = (a0 + a1·i)(b0 + b1·i)/R modulo p, canonical.
pub(crate) fn mul(layout: Layout) -> String {
    let n = layout.0;
    let frame = Frame { layout };
    let mut f = Function::new(format!("complex_mul_{n}"), OPERANDS, "a·b/R in F_p(i), canonical.");
    // the unreduced product, and the modulus
    let (first, modulus) = (frame.words(false), frame.words(false) + 4 * n + 2);
    f.enter(&ALL, modulus + 1);
    f.line(format_args!("mov {}, rcx", word("rsp", modulus)));
    f.line("mov rcx, rdx");
    karatsuba(&mut f, &frame, ("rsp", first), [("rsi", 0), ("rcx", 0)]);
    f.line(format_args!("mov rcx, {}", word("rsp", modulus)));
    redc(&mut f, layout, first, true);
    f.line(format_args!("add rdi, {}", 8 * n));
    redc(&mut f, layout, first + 2 * n + 1, false);
    f.leave();
    f.finish()
}

/// Writes the factors of a square: x0 + x1, x0 − x1 plus a multiple of p, and 2x0. Without a multiple, the second
/// factor is x0 − x1 modulo p.
fn factors(f: &mut Function, layout: Layout, x0: At, [sum, less, twice]: [At; 3], multiple: Option<usize>) {
    let n = layout.0;
    let x1 = (x0.0, x0.1 + n);
    two(f, n, ADD, twice, [x0, x0]);
    two(f, n, ADD, sum, [x0, x1]);
    let d = registers(n);
    f.load(d, x0.0, x0.1);
    f.chain(SUB, d, x1.0, x1.1);
    if multiple.is_none() {
        f.store(less.0, less.1, d);
        f.line("sbb rax, rax");
    }
    f.chain(ADD, d, "rcx", multiple.unwrap_or(Layout::P));
    if multiple.is_none() {
        f.line("add rax, rax");
        for (k, d) in d.iter().enumerate() {
            f.line(format_args!("cmovnc {d}, {}", word(less.0, less.1 + k)));
        }
    }
    f.store(less.0, less.1, d);
}

/// out = (a0 + a1·i)²/R modulo p, canonical.
pub(crate) fn sqr(layout: Layout) -> String {
    let n = layout.0;
    let mut f = Function::new(format!("complex_sqr_{n}"), OPERANDS, "a²/R in F_p(i), canonical.");
    // the factors, and the products, both below 2p²
    let (sum, less, twice) = (("rsp", 0), ("rsp", n), ("rsp", 2 * n));
    let [first, second] = [3 * n, 5 * n];
    f.enter(&ALL, 7 * n);
    factors(&mut f, layout, ("rsi", 0), [sum, less, twice], None);
    product(&mut f, layout, ("rsp", second), [twice, ("rsi", n)]);
    product(&mut f, layout, ("rsp", first), [sum, less]);
    redc(&mut f, layout, first, false);
    f.line(format_args!("add rdi, {}", 8 * n));
    redc(&mut f, layout, second, false);
    f.leave();
    f.finish()
}

/// out = (a0 + a1·i)² or, with `sums`, (a + c)², unreduced. With forms, the terms of each half of the result are
/// added.
pub(crate) fn sqr_wide(layout: Layout, sums: bool, forms: Option<Forms>) -> String {
    let n = layout.0;
    let (operation, arguments, head) = match sums {
        true => ("complex_sum_sqr", FORM, "(a + c)² in F_p(i), unreduced."),
        false => ("complex_sqr", OPERANDS, "a² in F_p(i), unreduced."),
    };
    let mut f = Function::new(name(operation, forms, n), arguments, head);
    // x0 + x1, x0 − x1 plus a multiple of p, 2x0; then x, if it is a sum
    let (sum, less, twice, x) = (("rsp", 0), ("rsp", n), ("rsp", 2 * n), ("rsp", 3 * n));
    f.enter(&ALL, 5 * n);
    if sums {
        sum_of_terms(&mut f, n, x, 0);
    }
    let x0 = if sums { x } else { ("rsi", 0) };
    factors(&mut f, layout, x0, [sum, less, twice], Some(if sums { layout.twice() } else { Layout::P }));
    let x1 = (x0.0, x0.1 + n);
    product(&mut f, layout, ("rdi", 2 * n + 1), [twice, x1]);
    product(&mut f, layout, ("rdi", 0), [sum, less]);
    f.line(format_args!("mov {}, 0", word("rdi", 2 * n)));
    f.line(format_args!("mov {}, 0", word("rdi", 4 * n + 1)));
    add_forms(&mut f, layout, forms, 4);
    f.leave();
    f.finish()
}
