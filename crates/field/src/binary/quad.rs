//! F_2^m four at a time: a lane is an element of its own. Products, squares and sums stay in registers where there are kernels for the
//! polynomial (`trinomial.rs`); elsewhere lanes are computed one after the other, by `Binary`.
//!
//! Words 2i and 2i + 1 of the four lanes stand side by side, as the kernels take them: eight words a digit. A last word of its own is four words.

use super::{Binary, Residue};
use crate::at;
use crate::blank::Blank;
use crate::choice::Choice;
use crate::contract::{Field, Lanes, Prime, parity};
use crate::term::{Term, plus};
use num_bigint::BigUint;

/// Lanes of an element.
pub(super) const LANES: usize = 4;

/// Four elements.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Residues<const N: usize>(pub(super) [[u64; LANES]; N]);

impl<const N: usize> Default for Residues<N> {
    fn default() -> Self {
        Residues([[0; LANES]; N])
    }
}

impl<const N: usize> Blank for Residues<N> {}

impl<const N: usize> Residues<N> {
    /// Where word i of a lane is.
    fn place(i: usize, lane: usize) -> [usize; 2] {
        let flat = if i | 1 < N { LANES * (i & !1) + 2 * lane + i % 2 } else { LANES * i + lane };
        [flat / LANES, flat % LANES]
    }

    fn lane(&self, lane: usize) -> Residue<N> {
        let mut out = Residue::default();
        for (i, word) in out.0.iter_mut().enumerate() {
            let [row, column] = Self::place(i, lane);
            *word = self.0[row][column];
        }
        out
    }

    fn set(&mut self, lane: usize, a: &Residue<N>) {
        for (i, word) in a.0.iter().enumerate() {
            let [row, column] = Self::place(i, lane);
            self.0[row][column] = *word;
        }
    }

    fn of(lanes: [&Residue<N>; LANES]) -> Self {
        let mut out = Residues::default();
        for (lane, a) in lanes.into_iter().enumerate() {
            out.set(lane, a);
        }
        out
    }

    fn lanes(&self) -> [Residue<N>; LANES] {
        [0, 1, 2, 3].map(|lane| self.lane(lane))
    }
}

/// Σ of three elements. Their addresses are in registers: in an array they would be stored one by one and read by two, which waits.
type Three<const N: usize> = fn(&mut Residues<N>, &Residues<N>, &Residues<N>, &Residues<N>);
/// The same of four.
type Four<const N: usize> = fn(&mut Residues<N>, &Residues<N>, &Residues<N>, &Residues<N>, &Residues<N>);

/// Operations on four elements in registers.
#[derive(Clone, Copy)]
pub(super) struct Kernels<const N: usize> {
    /// a·b.
    pub(super) mul: fn(&mut Residues<N>, &Residues<N>, &Residues<N>),
    /// a².
    pub(super) sqr: fn(&mut Residues<N>, &Residues<N>),
    /// a^(2^n), in the place of a.
    pub(super) squares: fn(&mut Residues<N>, usize),
    /// a + b.
    pub(super) add: fn(&mut Residues<N>, &Residues<N>, &Residues<N>),
    /// a + b + c.
    pub(super) add_three: Three<N>,
    /// a + b + c + d.
    pub(super) add_four: Four<N>,
}

/// Σ of the terms.
fn added<const N: usize, const K: usize>(out: &mut Residues<N>, terms: [&Residues<N>; K]) {
    for (i, row) in out.0.iter_mut().enumerate() {
        for (lane, word) in row.iter_mut().enumerate() {
            *word = terms.iter().fold(0, |sum, term| sum ^ term.0[i][lane]);
        }
    }
}

/// Σ c·x of any terms.
fn summed<const N: usize>(out: &mut Residues<N>, terms: &[Term<Residues<N>>]) {
    *out = Residues::default();
    for term in terms.iter().filter(|term| term.coeff & 1 == 1) {
        let so_far = out.clone();
        added(out, [&so_far, term.value]);
    }
}

/// A truth value for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Choices([Choice; LANES]);

/// F_2^m in four lanes.
#[derive(Clone)]
pub struct Quad<const N: usize> {
    field: Binary<N>,
    kernels: Option<Kernels<N>>,
}

impl<const N: usize> Quad<N> {
    /// Four lanes of a field.
    pub fn new(field: Binary<N>) -> Self {
        let kernels = field.kernels();
        Quad { field, kernels }
    }

    /// The lanes of a, each by itself.
    fn each(&self, out: &mut Residues<N>, a: &Residues<N>, of: impl Fn(&Residue<N>) -> Residue<N>) {
        *out = Residues::of(a.lanes().each_ref().map(of).each_ref());
    }

    /// a·b, the products of the lanes side by side.
    fn multiplied(&self, out: &mut Residues<N>, a: &Residues<N>, b: &Residues<N>) {
        let f = &self.field;
        let mut products: [<Binary<N> as Field>::Wide; LANES] = Blank::blank();
        f.mul_wide_four(products.each_mut(), a.lanes().each_ref(), b.lanes().each_ref());
        for (lane, product) in products.iter().enumerate() {
            at! {f; remainder = reduce(&[plus(product)]);}
            out.set(lane, &remainder);
        }
    }

    fn truths(&self, a: &Residues<N>, of: impl Fn(&Residue<N>) -> Choice) -> Choices {
        Choices(a.lanes().each_ref().map(of))
    }
}

impl<const N: usize> Field for Quad<N> {
    type Elem = Residues<N>;
    /// Products are reduced at once.
    type Wide = Residues<N>;
    type Mask = Choices;

    fn zero(&self) -> Residues<N> {
        Residues::default()
    }

    fn one(&self) -> Residues<N> {
        Residues::of([&self.field.one(); LANES])
    }

    #[inline]
    fn mul_wide(&self, out: &mut Residues<N>, a: &Residues<N>, b: &Residues<N>) {
        if let Some(kernels) = &self.kernels {
            return (kernels.mul)(out, a, b);
        }
        self.multiplied(out, a, b);
    }

    #[inline]
    fn sqr_wide(&self, out: &mut Residues<N>, a: &Residues<N>) {
        if let Some(kernels) = &self.kernels {
            return (kernels.sqr)(out, a);
        }
        self.each(out, a, |lane| self.field.squared(lane, 1));
    }

    fn lin(&self, out: &mut Residues<N>, terms: &[Term<Residues<N>>]) {
        self.sum(out, terms);
    }

    fn reduce(&self, out: &mut Residues<N>, terms: &[Term<Residues<N>>]) {
        self.sum(out, terms);
    }

    #[inline]
    fn mul(&self, out: &mut Residues<N>, a: &Residues<N>, b: &Residues<N>) {
        self.mul_wide(out, a, b);
    }

    #[inline]
    fn sqr(&self, out: &mut Residues<N>, a: &Residues<N>) {
        self.sqr_wide(out, a);
    }

    fn sqr_all(&self, xs: &mut [Residues<N>], n: usize) {
        for x in xs {
            match &self.kernels {
                Some(kernels) => (kernels.squares)(x, n),
                None => {
                    let from = x.clone();
                    self.each(x, &from, |lane| self.field.squared(lane, n));
                }
            }
        }
    }

    #[inline]
    fn add(&self, out: &mut Residues<N>, a: &Residues<N>, b: &Residues<N>) {
        match &self.kernels {
            Some(kernels) => (kernels.add)(out, a, b),
            None => added(out, [a, b]),
        }
    }

    #[inline(always)]
    fn sum(&self, out: &mut Residues<N>, terms: &[Term<Residues<N>>]) {
        match (terms, &self.kernels) {
            ([Term { coeff: 1, value: a }, Term { coeff: 1, value: b }], Some(kernels)) => (kernels.add)(out, a, b),
            (
                [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }, Term { coeff: 1, value: c }],
                Some(kernels),
            ) => (kernels.add_three)(out, a, b, c),
            (
                [
                    Term { coeff: 1, value: a },
                    Term { coeff: 1, value: b },
                    Term { coeff: 1, value: c },
                    Term { coeff: 1, value: d },
                ],
                Some(kernels),
            ) => (kernels.add_four)(out, a, b, c, d),
            _ => summed(out, terms),
        }
    }

    /// Of each lane by itself.
    fn inv(&self, out: &mut Residues<N>, a: &Residues<N>) {
        self.each(out, a, |lane| {
            at! {self.field; inverse = inv(lane);}
            inverse
        });
    }

    fn select(&self, out: &mut Residues<N>, mask: Choices, a: &Residues<N>, b: &Residues<N>) {
        for (lane, mask) in mask.0.into_iter().enumerate() {
            at! {self.field; chosen = select(mask, &a.lane(lane), &b.lane(lane));}
            out.set(lane, &chosen);
        }
    }

    fn is_zero(&self, a: &Residues<N>) -> Choices {
        self.truths(a, |lane| self.field.is_zero(lane))
    }

    fn mask(&self, value: bool) -> Choices {
        Choices([self.field.mask(value); LANES])
    }

    fn mask_from(&self, values: &[bool]) -> Choices {
        Choices(std::array::from_fn(|lane| self.field.mask(values.get(lane).copied().unwrap_or(false))))
    }

    fn both(&self, a: Choices, b: Choices) -> Choices {
        Choices(std::array::from_fn(|lane| a.0[lane] & b.0[lane]))
    }

    fn not(&self, a: Choices) -> Choices {
        Choices(a.0.map(|choice| !choice))
    }
}

impl<const N: usize> Prime for Quad<N> {
    type Uniform = Residue<N>;

    fn modulus(&self) -> &BigUint {
        self.field.modulus()
    }

    fn constant(&self, x: &BigUint) -> Residues<N> {
        Residues::of([&self.field.constant(x); LANES])
    }

    fn uniform(&self, a: &Residues<N>) -> Residue<N> {
        a.lane(0)
    }

    fn broadcast(&self, out: &mut Residues<N>, a: &Residue<N>) {
        *out = Residues::of([a; LANES]);
    }

    fn is_odd(&self, a: &Residues<N>) -> Choices {
        parity(self, a)
    }
}

impl<const N: usize> Lanes for Quad<N> {
    const LANES: usize = LANES;

    fn load(&self, out: &mut Residues<N>, values: &[&[u64]]) {
        assert!(values.len() <= LANES, "{LANES} lanes");
        *out = Residues::default();
        for (lane, value) in values.iter().enumerate() {
            at! {self.field; own = load(&[value]);}
            out.set(lane, &own);
        }
    }

    fn store(&self, words: &mut [u64], a: &Residues<N>, lane: usize) {
        self.field.store(words, &a.lane(lane), 0);
    }

    fn gather<'a>(&self, out: &mut Residues<N>, residue: impl Fn(usize) -> &'a Residue<N>) {
        *out = Residues::of([residue(0), residue(1), residue(2), residue(3)]);
    }

    fn scatter(&self, a: &Residues<N>, mut take: impl FnMut(usize, &Residue<N>)) {
        for lane in 0..LANES {
            take(lane, &a.lane(lane));
        }
    }

    fn lane(&self, mask: Choices, lane: usize) -> bool {
        self.field.lane(mask.0[lane], 0)
    }
}
