//! Products and squares in F_p(i), i² = −1, in one function each.
//!
//! * a·b by Karatsuba: v0 = a0·b0, v1 = a1·b1, s = (a0 + a1)(b0 + b1); v0 − v1 and s − v0 − v1 = a0·b1 + a1·b0 ≥ 0.
//! * a² by (a0 + a1)(a0 − a1) and 2·a0·a1. A square that is reduced at once takes a0² − a1², whose range is that of a product.
//!
//! Factors that are sums are added up when they are read (`Sum`). Columns that are read again stay in registers as
//! long as there are enough registers. The second component of an element lies a stride of bytes behind the first;
//! that of an unreduced value lies twice as far behind. A reduced difference is biased by p·R, so products must not
//! exceed p·R.

use crate::columns::{Columns, row};
use crate::frame::{leave, reserve};
use crate::function::{At, Function, Z};
use crate::layout::Layout;
use crate::product::{Sum, operand, product_of_held, product_of_sums, square, unseen};
use crate::reduction::Reduction;
use crate::shape::Shape;

pub(crate) const ARGUMENTS: &str =
    "out: *mut Vector, a: *const Vector, b: *const Vector, modulus: *const Vector, stride: usize";
const LISTS: &str = "out: *mut Vector, pairs: *const Item, stride: usize, modulus: *const Vector";
const OUT: [&str; 2] = ["rdi", "rdi + r8"];
const OUT_WIDE: [&str; 2] = ["rdi", "rdi + 2*r8"];
const A: [At; 2] = [At("rsi", 0), At("rsi + r8", 0)];
const B: [At; 2] = [At("rdx", 0), At("rdx + r8", 0)];
/// The halves of the result of a kernel that takes a list. In the list an element takes `LISTED` bytes: a term for
/// each of its halves, which is an i32 and, at byte 8, an address.
const LISTED_OUT: [&str; 2] = ["rdi", "rdi + 2*rdx"];
const LISTED: usize = 32;

/// The number of columns of one product that stay in registers while the next product is computed. The other
/// registers hold a factor, L + 1 columns, the carry of a sum and three values that are added up.
fn kept_columns(limbs: usize) -> usize {
    (27 - 2 * limbs).min(2 * limbs)
}

/// The most limbs for which a0 + a1 stays in registers beside the values that [`kept_columns`] lists: in a product,
/// and (`SUMMED_SQUARE`) in a square.
const SUMMED: usize = 5;
const SUMMED_SQUARE: usize = 9;

/// Stores x·y as 2L vectors of memory.
fn product_to(f: &mut Function, limbs: usize, x: At, y: At, to: At) {
    let [x, y] = [x, y].map(|x| Sum::of(limbs, &[x]));
    product_of_sums(f, x, y, &mut |f, k, z| f.store(At(to.0, to.1 + k), z));
}

/// The coefficients of the terms of both halves.
pub(crate) type Forms = [&'static [i32]; 2];

/// The terms that are added to one half of a result: those of a list from number `first` on. Their addresses are in
/// registers while the half is computed.
#[derive(Clone, Copy)]
struct Terms {
    first: usize,
    coefficients: &'static [i32],
    registers: &'static [&'static str],
}

impl Terms {
    const NONE: [Terms; 2] = [Terms { first: 0, coefficients: &[], registers: &[] }; 2];

    /// Creates the terms of both halves of a product or a square of sums, which leave different registers free. The
    /// last two registers of a product are callee-saved.
    fn of([re, im]: Forms, is_square: bool) -> [Self; 2] {
        let registers: &[_] = if is_square { &["r10", "r11", "rax"] } else { &["rax", "rcx", "rbx", "rbp"] };
        let first = if is_square { 4 } else { 8 };
        [(first, re), (first + re.len(), im)].map(|(first, coefficients)| Terms { first, coefficients, registers })
    }

    /// The callee-saved registers among those in use.
    fn saved([re, im]: [Self; 2]) -> impl DoubleEndedIterator<Item = &'static str> + Clone {
        let used = &re.registers[..re.coefficients.len().max(im.coefficients.len())];
        used.iter().copied().filter(|register| ["rbx", "rbp"].contains(register))
    }

    /// Loads the addresses of the terms.
    fn begin(self, f: &mut Function) {
        for (i, register) in self.registers.iter().enumerate().take(self.coefficients.len()) {
            f.line(format_args!("mov {register}, [rsi + {}]", 16 * (self.first + i) + 8));
        }
    }

    /// z += Σ c·w in column k.
    fn add(self, f: &mut Function, k: usize, z: Z) {
        for (c, register) in self.coefficients.iter().zip(self.registers) {
            let w = At(register, k);
            match c {
                1 => f.add(z, z, w),
                -1 => f.sub(z, z, w),
                _ => {
                    // bit by bit from the highest bit: Horner's rule
                    let multiple = f.load(w);
                    for bit in (0..c.ilog2()).rev() {
                        f.add(multiple, multiple, multiple);
                        if c >> bit & 1 == 1 {
                            f.add(multiple, multiple, w);
                        }
                    }
                    f.add(z, z, multiple);
                    f.give(multiple);
                }
            }
        }
    }
}

/// Kernel: (a0 + a1·i)(b0 + b1·i), unreduced.
pub(crate) fn mul_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_mul_wide_{limbs}"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)(b0 + b1·i) for {limbs} limbs, unreduced: three products."));
    three_products(&mut f, limbs, [A, B].map(|x| x.map(|x| vec![x])), OUT_WIDE, Terms::NONE);
    f.finish()
}

/// Writes Karatsuba's three products for sums a and b, combines the products, and adds the terms of each half.
fn three_products(
    f: &mut Function,
    limbs: usize,
    [a, b]: [[Vec<At>; 2]; 2],
    [re, im]: [&'static str; 2],
    terms: [Terms; 2],
) {
    let [s, t] = [&a, &b].map(|x| Sum::of(limbs, &x.concat()));
    let [[a0, a1], [b0, b1]] = [a, b].map(|x| x.map(|x| Sum::of(limbs, &x)));
    // the limbs of a0 + a1, as far as they are known
    let mut sum = vec![];
    let x = a0.hold(f, &mut |f, _, a0| {
        if limbs <= SUMMED {
            sum.push(f.copy(a0));
        }
    });
    let mut kept = vec![];
    product_of_held(f, x, b0, &mut unseen, &mut |f, k, v0| match k < kept_columns(limbs) {
        true => kept.push(v0),
        false => f.store(At(re, k), v0),
    });
    terms[0].begin(f);
    let x = a1.hold(f, &mut |f, j, a1| {
        if let Some(sum) = sum.get(j) {
            f.add(*sum, *sum, a1);
        }
    });
    product_of_held(f, x, b1, &mut unseen, &mut |f, k, v1| {
        let v0 = kept.get(k).copied().unwrap_or_else(|| f.load(At(re, k)));
        let z = f.take();
        f.sub(z, v0, v1);
        terms[0].add(f, k, z);
        f.store(At(re, k), z);
        // v0 + v1
        f.add(v0, v0, v1);
        f.give(v1);
        if k >= kept.len() {
            f.store(At(im, k), v0);
        }
    });
    terms[1].begin(f);
    let s = if limbs <= SUMMED { Sum::added(sum) } else { s };
    product_of_sums(f, s, t, &mut |f, k, s| {
        match kept.get(k) {
            Some(both) => {
                f.sub(s, s, both);
                f.give(*both);
            }
            None => f.sub(s, s, At(im, k)),
        }
        terms[1].add(f, k, s);
        f.store(At(im, k), s);
    });
}

/// Loads the addresses of K sums of two elements of F_p(i) each, listed at rsi one after the other; rdx is the
/// stride.
fn listed<const K: usize>(f: &mut Function) -> [[Vec<At>; 2]; K] {
    const TERMS: [[&str; 2]; 4] = [["r8", "r8 + rdx"], ["r9", "r9 + rdx"], ["r10", "r10 + rdx"], ["r11", "r11 + rdx"]];
    for (i, [register, _]) in TERMS.into_iter().enumerate().take(2 * K) {
        f.line(format_args!("mov {register}, [rsi + {}]", LISTED * i + 8));
    }
    std::array::from_fn(|k| [0, 1].map(|half| TERMS[2 * k..2 * k + 2].iter().map(|term| At(term[half], 0)).collect()))
}

/// Kernel: (a + c)(b + d), unreduced.
pub(crate) fn sums_mul_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_sums_mul_wide_{limbs}"), LISTS);
    f.head(format_args!("(a + c)(b + d) in F_p(i) for {limbs} limbs, unreduced: three products."));
    let operands = listed(&mut f);
    three_products(&mut f, limbs, operands, LISTED_OUT, Terms::NONE);
    f.finish()
}

/// Kernel: (a + c)², unreduced.
pub(crate) fn sum_sqr_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_sum_sqr_wide_{limbs}"), LISTS);
    f.head(format_args!("(a + c)² in F_p(i) for {limbs} limbs, unreduced: two products."));
    let [a] = listed(&mut f);
    two_products(&mut f, limbs, a, LISTED_OUT, Terms::NONE);
    f.finish()
}

/// Kernel: (a + c)(b + d) or (a + c)², plus the terms of each half, unreduced.
pub(crate) fn lin(limbs: usize, forms: Forms, is_square: bool) -> String {
    let (name, head) = match is_square {
        true => ("complex_sum_sqr_lin", "(a + c)² + Σ c·w"),
        false => ("complex_sums_mul_lin", "(a + c)(b + d) + Σ c·w"),
    };
    let mut f = Function::new(format!("{name}_{}_{limbs}", signs(forms)), LISTS);
    f.head(format_args!("{head} in F_p(i) for {limbs} limbs and coefficients {forms:?}, unreduced."));
    let terms = Terms::of(forms, is_square);
    let saved = Terms::saved(terms);
    saved.clone().for_each(|register| f.line(format_args!("push {register}")));
    if is_square {
        let [a] = listed(&mut f);
        two_products(&mut f, limbs, a, LISTED_OUT, terms);
    } else {
        let operands = listed(&mut f);
        three_products(&mut f, limbs, operands, LISTED_OUT, terms);
    }
    saved.rev().for_each(|register| f.line(format_args!("pop {register}")));
    f.finish()
}

/// Returns the coefficients as they appear in the name of a kernel, half by half.
pub(crate) fn signs([re, im]: Forms) -> String {
    let sign = |c: &i32| match c {
        1 => "p".into(),
        -1 => "m".into(),
        _ => c.to_string(),
    };
    let half = |form: &[i32]| form.iter().map(sign).collect::<String>();
    format!("{}_{}", half(re), half(im))
}

/// Kernel: (a0 + a1·i)², unreduced.
pub(crate) fn sqr_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_sqr_wide_{limbs}"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)² for {limbs} limbs, unreduced: two products; b is not read."));
    two_products(&mut f, limbs, A.map(|x| vec![x]), OUT_WIDE, Terms::NONE);
    f.finish()
}

/// Writes 2·a0·a1 and (a0 + a1)(a0 − a1 + bias) for sums a0 and a1, and adds the terms of each half. The product
/// without carries comes first.
fn two_products(
    f: &mut Function,
    limbs: usize,
    [a0, a1]: [Vec<At>; 2],
    [re, im]: [&'static str; 2],
    terms: [Terms; 2],
) {
    terms[1].begin(f);
    let At(bias, first) = Layout(limbs).bias_difference();
    // `sum` is a0, and then a0 + a1; a difference of sums is not added up twice, and is stored where the result will
    // lie
    let (is_summed, is_stored) = (limbs <= SUMMED_SQUARE, limbs <= SUMMED_SQUARE && a0.len() > 1);
    let mut sum = vec![];
    let x = Sum::of(limbs, &a0).hold(f, &mut |f, _, a0| {
        if is_summed {
            sum.push(f.copy(a0));
        }
    });
    let mut seen = |f: &mut Function, j: usize, a1: Z| {
        if is_stored {
            let difference = f.take();
            f.sub(difference, sum[j], a1);
            f.add(difference, difference, At(bias, first + j));
            f.store(At(re, j), difference);
        }
        if is_summed {
            f.add(sum[j], sum[j], a1);
        }
    };
    product_of_held(f, x, Sum::of(limbs, &a1), &mut seen, &mut |f, k, z| {
        f.add(z, z, z);
        terms[1].add(f, k, z);
        f.store(At(im, k), z);
    });
    terms[0].begin(f);
    let sum = if is_summed { Sum::added(sum) } else { Sum::of(limbs, &[&a0[..], &a1].concat()) };
    let difference = if is_stored {
        Sum::stored(limbs, At(re, 0))
    } else {
        Sum::difference(limbs, &[&a0[..], &[At(bias, first)]].concat(), &a1)
    };
    product_of_sums(f, sum, difference, &mut |f, k, z| {
        terms[0].add(f, k, z);
        f.store(At(re, k), z);
    });
}

/// Reduces v0 − v1 + p·R, where v0 and v1 have 2L vectors each.
fn reduce_difference(f: &mut Function, shape: Shape, v0: At, v1: At, out: &'static str) {
    let limbs = shape.limbs;
    let mut columns = Columns::new(2 * limbs);
    let mut reduction = Reduction::new(f, shape, 2 * limbs + 5 <= 32);
    let At(p, first) = Layout(limbs).p();
    reduction.rows_as_read(f, &mut columns, &mut |f, columns, k| {
        let z = f.load(At(v0.0, v0.1 + k));
        f.sub(z, z, At(v1.0, v1.1 + k));
        if k >= limbs {
            f.add(z, z, At(p, first + k - limbs));
        }
        columns.set(k, z);
    });
    reduction.finish(f, &mut columns, out);
}

/// Kernel: (a0 + a1·i)(b0 + b1·i), reduced.
pub(crate) fn mul(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("complex_mul"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)(b0 + b1·i)/R mod p for {limbs} limbs: three products and two reductions."));
    reserve(&mut f, 4 * limbs);
    let (v0, v1) = (At("rsp", 0), At("rsp", 2 * limbs));
    product_to(&mut f, limbs, A[0], B[0], v0);
    product_to(&mut f, limbs, A[1], B[1], v1);
    let (x, mut y) = (Sum::of(limbs, &A).hold(&mut f, &mut unseen), Sum::of(limbs, &B));
    let mut columns = Columns::new(2 * limbs);
    // column k begins as −v0 − v1
    let begin = |f: &mut Function, columns: &mut Columns, k: usize| {
        let z = columns.touch(f, k);
        f.sub(z, z, At(v0.0, v0.1 + k));
        f.sub(z, z, At(v1.0, v1.1 + k));
    };
    (0..limbs).for_each(|k| begin(&mut f, &mut columns, k));
    let mut reduction = Reduction::new(&mut f, shape, 3 * limbs + 6 <= 32);
    for i in 0..=limbs {
        if i < limbs {
            begin(&mut f, &mut columns, limbs + i);
            let digit = y.limb(&mut f, &mut unseen);
            row(&mut f, &mut columns, i, &x, 0..limbs, digit);
            f.give(digit);
        }
        if i > 0 {
            reduction.row(&mut f, &mut columns, i - 1);
        }
    }
    x.release(&mut f);
    reduction.finish(&mut f, &mut columns, OUT[1]);
    reduce_difference(&mut f, shape, v0, v1, OUT[0]);
    leave(&mut f);
    f.finish()
}

/// Kernel: (a0 + a1·i)², reduced.
pub(crate) fn sqr(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("complex_sqr"), ARGUMENTS);
    f.head(format_args!(
        "(a0 + a1·i)²/R mod p for {limbs} limbs: two squares, a product, two reductions; b is not read."
    ));
    reserve(&mut f, 2 * limbs);
    let v1 = At("rsp", 0);
    let x = operand(&mut f, A[1], limbs);
    let mut columns = Columns::new(2 * limbs);
    square(&mut f, &mut columns, &x, limbs, &mut |f, columns, k| {
        let z = columns.remove(f, k);
        f.store(At(v1.0, v1.1 + k), z);
    });
    x.release(&mut f);
    let x = operand(&mut f, A[0], limbs);
    let At(p, first) = Layout(limbs).p();
    square(&mut f, &mut columns, &x, limbs, &mut |f, columns, k| {
        let z = columns.touch(f, k);
        f.sub(z, z, At(v1.0, v1.1 + k));
        if k >= limbs {
            f.add(z, z, At(p, first + k - limbs));
        }
    });
    x.release(&mut f);
    reduce_columns(&mut f, shape, columns, OUT[0]);
    let mut columns = Columns::new(2 * limbs);
    let [a0, a1] = A.map(|x| Sum::of(limbs, &[x]));
    product_of_sums(&mut f, a0, a1, &mut |f, k, z| {
        f.add(z, z, z);
        columns.set(k, z);
    });
    reduce_columns(&mut f, shape, columns, OUT[1]);
    leave(&mut f);
    f.finish()
}

/// Reduces columns in registers.
fn reduce_columns(f: &mut Function, shape: Shape, mut columns: Columns, out: &'static str) {
    let mut reduction = Reduction::new(f, shape, true);
    reduction.rows(f, &mut columns);
    reduction.finish(f, &mut columns, out);
}
