//! The common part of all peers but GMP and PBC: a library on one curve, with the points and scalars of the first rows
//! of the inputs. Before anything is timed, every value is compared with ours. Their power of the pairing is our fast
//! power (for BLS12 and BLS24 the cube of the exact one, Hayashida, Hayasaka and Teruya, ePrint 2020/875; for BN
//! Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, SAC 2011).

use super::{CurvePeer, GroupJob, PeerError};
use crate::bulk::Work;
use crate::inputs::{Inputs, Random, outside};
use crate::method::Contender;
use crate::rungs::cycle;
use bilinear_engine::{Group, Gt, Options, Point, PointRef, Power, System, Validate};
use num_bigint::BigUint;
use std::hint::black_box;

/// The computations of such a library on points and scalars that it has already read. Its last value of the target
/// group stays in it.
pub(super) trait Table {
    /// The number of rows.
    fn rows(&self) -> usize;
    /// Computes Π e(P_i, Q_i) over `count` rows, from `first` on.
    fn pair(&self, first: usize, count: usize);
    /// Returns true if the library has pairings with a prepared argument.
    fn prepares(&self) -> bool {
        true
    }
    /// Computes e(P_i, Q_0) with the stored lines of Q_0.
    fn prepared(&self, row: usize);
    /// Returns true if the library has powers in the target group.
    fn has_powers(&self) -> bool {
        true
    }
    /// Computes e(P_i, Q_i) to the scalar of the row.
    fn power(&self, row: usize);
    /// Returns the last value of `pair`, `prepared` or `power`, in the library's encoding.
    fn value(&self) -> Vec<u8>;
    /// Decodes the point of a row, and returns true if it is on the curve and in the group.
    fn validate(&self, group: Group, row: usize) -> bool;
    /// Returns true if the library accepts this encoded point. `None` if it reads no points after its rows, or prints
    /// the points that it rejects.
    fn accepts(&self, _: Group, _: &[u8]) -> Option<bool> {
        None
    }
    /// Hashes a message to a group under a tag, and returns the encoded point.
    fn hash(&self, group: Group, message: &[u8], dst: &[u8]) -> Vec<u8>;
    /// Multiplies a row's point by its scalar, and returns the encoded point.
    fn multiply(&self, group: Group, row: usize) -> Vec<u8>;
}

/// Such a library on a curve, and the differences between its encodings and ours.
pub(super) trait Loaded {
    /// The name of the library.
    fn label(&self) -> &str;
    /// The computations of the library.
    fn table(&self) -> &dyn Table;
    /// Encodes a point as the library does.
    fn encoded(&self, system: &System, point: &Point) -> Vec<u8>;
    /// Converts a value in the library's encoding to ours.
    fn in_our_order(&self, value: &[u8]) -> Vec<u8>;
    /// The tag under which the library hashes; `None` if its hash function differs from ours.
    fn dst(&self, group: Group) -> Option<&[u8]>;
}

/// Returns the point of a row.
pub(super) fn point(inputs: &Inputs, group: Group, row: usize) -> &Point {
    let (p, q) = inputs.row(row);
    if group == Group::G1 { p } else { q }
}

/// Draws a scalar for each row.
pub(super) fn scalars(system: &System, rows: usize, random: &Random) -> Vec<BigUint> {
    let mut random = random.clone();
    (0..rows).map(|_| random.below(system.order())).collect()
}

/// Returns the message of a row.
pub(super) fn message(row: usize) -> [u8; 8] {
    (row as u64).to_le_bytes()
}

/// A library whose values agree with ours.
struct Checked<L>(L);

/// Returns the library as a peer, after its values have been compared with ours on all its rows and on products of the
/// given sizes.
///
/// # Errors
/// Returns an error if the library rejects a point, or computes a value that differs from ours.
pub(super) fn checked<L: Loaded + 'static>(
    library: L,
    system: &System,
    inputs: &Inputs,
    scalars: &[BigUint],
    products: &[usize],
) -> Result<Box<dyn CurvePeer>, PeerError> {
    let check = Check { loaded: &library, system, inputs, scalars };
    check.points()?;
    check.values(products)?;
    check.groups()?;
    Ok(Box::new(Checked(library)))
}

struct Check<'a, L> {
    loaded: &'a L,
    system: &'a System,
    inputs: &'a Inputs,
    scalars: &'a [BigUint],
}

impl<L: Loaded> Check<'_, L> {
    fn same(&self, job: &'static str, row: usize, theirs: &[u8], ours: &[u8]) -> Result<(), PeerError> {
        let (peer, curve) = (self.loaded.label().to_owned(), self.system.curve().name().to_owned());
        if theirs == ours { Ok(()) } else { Err(PeerError::Disagrees { peer, curve, job, row }) }
    }

    /// Checks that the library accepts its points, and rejects points beside the curve and outside the group.
    fn points(&self) -> Result<(), PeerError> {
        let no_point = |row: &usize| !Group::ALL.into_iter().all(|group| self.loaded.table().validate(group, *row));
        let (peer, curve) = (self.loaded.label().to_owned(), self.system.curve().name().to_owned());
        if let Some(row) = (0..self.loaded.table().rows()).find(no_point) {
            return Err(PeerError::Point { peer, curve, row });
        }
        for group in Group::ALL {
            let mut encoded = self.loaded.encoded(self.system, point(self.inputs, group, 0));
            let middle = encoded.len() / 4;
            encoded[middle] ^= 1;
            let outside = self.outside(group).map(|point| self.loaded.encoded(self.system, &point));
            let jobs = ["refusing a point off the curve", "refusing a point outside the group"];
            for (job, encoded) in jobs.into_iter().zip([Some(encoded), outside]) {
                if encoded.is_some_and(|encoded| self.loaded.table().accepts(group, &encoded) == Some(true)) {
                    return Err(PeerError::Disagrees { peer, curve, job, row: 0 });
                }
            }
        }
        Ok(())
    }

    /// Returns the first point x = 1, 2, … of the curve that is not in the group, or `None` if all are.
    fn outside(&self, group: Group) -> Option<Point> {
        let system = self.system;
        let mut x = vec![0; system.compressed_len(group)];
        let sign = x.len() - 1;
        let points = (1..=64).filter_map(|low| {
            x[sign - 1] = low;
            system.decode(group, PointRef::Bytes(&x), Validate::OnCurve).ok()
        });
        let is_outside = |p: &Point| system.decode(group, outside(p), Validate::Subgroup).is_err();
        points.into_iter().find(is_outside)
    }

    /// Compares pairings, prepared pairings, powers and products.
    fn values(&self, products: &[usize]) -> Result<(), PeerError> {
        let (table, fast) = (self.loaded.table(), fast(self.system));
        let value = || self.loaded.in_our_order(&table.value());
        let mut values: Vec<Gt> = vec![];
        for row in 0..table.rows() {
            let (p, q) = self.inputs.row(row);
            table.pair(row, 1);
            values.push(fast.pair(p, q));
            self.same("pairing", row, &value(), values[row].bytes())?;
            if table.prepares() {
                table.prepared(row);
                let ours = fast.pair(p, self.inputs.row(0).1);
                self.same("prepared pairing", row, &value(), ours.bytes())?;
            }
            if table.has_powers() {
                table.power(row);
                self.same("power", row, &value(), fast.gt_pow(&values[row], &self.scalars[row]).bytes())?;
            }
        }
        for size in products.iter().copied().filter(|n| *n <= table.rows()) {
            table.pair(0, size);
            let ours = values[..size].iter().fold(fast.gt_one(), |x, y| fast.gt_mul(&x, y));
            self.same("product of pairings", size, &value(), ours.bytes())?;
        }
        Ok(())
    }

    /// Compares multiples, and hashes if the library hashes as we do.
    fn groups(&self) -> Result<(), PeerError> {
        let (loaded, table, system) = (self.loaded, self.loaded.table(), self.system);
        for (group, [multiplication, hash]) in
            [(Group::G1, ["multiplication in g1", "hash to g1"]), (Group::G2, ["multiplication in g2", "hash to g2"])]
        {
            for (row, k) in self.scalars.iter().enumerate() {
                let multiple = loaded.encoded(system, &system.mul(k, point(self.inputs, group, row)));
                self.same(multiplication, row, &table.multiply(group, row), &multiple)?;
                if let Some(dst) = loaded.dst(group) {
                    let hashed = hashed(loaded, system, group, row, dst);
                    self.same(hash, row, &table.hash(group, &message(row), dst), &hashed)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns our hash of a row's message, in the library's encoding.
pub(super) fn hashed(loaded: &impl Loaded, system: &System, group: Group, row: usize, dst: &[u8]) -> Vec<u8> {
    let hashed = system.hash_to_curve(group, &message(row), dst);
    loaded.encoded(system, &hashed.unwrap_or_else(|e| unreachable!("the tag is short: {e}")))
}

/// Returns the system with the fast power.
fn fast(system: &System) -> System {
    let (engine, pairing) = (Some(system.engine()), Some(system.pairing()));
    let options = Options { engine, pairing, power: Power::Fast, ..Options::default() };
    System::with(system.curve(), options).unwrap_or_else(|e| unreachable!("curves of these libraries have it: {e}"))
}

impl<L: Loaded> Checked<L> {
    /// Returns a function that cycles through the rows from which on there are `size` rows.
    fn turns(&self, size: usize) -> impl FnMut() -> usize + use<L> {
        cycle(self.0.table().rows() - size + 1)
    }
}

impl<L: Loaded> CurvePeer for Checked<L> {
    fn label(&self) -> &str {
        self.0.label()
    }

    fn bulk(&self, work: Work, size: usize) -> Option<Contender<'_>> {
        let (table, label) = (self.0.table(), self.label());
        let size = if work == Work::Product { size } else { 1 };
        if size > table.rows() {
            return None;
        }
        let mut next = self.turns(size);
        match work {
            Work::Prepared if table.prepares() => Some(Contender::new(label, 1, move || table.prepared(next()))),
            Work::Prepared | Work::PreparedProduct => None,
            Work::Pair | Work::Product => Some(Contender::new(label, size, move || table.pair(next(), size))),
        }
    }

    fn group(&self, job: GroupJob) -> Option<Contender<'_>> {
        let (table, label, mut next) = (self.0.table(), self.label(), self.turns(1));
        Some(match job {
            GroupJob::Validation(group) => Contender::new(label, 1, move || {
                black_box(table.validate(group, next()));
            }),
            GroupJob::Hash(group) => {
                let dst = self.0.dst(group)?;
                Contender::new(label, 1, move || {
                    black_box(table.hash(group, &message(next()), dst));
                })
            }
            GroupJob::Multiplication(group) => Contender::new(label, 1, move || {
                black_box(table.multiply(group, next()));
            }),
            GroupJob::FixedMultiplication(_) => return None,
            GroupJob::Power if !table.has_powers() => return None,
            GroupJob::Power => Contender::new(label, 1, move || table.power(next())),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_params::Curve;
    use std::cell::RefCell;

    /// Our own engine as a library, one of whose jobs is wrong on row 1.
    struct Faulty<'a> {
        fast: System,
        inputs: &'a Inputs,
        scalars: Vec<BigUint>,
        fault: &'static str,
        last: RefCell<Vec<u8>>,
    }

    impl Faulty<'_> {
        fn keep(&self, job: &str, row: usize, value: &Gt) {
            *self.last.borrow_mut() = self.spoilt(job, row, value.bytes().to_vec());
        }

        fn spoilt(&self, job: &str, row: usize, mut bytes: Vec<u8>) -> Vec<u8> {
            bytes[0] ^= u8::from(job == self.fault && row == 1);
            bytes
        }

        fn value_of(&self, p: usize, q: usize) -> Gt {
            self.fast.pair(self.inputs.row(p).0, self.inputs.row(q).1)
        }
    }

    impl Table for Faulty<'_> {
        fn rows(&self) -> usize {
            self.scalars.len()
        }
        fn pair(&self, first: usize, count: usize) {
            let values = (first..first + count).map(|row| self.value_of(row, row));
            let value = values.fold(self.fast.gt_one(), |x, y| self.fast.gt_mul(&x, &y));
            let (job, row) = if count == 1 { ("pairing", first) } else { ("product of pairings", 1) };
            self.keep(job, row, &value);
        }
        fn prepared(&self, row: usize) {
            self.keep("prepared pairing", row, &self.value_of(row, 0));
        }
        fn power(&self, row: usize) {
            self.keep("power", row, &self.fast.gt_pow(&self.value_of(row, row), &self.scalars[row]));
        }
        fn value(&self) -> Vec<u8> {
            self.last.borrow().clone()
        }
        fn validate(&self, _: Group, row: usize) -> bool {
            self.fault != "point" || row != 1
        }
        fn accepts(&self, group: Group, encoded: &[u8]) -> Option<bool> {
            let taken = |validate| self.fast.decode(group, PointRef::Bytes(encoded), validate).is_ok();
            let validate = if self.fault == "group" { Validate::OnCurve } else { Validate::Subgroup };
            Some(taken(validate) || self.fault == "refusal")
        }
        fn hash(&self, group: Group, message: &[u8], dst: &[u8]) -> Vec<u8> {
            let point = self.fast.hash_to_curve(group, message, dst).unwrap();
            let job = if group == Group::G1 { "hash to g1" } else { "hash to g2" };
            self.spoilt(job, usize::from(message[0]), self.encoded(&self.fast, &point))
        }
        fn multiply(&self, group: Group, row: usize) -> Vec<u8> {
            let multiple = self.fast.mul(&self.scalars[row], point(self.inputs, group, row));
            let job = if group == Group::G1 { "multiplication in g1" } else { "multiplication in g2" };
            self.spoilt(job, row, self.encoded(&self.fast, &multiple))
        }
    }

    impl Loaded for Faulty<'_> {
        fn label(&self) -> &str {
            "faulty"
        }
        fn table(&self) -> &dyn Table {
            self
        }
        fn encoded(&self, _: &System, point: &Point) -> Vec<u8> {
            point.bytes().unwrap().to_vec()
        }
        fn in_our_order(&self, value: &[u8]) -> Vec<u8> {
            value.to_vec()
        }
        fn dst(&self, _: Group) -> Option<&[u8]> {
            Some(b"a dst of its own")
        }
    }

    #[test]
    fn every_wrong_value_is_found() {
        let system = System::new(&Curve::named("bls12-381").unwrap()).unwrap();
        let random = Random::new(3);
        let inputs = Inputs::new(&system, &mut random.clone());
        let scalars = scalars(&system, 2, &random);
        let found = |fault| {
            let last = RefCell::default();
            let library = Faulty { fast: fast(&system), inputs: &inputs, scalars: scalars.clone(), fault, last };
            let check = Check { loaded: &library, system: &system, inputs: &inputs, scalars: &scalars };
            check.points().and_then(|()| check.values(&[2, 3])).and_then(|()| check.groups())
        };
        assert!(found("nothing").is_ok());
        assert!(matches!(found("point"), Err(PeerError::Point { row: 1, .. })));
        let jobs = ["pairing", "prepared pairing", "power", "hash to g1", "hash to g2"];
        for fault in jobs.into_iter().chain(["multiplication in g1", "multiplication in g2"]) {
            let Err(PeerError::Disagrees { job, row: 1, .. }) = found(fault) else { panic!("{fault}") };
            assert_eq!(job, fault);
        }
        let refusal = found("refusal");
        assert!(matches!(refusal, Err(PeerError::Disagrees { job: "refusing a point off the curve", .. })));
        let outside = found("group");
        assert!(matches!(outside, Err(PeerError::Disagrees { job: "refusing a point outside the group", .. })));
        let product = found("product of pairings");
        assert!(matches!(product, Err(PeerError::Disagrees { job: "product of pairings", row: 2, .. })));
    }
}
