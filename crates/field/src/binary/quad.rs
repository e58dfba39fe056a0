//! F_2^m four at a time: each lane is an independent element. Products, squares and sums stay in registers if there are
//! kernels for the polynomial (`trinomial.rs`); otherwise the lanes are computed one after the other, by `Binary`.
//!
//! Words 2i and 2i + 1 of the four lanes stand side by side, as the kernels read them: eight words per digit. A last
//! word without a partner takes four words.

use super::kernels::Kernels;
use super::{Binary, Residue};
use crate::at;
use crate::blank::Blank;
use crate::choice::Choice;
use crate::contract::{Field, Lanes, Prime, parity};
use crate::term::{Term, plus};
use num_bigint::BigUint;

/// The number of lanes of an element.
pub(super) const LANES: usize = 4;

/// Four elements in lanes.
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
    /// Returns the row and the column of word i of a lane.
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

/// Computes the sum of the terms.
fn added<const N: usize, const K: usize>(out: &mut Residues<N>, terms: [&Residues<N>; K]) {
    for (i, row) in out.0.iter_mut().enumerate() {
        for (lane, word) in row.iter_mut().enumerate() {
            *word = terms.iter().fold(0, |sum, term| sum ^ term.0[i][lane]);
        }
    }
}

/// Computes Σ c·x of any terms.
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

/// The field F_2^m in four lanes.
#[derive(Clone)]
pub struct Quad<const N: usize> {
    field: Binary<N>,
    kernels: Option<Kernels<N>>,
}

impl<const N: usize> Quad<N> {
    /// Creates four lanes of a field.
    pub fn new(field: Binary<N>) -> Self {
        let kernels = field.kernels();
        Quad { field, kernels }
    }

    /// Applies a function to each lane of a separately.
    fn each(&self, out: &mut Residues<N>, a: &Residues<N>, of: impl Fn(&Residue<N>) -> Residue<N>) {
        *out = Residues::of(a.lanes().each_ref().map(of).each_ref());
    }

    /// Computes a·b with the products of the lanes side by side.
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
    /// Products are reduced immediately, so an unreduced value is an element.
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

    /// Inverts each lane separately.
    fn inv(&self, out: &mut Residues<N>, a: &Residues<N>) {
        self.each(out, a, |lane| at!(self.field; inv(lane)));
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

    fn and(&self, a: Choices, b: Choices) -> Choices {
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
        assert!(values.len() <= LANES, "this field has {LANES} lanes");
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
