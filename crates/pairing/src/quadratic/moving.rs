//! The pairs of several products on their way through a loop: T runs through the multiples of P or Q, or its lines were kept.

use super::direction::Direction;
use super::step::{Line, Running, double_step};
use super::{QuadraticTwist, Target, add_signed, at_start, owners, trace};
use crate::bilinear_groups::{Pair, Pairing};
use crate::curve::Affine;
use crate::kept::{Kept, Reader};
use crate::miller::Lines;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field, at};

/// y + l_x·x + l_c.
#[derive(Clone, Debug, Default)]
pub struct Monic<E> {
    /// The coefficient of x.
    pub x: E,
    /// The constant.
    pub c: E,
}

/// Where the lines of a pair come from.
enum Source<'a, K: Extension> {
    /// A point on its way, and where it started.
    Running(Running<K::Elem>, Affine<K>),
    /// Kept ones.
    Kept(Reader<'a, K::Prime>),
}

/// One pair on its way through the loop.
struct State<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> {
    source: Source<'a, D::Field>,
    at: D::At,
    infinite: Option<E::Mask>,
    /// The product that the pair belongs to.
    product: usize,
}

/// The pairs of several products, as a source of lines.
pub struct Moving<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> {
    system: &'a QuadraticTwist<E, X>,
    states: Vec<State<'a, E, X, D>>,
}

/// A prepared argument, the other one, and the lanes where one of them is O.
type KeptPair<'a, E, X, D> =
    (&'a Kept<<E as Extension>::Prime>, &'a Affine<<D as Direction<E, X>>::Other>, Option<<E as Field>::Mask>);

impl<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> Moving<'a, E, X, D> {
    /// The pairs of products 0, 1, …: consecutive runs of `pairs` of the given sizes.
    ///
    /// # Panics
    /// If the sizes do not add up to the number of pairs.
    pub fn new(system: &'a QuadraticTwist<E, X>, pairs: &[Pair<E>], sizes: &[usize]) -> Self {
        let others: Vec<_> = pairs.iter().map(|pair| D::split(pair).1).collect();
        let places = D::at(system, &others).into_iter().zip(owners(sizes, pairs.len()));
        let states = pairs.iter().zip(places).map(|(pair, (at, product))| {
            let start = D::split(pair).0;
            let source = Source::Running(at_start(D::field(system), start), start.clone());
            State { source, at, infinite: pair.infinite, product }
        });
        Moving { system, states: states.collect() }
    }

    /// The same with kept lines.
    pub(super) fn kept(system: &'a QuadraticTwist<E, X>, pairs: Vec<KeptPair<'a, E, X, D>>, sizes: &[usize]) -> Self {
        let others: Vec<_> = pairs.iter().map(|pair| pair.1).collect();
        let places = D::at(system, &others).into_iter().zip(owners(sizes, pairs.len()));
        let states = pairs.iter().zip(places).map(|((kept, _, infinite), (at, product))| State {
            source: Source::Kept(kept.reader()),
            at,
            infinite: *infinite,
            product,
        });
        Moving { system, states: states.collect() }
    }

    /// The lines of one point, divided by their coefficients of y; one inversion.
    pub(super) fn prepare(system: &QuadraticTwist<E, X>, pairing: Pairing, point: &Affine<D::Field>) -> Kept<E::Prime> {
        let field = D::field(system);
        let traced = trace(field, D::a(system), point, &system.length(pairing).0);
        let mut inverses: Vec<_> = traced.iter().map(|(line, _)| line.y.clone()).collect();
        field.inv_many(&mut inverses);
        let mut lines = Kept::new();
        for ((line, _), i) in traced.iter().zip(&inverses) {
            at! {field; x = mul(&line.x, i); c = mul(&line.c, i);}
            lines.push(field, &x);
            lines.push(field, &c);
        }
        lines.complete()
    }

    /// Moves every point by `step`, which gives a line, and multiplies the lines in.
    fn step(
        &mut self,
        name: &'static str,
        acc: &mut [[E::Elem; 2]],
        step: impl Fn(&Affine<D::Field>, &mut Running<<D::Field as Field>::Elem>, &mut Line<<D::Field as Field>::Elem>),
    ) {
        let (system, mut line, mut monic) = (self.system, Line::default(), Monic::default());
        for s in &mut self.states {
            D::field(system).routine(name, || {
                let f = &mut acc[s.product];
                let mut product = Blank::blank();
                match &mut s.source {
                    Source::Running(t, start) => {
                        step(start, t, &mut line);
                        D::times(system, &mut product, f, &line, &s.at);
                    }
                    Source::Kept(lines) => {
                        lines.next(D::field(system), &mut monic.x);
                        lines.next(D::field(system), &mut monic.c);
                        D::times_monic(system, &mut product, f, &monic, &s.at);
                    }
                }
                match s.infinite {
                    None => *f = product,
                    Some(mask) => {
                        at! {system.target; kept = select(mask, f, &product);}
                        *f = kept;
                    }
                }
            });
        }
    }
}

impl<E: Extension, X: NonResidue<E>, D: Direction<E, X>> Lines for Moving<'_, E, X, D> {
    type Target = Target<E, X>;

    fn target(&self) -> &Target<E, X> {
        &self.system.target
    }

    /// The loops are NAFs: d = 1.
    fn start(&mut self, _: i8, acc: &mut [[E::Elem; 2]]) {
        acc.fill(self.system.target.one());
    }

    fn double(&mut self, acc: &mut [[E::Elem; 2]]) {
        let (field, a) = (D::field(self.system), D::a(self.system));
        self.step("doubling step", acc, |_, t, line| double_step(field, a, t, line));
    }

    fn join(&mut self, _: i8, _: &mut [[E::Elem; 2]]) {}

    fn add(&mut self, d: i8, acc: &mut [[E::Elem; 2]]) {
        let field = D::field(self.system);
        self.step("addition step", acc, |start, t, line| add_signed(field, t, line, start, d));
    }
}
