//! Kernels for more limbs than registers hold, L = 2h. The product is Karatsuba's over products of h limbs, the
//! reduction works on blocks of h limbs, and operations linear in L run in loops. Frames take up to 34 KB of the
//! stack at L = 80.

use crate::columns::{Columns, Limbs, row};
use crate::end;
use crate::frame::{Place, call, enter, leave};
use crate::function::{At, Function};
use crate::karatsuba;
use crate::kernels::{BINARY, LIST, MODULAR};
use crate::layout::Layout;
use crate::middle;
use crate::product::product_by_rows;
use crate::rolled::{behind, chunks, repeat, settle};
use crate::shape::Shape;
use crate::sizes::{Product, straight};

/// The most limbs for which a product by rows has a second kernel that adds (mul_acc). For more limbs, the product,
/// its middle, the digits and this second kernel together would not fit the instruction cache.
const IN_ROWS: usize = 15;

/// The sums of two elements that have kernels of their own at the smaller sizes. A difference that need not be closed
/// (`sub`) is closed here.
const SHORT_SUMS: [(&str, [i32; 2]); 5] = [
    ("sub", [1, -1]),
    ("sum_of_two", [1, 1]),
    ("difference", [1, -1]),
    ("three_and_two", [3, 2]),
    ("three_less_two", [3, -2]),
];

/// Returns every kernel for L limbs that does not reduce.
pub(crate) fn kernels(limbs: usize) -> String {
    let half = limbs / 2;
    let mut text = match Product::of(half) {
        Product::Rows if half <= IN_ROWS => mul_acc(half),
        Product::Middle if straight(half) => middle::mul_acc(half),
        _ => mul_acc_halves(half),
    };
    text += &karatsuba::kernels(limbs);
    text += &add(limbs);
    text += &sum(limbs);
    for (name, coefficients) in SHORT_SUMS {
        text += &short_sum(name, coefficients, limbs);
    }
    text + &lin(limbs)
}

/// Returns the kernels that reduce. The shape of the lower half must have reducing kernels too, unless its digits are
/// found in straight-line code.
pub(crate) fn reducing(shape: Shape) -> String {
    let half = shape.lower_half();
    let mut text = if straight(half.limbs) { digits(half) } else { String::new() };
    text += &digits_halves(shape);
    text += &in_two("mul", shape);
    text += &in_two("sqr", shape);
    text += &reduce(shape, "", false);
    text + &reduce(shape, "_tight", true)
}

fn mul_acc(limbs: usize) -> String {
    let mut f = Function::new(format!("mul_acc_{limbs}"), BINARY);
    f.head(format_args!("Adds a·b for {limbs} limbs, row by row: 2L² products of halves."));
    product_by_rows(&mut f, Columns::stored(2 * limbs, At("rdi", 0)), limbs);
    f.finish()
}

fn digits(shape: Shape) -> String {
    let Shape { limbs, zeros } = shape;
    let mut f = Function::new(shape.kernel("digits"), MODULAR);
    f.head(format_args!(
        "The {limbs} digits a for which out + a·(p mod 2^(52·{limbs})) begins with as many columns of 0, added to the"
    ));
    f.head("columns above them; b is not read. 2L(L − z) products of halves.");
    f.head("The next digit is begun in the middle of a row, so that it is there when the row ends.");
    let layout = Layout(limbs);
    let At(base, first) = layout.p();
    let p = Limbs::Read(base, first);
    let mut columns = Columns::stored(2 * limbs, At("rdi", 0));
    // the carry of column i, without the high half of p_0·digit, and the digit
    let begin = |f: &mut Function, columns: &mut Columns, i: usize| {
        let (column, digit) = (columns.remove(f, i), f.zero());
        f.lo(digit, column, layout.u());
        // column + lo(p_0·digit) is a multiple of 2^52: its carry is that of column + 2^52 − 1
        f.add(column, column, layout.mask());
        f.carry(column, column);
        (column, digit)
    };
    let mut begun = begin(&mut f, &mut columns, 0);
    for i in 0..limbs {
        let (carry, digit) = begun;
        f.hi(carry, digit, At(base, first));
        if zeros == 0 {
            row(&mut f, &mut columns, i, &p, 1..2, digit);
        }
        let next = columns.touch(&mut f, i + 1);
        f.add(next, next, carry);
        f.give(carry);
        let (lowest, middle) = (2.max(zeros + 1), (limbs + zeros) / 2 + 1);
        row(&mut f, &mut columns, i, &p, lowest..middle, digit);
        if i + 1 < limbs {
            begun = begin(&mut f, &mut columns, i + 1);
        }
        row(&mut f, &mut columns, i, &p, middle..limbs, digit);
        f.store(At("rsi", i), digit);
    }
    columns.store(&mut f, limbs..2 * limbs, At("rdi", 0));
    f.finish()
}

fn mul_acc_halves(limbs: usize) -> String {
    let mut f = Function::new(format!("mul_acc_{limbs}"), BINARY);
    f.head(format_args!("Adds a·b for {limbs} limbs."));
    enter(&mut f, 2 * limbs);
    call(&mut f, "product", format!("mul_wide_{limbs}"), &[Place::Own(0)]);
    Place::Given(0, 0).into(&mut f, "rdi");
    Place::Own(0).into(&mut f, "rsi");
    repeat(&mut f, 0, 2 * limbs, |f, k| {
        let z = f.load(behind(At("rdi", 0), k));
        f.add(z, z, behind(At("rsi", 0), k));
        f.store(behind(At("rdi", 0), k), z);
    });
    leave(&mut f);
    f.finish()
}

fn digits_halves(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("digits"), MODULAR);
    f.head(format_args!(
        "The {limbs} digits a for which out + a·(p mod 2^(52·{limbs})) begins with as many columns of 0, added to the"
    ));
    f.head("columns above them; b is not read.");
    let half = limbs / 2;
    enter(&mut f, 0);
    let (columns, digits, At(_, p)) = (Place::Given(0, 0), Place::Given(1, 0), Layout(limbs).p());
    for at in [0, half] {
        call(&mut f, "digits", shape.lower_half().kernel("digits"), &[columns.plus(at), digits.plus(at)]);
        let upper = Place::Given(3, p + half);
        call(&mut f, "mul_acc", format!("mul_acc_{half}"), &[columns.plus(at + half), digits.plus(at), upper]);
    }
    leave(&mut f);
    f.finish()
}

/// The offset, in vectors, at which the L digits lie behind 2L columns. The code for a half of h limbs stores digit i
/// and soon reads column h + i. A processor mistakes the two for the same address, and waits, if they lie at the same
/// offset in a page of 64 vectors.
fn behind_columns(limbs: usize) -> usize {
    let (at, half) = (2 * limbs, limbs / 2);
    if (at - half) % 64 < 8 { at + 8 } else { at }
}

/// The size, in vectors, of a frame that holds 2L columns and their digits.
fn columns_and_digits(limbs: usize) -> usize {
    behind_columns(limbs) + limbs
}

/// Reduces the 2L columns at the end of the frame, and drops the frame.
fn reduce_frame(f: &mut Function, shape: Shape, bias: Option<At>, tight: bool) {
    let limbs = shape.limbs;
    call(f, "digits", shape.kernel("digits"), &[Place::Own(0), Place::Own(behind_columns(limbs))]);
    Place::Given(0, 0).into(f, "rdi");
    Place::Own(limbs).into(f, "rsi");
    Place::Given(3, 0).into(f, "rcx");
    settle(f, limbs, bias, tight);
    leave(f);
}

fn in_two(name: &str, shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(name), end::ARGUMENTS);
    f.head(format_args!("{name} for {limbs} limbs: the product, then its reduction; no list is read."));
    enter(&mut f, columns_and_digits(limbs));
    call(&mut f, "product", format!("{name}_wide_{limbs}"), &[Place::Own(0)]);
    reduce_frame(&mut f, shape, None, false);
    f.finish()
}

fn add(limbs: usize) -> String {
    let mut f = Function::new(format!("add_{limbs}"), MODULAR);
    f.head(format_args!("a + b for {limbs} limbs."));
    settle(&mut f, limbs, Some(At("rdx", 0)), false);
    f.finish()
}

fn sum(limbs: usize) -> String {
    let mut f = Function::new(format!("sum_{limbs}"), LIST);
    f.head(format_args!("Σ c·x for {limbs} limbs, near [0, p)."));
    chunks(&mut f, limbs);
    f.line("mov rsi, rdi");
    settle(&mut f, limbs, Some(Layout(limbs).bias()), true);
    f.finish()
}

/// Kernel: the sum of two elements with these coefficients. It passes them to the kernel `sum` as a list.
fn short_sum(name: &str, coefficients: [i32; 2], limbs: usize) -> String {
    let mut f = Function::new(format!("{name}_{limbs}"), MODULAR);
    let [a, b] = coefficients;
    f.head(format_args!("{a}·a + {b}·b for {limbs} limbs, near [0, p)."));
    enter(&mut f, 1);
    for (i, coefficient) in coefficients.iter().enumerate() {
        f.line(format_args!("mov qword ptr [rsp + {}], {coefficient}", 16 * i));
        Place::Given(i + 1, 0).into(&mut f, "rax");
        f.line(format_args!("mov [rsp + {}], rax", 16 * i + 8));
    }
    Place::Given(0, 0).into(&mut f, "rdi");
    f.line("mov rsi, rsp");
    f.line("mov edx, 2");
    Place::Given(3, 0).into(&mut f, "rcx");
    f.call("sum", format!("sum_{limbs}"));
    leave(&mut f);
    f.finish()
}

fn lin(limbs: usize) -> String {
    let mut f = Function::new(format!("lin_{limbs}"), LIST);
    f.head(format_args!("Σ c·w for 2·{limbs} columns."));
    chunks(&mut f, 2 * limbs);
    f.finish()
}

fn reduce(shape: Shape, kind: &str, tight: bool) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(format_args!("reduce{kind}")), LIST);
    f.head(format_args!("Σ c·w/R mod p for {limbs} limbs: the form, then its reduction."));
    enter(&mut f, columns_and_digits(limbs));
    Place::Own(0).into(&mut f, "rdi");
    chunks(&mut f, 2 * limbs);
    reduce_frame(&mut f, shape, Some(Layout(limbs).bias_reduced(tight)), tight);
    f.finish()
}
