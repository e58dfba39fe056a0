//! The seam between users' values and an engine's: bytes on one side, field elements of one size on the other.
//!
//! One object-safe trait, implemented once for each family over any engine. All byte strings are validated encodings of the
//! right length; O is `None`.

use crate::error::{GtError, PointError};
use crate::point::{PointRef, Validate};
use num_bigint::BigUint;
use std::any::Any;
use std::sync::Arc;

/// x‖y of a point, or O.
pub(crate) type Encoded<'a> = Option<&'a [u8]>;
/// The same, owned.
pub(crate) type Owned = Option<Arc<[u8]>>;
/// An engine's own form of a prepared argument.
pub(crate) type Lines = dyn Any + Send + Sync;

pub(crate) trait Backend: Send + Sync {
    /// Bytes of x‖y.
    fn point_len(&self) -> usize;
    /// Bytes of an element of the target group.
    fn gt_len(&self) -> usize;

    /// Checks and decodes points, lane by lane.
    fn decode(&self, points: &[PointRef<'_>], validate: Validate) -> Vec<Result<Owned, PointError>>;
    /// Checks an element of the target group.
    fn check_gt(&self, bytes: &[u8]) -> Result<(), GtError>;

    /// The point from a residue x < q as described at `point_from_x`, with y of the given parity, cofactor cleared.
    fn map_to_group(&self, x: &BigUint, odd: bool) -> Owned;
    fn add(&self, p: Encoded<'_>, q: Encoded<'_>) -> Owned;
    fn neg(&self, p: Encoded<'_>) -> Owned;
    /// Variable time in k.
    fn mul(&self, k: &BigUint, p: Encoded<'_>) -> Owned;
    /// Constant time.
    fn mul_secret(&self, k: &[u8], p: Encoded<'_>) -> Owned;

    fn gt_one(&self) -> Arc<[u8]>;
    fn gt_mul(&self, x: &[u8], y: &[u8]) -> Arc<[u8]>;
    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]>;
    /// Variable time in e.
    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]>;
    /// Constant time.
    fn gt_pow_secret(&self, x: &[u8], e: &[u8]) -> Arc<[u8]>;

    /// The lines of a fixed argument P ≠ O.
    fn prepare(&self, p: &[u8]) -> Arc<Lines>;
    /// One Miller product for each slice of pairs.
    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>>;
    /// The same with prepared first arguments (`None` for O).
    fn miller_prepared(&self, products: &[Vec<(Option<&Lines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>>;
    /// x·y for Miller values.
    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]>;
    /// Final exponentiations, with one shared inversion.
    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>>;
}
