//! Constant time in lanes and of rows: for every secret a job takes the same path through machine code, around the
//! kernels as well as within them. `scripts/secrets.sh` steps through the jobs, with the settings of a release, where
//! the processor has the instructions; elsewhere the jobs run without a comparison.
#![allow(clippy::unwrap_used)]

use bilinear_engine::params::Curve;
use bilinear_engine::{Batch, Engine, Group, System};
use bilinear_field::paths;
use std::hint::black_box;

/// Secrets whose multiples are not the point at infinity.
const SECRETS: [[u8; 2]; 2] = [[0x80, 1], [0x5a, 0xf6]];

/// An operation that takes a secret, with its group.
#[derive(Clone, Copy, Debug)]
enum Work {
    Multiple(Group),
    FixedSum(Group),
    Power,
}

/// Jobs that are always stepped through: each takes a million steps.
const ALWAYS: [(&str, Work); 3] =
    [("d-159", Work::Multiple(Group::G1)), ("d-159", Work::FixedSum(Group::G1)), ("d-159", Work::Power)];

/// The other jobs, with BILINEAR_PATHS=all: lanes of 5, 8 and 10 limbs, extension fields, scalars that split and
/// scalars that do not.
const MORE: [(&str, Work); 10] = [
    ("d-159", Work::Multiple(Group::G2)),
    ("alt-bn128", Work::Multiple(Group::G1)),
    ("alt-bn128", Work::Multiple(Group::G2)),
    ("bls12-381", Work::Multiple(Group::G1)),
    ("bls12-381", Work::Multiple(Group::G2)),
    ("bls12-381", Work::Power),
    ("a-512", Work::Multiple(Group::G1)),
    ("a-512", Work::FixedSum(Group::G1)),
    ("bls12-381", Work::FixedSum(Group::G2)),
    ("a-512", Work::Power),
];

/// Returns where the paths of a job diverge; `None` if they do not.
fn first_difference(job: impl Fn(&[u8])) -> Option<String> {
    if std::env::var_os("BILINEAR_MEMCHECK").is_none() {
        job(&SECRETS[0]);
        return None;
    }
    paths::first_difference(SECRETS, |k| job(&k))
}

#[test]
fn jobs_in_lanes_take_one_path() {
    let all = std::env::var_os("BILINEAR_PATHS").is_some_and(|which| which == "all");
    let more = if all { &MORE[..] } else { &[] };
    let all = ALWAYS.iter().chain(more).flat_map(|job| [Engine::Ifma, Engine::Rows].map(|engine| (engine, job)));
    for (engine, (name, work)) in all {
        let curve = Curve::named(name).unwrap();
        if !engine.suits(curve.family().field()) {
            continue;
        }
        let system = System::with_engine(&curve, engine).unwrap();
        let [p, q] = [Group::G1, Group::G2].map(|group| system.generator(group));
        let first_difference = match work {
            Work::Multiple(Group::G1) => first_difference(|k| drop(black_box(system.mul_secret(k, &p)))),
            Work::Multiple(Group::G2) => first_difference(|k| drop(black_box(system.mul_secret(k, &q)))),
            Work::FixedSum(group) => {
                let batch = Batch::new(system.clone()).on_this_thread();
                let point = if group == &Group::G1 { &p } else { &q };
                let base = batch.fixed_bases(*group, std::slice::from_ref(point), 2).remove(0);
                assert!(base.has_tables());
                first_difference(|k| drop(black_box(batch.fixed_sums(*group, &[vec![(k, &base)]]))))
            }
            Work::Power => {
                let x = system.pair(&p, &q);
                first_difference(|k| drop(black_box(system.gt_pow_secret(&x, k))))
            }
        };
        assert_eq!(first_difference, None, "{work:?}, {name}, {engine}");
    }
}
