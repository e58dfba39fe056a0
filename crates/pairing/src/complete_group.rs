//! Groups of points with complete additions, in Jacobian coordinates: windowed multiples and their sums. Curves of
//! small characteristic are such groups too.
//!
//! For secret scalars [`CompleteGroup::mul_secret`] and the functions that it calls have no branch and no address that
//! depends on the scalar. SECURITY.md says for which curves the machine code is checked.

use crate::booth::{self, BoothDigit, ENTRIES, digits};
use crate::constant_time::entry;
use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{odd_powers, wnaf};
use bilinear_field::Field;
use num_bigint::BigUint;

/// The width of the windows of a public scalar, in bits.
const PUBLIC_WINDOW: u32 = 5;

/// A group of points given by complete additions. O has Z = 0.
pub trait CompleteGroup {
    /// The field of the coordinates.
    type F: Field;

    /// The field of the coordinates.
    fn field(&self) -> &Self::F;
    /// Returns 2P.
    fn double(&self, p: &Jacobian<Self::F>) -> Jacobian<Self::F>;
    /// Returns P + Q, for any P and Q.
    fn add(&self, p: &Jacobian<Self::F>, q: &Affine<Self::F>) -> Jacobian<Self::F>;
    /// Returns −P.
    fn negate(&self, p: &Affine<Self::F>) -> Affine<Self::F>;

    /// Returns O.
    fn infinity(&self) -> Jacobian<Self::F> {
        let f = self.field();
        Jacobian { x: f.one(), y: f.one(), z: f.zero() }
    }

    /// Converts a point to Jacobian coordinates with Z = 1, or Z = 0 for O.
    fn to_jacobian(&self, p: &Affine<Self::F>) -> Jacobian<Self::F> {
        p.to_jacobian(self.field())
    }

    /// Converts points to affine coordinates, with x = y = 0 for O: one inversion for all points.
    fn normalise(&self, points: &[Jacobian<Self::F>]) -> Vec<Affine<Self::F>> {
        Jacobian::normalise(self.field(), points)
    }

    /// Returns the odd multiples P, 3P, …, 15P.
    fn odd_multiples(&self, p: &Affine<Self::F>) -> Vec<Affine<Self::F>> {
        let twice = |p: &Jacobian<Self::F>| self.normalise(&[self.double(p)]).remove(0);
        self.normalise(&odd_powers(&self.to_jacobian(p), 1 << (PUBLIC_WINDOW - 2), &twice, &|p, q| self.add(p, q)))
    }

    /// Returns Σ k·P for public k: signed windows with shared doublings. Takes bits(k)/6 additions a term and a table
    /// of 8 multiples.
    fn msm(&self, terms: &[(&BigUint, Affine<Self::F>)]) -> Jacobian<Self::F> {
        let strand = |(k, p): &(&BigUint, Affine<Self::F>)| {
            let digits: Vec<i8> = wnaf(k, PUBLIC_WINDOW).into_iter().rev().collect();
            (digits, self.odd_multiples(p))
        };
        let strands: Vec<_> = terms.iter().map(strand).collect();
        let longest = strands.iter().map(|(digits, _)| digits.len()).max().unwrap_or(0);
        let mut sum = self.infinity();
        for i in (0..longest).rev() {
            sum = self.double(&sum);
            for (digits, multiples) in &strands {
                let digit = digits.get(i).copied().unwrap_or(0);
                if digit != 0 {
                    let multiple = &multiples[usize::from(digit.unsigned_abs()) / 2];
                    sum = if digit > 0 { self.add(&sum, multiple) } else { self.add(&sum, &self.negate(multiple)) };
                }
            }
        }
        sum
    }

    /// Returns the multiples P, 2P, …, 16P.
    fn multiples(&self, p: &Affine<Self::F>) -> Vec<Jacobian<Self::F>> {
        let mut multiples = vec![self.to_jacobian(p)];
        for i in 1..ENTRIES {
            multiples.push(self.add(&multiples[i - 1], p));
        }
        multiples
    }

    /// Returns the multiples P, 2P, …, 16P, followed by 32P, the base of the next window.
    fn window(&self, p: &Affine<Self::F>) -> Vec<Affine<Self::F>> {
        let mut multiples = self.multiples(p);
        multiples.push(self.double(&multiples[ENTRIES - 1]));
        self.normalise(&multiples)
    }

    /// Returns acc + d·B for a secret digit d, −16 ≤ d ≤ 16, and the table B, 2B, …, 16B. Every entry is read.
    fn add_digit(
        &self,
        acc: &Jacobian<Self::F>,
        table: &[Affine<Self::F>],
        digit: &BoothDigit<<Self::F as Field>::Mask>,
    ) -> Jacobian<Self::F> {
        let f = self.field();
        // a table holds O if the order of the base is small
        let select =
            |mask: <Self::F as Field>::Mask, p: &Affine<Self::F>, q: &Affine<Self::F>| Affine::select(f, mask, p, q);
        let multiple = entry(&table[..ENTRIES], &digit.place, &select);
        let signed = select(digit.negative, &self.negate(&multiple), &multiple);
        self.add(acc, &Affine { infinity: f.or(digit.zero, signed.infinity), ..signed })
    }

    /// Returns kP for any P and a secret k in each lane, in big-endian bytes of a public length: windows of five bits,
    /// with every entry of the table read. A lane without a scalar gets P times some integer. Constant time except for
    /// the length.
    fn mul_secret(&self, ks: &[&[u8]], p: &Affine<Self::F>) -> Jacobian<Self::F> {
        let table = self.normalise(&self.multiples(p));
        digits(self.field(), ks).iter().rev().fold(self.infinity(), |sum, digit| {
            let sum = (0..booth::WINDOW).fold(sum, |sum, _| self.double(&sum));
            self.add_digit(&sum, &table, digit)
        })
    }
}

impl<F: Field> CompleteGroup for Curve<F> {
    type F = F;

    fn field(&self) -> &F {
        self.field()
    }
    fn double(&self, p: &Jacobian<F>) -> Jacobian<F> {
        self.double(p)
    }
    fn add(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        self.add(p, q)
    }
    fn negate(&self, p: &Affine<F>) -> Affine<F> {
        self.negate(p)
    }
}
