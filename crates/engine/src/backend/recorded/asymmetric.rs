//! The asymmetric families over the recorder.

use super::job::{Job, Recordable};
use super::ports::{double, input_point, output, output_affine, output_point, slope_sum};
use crate::backend::group::Group;
use crate::backend::validate::Validate;
use bilinear_field::{Extension, Field, Lanes, at};
use bilinear_pairing::asymmetric::{Asymmetric, FixedPair, Pair, Pairing, Source};
use bilinear_pairing::curve::{Affine, Curve};
use bilinear_pairing::sswu::Suite;
use bilinear_pairing::svdw::with_sign;
use bilinear_pairing::to_curve::Map;
use bilinear_pairing::{Kept, window_bits};
use bilinear_program::{Mask, Ports, Program, ProgramError, Recorder};
use num_bigint::BigUint;
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// A point as residues: x and y, each coefficient by coefficient.
pub(crate) type Generator = (Vec<BigUint>, Vec<BigUint>);

/// What a description says about groups beside the pairing's own parameters.
pub(crate) struct Groups {
    /// Generators of G1 and G2, where they are given.
    pub(crate) generators: [Option<Generator>; 2],
    /// Non-squares of the fields of G1 and G2.
    pub(crate) non_squares: [Vec<BigUint>; 2],
    /// How messages are hashed to G1 and G2 where not by the map of Shallue and van de Woestijne.
    pub(crate) suites: [Option<Suite>; 2],
}

/// The pairing of an asymmetric family.
pub(crate) struct OfAsymmetric<A: Asymmetric> {
    recorder: Recorder,
    system: A,
    pairing: Pairing,
    groups: Groups,
    /// Made when they are first needed: they take a search.
    map_g1: OnceLock<Map<A::Prime>>,
    map_g2: OnceLock<Map<A::Twist>>,
    /// How many residues a prepared argument keeps.
    kept: OnceLock<usize>,
}

/// What is done with the curve of a group and its map, whichever it is.
macro_rules! on_curve {
    ($self:ident, $group:expr, |$curve:ident, $map:ident| $body:expr) => {
        match $group {
            Group::G1 => {
                let ($curve, $map) = ($self.system.g1(), || $self.map_g1());
                $body
            }
            Group::G2 => {
                let ($curve, $map) = ($self.system.g2(), || $self.map_g2());
                $body
            }
        }
    };
}

impl<A> OfAsymmetric<A>
where
    A: Asymmetric<Prime = Recorder, Mask = Mask>,
{
    pub(crate) fn new(recorder: Recorder, system: A, pairing: Pairing, groups: Groups) -> Self {
        OfAsymmetric {
            recorder,
            system,
            pairing,
            groups,
            map_g1: OnceLock::new(),
            map_g2: OnceLock::new(),
            kept: OnceLock::new(),
        }
    }

    fn map_g1(&self) -> &Map<A::Prime> {
        self.map_g1.get_or_init(|| {
            let curve = self.system.g1();
            Map::new(curve, self.groups.suites[0].as_ref(), &curve.field().element(&self.groups.non_squares[0]))
        })
    }

    fn map_g2(&self) -> &Map<A::Twist> {
        self.map_g2.get_or_init(|| {
            let curve = self.system.g2();
            Map::new(curve, self.groups.suites[1].as_ref(), &curve.field().element(&self.groups.non_squares[1]))
        })
    }

    /// A point of one of the groups.
    fn source(&self, ports: &mut Ports<'_>, of_g1: bool) -> Source<A> {
        if of_g1 {
            Source::G1(input_point(ports, self.system.g1()))
        } else {
            Source::G2(input_point(ports, self.system.g2()))
        }
    }

    /// The sum of the points of as many elements of the field of the curve, times the cofactor or what the curve's suite takes instead.
    fn cleared(&self, ports: &mut Ports<'_>, group: Group, count: usize) {
        match group {
            Group::G1 => {
                let (curve, map) = (self.system.g1(), self.map_g1());
                let sum = mapped(ports, curve, map, count);
                let clear = self.groups.suites[0].is_some();
                let point = if clear { self.system.clear_g1(&sum) } else { curve.mul(self.system.g1_cofactor(), &sum) };
                output_point(ports, curve, &point);
            }
            Group::G2 => {
                let (curve, map) = (self.system.g2(), self.map_g2());
                let sum = mapped(ports, curve, map, count);
                let clear = self.groups.suites[1].is_some();
                let point = if clear { self.system.clear_g2(&sum) } else { curve.mul(self.system.g2_cofactor(), &sum) };
                output_point(ports, curve, &point);
            }
        }
    }

    /// kP for digits of a scalar of so many bytes.
    fn multiple(&self, ports: &mut Ports<'_>, group: Group, known: Validate, bytes: usize) {
        // the digits come in as masks, whatever the scalar
        let k = vec![0; bytes];
        let ks: &[&[u8]] = &[&k];
        match (group, known) {
            (Group::G1, Validate::Subgroup) => {
                let p = input_point(ports, self.system.g1());
                output_point(ports, self.system.g1(), &self.system.mul_g1_secret(ks, &p));
            }
            (Group::G2, Validate::Subgroup) => {
                let q = input_point(ports, self.system.g2());
                output_point(ports, self.system.g2(), &self.system.mul_g2_secret(ks, &q));
            }
            (group, Validate::Curve) => on_curve!(self, group, |curve, _map| {
                let p = input_point(ports, curve);
                output_point(ports, curve, &curve.mul_secret(ks, &p));
            }),
        }
    }
}

/// The sum of the points of as many elements of the field of the curve.
fn mapped<E>(ports: &mut Ports<'_>, curve: &Curve<E>, map: &Map<E>, count: usize) -> Affine<E>
where
    E: Extension<Prime = Recorder>,
{
    let us: Vec<E::Elem> = (0..count).map(|_| curve.field().compose(&mut || ports.elem())).collect();
    curve.normalise(&[map.sum(curve, &us)]).remove(0)
}

/// y of the wanted sign over x, and where there is one.
fn decompress<E>(ports: &mut Ports<'_>, curve: &Curve<E>, map: &Map<E>)
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    let e = curve.field();
    let x = e.compose(&mut || ports.elem());
    let odd = ports.mask();
    let (mut g, mut y) = (e.zero(), e.zero());
    curve.right_side(&mut g, &x);
    let exists = map.root().root(e, &mut y, &g);
    output(ports, e, &with_sign(e, &y, odd));
    ports.output_mask(exists);
}

/// The first point over x = 1, 2, … that the cofactor does not kill, times the cofactor.
fn first_point<E>(curve: &Curve<E>, map: &Map<E>, cofactor: &BigUint) -> Affine<E>
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    let e = curve.field();
    let f = e.prime();
    for x in (1u32..).map(BigUint::from) {
        // the second coefficient too, since x in F_p may have points of the smaller field only
        let x = e.element(&[x.clone(), x][..E::DEGREE.min(2)]);
        let (mut g, mut y) = (e.zero(), e.zero());
        curve.right_side(&mut g, &x);
        if !f.lane(map.root().root(e, &mut y, &g), 0) {
            continue;
        }
        let point = Affine { x, y: with_sign(e, &y, e.mask(false)), infinity: e.mask(false) };
        let point = curve.normalise(&[curve.mul(cofactor, &point)]).remove(0);
        if !f.lane(point.infinity, 0) {
            return point;
        }
    }
    unreachable!("a curve has points of the group's order")
}

/// The residues of a constant point.
fn residues<E>(curve: &Curve<E>, p: &Affine<E>) -> Vec<BigUint>
where
    E: Extension<Prime = Recorder>,
{
    let e = curve.field();
    let mut out = vec![];
    for c in [&p.x, &p.y] {
        e.coefficients(c, &mut |c| out.push(e.prime().value(c, 0)));
    }
    out
}

impl<A> Recordable for OfAsymmetric<A>
where
    A: Asymmetric<Prime = Recorder, Mask = Mask>,
{
    fn record(&self, job: Job) -> Result<Program, ProgramError> {
        let (system, pairing) = (&self.system, self.pairing);
        let target = system.target();
        // maps take a search, which is no part of a program
        match job {
            Job::Decompress(Group::G1) | Job::Map { group: Group::G1, .. } => {
                self.map_g1();
            }
            Job::Decompress(Group::G2) | Job::Map { group: Group::G2, .. } => {
                self.map_g2();
            }
            _ => {}
        }
        self.recorder.record(|ports| match job {
            Job::Miller { pairs, masked, .. } => {
                let pair = |_| Pair {
                    p: input_point(ports, system.g1()),
                    q: input_point(ports, system.g2()),
                    infinite: masked.then(|| ports.mask()),
                };
                let list: Vec<Pair<A::Twist>> = (0..pairs).map(pair).collect();
                let f = system.miller(pairing, &list, &[pairs]);
                output(ports, target, &f[0]);
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
                output(ports, target, &f[0]);
            }
            // other families have steps of several kinds; their preparing shows them
            Job::Step { .. } => {}
            Job::Finish => {
                let mut f = [target.compose(&mut || ports.elem())];
                system.final_exponentiation(&mut f);
                output(ports, target, &f[0]);
            }
            Job::OnCurve(group) => on_curve!(self, group, |curve, _map| {
                let p = input_point(ports, curve);
                ports.output_mask(curve.contains(&p));
            }),
            Job::Decompress(group) => on_curve!(self, group, |curve, map| decompress(ports, curve, map())),
            Job::InGroup(Group::G1) => {
                let p = input_point(ports, system.g1());
                ports.output_mask(system.in_g1(&p));
            }
            Job::InGroup(Group::G2) => {
                let q = input_point(ports, system.g2());
                ports.output_mask(system.in_g2(&q));
            }
            Job::ClearCofactor(Group::G1) => {
                let p = input_point(ports, system.g1());
                output_point(ports, system.g1(), &system.g1().mul(system.g1_cofactor(), &p));
            }
            Job::ClearCofactor(Group::G2) => {
                let q = input_point(ports, system.g2());
                output_point(ports, system.g2(), &system.g2().mul(system.g2_cofactor(), &q));
            }
            Job::Map { group, count } => self.cleared(ports, group, count),
            Job::Add(group) => on_curve!(self, group, |curve, _map| {
                let (p, q) = (input_point(ports, curve), input_point(ports, curve));
                output_affine(ports, curve, &slope_sum(curve, &p, &q));
            }),
            Job::Double(group) => on_curve!(self, group, |curve, _map| {
                let p = input_point(ports, curve);
                output_affine(ports, curve, &double(curve, &p));
            }),
            Job::Multiple { group, known, bytes } => self.multiple(ports, group, known, bytes),
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

    fn generator(&self, group: Group) -> (Vec<BigUint>, Validate) {
        let given = &self.groups.generators[if group == Group::G1 { 0 } else { 1 }];
        let known = |member: Mask| match self.recorder.lane(member, 0) {
            true => Validate::Subgroup,
            false => Validate::Curve,
        };
        match group {
            Group::G1 => {
                let curve = self.system.g1();
                let p = match given {
                    Some(xy) => constant_point(curve, xy),
                    None => first_point(curve, self.map_g1(), self.system.g1_cofactor()),
                };
                (residues(curve, &p), known(self.system.in_g1(&p)))
            }
            Group::G2 => {
                let curve = self.system.g2();
                let q = match given {
                    Some(xy) => constant_point(curve, xy),
                    None => first_point(curve, self.map_g2(), self.system.g2_cofactor()),
                };
                (residues(curve, &q), known(self.system.in_g2(&q)))
            }
        }
    }

    fn maps_uniformly(&self) -> bool {
        false
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

    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        self.system.gt_digits(e)
    }
}

fn constant_point<E: Extension>(curve: &Curve<E>, (x, y): &Generator) -> Affine<E> {
    let e = curve.field();
    Affine { x: e.element(x), y: e.element(y), infinity: e.mask(false) }
}
