//! Lines through moving points: T runs through the multiples of Q over E (ate) or of P over F_p (Tate).

use super::corrections::has_corrections;
use super::line::{Pattern, one};
use super::product::Product;
use super::step::{Line, Running, TripleB, add_step, chord, double_step, tangent};
use super::{Fpk, Sextic, Twist};
use crate::bilinear_groups::{Pair, Pairing};
use crate::curve::Affine;
use crate::kept::{Kept, Reader};
use crate::miller::Lines;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field, at};

/// Which argument runs.
pub trait Direction<E: Extension, X: NonResidue<E>>: Sized {
    /// The field of the running point.
    type Field: Extension<Prime = E::Prime>;
    /// The field of the other point.
    type Other: Field;

    /// The field of the running point.
    fn field(system: &Sextic<E, X>) -> &Self::Field;
    /// 3b on the curve of the running point.
    fn triple_b(system: &Sextic<E, X>) -> &TripleB<<Self::Field as Field>::Elem>;
    /// The running point at the start, and the other one.
    fn points(pair: &Pair<E>) -> (&Affine<Self::Field>, [<Self::Other as Field>::Elem; 2]);
    /// The value of a line at the other point.
    fn value(
        system: &Sextic<E, X>,
        out: &mut [E::Elem; 3],
        line: &Line<<Self::Field as Field>::Elem>,
        at: &[<Self::Other as Field>::Elem; 2],
    );
    /// Where its coefficients stand.
    fn pattern(system: &Sextic<E, X>) -> Pattern;
    /// Whether anything follows the loop.
    fn goes_on(_: &Sextic<E, X>, _: Pairing) -> bool {
        false
    }
    /// f with what follows the loop; nothing for Tate.
    fn close(_: &mut Moving<'_, E, X, Self>, _: Pairing, f: Product<E>) -> Product<E> {
        f
    }
}

/// T = mQ, lines at P.
pub struct Ate;

impl<E: Extension, X: NonResidue<E>> Direction<E, X> for Ate {
    type Field = E;
    type Other = E::Prime;

    fn field(system: &Sextic<E, X>) -> &E {
        system.e()
    }

    fn triple_b(system: &Sextic<E, X>) -> &TripleB<E::Elem> {
        &system.triple_b_twist
    }

    fn points(pair: &Pair<E>) -> (&Affine<E>, [<E::Prime as Field>::Elem; 2]) {
        (&pair.q, [pair.p.x.clone(), pair.p.y.clone()])
    }

    /// On D, T = (xw², yw³) and the line is l_y·yP + l_x·xP·w + l_c·w³; on M, times w³, it is l_c + l_x·xP·w² + l_y·yP·w³.
    #[inline]
    fn value(
        system: &Sextic<E, X>,
        out: &mut [E::Elem; 3],
        line: &Line<E::Elem>,
        [x, y]: &[<E::Prime as Field>::Elem; 2],
    ) {
        let e = system.e();
        let [first, second, third] = out;
        let (ly, lc) = match Self::pattern(system) {
            Pattern::First => (first, third),
            Pattern::Second => (third, first),
        };
        e.scale(ly, &line.y, y);
        e.scale(second, &line.x, x);
        lc.clone_from(&line.c);
    }

    fn pattern(system: &Sextic<E, X>) -> Pattern {
        if system.twist == Twist::D { Pattern::First } else { Pattern::Second }
    }

    fn goes_on(system: &Sextic<E, X>, pairing: Pairing) -> bool {
        has_corrections(system.kind, pairing)
    }

    fn close(lines: &mut Moving<'_, E, X, Ate>, pairing: Pairing, f: Product<E>) -> Product<E> {
        lines.corrections(pairing, f)
    }
}

/// T = mP, lines at Q.
pub struct Tate;

impl<E: Extension, X: NonResidue<E>> Direction<E, X> for Tate {
    type Field = E::Prime;
    type Other = E;

    fn field(system: &Sextic<E, X>) -> &E::Prime {
        system.fp()
    }

    fn triple_b(system: &Sextic<E, X>) -> &TripleB<<E::Prime as Field>::Elem> {
        &system.triple_b
    }

    fn points(pair: &Pair<E>) -> (&Affine<E::Prime>, [E::Elem; 2]) {
        (&pair.p, [pair.q.x.clone(), pair.q.y.clone()])
    }

    /// On D, Q is (xw², yw³) and the line is l_c + l_x·x·w² + l_y·y·w³; on M, times w³, it is l_y·y + l_x·x·w + l_c·w³.
    #[inline]
    fn value(
        system: &Sextic<E, X>,
        out: &mut [E::Elem; 3],
        line: &Line<<E::Prime as Field>::Elem>,
        [x, y]: &[E::Elem; 2],
    ) {
        let e = system.e();
        let [first, second, third] = out;
        let (ly, lc) = match Self::pattern(system) {
            Pattern::First => (first, third),
            Pattern::Second => (third, first),
        };
        e.scale(ly, y, &line.y);
        e.scale(second, x, &line.x);
        e.scale(lc, &e.one(), &line.c);
    }

    fn pattern(system: &Sextic<E, X>) -> Pattern {
        if system.twist == Twist::D { Pattern::Second } else { Pattern::First }
    }
}

/// Where the lines of a pair come from.
enum Source<'a, K: Extension> {
    /// A running point.
    Running(Running<K::Elem>),
    /// The same, and every line is stored.
    Tracing(Running<K::Elem>, Kept<K::Prime>),
    /// Stored lines.
    Kept(Reader<'a, K::Prime>),
}

impl<K: Extension> Source<'_, K> {
    /// The running point, if there is one.
    fn point(&mut self) -> Option<&mut Running<K::Elem>> {
        match self {
            Source::Running(t) | Source::Tracing(t, _) => Some(t),
            Source::Kept(_) => None,
        }
    }
}

/// The state of one pair in the loop.
struct State<'a, E: Extension, D: Direction<E, X>, X: NonResidue<E>> {
    source: Source<'a, D::Field>,
    /// Where the running point starts; O for stored lines, which have none.
    start: Affine<D::Field>,
    at: [<D::Other as Field>::Elem; 2],
    infinite: Option<E::Mask>,
}

/// The pairs of a product, as a source of lines.
pub struct Moving<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> {
    pub(super) system: &'a Sextic<E, X>,
    states: Vec<State<'a, E, D, X>>,
    /// Whether the points are needed after the loop.
    goes_on: bool,
    /// Whether the next step is the last.
    ending: bool,
}

/// Stored lines, the other point, and the lanes where one of the two is O.
type KeptPair<'a, E, X, D> = (
    &'a Kept<<E as Extension>::Prime>,
    [<<D as Direction<E, X>>::Other as Field>::Elem; 2],
    Option<<E as Field>::Mask>,
);

impl<'a, E: Extension, X: NonResidue<E>, D: Direction<E, X>> Moving<'a, E, X, D> {
    /// Running points.
    pub fn new(system: &'a Sextic<E, X>, pairs: &[Pair<E>]) -> Self {
        let state = |pair: &Pair<E>| {
            let (start, at) = D::points(pair);
            let source = Source::Running(Self::at_start(system, start));
            State { source, start: start.clone(), at, infinite: pair.infinite }
        };
        Moving::with(system, pairs.iter().map(state).collect())
    }

    fn with(system: &'a Sextic<E, X>, states: Vec<State<'a, E, D, X>>) -> Self {
        Moving { system, states, goes_on: true, ending: false }
    }

    /// The same with stored lines; each with the other point and the lanes where one is O.
    pub(super) fn kept(system: &'a Sextic<E, X>, pairs: Vec<KeptPair<'a, E, X, D>>) -> Self {
        let field = D::field(system);
        let nowhere = Affine { x: field.zero(), y: field.zero(), infinity: field.mask(true) };
        let states = pairs.into_iter().map(|(kept, at, infinite)| State {
            source: Source::Kept(kept.reader()),
            start: nowhere.clone(),
            at,
            infinite,
        });
        Moving::with(system, states.collect())
    }

    /// One point whose lines are stored, and multiplied into no accumulator.
    pub(super) fn tracing(system: &'a Sextic<E, X>, start: &Affine<D::Field>) -> Self {
        let source = Source::Tracing(Self::at_start(system, start), Kept::new());
        Moving::with(system, vec![State { source, start: start.clone(), at: Blank::blank(), infinite: None }])
    }

    /// The lines that [`Moving::tracing`] has stored.
    pub(super) fn into_kept(self) -> Kept<E::Prime> {
        let mut lines = self.states.into_iter().map(|s| s.source);
        match lines.next() {
            Some(Source::Tracing(_, lines)) => lines.complete(),
            _ => unreachable!("one point was traced"),
        }
    }

    fn at_start(system: &Sextic<E, X>, start: &Affine<D::Field>) -> Running<<D::Field as Field>::Elem> {
        Running { x: start.x.clone(), y: start.y.clone(), z: D::field(system).one() }
    }

    /// f times the lines that `step` gives, which moves every point.
    pub(super) fn step(
        &mut self,
        name: &'static str,
        mut f: Product<E>,
        step: impl Fn(&Affine<D::Field>, &mut Running<<D::Field as Field>::Elem>, &mut Line<<D::Field as Field>::Elem>),
    ) -> Product<E> {
        let field = D::field(self.system);
        let (mut line, mut value) = (Line::default(), Blank::blank());
        for s in &mut self.states {
            f = field.routine(name, || {
                match &mut s.source {
                    Source::Running(t) => step(&s.start, t, &mut line),
                    Source::Tracing(t, lines) => {
                        step(&s.start, t, &mut line);
                        [&line.x, &line.y, &line.c].into_iter().for_each(|x| lines.push(field, x));
                        return f.clone();
                    }
                    Source::Kept(lines) => {
                        [&mut line.x, &mut line.y, &mut line.c].into_iter().for_each(|x| lines.next(field, x))
                    }
                }
                s.value(self.system, &mut value, &line);
                f.absorb(&self.system.target, D::pattern(self.system), &value)
            });
        }
        f
    }

    /// The running points; `None` for stored lines.
    pub(super) fn points(&mut self) -> Vec<Option<Running<<D::Field as Field>::Elem>>> {
        self.states.iter_mut().map(|s| s.source.point().cloned()).collect()
    }

    /// Sets the running points.
    pub(super) fn set_points(&mut self, points: Vec<Option<Running<<D::Field as Field>::Elem>>>) {
        for (s, point) in self.states.iter_mut().zip(points) {
            if let (Some(t), Some(point)) = (s.source.point(), point) {
                *t = point;
            }
        }
    }

    /// Brings the running points back to their starts.
    pub(super) fn restart(&mut self) {
        for s in &mut self.states {
            if let Some(t) = s.source.point() {
                *t = Self::at_start(self.system, &s.start);
            }
        }
    }

    /// Makes functions of the running points the starts.
    pub(super) fn move_starts(&mut self, start: impl Fn(&Running<<D::Field as Field>::Elem>) -> Affine<D::Field>) {
        for s in &mut self.states {
            if let Some(t) = s.source.point() {
                s.start = start(t);
            }
        }
    }

    /// From f_{m,T} and mT to f_{−m,T} and −mT: the conjugate, up to factors that the final exponentiation removes.
    pub(super) fn negate(&mut self, f: Product<E>) -> Product<E> {
        let field = D::field(self.system);
        for t in self.states.iter_mut().filter_map(|s| s.source.point()) {
            at! {field; y = neg(&t.y);}
            t.y = y;
        }
        self.map(f, |f| self.system.conjugate(f))
    }

    /// A function of f once a line was multiplied into it; an empty product stays 1.
    pub(super) fn map(&self, f: Product<E>, map: impl FnOnce(&Fpk<E>) -> Fpk<E>) -> Product<E> {
        let value = f.value(self.system.e(), D::pattern(self.system));
        value.map_or(Product::One, |f| Product::Value(map(&f)))
    }

    /// f, if a line was multiplied into it.
    pub(super) fn value(&self, f: Product<E>) -> Option<Fpk<E>> {
        f.value(self.system.e(), D::pattern(self.system))
    }

    /// Says which pairing's loop follows.
    pub(super) fn set_pairing(&mut self, pairing: Pairing) {
        self.goes_on = D::goes_on(self.system, pairing);
    }

    /// f with what follows the loop.
    pub(super) fn close(&mut self, pairing: Pairing, f: Product<E>) -> Product<E> {
        D::close(self, pairing, f)
    }
}

impl<E: Extension, D: Direction<E, X>, X: NonResidue<E>> State<'_, E, D, X> {
    /// The line at the other point, or 1 where the pair has an O.
    #[inline]
    fn value(&self, system: &Sextic<E, X>, value: &mut [E::Elem; 3], line: &Line<<D::Field as Field>::Elem>) {
        D::value(system, value, line, &self.at);
        if let Some(mask) = self.infinite {
            let e = system.e();
            for (x, one) in value.iter_mut().zip(&one(e)) {
                at! {e; kept = select(mask, one, x);}
                *x = kept;
            }
        }
    }
}

impl<E: Extension, X: NonResidue<E>, D: Direction<E, X>> Lines for Moving<'_, E, X, D> {
    type Value = Product<E>;

    /// The loops are NAFs: d = 1.
    fn start(&mut self, _: i8) -> Product<E> {
        Product::One
    }

    fn square(&self, f: Product<E>) -> Product<E> {
        f.square(&self.system.target, D::pattern(self.system))
    }

    fn double(&mut self, f: Product<E>) -> Product<E> {
        let (field, b) = (D::field(self.system), D::triple_b(self.system));
        if self.ending {
            self.step("tangent", f, |_, t, line| tangent(field, b, t, line))
        } else {
            self.step("doubling step", f, |_, t, line| double_step(field, b, t, line))
        }
    }

    fn add(&mut self, d: i8, f: Product<E>) -> Product<E> {
        let (field, ending) = (D::field(self.system), self.ending);
        self.step("addition step", f, |start, t, line| {
            let mut y = start.y.clone();
            if d < 0 {
                field.neg(&mut y, &start.y);
            }
            let add = if ending { chord } else { add_step };
            add(field, t, line, [&start.x, &y]);
        })
    }

    fn last(&mut self) {
        self.ending = !self.goes_on;
    }
}
