//! The map of Shallue and van de Woestijne against the formulas of RFC 9380, section 6.6.1 and appendix H.1, for every
//! element of small fields.

use bilinear_field::reference::Reference;
use bilinear_field::tower::Complex;
use bilinear_field::{Extension, Lanes, Prime, SquareRoot, at, minus, plus, pow, times};
use bilinear_pairing::curve::{CoefficientA, Curve};
use bilinear_pairing::svdw::{SvdwMap, sign};
use num_bigint::BigUint;

/// Returns true if x is 0 or a square, by Euler's criterion.
fn is_square<E: Extension>(e: &E, x: &E::Elem) -> bool
where
    E::Prime: Lanes,
{
    let order = e.prime().modulus().pow(e.degree() as u32) - 1u32;
    let power = pow(e, x, &(order >> 1u32));
    e.prime().lane(e.or(e.is_zero(x), e.equal(&power, &e.one())), 0)
}

/// Returns Z of appendix H.1 if one of ±1, …, ±(p − 1)/2 serves, and 3Z² + 4a.
fn find_z<E: Extension>(curve: &Curve<E>, a: &E::Elem) -> Option<[E::Elem; 2]>
where
    E::Prime: Lanes,
{
    let e = curve.field();
    let p = u32::try_from(e.prime().modulus()).unwrap();
    let half = e.element(&[(p.div_ceil(2)).into()]);
    (1..=p / 2).flat_map(|n| [n, p - n]).map(|n| e.element(&[n.into()])).find_map(|z| {
        let gz = curve.rhs(&z);
        at! {e;
            zz = sqr(&z);
            slope = sum(&[times(3, &zz), times(4, a)]);
            product = mul(&gz, &slope);
            radicand = neg(&product);
            half_z = mul(&half, &z);
            minus_half_z = neg(&half_z);
        }
        let serves = !e.prime().lane(e.is_zero(&radicand), 0)
            && is_square(e, &radicand)
            && (is_square(e, &gz) || is_square(e, &curve.rhs(&minus_half_z)));
        serves.then_some([z, slope])
    })
}

/// Checks the points of all `us`: x is the first of x1, x2, x3 that is the abscissa of a point. Returns how often each was.
fn agrees<E: Extension>(what: &str, curve: &Curve<E>, a: &E::Elem, non_square: &E::Elem, us: &[E::Elem]) -> [usize; 4]
where
    E::Prime: Lanes,
{
    let (e, mut seen) = (curve.field(), [0; 4]);
    let Some([z, slope]) = find_z(curve, a) else { return seen };
    let truth = |mask| e.prime().lane(mask, 0);
    let gz = curve.rhs(&z);
    at! {e; product = mul(&gz, &slope); radicand = neg(&product); }
    let c3 = {
        let root = SquareRoot::new(e, non_square);
        let mut c3 = e.zero();
        assert!(truth(root.root(e, &mut c3, &radicand)), "{what}");
        at! {e; negative = neg(&c3);}
        if truth(sign(e, &c3)) { negative } else { c3 }
    };
    let points = SvdwMap::new(curve, non_square).points(curve, us);
    for (i, (u, point)) in us.iter().zip(points).enumerate() {
        // steps 1 to 18 of appendix F.1, with fractions
        at! {e;
            uu = sqr(u);
            scaled = mul(&uu, &gz);
            one_more = sum(&[plus(&e.one()), plus(&scaled)]);
            one_less = sum(&[plus(&e.one()), minus(&scaled)]);
            both = mul(&one_more, &one_less);
            inverse = inv(&both);
            upper = mul(u, &one_less);
            scaled_c3 = mul(&upper, &c3);
            step = mul(&scaled_c3, &inverse);
            half = inv(&e.element(&[2u32.into()]));
            half_z = mul(&z, &half);
            x1 = sum(&[minus(&half_z), minus(&step)]);
            x2 = sum(&[plus(&step), minus(&half_z)]);
            square = sqr(&one_more);
            ratio = mul(&square, &inverse);
            ratio2 = sqr(&ratio);
            inverse_slope = inv(&slope);
            quotient = mul(&gz, &inverse_slope);
            c4 = sum(&[times(-4, &quotient)]);
            product = mul(&ratio2, &c4);
            x3 = sum(&[plus(&z), plus(&product)]);
        }
        let which = [&x1, &x2, &x3]
            .iter()
            .position(|x| is_square(e, &curve.rhs(x)))
            .unwrap_or_else(|| panic!("{what}, u {i}: no abscissa"));
        assert!(truth(e.equal(&point.x, [&x1, &x2, &x3][which])), "{what}, u {i}: x{}", which + 1);
        assert!(truth(curve.contains(&point)), "{what}, u {i}: on the curve");
        let is_zero = truth(e.is_zero(&point.y));
        assert!(is_zero || truth(sign(e, &point.y)) == truth(sign(e, u)), "{what}, u {i}: the sign");
        seen[which] += 1;
        seen[3] += usize::from(truth(e.is_zero(&inverse)) && which == 2);
    }
    seen
}

/// Checks the points of all elements of a field on several curves. Returns how often each case was.
fn all<E: Extension>(what: &str, e: &E, curves: &[[u32; 2]], seen: &mut [usize; 4])
where
    E::Prime: Lanes,
{
    let p = u32::try_from(e.prime().modulus()).unwrap();
    let element = |i: u32| e.element(&[BigUint::from(i % p), BigUint::from(i / p)][..e.degree()]);
    let us: Vec<E::Elem> = (0..p.pow(e.degree() as u32)).map(element).collect();
    let non_square = us.iter().find(|u| !is_square(e, u)).unwrap();
    for [a, b] in curves {
        let [a, b] = [a, b].map(|n| element(*n));
        let zero = e.prime().lane(e.is_zero(&a), 0);
        let coefficient = if zero { CoefficientA::Zero } else { CoefficientA::Other(a.clone()) };
        let curve = Curve::new(e.clone(), coefficient, b);
        let of_curve = agrees(&format!("{what}, p = {p}"), &curve, &a, non_square, &us);
        seen.iter_mut().zip(of_curve).for_each(|(sum, n)| *sum += n);
    }
}

/// Every element of fields with p ≡ 3 and 1 (mod 4), and of F_p(i), on several curves each. All of x1, x2 and x3 occur,
/// and so does x3 = Z, where the denominator is 0.
#[test]
fn agrees_with_the_rfc_in_small_fields() {
    let mut seen = [0; 4];
    for p in [19u32, 29, 31, 41, 43, 73, 97, 103] {
        let f = Reference::new(&p.into()).unwrap();
        all("F_p", &f, &[[0, 3], [0, 5], [1, 1], [5, 2], [p - 3, 7], [2, 9]], &mut seen);
    }
    for p in [19u32, 23] {
        let f = Reference::new(&p.into()).unwrap();
        all("F_p(i)", &Complex::complex(f), &[[0, 3], [0, p + 4], [p + 1, 2 * p + 1]], &mut seen);
    }
    assert!(seen.iter().all(|n| *n > 0), "x1, x2, x3 and Z were taken {seen:?} times");
}
