//! Puts the terms of each form in order: those with coefficient 1, those with −1, then the others. Engines have
//! kernels for such lists.

use super::Lines;
use crate::op::Term;
use bilinear_field::Arity;

pub(super) fn terms(routine: &mut Lines) {
    for line in &routine.lines {
        if let Arity::Form(elements, _) = line.code.arity() {
            let terms = &mut routine.terms[line.operands.clone()][elements..];
            let each = (terms.len() / line.code.forms()).max(1);
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
