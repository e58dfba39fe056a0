//! Square roots in any F_q = F_p^d, q odd: Tonelli and Shanks without a branch on values (RFC 9380, appendix I.4).
//!
//! With q − 1 = 2^s·m, m odd: one power of bits(q) − s bits, then s(s − 1)/2 squarings. For q ≡ 3 (mod 4), s = 1 and the
//! root is a^((q + 1)/4).

use crate::at;
use crate::contract::Prime;
use crate::exponent::pow;
use crate::extension::Extension;
use num_bigint::BigUint;
use num_traits::One;

/// What square roots in a field need.
#[derive(Clone, Debug)]
pub struct SquareRoot<E> {
    /// s.
    two_adicity: u64,
    /// (m − 1)/2.
    exponent: BigUint,
    /// z^m for a non-square z: of order 2^s.
    root_of_one: E,
}

impl<E: Clone + Default> SquareRoot<E> {
    /// For a field and one of its non-squares.
    pub fn new<F: Extension<Elem = E>>(f: &F, non_square: &E) -> Self {
        let order = f.prime().modulus().pow(F::DEGREE as u32) - 1u32;
        let two_adicity = order.trailing_zeros().unwrap_or(0);
        let odd = order >> two_adicity;
        let mut root_of_one = f.zero();
        pow(f, &mut root_of_one, non_square, &odd);
        SquareRoot { two_adicity, exponent: (odd - BigUint::one()) >> 1u32, root_of_one }
    }

    /// out² = a where a is a square: there the mask is set.
    pub fn root<F: Extension<Elem = E>>(&self, f: &F, out: &mut E, a: &E) -> F::Mask {
        let mut power = f.zero();
        pow(f, &mut power, a, &self.exponent);
        at! {f; square = sqr(&power);}
        // a^((m + 1)/2), whose square is a·t for t = a^m
        at! {f; z0 = mul(&power, a); t0 = mul(&square, a);}
        let (mut z, mut t, mut c) = (z0, t0, self.root_of_one.clone());
        let one = f.one();
        for i in (2..=self.two_adicity).rev() {
            // t has order dividing 2^(i − 1); where it is 2^(i − 1), c brings it down
            let mut b = t.clone();
            for _ in 0..i - 2 {
                at! {f; next = sqr(&b);}
                b = next;
            }
            let lower = f.equal(&b, &one);
            at! {f; zc = mul(&z, &c); cc = sqr(&c); tc = mul(&t, &cc); z1 = select(lower, &z, &zc); t1 = select(lower, &t, &tc);}
            (z, t, c) = (z1, t1, cc);
        }
        at! {f; check = sqr(&z);}
        *out = z;
        f.equal(&check, a)
    }
}
