//! A family over the recorder: what each job records.

use super::job::{Job, PointJob, Recordable};
use super::ports::{input_point, keep, output};
use super::source_group::{GroupSetup, SourceGroup};
use crate::backend::group::Group;
use crate::backend::validate::Validate;
use bilinear_field::{CollectVec, Extension, Field, at};
use bilinear_pairing::bilinear_groups::{BilinearGroups, FixedPair, Pair, SourcePoint, TargetOf, whole};
use bilinear_pairing::booth::digit_bits;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::to_curve::MapMethod;
use bilinear_pairing::{LineCoefficients, LoopDigits, LoopPart};
use bilinear_program::{Mask, Ports, Program, ProgramError, Recorder};
use num_bigint::BigUint;
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// A point as residues: x and y, each coefficient by coefficient.
pub(crate) type Coordinates = (Vec<BigUint>, Vec<BigUint>);

/// The parts of a curve's description that concern its groups, beside the pairing's own parameters.
pub(crate) struct GroupDescriptions {
    /// Generators of G1 and G2, if the description gives them.
    pub(crate) generators: [Option<Coordinates>; 2],
    /// The x at which a search for a generator begins. G1 and G2 need different ones where they are two groups on one
    /// curve.
    pub(crate) first_x: [u32; 2],
    /// Non-squares of the fields of G1 and G2.
    pub(crate) non_squares: [Vec<BigUint>; 2],
    /// The methods that map elements of these fields to the curves.
    pub(crate) maps: [MapMethod; 2],
}

/// The pairing of a family.
pub(crate) struct RecordedFamily<A: BilinearGroups> {
    recorder: Recorder,
    system: A,
    pairing: PairingKind,
    g1: GroupSetup<A::Prime>,
    g2: GroupSetup<A::Twist>,
    /// The number of residues of a prepared argument.
    prepared_len: OnceLock<usize>,
}

/// Evaluates an expression for either group.
macro_rules! with_group {
    ($self:ident, $group:expr, |$side:ident| $body:expr) => {
        match $group {
            Group::G1 => {
                let $side = $self.g1();
                $body
            }
            Group::G2 => {
                let $side = $self.g2();
                $body
            }
        }
    };
}

impl<A> RecordedFamily<A>
where
    A: BilinearGroups<Prime = Recorder, Mask = Mask>,
{
    pub(crate) fn new(recorder: Recorder, system: A, pairing: PairingKind, groups: GroupDescriptions) -> Self {
        let GroupDescriptions { generators: [p, q], first_x: [x1, x2], non_squares: [c1, c2], maps: [m1, m2] } = groups;
        let (g1, g2) = (GroupSetup::new((p, x1), c1, m1), GroupSetup::new((q, x2), c2, m2));
        RecordedFamily { recorder, system, pairing, g1, g2, prepared_len: OnceLock::new() }
    }

    fn g1(&self) -> SourceGroup<'_, A::Prime> {
        let system = &self.system;
        SourceGroup {
            curve: system.g1(),
            cofactor: system.g1_cofactor(),
            times_cofactor: Box::new(|p| system.times_g1_cofactor(p)),
            given: &self.g1,
            contains: Box::new(|p| system.in_g1(p)),
            images: Box::new(|p| system.g1_images(p)),
            clear: Box::new(|p| system.clear_cofactor_g1(p)),
            mul_secret: Box::new(|ks, p| system.mul_g1_secret(ks, p)),
        }
    }

    fn g2(&self) -> SourceGroup<'_, A::Twist> {
        let system = &self.system;
        SourceGroup {
            curve: system.g2(),
            cofactor: system.g2_cofactor(),
            times_cofactor: Box::new(|q| system.times_g2_cofactor(q)),
            given: &self.g2,
            contains: Box::new(|q| system.in_g2(q)),
            images: Box::new(|q| system.g2_images(q)),
            clear: Box::new(|q| system.clear_cofactor_g2(q)),
            mul_secret: Box::new(|ks, q| system.mul_g2_secret(ks, q)),
        }
    }

    /// Records the factor that a part of the Miller loop of two points contributes.
    fn miller_part(&self, ports: &mut Ports<'_>, part: LoopPart, delayed: bool) {
        let (system, pairing) = (&self.system, self.pairing);
        let pair = Pair { p: input_point(ports, system.g1()), q: input_point(ports, system.g2()), infinite: None };
        let f = system.miller_part(pairing, &[pair], part);
        self.factor(ports, &f, system.loops(pairing)[part.number].steps() - part.end, delayed);
    }

    /// Reads a prepared argument.
    fn lines(&self, ports: &mut Ports<'_>, stream: usize) -> LineCoefficients<Recorder> {
        let len = self.prepared_len.get().copied();
        let len = len.unwrap_or_else(|| unreachable!("an argument was prepared before"));
        LineCoefficients::from_residues((0..len).map(|_| ports.uniform(stream)).collect_vec())
    }

    /// Records the factor that a part of the loop over a prepared argument contributes.
    fn miller_prepared_part(&self, ports: &mut Ports<'_>, part: LoopPart, delayed: bool) {
        let (system, pairing) = (&self.system, self.pairing);
        let lines = self.lines(ports, 0);
        let other = self.source(ports, !system.prepares_g1(pairing));
        let pair = FixedPair { lines: &lines, other, infinite: None };
        let f = system.miller_prepared_part(pairing, &[pair], part);
        self.factor(ports, &f, system.prepared_loops(pairing)[part.number].steps() - part.end, delayed);
    }

    /// Outputs the value of a part after this number of squarings.
    fn factor(&self, ports: &mut Ports<'_>, f: &TargetOf<A>, squarings: usize, delayed: bool) {
        let (system, target) = (&self.system, self.system.target());
        let factor = if delayed {
            system.repeated_square(&system.easy_part(f), squarings)
        } else {
            let square = |f: TargetOf<A>| at!(target; sqr(&f));
            (0..squarings).fold(f.clone(), |f, _| self.recorder.routine("square", || square(f)))
        };
        output(ports, target, &factor);
    }

    /// Reads a point of one of the groups.
    fn source(&self, ports: &mut Ports<'_>, of_g1: bool) -> SourcePoint<A> {
        if of_g1 {
            SourcePoint::G1(input_point(ports, self.system.g1()))
        } else {
            SourcePoint::G2(input_point(ports, self.system.g2()))
        }
    }
}

impl<A> Recordable for RecordedFamily<A>
where
    A: BilinearGroups<Prime = Recorder, Mask = Mask>,
{
    fn record(&self, job: Job) -> Result<Program, ProgramError> {
        let (system, pairing) = (&self.system, self.pairing);
        let target = system.target();
        if let Job::Points(group, job) = job {
            if job == PointJob::InGroup {
                system.find_tests();
            }
            return with_group!(self, group, |side| side.record(&self.recorder, job));
        }
        self.recorder.record(|ports| match job {
            Job::MillerValue { pairs, masked, affine } => {
                let pair = |_| Pair {
                    p: input_point(ports, system.g1()),
                    q: input_point(ports, system.g2()),
                    infinite: masked.then(|| ports.mask()),
                };
                let list: Vec<Pair<A::Twist>> = (0..pairs).map(pair).collect_vec();
                let f = if affine {
                    let values = system.miller_affine(&list);
                    let (f, undefined) =
                        values.unwrap_or_else(|| unreachable!("the family tells from how many pairs on"));
                    ports.output_mask(undefined);
                    f
                } else {
                    system.miller(pairing, &list)
                };
                output(ports, target, &f);
            }
            Job::Prepare => {
                let lines = system.prepare(pairing, &self.source(ports, system.prepares_g1(pairing)));
                lines.residues().iter().for_each(|x| ports.output_uniform(x));
                self.prepared_len.get_or_init(|| lines.residues().len());
            }
            Job::MillerPrepared { pairs, masked } => {
                let lines: Vec<LineCoefficients<Recorder>> = (0..pairs).map(|i| self.lines(ports, i)).collect_vec();
                let list: Vec<FixedPair<'_, A>> = lines
                    .iter()
                    .map(|lines| FixedPair {
                        lines,
                        other: self.source(ports, !system.prepares_g1(pairing)),
                        infinite: masked.then(|| ports.mask()),
                    })
                    .collect_vec();
                output(ports, target, &system.miller_prepared(pairing, &list));
            }
            Job::Finish => {
                let f = target.compose(&mut || ports.elem());
                output(ports, target, &system.reduced(pairing, &f));
            }
            Job::MillerPart { part, delayed } => self.miller_part(ports, part, delayed),
            Job::MillerPreparedPart { part, delayed } => self.miller_prepared_part(ports, part, delayed),
            Job::FinishParts { parts, delayed } => {
                let factors: Vec<TargetOf<A>> = (0..parts).map(|_| target.compose(&mut || ports.elem())).collect_vec();
                let (first, rest) = factors.split_first().unwrap_or_else(|| unreachable!("a loop has a part"));
                let product = rest.iter().fold(first.clone(), |product, factor| at!(target; mul(&product, factor)));
                let value = match delayed {
                    false => system.reduced(pairing, &product),
                    true if pairing.is_weil() => product,
                    true => system.hard_part(&product),
                };
                output(ports, target, &value);
            }
            Job::Points(..) => unreachable!("recorded above"),
            Job::GtMul => {
                let (x, y) = (target.compose(&mut || ports.elem()), target.compose(&mut || ports.elem()));
                at! {target; product = mul(&x, &y);}
                output(ports, target, &product);
            }
            Job::GtSquare { cyclotomic } => {
                let x = target.compose(&mut || ports.elem());
                at! {target; square = sqr(&x);}
                output(ports, target, &if cyclotomic { system.gt_square(&x) } else { square });
            }
            Job::GtInv => {
                let x = target.compose(&mut || ports.elem());
                output(ports, target, &system.gt_inv(&x));
            }
            Job::InGt => {
                let x = target.compose(&mut || ports.elem());
                ports.output_mask(system.in_gt(&x));
            }
            Job::GtPower { bytes } => {
                let x = target.compose(&mut || ports.elem());
                output(ports, target, &system.gt_pow_secret(&x, &[&vec![0; bytes]]));
            }
            Job::GtOddPowers { count } => {
                let x = target.compose(&mut || ports.elem());
                let square = system.gt_square(&x);
                let next = |x: &TargetOf<A>| Some(at!(target; mul(x, &square)));
                let powers: Vec<TargetOf<A>> = std::iter::successors(Some(x), next).take(count).collect_vec();
                let of_each: Vec<Vec<TargetOf<A>>> = powers.iter().map(|x| system.gt_frobenius(x)).collect_vec();
                for i in 0..of_each[0].len() {
                    for x in of_each.iter().map(|powers| &powers[i]) {
                        keep(ports, target, x);
                        keep(ports, target, &system.gt_inv(x));
                    }
                }
            }
            Job::GtAdvance { squares, multiplies } => {
                let x = target.compose(&mut || ports.elem());
                let y = multiplies.then(|| target.compose(&mut || ports.elem()));
                let square = |x: TargetOf<A>, _| self.recorder.routine("square", || system.gt_square(&x));
                let power = (0..squares).fold(x, square);
                let product = y.map(|y| at!(target; mul(&power, &y)));
                keep(ports, target, &product.unwrap_or(power));
            }
            Job::GtShow => {
                let x = target.compose(&mut || ports.elem());
                output(ports, target, &x);
            }
            Job::GtCompress(torus) => {
                let x = target.compose(&mut || ports.elem());
                torus.compress(target, &x).iter().for_each(|c| ports.output(c));
            }
            Job::GtDecompress(torus) => {
                let coefficients = (0..target.degree() / torus.factor()).map(|_| ports.elem()).collect_vec();
                let (x, on_torus) = torus.decompress(target, &coefficients);
                output(ports, target, &x);
                ports.output_mask(target.and(on_torus, system.in_gt(&x)));
            }
        })
    }

    fn order(&self) -> &BigUint {
        self.system.order()
    }

    fn cofactor(&self, group: Group) -> &BigUint {
        match group {
            Group::G1 => self.system.g1_cofactor(),
            Group::G2 => self.system.g2_cofactor(),
        }
    }

    fn degree(&self, group: Group) -> usize {
        match group {
            Group::G1 => 1,
            Group::G2 => self.system.g2().field().degree(),
        }
    }

    fn fixed_coordinates(&self, group: Group) -> usize {
        with_group!(self, group, |side| side.curve.fixed_coordinates())
    }

    fn generator(&self, group: Group) -> Vec<BigUint> {
        with_group!(self, group, |side| side.generator())
    }

    fn maps_uniformly(&self) -> bool {
        matches!((&self.g1.method, &self.g2.method), (MapMethod::Odd, MapMethod::Odd))
    }

    fn many(&self) -> Option<usize> {
        self.system.many()
    }

    fn loops(&self) -> Vec<LoopDigits> {
        self.system.loops(self.pairing)
    }

    fn prepared_loops(&self) -> Vec<LoopDigits> {
        self.system.prepared_loops(self.pairing)
    }

    fn prepares_g1(&self) -> bool {
        self.system.prepares_g1(self.pairing)
    }

    fn digits(&self, group: Group, known: Validate, k: &[u8]) -> Zeroizing<Vec<bool>> {
        match (group, known) {
            (Group::G1, Validate::Subgroup) => self.system.g1_digits(k),
            (Group::G2, Validate::Subgroup) => self.system.g2_digits(k),
            (_, Validate::OnCurve) => digit_bits(k),
        }
    }

    fn parts(&self, group: Group, images: bool, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        match group {
            _ if !images => whole(k),
            Group::G1 => self.system.decompose_g1(k),
            Group::G2 => self.system.decompose_g2(k),
        }
    }

    fn decompose_gt(&self, e: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        self.system.decompose_gt(e)
    }

    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        self.system.gt_digits(e)
    }
}
