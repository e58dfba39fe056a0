//! The symmetric pairing of genus 2 over F_2^m: bytes in, divisors and values of the field, bytes out. One value at a time.
//!
//! Like the pairings of `eta.rs`, this pairing has no programs. What the other families call points are elements of the Jacobian
//! here, reduced divisors (u, v), encoded as u1‖u0‖v1‖v0 and a byte for the degree of u, 1 or 2. A divisor of degree
//! 1, a point (x, y), is 0‖x‖0‖y and that byte. The compressed encoding is u1‖u0 and a byte. For degree 2 the byte is
//! 0 to 3: the lowest bit of v0 plus twice the lowest bit of u1·v1. For degree 1 it is 4 or 5: 4 plus the lowest bit
//! of y. Each divisor has one encoding of each kind.
//!
//! Sums of divisors branch on them, so that multiples are not computed in constant time; powers in the target group
//! are.

use crate::backend::elements::{constant, element, write};
use crate::backend::error::{GtError, PointError, SystemError};
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, MachineLines, MachineTables, Owned};
use crate::backend::options::Options;
use crate::backend::research::choice;
use crate::backend::residues::check_coefficients;
use crate::backend::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_field::binary::Binary;
use bilinear_field::bounds::Report;
use bilinear_field::{Field, Lanes};
use bilinear_pairing::complete_group::digits;
use bilinear_pairing::encode::check_residue;
use bilinear_pairing::genus2::divisor::Divisor;
use bilinear_pairing::genus2::tower::{self, Over, Twelve};
use bilinear_pairing::genus2::{self, Genus2, Genus2Job, Lines};
use bilinear_pairing::hash::{HashError, hash_to_field};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::unitary_power::Unitary;
use bilinear_params::{Curve, Genus2 as Parameters};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::{Arc, OnceLock};

/// The available pairings, the default first.
const PAIRINGS: &[PairingKind] = &[PairingKind::OptEta, PairingKind::Tate];

/// The number of products in a task, so that threads share a batch.
const TASK: usize = 32;

/// The number of coefficients of an element of the target group.
const DEGREE: usize = 12;

type Value<const N: usize> = Twelve<Binary<N>>;
type Element<const N: usize> = Divisor<Binary<N>>;

/// The backend of a curve of genus 2 over F_2^m on N words.
struct Genus2Backend<const N: usize> {
    genus2: Genus2<N>,
    field: Binary<N>,
    parameters: Parameters,
    /// Whether values are raised to the power that gives the Tate pairing.
    tate: bool,
    /// The number of bytes of an element of the field.
    len: usize,
    generator: OnceLock<Arc<[u8]>>,
}

/// Creates the backend of a curve of genus 2 over F_2^m on the engine of the options, and returns it with the pairing
/// chosen.
///
/// # Errors
/// Returns an error unless the options state that the use is research, and if the engine has no such field or the
/// family no such pairing.
pub(crate) fn backend(
    curve: &Curve,
    parameters: &Parameters,
    options: Options,
) -> Result<(Arc<dyn Backend>, PairingKind), SystemError> {
    let pairing = choice(curve, options, PAIRINGS)?;
    let make = Make { parameters: parameters.clone(), tate: pairing == PairingKind::Tate };
    let signs = [parameters.d(), parameters.is_plus()];
    let made = genus2::on(options.engine(), &parameters.polynomial(), signs, make);
    Ok((made.map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?, pairing))
}

struct Make {
    parameters: Parameters,
    tate: bool,
}

impl Genus2Job for Make {
    type Output = Arc<dyn Backend>;

    fn run<const N: usize>(self, field: Binary<N>, genus2: Genus2<N>) -> Arc<dyn Backend> {
        let Make { parameters, tate } = self;
        let len = field.degree().div_ceil(8);
        Arc::new(Genus2Backend { genus2, field, parameters, tate, len, generator: OnceLock::new() })
    }
}

impl<const N: usize> Genus2Backend<N> {
    /// Returns the divisor of an encoding that has been validated before.
    fn divisor(&self, bytes: &[u8]) -> Element<N> {
        let [u1, u0, v1, v0] = [0, 1, 2, 3].map(|i| element(&self.field, &bytes[i * self.len..(i + 1) * self.len]));
        if bytes[4 * self.len] == 1 {
            Divisor::Degenerate { x: u0, y: v0 }
        } else {
            Divisor::General { u1, u0, v1, v0 }
        }
    }

    fn given(&self, bytes: Encoded<'_>) -> Element<N> {
        bytes.map_or(Divisor::Zero, |bytes| self.divisor(bytes))
    }

    fn bytes(&self, divisor: &Element<N>) -> Owned {
        let zero = self.field.zero();
        let (coefficients, degree) = match divisor {
            Divisor::Zero => return None,
            Divisor::Degenerate { x, y } => ([&zero, x, &zero, y], 1),
            Divisor::General { u1, u0, v1, v0 } => ([u1, u0, v1, v0], 2),
        };
        let mut out = vec![degree; 4 * self.len + 1];
        out.chunks_exact_mut(self.len).zip(coefficients).for_each(|(place, c)| write(&self.field, place, c));
        Some(out.into())
    }

    fn value(&self, bytes: &[u8]) -> Value<N> {
        let mut chunks = bytes.chunks(self.len);
        let mut next = || chunks.next().map_or_else(|| self.field.zero(), |chunk| element(&self.field, chunk));
        std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())))
    }

    fn gt(&self, x: &Value<N>) -> Arc<[u8]> {
        let mut out = vec![0; DEGREE * self.len];
        let coefficients = x.as_flattened().as_flattened();
        out.chunks_mut(self.len).zip(coefficients).for_each(|(place, c)| write(&self.field, place, c));
        out.into()
    }

    fn holds(&self, mask: <Binary<N> as Field>::Mask) -> bool {
        self.field.lane(mask, 0)
    }

    /// Computes h·D.
    fn cleared(&self, d: Element<N>) -> Element<N> {
        let h = self.parameters.h();
        if h.is_one() { d } else { self.genus2.jacobian().msm(&[(h, d)]) }
    }

    /// Parses the bytes of a divisor, full or compressed, and checks that it is on the curve. Membership in the
    /// subgroup is not checked.
    fn parsed(&self, bytes: &[u8]) -> Result<Element<N>, PointError> {
        let (given, full, compressed) = (bytes.len(), 4 * self.len + 1, 2 * self.len + 1);
        if given != full && given != compressed {
            return Err(PointError::Length { given, full, compressed });
        }
        let (coefficients, last) = (&bytes[..given - 1], bytes[given - 1]);
        for (i, chunk) in coefficients.chunks(self.len).enumerate() {
            let name = if i < 2 { 'u' } else { 'v' };
            check_residue(self.parameters.q(), chunk).map_err(|_| PointError::NotCanonical(name))?;
        }
        let jacobian = self.genus2.jacobian();
        let [first, second] = [0, 1].map(|i| element(&self.field, &coefficients[i * self.len..(i + 1) * self.len]));
        let is_zero = |i: usize| coefficients[i * self.len..(i + 1) * self.len].iter().all(|byte| *byte == 0);
        let found = match (given == full, last) {
            (true, 1) if !is_zero(0) || !is_zero(2) => return Err(PointError::Coefficients),
            (true, 1 | 2) => Some(self.divisor(bytes)).filter(|divisor| jacobian.contains(divisor)),
            (false, 0..=3) => jacobian.divisor(&first, &second, [last & 2 != 0, last & 1 != 0]),
            (false, 4 | 5) if !is_zero(0) => return Err(PointError::Coefficients),
            (false, 4 | 5) => jacobian.point(&second, last == 5),
            _ => return Err(PointError::Degree(last)),
        };
        found.ok_or(PointError::NotOnCurve)
    }

    fn decoded(&self, p: Encoded<'_>, validate: Validate) -> Result<Owned, PointError> {
        let Some(bytes) = p else { return Ok(None) };
        let divisor = self.parsed(bytes)?;
        if validate == Validate::Subgroup && !self.parameters.h().is_one() {
            let multiple = self.genus2.jacobian().msm(&[(self.parameters.r(), divisor.clone())]);
            if !matches!(multiple, Divisor::Zero) {
                return Err(PointError::NotInSubgroup);
            }
        }
        Ok(self.bytes(&divisor))
    }

    fn in_gt(&self, bytes: &[u8]) -> Result<(), GtError> {
        let wanted = self.gt_len();
        if bytes.len() != wanted {
            return Err(GtError::Length { given: bytes.len(), wanted });
        }
        check_coefficients(self.parameters.q(), self.len, bytes)?;
        let (f, x) = (&self.field, self.value(bytes));
        let one = |power: &Value<N>| self.holds(tower::equal(f, power, &tower::one(f)));
        let has_order = || self.parameters.h().is_one() || one(&Over(f).power(&x, self.parameters.r()));
        if self.genus2.divides_divisors(&x) && has_order() { Ok(()) } else { Err(GtError::NotInGroup) }
    }

    fn prepared(&self, divisor: &Element<N>) -> Lines<N> {
        self.genus2.lines(&self.genus2.points(divisor))
    }

    /// The prepared functions in the form of this machine.
    fn lines<'a>(&self, lines: &'a MachineLines) -> &'a Lines<N> {
        let own: Option<&Lines<N>> = lines.downcast_ref();
        own.unwrap_or_else(|| unreachable!("prepared for this machine"))
    }

    fn product(&self, pairs: &[(&Lines<N>, &[u8])]) -> Arc<[u8]> {
        let points = pairs.iter().map(|(_, q)| self.genus2.points(&self.divisor(q))).collect_vec();
        let pairs = pairs.iter().zip(&points).map(|((lines, _), q)| (*lines, q)).collect_vec();
        self.gt(&self.genus2.miller(&pairs))
    }
}

impl<const N: usize> Backend for Genus2Backend<N> {
    fn lanes(&self) -> usize {
        1
    }

    fn task(&self) -> usize {
        TASK
    }

    fn bounds(&self) -> Option<Report> {
        None
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn order(&self) -> &BigUint {
        self.parameters.r()
    }

    fn point_len(&self, _: Group) -> usize {
        4 * self.len + 1
    }

    fn compressed_len(&self, _: Group) -> usize {
        2 * self.len + 1
    }

    fn gt_len(&self) -> usize {
        DEGREE * self.len
    }

    fn decode(&self, _: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        points.iter().map(|p| self.decoded(*p, validate)).collect_vec()
    }

    fn compress(&self, _: Group, p: &[u8]) -> Vec<u8> {
        let mut out = p[..2 * self.len].to_vec();
        out.push(match self.divisor(p) {
            Divisor::General { u1, v1, v0, .. } => {
                let [of_z, of_v0] = self.genus2.jacobian().bits([&u1, &v1, &v0]);
                2 * u8::from(of_z) + u8::from(of_v0)
            }
            _ => 4 + (p[4 * self.len - 1] & 1),
        });
        out
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        values.iter().map(|bytes| self.in_gt(bytes)).collect_vec()
    }

    /// Returns h·D for the first of a sequence of divisors for which that is not 0.
    fn generator(&self, _: Group) -> Arc<[u8]> {
        let find = || {
            let mut multiples = self.genus2.jacobian().degenerate().map(|d| self.bytes(&self.cleared(d)));
            multiples.find_map(|d| d).unwrap_or_else(|| unreachable!("most divisors have such a multiple"))
        };
        self.generator.get_or_init(find).clone()
    }

    /// The number of bytes of a seed: one byte for the bits of u1·v1 and v0, and the bytes of u1 and u0.
    fn seed_len(&self, _: Group) -> usize {
        1 + 2 * self.len
    }

    fn random_from(&self, _: Group, seed: &[u8]) -> Owned {
        let (bits, u) = (seed[0], &seed[1..]);
        let coefficient = |bytes: &[u8]| constant(&self.field, &(BigUint::from_bytes_be(bytes) % self.parameters.q()));
        let [u1, u0] = [&u[..self.len], &u[self.len..]].map(coefficient);
        let divisor = self.genus2.jacobian().divisor(&u1, &u0, [bits & 2 != 0, bits & 1 != 0])?;
        self.bytes(&self.cleared(divisor))
    }

    /// Hashes as RFC 9380's hash_to_curve and encode_to_curve do with SHA-256. An element is the last m bits of the
    /// integer that hash_to_field reduces. A uniform divisor takes three points, one more than the genus (Farashahi,
    /// Fouque, Shparlinski, Tibouchi, Voloch, Mathematics of Computation 82, 2013).
    fn hash(&self, group: Group, messages: &[&[u8]], dst: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        let count = if uniform { 3 } else { 1 };
        let fields = |message: &&[u8]| hash_to_field(message, dst, self.parameters.q(), count);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    fn map(&self, _: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        let jacobian = self.genus2.jacobian();
        let sum = |us: &Vec<BigUint>| {
            let divisors = us.iter().map(|u| self.genus2.map(&constant(&self.field, u)));
            self.bytes(&self.cleared(divisors.fold(Divisor::Zero, |sum, d| jacobian.add(&sum, &d))))
        };
        us.iter().map(sum).collect_vec()
    }

    fn sums(&self, _: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        let jacobian = self.genus2.jacobian();
        let sum = |list: &Vec<Encoded<'_>>| {
            self.bytes(&list.iter().fold(Divisor::Zero, |sum, d| jacobian.add(&sum, &self.given(*d))))
        };
        lists.iter().map(sum).collect_vec()
    }

    fn neg(&self, _: Group, p: Encoded<'_>) -> Owned {
        self.bytes(&self.genus2.jacobian().negate(&self.given(p)))
    }

    fn msm(&self, _: Group, _: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let terms = terms.iter().map(|(k, d)| (*k, self.given(*d))).collect_vec();
        self.bytes(&self.genus2.jacobian().msm(&terms))
    }

    /// Computes multiples in variable time.
    fn multiples(&self, group: Group, known: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let multiple = |(k, d): &(&[u8], Encoded<'_>)| self.msm(group, known, &[(&BigUint::from_bytes_be(k), *d)]);
        terms.iter().map(multiple).collect_vec()
    }

    /// Returns no tables: a table would save octuplings, which cost next to nothing.
    fn fixed_tables(&self, _: Group, points: &[&[u8]], _: usize) -> Vec<Option<Arc<MachineTables>>> {
        points.iter().map(|_| None).collect_vec()
    }

    fn fixed_sums(&self, _: Group, _: &[&MachineTables], _: &[Vec<&[u8]>]) -> Vec<Owned> {
        unreachable!("there are no tables")
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.gt(&tower::one(&self.field))
    }

    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>> {
        pairs.iter().map(|pair| self.join(pair[0], pair[1])).collect_vec()
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.gt(&tower::conjugate(&self.field, &self.value(x)))
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.gt(&Over(&self.field).power(&self.value(x), e))
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        let power =
            |(x, e): &(&[u8], &[u8])| self.gt(&Over(&self.field).power_secret(&self.value(x), &digits(&self.field, e)));
        terms.iter().map(power).collect_vec()
    }

    fn prepared_group(&self) -> Group {
        Group::G1
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        Arc::new(self.prepared(&self.divisor(fixed)))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<[Encoded<'_>; 2]>| {
            let there: Vec<_> =
                pairs.iter().filter_map(|[p, q]| Some((self.prepared(&self.divisor((*p)?)), (*q)?))).collect_vec();
            self.product(&there.iter().map(|(lines, q)| (lines, *q)).collect_vec())
        };
        products.iter().map(product).collect_vec()
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let product = |pairs: &Vec<(Option<&MachineLines>, Encoded<'_>)>| {
            let there = pairs.iter().filter_map(|(lines, q)| Some((self.lines((*lines)?), (*q)?)));
            self.product(&there.collect_vec())
        };
        products.iter().map(product).collect_vec()
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt(&tower::mul(&self.field, &self.value(x), &self.value(y)))
    }

    fn final_exponentiation(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        let values: Vec<Value<N>> = products.iter().map(|x| self.value(x)).collect_vec();
        let values = self.genus2.final_exponentiation(&values);
        values.iter().map(|eta| if self.tate { self.gt(&self.genus2.tate(eta)) } else { self.gt(eta) }).collect_vec()
    }
}
