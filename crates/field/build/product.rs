//! Products and squares of L limbs into columns.

use crate::columns::{Columns, Limbs, row};
use crate::function::{At, Function, Z};

/// The most limbs of an operand that is held in registers.
pub(crate) const HELD: usize = 13;

/// The limbs of an operand in memory, held in registers if there are at most [`HELD`].
pub(crate) fn operand(f: &mut Function, At(base, first): At, limbs: usize) -> Limbs {
    if limbs <= HELD { Limbs::hold(f, base, first, 0..limbs) } else { Limbs::Read(base, first) }
}

/// Adds row i of a·b, which is b_i·a.
pub(crate) fn product_row(f: &mut Function, columns: &mut Columns, a: &Limbs, b: At, i: usize, limbs: usize) {
    let digit = f.load(At(b.0, b.1 + i));
    row(f, columns, i, a, 0..limbs, digit);
    f.give(digit);
}

/// Adds the product of the operands at rsi and rdx to these columns, and stores them at rdi.
pub(crate) fn product_by_rows(f: &mut Function, mut columns: Columns, limbs: usize) {
    let a = operand(f, At("rsi", 0), limbs);
    for i in 0..limbs {
        product_row(f, &mut columns, &a, At("rdx", 0), i, limbs);
        columns.store(f, i..i + 1, At("rdi", 0));
    }
    columns.store(f, limbs..2 * limbs, At("rdi", 0));
}

/// Computes a², and passes each column to `done` as soon as it is complete. Products of different limbs are added
/// once and doubled. Takes L² + L IFMA instructions and 2L − 2 doublings.
pub(crate) fn square(
    f: &mut Function,
    columns: &mut Columns,
    a: &Limbs,
    limbs: usize,
    done: &mut dyn FnMut(&mut Function, &mut Columns, usize),
) {
    let diagonal = |f: &mut Function, columns: &mut Columns, i: usize, high: bool| {
        let doubled = !columns.untouched(2 * i + usize::from(high));
        let column = columns.touch(f, 2 * i + usize::from(high));
        if doubled {
            f.add(column, column, column);
        }
        a.with(f, i, |f, limb| if high { f.hi(column, limb, limb) } else { f.lo(column, limb, limb) });
    };
    for i in 0..limbs {
        diagonal(f, columns, i, false);
        done(f, columns, 2 * i);
        if i + 1 < limbs {
            a.with(f, i, |f, digit| row(f, columns, i, a, i + 1..limbs, digit));
        }
        diagonal(f, columns, i, true);
        done(f, columns, 2 * i + 1);
    }
}

/// A factor that is a sum of elements, Σ x − Σ y, plus a multiple of p where the sum may be negative. Its limbs are
/// produced one after the other, carried but not masked: multiplications ignore all bits above the low 52.
pub(crate) struct Sum {
    plus: Vec<At>,
    minus: Vec<At>,
    /// The limbs of the sum, if they are in registers.
    added: Vec<Z>,
    /// Whether limbs can exceed 52 bits and must be carried.
    carries: bool,
    carry: Option<Z>,
    next: usize,
    limbs: usize,
}

impl Sum {
    /// Creates the sum Σ x.
    pub(crate) fn of(limbs: usize, plus: &[At]) -> Self {
        Self::difference(limbs, plus, &[])
    }

    /// Creates the sum Σ x − Σ y.
    pub(crate) fn difference(limbs: usize, plus: &[At], minus: &[At]) -> Self {
        let carries = plus.len() + minus.len() > 1;
        let (plus, minus) = (plus.to_vec(), minus.to_vec());
        Sum { plus, minus, added: vec![], carries, carry: None, next: 0, limbs }
    }

    /// Creates a sum from limbs in memory that are already added up, but not carried.
    pub(crate) fn stored(limbs: usize, at: At) -> Self {
        Sum { carries: true, ..Self::of(limbs, &[at]) }
    }

    /// Creates a sum from limbs in registers that are already added up, but not carried. The sum hands these
    /// registers on.
    pub(crate) fn added(limbs: Vec<Z>) -> Self {
        Sum { carries: true, limbs: limbs.len(), added: limbs, ..Self::of(0, &[]) }
    }

    /// Returns the next limb in a register; `seen` gets the limb before it is carried.
    pub(crate) fn limb(&mut self, f: &mut Function, seen: &mut dyn FnMut(&mut Function, usize, Z)) -> Z {
        let (j, is_last) = (self.next, self.next + 1 == self.limbs);
        self.next += 1;
        let z = self.added.get(j).copied().unwrap_or_else(|| {
            let At(base, first) = self.plus[0];
            f.load(At(base, first + j))
        });
        for At(base, first) in self.plus.iter().skip(1) {
            f.add(z, z, At(base, first + j));
        }
        for At(base, first) in &self.minus {
            f.sub(z, z, At(base, first + j));
        }
        seen(f, j, z);
        if self.carries {
            let carry = self.carry.take();
            if let Some(carry) = carry {
                f.add(z, z, carry);
            }
            let carry = carry.unwrap_or_else(|| f.take());
            if is_last {
                f.give(carry);
            } else {
                f.carry(carry, z);
                self.carry = Some(carry);
            }
        }
        z
    }

    /// Returns all limbs in registers; `seen` gets each limb before it is carried.
    pub(crate) fn hold(mut self, f: &mut Function, seen: &mut dyn FnMut(&mut Function, usize, Z)) -> Limbs {
        Limbs::Held(0, (0..self.limbs).map(|_| self.limb(f, seen)).collect())
    }
}

/// Ignores a limb of a sum: the `seen` of callers that do not need the limbs.
pub(crate) fn unseen(_: &mut Function, _: usize, _: Z) {}

/// Computes x·y for sums x and y, and passes each column to `done` when it is complete.
pub(crate) fn product_of_sums(f: &mut Function, x: Sum, y: Sum, done: &mut dyn FnMut(&mut Function, usize, Z)) {
    let x = x.hold(f, &mut unseen);
    product_of_held(f, x, y, &mut unseen, done);
}

/// Computes x·y for x in registers, which are given back, and a sum y. `seen` gets the limbs of y before they are
/// carried, and `done` gets each column when it is complete.
pub(crate) fn product_of_held(
    f: &mut Function,
    x: Limbs,
    mut y: Sum,
    seen: &mut dyn FnMut(&mut Function, usize, Z),
    done: &mut dyn FnMut(&mut Function, usize, Z),
) {
    let limbs = y.limbs;
    let mut columns = Columns::new(2 * limbs);
    for i in 0..limbs {
        let digit = y.limb(f, seen);
        row(f, &mut columns, i, &x, 0..limbs, digit);
        f.give(digit);
        let z = columns.remove(f, i);
        done(f, i, z);
    }
    x.release(f);
    for k in limbs..2 * limbs {
        let z = columns.remove(f, k);
        done(f, k, z);
    }
}
