//! Products and squares of L = 2h limbs from three of h limbs (Karatsuba and Ofman, "Multiplication of multidigit numbers on
//! automata", 1963): with X = 2^(52h),
//!
//! (a_0 + a_1·X)(b_0 + b_1·X) = P_0 + (M − P_0 − P_2)·X + P_2·X², P_0 = a_0·b_0, P_2 = a_1·b_1, M = (a_0 + a_1)(b_0 + b_1).
//!
//! A half sum is s + c·X with s of h limbs and c ∈ {0, 1}: M = s·s' + (c·s' + c'·s)·X + c·c'·X². Where products of h
//! limbs are computed by rows, which read only 52 bits of a limb, the limbs of s keep the carried bits above their
//! low 52.
//!
//! The method takes 3/4 of the instructions of the product by rows, and 7 to 8 L more. Its columns are signed: those
//! of the product by rows are below 2L·2^52; those of this product are within ±2L·2^52 if the halves are computed by
//! rows, and within ±3.6·L·2^52 on three levels.

use crate::frame::{Place, call, enter, leave};
use crate::function::{At, Function};
use crate::kernels::{BINARY, UNARY};
use crate::middle;
use crate::rolled::{behind, repeat};
use crate::sizes::Product;

/// Returns the kernels mul_wide and sqr_wide for L = 2h limbs, and the kernels that they need besides the product and
/// the square of h limbs.
pub(crate) fn kernels(limbs: usize) -> String {
    let half = limbs / 2;
    let product = match Product::of(limbs) {
        Product::Middle => middle::product(limbs),
        _ => half_sum(half) + &mul_wide(limbs),
    };
    join(half) + &product + &sqr_wide(limbs)
}

/// Kernel: a_0 + a_1 for a of 2h limbs, and the carry of the sum.
pub(crate) fn half_sum(half: usize) -> String {
    let mut f = Function::new(format!("half_sum_{half}"), UNARY);
    f.head(format_args!("The sum of the halves of a, {half} limbs each, and what they carry."));
    let carry = f.zero();
    let mask = (Product::of(half) != Product::Rows).then(|| f.ones(52));
    repeat(&mut f, 0, half, |f, k| {
        let z = f.load(behind(At("rsi", 0), k));
        f.add(z, z, behind(At("rsi", half), k));
        f.add(z, z, carry);
        f.carry(carry, z);
        if let Some(mask) = mask {
            f.and(z, z, mask);
        }
        f.store(behind(At("rdi", 0), k), z);
    });
    f.store(At("rdi", half), carry);
    f.finish()
}

/// Kernel: completes the product from P_0 + P_2·X² in out, s·s', s and s'.
fn join(half: usize) -> String {
    let mut f = Function::new(
        format!("join_{half}"),
        "out: *mut Vector, middle: *const Vector, s: *const Vector, t: *const Vector",
    );
    f.head(format_args!("The middle of a product of 2·{half} limbs from the product of the half sums s and t."));
    let at = At;
    let (c, d, one) = (f.load(at("rdx", half)), f.load(at("rcx", half)), f.ones(1));
    f.line(format_args!("vptestmq k1, {c}, {c}"));
    f.line(format_args!("vptestmq k2, {d}, {d}"));
    repeat(&mut f, 0, half, |f, k| {
        let out = |block: usize| behind(at("rdi", block * half), k);
        let t = f.load(out(1));
        f.sub(t, t, out(2));
        let low = f.load(behind(at("rsi", 0), k));
        f.sub(low, low, out(0));
        f.add(low, low, t);
        let high = f.load(behind(at("rsi", half), k));
        f.sub(high, high, out(3));
        f.sub(high, high, t);
        // c·t and d·s
        f.lo_where("k1", high, one, behind(at("rcx", 0), k));
        f.lo_where("k2", high, one, behind(at("rdx", 0), k));
        f.store(out(1), low);
        f.store(out(2), high);
        f.give(t);
    });
    f.and(c, c, d);
    f.add(c, c, at("rdi", 3 * half));
    f.store(at("rdi", 3 * half), c);
    f.finish()
}

/// Kernel: a·b for L = 2h limbs.
fn mul_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("mul_wide_{limbs}"), BINARY);
    f.head(format_args!("a·b for {limbs} limbs from three products of halves."));
    let half = limbs / 2;
    let (out, a, b) = (Place::Given(0, 0), Place::Given(1, 0), Place::Given(2, 0));
    let (s, t, middle) = (Place::Own(0), Place::Own(half + 1), Place::Own(2 * half + 2));
    enter(&mut f, 4 * half + 2);
    call(&mut f, "half_sum", format!("half_sum_{half}"), &[s, a]);
    call(&mut f, "half_sum", format!("half_sum_{half}"), &[t, b]);
    call(&mut f, "product", format!("mul_wide_{half}"), &[out, a, b]);
    call(&mut f, "product", format!("mul_wide_{half}"), &[out.plus(limbs), a.plus(half), b.plus(half)]);
    call(&mut f, "product", format!("mul_wide_{half}"), &[middle, s, t]);
    call(&mut f, "join", format!("join_{half}"), &[out, middle, s, t]);
    leave(&mut f);
    f.finish()
}

/// Kernel: a² for L = 2h limbs.
fn sqr_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("sqr_wide_{limbs}"), UNARY);
    f.head(format_args!("a² for {limbs} limbs from three squares of halves."));
    let half = limbs / 2;
    let (out, a) = (Place::Given(0, 0), Place::Given(1, 0));
    let (s, middle) = (Place::Own(0), Place::Own(half + 1));
    enter(&mut f, 3 * half + 1);
    call(&mut f, "half_sum", format!("half_sum_{half}"), &[s, a]);
    call(&mut f, "square", format!("sqr_wide_{half}"), &[out, a]);
    call(&mut f, "square", format!("sqr_wide_{half}"), &[out.plus(limbs), a.plus(half)]);
    call(&mut f, "square", format!("sqr_wide_{half}"), &[middle, s]);
    call(&mut f, "join", format!("join_{half}"), &[out, middle, s, s]);
    leave(&mut f);
    f.finish()
}
