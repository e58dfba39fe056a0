//! Multiplication by secret scalars that split: fixed windows of odd digits, every table entry read for every digit. Constant
//! time: the operations depend on the curve and the scalar's length.

use crate::curve::{Affine, Curve, Jacobian};
use crate::split::Split;
use bilinear_field::{Field, at};
use std::hint::black_box;

/// The place in a table of odd multiples of the digit 2y − (2^w − 1), and whether it is negative: the top bit of y says which
/// half of the range y is in, and the others count outwards from the middle.
fn place(y: u8, w: u32) -> (u8, u8) {
    let half = 1u8 << (w - 1);
    let negative = (y >> (w - 1)) ^ 1;
    ((y ^ negative.wrapping_neg()) & (half - 1), negative)
}

/// What a digit picks, by reading every entry: `of` gives the coefficients of one.
pub(crate) struct Digit {
    place: u8,
    negative: bool,
}

impl Digit {
    pub(crate) fn new(y: u8, w: u32) -> Self {
        let (place, negative) = place(y, w);
        // black_box keeps the comparison a value; without it the compiler could turn it into a branch
        Digit { place, negative: black_box(negative) == 1 }
    }

    /// The mask of the entry i.
    pub(crate) fn hit<F: Field>(&self, f: &F, i: usize) -> F::Mask {
        f.mask(black_box(i as u8 ^ self.place) == 0)
    }

    /// The mask of a negative digit.
    pub(crate) fn negative<F: Field>(&self, f: &F) -> F::Mask {
        f.mask(self.negative)
    }
}

impl<F: Field> Curve<F> {
    /// kP for a secret k, as big-endian bytes of a public length, and P where the automorphism α is the split's λ.
    pub(crate) fn mul_images_secret(
        &self,
        split: &Split,
        k: &[u8],
        p: &Affine<F>,
        image: impl Fn(&Affine<F>, usize) -> Affine<F>,
    ) -> Jacobian<F> {
        let (width, windows) = (split.width(), split.windows(k));
        let table = self.odd_tables(std::iter::once((p, 1 << (width - 1)))).remove(0);
        let images = (1..split.dimension()).map(|i| table.iter().map(|p| image(p, i)).collect());
        let tables: Vec<Vec<Affine<F>>> = std::iter::once(table.clone()).chain(images).collect();
        let mut acc: Option<Jacobian<F>> = None;
        for row in windows.rows() {
            for _ in 0..width {
                acc = acc.map(|acc| self.double(&acc));
            }
            for (table, y) in tables.iter().zip(row) {
                let entry = self.pick(table, &Digit::new(*y, width));
                acc = Some(acc.map_or_else(|| self.lift(&entry), |acc| self.add(&acc, &entry)));
            }
        }
        acc.unwrap_or_else(|| self.infinity())
    }

    /// The entry of a digit, or its negative. Every entry is O where the first is.
    fn pick(&self, table: &[Affine<F>], digit: &Digit) -> Affine<F> {
        let f = self.field();
        let (mut x, mut y) = (table[0].x.clone(), table[0].y.clone());
        for (i, entry) in table.iter().enumerate().skip(1) {
            let hit = digit.hit(f, i);
            at! {f; next_x = select(hit, &entry.x, &x); next_y = select(hit, &entry.y, &y);}
            (x, y) = (next_x, next_y);
        }
        at! {f; minus_y = neg(&y); signed = select(digit.negative(f), &minus_y, &y);}
        Affine { x, y: signed, infinity: table[0].infinity }
    }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_those_of_the_odd_digits() {
        for w in 2..=6u32 {
            for y in 0..1u8 << w {
                let digit = 2 * i32::from(y) - ((1 << w) - 1);
                let (place, negative) = place(y, w);
                assert_eq!((i32::from(place), negative == 1), ((digit.abs() - 1) / 2, digit < 0), "{y} of {w} bits");
            }
        }
    }
}
