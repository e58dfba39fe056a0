//! Measures the parts of a pairing: the Miller loop, the final exponentiation, and the preparation of an argument.

use super::{DISTINCT, cycle};
use crate::inputs::{Inputs, Outside};
use crate::method::Contender;
use crate::track::Track;
use bilinear_engine::{Batch, MillerValue, Side, System};
use std::hint::black_box;
use std::ops::Range;

/// The number of values of a batch.
const BATCH: usize = 64;

/// Measures the parts. A single value runs on `single`, which uses no separate engine for few values.
pub(crate) fn parts(system: &System, single: &System, inputs: &Inputs, track: &mut Track<'_>) {
    let [batch, alone] = [system, single].map(|system| Batch::new(system.clone()).on_this_thread());
    let rows = inputs.rows(BATCH);
    let singles: Vec<Range<usize>> = (0..BATCH).map(|i| i..i + 1).collect();
    let values: Vec<MillerValue> = batch.miller(&rows, &singles).into_iter().filter_map(Result::ok).collect();

    let mut next = cycle(DISTINCT);
    let one = || drop(black_box(alone.miller(&rows, &singles[next()..][..1])));
    let many = || drop(black_box(batch.miller(&rows, &singles)));
    race(system, "Miller loop", one, many, track);

    let mut next = cycle(DISTINCT);
    let one = || drop(black_box(alone.final_exponentiation(&values[next()..][..1])));
    let many = || drop(black_box(batch.final_exponentiation(&values)));
    race(system, "final exponentiation", one, many, track);

    let side = if system.prepare(Side::P, &rows[0].0).is_ok() { Side::P } else { Side::Q };
    let mut next = cycle(DISTINCT);
    let preparing = || {
        let Outside(p, q) = &rows[next()];
        drop(black_box(system.prepare(side, if side == Side::P { p } else { q })));
    };
    let engine = track.engine();
    track.race("preparing", 1, 1, vec![Contender::new(&*engine, 1, preparing)]);
}

/// Measures one value and, if an engine has several lanes, a batch of values.
fn race(system: &System, job: &str, one: impl FnMut(), many: impl FnMut(), track: &mut Track<'_>) {
    let engine = track.engine();
    track.race(job, 1, 1, vec![Contender::new(&*engine, 1, one)]);
    if system.lanes() > 1 {
        let bulk = system.batch_engine().map_or(engine.clone(), |(bulk, _)| bulk.to_string());
        track.on(&bulk);
        track.race(job, BATCH, 1, vec![Contender::new(&*bulk, BATCH, many)]);
        track.on(&engine);
    }
}
