//! Operation counts of the pairings with a sextic twist.
#![allow(clippy::unwrap_used)]

mod common;

use bilinear_field::Field;
use bilinear_field::count::Count;
use bilinear_pairing::asymmetric::{Asymmetric, Pair, Pairing};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::sextic::{Gaussian, Power, Shape, SmallCubic, Square, system};
use common::sextic::parameters;

fn show<S: Shape>(name: &str, shape: S) {
    let parameters = parameters(name);
    let count = Count::new(&parameters.p);
    let system = system(&shape, &parameters, count.clone());
    let e = system.e();
    let pair = || Pair {
        p: Affine { x: (), y: (), infinity: () },
        q: Affine { x: e.zero(), y: e.zero(), infinity: () },
        infinite: None,
    };
    let mut f = vec![];
    let one = count.of(|| f = system.miller(Pairing::OptAte, &[pair()], &[1]));
    let two = count.of(|| system.miller(Pairing::OptAte, &[pair(), pair()], &[2])) - one;
    let fe = count.of(|| system.final_exponentiation(&mut f));
    let system = system.with_power(Power::Fast);
    let fast = count.of(|| system.final_exponentiation(&mut f));
    println!("   fast {}M + {}R + {}I", fast.mul + fast.sqr, fast.reduction, fast.inversion);
    println!(
        "{name}: loop {}M+{}R, more {}M+{}R, fe {}M + {}R + {}I",
        one.mul + one.sqr,
        one.reduction,
        two.mul + two.sqr,
        two.reduction,
        fe.mul + fe.sqr,
        fe.reduction,
        fe.inversion
    );
}

#[test]
fn table() {
    show("bn-254n", Gaussian(1));
    show("alt-bn128", Gaussian(9));
    show("bls12-381", Gaussian(1));
    show("bls12-638", Gaussian(1));
    show("bn-638", Gaussian(2));
    show("kss18-508", SmallCubic(2));
    show("bls24-509", Square(Gaussian(1)));
}
