//! Costs of the operations in the groups of order r: products and squares together (M), reductions (R) and inversions
//! (I), all in F_p. Everything is counted.

use crate::common::sextic::{parameters, tower};
use bilinear_field::Field;
use bilinear_field::count::Count;
use bilinear_pairing::bilinear_groups::BilinearGroups;
use bilinear_pairing::curve::{Affine, CoefficientA, Curve};
use bilinear_pairing::sextic::system;
use num_bigint::BigUint;

/// The fractional part of π, 64 bits for each word. Scalars are its first bits.
const PI: &[u8] =
    b"243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90c6cc0ac29b7c97c50dd";

/// Returns a scalar below r that is one bit shorter than r.
fn scalar(r: &BigUint) -> BigUint {
    let pi = BigUint::parse_bytes(PI, 16).unwrap() << 2u32;
    let excess = pi.bits() - (r.bits() - 1);
    pi >> excess
}

/// The M, R and I of each operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Costs {
    /// The secret multiples kP in G1 and G2, and the secret power x^k in GT.
    secret: [[u64; 3]; 3],
    /// The membership tests for G1, G2 and GT.
    membership: [[u64; 3]; 3],
    /// Cofactor clearing: a multiple in the group of a point of the curve of G1, and of a point of that of G2.
    clearing: [[u64; 3]; 2],
}

/// Counts the M, R and I of some work.
fn of<T>(count: &Count, work: impl FnOnce() -> T) -> [u64; 3] {
    let t = count.of(work);
    [t.mul + t.sqr, t.reduction, t.inversion]
}

fn costs(name: &str) -> Costs {
    let n = parameters(name);
    let count = Count::new(&n.p);
    let system = system(&tower(name), &n, count.clone());
    let k = scalar(&n.r);
    let bytes = k.to_bytes_be();
    let p = Affine { x: (), y: (), infinity: () };
    let q = Affine { x: system.e().zero(), y: system.e().zero(), infinity: () };
    let x = system.target().one();
    Costs {
        secret: [
            of(&count, || system.mul_g1_secret(&[&bytes], &p)),
            of(&count, || system.mul_g2_secret(&[&bytes], &q)),
            of(&count, || system.gt_pow_secret(&x, &[&bytes])),
        ],
        membership: [of(&count, || system.in_g1(&p)), of(&count, || system.in_g2(&q)), of(&count, || system.in_gt(&x))],
        clearing: [of(&count, || system.clear_cofactor_g1(&p)), of(&count, || system.clear_cofactor_g2(&q))],
    }
}

#[test]
fn bls12_381() {
    let want = Costs {
        secret: [[1695, 1500, 0], [3402, 2328, 0], [5198, 1812, 0]],
        membership: [[1046, 908, 0], [1265, 890, 0], [1277, 698, 1]],
        clearing: [[520, 450, 0], [2774, 1950, 0]],
    };
    assert_eq!(costs("bls12-381"), want);
}

#[test]
fn the_other_families() {
    let c = costs("alt-bn128");
    assert_eq!(c.secret, [[1695, 1500, 0], [3598, 2464, 0], [5486, 1908, 0]]);
    assert_eq!(c.membership, [[0, 0, 0], [1874, 1316, 1], [2292, 1058, 0]]);
    let c = costs("kss18-508");
    assert_eq!(c.secret, [[2390, 2114, 0], [10509, 5613, 0], [15993, 5106, 0]]);
    assert_eq!(c.membership, [[2252, 1996, 1], [2895, 1382, 0], [2943, 1066, 1]]);
    let c = costs("bls24-509");
    assert_eq!(c.secret, [[2561, 2264, 0], [15686, 7858, 0], [24514, 6088, 0]]);
    assert_eq!(c.membership, [[1622, 1406, 0], [2946, 1384, 0], [2800, 1068, 1]]);
}

/// Compares with the cost of a scalar that is not split.
#[test]
fn splitting_pays() {
    let n = parameters("bls12-381");
    let count = Count::new(&n.p);
    let curve = Curve::new(count.clone(), CoefficientA::Zero, ());
    let (k, p) = (scalar(&n.r), Affine { x: (), y: (), infinity: () });
    let plain = of(&count, || curve.mul_secret(&[&k.to_bytes_be()], &p));
    let [split, ..] = costs("bls12-381").secret;
    assert!(3 * split[0] < 2 * plain[0], "{plain:?}, {split:?}");
}
