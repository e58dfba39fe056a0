//! The symmetric pairings over fields of small characteristic: bytes in, values of the field, bytes out. One value at
//! a time.
//!
//! These pairings have no programs: recorded programs assume a prime field. The formulas run on their fields directly;
//! the layers above, from encodings to batches, are those of all families. `eta.rs` and `genus2.rs` hold what the
//! families have of their own. In genus 2 what is called a point here is a divisor.

use crate::backend::elements::{constant, element, write};
use crate::backend::error::{GtError, PointError};
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, Groups, LoopParts, MachineLines, MachineTables, Owned};
use crate::backend::residues::check_coefficients;
use crate::backend::validate::Validate;
use bilinear_field::bounds::Report;
use bilinear_field::{CollectVec, Field, Lanes};
use bilinear_pairing::booth::digits;
use bilinear_pairing::hash::{HashError, hash_to_field};
use bilinear_pairing::unitary_power::Unitary;
use num_bigint::BigUint;
use num_traits::One;
use std::iter::once;
use std::sync::{Arc, OnceLock};

/// The number of products in a task, so that threads share a batch.
const TASK: usize = 32;

/// The parameters of a curve that a backend needs beside the formulas.
pub(super) struct Numbers {
    /// The number of elements of the field.
    pub(super) q: BigUint,
    r: BigUint,
    h: BigUint,
    /// Whether values are raised to the power that gives the Tate pairing.
    tate: bool,
    /// The number of bytes of an element of the field.
    pub(super) len: usize,
    generator: OnceLock<Arc<[u8]>>,
}

impl Numbers {
    /// Creates the parameters from q, the order r and the cofactor h.
    pub(super) fn new([q, r, h]: [&BigUint; 3], tate: bool) -> Numbers {
        let len = q.bits().div_ceil(8) as usize;
        Numbers { q: q.clone(), r: r.clone(), h: h.clone(), tate, len, generator: OnceLock::new() }
    }
}

/// A coordinate of a point.
type Elem<S> = <<S as SmallCharacteristic>::Field as Field>::Elem;

/// What the families of small characteristic have of their own: points, their sums and encodings, and the formulas of
/// the pairing.
pub(super) trait SmallCharacteristic: Sized + Send + Sync + 'static {
    type Field: Lanes;
    type Point: Clone;
    /// A sum of points, in the coordinates in which sums are computed.
    type Sum;
    /// The prepared lines of a point.
    type Lines: Send + Sync;
    /// A value of the pairing.
    type Value;
    /// The number of points that a hash adds up to be uniform.
    const MAPS: usize;

    fn numbers(&self) -> &Numbers;
    fn field(&self) -> &Self::Field;
    /// The field of the values.
    fn tower(&self) -> impl Unitary<Field = Self::Field, Elem = Self::Value>;

    /// The numbers of bytes of a point, of a compressed point and of a seed.
    fn lengths(&self) -> [usize; 3];
    /// Returns the point of an encoding that has been validated before.
    fn point(&self, bytes: &[u8]) -> Self::Point;
    /// Parses an encoding, full or compressed, and checks that the point is on the curve; `None` for O.
    fn parsed(&self, p: Encoded<'_>) -> Result<Option<Self::Point>, PointError>;
    fn bytes(&self, p: &Self::Point) -> Owned;
    fn compressed(&self, p: &[u8]) -> Vec<u8>;
    /// Returns the point of a seed, if there is one.
    fn seeded(&self, seed: &[u8]) -> Option<Self::Point>;
    /// Iterates over points in a fixed order, in which the search for a generator proceeds.
    fn points(&self) -> impl Iterator<Item = Self::Point> + '_;
    /// Maps an element of the field to a point.
    fn mapped(&self, u: &Elem<Self>) -> Self::Point;

    fn total(&self, points: impl Iterator<Item = Self::Point>) -> Self::Sum;
    fn negated(&self, p: &Self::Point) -> Self::Point;
    /// Computes Σ k·P for public k.
    fn combination(&self, terms: &[(&BigUint, Self::Point)]) -> Self::Sum;
    fn is_zero(&self, sum: &Self::Sum) -> bool;
    fn normalised(&self, sums: &[Self::Sum]) -> Vec<Self::Point>;
    /// See [`Groups::multiples`].
    fn secret_multiples(&self, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned>;
    /// See [`Groups::fixed_tables`].
    fn tables_of(&self, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>>;
    /// See [`Groups::fixed_sums`].
    fn sums_from(&self, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned>;

    fn lines_of(&self, p: &Self::Point) -> Self::Lines;
    /// Computes the product of the lines of a P at a Q, over all pairs.
    fn product(&self, pairs: &[(&Self::Lines, &[u8])]) -> Self::Value;
    /// Applies the final exponentiation to several values, with one inversion for all.
    fn exponentiated(&self, values: &[Self::Value]) -> Vec<Self::Value>;
    /// Returns the reduced Tate pairing for a value of the pairing.
    fn tate(&self, value: &Self::Value) -> Self::Value;
    /// Returns true if x is unitary and x^N = 1, where N is the number of points.
    fn divides_points(&self, x: &Self::Value) -> bool;
    /// See [`Backend::parts`].
    fn loop_parts(&self) -> Option<&dyn LoopParts> {
        None
    }

    fn holds(&self, mask: <Self::Field as Field>::Mask) -> bool {
        self.field().lane(mask, 0)
    }

    fn value(&self, bytes: &[u8]) -> Self::Value {
        let mut chunks = bytes.chunks(self.numbers().len);
        let zero = || self.field().zero();
        self.tower().element(|| chunks.next().map_or_else(zero, |chunk| element(self.field(), chunk)))
    }

    fn gt(&self, x: &Self::Value) -> Arc<[u8]> {
        let mut out = vec![0; self.gt_len()];
        let places = out.chunks_mut(self.numbers().len);
        places.zip(self.tower().coefficients(x)).for_each(|(place, c)| write(self.field(), place, c));
        out.into()
    }

    fn all(&self, sums: &[Self::Sum]) -> Vec<Owned> {
        self.normalised(sums).iter().map(|p| self.bytes(p)).collect_vec()
    }

    /// Computes h·P.
    fn cleared(&self, p: Self::Sum) -> Self::Sum {
        let h = &self.numbers().h;
        if h.is_one() { p } else { self.combination(&[(h, self.normalised(&[p]).remove(0))]) }
    }

    /// Computes pairings from their values before the final exponentiation.
    fn finished(&self, values: &[Self::Value]) -> Vec<Arc<[u8]>> {
        let values = self.exponentiated(values).into_iter();
        values.map(|x| self.gt(&if self.numbers().tate { self.tate(&x) } else { x })).collect_vec()
    }

    fn decoded(&self, p: Encoded<'_>, validate: Validate) -> Result<Owned, PointError> {
        let Some(point) = self.parsed(p)? else { return Ok(None) };
        let Numbers { r, h, .. } = self.numbers();
        // every point is in the group where r is the number of points
        if validate == Validate::Subgroup && !h.is_one() && !self.is_zero(&self.combination(&[(r, point.clone())])) {
            return Err(PointError::NotInSubgroup);
        }
        Ok(self.bytes(&point))
    }

    fn in_gt(&self, bytes: &[u8]) -> Result<(), GtError> {
        let wanted = self.gt_len();
        if bytes.len() != wanted {
            return Err(GtError::Length { given: bytes.len(), wanted });
        }
        let Numbers { q, r, h, len, .. } = self.numbers();
        check_coefficients(q, *len, bytes)?;
        let (tower, x) = (self.tower(), self.value(bytes));
        let has_order = || h.is_one() || self.holds(tower.equal(&tower.power(&x, r), &tower.one()));
        if self.divides_points(&x) && has_order() { Ok(()) } else { Err(GtError::NotInGroup) }
    }
}

impl<S: SmallCharacteristic> Groups for S {
    fn is_symmetric(&self) -> bool {
        true
    }

    fn order(&self) -> &BigUint {
        &self.numbers().r
    }

    fn point_len(&self, _: Group) -> usize {
        self.lengths()[0]
    }

    fn compressed_len(&self, _: Group) -> usize {
        self.lengths()[1]
    }

    fn gt_len(&self) -> usize {
        self.tower().degree() * self.numbers().len
    }

    fn compress(&self, _: Group, p: &[u8]) -> Vec<u8> {
        self.compressed(p)
    }

    /// Returns h·P for the first of a sequence of points for which that is not O.
    fn generator(&self, _: Group) -> Arc<[u8]> {
        let find = || {
            let mut multiples = self.points().map(|p| self.all(&[self.cleared(self.total(once(p)))]).remove(0));
            multiples.find_map(|p| p).unwrap_or_else(|| unreachable!("most points have such a multiple"))
        };
        self.numbers().generator.get_or_init(find).clone()
    }

    fn seed_len(&self, _: Group) -> usize {
        self.lengths()[2]
    }

    fn random_from(&self, _: Group, seed: &[u8]) -> Owned {
        self.all(&[self.cleared(self.total(once(self.seeded(seed)?)))]).remove(0)
    }

    /// Hashes as RFC 9380's hash_to_curve and encode_to_curve do with SHA-256. An element of F_2^m is the last m bits
    /// of the integer that hash_to_field reduces, and an element of F_3^m its last m digits in radix 3.
    fn hash(&self, group: Group, messages: &[&[u8]], dst: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        let count = if uniform { S::MAPS } else { 1 };
        let fields = |message: &&[u8]| hash_to_field(message, dst, &self.numbers().q, count);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    fn map(&self, _: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        let sum =
            |us: &Vec<BigUint>| self.cleared(self.total(us.iter().map(|u| self.mapped(&constant(self.field(), u)))));
        self.all(&us.iter().map(sum).collect_vec())
    }

    fn sums(&self, _: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        let sum = |list: &Vec<Encoded<'_>>| self.total(list.iter().flatten().map(|p| self.point(p)));
        self.all(&lists.iter().map(sum).collect_vec())
    }

    fn neg(&self, _: Group, p: Encoded<'_>) -> Owned {
        self.bytes(&self.negated(&self.point(p?)))
    }

    fn msm(&self, _: Group, _: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let terms = terms.iter().filter_map(|(k, p)| Some((*k, self.point((*p)?))));
        self.all(&[self.combination(&terms.collect_vec())]).remove(0)
    }

    fn multiples(&self, _: Group, _: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        self.secret_multiples(terms)
    }

    fn fixed_tables(&self, _: Group, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>> {
        self.tables_of(points, windows)
    }

    fn fixed_sums(&self, _: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        self.sums_from(tables, sums)
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.gt(&self.tower().one())
    }

    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>> {
        pairs.iter().map(|pair| self.join(pair[0], pair[1])).collect_vec()
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.gt(&self.tower().conjugate(&self.value(x)))
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.gt(&self.tower().power(&self.value(x), e))
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        let power =
            |(x, e): &(&[u8], &[u8])| self.gt(&self.tower().power_secret(&self.value(x), &digits(self.field(), &[e])));
        terms.iter().map(power).collect_vec()
    }

    fn prepared_group(&self) -> Group {
        Group::G1
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt(&self.tower().mul(&self.value(x), &self.value(y)))
    }
}

impl<S: SmallCharacteristic> Backend for S {
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
        self.loop_parts()
    }

    fn decode(&self, _: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        points.iter().map(|p| self.decoded(*p, validate)).collect_vec()
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        values.iter().map(|bytes| self.in_gt(bytes)).collect_vec()
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        Arc::new(self.lines_of(&self.point(fixed)))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<[Encoded<'_>; 2]>| {
            let there = pairs.iter().filter_map(|[p, q]| Some((self.lines_of(&self.point((*p)?)), (*q)?)));
            let there = there.collect_vec();
            self.gt(&self.product(&there.iter().map(|(lines, q)| (lines, *q)).collect_vec()))
        };
        products.iter().map(product).collect_vec()
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<(Option<&MachineLines>, Encoded<'_>)>| {
            let there = pairs.iter().filter_map(|(lines, q)| {
                let own: Option<&S::Lines> = (*lines)?.downcast_ref();
                Some((own.unwrap_or_else(|| unreachable!("prepared for this machine")), (*q)?))
            });
            self.gt(&self.product(&there.collect_vec()))
        };
        products.iter().map(product).collect_vec()
    }

    fn final_exponentiation(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        self.finished(&products.iter().map(|x| self.value(x)).collect_vec())
    }
}
