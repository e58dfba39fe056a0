//! Tests of F_2^m against plain polynomials: all elements of small fields, and edge and random values of the fields of
//! the η_T pairing.

use crate::common::{Rng, integer};
use bilinear_field::binary::{Binary, Power, Quad, polynomial};
use bilinear_field::{Field, Lanes, ModulusError, Prime, minus, plus, times};
use num_bigint::BigUint;
use num_traits::One;

/// Returns Σ x^i over the exponents.
fn poly(exponents: &[u64]) -> BigUint {
    exponents.iter().fold(BigUint::ZERO, |f, i| f ^ (BigUint::one() << *i))
}

/// Checks every operation on these values, each together with 3 others.
fn conforms<const N: usize>(k: &Binary<N>, values: &[BigUint], seed: u64) {
    let (f, m) = (k.modulus(), k.degree());
    let check = |what: &str, got: &_, want: BigUint| {
        assert_eq!(k.value(got, 0), want, "{what}, f = {f:#x}, seed {seed:#x}");
    };
    let product = |a: &BigUint, b: &BigUint| polynomial::rem(&polynomial::mul(a, b), f);
    for (i, a) in values.iter().enumerate() {
        for j in [i, i + 1, i * 7 + 3] {
            let (b, c) = (&values[j % values.len()], &values[(i + 2 * j + 1) % values.len()]);
            let [x, y, z] = [a, b, c].map(|v| k.constant(v));
            let mut out = k.zero();
            k.mul(&mut out, &x, &y);
            check("mul", &out, product(a, b));
            k.add(&mut out, &x, &y);
            check("add", &out, a ^ b);
            k.sub(&mut out, &x, &y);
            check("sub", &out, a ^ b);
            k.sum(&mut out, &[plus(&x), times(2, &y), times(-3, &z)]);
            check("sum", &out, a ^ c);
            k.mul_sum(&mut out, &x, &y, &[minus(&z)]);
            check("mul_sum", &out, product(a, b) ^ c);
            let mut four: [_; 4] = Default::default();
            k.mul_wide_four(four.each_mut(), [&x, &y, &z, &z], [&z, &z, &y, &z]);
            for (wide, want) in four.iter().zip([product(a, c), product(b, c), product(b, c), product(c, c)]) {
                k.reduce(&mut out, &[plus(wide)]);
                check("one of four products", &out, want);
            }
            k.sum(&mut out, &[plus(&x), plus(&y), plus(&z)]);
            check("sum of three", &out, a ^ b ^ c);
            let mut many: [_; 7] = Default::default();
            k.mul_all(&mut many, [&x, &y, &z, &x, &y, &z, &x], [&y, &z, &x, &x, &z, &z, &z]);
            let wanted = [(a, b), (b, c), (c, a), (a, a), (b, c), (c, c), (a, c)].map(|(a, b)| product(a, b));
            for (found, want) in many.iter().zip(wanted) {
                check("one of seven products", found, want);
            }
            let (mut xy, mut zz, mut both) = Default::default();
            k.mul_wide(&mut xy, &x, &y);
            k.sqr_wide(&mut zz, &z);
            k.lin(&mut both, &[plus(&xy), minus(&zz), times(4, &zz)]);
            k.reduce(&mut out, &[plus(&both), times(-2, &xy)]);
            check("reduce", &out, product(a, b) ^ product(c, c));
            k.reduce(&mut out, &[plus(&xy), plus(&zz)]);
            check("reduce of two", &out, product(a, b) ^ product(c, c));
            k.reduce_sum(&mut out, &[plus(&xy), times(2, &zz)], &[plus(&z), minus(&x), times(-4, &y)]);
            check("reduce_sum", &out, product(a, b) ^ c ^ a);
            k.reduce_sum(&mut out, &[minus(&zz), plus(&xy)], &[plus(&y)]);
            check("reduce_sum of two", &out, product(a, b) ^ product(c, c) ^ b);
            k.select(&mut out, k.equal(&x, &y), &z, &x);
            check("select", &out, if a == b { c.clone() } else { a.clone() });
        }
        assert_eq!(polynomial::square(a), polynomial::mul(a, a));
        let (x, mut out) = (k.constant(a), k.zero());
        k.sqr(&mut out, &x);
        check("sqr", &out, product(a, a));
        // one to six values, squared once and three times
        let values: Vec<&BigUint> = (0..=i % 6).map(|j| &values[(i + j) % values.len()]).collect();
        let mut squares: Vec<_> = values.iter().map(|v| k.constant(v)).collect();
        for n in [1, 3] {
            let before: Vec<_> = squares.iter().map(|x| k.value(x, 0)).collect();
            k.sqr_all(&mut squares, n);
            for (found, own) in squares.iter().zip(before) {
                let want = (0..n).fold(own, |power, _| product(&power, &power));
                check("one of several squares", found, want);
            }
        }
        k.square_root(&mut out, &x);
        let root = k.value(&out, 0);
        assert_eq!(product(&root, &root), *a, "square_root, f = {f:#x}, seed {seed:#x}");
        k.inv(&mut out, &x);
        check("inv", &out, polynomial::inverse(a, f).unwrap_or_default());
        let power = |n: usize| (0..n).fold(a.clone(), |power, _| product(&power, &power));
        let [out_half, again] = k.half_power().of([&x, &x]);
        check("half_power", &out_half, power(m.div_ceil(2)));
        check("half_power of the second", &again, power(m.div_ceil(2)));
        // the trace by its definition
        let powers = (1..m).scan(a.clone(), |power, _| {
            *power = product(power, power);
            Some(power.clone())
        });
        let trace = powers.fold(a.clone(), |sum, power| sum ^ power);
        k.half_trace(&mut out, &x);
        let h = k.value(&out, 0);
        assert_eq!(product(&h, &h) ^ &h, a ^ &trace, "half_trace, f = {f:#x}, seed {seed:#x}");
        assert!(k.lane(k.is_zero(&x), 0) == (*a == BigUint::ZERO) && k.lane(k.is_odd(&x), 0) == a.bit(0));
    }
}

/// Checks every operation of four lanes on these values.
fn lanes_conform<const N: usize>(k: &Binary<N>, values: &[BigUint], seed: u64) {
    let (f, q) = (k.modulus(), Quad::new(k.clone()));
    let product = |a: &BigUint, b: &BigUint| polynomial::rem(&polynomial::mul(a, b), f);
    let square = |a: BigUint, n: usize| (0..n).fold(a, |power, _| product(&power, &power));
    for i in 0..values.len() {
        let four = |step: usize| [0, 1, 2, 3].map(|lane| &values[(i * step + lane * (step + 1)) % values.len()]);
        let [a, b, c, d] = [1, 2, 3, 5].map(four);
        let [x, y, z, t] = [a, b, c, d].map(|values| {
            let residues = values.map(|v| k.constant(v));
            let mut out = q.zero();
            q.gather(&mut out, |lane| &residues[lane]);
            out
        });
        let check = |what: &str, got: &_, want: &dyn Fn(usize) -> BigUint| {
            let mut lanes = [(); 4].map(|()| k.zero());
            q.scatter(got, |lane, residue| lanes[lane].clone_from(residue));
            for (lane, own) in lanes.iter().enumerate() {
                assert_eq!(q.value(got, lane), want(lane), "{what}, lane {lane}, f = {f:#x}, seed {seed:#x}");
                assert_eq!(k.value(own, 0), want(lane), "{what}, lane {lane}, scattered");
            }
        };
        check("gather", &x, &|l| a[l].clone());
        let mut out = q.one();
        check("one", &out, &|_| BigUint::one());
        q.broadcast(&mut out, &q.uniform(&y));
        check("broadcast", &out, &|_| b[0].clone());
        check("constant", &q.constant(c[1]), &|_| c[1].clone());
        q.mul(&mut out, &x, &y);
        check("mul", &out, &|l| product(a[l], b[l]));
        q.mul_sum(&mut out, &x, &y, &[minus(&z), times(2, &x), plus(&t)]);
        check("mul_sum", &out, &|l| product(a[l], b[l]) ^ c[l] ^ d[l]);
        q.sqr(&mut out, &x);
        check("sqr", &out, &|l| square(a[l].clone(), 1));
        let mut powers = [x.clone(), y.clone(), z.clone()];
        q.sqr_all(&mut powers, 3);
        for (power, values) in powers.iter().zip([a, b, c]) {
            check("sqr_all", power, &|l| square(values[l].clone(), 3));
        }
        q.add(&mut out, &x, &y);
        check("add", &out, &|l| a[l] ^ b[l]);
        q.sub(&mut out, &x, &y);
        check("sub", &out, &|l| a[l] ^ b[l]);
        q.sum(&mut out, &[plus(&x), plus(&y)]);
        check("sum of two", &out, &|l| a[l] ^ b[l]);
        q.sum(&mut out, &[plus(&x), plus(&y), plus(&z)]);
        check("sum of three", &out, &|l| a[l] ^ b[l] ^ c[l]);
        q.sum(&mut out, &[plus(&x), plus(&y), plus(&z), plus(&t)]);
        check("sum of four", &out, &|l| a[l] ^ b[l] ^ c[l] ^ d[l]);
        q.sum(&mut out, &[times(-3, &x), times(2, &y), plus(&z), plus(&t), plus(&t)]);
        check("sum", &out, &|l| a[l] ^ c[l]);
        q.inv(&mut out, &x);
        check("inv", &out, &|l| polynomial::inverse(a[l], f).unwrap_or_default());
        let mask = q.mask_from(&[true, false, true]);
        q.select(&mut out, q.not(mask), &x, &y);
        check("select", &out, &|l| if l % 2 == 1 { a[l].clone() } else { b[l].clone() });
        let (zero, odd, both) = (q.is_zero(&x), q.is_odd(&x), q.and(mask, q.equal(&x, &z)));
        for l in 0..4 {
            let found = [zero, odd, both].map(|mask| q.lane(mask, l));
            assert_eq!(found, [*a[l] == BigUint::ZERO, a[l].bit(0), l % 2 == 0 && a[l] == c[l]]);
        }
    }
}

/// Checks powers by 2^n for several n, of one to four elements, with every implementation.
fn powers<const N: usize>(exponents: &[u64], seed: u64) {
    let f = poly(exponents);
    let (m, mut rng) = (f.bits() - 1, Rng(seed));
    let fields = [Some(Binary::<N>::new(&f).unwrap()), Some(Binary::portable(&f).unwrap())];
    for k in fields.into_iter().chain([Binary::without_lanes(&f).unwrap()]).flatten() {
        let all = (BigUint::one() << m) - 1u32;
        let plain = [(); 4].map(|()| integer(&rng.words(m.div_ceil(64) as usize)) & &all);
        let elements = plain.each_ref().map(|a| k.constant(a));
        let [a, b, c, d] = elements.each_ref();
        for n in [0, 1, 2, m / 3, m - 1, m, m + 3] {
            let wanted = plain.each_ref().map(|a| {
                let square = |a: BigUint, _| polynomial::rem(&polynomial::square(&a), &f);
                (0..n).fold(a.clone(), square)
            });
            let power = Power::new(&k, n as usize);
            let [one] = power.of([a]);
            let [two, three] = power.of([b, c]);
            let four = power.of([d, c, b, a]);
            let found = [one, two, three].into_iter().chain(four);
            let plain = found.map(|found| k.value(&found, 0)).collect::<Vec<_>>();
            let [a, b, c, d] = wanted.each_ref();
            assert_eq!(plain.iter().collect::<Vec<_>>(), [a, b, c, d, c, b, a], "2^{n}, f = {f:#x}, seed {seed:#x}");
        }
    }
}

#[test]
fn powers_are_squares_of_squares() {
    powers::<1>(&[5, 4, 3, 2, 0], 21);
    powers::<5>(&[271, 201, 0], 22);
    powers::<6>(&[379, 315, 301, 287, 0], 23);
    powers::<7>(&[439, 49, 0], 24);
    powers::<20>(&[379, 315, 301, 287, 0], 25);
}

/// Checks every implementation on a field: all its elements, or edge values and two random ones.
fn both<const N: usize>(exponents: &[u64], seed: u64) {
    let f = poly(exponents);
    let (m, mut rng) = (f.bits() - 1, Rng(seed));
    let values: Vec<BigUint> = if m < 8 {
        (0..1u32 << m).map(BigUint::from).collect()
    } else {
        let all = (BigUint::one() << m) - 1u32;
        let powers = [0, 1, 64, m - 1].map(|i| BigUint::one() << i);
        let random: Vec<BigUint> = (0..2).map(|_| integer(&rng.words(m.div_ceil(64) as usize)) & &all).collect();
        [BigUint::ZERO, all].into_iter().chain(powers).chain(random).collect()
    };
    conforms(&Binary::<N>::new(&f).unwrap(), &values, seed);
    conforms(&Binary::<N>::portable(&f).unwrap(), &values, seed);
    lanes_conform(&Binary::<N>::new(&f).unwrap(), &values, seed);
    if let Some(field) = Binary::<N>::without_lanes(&f).unwrap() {
        conforms(&field, &values, seed);
    }
}

#[test]
fn small_fields_are_plain_polynomials_modulo_f() {
    both::<1>(&[3, 1, 0], 1);
    both::<1>(&[5, 4, 3, 2, 0], 2);
    both::<2>(&[7, 6, 0], 3);
}

#[test]
fn fields_of_eta_are_plain_polynomials_modulo_f() {
    both::<5>(&[271, 201, 0], 0x271);
    both::<6>(&[353, 69, 0], 0x353);
    both::<6>(&[379, 315, 301, 287, 0], 0x379);
    both::<6>(&[367, 21, 0], 0x367);
    both::<7>(&[439, 49, 0], 0x439);
    both::<20>(&[439, 49, 0], 0x440);
    // other polynomials of these degrees, with different steps, and in more words
    both::<5>(&[271, 58, 0], 0x272);
    both::<6>(&[353, 215, 0], 0x354);
    both::<20>(&[379, 315, 301, 287, 0], 0x380);
    both::<20>(&[271, 201, 0], 0x273);
}

#[test]
fn the_largest_field_of_eta_is_plain_polynomials_modulo_f() {
    both::<20>(&[1223, 255, 0], 0x1223);
}

#[test]
fn other_polynomials_are_refused() {
    let refused = |exponents: &[u64]| {
        let f = poly(exponents);
        assert_eq!(Binary::<2>::new(&f).err(), Some(ModulusError::Reducible(f)));
    };
    refused(&[]);
    refused(&[0]);
    refused(&[1, 0]);
    refused(&[4, 1, 0]); // irreducible, but of even degree
    refused(&[5, 0]); // x + 1 divides it
    assert_eq!(Binary::<1>::new(&poly(&[71, 6, 0])).err(), Some(ModulusError::TooLarge { bits: 72, max: 65 }));
    // (x³ + x + 1)(x⁴ + x + 1)
    let product = polynomial::mul(&poly(&[3, 1, 0]), &poly(&[4, 1, 0]));
    assert_eq!(Binary::<2>::new(&product).err(), Some(ModulusError::Reducible(product)));
    // a product of three polynomials of degree 5, modulo which x^(2^15) = x as well
    let quintics = [&[5, 2, 0][..], &[5, 3, 0], &[5, 3, 2, 1, 0]].map(poly);
    let product = quintics.iter().fold(BigUint::one(), |product, f| polynomial::mul(&product, f));
    assert_eq!(Binary::<2>::new(&product).err(), Some(ModulusError::Reducible(product)));
}
