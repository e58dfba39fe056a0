//! gnark-crypto (Consensys) on BLS12-381 and alt_bn128, on our points. Before anything is timed, its values are compared with
//! ours on every shared input: its power of the pairing is our fast one (Hayashida, Hayasaka and Teruya, ePrint 2020/875;
//! Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, SAC 2011).

mod ffi;

pub(super) use ffi::Gnark;

use super::{CurvePeer, GroupJob, PeerError};
use crate::bulk::Work;
use crate::inputs::{Inputs, Random};
use crate::method::Contender;
use crate::rungs::TAG;
use bilinear_engine::{Encoding, Group, Options, PairingKind, Point, Power, System};
use bilinear_params::Curve;
use ffi::{GnarkCurve, SCALAR, Table};
use num_bigint::BigUint;
use std::hint::black_box;

pub(super) const LABEL: &str = "gnark";

/// gnark-crypto on the curve of `system`, its values checked on the first `rows` rows and on products of the sizes given; `None`
/// where it has no such pairing.
pub(super) fn curve(
    gnark: Gnark,
    system: &System,
    inputs: &Inputs,
    rows: usize,
    products: &[usize],
    random: &Random,
) -> Result<Option<Box<dyn CurvePeer>>, PeerError> {
    let is = |name| Curve::named(name).is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    let (curve, encoding) = match system.pairing() {
        PairingKind::OptAte if is("bls12-381") => (GnarkCurve::Bls12_381, Encoding::ZcashUncompressed),
        PairingKind::OptAte if is("alt-bn128") => (GnarkCurve::Bn254, Encoding::GnarkUncompressed),
        _ => return Ok(None),
    };
    let mut random = random.clone();
    let scalars: Vec<BigUint> = (0..rows).map(|_| random.below(system.order())).collect();
    let check = Check { system, encoding, coefficient: curve.coefficient() };
    let points = |group| -> Vec<u8> { (0..rows).flat_map(|row| check.encoded(of(inputs, group, row))).collect() };
    let numbers: Vec<u8> = scalars.iter().flat_map(big_endian).collect();
    let table = Table::new(gnark, curve, [&points(Group::G1), &points(Group::G2)], &numbers);
    check.points(&table)?;
    check.values(&table, inputs, &scalars, products)?;
    check.groups(&table, inputs, &scalars)?;
    Ok(Some(Box::new(table)))
}

/// The point of a row.
fn of(inputs: &Inputs, group: Group, row: usize) -> &Point {
    let (p, q) = inputs.row(row);
    if group == Group::G1 { p } else { q }
}

fn big_endian(k: &BigUint) -> [u8; SCALAR] {
    let (mut out, bytes) = ([0; SCALAR], k.to_bytes_be());
    out[SCALAR - bytes.len()..].copy_from_slice(&bytes);
    out
}

/// The message of a row.
fn message(row: usize) -> [u8; 8] {
    (row as u64).to_le_bytes()
}

/// Compares its values with ours.
struct Check<'a> {
    system: &'a System,
    encoding: Encoding,
    /// Bytes of a coefficient.
    coefficient: usize,
}

impl Check<'_> {
    /// As the library writes points.
    fn encoded(&self, point: &Point) -> Vec<u8> {
        let bytes = self.system.encode_as(self.encoding, point);
        bytes.unwrap_or_else(|e| unreachable!("the encoding belongs to the curve: {e}"))
    }

    fn same(&self, job: &'static str, row: usize, theirs: &[u8], ours: &[u8]) -> Result<(), PeerError> {
        let (peer, curve) = (LABEL.to_owned(), self.system.curve().name().to_owned());
        if theirs == ours { Ok(()) } else { Err(PeerError::Disagrees { peer, curve, job, row }) }
    }

    fn points(&self, table: &Table) -> Result<(), PeerError> {
        let no_point = |row: &usize| !Group::ALL.into_iter().all(|group| table.validate(group, *row));
        let (peer, curve) = (LABEL.to_owned(), self.system.curve().name().to_owned());
        (0..table.rows()).find(no_point).map_or(Ok(()), |row| Err(PeerError::Point { peer, curve, row }))
    }

    /// What the library has computed last, in our order of coefficients.
    fn value(&self, table: &Table) -> Vec<u8> {
        table.value().chunks(self.coefficient).rev().flatten().copied().collect()
    }

    /// Pairings, prepared ones, powers, products.
    fn values(&self, table: &Table, inputs: &Inputs, scalars: &[BigUint], products: &[usize]) -> Result<(), PeerError> {
        let (engine, pairing) = (Some(self.system.engine()), Some(self.system.pairing()));
        let fast =
            System::with(self.system.curve(), Options { engine, pairing, power: Power::Fast, ..Options::default() });
        let fast = fast.unwrap_or_else(|e| unreachable!("both curves have this power: {e}"));
        let mut values = vec![];
        for row in 0..table.rows() {
            let (p, q) = inputs.row(row);
            table.pair(row, 1);
            values.push(fast.pair(p, q));
            self.same("pairing", row, &self.value(table), values[row].bytes())?;
            table.prepared(row);
            self.same("prepared pairing", row, &self.value(table), fast.pair(p, inputs.row(0).1).bytes())?;
            table.power(row);
            self.same("power", row, &self.value(table), fast.gt_pow(&values[row], &scalars[row]).bytes())?;
        }
        for size in products.iter().copied().filter(|n| *n <= table.rows()) {
            table.pair(0, size);
            let ours = values[..size].iter().fold(fast.gt_one(), |x, y| fast.gt_mul(&x, y));
            self.same("product of pairings", size, &self.value(table), ours.bytes())?;
        }
        Ok(())
    }

    /// Multiples, and hashes where the library hashes as we do.
    fn groups(&self, table: &Table, inputs: &Inputs, scalars: &[BigUint]) -> Result<(), PeerError> {
        for (group, [multiplication, hash]) in
            [(Group::G1, ["multiplication in g1", "hash to g1"]), (Group::G2, ["multiplication in g2", "hash to g2"])]
        {
            for (row, k) in scalars.iter().enumerate() {
                let multiple = self.encoded(&self.system.mul(k, of(inputs, group, row)));
                self.same(multiplication, row, &table.multiply(group, row), &multiple)?;
                if table.hashes_as_we_do(group) {
                    let hashed = self.system.hash_to_point(group, &message(row), TAG);
                    let hashed = hashed.unwrap_or_else(|e| unreachable!("the tag is short: {e}"));
                    self.same(hash, row, &table.hash(group, &message(row), TAG), &self.encoded(&hashed))?;
                }
            }
        }
        Ok(())
    }
}

/// 0, 1, … as far as there are `size` rows from there.
fn turns(table: &Table, size: usize) -> impl FnMut() -> usize + use<> {
    let (mut next, count) = (0, table.rows() - size + 1);
    move || {
        let row = next;
        next = (next + 1) % count;
        row
    }
}

impl CurvePeer for Table {
    fn label(&self) -> &str {
        LABEL
    }

    fn bulk(&self, work: Work, size: usize) -> Option<Contender<'_>> {
        let size = if work == Work::Product { size } else { 1 };
        if size > self.rows() {
            return None;
        }
        let mut next = turns(self, size);
        Some(match work {
            Work::Prepared => Contender::new(LABEL, 1, move || self.prepared(next())),
            Work::PreparedProduct => return None,
            Work::Pair | Work::Product => Contender::new(LABEL, size, move || self.pair(next(), size)),
        })
    }

    fn group(&self, job: GroupJob) -> Option<Contender<'_>> {
        let mut next = turns(self, 1);
        Some(match job {
            GroupJob::Validation(group) => Contender::new(LABEL, 1, move || {
                black_box(self.validate(group, next()));
            }),
            GroupJob::Hash(group) if !self.hashes_as_we_do(group) => return None,
            GroupJob::Hash(group) => Contender::new(LABEL, 1, move || {
                black_box(self.hash(group, &message(next()), TAG));
            }),
            GroupJob::Multiplication(group) => Contender::new(LABEL, 1, move || {
                black_box(self.multiply(group, next()));
            }),
            GroupJob::Power => Contender::new(LABEL, 1, move || self.power(next())),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use crate::peers::Peers;

    #[test]
    fn gnark_crypto_agrees_with_us() {
        let Some(gnark) = Peers::find(&mut |note| eprintln!("{note}")).gnark else {
            eprintln!("skipped: no gnark-crypto; build bench/gnark and set BILINEAR_GNARK");
            return;
        };
        let random = Random::new(1);
        for (name, power) in [("bls12-381", Power::Exact), ("alt-bn128", Power::Fast), ("alt-bn128", Power::Exact)] {
            let system = System::with(&Curve::named(name).unwrap(), Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut random.clone());
            assert!(curve(gnark, &system, &inputs, 3, &[2, 3], &random).unwrap().is_some());
        }
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut random.clone());
        assert!(curve(gnark, &system, &inputs, 1, &[], &random).unwrap().is_none());
    }
}
