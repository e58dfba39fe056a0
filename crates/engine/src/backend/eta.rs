//! The symmetric pairings η_T over F_2^m and F_3^m: bytes in, values of the field, bytes out. One value at a time.
//!
//! These pairings have no programs: recorded programs assume a prime field. The formulas of `bilinear_pairing::eta`
//! and `eta3` run on their fields directly; the layers above, from encodings to batches, are those of all families.

mod parts;

use crate::backend::elements::{constant, element, write};
use crate::backend::error::{GtError, PointError, SystemError};
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, Groups, LoopParts, MachineLines, MachineTables, Owned};
use crate::backend::options::Options;
use crate::backend::research::choice;
use crate::backend::residues::{Parsed, check_coefficients};
use crate::backend::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
use bilinear_field::{Field, Lanes, memcheck};
use bilinear_pairing::complete_group::{CompleteGroup, digits};
use bilinear_pairing::curve::{Affine, Jacobian};
use bilinear_pairing::eta_t::{EtaJob, EtaT};
use bilinear_pairing::fixed_base::ENTRIES;
use bilinear_pairing::hash::{HashError, hash_to_field};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::unitary_power::Unitary;
use bilinear_pairing::{eta, eta3};
use bilinear_params::{Binary, Curve, Ternary};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::{Arc, OnceLock};

/// The available pairings, the default first.
const PAIRINGS: &[PairingKind] = &[PairingKind::EtaT, PairingKind::Tate];

/// The number of products in a task, so that threads share a batch.
const TASK: usize = 32;

/// The number of bytes of a seed beyond those of x, so that the remainder modulo q is almost uniform; not needed
/// where q is a power of 2.
const SEED: usize = 16;

type Point<E> = Affine<<E as EtaT>::Field>;
type Sum<E> = Jacobian<<E as EtaT>::Field>;
/// The tables of all windows of a fixed base.
type Tables<E> = Vec<Vec<Point<E>>>;

/// The backend of a curve over a field of small characteristic.
struct EtaBackend<E: EtaT> {
    eta: E,
    numbers: Numbers,
    /// The number of bytes of an element.
    len: usize,
    generator: OnceLock<Arc<[u8]>>,
}

/// The parameters of a curve that a backend needs beside the formulas.
struct Numbers {
    /// The number of elements of the field.
    q: BigUint,
    r: BigUint,
    h: BigUint,
    /// Whether values are raised to the power that gives the Tate pairing.
    tate: bool,
}

/// Creates the backend of a curve over F_2^m on the engine of the options, and returns it with the pairing chosen.
///
/// # Errors
/// Returns an error unless the options state that the use is research, and if the engine has no such field or the
/// family no such pairing.
pub(crate) fn over_binary_field(
    curve: &Curve,
    s: &Binary,
    options: Options,
) -> Result<(Arc<dyn Backend>, PairingKind), SystemError> {
    let pairing = choice(curve, options, PAIRINGS)?;
    let make = Numbers { q: s.q().clone(), r: s.r().clone(), h: s.h().clone(), tate: pairing == PairingKind::Tate };
    let made = eta::on(options.engine(), &s.polynomial(), [s.b(), s.is_plus()], make);
    Ok((made.map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?, pairing))
}

/// Creates the backend of a curve over F_3^m on the engine of the options, and returns it with the pairing chosen.
///
/// # Errors
/// Returns an error as [`over_binary_field`] does.
pub(crate) fn over_ternary_field(
    curve: &Curve,
    s: &Ternary,
    options: Options,
) -> Result<(Arc<dyn Backend>, PairingKind), SystemError> {
    let pairing = choice(curve, options, PAIRINGS)?;
    let make = Numbers { q: s.q().clone(), r: s.r().clone(), h: s.h().clone(), tate: pairing == PairingKind::Tate };
    let made = eta3::on(options.engine(), &s.polynomial(), [s.b(), s.is_plus()], make);
    Ok((made.map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?, pairing))
}

impl EtaJob for Numbers {
    type Output = Arc<dyn Backend>;

    fn run<E: EtaT>(self, eta: E) -> Arc<dyn Backend> {
        let len = self.q.bits().div_ceil(8) as usize;
        Arc::new(EtaBackend { eta, numbers: self, len, generator: OnceLock::new() })
    }
}

impl<E: EtaT> EtaBackend<E> {
    fn field(&self) -> &E::Field {
        self.eta.group().field()
    }

    fn point(&self, xy: &[u8]) -> Point<E> {
        let (x, y) = xy.split_at(self.len);
        Affine { x: element(self.field(), x), y: element(self.field(), y), infinity: self.field().mask(false) }
    }

    fn bytes(&self, p: &Point<E>) -> Owned {
        let mut is_infinity = self.holds(p.infinity);
        memcheck::reveal(&mut is_infinity);
        if is_infinity {
            return None;
        }
        let mut out = vec![0; 2 * self.len];
        let (x, y) = out.split_at_mut(self.len);
        write(self.field(), x, &p.x);
        write(self.field(), y, &p.y);
        Some(out.into())
    }

    fn all(&self, points: &[Sum<E>]) -> Vec<Owned> {
        self.eta.group().normalise(points).iter().map(|p| self.bytes(p)).collect_vec()
    }

    fn value(&self, bytes: &[u8]) -> E::Value {
        let mut chunks = bytes.chunks(self.len);
        E::value(|| chunks.next().map_or_else(|| self.field().zero(), |chunk| element(self.field(), chunk)))
    }

    fn gt(&self, x: &E::Value) -> Arc<[u8]> {
        let mut out = vec![0; self.gt_len()];
        out.chunks_mut(self.len).zip(E::coefficients(x)).for_each(|(place, c)| write(self.field(), place, c));
        out.into()
    }

    fn holds(&self, mask: <E::Field as Field>::Mask) -> bool {
        self.field().lane(mask, 0)
    }

    /// Returns true if r·P = O. Needs no computation where r is the number of points.
    fn in_group(&self, p: &Point<E>) -> bool {
        self.numbers.h.is_one() || {
            let multiple = self.eta.group().msm(&[(&self.numbers.r, p.clone())]);
            self.holds(self.field().is_zero(&multiple.z))
        }
    }

    /// Computes h·P.
    fn cleared(&self, p: Sum<E>) -> Sum<E> {
        let h = &self.numbers.h;
        if h.is_one() {
            return p;
        }
        let p = self.eta.group().normalise(&[p]).remove(0);
        self.eta.group().msm(&[(h, p)])
    }

    fn decoded(&self, p: Encoded<'_>, validate: Validate) -> Result<Owned, PointError> {
        let found = match Parsed::new(&self.numbers.q, self.len, self.len, p)? {
            Parsed::Infinity => return Ok(None),
            Parsed::Full(xy) => Some(self.point(xy)).filter(|p| self.holds(self.eta.contains(p))),
            Parsed::Compressed(x, odd) => self.eta.point(&element(self.field(), x), odd),
        };
        let point = found.ok_or(PointError::NotOnCurve)?;
        if validate == Validate::Subgroup && !self.in_group(&point) {
            return Err(PointError::NotInSubgroup);
        }
        Ok(self.bytes(&point))
    }

    /// Computes pairings from their values before the final exponentiation.
    fn finished(&self, values: &[E::Value]) -> Vec<Arc<[u8]>> {
        let values = self.eta.final_exponentiation(values);
        values
            .iter()
            .map(|eta| if self.numbers.tate { self.gt(&self.eta.tate(eta)) } else { self.gt(eta) })
            .collect_vec()
    }

    fn in_gt(&self, bytes: &[u8]) -> Result<(), GtError> {
        let wanted = self.gt_len();
        if bytes.len() != wanted {
            return Err(GtError::Length { given: bytes.len(), wanted });
        }
        check_coefficients(&self.numbers.q, self.len, bytes)?;
        let (tower, x) = (self.eta.tower(), self.value(bytes));
        let one = |power: &E::Value| self.holds(tower.equal(power, &tower.one()));
        let has_order = || self.numbers.h.is_one() || one(&tower.power(&x, &self.numbers.r));
        if self.eta.divides_points(&x) && has_order() { Ok(()) } else { Err(GtError::NotInGroup) }
    }

    /// The prepared lines in the form of this machine.
    fn lines<'a>(&self, lines: &'a MachineLines) -> &'a [E::Line] {
        let own: Option<&Vec<E::Line>> = lines.downcast_ref();
        own.unwrap_or_else(|| unreachable!("prepared for this machine"))
    }

    /// The tables of a fixed base in the form of this machine.
    fn tables<'a>(&self, tables: &'a MachineTables) -> &'a Tables<E> {
        let own: Option<&Tables<E>> = tables.downcast_ref();
        own.unwrap_or_else(|| unreachable!("tables of this machine"))
    }
}

impl<E: EtaT> Groups for EtaBackend<E> {
    fn is_symmetric(&self) -> bool {
        true
    }

    fn order(&self) -> &BigUint {
        &self.numbers.r
    }

    fn point_len(&self, _: Group) -> usize {
        2 * self.len
    }

    fn compressed_len(&self, _: Group) -> usize {
        self.len + 1
    }

    fn gt_len(&self) -> usize {
        E::COEFFICIENTS * self.len
    }

    /// Encodes x, followed by a byte that selects one of the two y. Over a field of one byte that is as long as x and
    /// y, so that their lengths could not be told apart: x and y are written instead.
    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8> {
        if self.compressed_len(group) == self.point_len(group) {
            return p.to_vec();
        }
        let (x, y) = p.split_at(self.len);
        let mut out = x.to_vec();
        out.push(u8::from(self.eta.sign(&element(self.field(), y))));
        out
    }

    /// Returns h·P for the first of a sequence of points for which that is not O.
    fn generator(&self, _: Group) -> Arc<[u8]> {
        let find = || {
            let multiple = |p| self.all(&[self.cleared(self.eta.group().to_jacobian(&p))]).remove(0);
            self.eta.points().find_map(multiple).unwrap_or_else(|| unreachable!("most points have such a multiple"))
        };
        self.generator.get_or_init(find).clone()
    }

    /// The number of bytes of a seed: one byte for the sign, and bytes for x.
    fn seed_len(&self, _: Group) -> usize {
        1 + self.len + if self.numbers.q.count_ones() == 1 { 0 } else { SEED }
    }

    fn random_from(&self, _: Group, seed: &[u8]) -> Owned {
        let x = BigUint::from_bytes_be(&seed[1..]) % &self.numbers.q;
        let point = self.eta.point(&constant(self.field(), &x), seed[0] & 1 == 1)?;
        self.all(&[self.cleared(self.eta.group().to_jacobian(&point))]).remove(0)
    }

    /// Hashes as RFC 9380's hash_to_curve and encode_to_curve do with SHA-256. An element of F_2^m is the last m bits
    /// of the integer that hash_to_field reduces, and an element of F_3^m its last m digits in radix 3.
    fn hash(&self, group: Group, messages: &[&[u8]], dst: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        let count = if uniform { 2 } else { 1 };
        let fields = |message: &&[u8]| hash_to_field(message, dst, &self.numbers.q, count);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    fn map(&self, _: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        let group = self.eta.group();
        let sum = |us: &Vec<BigUint>| {
            let points = us.iter().map(|u| self.eta.map(&constant(self.field(), u)));
            self.cleared(points.fold(group.infinity(), |sum, p| group.add(&sum, &p)))
        };
        self.all(&us.iter().map(sum).collect_vec())
    }

    fn sums(&self, _: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        let group = self.eta.group();
        let sum = |list: &Vec<Encoded<'_>>| {
            list.iter().flatten().fold(group.infinity(), |sum, p| group.add(&sum, &self.point(p)))
        };
        self.all(&lists.iter().map(sum).collect_vec())
    }

    fn neg(&self, _: Group, p: Encoded<'_>) -> Owned {
        self.bytes(&self.eta.group().negate(&self.point(p?)))
    }

    fn msm(&self, _: Group, _: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let terms = terms.iter().filter_map(|(k, p)| Some((*k, self.point((*p)?))));
        self.all(&[self.eta.group().msm(&terms.collect_vec())]).remove(0)
    }

    fn multiples(&self, _: Group, _: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let group = self.eta.group();
        let multiple =
            |(k, p): &(&[u8], Encoded<'_>)| p.map_or_else(|| group.infinity(), |p| group.multiple(k, &self.point(p)));
        self.all(&terms.iter().map(multiple).collect_vec())
    }

    fn fixed_tables(&self, _: Group, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>> {
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

    fn fixed_sums(&self, _: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        let group = self.eta.group();
        let tables = tables.iter().copied().map(|tables| self.tables(tables)).collect_vec();
        let sum = |ks: &Vec<&[u8]>| {
            let mut sum = group.infinity();
            for (k, windows) in ks.iter().zip(&tables) {
                for (digit, table) in digits(self.field(), k).iter().zip(*windows) {
                    sum = group.add_digit(&sum, table, digit);
                }
            }
            sum
        };
        self.all(&sums.iter().map(sum).collect_vec())
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.gt(&self.eta.tower().one())
    }

    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>> {
        pairs.iter().map(|pair| self.join(pair[0], pair[1])).collect_vec()
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.gt(&self.eta.tower().conjugate(&self.value(x)))
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.gt(&self.eta.tower().power(&self.value(x), e))
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        let power =
            |(x, e): &(&[u8], &[u8])| self.gt(&self.eta.tower().power_secret(&self.value(x), &digits(self.field(), e)));
        terms.iter().map(power).collect_vec()
    }

    fn prepared_group(&self) -> Group {
        Group::G1
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt(&self.eta.tower().mul(&self.value(x), &self.value(y)))
    }
}

impl<E: EtaT> Backend for EtaBackend<E> {
    fn groups(&self) -> &(dyn Groups + 'static) {
        self
    }

    fn lanes(&self) -> usize {
        1
    }

    fn task(&self) -> usize {
        TASK
    }

    fn bounds(&self) -> Option<Report> {
        None
    }

    fn parts(&self) -> Option<&dyn LoopParts> {
        Some(self)
    }

    fn decode(&self, _: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        points.iter().map(|p| self.decoded(*p, validate)).collect_vec()
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        values.iter().map(|bytes| self.in_gt(bytes)).collect_vec()
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        Arc::new(self.eta.lines(&self.point(fixed)))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<[Encoded<'_>; 2]>| {
            let there = pairs.iter().filter_map(|[p, q]| Some((self.eta.lines(&self.point((*p)?)), self.point((*q)?))));
            let pairs = there.collect_vec();
            self.gt(&self.eta.miller(&pairs.iter().map(|(lines, q)| (&lines[..], q)).collect_vec()))
        };
        products.iter().map(product).collect_vec()
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<(Option<&MachineLines>, Encoded<'_>)>| {
            let there = pairs.iter().filter_map(|(lines, q)| Some((self.lines((*lines)?), self.point((*q)?))));
            let pairs = there.collect_vec();
            self.gt(&self.eta.miller(&pairs.iter().map(|(lines, q)| (*lines, q)).collect_vec()))
        };
        products.iter().map(product).collect_vec()
    }

    fn final_exponentiation(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        self.finished(&products.iter().map(|x| self.value(x)).collect_vec())
    }
}
