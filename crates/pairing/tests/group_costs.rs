//! Costs of the operations in the groups of BLS12-381: products and squares together, reductions, inversions, all in F_p.
#![allow(clippy::unwrap_used)]

mod common;

use bilinear_field::Field;
use bilinear_field::count::{Count, Tally};
use bilinear_pairing::asymmetric::Asymmetric;
use bilinear_pairing::curve::Affine;
use bilinear_pairing::sextic::{Gaussian, system};
use common::sextic::parameters;
use num_bigint::BigUint;

/// The first 255 bits of π's fraction, below r.
const SCALAR: &[u8] = b"1243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c8";

#[test]
fn groups() {
    let n = parameters("bls12-381");
    let count = Count::new(&n.p);
    let system = system(&Gaussian(1), &n, count.clone());
    let k = BigUint::parse_bytes(SCALAR, 16).unwrap();
    assert!(k < n.r);
    let bytes = k.to_bytes_be();
    let p = Affine { x: (), y: (), infinity: () };
    let q = Affine { x: system.e().zero(), y: system.e().zero(), infinity: () };
    let x = system.target().one();
    let show = |name: &str, t: Tally| eprintln!("{name}: {} {} {}", t.mul + t.sqr, t.reduction, t.inversion);
    show("g1", count.of(|| system.sum_g1(&[(k.clone(), p.clone())])));
    show("g2", count.of(|| system.sum_g2(&[(k.clone(), q.clone())])));
    show("gt", count.of(|| system.gt_pow(&x, &k)));
    show("s1", count.of(|| system.mul_g1_secret(&bytes, &p)));
    show("s2", count.of(|| system.mul_g2_secret(&bytes, &q)));
    show("st", count.of(|| system.gt_pow_secret(&x, &bytes)));
    show("v1", count.of(|| system.in_g1(&p)));
    show("v2", count.of(|| system.in_g2(&q)));
    show("vt", count.of(|| system.in_gt(&x)));
    show("c1", count.of(|| system.clear_g1(&p)));
    show("c2", count.of(|| system.clear_g2(&q)));
    let mut x = k.clone();
    let ks: Vec<BigUint> = (0..128)
        .map(|_| {
            x = (&x * &x + 1u32) % &n.r;
            x.clone()
        })
        .collect();
    let tp: Vec<_> = ks.iter().map(|k| (k.clone(), p.clone())).collect();
    let tq: Vec<_> = ks.iter().map(|k| (k.clone(), q.clone())).collect();
    for i in [2, 4, 8, 16, 32, 64, 128] {
        show(&format!("msm1 {i}"), count.of(|| system.sum_g1(&tp[..i])));
        show(&format!("msm2 {i}"), count.of(|| system.sum_g2(&tq[..i])));
    }
    show("a1", count.of(|| system.g1().add(&system.g1().lift(&p), &p)));
}
