//! Kernels of two calls, for sizes at which a product or a form does not fit the registers together with its
//! reduction. The first call leaves 2L columns on the stack, and the second call reduces them.

use crate::end;
use crate::frame::{leave, reserve};
use crate::function::{At, Function};
use crate::kernels::LIST;
use crate::layout::Layout;
use crate::shape::Shape;

/// Reserves 2L vectors on the stack, and makes rdi point to them.
fn frame(f: &mut Function, limbs: usize) {
    reserve(f, 2 * limbs);
    // the addresses of the result, the modulus and a list must survive the first call
    for register in ["rdi", "rcx", "r8", "r9"] {
        f.line(format_args!("push {register}"));
    }
    f.line("sub rsp, 32");
    f.line("lea rdi, [rsp + 64]");
}

/// Reduces the columns at the end of the frame, and drops the frame. The kernel's list is added; `count`, if given,
/// replaces the length of the list.
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

/// Kernel: a product or a square, computed unreduced and then reduced.
pub(crate) fn in_two(name: &str, shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(name), end::ARGUMENTS);
    f.head(format_args!("{name} for {limbs} limbs: the product, then its reduction."));
    frame(&mut f, limbs);
    f.call("product", format!("{name}_wide_{limbs}"));
    reduce_frame(&mut f, shape, None);
    f.finish()
}

/// Kernel: a form, then its reduction. The multiple of p·R that keeps the form positive is added between the two, so
/// that one kernel reduces everything. For a tight modulus the multiple of p in the result is subtracted last.
pub(crate) fn reduce_in_two(shape: Shape, kind: &str) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(format_args!("reduce{kind}")), LIST);
    f.head(format_args!("Σ c·w/R mod p for {limbs} limbs: the form, then its reduction."));
    frame(&mut f, limbs);
    f.call("form", format!("lin_{limbs}"));
    // the columns lie one vector behind rsp: the four saved registers and 32 bytes of padding
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
