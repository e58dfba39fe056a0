//! Preparation of P: the functions of [`prepared`](super::prepared), computed from tangents, chords and verticals.
//!
//! Starting with G_1 = vertical(T), G_2m = G_m²·tangent(mT)/vertical(mT)² has divisor 2m(T) + (−2mT) − (2m + 1)(O).
//! Likewise F_(j+1) = F_j·chord(jP, P)/vertical(jP), starting with F_1 = vertical(P). The function of a block is
//! G_(2^w)·F_d·chord(2^w·T, dP)/(vertical(2^w·T)·vertical(dP)).

use super::SupersingularPairing;
use super::blocks::Block;
use super::function::MonicFunction;
use super::prepared::keep;
use crate::curve::Affine;
use crate::line_coefficients::LineCoefficients;
use bilinear_field::{CollectVec, Prime, at, minus, plus, times};

/// The points that one block passes: T, 2T, …, 2^w·T, and ±|d|P if the block adds one. The closing block has no
/// addend, since it would be −2^w·T.
struct Chain<F: Prime> {
    doubles: Vec<Affine<F>>,
    addend: Option<Affine<F>>,
}

/// A slope as a numerator and a denominator.
type Fraction<E> = (E, E);

impl<F: Prime> SupersingularPairing<F> {
    /// Computes the functions of a P ≠ O of order n, the same in every lane, and returns their coefficients. This
    /// takes as long as two to four pairings, and three inversions.
    pub fn functions(&self, p: &Affine<F>) -> LineCoefficients<F> {
        let multiples = self.multiples(p);
        let chains = self.chains(p, &multiples);
        let mut fractions: Vec<Fraction<F::Elem>> = vec![];
        for jp in &multiples[..multiples.len() - 1] {
            // the first chord is the tangent
            fractions.push(if fractions.is_empty() { self.tangent(jp) } else { self.chord(jp, p) });
        }
        for Chain { doubles, addend } in &chains {
            let (top, below) = doubles.split_last().unwrap_or_else(|| unreachable!("a chain starts with T"));
            fractions.extend(below.iter().map(|t| self.tangent(t)));
            fractions.extend(addend.iter().map(|r| self.chord(top, r)));
        }
        let slopes = self.slopes(fractions);
        let (first, mut slopes) = slopes.split_at(multiples.len() - 1);
        let fixed = self.fixed_functions(&multiples, first);
        let functions = self.blocks.iter().zip(&chains).map(|(block, chain)| {
            let (own, rest) = slopes.split_at(chain.doubles.len() - 1 + usize::from(chain.addend.is_some()));
            slopes = rest;
            self.block_function(*block, chain, &fixed, own)
        });
        keep(self.fq(), functions)
    }

    /// Returns P, 2P, …, as far as the digits need them.
    fn multiples(&self, p: &Affine<F>) -> Vec<Affine<F>> {
        let largest = self.blocks.iter().map(|b| b.digit.unsigned_abs()).max().unwrap_or(0);
        let mut multiples = vec![self.curve().to_jacobian(p)];
        for j in 1..usize::from(largest) {
            multiples.push(self.curve().add(&multiples[j - 1], p));
        }
        self.curve().normalise(&multiples)
    }

    /// Returns the points of every block.
    fn chains(&self, p: &Affine<F>, multiples: &[Affine<F>]) -> Vec<Chain<F>> {
        let curve = self.curve();
        let mut t = curve.to_jacobian(p);
        let mut points = vec![];
        let mut addends = vec![];
        for (i, block) in self.blocks.iter().enumerate() {
            points.push(t.clone());
            for _ in 0..block.width {
                t = curve.double(&t);
                points.push(t.clone());
            }
            let multiple = usize::from(block.digit.unsigned_abs()).checked_sub(1).map(|j| &multiples[j]);
            let addend = multiple.map(|r| if block.digit > 0 { r.clone() } else { curve.negate(r) });
            // the closing addition meets −2^w·T
            let addend = addend.filter(|_| i + 1 < self.blocks.len());
            if let Some(r) = &addend {
                t = curve.add(&t, r);
            }
            addends.push(addend);
        }
        let mut points = curve.normalise(&points).into_iter();
        let chain = |(block, addend): (&Block, _)| Chain {
            doubles: points.by_ref().take(block.width as usize + 1).collect_vec(),
            addend,
        };
        self.blocks.iter().zip(addends).map(chain).collect_vec()
    }

    /// Returns (3x² + 1)/2y.
    fn tangent(&self, t: &Affine<F>) -> Fraction<F::Elem> {
        let f = self.fq();
        at! {f;
            square = sqr(&t.x);
            numerator = sum(&[times(3, &square), plus(&f.one())]);
            denominator = sum(&[times(2, &t.y)]);
        }
        (numerator, denominator)
    }

    /// Returns (y_T − y_R)/(x_T − x_R).
    fn chord(&self, t: &Affine<F>, r: &Affine<F>) -> Fraction<F::Elem> {
        let f = self.fq();
        at! {f; numerator = sum(&[plus(&t.y), minus(&r.y)]); denominator = sum(&[plus(&t.x), minus(&r.x)]);}
        (numerator, denominator)
    }

    /// Computes the quotients, with one inversion.
    fn slopes(&self, fractions: Vec<Fraction<F::Elem>>) -> Vec<F::Elem> {
        let f = self.fq();
        let (numerators, mut denominators): (Vec<_>, Vec<_>) = fractions.into_iter().unzip();
        f.inv_many(&mut denominators);
        let quotient = |(n, d): (&F::Elem, &F::Elem)| at!(f; mul(n, d));
        numerators.iter().zip(&denominators).map(quotient).collect_vec()
    }

    /// Returns F_1, F_2, …
    fn fixed_functions(&self, multiples: &[Affine<F>], slopes: &[F::Elem]) -> Vec<MonicFunction<F::Elem>> {
        let mut functions = vec![self.vertical(&multiples[0])];
        for (j, (jp, slope)) in multiples.iter().zip(slopes).enumerate() {
            let next = self.times(&functions[j], &self.line(jp, slope));
            functions.push(self.without(&next, jp));
        }
        functions
    }

    /// Computes the function of a block.
    fn block_function(
        &self,
        block: Block,
        chain: &Chain<F>,
        fixed: &[MonicFunction<F::Elem>],
        slopes: &[F::Elem],
    ) -> MonicFunction<F::Elem> {
        let top = &chain.doubles[block.width as usize];
        // G_2, then G_4, …
        let mut g = self.line(&chain.doubles[0], &slopes[0]);
        for (t, slope) in chain.doubles[1..].iter().zip(&slopes[1..block.width as usize]) {
            g = self.times(&self.square(&g), &self.line(t, slope));
            g = self.without(&self.without(&g, t), t);
        }
        let Some(d) = usize::from(block.digit.unsigned_abs()).checked_sub(1) else { return g };
        g = self.times(&g, &if block.digit > 0 { fixed[d].clone() } else { self.reflect(&fixed[d]) });
        if let Some(r) = &chain.addend {
            g = self.times(&g, &self.line(r, &slopes[block.width as usize]));
            g = self.without(&g, r);
        }
        self.without(&g, top)
    }
}
