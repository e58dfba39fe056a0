//! Types A and A1.

use crate::operations::Phase;
use bilinear_field::bounds::Bounds;
use bilinear_field::count::{Count, Tally};
use bilinear_field::{Field, Prime, at};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::miller;
use bilinear_pairing::supersingular::{
    Membership, Moving, MovingAffine, Pair, PreparedLines, Running, Supersingular, add_step, double_step,
    final_exponentiation,
};

/// The operation table.
pub(crate) fn operations(s: &bilinear_params::Supersingular) -> Vec<Phase> {
    let count = Count::new(s.q());
    let system = Supersingular::new(count.clone(), s.order(), s.cofactor());
    let phase = |name, work: &mut dyn FnMut()| Phase { name, cost: count.of(work) };
    let fq2 = system.fq2();
    let (mut t, mut line, mut f, mut g) = (Running { x: (), y: (), z: () }, fq2.zero(), fq2.one(), fq2.one());
    let moving = phase("Miller loop", &mut || pairing(&system, 1));
    let two = phase("", &mut || pairing(&system, 2));
    let prepared = prepared_pairing(&system, &count);
    let exponentiation =
        phase("final exponentiation", &mut || final_exponentiation(&system, std::slice::from_mut(&mut f)));
    let many = count.of(|| affine(&system, 2)) - count.of(|| affine(&system, 1));
    let cost = moving.cost + exponentiation.cost;
    vec![
        phase("doubling step with its line", &mut || double_step(&count, &mut t, &mut line, [&(), &()])),
        phase("addition step with its line", &mut || add_step(&count, &mut t, &mut line, [&(), &()], [&(), &()])),
        phase("F_q² product", &mut || fq2.mul(&mut g, &fq2.one(), &fq2.one())),
        phase("F_q² square", &mut || fq2.sqr(&mut g, &fq2.one())),
        moving,
        exponentiation,
        Phase { name: "each further pair of a product", cost: two.cost - moving.cost },
        Phase { name: "the same, of many pairs", cost: many },
        Phase { name: "preparing an argument", cost: prepared.0 },
        Phase { name: "Miller loop, prepared argument", cost: prepared.1 },
        phase("validating a point", &mut || validation(&system)),
        Phase { name: "total", cost },
    ]
}

/// Everything that an engine computes on such a curve, once, over intervals.
pub(crate) fn exercise(s: &bilinear_params::Supersingular, bounds: &Bounds) {
    let system = Supersingular::new(bounds.clone(), s.order(), s.cofactor());
    let x = bounds.one();
    let point = Affine { x, y: x, infinity: () };
    pairing(&system, 3);
    affine(&system, 3);
    let mut f = [system.fq2().one()];
    final_exponentiation(&system, &mut f);
    let prepared = system.prepare(&point);
    let q = system.powers(&point);
    let mut lines = PreparedLines::new(&system);
    // several pairs of one product, so that accumulators meet lines without a squaring between
    (0..3).for_each(|_| lines.push(&prepared, &q, None, 0));
    miller(&mut lines, system.prepared_loop(), &mut f);
    system.killed_by(s.order(), &point);
    system.passes(&Membership::shape(s.cofactor(), x), &point);
    system.clear_cofactor(&point);
    system.curve().mul_secret(&[&[0x5a; 4]], &point);
    for n in [2, 40] {
        let terms = (0..n).map(|i: u32| (s.order() / (i + 2), point.clone()));
        system.curve().sum(&terms.collect::<Vec<_>>());
    }
    system.gt_pow_secret(&f[0], &[&[0x5a; 4]]);
    system.gt_contains(&f[0]);
    system.point_from_x(&x);
    at! {bounds; inverse = inv(&x);}
    bounds.inv_many(&mut [inverse, x]);
}

/// A product of `pairs` pairs.
fn pairs<F: Prime>(f: &F, pairs: usize) -> Vec<Pair<F>> {
    let point = || Affine { x: f.one(), y: f.one(), infinity: f.mask(false) };
    (0..pairs).map(|_| Pair { p: point(), q: point(), infinite: None }).collect()
}

/// A Miller loop over a product of few pairs.
fn pairing<F: Prime>(system: &Supersingular<F>, few: usize) {
    let pairs = pairs(system.fq(), few);
    let mut acc = [system.fq2().one()];
    miller(&mut Moving::new(system, &pairs, &[few]), system.moving_loop(), &mut acc);
}

/// A Miller loop over a product of pairs as if they were many.
fn affine<F: Prime>(system: &Supersingular<F>, many: usize) {
    let pairs = pairs(system.fq(), many);
    let mut acc = [system.fq2().one()];
    miller(&mut MovingAffine::new(system, &pairs, &[many]), system.moving_loop(), &mut acc);
}

/// The curve equation and the subgroup of one point.
fn validation(system: &Supersingular<Count>) {
    let point = Affine { x: (), y: (), infinity: () };
    system.curve().contains(&point);
    if Membership::<()>::suits(system.cofactor()) {
        system.passes(&Membership::shape(system.cofactor(), ()), &point);
    } else {
        system.killed_by(system.order(), &point);
    }
}

/// The cost of preparing, and of the loop over prepared lines.
fn prepared_pairing(system: &Supersingular<Count>, count: &Count) -> (Tally, Tally) {
    let point = Affine { x: (), y: (), infinity: () };
    let mut prepared = None;
    let preparing = count.of(|| prepared = Some(system.prepare(&point)));
    let evaluating = count.of(|| {
        let q = system.powers(&point);
        let mut lines = PreparedLines::new(system);
        if let Some(prepared) = &prepared {
            lines.push(prepared, &q, None, 0);
        }
        miller(&mut lines, system.prepared_loop(), &mut [system.fq2().one()]);
    });
    (preparing, evaluating)
}
