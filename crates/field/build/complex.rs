//! Products and squares in F_p(i), i² = −1, in one function each: no column is written that the next step would read back.
//!
//! * a·b by Karatsuba: v0 = a0·b0, v1 = a1·b1, s = (a0 + a1)(b0 + b1); v0 − v1 and s − v0 − v1 = a0·b1 + a1·b0 ≥ 0. The sums
//!   are read by multiplications only, which ignore what is above 52 bits: their limbs are carried and not masked.
//! * a² by a0² − a1² and 2·a0·a1, which needs no sum of elements.
//!
//! The second component of an element lies r8 bytes behind the first; of an unreduced value, twice as far. A reduced difference
//! is lifted by p·R, so products must not exceed p·R.

use crate::columns::{Columns, Limbs, normalise};
use crate::function::{At, Function, Z};
use crate::layout::Layout;
use crate::product::{operand, product_row, square};
use crate::reduction::Reduction;
use crate::shape::Shape;

pub(crate) const ARGUMENTS: &str =
    "out: *mut Vector, a: *const Vector, b: *const Vector, modulus: *const Vector, stride: usize";
const LISTS: &str = "out: *mut Vector, pairs: *const Item, stride: usize, modulus: *const Vector";
const OUT: [&str; 2] = ["rdi", "rdi + r8"];
const OUT_WIDE: [&str; 2] = ["rdi", "rdi + 2*r8"];
const A: [At; 2] = [At("rsi", 0), At("rsi + r8", 0)];
const B: [At; 2] = [At("rdx", 0), At("rdx + r8", 0)];

/// Reserves `vectors` of the stack at rsp.
fn enter(f: &mut Function, vectors: usize) {
    f.line("push rbp");
    f.line("mov rbp, rsp");
    f.line(format_args!("sub rsp, {}", 64 * vectors));
    f.line("and rsp, -64");
}

fn leave(mut f: Function) -> String {
    f.line("mov rsp, rbp");
    f.line("pop rbp");
    f.finish()
}

/// x·y, each column handed to `done` when it is complete.
fn product(f: &mut Function, limbs: usize, x: &Limbs, y: At, done: &mut dyn FnMut(&mut Function, usize, Z)) {
    let mut columns = Columns::new(2 * limbs);
    for i in 0..limbs {
        product_row(f, &mut columns, x, y, i, limbs);
        let z = columns.remove(f, i);
        done(f, i, z);
    }
    for k in limbs..2 * limbs {
        let z = columns.remove(f, k);
        done(f, k, z);
    }
}

/// x·y into 2L vectors of memory.
fn product_to(f: &mut Function, limbs: usize, x: At, y: At, to: At) {
    let x = operand(f, x, limbs);
    product(f, limbs, &x, y, &mut |f, k, z| f.store(At(to.0, to.1 + k), z));
    x.release(f);
}

/// The sum of the components of an element, carried and not masked.
fn sum_of_two(f: &mut Function, limbs: usize, x: [At; 2]) -> Vec<Z> {
    let mut carry: Option<Z> = None;
    let mut sum = vec![];
    for j in 0..limbs {
        let z = f.load(At(x[0].0, x[0].1 + j));
        f.add(z, z, At(x[1].0, x[1].1 + j));
        if let Some(carry) = carry.take() {
            f.add(z, z, carry);
            f.give(carry);
        }
        if j + 1 < limbs {
            let next = f.take();
            f.carry(next, z);
            carry = Some(next);
        }
        sum.push(z);
    }
    sum
}

/// x = a0 + a1 in registers, and y = b0 + b1 in L vectors of memory.
fn sums(f: &mut Function, limbs: usize, [a, b]: [[At; 2]; 2], y: At) -> Limbs {
    let sum = sum_of_two(f, limbs, b);
    for (j, z) in sum.into_iter().enumerate() {
        f.store(At(y.0, y.1 + j), z);
    }
    Limbs::Held(0, sum_of_two(f, limbs, a))
}

/// (a0 + a1·i)(b0 + b1·i), unreduced.
pub(crate) fn mul_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_mul_wide_{limbs}"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)(b0 + b1·i) for {limbs} limbs, unreduced: three products."));
    enter(&mut f, limbs);
    three_products(&mut f, limbs, [A, B], At("rsp", 0));
    leave(f)
}

/// Karatsuba's three products, added up; L vectors at y are scratch.
fn three_products(f: &mut Function, limbs: usize, [a, b]: [[At; 2]; 2], y: At) {
    let [re, im] = OUT_WIDE;
    product_to(f, limbs, a[0], b[0], At(re, 0));
    product_to(f, limbs, a[1], b[1], At(im, 0));
    let x = sums(f, limbs, [a, b], y);
    product(f, limbs, &x, y, &mut |f, k, s| {
        let (v0, v1) = (f.load(At(re, k)), f.load(At(im, k)));
        f.sub(s, s, v0);
        f.sub(s, s, v1);
        f.sub(v0, v0, v1);
        f.store(At(im, k), s);
        f.store(At(re, k), v0);
        f.give(v1);
    });
    x.release(f);
}

/// The second operand of each sum in a list of the halves of elements: what lies where is an i32 and, at byte 8, an address.
const LISTED: usize = 32;

/// Sums of elements of F_p(i), listed at rsi one after the other, into the frame from vector `first` on; r8 becomes the stride. Each
/// is carried and masked: it is added up once more.
fn listed_sums<const K: usize>(f: &mut Function, limbs: usize, first: usize) -> [[At; 2]; K] {
    f.line("mov r8, rdx");
    let mut sums = [[At("rsp", 0); 2]; K];
    for (k, sum) in sums.iter_mut().enumerate() {
        for (register, i) in [("r9", 2 * k), ("r10", 2 * k + 1)] {
            f.line(format_args!("mov {register}, [rsi + {}]", LISTED * i + 8));
        }
        for (i, (out, terms)) in sum.iter_mut().zip([["r9", "r10"], ["r9 + r8", "r10 + r8"]]).enumerate() {
            *out = At("rsp", first + (2 * k + i) * limbs);
            let mut columns = Columns::new(limbs);
            for j in 0..limbs {
                let z = f.load(At(terms[0], j));
                f.add(z, z, At(terms[1], j));
                columns.set(j, z);
            }
            normalise(f, &mut columns, 0, limbs, *out, Layout(limbs).mask());
        }
    }
    sums
}

/// (a + c)(b + d), unreduced.
pub(crate) fn sums_mul_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_sums_mul_wide_{limbs}"), LISTS);
    f.head(format_args!("(a + c)(b + d) in F_p(i) for {limbs} limbs, unreduced: three products."));
    enter(&mut f, 5 * limbs);
    let operands = listed_sums(&mut f, limbs, limbs);
    three_products(&mut f, limbs, operands, At("rsp", 0));
    leave(f)
}

/// (a + c)², unreduced.
pub(crate) fn sum_sqr_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_sum_sqr_wide_{limbs}"), LISTS);
    f.head(format_args!("(a + c)² in F_p(i) for {limbs} limbs, unreduced: two squares and a product."));
    enter(&mut f, 2 * limbs);
    let [a] = listed_sums(&mut f, limbs, 0);
    two_squares(&mut f, limbs, a);
    leave(f)
}

/// (a0 + a1·i)², unreduced.
pub(crate) fn sqr_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("complex_sqr_wide_{limbs}"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)² for {limbs} limbs, unreduced: two squares and a product; b is not read."));
    two_squares(&mut f, limbs, A);
    f.finish()
}

/// a0² − a1² and 2·a0·a1.
fn two_squares(f: &mut Function, limbs: usize, a: [At; 2]) {
    let [re, im] = OUT_WIDE;
    for (component, subtract) in [(1, false), (0, true)] {
        let x = operand(f, a[component], limbs);
        let mut columns = Columns::new(2 * limbs);
        square(f, &mut columns, &x, limbs, &mut |f, columns, k| {
            let z = columns.remove(f, k);
            if subtract {
                f.sub(z, z, At(re, k));
            }
            f.store(At(re, k), z);
        });
        x.release(f);
    }
    let x = operand(f, a[0], limbs);
    product(f, limbs, &x, a[1], &mut |f, k, z| {
        f.add(z, z, z);
        f.store(At(im, k), z);
    });
    x.release(f);
}

/// Reduces v0 − v1 + p·R of 2L vectors each.
pub(crate) fn reduce_difference(f: &mut Function, shape: Shape, v0: At, v1: At, out: &'static str) {
    let limbs = shape.limbs;
    let mut columns = Columns::new(2 * limbs);
    let reduction = Reduction::new(f, shape, 2 * limbs + 5 <= 32);
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

/// (a0 + a1·i)(b0 + b1·i), reduced.
pub(crate) fn mul(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("complex_mul"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)(b0 + b1·i)/R mod p for {limbs} limbs: three products and two reductions."));
    enter(&mut f, 5 * limbs);
    let (y, v0, v1) = (At("rsp", 0), At("rsp", limbs), At("rsp", 3 * limbs));
    product_to(&mut f, limbs, A[0], B[0], v0);
    product_to(&mut f, limbs, A[1], B[1], v1);
    let x = sums(&mut f, limbs, [A, B], y);
    let mut columns = Columns::new(2 * limbs);
    // column k begins as −v0 − v1
    let begin = |f: &mut Function, columns: &mut Columns, k: usize| {
        let z = columns.touch(f, k);
        f.sub(z, z, At(v0.0, v0.1 + k));
        f.sub(z, z, At(v1.0, v1.1 + k));
    };
    (0..limbs).for_each(|k| begin(&mut f, &mut columns, k));
    let reduction = Reduction::new(&mut f, shape, 3 * limbs + 6 <= 32);
    for i in 0..=limbs {
        if i < limbs {
            begin(&mut f, &mut columns, limbs + i);
            product_row(&mut f, &mut columns, &x, y, i, limbs);
        }
        if i > 0 {
            reduction.row(&mut f, &mut columns, i - 1);
        }
    }
    x.release(&mut f);
    reduction.finish(&mut f, &mut columns, OUT[1]);
    reduce_difference(&mut f, shape, v0, v1, OUT[0]);
    leave(f)
}

/// (a0 + a1·i)², reduced.
pub(crate) fn sqr(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("complex_sqr"), ARGUMENTS);
    f.head(format_args!(
        "(a0 + a1·i)²/R mod p for {limbs} limbs: two squares, a product, two reductions; b is not read."
    ));
    enter(&mut f, 2 * limbs);
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
    let x = operand(&mut f, A[0], limbs);
    let mut columns = Columns::new(2 * limbs);
    product(&mut f, limbs, &x, A[1], &mut |f, k, z| {
        f.add(z, z, z);
        columns.set(k, z);
    });
    x.release(&mut f);
    reduce_columns(&mut f, shape, columns, OUT[1]);
    leave(f)
}

/// Reduces columns in registers.
fn reduce_columns(f: &mut Function, shape: Shape, mut columns: Columns, out: &'static str) {
    let reduction = Reduction::new(f, shape, true);
    for i in 0..shape.limbs {
        reduction.row(f, &mut columns, i);
    }
    reduction.finish(f, &mut columns, out);
}
