//! Tests of the eight-lane engine against the reference, for every number of limbs in a capacity that is compiled for
//! it, on moduli with many spare bits and with the fewest.

use crate::common::{Rng, conforms, conforms_on, edge_values};
use bilinear_field::ifma::Ifma;
use bilinear_field::reference::Reference;
use bilinear_field::{
    Engine, Field, LIMBS, Lanes, Margin, ModulusError, Prime, SPARE, WORDS, at, minus, plus, rows, rules,
};
use num_bigint::BigUint;
use num_traits::One;

/// Returns the largest prime ≡ 3 (mod 4) of this many bits.
fn prime(bits: u64) -> BigUint {
    let mut p = (BigUint::one() << bits) - 1u32;
    while !probably_prime(&p) {
        p -= 4u32;
    }
    p
}

/// Applies Fermat's test to a few bases: the moduli are fixed, so this is a search and not a proof.
fn probably_prime(p: &BigUint) -> bool {
    [2u32, 3, 5, 7].iter().all(|a| BigUint::from(*a).modpow(&(p - 1u32), p).is_one())
}

fn straight_line<const C: usize>(limbs: usize) {
    let bits = 52 * limbs as u64;
    for spare in [4, 5, 6, 7, 13, 14, 16, 20, 40, 41, 42, 60] {
        let p = prime(bits - spare);
        match Ifma::<C>::with_margin(&p, Margin { spare: spare.min(SPARE), ..Margin::default() }).unwrap() {
            Some(f) => {
                let fits_one_fewer = spare > 52 && bilinear_field::ifma::LIMBS.contains(&(limbs - 1));
                assert_eq!(f.limbs(), limbs - usize::from(fits_one_fewer), "{spare} spare bits");
                conforms(&f, 0xb111_0a00 + spare, if limbs > 10 { 4 } else { 12 });
            }
            None => return,
        }
    }
    if let Some(f) = Ifma::<C>::new(&BigUint::from(1_000_003u32)).unwrap() {
        conforms(&f, 0xb111_0aff, 8);
    }
}

/// Tests primes given by spare bits and c: on l limbs, 2^(52l − spare) − c is a prime ≡ 3 (mod 4).
fn in_blocks<const C: usize>(limbs: usize, primes: [(u64, u32); 7]) {
    for (spare, c) in primes {
        let p = (BigUint::one() << (52 * limbs as u64 - spare)) - c;
        let Some(f) = Ifma::<C>::new(&p).unwrap() else { return };
        assert_eq!(f.limbs(), limbs, "{spare} spare bits");
        let seed = 0xb111_0b00 + spare;
        let mut values = edge_values(&p, &mut Rng(seed));
        values.extend(edge_limbs(&p, limbs));
        conforms_on(&f, seed, &values, limbs / 20);
    }
}

/// Tests primes given by zeros z, spare bits and c: on l limbs, p = 3 + 2^(52(z + 1))·(2^(52(l − z − 1) − spare) − c)
/// is prime. With as many zeros as the kernels of friendly moduli need, or one more, these kernels are tested; with one
/// fewer, the general ones.
fn friendly<const C: usize>(limbs: usize, primes: &[(u64, u64, u32)]) {
    for (zeros, spare, c) in primes {
        let low = 52 * (zeros + 1);
        let p = (((BigUint::one() << (52 * limbs as u64 - low - spare)) - *c) << low) + 3u32;
        let Some(f) = Ifma::<C>::new(&p).unwrap() else { return };
        assert_eq!(f.limbs(), limbs, "{spare} spare bits");
        let seed = 0xb111_0d00 + 64 * zeros + spare;
        let mut values = edge_values(&p, &mut Rng(seed));
        values.extend(edge_limbs(&p, limbs));
        conforms_on(&f, seed, &values, limbs.div_ceil(20));
    }
}

/// Returns values whose residues x·R have limbs of ones, or halves whose sum carries as far as possible.
fn edge_limbs(p: &BigUint, limbs: usize) -> Vec<BigUint> {
    let power = |limbs: usize| BigUint::one() << (52 * limbs);
    let inverse = power(limbs).modinv(p).unwrap();
    let mut residues = vec![];
    for half in [limbs / 4, limbs / 2, limbs / 2 + limbs / 4] {
        let ones = power(half) - 1u32;
        residues.extend([p - 1u32 - &ones, power(half) + &ones, power(half) - 2u32 + power(half), ones]);
    }
    residues.iter().map(|x| x * &inverse % p).collect()
}

macro_rules! on_limbs {
    ($($name:ident: $l:literal in $c:literal $conforms:ident($($primes:tt)*))*) => {
        $(#[test]
        fn $name() {
            $conforms::<$c>($l, $($primes)*);
        })*

        #[test]
        fn every_size_is_tested() {
            assert_eq!(bilinear_field::ifma::LIMBS, [$($l),*]);
            $(assert_eq!(LIMBS.iter().find(|c| **c >= $l), Some(&$c));)*
        }
    };
}

on_limbs! {
    three: 3 in 5 straight_line()
    four: 4 in 5 straight_line()
    five: 5 in 5 straight_line()
    six: 6 in 8 straight_line()
    seven: 7 in 8 straight_line()
    eight: 8 in 8 straight_line()
    nine: 9 in 10 straight_line()
    ten: 10 in 10 straight_line()
    eleven: 11 in 13 straight_line()
    thirteen: 13 in 13 straight_line()
    fifteen: 15 in 21 straight_line()
    seventeen: 17 in 21 straight_line()
    twenty: 20 in 21 straight_line()
    twenty_one: 21 in 21 straight_line()
    twenty_four: 24 in 40 in_blocks([(6, 2385), (7, 73), (15, 1393), (16, 605), (20, 5), (41, 357), (60, 489)])
    twenty_six: 26 in 40 in_blocks([(6, 4181), (7, 81), (15, 1009), (16, 1029), (20, 3177), (41, 1609), (60, 5073)])
    twenty_eight: 28 in 40 in_blocks([(6, 2253), (7, 1285), (15, 253), (16, 857), (20, 173), (41, 2277), (60, 1313)])
    thirty: 30 in 40 in_blocks([(6, 485), (7, 4381), (15, 1081), (16, 617), (20, 417), (41, 937), (60, 669)])
    thirty_four: 34 in 40 in_blocks([(6, 1877), (7, 1573), (15, 6769), (16, 2277), (20, 693), (41, 1309), (60, 1137)])
    forty: 40 in 40 in_blocks([(6, 5085), (7, 1909), (15, 129), (16, 3005), (20, 3537), (41, 805), (60, 69)])
    forty_four: 44 in 80 in_blocks([(6, 117), (7, 1), (15, 7489), (16, 845), (20, 2505), (41, 2125), (60, 1505)])
    forty_eight: 48 in 80 in_blocks([(6, 7313), (7, 8361), (15, 2385), (16, 317), (20, 129), (41, 409), (60, 4773)])
    fifty_two: 52 in 80 in_blocks([(6, 2385), (7, 5445), (15, 741), (16, 2529), (20, 8613), (41, 1785), (60, 14553)])
    fifty_six: 56 in 80 in_blocks([(6, 3365), (7, 11493), (15, 313), (16, 1673), (20, 2069), (41, 7417), (60, 3005)])
    sixty: 60 in 80 in_blocks([(6, 6801), (7, 13845), (15, 289), (16, 4769), (20, 2609), (41, 25), (60, 2037)])
    sixty_eight: 68 in 80 in_blocks([(6, 18513), (7, 7645), (15, 645), (16, 6093), (20, 5457), (41, 657), (60, 1629)])
    eighty: 80 in 80 in_blocks([(6, 1377), (7, 2401), (15, 6429), (16, 1253), (20, 10457), (41, 1125), (60, 3849)])
}

/// No modulus takes over a sixth more limbs than it needs.
#[test]
fn sizes_lie_close_together() {
    for pair in bilinear_field::ifma::LIMBS.windows(2) {
        assert!(6 * pair[1] <= 7 * (pair[0] + 1), "{pair:?}");
    }
}

#[test]
fn friendly_moduli() {
    friendly::<10>(10, &[(1, 6, 120), (2, 6, 93), (3, 6, 309), (3, 16, 272), (4, 6, 5)]);
    friendly::<21>(20, &[(3, 6, 6), (4, 6, 48), (4, 16, 377), (6, 6, 569), (8, 6, 60), (8, 16, 17), (9, 16, 33)]);
    friendly::<40>(30, &[(8, 6, 491), (8, 16, 248), (11, 24, 1790)]);
    friendly::<40>(40, &[(8, 6, 366), (8, 16, 233), (17, 6, 795), (17, 16, 1461)]);
    friendly::<80>(60, &[(8, 6, 1004)]);
    friendly::<80>(80, &[(8, 6, 764), (17, 16, 11)]);
}

/// Returns products of sums and squares plus forms of these lengths for the two halves.
fn with_forms<F: Lanes>(f: &F, lengths: [usize; 2]) -> Vec<BigUint> {
    let xs: Vec<F::Elem> = (3..17u32).map(|k| f.constant(&BigUint::from(k).pow(60))).collect();
    let [a, b, c, d] = [0, 2, 4, 6].map(|i| [xs[i].clone(), xs[i + 1].clone()]);
    at! {f; w0 = mul_wide(&xs[8], &xs[9]); w1 = mul_wide(&xs[10], &xs[11]); w2 = mul_wide(&xs[12], &xs[13]);}
    let terms = [minus(&w0), minus(&w1), minus(&w2)];
    let forms = lengths.map(|len| &terms[..len]);
    let (mut product, mut square): ([F::Wide; 2], [F::Wide; 2]) = Default::default();
    f.complex_sums_mul_lin(&mut product, [&a, &b, &c, &d], forms);
    f.complex_sum_sqr_lin(&mut square, [&a, &b], forms);
    let value = |w: &F::Wide| {
        at! {f; x = reduce(&[plus(w)]);}
        f.value(&x, 0)
    };
    product.iter().chain(&square).map(value).collect()
}

/// Forms of different lengths for the two halves: the kernels take forms of the same length.
#[test]
fn forms_of_two_halves_have_any_lengths() {
    let p = prime(254);
    let Some(f) = Ifma::<5>::new(&p).unwrap() else { return };
    let reference = Reference::new(&p).unwrap();
    for lengths in [[1, 1], [2, 0], [0, 2], [3, 1], [1, 3], [2, 2], [3, 2]] {
        assert_eq!(with_forms(&f, lengths), with_forms(&reference, lengths), "{lengths:?} terms");
    }
}

/// A margin that does not fit into few limbs takes more of them, or is refused.
#[test]
fn margins_may_be_longer_than_limbs() {
    let p = prime(255);
    let margin = |spare| Margin { spare, ..Margin::default() };
    for spare in [100, 156, 157, 200, 265] {
        let Some(f) = Ifma::<10>::with_margin(&p, margin(spare)).unwrap() else { break };
        assert_eq!(f.limbs() as u64, (255 + spare).div_ceil(52), "{spare} spare bits");
        conforms(&f, 0xb111_0e00 + spare, 4);
    }
    for (spare, max) in [(200, 60), (260, 0), (u64::MAX, 0)] {
        let refused = Ifma::<5>::with_margin(&p, margin(spare)).err();
        assert_eq!(refused, Some(ModulusError::TooLarge { bits: 255, max }), "{spare} spare bits");
    }
    assert!(rules(Engine::Ifma, &p, WORDS, LIMBS, margin(5000)).is_none());
    assert!(rows::field(&p, 5000).is_err());
}

/// The number of words of a row, chosen so that the compiler vectorises a loop over them and does not unroll it.
const ROW: usize = 256;

/// Adds a number to rows, from a vector register if the compiler keeps it in one, and calls `between` before each row.
#[inline(never)]
fn increase(rows: &mut [[u64; ROW]], by: u64, mut between: impl FnMut()) {
    for row in rows {
        between();
        for word in row.iter_mut() {
            *word = word.wrapping_add(by);
        }
    }
}

/// Inlined assembly must preserve what the compiler keeps in vector registers. A fault shows in builds with
/// `RUSTFLAGS="-C target-cpu=native"`: in others the compiler uses no register above 128 bits.
#[test]
fn vectors_of_the_caller_stay_as_they_are() {
    let Some(f) = Ifma::<5>::new(&prime(254)).unwrap() else { return };
    let (one, zero, none) = (f.one(), f.zero(), f.mask(false));
    let (uniform, mut out) = (f.uniform(&one), f.one());
    let check = |what: &str, rows: &[[u64; ROW]]| assert_eq!(rows, [[8; ROW]; 5], "{what}");
    let rows = || [[1; ROW]; 5];
    let mut increased = rows();
    increase(&mut increased, 7, || f.select(&mut out, none, &zero, &one));
    check("select", &increased);
    increased = rows();
    increase(&mut increased, 7, || f.broadcast(&mut out, &uniform));
    check("broadcast", &increased);
    increased = rows();
    increase(&mut increased, 7, || f.entry(&mut out, (&[uniform, uniform], 1), &[none]));
    check("entry", &increased);
    increased = rows();
    let mut zeros = 0;
    increase(&mut increased, 7, || zeros += usize::from(f.lane(f.is_zero(&one), 0)));
    check("is_zero", &increased);
    increased = rows();
    increase(&mut increased, 7, || f.add(&mut out, &one, &zero));
    check("add", &increased);
    assert_eq!((f.value(&out, 0), zeros), (BigUint::one(), 0));
}
