//! The part of the check that concerns lanes and threads that do not wait for each other.

use crate::interpret::interpret;
use crate::kernels::{encoded, small, small_inputs};
use crate::shim::{Order, run};
use bilinear_cuda::{Encoding, Fault, Opcode, Record, Slot};
use bilinear_field::Field;
use bilinear_program::{Program, Recorder};
use num_bigint::BigUint;

const ORDER: Order = Order { groups: 16, each: 2, backwards: false, split: 1 };

/// With one thread per pairing, and with residues, nothing waits at the end of a bundle. If the end of a bundle is
/// removed, the encoding is refused if something reads a value that the longer bundle makes, and otherwise has the
/// same values.
#[test]
fn a_bundle_reads_nothing_that_it_makes() {
    let rows = small_inputs([12345, 678]);
    for width in [1, 0] {
        let encoding = encoded(&small(), width);
        let want = run(&encoding, &rows, ORDER);
        let (mut refused, mut same) = (0, 0);
        for stage in 0..encoding.stages().len() {
            for record in 0..encoding.stages()[stage].records.len() {
                let mut longer = encoding.clone();
                let barrier = &mut longer.stages_mut()[stage].records[record].barrier;
                if !std::mem::take(barrier) {
                    continue;
                }
                if longer.check().is_err() {
                    refused += 1;
                    continue;
                }
                let at = format!("width {width}, stage {stage}, record {record}");
                assert!(
                    rows.iter().zip(&want).all(|(row, want)| interpret(&longer, row).as_ref() == Some(want)),
                    "{at}"
                );
                assert!(run(&longer, &rows, ORDER) == want, "{at}");
                same += 1;
            }
        }
        assert!(refused > 10 && same > 5, "width {width}: {refused} refused, {same} with the same values");
    }
}

fn product(p: &BigUint) -> Program {
    let f = Recorder::new(p).unwrap();
    let recorded = f.record(|ports| {
        use bilinear_field::at;
        let (x, y) = (ports.elem(), ports.elem());
        at! {f; xy = mul(&x, &y); end = mul(&xy, &y);}
        ports.output(&end);
    });
    recorded.unwrap()
}

fn mersenne(bits: u32) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

/// Returns the encoding with records appended whose results nothing reads.
fn longer(encoding: &Encoding, records: &[(Opcode, i32, u32, u32)]) -> Encoding {
    let mut longer = encoding.clone();
    let last = longer.stages_mut().last_mut().unwrap();
    let record = |(opcode, c, a, b): &_| Record { opcode: *opcode, barrier: true, c: *c, a: *a, b: *b, terms: 0 };
    last.records.extend(records.iter().map(record));
    longer
}

/// Threads that share a number have the words of the same positions of every value, counted from its first word: no
/// place overlaps another one in part.
#[test]
fn places_of_shared_numbers_stay_where_they_are() {
    const CONSTANT: u32 = 1 << 31;
    for (bits, width, is_shared) in [(89, 1, false), (89, 0, true), (1279, 1, true)] {
        let encoding = encoded(&product(&mersenne(bits)), width);
        let at = |place| longer(&encoding, &[(Opcode::Element, 1, CONSTANT, 0), (Opcode::Sum, 0, place, 0)]).check();
        assert_eq!(at(0), Ok(()), "{bits} bits, width {width}");
        assert_eq!(at(4).is_err(), is_shared, "{bits} bits, width {width}");
    }
}

/// One thread writes all words of a residue, which other threads would read, so a stage must not read a residue
/// that it makes.
#[test]
fn a_residue_that_a_stage_makes_is_not_read_there() {
    let encoding = encoded(&product(&mersenne(89)), 0);
    let [Slot::Elem(input), _] = encoding.inputs() else { panic!("two residues") };
    let [Slot::Elem(output)] = encoding.outputs() else { panic!("a residue") };
    let read = |slot| longer(&encoding, &[(Opcode::Residues, 0, 0, slot)]).check();
    assert_eq!(read(*input), Ok(()));
    assert!(matches!(read(*output), Err(Fault::Record { opcode: Opcode::Residues, .. })));
}
