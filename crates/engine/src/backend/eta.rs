//! The symmetric pairings η_T over F_2^m and F_3^m, by the formulas of `bilinear_pairing::eta` and `eta3`.

mod parts;

use crate::backend::elements::{constant, element, write};
use crate::backend::error::PointError;
use crate::backend::interface::{Backend, Encoded, LoopParts, MachineTables, Owned};
use crate::backend::residues::Parsed;
use crate::backend::small_characteristic::{Numbers, SmallCharacteristic};
use bilinear_field::{CollectVec, Field, memcheck};
use bilinear_pairing::booth::{ENTRIES, digits};
use bilinear_pairing::complete_group::CompleteGroup;
use bilinear_pairing::curve::{Affine, Jacobian};
use bilinear_pairing::eta_t::{Elem, EtaJob, EtaT};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::unitary_power::Unitary;
use num_bigint::BigUint;
use std::sync::Arc;

/// The available pairings, the default first.
pub(super) const PAIRINGS: &[PairingKind] = &[PairingKind::EtaT, PairingKind::Tate];

/// The number of bytes of a seed beyond those of x, so that the remainder modulo q is almost uniform; not needed
/// where q is a power of 2.
const SEED: usize = 16;

type Point<E> = Affine<<E as EtaT>::Field>;
type Sum<E> = Jacobian<<E as EtaT>::Field>;
/// The tables of all windows of a fixed base.
type Tables<E> = Vec<Vec<Point<E>>>;

/// The backend of a curve over F_2^m or F_3^m.
struct EtaBackend<E: EtaT> {
    eta: E,
    numbers: Numbers,
}

impl EtaJob for Numbers {
    type Output = Arc<dyn Backend>;

    fn run<E: EtaT>(self, eta: E) -> Arc<dyn Backend> {
        Arc::new(EtaBackend { eta, numbers: self })
    }
}

impl<E: EtaT> SmallCharacteristic for EtaBackend<E> {
    type Field = E::Field;
    type Point = Point<E>;
    type Sum = Sum<E>;
    type Lines = Vec<E::Line>;
    type Value = E::Value;
    const MAPS: usize = 2;

    fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    fn field(&self) -> &E::Field {
        self.eta.group().field()
    }

    fn tower(&self) -> impl Unitary<Field = E::Field, Elem = E::Value> {
        self.eta.tower()
    }

    /// A seed is one byte for the sign, and bytes for x.
    fn lengths(&self) -> [usize; 3] {
        let Numbers { q, len, .. } = &self.numbers;
        [2 * len, len + 1, 1 + len + if q.count_ones() == 1 { 0 } else { SEED }]
    }

    fn point(&self, xy: &[u8]) -> Point<E> {
        let (x, y) = xy.split_at(self.numbers.len);
        Affine { x: element(self.field(), x), y: element(self.field(), y), infinity: self.field().mask(false) }
    }

    fn parsed(&self, p: Encoded<'_>) -> Result<Option<Point<E>>, PointError> {
        let Numbers { q, len, .. } = &self.numbers;
        let found = match Parsed::new(q, *len, *len, p)? {
            Parsed::Infinity => return Ok(None),
            Parsed::Full(xy) => Some(self.point(xy)).filter(|p| self.holds(self.eta.contains(p))),
            Parsed::Compressed(x, odd) => self.eta.point(&element(self.field(), x), odd),
        };
        found.map(Some).ok_or(PointError::NotOnCurve)
    }

    fn bytes(&self, p: &Point<E>) -> Owned {
        let mut is_infinity = self.holds(p.infinity);
        memcheck::reveal(&mut is_infinity);
        if is_infinity {
            return None;
        }
        let mut out = vec![0; 2 * self.numbers.len];
        let (x, y) = out.split_at_mut(self.numbers.len);
        write(self.field(), x, &p.x);
        write(self.field(), y, &p.y);
        Some(out.into())
    }

    /// Encodes x, followed by a byte that selects one of the two y. Over a field of one byte that is as long as x and
    /// y, so that their lengths could not be told apart: x and y are written instead.
    fn compressed(&self, p: &[u8]) -> Vec<u8> {
        let [full, compressed, _] = self.lengths();
        if compressed == full {
            return p.to_vec();
        }
        let (x, y) = p.split_at(self.numbers.len);
        let mut out = x.to_vec();
        out.push(u8::from(self.eta.sign(&element(self.field(), y))));
        out
    }

    fn seeded(&self, seed: &[u8]) -> Option<Point<E>> {
        let x = BigUint::from_bytes_be(&seed[1..]) % &self.numbers.q;
        self.eta.point(&constant(self.field(), &x), seed[0] & 1 == 1)
    }

    fn points(&self) -> impl Iterator<Item = Point<E>> + '_ {
        self.eta.points()
    }

    fn mapped(&self, u: &Elem<E>) -> Point<E> {
        self.eta.map(u)
    }

    fn total(&self, points: impl Iterator<Item = Point<E>>) -> Sum<E> {
        let group = self.eta.group();
        points.fold(group.infinity(), |sum, p| group.add(&sum, &p))
    }

    fn negated(&self, p: &Point<E>) -> Point<E> {
        self.eta.group().negate(p)
    }

    fn combination(&self, terms: &[(&BigUint, Point<E>)]) -> Sum<E> {
        self.eta.group().msm(terms)
    }

    fn is_zero(&self, sum: &Sum<E>) -> bool {
        self.holds(self.field().is_zero(&sum.z))
    }

    fn normalised(&self, sums: &[Sum<E>]) -> Vec<Point<E>> {
        self.eta.group().normalise(sums)
    }

    fn secret_multiples(&self, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let group = self.eta.group();
        let multiple = |(k, p): &(&[u8], Encoded<'_>)| {
            p.map_or_else(|| group.infinity(), |p| group.mul_secret(&[k], &self.point(p)))
        };
        self.all(&terms.iter().map(multiple).collect_vec())
    }

    fn tables_of(&self, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>> {
        let tables = |p: &&[u8]| {
            let (mut base, mut tables) = (self.point(p), Tables::<E>::new());
            for _ in 0..windows {
                let mut table = self.eta.group().window(&base);
                base = table.split_off(ENTRIES).remove(0);
                if table.iter().any(|multiple| self.holds(multiple.infinity)) {
                    return None;
                }
                tables.push(table);
            }
            Some(Arc::new(tables) as Arc<MachineTables>)
        };
        points.iter().map(tables).collect_vec()
    }

    fn sums_from(&self, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        let group = self.eta.group();
        let own = tables.iter().map(|tables| tables.downcast_ref());
        let tables: Vec<&Tables<E>> =
            own.map(|own| own.unwrap_or_else(|| unreachable!("tables of this machine"))).collect_vec();
        let sum = |ks: &Vec<&[u8]>| {
            let mut sum = group.infinity();
            for (k, windows) in ks.iter().zip(&tables) {
                for (digit, table) in digits(self.field(), &[k]).iter().zip(*windows) {
                    sum = group.add_digit(&sum, table, digit);
                }
            }
            sum
        };
        self.all(&sums.iter().map(sum).collect_vec())
    }

    fn lines_of(&self, p: &Point<E>) -> Vec<E::Line> {
        self.eta.lines(p)
    }

    fn product(&self, pairs: &[(&Vec<E::Line>, &[u8])]) -> E::Value {
        let points = pairs.iter().map(|(_, q)| self.point(q)).collect_vec();
        self.eta.miller(&pairs.iter().zip(&points).map(|((lines, _), q)| (&lines[..], q)).collect_vec())
    }

    fn exponentiated(&self, values: &[E::Value]) -> Vec<E::Value> {
        self.eta.final_exponentiation(values)
    }

    fn tate(&self, eta: &E::Value) -> E::Value {
        self.eta.tate(eta)
    }

    fn divides_points(&self, x: &E::Value) -> bool {
        self.eta.divides_points(x)
    }

    fn loop_parts(&self) -> Option<&dyn LoopParts> {
        Some(self)
    }
}
