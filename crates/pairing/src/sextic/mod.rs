//! Pairings on curves y² = x³ + b with a sextic twist: BN, BLS12, BLS24, BLS48, KSS18.
//!
//! F_p^k = E(w) with w^6 = ξ in E = F_p^(k/6), written as ((E, ξ)(v), v)(w): v = w². G1 is the subgroup of order r of
//! C(F_p), G2 that of the twist C': y² = x³ + b' over E; b' = b/ξ (type D, (x, y) ↦ (xw², yw³) into C(F_p^k)) or b' = bξ
//! (type M, (x, y) ↦ (x/w², y/w³)). Vertical lines lie in F_p^(k/2) and vanish in the final exponentiation.
//!
//! What e(P, Q) means is chosen by [`Pairing`]; the exponent is (p^k − 1)/r.

mod bilinear_groups;
mod cofactor;
mod compressed;
mod corrections;
mod cyclotomic;
mod easy;
mod family;
#[cfg(test)]
mod formulas;
mod frobenius;
mod groups;
mod hard;
mod line;
mod membership;
mod moving;
mod power;
mod product;
mod shape;
mod step;

pub use family::Kind;
pub use frobenius::Frobenius;
pub use hard::Power;
pub use line::Pattern;
pub use moving::{Ate, Direction, Moving, Tate};
pub use product::Product;
pub use shape::{Fp2, Shape, SmallCubic, Square};
pub use step::{Line, Running, TripleB, add_step, chord, double_step, tangent};

use crate::bilinear_groups::Pairing;
use crate::combination::Digits;

use crate::curve::{Affine, CoefficientA, Curve};
use crate::digits::short_naf;
use crate::miller::{Loop, miller};
use crate::prices::Prices;
use crate::split::Split;
use bilinear_field::count::Count;
use bilinear_field::reference::Reference;
use bilinear_field::tower::{Cubic, NonResidue, Quadratic, Root};
use bilinear_field::{Extension, Field, Prime, PrimeElem};
use cofactor::Clearing;
use hard::{Seeds, fast_multiple};
use membership::{Automorphism, Tests};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use power::Costs;

/// F_p^k over E.
pub type Target<E, X> = Quadratic<Cubic<E, X>, Root>;
/// An element of F_p^k: the coefficients of (1, w², w⁴) and of (w, w³, w⁵).
pub type Fpk<E> = [[<E as Field>::Elem; 3]; 2];

/// Which sextic twist G2 lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Twist {
    /// b' = b/ξ.
    D,
    /// b' = bξ.
    M,
}

/// A curve of a family. The parameters have been validated: the numbers are those of the seed.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The family.
    pub kind: Kind,
    /// The seed.
    pub u: BigInt,
    /// The characteristic.
    pub p: BigUint,
    /// The order of the groups.
    pub r: BigUint,
    /// p + 1 − #C(F_p).
    pub t: BigInt,
    /// #C(F_p)/r and #C'(E)/r.
    pub cofactors: [BigUint; 2],
    /// b.
    pub b: BigUint,
    /// The type of the twist.
    pub twist: Twist,
}

/// A pairing with a sextic twist over an engine.
#[derive(Clone)]
pub struct Sextic<E: Extension, X> {
    kind: Kind,
    order: BigUint,
    cofactors: [BigUint; 2],
    twist: Twist,
    loops: Vec<PairingLoop>,
    power: Power,
    fast_multiple: BigUint,
    costs: Costs,
    seeds: Seeds,
    /// The digits of u, the lightest and the NAF.
    seed: [Digits; 2],
    tests: Tests<PrimeElem<E>>,
    /// (x, y) ↦ (βx, −y) on G1, and how scalars split by it.
    beta: PrimeElem<E>,
    split_g1: Split,
    /// How scalars split by p.
    split: Split,
    clearing: Clearing,
    target: Target<E, X>,
    g1: Curve<E::Prime>,
    g2: Curve<E>,
    triple_b: TripleB<PrimeElem<E>>,
    triple_b_twist: TripleB<E::Elem>,
    frobenius: Frobenius<E>,
}

/// The loop of a pairing.
#[derive(Clone, Debug)]
struct PairingLoop {
    pairing: Pairing,
    length: Loop,
    negative: bool,
}

impl PairingLoop {
    fn new(pairing: Pairing, n: &Parameters) -> Self {
        let length: BigInt = match pairing {
            Pairing::OptAte | Pairing::RAte => n.kind.loop_length(&n.u),
            Pairing::Ate => &n.t - 1,
            Pairing::Tate => n.r.clone().into(),
        };
        let digits = short_naf(length.magnitude());
        let closes = pairing == Pairing::Tate;
        PairingLoop { pairing, length: Loop { digits, closes }, negative: length.is_negative() }
    }
}

/// The pairing of a shape over an engine.
pub type Over<S, F> = Sextic<<S as Shape>::Twist<F>, <S as Shape>::Xi<F>>;

/// The system with these parameters over F_p, for processors with words of 64 bits.
pub fn system<S: Shape, F: Prime>(shape: &S, parameters: &Parameters, fp: F) -> Over<S, F> {
    system_at(shape, parameters, Prices::default(), fp)
}

/// The same for a machine with these prices: other operations, and the same values.
pub fn system_at<S: Shape, F: Prime>(shape: &S, parameters: &Parameters, prices: Prices, fp: F) -> Over<S, F> {
    let Parameters { kind, u, p, r, cofactors, b, twist, .. } = parameters;
    // what depends on values comes from the engine that computes with them
    let reference = Reference::new(p).unwrap_or_else(|e| unreachable!("a validated prime: {e}"));
    let twisted = twisted_b(shape.twist(reference.clone()), shape.xi(&reference), parameters);
    let triple: Vec<BigUint> = twisted.iter().map(|x| x * 3u32 % p).collect();
    let relation: Vec<(BigInt, usize)> =
        kind.relation().iter().enumerate().map(|(i, (a, b))| (u * a + b, i)).filter(|(c, _)| !c.is_zero()).collect();
    let automorphism =
        Automorphism::new(parameters, |beta, lambda| acts_as(reference.clone(), parameters, beta, lambda));
    let tests = Tests::new(parameters, &relation, &automorphism, prices, |x| fp.constant(x));
    let mut by_p = vec![BigInt::zero(); kind.parts()];
    relation.iter().for_each(|(c, i)| by_p[*i] += c);

    let count = Count::new(p);
    let costs = Costs::new(&target(shape.twist(count.clone()), shape.xi(&count)), prices);

    let e = shape.twist(fp.clone());
    let xi = shape.xi(&fp);
    Sextic {
        kind: *kind,
        loops: kind.pairings().iter().map(|pairing| PairingLoop::new(*pairing, parameters)).collect(),
        power: Power::Exact,
        fast_multiple: fast_multiple(parameters),
        seeds: Seeds::new(*kind, u, &costs),
        costs,
        order: r.clone(),
        cofactors: cofactors.clone(),
        twist: *twist,
        seed: seed(u),
        tests,
        beta: fp.constant(&automorphism.beta),
        split_g1: Split::new(r, automorphism.minus_phi()),
        split: Split::new(r, by_p),
        clearing: Clearing::new(parameters),
        triple_b: TripleB::new(&fp, &[b * 3u32 % p], p),
        triple_b_twist: TripleB::new(&e, &triple, p),
        frobenius: Frobenius::new(&e, &xi),
        g1: Curve::new(fp.clone(), CoefficientA::Zero, fp.constant(&(b % p))),
        g2: Curve::new(e.clone(), CoefficientA::Zero, e.element(&twisted)),
        target: target(e, xi),
    }
}

/// The digits of u for a point in affine coordinates and for one in Jacobian coordinates.
fn seed(u: &BigInt) -> [Digits; 2] {
    [Digits::lightest(u), Digits::new(u, 2)]
}

/// F_p^k = E(w), w^6 = ξ.
fn target<E: Extension, X: NonResidue<E>>(e: E, xi: X) -> Target<E, X> {
    Quadratic::new(Cubic::new(e, xi), Root)
}

/// Whether (βx, y) = λ(x, y) on G1.
fn acts_as(fp: Reference, parameters: &Parameters, beta: &BigUint, lambda: &BigUint) -> bool {
    use bilinear_field::{Lanes, at};
    let Parameters { p, b, cofactors, .. } = parameters;
    let half = (p - 1u32) >> 1u32;
    for x in (1u32..).map(BigUint::from) {
        let g = (&x * &x * &x + b) % p;
        if !g.modpow(&half, p).is_one() {
            continue;
        }
        // for a square g, y² = x³ + bg³ is C up to isomorphism, with the point (xg, g²): no root is needed
        let curve = Curve::new(fp.clone(), CoefficientA::Zero, fp.constant(&(b * &g * &g * &g % p)));
        let point = Affine { x: fp.constant(&(&x * &g % p)), y: fp.constant(&(&g * &g % p)), infinity: fp.mask(false) };
        let point = curve.normalise(&[curve.mul(&cofactors[0], &point)]).remove(0);
        if fp.lane(point.infinity, 0) {
            continue;
        }
        let image = curve.normalise(&[curve.mul(lambda, &point)]).remove(0);
        at! {fp; scaled = mul(&fp.constant(beta), &point.x);}
        return fp.lane(fp.equal(&image.x, &scaled), 0);
    }
    unreachable!("a curve has points of order r")
}

/// The coefficients of b'.
fn twisted_b<E: Extension<Prime = Reference>, X: NonResidue<E>>(e: E, xi: X, parameters: &Parameters) -> Vec<BigUint> {
    use bilinear_field::{Lanes, at, plus};
    let mut root = e.zero();
    xi.sum(&e, &mut root, &[], &[plus(&e.one())]);
    if parameters.twist == Twist::D {
        at! {e; inverse = inv(&root);}
        root = inverse;
    }
    at! {e; twisted = scale(&root, &e.prime().constant(&parameters.b));}
    let mut coefficients = vec![];
    e.coefficients(&twisted, &mut |x| coefficients.push(e.prime().value(x, 0)));
    coefficients
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// The family.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// F_p.
    pub fn fp(&self) -> &E::Prime {
        self.g1.field()
    }

    /// E.
    pub fn e(&self) -> &E {
        self.g2.field()
    }

    /// F_p^k.
    pub fn target(&self) -> &Target<E, X> {
        &self.target
    }

    /// C over F_p.
    pub fn g1(&self) -> &Curve<E::Prime> {
        &self.g1
    }

    /// C' over E.
    pub fn g2(&self) -> &Curve<E> {
        &self.g2
    }

    /// 3b', as the steps in G2 take it.
    pub fn triple_b_twist(&self) -> &TripleB<E::Elem> {
        &self.triple_b_twist
    }

    /// The product of the pairs of a pairing's loop.
    fn run<D: Direction<E, X>>(&self, pairing: Pairing, lines: &mut Moving<'_, E, X, D>) -> Fpk<E> {
        let found = self.loops.iter().find(|l| l.pairing == pairing);
        let PairingLoop { length, negative, .. } = found.unwrap_or_else(|| panic!("no {pairing:?} pairing"));
        lines.set_pairing(pairing);
        let mut f = miller(lines, length);
        if *negative {
            f = lines.negate(f);
        }
        let f = lines.close(pairing, f);
        lines.value(f).unwrap_or_else(|| self.target.one())
    }
}
