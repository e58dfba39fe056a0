//! What every asymmetric family has.

use crate::operations::Phase;
use bilinear_field::count::Count;
use bilinear_field::{Field, at};
use bilinear_pairing::asymmetric::{Asymmetric, FixedPair, Pair, Pairing, Source};
use bilinear_pairing::curve::Affine;

/// The phases of a pairing and of its groups.
pub(crate) fn phases<A: Asymmetric<Prime = Count>>(system: &A, count: &Count, pairing: Pairing) -> Vec<Phase> {
    let target = system.target();
    let phase = |name, work: &mut dyn FnMut()| Phase { name, cost: count.of(work) };
    let (mut x, mut f) = (target.one(), [target.one()]);
    let loop_of = |pairs: usize| {
        let pairs: Vec<_> = (0..pairs).map(|_| pair(system)).collect();
        system.miller(pairing, &pairs, &[pairs.len()]);
    };
    let miller = phase("Miller loop", &mut || loop_of(1));
    let two = phase("", &mut || loop_of(2));
    let exponentiation = phase("final exponentiation", &mut || system.final_exponentiation(&mut f));
    let mut prepared = None;
    let preparing = phase("preparing an argument", &mut || {
        prepared = Some(system.prepare(pairing, &source(system, pairing, false)));
    });
    let evaluating = phase("Miller loop, prepared argument", &mut || {
        let other = || source(system, pairing, true);
        let pairs = prepared.iter().map(|prepared| FixedPair { prepared, other: other(), infinite: None });
        system.miller_prepared(pairing, &pairs.collect::<Vec<_>>(), &[1]);
    });
    let pair = pair(system);
    let cost = miller.cost + exponentiation.cost;
    vec![
        phase("F_p^k product", &mut || target.mul(&mut x, &target.one(), &target.one())),
        phase("F_p^k square", &mut || target.sqr(&mut x, &target.one())),
        phase("GT square", &mut || {
            system.gt_square(&target.one());
        }),
        miller,
        exponentiation,
        Phase { name: "each further pair of a product", cost: two.cost - miller.cost },
        preparing,
        evaluating,
        phase("validating a point of G1", &mut || {
            system.g1().contains(&pair.p);
            system.in_g1(&pair.p);
        }),
        phase("validating a point of G2", &mut || {
            system.g2().contains(&pair.q);
            system.in_g2(&pair.q);
        }),
        Phase { name: "total", cost },
    ]
}

/// Everything that an engine computes with such a system, once.
pub(crate) fn exercise<A: Asymmetric>(system: &A) {
    for pairing in system.pairings() {
        // several pairs of one product, so that accumulators meet lines without a squaring between
        let pairs = [0; 3].map(|_| pair(system));
        let mut f = system.miller(*pairing, &pairs, &[3]);
        let fixed = system.prepare(*pairing, &source(system, *pairing, false));
        let other = || source(system, *pairing, true);
        let fixed = [0; 3].map(|_| FixedPair { prepared: &fixed, other: other(), infinite: None });
        f.extend(system.miller_prepared(*pairing, &fixed, &[3]));
        system.final_exponentiation(&mut f);
        system.in_gt(&f[0]);
        system.gt_pow_secret(&f[0], &[&[0x5a; 4]]);
        system.gt_pow(&f[0], &0x5a5au32.into());
        system.gt_inv(&f[0]);
    }
    let pair = pair(system);
    system.in_g1(&pair.p);
    system.in_g2(&pair.q);
    system.g1().mul_secret(&[&[0x5a; 4]], &pair.p);
    system.g2().mul_secret(&[&[0x5a; 4]], &pair.q);
    system.mul_g1_secret(&[&[0x5a; 4]], &pair.p);
    system.mul_g2_secret(&[&[0x5a; 4]], &pair.q);
    // interleaved windows, and buckets
    for n in [2, 24] {
        let k = |i: u32| system.order() / (i + 2);
        system.sum_g1(&(0..n).map(|i| (k(i), pair.p.clone())).collect::<Vec<_>>());
        system.sum_g2(&(0..n).map(|i| (k(i), pair.q.clone())).collect::<Vec<_>>());
    }
    system.clear_g1(&pair.p);
    system.clear_g2(&pair.q);
    system.g1().mul(system.g1_cofactor(), &pair.p);
    system.g2().mul(system.g2_cofactor(), &pair.q);
    let f = system.g1().field();
    at! {f; inverse = inv(&f.one());}
    f.inv_many(&mut [inverse, f.one()]);
}

/// A pair of points that stand for any.
fn pair<A: Asymmetric>(system: &A) -> Pair<A::Twist> {
    let (f, e) = (system.g1().field(), system.g2().field());
    Pair {
        p: Affine { x: f.one(), y: f.one(), infinity: f.mask(false) },
        q: Affine { x: e.one(), y: e.one(), infinity: e.mask(false) },
        infinite: None,
    }
}

/// The argument of a pairing whose lines can be prepared, or the other one.
fn source<A: Asymmetric>(system: &A, pairing: Pairing, other: bool) -> Source<A> {
    let pair = pair(system);
    if system.prepares_g1(pairing) != other { Source::G1(pair.p) } else { Source::G2(pair.q) }
}
