//! Measures products, squares, reductions and inversions in F_q, beside GMP's if q is prime, and in the polynomial ring
//! if q has the right form. Operands are independent, so this is throughput.

use super::DISTINCT;
use crate::inputs::Random;
use crate::method::Contender;
use crate::peers::{GmpField, Peers};
use crate::track::Track;
use bilinear_field::hmm::Hmm;
use bilinear_field::{Lanes, plus};
use num_bigint::BigUint;
use std::hint::black_box;

/// An operation of the field.
#[derive(Clone, Copy)]
enum Operation {
    Product,
    Square,
    Reduction,
    Inversion,
}

impl Operation {
    const ALL: [Operation; 4] = [Operation::Product, Operation::Square, Operation::Reduction, Operation::Inversion];

    fn name(self) -> &'static str {
        match self {
            Operation::Product => "field product",
            Operation::Square => "field square",
            Operation::Reduction => "reduction",
            Operation::Inversion => "inversion",
        }
    }
}

/// Measures a field of q elements.
pub(super) fn measure<F: Lanes>(f: &F, q: &BigUint, peers: &Peers, random: &mut Random, track: &mut Track<'_>) {
    let values: Vec<BigUint> = (0..2 * DISTINCT * F::LANES).map(|_| random.below(q)).collect();
    let (engine, ring) = (track.engine(), Hmm::for_modulus(q).ok());
    for operation in Operation::ALL {
        let mut gmps = peers.gmp_fields(q);
        let mut contenders = vec![ours(f, &values, operation, &engine)];
        contenders.extend(ring.iter().map(|ring| ours(ring, &values[..2 * DISTINCT], operation, "hmm")));
        contenders.extend(gmps.iter_mut().map(|gmp| theirs(gmp, &values[..2 * DISTINCT], operation)));
        track.race(operation.name(), 1, 1, contenders);
    }
}

fn ours<'a, F: Lanes>(f: &'a F, values: &[BigUint], operation: Operation, engine: &str) -> Contender<'a> {
    let words: Vec<Vec<u64>> = values.iter().map(BigUint::to_u64_digits).collect();
    let load = |lanes: &[Vec<u64>]| {
        let mut out = f.zero();
        f.load(&mut out, &lanes.iter().map(|w| &w[..]).collect::<Vec<_>>());
        out
    };
    let elements: Vec<F::Elem> = words.chunks(F::LANES).map(load).collect();
    let (a, b) = (elements[..DISTINCT].to_vec(), elements[DISTINCT..].to_vec());
    let mut wide = vec![F::Wide::default(); DISTINCT];
    for ((w, a), b) in wide.iter_mut().zip(&a).zip(&b) {
        f.mul_wide(w, a, b);
    }
    let mut out = f.zero();
    let run: Box<dyn FnMut() + 'a> = match operation {
        Operation::Product => Box::new(move || {
            for (a, b) in a.iter().zip(&b) {
                f.mul(black_box(&mut out), black_box(a), black_box(b));
            }
        }),
        Operation::Square => Box::new(move || a.iter().for_each(|a| f.sqr(black_box(&mut out), black_box(a)))),
        Operation::Reduction => {
            Box::new(move || wide.iter().for_each(|w| f.reduce(black_box(&mut out), &[plus(black_box(w))])))
        }
        Operation::Inversion => Box::new(move || a.iter().for_each(|a| f.inv(black_box(&mut out), black_box(a)))),
    };
    Contender { name: engine.to_owned(), calls: DISTINCT * F::LANES, run }
}

fn theirs<'a>(gmp: &'a mut GmpField, values: &[BigUint], operation: Operation) -> Contender<'a> {
    let limbs: Vec<Vec<u64>> = values.iter().map(|x| gmp.limbs(x)).collect();
    let (a, b) = (limbs[..DISTINCT].to_vec(), limbs[DISTINCT..].to_vec());
    // low words a, high words b: below q·2^(64n), like a product
    let wide: Vec<Vec<u64>> = a.iter().zip(&b).map(|(a, b)| [&a[..], &b[..]].concat()).collect();
    let mut out = gmp.limbs(&BigUint::ZERO);
    let name = gmp.label().to_owned();
    let run: Box<dyn FnMut() + 'a> = match operation {
        Operation::Product => Box::new(move || {
            for (a, b) in a.iter().zip(&b) {
                gmp.mul(black_box(&mut out), black_box(a), black_box(b));
            }
        }),
        Operation::Square => Box::new(move || a.iter().for_each(|a| gmp.sqr(black_box(&mut out), black_box(a)))),
        Operation::Reduction => {
            Box::new(move || wide.iter().for_each(|w| gmp.reduce(black_box(&mut out), black_box(w))))
        }
        Operation::Inversion => Box::new(move || a.iter().for_each(|a| gmp.inv(black_box(&mut out), black_box(a)))),
    };
    Contender { name, calls: DISTINCT, run }
}
