//! Encryption of rows.
//!
//! Body behind the header (`encoding.rs`): the ID of the public key (16 bytes), the length of vectors (2
//! bytes), 2n + 1 points. With messages there follow the number of bytes of the message and its tag together (4
//! bytes), and these. Over a prime order there are 4n + 2 points (dual spaces) or 3n + 2 (matrices).

use super::keys::PublicKey;
use super::scheme::Scheme;
use super::{PredicateError, dual_spaces, hidden_vector, inner_product, matrices};
use crate::combine::{Term, msms};
use crate::encoding::{ObjectKind, Writer, belongs};
use crate::scalar::{Ring, Scalar};
use crate::sealed;
use bilinear_engine::{Batch, Group, Gt, Point, System};

/// The random values of a row. [`Scalar`]s are zeroized when dropped.
pub(super) struct Drawn {
    /// The exponent of the key of the message.
    pub(super) s: Scalar,
    /// Multiples of the row's elements, each plus 1: timing must not reveal that an element is 0.
    pub(super) hiding: Vec<Scalar>,
    /// The multipliers of the points that blind those of the ciphertext.
    pub(super) blind: Vec<Scalar>,
}

/// Checks that a vector has the right length, and that no element has more bytes than the order.
pub(super) fn check_vector<'a>(
    system: &System,
    row: usize,
    wanted: usize,
    given: usize,
    elements: impl IntoIterator<Item = (usize, &'a Scalar)>,
) -> Result<(), PredicateError> {
    if given != wanted {
        return Err(PredicateError::VectorLength { row, given, wanted });
    }
    let most = system.order().bits().div_ceil(8) as usize;
    let too_long = |(element, x): (usize, &Scalar)| (x.byte_len() > most).then(|| (element, x.byte_len()));
    match elements.into_iter().find_map(too_long) {
        Some((element, given)) => Err(PredicateError::Element { row, element, given, most }),
        None => Ok(()),
    }
}

/// The rows to encrypt: vectors with their messages.
pub(super) type Rows<'a> = [(&'a [Scalar], &'a [u8])];

impl PublicKey {
    /// Encrypts rows, vectors with their messages, in lanes and on the batch's threads. Constant time in the random
    /// values and in the elements of vectors; timing may reveal the lengths of elements and messages. For many rows
    /// an [`Encryptor`](super::Encryptor) takes far less time.
    ///
    /// # Errors
    /// Returns the error of the first row that has one: [`PredicateError::VectorLength`],
    /// [`PredicateError::Element`], [`PredicateError::Message`] or [`PredicateError::NoMessages`]; or
    /// [`PredicateError::Curve`] or [`PredicateError::Randomness`].
    pub fn encrypt(&self, batch: &Batch, rows: &[(&[Scalar], &[u8])]) -> Result<Vec<Vec<u8>>, PredicateError> {
        let drawn = self.draw(batch.system(), rows)?;
        Ok(self.rows(batch, rows, &drawn, &self.multiplied(batch, &drawn)))
    }

    /// Draws the randomness of rows, combined with the elements of the rows.
    pub(super) fn draw(&self, system: &System, rows: &Rows<'_>) -> Result<Vec<Drawn>, PredicateError> {
        let scheme = self.shape.scheme;
        belongs(system, &self.curve)?;
        for (row, (x, message)) in rows.iter().enumerate() {
            check_vector(system, row, self.shape.length, x.len(), x.iter().enumerate())?;
            match message.len() {
                given if given > 0 && !scheme.has_message() => return Err(PredicateError::NoMessages { row, given }),
                given if given > sealed::MAX => return Err(PredicateError::Message { row, given }),
                _ => (),
            }
        }
        let ring = Ring::new(system.order());
        let draw = |(x, _): &(&[Scalar], &[u8])| match scheme {
            Scheme::HiddenVector => hidden_vector::draw(&self.shape, &ring, x),
            Scheme::DualSpaces => dual_spaces::draw(&self.shape, &ring, x),
            Scheme::Matrices => matrices::draw(&self.shape, &ring, x),
            Scheme::InnerProductOnly | Scheme::InnerProduct => inner_product::draw(&self.shape, &ring, x),
        };
        Ok(rows.iter().map(draw).collect::<Result<_, _>>()?)
    }

    /// The sums that give the points of a row, from points alone or points with tables.
    pub(super) fn sums<'a, P>(&self, public: &'a [P], back: &'a [P], drawn: &'a Drawn) -> Vec<Vec<Term<'a, P>>> {
        match self.shape.scheme {
            Scheme::HiddenVector => hidden_vector::row(public, back, drawn),
            Scheme::DualSpaces => dual_spaces::row(public, back, drawn),
            Scheme::Matrices => matrices::row(public, back, drawn),
            Scheme::InnerProductOnly | Scheme::InnerProduct => inner_product::row(public, back, drawn),
        }
    }

    /// Computes the points that rows need beside those of the key.
    pub(super) fn back(&self, batch: &Batch) -> Vec<Point> {
        match self.shape.scheme {
            Scheme::HiddenVector => hidden_vector::back(batch, &self.points),
            Scheme::DualSpaces => dual_spaces::back(batch, &self.shape, &self.points),
            Scheme::Matrices => matrices::back(batch, &self.points),
            Scheme::InnerProductOnly | Scheme::InnerProduct => inner_product::back(batch, &self.points),
        }
    }

    /// Computes the points of rows, one row after the other.
    pub(super) fn multiplied(&self, batch: &Batch, drawn: &[Drawn]) -> Vec<Point> {
        let back = self.back(batch);
        let sums: Vec<_> = drawn.iter().flat_map(|drawn| self.sums(&self.points, &back, drawn)).collect();
        msms(batch, Group::G1, &sums)
    }

    /// Encodes rows with these points.
    pub(super) fn rows(&self, batch: &Batch, rows: &Rows<'_>, drawn: &[Drawn], points: &[Point]) -> Vec<Vec<u8>> {
        let (system, scheme) = (batch.system(), self.shape.scheme);
        let keys: Vec<Option<Gt>> = match &self.message {
            Some(x) => {
                let powers: Vec<(Gt, &Scalar)> = drawn.iter().map(|drawn| (x.clone(), &drawn.s)).collect();
                batch.gt_pow_secret(&powers).into_iter().map(Some).collect()
            }
            None => vec![None; rows.len()],
        };
        let points = points.chunks(scheme.row_points(self.shape.length));
        let encode = |points: &[Point], key: Option<Gt>, message: &[u8]| {
            let body = points.len() * system.point_len(Group::G1) + message.len() + 64;
            let mut writer = Writer::new(ObjectKind::Ciphertext, scheme.byte(), &self.curve, body);
            writer.raw(&self.id).u16(self.shape.length);
            for p in points {
                writer.point(p);
            }
            if let Some(key) = key {
                writer.u32(message.len() + sealed::TAG);
                let sealed = sealed::seal(key.bytes(), writer.so_far(), message);
                writer.raw(&sealed);
            }
            writer.finish().to_vec()
        };
        points.zip(keys).zip(rows).map(|((points, key), (_, message))| encode(points, key, message)).collect()
    }
}
