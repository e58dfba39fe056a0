//! Curves and known answers for the tests.
#![allow(unreachable_pub)]

pub mod answers;
pub mod quadratic_twist;
pub mod sextic;

use bilinear_field::Lanes;
use bilinear_field::mont::Mont;
use bilinear_pairing::bilinear_groups::{BilinearGroups, FixedPair, Pair, SourcePoint, TargetOf};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::odd::OddMap;
use bilinear_pairing::supersingular::SupersingularPairing;
use bilinear_params::{Curve, Family};
use num_bigint::BigUint;
use std::path::PathBuf;

/// Words for all fields of up to 1088 bits. The code under test does not depend on the size, and every further size
/// would be compiled.
pub type Words = Mont<17>;
/// The largest size of these fields, in bits. Formulas over longer fields are the same.
pub const BITS: u64 = 64 * 17;

pub struct TestCurve {
    pub name: &'static str,
    pub vectors: &'static str,
    pub q: BigUint,
    pub order: BigUint,
    pub cofactor: BigUint,
    pub factors: Option<Vec<BigUint>>,
}

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Returns the curves with known answers: shipped ones by name, PBC's by their parameter file.
pub fn curves() -> Vec<TestCurve> {
    [
        ("a-512", "pbc/a512.jsonl"),
        ("pbc/a1-1024.param", "pbc/a1-1024.jsonl"),
        ("pbc/a1-2048.param", "pbc/a1-2048.jsonl"),
        ("pbc/a1-3p-1536.param", "pbc/a1-3p-1536.jsonl"),
        ("a1-2x512-friendly", "pbc/a1-2x512-friendly.jsonl"),
        ("a1-2x1024-friendly", "pbc/a1-2x1024-friendly.jsonl"),
        ("a-512", "oracle/A_512.jsonl"),
        ("a-1024", "oracle/A_1024.jsonl"),
        ("a-1536", "oracle/A_1536.jsonl"),
        ("ss1536", "oracle/SS1536_RELIC.jsonl"),
        ("a1-pbc", "oracle/A1_PBC.jsonl"),
        ("a1-2x512", "oracle/A1_2x512.jsonl"),
        ("a1-2x1024", "oracle/A1_2x1024.jsonl"),
        ("a1-3x342", "oracle/A1_3x342.jsonl"),
        ("a1-3x512", "oracle/A1_3x512.jsonl"),
        ("a1-4x256", "oracle/A1_4x256.jsonl"),
        ("a1-4x512", "oracle/A1_4x512.jsonl"),
    ]
    .into_iter()
    .map(|(name, vectors)| curve(name, vectors))
    .collect()
}

pub fn curve(name: &'static str, vectors: &'static str) -> TestCurve {
    let curve = if name.ends_with(".param") { Curve::load(folder().join(name)) } else { Curve::named(name) }.unwrap();
    let Family::Supersingular(s) = curve.family() else { panic!("{name} is not supersingular") };
    TestCurve {
        name,
        vectors,
        q: s.q().clone(),
        order: s.order().clone(),
        cofactor: s.cofactor().clone(),
        factors: s.factors().map(<[BigUint]>::to_vec),
    }
}

/// Computes products of e(P, Q) over pairs. The products are consecutive runs of pairs of these sizes.
pub fn values<A: BilinearGroups>(
    over: &A,
    pairing: PairingKind,
    pairs: &[Pair<A::Twist>],
    sizes: &[usize],
) -> Vec<TargetOf<A>> {
    products(pairs, sizes).map(|pairs| over.reduced(pairing, &over.miller(pairing, pairs))).collect()
}

/// Computes the same products as [`values`], with the argument prepared that the pairing can prepare.
pub fn prepared_values<A: BilinearGroups>(
    over: &A,
    pairing: PairingKind,
    pairs: &[Pair<A::Twist>],
    sizes: &[usize],
) -> Vec<TargetOf<A>> {
    let sources = |pair: &Pair<A::Twist>| -> [SourcePoint<A>; 2] {
        let (p, q) = (SourcePoint::G1(pair.p.clone()), SourcePoint::G2(pair.q.clone()));
        if over.prepares_g1(pairing) { [p, q] } else { [q, p] }
    };
    let value = |pairs: &[Pair<A::Twist>]| {
        let lines: Vec<_> = pairs.iter().map(|pair| over.prepare(pairing, &sources(pair)[0])).collect();
        let fixed = lines.iter().zip(pairs).map(|(lines, pair)| {
            let [_, other] = sources(pair);
            FixedPair { lines, other, infinite: pair.infinite }
        });
        over.reduced(pairing, &over.miller_prepared(pairing, &fixed.collect::<Vec<_>>()))
    };
    products(pairs, sizes).map(value).collect()
}

/// Splits the pairs into consecutive runs of these sizes.
pub fn products<'a, T>(mut pairs: &'a [T], sizes: &'a [usize]) -> impl Iterator<Item = &'a [T]> {
    sizes.iter().map(move |size| {
        let (product, rest) = pairs.split_at(*size);
        pairs = rest;
        product
    })
}

/// Maps u to a point of the curve of types A and A1, as hashing does.
pub fn mapped<F: Lanes>(system: &SupersingularPairing<F>, u: &F::Elem) -> Affine<F> {
    let f = system.fq();
    OddMap::new(f, &f.constant(&(f.modulus() - 1u32))).point(system.curve(), u)
}

pub fn affine<F: Lanes>(f: &F, [x, y]: &[BigUint; 2]) -> Affine<F> {
    Affine { x: f.constant(x), y: f.constant(y), infinity: f.mask(false) }
}
