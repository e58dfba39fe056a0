//! The pairs of a product in the Miller loop, for every family. T runs through the multiples of one argument of a
//! pair, called P here, and its lines are evaluated at the other argument. For a prepared argument the coefficients
//! of these lines were stored beforehand.
//!
//! A family defines its [`Steps`]: the coordinates of T, the doubling and the addition with their lines, and how a
//! line is multiplied into f.

use crate::curve::Affine;
use crate::miller::Lines;
use bilinear_field::{CollectVec, Extension, Field};

/// A line l_y·y + l_x·x + l_c.
#[derive(Clone, Debug, Default)]
pub struct Line<E> {
    /// The coefficient of y.
    pub y: E,
    /// The coefficient of x.
    pub x: E,
    /// The constant term.
    pub c: E,
}

/// The Tate pairing: T runs through the multiples of P over F_p, and lines are evaluated at Q.
pub struct Tate;

/// Ate pairings: T runs through the multiples of Q over the field of the twist, and lines are evaluated at P.
pub struct Ate;

/// The masks over the lanes of a family's pairs.
type MaskOf<S> = <<S as Steps>::Field as Field>::Mask;

/// The steps of a family's Miller loop.
pub trait Steps {
    /// The field of T.
    type Field: Extension;
    /// T, in coordinates of the family's choice.
    type Point: Clone;
    /// A line, in the form in which a step computes it.
    type Line: Clone + Default;
    /// The data of the other point of a pair that line evaluation needs.
    type At: Default;
    /// The coefficients of a prepared argument's lines, in the order of use.
    type Prepared;
    /// The accumulator f.
    type Value;

    /// The field of T.
    fn field(&self) -> &Self::Field;
    /// Returns T = P in the family's coordinates.
    fn point(&self, p: &Affine<Self::Field>) -> Self::Point;
    /// Sets T ← 2T and `line` to the tangent at T.
    fn double(&self, t: &mut Self::Point, line: &mut Self::Line, at: &Self::At);
    /// Sets T ← T + R for R = (x, y) and `line` to the line through T and R.
    fn add(&self, t: &mut Self::Point, line: &mut Self::Line, r: [&<Self::Field as Field>::Elem; 2], at: &Self::At);

    /// Returns the accumulator f = 1.
    fn one(&self) -> Self::Value;
    /// Returns f².
    fn square(&self, f: Self::Value) -> Self::Value;
    /// Returns f·l, or f in the lanes where a point of the pair is O.
    fn mul_by_line(
        &self,
        f: Self::Value,
        line: &Self::Line,
        at: &Self::At,
        infinite: Option<MaskOf<Self>>,
    ) -> Self::Value;
    /// Multiplies the next line of a prepared argument into f, or returns f in the lanes where a point of the pair is
    /// O.
    fn mul_by_prepared_line(
        &self,
        f: Self::Value,
        lines: &mut Self::Prepared,
        at: &Self::At,
        infinite: Option<MaskOf<Self>>,
    ) -> Self::Value;
    /// Returns f·f_{d,P}, before dP is added to T. Prepared arguments have no T. f_{d,P} is 1 for d = ±1 in families
    /// where vertical lines vanish.
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

/// The source of the lines of a pair.
enum LineSource<S: Steps> {
    /// The running point T; its lines are computed.
    Running(S::Point),
    /// The running point T and its lines so far, which are stored and not multiplied into f.
    Traced(S::Point, Vec<S::Line>),
    /// The stored coefficients of a prepared argument.
    Prepared(S::Prepared),
}

/// The state of one pair in the loop.
struct PairState<S: Steps> {
    source: LineSource<S>,
    /// P, 3P, 5P, … as far as the digits need them; empty for a prepared argument.
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
    /// Creates the source for pairs. Each has P, 3P, 5P, … as far as the digits of the loop need them, the other
    /// point, and the mask of the lanes where one of the two points is O.
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

    /// Creates the source for prepared arguments, each with the other point and the mask of the lanes where one of
    /// the two points is O.
    pub(crate) fn prepared(steps: S, pairs: impl IntoIterator<Item = (S::Prepared, S::At, Option<MaskOf<S>>)>) -> Self {
        let state =
            |(lines, at, infinite)| PairState { source: LineSource::Prepared(lines), multiples: vec![], at, infinite };
        let states = pairs.into_iter().map(state).collect_vec();
        Moving { steps, states }
    }

    /// Creates the source for one point whose lines are stored.
    pub(crate) fn traced(steps: S, p: &Affine<S::Field>) -> Self {
        let source = LineSource::Traced(steps.point(p), vec![]);
        let state = PairState { source, multiples: vec![p.clone()], at: S::At::default(), infinite: None };
        Moving { steps, states: vec![state] }
    }

    /// Returns the stored lines.
    pub(crate) fn into_lines(self) -> Vec<S::Line> {
        let lines = |state: PairState<S>| if let LineSource::Traced(_, lines) = state.source { lines } else { vec![] };
        self.states.into_iter().flat_map(lines).collect_vec()
    }

    /// Returns f times the lines that `step` computes while it moves every T. `operand` derives the operand of `step`
    /// from P, 3P, 5P, …
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
                        steps.mul_by_line(f, &line, at, *infinite)
                    })
                }
                LineSource::Traced(t, lines) => {
                    let r = operand(steps, multiples);
                    field.routine(name, || step(steps, t, &mut line, at, &r));
                    lines.push(line.clone());
                    f
                }
                LineSource::Prepared(lines) => {
                    field.routine(name, || steps.mul_by_prepared_line(f, lines, at, *infinite))
                }
            };
        }
        f
    }

    /// Returns f times the lines through T and a point that is a function of P, 3P, 5P, … This point is added to T.
    pub(crate) fn add_point(
        &mut self,
        f: S::Value,
        point: impl Fn(&S, &[Affine<S::Field>]) -> Affine<S::Field>,
    ) -> S::Value {
        self.step("addition step", f, point, |steps, t, line, at, r| steps.add(t, line, [&r.x, &r.y], at))
    }

    /// Returns f times a function of each pair: of T, if the pair has one, and of the other point. Pairs whose lines
    /// are stored have no other point and contribute nothing.
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

    /// Calls `change` with every T and its P, 3P, 5P, …
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

/// Returns the index of ±dP among P, 3P, 5P, …
pub(crate) fn index(d: i8) -> usize {
    d.unsigned_abs() as usize / 2
}
