//! Products whose factors are sums and differences: the values of the kernels at the ends of their ranges, and the
//! encodings that the check refuses.

use crate::common::replayed;
use crate::interpret::interpret;
use crate::kernels::encoded;
use crate::shim::{Order, run};
use bilinear_cuda::{Modulus, Opcode, Port, Record};
use bilinear_field::Field;
use bilinear_program::{Program, Recorder};
use num_bigint::BigUint;

/// Records products whose factors are sums and differences that have no records of their own: with two, three and
/// four operands, squares, and constants.
fn products_of_sums(p: &BigUint) -> Program {
    let f = Recorder::new(p).unwrap();
    f.record(|ports| {
        use bilinear_field::{Prime, at, minus, plus};
        let (x, y, z) = (ports.elem(), ports.elem(), ports.elem());
        let k = f.constant(&(p - 3u32));
        at! {f;
            s = add(&x, &y); d = sub(&x, &y); e = sub(&z, &x); t = add(&z, &y);
            sz = mul(&s, &z); zd = mul(&z, &d); ss = sqr(&s); dd = sqr(&d); sd = mul(&s, &d);
            te = mul_wide(&t, &e); tx = mul_wide(&t, &x); ez = mul_wide(&z, &e);
            both = reduce(&[plus(&te), minus(&tx), minus(&ez)]);
            a = add(&x, &k); b = sub(&k, &y); ab = mul(&a, &b);
            twice = add(&z, &z); more = sub(&k, &x); c = mul(&more, &twice);
            inner = sub(&y, &z); turned = sum(&[minus(&inner)]); tz = mul(&turned, &x);
        }
        [&sz, &zd, &ss, &dd, &sd, &both, &ab, &c, &tz].into_iter().for_each(|value| ports.output(value));
    })
    .unwrap()
}

/// Compares products of sums of elements at the ends of their range: sums that are p, p − 1 and 2p − 2, differences
/// that are 0 and −1, words of ones.
#[test]
fn products_of_sums_on_edge_values_are_those_of_the_specification() {
    // words of ones and of zeros: p need not be a prime
    let one = BigUint::from(1u32);
    let whole = [255u32, 256, 384, 512, 768, 1056].map(|bits| (bits, 1));
    let split = [(2176, 4), (2111, 4), (512, 4), (768, 8)];
    for (bits, split) in whole.into_iter().chain(split) {
        for p in [(&one << bits) - 1u32, (&one << (bits - 1)) + (&one << (bits / 2)) + 1u32] {
            let program = products_of_sums(&p);
            let modulus = Modulus::new(&p).unwrap();
            let ends = [0u32, 1, 2].map(BigUint::from);
            let edges: Vec<BigUint> = ends
                .iter()
                .cloned()
                .chain([1u32, 2].map(|less| &p - less))
                .chain([&p >> 1u32, (&p >> 1u32) + 1u32, (&one << (bits / 2)) - 1u32, (&one << 32u32) - 1u32])
                .collect();
            let word = |i: usize| Port::Elem(modulus.from_montgomery(&edges[i % edges.len()]));
            let rows: Vec<Vec<Port>> = (0..edges.len() * edges.len())
                .map(|i| vec![word(i), word(i / edges.len()), word(i / 2 + 3 * i / edges.len())])
                .collect();
            let want: Vec<Vec<Port>> = rows.iter().map(|row| replayed(&program, row)).collect();
            for width in if split > 1 { [1].as_slice() } else { &[1, 4, 8] } {
                let encoding = encoded(&program, *width);
                encoding.check().unwrap();
                let makes_sums = |record: &Record| record.opcode == Opcode::Sum;
                assert!(!encoding.stages().iter().any(|stage| stage.records.iter().any(makes_sums)));
                let got: Vec<Vec<Port>> = rows.iter().map(|row| interpret(&encoding, row).unwrap()).collect();
                assert!(got == want, "{bits} bits, {width} lanes");
                for backwards in [false, true] {
                    let order = Order { groups: 8, each: 1, backwards, split };
                    assert!(run(&encoding, &rows, order) == want, "{bits} bits, {width} lanes, {order:?}");
                }
            }
        }
    }
}

/// The second elements of factors must exist, and no other lane may write them: the check refuses a place outside
/// of the memory, and one where another lane of the bundle puts its result.
#[test]
fn second_elements_of_factors_are_checked() {
    let encoding = encoded(&products_of_sums(&((BigUint::from(1u32) << 256u32) - 1u32)), 4);
    let records = encoding.stages()[0].records.clone();
    let keeps = |record: &Record| matches!(record.opcode, Opcode::Close | Opcode::Sum | Opcode::Wide);
    let (mut outside, mut disturbed) = (0, 0);
    for (i, record) in records.iter().enumerate().filter(|(_, record)| record.opcode == Opcode::Product) {
        let end = i + records[i..].iter().position(|record| record.barrier).unwrap() / 4 * 4 + 4;
        let others = (i / 4 * 4..end).filter(|j| j % 4 != i % 4 && keeps(&records[*j])).map(|j| records[j].a);
        let word = u32::from_le_bytes(record.to_bytes()[..4].try_into().unwrap());
        for at in [encoding.places()].into_iter().chain(others) {
            // c, then the fourth operand: a sum has bit 6, and bit 8 without bit 10
            let c = Record { c: at as i32, ..*record };
            let mut bytes = record.to_bytes();
            bytes[..4].copy_from_slice(&(word & 0x7ff | at << 11).to_le_bytes());
            let d = Record::from_bytes(bytes).unwrap();
            for bad in [(word & 1 << 6 != 0).then_some(c), (word & 5 << 8 == 1 << 8).then_some(d)].into_iter().flatten()
            {
                let mut encoding = encoding.clone();
                encoding.stages_mut()[0].records[i] = bad;
                assert!(encoding.check().is_err(), "record {i}: {bad:?}");
                *(if at == encoding.places() { &mut outside } else { &mut disturbed }) += 1;
            }
        }
    }
    assert!(outside >= 10 && disturbed >= 4, "{outside} {disturbed}");
}
