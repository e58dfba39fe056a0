//! Prepared functions for a fixed first argument, such as a decryption key (the "pairing preprocessing" of PBC).
//!
//! Several steps of the loop are merged (Costello and Stebila, Fixed argument pairings, LATINCRYPT 2010; the parabola of
//! Eisenträger, Lauter and Montgomery, CT-RSA 2003, is the case of one doubling and one addition). For m ↦ 2^w·m + d the
//! loop needs f ↦ f^(2^w)·g with
//!
//! div g = 2^w·(T) + |d|·(±P) + (−T') − (2^w + |d| + 1)·(O),   T' = 2^w·T + dP,
//!
//! up to vertical lines, which vanish in the final exponentiation. Such a g is a(x) + b(x)·y with 2^w + |d| + 1
//! coefficients, as many as the order of its pole. One coefficient is 1, and all depend on P alone. At φ(Q) =
//! (−xQ, iyQ), g is a(−xQ) + b(−xQ)·yQ·i: 2^w + |d| − 1 products with powers of Q's coordinates, 2 reductions, no inversion.

use super::blocks::Block;
use super::function::MonicFunction;
use super::product::{mul_by_line, square};
use super::{Fq2, SupersingularPairing};
use crate::curve::Affine;
use crate::line_coefficients::{LineCoefficients, LineReader};
use crate::miller::Lines;
use bilinear_field::{Blank, CollectVec, Prime, at, plus};

/// The function of one block, broadcast to every lane, without its leading 1.
struct BlockFunction<E> {
    /// True if the leading 1 is the next coefficient of a; false if it is that of b.
    leads_in_a: bool,
    /// The coefficients of a and of b, from the constant one up.
    a: Vec<E>,
    b: Vec<E>,
}

/// The shape of a block's function: its numbers of coefficients.
#[derive(Clone, Copy)]
pub(super) struct CoefficientCounts {
    leads_in_a: bool,
    a: usize,
    b: usize,
}

impl CoefficientCounts {
    /// Returns the shape of a function whose pole at O has order p ≥ 3. x^i has a pole of order 2i, x^j·y of order
    /// 2j + 3, and the leading 1 is the term of order p.
    fn of(pole: usize) -> Self {
        let leads_in_a = pole.is_multiple_of(2);
        let a = pole / 2 + usize::from(!leads_in_a);
        CoefficientCounts { leads_in_a, a, b: pole - 1 - a }
    }
}

/// Returns the shapes of the functions of all blocks. The addition of the closing block has no chord.
pub(super) fn shapes(blocks: &[Block]) -> Vec<CoefficientCounts> {
    let closing = |i: usize, block: &Block| usize::from(i + 1 == blocks.len() && block.digit != 0);
    blocks.iter().enumerate().map(|(i, block)| CoefficientCounts::of(block.pole() - closing(i, block))).collect_vec()
}

/// Stores the coefficients of the functions of all blocks, in the order of use, without the leading 1.
pub(super) fn keep<F: Prime>(f: &F, functions: impl Iterator<Item = MonicFunction<F::Elem>>) -> LineCoefficients<F> {
    let mut coefficients = LineCoefficients::new();
    for function in functions {
        let leads_in_a = function.leads_in_a();
        let MonicFunction { mut a, mut b } = function;
        if leads_in_a {
            a.pop()
        } else {
            b.pop()
        };
        a.iter().chain(&b).for_each(|c| coefficients.push(f, c));
    }
    coefficients.complete()
}

/// The powers X, X², … and y, X·y, … for X = −xQ, in which prepared functions are evaluated.
#[derive(Clone, Debug)]
pub struct CoordinatePowers<E> {
    x: Vec<E>,
    xy: Vec<E>,
}

impl<F: Prime> SupersingularPairing<F> {
    /// Computes the powers of Q ≠ O that any prepared function needs: about ten products.
    pub fn powers(&self, q: &Affine<F>) -> CoordinatePowers<F::Elem> {
        let f = self.fq();
        let pole = self.blocks.iter().map(|b| b.pole()).max().unwrap_or(3);
        at! {f; minus_x = neg(&q.x);}
        let (mut x, mut xy) = (vec![minus_x], vec![q.y.clone()]);
        // x^i has a pole of order 2i, x^j·y of order 2j + 3
        for i in 1..pole / 2 {
            x.push(at!(f; mul(&x[i - 1], &x[0])));
        }
        for i in 0..(pole - 3) / 2 {
            xy.push(at!(f; mul(&xy[i], &x[0])));
        }
        CoordinatePowers { x, xy }
    }
}

/// The state of a prepared P in the loop, and the Q with which it is paired.
struct PreparedState<'a, F: Prime> {
    coefficients: LineReader<'a, F>,
    powers: CoordinatePowers<F::Elem>,
    infinite: Option<F::Mask>,
}

/// The pairs of a product with prepared P, as a source of lines.
pub struct PreparedFunctions<'a, F: Prime> {
    system: &'a SupersingularPairing<F>,
    states: Vec<PreparedState<'a, F>>,
    step: BlockFunction<F::Elem>,
    /// The index of the next block, and the number of doublings left before its function.
    next: usize,
    doublings: u32,
}

impl<'a, F: Prime> PreparedFunctions<'a, F> {
    /// Creates the source from the stored coefficients of each prepared P, the Q, and the mask of the lanes where one
    /// of the two points is O.
    pub fn new(
        system: &'a SupersingularPairing<F>,
        pairs: impl IntoIterator<Item = (&'a LineCoefficients<F>, &'a Affine<F>, Option<F::Mask>)>,
    ) -> Self {
        let state = |(lines, q, infinite): (&'a LineCoefficients<F>, &Affine<F>, _)| PreparedState {
            coefficients: lines.reader(),
            powers: system.powers(q),
            infinite,
        };
        let step = BlockFunction { leads_in_a: false, a: vec![], b: vec![] };
        let doublings = system.blocks.first().map_or(0, |block| block.width);
        PreparedFunctions { system, states: pairs.into_iter().map(state).collect_vec(), step, next: 0, doublings }
    }
}

impl<E: Blank + Clone> BlockFunction<E> {
    /// Reads the coefficients of a function of this shape.
    fn read<F: Prime<Elem = E>>(&mut self, f: &F, shape: CoefficientCounts, coefficients: &mut LineReader<'_, F>) {
        self.leads_in_a = shape.leads_in_a;
        self.a.resize_with(shape.a, E::blank);
        self.b.resize_with(shape.b, E::blank);
        self.a.iter_mut().chain(&mut self.b).for_each(|c| coefficients.next(f, c));
    }

    /// Computes the value of the function at φ(Q).
    #[inline]
    fn at<F: Prime<Elem = E>>(&self, f: &F, out: &mut Fq2<F>, q: &CoordinatePowers<E>) {
        let (CoordinatePowers { x, xy }, BlockFunction { a, b, .. }) = (q, self);
        let [re, im] = out;
        at! {f; rest = dot(&a[1..], &x[..a.len() - 1]);}
        if self.leads_in_a {
            f.sum(re, &[plus(&rest), plus(&a[0]), plus(&x[a.len() - 1])]);
            f.dot(im, b, &xy[..b.len()]);
        } else {
            f.sum(re, &[plus(&rest), plus(&a[0])]);
            if b.is_empty() {
                im.clone_from(&xy[0]);
            } else {
                at! {f; rest = dot(b, &xy[..b.len()]);}
                f.sum(im, &[plus(&rest), plus(&xy[b.len()])]);
            }
        }
    }
}

impl<F: Prime> Lines for PreparedFunctions<'_, F> {
    type Value = Option<Fq2<F>>;

    fn one(&self) -> Option<Fq2<F>> {
        None
    }

    /// The loop over blocks starts with d = 1.
    fn start(&mut self, _: i8) -> Option<Fq2<F>> {
        None
    }

    fn square(&self, f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        square(self.system.fq2(), f)
    }

    /// At the last doubling of a block, multiplies f by the block's function. The function includes the addition that
    /// follows.
    fn double(&mut self, mut f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        self.doublings -= 1;
        if self.doublings > 0 {
            return f;
        }
        let (fq, fq2) = (self.system.fq(), self.system.fq2());
        let mut value = Fq2::<F>::blank();
        for PreparedState { coefficients, powers, infinite } in &mut self.states {
            self.step.read(fq, self.system.shapes[self.next], coefficients);
            f = fq.routine("function", || {
                self.step.at(fq, &mut value, powers);
                mul_by_line(fq2, f.take(), &value, *infinite)
            });
        }
        self.next += 1;
        self.doublings = self.system.blocks.get(self.next).map_or(0, |block| block.width);
        f
    }

    fn add(&mut self, _: i8, f: Option<Fq2<F>>) -> Option<Fq2<F>> {
        f
    }
}
