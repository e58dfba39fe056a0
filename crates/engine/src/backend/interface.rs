//! The interface of a backend: validated bytes on one side, programs on the other.
//!
//! The interface is one object-safe trait. Points that come in are validated encodings of the right length, x‖y, of
//! the group named beside them; O is `None`. A symmetric family has one group, and only G1 is passed to it. In genus
//! 2 a point is a divisor, and O the zero divisor.

use crate::backend::error::{GtError, PointError};
use crate::backend::group::Group;
use crate::backend::recorded::{LoopPartition, PartsError};
use crate::backend::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
use bilinear_pairing::LoopPart;
use bilinear_pairing::hash::HashError;
use bilinear_pairing::torus::Torus;
use num_bigint::BigUint;
use std::any::Any;
use std::ops::{Deref, RangeInclusive};
use std::sync::Arc;

/// The encoding x‖y of a point; `None` for O.
pub(crate) type Encoded<'a> = Option<&'a [u8]>;
/// The owned encoding x‖y of a point; `None` for O.
pub(crate) type Owned = Option<Arc<[u8]>>;
/// An engine's own form of a prepared argument.
pub(crate) type MachineLines = dyn Any + Send + Sync;

/// An engine's own form of the tables of a fixed base.
pub(crate) type MachineTables = dyn Any + Send + Sync;

/// The initial state of a part of a Miller loop, in an engine's own form.
pub(crate) type MachineStart = dyn Any + Send + Sync;

/// A backend that computes one pairing in parts, so that several cores work on it at the same time.
pub(crate) trait LoopParts {
    /// The best partition of the loop, or of that over prepared arguments, for at most this number of cores; `None`
    /// where that loop is not cut.
    fn best_partition(&self, prepared: bool, cores: usize) -> Option<LoopPartition>;
    /// Creates the plan with these steps of the loop, or of that over prepared arguments, as parts; `None` where that
    /// loop is not cut.
    ///
    /// # Errors
    /// Returns an error if the parts are no partition of the loops.
    fn partition_of(
        &self,
        prepared: bool,
        parts: &[LoopPart],
        delayed: bool,
    ) -> Result<Option<LoopPartition>, PartsError>;
    /// Computes the initial state of a part, which is the same for all points.
    fn start(&self, _: LoopPart) -> Arc<MachineStart> {
        Arc::new(())
    }
    /// Computes the factor that a part of the Miller loop of P and Q contributes; neither of them is O.
    fn miller_part(&self, part: LoopPart, start: &MachineStart, delayed: bool, pair: [&[u8]; 2]) -> Arc<[u8]>;
    /// Computes the factor that a part of the Miller loop of a prepared argument and the other point contributes;
    /// neither of them is O.
    fn miller_prepared_part(&self, _: LoopPart, _: bool, _: &MachineLines, _: &[u8]) -> Arc<[u8]> {
        unreachable!("the loop over prepared arguments is not cut")
    }
    /// Computes the final exponentiation of the product of the factors of all parts.
    fn finish_parts(&self, delayed: bool, factors: &[Arc<[u8]>]) -> Arc<[u8]>;
}

/// The groups of a pairing: their shapes and encodings, and what is computed in them.
pub(crate) trait Groups {
    /// Returns true if G1 and G2 are one group.
    fn is_symmetric(&self) -> bool;
    /// The order of the groups: r or n.
    fn order(&self) -> &BigUint;
    /// The number of bytes of x‖y.
    fn point_len(&self, group: Group) -> usize;
    /// The number of bytes of a compressed point.
    fn compressed_len(&self, group: Group) -> usize;
    /// The number of bytes of an element of the target group.
    fn gt_len(&self) -> usize;

    /// The compressed encoding of a point.
    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8>;
    /// Returns true if elements of the target group can be encoded as points of this torus.
    fn has_torus(&self, _: Torus) -> bool {
        false
    }
    /// Encodes elements of the target group as points of a torus that the curve has, one per lane.
    fn compress_gt(&self, _: Torus, _: &[&[u8]]) -> Vec<Vec<u8>> {
        unreachable!("there is no torus")
    }
    /// Checks and decodes points of a torus, each of the right number of bytes.
    fn decompress_gt(&self, _: Torus, _: &[&[u8]]) -> Vec<Result<Arc<[u8]>, GtError>> {
        unreachable!("there is no torus")
    }

    /// The fixed generator of the group, not O.
    fn generator(&self, group: Group) -> Arc<[u8]>;
    /// The number of bytes that [`Groups::random_from`] takes.
    fn seed_len(&self, group: Group) -> usize;
    /// Derives a point from uniform bytes, itself uniform; `None` if these bytes lead to no point, or to O.
    fn random_from(&self, group: Group, seed: &[u8]) -> Owned;
    /// Hashes messages to the group by the family's hash: as a random oracle if `uniform`, else with one evaluation
    /// of the map.
    fn hash(&self, group: Group, messages: &[&[u8]], dst: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError>;
    /// Maps elements of the field of the curve to the group by the family's map, one per lane, given as coefficients
    /// below q.
    fn map(&self, group: Group, us: &[Vec<BigUint>]) -> Vec<Owned>;
    /// Computes the sum of the points of each list.
    fn sums(&self, group: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned>;
    /// Computes −P.
    fn neg(&self, group: Group, p: Encoded<'_>) -> Owned;
    /// Computes Σ k·P, for points that have passed the check `known`. Variable time in the k.
    fn msm(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned;
    /// Computes kP of each (k, P), one per lane, for P that have passed the check `known`. Constant time except for
    /// the lengths of the k.
    fn multiples(&self, group: Group, known: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned>;

    /// Computes the tables of this number of windows for each point (`bilinear_pairing::fixed_base`), one per lane;
    /// no point is O. `None` where a table would hold O.
    fn fixed_tables(&self, group: Group, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>>;
    /// Computes Σ k·P of each list of k, one per lane. The P are those of the tables, for which the k are not too
    /// long, and the k of one P have one length. Constant time except for these lengths.
    fn fixed_sums(&self, group: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned>;

    /// The element 1 of the target group.
    fn gt_one(&self) -> Arc<[u8]>;
    /// Computes x·y of each pair, one per lane.
    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>>;
    /// Computes 1/x.
    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]>;
    /// Computes x^e. Variable time in e.
    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]>;
    /// Computes x^e of each (x, e), one per lane. Constant time except for the lengths of the e.
    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>>;

    /// The group whose points can be prepared; the rows hold points of the other group. G1 where both are one.
    fn prepared_group(&self) -> Group;
    /// Computes x·y for Miller values.
    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]>;
}

/// One pairing of one curve on one engine.
pub(crate) trait Backend: Send + Sync {
    /// The groups, whose methods a backend has as well.
    fn groups(&self) -> &(dyn Groups + 'static);

    /// The number of products that the backend computes at a time.
    fn lanes(&self) -> usize;
    /// The most products in a task of a batch.
    fn task(&self) -> usize;
    /// Why another machine computes in place of the backend's own, if its own has failed.
    fn fallback_reason(&self) -> Option<String> {
        None
    }
    /// Returns true if another machine computes everything in place of the backend's own from now on.
    fn is_broken(&self) -> bool {
        false
    }
    /// The number of values that another machine has computed in place of the backend's own. Empty lanes count as
    /// values.
    fn left_to_another(&self) -> usize {
        0
    }
    /// The number of Miller values that a device has computed at least, and the number of all; `None` where the
    /// backend sends none to a device, or all.
    fn device_share(&self) -> Option<[usize; 2]> {
        None
    }
    /// The best numbers of pairs of two varying points in one call: the least number that share inversions, and the
    /// greatest number that fits the cache. `None` where the number makes no difference.
    fn sharing(&self) -> Option<RangeInclusive<usize>> {
        None
    }
    /// The report of running every computation over intervals, under the rules of the machine that executes it;
    /// `None` where values are exact.
    fn bounds(&self) -> Option<Report>;
    /// The interface to compute one pairing in parts; `None` where its loop is not cut.
    fn parts(&self) -> Option<&dyn LoopParts> {
        None
    }

    /// Checks and decodes points, x‖y or compressed, lane by lane.
    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>>;
    /// Checks elements of the target group, lane by lane.
    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>>;

    /// Computes the lines of a fixed argument, which is not O.
    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines>;
    /// Computes one Miller product for each list of pairs [P, Q].
    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>>;
    /// Computes one Miller product for each list of prepared arguments (`None` for O) and points of the other group.
    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>>;
    /// Returns true if products of this number of pairs, none with O, are computed as a whole: with prepared
    /// arguments, or with points that vary. Longer products are cut.
    fn can_multiply(&self, _prepared: bool, _pairs: usize) -> bool {
        true
    }
    /// Computes final exponentiations, with one shared inversion.
    fn final_exponentiation(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>>;
    /// Returns which products equal 1 after the final exponentiation, or after any power of it that is coprime to the
    /// order.
    fn are_one(&self, products: &[&[u8]]) -> Vec<bool> {
        let one = self.groups().gt_one();
        self.final_exponentiation(products).iter().map(|value| *value == one).collect_vec()
    }
}

impl<'b> Deref for dyn Backend + 'b {
    type Target = dyn Groups + 'b;

    fn deref(&self) -> &Self::Target {
        self.groups()
    }
}
