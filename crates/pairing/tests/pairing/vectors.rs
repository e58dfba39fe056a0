//! Known answers of PBC and PARI, straight through the generic code: moving points, prepared points, products, and the
//! pairing as a recorded program.

use crate::common::{Answer, affine, answers, curves};
use bilinear_field::{Engine, Field, Job, Lanes, dispatch};
use bilinear_pairing::bilinear_groups::Pair;
use bilinear_pairing::miller;
use bilinear_pairing::supersingular::{Fq2, Moving, PreparedLines, Supersingular, final_exponentiation};
use num_bigint::BigUint;

/// Every answer of one curve, in every way to compute it.
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
    fn run<F: Lanes + 'static>(self, f: F) {
        let system = Supersingular::new(f.clone(), self.order, self.cofactor);
        let pairs: Vec<Pair<F>> =
            self.answers.iter().map(|a| Pair { p: affine(&f, &a.p), q: affine(&f, &a.q), infinite: None }).collect();
        let one = || vec![system.fq2().one(); 1];
        // in one batch, each its own product
        let mut batch = vec![system.fq2().one(); pairs.len()];
        miller(&mut Moving::new(&system, &pairs, &vec![1; pairs.len()]), system.moving_loop(), &mut batch);
        final_exponentiation(&system, &mut batch);
        for (x, a) in batch.iter().zip(self.answers) {
            assert_eq!(value(&f, x), a.e, "batch");
            assert!(f.lane(system.gt_contains(x), 0), "the value is in the group");
        }
        // alone, and the other way round
        let swapped = Pair { p: pairs[0].q.clone(), q: pairs[0].p.clone(), infinite: None };
        for pair in [&pairs[0], &swapped] {
            let mut acc = one();
            miller(&mut Moving::new(&system, std::slice::from_ref(pair), &[1]), system.moving_loop(), &mut acc);
            final_exponentiation(&system, &mut acc);
            assert_eq!(value(&f, &acc[0]), self.answers[0].e, "single, symmetric");
        }
        // as one product: the product of the values
        let mut product = one();
        miller(&mut Moving::new(&system, &pairs, &[pairs.len()]), system.moving_loop(), &mut product);
        final_exponentiation(&system, &mut product);
        let mut want = system.fq2().one();
        for x in &batch {
            let mut next = system.fq2().zero();
            system.fq2().mul(&mut next, &want, x);
            want = next;
        }
        assert_eq!(value(&f, &product[0]), value(&f, &want), "product");
        // with a prepared argument
        let prepared: Vec<_> = pairs.iter().map(|pair| system.functions(&pair.p)).collect();
        let qs: Vec<_> = pairs.iter().map(|pair| pair.q.clone()).collect();
        let powers: Vec<_> = qs.iter().map(|q| system.powers(q)).collect();
        let mut lines = PreparedLines::new(&system);
        for (i, (p, q)) in prepared.iter().zip(&powers).enumerate() {
            lines.push(p, q, None, i);
        }
        let mut fixed = vec![system.fq2().one(); pairs.len()];
        miller(&mut lines, system.prepared_loop(), &mut fixed);
        final_exponentiation(&system, &mut fixed);
        for (x, a) in fixed.iter().zip(self.answers) {
            assert_eq!(value(&f, x), a.e, "prepared");
        }
        // O in the middle of a product counts as 1
        let mut with_infinity: Vec<Pair<F>> = vec![];
        for (i, pair) in pairs.iter().enumerate() {
            let infinite = Some(f.mask(i == 1));
            with_infinity.push(Pair { p: pair.p.clone(), q: pair.q.clone(), infinite });
        }
        let mut product = one();
        miller(&mut Moving::new(&system, &with_infinity, &[pairs.len()]), system.moving_loop(), &mut product);
        final_exponentiation(&system, &mut product);
        let (mut back, mut all) = (system.fq2().zero(), system.fq2().zero());
        system.fq2().mul(&mut back, &product[0], &batch[1]);
        std::mem::swap(&mut all, &mut back);
        assert_eq!(value(&f, &all), value(&f, &want), "product with an O inside");
        // an empty product is 1
        let mut empty = one();
        miller(&mut Moving::new(&system, &[], &[0]), system.moving_loop(), &mut empty);
        final_exponentiation(&system, &mut empty);
        assert_eq!(value(&f, &empty[0]), value(&f, &system.fq2().one()), "empty product");
    }
}

#[test]
fn every_known_answer_reproduces() {
    let mut seen = 0;
    for curve in curves() {
        let answers = answers(curve.vectors);
        assert!(answers.len() >= 5, "{}", curve.vectors);
        seen += answers.len();
        let job = || Reproduces { order: &curve.order, cofactor: &curve.cofactor, answers: &answers };
        dispatch(Engine::Mont, &curve.q, job()).unwrap();
        if curve.q.bits() < 600 {
            dispatch(Engine::Portable, &curve.q, job()).unwrap();
        }
    }
    assert_eq!(seen, 115, "all vectors were read");
}
