//! The symmetric pairing of genus 2 over F_2^m, by the formulas of `bilinear_pairing::genus2`.
//!
//! What the other families call points are elements of the Jacobian here, reduced divisors (u, v), encoded as
//! u1‖u0‖v1‖v0 and a byte for the degree of u, 1 or 2. A divisor of degree 1, a point (x, y), is 0‖x‖0‖y and that byte.
//! The compressed encoding is u1‖u0 and a byte. For degree 2 the byte is 0 to 3: the lowest bit of v0 plus twice the
//! lowest bit of u1·v1. For degree 1 it is 4 or 5: 4 plus the lowest bit of y. Each divisor has one encoding of each
//! kind.
//!
//! Sums of divisors branch on them, so that multiples are not computed in constant time; powers in the target group
//! are.

use crate::backend::elements::{constant, element, write};
use crate::backend::error::PointError;
use crate::backend::interface::{Backend, Encoded, MachineTables, Owned};
use crate::backend::small_characteristic::{Numbers, SmallCharacteristic};
use bilinear_field::binary::Binary;
use bilinear_field::{CollectVec, Field};
use bilinear_pairing::encode::check_residue;
use bilinear_pairing::genus2::divisor::Divisor;
use bilinear_pairing::genus2::tower::{Over, Twelve};
use bilinear_pairing::genus2::{Genus2, Genus2Job, Lines};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::unitary_power::Unitary;
use num_bigint::BigUint;
use std::sync::Arc;

/// The available pairings, the default first.
pub(super) const PAIRINGS: &[PairingKind] = &[PairingKind::OptEta, PairingKind::Tate];

type Value<const N: usize> = Twelve<Binary<N>>;
type Element<const N: usize> = Divisor<Binary<N>>;
type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// The backend of a curve of genus 2 over F_2^m on N words.
struct Genus2Backend<const N: usize> {
    genus2: Genus2<N>,
    field: Binary<N>,
    numbers: Numbers,
}

impl Genus2Job for Numbers {
    type Output = Arc<dyn Backend>;

    fn run<const N: usize>(self, field: Binary<N>, genus2: Genus2<N>) -> Arc<dyn Backend> {
        Arc::new(Genus2Backend { genus2, field, numbers: self })
    }
}

impl<const N: usize> SmallCharacteristic for Genus2Backend<N> {
    type Field = Binary<N>;
    type Point = Element<N>;
    type Sum = Element<N>;
    type Lines = Lines<N>;
    type Value = Value<N>;
    /// One more than the genus (Farashahi, Fouque, Shparlinski, Tibouchi, Voloch, Mathematics of Computation 82,
    /// 2013).
    const MAPS: usize = 3;

    fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    fn field(&self) -> &Binary<N> {
        &self.field
    }

    fn tower(&self) -> impl Unitary<Field = Binary<N>, Elem = Value<N>> {
        Over(&self.field)
    }

    /// A seed is one byte for the bits of u1·v1 and v0, and the bytes of u1 and u0.
    fn lengths(&self) -> [usize; 3] {
        let len = self.numbers.len;
        [4 * len + 1, 2 * len + 1, 1 + 2 * len]
    }

    fn point(&self, bytes: &[u8]) -> Element<N> {
        let len = self.numbers.len;
        let [u1, u0, v1, v0] = [0, 1, 2, 3].map(|i| element(&self.field, &bytes[i * len..(i + 1) * len]));
        if bytes[4 * len] == 1 { Divisor::Degenerate { x: u0, y: v0 } } else { Divisor::General { u1, u0, v1, v0 } }
    }

    fn parsed(&self, p: Encoded<'_>) -> Result<Option<Element<N>>, PointError> {
        let Some(bytes) = p else { return Ok(None) };
        let (len, given, [full, compressed, _]) = (self.numbers.len, bytes.len(), self.lengths());
        if given != full && given != compressed {
            return Err(PointError::Length { given, full, compressed });
        }
        let (coefficients, last) = (&bytes[..given - 1], bytes[given - 1]);
        for (i, chunk) in coefficients.chunks(len).enumerate() {
            let name = if i < 2 { 'u' } else { 'v' };
            check_residue(&self.numbers.q, chunk).map_err(|_| PointError::NotCanonical(name))?;
        }
        let jacobian = self.genus2.jacobian();
        let [first, second] = [0, 1].map(|i| element(&self.field, &coefficients[i * len..(i + 1) * len]));
        let is_zero = |i: usize| coefficients[i * len..(i + 1) * len].iter().all(|byte| *byte == 0);
        let found = match (given == full, last) {
            (true, 1) if !is_zero(0) || !is_zero(2) => return Err(PointError::Coefficients),
            (true, 1 | 2) => Some(self.point(bytes)).filter(|divisor| jacobian.contains(divisor)),
            (false, 0..=3) => jacobian.divisor(&first, &second, [last & 2 != 0, last & 1 != 0]),
            (false, 4 | 5) if !is_zero(0) => return Err(PointError::Coefficients),
            (false, 4 | 5) => jacobian.point(&second, last == 5),
            _ => return Err(PointError::Degree(last)),
        };
        found.map(Some).ok_or(PointError::NotOnCurve)
    }

    fn bytes(&self, divisor: &Element<N>) -> Owned {
        let zero = self.field.zero();
        let (coefficients, degree) = match divisor {
            Divisor::Zero => return None,
            Divisor::Degenerate { x, y } => ([&zero, x, &zero, y], 1),
            Divisor::General { u1, u0, v1, v0 } => ([u1, u0, v1, v0], 2),
        };
        let mut out = vec![degree; 4 * self.numbers.len + 1];
        out.chunks_exact_mut(self.numbers.len).zip(coefficients).for_each(|(place, c)| write(&self.field, place, c));
        Some(out.into())
    }

    fn compressed(&self, p: &[u8]) -> Vec<u8> {
        let mut out = p[..2 * self.numbers.len].to_vec();
        out.push(match self.point(p) {
            Divisor::General { u1, v1, v0, .. } => {
                let [of_z, of_v0] = self.genus2.jacobian().bits([&u1, &v1, &v0]);
                2 * u8::from(of_z) + u8::from(of_v0)
            }
            _ => 4 + (p[4 * self.numbers.len - 1] & 1),
        });
        out
    }

    fn seeded(&self, seed: &[u8]) -> Option<Element<N>> {
        let (bits, u) = (seed[0], &seed[1..]);
        let coefficient = |bytes: &[u8]| constant(&self.field, &(BigUint::from_bytes_be(bytes) % &self.numbers.q));
        let [u1, u0] = [&u[..self.numbers.len], &u[self.numbers.len..]].map(coefficient);
        self.genus2.jacobian().divisor(&u1, &u0, [bits & 2 != 0, bits & 1 != 0])
    }

    fn points(&self) -> impl Iterator<Item = Element<N>> + '_ {
        self.genus2.jacobian().degenerate()
    }

    fn mapped(&self, u: &Elem<N>) -> Element<N> {
        self.genus2.map(u)
    }

    fn total(&self, divisors: impl Iterator<Item = Element<N>>) -> Element<N> {
        divisors.fold(Divisor::Zero, |sum, d| self.genus2.jacobian().add(&sum, &d))
    }

    fn negated(&self, d: &Element<N>) -> Element<N> {
        self.genus2.jacobian().negate(d)
    }

    fn combination(&self, terms: &[(&BigUint, Element<N>)]) -> Element<N> {
        self.genus2.jacobian().msm(terms)
    }

    fn is_zero(&self, sum: &Element<N>) -> bool {
        matches!(sum, Divisor::Zero)
    }

    fn normalised(&self, sums: &[Element<N>]) -> Vec<Element<N>> {
        sums.to_vec()
    }

    /// Computes multiples in variable time.
    fn secret_multiples(&self, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let multiple = |(k, d): &(&[u8], Encoded<'_>)| {
            self.bytes(&self.combination(&[(&BigUint::from_bytes_be(k), self.point((*d)?))]))
        };
        terms.iter().map(multiple).collect_vec()
    }

    /// Returns no tables: a table would save octuplings, which cost next to nothing.
    fn tables_of(&self, points: &[&[u8]], _: usize) -> Vec<Option<Arc<MachineTables>>> {
        points.iter().map(|_| None).collect_vec()
    }

    fn sums_from(&self, _: &[&MachineTables], _: &[Vec<&[u8]>]) -> Vec<Owned> {
        unreachable!("there are no tables")
    }

    fn lines_of(&self, d: &Element<N>) -> Lines<N> {
        self.genus2.lines(&self.genus2.points(d))
    }

    fn product(&self, pairs: &[(&Lines<N>, &[u8])]) -> Value<N> {
        let points = pairs.iter().map(|(_, q)| self.genus2.points(&self.point(q))).collect_vec();
        self.genus2.miller(&pairs.iter().zip(&points).map(|((lines, _), q)| (*lines, q)).collect_vec())
    }

    fn exponentiated(&self, values: &[Value<N>]) -> Vec<Value<N>> {
        self.genus2.final_exponentiation(values)
    }

    fn tate(&self, eta: &Value<N>) -> Value<N> {
        self.genus2.tate(eta)
    }

    fn divides_points(&self, x: &Value<N>) -> bool {
        self.genus2.divides_divisors(x)
    }
}
