//! The hard part f ↦ f^H, H = Φ_k(p)/r, of the final exponentiation, in the cyclotomic subgroup, where 1/f is the conjugate:
//! exactly this power, or the multiple of it that costs least.

use super::chain::{Chain, Values};
use super::power::{Costs, Plan};
use super::{Fpk, Kind, Parameters, Sextic};
use bilinear_field::Extension;
use bilinear_field::tower::NonResidue;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

/// Which power of f the final exponentiation gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Power {
    /// (p^k − 1)/r.
    #[default]
    Exact,
    /// A multiple of it prime to r, lighter: [`Sextic::multiple`] tells which.
    Fast,
}

/// How the powers of a family's chains are taken.
#[derive(Clone, Debug)]
pub(super) struct Seeds {
    /// u.
    seed: Plan,
    /// u − 1.
    less: Plan,
    /// (u − 1)/3 or, for KSS18, (u + 1)/3.
    third: Plan,
}

impl Seeds {
    pub(super) fn new(kind: Kind, u: &BigInt, costs: &Costs) -> Self {
        let third: BigInt = if kind == Kind::Kss18 { u + 1 } else { u - 1 } / 3;
        let plan = |e: &BigInt| Plan::new(e, costs);
        Seeds { seed: plan(u), less: plan(&(u - 1)), third: plan(&third) }
    }
}

/// The multiple of H that [`Power::Fast`] takes, modulo r.
pub(super) fn fast_multiple(n: &Parameters) -> BigUint {
    let (u, r) = (&n.u, BigInt::from(n.r.clone()));
    let multiple: BigInt = match n.kind {
        Kind::Bn => 2 * u * (6 * u * u + 3 * u + 1),
        Kind::Bls12 | Kind::Bls24 | Kind::Bls48 => 3.into(),
        Kind::Kss18 => {
            // −1/(2 + p³)², by Fermat
            let square: BigInt = (BigInt::from(n.p.clone()).pow(3) + 2u32).pow(2);
            -square.modpow(&(&r - 2u32), &r)
        }
    };
    multiple.mod_floor(&r).magnitude().clone()
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// Which power the final exponentiation gives.
    pub fn power(&self) -> Power {
        self.power
    }

    /// The same pairing with another power; [`Power::Exact`] to begin with.
    pub fn with_power(mut self, power: Power) -> Self {
        self.power = power;
        self
    }

    /// The integer m, 0 < m < r, for which the final exponentiation gives f^(m(p^k − 1)/r): 1 if it is exact; else
    /// 2u(6u² + 3u + 1) for BN, 3 for BLS, −1/(2 + p³)² for KSS18, modulo r.
    pub fn multiple(&self) -> BigUint {
        match self.power {
            Power::Exact => BigUint::one(),
            Power::Fast => self.fast_multiple.clone(),
        }
    }
}

impl<E: Extension, X: NonResidue<E>> Chain<'_, E, X> {
    /// f^H or its multiple.
    pub(super) fn hard_part(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        // the degree is a constant of the tower: no family is compiled where it cannot be
        match (self.system.kind, self.system.power) {
            (Kind::Bn, Power::Exact) if const { E::DEGREE == 2 } => self.hard_bn(f),
            (Kind::Bn, Power::Fast) if const { E::DEGREE == 2 } => self.fast_bn(f),
            (Kind::Bls12, _) if const { E::DEGREE == 2 } => self.hard_bls12(f),
            (Kind::Bls24, _) if const { E::DEGREE == 4 } => self.hard_bls24(f),
            (Kind::Bls48, _) if const { E::DEGREE == 8 } => self.hard_bls48(f),
            (Kind::Kss18, _) if const { E::DEGREE == 3 } => self.hard_kss18(f),
            (kind, _) => unreachable!("{kind:?} curves have another tower"),
        }
    }

    /// With b = 6u, c = 6u², d = 6u³, v = 2d + c, w = 2(v + b) + v = 36u³ + 18u² + 12u and e = c + 1, the digits of Scott,
    /// Benger, Charlemagne, Dominguez Perez and Kachisa (Pairing 2009, section 5) are H = p³ + ep² + (1 − w)p − (w + 2e + b):
    /// 3 powers by u, 11 products, 5 squares.
    fn hard_bn(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let b = self.sixth(&self.by_seed(f));
        let c = self.by_seed(&b);
        let d = self.by_seed(&c);
        let v = self.products(&[&self.squares(&d), &c]);
        let w = self.products(&[&self.squares(&self.products(&[&v, &b])), &v]);
        let e = self.products(&[&c, f]);
        let digit0 = self.inverses(&self.products(&[&w, &self.squares(&e), &b]));
        let digit1 = self.products(&[&self.inverses(&w), f]);
        self.products(&[&digit0, &self.images(&digit1, 1), &self.images(&e, 2), &self.images(f, 3)])
    }

    /// 2u(6u² + 3u + 1)H = (a + 6u² + 1) + bp + ap² + (b − 1)p³ with a = 12u³ + 6u² + 6u, b = a − 2u (Fuentes-Castañeda, Knapp
    /// and Rodríguez-Henríquez, SAC 2011, section 5): 3 powers by u, 10 products, 3 squares.
    fn fast_bn(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let double = self.squares(&self.by_seed(f));
        let six = self.products(&[&self.squares(&double), &double]);
        let c = self.by_seed(&six);
        let a = self.products(&[&self.by_seed(&self.squares(&c)), &c, &six]);
        let b = self.products(&[&a, &self.inverses(&double)]);
        self.products(&[
            &self.products(&[&a, &c, f]),
            &self.images(&b, 1),
            &self.images(&a, 2),
            &self.images(&self.products(&[&b, &self.inverses(f)]), 3),
        ])
    }

    /// H = (u − 1)²/3·(u + p)(u² + p² − 1) + 1, and 3H (Hayashida, Hayasaka and Teruya, ePrint 2020/875): 5 powers by about u,
    /// 4 products, and one and a square more for 3H, which has the sparser exponent.
    fn hard_bls12(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let a = self.bls_start(f);
        let b = self.by_seed(&self.by_seed(&a));
        self.products(&[&b, &self.images(&a, 2), &self.inverses(&a), &self.bls_end(f)])
    }

    /// H = (u − 1)²/3·(u + p)(u² + p²)(u⁴ + p⁴ − 1) + 1, and 3H (the same): 9 powers by about u, 5 products, and one and a
    /// square more for 3H.
    fn hard_bls24(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let a = self.bls_start(f);
        let b = self.products(&[&self.by_seed(&self.by_seed(&a)), &self.images(&a, 2)]);
        let c = (1..4).fold(self.by_seed(&b), |c, _| self.by_seed(&c));
        self.products(&[&c, &self.images(&b, 4), &self.inverses(&b), &self.bls_end(f)])
    }

    /// H = (u − 1)²/3·(u + p)(u² + p²)(u⁴ + p⁴)(u⁸ + p⁸ − 1) + 1, and 3H (the same): 17 powers by about u, 6 products, and one
    /// and a square more for 3H.
    fn hard_bls48(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let times = |x: &[Fpk<E>], n: usize| (1..n).fold(self.by_seed(x), |x, _| self.by_seed(&x));
        let a = self.bls_start(f);
        let b = self.products(&[&times(&a, 2), &self.images(&a, 2)]);
        let c = self.products(&[&times(&b, 4), &self.images(&b, 4)]);
        self.products(&[&times(&c, 8), &self.images(&c, 8), &self.inverses(&c), &self.bls_end(f)])
    }

    /// f^((u − 1)²/3·(u + p)), u ≡ 1 (mod 3), or three times that.
    fn bls_start(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let first = match self.system.power {
            Power::Exact => self.powers(f, &self.system.seeds.third),
            Power::Fast => self.powers(f, &self.system.seeds.less),
        };
        let a = self.powers(&first, &self.system.seeds.less);
        self.products(&[&self.by_seed(&a), &self.images(&a, 1)])
    }

    /// f, or f³.
    fn bls_end(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        match self.system.power {
            Power::Exact => self.same(f),
            Power::Fast => self.products(&[&self.squares(f), f]),
        }
    }

    /// With A = (u² + 5u + 7)/3 (an integer, since u ≡ 2 (mod 3)), y = p⁴ − 3p, which is u modulo r, and π = 2 + p³:
    ///
    /// −H ≡ π²·((A(u³ + 19 − p³) + u)(u² + uy + y²) − π) (mod Φ_18(p)),
    ///
    /// the digits of Fuentes-Castañeda, Knapp and Rodríguez-Henríquez (SAC 2011, section 5), a third of them, factored over
    /// Z[p³], where p³ is a sixth root of unity, 2 + p³ and 3 − p³ have product 7, and y = −p(3 − p³). π is a unit modulo
    /// Φ_18(p), which 7 does not divide; the fast power leaves π² and the sign out.
    ///
    /// With B = (u + 1)/3: u = 3B − 1 and A = uB + 4B + 1. 7 powers by about u; 18 products and 9 squares, exact 20 and 11.
    fn hard_kss18(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let b = self.powers(f, &self.system.seeds.third);
        let b2 = self.squares(&b);
        let fu = self.products(&[&b2, &b, &self.inverses(f)]);
        let a = self.products(&[&self.by_seed(&b), &self.squares(&b2), f]);
        // a^19 = a^16·a^2·a
        let a2 = self.squares(&a);
        let a16 = self.squares(&self.squares(&self.squares(&a2)));
        let au3 = self.by_seed(&self.by_seed(&self.by_seed(&a)));
        let m = self.products(&[&au3, &a16, &a2, &a, &self.inverses(&self.images(&a, 3)), &fu]);
        let by_y = |x: &[Fpk<E>]| {
            let cube = self.products(&[&self.squares(x), x]);
            self.products(&[&self.images(x, 4), &self.inverses(&self.images(&cube, 1))])
        };
        let by_pi = |x: &[Fpk<E>]| self.products(&[&self.squares(x), &self.images(x, 3)]);
        // u² + uy + y² = (u + y)u + y·y
        let my = by_y(&m);
        let sum = self.products(&[&self.by_seed(&m), &my]);
        let fast = self.products(&[&self.by_seed(&sum), &by_y(&my), &self.inverses(&by_pi(f))]);
        match self.system.power {
            Power::Exact => self.inverses(&by_pi(&by_pi(&fast))),
            Power::Fast => fast,
        }
    }

    /// f^u.
    pub(super) fn by_seed(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        self.powers(f, &self.system.seeds.seed)
    }

    /// f^6.
    fn sixth(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        let square = self.squares(f);
        self.squares(&self.products(&[&square, f]))
    }
}
