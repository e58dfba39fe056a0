//! Tests of dense extensions against integer polynomials and against the same extensions over the reference, and of
//! their costs.

use crate::common::{Flat, Rng, edge_values, extension_agrees};
use bilinear_field::count::{Count, Tally};
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_field::tower::{AnyTower, Dense, Quadratic, Scalar};
use bilinear_field::{Extension, Field, Lanes, Prime, PrimeElem, at, pow};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

/// A polynomial that is irreducible modulo p, given by c_0, …, c_(D−1), and a non-residue of F_p.
struct Sample {
    p: BigUint,
    coefficients: Vec<BigUint>,
    nonresidue: u32,
}

fn sample(bits: u32, c: u32, coefficients: &[i64], nonresidue: u32) -> Sample {
    let p = (BigUint::one() << bits) - c;
    let residue = |x: &i64| BigInt::from(*x).mod_floor(&p.clone().into()).magnitude().clone();
    Sample { coefficients: coefficients.iter().map(residue).collect(), p, nonresidue }
}

/// Returns a·b mod m by the schoolbook method, one power of x after the other.
fn product(s: &[BigUint], p: &BigUint, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
    let d = s.len();
    let mut full = vec![BigUint::ZERO; 2 * d - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            full[i + j] += x * y;
        }
    }
    for k in (d..2 * d - 1).rev() {
        let top = &full[k] % p;
        for i in 0..d {
            full[k - d + i] += (p - &top) * &s[i];
        }
    }
    full[..d].iter().map(|x| x % p).collect()
}

fn values<E: Flat + Extension<Prime = <E as Flat>::Base>>(e: &E, x: &E::Elem) -> Vec<BigUint> {
    e.flatten(x).iter().map(|c| e.prime().value(c, 0)).collect()
}

/// Checks every operation that depends on the polynomial.
fn knows_its_polynomial<E>(e: &E, coefficients: &[BigUint], seed: u64)
where
    E: Flat + Extension<Prime = <E as Flat>::Base>,
{
    let p = e.prime().modulus().clone();
    let mut rng = Rng(seed);
    let edges = edge_values(&p, &mut rng);
    for round in 0..40 {
        let mut draw = || edges[(rng.word() % edges.len() as u64) as usize].clone();
        let mut make = || {
            let v: Vec<BigUint> = (0..e.degree()).map(|_| draw()).collect();
            (e.element(&v), v)
        };
        let ((a, av), (b, bv), (c, cv)) = (make(), make(), make());
        let (s, t) = (draw(), draw());
        let [fs, ft]: [PrimeElem<E>; 2] = [&s, &t].map(|x| e.prime().constant(x));
        let scaled = |v: &[BigUint], s: &BigUint| v.iter().map(|x| x * s).collect::<Vec<_>>();
        let sum = |x: Vec<BigUint>, y: Vec<BigUint>| x.iter().zip(&y).map(|(x, y)| (x + y) % &p).collect::<Vec<_>>();
        let same = |what: &str, x: &E::Elem, want: Vec<BigUint>| {
            assert_eq!(values(e, x), want, "{what}, round {round}, p = {p:#x}, seed {seed:#x}");
        };
        let mut out = e.zero();
        e.mul(&mut out, &a, &b);
        same("mul", &out, product(coefficients, &p, &av, &bv));
        e.sqr(&mut out, &a);
        same("sqr", &out, product(coefficients, &p, &av, &av));
        e.scale_two(&mut out, &a, &fs, &b, &ft);
        same("scale_two", &out, sum(scaled(&av, &s), scaled(&bv, &t)));
        e.mul_add(&mut out, &a, &b, &c, &fs);
        same("mul_add", &out, sum(product(coefficients, &p, &av, &bv), scaled(&cv, &s)));
        let small: Vec<i32> = (0..e.degree()).map(|i| [3, -2, 0, 7, -1][(i + round) % 5]).collect();
        let n: Vec<BigUint> =
            small.iter().map(|n| BigInt::from(*n).mod_floor(&p.clone().into()).magnitude().clone()).collect();
        e.times_small(&mut out, &a, &small);
        same("times_small", &out, product(coefficients, &p, &av, &n));
        let power = pow(e, &a, &p);
        e.frobenius(&mut out, &a, &e.frobenius_constants());
        same("frobenius", &out, values(e, &power));
        at! {e; inverse = inv(&a); one = mul(&a, &inverse);}
        if av.iter().any(|x| *x != BigUint::ZERO) {
            same("inverse", &one, values(e, &e.one()));
        }
        let mut many = [a.clone(), e.zero(), b.clone(), c.clone()];
        e.inv_many(&mut many);
        for (x, y) in many.iter().zip([&a, &e.zero(), &b, &c]) {
            at! {e; want = inv(y);}
            same("inv_many", x, values(e, &want));
        }
    }
    at! {e; none = inv(&e.zero());}
    assert_eq!(values(e, &none), values(e, &e.zero()), "the inverse of 0");
}

type Words = Mont<6>;

/// Checks a field, and the quadratic level above it, where ν is multiplied with unreduced values.
fn check(s: &Sample, seed: u64) {
    let (f, r) = (Words::new(&s.p).unwrap(), Reference::new(&s.p).unwrap());
    let slow = Dense::new(r.clone(), &s.coefficients);
    let e = AnyTower::Dense(Dense::new(f.clone(), &s.coefficients));
    knows_its_polynomial(&e, &s.coefficients, seed);
    extension_agrees(&e, &slow, &f, &s.p, seed);
    let nu = BigUint::from(s.nonresidue);
    let above = Quadratic::new(e, Scalar(f.constant(&nu)));
    let slow = Quadratic::new(slow, Scalar(r.constant(&nu)));
    extension_agrees(&above, &slow, &f, &s.p, seed);
    let mut square = above.zero();
    above.sqr(&mut square, &[above.base().zero(), above.base().one()]);
    let mut root = vec![BigUint::ZERO; above.flatten(&square).len()];
    root[0] = nu;
    let found: Vec<BigUint> = above.flatten(&square).iter().map(|c| f.value(c, 0)).collect();
    assert_eq!(found, root, "s² = ν");
}

#[test]
fn cubic_polynomials() {
    check(&sample(192, 237, &[-206_068, 124_802, 792_447], 2), 0xb111_0301);
    check(&sample(127, 1, &[218_610, 357_292, 537_793], 3), 0xb111_0302);
    check(&sample(255, 765, &[-225_949, 173_913, 914_785], 2), 0xb111_0303);
}

/// The polynomial (x + 1)^4 − 2: 2 is not a square modulo p ≡ 5 (mod 8).
#[test]
fn a_quartic_polynomial() {
    let s = sample(255, 19, &[-1, 4, 6, 4], 2);
    let (f, r) = (Words::new(&s.p).unwrap(), Reference::new(&s.p).unwrap());
    let (e, slow) = (Dense::new(f.clone(), &s.coefficients), Dense::new(r, &s.coefficients));
    knows_its_polynomial(&e, &s.coefficients, 0xb111_0401);
    extension_agrees(&e, &slow, &f, &s.p, 0xb111_0401);
    assert!(!AnyTower::Dense(e).is_quadratic_tower(), "its roots are not by norms");
}

#[test]
fn quintic_polynomials() {
    check(&sample(192, 237, &[550_189, 263_081, 813_278, 485_333, 113_301], 2), 0xb111_0501);
    check(&sample(127, 1, &[-96_546, 327_627, 719_287, 332_188, 321_043], 3), 0xb111_0502);
    check(&sample(255, 765, &[495_492, 738_899, 184_675, 59_769, 268_626], 2), 0xb111_0503);
}

fn msr(t: Tally) -> [u64; 3] {
    [t.mul, t.sqr, t.reduction]
}

#[test]
fn operations_cost_what_the_head_says() {
    let count = Count::new(&((BigUint::one() << 127u32) - 1u32));
    let coefficients = |c: &[u32]| c.iter().map(|c| BigUint::from(*c)).collect::<Vec<_>>();
    let e = Dense::new(count.clone(), &coefficients(&[218_610, 357_292, 537_793]));
    let mut wide = Default::default();
    let (x, mut out) = (e.zero(), e.zero());
    assert_eq!(msr(count.of(|| e.mul_wide(&mut wide, &x, &x))), [9, 0, 0]);
    assert_eq!(msr(count.of(|| e.sqr_wide(&mut wide, &x))), [3, 3, 0]);
    assert_eq!(msr(count.of(|| e.mul(&mut out, &x, &x))), [9 + 6, 0, 5]);
    assert_eq!(msr(count.of(|| e.frobenius(&mut out, &x, &()))), [6, 0, 3]);
    assert_eq!(msr(count.of(|| e.inv(&mut out, &x))), [45, 0, 19]);
    assert_eq!(msr(count.of(|| e.mul_add(&mut out, &x, &x, &x, &()))), [9 + 3 + 6, 0, 5]);
    let c = coefficients(&[96_546, 327_627, 719_287, 332_188, 321_043]);
    let e = Dense::new(count.clone(), &c);
    let mut wide = Default::default();
    let (x, mut out) = (e.zero(), e.zero());
    assert_eq!(msr(count.of(|| e.mul_wide(&mut wide, &x, &x))), [25, 0, 0]);
    assert_eq!(msr(count.of(|| e.sqr_wide(&mut wide, &x))), [10, 5, 0]);
    assert_eq!(msr(count.of(|| e.mul(&mut out, &x, &x))), [25 + 20, 0, 9]);
    assert_eq!(msr(count.of(|| e.frobenius(&mut out, &x, &()))), [20, 0, 5]);
    assert_eq!(msr(count.of(|| e.inv(&mut out, &x))), [220, 0, 52]);
    assert_eq!(msr(count.of(|| e.mul_add(&mut out, &x, &x, &x, &()))), [25 + 5 + 20, 0, 9]);
}
