//! The programs of every shipped curve as loops: they are the flat plans, step by step.

use crate::outlines::assert_is_plan;
use bilinear_engine::{Curve, Options, loops::Part, programs};

#[test]
fn loops_are_the_plan() {
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
            assert_is_plan(&program, &parts);
        }
    }
}
