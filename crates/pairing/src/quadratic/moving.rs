//! The pairs of a product in the Miller loop: T runs through the multiples of P or Q, or its lines were stored before.

use super::direction::Direction;
use super::step::{Line, Running, double_step};
use super::{Fpk, QuadraticTwist, add_signed, at_start, trace};
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
    /// A running point, and where it started.
    Running(Running<K::Elem>, Affine<K>),
    /// Stored lines.
    Kept(Reader<'a, K::Prime>),
}

/// The state of one pair in the loop.
struct State<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> {
    source: Source<'a, D::Field>,
    at: D::At,
    infinite: Option<E::Mask>,
}

/// The pairs of a product, as a source of lines.
pub struct Moving<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> {
    system: &'a QuadraticTwist<E, X>,
    states: Vec<State<'a, E, X, D>>,
}

/// A prepared argument, the other one, and the lanes where one of them is O.
type KeptPair<'a, E, X, D> =
    (&'a Kept<<E as Extension>::Prime>, &'a Affine<<D as Direction<E, X>>::Other>, Option<<E as Field>::Mask>);

impl<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> Moving<'a, E, X, D> {
    /// Running points.
    pub fn new(system: &'a QuadraticTwist<E, X>, pairs: &[Pair<E>]) -> Self {
        let others: Vec<_> = pairs.iter().map(|pair| D::split(pair).1).collect();
        let states = pairs.iter().zip(D::at(system, &others)).map(|(pair, at)| {
            let start = D::split(pair).0;
            let source = Source::Running(at_start(D::field(system), start), start.clone());
            State { source, at, infinite: pair.infinite }
        });
        Moving { system, states: states.collect() }
    }

    /// The same with stored lines.
    pub(super) fn kept(system: &'a QuadraticTwist<E, X>, pairs: Vec<KeptPair<'a, E, X, D>>) -> Self {
        let others: Vec<_> = pairs.iter().map(|pair| pair.1).collect();
        let state = |((kept, _, infinite), at): (&KeptPair<'a, E, X, D>, _)| State {
            source: Source::Kept(kept.reader()),
            at,
            infinite: *infinite,
        };
        Moving { system, states: pairs.iter().zip(D::at(system, &others)).map(state).collect() }
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

    /// f times the lines that `step` gives, which moves every point.
    fn step(
        &mut self,
        name: &'static str,
        mut f: Fpk<E>,
        step: impl Fn(&Affine<D::Field>, &mut Running<<D::Field as Field>::Elem>, &mut Line<<D::Field as Field>::Elem>),
    ) -> Fpk<E> {
        let (system, mut line, mut monic) = (self.system, Line::default(), Monic::default());
        for s in &mut self.states {
            f = D::field(system).routine(name, || {
                let mut product = Blank::blank();
                match &mut s.source {
                    Source::Running(t, start) => {
                        step(start, t, &mut line);
                        D::times(system, &mut product, &f, &line, &s.at);
                    }
                    Source::Kept(lines) => {
                        lines.next(D::field(system), &mut monic.x);
                        lines.next(D::field(system), &mut monic.c);
                        D::times_monic(system, &mut product, &f, &monic, &s.at);
                    }
                }
                let Some(mask) = s.infinite else { return product };
                at! {system.target; kept = select(mask, &f, &product);}
                kept
            });
        }
        f
    }
}

impl<E: Extension, X: NonResidue<E>, D: Direction<E, X>> Lines for Moving<'_, E, X, D> {
    type Value = Fpk<E>;

    /// The loops are NAFs: d = 1.
    fn start(&mut self, _: i8) -> Fpk<E> {
        self.system.target.one()
    }

    fn square(&self, f: Fpk<E>) -> Fpk<E> {
        at! {self.system.target; square = sqr(&f);}
        square
    }

    fn double(&mut self, f: Fpk<E>) -> Fpk<E> {
        let (field, a) = (D::field(self.system), D::a(self.system));
        self.step("doubling step", f, |_, t, line| double_step(field, a, t, line))
    }

    fn add(&mut self, d: i8, f: Fpk<E>) -> Fpk<E> {
        let field = D::field(self.system);
        self.step("addition step", f, |start, t, line| add_signed(field, t, line, start, d))
    }
}
