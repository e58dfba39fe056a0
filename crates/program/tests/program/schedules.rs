//! Schedules of the formulas: for any width and any distance, they give the values of the program, in range under the
//! rules of words and of lanes.

use crate::common::{Formula, Rng, SIZES, lane, prime, record, replay, rules_of};
use crate::formulas::{Everything, Inversions, Loop, Partners, Product, Tower};
use bilinear_field::reference::Reference;
use bilinear_program::schedule::{Schedule, Unit};
use bilinear_program::{Code, Input, Output, Value};
use num_bigint::BigUint;

const WIDTHS: [(usize, usize); 5] = [(1, 0), (2, 20), (4, 100), (8, 1000), (8, usize::MAX)];

/// The operations that are left: the primitive ones.
const PRIMITIVE: [Code; 13] = [
    Code::MulWide,
    Code::SqrWide,
    Code::Reduce,
    Code::Lin,
    Code::Add,
    Code::Sub,
    Code::Sum,
    Code::Select,
    Code::IsZero,
    Code::IsOdd,
    Code::And,
    Code::Not,
    Code::Invert,
];

fn agrees<W: Formula>(what: &str, formula: &W, seed: u64) {
    for bits in SIZES {
        let p = prime(bits);
        let program = record(&p, formula);
        let f = Reference::new(&p).unwrap();
        let mut rng = Rng(seed ^ bits << 32);
        let [elems, masks, residues] = W::INPUTS;
        for (width, ahead) in WIDTHS {
            let schedule = Schedule::new(&program, width, ahead);
            let say = || format!("{what}, {bits} bits, width {width}, {ahead} ahead, seed {seed:#x}");
            assert!(schedule.routine().ops.iter().all(|op| PRIMITIVE.contains(&op.code)), "{}", say());
            for rules in rules_of(&p) {
                assert_eq!(schedule.prove(&rules).violations, Vec::<String>::new(), "{}", say());
            }
            for _ in 0..3 {
                let own = lane(&mut rng, &p, elems, masks);
                let prepared: Vec<BigUint> = (0..residues).map(|_| rng.edge(&p)).collect();
                let (mut xs, mut truths) = (own.0.iter(), own.1.iter());
                let inputs = program.inputs().iter().map(|input| match input {
                    Input::Elem { .. } => Value::Elem(xs.next().unwrap().clone()),
                    Input::Mask { .. } => Value::Mask(*truths.next().unwrap()),
                    Input::Uniform { index, .. } => Value::Elem(prepared[*index as usize].clone()),
                });
                let got = schedule.replay(&f, &inputs.collect::<Vec<Value<Reference>>>());
                let (mut elems, mut masks) = (vec![], vec![]);
                for (output, value) in schedule.outputs().iter().zip(got) {
                    match output {
                        Output::Elem(_) | Output::Stored(_) => elems.push(value.elem().clone()),
                        Output::Mask(_) => masks.push(value.mask()),
                        Output::Uniform(_) => {}
                    }
                }
                assert_eq!((elems, masks), replay(&program, &own, &prepared), "{}", say());
            }
        }
    }
}

#[test]
fn schedules_give_the_values_of_formulas() {
    agrees("everything", &Everything, 0x5eed_9000);
    agrees("partners", &Partners, 0x5eed_9001);
    agrees("tower", &Tower, 0x5eed_9002);
    agrees("product", &Product, 0x5eed_9003);
    agrees("inversions", &Inversions, 0x5eed_9004);
    agrees("loop", &Loop(9), 0x5eed_9005);
}

#[test]
fn a_product_in_a_tower_of_degree_twelve() {
    // 18 products in F_p² of 3 products in F_p each, and a reduction for each coefficient: lazy reduction is kept
    let program = record(&prime(254), &Product);
    let counts = Schedule::new(&program, 8, 1000).counts();
    assert_eq!((counts.products, counts.reductions), (54, 12));
    assert_eq!((counts.product_bundles, counts.reduction_bundles), (7, 2));
    assert_eq!((counts.depth, counts.chain, counts.inversions), (1, 2, 0));
    // one at a time, there are as many bundles as operations, and less is live
    let serial = Schedule::new(&program, 1, 0);
    let alone = serial.counts();
    assert_eq!((alone.product_bundles, alone.reduction_bundles), (54, 12));
    assert!(alone.live < counts.live, "{} and {}", alone.live, counts.live);
    assert!(serial.bundles().iter().all(|b| b.ops.len() == 1 || b.unit == Unit::Linear));
}
