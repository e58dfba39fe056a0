//! mcl (Mitsunari) on BLS12-381, alt_bn128 and BN-254N, with our points.

mod ffi;

pub(super) use ffi::Mcl;

use super::loaded::{self, Loaded, checked};
use super::{CurvePeer, PeerError};
use crate::inputs::{Inputs, Random};
use crate::rungs::TAG;
use bilinear_engine::{Group, PairingKind, Point, System};
use bilinear_params::Curve;
use ffi::{MclCurve, Table};

pub(super) const LABEL: &str = "mcl";
/// The number of bytes of a scalar; the group's order is shorter on all three curves.
const SCALAR: usize = 32;

/// mcl's table on a curve.
struct OnCurve {
    table: Table,
    /// The number of bytes of a coefficient.
    coefficient: usize,
}

/// Returns mcl on the curve of `system`. Its values are checked on the first `rows` rows and on products of the given
/// sizes. `None` if it does not have such a pairing.
pub(super) fn curve(
    mcl: Mcl,
    system: &System,
    inputs: &Inputs,
    rows: usize,
    products: &[usize],
    random: &Random,
) -> Result<Option<Box<dyn CurvePeer>>, PeerError> {
    let is = |name| Curve::named(name).is_ok_and(|ours| ours.fingerprint() == system.curve().fingerprint());
    let (curve, coefficient) = match system.pairing() {
        PairingKind::OptAte if is("bls12-381") => (MclCurve::Bls12_381, 48),
        PairingKind::OptAte if is("alt-bn128") => (MclCurve::Snark1, 32),
        PairingKind::OptAte if is("bn-254n") => (MclCurve::Bn254, 32),
        _ => return Ok(None),
    };
    let scalars = loaded::scalars(system, rows, random);
    let points = [Group::G1, Group::G2].map(|group| -> Vec<u8> {
        (0..rows).flat_map(|row| encoded(loaded::point(inputs, group, row), coefficient)).collect()
    });
    let mut numbers = vec![0; rows * SCALAR];
    for (out, k) in numbers.chunks_mut(SCALAR).zip(&scalars) {
        let bytes = k.to_bytes_le();
        out[..bytes.len()].copy_from_slice(&bytes);
    }
    let Some(table) = Table::new(mcl, curve, coefficient, points, (&numbers, SCALAR)) else { return Ok(None) };
    checked(OnCurve { table, coefficient }, system, inputs, &scalars, products).map(Some)
}

/// Reverses the bytes of each coefficient.
fn reversed(bytes: &[u8], coefficient: usize) -> Vec<u8> {
    bytes.chunks(coefficient).flat_map(|c| c.iter().rev()).copied().collect()
}

fn encoded(point: &Point, coefficient: usize) -> Vec<u8> {
    reversed(point.bytes().unwrap_or_default(), coefficient)
}

impl Loaded for OnCurve {
    fn label(&self) -> &str {
        LABEL
    }

    fn table(&self) -> &dyn loaded::Table {
        &self.table
    }

    fn encoded(&self, _: &System, point: &Point) -> Vec<u8> {
        encoded(point, self.coefficient)
    }

    fn in_our_order(&self, value: &[u8]) -> Vec<u8> {
        reversed(value, self.coefficient)
    }

    /// The tag on BLS12-381. On BN curves mcl has maps of its own.
    fn dst(&self, _: Group) -> Option<&[u8]> {
        (self.table.curve() == MclCurve::Bls12_381).then_some(TAG)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use crate::peers::Peers;
    use bilinear_engine::{Options, Power};

    #[test]
    fn bytes_of_each_coefficient_are_reversed() {
        assert_eq!(reversed(&[1, 2, 3, 4, 5, 6], 3), [3, 2, 1, 6, 5, 4]);
    }

    #[test]
    fn mcl_agrees_with_us() {
        let Some(mcl) = Peers::find(&mut |note| eprintln!("{note}")).mcl else {
            eprintln!("skipped: no mcl; set BILINEAR_MCL");
            return;
        };
        let random = Random::new(1);
        for (name, power) in [("bls12-381", Power::Exact), ("alt-bn128", Power::Fast), ("bn-254n", Power::Exact)] {
            let system = System::with(&Curve::named(name).unwrap(), Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut random.clone());
            let found = curve(mcl, &system, &inputs, 3, &[2, 3], &random).unwrap();
            assert!(found.is_some() || name == "bls12-381", "{name}: only a build for 256 bits lacks a curve");
        }
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut random.clone());
        assert!(curve(mcl, &system, &inputs, 1, &[], &random).unwrap().is_none());
    }
}
