//! Products and squares in F_p(i) for sizes whose products are computed by halves: calls of the product, sums of the
//! products in place, and calls of the one reduction that all kernels of this size share. The formulas are those of
//! `complex`.

use crate::complex::ARGUMENTS;
use crate::frame::{Place, call, enter, leave};
use crate::function::{At, Function};
use crate::layout::Layout;
use crate::rolled::{behind, repeat};
use crate::shape::Shape;

/// The components of a and b, and of the result.
const A: [Place; 2] = [Place::Given(1, 0), Place::Second(1)];
const B: [Place; 2] = [Place::Given(2, 0), Place::Second(2)];
const OUT: [Place; 2] = [Place::Given(0, 0), Place::Second(0)];

/// Returns the kernels of a reduced product and a reduced square.
pub(crate) fn kernels(shape: Shape) -> String {
    mul(shape) + &sqr(shape)
}

/// w ← w − Σ v for 2L columns each, with at most two v.
fn subtract(f: &mut Function, limbs: usize, w: Place, others: &[Place]) {
    w.into(f, "rdi");
    let bases = ["rsi", "rdx"];
    others.iter().copied().zip(bases).for_each(|(v, base)| Place::into(v, f, base));
    repeat(f, 0, 2 * limbs, |f, k| {
        let z = f.load(behind(At("rdi", 0), k));
        for base in &bases[..others.len()] {
            f.sub(z, z, behind(At(base, 0), k));
        }
        f.store(behind(At("rdi", 0), k), z);
    });
}

/// v0 ← v0 − v1 + p·R.
fn difference(f: &mut Function, limbs: usize, v0: Place, v1: Place) {
    subtract(f, limbs, v0, &[v1]);
    Place::Given(3, 0).into(f, "rcx");
    repeat(f, 0, limbs, |f, k| {
        let z = f.load(behind(At("rdi", limbs), k));
        f.add(z, z, behind(Layout(limbs).p(), k));
        f.store(behind(At("rdi", limbs), k), z);
    });
}

/// w ← 2w.
fn double(f: &mut Function, limbs: usize, w: Place) {
    w.into(f, "rdi");
    repeat(f, 0, 2 * limbs, |f, k| {
        let z = f.load(behind(At("rdi", 0), k));
        f.add(z, z, z);
        f.store(behind(At("rdi", 0), k), z);
    });
}

/// Reduces w into `out`, with no terms added.
fn reduce(f: &mut Function, shape: Shape, out: Place, w: Place) {
    f.line("xor r9d, r9d");
    call(f, "redc", shape.kernel("redc"), &[out, w]);
}

fn mul(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("complex_mul"), ARGUMENTS);
    f.head(format_args!("(a0 + a1·i)(b0 + b1·i)/R mod p for {limbs} limbs: three products and two reductions."));
    let wide = |i: usize| Place::Own(2 * limbs * i);
    let (x, y) = (Place::Own(6 * limbs), Place::Own(7 * limbs));
    enter(&mut f, 8 * limbs);
    let (product, sum) = (Shape::any(limbs).kernel("mul_wide"), Shape::any(limbs).kernel("add"));
    call(&mut f, "product", product.clone(), &[wide(0), A[0], B[0]]);
    call(&mut f, "product", product.clone(), &[wide(1), A[1], B[1]]);
    call(&mut f, "sum", sum.clone(), &[x, A[0], A[1]]);
    call(&mut f, "sum", sum, &[y, B[0], B[1]]);
    call(&mut f, "product", product, &[wide(2), x, y]);
    // s − v0 − v1, before v0 becomes v0 − v1
    subtract(&mut f, limbs, wide(2), &[wide(0), wide(1)]);
    difference(&mut f, limbs, wide(0), wide(1));
    reduce(&mut f, shape, OUT[0], wide(0));
    reduce(&mut f, shape, OUT[1], wide(2));
    leave(&mut f);
    f.finish()
}

fn sqr(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("complex_sqr"), ARGUMENTS);
    f.head(format_args!(
        "(a0 + a1·i)²/R mod p for {limbs} limbs: two squares, a product, two reductions; b is not read."
    ));
    let wide = |i: usize| Place::Own(2 * limbs * i);
    enter(&mut f, 6 * limbs);
    call(&mut f, "square", Shape::any(limbs).kernel("sqr_wide"), &[wide(0), A[0]]);
    call(&mut f, "square", Shape::any(limbs).kernel("sqr_wide"), &[wide(1), A[1]]);
    call(&mut f, "product", Shape::any(limbs).kernel("mul_wide"), &[wide(2), A[0], A[1]]);
    difference(&mut f, limbs, wide(0), wide(1));
    double(&mut f, limbs, wide(2));
    reduce(&mut f, shape, OUT[0], wide(0));
    reduce(&mut f, shape, OUT[1], wide(2));
    leave(&mut f);
    f.finish()
}
