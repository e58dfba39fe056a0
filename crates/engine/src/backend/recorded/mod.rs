//! The backend: bytes in, programs of a curve on a machine, bytes out. Each lane holds one value.

mod buckets;
mod cache;
mod checks;
mod decode;
mod digits;
mod family;
mod fixed;
mod job;
mod lanes;
mod miller;
mod partition;
mod parts;
mod ports;
mod programs;
mod source_group;
mod stored_points;

pub use checks::{
    LineValues, OnResidues, Phase, gt_order, line_values, loop_partition, on_residues, operations, product_program,
    programs,
};
pub(crate) use family::GroupDescriptions;
pub(super) use job::{Job, PointJob};
pub use partition::{LoopPartition, PartitionPart, PartsError};
pub(crate) use programs::Programs;

use crate::backend::build::sextic;
use crate::backend::error::{GtError, PointError, SystemError};
use crate::backend::family::{ChosenPairing, KnownFamily};
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, Groups, LoopParts, MachineLines, MachineTables, Owned};
use crate::backend::machines::Maker;
use crate::backend::residues::check_coefficients;
use crate::backend::validate::Validate;
use crate::outcomes::in_place;
use bilinear_field::CollectVec;
use bilinear_field::Engine;
use bilinear_field::bounds::Report;
use bilinear_pairing::CostModel;
use bilinear_pairing::encode::{residue_bytes, residue_words};
use bilinear_pairing::hash::{HashError, hash_to_field};
use bilinear_pairing::torus::Torus;
use bilinear_params::Curve;
use bilinear_program::{Batch, Machine};
use num_bigint::BigUint;
use num_traits::Zero;
use programs::Ready;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};
use zeroize::Zeroizing;

/// The most vectors of moving pairs of types A and A1 that go through the loop together, times the bits of q. Each
/// has nine elements; together they take 1.3 MB in eight lanes.
const MAX_SHARING: usize = 1 << 17;
/// Scalars are padded to a multiple of this many bytes, so that few programs are recorded.
const STEP: usize = 4;

/// A curve's pairing as programs on a machine.
pub(crate) struct RecordedBackend {
    ready: Ready,
    /// The position in an encoding of each coefficient of F_p^k.
    order: Vec<usize>,
    /// The number of bytes of a residue.
    len: usize,
    /// Whether F_p^k = E(w) with w^6 in E.
    sextic: bool,
    /// Whether G1 and G2 are one group, and the pairing symmetric.
    symmetric: bool,
    cost_model: CostModel,
    generators: [OnceLock<Arc<[u8]>>; 2],
}

/// The index of a vector in a batch, and of a lane in the vector.
type Place = (usize, usize);

/// The position in an encoding of each coefficient of F_p^k.
fn order(curve: &Curve, choice: &ChosenPairing<'_>) -> Vec<usize> {
    match choice.family {
        KnownFamily::Supersingular(_) => vec![0, 1],
        KnownFamily::Sextic(s) => sextic::order(curve.layout(), s.k() as usize / 6),
        KnownFamily::QuadraticTwist(s) => (0..s.k() as usize).collect_vec(),
        KnownFamily::DegreeOne(_) => vec![0],
    }
}

impl RecordedBackend {
    /// Creates the backend of a chosen pairing of a curve on the machines of an engine.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve.
    pub(crate) fn new(
        curve: &Curve,
        choice: &ChosenPairing<'_>,
        engine: (Engine, Maker),
        programs: Arc<Programs>,
    ) -> Result<Self, SystemError> {
        let order = order(curve, choice);
        let symmetric = matches!(choice.family, KnownFamily::Supersingular(_));
        let sextic = matches!(choice.family, KnownFamily::Sextic(_));
        let len = curve.family().field().bits().div_ceil(8) as usize;
        let ready = Ready::new(curve, choice, engine, programs)?;
        Ok(RecordedBackend {
            ready,
            order,
            len,
            sextic,
            symmetric,
            cost_model: choice.cost_model,
            generators: Default::default(),
        })
    }

    fn machine(&self) -> &dyn Machine {
        self.ready.machine()
    }

    /// The least number of pairs, or vectors of pairs, for which the loop in affine coordinates costs less; `None` if
    /// there is no such loop, or if the machine does not share inversions.
    fn many(&self) -> Option<usize> {
        self.ready.programs.family().many().filter(|_| self.machine().shares_inversions())
    }

    fn modulus(&self) -> &BigUint {
        self.machine().modulus()
    }

    /// The number of elements of F_p of a point.
    fn coordinates(&self, group: Group) -> usize {
        2 * self.ready.programs.family().degree(group)
    }

    /// Sets the elements from `input` on to the residues of an encoding, or leaves them 0 if there is none.
    fn set(&self, batch: &mut Batch, (vector, lane): Place, input: usize, encoded: Encoded<'_>) {
        for (i, residue) in encoded.into_iter().flat_map(|bytes| bytes.chunks(self.len)).enumerate() {
            residue_words(batch.elem_mut(vector, input + i, lane), residue);
        }
    }

    /// Returns the bytes of `count` outputs from `output` on.
    fn get(&self, batch: &Batch, (vector, lane): Place, output: usize, count: usize) -> Vec<u8> {
        let mut out = vec![0; count * self.len];
        for (i, place) in out.chunks_mut(self.len).enumerate() {
            residue_bytes(place, batch.get(vector, output + i, lane));
        }
        out
    }

    /// Sets the elements from `input` on to the coefficients of an element of F_p^k.
    fn set_gt(&self, batch: &mut Batch, (vector, lane): Place, input: usize, bytes: &[u8]) {
        for (i, place) in self.order.iter().enumerate() {
            residue_words(batch.elem_mut(vector, input + i, lane), &bytes[place * self.len..(place + 1) * self.len]);
        }
    }

    /// Returns the bytes of an element of F_p^k in the outputs.
    fn get_gt(&self, batch: &Batch, (vector, lane): Place) -> Arc<[u8]> {
        let mut out = vec![0; self.order.len() * self.len];
        for (i, place) in self.order.iter().enumerate() {
            residue_bytes(&mut out[place * self.len..(place + 1) * self.len], batch.get(vector, i, lane));
        }
        out.into()
    }

    /// Returns a point in the outputs: x‖y, or O where the first mask says so.
    fn get_point(&self, batch: &Batch, at: Place, group: Group) -> Owned {
        let infinite = batch.get_mask(at.0, 0, at.1);
        (!infinite).then(|| self.get(batch, at, 0, self.coordinates(group)).into())
    }

    /// Sets the masks of a lane from 0 on.
    fn set_bits(batch: &mut Batch, (vector, lane): Place, bits: &[bool]) {
        bits.iter().enumerate().for_each(|(i, bit)| batch.set_mask(vector, i, lane, *bit));
    }
}

/// The length to which scalars, big-endian, are padded: that of the longest, rounded up.
fn common_len<'a>(scalars: impl Iterator<Item = &'a [u8]>) -> usize {
    scalars.map(<[u8]>::len).max().unwrap_or(0).max(1).next_multiple_of(STEP)
}

/// Pads a scalar to this length. Constant time in its bytes.
fn padded(k: &[u8], len: usize) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(len));
    out.resize(len - k.len(), 0);
    out.extend_from_slice(k);
    out
}

impl Groups for RecordedBackend {
    fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn order(&self) -> &BigUint {
        self.ready.programs.family().order()
    }

    fn point_len(&self, group: Group) -> usize {
        self.coordinates(group) * self.len
    }

    fn compressed_len(&self, group: Group) -> usize {
        self.point_len(group) / 2 + 1
    }

    fn gt_len(&self) -> usize {
        self.order.len() * self.len
    }

    /// Encodes x, then the sign of y: RFC 9380's, the parity of the first coefficient that is not 0. For types A and
    /// A1 that is PBC's. Where this form is no shorter than x and y, returns x and y, since the lengths would not
    /// tell the forms apart.
    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8> {
        if self.compressed_len(group) == self.point_len(group) {
            return p.to_vec();
        }
        let (x, y) = p.split_at(self.point_len(group) / 2);
        let odd = y.chunks(self.len).find(|c| c.iter().any(|b| *b != 0)).map_or(0, |c| c[self.len - 1] & 1);
        let mut out = x.to_vec();
        out.push(odd);
        out
    }

    fn has_torus(&self, torus: Torus) -> bool {
        match torus {
            Torus::Two => self.order.len().is_multiple_of(2),
            Torus::Six => self.sextic,
        }
    }

    fn compress_gt(&self, torus: Torus, values: &[&[u8]]) -> Vec<Vec<u8>> {
        let count = self.order.len() / torus.factor();
        let fill = |batch: &mut Batch, at, x: &&[u8]| self.set_gt(batch, at, 0, x);
        self.each(Job::GtCompress(torus), values, fill, |batch, at| self.get(batch, at, 0, count))
    }

    fn decompress_gt(&self, torus: Torus, points: &[&[u8]]) -> Vec<Result<Arc<[u8]>, GtError>> {
        let canonical = points.iter().map(|bytes| check_coefficients(self.modulus(), self.len, bytes).map(|()| *bytes));
        let fill = |batch: &mut Batch, at, x: &&[u8]| self.set(batch, at, 0, Some(x));
        let take = |batch: &Batch, at: Place| batch.get_mask(at.0, 0, at.1).then(|| self.get_gt(batch, at));
        let members = in_place(canonical, |good| self.each(Job::GtDecompress(torus), &good, fill, take));
        members.into_iter().map(|member| member?.ok_or(GtError::NotInGroup)).collect_vec()
    }

    fn generator(&self, group: Group) -> Arc<[u8]> {
        let generator = || {
            let residues = self.ready.programs.generator(group);
            let mut out = vec![0; residues.len() * self.len];
            for (place, x) in out.chunks_mut(self.len).zip(&residues) {
                residue_bytes(place, &x.to_u64_digits());
            }
            out.into()
        };
        self.generators[usize::from(group == Group::G2)].get_or_init(generator).clone()
    }

    /// The number of bytes of a seed: one byte for the sign, and 128 bits more than p has for each coefficient of x.
    fn seed_len(&self, group: Group) -> usize {
        1 + self.coordinates(group) / 2 * (self.len + 16)
    }

    fn random_from(&self, group: Group, seed: &[u8]) -> Owned {
        let odd = seed[0] & 1 == 1;
        let x: Vec<BigUint> =
            seed[1..].chunks(self.len + 16).map(|c| BigUint::from_bytes_be(c) % self.modulus()).collect_vec();
        if self.ready.programs.family().maps_uniformly() {
            // the map gives y the parity of x
            let point = self.map(group, std::slice::from_ref(&x)).remove(0)?;
            return if x[0].bit(0) == odd { Some(point) } else { self.neg(group, Some(&point)) };
        }
        let mut bytes = vec![0; x.len() * self.len];
        for (place, c) in bytes.chunks_mut(self.len).zip(&x) {
            residue_bytes(place, &c.to_u64_digits());
        }
        let y = self.decompressed(group, &[(&bytes, odd)]).remove(0)?;
        let point = [bytes, y].concat();
        let fill = |batch: &mut Batch, at, p: &Vec<u8>| self.set(batch, at, 0, Some(p));
        self.each(Job::Points(group, PointJob::ClearCofactor), &[point], fill, |batch, at| {
            self.get_point(batch, at, group)
        })
        .remove(0)
    }

    /// Hashes by RFC 9380's hash_to_curve and encode_to_curve with SHA-256 and the curve's map; where the map is a
    /// bijection, one evaluation gives a uniform point.
    fn hash(&self, group: Group, messages: &[&[u8]], dst: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        let count = if uniform && !self.ready.programs.family().maps_uniformly() { 2 } else { 1 };
        let degree = self.coordinates(group) / 2;
        let fields = |message: &&[u8]| hash_to_field(message, dst, self.modulus(), count * degree);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    fn map(&self, group: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        let Some(first) = us.first() else { return vec![] };
        let count = first.len() / (self.coordinates(group) / 2);
        let fill = |batch: &mut Batch, (v, lane), u: &Vec<BigUint>| {
            u.iter().enumerate().for_each(|(i, c)| batch.set(v, i, lane, &c.to_u64_digits()));
        };
        self.each(Job::Points(group, PointJob::Map { count }), us, fill, |batch, at| self.get_point(batch, at, group))
    }

    fn sums(&self, group: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        self.sums_of_points(group, lists)
    }

    fn neg(&self, group: Group, p: Encoded<'_>) -> Owned {
        let (x, y) = p?.split_at(self.point_len(group) / 2);
        let mut out = x.to_vec();
        for c in y.chunks(self.len) {
            let c = BigUint::from_bytes_be(c);
            let minus = if c.is_zero() { c } else { self.modulus() - c };
            let mut place = vec![0; self.len];
            residue_bytes(&mut place, &minus.to_u64_digits());
            out.extend(place);
        }
        Some(out.into())
    }

    fn msm(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        self.public_msm(group, known, terms)
    }

    fn multiples(&self, group: Group, known: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let bytes = common_len(terms.iter().map(|(k, _)| *k));
        let family = self.ready.programs.family();
        let fill = |batch: &mut Batch, at, (k, p): &(&[u8], Encoded<'_>)| {
            self.set(batch, at, 0, *p);
            Self::set_bits(batch, at, &family.digits(group, known, &padded(k, bytes)));
        };
        let multiples = self.each(Job::Points(group, PointJob::Multiple { known, bytes }), terms, fill, |batch, at| {
            self.get_point(batch, at, group)
        });
        multiples.into_iter().zip(terms).map(|(multiple, (_, p))| p.and(multiple)).collect_vec()
    }

    fn fixed_tables(&self, group: Group, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>> {
        self.tables_of_points(group, points, windows)
    }

    fn fixed_sums(&self, group: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        self.sums_from_tables(group, tables, sums)
    }

    fn gt_one(&self) -> Arc<[u8]> {
        let mut one = vec![0; self.gt_len()];
        one[(self.order[0] + 1) * self.len - 1] = 1;
        one.into()
    }

    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>> {
        let fill = |batch: &mut Batch, at, [x, y]: &[&[u8]; 2]| {
            self.set_gt(batch, at, 0, x);
            self.set_gt(batch, at, self.order.len(), y);
        };
        self.each(Job::GtMul, pairs, fill, |batch, at| self.get_gt(batch, at))
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        let fill = |batch: &mut Batch, at, x: &&[u8]| self.set_gt(batch, at, 0, x);
        self.each(Job::GtInv, &[x], fill, |batch, at| self.get_gt(batch, at)).remove(0)
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        // only e modulo the order counts, and the length of a program grows with e
        let e = (e % self.order()).to_bytes_be();
        self.gt_power_by_digits(x, &e).unwrap_or_else(|| self.gt_powers(&[(x, &e)]).remove(0))
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        let bytes = common_len(terms.iter().map(|(_, e)| *e));
        let family = self.ready.programs.family();
        let fill = |batch: &mut Batch, at, (x, e): &(&[u8], &[u8])| {
            self.set_gt(batch, at, 0, x);
            Self::set_bits(batch, at, &family.gt_digits(&padded(e, bytes)));
        };
        self.each(Job::GtPower { bytes }, terms, fill, |batch, at| self.get_gt(batch, at))
    }

    fn prepared_group(&self) -> Group {
        if self.ready.programs.family().prepares_g1() { Group::G1 } else { Group::G2 }
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt_mul(&[[x, y]]).remove(0)
    }
}

impl Backend for RecordedBackend {
    fn groups(&self) -> &(dyn Groups + 'static) {
        self
    }

    fn lanes(&self) -> usize {
        self.machine().lanes()
    }

    fn task(&self) -> usize {
        self.machine().task() * self.lanes()
    }

    fn fallback_reason(&self) -> Option<String> {
        self.machine().fallback_reason()
    }

    fn is_broken(&self) -> bool {
        self.machine().is_broken()
    }

    fn left_to_another(&self) -> usize {
        self.machine().left_to_another()
    }

    /// Starts at one and a half times the number of pairs that are many: from there on waiting for further pairs
    /// pays.
    fn sharing(&self) -> Option<RangeInclusive<usize>> {
        let most = MAX_SHARING / self.modulus().bits() as usize;
        self.many().map(|many| many * 3 / 2 * self.lanes()..=most.max(1) * self.lanes())
    }

    fn parts(&self) -> Option<&dyn LoopParts> {
        Some(self)
    }

    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        self.decode_points(group, points, validate)
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        let wanted = self.gt_len();
        let canonical = values.iter().map(|bytes| match bytes.len() {
            given if given != wanted => Err(GtError::Length { given, wanted }),
            _ => check_coefficients(self.modulus(), self.len, bytes).map(|()| *bytes),
        });
        let fill = |batch: &mut Batch, at, x: &&[u8]| self.set_gt(batch, at, 0, x);
        let member = |batch: &Batch, (v, lane): Place| batch.get_mask(v, 0, lane);
        let members = in_place(canonical, |good| self.each(Job::InGt, &good, fill, member));
        members.into_iter().map(|member| if member? { Ok(()) } else { Err(GtError::NotInGroup) }).collect_vec()
    }

    fn bounds(&self) -> Option<Report> {
        checks::bounds(&self.ready, self.symmetric, Torus::ALL.into_iter().filter(|torus| self.has_torus(*torus)))
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        let lanes = self.lanes();
        let batch = self.ready.run(Job::Prepare, 1, |batch| {
            (0..lanes).for_each(|lane| self.set(batch, (0, lane), 0, Some(fixed)));
        });
        Arc::new(batch.uniforms().unwrap_or_else(|| unreachable!("preparing makes an argument")))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        self.miller_of_pairs(products)
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        self.miller_of_lines(products)
    }

    fn can_multiply(&self, prepared: bool, pairs: usize) -> bool {
        let moving = Job::MillerValue { pairs, masked: false, affine: false };
        let job = if prepared { Job::MillerPrepared { pairs, masked: false } } else { moving };
        self.ready.can_run(job)
    }

    fn final_exponentiation(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        let fill = |batch: &mut Batch, at, x: &&[u8]| self.set_gt(batch, at, 0, x);
        self.each(Job::Finish, products, fill, |batch, at| self.get_gt(batch, at))
    }
}
