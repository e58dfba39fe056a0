//! Multiplication by secret scalars, one in each lane: fixed windows, with the table read by a tree of selections.
//! Constant time: the operations depend only on the curve and on the lengths of the scalars, which are public.
//!
//! A table of 2^n entries is halved n times: each bit of a lane's digit, from the lowest on, selects between every
//! two neighbours. That takes 2^n − 1 selections, as many as a comparison with every index, but n masks instead of
//! 2^n. For multiples of points the digits are signed, which halves the table. If the scalar is split they are odd as well, and no digit
//! is 0, so that chords serve for all additions but the last.

use crate::complete_group::CompleteGroup;
use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{digit, digit_count};
use crate::split::Split;
use bilinear_field::{CollectVec, Extension, Field, at};
use std::hint::black_box;
use zeroize::{Zeroize, Zeroizing};

/// The largest number of lanes that a mask can be made for.
const MAX_LANES: usize = 64;

/// The window width, in bits, of a power in GT whose exponent is not split.
pub(crate) const WINDOW: usize = 4;

/// Returns the mask of the lanes whose bit is 1. There is one bit for each lane.
pub(crate) fn mask<F: Field>(f: &F, bits: impl Iterator<Item = u8>) -> F::Mask {
    let (mut values, mut lanes) = ([false; MAX_LANES], 0);
    for (value, bit) in values.iter_mut().zip(bits) {
        // black_box keeps the comparison a value; without it the compiler could turn it into a branch
        *value = black_box(bit) == 1;
        lanes += 1;
    }
    f.mask_from(&values[..lanes])
}

/// Returns the masks of the lowest `count` bits, lowest first, of one value for each lane.
pub(crate) fn masks<F: Field>(f: &F, values: impl Iterator<Item = u8> + Clone, count: usize) -> Vec<F::Mask> {
    (0..count).map(|i| mask(f, values.clone().map(|y| y >> i & 1))).collect()
}

/// Collects `len` secrets in memory that is zeroized when dropped. The vector does not grow: growing would leave
/// copies behind.
///
/// # Panics
/// Panics if there are more than `len` secrets.
pub(crate) fn zeroizing<T: Zeroize>(len: usize, secrets: impl Iterator<Item = T>) -> Zeroizing<Vec<T>> {
    let mut all = Zeroizing::new(Vec::with_capacity(len));
    for secret in secrets {
        assert!(all.len() < len, "more than {len} secrets");
        all.push(secret);
    }
    all
}

/// Returns the bits of a scalar's windows of [`WINDOW`] bits, the highest window first. Constant time in k.
pub(crate) fn window_bits(k: &[u8]) -> Zeroizing<Vec<bool>> {
    let count = digit_count(&[k], WINDOW);
    let digits = (0..count).rev().map(|i| digit(k, WINDOW, i));
    zeroizing(count * WINDOW, digits.flat_map(|y| (0..WINDOW).map(move |j| black_box(y >> j & 1) == 1)))
}

/// Returns the bits of the digits of a split scalar, in the order in which their masks are requested. Constant time
/// in k.
pub(crate) fn split_bits(split: &Split, k: &[u8]) -> Zeroizing<Vec<bool>> {
    let width = split.width();
    let windows = split.windows(&[k]);
    let bits = |y: u8| {
        let (place, negative) = place(y, width);
        (0..width - 1).map(move |j| black_box(place >> j & 1) == 1).chain([black_box(negative) == 1])
    };
    let digits = windows.rows().flatten().flat_map(|ys| bits(ys[0]));
    zeroizing(windows.count() * width as usize, digits)
}

/// Returns the entry of a table of 2^n whose index has these n bits, lowest first, in each lane. Every entry is read.
pub(crate) fn entry<T: Clone, M: Copy>(table: &[T], bits: &[M], select: &impl Fn(M, &T, &T) -> T) -> T {
    match bits {
        [] => table[0].clone(),
        [bit] => select(*bit, &table[1], &table[0]),
        [lower @ .., top] => {
            let (low, high) = table.split_at(table.len() / 2);
            select(*top, &entry(high, lower, select), &entry(low, lower, select))
        }
    }
}

/// Returns the entry of a table of field elements whose index has these bits, lowest first, in each lane. Every entry
/// is read.
pub(crate) fn element<F: Field>(f: &F, table: &[F::Elem], bits: &[F::Mask]) -> F::Elem {
    entry(table, bits, &|mask, a, b| at!(f; select(mask, a, b)))
}

/// Returns the index of the digit 2y − (2^w − 1) in a table of odd multiples, and whether the digit is negative. The
/// top bit of y says which half of the range y is in, and the others count outwards from the middle.
fn place(y: u8, w: u32) -> (u8, u8) {
    let half = 1u8 << (w - 1);
    let negative = (y >> (w - 1)) ^ 1;
    ((y ^ negative.wrapping_neg()) & (half - 1), negative)
}

/// An odd digit in each lane, as the masks that select its table entry.
pub(crate) struct Digit<M> {
    /// The bits of the index into the table.
    pub(crate) place: Vec<M>,
    /// The lanes where the digit is negative.
    pub(crate) negative: M,
}

impl<M: Copy> Digit<M> {
    /// Creates the digits from the y of each lane, for windows of w bits.
    pub(crate) fn new<F: Field<Mask = M>>(f: &F, ys: &[u8], w: u32) -> Self {
        let places = ys.iter().map(|y| place(*y, w));
        Digit {
            place: masks(f, places.clone().map(|(place, _)| place), w as usize - 1),
            negative: mask(f, places.map(|(_, negative)| negative)),
        }
    }
}

impl<F: Field> Curve<F> {
    /// Returns kP for any P of the curve and a secret k in each lane, given as big-endian bytes of a public length, by
    /// [`CompleteGroup::mul_secret`] or in the curve's Edwards form. Constant time.
    pub fn mul_secret(&self, ks: &[&[u8]], p: &Affine<F>) -> Jacobian<F> {
        self.edwards().map_or_else(|| CompleteGroup::mul_secret(self, ks, p), |edwards| edwards.mul_secret(ks, p))
    }
}

impl<F: Extension> Curve<F> {
    /// Returns kP as [`Curve::mul_secret`] does, for O or a P of order r on which the endomorphism α is multiplication by
    /// the split's λ. All additions but the last are by chords ([`Split::chords`]); those of O leave Z = 0. The entries
    /// of the table have a common Z in F_p, which automorphisms leave unchanged. A lane without a scalar gets an
    /// unspecified multiple.
    pub(crate) fn mul_secret_split(
        &self,
        split: &Split,
        ks: &[&[u8]],
        p: &Affine<F>,
        endomorphism: impl Fn(&Affine<F>, usize) -> Affine<F>,
    ) -> Jacobian<F> {
        let (width, windows) = (split.width(), split.windows(ks));
        let (table, common_z) = self.odd_multiples_by_chords(p, 1 << (width - 1), true);
        // the tables of α(P), α²(P), …
        let others = (1..split.dimension()).map(|i| table.iter().map(|p| endomorphism(p, i)).collect_vec());
        let tables: Vec<Vec<Affine<F>>> = std::iter::once(table.clone()).chain(others).collect_vec();
        let mut acc: Option<Jacobian<F>> = None;
        for (i, row) in windows.rows().enumerate() {
            for _ in 0..width {
                acc = acc.map(|acc| self.double(&acc));
            }
            for (table, ys) in tables.iter().zip(row) {
                let entry = self.pick(table, &Digit::new(self.field(), ys, width));
                acc = Some(match acc {
                    None => self.to_jacobian(&entry),
                    Some(acc) if i < split.chords() => self.add_by_chord(&acc, &entry),
                    Some(acc) => self.add(&acc, &entry),
                });
            }
        }
        let sum = acc.unwrap_or_else(|| self.infinity());
        at! {self.field(); z = mul(&sum.z, &common_z);}
        Jacobian { z, ..sum }
    }

    /// Returns the table entry of a digit, negated where the digit is negative. All entries are O where the first one
    /// is.
    fn pick(&self, table: &[Affine<F>], digit: &Digit<F::Mask>) -> Affine<F> {
        let (f, infinity) = (self.field(), table[0].infinity);
        let select = |mask: F::Mask, a: &Affine<F>, b: &Affine<F>| {
            at! {f; x = select(mask, &a.x, &b.x); y = select(mask, &a.y, &b.y);}
            Affine { x, y, infinity }
        };
        let Affine { x, y, .. } = entry(table, &digit.place, &select);
        at! {f; minus_y = neg(&y); signed = select(digit.negative, &minus_y, &y);}
        Affine { x, y: signed, infinity }
    }
}

#[cfg(test)]
mod tests {
    use super::{entry, place};

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

    #[test]
    fn entries_are_those_of_their_places() {
        for n in 0..5 {
            let table: Vec<usize> = (0..1 << n).collect();
            for place in 0..1 << n {
                let bits: Vec<bool> = (0..n).map(|i| place >> i & 1 == 1).collect();
                assert_eq!(entry(&table, &bits, &|bit, a, b| if bit { *a } else { *b }), place);
            }
        }
    }
}
