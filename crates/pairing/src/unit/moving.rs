//! The pairs of several products on their way through the loop, numerators and denominators apart.
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
use crate::quadratic::{Line, Running, add_signed, at_start, double_step, owners, trace};
use bilinear_field::{Blank, Extension, Field, Prime, at, minus, plus};

/// Where the lines of a pair come from.
enum Source<'a, F: Prime> {
    /// A point on its way, and where it started.
    Running(Running<F::Elem>, Affine<F>),
    /// Kept ones: l_x, l_c and x' of each quotient (y + l_x·x + l_c)/(x − x').
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

/// One pair on its way through the loop.
struct State<'a, F: Prime> {
    source: Source<'a, F>,
    /// Q + R.
    at: [F::Elem; 2],
    /// x − x_P there.
    vertical: F::Elem,
    infinite: Option<F::Mask>,
    /// The product that the pair belongs to.
    product: usize,
}

/// x_P and the quotients of a prepared P, Q, and the lanes where one of them is O.
type KeptPair<'a, 'b, F> = (&'a Kept<F>, &'b Affine<F>, Option<<F as Field>::Mask>);

/// The pairs of several products, as a source of lines. The loop's accumulators are the numerators.
pub struct Moving<'a, F: Prime> {
    system: &'a Unit<F>,
    states: Vec<State<'a, F>>,
    denominators: Vec<F::Elem>,
}

/// f ← f·x, or f where the pair has an O.
fn absorb<F: Field>(f: &F, acc: &mut F::Elem, x: &F::Elem, infinite: Option<F::Mask>) {
    at! {f; product = mul(acc, x);}
    match infinite {
        None => *acc = product,
        Some(mask) => {
            at! {f; kept = select(mask, acc, &product);}
            *acc = kept;
        }
    }
}

impl<'a, F: Prime> Moving<'a, F> {
    /// The pairs of products 0, 1, …: consecutive runs of `pairs` of the given sizes.
    ///
    /// # Panics
    /// If the sizes do not add up to the number of pairs.
    pub fn new(system: &'a Unit<F>, pairs: &[Pair<F>], sizes: &[usize]) -> Self {
        let arguments = pairs.iter().map(|pair| Arguments {
            source: Source::Running(at_start(system.fp(), &pair.p), pair.p.clone()),
            start: pair.p.x.clone(),
            q: &pair.q,
            infinite: pair.infinite,
        });
        Self::with(system, arguments.collect(), sizes)
    }

    /// The same with kept lines.
    pub(super) fn kept(system: &'a Unit<F>, pairs: &[KeptPair<'a, '_, F>], sizes: &[usize]) -> Self {
        let arguments = pairs.iter().map(|(kept, q, infinite)| {
            let (mut reader, mut start) = (kept.reader(), F::Elem::blank());
            reader.next(system.fp(), &mut start);
            Arguments { source: Source::Kept(reader), start, q, infinite: *infinite }
        });
        Self::with(system, arguments.collect(), sizes)
    }

    fn with(system: &'a Unit<F>, arguments: Vec<Arguments<'a, '_, F>>, sizes: &[usize]) -> Self {
        let f = system.fp();
        let places = system.shifted(&arguments.iter().map(|pair| pair.q).collect::<Vec<_>>());
        let owners: Vec<usize> = owners(sizes, arguments.len()).collect();
        let states = arguments.into_iter().zip(places).zip(owners).map(|((pair, at), product)| {
            at! {f; vertical = sum(&[plus(&at[0]), minus(&pair.start)]);}
            State { source: pair.source, at, vertical, infinite: pair.infinite, product }
        });
        Moving { system, states: states.collect(), denominators: vec![f.one(); sizes.len()] }
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

    /// f_{r,P}(Q + R) for every product; one inversion for all.
    pub(super) fn run(mut self, products: usize) -> Vec<F::Elem> {
        let system = self.system;
        let f = system.fp();
        let mut acc = vec![f.one(); products];
        miller(&mut self, &system.length, &mut acc);
        for s in &self.states {
            let numerator = &mut acc[s.product];
            absorb(f, numerator, &s.vertical, s.infinite);
            if let Source::Running(t, _) = &s.source {
                absorb(f, numerator, &t.z, s.infinite);
            }
        }
        f.inv_many(&mut self.denominators);
        for (numerator, i) in acc.iter_mut().zip(&self.denominators) {
            absorb(f, numerator, i, None);
        }
        acc
    }

    /// Moves every point by `step`, which gives L, and multiplies the quotients in.
    fn step(
        &mut self,
        name: &'static str,
        acc: &mut [F::Elem],
        step: impl Fn(&Affine<F>, &mut Running<F::Elem>, &mut Line<F::Elem>),
    ) {
        let (f, mut line, mut kept) = (self.system.fp(), Line::default(), <[F::Elem; 3]>::blank());
        for s in &mut self.states {
            f.routine(name, || {
                let [x, y] = &s.at;
                let (mut numerator, mut denominator) = (f.zero(), f.zero());
                match &mut s.source {
                    Source::Running(t, start) => {
                        step(start, t, &mut line);
                        f.mul_add(&mut numerator, &line.y, y, &line.x, x);
                        at! {f; value = sum(&[plus(&numerator), plus(&line.c)]); place = mul(x, &t.zz);}
                        numerator = value;
                        f.sum(&mut denominator, &[plus(&place), minus(&t.x)]);
                    }
                    Source::Kept(lines) => {
                        kept.iter_mut().for_each(|x| lines.next(f, x));
                        let [slope, c, vertical] = &kept;
                        at! {f; lx = mul(slope, x);}
                        f.sum(&mut numerator, &[plus(y), plus(&lx), plus(c)]);
                        f.sum(&mut denominator, &[plus(x), minus(vertical)]);
                    }
                }
                absorb(f, &mut acc[s.product], &numerator, s.infinite);
                absorb(f, &mut self.denominators[s.product], &denominator, s.infinite);
            });
        }
    }
}

impl<F: Prime> Lines for Moving<'_, F> {
    type Target = F;

    fn target(&self) -> &F {
        self.system.fp()
    }

    /// The loop is a NAF: d = 1, Z = 1.
    fn start(&mut self, _: i8, acc: &mut [F::Elem]) {
        acc.fill(self.system.fp().one());
        self.denominators.fill(self.system.fp().one());
    }

    /// The loop has squared the numerators; the denominators follow.
    fn double(&mut self, acc: &mut [F::Elem]) {
        let (f, a) = (self.system.fp(), &self.system.a);
        for x in &mut self.denominators {
            at! {f; square = sqr(x);}
            *x = square;
        }
        self.step("doubling step", acc, |_, t, line| double_step(f, a, t, line));
    }

    fn join(&mut self, d: i8, _: &mut [F::Elem]) {
        let f = self.system.fp();
        if d < 0 {
            for s in &self.states {
                absorb(f, &mut self.denominators[s.product], &s.vertical, s.infinite);
            }
        }
    }

    fn add(&mut self, d: i8, acc: &mut [F::Elem]) {
        let f = self.system.fp();
        for s in &self.states {
            if let Source::Running(t, _) = &s.source {
                absorb(f, &mut acc[s.product], &t.z, s.infinite);
            }
        }
        self.step("addition step", acc, |start, t, line| add_signed(f, t, line, start, d));
    }
}
