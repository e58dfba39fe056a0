//! GMP's field arithmetic: `mpn_mul_n` or `mpn_sqr` and Montgomery's reduction by `mpn_redc_1`, as `mpz_powm` combines them;
//! `mpz_invert` for the inverse.

use super::ffi::Gmp;
use num_bigint::BigUint;

/// Arithmetic modulo an odd p of n limbs; residues are in Montgomery form, below 2^(64n) and not always below p.
pub struct GmpField {
    gmp: Gmp,
    label: String,
    p: Vec<u64>,
    /// −1/p modulo 2^64.
    inverse: u64,
    wide: Vec<u64>,
}

impl GmpField {
    pub(super) fn new(gmp: Gmp, label: String, p: &BigUint) -> GmpField {
        let p = p.to_u64_digits();
        // Newton: x ← x(2 − px) doubles the correct bits, of which x = p has 3
        let inverse = (0..5).fold(p[0], |x, _| x.wrapping_mul(2u64.wrapping_sub(p[0].wrapping_mul(x))));
        GmpField { gmp, label, wide: vec![0; 2 * p.len()], p, inverse: inverse.wrapping_neg() }
    }

    /// The name of the library.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The limbs of a residue.
    pub fn limbs(&self, x: &BigUint) -> Vec<u64> {
        let mut limbs = x.to_u64_digits();
        limbs.resize(self.p.len(), 0);
        limbs
    }

    /// Computes out = a·b/2^(64n).
    pub fn mul(&mut self, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.gmp.mul(&mut self.wide, a, b);
        self.gmp.redc(out, &mut self.wide, &self.p, self.inverse);
    }

    /// Computes out = a²/2^(64n).
    pub fn sqr(&mut self, out: &mut [u64], a: &[u64]) {
        self.gmp.sqr(&mut self.wide, a);
        self.gmp.redc(out, &mut self.wide, &self.p, self.inverse);
    }

    /// Computes out = t/2^(64n) for t of 2n limbs, which are copied because the reduction overwrites them.
    pub fn reduce(&mut self, out: &mut [u64], t: &[u64]) {
        self.wide.copy_from_slice(t);
        self.gmp.redc(out, &mut self.wide, &self.p, self.inverse);
    }

    /// Computes out = 1/a, not in Montgomery form; 0 if there is no inverse.
    pub fn inv(&mut self, out: &mut [u64], a: &[u64]) {
        self.gmp.invert(out, a, &self.p);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use crate::inputs::Random;
    use crate::peers::Peers;
    use bilinear_field::{Engine, Job, Lanes, at, dispatch};
    use bilinear_params::{Curve, Family};

    /// Compares our product, square, reduction and inverse with a peer's, on the same residues.
    struct Compare<'a>(&'a mut GmpField, u64);

    impl Job for Compare<'_> {
        type Output = ();
        fn run<F: Lanes + 'static>(self, f: F) {
            let Compare(gmp, seed) = self;
            let (p, mut random) = (f.modulus().clone(), Random::new(seed));
            let bits = 64 * f.word_len() as u64;
            let r = (BigUint::from(1u32) << bits) % &p;
            let mut out = gmp.limbs(&BigUint::ZERO);
            let value = |limbs: &[u64]| limbs.iter().rev().fold(BigUint::ZERO, |v, w| (v << 64u32) + *w) % &p;
            let edge = [BigUint::ZERO, BigUint::from(1u32), &p - 1u32, &p >> 1u32, (&r - 1u32) % &p];
            let uniform: Vec<BigUint> = (0..20).map(|_| random.below(&p)).collect();
            for a in edge.into_iter().chain(uniform) {
                let b = random.below(&p);
                let (fa, fb) = (f.constant(&a), f.constant(&b));
                at! {f; ab = mul(&fa, &fb); aa = sqr(&fa); ia = inv(&fa);}
                let (ma, mb) = (gmp.limbs(&(&a * &r % &p)), gmp.limbs(&(&b * &r % &p)));
                gmp.mul(&mut out, &ma, &mb);
                assert_eq!(value(&out), f.value(&ab, 0) * &r % &p, "product, seed {seed}");
                gmp.sqr(&mut out, &ma);
                assert_eq!(value(&out), f.value(&aa, 0) * &r % &p, "square, seed {seed}");
                let mut wide = ma.clone();
                wide.resize(2 * ma.len(), 0);
                gmp.reduce(&mut out, &wide);
                assert_eq!(value(&out), a, "reduction, seed {seed}");
                gmp.inv(&mut out, &gmp.limbs(&a));
                assert_eq!(value(&out), f.value(&ia, 0), "inverse, seed {seed}");
            }
        }
    }

    #[test]
    fn gmp_agrees_with_our_field() {
        let peers = Peers::find(&mut |note| eprintln!("{note}"));
        for name in ["a-512", "a1-1024", "a1-2048"] {
            let curve = Curve::named(name).unwrap();
            let Family::Supersingular(s) = curve.family() else { panic!("a family of its own") };
            let fields = peers.gmp_fields(s.q());
            if fields.is_empty() {
                eprintln!("skipped: no GMP; build with --features gmp or set BILINEAR_GMP");
            }
            for (mut gmp, seed) in fields.into_iter().zip(1..) {
                dispatch(Engine::Mont, s.q(), Compare(&mut gmp, seed)).unwrap();
            }
        }
        #[cfg(feature = "gmp")]
        assert!(!peers.gmp_fields(&BigUint::from(7u32)).is_empty(), "GMP is linked in");
    }
}
