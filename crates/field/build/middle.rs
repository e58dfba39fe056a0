//! Karatsuba's product (`karatsuba`) of halves by rows. The columns of M start with the values that M is added to, so
//! that M is not stored. Half sums are added up when they are read. Only a half sum whose limbs do not fit the
//! registers beside the columns is stored.

use crate::columns::{Columns, Limbs, row};
use crate::frame::{Place, call, enter, leave};
use crate::function::{At, Function, Z};
use crate::karatsuba::half_sum;
use crate::kernels::BINARY;
use crate::product::{Sum, unseen};

/// The most limbs of a half sum that is held in registers.
const HELD: usize = 10;

const ARGUMENTS: &str = "out: *mut Vector, a: *const Vector, b: *const Vector, products: *const Vector";

/// Returns the kernel mul_wide for L = 2h limbs, and the kernels that it needs besides the product of h limbs.
pub(crate) fn product(limbs: usize) -> String {
    let out = Place::Given(0, 0);
    let mut f = Function::new(format!("mul_wide_{limbs}"), BINARY);
    f.head(format_args!("a·b for {limbs} limbs from three products of halves."));
    enter(&mut f, stored(limbs / 2));
    three_products(&mut f, limbs, out, "middle");
    leave(&mut f);
    let half_sum = if stored(limbs / 2) > 0 { half_sum(limbs / 2) } else { String::new() };
    half_sum + &middle(limbs / 2, false) + &f.finish()
}

/// Returns the kernel mul_acc for L = 2h limbs, and the kernels that it needs besides those of [`product`].
pub(crate) fn mul_acc(limbs: usize) -> String {
    let mut f = Function::new(format!("mul_acc_{limbs}"), BINARY);
    f.head(format_args!("Adds a·b for {limbs} limbs from three products of halves."));
    enter(&mut f, 2 * limbs + stored(limbs / 2));
    three_products(&mut f, limbs, Place::Own(0), "middle_acc");
    leave(&mut f);
    middle(limbs / 2, true) + &f.finish()
}

/// The number of vectors that a half sum takes in the frame: 0 if it is held in registers.
fn stored(half: usize) -> usize {
    if half > HELD { half + 1 } else { 0 }
}

/// Computes P_0 and P_2 into 2L vectors, then the middle.
fn three_products(f: &mut Function, limbs: usize, products: Place, middle: &str) {
    let half = limbs / 2;
    let (out, a, b) = (Place::Given(0, 0), Place::Given(1, 0), Place::Given(2, 0));
    call(f, "product", format!("mul_wide_{half}"), &[products, a, b]);
    call(f, "product", format!("mul_wide_{half}"), &[products.plus(limbs), a.plus(half), b.plus(half)]);
    let mut s = a;
    if stored(half) > 0 {
        s = if let Place::Own(at) = products { Place::Own(at + 2 * limbs) } else { Place::Own(0) };
        call(f, "half_sum", format!("half_sum_{half}"), &[s, a]);
    }
    call(f, "middle", format!("{middle}_{half}"), &[out, s, b, products]);
}

/// Kernel: completes a·b for 2h limbs from P_0 + P_2·X². Where the half sum of a is stored, the kernel takes this
/// half sum instead of a. P_0 + P_2·X² lies in out; with `acc` it lies in memory of its own, and the whole product is
/// added to out.
///
/// With P_0 = p_0 + p_1·X and P_2 = p_2 + p_3·X, block 1 of the product is M's lower half + p_1 − p_0 − p_2, and block 2 its upper
/// half + p_2 − p_1 − p_3.
fn middle(half: usize, acc: bool) -> String {
    let name = if acc { "middle_acc" } else { "middle" };
    let mut f = Function::new(format!("{name}_{half}"), ARGUMENTS);
    f.head(format_args!("The middle of a product of 2·{half} limbs, from a, b and the products of their halves."));
    let out = |k: usize| At("rdi", k);
    let begin = |f: &mut Function, k: usize| {
        let [plus, minus, other] = if k < half { [1, 0, 2] } else { [2, 1, 3] }.map(|block| block * half + k % half);
        let z = f.load(At("rcx", plus));
        f.sub(z, z, At("rcx", minus));
        f.sub(z, z, At("rcx", other));
        if acc {
            f.add(z, z, out(half + k));
        }
        z
    };
    let sum = |base| Sum::of(half, &[At(base, 0), At(base, half)]);
    let s = if half <= HELD { sum("rsi").hold(&mut f, &mut unseen) } else { Limbs::Read("rsi", 0) };
    let mut t = sum("rdx");
    let one = f.ones(1);
    let mut c = None;
    s.with(&mut f, half - 1, |f, last| c = Some(carry(f, last, "k1")));
    let c = c.unwrap_or(one);
    let mut columns = Columns::new(2 * half);
    let mut d = None;
    for i in 0..half {
        for k in if i == 0 { 0..half + 1 } else { half + i..half + i + 1 } {
            let z = begin(&mut f, k);
            columns.set(k, z);
        }
        let digit = t.limb(&mut f, &mut unseen);
        row(&mut f, &mut columns, i, &s, 0..half, digit);
        // c·t, since M is computed from half sums without their carries
        let column = columns.touch(&mut f, half + i);
        f.lo_where("k1", column, one, digit);
        if i + 1 == half {
            d = Some(carry(&mut f, digit, "k2"));
        }
        f.give(digit);
        let z = columns.remove(&mut f, i);
        f.store(out(half + i), z);
    }
    // d·s
    for j in 0..half {
        let z = columns.remove(&mut f, half + j);
        s.with(&mut f, j, |f, limb| f.lo_where("k2", z, one, limb));
        f.store(out(2 * half + j), z);
    }
    s.release(&mut f);
    f.give(one);
    // c·d·X²
    let d = d.unwrap_or(c);
    f.and(c, c, d);
    f.give(d);
    if acc {
        for k in 0..half {
            for at in [k, 3 * half + k] {
                let z = f.load(out(at));
                f.add(z, z, At("rcx", at));
                if at == 3 * half {
                    f.add(z, z, c);
                }
                f.store(out(at), z);
            }
        }
        f.give(c);
    } else {
        f.add(c, c, out(3 * half));
        f.store(out(3 * half), c);
    }
    f.finish()
}

/// Returns the carry of the last limb of a half sum, 0 or 1, and sets `mask` to the lanes in which it is 1.
fn carry(f: &mut Function, last: Z, mask: &str) -> Z {
    let z = f.take();
    f.line(format_args!("vpsrlq {z}, {last}, 52"));
    f.line(format_args!("vptestmq {mask}, {z}, {z}"));
    z
}
