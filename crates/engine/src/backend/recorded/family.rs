//! A family over the recorder: what each computation records.

use super::job::{Job, Recordable};
use super::ports::{chord, chord_or_tangent, input_point, keep_affine, output, output_affine, output_point};
use crate::backend::group::Group;
use crate::backend::validate::Validate;
use bilinear_field::{Extension, Field, Lanes, SquareRoot, at};

use bilinear_pairing::bilinear_groups::{BilinearGroups, FixedPair, Pair, SourcePoint, TargetOf, whole};
use bilinear_pairing::curve::{Affine, Curve, Jacobian};
use bilinear_pairing::fixed_base::{DIGIT_MASKS, ENTRIES, FixedDigit};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::svdw::with_sign;
use bilinear_pairing::to_curve::{CurveMap, MapMethod};
use bilinear_pairing::{LineCoefficients, LoopDigits, LoopPart, window_bits};
use bilinear_program::{Mask, Ports, Program, ProgramError, Recorder};
use num_bigint::BigUint;
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// A point as residues: x and y, each coefficient by coefficient.
pub(crate) type Coordinates = (Vec<BigUint>, Vec<BigUint>);

/// What a description says about groups beside the pairing's own parameters.
pub(crate) struct GroupDescriptions {
    /// Generators of G1 and G2, where they are given.
    pub(crate) generators: [Option<Coordinates>; 2],
    /// Non-squares of the fields of G1 and G2.
    pub(crate) non_squares: [Vec<BigUint>; 2],
    /// How elements of these fields are mapped to the curves.
    pub(crate) maps: [MapMethod; 2],
}

/// What a description says about one group, and what is made of it when it is first needed: that takes a search.
struct GroupSetup<E: Extension> {
    generator: Option<Coordinates>,
    non_square: Vec<BigUint>,
    method: MapMethod,
    root: OnceLock<SquareRoot<E>>,
    map: OnceLock<CurveMap<E>>,
}

impl<E: Extension<Prime = Recorder>> GroupSetup<E> {
    fn new(generator: Option<Coordinates>, non_square: Vec<BigUint>, method: MapMethod) -> Self {
        GroupSetup { generator, non_square, method, root: OnceLock::new(), map: OnceLock::new() }
    }

    /// Square roots in the field of the curve.
    fn root(&self, e: &E) -> &SquareRoot<E> {
        self.root.get_or_init(|| SquareRoot::new(e, &e.element(&self.non_square)))
    }

    /// The map to the curve.
    fn map(&self, curve: &Curve<E>) -> &CurveMap<E> {
        self.map.get_or_init(|| CurveMap::new(curve, &self.method, &curve.field().element(&self.non_square)))
    }
}

/// One group of a pairing: its curve, and the ways of the family.
struct SourceGroup<'s, E: Extension> {
    curve: &'s Curve<E>,
    cofactor: &'s BigUint,
    given: &'s GroupSetup<E>,
    /// Where a point is in the group.
    contains: &'s dyn Fn(&Affine<E>) -> Mask,
    /// P and its images under the automorphisms that split scalars.
    images: &'s dyn Fn(&Affine<E>) -> Vec<Affine<E>>,
    /// A multiple of a point that is in the group.
    clear: &'s dyn Fn(&Affine<E>) -> Jacobian<E>,
    /// kP for P in the group.
    mul_secret: &'s MulSecret<'s, E>,
}

/// kP for one scalar per lane, as big-endian bytes.
type MulSecret<'s, E> = dyn Fn(&[&[u8]], &Affine<E>) -> Jacobian<E> + 's;

/// The pairing of a family.
pub(crate) struct RecordedFamily<A: BilinearGroups> {
    recorder: Recorder,
    system: A,
    pairing: PairingKind,
    g1: GroupSetup<A::Prime>,
    g2: GroupSetup<A::Twist>,
    /// How many residues a prepared argument has.
    prepared_len: OnceLock<usize>,
}

/// What is done with a group, whichever it is.
macro_rules! with_group {
    ($self:ident, $group:expr, |$side:ident| $body:expr) => {{
        let system = &$self.system;
        match $group {
            Group::G1 => {
                let $side = SourceGroup {
                    curve: system.g1(),
                    cofactor: system.g1_cofactor(),
                    given: &$self.g1,
                    contains: &|p| system.in_g1(p),
                    images: &|p| system.g1_images(p),
                    clear: &|p| system.clear_g1(p),
                    mul_secret: &|ks, p| system.mul_g1_secret(ks, p),
                };
                $body
            }
            Group::G2 => {
                let $side = SourceGroup {
                    curve: system.g2(),
                    cofactor: system.g2_cofactor(),
                    given: &$self.g2,
                    contains: &|q| system.in_g2(q),
                    images: &|q| system.g2_images(q),
                    clear: &|q| system.clear_g2(q),
                    mul_secret: &|ks, q| system.mul_g2_secret(ks, q),
                };
                $body
            }
        }
    }};
}

impl<A> RecordedFamily<A>
where
    A: BilinearGroups<Prime = Recorder, Mask = Mask>,
{
    pub(crate) fn new(recorder: Recorder, system: A, pairing: PairingKind, groups: GroupDescriptions) -> Self {
        let GroupDescriptions { generators: [p, q], non_squares: [c1, c2], maps: [m1, m2] } = groups;
        let (g1, g2) = (GroupSetup::new(p, c1, m1), GroupSetup::new(q, c2, m2));
        RecordedFamily { recorder, system, pairing, g1, g2, prepared_len: OnceLock::new() }
    }

    /// What a part of the Miller loop of two points contributes.
    fn miller_part(&self, ports: &mut Ports<'_>, part: LoopPart, delayed: bool) {
        let (system, pairing) = (&self.system, self.pairing);
        let target = system.target();
        let pair = Pair { p: input_point(ports, system.g1()), q: input_point(ports, system.g2()), infinite: None };
        let f = system.miller_part(pairing, &[pair], part);
        let squarings = system.loops(pairing)[part.number].steps() - part.end;
        let factor = if delayed {
            system.repeated_square(&system.easy_part(&f), squarings)
        } else {
            let square = |f: TargetOf<A>| {
                at! {target; square = sqr(&f);}
                square
            };
            (0..squarings).fold(f, |f, _| self.recorder.routine("square", || square(f)))
        };
        output(ports, target, &factor);
    }

    /// A point of one of the groups.
    fn source(&self, ports: &mut Ports<'_>, of_g1: bool) -> SourcePoint<A> {
        if of_g1 {
            SourcePoint::G1(input_point(ports, self.system.g1()))
        } else {
            SourcePoint::G2(input_point(ports, self.system.g2()))
        }
    }
}

impl<E> SourceGroup<'_, E>
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    /// The sum of the points of as many elements of the field of the curve, times the cofactor or what the curve's suite takes instead.
    fn mapped(&self, ports: &mut Ports<'_>, count: usize) {
        let e = self.curve.field();
        let us: Vec<E::Elem> = (0..count).map(|_| e.compose(&mut || ports.elem())).collect();
        let sum = self.given.map(self.curve).sum(self.curve, &us);
        let sum = self.curve.normalise(&[sum]).remove(0);
        let in_group = match self.given.method {
            MapMethod::Sswu(_) => (self.clear)(&sum),
            MapMethod::Svdw | MapMethod::Odd => self.curve.mul(self.cofactor, &sum),
        };
        output_point(ports, self.curve, &in_group);
    }

    /// kP for digits of a scalar of so many bytes.
    fn multiple(&self, ports: &mut Ports<'_>, known: Validate, bytes: usize) {
        // the digits come in as masks, whatever the scalar
        let k = vec![0; bytes];
        let p = input_point(ports, self.curve);
        let multiple = match known {
            Validate::Subgroup => (self.mul_secret)(&[&k], &p),
            Validate::Curve => self.curve.mul_secret(&[&k], &p),
        };
        output_point(ports, self.curve, &multiple);
    }

    /// B to the multiples of a window, and whether one is O.
    fn window(&self, ports: &mut Ports<'_>) {
        let e = self.curve.field();
        let multiples = self.curve.window(&input_point(ports, self.curve));
        multiples.iter().for_each(|p| output_affine(ports, self.curve, p));
        ports.output_mask(multiples.iter().fold(e.mask(false), |some, p| e.either(some, p.infinity)));
    }

    /// x, y and −y of a point, or of all its images.
    fn points(&self, ports: &mut Ports<'_>, images: bool) {
        let e = self.curve.field();
        let p = input_point(ports, self.curve);
        for p in if images { (self.images)(&p) } else { vec![p] } {
            keep_affine(ports, self.curve, &p);
            at! {e; minus_y = neg(&p.y);}
            e.coefficients(&minus_y, &mut |c| ports.output_kept(c));
        }
    }

    /// Σ 2^(step·i)·P_i by Horner's rule.
    fn powers_of_two(&self, ports: &mut Ports<'_>, count: usize, step: usize) {
        let points: Vec<Affine<E>> = (0..count)
            .map(|_| {
                let p = input_point(ports, self.curve);
                Affine { infinity: ports.mask(), ..p }
            })
            .collect();
        let mut acc: Option<Jacobian<E>> = None;
        for p in points.iter().rev() {
            acc = Some(acc.map_or_else(
                || self.curve.to_jacobian(p),
                |acc| self.curve.add(&(0..step).fold(acc, |acc, _| self.curve.double(&acc)), p),
            ));
        }
        let sum = acc.unwrap_or_else(|| self.curve.infinity());
        let sum = self.curve.normalise(std::slice::from_ref(&sum)).remove(0);
        keep_affine(ports, self.curve, &sum);
        ports.output_mask(sum.infinity);
    }

    /// The table of a window is kept.
    fn keep(&self, ports: &mut Ports<'_>) {
        let e = self.curve.field();
        for _ in 0..ENTRIES {
            let Affine { x, y, .. } = input_point(ports, self.curve);
            [x, y].iter().for_each(|c| e.coefficients(c, &mut |c| ports.output_uniform(c)));
        }
    }

    /// The sum of what so many digits pick, each from a table of its own.
    fn fixed_sum(&self, ports: &mut Ports<'_>, digits: usize) {
        let e = self.curve.field();
        let mut acc: Option<Jacobian<E>> = None;
        for window in 0..digits {
            let mut uniform = || e.compose(&mut || ports.uniform(window));
            let (xs, ys): (Vec<E::Elem>, Vec<E::Elem>) = (0..ENTRIES).map(|_| (uniform(), uniform())).unzip();
            let digit = FixedDigit::new([(); DIGIT_MASKS].map(|()| ports.mask()));
            acc = Some(self.curve.add_digit(acc.as_ref(), [&xs, &ys], &digit));
        }
        output_point(ports, self.curve, &acc.unwrap_or_else(|| self.curve.infinity()));
    }

    /// y of the wanted sign over x, and where there is one.
    fn decompress(&self, ports: &mut Ports<'_>) {
        let e = self.curve.field();
        let x = e.compose(&mut || ports.elem());
        let odd = ports.mask();
        let (mut g, mut y) = (e.zero(), e.zero());
        self.curve.rhs(&mut g, &x);
        let exists = self.given.root(e).root(e, &mut y, &g);
        output(ports, e, &with_sign(e, &y, odd));
        ports.output_mask(exists);
    }

    /// A generator: that of the description, which was shown to be in the group, or else hP ≠ O for the cofactor h and the first such P
    /// over x = 1, 2, ….
    fn generator(&self) -> Vec<BigUint> {
        let e = self.curve.field();
        let f = e.prime();
        let p = match &self.given.generator {
            Some((x, y)) => Affine { x: e.element(x), y: e.element(y), infinity: e.mask(false) },
            None => self.first_point(),
        };
        let mut residues = vec![];
        for c in [&p.x, &p.y] {
            e.coefficients(c, &mut |c| residues.push(f.value(c, 0)));
        }
        residues
    }

    fn first_point(&self) -> Affine<E> {
        let e = self.curve.field();
        let f = e.prime();
        for x in (1u32..).map(BigUint::from) {
            // the second coefficient too, since x in F_p may have points of the smaller field only
            let x = e.element(&[x.clone(), x][..E::DEGREE.min(2)]);
            let Some(Affine { x, y, infinity }) = self.point_over(x) else { continue };
            let point = Affine { x, y: with_sign(e, &y, e.mask(false)), infinity };
            let point = self.curve.normalise(&[self.curve.mul(self.cofactor, &point)]).remove(0);
            if !f.lane(point.infinity, 0) {
                return point;
            }
        }
        unreachable!("a curve has points of the group's order")
    }

    /// A point with this x, or where the curve is odd with x or −x, if there is one.
    fn point_over(&self, x: E::Elem) -> Option<Affine<E>> {
        let e = self.curve.field();
        if let CurveMap::Odd(map) = self.given.map(self.curve) {
            return Some(map.point(self.curve, &x));
        }
        let (mut g, mut y) = (e.zero(), e.zero());
        self.curve.rhs(&mut g, &x);
        let exists = self.given.root(e).root(e, &mut y, &g);
        e.prime().lane(exists, 0).then(|| Affine { x, y, infinity: e.mask(false) })
    }
}

impl<A> Recordable for RecordedFamily<A>
where
    A: BilinearGroups<Prime = Recorder, Mask = Mask>,
{
    fn record(&self, job: Job) -> Result<Program, ProgramError> {
        let (system, pairing) = (&self.system, self.pairing);
        let target = system.target();
        // these take a search, which is no part of a program
        match job {
            Job::Decompress(group) => with_group!(self, group, |side| {
                side.given.root(side.curve.field());
            }),
            Job::Map { group, .. } => with_group!(self, group, |side| {
                side.given.map(side.curve);
            }),
            Job::InGroup(_) => system.find_tests(),
            _ => {}
        }
        self.recorder.record(|ports| match job {
            Job::Miller { pairs, masked, affine } => {
                let pair = |_| Pair {
                    p: input_point(ports, system.g1()),
                    q: input_point(ports, system.g2()),
                    infinite: masked.then(|| ports.mask()),
                };
                let list: Vec<Pair<A::Twist>> = (0..pairs).map(pair).collect();
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
                let len = self.prepared_len.get().copied();
                let len = len.unwrap_or_else(|| unreachable!("an argument was prepared before"));
                let lines = |stream| LineCoefficients::from_residues((0..len).map(|_| ports.uniform(stream)).collect());
                let lines: Vec<LineCoefficients<Recorder>> = (0..pairs).map(lines).collect();
                let list: Vec<FixedPair<'_, A>> = lines
                    .iter()
                    .map(|lines| FixedPair {
                        lines,
                        other: self.source(ports, !system.prepares_g1(pairing)),
                        infinite: masked.then(|| ports.mask()),
                    })
                    .collect();
                output(ports, target, &system.miller_prepared(pairing, &list));
            }
            Job::Finish => {
                let f = target.compose(&mut || ports.elem());
                output(ports, target, &system.reduced(pairing, &f));
            }
            Job::MillerPart { part, delayed } => self.miller_part(ports, part, delayed),
            Job::FinishParts { parts, delayed } => {
                let factors: Vec<TargetOf<A>> = (0..parts).map(|_| target.compose(&mut || ports.elem())).collect();
                let (first, rest) = factors.split_first().unwrap_or_else(|| unreachable!("a loop has a part"));
                let product = rest.iter().fold(first.clone(), |product, factor| {
                    at! {target; next = mul(&product, factor);}
                    next
                });
                let value = match delayed {
                    false => system.reduced(pairing, &product),
                    true if pairing.is_weil() => product,
                    true => system.hard_part(&product),
                };
                output(ports, target, &value);
            }
            Job::OnCurve(group) => with_group!(self, group, |side| {
                let p = input_point(ports, side.curve);
                ports.output_mask(side.curve.contains(&p));
            }),
            Job::Decompress(group) => with_group!(self, group, |side| side.decompress(ports)),
            Job::InGroup(group) => with_group!(self, group, |side| {
                let p = input_point(ports, side.curve);
                ports.output_mask((side.contains)(&p));
            }),
            Job::ClearCofactor(group) => with_group!(self, group, |side| {
                let p = input_point(ports, side.curve);
                output_point(ports, side.curve, &side.curve.mul(side.cofactor, &p));
            }),
            Job::Map { group, count } => with_group!(self, group, |side| side.mapped(ports, count)),
            Job::Points { group, images } => with_group!(self, group, |side| side.points(ports, images)),
            Job::Add(group) => with_group!(self, group, |side| {
                let (p, q) = (input_point(ports, side.curve), input_point(ports, side.curve));
                let (sum, same) = chord(side.curve, &p, &q);
                keep_affine(ports, side.curve, &sum);
                ports.output_mask(same);
            }),
            Job::AddAny(group) => with_group!(self, group, |side| {
                let (p, q) = (input_point(ports, side.curve), input_point(ports, side.curve));
                let sum = chord_or_tangent(side.curve, &p, &q);
                keep_affine(ports, side.curve, &sum);
                ports.output_mask(sum.infinity);
            }),
            Job::PowersOfTwo { group, count, step } => {
                with_group!(self, group, |side| side.powers_of_two(ports, count, step))
            }
            Job::Show(group) => with_group!(self, group, |side| {
                let p = input_point(ports, side.curve);
                output_affine(ports, side.curve, &p);
            }),
            Job::Multiple { group, known, bytes } => {
                with_group!(self, group, |side| side.multiple(ports, known, bytes))
            }
            Job::Window(group) => with_group!(self, group, |side| side.window(ports)),
            Job::Keep(group) => with_group!(self, group, |side| side.keep(ports)),
            Job::FixedSum { group, digits } => with_group!(self, group, |side| side.fixed_sum(ports, digits)),
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
            Job::GtCompress(torus) => {
                let x = target.compose(&mut || ports.elem());
                torus.compress(target, &x).iter().for_each(|c| ports.output(c));
            }
            Job::GtDecompress(torus) => {
                let coefficients: Vec<_> = (0..A::Target::DEGREE / torus.factor()).map(|_| ports.elem()).collect();
                let (x, on_torus) = torus.decompress(target, &coefficients);
                output(ports, target, &x);
                ports.output_mask(target.both(on_torus, system.in_gt(&x)));
            }
        })
    }

    fn order(&self) -> &BigUint {
        self.system.order()
    }

    fn degree(&self, group: Group) -> usize {
        match group {
            Group::G1 => 1,
            Group::G2 => A::Twist::DEGREE,
        }
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

    fn prepares_g1(&self) -> bool {
        self.system.prepares_g1(self.pairing)
    }

    fn digits(&self, group: Group, known: Validate, k: &[u8]) -> Zeroizing<Vec<bool>> {
        match (group, known) {
            (Group::G1, Validate::Subgroup) => self.system.g1_digits(k),
            (Group::G2, Validate::Subgroup) => self.system.g2_digits(k),
            (_, Validate::Curve) => window_bits(k),
        }
    }

    fn parts(&self, group: Group, images: bool, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        match group {
            _ if !images => whole(k),
            Group::G1 => self.system.g1_parts(k),
            Group::G2 => self.system.g2_parts(k),
        }
    }

    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        self.system.gt_digits(e)
    }
}
