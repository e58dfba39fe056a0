//! The interface of a backend: validated bytes on one side, programs on the other.
//!
//! One object-safe trait. Points that come in are validated encodings of the right length, x‖y, of the group that is named
//! beside them; O is `None`. A symmetric family has one group: it is asked for G1 only. Of genus 2 a point is a divisor, and O its zero.

use crate::backend::error::{GtError, PointError};
use crate::backend::group::Group;
use crate::backend::recorded::{LoopPlan, PartsError};
use crate::backend::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
use bilinear_pairing::LoopPart;
use bilinear_pairing::hash::HashError;
use bilinear_pairing::torus::Torus;
use num_bigint::BigUint;
use std::any::Any;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// x‖y of a point, or O.
pub(crate) type Encoded<'a> = Option<&'a [u8]>;
/// The same, owned.
pub(crate) type Owned = Option<Arc<[u8]>>;
/// An engine's own form of a prepared argument.
pub(crate) type MachineLines = dyn Any + Send + Sync;

/// An engine's own form of the tables of a fixed base.
pub(crate) type MachineTables = dyn Any + Send + Sync;

/// What a part of a Miller loop begins with, in an engine's own form.
pub(crate) type MachineStart = dyn Any + Send + Sync;

/// One pairing in parts that several cores compute at a time.
pub(crate) trait LoopParts {
    /// How the loop is best cut into at most so many parts.
    fn best_plan(&self, parts: usize) -> LoopPlan;
    /// The plan with these steps as parts.
    ///
    /// # Errors
    /// If they are no partition of the loops.
    fn plan_of(&self, parts: &[LoopPart], delayed: bool) -> Result<LoopPlan, PartsError>;
    /// The same over prepared arguments; `None` where their loop is not cut.
    fn best_prepared_plan(&self, _: usize) -> Option<LoopPlan> {
        None
    }
    /// The plan with these steps of the loop over prepared arguments as parts; `None` where it is not cut.
    ///
    /// # Errors
    /// As above.
    fn prepared_plan_of(&self, _: &[LoopPart], _: bool) -> Result<Option<LoopPlan>, PartsError> {
        Ok(None)
    }
    /// What a part begins with, the same for all points.
    fn start(&self, _: LoopPart) -> Arc<MachineStart> {
        Arc::new(())
    }
    /// What a part of the Miller loop of P and Q, neither of them O, contributes.
    fn miller_part(&self, part: LoopPart, start: &MachineStart, delayed: bool, pair: [&[u8]; 2]) -> Arc<[u8]>;
    /// The same of a prepared argument and the other point, neither of them O.
    fn miller_prepared_part(&self, _: LoopPart, _: bool, _: &MachineLines, _: &[u8]) -> Arc<[u8]> {
        unreachable!("the loop over prepared arguments is not cut")
    }
    /// The final exponentiation of the product of what all parts contribute.
    fn finish_parts(&self, delayed: bool, factors: &[Arc<[u8]>]) -> Arc<[u8]>;
}

/// One pairing of one curve on one engine.
pub(crate) trait Backend: Send + Sync {
    /// How many products it computes at a time.
    fn lanes(&self) -> usize;
    /// How many products a task of a batch has at most.
    fn task(&self) -> usize;
    /// Why another machine computes in the place of its own, if that has failed.
    fn fallen_back(&self) -> Option<String> {
        None
    }
    /// Whether another machine computes everything in the place of its own from now on.
    fn is_broken(&self) -> bool {
        false
    }
    /// How many values another machine has computed in the place of its own, those of lanes that hold none among them.
    fn left_to_another(&self) -> usize {
        0
    }
    /// How many Miller values a device has computed at least, and how many there were; `None` where none may be taken to a device or all are.
    fn device_share(&self) -> Option<[usize; 2]> {
        None
    }
    /// The best numbers of pairs of two varying points in one call: from how many on they share inversions, and up to how many fit
    /// the cache. `None` where that makes no difference.
    fn sharing(&self) -> Option<RangeInclusive<usize>> {
        None
    }
    /// What running every computation over intervals found, under the rules of the machine that executes it; `None` where values
    /// are exact.
    fn bounds(&self) -> Option<Report>;
    /// Whether G1 and G2 are one group.
    fn is_symmetric(&self) -> bool;
    /// One pairing in parts; `None` where its loop is not cut.
    fn parts(&self) -> Option<&dyn LoopParts> {
        None
    }
    /// The order of the groups: r or n.
    fn order(&self) -> &BigUint;
    /// Bytes of x‖y.
    fn point_len(&self, group: Group) -> usize;
    /// Bytes of a compressed point.
    fn compressed_len(&self, group: Group) -> usize;
    /// Bytes of an element of the target group.
    fn gt_len(&self) -> usize;

    /// Checks and decodes points, x‖y or compressed, lane by lane.
    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>>;
    /// The compressed encoding.
    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8>;
    /// Checks elements of the target group, lane by lane.
    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>>;

    /// Whether elements of the target group can be written as points of a torus.
    fn has_torus(&self, _: Torus) -> bool {
        false
    }
    /// Elements of the target group as points of a torus that there is, one a lane.
    fn compress_gt(&self, _: Torus, _: &[&[u8]]) -> Vec<Vec<u8>> {
        unreachable!("there is no torus")
    }
    /// Checks points of a torus, each of as many bytes as one has.
    fn decompress_gt(&self, _: Torus, _: &[&[u8]]) -> Vec<Result<Arc<[u8]>, GtError>> {
        unreachable!("there is no torus")
    }

    /// The fixed generator of the group, not O.
    fn generator(&self, group: Group) -> Arc<[u8]>;
    /// Bytes that [`Backend::random_from`] takes.
    fn seed_len(&self, group: Group) -> usize;
    /// The point of uniform bytes, itself uniform; `None` where these have none, or O.
    fn random_from(&self, group: Group, seed: &[u8]) -> Owned;
    /// The family's hash of messages to the group: uniform, or with one evaluation of its map.
    fn hash(&self, group: Group, messages: &[&[u8]], tag: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError>;
    /// The family's map of elements of the field of the curve to the group, one per lane, as coefficients below q.
    fn map(&self, group: Group, us: &[Vec<BigUint>]) -> Vec<Owned>;
    /// The sum of the points of each list.
    fn sums(&self, group: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned>;
    /// −P.
    fn neg(&self, group: Group, p: Encoded<'_>) -> Owned;
    /// Σ k·P, for points that have passed this check. Variable time in the k.
    fn sum(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned;
    /// kP of each (k, P), one per lane, for P that have passed this check. Constant time but for the lengths of the k.
    fn multiples(&self, group: Group, known: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned>;

    /// The tables of so many windows of each point other than O (`bilinear_pairing::fixed_base`), one a lane; `None` where a table
    /// would hold O.
    fn fixed_tables(&self, group: Group, points: &[&[u8]], windows: usize) -> Vec<Option<Arc<MachineTables>>>;
    /// Σ k·P of each list of k, one a lane: the P are those of the tables, for which the k are not too long, and the k of one P have
    /// one length. Constant time but for these lengths.
    fn fixed_sums(&self, group: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned>;

    /// 1.
    fn gt_one(&self) -> Arc<[u8]>;
    /// x·y of each, one a lane.
    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>>;
    /// 1/x.
    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]>;
    /// Variable time in e.
    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]>;
    /// x^e of each (x, e), one per lane. Constant time but for the lengths of the e.
    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>>;

    /// The group whose points can be prepared; the rows hold points of the other one. Where both are one, G1.
    fn prepared_group(&self) -> Group;
    /// The lines of a fixed argument other than O.
    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines>;
    /// One Miller product for each slice of pairs [P, Q].
    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>>;
    /// The same with prepared arguments (`None` for O) and points of the other group.
    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>>;
    /// Whether products of so many pairs, none with O, are computed at once: with prepared arguments, or with points that vary. Longer ones are
    /// cut.
    fn can_multiply(&self, _prepared: bool, _pairs: usize) -> bool {
        true
    }
    /// x·y for Miller values.
    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]>;
    /// Final exponentiations, with one shared inversion.
    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>>;
    /// Which products equal 1 after the final exponentiation; any power of it that is coprime to the order will do.
    fn are_one(&self, products: &[&[u8]]) -> Vec<bool> {
        let one = self.gt_one();
        self.finish(products).iter().map(|value| *value == one).collect_vec()
    }
}
