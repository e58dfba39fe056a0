//! Sums Σ k·P of multiples of fixed points by secret scalars, one set in each lane: tables of multiples, and no
//! doublings (Brickell, Gordon, McCurley, Wilson, EUROCRYPT 1992).
//!
//! k = Σ d_i·32^i in Booth's digits. The table of window i holds B, 2B, …, 16B for B = 32^i·P, none of which may be O.
//!
//! Constant time: every entry of a table is read, the sign and the digit 0 are handled by selections, and the
//! addition is complete. Cost: one mixed addition a digit, in the Edwards form where the curve has one (`edwards.rs`), with
//! one accumulator for all multiples of a sum. A table takes 15 additions, a doubling and an inversion.

use crate::booth::{BoothDigit, ENTRIES};
use crate::complete_group::CompleteGroup;
use crate::constant_time::element;
use crate::curve::{Affine, Curve, Jacobian};
use bilinear_field::{CollectVec, Field, at};

/// A table of entries, as a list for each coordinate, and the digit that selects from it.
pub type Window<F> = (Vec<Vec<<F as Field>::Elem>>, BoothDigit<<F as Field>::Mask>);

/// The table of a window and the base of the next one.
pub struct FixedTable<F: Field> {
    /// The coordinates of B, 2B, …, 16B as [`Curve::fixed_sum`] takes them, a list for each coordinate.
    pub coordinates: Vec<Vec<F::Elem>>,
    /// The point 32B.
    pub next: Affine<F>,
    /// The lanes where an entry or 32B is O. The table is meaningless there.
    pub has_infinity: F::Mask,
}

impl<F: Field> Curve<F> {
    /// The number of coordinates of an entry in [`FixedTable`].
    pub fn fixed_coordinates(&self) -> usize {
        if self.edwards().is_some() { 3 } else { 2 }
    }

    /// Returns the table of the window whose base is B, which is not O.
    pub fn fixed_table(&self, b: &Affine<F>) -> FixedTable<F> {
        if let Some(edwards) = self.edwards() {
            return edwards.fixed_table(b);
        }
        let f = self.field();
        let window = self.window(b);
        let has_infinity = window.iter().fold(f.mask(false), |some, p| f.or(some, p.infinity));
        let list = |of: fn(&Affine<F>) -> F::Elem| window[..ENTRIES].iter().map(of).collect_vec();
        FixedTable {
            coordinates: vec![list(|p| p.x.clone()), list(|p| p.y.clone())],
            next: window[ENTRIES].clone(),
            has_infinity,
        }
    }

    /// Returns the sum of the entries that digits select, each from the table of another window.
    pub fn fixed_sum(&self, mut windows: impl Iterator<Item = Window<F>>) -> Jacobian<F> {
        if let Some(edwards) = self.edwards() {
            return edwards.fixed_sum(&mut windows);
        }
        let f = self.field();
        let mut acc: Option<Jacobian<F>> = None;
        for (table, digit) in windows {
            let read = |list: &[F::Elem]| f.routine("table entry", || element(f, list, &digit.place));
            let (x, y) = (read(&table[0]), read(&table[1]));
            acc = Some(f.routine("addition of a table entry", || {
                at! {f; minus_y = neg(&y); signed = select(digit.negative, &minus_y, &y);}
                let multiple = Affine { x: x.clone(), y: signed, infinity: digit.zero };
                acc.as_ref().map_or_else(|| self.to_jacobian(&multiple), |acc| self.add(acc, &multiple))
            }));
        }
        acc.unwrap_or_else(|| self.infinity())
    }
}
