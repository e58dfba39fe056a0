//! The Weil pairings of Aranha, Knapp, Menezes and Rodríguez-Henríquez (Parallelizing the Weil and Tate pairings, IMACC 2011, section 4) on
//! curves with k = 12.
//!
//! For s and h(x) = Σ h_i·x^i with h(s) ≡ 0 (mod r) let f_{s,h,R} have the divisor Σ h_i·((s^i·R) − (O)). Then
//!
//! * β: s = p, the h of the optimal ate pairing: ((f_{p,h,P}(Q)/f_{p,h,Q}(P))^p·f_{p,h,pP}(Q)/f_{p,h,Q}(pP))^((p^6 − 1)(p² + 1)), with
//!   h = 6u + 2 + x − x² + x³ for BN, u − x for BLS12;
//! * α: s = p²: (f_{p²,h,P}(Q)/f_{p²,h,Q}(P))^((p^6 − 1)(p² + 1)), with h = (2u + 1) + (6u² + 2u)x for BN, u² − x for BLS12
//!
//! are bilinear and non-degenerate. Their loops are independent of each other, and there is no hard part, so they
//! suit many cores. On one core they cost more than the optimal ate pairing. Vertical lines lie in F_p^6 and vanish
//! in the power p^6 − 1, where 1/f is the conjugate.
//!
//! p² acts on G1 as an automorphism of the curve, and p ≡ a + b·p² (mod r) with a and b about as long as u:
//! a = −(4u + 1), b = 2u + 1 for BN; a = u, b = 0 for BLS12. On G2 p^i acts as ψ^i, so f_{m,p²Q}(P) = f_{m,Q}(P)^(p²).

use super::direction::{Direction, PairsOf, SexticSteps};
use super::family;
use super::membership::Automorphism;
use super::product::SparseProduct;
use super::{E, Fpk, SexticPairing, SexticParameters};
use crate::LineCoefficients;
use crate::bilinear_groups::Pair;
use crate::curve::Affine;
use crate::digits::short_naf;
use crate::line_coefficients::LineReader;
use crate::miller::{LoopDigits, LoopPart};
use crate::moving::{Ate, Moving, Tate};
use crate::names::PairingKind;
use bilinear_field::{Blank, CollectVec, Extension, Field, Prime, at};
use bilinear_params::SexticKind;
use num_bigint::{BigInt, BigUint};
use num_traits::Signed;

/// The Weil pairings of a curve.
#[derive(Clone, Debug)]
pub(super) struct WeilPairings<C> {
    beta: Vec<WeilFunction>,
    alpha: Vec<WeilFunction>,
    /// The a and b with p ≡ a + b·p² (mod r).
    p: [BigInt; 2],
    /// The γ with p²·(x, y) = (γx, ±y) on G1, and whether the sign is minus.
    square: (C, bool),
}

/// A function f_{m,R}, and its role in a Weil pairing.
#[derive(Clone, Debug)]
struct WeilFunction {
    /// The digits of |m|.
    length: LoopDigits,
    negative: bool,
    /// True if R is p^i·P and the value is f_{m,R}(Q). Otherwise R is Q, and the value is the inverse of
    /// f_{m,Q}(p^i·P).
    moves_p: bool,
    /// The exponent i of p^i·P.
    multiple: usize,
    /// Whether the lines through mR and pR, and through mR + pR and −p²R, follow the loop, as BN's h requires.
    closes: bool,
    /// The exponent j of the power p^j to which the value is raised.
    frobenius: usize,
}

impl WeilFunction {
    fn new(m: &BigInt, moves_p: bool, [multiple, frobenius]: [usize; 2], closes: bool) -> Self {
        let length = LoopDigits { digits: short_naf(m.magnitude()), closes: false };
        WeilFunction { length, negative: m.is_negative(), moves_p, multiple, closes, frobenius }
    }
}

impl<C> WeilPairings<C> {
    /// Creates the Weil pairings of a BN or BLS12 curve; returns `None` for other families.
    pub(super) fn new(
        n: &SexticParameters,
        automorphism: &Automorphism,
        constant: impl Fn(&BigUint) -> C,
    ) -> Option<Self> {
        let (u, sides) = (&n.u, [true, false]);
        let (p, alpha): ([BigInt; 2], Vec<WeilFunction>) = match n.kind {
            SexticKind::Bn => {
                // f_{2u+1,P}·f_{6u²+2u,p²P}: (2u + 1)P + (6u² + 2u)p²P = O, so no line but a vertical one joins them
                let short = sides.map(|moves_p| WeilFunction::new(&(u * 2 + 1), moves_p, [0, 0], false));
                let long = sides.map(|moves_p| {
                    let place = if moves_p { [2, 0] } else { [0, 2] };
                    WeilFunction::new(&(u * u * 6 + u * 2), moves_p, place, false)
                });
                ([u * -4 - 1, u * 2 + 1], short.into_iter().chain(long).collect_vec())
            }
            SexticKind::Bls12 => {
                let both = sides.map(|moves_p| WeilFunction::new(&(u * u), moves_p, [0, 0], false));
                ([u.clone(), BigInt::ZERO], both.into())
            }
            _ => return None,
        };
        let (m, closes) = (family::loop_length(n.kind, u), n.kind == SexticKind::Bn);
        let places = [[0, 1], [1, 0]];
        let beta =
            places.into_iter().flat_map(|place| sides.map(|moves_p| WeilFunction::new(&m, moves_p, place, closes)));
        let square = automorphism.acting_as(n, &BigInt::from(&n.p * &n.p % &n.r));
        let (gamma, minus) = square.unwrap_or_else(|| unreachable!("p² is a sixth root of 1 modulo r"));
        Some(WeilPairings { beta: beta.collect_vec(), alpha, p, square: (constant(&gamma), minus) })
    }
}

/// A pair with prepared Q: the stored lines of Q, the point P, and the lanes where one of the two points is O.
pub(super) type FixedQ<'a, F> = (&'a LineCoefficients<F>, &'a Affine<F>, Option<<F as Field>::Mask>);

/// A function that multiplies f by the lines that follow the loop of a running point.
type Close<'a, F, D> = dyn Fn(&mut PairsOf<'a, F, D>, SparseProduct<F>) -> SparseProduct<F> + 'a;

impl<F: Prime> SexticPairing<F> {
    fn weil(&self) -> &WeilPairings<F::Elem> {
        self.weil.as_ref().unwrap_or_else(|| panic!("the family has no Weil pairings"))
    }

    fn weil_functions(&self, pairing: PairingKind) -> &[WeilFunction] {
        let weil = self.weil();
        if pairing == PairingKind::BetaWeil { &weil.beta } else { &weil.alpha }
    }

    /// The digits of the loops of a Weil pairing.
    pub(super) fn weil_loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        self.weil_functions(pairing).iter().map(|function| function.length.clone()).collect_vec()
    }

    /// Returns the contribution of some steps of one loop of a Weil pairing.
    pub(super) fn weil_part(&self, pairing: PairingKind, pairs: &[Pair<E<F>>], part: LoopPart) -> Fpk<F> {
        let function = &self.weil_functions(pairing)[part.number];
        let points: Vec<[Affine<F>; 4]> = pairs.iter().map(|pair| self.powers_of_p(&pair.p)).collect_vec();
        if function.moves_p {
            return self.of_p(function, part, points.iter().zip(pairs).map(|(p, pair)| (p, &pair.q, pair.infinite)));
        }
        let running = points.iter().zip(pairs).map(|(p, Pair { q, infinite, .. })| {
            let other = &p[function.multiple];
            (vec![q.clone()], [other.x.clone(), other.y.clone()], *infinite)
        });
        self.of_q(function, part, Moving::new(SexticSteps::new(self), running))
    }

    /// Stores the coordinates of Q ≠ O and its lines in the loops of a Weil pairing, as
    /// [`SexticPairing::weil_prepared_part`] reads them.
    pub(super) fn prepare_weil(&self, pairing: PairingKind, q: &Affine<E<F>>) -> LineCoefficients<F> {
        let e = self.e();
        let mut kept = LineCoefficients::new();
        [&q.x, &q.y].into_iter().for_each(|x| kept.push(e, x));
        for function in self.weil_functions(pairing).iter().filter(|function| !function.moves_p) {
            let mut traced = PairsOf::<F, Ate>::traced(SexticSteps::new(self), q);
            self.looped(function, LoopPart::whole(0, &function.length), &mut traced, &*self.closing_of_q());
            for line in traced.into_lines() {
                [&line.x, &line.y, &line.c].into_iter().for_each(|x| kept.push(e, x));
            }
        }
        kept.complete()
    }

    /// Returns the contribution of some steps of one loop of a Weil pairing, for prepared Q.
    pub(super) fn weil_prepared_part(&self, pairing: PairingKind, pairs: &[FixedQ<'_, F>], part: LoopPart) -> Fpk<F> {
        let (e, functions) = (self.e(), self.weil_functions(pairing));
        let function = &functions[part.number];
        let points: Vec<[Affine<F>; 4]> = pairs.iter().map(|(_, p, _)| self.powers_of_p(p)).collect_vec();
        let mut readers: Vec<LineReader<'_, F>> = pairs.iter().map(|(lines, ..)| lines.reader()).collect_vec();
        let fixed: Vec<Affine<E<F>>> = readers
            .iter_mut()
            .map(|reader| {
                let [mut x, mut y] = Blank::blank();
                [&mut x, &mut y].into_iter().for_each(|x| reader.next(e, x));
                Affine { x, y, infinity: e.mask(false) }
            })
            .collect_vec();
        if function.moves_p {
            let pairs = points.iter().zip(&fixed).zip(pairs).map(|((p, q), (_, _, infinite))| (p, q, *infinite));
            return self.of_p(function, part, pairs);
        }
        // the lines of the loops before this one are stored first
        let before = functions[..part.number].iter().filter(|function| !function.moves_p);
        let before: usize = before.map(WeilFunction::lines).sum();
        readers.iter_mut().for_each(|reader| reader.skip(3 * e.degree() * before));
        let lines = readers.into_iter().zip(&points).zip(pairs).map(|((reader, p), (_, _, infinite))| {
            let other = &p[function.multiple];
            (reader, [other.x.clone(), other.y.clone()], *infinite)
        });
        self.of_q(function, part, Moving::prepared(SexticSteps::new(self), lines))
    }

    /// Returns P, pP, p²P and p³P.
    fn powers_of_p(&self, p: &Affine<F>) -> [Affine<F>; 4] {
        let (g1, [a, b]) = (&self.groups.g1, &self.weil().p);
        let square = self.times_p_squared(p); // p²P
        let sum = g1.msm(&[(a.clone(), p.clone()), (b.clone(), square.clone())]); // pP = aP + b·p²P
        let first = g1.normalise(&[sum]).remove(0);
        let third = self.times_p_squared(&first); // p³P
        [p.clone(), first, square, third]
    }

    fn times_p_squared(&self, p: &Affine<F>) -> Affine<F> {
        let (gamma, minus) = &self.weil().square;
        at! {self.fp(); x = mul(gamma, &p.x);}
        let point = Affine { x, y: p.y.clone(), infinity: p.infinity };
        if *minus { self.groups.g1.negate(&point) } else { point }
    }

    /// Returns f_{m,R}(Q) for R = p^i·P, to the function's power p^j.
    fn of_p<'a>(
        &'a self,
        function: &WeilFunction,
        part: LoopPart,
        pairs: impl Iterator<Item = (&'a [Affine<F>; 4], &'a Affine<E<F>>, Option<F::Mask>)>,
    ) -> Fpk<F> {
        let i = function.multiple;
        let running = pairs.map(|(p, q, infinite)| {
            // R, pR and p²R: the loop uses R, and the lines that follow it use pR and p²R
            let end = if function.closes { i + 3 } else { i + 1 };
            (p[i..end].to_vec(), [q.x.clone(), q.y.clone()], infinite)
        });
        let mut lines = Moving::new(SexticSteps::<F, Tate>::new(self), running);
        let close = |lines: &mut PairsOf<'a, F, Tate>, f| {
            let f = lines.add_point(f, |_, r| r[1].clone()); // f·l_{mR,pR}
            lines.add_point(f, |_, r| self.groups.g1.negate(&r[2])) // times l_{mR+pR,−p²R}
        };
        self.frobenius(&self.looped(function, part, &mut lines, &close), function.frobenius)
    }

    /// Returns 1/f_{m,Q}(p^i·P), to the function's power p^j.
    fn of_q<'a>(&'a self, function: &WeilFunction, part: LoopPart, mut lines: PairsOf<'a, F, Ate>) -> Fpk<F> {
        let f = self.looped(function, part, &mut lines, &*self.closing_of_q());
        self.frobenius(&self.conjugate(&f), function.frobenius)
    }

    fn closing_of_q<'a>(&'a self) -> Box<Close<'a, F, Ate>> {
        Box::new(|lines, f| self.corrections(PairingKind::OptAte, lines, f))
    }

    /// Returns f_{m,R}, or the contribution of a part of its loop.
    fn looped<'a, D: Direction<F>>(
        &'a self,
        function: &WeilFunction,
        part: LoopPart,
        lines: &mut PairsOf<'a, F, D>,
        close: &Close<'a, F, D>,
    ) -> Fpk<F> {
        let (e, pattern) = (self.e(), D::pattern(self));
        let closes = function.closes && part.end == function.length.steps();
        let f = self.signed_part(lines, &function.length, function.negative, part);
        let f = if closes { close(lines, f) } else { f };
        f.value(e, pattern).unwrap_or_else(|| self.groups.target.one())
    }
}

impl WeilFunction {
    /// The number of lines of the function's loop, with those that follow it.
    fn lines(&self) -> usize {
        let additions = self.length.digits[1..].iter().filter(|d| **d != 0).count();
        self.length.steps() + additions + if self.closes { 2 } else { 0 }
    }
}
