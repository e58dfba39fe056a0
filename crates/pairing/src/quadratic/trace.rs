//! The lines and multiples of one point, in the order of a loop: what a prepared argument is made of.

use super::step::{Line, Running, add_step, double_step};
use crate::curve::Affine;
use crate::miller::{Lines, Loop, miller};
use bilinear_field::{Extension, PrimeElem};

/// A line and the point after it.
pub(crate) type Traced<E> = (Line<E>, Running<E>);

/// A running point of the loop, without an accumulator.
struct Tracer<'a, E: Extension> {
    e: &'a E,
    a: &'a PrimeElem<E>,
    start: &'a Affine<E>,
    point: Running<E::Elem>,
    seen: Vec<Traced<E::Elem>>,
}

/// The lines of the doublings and additions of a loop that starts at a point of y² = x³ + ax + b.
pub(crate) fn trace<E: Extension>(e: &E, a: &PrimeElem<E>, start: &Affine<E>, length: &Loop) -> Vec<Traced<E::Elem>> {
    let mut tracer = Tracer { e, a, start, point: at_start(e, start), seen: vec![] };
    miller(&mut tracer, length);
    tracer.seen
}

/// The affine point as a running one.
pub(crate) fn at_start<E: Extension>(e: &E, start: &Affine<E>) -> Running<E::Elem> {
    Running { x: start.x.clone(), y: start.y.clone(), z: e.one(), zz: e.one() }
}

impl<E: Extension> Tracer<'_, E> {
    fn note(&mut self, line: Line<E::Elem>) {
        self.seen.push((line, self.point.clone()));
    }
}

impl<E: Extension> Lines for Tracer<'_, E> {
    type Value = ();

    fn start(&mut self, _: i8) {}

    fn square(&self, (): ()) {}

    fn double(&mut self, (): ()) {
        let mut line = Line::default();
        double_step(self.e, self.a, &mut self.point, &mut line);
        self.note(line);
    }

    fn add(&mut self, d: i8, (): ()) {
        let mut line = Line::default();
        add_signed(self.e, &mut self.point, &mut line, self.start, d);
        self.note(line);
    }
}

/// [`add_step`] with ±R.
pub(crate) fn add_signed<E: Extension>(
    e: &E,
    t: &mut Running<E::Elem>,
    line: &mut Line<E::Elem>,
    r: &Affine<E>,
    d: i8,
) {
    if d < 0 {
        let mut y = e.zero();
        e.neg(&mut y, &r.y);
        add_step(e, t, line, [&r.x, &y]);
    } else {
        add_step(e, t, line, [&r.x, &r.y]);
    }
}
