//! Runs the whole ladder on some curves.

use crate::bulk::{self, Work};
use crate::inputs::{Inputs, Random};
use crate::measurement::Measurement;
use crate::method::Method;
use crate::peers::{PeerError, Peers};
use crate::rungs;
use crate::track::{Event, Sink, Track};
use bilinear_engine::{EngineError, Options, System, SystemError, ThreadsError};
use bilinear_params::Curve;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// The number of rows beyond the largest product, so that peers have several rows to take turns over.
const SPARE_ROWS: usize = 4;

/// A part of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rungs {
    /// Product, square, reduction, inversion in F_q.
    Field,
    /// Miller loop, final exponentiation, preparing an argument.
    Parts,
    /// Validation, hash to group, multiplication of points and of a fixed point, power in the target group.
    Groups,
    /// Pairings in batches.
    Bulk,
}

impl Rungs {
    /// All parts, from the bottom up.
    pub const ALL: &[Rungs] = &[Rungs::Field, Rungs::Parts, Rungs::Groups, Rungs::Bulk];

    /// The name of the part in commands.
    pub fn name(self) -> &'static str {
        match self {
            Rungs::Field => "field",
            Rungs::Parts => "parts",
            Rungs::Groups => "groups",
            Rungs::Bulk => "bulk",
        }
    }
}

impl FromStr for Rungs {
    type Err = UnknownRungs;
    fn from_str(name: &str) -> Result<Rungs, UnknownRungs> {
        Rungs::ALL.iter().copied().find(|rungs| rungs.name() == name).ok_or_else(|| UnknownRungs(name.to_owned()))
    }
}

/// The error for a name that no part of the ladder has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no part of the ladder is called {0:?}: choose one of field, parts, groups, bulk")]
pub struct UnknownRungs(String);

/// The plan of a run: everything that is to be measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine and the pairing.
    pub options: Options,
    /// The parts of the ladder to measure.
    pub rungs: Vec<Rungs>,
    /// The batch jobs to measure.
    pub jobs: Vec<Work>,
    /// Sizes of batches of pairings.
    pub batches: Vec<NonZeroUsize>,
    /// Sizes of products.
    pub products: Vec<NonZeroUsize>,
    /// Numbers of threads.
    pub threads: Vec<NonZeroUsize>,
    /// The durations of measurements.
    pub method: Method,
    /// The seed of the random inputs.
    pub seed: u64,
    /// The maximum number of pairs of a product that is compared with peers. Each value of a peer is checked first.
    pub peer_pairs: usize,
}

/// The reason why a run ends early.
#[derive(Debug, thiserror::Error)]
pub enum LadderError {
    /// The engine does not support the curve.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The engine rejects the modulus.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The operating system cannot start the threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A peer cannot take part in the comparison.
    #[error(transparent)]
    Peer(#[from] PeerError),
}

/// Measures each curve in turn. `sink` receives every result as soon as it is known.
///
/// # Errors
/// Returns an error if a curve, the threads or a peer are not available, or if a peer's value differs from ours.
pub fn run(plan: &Plan, curves: &[Curve], peers: &Peers, sink: Sink<'_>) -> Result<Vec<Measurement>, LadderError> {
    let mut all = vec![];
    for curve in curves {
        all.extend(climb(plan, curve, peers, sink)?);
    }
    Ok(all)
}

fn climb(plan: &Plan, curve: &Curve, peers: &Peers, sink: Sink<'_>) -> Result<Vec<Measurement>, LadderError> {
    let system = System::with(curve, plan.options)?;
    // a system without the engines for many and for few values
    let single = system.on(system.engine())?;
    // every curve restarts the sequence, so that its inputs do not depend on the other curves of the list
    let mut random = Random::new(plan.seed);
    let inputs = Inputs::new(&system, &mut random);
    sink(Event::Curve(describe(&system)));
    let mut track = Track::new(curve.name(), system.engine().name(), plan.method, sink);
    let wants = |rungs| plan.rungs.contains(&rungs);
    let sizes = |list: &[NonZeroUsize]| list.iter().map(|n| n.get()).collect::<Vec<_>>();
    let (batches, products) = (sizes(&plan.batches), sizes(&plan.products));
    let known = if wants(Rungs::Groups) || wants(Rungs::Bulk) {
        let rows = plan.peer_pairs + SPARE_ROWS;
        let compared: Vec<usize> = products.iter().copied().filter(|n| *n <= rows).collect();
        let known = peers.curves(&system, &inputs, rows, &compared, &random)?;
        let others = peers.without(&known);
        if !others.is_empty() {
            track.note(format!("peers that do not have this curve: {}", others.join(", ")));
        }
        known
    } else {
        vec![]
    };
    // a machine that only executes programs has no field to measure
    if wants(Rungs::Field) && system.engine().is_field() {
        rungs::field_operations(&system, peers, &random, &mut track)?;
    }
    if wants(Rungs::Parts) {
        rungs::parts(&system, &single, &inputs, &mut track);
    }
    if wants(Rungs::Groups) {
        rungs::groups(&system, &inputs, &mut random, &known, &mut track);
    }
    if wants(Rungs::Bulk) {
        for work in &plan.jobs {
            let sizes = if work.is_product() { &products } else { &batches };
            bulk::measure((&system, &single), &inputs, *work, (sizes, &plan.threads), &known, &mut track)?;
        }
    }
    Ok(track.finish())
}

/// Returns a line that describes a curve.
fn describe(system: &System) -> String {
    let curve = system.curve();
    let names: Vec<&str> = std::iter::once(curve.name()).chain(curve.aliases().iter().map(|a| &**a)).collect();
    let (field, order) = (curve.family().field().bits(), curve.family().order().bits());
    let (pairing, power) = (system.pairing(), system.power());
    format!("{}: field of {field} bits, order of {order} bits, {pairing} pairing, {power} power", names.join(" = "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_engine::Research;
    use std::time::Duration;

    const PARTS: [&str; 3] = ["Miller loop", "final exponentiation", "preparing"];

    /// Fields and parts of the pairing are measured on every family, and fields also in the polynomial ring if the
    /// curve has one.
    #[test]
    fn fields_and_parts_of_every_family() {
        let method =
            Method { warm_up: Duration::ZERO, rounds: 1, time: Duration::ZERO, longest: Duration::from_secs(60) };
        let plan = Plan {
            options: Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() },
            rungs: vec![Rungs::Field, Rungs::Parts],
            jobs: vec![],
            batches: vec![],
            products: vec![],
            threads: vec![],
            method,
            seed: 1,
            peer_pairs: 0,
        };
        let curves = ["bn-258", "d-159", "a-512", "ss2-271"].map(|name| Curve::named(name).unwrap());
        let mut notes = vec![];
        let mut sink = |event: Event<'_>| {
            if let Event::Note(text) = event {
                notes.push(text);
            }
        };
        let measured = run(&plan, &curves, &Peers::default(), &mut sink).unwrap();
        let by = |curve: &str, peer: Option<&str>| {
            measured.iter().filter(|m| m.curve == curve && m.peer.as_deref() == peer).count()
        };
        let parts = |curve: &str| measured.iter().filter(|m| m.curve == curve && m.job == "Miller loop").count();
        assert!(curves.iter().all(|curve| parts(curve.name()) > 0));
        let fields = |curve: &str| {
            by(curve, None) - measured.iter().filter(|m| m.curve == curve && PARTS.contains(&&*m.job)).count()
        };
        assert_eq!([fields("bn-258"), by("bn-258", Some("hmm"))], [4, 4]);
        assert_eq!([fields("d-159"), by("d-159", Some("hmm"))], [4, 0]);
        assert_eq!([fields("ss2-271"), by("ss2-271", Some("hmm"))], [4, 0]);
        assert!(notes.is_empty(), "{notes:?}");
    }

    /// A line names the engine that ran. A line of another engine names the engine that it is compared with. A note
    /// says what is left out.
    #[test]
    fn batches_name_the_engine_that_ran() {
        let method =
            Method { warm_up: Duration::ZERO, rounds: 1, time: Duration::ZERO, longest: Duration::from_secs(60) };
        let counts = |list: &[usize]| list.iter().map(|n| NonZeroUsize::new(*n).unwrap()).collect::<Vec<_>>();
        let plan = Plan {
            options: Options::default(),
            rungs: vec![Rungs::Bulk],
            jobs: vec![Work::Pair, Work::Prepared, Work::Product],
            batches: counts(&[1, 4, 8]),
            products: counts(&[2]),
            threads: counts(&[1, 2]),
            method,
            seed: 1,
            peer_pairs: 0,
        };
        let curve = Curve::named("bls12-381").unwrap();
        let system = System::new(&curve).unwrap();
        let mut notes = vec![];
        let mut sink = |event: Event<'_>| {
            if let Event::Note(text) = event {
                notes.push(text);
            }
        };
        let measured = run(&plan, &[curve], &Peers::default(), &mut sink).unwrap();
        let of = |job: &str, batch: usize, threads: usize| {
            let lines = measured.iter().filter(|m| (&*m.job, m.batch, m.threads) == (job, batch, threads));
            lines.map(|m| (&*m.engine, m.peer.as_deref())).collect::<Vec<_>>()
        };
        let single = system.engine().name();
        // beside the engine of single values, if that is a different one
        let beside =
            |engine| if engine == single { vec![(single, None)] } else { vec![(engine, None), (engine, Some(single))] };
        let (few, many) = (system.engine_for_few().map_or(single, |few| few.0.name()), system.engine_for(8).name());
        for job in ["pair", "prepared"] {
            assert_eq!(of(job, 1, 1), beside(few), "{job} of one");
            assert_eq!(of(job, 4, 2), beside(few), "{job}, two for each thread");
            assert_eq!(of(job, 4, 1), beside(many), "{job} of four");
        }
        for (job, batch) in [("pair", 8), ("product", 2)] {
            assert_eq!(of(job, batch, 1), beside(many), "{job}");
            assert_eq!(of(job, batch, 2), beside(many), "{job}");
        }
        assert_eq!(
            notes,
            ["pair", "prepared"]
                .map(|job| format!("{job} of 1, 2 threads: left out, since it is the same on one thread"))
        );
    }
}
