//! The final exponentiation f ↦ f^((q² − 1)/n) = (f^(q − 1))^h.
//!
//! g = f^(q − 1) = conj(f)²/norm(f) has norm 1. Its h-th power comes from the Lucas sequence V_j = g^j + g^(−j) of its real
//! part (Scott and Barreto, CRYPTO 2004): 1M + 1S + 2R a bit. The imaginary part of g^h follows from V_h and V_(h+1) and
//! 1/Im(g), which shares its inversion with 1/norm(f), and with the whole batch.

use super::{Fq2, Supersingular};
use bilinear_field::{Prime, at, minus, plus, times};

/// g = (re + im·i)/norm, the power f^(q − 1) of f = a + bi: re = a² − b², im = −2ab, norm = a² + b².
struct Easy<E> {
    re: E,
    im: E,
    norm: E,
}

/// Raises every f ≠ 0 to the power (q² − 1)/n, in place: one inversion for all.
pub fn final_exponentiation<F: Prime>(system: &Supersingular<F>, acc: &mut [Fq2<F>]) {
    let f = system.fq();
    let easy: Vec<Easy<F::Elem>> = acc.iter().map(|x| easy_part(f, x)).collect();
    // 1/(norm·im) gives both 1/norm and 1/Im(g)
    let mut inverses = Vec::with_capacity(acc.len());
    for e in &easy {
        at! {f; both = mul(&e.norm, &e.im);}
        inverses.push(both);
    }
    f.inv_many(&mut inverses);
    for ((out, e), i) in acc.iter_mut().zip(&easy).zip(&inverses) {
        at! {f;
            inverse_norm = mul(i, &e.im);
            g0 = mul(&e.re, &inverse_norm);
            norm2 = sqr(&e.norm);
            inverse_im = mul(i, &norm2);
        }
        let [re, im] = system.unitary_pow(&g0, &inverse_im, system.cofactor());
        // Im(g) = 0 means g = ±1, and h is even
        let real = f.is_zero(&e.im);
        let [o0, o1] = out;
        f.select(o0, real, &f.one(), &re);
        f.select(o1, real, &f.zero(), &im);
    }
}

fn easy_part<F: Prime>(f: &F, [a, b]: &Fq2<F>) -> Easy<F::Elem> {
    at! {f;
        aa = sqr_wide(a);
        bb = sqr_wide(b);
        ab = mul_wide(a, b);
        norm = reduce(&[plus(&aa), plus(&bb)]);
        re = reduce(&[plus(&aa), minus(&bb)]);
        im = reduce(&[times(-2, &ab)]);
    }
    Easy { re, im, norm }
}
