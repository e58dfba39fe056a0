//! Puts the terms of each form in order: those with coefficient 1, those with −1, then the others. Engines have
//! kernels for such lists.

use crate::op::Term;
use crate::program::Routine;
use bilinear_field::Arity;

pub(super) fn terms(routine: &mut Routine) {
    for op in &routine.ops {
        if let Arity::Form(elements, _) = op.code.arity() {
            let terms = &mut routine.operands[op.operands.start as usize + elements..op.operands.end as usize];
            let each = (terms.len() / op.code.forms()).max(1);
            terms.chunks_mut(each).for_each(sort);
        }
    }
}

/// Puts the terms of one form in this order.
pub(super) fn sort(form: &mut [Term]) {
    form.sort_by_key(|t| match t.coeff {
        1 => 0,
        -1 => 1,
        _ => 2,
    });
}
