//! Operations on the groups: validation, hashing, multiplication, powers.

use super::{DISTINCT, cycle};
use crate::inputs::{Inputs, Random};
use crate::method::Contender;
use crate::peers::{CurvePeer, GroupJob};
use crate::track::Track;
use bilinear_engine::{Group, Gt, System, Validate};
use num_bigint::BigUint;
use std::hint::black_box;

/// The tag under which messages are hashed here.
const TAG: &[u8] = b"BILINEAR-BENCH-V01";

pub(crate) fn groups(
    system: &System,
    inputs: &Inputs,
    random: &mut Random,
    peers: &[Box<dyn CurvePeer>],
    track: &mut Track<'_>,
) {
    let theirs = |job| peers.iter().filter_map(move |peer| peer.group(job));
    let engine = track.engine();
    let rows = inputs.rows(DISTINCT);
    let scalars: Vec<BigUint> = (0..DISTINCT).map(|_| random.below(system.order())).collect();
    let gts: Vec<Gt> = rows.iter().map(|(p, q)| system.pair(p, q)).collect();

    let mut next = cycle(DISTINCT);
    let validate = || drop(black_box(system.decode(Group::G1, rows[next()].0.as_ref(), Validate::Subgroup)));
    let mut contenders = vec![Contender::new(&*engine, 1, validate)];
    contenders.extend(theirs(GroupJob::Validation));
    track.race("point validation", 1, 1, contenders);

    let mut message = 0u64;
    let hash = || {
        message += 1;
        drop(black_box(system.hash_to_point(Group::G1, &message.to_le_bytes(), TAG)));
    };
    let mut contenders = vec![Contender::new(&*engine, 1, hash)];
    contenders.extend(theirs(GroupJob::Hash));
    track.race("hash to group", 1, 1, contenders);

    let mut next = cycle(DISTINCT);
    let multiple = || {
        let i = next();
        drop(black_box(system.mul(&scalars[i], &rows[i].0)));
    };
    let mut contenders = vec![Contender::new(&*engine, 1, multiple)];
    contenders.extend(theirs(GroupJob::Multiplication));
    track.race("point multiplication", 1, 1, contenders);

    let mut next = cycle(DISTINCT);
    let power = || {
        let i = next();
        drop(black_box(system.gt_pow(&gts[i], &scalars[i])));
    };
    let mut contenders = vec![Contender::new(&*engine, 1, power)];
    contenders.extend(theirs(GroupJob::Power));
    track.race("GT power", 1, 1, contenders);
}
