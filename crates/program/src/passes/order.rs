//! The terms of each form in one order: those with coefficient 1, those with −1, then the others. Engines have kernels for such lists.

use super::Lines;
use bilinear_field::Arity;

pub(super) fn terms(routine: &mut Lines) {
    for line in &mut routine.lines {
        if let Arity::Form(elements, _) = line.code.arity() {
            line.operands[elements..].sort_by_key(|t| match t.coeff {
                1 => 0,
                -1 => 1,
                _ => 2,
            });
        }
    }
}
