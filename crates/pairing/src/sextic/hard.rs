//! The hard part f ↦ f^H, H = Φ_k(p)/r, of the final exponentiation: exactly this power, in the cyclotomic subgroup, where
//! 1/f is the conjugate.

use super::{Fpk, Kind, Sextic};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, at};
use num_bigint::BigInt;

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// f^H.
    pub(super) fn hard_part(&self, f: &Fpk<E>) -> Fpk<E> {
        match self.kind {
            Kind::Bn => self.hard_bn(f),
            Kind::Bls12 => self.hard_bls12(f),
            Kind::Bls24 => self.hard_bls24(f),
            Kind::Kss18 => self.hard_kss18(f),
        }
    }

    /// H = p³ + (6u² + 1)p² − (36u³ + 18u² + 12u − 1)p − (36u³ + 30u² + 18u + 2) (Scott, Benger, Charlemagne, Dominguez Perez,
    /// Kachisa, Pairing 2009, section 5, with the addition chain of Olivos's method): 3 powers by u, 13 products, 4 squares.
    fn hard_bn(&self, f: &Fpk<E>) -> Fpk<E> {
        let fu = self.by_seed(f);
        let fu2 = self.by_seed(&fu);
        let fu3 = self.by_seed(&fu2);
        // 1, −1, …: exponents 1, 2, 6, 12, 18, 30, 36 in the result
        let y0 = self.product(&[&self.frobenius(f, 1), &self.frobenius(f, 2), &self.frobenius(f, 3)]);
        let y1 = self.conjugate(f);
        let y2 = self.frobenius(&fu2, 2);
        let y3 = self.conjugate(&self.frobenius(&fu, 1));
        let y4 = self.conjugate(&self.product(&[&fu, &self.frobenius(&fu2, 1)]));
        let y5 = self.conjugate(&fu2);
        let y6 = self.conjugate(&self.product(&[&fu3, &self.frobenius(&fu3, 1)]));
        // y6²·y4·y5
        let a = self.product(&[&self.square(&y6), &y4, &y5]);
        // y6²·y4·y5²·y3
        let b = self.product(&[&y3, &y5, &a]);
        // y6^12·y4^6·y5^10·y3^4·y2^2
        let c = self.square(&self.product(&[&self.square(&b), &a, &y2]));
        self.product(&[&self.square(&self.product(&[&c, &y1])), &c, &y0])
    }

    /// H = (u − 1)²/3·(u + p)(u² + p² − 1) + 1 (Hayashida, Hayasaka and Teruya, ePrint 2020/875; there 3H): 5 powers by
    /// about u, 4 products.
    fn hard_bls12(&self, f: &Fpk<E>) -> Fpk<E> {
        let a = self.bls_start(f);
        let b = self.by_seed(&self.by_seed(&a));
        self.product(&[&b, &self.frobenius(&a, 2), &self.conjugate(&a), f])
    }

    /// H = (u − 1)²/3·(u + p)(u² + p²)(u⁴ + p⁴ − 1) + 1 (the same): 9 powers by about u, 5 products.
    fn hard_bls24(&self, f: &Fpk<E>) -> Fpk<E> {
        let a = self.bls_start(f);
        let b = self.product(&[&self.by_seed(&self.by_seed(&a)), &self.frobenius(&a, 2)]);
        let c = (0..4).fold(b.clone(), |c, _| self.by_seed(&c));
        self.product(&[&c, &self.frobenius(&b, 4), &self.conjugate(&b), f])
    }

    /// f^((u − 1)²/3·(u + p)); u ≡ 1 (mod 3).
    fn bls_start(&self, f: &Fpk<E>) -> Fpk<E> {
        let less: BigInt = &self.u - 1;
        let a = self.cyclotomic_pow(&self.cyclotomic_pow(f, &(&less / 3)), &less);
        self.product(&[&self.by_seed(&a), &self.frobenius(&a, 1)])
    }

    /// With A = (u² + 5u + 7)/3 (an integer, since u ≡ 2 (mod 3)), the exponents of p⁰, …, p⁵ in H are
    ///
    /// −3(u⁵A + u³) − 62u²A + 1, 14(u⁴A + u²) + 273uA, −49(u³A + u) − 931A, −5(u⁵A + u³) − 87u²A + 18,
    /// 7(u⁴A + u²) + 112uA, 49A:
    ///
    /// a third of the digits of Fuentes-Castañeda, Knapp and Rodríguez-Henríquez (SAC 2011, section 5), arranged around A.
    /// With B = (u + 1)/3: u = 3B − 1, A = uB + 4B + 1, u² = 3A − 5u − 7, so 7 powers by about u suffice.
    fn hard_kss18(&self, f: &Fpk<E>) -> Fpk<E> {
        let small = |x: &Fpk<E>, e: i64| self.cyclotomic_pow(x, &BigInt::from(e));
        let third: BigInt = (&self.u + 1) / 3;
        let b = self.cyclotomic_pow(f, &third);
        let fu = self.product(&[&small(&b, 3), &self.conjugate(f)]);
        let a0 = self.product(&[&self.by_seed(&b), &small(&b, 4), f]);
        let a1 = self.by_seed(&a0);
        let a2 = self.by_seed(&a1);
        let a3 = self.by_seed(&a2);
        let a4 = self.by_seed(&a3);
        let a5 = self.by_seed(&a4);
        let fu2 = self.product(&[&small(&a0, 3), &small(&fu, -5), &small(f, -7)]);
        let fu3 = self.product(&[&small(&a1, 3), &small(&fu2, -5), &small(&fu, -7)]);
        // the sums of H
        let x = self.product(&[&a4, &fu2]);
        let v = self.product(&[&a3, &fu]);
        let w = self.product(&[&a5, &fu3]);
        // p⁴ and p have 7(x + 16·uA) and twice that + 49·uA; p² and p⁵ have −49(v + 19A) and 49A
        let x = self.product(&[&x, &small(&a1, 16)]);
        let v = self.product(&[&v, &small(&a0, 19)]);
        let seventh = self.product(&[
            &self.frobenius(&x, 4),
            &self.frobenius(&self.product(&[&self.square(&x), &small(&a1, 7)]), 1),
            &self.frobenius(&small(&v, -7), 2),
            &self.frobenius(&small(&a0, 7), 5),
        ]);
        let digit3 = self.product(&[&small(&w, -5), &small(&a2, -87), &small(f, 18)]);
        let digit0 = self.product(&[&small(&w, -3), &small(&a2, -62), f]);
        self.product(&[&small(&seventh, 7), &self.frobenius(&digit3, 3), &digit0])
    }

    /// f^u.
    fn by_seed(&self, f: &Fpk<E>) -> Fpk<E> {
        self.cyclotomic_pow(f, &self.u)
    }

    /// f².
    fn square(&self, f: &Fpk<E>) -> Fpk<E> {
        at! {self; out = cyclotomic_square(f);}
        out
    }

    /// The product of at least one factor.
    fn product(&self, factors: &[&Fpk<E>]) -> Fpk<E> {
        let target = self.target();
        let mut out = factors[0].clone();
        for factor in &factors[1..] {
            at! {target; next = mul(&out, factor);}
            out = next;
        }
        out
    }
}
