//! One pairing in eight lanes: the schedules of every shipped curve give the values of its programs, stay in range
//! under the rules of lanes, and fill the lanes as documented.

use crate::common::replay::{MAX_BITS, inputs, residues};
use bilinear_engine::schedule::{AHEAD, Counts, Schedule};
use bilinear_engine::{Curve, Options, Program, programs};
use bilinear_field::reference::Reference;
use bilinear_field::{Engine, LIMBS, Margin, SPARE, rules};
use bilinear_program::Output;
use std::mem::discriminant;
use std::sync::Arc;

/// The number of lanes of a vector.
const WIDTH: usize = 8;

/// Returns the programs of a single pairing, and of a prepared argument.
fn all(name: &str) -> Vec<(&'static str, Arc<Program>)> {
    programs(&Curve::named(name).unwrap(), Options::default()).unwrap()
}

#[test]
fn schedules_give_the_values_of_programs() {
    for name in Curve::names() {
        for (job, program) in all(name) {
            let p = program.modulus();
            if p.bits() > MAX_BITS {
                continue;
            }
            let schedule = Schedule::new(&program, WIDTH, AHEAD);
            let ports = |outputs: &[Output]| outputs.iter().map(discriminant).collect::<Vec<_>>();
            assert_eq!(ports(schedule.outputs()), ports(program.outputs()), "{name}, {job}");
            let f = Reference::new(p).unwrap();
            let inputs = inputs(&program);
            let (want, got) = (program.replay(&f, &inputs), schedule.replay(&f, &inputs));
            assert_eq!(residues(got), residues(want), "{name}, {job}");
            // as the engine does: with more spare bits where columns or limbs are too small
            let margins = [0, 2, 4, 8]
                .map(|more| [false, true].map(|carries| Margin { spare: SPARE + more, carries, ..Margin::default() }));
            let proved = margins.as_flattened().iter().any(|margin| {
                let rules = rules(Engine::Ifma, p, &[], LIMBS, *margin);
                rules.is_none_or(|rules| schedule.prove(&rules).violations.is_empty())
            });
            assert!(proved, "{name}, {job}");
        }
    }
}

#[test]
fn lanes_are_full_on_sextic_curves_and_half_empty_on_type_a() {
    // fill of products and of reductions, in hundredths
    let fill = |name: &str| {
        let counts: Vec<Counts> =
            all(name).iter().take(2).map(|(_, program)| Schedule::new(program, WIDTH, AHEAD).counts()).collect();
        let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>();
        let (products, reductions) = (sum(|c| c.products), sum(|c| c.reductions));
        let bundles = [sum(|c| c.product_bundles), sum(|c| c.reduction_bundles)];
        let hundredths = |n: usize, bundles: usize| 100 * n / (WIDTH * bundles);
        (bundles, [hundredths(products, bundles[0]), hundredths(reductions, bundles[1])])
    };
    let (bundles, [products, reductions]) = fill("bls12-381");
    assert!(bundles[0] <= 1690 && bundles[1] <= 960, "{bundles:?}");
    assert_eq!([products, reductions], [98, 86]);
    let (_, [products, reductions]) = fill("alt-bn128");
    assert!(products >= 99 && reductions >= 96, "{products} {reductions}");
    // the final exponentiation of this curve is a chain of two products at a time
    let (_, [products, reductions]) = fill("a-512");
    assert_eq!([products, reductions], [60, 56]);
}
