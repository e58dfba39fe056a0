//! Jobs that must not branch on a secret nor use one as an address, for `scripts/secrets.sh`: the engines `mont` and
//! `portable`, and the scalar code of the engine in lanes, as the library is compiled for a release. Without Valgrind
//! the jobs only run.
#![allow(clippy::unwrap_used)]

mod secrets {
    use bilinear_field::memcheck::{hide, is_running, leaks, reveal};
    use bilinear_field::mont::{Mont, Residue};
    use bilinear_field::{Code, Field, Lanes, Prime, minus, plus, times};
    use num_bigint::BigUint;
    use num_traits::One;
    use std::hint::black_box;

    /// Checks that memcheck detects leaks: a branch on a secret bit, and a table entry at a secret index.
    #[test]
    fn planted_leaks_are_seen() {
        assert!(is_running() || std::env::var_os("BILINEAR_MEMCHECK").is_none(), "this is not Valgrind");
        let mut secret = black_box(5u64);
        hide(&mut secret);
        let (mut sum, table) = (0, black_box([1u64, 2, 3, 4, 5, 6, 7, 8]));
        let branches = leaks(|| {
            if black_box(&secret) & 1 == 1 {
                sum = black_box(3);
            }
        });
        let looks_up = leaks(|| sum += table[(secret & 7) as usize]);
        let computes = leaks(|| sum = sum * secret + secret);
        reveal(&mut sum);
        black_box(sum);
        assert_eq!([branches, looks_up, computes], [is_running(), is_running(), false]);
    }

    /// `mont` runs its assembly wherever the system lists the instructions, also under Valgrind, which does not list
    /// them itself.
    #[test]
    fn assembly_is_what_runs() {
        let system = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let is_named = ["bmi2", "adx"].iter().all(|flag| system.split_whitespace().any(|word| word == *flag));
        let p = (BigUint::one() << 254u32) - 3u32;
        let product = |f: Mont<4>| f.kernel(Code::Mul, &[]).unwrap().function() as usize;
        let [best, portable] = [Mont::new(&p), Mont::portable(&p)].map(|f| product(f.unwrap()));
        assert!(best != portable || !is_named, "portable code instead of MULX and ADX");
    }

    /// Returns secret elements: 0, 1, −1, and some others.
    fn secrets<const N: usize>(f: &Mont<N>) -> Vec<Residue<N>> {
        let p = f.modulus();
        let values = [BigUint::from(0u32), BigUint::one(), p - 1u32, p >> 1u32, (p >> 3u32) * 5u32 % p];
        values
            .iter()
            .map(|x| {
                let mut x = f.constant(x);
                hide(&mut x);
                x
            })
            .collect()
    }

    /// Runs a job on every pair of secrets, in fields with few and with many spare bits, in the assembly and in the
    /// portable implementation.
    macro_rules! jobs {
        ($($name:ident: |$f:ident, $a:ident, $b:ident, $out:ident| $job:expr;)*) => {
            $(#[test]
            fn $name() {
                fn of<const N: usize>($f: &Mont<N>) {
                    for $a in &secrets($f) {
                        for $b in &secrets($f) {
                            let mut $out = $f.zero();
                            let leaked = leaks(|| {
                                let _ = ($a, $b);
                                $job;
                                black_box(&mut $out);
                            });
                            assert!(!leaked, "{} words, a modulus of {} bits", N, $f.modulus().bits());
                        }
                    }
                }
                // 2^k − c is prime for some c; primality does not matter here
                let odd = |bits: u64| (BigUint::one() << bits) - 3u32;
                fn both<const N: usize>(p: &BigUint) {
                    of(&Mont::<N>::new(p).unwrap());
                    of(&Mont::<N>::portable(p).unwrap());
                }
                both::<4>(&odd(254));
                both::<5>(&odd(300));
                both::<6>(&odd(381));
                both::<8>(&odd(509));
                both::<12>(&odd(766));
                both::<17>(&odd(1036));
            })*
        };
    }

    jobs! {
        inverse: |f, a, b, out| f.inv(&mut out, a);
        product: |f, a, b, out| f.mul(&mut out, a, b);
        square: |f, a, b, out| f.sqr(&mut out, a);
        sum: |f, a, b, out| f.sum(&mut out, &[plus(a), times(-3, b), plus(b)]);
        sum_of_two: |f, a, b, out| { let mut sum = *a; f.add(&mut sum, a, b); f.sum(&mut out, &[plus(&sum), minus(a)]) };
        difference: |f, a, b, out| { let mut less = *a; f.sub(&mut less, a, b); f.sum(&mut out, &[plus(&less)]) };
        product_and_sum: |f, a, b, out| f.mul_sum(&mut out, a, b, &[plus(a), times(-2, b)]);
        form: |f, a, b, out| {
            let [mut v, mut w, mut sum] = [(); 3].map(|()| Default::default());
            f.mul_wide(&mut v, a, b);
            f.sqr_wide(&mut w, b);
            f.lin(&mut sum, &[times(2, &v), minus(&w)]);
            f.reduce(&mut out, &[plus(&sum), minus(&v)])
        };
        complex_product: |f, a, b, out| {
            let mut both = [out; 2];
            f.complex_mul(&mut both, &[*a, *b], &[*b, *a]);
            f.complex_sqr(&mut both, &[*a, *b]);
            out = both[0]
        };
        complex_unreduced: |f, a, b, out| {
            let (x, y) = ([*a, *b], [*b, *a]);
            let mut w: [[_; 2]; 4] = Default::default();
            f.complex_mul_wide(&mut w[0], &x, &y);
            f.complex_sqr_wide(&mut w[1], &x);
            f.complex_sums_mul_wide(&mut w[2], [&x, &y, &y, &x]);
            f.complex_sum_sqr_wide(&mut w[3], [&x, &y]);
            f.reduce_three_and_two(&mut out, &[plus(&w[0][0]), minus(&w[1][1]), times(9, &w[2][0]), minus(&w[3][1])], a, true)
        };
        forms: |f, a, b, out| {
            let [mut v, mut w, mut sum] = [(); 3].map(|()| Default::default());
            f.mul_wide(&mut v, a, b);
            f.sqr_wide(&mut w, b);
            f.lin(&mut sum, &[plus(&v), times(-9, &w)]);
            for c in [2, 3, 4, -2, -3] {
                f.reduce(&mut out, &[times(c, &sum)]);
            }
            let mut parts: [Residue<_>; 3] = [out; 3];
            f.reduce(&mut parts[0], &[plus(&v), plus(&w), minus(&sum)]);
            f.reduce_three_and_two(&mut parts[1], &[plus(&v), minus(&sum)], a, false);
            f.sum(&mut out, &[plus(a), plus(b), minus(&parts[0]), minus(&parts[1])])
        };
        selection: |f, a, b, out| {
            let mut bit = true;
            hide(&mut bit);
            let mask = f.or(f.mask_from(&[bit]), f.and(f.is_zero(a), f.equal(a, b)));
            f.select(&mut out, mask, a, b)
        };
        quotients: |f, a, b, out| {
            let mut places = [out; 2];
            f.quotients(&mut places, a, &[*a, *b]);
            f.inv_many(&mut places);
            out = places[1]
        };
        words: |f, a, b, out| {
            let mut words = vec![0; f.word_len()];
            f.store(&mut words, a, 0);
            f.load(&mut out, &[&words])
        };
    }

    /// The scalar code of the engine in lanes needs no vectors, which Valgrind does not support.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn residues_and_their_inverses() {
        const LIMB: u32 = 52;
        // N = p, and N a multiple of p where p is short
        for (bits, c) in [(254u32, 1u32), (510, 1), (200, 12), (200, 64), (200, 200)] {
            let (p, c) = ((BigUint::one() << bits) - 3u32, (BigUint::one() << c) - 1u32);
            for v in [BigUint::from(0u32), BigUint::one(), &p - 1u32, p.clone(), &p + 1u32, &p * 2u32 - 1u32] {
                let x = &v * &c;
                let limb = |j: u32| (&x >> (LIMB * j)).iter_u64_digits().next().unwrap_or(0) & ((1 << LIMB) - 1);
                let mut limbs: [u64; 10] = std::array::from_fn(|j| limb(j as u32));
                hide(&mut limbs);
                let leaked = leaks(|| {
                    black_box(bilinear_field::ifma::residue_and_inverse(&p, &c, &limbs));
                });
                assert!(!leaked, "{v:#x}·{c:#x} modulo {p:#x}");
            }
        }
    }
}
