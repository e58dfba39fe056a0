//! The end of a product: it stores the limbs of the residue, or of the residue near [0, p), or of the residue plus a
//! linear form of elements, which saves storing the residue and reading it again. One kernel has all three ends,
//! since the code of the kernels in a pairing's loop must fit a cache of 32 KB.

use crate::columns::{Columns, normalise};
use crate::forms::form;
use crate::function::{At, Function};
use crate::reduction::{Reduction, shrink};

/// The arguments of a kernel with these ends: the factors of a product, and a list of elements that are added to the
/// product.
pub(crate) const ARGUMENTS: &str = "out: *mut Vector, a: *const Vector, b: *const Vector, modulus: *const Vector, \
     terms: *const Item, count: usize";

/// The count of terms that asks for a residue near [0, p), with nothing added.
pub(crate) const TIGHT: i32 = -1;

/// Stores the value of columns L to 2L at rdi. With r9 > 0 terms at r8, the sum of the terms is added, and the result
/// is near [0, p). For r9 = [`TIGHT`] the result is near [0, p) as well, with nothing added.
pub(crate) fn finish(f: &mut Function, reduction: Reduction, columns: &mut Columns) {
    f.head("With a list its sum is added, which takes 2L + 1 products of halves more.");
    let layout = reduction.release(f);
    let limbs = layout.0;
    let result = columns.upper(limbs);
    let store = |f: &mut Function, columns: &mut Columns| normalise(f, columns, 0, limbs, At("rdi", 0), layout.mask());
    f.line("test r9d, r9d");
    f.line("jnz 22f");
    f.instead(|f| store(f, &mut result.clone()));
    f.line("jmp 23f");
    f.line("22:");
    f.body(0, |f| {
        f.line("js 24f");
        let mut sum = result;
        let At(base, first) = layout.bias();
        for k in 0..limbs {
            let z = sum.touch(f, k);
            f.add(z, z, At(base, first + k));
        }
        f.line("mov rsi, r8");
        f.line("mov edx, r9d");
        form(f, &mut sum, limbs, 0);
        f.line("24:");
        shrink(f, &mut sum, limbs, 0);
        store(f, &mut sum);
    });
    f.line("23:");
}
