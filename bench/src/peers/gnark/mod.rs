//! gnark-crypto (Consensys) on BLS12-381 and alt_bn128, with our points.

mod ffi;

pub(super) use ffi::Gnark;

use super::loaded::{self, Loaded, checked};
use super::{CurvePeer, PeerError};
use crate::inputs::{Inputs, Random};
use crate::rungs::TAG;
use bilinear_engine::{Encoding, Group, PairingKind, Point, System};
use bilinear_params::Curve;
use ffi::{GnarkCurve, SCALAR, Table};
use num_bigint::BigUint;

pub(super) const LABEL: &str = "gnark";

/// gnark-crypto's table with the encoding of its points.
struct OnCurve {
    table: Table,
    encoding: Encoding,
    /// The number of bytes of a coefficient.
    coefficient: usize,
}

/// Returns gnark-crypto on the curve of `system`. Its values are checked on the first `rows` rows and on products of
/// the given sizes. `None` if it does not have such a pairing.
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
    let scalars = loaded::scalars(system, rows, random);
    let points = |group| -> Vec<u8> {
        (0..rows).flat_map(|row| encoded(system, encoding, loaded::point(inputs, group, row))).collect()
    };
    let numbers: Vec<u8> = scalars.iter().flat_map(big_endian).collect();
    let table = Table::new(gnark, curve, [&points(Group::G1), &points(Group::G2)], &numbers);
    let library = OnCurve { table, encoding, coefficient: curve.coefficient() };
    checked(library, system, inputs, &scalars, products).map(Some)
}

fn big_endian(k: &BigUint) -> [u8; SCALAR] {
    let (mut out, bytes) = ([0; SCALAR], k.to_bytes_be());
    out[SCALAR - bytes.len()..].copy_from_slice(&bytes);
    out
}

fn encoded(system: &System, encoding: Encoding, point: &Point) -> Vec<u8> {
    let bytes = system.encode_as(encoding, point);
    bytes.unwrap_or_else(|e| unreachable!("the encoding belongs to the curve: {e}"))
}

impl Loaded for OnCurve {
    fn label(&self) -> &str {
        LABEL
    }

    fn table(&self) -> &dyn loaded::Table {
        &self.table
    }

    fn encoded(&self, system: &System, point: &Point) -> Vec<u8> {
        encoded(system, self.encoding, point)
    }

    /// Reverses the coefficients: the library writes the last coefficient first.
    fn in_our_order(&self, value: &[u8]) -> Vec<u8> {
        value.chunks(self.coefficient).rev().flatten().copied().collect()
    }

    fn dst(&self, group: Group) -> Option<&[u8]> {
        self.table.hashes_as_we_do(group).then_some(TAG)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use crate::peers::Peers;
    use bilinear_engine::{Options, Power};

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
