//! Columns: signed 64-bit sums of weight 2^(52k), as a product accumulates them, and the rows that add to them.

use crate::function::{At, Function, Z};

/// The limbs of an operand: in registers, or read at each use.
pub(crate) enum Limbs {
    /// Limb j is in register `j − .0` of the list.
    Held(usize, Vec<Z>),
    /// Limb j is vector `.1 + j` behind the address in `.0`.
    Read(&'static str, usize),
}

impl Limbs {
    /// Loads the limbs `range`; limb 0 is vector `first` behind `base`.
    pub(crate) fn hold(f: &mut Function, base: &'static str, first: usize, range: std::ops::Range<usize>) -> Self {
        Limbs::Held(range.start, range.map(|j| f.load(At(base, first + j))).collect())
    }

    /// Gives back the registers.
    pub(crate) fn release(self, f: &mut Function) {
        if let Limbs::Held(_, limbs) = self {
            limbs.into_iter().for_each(|z| f.give(z));
        }
    }

    /// Passes a register with limb j to `then`.
    pub(crate) fn with(&self, f: &mut Function, j: usize, then: impl FnOnce(&mut Function, Z)) {
        match self {
            Limbs::Held(from, limbs) => then(f, limbs[j - from]),
            Limbs::Read(base, first) => {
                let z = f.load(At(base, first + j));
                then(f, z);
                f.give(z);
            }
        }
    }
}

/// Columns that are in registers once they have been touched; before that they are zero, or lie in memory.
#[derive(Clone)]
pub(crate) struct Columns(Vec<Option<Z>>, Option<At>);

impl Columns {
    /// Creates `count` columns, all zero and none in a register.
    pub(crate) fn new(count: usize) -> Self {
        Columns(vec![None; count], None)
    }

    /// Creates `count` columns that lie in memory at `place`.
    pub(crate) fn stored(count: usize, place: At) -> Self {
        Columns(vec![None; count], Some(place))
    }

    /// Makes `z` the register of column k, which must be zero so far.
    pub(crate) fn set(&mut self, k: usize, z: Z) {
        assert!(self.0[k].replace(z).is_none(), "column {k} is set twice");
    }

    /// Returns column k in a register.
    pub(crate) fn touch(&mut self, f: &mut Function, k: usize) -> Z {
        *self.0[k].get_or_insert_with(|| match self.1 {
            Some(At(base, first)) => f.load(At(base, first + k)),
            None => f.zero(),
        })
    }

    /// Removes column k, and returns its register.
    pub(crate) fn remove(&mut self, f: &mut Function, k: usize) -> Z {
        let z = self.touch(f, k);
        self.0[k] = None;
        z
    }

    /// Removes the columns `range`, and stores column k as vector k behind `to`.
    pub(crate) fn store(&mut self, f: &mut Function, range: std::ops::Range<usize>, to: At) {
        for k in range {
            let z = self.remove(f, k);
            f.store(At(to.0, to.1 + k), z);
        }
    }

    /// Splits off the columns from `first` on; in the result they are counted from 0.
    pub(crate) fn upper(&mut self, first: usize) -> Self {
        Columns(self.0.split_off(first), None)
    }

    /// Returns true if column k is still zero.
    pub(crate) fn untouched(&self, k: usize) -> bool {
        self.0[k].is_none() && self.1.is_none()
    }
}

/// Adds y·Σ x_j·2^(52(first + j)) for the limbs `range` of x. Where x is held in registers, the low halves come
/// first, so that no column is used twice in succession.
pub(crate) fn row(
    f: &mut Function,
    columns: &mut Columns,
    first: usize,
    x: &Limbs,
    range: std::ops::Range<usize>,
    y: Z,
) {
    if let Limbs::Held(from, limbs) = x {
        for j in range.clone() {
            let column = columns.touch(f, first + j);
            f.lo(column, limbs[j - from], y);
        }
        for j in range {
            let column = columns.touch(f, first + j + 1);
            f.hi(column, limbs[j - from], y);
        }
        return;
    }
    for j in range {
        let (low, high) = (columns.touch(f, first + j), columns.touch(f, first + j + 1));
        x.with(f, j, |f, x| {
            f.lo(low, x, y);
            f.hi(high, x, y);
        });
    }
}

/// Stores columns [first, first + count) as limbs of [0, 2^52), the last one as it is: carries run from column to column.
pub(crate) fn normalise(f: &mut Function, columns: &mut Columns, first: usize, count: usize, out: At, mask: At) {
    let mask = f.load(mask);
    let mut carry = None;
    for j in 0..count {
        let z = columns.remove(f, first + j);
        if let Some(carry) = carry.take() {
            f.add(z, z, carry);
            f.give(carry);
        }
        if j + 1 < count {
            let next = f.take();
            f.carry(next, z);
            f.and(z, z, mask);
            carry = Some(next);
        }
        f.store(At(out.0, out.1 + j), z);
    }
    f.give(mask);
}
