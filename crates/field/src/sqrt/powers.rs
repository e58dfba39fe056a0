//! Roots by Tonelli and Shanks (RFC 9380, appendix I.4): with q − 1 = 2^s·m, m odd, one power with the exponent
//! (m − 1)/2, then s(s − 1)/2 squarings. For q ≡ 3 (mod 4), s = 1 and the root is a^((q + 1)/4); for odd d > 1 the power
//! is computed by p-th powers from one with an exponent of bits(p) bits (Adj and Rodríguez-Henríquez, IEEE Trans.
//! Computers 63, 2014, section 4).

use crate::at;
use crate::contract::{Field, Prime};
use crate::exponent::pow;
use crate::extension::Extension;
use num_bigint::BigUint;
use num_traits::One;

/// The constants of the method of Tonelli and Shanks.
#[derive(Clone)]
pub(super) struct Powers<F: Extension> {
    /// The two-adicity s.
    pub(super) two_adicity: u64,
    /// The exponent (m − 1)/2, or (p − 3)/4 with the constants of p-th powers.
    exponent: BigUint,
    frobenius: Option<F::Frobenius>,
    /// z^m for a non-square z: an element of order 2^s.
    root_of_one: F::Elem,
}

/// The powers r = a^((m − 1)/2), z = a^((m + 1)/2) and t = a^m: z² = a·t and zr = t.
pub(super) type Start<F> = [<F as Field>::Elem; 3];

/// Returns the powers of ab from those of a and b.
pub(super) fn product<F: Field>(f: &F, a: &Start<F>, b: &Start<F>) -> Start<F> {
    std::array::from_fn(|i| at!(f; mul(&a[i], &b[i])))
}

impl<F: Extension> Powers<F> {
    pub(super) fn new(f: &F, non_square: &F::Elem) -> Self {
        let p = f.prime().modulus();
        let order = p.pow(f.degree() as u32) - 1u32;
        let two_adicity = order.trailing_zeros().unwrap_or(0);
        let odd = order >> two_adicity;
        let root_of_one = pow(f, non_square, &odd);
        let by_frobenius = two_adicity == 1 && f.degree() > 1;
        let exponent = if by_frobenius { (p - 3u32) >> 2u32 } else { (odd - BigUint::one()) >> 1u32 };
        Powers { two_adicity, exponent, frobenius: by_frobenius.then(|| f.frobenius_constants()), root_of_one }
    }

    pub(super) fn start(&self, f: &F, a: &F::Elem) -> Start<F> {
        let r = self.power(f, a);
        at! {f; z = mul(&r, a); t = mul(&z, &r);}
        [r, z, t]
    }

    /// Returns a^((m − 1)/2). For odd d and s = 1, (p^d − 3)/4 = α + p·((p + 3)α + 2)·Σ p^(2i) over i < (d − 1)/2 for
    /// α = (p − 3)/4.
    fn power(&self, f: &F, a: &F::Elem) -> F::Elem {
        let x = pow(f, a, &self.exponent);
        let Some(constants) = &self.frobenius else { return x };
        at! {f;
            xa = mul(&x, a);
            square = sqr(&xa);                                    // a^(2α + 2)
            cube = mul(&square, &x);                              // a^(3α + 2)
            y = mul(&cube, &conjugate(f, constants, 1, &x));      // a^((p + 3)α + 2)
        }
        // y·(y·(…)^(p²))^(p²), (d − 1)/2 factors
        let product = (3..f.degree())
            .step_by(2)
            .fold(y.clone(), |product, _| at!(f; mul(&y, &conjugate(f, constants, 2, &product))));
        at!(f; mul(&x, &conjugate(f, constants, 1, &product)))
    }

    /// Returns the mask of the lanes where a is a square: t^(2^(s − 1)) = 1, or a = 0.
    pub(super) fn is_square(&self, f: &F, a: &F::Elem, start: &Start<F>) -> F::Mask {
        f.or(f.equal(&squared(f, &start[2], self.two_adicity - 1), &f.one()), f.is_zero(a))
    }

    /// Starts from a where it is a square, else from ca, and returns the mask of the former.
    pub(super) fn start_of_either(&self, f: &F, a: &F::Elem, c: &Start<F>) -> (Start<F>, F::Mask) {
        let start = self.start(f, a);
        let square = self.is_square(f, a, &start);
        let multiple = product(f, &start, c);
        let chosen = std::array::from_fn(|i| at!(f; select(square, &start[i], &multiple[i])));
        (chosen, square)
    }

    /// Multiplies z and t by powers of the root of 1 and of its square until t = 1; returns z.
    pub(super) fn finish(&self, f: &F, [_, z, t]: &Start<F>) -> F::Elem {
        let (mut z, mut t) = (z.clone(), t.clone());
        let (mut c, one) = (self.root_of_one.clone(), f.one());
        for i in (2..=self.two_adicity).rev() {
            // t has order dividing 2^(i − 1); where it is 2^(i − 1), c brings it down
            let lower = f.equal(&squared(f, &t, i - 2), &one);
            at! {f; zc = mul(&z, &c); cc = sqr(&c); tc = mul(&t, &cc); z1 = select(lower, &z, &zc); t1 = select(lower, &t, &tc);}
            (z, t, c) = (z1, t1, cc);
        }
        z
    }
}

/// Returns x^(2^n).
fn squared<F: Field>(f: &F, x: &F::Elem, n: u64) -> F::Elem {
    let mut power = x.clone();
    for _ in 0..n {
        power = at!(f; sqr(&power));
    }
    power
}

/// Returns x^(p^n).
pub(super) fn conjugate<F: Extension>(f: &F, constants: &F::Frobenius, n: usize, x: &F::Elem) -> F::Elem {
    let mut out = x.clone();
    for _ in 0..n {
        out = at!(f; frobenius(&out, constants));
    }
    out
}
