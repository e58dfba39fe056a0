//! The pairs of a product in the Miller loop, with numerators and denominators kept apart.
//!
//! f_{2m} = f_m²·l/v and f_{m+1} = f_m·l/v with l = y − y_T − λ(x − x_T), the line through T = mP and T or P, and v = x − x', the
//! vertical through the sum T' = (X'/Z'², Y'/Z'³). In Jacobian coordinates l = L/(Z'·Z²), L the line of `double_step`, or
//! l = L/Z', L that of `add_step`, and v = V/Z'² with V = xZ'² − X'. So g_m = f_m/Z_m, where Z_m belongs to mP, satisfies
//!
//! g_{2m} = g_m²·L/V, g_{m+1} = g_m·Z_m·L/V,
//!
//! without any other factor. f_{−1} is 1/(x − x_P). At the end r·P = O: the last line is the vertical x − x_P, and
//! f_r = g·Z·(x − x_P).
//!
//! Cost beside the step and two squarings: 5M + 4R for a doubling, 6M + 5R for an addition; with prepared lines
//! 3M + 3R for either.

use super::Unit;
use crate::bilinear_groups::Pair;
use crate::curve::Affine;
use crate::kept::{Kept, Reader};
use crate::miller::{Lines, miller};
use crate::quadratic::{Line, Running, add_signed, at_start, double_step, trace};
use bilinear_field::{Blank, Extension, Field, Prime, at, minus, plus};

/// Where the lines of a pair come from.
enum Source<'a, F: Prime> {
    /// A running point, and where it started.
    Running(Running<F::Elem>, Affine<F>),
    /// Stored lines: l_x, l_c and x' of each quotient (y + l_x·x + l_c)/(x − x').
    Kept(Reader<'a, F>),
}

/// One pair before the loop.
struct Arguments<'a, 'b, F: Prime> {
    source: Source<'a, F>,
    /// x_P.
    start: F::Elem,
    q: &'b Affine<F>,
    infinite: Option<F::Mask>,
}

/// The state of one pair in the loop.
struct State<'a, F: Prime> {
    source: Source<'a, F>,
    /// Q + R.
    at: [F::Elem; 2],
    /// x − x_P there.
    vertical: F::Elem,
    infinite: Option<F::Mask>,
}

/// x_P and the quotients of a prepared P, Q, and the lanes where one of them is O.
type KeptPair<'a, 'b, F> = (&'a Kept<F>, &'b Affine<F>, Option<<F as Field>::Mask>);

/// An accumulated quotient: numerator and denominator.
pub struct Quotient<E> {
    numerator: E,
    denominator: E,
}

/// The pairs of a product, as a source of lines.
pub struct Moving<'a, F: Prime> {
    system: &'a Unit<F>,
    states: Vec<State<'a, F>>,
}

/// f·x, or f where the pair has an O.
fn absorb<F: Field>(field: &F, f: F::Elem, x: &F::Elem, infinite: Option<F::Mask>) -> F::Elem {
    at! {field; product = mul(&f, x);}
    let Some(mask) = infinite else { return product };
    at! {field; kept = select(mask, &f, &product);}
    kept
}

impl<'a, F: Prime> Moving<'a, F> {
    /// Running points.
    pub fn new(system: &'a Unit<F>, pairs: &[Pair<F>]) -> Self {
        let arguments = pairs.iter().map(|pair| Arguments {
            source: Source::Running(at_start(system.fp(), &pair.p), pair.p.clone()),
            start: pair.p.x.clone(),
            q: &pair.q,
            infinite: pair.infinite,
        });
        Self::with(system, arguments.collect())
    }

    /// The same with stored lines.
    pub(super) fn kept(system: &'a Unit<F>, pairs: &[KeptPair<'a, '_, F>]) -> Self {
        let arguments = pairs.iter().map(|(kept, q, infinite)| {
            let (mut reader, mut start) = (kept.reader(), F::Elem::blank());
            reader.next(system.fp(), &mut start);
            Arguments { source: Source::Kept(reader), start, q, infinite: *infinite }
        });
        Self::with(system, arguments.collect())
    }

    fn with(system: &'a Unit<F>, arguments: Vec<Arguments<'a, '_, F>>) -> Self {
        let f = system.fp();
        let places = system.shifted(&arguments.iter().map(|pair| pair.q).collect::<Vec<_>>());
        let states = arguments.into_iter().zip(places).map(|(pair, at)| {
            at! {f; vertical = sum(&[plus(&at[0]), minus(&pair.start)]);}
            State { source: pair.source, at, vertical, infinite: pair.infinite }
        });
        Moving { system, states: states.collect() }
    }

    /// x and the quotients of one point; one inversion.
    pub(super) fn prepare(system: &Unit<F>, point: &Affine<F>) -> Kept<F> {
        let f = system.fp();
        let traced = trace(f, &system.a, point, &system.length);
        let mut inverses: Vec<F::Elem> =
            traced.iter().flat_map(|(line, sum)| [line.y.clone(), sum.zz.clone()]).collect();
        f.inv_many(&mut inverses);
        let mut kept = Kept::new();
        kept.push(f, &point.x);
        for ((line, sum), i) in traced.iter().zip(inverses.chunks(2)) {
            at! {f; x = mul(&line.x, &i[0]); c = mul(&line.c, &i[0]); vertical = mul(&sum.x, &i[1]);}
            [x, c, vertical].iter().for_each(|x| kept.push(f, x));
        }
        kept.complete()
    }

    /// The product of f_{r,P}(Q + R); one inversion.
    pub(super) fn run(mut self) -> F::Elem {
        let system = self.system;
        let f = system.fp();
        let Quotient { mut numerator, denominator } = miller(&mut self, &system.length);
        // f_r = g·Z·(x − x_P)
        for s in &self.states {
            numerator = absorb(f, numerator, &s.vertical, s.infinite);
            if let Source::Running(t, _) = &s.source {
                numerator = absorb(f, numerator, &t.z, s.infinite);
            }
        }
        at! {f; inverse = inv(&denominator); quotient = mul(&numerator, &inverse);}
        quotient
    }

    /// g times the quotients that `step` gives, which moves every point.
    fn step(
        &mut self,
        name: &'static str,
        mut g: Quotient<F::Elem>,
        step: impl Fn(&Affine<F>, &mut Running<F::Elem>, &mut Line<F::Elem>),
    ) -> Quotient<F::Elem> {
        let (f, mut line, mut kept) = (self.system.fp(), Line::default(), <[F::Elem; 3]>::blank());
        for s in &mut self.states {
            let Quotient { numerator, denominator } = g;
            g = f.routine(name, || {
                let [x, y] = &s.at;
                let (mut top, mut bottom) = (f.zero(), f.zero());
                match &mut s.source {
                    Source::Running(t, start) => {
                        step(start, t, &mut line);
                        at! {f; slope = mul_add(&line.y, y, &line.x, x); place = mul(x, &t.zz);}
                        f.sum(&mut top, &[plus(&slope), plus(&line.c)]); // L = l_y·y + l_x·x + l_c
                        f.sum(&mut bottom, &[plus(&place), minus(&t.x)]); // V = xZ'² − X'
                    }
                    Source::Kept(lines) => {
                        kept.iter_mut().for_each(|x| lines.next(f, x));
                        let [slope, c, vertical] = &kept;
                        at! {f; lx = mul(slope, x);}
                        f.sum(&mut top, &[plus(y), plus(&lx), plus(c)]); // y + l_x·x + l_c
                        f.sum(&mut bottom, &[plus(x), minus(vertical)]); // x − x'
                    }
                }
                Quotient {
                    numerator: absorb(f, numerator, &top, s.infinite),
                    denominator: absorb(f, denominator, &bottom, s.infinite),
                }
            });
        }
        g
    }
}

impl<F: Prime> Lines for Moving<'_, F> {
    type Value = Quotient<F::Elem>;

    /// The loop is a NAF: d = 1, Z = 1.
    fn start(&mut self, _: i8) -> Quotient<F::Elem> {
        let f = self.system.fp();
        Quotient { numerator: f.one(), denominator: f.one() }
    }

    fn square(&self, g: Quotient<F::Elem>) -> Quotient<F::Elem> {
        at! {self.system.fp(); numerator = sqr(&g.numerator); denominator = sqr(&g.denominator);}
        Quotient { numerator, denominator }
    }

    fn double(&mut self, g: Quotient<F::Elem>) -> Quotient<F::Elem> {
        let (f, a) = (self.system.fp(), &self.system.a);
        self.step("doubling step", g, |_, t, line| double_step(f, a, t, line))
    }

    fn join(&mut self, d: i8, mut g: Quotient<F::Elem>) -> Quotient<F::Elem> {
        // f_{−1} = 1/(x − x_P)
        for s in self.states.iter().filter(|_| d < 0) {
            g.denominator = absorb(self.system.fp(), g.denominator, &s.vertical, s.infinite);
        }
        g
    }

    fn add(&mut self, d: i8, mut g: Quotient<F::Elem>) -> Quotient<F::Elem> {
        let f = self.system.fp();
        for s in &self.states {
            if let Source::Running(t, _) = &s.source {
                g.numerator = absorb(f, g.numerator, &t.z, s.infinite);
            }
        }
        self.step("addition step", g, |start, t, line| add_signed(f, t, line, start, d))
    }
}
