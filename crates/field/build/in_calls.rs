//! Kernels of two calls, where product and reduction or form and reduction do not fit the registers together: the first leaves 2L
//! columns on the stack, which the second reduces.

use crate::end;
use crate::frame::{leave, reserve};
use crate::function::{At, Function};
use crate::kernels::LIST;
use crate::layout::Layout;
use crate::shape::Shape;

/// Reserves 2L vectors of the stack, to which rdi then points.
fn frame(f: &mut Function, limbs: usize) {
    reserve(f, 2 * limbs);
    // the place of the result, the modulus and a list outlive the first call
    for register in ["rdi", "rcx", "r8", "r9"] {
        f.line(format_args!("push {register}"));
    }
    f.line("sub rsp, 32");
    f.line("lea rdi, [rsp + 64]");
}

/// Reduces what lies at the end of the frame, which is left. The list of the kernel is added, or what is said of it instead.
fn reduce_frame(f: &mut Function, shape: Shape, count: Option<i32>) {
    f.line("lea rsi, [rsp + 64]");
    for (i, register) in ["r9", "r8", "rcx", "rdi"].into_iter().enumerate() {
        f.line(format_args!("mov {register}, [rsp + {}]", 32 + 8 * i));
    }
    if let Some(count) = count {
        f.line(format_args!("mov r9d, {count}"));
    }
    f.call("redc", shape.kernel("redc"));
    leave(f);
}

/// A product or a square: unreduced, then its reduction.
pub(crate) fn in_two(name: &str, shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(name), end::ARGUMENTS);
    f.head(format_args!("{name} for {limbs} limbs: the product, then its reduction."));
    frame(&mut f, limbs);
    f.call("product", format!("{name}_wide_{limbs}"));
    reduce_frame(&mut f, shape, None);
    f.finish()
}

/// A form, then its reduction. The multiple of p·R that keeps the form positive is added between them, so that one kernel reduces
/// everything; of a tight modulus the multiple of p in the result is taken off last.
pub(crate) fn reduce_in_two(shape: Shape, kind: &str) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(format_args!("reduce{kind}")), LIST);
    f.head(format_args!("Σ c·w/R mod p for {limbs} limbs: the form, then its reduction."));
    frame(&mut f, limbs);
    f.call("form", format!("lin_{limbs}"));
    // behind the four registers and the place for these
    let is_tight = kind == "_tight";
    let (upper, At(base, bias)) = (At("rsp", 1 + limbs), Layout(limbs).bias_reduced(is_tight));
    f.line("mov rcx, [rsp + 48]");
    for k in 0..limbs {
        let z = f.load(At(base, bias + k));
        f.add(z, z, At(upper.0, upper.1 + k));
        f.store(At(upper.0, upper.1 + k), z);
    }
    if is_tight {
        f.requests(2 * limbs + 1);
    }
    reduce_frame(&mut f, shape, Some(if is_tight { end::TIGHT } else { 0 }));
    f.finish()
}
