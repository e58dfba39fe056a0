//! Known answers of PBC and PARI, computed directly by the generic code: moving points, prepared points, products,
//! and the pairing as a recorded program.

use crate::common::answers::{Answer, answers};
use crate::common::{BITS, curves, prepared_values, values};
use bilinear_field::{Engine, Field, Job, Lanes, at, dispatch};
use bilinear_pairing::bilinear_groups::{BilinearGroups, Pair};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::supersingular::{Fq2, SupersingularPairing};
use num_bigint::BigUint;

/// The check of every answer of one curve, in every way to compute it.
struct Reproduces<'a> {
    order: &'a BigUint,
    cofactor: &'a BigUint,
    answers: &'a [Answer],
}

fn value<F: Lanes>(f: &F, x: &Fq2<F>) -> [BigUint; 2] {
    [f.value(&x[0], 0), f.value(&x[1], 0)]
}

impl Job for Reproduces<'_> {
    type Output = ();
    const ENGINES: &'static [Engine] = &[Engine::Mont, Engine::Portable];
    const WORDS: &'static [usize] = &[17];
    fn run<F: Lanes + 'static>(self, f: F) {
        let system = SupersingularPairing::new(f.clone(), self.order, self.cofactor);
        let pairs: Vec<Pair<F>> = self.answers.iter().map(|a| a.pair(&f)).collect();
        // each pair alone, the first three with a prepared argument, and the first one with P and Q swapped
        let singles = values(&system, PairingKind::Tate, &pairs, &vec![1; pairs.len()]);
        let (pairs, ones) = (&pairs[..3], [1; 3]);
        let swapped = |pair: &Pair<F>| Pair { p: pair.q.clone(), q: pair.p.clone(), infinite: None };
        let swapped: Vec<_> = pairs.iter().map(swapped).collect();
        let prepared = prepared_values(&system, PairingKind::Tate, pairs, &ones);
        let symmetric = values(&system, PairingKind::Tate, &swapped[..1], &[1]);
        for (found, what) in [(&singles, "single"), (&prepared, "prepared"), (&symmetric, "symmetric")] {
            for (x, a) in found.iter().zip(self.answers) {
                assert_eq!(a.tate, value(&f, x), "{what}");
            }
        }
        assert!(singles.iter().all(|x| f.lane(system.in_gt(x), 0)), "values are in the group");
        // as one product: the product of the values
        let mut want = system.fq2().one();
        for x in &singles[..3] {
            want = at!(system.fq2(); mul(&want, x));
        }
        let all = [pairs.len()];
        assert_eq!(value(&f, &values(&system, PairingKind::Tate, pairs, &all)[0]), value(&f, &want), "product");
        assert_eq!(
            value(&f, &prepared_values(&system, PairingKind::Tate, pairs, &all)[0]),
            value(&f, &want),
            "product"
        );
        // O in the middle of a product counts as 1
        let masked = |(i, pair): (usize, &Pair<F>)| Pair { infinite: Some(f.mask(i == 1)), ..pair.clone() };
        let with_infinity: Vec<Pair<F>> = pairs.iter().enumerate().map(masked).collect();
        let product = values(&system, PairingKind::Tate, &with_infinity, &all).remove(0);
        at! {system.fq2(); back = mul(&product, &singles[1]);}
        assert_eq!(value(&f, &back), value(&f, &want), "product with an O inside");
        // an empty product is 1
        let empty = values(&system, PairingKind::Tate, &[], &[0]).remove(0);
        assert_eq!(value(&f, &empty), value(&f, &system.fq2().one()), "empty product");
    }
}

#[test]
fn every_known_answer_is_reproduced() {
    let mut seen = 0;
    for curve in curves().into_iter().filter(|curve| curve.q.bits() <= BITS) {
        let answers = answers(curve.vectors);
        assert!(answers.len() >= 5, "{}", curve.vectors);
        seen += answers.len();
        let job = || Reproduces { order: &curve.order, cofactor: &curve.cofactor, answers: &answers };
        dispatch(Engine::Mont, &curve.q, job()).unwrap();
        if curve.q.bits() < 600 {
            dispatch(Engine::Portable, &curve.q, job()).unwrap();
        }
    }
    // the engine computes those over longer fields
    assert_eq!(seen, 60, "all vectors were read");
}
