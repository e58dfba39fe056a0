//! Curves of small characteristic over fields of few elements: searches in such fields terminate, and the pairings
//! are pairings.

use bilinear_engine::{Engine, Group, Options, Research, System};
use bilinear_params::Description;

/// Returns every polynomial of these degrees, as exponents and coefficients, that may define F_p^m.
fn polynomials(p: u32, degrees: &[u32]) -> Vec<[Vec<u32>; 2]> {
    let of = |m: u32| {
        (0..p.pow(m)).map(move |number| {
            let digits = (0..m).rev().map(|i| (i, number / p.pow(i) % p)).filter(|(_, c)| *c != 0);
            let (exponents, coefficients) = [(m, 1)].into_iter().chain(digits).unzip();
            [exponents, coefficients]
        })
    };
    degrees.iter().copied().flat_map(of).collect()
}

/// Returns true if the text describes a curve; then its values are examined.
fn is_examined(text: &str) -> bool {
    let Ok(read) = Description::from_toml(&format!("name = \"tiny\"\n{text}"), "tiny.toml") else { return false };
    let research = Some(Research::knowing_it_is_broken());
    let system =
        System::with(&read.curve, Options { engine: Some(Engine::Portable), research, ..Options::default() }).unwrap();
    let [p, q] = Group::ALL.map(|group| system.generator(group));
    let value = system.pair(&p, &q);
    assert_ne!(value, system.gt_one(), "{text}");
    assert_eq!(system.gt_pow(&value, system.order()), system.gt_one(), "{text}");
    let hashed = system.hash_to_curve(Group::G1, b"a message", b"QUUX-V01-CS02").unwrap();
    assert_eq!(system.pair(&hashed, &q), system.pair(&q, &hashed), "{text}");
    true
}

/// Of the polynomials of degree 5, 6 are irreducible over F_2 and 48 over F_3; of those of degree 7, 18 over F_2.
/// Each has two curves, except one of 5^2 points over F_2^5. There are few powers of x^10 + x modulo the polynomial
/// of degree 11.
#[test]
fn set_up_ends_over_every_small_field() {
    let mut found = [0; 3];
    let binary = polynomials(2, &[5, 7]).into_iter().map(|[exponents, _]| exponents);
    for exponents in binary.chain([vec![11, 9, 7, 5, 3, 1, 0]]) {
        for (c, h) in [0, 1].into_iter().flat_map(|c| [1, 5, 13].map(|h| (c, h))) {
            for (i, (family, key)) in [("ss2", "b"), ("hss2", "d")].into_iter().enumerate() {
                let parameters = format!("polynomial = {exponents:?}\n{key} = {c}\nh = \"{h}\"\n");
                found[i] += usize::from(is_examined(&format!("family = \"{family}\"\n[parameters]\n{parameters}")));
            }
        }
    }
    for [exponents, coefficients] in polynomials(3, &[5]) {
        for (b, h) in [(1, 7), (-1, 1)] {
            let parameters =
                format!("polynomial = {exponents:?}\ncoefficients = {coefficients:?}\nb = {b}\nh = \"{h}\"\n");
            found[2] += usize::from(is_examined(&format!("family = \"ss3\"\n[parameters]\n{parameters}")));
        }
    }
    assert_eq!(found, [6 + 2 * 18 + 2, 2 * 18, 2 * 48]);
}
