//! Common operations: of two that compute the same from the same values, one is done (value numbering; Cocke and Schwartz 1970).
//!
//! A value that is read again lives longer, but routines are short, and repetitions are close together.

use super::Lines;
use crate::op::{Ref, Term};
use bilinear_field::Code;
use std::collections::HashMap;

pub(super) fn common(routine: &mut Lines) {
    // the value that each value is
    let mut same: Vec<u32> = (0..routine.kinds.len() as u32).collect();
    let mut known: HashMap<(Code, Vec<Term>), u32> = HashMap::new();
    for line in &routine.lines {
        let operands = &mut routine.terms[line.operands.clone()];
        for t in operands.iter_mut().filter(|t| !t.value.is_constant()) {
            t.value = Ref::value(same[t.value.number()] as usize);
        }
        let mut operands = operands.to_vec();
        if matches!(line.code, Code::Add | Code::Mul | Code::MulWide | Code::And) {
            operands.sort_unstable_by_key(|t| t.value);
        }
        let first = *known.entry((line.code, operands)).or_insert(line.makes.start);
        for (v, known) in line.makes.clone().zip(first..) {
            same[v as usize] = known;
        }
    }
    // results stay what they are: each has a place of its own
}
