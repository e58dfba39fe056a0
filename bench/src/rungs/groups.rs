//! Measures operations on the groups: validation, hashing, multiplication, powers; for one value at a time and, if an
//! engine has several lanes, in batches.

use super::{TAG, cycle};
use crate::inputs::{Inputs, Random, outside};
use crate::method::Contender;
use crate::peers::{CurvePeer, GroupJob};
use crate::track::Track;
use bilinear_engine::{Batch, FixedBase, Group, Gt, Point, PointRef, System, Validate};
use num_bigint::BigUint;
use std::hint::black_box;

/// The number of values of a batch, which single operations cycle through too: more values than peers have.
const BATCH: usize = 64;

/// A rung: an operation on one value, and on a batch of values.
struct Rung<'a> {
    name: String,
    job: GroupJob,
    one: Box<dyn FnMut() + 'a>,
    batch: Box<dyn FnMut() + 'a>,
}

pub(crate) fn groups(
    system: &System,
    inputs: &Inputs,
    random: &mut Random,
    peers: &[Box<dyn CurvePeer>],
    track: &mut Track<'_>,
) {
    let scalars: Vec<BigUint> = (0..BATCH).map(|_| random.below(system.order())).collect();
    let batch = Batch::new(system.clone()).on_this_thread();
    let sides: &[Group] = if system.is_symmetric() { &[Group::G1] } else { &Group::ALL };
    for group in sides {
        let of = |row: usize| match group {
            Group::G1 => inputs.row(row).0.clone(),
            Group::G2 => inputs.row(row).1.clone(),
        };
        let points: Vec<Point> = (0..BATCH).map(of).collect();
        for rung in on_points(system, &batch, *group, &points, &scalars) {
            race(system, rung, peers, track);
        }
    }
    let gts: Vec<Gt> = (0..BATCH).map(|row| inputs.row(row)).map(|(p, q)| system.pair(p, q)).collect();
    let terms: Vec<(Gt, Vec<u8>)> = gts.into_iter().zip(&scalars).map(|(x, e)| (x, e.to_bytes_be())).collect();
    let mut next = cycle(BATCH);
    let power = || {
        let i = next();
        drop(black_box(system.gt_pow(&terms[i].0, &scalars[i])));
    };
    let powers = || drop(black_box(batch.gt_pow_secret(&terms)));
    let rung =
        Rung { name: "GT power".to_owned(), job: GroupJob::Power, one: Box::new(power), batch: Box::new(powers) };
    race(system, rung, peers, track);
}

/// Returns the rungs of validation, hashing, multiplication, and multiplication of a fixed point in a group.
fn on_points<'a>(
    system: &'a System,
    batch: &'a Batch,
    group: Group,
    points: &'a [Point],
    scalars: &'a [BigUint],
) -> [Rung<'a>; 4] {
    let name = |job: &str| if group == Group::G1 { job.to_owned() } else { format!("{job}, g2") };

    let encoded: Vec<PointRef<'a>> = points.iter().map(outside).collect();
    let mut next = cycle(BATCH);
    let validate = move || drop(black_box(system.decode(group, outside(&points[next()]), Validate::Subgroup)));
    let validation = Rung {
        name: name("point validation"),
        job: GroupJob::Validation(group),
        one: Box::new(validate),
        batch: Box::new(move || drop(black_box(batch.decode(group, &encoded)))),
    };

    let (mut message, mut first) = (0u64, 0u64);
    let hash = move || {
        message += 1;
        drop(black_box(system.hash_to_curve(group, &message.to_le_bytes(), TAG)));
    };
    let hashes = move || {
        first += BATCH as u64;
        let messages: Vec<[u8; 8]> = (first..first + BATCH as u64).map(u64::to_le_bytes).collect();
        drop(black_box(batch.hash_to_curve(group, &messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), TAG)));
    };
    let hashing =
        Rung { name: name("hash to group"), job: GroupJob::Hash(group), one: Box::new(hash), batch: Box::new(hashes) };

    let terms: Vec<(Vec<u8>, Point)> = scalars.iter().map(BigUint::to_bytes_be).zip(points.iter().cloned()).collect();
    let mut next = cycle(BATCH);
    let multiple = move || {
        let i = next();
        drop(black_box(system.mul(&scalars[i], &points[i])));
    };
    let multiplication = Rung {
        name: name("point multiplication"),
        job: GroupJob::Multiplication(group),
        one: Box::new(multiple),
        batch: Box::new(move || drop(black_box(batch.mul_secret(group, &terms)))),
    };

    let bytes = system.order().bits().div_ceil(8) as usize;
    let ks: Vec<Vec<u8>> =
        scalars.iter().map(BigUint::to_bytes_be).map(|k| [vec![0; bytes - k.len()], k].concat()).collect();
    let base = batch.fixed_bases(group, &points[..1], bytes).remove(0);
    let (mut next, own, fixed) = (cycle(BATCH), ks.clone(), base.clone());
    let of_fixed = move || drop(black_box(batch.fixed_sums(group, &[vec![(&own[next()], &fixed)]])));
    let all_of_fixed = move || {
        let sums: Vec<Vec<(&Vec<u8>, &FixedBase)>> = ks.iter().map(|k| vec![(k, &base)]).collect();
        drop(black_box(batch.fixed_sums(group, &sums)));
    };
    let of_tables = Rung {
        name: name("fixed multiplication"),
        job: GroupJob::FixedMultiplication(group),
        one: Box::new(of_fixed),
        batch: Box::new(all_of_fixed),
    };
    [validation, hashing, multiplication, of_tables]
}

/// Returns the peers' contenders.
fn theirs(peers: &[Box<dyn CurvePeer>], job: GroupJob) -> impl Iterator<Item = Contender<'_>> {
    peers.iter().filter_map(move |peer| peer.group(job))
}

/// Notes which peers do not have the operation.
fn note_absent(rung: &Rung<'_>, peers: &[Box<dyn CurvePeer>], track: &mut Track<'_>) {
    for peer in peers.iter().filter(|peer| peer.group(rung.job).is_none()) {
        track.note(format!("{}: {} does not have it", rung.name, peer.label()));
    }
}

/// Measures one value beside the peers, then a batch beside one value and the peers.
fn race(system: &System, mut rung: Rung<'_>, peers: &[Box<dyn CurvePeer>], track: &mut Track<'_>) {
    let engine = track.engine();
    note_absent(&rung, peers, track);
    let mut contenders = vec![Contender::new(&*engine, 1, &mut rung.one)];
    contenders.extend(theirs(peers, rung.job));
    track.race(&rung.name, 1, 1, contenders);
    if system.lanes() == 1 {
        return;
    }
    let bulk = system.batch_engine().map_or(engine.clone(), |(bulk, _)| bulk.to_string());
    let mut contenders = vec![Contender::new(&*bulk, BATCH, &mut rung.batch)];
    contenders.push(Contender::new(&*engine, 1, &mut rung.one));
    contenders.extend(theirs(peers, rung.job));
    track.on(&bulk);
    track.race(&rung.name, BATCH, 1, contenders);
    track.on(&engine);
}
