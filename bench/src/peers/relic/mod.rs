//! RELIC (Aranha, Gouvêa, Markmann, Wahby, Liao) on the curve that it was built for, with our points: curves with a
//! sextic twist, embedding degree 12 or 24, and the same generators as ours.

mod ffi;

pub(super) use ffi::Relic;

use super::loaded::{self, Loaded, checked, hashed, message};
use super::{CurvePeer, PeerError};
use crate::inputs::{Inputs, Random};
use bilinear_engine::{Group, PairingKind, Point, System};
use ffi::Table;
use num_bigint::BigUint;

pub(super) const LABEL: &str = "relic";
/// The tags of hashing to G1 and to G2; the first ends with the zero byte of a C string.
const TAGS: [&[u8]; 2] = [b"RELIC\0", b"RELIC"];

/// RELIC's table.
struct OnCurve {
    table: Table,
    /// The number of bytes of a coefficient.
    coefficient: usize,
    /// Whether the library hashes to G1 and to G2 as we do.
    hashes: [bool; 2],
}

/// Returns the first of the libraries whose curve is that of `system`. Its values are checked on the first `rows` rows
/// and on products of the given sizes. `None` if no library has the curve, or if the pairing is another one.
pub(super) fn curve(
    libraries: &[Relic],
    system: &System,
    inputs: &Inputs,
    rows: usize,
    products: &[usize],
    random: &Random,
) -> Result<Option<Box<dyn CurvePeer>>, PeerError> {
    let generators = [Group::G1, Group::G2].map(|group| encoded(&system.generator(group)));
    let Some(relic) = libraries.iter().find(|relic| *relic.generators() == generators) else { return Ok(None) };
    if system.pairing() != PairingKind::OptAte {
        return Ok(None);
    }
    let scalars = loaded::scalars(system, rows, random);
    let points = [Group::G1, Group::G2]
        .map(|group| (0..rows).map(|row| encoded(loaded::point(inputs, group, row))).collect::<Vec<_>>());
    let numbers: Vec<Vec<u8>> = scalars.iter().map(BigUint::to_bytes_be).collect();
    let table = Table::new(relic, points, &numbers);
    let mut library = OnCurve { table, coefficient: relic.coefficient(), hashes: [false; 2] };
    library.hashes = [Group::G1, Group::G2].map(|group| {
        let ours = hashed(&library, system, group, 0, dst(group));
        loaded::Table::hash(&library.table, group, &message(0), dst(group)) == ours
    });
    checked(library, system, inputs, &scalars, products).map(Some)
}

/// Encodes a point as the byte 4, x, y.
fn encoded(point: &Point) -> Vec<u8> {
    [&[4], point.bytes().unwrap_or_default()].concat()
}

fn dst(group: Group) -> &'static [u8] {
    TAGS[usize::from(group == Group::G2)]
}

/// Converts RELIC's order of coefficients to ours. For degree 12 both are the same. For degree 24 RELIC has F_p^8(w)
/// over F_p^4(w³). It writes 1, w³, w, w⁴, w², w⁵ over F_p^4, where we write 1, w², w⁴, w, w³, w⁵.
fn reordered(value: &[u8], coefficient: usize) -> Vec<u8> {
    if value.len() != 24 * coefficient {
        return value.to_vec();
    }
    [0, 4, 3, 2, 1, 5].into_iter().flat_map(|i| &value[i * 4 * coefficient..][..4 * coefficient]).copied().collect()
}

impl Loaded for OnCurve {
    fn label(&self) -> &str {
        LABEL
    }

    fn table(&self) -> &dyn loaded::Table {
        &self.table
    }

    fn encoded(&self, _: &System, point: &Point) -> Vec<u8> {
        encoded(point)
    }

    fn in_our_order(&self, value: &[u8]) -> Vec<u8> {
        reordered(value, self.coefficient)
    }

    fn dst(&self, group: Group) -> Option<&[u8]> {
        self.hashes[usize::from(group == Group::G2)].then(|| dst(group))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use crate::peers::Peers;
    use bilinear_engine::{Options, Power};
    use bilinear_params::Curve;

    #[test]
    fn coefficients_of_degree_24_are_reordered() {
        let powers = [0, 3, 1, 4, 2, 5].map(|power| [power; 4]).concat();
        assert_eq!(reordered(&powers, 1), [0, 2, 4, 1, 3, 5].map(|power| [power; 4]).concat());
        assert_eq!(reordered(&powers, 2), powers);
    }

    #[test]
    fn relic_agrees_with_us() {
        let libraries = Peers::find(&mut |note| eprintln!("{note}")).relic;
        if libraries.is_empty() {
            eprintln!("skipped: no RELIC; set BILINEAR_RELIC");
        }
        let (random, mut found) = (Random::new(1), 0);
        let curves = [("bls12-381", Power::Exact), ("bn-254n", Power::Fast), ("bls24-509", Power::Exact)];
        for (name, power) in curves.into_iter().chain([("bls12-638", Power::Fast), ("bn-638", Power::Fast)]) {
            let system = System::with(&Curve::named(name).unwrap(), Options { power, ..Options::default() }).unwrap();
            let inputs = Inputs::new(&system, &mut random.clone());
            found += usize::from(curve(&libraries, &system, &inputs, 3, &[2, 3], &random).unwrap().is_some());
        }
        assert!(found > 0 || libraries.is_empty());
    }
}
