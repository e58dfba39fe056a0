//! The programs of every shipped curve as loops: executed part by part over the reference, they give the values of
//! the flat plan.

use crate::common::replay::{MAX_BITS, inputs, residues};
use bilinear_engine::{Curve, Options, loops::Part, programs};
use bilinear_field::reference::Reference;

#[test]
fn loops_give_the_values_of_the_plan() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        // the programs of types A and A1 are alike on fields of all lengths, and the longest take the most time to
        // read
        if curve.family().field().bits() > 1600 && name != "a1-2x1024" {
            continue;
        }
        for (job, program) in programs(&curve, Options::default()).unwrap() {
            let parts = program.outline();
            let size = |part: &Part| if let Part::Loop(looped) = part { looped.size() } else { 1 };
            let (small, all) = (parts.iter().map(size).sum::<usize>(), program.plan().len());
            if job == "Miller loop" && all > 60 {
                assert!(4 * small < all, "{name}, {job}: {small} steps of {all} are left");
            }
            if (name, job) == ("a1-2x512", "Miller loop") {
                assert_eq!((small, all), (138, 2319));
            }
            // an argument of types A, A1, D, E and G is prepared without a loop: all its points share an inversion
            let few = program.modulus().bits() <= MAX_BITS || name == "a1-2x512";
            if few && parts.len() < all {
                let f = Reference::new(program.modulus()).unwrap();
                let inputs = inputs(&program);
                let (flat, looped) = (program.replay(&f, &inputs), program.replay_outline(&f, &parts, &inputs));
                assert_eq!(residues(flat), residues(looped), "{name}, {job}");
            }
        }
    }
}
