//! The kernels give the values of the library: whole pairings, also of rows that hold O.

use crate::common::{Rng, replayed};
use crate::shim::{Order, folded, run, run_flipped};
use bilinear_cuda::{Encoding, Port, Record};
use bilinear_engine::{Curve, Group, Options, Point, System, gt_order, product_program, programs};
use bilinear_field::Field;
use bilinear_program::{Program, Recorder};
use num_bigint::BigUint;

/// Returns the coordinates of points as residues.
fn coordinates(system: &System, points: [&Point; 2]) -> Vec<Port> {
    let length = system.curve().family().field().bits().div_ceil(8) as usize;
    let bytes = points.map(|point| point.bytes().unwrap()).concat();
    bytes.chunks(length).map(|coordinate| Port::Elem(BigUint::from_bytes_be(coordinate))).collect()
}

/// Words of a block's memory for a pairing in residues: too few for all values.
const NEAR: u32 = 600;
/// Words of a block's memory for a pairing of groups: too few for all values.
const NEAR_OF_GROUPS: u32 = 100;

/// Encodes a program for `width` threads per pairing, with far places for 8, or in residues for 0.
pub(crate) fn encoded(program: &Program, width: usize) -> Encoding {
    let encoding = match width {
        0 => Encoding::in_residues(program, NEAR),
        8 => Encoding::in_groups(program, width, NEAR_OF_GROUPS),
        width => Encoding::new(program, width),
    };
    encoding.unwrap()
}

/// Compares the pairings of a few rows, by Miller loop and final exponentiation, with those of the library. The row
/// before the last has O.
fn check(name: &str, width: usize, order: Order) {
    let curve = Curve::named(name).unwrap();
    let system = System::new(&curve).unwrap();
    let [miller, finish] = [
        product_program(&curve, Options::default(), 1, false).unwrap(),
        programs(&curve, Options::default()).unwrap().swap_remove(1).1,
    ]
    .map(|program| {
        let encoding = encoded(&program, width);
        encoding.check().unwrap();
        encoding
    });
    let generators = [Group::G1, Group::G2].map(|group| system.generator(group));
    let hashed = [Group::G1, Group::G2].map(|group| system.hash_to_curve(group, b"cuda", b"TEST-V01").unwrap());
    let minus = system.neg(&hashed[0]);
    let rows = [[&hashed[0], &hashed[1]], [&generators[0], &generators[1]], [&minus, &generators[1]]];
    // the row that has O, whatever lies in the place of its coordinates
    let infinite = 1;
    let inputs: Vec<Vec<Port>> = rows
        .iter()
        .enumerate()
        .map(|(i, points)| [coordinates(&system, *points), vec![Port::Mask(i == infinite)]].concat())
        .collect();
    let values = run(&finish, &run(&miller, &inputs, order), order);

    let length = curve.family().field().bits().div_ceil(8) as usize;
    let places = gt_order(&curve, Options::default()).unwrap();
    for (i, (value, [p, q])) in values.into_iter().zip(rows).enumerate() {
        let mut bytes = vec![0; length * value.len()];
        for (port, at) in value.iter().zip(&places) {
            let Port::Elem(x) = port else { panic!("a coefficient") };
            let digits = x.to_bytes_be();
            let end = (at + 1) * length;
            bytes[end - digits.len()..end].copy_from_slice(&digits);
        }
        let want = if i == infinite { system.gt_one() } else { system.pair(p, q) };
        assert_eq!(bytes, want.bytes(), "{name}, {width} lanes, row {i}, {order:?}");
    }
}

#[test]
fn pairings_by_one_thread_each_are_those_of_the_library() {
    let order = Order { groups: 2, each: 2, backwards: false, split: 1 };
    for name in ["a-512", "bls12-381", "alt-bn128", "a1-2x512"] {
        check(name, 1, order);
    }
}

#[test]
fn pairings_by_groups_of_threads_are_those_of_the_library() {
    check("a-512", 4, Order { groups: 2, each: 3, backwards: false, split: 1 });
    check("a-512", 8, Order { groups: 2, each: 1, backwards: true, split: 1 });
    check("bls12-381", 8, Order { groups: 4, each: 2, backwards: false, split: 1 });
    check("alt-bn128", 4, Order { groups: 3, each: 2, backwards: true, split: 1 });
}

#[test]
fn pairings_by_threads_that_split_numbers_are_those_of_the_library() {
    check("a-1536", 1, Order { groups: 8, each: 2, backwards: false, split: 4 });
    check("a-512", 1, Order { groups: 8, each: 2, backwards: true, split: 4 });
}

/// Compares x ↦ (Σ of products, differences and multiples, 1/x, x or y by masks, whether x is 0 or odd) with the
/// specification, at the ends of all ranges.
///
/// In residues, no program can ask whether a number is odd.
fn operations(bits: u32, seed: u64, widths: &[usize], split: usize) {
    let words = widths != [0];
    // or 2^1279 - 1, which is a prime too
    let is_prime = bits < 600 || bits == 1279;
    {
        // 2^bits − c for a small c that makes it a prime by Fermat's test: few spare bits
        let two = BigUint::from(2u32);
        let mut p = (BigUint::from(1u32) << bits) - 1u32;
        while bits < 600 && two.modpow(&(&p - 1u32), &p) != BigUint::from(1u32) {
            p -= 2u32;
        }
        let f = Recorder::new(&p).unwrap();
        let program = f
            .record(|ports| {
                use bilinear_field::{Prime, at, minus, plus, times};
                let (x, y, z, m) = (ports.elem(), ports.elem(), ports.elem(), ports.mask());
                at! {f;
                    xy = mul_wide(&x, &y); yz = mul_wide(&y, &z); xx = sqr_wide(&x);
                    far = reduce(&[times(1300, &xy), times(-1300, &yz), times(700, &xx)]);
                    low = reduce(&[times(-2000, &xy), times(-2000, &xx)]);
                    near = reduce(&[plus(&xy), minus(&yz)]);
                    sum = sum(&[times(2000, &x), times(2000, &y)]);
                    negative = sum(&[times(-4000, &x), plus(&near), times(-9, &low)]);
                    difference = sub(&x, &y); product = mul(&difference, &sum);
                    chosen = select(m, &product, &far);
                    // an unreduced value that two sums read, so that it is kept: the first below 0, the second above R
                    deep = lin(&[times(-1500, &xy), times(-1500, &yz)]); tall = lin(&[times(1500, &xy), times(500, &xx)]);
                    up = reduce(&[plus(&deep), times(2, &xx)]); down = reduce(&[times(-1, &deep), minus(&tall)]);
                    top = reduce(&[plus(&tall), minus(&xx)]);
                    // products that one sum reads, with coefficients of both signs
                    xz = mul_wide(&x, &z); zz = sqr_wide(&z); yy = sqr_wide(&y);
                    dx = mul_wide(&difference, &x); dy = mul_wide(&difference, &y); dz = mul_wide(&difference, &z);
                    mixed = reduce(&[minus(&xz), minus(&zz), plus(&yy)]);
                    scaled = reduce(&[times(-999, &dx), times(999, &dy), minus(&dz), minus(&tall)]);
                }
                let flags =
                    [f.is_zero(&x), if words { f.is_odd(&y) } else { f.is_zero(&y) }, f.and(m, f.not(f.is_zero(&z)))];
                for value in [&far, &low, &near, &sum, &negative, &chosen, &x, &up, &down, &top, &mixed, &scaled] {
                    ports.output(value);
                }
                if is_prime {
                    at! {f; inverse = inv(&x); other = mul(&inverse, &y); twice = inv(&other);}
                    ports.output(&inverse);
                    ports.output(&twice);
                }
                flags.into_iter().for_each(|flag| ports.output_mask(flag));
            })
            .unwrap();
        let mut rng = Rng(seed);
        let rows: Vec<Vec<Port>> = (0..40).map(|_| rng.inputs(&program)).collect();
        let want: Vec<Vec<Port>> = rows.iter().map(|row| replayed(&program, row)).collect();
        for width in widths.iter().copied() {
            let encoding = encoded(&program, width);
            encoding.check().unwrap();
            let order = Order { groups: 8, each: 7, backwards: width == 4 || bits % 2 == 1, split };
            assert!(run(&encoding, &rows, order) == want, "{bits} bits, {width} lanes, split by {split}, seed {seed}");
        }
        // two blocks, the first with more pairings than have their far words side by side
        if widths.contains(&4) {
            let encoding = Encoding::in_groups(&program, 4, NEAR_OF_GROUPS).unwrap();
            let order = Order { groups: 39, each: 7, backwards: bits.is_multiple_of(2), split };
            assert!(
                encoding.far() > 0 && run(&encoding, &rows, order) == want,
                "{bits} bits, 39 pairings, seed {seed}"
            );
        }
    }
}

#[test]
fn operations_on_edge_values_are_those_of_the_specification() {
    for (seed, bits) in (1..).zip([17u32, 61, 255, 256, 381, 512, 768, 1037, 1056]) {
        operations(bits, seed, &[1, 4, 8], 1);
    }
}

/// Numbers in blocks of 17, 4 and 3 words, of which the moduli fill the last ones or leave them empty.
#[test]
fn operations_on_split_numbers_are_those_of_the_specification() {
    for (seed, (bits, split)) in (1..).zip([
        (1057u32, 4),
        (1279, 4),
        (2062, 4),
        (2112, 4),
        (2176, 4),
        (385, 4),
        (481, 4),
        (512, 4),
        (545, 8),
        (578, 8),
        (768, 8),
    ]) {
        operations(bits, seed, &[1], split);
    }
}

/// Selections read truth values, one of them for the last time after a product. The negation of a truth value may
/// take its place, which all threads of a pairing read and write.
#[test]
fn truth_values_of_split_numbers_are_read_before_they_are_overwritten() {
    let f = Recorder::new(&((BigUint::from(1u32) << 1279u32) - 1u32)).unwrap();
    let recorded = f.record(|ports| {
        use bilinear_field::at;
        let (x, y, m, n) = (ports.elem(), ports.elem(), ports.mask(), ports.mask());
        at! {f; chosen = select(m, &x, &y); product = mul(&chosen, &x); other = select(n, &y, &product); end = mul(&other, &y);}
        ports.output(&end);
        ports.output_mask(f.not(m));
        ports.output_mask(f.and(n, f.is_zero(&end)));
    });
    let program = recorded.unwrap();
    let encoding = encoded(&program, 1);
    let mut rng = Rng(3);
    let rows: Vec<Vec<Port>> = (0..8).map(|_| rng.inputs(&program)).collect();
    let want: Vec<Vec<Port>> = rows.iter().map(|row| replayed(&program, row)).collect();
    for backwards in [false, true] {
        let order = Order { groups: 8, each: 2, backwards, split: 4 };
        assert!(run(&encoding, &rows, order) == want, "backwards: {backwards}");
    }
}

#[test]
fn operations_in_residues_are_those_of_the_specification() {
    for (seed, bits) in (1..).zip([17u32, 61, 255, 256, 381, 512, 768, 1037, 1056, 1546, 2064, 2112]) {
        operations(bits, seed, &[0], if bits > 1056 { 4 } else { 1 });
    }
}

/// A program with products, also of sums, forms, sums, an inversion, a comparison with 0 and six outputs.
pub(crate) fn small() -> Program {
    let f = Recorder::new(&((BigUint::from(1u32) << 89u32) - 1u32)).unwrap();
    f.record(|ports| {
        use bilinear_field::{Prime, at, minus, plus, times};
        let (x, y) = (ports.elem(), ports.elem());
        let c = f.constant(&BigUint::from(0x1234_5678_9abcu64));
        at! {f;
            w = mul_wide(&x, &y); v = mul_wide(&x, &c);
            a = reduce(&[plus(&w), minus(&v)]); b = reduce(&[times(5, &w), plus(&v)]);
            s = sum(&[times(3, &a), minus(&b)]); inverse = inv(&s); out = mul(&inverse, &a);
            z = add(&x, &y);
            left = add(&x, &b); right = sub(&a, &y); factors = mul(&left, &right);
            other = sub(&b, &x); square = sqr(&other);
        }
        ports.output(&factors);
        ports.output(&square);
        ports.output(&out);
        ports.output(&b);
        ports.output(&z);
        ports.output_mask(f.is_zero(&z));
    })
    .unwrap()
}

/// Inputs of the small program: −1 and 1, whose sum is a multiple of p and not 0 in residues, and two inputs of the
/// caller's.
pub(crate) fn small_inputs(others: [u32; 2]) -> Vec<Vec<Port>> {
    let minus = (BigUint::from(1u32) << 89u32) - 2u32;
    [[minus, 1u32.into()], others.map(BigUint::from)].map(|row| row.map(Port::Elem).into()).into()
}

/// A wrong byte of a record is refused by the check or changes a value; a wrong bit of a constant changes a value.
fn flipped_bytes(width: usize, most_refused: usize) {
    let program = small();
    let mut rng = Rng(7);
    let rows = small_inputs([12345, 678]);
    let order = Order { groups: if width == 0 { 16 } else { 2 }, each: 2, backwards: false, split: 1 };
    let encoding = encoded(&program, width);
    let want = run(&encoding, &rows, order);
    let (mut refused, mut differs) = (0, 0);
    for stage in 0..encoding.stages().len() {
        for record in 0..encoding.stages()[stage].records.len() {
            for byte in 0..16 {
                let bit = rng.below(8);
                // bit 5, the barrier, has no effect with residues
                if width == 0 && (byte, bit) == (0, 5) {
                    continue;
                }
                let mut bad = encoding.clone();
                let place = &mut bad.stages_mut()[stage].records[record];
                let mut bytes = place.to_bytes();
                bytes[byte] ^= 1 << bit;
                match Record::from_bytes(bytes) {
                    Some(record) => *place = record,
                    None => {
                        refused += 1;
                        continue;
                    }
                }
                if bad.check().is_err() {
                    refused += 1;
                    continue;
                }
                assert!(run(&bad, &rows, order) != want, "stage {stage}, record {record}, byte {byte}");
                differs += 1;
            }
        }
    }
    assert!(refused > most_refused && differs > 10, "{refused} {differs}");
    for i in 0..encoding.constants().len() {
        let mut bad = encoding.clone();
        bad.constants_mut()[i] ^= BigUint::from(1u32) << rng.below(64);
        assert!(run(&bad, &rows, order) != want, "constant {i}");
    }
}

#[test]
fn pairings_in_residues_are_those_of_the_library() {
    for (name, backwards) in [("bls12-381", true), ("a1-2x512", false)] {
        let order = Order { groups: 16, each: 2, backwards, split: 1 };
        check(name, 0, order);
    }
}

#[test]
fn flipped_bytes_are_seen() {
    flipped_bytes(4, 500);
    flipped_bytes(8, 500);
    flipped_bytes(0, 100);
}

/// A wrong bit of any number that the kernels of residues take changes a value, except in rows of the matrices that
/// do not exist.
#[test]
fn flipped_bits_of_matrices_are_seen() {
    let program = small();
    let mut rng = Rng(11);
    let others = (0..7).flat_map(|_| small_inputs([rng.word() as u32, rng.word() as u32]));
    let rows: Vec<Vec<Port>> = others.collect();
    let encoding = encoded(&program, 0);
    let residues = encoding.residues().unwrap();
    assert_eq!((residues.moduli(), residues.kernel(), residues.words()), (4, 2, 8));
    let words = encoding.modulus().words();
    let (tables, numbers, all) = (8 * 4, (4 + 2) * (words + 1), residues.constants(words).len());
    let order = Order { groups: 16, each: 2, backwards: false, split: 1 };
    let want = run(&encoding, &rows, order);
    for at in 0..all {
        // of the eight rows of a fragment, a lane has the rows t and 4 + t; four rows exist, and sixteen fit
        let matrix = at.checked_sub(tables + numbers);
        let is_there = matrix.is_none_or(|at| at % 2 == 0 && at / 64 % 2 == 0);
        let bit = 1 << rng.below(32);
        if is_there && rng.below(4) == 0 {
            assert!(run_flipped(&encoding, &rows, order, at, bit) != want, "word {at}, bit {bit:#x}");
        }
    }
}

/// Folds sums below 2^72 at the ends of their words, among them sums whose fold passes 2^32.
#[test]
fn sums_of_words_are_folded_to_their_residues() {
    let edges = [0, 1, 2, 1 << 31, u32::MAX - (1 << 21), u32::MAX - 8191 * 3, u32::MAX - 1, u32::MAX];
    let mut sums = vec![];
    for c in [5, 17, 5993, 8191] {
        for (low, high) in edges.iter().flat_map(|low| edges.iter().map(move |high| (*low, *high))) {
            sums.extend([0, 1, 3, 255].map(|top| ([low, high, top], c)));
        }
    }
    for ((words, c), found) in sums.iter().zip(folded(&sums)) {
        let of = |words: &[u32]| words.iter().rev().fold(0u128, |x, word| x << 32 | u128::from(*word));
        let m = u128::from(c.wrapping_neg());
        let [sum, pair] = found.map(|x| u128::from(x) % m);
        assert_eq!((sum, pair), (of(words) % m, of(&words[..2]) % m), "{words:?} modulo 2^32 - {c}");
    }
}
