//! Pairings on curves y² = x³ + b with a sextic twist: BN, BLS12, BLS24, BLS48, KSS18.
//!
//! F_p^k = E(w) with w^6 = ξ in E = F_p^(k/6), written as ((E, ξ)(v), v)(w): v = w². G1 is the subgroup of order r of
//! C(F_p), G2 that of the twist C': y² = x³ + b' over E; b' = b/ξ (type D, (x, y) ↦ (xw², yw³) into C(F_p^k)) or b' = bξ
//! (type M, (x, y) ↦ (x/w², y/w³)). Vertical lines lie in F_p^(k/2) and vanish in the final exponentiation.
//!
//! [`PairingKind`] chooses the function that e(P, Q) stands for; the exponent is (p^k − 1)/r.

mod bilinear_groups;
mod cofactor;
mod compressed;
mod corrections;
mod cyclotomic;
mod direction;
mod easy;
mod family;
mod frobenius;
mod groups;
mod hard;
mod line;
mod membership;
mod power;
mod product;
mod step;
#[cfg(test)]
mod tests;
mod tower;
mod weil;

pub use direction::Direction;
pub use family::pairings;
pub use frobenius::FrobeniusConstants;
pub use line::Pattern;
pub use product::SparseProduct;
pub use step::{Homogeneous, TripleB, add_step, double_step};
pub use tower::SexticTower;

use crate::bilinear_groups::Groups;
use crate::cost_model::CostModel;
use crate::curve::{CoefficientA, Curve};
use crate::digits::short_naf;
use crate::miller::{LoopDigits, LoopPart, miller_part};
use crate::moving::Steps;
use crate::msm::Digits;
use crate::names::{PairingKind, Power};
use crate::split::Split;
use bilinear_field::CollectVec;
use bilinear_field::count::Count;
use bilinear_field::reference::Reference;
use bilinear_field::tower::{AnyElem, AnyNonResidue, AnyTower, Cubic, NonResidue, Quadratic, RootPlus};
use bilinear_field::{Extension, Field, Prime, at};
use bilinear_params::{SexticKind, Twist};
use cofactor::Cofactors;
use direction::PairsOf;
use hard::Seeds;
use membership::{Automorphism, SexticTests};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};
use power::Costs;
use weil::WeilPairings;

/// The field E over F_p.
pub type E<F> = AnyTower<F>;
/// An element of E.
pub type Elem<F> = AnyElem<<F as Field>::Elem>;
/// An unreduced sum of products in E.
type Wide<F> = AnyElem<<F as Field>::Wide>;
/// The field F_p^k over E.
pub type Target<F> = Quadratic<Cubic<E<F>, AnyNonResidue<F>>, RootPlus>;
/// An element of F_p^k: the coefficients of (1, w², w⁴) and of (w, w³, w⁵).
pub type Fpk<F> = [[Elem<F>; 3]; 2];

/// A curve of a family. The parameters have been validated: all numbers belong to the seed.
#[derive(Clone, Debug)]
pub struct SexticParameters {
    /// The family.
    pub kind: SexticKind,
    /// The seed u.
    pub u: BigInt,
    /// The characteristic.
    pub p: BigUint,
    /// The order of the groups.
    pub r: BigUint,
    /// The trace t = p + 1 − #C(F_p).
    pub t: BigInt,
    /// The cofactors #C(F_p)/r and #C'(E)/r.
    pub cofactors: [BigUint; 2],
    /// The curve coefficient b.
    pub b: BigUint,
    /// The type of the twist.
    pub twist: Twist,
}

impl SexticParameters {
    /// Reads the parameters of a description; returns `None` if the description is incomplete.
    pub fn new(s: &bilinear_params::Sextic) -> Option<Self> {
        Some(SexticParameters {
            kind: s.kind(),
            u: s.u().clone(),
            p: s.p().clone(),
            r: s.r().clone(),
            t: s.t().clone(),
            cofactors: [s.h1().clone(), s.h2().clone()],
            b: s.b()?.clone(),
            twist: s.twist()?,
        })
    }
}

/// A pairing with a sextic twist over an engine.
#[derive(Clone)]
pub struct SexticPairing<F: Prime> {
    kind: SexticKind,
    groups: Groups<F, E<F>, Target<F>>,
    twist: Twist,
    loops: Vec<PairingLoop>,
    /// The Weil pairings; `None` for families without them.
    weil: Option<WeilPairings<F::Elem>>,
    power: Power,
    costs: Costs,
    seeds: Seeds,
    /// The digits of u: the lightest expansion, and the NAF.
    seed: [Digits; 2],
    tests: SexticTests<F::Elem>,
    /// The β of (x, y) ↦ (βx, −y) on G1, and the decomposition of scalars by this automorphism.
    beta: F::Elem,
    split_g1: Split,
    /// The decomposition of scalars by p.
    split: Split,
    multiples: Cofactors,
    triple_b: TripleB<F::Elem>,
    triple_b_twist: TripleB<Elem<F>>,
    frobenius: FrobeniusConstants<F>,
}

/// The loop of a pairing.
#[derive(Clone, Debug)]
struct PairingLoop {
    pairing: PairingKind,
    length: LoopDigits,
    negative: bool,
}

impl PairingLoop {
    fn new(pairing: PairingKind, n: &SexticParameters) -> Self {
        let length: BigInt = match pairing {
            PairingKind::OptAte | PairingKind::RAte => family::loop_length(n.kind, &n.u),
            PairingKind::Ate => &n.t - 1,
            PairingKind::Tate => n.r.clone().into(),
            PairingKind::BetaWeil
            | PairingKind::AlphaWeil
            | PairingKind::Weil
            | PairingKind::EtaT
            | PairingKind::OptEta => {
                unreachable!("loops of their own")
            }
        };
        let digits = short_naf(length.magnitude());
        let closes = pairing == PairingKind::Tate;
        PairingLoop { pairing, length: LoopDigits { digits, closes }, negative: length.is_negative() }
    }
}

/// Creates the pairing with these parameters over F_p, for processors with 64-bit words.
pub fn system<F: Prime>(tower: &SexticTower, parameters: &SexticParameters, fp: F) -> SexticPairing<F> {
    system_at(tower, parameters, CostModel::default(), fp)
}

/// Creates the pairing as [`system`] does, for a machine with this cost model. The costs decide which operations it
/// takes, but change no value.
pub fn system_at<F: Prime>(
    tower: &SexticTower,
    parameters: &SexticParameters,
    cost_model: CostModel,
    fp: F,
) -> SexticPairing<F> {
    let SexticParameters { kind, u, p, r, cofactors, b, twist, .. } = parameters;
    // the reference engine computes the constants that depend on values
    let reference = Reference::new(p).unwrap_or_else(|e| unreachable!("a validated prime: {e}"));
    let twisted = twisted_b(tower, reference, parameters);
    let triple: Vec<BigUint> = twisted.iter().map(|x| x * 3u32 % p).collect_vec();
    let relation: Vec<(BigInt, usize)> = family::relation(*kind)
        .iter()
        .enumerate()
        .map(|(i, (a, b))| (u * a + b, i))
        .filter(|(c, _)| !c.is_zero())
        .collect_vec();
    let automorphism = Automorphism::new(parameters);
    let tests = SexticTests::new(parameters, &relation, &automorphism, cost_model, |x| fp.constant(x));
    let mut by_p = vec![BigInt::zero(); family::parts(*kind)];
    relation.iter().for_each(|(c, i)| by_p[*i] += c);

    let count = Count::new(p);
    let costs = Costs::new(&target(tower, count), cost_model);

    let e = tower.twist(fp.clone());
    SexticPairing {
        kind: *kind,
        loops: pairings(*kind)
            .iter()
            .filter(|pairing| !pairing.is_weil())
            .map(|pairing| PairingLoop::new(*pairing, parameters))
            .collect_vec(),
        weil: WeilPairings::new(parameters, &automorphism, |x| fp.constant(x)),
        power: Power::Exact,
        seeds: Seeds::new(*kind, u, &costs),
        costs,
        twist: *twist,
        seed: seed(u),
        tests,
        beta: fp.constant(&automorphism.beta),
        split_g1: Split::new(r, automorphism.minus_phi()),
        split: Split::new(r, by_p),
        multiples: Cofactors::new(parameters),
        triple_b: TripleB::new(&fp, &[b * 3u32 % p], p),
        triple_b_twist: TripleB::new(&e, &triple, p),
        frobenius: FrobeniusConstants::new(&e, &tower.xi(&e)),
        groups: Groups {
            order: r.clone(),
            g1: Curve::new(fp.clone(), CoefficientA::Zero, fp.constant(&(b % p))),
            g2: Curve::new(e.clone(), CoefficientA::Zero, e.element(&twisted)),
            target: target(tower, fp),
            cofactors: cofactors.clone(),
        },
    }
}

/// Returns the digits of u for points in affine coordinates, and those for points in Jacobian coordinates.
fn seed(u: &BigInt) -> [Digits; 2] {
    [Digits::lightest(u), Digits::new(u, 2)]
}

/// Creates F_p^k = E(w), w^6 = ξ.
fn target<F: Prime>(tower: &SexticTower, fp: F) -> Target<F> {
    let e = tower.twist(fp);
    let xi = tower.xi(&e);
    Quadratic::new(Cubic::new(e, xi), RootPlus(0))
}

/// Returns the coefficients of b'.
fn twisted_b(tower: &SexticTower, fp: Reference, parameters: &SexticParameters) -> Vec<BigUint> {
    use bilinear_field::{Lanes, plus};
    let e = tower.twist(fp);
    let mut root = e.zero();
    tower.xi(&e).sum(&e, &mut root, &[], &[plus(&e.one())]);
    if parameters.twist == Twist::D {
        root = at!(e; inv(&root));
    }
    at! {e; twisted = scale(&root, &e.prime().constant(&parameters.b));}
    let mut coefficients = vec![];
    e.coefficients(&twisted, &mut |x| coefficients.push(e.prime().value(x, 0)));
    coefficients
}

impl<F: Prime> SexticPairing<F> {
    /// The field F_p.
    pub fn fp(&self) -> &F {
        self.groups.g1.field()
    }

    /// The field E.
    pub fn e(&self) -> &E<F> {
        self.groups.g2.field()
    }

    /// Returns the part that has all steps of a pairing's loop.
    fn whole(&self, pairing: PairingKind) -> LoopPart {
        LoopPart::whole(0, &self.length(pairing).length)
    }

    /// Returns the loop of a pairing.
    fn length(&self, pairing: PairingKind) -> &PairingLoop {
        let found = self.loops.iter().find(|l| l.pairing == pairing);
        found.unwrap_or_else(|| panic!("the family has no {pairing:?} pairing"))
    }

    /// Returns the contribution of a part of a pairing's loop to the product of the pairs. The last part includes the
    /// factors that follow the loop.
    fn run<'a, D: Direction<F>>(
        &'a self,
        pairing: PairingKind,
        lines: &mut PairsOf<'a, F, D>,
        part: LoopPart,
    ) -> Fpk<F> {
        let PairingLoop { length, negative, .. } = self.length(pairing);
        let (e, pattern) = (self.e(), D::pattern(self));
        let is_last = part.end == length.steps();
        let f = self.signed_part(lines, length, *negative, part);
        let f = if is_last { D::close(self, pairing, lines, f) } else { self.closed_factor(pairing, f, pattern) };
        f.value(e, pattern).unwrap_or_else(|| self.groups.target.one())
    }

    /// Returns the contribution of a part of a loop of this length and sign, and moves the points to their multiples.
    fn signed_part<'a, D: Direction<F>>(
        &'a self,
        lines: &mut PairsOf<'a, F, D>,
        length: &LoopDigits,
        negative: bool,
        part: LoopPart,
    ) -> SparseProduct<F> {
        let f = miller_part(lines, length, part);
        if !negative {
            return f;
        }
        // from f_{m,T} and mT to f_{−m,T} and −mT: the conjugate, up to factors that the final exponentiation removes
        lines.each_point(|steps, t, _| {
            at! {steps.field(); y = neg(&t.y);}
            t.y = y;
        });
        f.map(self.e(), D::pattern(self), |f| self.conjugate(f))
    }
}
