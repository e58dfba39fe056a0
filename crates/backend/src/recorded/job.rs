//! What is recorded: every computation of a backend, as generic code between the ports of a program.

use bilinear_field::{Extension, Field};
use bilinear_pairing::Kept;
use bilinear_pairing::asymmetric::{Asymmetric, FixedPair, Pair, Pairing, Source};
use bilinear_pairing::curve::{Affine, Curve};
use bilinear_pairing::miller;
use bilinear_pairing::supersingular::{
    self, Moving, MovingAffine, Prepared, PreparedLines, Supersingular, final_exponentiation,
};
use bilinear_program::{Elem, Ports, Program, ProgramError, Recorder};
use std::sync::OnceLock;

/// A computation. A program is recorded for each that occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Job {
    /// The Miller values of a product of so many pairs.
    Miller {
        /// How many.
        pairs: usize,
        /// Whether a mask for each pair says where it has an O.
        masked: bool,
        /// Whether points move in affine coordinates, which share their inversions; a mask says where slopes were undefined.
        affine: bool,
    },
    /// The lines of a fixed argument.
    Prepare,
    /// The Miller values of a product of pairs with prepared arguments.
    MillerPrepared {
        /// How many.
        pairs: usize,
        /// As above.
        masked: bool,
    },
    /// The final exponentiation.
    Finish,
}

/// A family's pairing over the recorder.
pub(crate) trait Recordable: Send + Sync {
    /// The program of a computation.
    fn record(&self, job: Job) -> Result<Program, ProgramError>;
}

/// The pairing of an asymmetric family.
pub(crate) struct OfAsymmetric<A: Asymmetric> {
    recorder: Recorder,
    system: A,
    pairing: Pairing,
    /// How many residues a prepared argument keeps.
    kept: OnceLock<usize>,
}

impl<A: Asymmetric> OfAsymmetric<A> {
    pub(crate) fn new(recorder: Recorder, system: A, pairing: Pairing) -> Self {
        OfAsymmetric { recorder, system, pairing, kept: OnceLock::new() }
    }
}

/// A point other than O: x and y, coefficient by coefficient.
fn point<E>(ports: &mut Ports<'_>, curve: &Curve<E>) -> Affine<E>
where
    E: Extension<Prime = Recorder>,
{
    let e = curve.field();
    let x = e.compose(&mut || ports.elem());
    let y = e.compose(&mut || ports.elem());
    Affine { x, y, infinity: e.mask(false) }
}

/// All coefficients of an element go out.
fn output<E: Extension<Prime = Recorder>>(ports: &mut Ports<'_>, e: &E, x: &E::Elem) {
    e.coefficients(x, &mut |c| ports.output(c));
}

impl<A> Recordable for OfAsymmetric<A>
where
    A: Asymmetric<Prime = Recorder, Mask = bilinear_program::Mask>,
{
    fn record(&self, job: Job) -> Result<Program, ProgramError> {
        let (system, pairing) = (&self.system, self.pairing);
        self.recorder.record(|ports| match job {
            Job::Miller { pairs, masked, .. } => {
                let pair = |_| Pair {
                    p: point(ports, system.g1()),
                    q: point(ports, system.g2()),
                    infinite: masked.then(|| ports.mask()),
                };
                let list: Vec<Pair<A::Twist>> = (0..pairs).map(pair).collect();
                let f = system.miller(pairing, &list, &[pairs]);
                output(ports, system.target(), &f[0]);
            }
            Job::Prepare => {
                let prepared = system.prepare(pairing, &self.source(ports, system.prepares_g1(pairing)));
                let kept = system.kept(&prepared).residues();
                kept.iter().for_each(|x| ports.output_uniform(x));
                self.kept.get_or_init(|| kept.len());
            }
            Job::MillerPrepared { pairs, masked } => {
                let kept = self.kept.get().copied().unwrap_or_else(|| unreachable!("an argument was prepared before"));
                let lines: Vec<A::Prepared> = (0..pairs)
                    .map(|stream| {
                        let residues = (0..kept).map(|_| ports.uniform(stream)).collect();
                        system.prepared(pairing, Kept::from_residues(residues))
                    })
                    .collect();
                let list: Vec<FixedPair<'_, A>> = lines
                    .iter()
                    .map(|prepared| FixedPair {
                        prepared,
                        other: self.source(ports, !system.prepares_g1(pairing)),
                        infinite: masked.then(|| ports.mask()),
                    })
                    .collect();
                let f = system.miller_prepared(pairing, &list, &[pairs]);
                output(ports, system.target(), &f[0]);
            }
            Job::Finish => {
                let mut f = [system.target().compose(&mut || ports.elem())];
                system.final_exponentiation(&mut f);
                output(ports, system.target(), &f[0]);
            }
        })
    }
}

impl<A> OfAsymmetric<A>
where
    A: Asymmetric<Prime = Recorder, Mask = bilinear_program::Mask>,
{
    /// A point of one of the groups.
    fn source(&self, ports: &mut Ports<'_>, of_g1: bool) -> Source<A> {
        if of_g1 { Source::G1(point(ports, self.system.g1())) } else { Source::G2(point(ports, self.system.g2())) }
    }
}

/// The pairing of types A and A1.
pub(crate) struct OfSupersingular {
    recorder: Recorder,
    system: Supersingular<Recorder>,
    /// The shapes of a prepared argument's functions.
    prepared: OnceLock<Prepared<Recorder>>,
}

impl OfSupersingular {
    pub(crate) fn new(recorder: Recorder, system: Supersingular<Recorder>) -> Self {
        OfSupersingular { recorder, system, prepared: OnceLock::new() }
    }
}

impl Recordable for OfSupersingular {
    fn record(&self, job: Job) -> Result<Program, ProgramError> {
        let system = &self.system;
        let (fq2, curve) = (system.fq2(), system.curve());
        self.recorder.record(|ports| match job {
            Job::Miller { pairs, masked, affine } => {
                let pair = |_| supersingular::Pair {
                    p: point(ports, curve),
                    q: point(ports, curve),
                    infinite: masked.then(|| ports.mask()),
                };
                let list: Vec<supersingular::Pair<Recorder>> = (0..pairs).map(pair).collect();
                let mut f = [fq2.one()];
                if affine {
                    let mut lines = MovingAffine::new(system, &list, &[pairs]);
                    miller(&mut lines, system.moving_loop(), &mut f);
                    ports.output_mask(lines.undefined());
                } else {
                    miller(&mut Moving::new(system, &list, &[pairs]), system.moving_loop(), &mut f);
                }
                output(ports, fq2, &f[0]);
            }
            Job::Prepare => {
                let prepared = system.prepare(&point(ports, curve));
                prepared.kept().residues().iter().for_each(|x| ports.output_uniform(x));
                self.prepared.get_or_init(|| prepared);
            }
            Job::MillerPrepared { pairs, masked } => {
                let shape = self.prepared.get().unwrap_or_else(|| unreachable!("an argument was prepared before"));
                let kept = shape.kept().residues().len();
                let functions: Vec<Prepared<Recorder>> = (0..pairs)
                    .map(|stream| {
                        let residues: Vec<Elem> = (0..kept).map(|_| ports.uniform(stream)).collect();
                        shape.with_kept(Kept::from_residues(residues))
                    })
                    .collect();
                let others: Vec<_> = functions
                    .iter()
                    .map(|_| (system.powers(&point(ports, curve)), masked.then(|| ports.mask())))
                    .collect();
                let mut lines = PreparedLines::new(system);
                for (functions, (powers, infinite)) in functions.iter().zip(&others) {
                    lines.push(functions, powers, *infinite, 0);
                }
                let mut f = [fq2.one()];
                miller(&mut lines, system.prepared_loop(), &mut f);
                output(ports, fq2, &f[0]);
            }
            Job::Finish => {
                let mut f = [fq2.compose(&mut || ports.elem())];
                final_exponentiation(system, &mut f);
                output(ports, fq2, &f[0]);
            }
        })
    }
}
