//! Set-up, and the two keys as bytes.
//!
//! Bodies behind the header (`encoding.rs`): the length of vectors and the number of bits of each prime (2 bytes
//! each). In a public key there follow its points and, with messages, the element of GT. In a secret key there follow
//! the ID of the public key (16 bytes), the seed (32 bytes) and its points. The ID is the first half of
//! the SHA-256 of the public key's bytes before the checksum.

use super::scheme::{Scheme, Shape};
use super::{PredicateError, dual_spaces, hidden_vector, inner_product, matrices};
use crate::encoding::{DecodeError, DecodeErrorReason, ObjectKind, Reader, Writer, curve_id};
use crate::scalar::Ring;
use bilinear_engine::{Batch, Group, Gt, Point, PointRef, System, Validate};
use std::fmt;
use zeroize::Zeroizing;

/// The number of bytes of a seed.
const SEED: usize = 32;

/// A public key: it encrypts rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) shape: Shape,
    pub(super) curve: [u8; 16],
    pub(super) points: Vec<Point>,
    /// The element P or A of the target group, if there are messages.
    pub(super) message: Option<Gt>,
    pub(super) id: [u8; 16],
}

/// A secret key: it creates tokens. Zeroized when dropped and never printed.
#[derive(Clone)]
pub struct SecretKey {
    pub(super) shape: Shape,
    pub(super) curve: [u8; 16],
    pub(super) id: [u8; 16],
    pub(super) seed: Zeroizing<[u8; SEED]>,
    /// The encodings x‖y of [g_p, g_q, g_r], or of v; empty where the order is prime.
    points: Zeroizing<Vec<u8>>,
}

/// Creates keys for vectors of a length. If the order is composite, the batch's system must know its factors
/// ([`System::with_factors`]); they are not needed afterwards. The order of the factors decides the part of each
/// prime: p, q and r for inner products, p and q for hidden vectors.
///
/// # Errors
/// Returns [`PredicateError::Factors`], [`PredicateError::Primes`], [`PredicateError::Composite`],
/// [`PredicateError::Symmetric`], [`PredicateError::Length`] or [`PredicateError::Randomness`].
pub fn setup(batch: &Batch, scheme: Scheme, length: usize) -> Result<(PublicKey, SecretKey), PredicateError> {
    let system = batch.system();
    let shape = Shape::new(system, scheme, length)?;
    let mut seed = Zeroizing::new([0; SEED]);
    getrandom::fill(&mut seed[..])?;
    if scheme.primes() == 1 {
        let ring = Ring::new(system.order());
        let [g_1, g_2] = [Group::G1, Group::G2].map(|group| system.generator(group));
        let (points, log) = if scheme == Scheme::DualSpaces {
            let log = dual_spaces::message_logarithm(&shape, &ring, &seed[..]);
            (dual_spaces::public_points(batch, &shape, &ring, &seed[..]), log)
        } else {
            let log = matrices::message_logarithm(&shape, &ring, &seed[..]);
            (matrices::public_points(batch, &shape, &ring, &seed[..]), log)
        };
        let message = system.pair(&g_1, &system.mul_secret(log.as_ref(), &g_2));
        return Ok(keys(system, shape, seed, points, Some(message), &[]));
    }
    let generators = system.subgroup_generators()?;
    let (points, log, own) = match (scheme, &generators[..]) {
        (Scheme::HiddenVector, [g_p, g_q, ..]) => {
            // a generator that nobody else can derive from the curve's
            let v = system.mul_secret(shape.random(0)?.as_ref(), g_p);
            let points = hidden_vector::public_points(batch, &shape, &seed[..], &v, g_q)?;
            (points, hidden_vector::message_logarithm(&shape, &seed[..]), vec![v])
        }
        (_, [g_p, g_q, g_r, ..]) => {
            let points = inner_product::public_points(batch, &shape, &seed[..], [g_p, g_q, g_r])?;
            (points, inner_product::message_logarithm(&shape, &seed[..]), generators.clone())
        }
        _ => unreachable!("as many generators as primes"),
    };
    // e(g_p, c·g_p), or e(v, c·v)
    let message = scheme.has_message().then(|| system.pair(&own[0], &system.mul_secret(log.as_ref(), &own[0])));
    Ok(keys(system, shape, seed, points, message, &own))
}

/// Assembles the two keys.
fn keys(
    system: &System,
    shape: Shape,
    seed: Zeroizing<[u8; SEED]>,
    points: Vec<Point>,
    message: Option<Gt>,
    own: &[Point],
) -> (PublicKey, SecretKey) {
    let mut public = PublicKey { shape: shape.clone(), curve: curve_id(system), points, message, id: [0; 16] };
    public.id = public.written().id();
    let secret = SecretKey { shape, curve: public.curve, id: public.id, seed, points: joined(own) };
    (public, secret)
}

/// Concatenates the encodings x‖y, in memory that is allocated once.
fn joined(points: &[Point]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(points.iter().filter_map(Point::bytes).collect::<Vec<_>>().concat())
}

fn write_shape(writer: &mut Writer, shape: &Shape) {
    writer.u16(shape.length);
    for bits in &shape.bits {
        writer.u16(*bits);
    }
}

/// Reads the curve and the shape of a key, and returns a reader of the rest.
fn read<'a>(system: &System, kind: ObjectKind, bytes: &'a [u8]) -> Result<([u8; 16], Shape, Reader<'a>), DecodeError> {
    let (curve, scheme, mut reader) = Scheme::read(system, kind, bytes)?;
    let length = reader.u16("the length of vectors", 1..=scheme.most_length())?;
    let order = system.order().bits() as usize;
    let bits = (0..scheme.primes()).map(|_| reader.u16("the bit length of a prime", 2..=order));
    let bits: Vec<usize> = bits.collect::<Result<_, _>>()?;
    // the product of numbers of b_i bits has Σ b_i bits, or up to one bit less per factor
    let all: usize = bits.iter().sum();
    if !(order..order + bits.len()).contains(&all) {
        return reader.refuse(2 * bits.len(), DecodeErrorReason::Range("the sum of the bit lengths of the primes"));
    }
    Ok((curve, Shape { scheme, length, bits }, reader))
}

impl PublicKey {
    /// The scheme of the key.
    pub fn scheme(&self) -> Scheme {
        self.shape.scheme
    }

    /// The length of vectors.
    pub fn length(&self) -> usize {
        self.shape.length
    }

    /// The ID of the key in ciphertexts and tokens.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    fn written(&self) -> Writer {
        let body = self.points.iter().map(|p| p.bytes().map_or(0, <[u8]>::len)).sum::<usize>() + 4096;
        let mut writer = Writer::new(ObjectKind::PublicKey, self.shape.scheme.byte(), &self.curve, body);
        write_shape(&mut writer, &self.shape);
        for p in &self.points {
            writer.point(p);
        }
        if let Some(x) = &self.message {
            writer.raw(x.bytes());
        }
        writer
    }

    /// Encodes the key as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.written().finish().to_vec()
    }

    /// Decodes a public key: header, curve, every point and the element of GT are checked in full, whatever the batch
    /// demands.
    ///
    /// # Errors
    /// Returns the error of the first check that fails.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        let system = batch.system();
        let (curve, shape, mut reader) = read(system, ObjectKind::PublicKey, bytes)?;
        let points = reader.points(batch, Group::G1, shape.scheme.public_points(shape.length))?;
        let message = if shape.scheme.has_message() { Some(reader.gt(system)?) } else { None };
        let id = reader.id();
        reader.end()?;
        Ok(PublicKey { shape, curve, points, message, id })
    }
}

impl SecretKey {
    /// The scheme of the key.
    pub fn scheme(&self) -> Scheme {
        self.shape.scheme
    }

    /// The length of vectors.
    pub fn length(&self) -> usize {
        self.shape.length
    }

    /// The ID of the public key that belongs to this key.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// Encodes the key as bytes. Store them where nobody else can read them.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let body = 64 + self.points.len();
        let mut writer = Writer::new(ObjectKind::SecretKey, self.shape.scheme.byte(), &self.curve, body);
        write_shape(&mut writer, &self.shape);
        writer.raw(&self.id).raw(&self.seed[..]).raw(&self.points);
        writer.finish()
    }

    /// Decodes a secret key: header, curve and every point are checked in full, whatever the batch demands. Constant
    /// time in the seed, except for whether the bytes are intact.
    ///
    /// # Errors
    /// Returns the error of the first check that fails.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<SecretKey, DecodeError> {
        let (curve, shape, mut reader) = read(batch.system(), ObjectKind::SecretKey, bytes)?;
        let id = reader.array()?;
        let seed = Zeroizing::new(reader.array()?);
        let points = reader.points(batch, Group::G1, shape.scheme.secret_points())?;
        reader.end()?;
        Ok(SecretKey { shape, curve, id, seed, points: joined(&points) })
    }

    /// Decodes the points, which were checked when the key was created or read.
    pub(super) fn points(&self, system: &System) -> Vec<Point> {
        let point = |bytes| system.decode(Group::G1, PointRef::Bytes(bytes), Validate::OnCurve);
        let points = self.points.chunks(system.point_len(Group::G1)).map(point).collect::<Result<_, _>>();
        points.unwrap_or_else(|e| unreachable!("points of a key of this curve: {e}"))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey({}, {} elements, …)", self.shape.scheme, self.shape.length)
    }
}
