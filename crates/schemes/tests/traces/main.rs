//! Constant time in lanes: a job takes the same path through machine code for every secret (Wichelmann et al., "MicroWalk", 2018:
//! equal traces instead of marked values), around the kernels as within them. `scripts/secrets.sh` runs it as a release compiles
//! it, where the processor has the instructions.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used)]

mod step;

use bilinear_engine::params::Curve;
use bilinear_engine::{Engine, Group, System};
use std::hint::black_box;

/// The first instruction at which the paths of a job for these secrets part, or `None`. The job runs before that: what is made
/// once is made then.
fn parting<S: Copy, const N: usize>(secrets: [S; N], job: impl Fn(S)) -> Option<String> {
    job(secrets[0]);
    job(secrets[0]);
    let paths = step::paths(secrets, job);
    let [first, others @ ..] = &paths[..] else { return None };
    assert!(first.len() > 10, "a job of {} instructions", first.len());
    others.iter().find_map(|other| {
        let i = first.iter().zip(other).position(|(a, b)| a != b);
        let i = i.or_else(|| (first.len() != other.len()).then_some(first.len().min(other.len()) - 1))?;
        let before = first[i.saturating_sub(1)];
        Some(format!(
            "step {i} of {}: {:x?} or {:x?}, after {} at {:#x}",
            first.len(),
            first[i],
            other[i],
            step::decode(before.at),
            before.at
        ))
    })
}

/// Secrets whose multiples are no point at infinity.
const SECRETS: [[u8; 2]; 2] = [[0x80, 1], [0x5a, 0xf6]];

/// What takes a secret, and in which group.
#[derive(Clone, Copy, Debug)]
enum Work {
    Multiple(Group),
    Power,
}

/// One job in lanes, which is checked always: a step takes 3 to 20 µs, a job a million of them.
const ALWAYS: [(&str, Work); 2] = [("d-159", Work::Multiple(Group::G1)), ("d-159", Work::Power)];

/// The others, with BILINEAR_TRACES=all: lanes of 5, 8 and 10 limbs, extension fields, scalars that split and that do not.
const MORE: [(&str, Work); 8] = [
    ("d-159", Work::Multiple(Group::G2)),
    ("alt-bn128", Work::Multiple(Group::G1)),
    ("alt-bn128", Work::Multiple(Group::G2)),
    ("bls12-381", Work::Multiple(Group::G1)),
    ("bls12-381", Work::Multiple(Group::G2)),
    ("bls12-381", Work::Power),
    ("a-512", Work::Multiple(Group::G1)),
    ("a-512", Work::Power),
];

#[test]
#[ignore = "scripts/secrets.sh runs it"]
fn jobs_in_lanes_take_one_path() {
    let all = std::env::var_os("BILINEAR_TRACES").is_some_and(|which| which == "all");
    let more = if all { &MORE[..] } else { &[] };
    for (name, work) in ALWAYS.iter().chain(more).filter(|_| Engine::Ifma.is_available()) {
        let system = System::with_engine(&Curve::named(name).unwrap(), Engine::Ifma).unwrap();
        let [p, q] = [Group::G1, Group::G2].map(|group| system.generator(group));
        let parting = match work {
            Work::Multiple(group) => {
                let point = if *group == Group::G1 { &p } else { &q };
                parting(SECRETS, |k| drop(black_box(system.mul_secret(&k, point))))
            }
            Work::Power => {
                let x = system.pair(&p, &q);
                parting(SECRETS, |k| drop(black_box(system.gt_pow_secret(&x, &k))))
            }
        };
        assert_eq!(parting, None, "{work:?}, {name}");
    }
}

/// A branch on a bit of a secret, and a table read at a place that it tells.
#[test]
fn planted_leaks_are_seen() {
    let table: Vec<u32> = (1..=256u32).map(|i| i * i).collect();
    let branch = |k: [u8; 4]| {
        if black_box(k)[3] & 1 == 1 {
            black_box(&table);
        }
    };
    let reading = |k: [u8; 4]| {
        black_box(table[usize::from(black_box(k)[1])]);
    };
    let computing = |k: [u8; 4]| {
        black_box(u32::from_le_bytes(black_box(k)) % 7);
    };
    assert!(parting([[0; 4], [1; 4]], branch).is_some(), "a branch");
    assert!(parting([[0; 4], [1; 4]], reading).is_some(), "a table");
    assert_eq!(parting([[0; 4], [1; 4]], computing), None);
}
