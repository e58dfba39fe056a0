//! A curve on an engine.

mod engines;
mod many;
mod pairings;
mod scalars;

use crate::backend::{
    Backend, ChosenPairing, Group, GtError, MapError, Options, Owned, PairingKind, PointError, Power, Programs,
    RecordedBackend, SystemError, TRIAL, Validate, machines, of_small_characteristic,
};
use crate::few::Few;
use crate::fixed_base::FixedBase;
use crate::lanes::{self, Bulk, NoLanesReason};
use crate::point::{CurveId, Gt, MillerValue, Point, PointRef, Prepared};
use crate::subgroups::has_small_factor;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
use bilinear_field::{Engine, EngineError};
use bilinear_pairing::hash::HashError;
use bilinear_params::{Curve, Factors, Family, Genus};
use num_bigint::BigUint;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

pub use many::MAX_SECRET;

/// A curve ready to compute: parameters, an engine, and one of the pairings of the curve's family. Cheap to clone;
/// any number of systems can exist side by side.
///
/// On a symmetric curve G1 and G2 are one group: either name may be given, and a point is accepted for either
/// argument.
///
/// In a process that was forked while another thread was inside a method of the system, methods may wait forever for
/// a lock that this thread held.
///
/// # Panics
/// Every method panics if it receives a value of another curve, or a point of the wrong group: that is an error of
/// the program, not of its input. Methods that decode read such a point as its bytes ([`PointRef::Known`]).
#[derive(Clone)]
pub struct System(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    curve: Curve,
    engine: Engine,
    pairing: PairingKind,
    power: Power,
    options: Options,
    /// The recorded programs; `None` for a family whose pairing is not recorded (small characteristic).
    programs: Option<Arc<Programs>>,
    id: CurveId,
    backend: Arc<dyn Backend>,
    bulk: Result<Bulk, NoLanesReason>,
    /// Why there is no device, where the requested engine would have used one.
    no_device_reason: Option<String>,
    /// The engine for few pairings at a time, where there is one.
    few: Option<Arc<Few>>,
    factors: Option<Factors>,
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { engine, pairing, power, .. } = &*self.0;
        let mut text = f.debug_struct("System");
        text.field("curve", &self.curve().name())
            .field("engine", engine)
            .field("pairing", pairing)
            .field("power", power);
        text.finish_non_exhaustive()
    }
}

impl Inner {
    /// Creates the parts of a system for a curve of small characteristic: a backend alone, without programs.
    fn over(curve: &Curve, options: Options, (backend, pairing): (Arc<dyn Backend>, PairingKind)) -> Inner {
        Inner {
            bulk: Err(NoLanesReason::Characteristic),
            no_device_reason: matches!(options.engine, Some(Engine::Auto | Engine::Cuda))
                .then(|| "none computes over F_2^m and F_3^m".to_owned()),
            few: None,
            id: CurveId::of(curve),
            factors: Factors::public(curve),
            backend,
            curve: curve.clone(),
            engine: options.engine(),
            pairing,
            power: options.power,
            options,
            programs: None,
        }
    }
}

impl System {
    /// Creates a system for the curve on the best engines of this processor, with its family's own pairing. One
    /// engine computes single values. The engine in lanes computes batches where the processor has it, and `rows`
    /// computes few pairings at a time once that pays ([`System::engine_for_few`]).
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve.
    pub fn new(curve: &Curve) -> Result<System, SystemError> {
        System::with(curve, Options::default())
    }

    /// Creates a system for the curve on a chosen engine.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve.
    pub fn with_engine(curve: &Curve, engine: Engine) -> Result<System, SystemError> {
        System::with(curve, Options { engine: Some(engine), ..Options::default() })
    }

    /// Creates a system for the curve with a choice of engine and pairing.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve, the curve's family has no such pairing, or the
    /// curve's order has a small factor.
    pub fn with(curve: &Curve, options: Options) -> Result<System, SystemError> {
        if let Some(chosen) = of_small_characteristic(curve, options) {
            return Ok(System(Arc::new(Inner::over(curve, options, chosen?))));
        }
        if has_small_factor(curve) {
            return Err(SystemError::SmallFactor { curve: curve.name().to_owned() });
        }
        let programs = Programs::new(curve, &ChosenPairing::new(curve, options)?)?;
        System::executing(curve, options, programs)
    }

    /// Creates a system for the curve on an engine that executes these programs.
    fn executing(curve: &Curve, options: Options, programs: Arc<Programs>) -> Result<System, SystemError> {
        let choice = ChosenPairing::new(curve, options)?;
        let engine = options.engine();
        let on = |engine| {
            let engine = (engine, machines::of_engine(engine));
            Ok(Arc::new(RecordedBackend::new(curve, &choice, engine, programs.clone())?) as Arc<dyn Backend>)
        };
        let backend = on(engine)?;
        let asks = options.engine.filter(|engine| matches!(engine, Engine::Cuda | Engine::Auto));
        let (device, no_device_reason) = match asks.map(|_| on(Engine::Cuda)) {
            Some(Ok(device)) => (Some(device), None),
            Some(Err(SystemError::Engine { reason: EngineError::Device(reason), .. })) => (None, Some(reason)),
            Some(Err(reason)) => return Err(reason),
            None => (None, None),
        };
        let bulk = match device {
            Some(backend) if asks == Some(Engine::Cuda) => Ok(Bulk { engine: Engine::Cuda, backend }),
            Some(device) => Ok(lanes::either(device, &lanes::choose(None, on)?, &backend, TRIAL)),
            None => lanes::choose(options.engine.filter(|_| asks.is_none()), on)?,
        };
        // without a device, as if no engine had been requested
        let few = Few::new(curve, Options { engine: options.engine.filter(|_| no_device_reason.is_none()), ..options });
        Ok(System(Arc::new(Inner {
            bulk,
            no_device_reason,
            few: few.map(Arc::new),
            power: choice.power,
            programs: Some(programs),
            ..Inner::over(curve, options, (backend, choice.pairing))
        })))
    }

    /// Runs every computation over intervals, under the range rules of the engine, and reports the bounds found;
    /// `None` where the engine's integers are exact. Records every computation that the engine has, which takes up to
    /// some seconds.
    pub fn bounds(&self) -> Option<Report> {
        self.backend().bounds()
    }

    /// Returns the same system with these factors of the order.
    pub(crate) fn knowing(&self, factors: Factors) -> System {
        System(Arc::new(Inner { factors: Some(factors), ..(*self.0).clone() }))
    }

    /// The factors of the order, if they are known.
    pub(crate) fn known_factors(&self) -> Option<&Factors> {
        self.0.factors.as_ref()
    }

    /// The parameters of the curve.
    pub fn curve(&self) -> &Curve {
        &self.0.curve
    }

    /// The pairing in use.
    pub fn pairing(&self) -> PairingKind {
        self.0.pairing
    }

    /// The power of the pairing in use.
    pub fn power(&self) -> Power {
        self.0.power
    }

    /// Returns true if pairing and power are the curve's own, which [`System::new`] uses.
    pub fn is_default_pairing(&self) -> bool {
        let own = ChosenPairing::new(self.curve(), Options::default());
        // over F_2^m and F_3^m the choices are η and the Tate pairing
        own.map_or(self.pairing() != PairingKind::Tate, |own| {
            (own.pairing, own.power) == (self.pairing(), self.power())
        })
    }

    /// Returns true if G1 and G2 are one group.
    pub fn is_symmetric(&self) -> bool {
        self.backend().is_symmetric()
    }

    /// The order of the groups: r or n.
    pub fn order(&self) -> &BigUint {
        self.backend().order()
    }

    /// The number of bytes of x‖y in a group.
    pub fn point_len(&self, group: Group) -> usize {
        self.backend().point_len(self.group(group))
    }

    /// The number of bytes of a compressed point of a group.
    pub fn compressed_len(&self, group: Group) -> usize {
        self.backend().compressed_len(self.group(group))
    }

    /// The number of bytes of an element of the target group.
    pub fn gt_len(&self) -> usize {
        self.backend().gt_len()
    }

    /// Checks and decodes a point of a group: length, canonical coordinates, curve, and the subgroup unless the
    /// caller vouches for it. [`PointRef::Bytes`] of zeros is the point (0, 0), where the curve has that point;
    /// [`System::point_ref`] reads such bytes as O.
    ///
    /// # Errors
    /// Returns the error of the first check that fails.
    pub fn decode(&self, group: Group, point: PointRef<'_>, validate: Validate) -> Result<Point, PointError> {
        let group = self.group(group);
        let bytes = match point {
            PointRef::Bytes(bytes) => self.backend_for(1).decode(group, &[Some(bytes)], validate).remove(0),
            other => self.decode_all(group, &[other], validate).remove(0),
        };
        bytes.map(|bytes| self.point(group, validate, bytes))
    }

    /// The encoding x‖y of a point, or zeros for O: no point of the groups has the coordinates (0, 0). Outside the
    /// groups (0, 0), where it is on the curve, is read back as O.
    pub fn encode(&self, p: &Point) -> Vec<u8> {
        self.raw(p).map_or_else(|| vec![0; self.point_len(p.group)], <[u8]>::to_vec)
    }

    /// The compressed encoding of a point; `None` for O. Not constant time in the point. For PBC's types the encoding
    /// is PBC's: x, then 1 where y is odd, else 0; over F_3^m, 1 where y is above −y. Over a field of one byte it is
    /// x and y.
    pub fn compressed(&self, p: &Point) -> Option<Vec<u8>> {
        self.raw(p).map(|bytes| self.backend().compress(p.group, bytes))
    }

    /// Checks an element of the target group: length, canonical coefficients, norm and order.
    ///
    /// # Errors
    /// Returns the error of the first check that fails.
    pub fn decode_gt(&self, bytes: &[u8]) -> Result<Gt, GtError> {
        self.decode_gts(&[bytes]).remove(0)
    }

    /// The point at infinity O of a group.
    pub fn infinity(&self, group: Group) -> Point {
        self.point(self.group(group), Validate::Subgroup, None)
    }

    /// The generator of a group: that of the parameters, or else one that the family derives from them.
    pub fn generator(&self, group: Group) -> Point {
        let group = self.group(group);
        self.point(group, Validate::Subgroup, Some(self.backend().generator(group)))
    }

    /// Derives a uniform point other than O from uniform bytes, which `fill` provides. `fill` must give fresh bytes at
    /// each call, since it is called until its bytes lead to such a point. Variable time: not for secret points.
    pub fn random_point(&self, group: Group, fill: &mut dyn FnMut(&mut [u8])) -> Point {
        let filled = |bytes: &mut [u8]| {
            fill(bytes);
            Ok::<(), Infallible>(())
        };
        self.random_from(group, filled).unwrap_or_else(|never| match never {})
    }

    /// Returns a uniform point other than O, from the operating system's randomness.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn random(&self, group: Group) -> Result<Point, getrandom::Error> {
        self.random_from(group, getrandom::fill)
    }

    fn random_from<E>(&self, group: Group, mut fill: impl FnMut(&mut [u8]) -> Result<(), E>) -> Result<Point, E> {
        let group = self.group(group);
        let mut seed = vec![0; self.backend().seed_len(group)];
        loop {
            fill(&mut seed)?;
            if let Some(point) = self.backend().random_from(group, &seed) {
                return Ok(self.point(group, Validate::Subgroup, Some(point)));
            }
        }
    }

    /// Hashes a message to a group as a random oracle: RFC 9380's `hash_to_curve` with `expand_message_xmd` and
    /// SHA-256, and the curve's map. That is the map of the curve's description ([`bilinear_params::Suite`]; for
    /// BLS12-381 the suites `BLS12381G1_XMD:SHA-256_SSWU_RO_` and `BLS12381G2_…`), else the map of Shallue and van de
    /// Woestijne; for PBC's types A and A1 it is a bijection. The cofactor is cleared.
    ///
    /// # Errors
    /// Returns an error if the domain separation tag is empty, or if the field is so long that RFC 9380 cannot expand
    /// enough bytes for its elements (true of no shipped curve).
    pub fn hash_to_curve(&self, group: Group, message: &[u8], dst: &[u8]) -> Result<Point, HashError> {
        Ok(self.hash_all(group, &[message], dst, true)?.remove(0))
    }

    /// Like [`System::hash_to_curve`], with one evaluation of the map instead of two: RFC 9380's `encode_to_curve`
    /// (for BLS12-381 the suites ending in `_NU_`). Its points are not uniformly distributed: not a random oracle.
    ///
    /// # Errors
    /// Returns an error if the domain separation tag is empty, or if the field is so long that RFC 9380 cannot expand
    /// enough bytes for its elements (true of no shipped curve).
    pub fn encode_to_curve(&self, group: Group, message: &[u8], dst: &[u8]) -> Result<Point, HashError> {
        Ok(self.hash_all(group, &[message], dst, false)?.remove(0))
    }

    /// Maps one element of the field of a group's curve to a point: the map that [`System::hash_to_curve`] uses, with
    /// the cofactor cleared. `u` holds the coefficients over F_q, as many as a coordinate has.
    ///
    /// # Errors
    /// Returns an error if `u` has more or fewer coefficients, or if one is not below q.
    pub fn map_to_curve(&self, group: Group, u: &[BigUint]) -> Result<Point, MapError> {
        let group = self.group(group);
        let q = self.curve().family().field();
        let wanted = match self.curve().family() {
            // divisors of several coefficients come from points of the curve
            Family::Binary(s) if s.genus() == Genus::Two => 1,
            _ => self.point_len(group) / (2 * q.bits().div_ceil(8) as usize),
        };
        if u.len() != wanted {
            return Err(MapError::Count { given: u.len(), wanted });
        }
        match u.iter().position(|c| c >= q) {
            Some(index) => Err(MapError::NotCanonical(index)),
            None => Ok(self.point(group, Validate::Subgroup, self.backend().map(group, &[u.to_vec()]).remove(0))),
        }
    }

    /// Returns P + Q, both of one group. Variable time: timing reveals whether P or Q is O, and whether they have the
    /// same x.
    pub fn add(&self, p: &Point, q: &Point) -> Point {
        self.owns(p.curve);
        self.sums(p.group, &[&[p.clone(), q.clone()]]).remove(0)
    }

    /// Returns −P. Variable time in P.
    pub fn neg(&self, p: &Point) -> Point {
        self.point(p.group, p.known, self.backend().neg(p.group, self.raw(p)))
    }

    /// Returns kP for a public k. Variable time in k. Faster where P is known to be in the group (its order was
    /// checked, or it was computed by this library) and automorphisms split k: on BN, BLS and KSS curves.
    pub fn mul(&self, k: &BigUint, p: &Point) -> Point {
        self.point(p.group, p.known, self.backend().msm(p.group, p.known, &[(k, self.raw(p))]))
    }

    /// Returns kP for a secret k, given as big-endian bytes of a public length, 1024 at most. Constant time, and
    /// therefore slower than [`System::mul`]; faster where [`System::mul`] is faster. On curves of genus 2 it is
    /// variable time.
    ///
    /// # Panics
    /// Also panics if k is longer.
    pub fn mul_secret(&self, k: &[u8], p: &Point) -> Point {
        self.multiples(p.group, &[(k, p)]).remove(0)
    }

    /// Returns Σ k·P for public k and points of one group; O if there are no terms. Variable time in the k. Far
    /// faster than single multiples: many terms are summed by buckets (Pippenger).
    /// [`Batch::msm`](crate::Batch::msm) computes the same sum on several threads.
    pub fn msm(&self, group: Group, terms: &[(BigUint, Point)]) -> Point {
        let group = self.group(group);
        terms.iter().for_each(|(_, p)| self.owns_in(group, p));
        let known = terms.iter().fold(Validate::Subgroup, |known, (_, p)| known.and(p.known));
        let raw = terms.iter().map(|(k, p)| (k, p.bytes())).collect_vec();
        self.point(group, known, self.backend_in_lanes(terms.len()).msm(group, known, &raw))
    }

    /// The element 1 of the target group.
    pub fn gt_one(&self) -> Gt {
        self.gt(self.backend().gt_one())
    }

    /// Returns x·y.
    pub fn gt_mul(&self, x: &Gt, y: &Gt) -> Gt {
        self.gt(self.backend().gt_mul(&[[self.raw_gt(x), self.raw_gt(y)]]).remove(0))
    }

    /// Returns 1/x.
    pub fn gt_inv(&self, x: &Gt) -> Gt {
        self.gt(self.backend().gt_inv(self.raw_gt(x)))
    }

    /// Returns x^e for a public e, of which only the residue modulo the order counts. Variable time in e.
    pub fn gt_pow(&self, x: &Gt, e: &BigUint) -> Gt {
        self.gt(self.backend().gt_pow(self.raw_gt(x), e))
    }

    /// Returns x^e for a secret e, given as big-endian bytes of a public length, 1024 at most. Constant time.
    ///
    /// # Panics
    /// Also panics if e is longer.
    pub fn gt_pow_secret(&self, x: &Gt, e: &[u8]) -> Gt {
        self.powers(&[(x, e)]).remove(0)
    }

    pub(crate) fn owns(&self, id: CurveId) {
        let what = || if self.has_other_layout(&id.0) { "with another layout" } else { "of another curve" };
        assert!(id == self.0.id, "a value {} was handed to curve {}", what(), self.curve().name());
    }

    /// Returns true if this is the identity of the same curve where its values have the other layout.
    pub(crate) fn has_other_layout(&self, id: &[u8]) -> bool {
        id == self.0.id.in_other_layout().0
    }

    pub(crate) fn fingerprint(&self) -> &[u8; 32] {
        &self.0.id.0
    }

    /// The encoding of a Miller value, which must belong to this system.
    pub(crate) fn raw_miller<'a>(&self, value: &'a MillerValue) -> &'a [u8] {
        self.owns(value.curve);
        self.uses(value.pairing);
        &value.bytes
    }

    pub(crate) fn owns_prepared(&self, fixed: &Prepared) {
        self.owns(fixed.curve);
        self.uses(fixed.pairing);
        let (theirs, ours) = (fixed.engines, self.engines());
        assert!(theirs.agree(ours), "an argument prepared for engine {theirs} was handed to engine {ours}");
    }

    pub(crate) fn owns_base(&self, group: Group, base: &FixedBase) {
        self.owns_in(group, base.point());
        let (theirs, ours) = (base.engines(), self.engines());
        assert!(theirs.agree(ours), "a base with tables for engine {theirs} was handed to engine {ours}");
    }

    fn uses(&self, pairing: PairingKind) {
        let ours = self.pairing();
        assert!(pairing == ours, "a value of the {pairing} pairing was handed to the {ours} pairing");
    }

    /// Returns true if a point belongs to this curve and to `group`, which is G1 on a symmetric curve.
    pub(crate) fn is_of(&self, group: Group, p: &Point) -> bool {
        p.curve == self.0.id && p.group == group
    }

    /// Panics unless a point belongs to this curve and to `group`, which is G1 on a symmetric curve.
    pub(crate) fn owns_in(&self, group: Group, p: &Point) {
        self.owns(p.curve);
        let (name, found) = (self.curve().name(), p.group);
        assert!(found == group, "a point of {found} was handed to curve {name} where one of {group} is expected");
    }

    /// Returns the given group, or G1 where G1 and G2 are one group.
    pub(crate) fn group(&self, group: Group) -> Group {
        if self.is_symmetric() { Group::G1 } else { group }
    }

    fn raw<'a>(&self, p: &'a Point) -> Option<&'a [u8]> {
        self.owns(p.curve);
        p.bytes()
    }

    fn raw_gt<'a>(&self, x: &'a Gt) -> &'a [u8] {
        self.owns(x.curve);
        x.bytes()
    }

    /// Creates a point that has passed the check `known`.
    pub(crate) fn point(&self, group: Group, known: Validate, bytes: Owned) -> Point {
        Point { curve: self.0.id, group, known, bytes }
    }

    pub(crate) fn gt(&self, bytes: Arc<[u8]>) -> Gt {
        Gt { curve: self.0.id, bytes }
    }

    pub(crate) fn miller(&self, bytes: Arc<[u8]>) -> MillerValue {
        MillerValue { curve: self.0.id, pairing: self.0.pairing, bytes }
    }
}
