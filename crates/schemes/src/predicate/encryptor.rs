//! Encryption of many rows under one key: tables of multiples are made once for the points of the key.

use super::encrypt::Drawn;
use super::keys::PublicKey;
use super::scheme::Scheme;
use super::{PredicateError, hidden_vector, inner_product};
use crate::combine::{fixed_bases, fixed_combinations};
use crate::encoding::belongs;
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{Batch, FixedBase, Group, Point};

/// The most memory that tables may take, by [`FixedBase::table_len`].
const MAX_TABLES: usize = 384 << 20;

/// A public key with tables of its points. Safe to share between threads.
///
/// The tables of a key for n elements take 3n + 2 (hidden vectors) or 2n + 3 (inner products) times the memory that
/// [`FixedBase`] states: 13 MB for hidden vectors of 4 elements on a1-1024, and a quarter more in lanes. If they would
/// take more than 384 MiB there are no tables, and rows are encrypted as by [`PublicKey::encrypt`].
pub struct Encryptor {
    batch: Batch,
    public: PublicKey,
    tables: Option<Tables>,
}

/// The tables of a key's points, and of the further points that rows need.
struct Tables {
    points: Vec<FixedBase>,
    back: Vec<FixedBase>,
}

impl Encryptor {
    /// Creates tables for a key on a batch, whose threads will encrypt rows.
    ///
    /// # Errors
    /// Returns [`PredicateError::Curve`].
    pub fn new(batch: Batch, public: &PublicKey) -> Result<Encryptor, PredicateError> {
        belongs(batch.system(), &public.curve)?;
        let ring = Ring::new(batch.system().order());
        let longest = match public.shape.scheme {
            Scheme::HiddenVector => hidden_vector::longest(&public.shape, &ring),
            Scheme::DualSpaces | Scheme::Matrices => vec![ring.byte_len(); public.points.len()],
            Scheme::InnerProductOnly | Scheme::InnerProduct => inner_product::longest(&public.shape, &ring),
        };
        let len = |bytes: &usize| FixedBase::table_len(batch.system(), Group::G1, *bytes);
        let fits = longest.iter().map(len).sum::<usize>() <= MAX_TABLES;
        let tables = fits.then(|| Tables {
            points: fixed_bases(&batch, Group::G1, &public.points, &longest),
            // each of these points is added once, that is, multiplied by a scalar of one byte
            back: batch.fixed_bases(Group::G1, &public.back(&batch), 1),
        });
        Ok(Encryptor { batch, public: public.clone(), tables })
    }

    /// The public key of the encryptor.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Encrypts rows as [`PublicKey::encrypt`] does, from the tables. Constant time in the same respects.
    ///
    /// # Errors
    /// Returns an error as [`PublicKey::encrypt`] does.
    pub fn encrypt(&self, rows: &[(&[Scalar], &[u8])]) -> Result<Vec<Vec<u8>>, PredicateError> {
        let drawn = self.public.draw(self.batch.system(), rows)?;
        Ok(self.public.rows(&self.batch, rows, &drawn, &self.multiplied(&drawn)))
    }

    /// Computes the points of rows, one row after the other.
    fn multiplied(&self, drawn: &[Drawn]) -> Vec<Point> {
        let Some(Tables { points, back }) = &self.tables else { return self.public.multiplied(&self.batch, drawn) };
        let sums: Vec<_> = drawn.iter().flat_map(|drawn| self.public.sums(points, back, drawn)).collect();
        fixed_combinations(&self.batch, Group::G1, &sums)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::predicate::setup;
    use bilinear_engine::params::Curve;
    use bilinear_engine::params::generate::Generator;
    use bilinear_engine::{BigUint, Engine, System};
    use crypto_bigint::BoxedUint;

    /// Three primes of 80 bits.
    const PRIMES: [u128; 3] = [0xddb8_6378_c977_74a2_a8ab, 0xcd2d_1b93_6545_bb3b_89ff, 0xc1c7_7544_08eb_b492_76b1];

    /// Checks that the same random values give the same bytes with tables and without, for elements of every length,
    /// edge cases included.
    #[test]
    fn rows_are_the_same_without_tables() {
        for scheme in Scheme::ALL {
            let (curve, system) = if scheme.primes() == 1 {
                let curve = Curve::named("d-159").unwrap();
                (curve.clone(), System::new(&curve).unwrap())
            } else {
                let primes = PRIMES[..scheme.primes()].iter();
                let primes = primes.map(|p| BoxedUint::from_be_slice_vartime(&p.to_be_bytes()));
                let made = Generator::new("small").insecure(true).a1_with(primes).unwrap();
                let system = System::new(&made.curve).unwrap().with_factors(&made.factors.unwrap()).unwrap();
                (made.curve, system)
            };
            let batch = Batch::new(system).on_this_thread();
            let (public, _) = setup(&batch, scheme, 3).unwrap();
            let n = batch.system().order();
            let most = n.bits().div_ceil(8) as usize;
            let values = [0u8.into(), 1u8.into(), 0xffffu32.into(), n - 1u8, n.clone(), BigUint::from(PRIMES[0])];
            let xs: Vec<Vec<Scalar>> =
                (0..12).map(|i| (0..3).map(|j| Scalar::from(&values[(i + i / 6 + j) % 6])).collect()).collect();
            let longest = [vec![0xff; most], vec![0; most], vec![]].map(|bytes| Scalar::new(&bytes)).to_vec();
            let message: &[u8] = if scheme.has_message() { b"message" } else { b"" };
            let rows: Vec<(&[Scalar], &[u8])> = xs.iter().chain([&longest]).map(|x| (&x[..], message)).collect();
            let drawn = public.draw(batch.system(), &rows).unwrap();
            let want = public.rows(&batch, &rows, &drawn, &public.multiplied(&batch, &drawn));
            let two = batch.clone().threads(2.try_into().unwrap()).unwrap();
            let portable = System::with_engine(&curve, Engine::Portable).unwrap();
            for batch in [batch.clone(), two, Batch::new(portable).on_this_thread()] {
                let encryptor = Encryptor::new(batch.clone(), &public).unwrap();
                let tables = encryptor.tables.as_ref().unwrap();
                assert!(tables.points.iter().chain(&tables.back).all(FixedBase::has_tables));
                let rows_of = |encryptor: &Encryptor| public.rows(&batch, &rows, &drawn, &encryptor.multiplied(&drawn));
                assert_eq!(rows_of(&encryptor), want, "{scheme}");
                let without = Encryptor { tables: None, ..encryptor };
                assert_eq!(rows_of(&without), want, "{scheme}, without tables");
            }
        }
    }
}
