//! Known answers of PARI for the families with a sextic twist.

use crate::common::answers::{Answer, answers};
use crate::common::sextic::{parameters, tower};
use crate::common::{Words, affine, prepared_values, values};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, Lanes, Prime, at, plus, pow};
use bilinear_pairing::bilinear_groups::{BilinearGroups, Pair};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::names::{PairingKind, Power};
use bilinear_pairing::sextic::{E, Elem, Fpk, SexticPairing, SexticParameters, SexticTower, pairings, system};
use bilinear_params::SexticKind;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

/// Returns the m for which [`Power::Fast`] gives f^(m(p^k − 1)/r), modulo r.
fn fast_multiple(n: &SexticParameters) -> BigUint {
    let (u, r) = (&n.u, BigInt::from(n.r.clone()));
    let multiple: BigInt = match n.kind {
        SexticKind::Bn => 2 * u * (6 * u * u + 3 * u + 1),
        SexticKind::Bls12 | SexticKind::Bls24 | SexticKind::Bls48 => 3.into(),
        SexticKind::Kss18 => {
            // −1/(2 + p³)², by Fermat
            let square: BigInt = (BigInt::from(n.p.clone()).pow(3) + 2u32).pow(2);
            -square.modpow(&(&r - 2u32), &r)
        }
    };
    multiple.mod_floor(&r).magnitude().clone()
}

/// The check of every answer of one curve.
struct Reproduces {
    tower: SexticTower,
    parameters: SexticParameters,
    answers: Vec<Answer>,
}

/// Returns Σ x_m·ξ^m.
fn in_powers_of_xi<E: Extension, X: NonResidue<E>>(e: &E, xi: &X, coefficients: &[BigUint]) -> E::Elem {
    let mut sum = e.zero();
    for c in coefficients.iter().rev() {
        let mut next = e.zero();
        xi.sum(e, &mut next, &[plus(&e.element(std::slice::from_ref(c)))], &[plus(&sum)]);
        sum = next;
    }
    sum
}

impl Reproduces {
    fn twisted<F: Lanes>(&self, e: &E<F>, coefficients: &[BigUint]) -> Elem<F> {
        match self.parameters.kind {
            SexticKind::Bn | SexticKind::Bls12 => e.element(coefficients),
            SexticKind::Kss18 | SexticKind::Bls24 | SexticKind::Bls48 => {
                in_powers_of_xi(e, &self.tower.xi(e), coefficients)
            }
        }
    }

    /// Reads a value in the flat basis 1, w, …, w^(k−1).
    fn value<F: Lanes>(&self, over: &SexticPairing<F>, flat: &[BigUint]) -> Fpk<F> {
        let xi = self.tower.xi(over.e());
        let coefficient =
            |j: usize| in_powers_of_xi(over.e(), &xi, &flat.iter().skip(j).step_by(6).cloned().collect::<Vec<_>>());
        std::array::from_fn(|half| std::array::from_fn(|place| coefficient(2 * place + half)))
    }
}

impl Reproduces {
    fn run<F: Lanes>(self, f: F) {
        let over = system(&self.tower, &self.parameters, f.clone());
        let target = over.target();
        let pair = |a: &Answer| {
            let [x, y] = a.q.each_ref().map(|x| self.twisted(over.e(), x));
            Pair { p: affine(&f, &a.p), q: Affine { x, y, infinity: f.mask(false) }, infinite: None }
        };
        let pairs: Vec<_> = self.answers.iter().map(pair).collect();
        for pair in &pairs {
            assert!(f.lane(over.g1().contains(&pair.p), 0), "P on C");
            assert!(f.lane(over.g2().contains(&pair.q), 0), "Q on C'");
            assert!(f.lane(over.in_g1(&pair.p), 0), "P in G1");
            assert!(f.lane(over.in_g2(&pair.q), 0), "Q in G2");
        }
        for (pairing, key) in [(PairingKind::Tate, "tate"), (PairingKind::OptAte, "optate")] {
            let ones = vec![1; pairs.len()];
            let acc = values(&over, pairing, &pairs, &ones);
            let mut want = target.one();
            for (x, a) in acc.iter().zip(&self.answers) {
                let answer = self.value(&over, &a.value(key).unwrap());
                assert!(f.lane(target.equal(x, &answer), 0), "{pairing:?}");
                assert!(f.lane(over.in_gt(x), 0), "the value is in GT");
                want = at!(target; mul(&want, &answer));
            }
            // the same pairs with a prepared argument
            let same = prepared_values(&over, pairing, &pairs, &ones);
            for (x, y) in acc.iter().zip(&same) {
                assert!(f.lane(target.equal(x, y), 0), "prepared, {pairing:?}");
            }
            let product = values(&over, pairing, &pairs, &[pairs.len()]);
            assert!(f.lane(target.equal(&product[0], &want), 0), "product, {pairing:?}");
            // pairs with an O, first or second in a product, count as 1; so does a product of no pairs
            let masked = |i: usize, on: bool| Pair { infinite: Some(f.mask(on)), ..pairs[i].clone() };
            let some = [masked(0, true), masked(1, false), masked(2, false), masked(0, true), masked(1, true)];
            let product = values(&over, pairing, &some, &[2, 0, 3]);
            for (x, y) in product.iter().zip([&acc[1], &target.one(), &acc[2]]) {
                assert!(f.lane(target.equal(x, y), 0), "with points at infinity, {pairing:?}");
            }
            // the fast power
            let fast = over.clone().with_power(Power::Fast);
            let lighter = values(&fast, pairing, &pairs, &ones);
            let multiple = fast_multiple(&self.parameters);
            for (x, y) in lighter.iter().zip(&acc) {
                let power = pow(target, y, &multiple);
                assert!(f.lane(target.equal(x, &power), 0), "fast power, {pairing:?}");
            }
        }
        // the other pairings have no known answers here: e(2P, Q) = e(P, 2Q) = e(P, Q)²
        for pairing in pairings(self.parameters.kind) {
            let Pair { p, q, infinite } = pairs[0].clone();
            let twice_p = over.g1().normalise(&[over.g1().double(&over.g1().to_jacobian(&p))]).remove(0);
            let twice_q = over.g2().normalise(&[over.g2().double(&over.g2().to_jacobian(&q))]).remove(0);
            let three =
                [pairs[0].clone(), Pair { p: twice_p, q: q.clone(), infinite }, Pair { p, q: twice_q, infinite }];
            let found = values(&over, *pairing, &three, &[1, 1, 1]);
            at! {target; square = sqr(&found[0]);}
            assert!(!f.lane(target.equal(&found[0], &target.one()), 0), "{pairing:?} is not degenerate");
            for x in &found[1..] {
                assert!(f.lane(target.equal(x, &square), 0), "{pairing:?} is bilinear");
            }
        }
    }
}

/// Checks a curve on words.
fn check(name: &str, file: &str, tower: SexticTower) {
    let parameters = parameters(name);
    let f = Words::new(&parameters.p).unwrap();
    let answers = answers(&format!("oracle/{file}.jsonl"));
    assert!(answers.len() > 3, "{file}");
    Reproduces { tower, parameters, answers }.run(f);
}

/// x^(p^i) and ψ^i for every i, including those above the largest for which constants are kept.
#[test]
fn frobenius_maps_of_any_power() {
    for name in ["bls12-381", "bls24-315", "kss18-508"] {
        let parameters = parameters(name);
        let f = Words::new(&parameters.p).unwrap();
        let over = system(&tower(name), &parameters, f.clone());
        let (target, e) = (over.target(), over.e());
        let mut number = 3u32;
        let mut next = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f.constant(&number.into())
        };
        let x = target.compose(&mut next);
        let q = Affine { x: e.compose(&mut next), y: e.compose(&mut next), infinity: f.mask(false) };
        let (mut power, mut image) = (x.clone(), q.clone());
        for i in 0..=parameters.kind.k() as usize {
            assert!(f.lane(target.equal(&over.frobenius(&x, i), &power), 0), "x^(p^{i}) on {name}");
            let psi = over.psi(&q, i);
            assert!(f.lane(f.and(e.equal(&psi.x, &image.x), e.equal(&psi.y, &image.y)), 0), "ψ^{i} on {name}");
            let raised = pow(target, &power, &parameters.p);
            (power, image) = (raised, over.psi(&image, 1));
        }
    }
}

#[test]
fn bn_curves() {
    check("bn-254n", "BN254N", SexticTower::quadratic(-1, 1));
    check("bn-258", "BN258_Fan", SexticTower::quadratic(-1, 5));
    check("alt-bn128", "alt_bn128", SexticTower::quadratic(-1, 9));
    check("bn-462", "BN462", SexticTower::quadratic(-1, 2));
    check("bn-638", "BN638", SexticTower::quadratic(-1, 2));
}

#[test]
fn bls12_curves() {
    check("bls12-377", "BLS12_377", SexticTower::quadratic(-5, 0));
    check("bls12-381", "BLS12_381", SexticTower::quadratic(-1, 1));
    check("bls12-461", "BLS12_461", SexticTower::quadratic(-1, 1));
    check("bls12-638", "BLS12_638", SexticTower::quadratic(-1, 1));
}

#[test]
fn kss18_curves() {
    check("kss18-508", "KSS18_508", SexticTower::cubic(2));
}

#[test]
fn bls24_curves() {
    check("bls24-315", "BLS24_315", SexticTower::quadratic(13, 0).square_root());
    check("bls24-477", "BLS24_477", SexticTower::quadratic(-1, 1).square_root());
    check("bls24-509", "BLS24_509", SexticTower::quadratic(-1, 1).square_root());
}

#[test]
fn any_tower() {
    // PBC's f.param: neither non-residue is small
    let tower = tower("f");
    assert!(matches!(&tower, SexticTower::Quadratic { beta, xi: [a, _] } if beta.bits() > 100 && a.bits() > 100));
    check("f", "F_PBC", tower);
}
