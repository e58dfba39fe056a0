//! Common operations: of two operations that compute the same from the same values, only one is done (value
//! numbering; Cocke and Schwartz 1970).
//!
//! A value that is read again lives longer, but routines are short, and repetitions are close together.

use crate::op::{Ref, Term};
use crate::program::{Op, Routine};
use bilinear_field::Code;

pub(super) fn common(routine: &mut Routine) {
    // the value that stands for each value
    let mut same: Vec<u32> = (0..routine.kinds.len() as u32).collect();
    let mut known = Known::new(routine.ops.len());
    for (i, op) in routine.ops.iter().enumerate() {
        let operands = &mut routine.operands[op.operands.start as usize..op.operands.end as usize];
        for t in operands.iter_mut().filter(|t| !t.value.is_constant()) {
            t.value = Ref::value(same[t.value.number()] as usize);
        }
        let operands = routine.operands(op);
        let other = known.first(i, hash(op.code, operands), |other| {
            let other: &Op = &routine.ops[other];
            op.code == other.code && are_equal(op.code, operands, routine.operands(other))
        });
        for (v, known) in op.results().zip(routine.ops[other].results()) {
            same[v as usize] = known;
        }
    }
    // results stay as they are: each has a place of its own
}

/// Returns true if the two operands may be swapped.
fn commutes(code: Code) -> bool {
    matches!(code, Code::Add | Code::Mul | Code::MulWide | Code::And)
}

fn are_equal(code: Code, own: &[Term], other: &[Term]) -> bool {
    own == other || commutes(code) && own.iter().eq(other.iter().rev())
}

/// Returns a hash that is the same for equal operations.
fn hash(code: Code, operands: &[Term]) -> u64 {
    // multiplied by 2^64 over the golden ratio, as in Knuth (The Art of Computer Programming 3, 6.4)
    let mixed = |x: u64| (x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let of = |t: &Term| mixed(u64::from(t.coeff as u32) << 32 | u64::from(t.value.0));
    let all = operands.iter().fold(0u64, |sum, t| match commutes(code) {
        true => sum.wrapping_add(of(t)),
        false => mixed(sum).wrapping_add(of(t)),
    });
    mixed(all.wrapping_add(code as u64))
}

/// The numbers of the operations that were met. Each is at the first free place, from the place of its hash on.
struct Known {
    places: Vec<Option<usize>>,
}

impl Known {
    /// Creates a table for at most this many operations. Half of the places stay free.
    fn new(most: usize) -> Self {
        Known { places: vec![None; (2 * most).next_power_of_two()] }
    }

    /// Returns the known operation that equals i. If there is none, adds i and returns it.
    fn first(&mut self, i: usize, hash: u64, is_equal: impl Fn(usize) -> bool) -> usize {
        let last = self.places.len() - 1;
        let mut at = (hash >> 32) as usize & last;
        loop {
            match self.places[at] {
                None => break,
                Some(other) if is_equal(other) => return other,
                Some(_) => at = (at + 1) & last,
            }
        }
        self.places[at] = Some(i);
        i
    }
}
