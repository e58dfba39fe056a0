//! Sums 3r ± 2x of a reduced value r that nothing else reads, as in squarings in cyclotomic subgroups: a kernel
//! computes them together with the reduction.

use crate::op::Ref;
use crate::program::Routine;
use bilinear_field::Code;
use std::collections::HashMap;

/// A sum 3r ± 2x.
#[derive(Clone, Copy)]
pub(super) struct Tripled {
    pub(super) x: Ref,
    /// Whether x is subtracted.
    pub(super) subtracts: bool,
    /// The number of the sum.
    pub(super) value: usize,
}

/// Returns the sums 3r ± 2x of a routine, by the number of r.
pub(super) fn tripled(routine: &Routine) -> HashMap<usize, Tripled> {
    let (uses, makers) = (routine.uses(), routine.makers());
    let is_reduced = |r: usize| makers[r].is_some_and(|i| routine.ops[i].code == Code::Reduce);
    let mut tripled = HashMap::new();
    for op in routine.ops.iter().filter(|op| op.code == Code::Sum) {
        let (three, two) = match routine.operands(op) {
            [a, b] if a.coeff == 3 => (a, b),
            [b, a] if a.coeff == 3 => (a, b),
            _ => continue,
        };
        let r = three.value;
        if two.coeff.abs() == 2 && !r.is_constant() && is_reduced(r.number()) && uses[r.number()] == 1 {
            let sum = Tripled { x: two.value, subtracts: two.coeff < 0, value: op.value as usize };
            tripled.insert(r.number(), sum);
        }
    }
    tripled
}
