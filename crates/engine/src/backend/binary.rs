//! The symmetric pairing over F_2^m: bytes in, values of the field, bytes out. One value at a time.
//!
//! It has no programs: what tells fields apart there is a prime. The formulas of `bilinear_pairing::eta` run on the field at
//! once; what is above, from encodings to batches, is that of all families.

use crate::backend::binary_elements::{constant, element, write};
use crate::backend::error::{GtError, PointError, SystemError};
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, MachineLines, MachineTables, Owned};
use crate::backend::options::Options;
use crate::backend::residues::{Parsed, check_coefficients};
use crate::backend::validate::Validate;
use bilinear_field::binary::Binary;
use bilinear_field::bounds::Report;
use bilinear_field::{Field, Lanes, memcheck};
use bilinear_pairing::curve::{Affine, Jacobian};
use bilinear_pairing::eta::group::digits;
use bilinear_pairing::eta::tower::{self, Quartic};
use bilinear_pairing::eta::{self, Eta, EtaJob, Line};
use bilinear_pairing::fixed_base::ENTRIES;
use bilinear_pairing::hash::{HashError, hash_to_fields};
use bilinear_pairing::names::{PairingKind, Power};
use bilinear_pairing::torus::Torus;
use bilinear_params::{Binary as Parameters, Curve};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::{Arc, OnceLock};

/// The pairings that there are, the default first.
const PAIRINGS: &[PairingKind] = &[PairingKind::EtaT, PairingKind::Tate];

/// Products of a task, so that threads share a batch.
const TASK: usize = 32;

type Point<const N: usize> = Affine<Binary<N>>;
type Value<const N: usize> = Quartic<Binary<N>>;
/// The tables of the windows of a fixed base.
type Tables<const N: usize> = Vec<Vec<Point<N>>>;

/// A curve over F_2^m on N words.
struct BinaryBackend<const N: usize> {
    eta: Eta<N>,
    field: Binary<N>,
    parameters: Parameters,
    /// Whether values are powered to the Tate pairing.
    tate: bool,
    /// Bytes of an element.
    len: usize,
    generator: OnceLock<Arc<[u8]>>,
}

/// A curve over F_2^m on the engine of the options, and which of its pairings it has.
///
/// # Errors
/// Without the word that this is for research; if the engine has no such field, or the family no such pairing.
pub(crate) fn backend(
    curve: &Curve,
    parameters: &Parameters,
    options: Options,
) -> Result<(Arc<dyn Backend>, PairingKind), SystemError> {
    let name = || curve.name().to_owned();
    if options.research.is_none() {
        return Err(SystemError::Research { curve: name() });
    }
    let pairing = options.pairing.unwrap_or(PAIRINGS[0]);
    if !PAIRINGS.contains(&pairing) {
        return Err(SystemError::Pairing { curve: name(), asked: pairing, has: PAIRINGS });
    }
    if options.power != Power::Exact {
        return Err(SystemError::Power { curve: name(), asked: options.power, has: &[Power::Exact] });
    }
    let make = Make { parameters: parameters.clone(), tate: pairing == PairingKind::Tate };
    let signs = [parameters.b(), parameters.is_above()];
    let made = eta::on(options.engine(), &parameters.polynomial(), signs, make);
    Ok((made.map_err(|reason| SystemError::Engine { curve: name(), reason })?, pairing))
}

struct Make {
    parameters: Parameters,
    tate: bool,
}

impl EtaJob for Make {
    type Output = Arc<dyn Backend>;

    fn run<const N: usize>(self, field: Binary<N>, eta: Eta<N>) -> Arc<dyn Backend> {
        let Make { parameters, tate } = self;
        let len = field.degree().div_ceil(8);
        Arc::new(BinaryBackend { eta, field, parameters, tate, len, generator: OnceLock::new() })
    }
}

impl<const N: usize> BinaryBackend<N> {
    fn point(&self, xy: &[u8]) -> Point<N> {
        let (x, y) = xy.split_at(self.len);
        Affine { x: element(&self.field, x), y: element(&self.field, y), infinity: self.field.mask(false) }
    }

    fn bytes(&self, p: &Point<N>) -> Owned {
        let mut is_infinity = self.holds(p.infinity);
        memcheck::reveal(&mut is_infinity);
        if is_infinity {
            return None;
        }
        let mut out = vec![0; 2 * self.len];
        let (x, y) = out.split_at_mut(self.len);
        write(&self.field, x, &p.x);
        write(&self.field, y, &p.y);
        Some(out.into())
    }

    fn all(&self, points: &[Jacobian<Binary<N>>]) -> Vec<Owned> {
        self.eta.group().normalise(points).iter().map(|p| self.bytes(p)).collect()
    }

    fn value(&self, bytes: &[u8]) -> Value<N> {
        std::array::from_fn(|i| element(&self.field, &bytes[i * self.len..(i + 1) * self.len]))
    }

    fn gt(&self, x: &Value<N>) -> Arc<[u8]> {
        let mut out = vec![0; 4 * self.len];
        out.chunks_mut(self.len).zip(x).for_each(|(place, c)| write(&self.field, place, c));
        out.into()
    }

    fn holds(&self, mask: <Binary<N> as Field>::Mask) -> bool {
        self.field.lane(mask, 0)
    }

    /// r·P = O. Where r is the number of points there is nothing to see.
    fn in_group(&self, p: &Point<N>) -> bool {
        self.parameters.h().is_one() || {
            let multiple = self.eta.group().combination(&[(self.parameters.r(), p.clone())]);
            self.holds(self.field.is_zero(&multiple.z))
        }
    }

    /// h·P.
    fn cleared(&self, p: Jacobian<Binary<N>>) -> Jacobian<Binary<N>> {
        let h = self.parameters.h();
        if h.is_one() {
            return p;
        }
        let p = self.eta.group().normalise(&[p]).remove(0);
        self.eta.group().combination(&[(h, p)])
    }

    fn decoded(&self, p: Encoded<'_>, validate: Validate) -> Result<Owned, PointError> {
        let found = match Parsed::new(self.parameters.q(), self.len, self.len, p)? {
            Parsed::Infinity => return Ok(None),
            Parsed::Full(xy) => Some(self.point(xy)).filter(|p| self.holds(self.eta.group().contains(&p.x, &p.y))),
            Parsed::Compressed(x, odd) => self.eta.point(&element(&self.field, x), odd),
        };
        let point = found.ok_or(PointError::NotOnCurve)?;
        if validate == Validate::Subgroup && !self.in_group(&point) {
            return Err(PointError::NotInSubgroup);
        }
        Ok(self.bytes(&point))
    }

    fn in_gt(&self, bytes: &[u8]) -> Result<(), GtError> {
        let wanted = self.gt_len();
        if bytes.len() != wanted {
            return Err(GtError::Length { given: bytes.len(), wanted });
        }
        check_coefficients(self.parameters.q(), self.len, bytes)?;
        let (f, x) = (&self.field, self.value(bytes));
        let one = |power: &Value<N>| self.holds(tower::equal(f, power, &tower::one(f)));
        let has_order = || self.parameters.h().is_one() || one(&tower::power(f, &x, self.parameters.r()));
        if self.eta.divides_points(&x) && has_order() { Ok(()) } else { Err(GtError::NotInGroup) }
    }

    /// Prepared lines of this machine.
    fn lines<'a>(&self, lines: &'a MachineLines) -> &'a [Line<Binary<N>>] {
        let own: Option<&Vec<Line<Binary<N>>>> = lines.downcast_ref();
        own.unwrap_or_else(|| unreachable!("prepared for this machine"))
    }

    /// Tables of this machine.
    fn tables<'a>(&self, tables: &'a MachineTables) -> &'a Tables<N> {
        let own: Option<&Tables<N>> = tables.downcast_ref();
        own.unwrap_or_else(|| unreachable!("tables of this machine"))
    }
}

impl<const N: usize> Backend for BinaryBackend<N> {
    fn lanes(&self) -> usize {
        1
    }

    fn task(&self) -> usize {
        TASK
    }

    fn bounds(&self) -> Option<Report> {
        None
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn order(&self) -> &BigUint {
        self.parameters.r()
    }

    fn point_len(&self, _: Group) -> usize {
        2 * self.len
    }

    fn compressed_len(&self, _: Group) -> usize {
        self.len + 1
    }

    fn gt_len(&self) -> usize {
        4 * self.len
    }

    fn decode(&self, _: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        points.iter().map(|p| self.decoded(*p, validate)).collect()
    }

    /// x, then the coefficient of 1 in y, which that of −y is not.
    fn compress(&self, _: Group, p: &[u8]) -> Vec<u8> {
        let (x, y) = p.split_at(self.len);
        let mut out = x.to_vec();
        out.push(y[self.len - 1] & 1);
        out
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        values.iter().map(|bytes| self.in_gt(bytes)).collect()
    }

    fn has_torus(&self, _: Torus) -> bool {
        false
    }

    fn compress_gt(&self, _: Torus, _: &[&[u8]]) -> Vec<Vec<u8>> {
        unreachable!("there is no torus")
    }

    fn decompress_gt(&self, _: Torus, _: &[&[u8]]) -> Vec<Result<Arc<[u8]>, GtError>> {
        unreachable!("there is no torus")
    }

    /// h·P for the first of some points for which that is not O.
    fn generator(&self, _: Group) -> Arc<[u8]> {
        let find = || {
            let multiple = |p| self.all(&[self.cleared(self.eta.group().to_jacobian(&p))]).remove(0);
            self.eta.points().find_map(multiple).unwrap_or_else(|| unreachable!("most points have such a multiple"))
        };
        self.generator.get_or_init(find).clone()
    }

    /// A byte for the sign, and the bytes of x.
    fn seed_len(&self, _: Group) -> usize {
        1 + self.len
    }

    fn random_from(&self, _: Group, seed: &[u8]) -> Owned {
        let x = BigUint::from_bytes_be(&seed[1..]) % self.parameters.q();
        let point = self.eta.point(&constant(&self.field, &x), seed[0] & 1 == 1)?;
        self.all(&[self.cleared(self.eta.group().to_jacobian(&point))]).remove(0)
    }

    /// As RFC 9380's hash_to_curve and encode_to_curve with SHA-256, an element being the last m bits of what its
    /// hash_to_field takes.
    fn hash(&self, group: Group, messages: &[&[u8]], tag: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        let count = if uniform { 2 } else { 1 };
        let fields = |message: &&[u8]| hash_to_fields(message, tag, self.parameters.q(), count);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    fn map(&self, _: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        let group = self.eta.group();
        let sum = |us: &Vec<BigUint>| {
            let points = us.iter().map(|u| self.eta.map(&constant(&self.field, u)));
            self.cleared(points.fold(group.infinity(), |sum, p| group.add(&sum, &p)))
        };
        self.all(&us.iter().map(sum).collect::<Vec<_>>())
    }

    fn sums(&self, _: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        let group = self.eta.group();
        let sum = |list: &Vec<Encoded<'_>>| {
            list.iter().flatten().fold(group.infinity(), |sum, p| group.add(&sum, &self.point(p)))
        };
        self.all(&lists.iter().map(sum).collect::<Vec<_>>())
    }

    /// (x, y + 1).
    fn neg(&self, _: Group, p: Encoded<'_>) -> Owned {
        let mut out = p?.to_vec();
        out[2 * self.len - 1] ^= 1;
        Some(out.into())
    }

    fn sum(&self, _: Group, _: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let terms = terms.iter().filter_map(|(k, p)| Some((*k, self.point((*p)?))));
        self.all(&[self.eta.group().combination(&terms.collect::<Vec<_>>())]).remove(0)
    }

    fn multiples(&self, _: Group, _: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let group = self.eta.group();
        let multiple =
            |(k, p): &(&[u8], Encoded<'_>)| p.map_or_else(|| group.infinity(), |p| group.multiple(k, &self.point(p)));
        self.all(&terms.iter().map(multiple).collect::<Vec<_>>())
    }

    fn fixed_tables(&self, _: Group, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>> {
        let tables = |p: &&[u8]| {
            let (mut base, mut tables) = (self.point(p), Tables::<N>::new());
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
        points.iter().map(tables).collect()
    }

    fn fixed_sums(&self, _: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        let group = self.eta.group();
        let tables: Vec<_> = tables.iter().copied().map(|tables| self.tables(tables)).collect();
        let sum = |ks: &Vec<&[u8]>| {
            let mut sum = group.infinity();
            for (k, windows) in ks.iter().zip(&tables) {
                for (digit, table) in digits(&self.field, k).iter().zip(*windows) {
                    sum = group.add_digit(&sum, table, digit);
                }
            }
            sum
        };
        self.all(&sums.iter().map(sum).collect::<Vec<_>>())
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.gt(&tower::one(&self.field))
    }

    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>> {
        pairs.iter().map(|pair| self.join(pair[0], pair[1])).collect()
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.gt(&tower::conjugate(&self.field, &self.value(x)))
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.gt(&tower::power(&self.field, &self.value(x), e))
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        let power = |(x, e): &(&[u8], &[u8])| {
            self.gt(&tower::power_secret(&self.field, &self.value(x), &digits(&self.field, e)))
        };
        terms.iter().map(power).collect()
    }

    fn prepared_group(&self) -> Group {
        Group::G1
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        Arc::new(self.eta.lines(&self.point(fixed)))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<[Encoded<'_>; 2]>| {
            let there = pairs.iter().filter_map(|[p, q]| Some((self.eta.lines(&self.point((*p)?)), self.point((*q)?))));
            let pairs: Vec<_> = there.collect();
            self.gt(&self.eta.miller(&pairs.iter().map(|(lines, q)| (&lines[..], q)).collect::<Vec<_>>()))
        };
        products.iter().map(product).collect()
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<(Option<&MachineLines>, Encoded<'_>)>| {
            let there = pairs.iter().filter_map(|(lines, q)| Some((self.lines((*lines)?), self.point((*q)?))));
            let pairs: Vec<_> = there.collect();
            self.gt(&self.eta.miller(&pairs.iter().map(|(lines, q)| (*lines, q)).collect::<Vec<_>>()))
        };
        products.iter().map(product).collect()
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt(&tower::mul(&self.field, &self.value(x), &self.value(y)))
    }

    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        let values: Vec<Value<N>> = products.iter().map(|x| self.value(x)).collect();
        let values = self.eta.final_exponentiation(&values);
        values.iter().map(|eta| if self.tate { self.gt(&self.eta.tate(eta)) } else { self.gt(eta) }).collect()
    }
}
