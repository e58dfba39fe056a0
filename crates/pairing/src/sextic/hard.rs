//! The hard part f ↦ f^H, H = Φ_k(p)/r, of the final exponentiation, in the cyclotomic subgroup, where 1/f is the
//! conjugate. The power is exactly H, or a fixed multiple of H that is cheaper.

use super::power::{Costs, PowerPlan};
use super::{Fpk, SexticPairing};
use crate::names::Power;
use bilinear_field::{Extension, Prime};
use bilinear_params::SexticKind;
use num_bigint::BigInt;

/// The plans for the powers in the families' addition chains.
#[derive(Clone, Debug)]
pub(super) struct Seeds {
    /// The power u.
    u: PowerPlan,
    /// The power u − 1.
    u_minus_one: PowerPlan,
    /// The power (u − 1)/3 or, for KSS18, (u + 1)/3.
    third: PowerPlan,
}

impl Seeds {
    pub(super) fn new(kind: SexticKind, u: &BigInt, costs: &Costs) -> Self {
        let third: BigInt = if kind == SexticKind::Kss18 { u + 1 } else { u - 1 } / 3;
        let plan = |e: &BigInt| PowerPlan::new(e, costs);
        Seeds { u: plan(u), u_minus_one: plan(&(u - 1)), third: plan(&third) }
    }
}

impl<F: Prime> SexticPairing<F> {
    /// Returns the pairing with another power. A new pairing has [`Power::Exact`].
    pub fn with_power(mut self, power: Power) -> Self {
        self.power = power;
        self
    }

    /// Returns f^H, or f to the multiple of H that the power selects.
    pub(super) fn hard_power(&self, f: &Fpk<F>) -> Fpk<F> {
        match (self.kind, self.power) {
            (SexticKind::Bn, Power::Exact) => self.hard_bn(f),
            (SexticKind::Bn, Power::Fast) => self.fast_bn(f),
            (SexticKind::Bls12 | SexticKind::Bls24 | SexticKind::Bls48, _) => self.hard_bls(f),
            (SexticKind::Kss18, _) => self.hard_kss18(f),
        }
    }

    /// Returns f^H for BN, where H = p³ + (6u² + 1)p² + (1 − w)p − (w + 2(6u² + 1) + 6u) with w = 36u³ + 18u² + 12u.
    /// These are the digits of Scott, Benger, Charlemagne, Dominguez Perez and Kachisa (Pairing 2009, section 5): 3
    /// powers by u, 11 products, 5 squares.
    fn hard_bn(&self, f: &Fpk<F>) -> Fpk<F> {
        let (square, conjugate) = (|x: &Fpk<F>| self.cyclotomic_square(x), |x: &Fpk<F>| self.conjugate(x));
        let fu = self.pow_u(f); // f^u
        let b = square(&self.mul(&square(&fu), &fu)); // f^(6u)
        let c = self.pow_u(&b); // f^(6u²)
        let d = self.pow_u(&c); // f^(6u³)
        let v = self.mul(&square(&d), &c); // f^(12u³ + 6u²)
        let w = self.mul(&square(&self.mul(&v, &b)), &v); // f^(36u³ + 18u² + 12u)
        let e = self.mul(&c, f); // f^(6u² + 1)
        let digit0 = conjugate(&self.product(&w, [&square(&e), &b])); // f^(−(w + 2(6u² + 1) + 6u))
        let digit1 = self.mul(&conjugate(&w), f); // f^(1 − w)
        self.product(&digit0, [&self.frobenius(&digit1, 1), &self.frobenius(&e, 2), &self.frobenius(f, 3)]) // f^H
    }

    /// Returns f to the power 2u(6u² + 3u + 1)H = (a + 6u² + 1) + bp + ap² + (b − 1)p³ for BN, with a =
    /// 12u³ + 6u² + 6u, b = a − 2u (Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, SAC 2011, section 5): 3 powers by u, 10
    /// products, 3 squares.
    fn fast_bn(&self, f: &Fpk<F>) -> Fpk<F> {
        let double = self.cyclotomic_square(&self.pow_u(f)); // f^(2u)
        let six = self.mul(&self.cyclotomic_square(&double), &double); // f^(6u)
        let c = self.pow_u(&six); // f^(6u²)
        let d = self.pow_u(&self.cyclotomic_square(&c)); // f^(12u³)
        let a = self.product(&d, [&c, &six]); // f^a
        let b = self.mul(&a, &self.conjugate(&double)); // f^b
        let digit0 = self.product(&a, [&c, f]); // f^(a + 6u² + 1)
        let digit3 = self.mul(&b, &self.conjugate(f)); // f^(b − 1)
        self.product(&digit0, [&self.frobenius(&b, 1), &self.frobenius(&a, 2), &self.frobenius(&digit3, 3)])
    }

    /// Returns f^H for BLS, where H = (u − 1)²/3·(u + p)(u² + p²)…(u^(e/2) + p^(e/2))·(u^e + p^e − 1) + 1 with e =
    /// k/6, or f^(3H) (Hayashida, Hayasaka and Teruya, ePrint 2020/875): 2e + 1 powers by about u, and 4 products for
    /// BLS12, 5 for BLS24 and 6 for BLS48. 3H takes one product and one square more, but has the sparser exponent.
    fn hard_bls(&self, f: &Fpk<F>) -> Fpk<F> {
        let (e, mut n) = (self.e().degree(), 2);
        let mut a = self.bls_start(f); // f^((u − 1)²/3·(u + p))
        while n < e {
            a = self.mul(&self.pow_u_times(&a, n), &self.frobenius(&a, n)); // a^(u^n + p^n)
            n *= 2;
        }
        let b = self.pow_u_times(&a, e); // a^(u^e)
        self.product(&b, [&self.frobenius(&a, e), &self.conjugate(&a), &self.bls_end(f)]) // a^(u^e + p^e − 1)·f
    }

    /// Returns f^((u − 1)²/3·(u + p)), u ≡ 1 (mod 3), or f to three times this power for the fast power.
    fn bls_start(&self, f: &Fpk<F>) -> Fpk<F> {
        let first = match self.power {
            Power::Exact => &self.seeds.third,
            Power::Fast => &self.seeds.u_minus_one,
        };
        let a = self.pow(&self.pow(f, first), &self.seeds.u_minus_one); // f^((u − 1)²/3)
        self.mul(&self.pow_u(&a), &self.frobenius(&a, 1)) // a^(u + p)
    }

    /// Returns f, or f³ for the fast power.
    fn bls_end(&self, f: &Fpk<F>) -> Fpk<F> {
        match self.power {
            Power::Exact => f.clone(),
            Power::Fast => self.mul(&self.cyclotomic_square(f), f),
        }
    }

    /// Returns f^H for KSS18, or f to a fixed multiple of H for the fast power. Let A = (u² + 5u + 7)/3 (an integer,
    /// since u ≡ 2 (mod 3)), y = p⁴ − 3p, which is u modulo r, and κ = 2 + p³. Then
    ///
    /// −H ≡ κ²·((A(u³ + 19 − p³) + u)(u² + uy + y²) − κ) (mod Φ_18(p)),
    ///
    /// with the digits of Fuentes-Castañeda, Knapp and Rodríguez-Henríquez (SAC 2011, section 5), a third of them,
    /// factored over Z[p³]. There p³ is a sixth root of unity, 2 + p³ and 3 − p³ have product 7, and y = −p(3 − p³).
    /// κ is a unit modulo Φ_18(p), which 7 does not divide; the fast power leaves out κ² and the sign.
    ///
    /// With B = (u + 1)/3, u = 3B − 1 and A = uB + 4B + 1. The cost is 7 powers by about u, 17 products and 9
    /// squares; the exact power takes 19 products and 11 squares.
    fn hard_kss18(&self, f: &Fpk<F>) -> Fpk<F> {
        let (square, conjugate) = (|x: &Fpk<F>| self.cyclotomic_square(x), |x: &Fpk<F>| self.conjugate(x));
        let by_y = |x: &Fpk<F>| {
            let cube = self.mul(&square(x), x); // x³
            self.mul(&self.frobenius(x, 4), &conjugate(&self.frobenius(&cube, 1))) // x^(p⁴ − 3p)
        };
        let by_kappa = |x: &Fpk<F>| self.mul(&square(x), &self.frobenius(x, 3)); // x^(2 + p³)
        let b = self.pow(f, &self.seeds.third); // f^B
        let b2 = square(&b); // f^(2B)
        let fu = self.product(&b2, [&b, &conjugate(f)]); // f^(3B − 1) = f^u
        let a = self.product(&self.pow_u(&b), [&square(&b2), f]); // f^(uB + 4B + 1) = f^A
        let a2 = square(&a); // a²
        let a16 = square(&square(&square(&a2))); // a^16
        let au3 = self.pow_u_times(&a, 3); // a^(u³)
        let m = self.product(&au3, [&a16, &a2, &a, &conjugate(&self.frobenius(&a, 3)), &fu]); // a^(u³ + 19 − p³)·f^u
        let my = by_y(&m); // m^y
        let sum = self.mul(&self.pow_u(&m), &my); // m^(u + y)
        // m^(u² + uy + y²)·f^(−κ)
        let fast = self.product(&self.pow_u(&sum), [&by_y(&my), &conjugate(&by_kappa(f))]);
        match self.power {
            Power::Exact => conjugate(&by_kappa(&by_kappa(&fast))),
            Power::Fast => fast,
        }
    }

    /// Returns f^u.
    pub(super) fn pow_u(&self, f: &Fpk<F>) -> Fpk<F> {
        self.pow(f, &self.seeds.u)
    }

    /// Returns f^(u^n) for n > 0.
    fn pow_u_times(&self, f: &Fpk<F>, n: usize) -> Fpk<F> {
        (1..n).fold(self.pow_u(f), |power, _| self.pow_u(&power))
    }
}
