//! A curve on an engine.

use crate::backend::{Backend, Owned};
use crate::error::{FactorsError, GtError, PointError, SystemError};
use crate::point::{CurveId, Gt, Miller, Point, PointRef, Prepared, Validate};
use crate::symmetric::Symmetric;
use bilinear_field::{Engine, Job, Lanes, dispatch};
use bilinear_pairing::hash::{HashError, hash_to_field};
use bilinear_pairing::supersingular::Supersingular;
use bilinear_params::{Curve, Family};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// A curve ready to compute: parameters and an engine. Cheap to clone; any number live side by side.
///
/// # Panics
/// Every method panics if it is handed a value of another curve: that is an error of the program, not of its input.
#[derive(Clone)]
pub struct System(Arc<Inner>);

struct Inner {
    curve: Curve,
    engine: Engine,
    id: CurveId,
    backend: Box<dyn Backend>,
    generator: Owned,
    factors: Option<Vec<BigUint>>,
}

/// Compiles the pairing for the engine's size.
struct Build<'a>(&'a bilinear_params::Supersingular);

impl Job for Build<'_> {
    type Output = Box<dyn Backend>;
    fn run<F: Lanes + 'static>(self, field: F) -> Box<dyn Backend> {
        Box::new(Symmetric::new(Supersingular::new(field, self.0.order(), self.0.cofactor())))
    }
}

impl System {
    /// The curve on the best engine of this machine.
    ///
    /// # Errors
    /// If no engine serves the curve.
    pub fn new(curve: &Curve) -> Result<System, SystemError> {
        System::with_engine(curve, Engine::Mont)
    }

    /// The curve on a chosen engine.
    ///
    /// # Errors
    /// If the engine does not serve the curve.
    pub fn with_engine(curve: &Curve, engine: Engine) -> Result<System, SystemError> {
        let Family::Supersingular(s) = curve.family() else {
            return Err(SystemError::Family { curve: curve.name().to_owned() });
        };
        let backend = dispatch(engine, s.q(), Build(s))
            .map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?;
        let generator = match s.generator() {
            Some((x, y)) => Some(coordinates(x, y, s.byte_len())),
            None => first_point(&*backend),
        };
        Ok(System(Arc::new(Inner {
            id: CurveId::of(curve),
            factors: s.factors().map(<[BigUint]>::to_vec),
            curve: curve.clone(),
            engine,
            backend,
            generator,
        })))
    }

    /// The same system, knowing the prime factors of the group's order.
    ///
    /// # Errors
    /// If their product is not the order.
    pub fn with_factors(&self, factors: &[BigUint]) -> Result<System, FactorsError> {
        if factors.iter().product::<BigUint>() != *self.order() {
            return Err(FactorsError::Mismatch { curve: self.curve().name().to_owned() });
        }
        let mut system = System::with_engine(self.curve(), self.engine())
            .unwrap_or_else(|e| unreachable!("the same curve on the same engine: {e}"));
        if let Some(inner) = Arc::get_mut(&mut system.0) {
            inner.factors = Some(factors.to_vec());
        }
        Ok(system)
    }

    /// The parameters.
    pub fn curve(&self) -> &Curve {
        &self.0.curve
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        self.0.engine
    }

    /// The order of the group: r or n.
    pub fn order(&self) -> &BigUint {
        let Family::Supersingular(s) = self.curve().family() else {
            unreachable!("checked when the system was made");
        };
        s.order()
    }

    /// Bytes of x‖y.
    pub fn point_len(&self) -> usize {
        self.backend().point_len()
    }

    /// Bytes of a compressed point, x‖sign.
    pub fn compressed_len(&self) -> usize {
        self.point_len() / 2 + 1
    }

    /// Bytes of an element of the target group.
    pub fn gt_len(&self) -> usize {
        self.backend().gt_len()
    }

    /// Checks and decodes a point: length, canonical coordinates, curve, and the subgroup unless the caller vouches for it.
    ///
    /// # Errors
    /// The first of these that fails.
    pub fn decode(&self, point: PointRef<'_>, validate: Validate) -> Result<Point, PointError> {
        self.backend().decode(&[point], validate).remove(0).map(|bytes| self.point(bytes))
    }

    /// Checks an element of the target group: length, canonical coefficients, norm and order.
    ///
    /// # Errors
    /// The first of these that fails.
    pub fn decode_gt(&self, bytes: &[u8]) -> Result<Gt, GtError> {
        self.backend().check_gt(bytes)?;
        Ok(self.gt(bytes.into()))
    }

    /// O.
    pub fn infinity(&self) -> Point {
        self.point(None)
    }

    /// The generator of the parameters, or else the first point in the order of x = 1, 2, … that the cofactor does not kill.
    pub fn generator(&self) -> Point {
        self.point(self.0.generator.clone())
    }

    /// A uniform point from uniform bytes, which `fill` provides. Variable time: not for secret points.
    pub fn random_point(&self, fill: &mut dyn FnMut(&mut [u8])) -> Point {
        let mut bytes = vec![0; self.point_len() / 2 + 17];
        loop {
            fill(&mut bytes);
            // 128 bits more than q: statistically uniform
            let x = BigUint::from_bytes_be(&bytes[1..]) % self.modulus();
            let point = self.backend().map_to_group(&x, bytes[0] & 1 == 1);
            if point.is_some() {
                return self.point(point);
            }
        }
    }

    /// A uniform point from the operating system's randomness.
    ///
    /// # Errors
    /// If the operating system has none.
    pub fn random(&self) -> Result<Point, getrandom::Error> {
        let mut failed = None;
        let point = self.random_point(&mut |bytes| {
            if let Err(e) = getrandom::fill(bytes) {
                // any point ends the loop; the error is what is returned
                failed = Some(e);
                bytes.fill(1);
            }
        });
        failed.map_or(Ok(point), Err)
    }

    /// Hashes a message to the group: RFC 9380's `hash_to_field` with `expand_message_xmd` and SHA-256 gives u in F_q; the map
    /// sends u to the point with x = ±u, whichever is an abscissa, and y of u's parity; the cofactor is cleared.
    ///
    /// Since −1 is not a square and x³ + x is odd, this map is a bijection from F_q* to the points of E other than O and
    /// (0, 0), so one field element gives a uniform point.
    ///
    /// # Errors
    /// If the domain separation tag is empty.
    pub fn hash_to_point(&self, message: &[u8], tag: &[u8]) -> Result<Point, HashError> {
        let u = hash_to_field(message, tag, self.modulus())?;
        Ok(self.point(self.backend().map_to_group(&u, u.bit(0))))
    }

    /// P + Q.
    pub fn add(&self, p: &Point, q: &Point) -> Point {
        self.point(self.backend().add(self.raw(p), self.raw(q)))
    }

    /// −P.
    pub fn neg(&self, p: &Point) -> Point {
        self.point(self.backend().neg(self.raw(p)))
    }

    /// kP for a public k. Variable time in k.
    pub fn mul(&self, k: &BigUint, p: &Point) -> Point {
        self.point(self.backend().mul(k, self.raw(p)))
    }

    /// kP for a secret k, as big-endian bytes of a public length. Constant time.
    pub fn mul_secret(&self, k: &[u8], p: &Point) -> Point {
        self.point(self.backend().mul_secret(k, self.raw(p)))
    }

    /// The prime factors of the order.
    ///
    /// # Errors
    /// If they are not known here.
    pub fn factors(&self) -> Result<&[BigUint], FactorsError> {
        self.0.factors.as_deref().ok_or_else(|| FactorsError::Unknown { curve: self.curve().name().to_owned() })
    }

    /// A generator of each prime-order subgroup: (n/p_i)·G.
    ///
    /// # Errors
    /// If the factors are not known here.
    pub fn subgroup_generators(&self) -> Result<Vec<Point>, FactorsError> {
        let order = self.order();
        Ok(self.factors()?.iter().map(|p| self.mul(&(order / p), &self.generator())).collect())
    }

    /// The component of P in the i-th prime-order subgroup: P is the sum of its components.
    ///
    /// # Errors
    /// If the factors are not known here or there is no i-th one.
    pub fn project(&self, index: usize, p: &Point) -> Result<Point, FactorsError> {
        let prime = self.factor(index)?;
        let rest = self.order() / prime;
        // the idempotent: 1 modulo the prime, 0 modulo the others
        let inverse = rest.modpow(&(prime - 2u32), prime);
        Ok(self.mul(&(rest * inverse), p))
    }

    /// Whether P is in the i-th prime-order subgroup.
    ///
    /// # Errors
    /// If the factors are not known here or there is no i-th one.
    pub fn in_subgroup(&self, index: usize, p: &Point) -> Result<bool, FactorsError> {
        Ok(self.mul(self.factor(index)?, p).is_infinity())
    }

    /// 1 in the target group.
    pub fn gt_one(&self) -> Gt {
        self.gt(self.backend().gt_one())
    }

    /// x·y.
    pub fn gt_mul(&self, x: &Gt, y: &Gt) -> Gt {
        self.gt(self.backend().gt_mul(self.raw_gt(x), self.raw_gt(y)))
    }

    /// 1/x.
    pub fn gt_inv(&self, x: &Gt) -> Gt {
        self.gt(self.backend().gt_inv(self.raw_gt(x)))
    }

    /// x^e for a public e. Variable time in e.
    pub fn gt_pow(&self, x: &Gt, e: &BigUint) -> Gt {
        self.gt(self.backend().gt_pow(self.raw_gt(x), e))
    }

    /// x^e for a secret e, as big-endian bytes of a public length. Constant time.
    pub fn gt_pow_secret(&self, x: &Gt, e: &[u8]) -> Gt {
        self.gt(self.backend().gt_pow_secret(self.raw_gt(x), e))
    }

    /// e(P, Q), the reduced pairing with the exact exponent; 1 if P or Q is O. Variable time only in whether one is O.
    pub fn pair(&self, p: &Point, q: &Point) -> Gt {
        let products = self.backend().miller(&[vec![[self.raw(p), self.raw(q)]]]);
        self.gt(self.backend().finish(&[&products[0]]).remove(0))
    }

    /// The line coefficients of a fixed argument.
    pub fn prepare(&self, p: &Point) -> Prepared {
        let lines = self.raw(p).map(|p| self.backend().prepare(p));
        Prepared { curve: self.0.id, engine: self.0.engine, lines }
    }

    /// Multiplies two parts of one product.
    pub fn join(&self, a: &Miller, b: &Miller) -> Miller {
        self.owns(a.curve);
        self.owns(b.curve);
        self.miller(self.backend().join(&a.bytes, &b.bytes))
    }

    fn factor(&self, index: usize) -> Result<&BigUint, FactorsError> {
        let factors = self.factors()?;
        let unknown = || FactorsError::Index { curve: self.curve().name().to_owned(), index, count: factors.len() };
        factors.get(index).ok_or_else(unknown)
    }

    fn modulus(&self) -> &BigUint {
        let Family::Supersingular(s) = self.curve().family() else {
            unreachable!("checked when the system was made");
        };
        s.q()
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.0.backend
    }

    pub(crate) fn owns(&self, id: CurveId) {
        assert!(id == self.0.id, "a value of another curve was handed to curve {}", self.curve().name());
    }

    pub(crate) fn fingerprint(&self) -> &[u8; 32] {
        &self.0.id.0
    }

    fn raw<'a>(&self, p: &'a Point) -> Option<&'a [u8]> {
        self.owns(p.curve);
        p.bytes()
    }

    fn raw_gt<'a>(&self, x: &'a Gt) -> &'a [u8] {
        self.owns(x.curve);
        x.bytes()
    }

    pub(crate) fn point(&self, bytes: Owned) -> Point {
        Point { curve: self.0.id, bytes }
    }

    pub(crate) fn gt(&self, bytes: Arc<[u8]>) -> Gt {
        Gt { curve: self.0.id, bytes }
    }

    pub(crate) fn miller(&self, bytes: Arc<[u8]>) -> Miller {
        Miller { curve: self.0.id, bytes }
    }
}

/// x‖y of two residues.
fn coordinates(x: &BigUint, y: &BigUint, len: usize) -> Arc<[u8]> {
    let mut out = vec![0; 2 * len];
    for (half, value) in out.chunks_mut(len).zip([x, y]) {
        let bytes = value.to_bytes_be();
        half[len - bytes.len()..].copy_from_slice(&bytes);
    }
    out.into()
}

/// The image of the least x ≥ 1 that is not killed by the cofactor.
fn first_point(backend: &dyn Backend) -> Owned {
    let mut x = BigUint::one();
    loop {
        if let Some(point) = backend.map_to_group(&x, false) {
            return Some(point);
        }
        x += 1u32;
    }
}
