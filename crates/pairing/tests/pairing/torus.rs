//! The costs of writing an element of GT as a point of a torus, and of reading it. The tests of the encodings of
//! `bilinear-engine` check that values come back.

use crate::common::Words;
use crate::common::sextic::parameters;
use bilinear_field::count::Count;
use bilinear_field::{Field, Lanes, PrimeElem};
use bilinear_pairing::bilinear_groups::BilinearGroups;
use bilinear_pairing::sextic::{SexticTower, system};
use bilinear_pairing::torus::Torus;

/// Returns the numbers of inversions for writing and for reading.
fn inversions(name: &str, tower: &SexticTower, torus: Torus) -> [u64; 2] {
    let parameters = parameters(name);
    let count = Count::new(&parameters.p);
    let system = system(tower, &parameters, count.clone());
    let target = system.target();
    let k = parameters.kind.k() as usize;
    let mut coefficients: Vec<PrimeElem<Count>> = vec![];
    let write = count.of(|| coefficients = torus.compress(target, &target.one()));
    assert_eq!(coefficients.len(), k / torus.factor());
    let read = count.of(|| {
        torus.decompress(target, &coefficients);
    });
    [write.inversion, read.inversion]
}

#[test]
fn a_wrong_number_of_coefficients_decompresses_to_no_element() {
    let parameters = parameters("bls12-381");
    let f = Words::new(&parameters.p).unwrap();
    let system = system(&SexticTower::quadratic(-1, 1), &parameters, f.clone());
    for torus in Torus::ALL {
        let right = 12 / torus.factor();
        for count in 0..=12 {
            let (x, belongs) = torus.decompress(system.target(), &vec![f.zero(); count]);
            assert_eq!(f.lane(belongs, 0), count == right, "{count} coefficients, {torus:?}");
            assert!(f.lane(system.target().equal(&x, &system.target().one()), 0));
        }
    }
}

#[test]
fn inversions_of_the_tori() {
    for (torus, read) in [(Torus::Two, 1), (Torus::Six, 2)] {
        assert_eq!(inversions("bls12-381", &SexticTower::quadratic(-1, 1), torus), [1, read]);
        assert_eq!(inversions("kss18-508", &SexticTower::cubic(2), torus), [1, read]);
        assert_eq!(inversions("bls24-509", &SexticTower::quadratic(-1, 1).square_root(), torus), [1, read]);
    }
}
