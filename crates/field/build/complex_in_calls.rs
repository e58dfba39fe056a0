//! Products and squares in F_p(i) where products go by halves: calls of the product, and reductions that read its results. The
//! formulas are those of `complex`.

use crate::columns::Columns;
use crate::complex::{ARGUMENTS, reduce_difference};
use crate::frame::{Place, call, enter, leave};
use crate::function::{At, Function};
use crate::kernels::MODULAR;
use crate::reduction::Reduction;
use crate::shape::Shape;

/// The components of a and b, and of the result.
const A: [Place; 2] = [Place::Given(1, 0), Place::Second(1)];
const B: [Place; 2] = [Place::Given(2, 0), Place::Second(2)];
const OUT: [Place; 2] = [Place::Given(0, 0), Place::Second(0)];

/// Product and square, reduced, and what they call.
pub(crate) fn kernels(shape: Shape) -> String {
    difference(shape) + &cross(shape) + &double(shape) + &mul(shape) + &sqr(shape)
}

/// Kernel: reduces v0 − v1 + p·R.
fn difference(shape: Shape) -> String {
    let mut f = Function::new(shape.kernel("redc_difference"), MODULAR);
    f.head(format_args!("(a − b + p·R)/R mod p for twice {} columns.", shape.limbs));
    reduce_difference(&mut f, shape, At("rsi", 0), At("rdx", 0), "rdi");
    f.finish()
}

/// Kernel: reduces s − v0 − v1.
fn cross(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("redc_cross"), MODULAR);
    f.head(format_args!("(b − v0 − v1)/R mod p for twice {limbs} columns, v0 at a and v1 behind it."));
    reduce_as(&mut f, shape, |f, k| {
        let z = f.load(At("rdx", k));
        f.sub(z, z, At("rsi", k));
        f.sub(z, z, At("rsi", 2 * limbs + k));
        z
    });
    f.finish()
}

/// Kernel: reduces 2v.
fn double(shape: Shape) -> String {
    let mut f = Function::new(shape.kernel("redc_double"), MODULAR);
    f.head(format_args!("2a/R mod p for twice {} columns; b is not read.", shape.limbs));
    reduce_as(&mut f, shape, |f, k| {
        let z = f.load(At("rsi", k));
        f.add(z, z, z);
        z
    });
    f.finish()
}

/// Reduces the columns that `column` makes, to rdi.
fn reduce_as(f: &mut Function, shape: Shape, column: impl Fn(&mut Function, usize) -> crate::function::Z) {
    let mut columns = Columns::new(2 * shape.limbs);
    let reduction = Reduction::new(f, shape, false);
    reduction.rows_as_read(f, &mut columns, &mut |f, columns, k| {
        let z = column(f, k);
        columns.set(k, z);
    });
    reduction.finish(f, &mut columns, "rdi");
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
    call(&mut f, "difference", shape.kernel("redc_difference"), &[OUT[0], wide(0), wide(1)]);
    call(&mut f, "cross", shape.kernel("redc_cross"), &[OUT[1], wide(0), wide(2)]);
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
    call(&mut f, "difference", shape.kernel("redc_difference"), &[OUT[0], wide(0), wide(1)]);
    call(&mut f, "double", shape.kernel("redc_double"), &[OUT[1], wide(2)]);
    leave(&mut f);
    f.finish()
}
