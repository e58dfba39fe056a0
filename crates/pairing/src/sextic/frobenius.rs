//! The p-power Frobenius on F_p^k = E(w), and on the twist.

use super::{E, Elem, Fpk, SexticPairing};
use crate::curve::{Affine, Jacobian};
use bilinear_field::tower::{AnyFrobenius, AnyNonResidue, NonResidue};
use bilinear_field::{Blank, Extension, Field, Prime, at, plus, pow};
use bilinear_params::Twist;

/// The constants of the Frobenius maps x ↦ x^(p^i).
#[derive(Clone, Debug)]
pub struct FrobeniusConstants<F: Prime> {
    below: AnyFrobenius<F::Elem>,
    /// The constants γ_ij = (w^(p^i − 1))^j for i = 1, 2, …, `most` and j = 0, …, 5.
    gamma: Vec<[Elem<F>; 6]>,
    /// The inverses 1/γ_i2 and 1/γ_i3 for i = 1, 2, …, `most`.
    gamma_inverses: Vec<[Elem<F>; 2]>,
}

/// The largest i for which constants of x ↦ x^(p^i) are kept. Final exponentiations, loops and membership (2d) use
/// them. It is below 3d = k/2, where the map is a conjugation.
fn most(d: usize) -> usize {
    (3 * d - 1).min((2 * d).max(8))
}

impl<F: Prime> FrobeniusConstants<F> {
    /// Computes the constants by w^(p − 1) = ξ^((p − 1)/6) and w^(p^(i+1) − 1) = (w^(p^i − 1))^p·w^(p − 1).
    pub(super) fn new(e: &E<F>, xi: &AnyNonResidue<F>) -> Self {
        let below = e.frobenius_constants();
        let mut root = e.zero();
        xi.sum(e, &mut root, &[], &[plus(&e.one())]);
        let first = pow(e, &root, &((e.prime().modulus() - 1u32) / 6u32));
        let mut gamma = first.clone();
        let (mut gammas, mut gamma_inverses) = (vec![], vec![]);
        for _ in 0..most(e.degree()) {
            let mut row: [Elem<F>; 6] = std::array::from_fn(|_| e.one());
            for j in 1..6 {
                row[j] = at!(e; mul(&row[j - 1], &gamma));
            }
            at! {e;
                second = inv(&row[2]);
                third = inv(&row[3]);
                conjugate = frobenius(&gamma, &below);
                next = mul(&conjugate, &first);         // w^(p^(i+1) − 1)
            }
            gammas.push(row);
            gamma_inverses.push([second, third]);
            gamma = next;
        }
        FrobeniusConstants { below, gamma: gammas, gamma_inverses }
    }

    /// Computes x^(p^i) in E.
    fn power(&self, e: &E<F>, out: &mut Elem<F>, x: &Elem<F>, i: usize) {
        // the map has order d on E
        match i % e.degree() {
            0 => out.clone_from(x),
            1 => e.frobenius(out, x, &self.below),
            i => {
                at! {e; next = frobenius(x, &self.below);}
                self.power(e, out, &next, i - 1);
            }
        }
    }
}

/// Returns the first coefficient of an element that lies in F_p.
fn prime_part<'a, F: Prime>(e: &'a E<F>, x: &'a Elem<F>) -> &'a F::Elem {
    let mut first = None;
    e.coefficients(x, &mut |c| {
        first.get_or_insert(c);
    });
    first.unwrap_or_else(|| unreachable!("an element has a coefficient"))
}

impl<F: Prime> SexticPairing<F> {
    /// Returns f^(p^i): 5 products in E, or 5 scalings if d | i, since w^(p^d − 1) is a sixth root of unity and lies
    /// in F_p. If no constants are kept for i, several maps are composed.
    pub fn frobenius(&self, f: &Fpk<F>, i: usize) -> Fpk<F> {
        let (e, most) = (self.e(), self.frobenius.gamma.len());
        if i == 0 {
            return f.clone();
        }
        if i > most {
            return self.frobenius(&self.frobenius(f, most), i - most);
        }
        let gamma = &self.frobenius.gamma[i - 1];
        let mut image = Fpk::<F>::blank();
        e.routine("frobenius", || {
            for (half, (out, f)) in image.iter_mut().zip(f).enumerate() {
                for (place, (out, x)) in out.iter_mut().zip(f).enumerate() {
                    let j = 2 * place + half;
                    if j == 0 {
                        self.frobenius.power(e, out, x, i);
                    } else {
                        self.times_constant(out, x, i, &gamma[j]);
                    }
                }
            }
        });
        image
    }

    /// Computes x^(p^i)·c. If d | i, c is in F_p.
    fn times_constant(&self, out: &mut Elem<F>, x: &Elem<F>, i: usize, c: &Elem<F>) {
        let e = self.e();
        if i.is_multiple_of(e.degree()) {
            return e.scale(out, x, prime_part(e, c));
        }
        let mut power = Elem::<F>::blank();
        self.frobenius.power(e, &mut power, x, i);
        e.mul(out, &power, c);
    }

    /// Returns f^(p^(k/2)), which is 1/f for f in the cyclotomic subgroup.
    pub fn conjugate(&self, f: &Fpk<F>) -> Fpk<F> {
        at!(self.groups.target; conjugate(f))
    }

    /// Applies π^i on the twist, that is ψ^i = (untwist)^(−1)∘π^i∘(untwist). On G2 it is multiplication by p^i.
    pub fn psi(&self, q: &Affine<E<F>>, i: usize) -> Affine<E<F>> {
        let [x, y] = self.psi_of([&q.x, &q.y], i);
        Affine { x, y, infinity: q.infinity }
    }

    /// Applies ψ^i to a point in Jacobian coordinates.
    pub(super) fn psi_jacobian(&self, q: &Jacobian<E<F>>, i: usize) -> Jacobian<E<F>> {
        let [x, y] = self.psi_of([&q.x, &q.y], i);
        let mut z = Elem::<F>::blank();
        self.frobenius.power(self.e(), &mut z, &q.z, i);
        Jacobian { x, y, z }
    }

    fn psi_of(&self, [x, y]: [&Elem<F>; 2], i: usize) -> [Elem<F>; 2] {
        let most = self.frobenius.gamma.len();
        if i == 0 {
            return [x.clone(), y.clone()];
        }
        if i > most {
            return self.psi_of(self.psi_of([x, y], most).each_ref(), i - most);
        }
        let [second, third] = match self.twist {
            Twist::D => [&self.frobenius.gamma[i - 1][2], &self.frobenius.gamma[i - 1][3]],
            Twist::M => self.frobenius.gamma_inverses[i - 1].each_ref(),
        };
        let mut image: [Elem<F>; 2] = Blank::blank();
        let [out_x, out_y] = &mut image;
        self.times_constant(out_x, x, i, second);
        self.times_constant(out_y, y, i, third);
        image
    }
}
