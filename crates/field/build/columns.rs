//! Columns: signed 64-bit sums of weight 2^(52k), as a product accumulates them, and the rows that add to them.

use crate::function::{At, Function, Z};

/// The limbs of an operand: in registers, or read at each use.
pub(crate) enum Limbs {
    /// Limb j in register `j − .0`.
    Held(usize, Vec<Z>),
    /// Limb j is vector `1 + j` behind `0`.
    Read(&'static str, usize),
}

impl Limbs {
    /// Loads the limbs `range`; limb 0 is vector `first` behind `base`.
    pub(crate) fn hold(f: &mut Function, base: &'static str, first: usize, range: std::ops::Range<usize>) -> Self {
        Limbs::Held(range.start, range.map(|j| f.load(At(base, first + j))).collect())
    }

    /// Returns the registers.
    pub(crate) fn release(self, f: &mut Function) {
        if let Limbs::Held(_, limbs) = self {
            limbs.into_iter().for_each(|z| f.give(z));
        }
    }

    /// Uses limb j in a register.
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

/// Columns in registers from when they are first touched; before that zero, or in memory.
#[derive(Clone)]
pub(crate) struct Columns(Vec<Option<Z>>, Option<At>);

impl Columns {
    /// `count` columns, all zero and none in a register.
    pub(crate) fn new(count: usize) -> Self {
        Columns(vec![None; count], None)
    }

    /// `count` columns that lie in memory.
    pub(crate) fn stored(count: usize, place: At) -> Self {
        Columns(vec![None; count], Some(place))
    }

    /// Puts a register in the place of column k, which is zero.
    pub(crate) fn set(&mut self, k: usize, z: Z) {
        assert!(self.0[k].replace(z).is_none(), "column {k} is set twice");
    }

    /// Column k in a register.
    pub(crate) fn touch(&mut self, f: &mut Function, k: usize) -> Z {
        *self.0[k].get_or_insert_with(|| match self.1 {
            Some(At(base, first)) => f.load(At(base, first + k)),
            None => f.zero(),
        })
    }

    /// Takes column k out.
    pub(crate) fn remove(&mut self, f: &mut Function, k: usize) -> Z {
        let z = self.touch(f, k);
        self.0[k] = None;
        z
    }

    /// Takes these columns out, and stores column k as vector k behind `to`.
    pub(crate) fn store(&mut self, f: &mut Function, range: std::ops::Range<usize>, to: At) {
        for k in range {
            let z = self.remove(f, k);
            f.store(At(to.0, to.1 + k), z);
        }
    }

    /// Takes the columns from `first` on out, to be counted from 0.
    pub(crate) fn upper(&mut self, first: usize) -> Self {
        Columns(self.0.split_off(first), None)
    }

    /// Whether column k is still zero.
    pub(crate) fn untouched(&self, k: usize) -> bool {
        self.0[k].is_none() && self.1.is_none()
    }
}

/// Adds y·Σ x_j·2^(52(first + j)) for the limbs `range` of x. The low halves come first where x is held, so that no column is
/// met twice in a row.
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
