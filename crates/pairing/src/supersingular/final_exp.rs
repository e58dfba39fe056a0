//! The final exponentiation f ↦ f^((q² − 1)/n) = (f^(q − 1))^h.
//!
//! g = f^(q − 1) = conj(f)²/norm(f) has norm 1. Its h-th power comes from the Lucas sequence V_j = g^j + g^(−j) of its real
//! part (Scott and Barreto, CRYPTO 2004): 1M + 1S + 2R per bit. The imaginary part of g^h follows from V_h and V_(h+1) and
//! 1/Im(g), which shares its inversion with 1/norm(f).

use super::{Fq2, SupersingularPairing};
use bilinear_field::{Prime, at, minus, plus, times};

/// Returns norm(f) = a² + b², and the two coefficients of conj(f)² = a² − b² − 2ab·i, for f = a + bi.
pub(super) fn norm_and_square<F: Prime>(f: &F, [a, b]: &Fq2<F>) -> [F::Elem; 3] {
    at! {f;
        aa = sqr_wide(a);
        bb = sqr_wide(b);
        ab = mul_wide(a, b);
        norm = reduce(&[plus(&aa), plus(&bb)]);
        re = reduce(&[plus(&aa), minus(&bb)]);
        im = reduce(&[times(-2, &ab)]);
    }
    [norm, re, im]
}

/// Returns g = f^(q − 1) for f ≠ 0, of norm 1, with one inversion.
pub(super) fn unitary_part<F: Prime>(system: &SupersingularPairing<F>, value: &Fq2<F>) -> Fq2<F> {
    let f = system.fq();
    let [norm, re, im] = norm_and_square(f, value);
    at! {f; inverse = inv(&norm); g0 = mul(&re, &inverse); g1 = mul(&im, &inverse);}
    [g0, g1]
}

/// Returns f^((q² − 1)/n) for f ≠ 0, with one inversion.
pub fn final_exponentiation<F: Prime>(system: &SupersingularPairing<F>, value: &Fq2<F>) -> Fq2<F> {
    let f = system.fq();
    let [norm, re, im] = norm_and_square(f, value);
    at! {f;
        both = mul(&norm, &im);
        inverse = inv(&both);                    // 1/(norm·im)
        inverse_norm = mul(&inverse, &im);       // 1/norm
        g0 = mul(&re, &inverse_norm);            // Re(g)
        norm2 = sqr(&norm);
        inverse_im = mul(&inverse, &norm2);      // norm/im = 1/Im(g)
    }
    let [re, power_im] = system.unitary_pow(&g0, &inverse_im, &system.groups.cofactors[0]); // g^h
    // Im(g) = 0 means g = ±1, and h is even
    let real = f.is_zero(&im);
    at! {f; out0 = select(real, &f.one(), &re); out1 = select(real, &f.zero(), &power_im);}
    [out0, out1]
}
