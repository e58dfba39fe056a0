//! Steps of the Miller loop, the loop, the final exponentiation, and the preparation of an argument, on types A and A1.

use super::{DISTINCT, cycle};
use crate::inputs::Inputs;
use crate::method::Contender;
use crate::track::Track;
use bilinear_engine::Point;
use bilinear_field::{Field, Lanes};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::miller;
use bilinear_pairing::supersingular::{Fq2, Moving, Pair, Running, Supersingular};
use bilinear_pairing::supersingular::{add_step, double_step, final_exponentiation};
use num_bigint::BigUint;
use std::hint::black_box;

pub(super) fn measure<F: Lanes>(system: &Supersingular<F>, inputs: &Inputs, track: &mut Track<'_>) {
    let (f, engine) = (system.fq(), track.engine());
    let pairs = pairs(f, inputs);

    let mut line = system.fq2().zero();
    let mut running = starts(f, &pairs);
    let doubling = || {
        for (t, pair) in running.iter_mut().zip(&pairs) {
            double_step(f, t, black_box(&mut line), [&pair.q.x, &pair.q.y]);
        }
    };
    track.race("doubling step", 1, 1, vec![Contender::new(&*engine, DISTINCT * F::LANES, doubling)]);

    let mut running = starts(f, &pairs);
    let addition = || {
        // the added point is another row's: a running point never meets it again
        for ((t, pair), other) in running.iter_mut().zip(&pairs).zip(pairs.iter().cycle().skip(1)) {
            add_step(f, t, black_box(&mut line), [&other.p.x, &other.p.y], [&pair.q.x, &pair.q.y]);
        }
    };
    track.race("addition step", 1, 1, vec![Contender::new(&*engine, DISTINCT * F::LANES, addition)]);

    let one = [system.fq2().one()];
    let mut values: Vec<[Fq2<F>; 1]> = vec![one.clone(); DISTINCT];
    let run = |i: usize, acc: &mut [Fq2<F>; 1]| {
        miller(&mut Moving::new(system, &pairs[i..i + 1], &[1]), system.moving_loop(), acc);
    };
    values.iter_mut().enumerate().for_each(|(i, acc)| run(i, acc));
    let (mut acc, mut next) = (one.clone(), cycle(DISTINCT));
    let one_loop = || run(next(), black_box(&mut acc));
    track.race("Miller loop", 1, 1, vec![Contender::new(&*engine, F::LANES, one_loop)]);

    let (mut acc, mut next) = (one, cycle(DISTINCT));
    let exponentiation = || {
        acc.clone_from(&values[next()]);
        final_exponentiation(system, black_box(&mut acc));
    };
    track.race("final exponentiation", 1, 1, vec![Contender::new(&*engine, F::LANES, exponentiation)]);

    let mut next = cycle(DISTINCT);
    let preparing = || drop(black_box(system.prepare(&pairs[next()].p)));
    track.race("preparing", 1, 1, vec![Contender::new(&*engine, F::LANES, preparing)]);
}

/// The running points T = P.
fn starts<F: Lanes>(f: &F, pairs: &[Pair<F>]) -> Vec<Running<F::Elem>> {
    pairs.iter().map(|pair| Running { x: pair.p.x.clone(), y: pair.p.y.clone(), z: f.one() }).collect()
}

/// The first rows, one a lane.
fn pairs<F: Lanes>(f: &F, inputs: &Inputs) -> Vec<Pair<F>> {
    let rows = inputs.rows(DISTINCT * F::LANES);
    let pair = |lanes: &[(Point, Point)]| Pair {
        p: affine(f, lanes.iter().map(|(p, _)| p)),
        q: affine(f, lanes.iter().map(|(_, q)| q)),
        infinite: None,
    };
    rows.chunks(F::LANES).map(pair).collect()
}

fn affine<'a, F: Lanes>(f: &F, points: impl Iterator<Item = &'a Point>) -> Affine<F> {
    let halves: Vec<(&[u8], &[u8])> = points.filter_map(Point::bytes).map(|xy| xy.split_at(xy.len() / 2)).collect();
    let load = |halves: Vec<&[u8]>| {
        let words: Vec<Vec<u64>> =
            halves.into_iter().map(|half| BigUint::from_bytes_be(half).to_u64_digits()).collect();
        let mut out = f.zero();
        f.load(&mut out, &words.iter().map(|w| &w[..]).collect::<Vec<_>>());
        out
    };
    let (x, y) = (halves.iter().map(|h| h.0).collect(), halves.iter().map(|h| h.1).collect());
    Affine { x: load(x), y: load(y), infinity: f.mask(false) }
}
