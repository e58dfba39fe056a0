//! Products and squares of L limbs into columns.

use crate::columns::{Columns, Limbs, row};
use crate::function::{At, Function, Z};

/// The longest operand that is held in registers.
pub(crate) const HELD: usize = 13;

/// An operand in memory, held if it is short.
pub(crate) fn operand(f: &mut Function, At(base, first): At, limbs: usize) -> Limbs {
    if limbs <= HELD { Limbs::hold(f, base, first, 0..limbs) } else { Limbs::Read(base, first) }
}

/// Row i of a·b: b_i·a.
pub(crate) fn product_row(f: &mut Function, columns: &mut Columns, a: &Limbs, b: At, i: usize, limbs: usize) {
    let digit = f.load(At(b.0, b.1 + i));
    row(f, columns, i, a, 0..limbs, digit);
    f.give(digit);
}

/// a², every column handed to `done` as soon as it is complete: products of different limbs are added once and doubled. L² + L
/// IFMA and 2L − 2 doublings.
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
        let limb = match a {
            Limbs::Held(from, limbs) => limbs[i - from],
            Limbs::Read(base, first) => f.load(At(base, first + i)),
        };
        if high {
            f.hi(column, limb, limb)
        } else {
            f.lo(column, limb, limb)
        }
        if let Limbs::Read(..) = a {
            f.give(limb);
        }
    };
    for i in 0..limbs {
        diagonal(f, columns, i, false);
        done(f, columns, 2 * i);
        if i + 1 < limbs {
            let digit: Z = match a {
                Limbs::Held(from, limbs) => limbs[i - from],
                Limbs::Read(base, first) => f.load(At(base, first + i)),
            };
            row(f, columns, i, a, i + 1..limbs, digit);
            if let Limbs::Read(..) = a {
                f.give(digit);
            }
        }
        diagonal(f, columns, i, true);
        done(f, columns, 2 * i + 1);
    }
}
