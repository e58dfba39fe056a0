//! Miller values of products, one product per lane.
//!
//! The products of a vector have as many slots as the longest of them; missing pairs count as 1. Vectors with the
//! same number of slots run together, so that they share inversions where the pairing has any. A program is recorded
//! for each number of slots, so long vectors are cut into pieces whose values are multiplied: that repeats the
//! squarings of f for each piece. Rows, which have a limited number of places, may need shorter pieces.

use super::RecordedBackend;
use super::job::Job;
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, Groups, MachineLines};
use crate::tree::multiplied;
use bilinear_field::CollectVec;
use bilinear_program::{Batch, Uniforms};
use std::sync::Arc;

/// The most slots of a piece. On bls12-381 the squarings of f are then 1.5 % of its products (`bilinear ops`).
const MAX_SLOTS: usize = 32;

/// The pair of a slot in each lane.
type Slot<'a> = Vec<[Encoded<'a>; 2]>;

/// A prepared argument and the points, one per lane, that are paired with it.
type PreparedSlot<'a> = (&'a MachineLines, Vec<Encoded<'a>>);

/// Vectors with the same number of slots, and the index of each among all vectors.
type Alike<T> = (Vec<usize>, Vec<Vec<T>>);

impl RecordedBackend {
    /// Computes the Miller values of products of moving pairs.
    pub(super) fn miller_of_pairs(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let vectors = slots(products, self.lanes(), [None, None]);
        let pairs: usize = vectors.iter().map(Vec::len).sum();
        let affine = self.many().is_some_and(|many| pairs >= many);
        let masked = vectors.iter().flatten().flatten().any(is_infinite);
        let most = self.most_slots(&vectors, |pairs| Job::MillerValue { pairs, masked, affine });
        self.values(products.len(), (vectors, most), |vectors| {
            let batch = self.run_pairs(vectors, affine);
            if affine && self.is_undefined(&batch, vectors) { self.run_pairs(vectors, false) } else { batch }
        })
    }

    /// Computes the Miller values of products with prepared arguments.
    pub(super) fn miller_of_lines(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let vectors = meetings(products, self.lanes());
        let masked = has_infinite(&vectors);
        let most = self.most_slots(&vectors, |pairs| Job::MillerPrepared { pairs, masked });
        self.values(products.len(), (vectors, most), |vectors| self.run_lines(vectors))
    }

    /// Returns the most slots of a piece: [`MAX_SLOTS`], or the first smaller number for which the programs of all
    /// pieces can run.
    fn most_slots<T>(&self, vectors: &[Vec<T>], job: impl Fn(usize) -> Job) -> usize {
        let mut most = MAX_SLOTS;
        loop {
            let longest = vectors.iter().map(|vector| piece_len(vector.len(), most)).max().unwrap_or(1);
            if longest == 1 || self.ready.can_run(job(longest)) {
                return most;
            }
            most = longest.div_ceil(2);
        }
    }

    /// Computes the values of `products` products in vectors, in pieces of at most `most` slots; `run` takes vectors
    /// with the same number of slots.
    fn values<T>(
        &self,
        products: usize,
        (vectors, most): (Vec<Vec<T>>, usize),
        run: impl Fn(&[Vec<T>]) -> Batch,
    ) -> Vec<Arc<[u8]>> {
        let lanes = self.lanes();
        // by the number of slots
        let mut sizes: Vec<Alike<T>> = vec![];
        sizes.resize_with(most + 1, || (vec![], vec![]));
        for (number, vector) in vectors.into_iter().enumerate() {
            for piece in pieces(vector, most) {
                let (numbers, alike) = &mut sizes[piece.len()];
                numbers.push(number);
                alike.push(piece);
            }
        }
        let mut values: Vec<Vec<Arc<[u8]>>> = vec![vec![]; products];
        for (numbers, alike) in &sizes {
            if numbers.is_empty() {
                continue;
            }
            let batch = run(alike);
            for (v, number) in numbers.iter().enumerate() {
                for (lane, values) in values[number * lanes..].iter_mut().take(lanes).enumerate() {
                    values.push(self.get_gt(&batch, (v, lane)));
                }
            }
        }
        let products = multiplied(values, &|pairs| self.gt_mul(pairs));
        products.into_iter().flatten().collect_vec()
    }

    /// Runs the Miller loops of vectors with the same number of slots.
    fn run_pairs(&self, vectors: &[Vec<Slot<'_>>], affine: bool) -> Batch {
        let pairs = vectors[0].len();
        // a lane without a value has slopes too, and a zero among them spoils this lane in all vectors
        let spoils = |slot: &Slot<'_>| affine && slot.len() < self.lanes();
        let masked = vectors.iter().flatten().any(|slot| spoils(slot) || slot.iter().any(is_infinite));
        let [of_p, of_q] = [Group::G1, Group::G2].map(|group| self.coordinates(group));
        self.ready.run(Job::MillerValue { pairs, masked, affine }, vectors.len(), |batch| {
            for (v, slots) in vectors.iter().enumerate() {
                for (i, slot) in slots.iter().enumerate() {
                    for (lane, pair @ [p, q]) in slot.iter().enumerate() {
                        let first = i * (of_p + of_q);
                        if !is_infinite(pair) {
                            self.set(batch, (v, lane), first, *p);
                            self.set(batch, (v, lane), first + of_p, *q);
                        }
                        if masked {
                            batch.set_mask(v, i, lane, is_infinite(pair));
                        }
                    }
                    if masked {
                        (slot.len()..self.lanes()).for_each(|lane| batch.set_mask(v, i, lane, true));
                    }
                }
            }
        })
    }

    /// Returns true if some slope of a run in affine coordinates was undefined in a lane that holds a product.
    fn is_undefined(&self, batch: &Batch, vectors: &[Vec<Slot<'_>>]) -> bool {
        let used = |v: usize| vectors[v].first().map_or(0, Vec::len);
        (0..batch.vectors()).any(|v| (0..used(v)).any(|lane| batch.get_mask(v, 0, lane)))
    }

    /// The prepared argument in the form of this machine.
    pub(super) fn own_lines(&self, lines: &MachineLines) -> Uniforms {
        lines.downcast_ref::<Uniforms>().unwrap_or_else(|| unreachable!("prepared for this machine")).clone()
    }

    /// Runs the Miller loops of vectors with the same number of prepared arguments.
    fn run_lines(&self, vectors: &[Vec<PreparedSlot<'_>>]) -> Batch {
        let pairs = vectors[0].len();
        let other = self.coordinates(self.prepared_group().other());
        let masked = has_infinite(vectors);
        self.ready.run(Job::MillerPrepared { pairs, masked }, vectors.len(), |batch| {
            for (v, slots) in vectors.iter().enumerate() {
                let lines = |(lines, _): &PreparedSlot<'_>| self.own_lines(*lines);
                batch.set_streams(v, slots.iter().map(lines).collect_vec());
                for (i, (_, points)) in slots.iter().enumerate() {
                    for (lane, point) in points.iter().enumerate() {
                        self.set(batch, (v, lane), i * other, *point);
                        if masked {
                            batch.set_mask(v, i, lane, point.is_none());
                        }
                    }
                }
            }
        })
    }
}

/// Returns true if a pair contains O.
fn is_infinite([p, q]: &[Encoded<'_>; 2]) -> bool {
    p.is_none() || q.is_none()
}

/// Returns true if a prepared argument is paired with O, or with no point.
fn has_infinite(vectors: &[Vec<PreparedSlot<'_>>]) -> bool {
    vectors.iter().flatten().any(|(_, points)| points.contains(&None))
}

/// The number of slots of the longest piece, if `slots` slots are cut into pieces of nearly equal lengths.
fn piece_len(slots: usize, most: usize) -> usize {
    slots.div_ceil(slots.div_ceil(most).max(1)).max(1)
}

/// Cuts the slots of a vector into pieces of nearly equal lengths; one piece if there are no slots.
fn pieces<T>(slots: Vec<T>, most: usize) -> Vec<Vec<T>> {
    let len = piece_len(slots.len(), most);
    let mut slots = slots.into_iter().peekable();
    let mut pieces = vec![];
    while pieces.is_empty() || slots.peek().is_some() {
        pieces.push(slots.by_ref().take(len).collect_vec());
    }
    pieces
}

/// Groups products into vectors of as many products as there are lanes. A vector has as many slots as its longest
/// product; slot s of lane l is the s-th pair of product l, or missing.
fn slots<T: Clone>(products: &[Vec<T>], lanes: usize, missing: T) -> Vec<Vec<Vec<T>>> {
    let vector = |group: &[Vec<T>]| {
        let longest = group.iter().map(Vec::len).max().unwrap_or(0);
        (0..longest).map(|s| group.iter().map(|p| p.get(s).unwrap_or(&missing).clone()).collect_vec()).collect_vec()
    };
    products.chunks(lanes).map(vector).collect_vec()
}

/// Groups products with prepared arguments into vectors. Lanes whose argument differs from that of the slot, or is
/// missing or O, get O. If all products have the same arguments in the same order, there is one slot per pair.
fn meetings<'a>(products: &[Vec<(Option<&'a MachineLines>, Encoded<'a>)>], lanes: usize) -> Vec<Vec<PreparedSlot<'a>>> {
    let vector = |group: &[Vec<(Option<&'a MachineLines>, Encoded<'a>)>]| {
        let longest = group.iter().map(Vec::len).max().unwrap_or(0);
        let mut slots: Vec<PreparedSlot<'a>> = vec![];
        for i in 0..longest {
            let before = slots.len();
            for (lane, product) in group.iter().enumerate() {
                let Some((Some(lines), Some(point))) = product.get(i) else { continue };
                let known = slots[before..].iter().position(|(known, _)| std::ptr::addr_eq(*known, *lines));
                let slot = known.map_or(slots.len(), |k| before + k);
                if slot == slots.len() {
                    slots.push((*lines, vec![None; group.len()]));
                }
                slots[slot].1[lane] = Some(*point);
            }
        }
        slots
    };
    products.chunks(lanes).map(vector).collect_vec()
}
