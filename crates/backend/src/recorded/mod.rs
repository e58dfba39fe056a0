//! The backend that executes programs. What it does not do yet, another backend does for it.

mod job;
mod programs;

pub use job::Job;
pub use programs::Programs;

use crate::build::sextic;
use crate::error::{GtError, PointError, SystemError};
use crate::family::{Choice, Known};
use crate::group::Group;
use crate::seam::{Backend, Encoded, Lines, Owned, prepared_slots, slots};
use crate::validate::Validate;
use bilinear_field::Engine;
use bilinear_pairing::encode::{residue_bytes, residue_words};
use bilinear_pairing::hash::HashError;
use bilinear_pairing::torus::Torus;
use bilinear_pairing::supersingular::many;
use bilinear_params::Curve;
use bilinear_program::{Batch, Uniforms, machine};
use num_bigint::BigUint;
use programs::Ready;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A curve's pairing as programs on a machine.
pub struct Recorded {
    ready: Ready,
    rest: Arc<dyn Backend>,
    /// The place in an encoding of each coefficient of F_p^k.
    order: Vec<usize>,
    /// Bytes of a residue.
    len: usize,
    /// Moving pairs, or vectors of pairs, from which on they share inversions.
    many: Option<usize>,
}

impl Recorded {
    /// The programs of a choice among the pairings of a curve on an engine; `rest` does everything else.
    ///
    /// # Errors
    /// If the engine does not compute with the curve.
    pub fn new(
        curve: &Curve,
        choice: &Choice<'_>,
        engine: Engine,
        programs: Arc<Programs>,
        rest: Arc<dyn Backend>,
    ) -> Result<Self, SystemError> {
        let q = curve.family().field();
        let (order, many) = match choice.family {
            Known::Symmetric(_) => (vec![0, 1], Some(many(q.bits()))),
            Known::Sextic(s) => (sextic::order(curve.layout(), s.k() as usize / 6), None),
            Known::QuadraticTwist(s) => ((0..s.k() as usize).collect(), None),
            Known::Unit(_) => (vec![0], None),
        };
        let machine = machine(engine, q, many.is_some())
            .map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?;
        let len = q.bits().div_ceil(8) as usize;
        Ok(Recorded { ready: Ready::new(programs, machine), rest, order, len, many })
    }

    /// Sets elements from `input` on to the residues of an encoding, or to 0 where there is none.
    fn set(&self, batch: &mut Batch, vector: usize, input: usize, lane: usize, encoded: Encoded<'_>) {
        for (i, residue) in encoded.into_iter().flat_map(|bytes| bytes.chunks(self.len)).enumerate() {
            residue_words(batch.elem_mut(vector, input + i, lane), residue);
        }
    }

    /// Sets elements from 0 on to the coefficients of an element of F_p^k.
    fn set_gt(&self, batch: &mut Batch, vector: usize, lane: usize, bytes: &[u8]) {
        for (i, place) in self.order.iter().enumerate() {
            residue_words(batch.elem_mut(vector, i, lane), &bytes[place * self.len..(place + 1) * self.len]);
        }
    }

    /// The element of F_p^k that goes out of a lane.
    fn gt(&self, batch: &Batch, vector: usize, lane: usize) -> Arc<[u8]> {
        let mut out = vec![0; self.order.len() * self.len];
        for (i, place) in self.order.iter().enumerate() {
            residue_bytes(&mut out[place * self.len..(place + 1) * self.len], batch.get(vector, i, lane));
        }
        out.into()
    }

    /// Runs the Miller loops of these vectors, all of as many slots.
    fn miller_alike(&self, vectors: &[Vec<Vec<[Encoded<'_>; 2]>>], affine: bool) -> Batch {
        let pairs = vectors[0].len();
        let masked = vectors.iter().flatten().flatten().any(|[p, q]| p.is_none() || q.is_none());
        let [p_len, q_len] = [Group::G1, Group::G2].map(|group| self.point_len(group) / self.len);
        self.ready.run(Job::Miller { pairs, masked, affine }, vectors.len(), |batch| {
            for (v, slots) in vectors.iter().enumerate() {
                for (i, slot) in slots.iter().enumerate() {
                    for (lane, [p, q]) in slot.iter().enumerate() {
                        let first = i * (p_len + q_len);
                        self.set(batch, v, first, lane, *p);
                        self.set(batch, v, first + p_len, lane, *q);
                        if masked {
                            batch.set_mask(v, i, lane, p.is_none() || q.is_none());
                        }
                    }
                }
            }
        })
    }

    /// Whether some slope of a run in affine coordinates was undefined.
    fn is_undefined(batch: &Batch) -> bool {
        (0..batch.vectors()).any(|v| (0..batch.lanes()).any(|lane| batch.get_mask(v, 0, lane)))
    }
}

/// Vectors by how many slots they have, each with its number.
fn by_size<T>(vectors: Vec<Vec<T>>) -> BTreeMap<usize, Vec<(usize, Vec<T>)>> {
    let mut sizes: BTreeMap<usize, Vec<(usize, Vec<T>)>> = BTreeMap::new();
    for (i, vector) in vectors.into_iter().enumerate() {
        sizes.entry(vector.len()).or_default().push((i, vector));
    }
    sizes
}

impl Backend for Recorded {
    fn lanes(&self) -> usize {
        self.ready.machine.lanes()
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<Lines> {
        let lanes = self.lanes();
        let batch = self.ready.run(Job::Prepare, 1, |batch| {
            (0..lanes).for_each(|lane| self.set(batch, 0, 0, lane, Some(fixed)));
        });
        Arc::new(batch.uniforms().unwrap_or_else(|| unreachable!("preparing makes an argument")))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let lanes = self.lanes();
        let mut out: Vec<Option<Arc<[u8]>>> = vec![None; products.len()];
        let all = slots(products, lanes, [None, None]);
        let pairs: usize = all.iter().map(Vec::len).sum();
        let affine = self.many.is_some_and(|many| pairs >= many);
        for (_, vectors) in by_size(all) {
            let (numbers, vectors): (Vec<usize>, Vec<_>) = vectors.into_iter().unzip();
            let mut batch = self.miller_alike(&vectors, affine);
            if affine && Self::is_undefined(&batch) {
                batch = self.miller_alike(&vectors, false);
            }
            for (v, number) in numbers.iter().enumerate() {
                for (lane, place) in out[number * lanes..].iter_mut().take(lanes).enumerate() {
                    *place = Some(self.gt(&batch, v, lane));
                }
            }
        }
        out.into_iter().map(|value| value.unwrap_or_else(|| unreachable!("a value for every product"))).collect()
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&Lines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let lanes = self.lanes();
        let mut out: Vec<Option<Arc<[u8]>>> = vec![None; products.len()];
        for (pairs, vectors) in by_size(prepared_slots(products, lanes)) {
            let masked = vectors.iter().flat_map(|(_, v)| v).any(|(_, points)| points.contains(&None));
            let other = self.point_len(self.prepared_group().other()) / self.len;
            let batch = self.ready.run(Job::MillerPrepared { pairs, masked }, vectors.len(), |batch| {
                for (v, (_, slots)) in vectors.iter().enumerate() {
                    let lines = |(lines, _): &(&Lines, Vec<Encoded<'_>>)| {
                        let own = lines.downcast_ref::<Uniforms>();
                        own.unwrap_or_else(|| unreachable!("prepared for this machine")).clone()
                    };
                    batch.set_streams(v, slots.iter().map(lines).collect());
                    for (i, (_, points)) in slots.iter().enumerate() {
                        for (lane, point) in points.iter().enumerate() {
                            self.set(batch, v, i * other, lane, *point);
                            if masked {
                                batch.set_mask(v, i, lane, point.is_none());
                            }
                        }
                    }
                }
            });
            for (v, (number, _)) in vectors.iter().enumerate() {
                for (lane, place) in out[number * lanes..].iter_mut().take(lanes).enumerate() {
                    *place = Some(self.gt(&batch, v, lane));
                }
            }
        }
        out.into_iter().map(|value| value.unwrap_or_else(|| unreachable!("a value for every product"))).collect()
    }

    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        let lanes = self.lanes();
        let run = |products: &[&[u8]]| {
            let vectors = products.len().div_ceil(lanes);
            let batch = self.ready.run(Job::Finish, vectors, |batch| {
                for (i, value) in products.iter().enumerate() {
                    self.set_gt(batch, i / lanes, i % lanes, value);
                }
            });
            (0..products.len()).map(|i| self.gt(&batch, i / lanes, i % lanes)).collect::<Vec<_>>()
        };
        products.chunks(lanes * self.ready.together(Job::Finish)).flat_map(run).collect()
    }

    fn sharing(&self) -> Option<RangeInclusive<usize>> {
        self.rest.sharing()
    }

    fn is_symmetric(&self) -> bool {
        self.rest.is_symmetric()
    }

    fn order(&self) -> &BigUint {
        self.rest.order()
    }

    fn point_len(&self, group: Group) -> usize {
        self.rest.point_len(group)
    }

    fn compressed_len(&self, group: Group) -> usize {
        self.rest.compressed_len(group)
    }

    fn gt_len(&self) -> usize {
        self.rest.gt_len()
    }

    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        self.rest.decode(group, points, validate)
    }

    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8> {
        self.rest.compress(group, p)
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        self.rest.check_gt(values)
    }

    fn has_torus(&self, torus: Torus) -> bool {
        self.rest.has_torus(torus)
    }

    fn compress_gt(&self, torus: Torus, x: &[u8]) -> Vec<u8> {
        self.rest.compress_gt(torus, x)
    }

    fn decompress_gt(&self, torus: Torus, bytes: &[u8]) -> Result<Arc<[u8]>, GtError> {
        self.rest.decompress_gt(torus, bytes)
    }

    fn generator(&self, group: Group) -> (Arc<[u8]>, Validate) {
        self.rest.generator(group)
    }

    fn seed_len(&self, group: Group) -> usize {
        self.rest.seed_len(group)
    }

    fn random_from(&self, group: Group, seed: &[u8]) -> Owned {
        self.rest.random_from(group, seed)
    }

    fn hash(&self, group: Group, messages: &[&[u8]], tag: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        self.rest.hash(group, messages, tag, uniform)
    }

    fn map(&self, group: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        self.rest.map(group, us)
    }

    fn add(&self, group: Group, p: Encoded<'_>, q: Encoded<'_>) -> Owned {
        self.rest.add(group, p, q)
    }

    fn neg(&self, group: Group, p: Encoded<'_>) -> Owned {
        self.rest.neg(group, p)
    }

    fn sum(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        self.rest.sum(group, known, terms)
    }

    fn multiples(&self, group: Group, known: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        self.rest.multiples(group, known, terms)
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.rest.gt_one()
    }

    fn gt_mul(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.rest.gt_mul(x, y)
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.rest.gt_inv(x)
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.rest.gt_pow(x, e)
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        self.rest.gt_powers(terms)
    }

    fn prepared_group(&self) -> Group {
        self.rest.prepared_group()
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.rest.join(x, y)
    }
}
