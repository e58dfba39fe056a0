//! The pairs of a product in the Miller loop, for every family: T runs through the multiples of one argument of a pair, P here, and
//! its lines are evaluated at the other one; or the coefficients of these lines were stored before.
//!
//! What sets families apart is in their [`Steps`]: the coordinates of T, the doubling and the addition with their lines, and how a
//! line is multiplied into f.

use crate::curve::Affine;
use crate::miller::Lines;
use bilinear_field::{CollectVec, Extension, Field};

/// l_y·y + l_x·x + l_c.
#[derive(Clone, Debug, Default)]
pub struct Line<E> {
    /// The coefficient of y.
    pub y: E,
    /// The coefficient of x.
    pub x: E,
    /// The constant.
    pub c: E,
}

/// T runs through the multiples of P over F_p, lines are evaluated at Q: the Tate pairing.
pub struct Tate;

/// T runs through the multiples of Q over the field of the twist, lines are evaluated at P: ate pairings.
pub struct Ate;

/// The truth values of the lanes of a family's pairs.
type MaskOf<S> = <<S as Steps>::Field as Field>::Mask;

/// The steps of a family's Miller loop.
pub trait Steps {
    /// The field of T.
    type Field: Extension;
    /// T, in coordinates of the family's choice.
    type Point: Clone;
    /// What a step tells of its line.
    type Line: Clone + Default;
    /// What lines need of the other point of a pair.
    type At: Default;
    /// The coefficients of a prepared argument's lines, in the order of use.
    type Prepared;
    /// The accumulator f.
    type Value;

    /// The field of T.
    fn field(&self) -> &Self::Field;
    /// T = P.
    fn point(&self, p: &Affine<Self::Field>) -> Self::Point;
    /// T ← 2T; the tangent at T.
    fn double(&self, t: &mut Self::Point, line: &mut Self::Line, at: &Self::At);
    /// T ← T + R for R = (x, y); the line through T and R.
    fn add(&self, t: &mut Self::Point, line: &mut Self::Line, r: [&<Self::Field as Field>::Elem; 2], at: &Self::At);

    /// f = 1.
    fn one(&self) -> Self::Value;
    /// f².
    fn square(&self, f: Self::Value) -> Self::Value;
    /// f·l, or f in the lanes where the pair has an O.
    fn absorb(&self, f: Self::Value, line: &Self::Line, at: &Self::At, infinite: Option<MaskOf<Self>>) -> Self::Value;
    /// The same for the next line of a prepared argument.
    fn absorb_prepared(
        &self,
        f: Self::Value,
        lines: &mut Self::Prepared,
        at: &Self::At,
        infinite: Option<MaskOf<Self>>,
    ) -> Self::Value;
    /// f·f_{d,P} before dP is added to T, which prepared arguments do not have. It is 1 for d = ±1 where verticals vanish.
    fn join(
        &self,
        _d: i8,
        f: Self::Value,
        _t: Option<&Self::Point>,
        _at: &Self::At,
        _infinite: Option<MaskOf<Self>>,
    ) -> Self::Value {
        f
    }
}

/// Where the lines of a pair come from.
enum LineSource<S: Steps> {
    /// T.
    Running(S::Point),
    /// T; its lines are stored, and multiplied into nothing.
    Traced(S::Point, Vec<S::Line>),
    /// Coefficients.
    Prepared(S::Prepared),
}

/// The state of one pair in the loop.
struct PairState<S: Steps> {
    source: LineSource<S>,
    /// P, 3P, 5P, … as far as the digits go; none for a prepared argument.
    multiples: Vec<Affine<S::Field>>,
    at: S::At,
    infinite: Option<MaskOf<S>>,
}

/// The pairs of a product, as a source of lines.
pub struct Moving<S: Steps> {
    pub(crate) steps: S,
    states: Vec<PairState<S>>,
}

impl<S: Steps> Moving<S> {
    /// Pairs of P, 3P, 5P, … as far as the digits of the loop go, the other point, and where one of the two is O.
    pub(crate) fn new(
        steps: S,
        pairs: impl IntoIterator<Item = (Vec<Affine<S::Field>>, S::At, Option<MaskOf<S>>)>,
    ) -> Self {
        let state = |(multiples, at, infinite): (Vec<Affine<S::Field>>, _, _)| PairState {
            source: LineSource::Running(steps.point(&multiples[0])),
            multiples,
            at,
            infinite,
        };
        let states = pairs.into_iter().map(state).collect_vec();
        Moving { steps, states }
    }

    /// Prepared arguments, each with the other point, and where one of the two is O.
    pub(crate) fn prepared(steps: S, pairs: impl IntoIterator<Item = (S::Prepared, S::At, Option<MaskOf<S>>)>) -> Self {
        let state =
            |(lines, at, infinite)| PairState { source: LineSource::Prepared(lines), multiples: vec![], at, infinite };
        let states = pairs.into_iter().map(state).collect_vec();
        Moving { steps, states }
    }

    /// One point whose lines are stored.
    pub(crate) fn traced(steps: S, p: &Affine<S::Field>) -> Self {
        let source = LineSource::Traced(steps.point(p), vec![]);
        let state = PairState { source, multiples: vec![p.clone()], at: S::At::default(), infinite: None };
        Moving { steps, states: vec![state] }
    }

    /// The lines that were stored.
    pub(crate) fn into_lines(self) -> Vec<S::Line> {
        let lines = |state: PairState<S>| if let LineSource::Traced(_, lines) = state.source { lines } else { vec![] };
        self.states.into_iter().flat_map(lines).collect_vec()
    }

    /// f times the lines that `step` gives, which moves every T; `operand` makes what it needs of P, 3P, 5P, …
    pub(crate) fn step<R>(
        &mut self,
        name: &'static str,
        mut f: S::Value,
        operand: impl Fn(&S, &[Affine<S::Field>]) -> R,
        step: impl Fn(&S, &mut S::Point, &mut S::Line, &S::At, &R),
    ) -> S::Value {
        let (steps, mut line) = (&self.steps, S::Line::default());
        let field = steps.field();
        for PairState { source, multiples, at, infinite } in &mut self.states {
            f = match source {
                LineSource::Running(t) => {
                    let r = operand(steps, multiples);
                    field.routine(name, || {
                        step(steps, t, &mut line, at, &r);
                        steps.absorb(f, &line, at, *infinite)
                    })
                }
                LineSource::Traced(t, lines) => {
                    let r = operand(steps, multiples);
                    field.routine(name, || step(steps, t, &mut line, at, &r));
                    lines.push(line.clone());
                    f
                }
                LineSource::Prepared(lines) => field.routine(name, || steps.absorb_prepared(f, lines, at, *infinite)),
            };
        }
        f
    }

    /// f times the lines through T and a point that is a function of P, 3P, 5P, …, which is added to T.
    pub(crate) fn add_point(
        &mut self,
        f: S::Value,
        point: impl Fn(&S, &[Affine<S::Field>]) -> Affine<S::Field>,
    ) -> S::Value {
        self.step("addition step", f, point, |steps, t, line, at, r| steps.add(t, line, [&r.x, &r.y], at))
    }

    /// f times a function of each pair: of T, where it has one, and of the other point, which points whose lines are stored do not have.
    pub(crate) fn fold(
        &self,
        f: S::Value,
        factor: impl Fn(&S, S::Value, Option<&S::Point>, &S::At, Option<MaskOf<S>>) -> S::Value,
    ) -> S::Value {
        self.states.iter().fold(f, |f, PairState { source, at, infinite, .. }| {
            let t = match source {
                LineSource::Running(t) => Some(t),
                LineSource::Traced(..) => return f,
                LineSource::Prepared(_) => None,
            };
            factor(&self.steps, f, t, at, *infinite)
        })
    }

    /// Calls a function with every T and its P, 3P, 5P, …
    pub(crate) fn each_point(&mut self, mut change: impl FnMut(&S, &mut S::Point, &mut Vec<Affine<S::Field>>)) {
        for PairState { source, multiples, .. } in &mut self.states {
            if let LineSource::Running(t) | LineSource::Traced(t, _) = source {
                change(&self.steps, t, multiples);
            }
        }
    }
}

impl<S: Steps> Lines for Moving<S> {
    type Value = S::Value;

    fn one(&self) -> S::Value {
        self.steps.one()
    }

    fn start(&mut self, d: i8) -> S::Value {
        let f = self.steps.one();
        if d == 1 {
            return f;
        }
        self.each_point(|steps, t, multiples| *t = steps.point(&multiples[index(d)]));
        self.join(d, f)
    }

    fn square(&self, f: S::Value) -> S::Value {
        self.steps.square(f)
    }

    fn double(&mut self, f: S::Value) -> S::Value {
        self.step("doubling step", f, |_, _| (), |steps, t, line, at, ()| steps.double(t, line, at))
    }

    fn join(&mut self, d: i8, f: S::Value) -> S::Value {
        self.fold(f, |steps, f, t, at, infinite| steps.join(d, f, t, at, infinite))
    }

    fn add(&mut self, d: i8, f: S::Value) -> S::Value {
        self.add_point(f, |steps, multiples| {
            let multiple = &multiples[index(d)];
            if d > 0 { multiple.clone() } else { multiple.negate(steps.field()) }
        })
    }
}

/// The place of ±dP among P, 3P, 5P, …
pub(crate) fn index(d: i8) -> usize {
    d.unsigned_abs() as usize / 2
}
