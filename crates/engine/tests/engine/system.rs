//! Points, the target group, subgroups and files, through the public interface.

use crate::common::{pbc, points, shipped, system};
use bilinear_engine::{
    Engine, FactorsError, FileError, Group, GtError, Options, PairingKind, PointError, PointRef, Power, Research,
    System, SystemError, Validate, Values, operations,
};
use bilinear_field::bounds::Range;
use bilinear_params::{BoxedUint, Curve, Description, Factors, Family};
use num_bigint::BigUint;

#[test]
fn the_pairing_is_bilinear_and_symmetric() {
    for name in ["a-512", "a1-2x512"] {
        let s = system(name);
        let (p, q) = (s.generator(Group::G1), points(&s, "q", 1).remove(0));
        let (a, b) = (BigUint::from(0xdead_beef_u32), BigUint::from(3u32).pow(200));
        let e = s.pair(&p, &q);
        assert_ne!(e, s.gt_one());
        assert_eq!(s.pair(&q, &p), e);
        assert_eq!(s.pair(&s.mul(&a, &p), &s.mul(&b, &q)), s.gt_pow(&e, &(&a * &b)));
        assert_eq!(s.pair(&s.add(&p, &q), &q), s.gt_mul(&e, &s.pair(&q, &q)));
        assert_eq!(s.pair(&s.neg(&p), &q), s.gt_inv(&e));
        assert_eq!(s.gt_pow(&e, s.order()), s.gt_one());
        assert_eq!(s.pair(&s.infinity(Group::G1), &q), s.gt_one());
        assert_eq!(s.pair(&p, &s.infinity(Group::G1)), s.gt_one());
        // secret scalars give the same
        assert_eq!(s.mul_secret(&a.to_bytes_be(), &p), s.mul(&a, &p));
        assert_eq!(s.gt_pow_secret(&e, &a.to_bytes_be()), s.gt_pow(&e, &a));
        for k in [0u32, 1, 2] {
            assert_eq!(s.gt_pow(&e, &k.into()), s.gt_pow_secret(&e, &[0, k as u8]));
            assert_eq!(s.gt_pow(&s.gt_one(), &k.into()), s.gt_one());
            assert_eq!(s.gt_pow_secret(&s.gt_one(), &[k as u8]), s.gt_one());
        }
        assert_eq!(s.gt_pow(&e, &BigUint::ZERO), s.gt_one());
    }
}

#[test]
fn subgroups_of_coprime_order_pair_to_one() {
    for name in ["a1-2x512", "a1-3x342", "a1-4x256"] {
        let s = system(name);
        let generators = s.subgroup_generators().unwrap();
        let full = s.generator(Group::G1);
        let mut sum = s.infinity(Group::G1);
        for (i, g) in generators.iter().enumerate() {
            assert!(!g.is_infinity() && s.in_subgroup(i, g).unwrap());
            assert!(!s.in_subgroup((i + 1) % generators.len(), g).unwrap());
            assert!(!s.in_subgroup(i, &full).unwrap());
            for (j, h) in generators.iter().enumerate() {
                assert_eq!(s.pair(g, h) == s.gt_one(), i != j, "{name}: subgroups {i} and {j}");
            }
            let part = s.project(i, &full).unwrap();
            assert!(s.in_subgroup(i, &part).unwrap());
            assert_eq!(s.project(i, &part).unwrap(), part);
            sum = s.add(&sum, &part);
        }
        assert_eq!(sum, full, "a point is the sum of its components");
        let count = generators.len();
        assert_eq!(s.project(9, &full), Err(FactorsError::Index { curve: name.into(), index: 9, count }));
    }
}

#[test]
fn operations_that_need_factors_say_so() {
    let s = system("a1-pbc");
    let unknown = FactorsError::Unknown { curve: "a1-pbc".into() };
    assert_eq!(s.subgroup_generators(), Err(unknown.clone()));
    assert_eq!(s.project(0, &s.generator(Group::G1)), Err(unknown.clone()));
    assert_eq!(s.in_subgroup(0, &s.generator(Group::G1)), Err(unknown));
    // a caller who has the factors can add them
    let public = system("a1-2x512");
    let factors = public.factors().unwrap();
    let others = system("a1-3x342");
    let mismatch = FactorsError::Mismatch { curve: "a1-2x512".into() };
    assert_eq!(public.with_factors(others.factors().unwrap()).err(), Some(mismatch));
    assert_eq!(public.with_factors(factors).unwrap().subgroup_generators(), public.subgroup_generators());
    // a generator whose order is the first factor
    let text = "name = \"part\"\nfamily = \"a1\"\n[parameters]\nn = \"483570327889282379180593\"\nl = \"68\"\n\
                [g1]\nx = \"29756381216752983598180522\"\ny = \"15546293803663148572615233\"\n";
    let curve = Description::from_toml(text, "part.toml").unwrap().curve;
    let factors = Factors::new(&curve, [549_755_813_911u64, 879_609_302_263].map(BoxedUint::from)).unwrap();
    let lacks = FactorsError::Generator { curve: "part".into(), index: 1 };
    assert_eq!(System::new(&curve).unwrap().with_factors(&factors).err(), Some(lacks));
}

/// Points of a very small order reach O within the loop: orders with small factors are rejected, whether the factors
/// are known, known by their sizes, found by trial division, or secret, and so are small orders of types D and E.
#[test]
fn small_factors_of_an_order_are_refused() {
    let read = |n: &str, l: &str, more: &str| {
        let text = format!("name = \"small\"\nfamily = \"a1\"\n[parameters]\nn = \"{n}\"\nl = \"{l}\"\n{more}");
        Description::from_toml(&text, "small.toml").unwrap().curve
    };
    let is_refused = |curve: &Curve| matches!(System::new(curve), Err(SystemError::SmallFactor { .. }));
    // 3, 65521 and 65537 times two primes of 40 bits
    assert!(is_refused(&read("1450710983667847137541779", "112", "")));
    assert!(is_refused(&read("31684011453633670766291633953", "108", "")));
    let unseen = read("31691748578879899284358523441", "60", "");
    let factors = Factors::new(&unseen, [549_755_813_911u64, 65537, 879_609_302_263].map(BoxedUint::from)).unwrap();
    let small = FactorsError::Small { curve: "small".into(), index: 1 };
    assert_eq!(System::new(&unseen).unwrap().with_factors(&factors).err(), Some(small));
    assert!(is_refused(&read("31691748578879899284358523441", "60", "prime_bits = [40, 17, 40]\n")));
    assert!(is_refused(&read("35", "4", "factors_public = true\nfactors = [\"5\", \"7\"]\n")));
    // false sizes hide nothing
    assert!(is_refused(&read("31684011453633670766291633953", "108", "prime_bits = [95]\n")));
    let d = "q = \"103\"\nn = \"112\"\nh = \"16\"\nr = \"7\"\na = \"1\"\nb = \"9\"\ncoefficients = [\"2\", \"0\", \"0\"]\nnqr = \"3\"\n";
    let e = "q = \"677\"\nh = \"4\"\nr = \"13\"\na = \"1\"\nb = \"0\"\n";
    for (family, parameters) in [("d", d), ("e", e)] {
        let text = format!("name = \"small\"\nfamily = \"{family}\"\n[parameters]\n{parameters}");
        assert!(is_refused(&Description::from_toml(&text, "small.toml").unwrap().curve), "{family}");
    }
}

#[test]
fn points_are_encoded_as_pbc_does() {
    let s = system("pbc/a1-1024.param");
    for [p, ..] in pbc(&s, "a1-1024.jsonl") {
        let point = s.decode(Group::G1, PointRef::Bytes(&p), Validate::Subgroup).unwrap();
        assert_eq!(point.bytes().unwrap(), &p[..]);
        let short = s.compressed(&point).unwrap();
        assert_eq!(short.len(), s.compressed_len(Group::G1));
        assert_eq!(short[..p.len() / 2], p[..p.len() / 2]);
        assert_eq!(*short.last().unwrap(), p[p.len() - 1] & 1);
        assert_eq!(s.decode(Group::G1, PointRef::Bytes(&short), Validate::Subgroup).unwrap(), point);
        let mut other = short.clone();
        *other.last_mut().unwrap() ^= 1;
        assert_eq!(s.decode(Group::G1, PointRef::Bytes(&other), Validate::Subgroup).unwrap(), s.neg(&point));
        *other.last_mut().unwrap() = 2;
        assert_eq!(s.decode(Group::G1, PointRef::Bytes(&other), Validate::Subgroup), Err(PointError::Sign(2)));
    }
    // half of all x have no point
    let x = |i: u8| [vec![0; s.compressed_len(Group::G1) - 2], vec![i, 0]].concat();
    let found = (1..=40).filter(|i| s.decode(Group::G1, PointRef::Bytes(&x(*i)), Validate::OnCurve).is_ok()).count();
    assert!((10..30).contains(&found));
    assert_eq!(s.decode(Group::G1, PointRef::Infinity, Validate::Subgroup), Ok(s.infinity(Group::G1)));
    assert_eq!(s.compressed(&s.infinity(Group::G1)), None);
}

/// x and y of zeros are O where all points have one length, also where (0, 0) is a point.
#[test]
fn zeros_are_the_point_at_infinity() {
    let options = Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() };
    let of_order_5 = System::with(&Curve::named("ss2-271").unwrap(), options).unwrap();
    for (s, order) in [(system("a-512"), Some(2u32)), (of_order_5, Some(5)), (system("alt-bn128"), None)] {
        let zeros = vec![0; s.point_len(Group::G1)];
        let decode = |bytes: PointRef<'_>, validate| s.decode(Group::G1, bytes, validate);
        for validate in [Validate::Subgroup, Validate::OnCurve] {
            let point = decode(s.point_ref(Group::G1, None, &zeros), validate);
            assert_eq!(point, Ok(s.infinity(Group::G1)), "{}", s.curve().name());
        }
        let outside = if order.is_some() { PointError::NotInSubgroup } else { PointError::NotOnCurve };
        assert_eq!(decode(PointRef::Bytes(&zeros), Validate::Subgroup), Err(outside));
        let Some(order) = order else { continue };
        let point = decode(PointRef::Bytes(&zeros), Validate::OnCurve).unwrap();
        assert!(!point.is_infinity() && s.mul(&order.into(), &point).is_infinity());
    }
}

/// Where y is 0 a compressed point has the sign 0: no point has two encodings.
#[test]
fn y_of_zero_has_one_sign() {
    // (0, 0) and (−1, 0)
    for (name, minus) in [("a-512", 0u32), ("bls12-377", 1)] {
        let s = system(name);
        let len = s.point_len(Group::G1) / 2;
        let p = s.curve().family().field();
        let x = ((p - minus) % p).to_bytes_be();
        let of_sign = |sign: u8| [vec![0; len - x.len()], x.clone(), vec![sign]].concat();
        let decode = |bytes: &[u8], validate| s.decode(Group::G1, PointRef::Bytes(bytes), validate);
        let point = decode(&of_sign(0), Validate::OnCurve).unwrap();
        assert!(point.bytes().unwrap()[len..].iter().all(|byte| *byte == 0), "{name}");
        assert_eq!(s.compressed(&point), Some(of_sign(0)), "{name}");
        assert_eq!(decode(&of_sign(0), Validate::Subgroup), Err(PointError::NotInSubgroup), "{name}");
        for validate in [Validate::OnCurve, Validate::Subgroup] {
            assert_eq!(decode(&of_sign(1), validate), Err(PointError::Sign(1)), "{name}");
        }
    }
}

#[test]
fn elements_of_the_target_group_are_checked() {
    let s = system("a-512");
    let e = s.pair(&s.generator(Group::G1), &points(&s, "q", 1)[0]);
    assert_eq!(s.decode_gt(e.bytes()), Ok(e.clone()));
    assert_eq!(s.decode_gt(s.gt_one().bytes()), Ok(s.gt_one()));
    let len = s.gt_len();
    assert_eq!(s.decode_gt(&e.bytes()[1..]), Err(GtError::Length { given: len - 1, wanted: len }));
    let mut bytes = e.bytes().to_vec();
    bytes[len / 2..].fill(0xff);
    assert!(matches!(s.decode_gt(&bytes), Err(GtError::Coefficient { coefficient: 1, .. })));
    bytes = e.bytes().to_vec();
    bytes[len - 1] ^= 1;
    assert_eq!(s.decode_gt(&bytes), Err(GtError::NotInGroup));
    // −1 has norm 1 and order 2
    let minus_one = s.curve();
    let Family::Supersingular(p) = minus_one.family() else { panic!("type a") };
    let minus_one = [(p.q() - 1u32).to_bytes_be(), vec![0; len / 2]].concat();
    assert_eq!(s.decode_gt(&minus_one), Err(GtError::NotInGroup));
    assert_eq!(s.decode_gt(&vec![0; len]), Err(GtError::NotInGroup));
}

#[test]
fn files_say_what_they_are() {
    let (s, other) = (system("a-512"), system("a1-2x512"));
    let mut values = points(&s, "file", 3);
    values.push(s.infinity(Group::G1));
    for compressed in [false, true] {
        let file = s.write_points(Group::G1, &values, compressed);
        assert_eq!(s.read_values(&file, Validate::Subgroup), Ok(Values::Points(values.clone())));
        assert!(matches!(other.read_values(&file, Validate::Subgroup), Err(FileError::OtherCurve { .. })));
        for len in [0, 7, 51, file.len() - 1] {
            assert!(s.read_values(&file[..len], Validate::Subgroup).is_err(), "cut to {len}");
        }
        assert!(matches!(
            s.read_values(&[&file[..], &[0]].concat(), Validate::Subgroup),
            Err(FileError::Length { .. })
        ));
        let change = |i: usize, x: u8| {
            let mut changed = file.clone();
            changed[i] ^= x;
            s.read_values(&changed, Validate::Subgroup).unwrap_err()
        };
        assert_eq!(change(0, 1), FileError::NotOurs);
        assert_eq!(change(9, 2), FileError::Version(3));
        assert_eq!(change(10, 8), FileError::Kind(if compressed { 10 } else { 9 }));
        assert_eq!(change(11, 4), FileError::Group(5));
        assert_eq!(change(11, 1), FileError::Group(0), "points have a group");
        assert_eq!(change(11, 3), FileError::Group(2), "there is one group");
        assert_eq!(change(52, 2), FileError::Mark { index: 0 });
        assert_eq!(change(file.len() - 1, 1), FileError::Mark { index: 3 });
        assert!(matches!(change(53 + 63, 1), FileError::Point { index: 0, .. }));
        // a count that no file could hold
        assert!(matches!(change(44, 0x80), FileError::Length { .. }));
    }
    let targets = vec![s.pair(&values[0], &values[1]), s.gt_one()];
    let file = s.write_gt(&targets);
    assert_eq!(s.read_values(&file, Validate::Subgroup), Ok(Values::Gt(targets)));
    let mut changed = file.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(matches!(s.read_values(&changed, Validate::Subgroup), Err(FileError::Gt { index: 1, .. })));
    changed[11] = 1;
    assert_eq!(s.read_values(&changed, Validate::Subgroup), Err(FileError::Group(1)), "the target group has none");
}

#[test]
fn hashing_is_deterministic_and_lands_in_the_group() {
    let s = system("a1-2x512");
    let p = s.hash_to_curve(Group::G1, b"message", b"TAG").unwrap();
    assert_eq!(s.hash_to_curve(Group::G1, b"message", b"TAG").unwrap(), p);
    assert_ne!(s.hash_to_curve(Group::G1, b"message", b"TAG2").unwrap(), p);
    assert!(s.hash_to_curve(Group::G1, b"message", b"").is_err());
    assert_eq!(s.decode(Group::G1, p.as_ref(), Validate::Subgroup), Ok(p));
    let random = s.random(Group::G1).unwrap();
    assert_eq!(s.decode(Group::G1, random.as_ref(), Validate::Subgroup), Ok(random.clone()));
    assert_ne!(s.random(Group::G1).unwrap(), random);
}

#[test]
#[should_panic(expected = "a value of another curve was handed to curve a1-2x512")]
fn values_of_different_curves_do_not_mix() {
    let (a, b) = (system("a-512"), system("a1-2x512"));
    b.pair(&a.generator(Group::G1), &a.generator(Group::G1));
}

#[test]
fn a_generator_is_derived_where_the_file_has_none() {
    let s = system("pbc/a1-3p-1026.param");
    let g = s.generator(Group::G1);
    assert_eq!(s.decode(Group::G1, g.as_ref(), Validate::Subgroup), Ok(g.clone()));
    assert!(s.mul(s.order(), &g).is_infinity());
    assert_ne!(s.pair(&g, &g), s.gt_one());
}

#[test]
fn no_unreduced_value_overflows_on_any_shipped_curve() {
    let shipped = Curve::names().map(shipped);
    let of_pbc = ["a", "a1-1024", "a1-2048", "a1-3p-1536", "a1-3p-1026", "a1-shipped"];
    let of_pbc = of_pbc.map(|file| system(&format!("pbc/{file}.param")));
    let mut proved = 0;
    // elements on `mont`, and unreduced values of 17 words there: the statements of docs/bounds.md on sets of type A1
    let (mut elem, mut wide) = (Range::new(0, 0), Range::new(0, 0));
    for system in shipped.chain(of_pbc) {
        let curve = system.curve();
        for engine in [Engine::Mont, Engine::Ifma, Engine::Rns, Engine::Hmm] {
            let Ok(on) = system.on(engine) else {
                let has_it = engine == Engine::Hmm && curve.name() == "bn-258";
                assert!(matches!(engine, Engine::Ifma | Engine::Hmm) && !has_it, "{} on {engine}", curve.name());
                continue;
            };
            let report = on.bounds().unwrap();
            assert_eq!(report.violations, Vec::<String>::new(), "{} on {engine}", curve.name());
            assert!(report.operations > 1_000, "{} on {engine}: {}", curve.name(), report.operations);
            if let (Engine::Mont, Family::Supersingular(s), true) =
                (engine, curve.family(), curve.name().starts_with("a1-"))
            {
                elem = elem.hull(report.elem);
                if s.q().bits().div_ceil(64) == 17 {
                    wide = wide.hull(report.wide);
                }
            }
        }
        proved += 1;
    }
    assert!(system("a-512").on(Engine::Reference).unwrap().bounds().is_none());
    assert!(proved >= 36, "{proved} curves");
    assert_eq!(elem.high, 21, "p");
    assert!(-8 <= wide.low && wide.high <= 8, "{wide:?} in units of 2^-40·pR");
}

#[test]
fn the_operation_table_adds_up() {
    let phases = operations(&Curve::named("a1-1024").unwrap(), Options::default()).unwrap();
    let cost = |name: &str| phases.iter().find(|p| p.name == name).unwrap().cost;
    assert_eq!(cost("total"), cost("Miller loop") + cost("final exponentiation"));
    assert!(cost("Miller loop, prepared argument").mul < cost("Miller loop").mul * 6 / 10);
}

#[test]
fn both_groups_of_a_symmetric_curve_are_one() {
    let s = system("a-512");
    assert!(s.is_symmetric());
    assert_eq!(s.generator(Group::G2), s.generator(Group::G1));
    assert_eq!(s.infinity(Group::G2), s.infinity(Group::G1));
    assert_eq!(s.point_len(Group::G2), s.point_len(Group::G1));
    assert_eq!(s.compressed_len(Group::G2), s.compressed_len(Group::G1));
    let hash = |group| s.hash_to_curve(group, b"message", b"TAG").unwrap();
    let (p, q) = (hash(Group::G1), hash(Group::G2));
    assert_eq!((&p, p.group()), (&q, Group::G1));
    assert_eq!(s.decode(Group::G2, p.as_ref(), Validate::Subgroup), Ok(p.clone()));
    let g = s.generator(Group::G2);
    assert_eq!(s.pair(&g, &p), s.pair(&p, &g));
    assert_eq!(s.add(&g, &p), s.add(&p, &g));
    let file = s.write_points(Group::G2, &[g.clone(), p], false);
    assert_eq!(file, s.write_points(Group::G1, &[g, q], false));
}

/// Regression values of this crate: neither hashing nor sampling may change unnoticed.
#[test]
fn hashes_and_samples_do_not_change() {
    let s = system("a-512");
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let hashed = s.hash_to_curve(Group::G1, b"message", b"TAG").unwrap();
    let known = "1c5c5e09f81beeb3a657ce94aaef35e72d09238a87dc2f086c0e8d80f8c188111d6d5b11b2ffe71cb338483963053d42b10c8c79ea319d50\
                 782c591c9357b29801";
    assert_eq!(hex(&s.compressed(&hashed).unwrap()), known);
    let mut next = 0u8;
    let mut step = || {
        next = next.wrapping_add(73);
        next
    };
    let sampled = s.random_point(Group::G1, &mut |bytes| bytes.fill_with(&mut step));
    let known = "8ff8ae02e0e565e19d94fa8754d773ccca1dad64781fe14f9ef16f24fb08a46251103f8dbcc27087943d090a5e4373b0ec8638ab56ced366\
                 f0c077bc26acf63f01";
    assert_eq!(hex(&s.compressed(&sampled).unwrap()), known);
}

#[test]
fn a_pairing_that_the_family_lacks_is_refused() {
    let curve = Curve::named("a-512").unwrap();
    let asked = |pairing, power| Options { pairing, power, ..Options::default() };
    let s = System::with(&curve, asked(Some(PairingKind::Tate), Power::Exact)).unwrap();
    assert_eq!((s.pairing(), s.power()), (PairingKind::Tate, Power::Exact));
    assert_eq!((system("a-512").pairing(), system("a-512").power()), (PairingKind::Tate, Power::Exact));
    let refused = |options| {
        let message = System::with(&curve, options).err().unwrap().to_string();
        assert_eq!(operations(&curve, options).unwrap_err().to_string(), message);
        message
    };
    assert_eq!(
        refused(asked(Some(PairingKind::OptAte), Power::Exact)),
        "curve a-512: no optate pairing is implemented for its family; available: tate"
    );
    assert_eq!(
        refused(asked(None, Power::Fast)),
        "curve a-512: no fast power of the pairing is implemented for its family; available: exact"
    );
}

/// Returns a supersingular curve with groups of this small order: q = 12r − 1 is a prime.
fn small(order: u32) -> System {
    let text = format!("name = \"small\"\nfamily = \"a\"\n[parameters]\nr = \"{order}\"\nh = \"12\"\n");
    System::new(&Description::from_toml(&text, "small.toml").unwrap().curve).unwrap()
}

#[test]
fn residues_are_bytes_of_one_length() {
    for (name, wanted) in [("a-512", 20), ("bls12-381", 32), ("a1-2x512", 128)] {
        let s = system(name);
        assert_eq!(s.scalar_len(), wanted, "{name}");
        let (r, long) = (s.order(), BigUint::from(3u32).pow(2000));
        for x in [&BigUint::ZERO, &1u32.into(), &0x0100_u32.into(), &(r - 1u32), r, &(r + 5u32), &long] {
            let bytes = s.scalar_bytes(x);
            assert_eq!((bytes.len(), BigUint::from_bytes_be(&bytes)), (wanted, x % r), "{name}: {x}");
        }
    }
    // an order of 9 bits
    let s = small(257);
    assert_eq!(
        (s.scalar_len(), s.scalar_bytes(&256u32.into()), s.scalar_bytes(&258u32.into())),
        (2, vec![1, 0], vec![0, 1])
    );
}

#[test]
fn random_residues_are_all_those_below_the_order() {
    // a residue is missed with a probability below 2^-50
    for (order, draws) in [(7u32, 400), (257, 10_000)] {
        let s = small(order);
        let mut counts = vec![0; order as usize];
        for _ in 0..draws {
            let drawn = s.random_scalar().unwrap();
            assert_eq!(drawn.len(), s.scalar_len());
            counts[drawn.iter().fold(0, |x, byte| x << 8 | usize::from(*byte))] += 1;
        }
        assert!(!counts.contains(&0), "{order}: {counts:?}");
        // the number of times that each residue is drawn on average; the deviation is about its square root
        let (mean, most) = (draws / order as usize, counts.iter().max().copied().unwrap());
        assert!(most < mean + 10 * mean.isqrt(), "{order}: {most} times");
    }
    let s = system("a1-2x512");
    let [x, y] = [s.random_scalar(), s.random_scalar()].map(|x| BigUint::from_bytes_be(&x.unwrap()));
    assert!(x != y && x < *s.order() && x.bits() > s.order().bits() - 100);
}

#[test]
fn random_values_are_all_those_of_the_target_group_but_one() {
    let s = small(7);
    let mut values: Vec<_> = (0..400).map(|_| s.random_gt().unwrap()).collect();
    values.iter().for_each(|value| assert_eq!(s.decode_gt(value.bytes()).as_ref(), Ok(value)));
    values.sort_by_key(|value| value.bytes().to_vec());
    values.dedup();
    assert!(values.len() == 6 && !values.contains(&s.gt_one()), "{} values", values.len());
    for name in ["a-512", "bls12-381"] {
        let s = system(name);
        let [x, y] = [s.random_gt(), s.random_gt()].map(Result::unwrap);
        assert!(x != y && s.decode_gt(x.bytes()).as_ref() == Ok(&x), "{name}");
    }
}

/// Over a field of one byte x and y are as short as x and a sign: points are written in full.
#[test]
fn points_over_a_field_of_one_byte_are_read_back() {
    let pbc = [
        "type a\nq 83\nr 7\nh 12\nexp2 3\nexp1 1\nsign1 -1\nsign0 1\n",
        "type f\nq 103\nr 97\nb 5\nbeta 102\nalpha0 82\nalpha1 62\n",
    ];
    let toml = [
        "family = \"ss2\"\n[parameters]\npolynomial = [5, 2, 0]\nb = 1\nh = \"1\"\n",
        "family = \"ss3\"\n[parameters]\npolynomial = [5, 1, 0]\ncoefficients = [1, 2, 1]\nb = -1\nh = \"1\"\n",
    ];
    let named = |text: &str| format!("name = \"tiny\"\nsource = \"test\"\n{text}");
    let pbc = pbc.map(|text| Description::from_pbc(text, "tiny").unwrap().curve);
    let toml = toml.map(|text| Description::from_toml(&named(text), "tiny").unwrap().curve);
    for curve in pbc.iter().chain(&toml) {
        let options = Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() };
        let system = System::with(curve, options).unwrap();
        for group in Group::ALL {
            for _ in 0..50 {
                let point = system.random(group).unwrap();
                let written = [point.bytes().map(<[u8]>::to_vec), system.compressed(&point)];
                for bytes in written.into_iter().flatten() {
                    let read = system.decode(group, PointRef::Bytes(&bytes), Validate::Subgroup);
                    assert_eq!(read.as_ref(), Ok(&point), "{group} {bytes:?}");
                }
            }
        }
    }
}

#[test]
fn only_the_curves_own_pairing_is_the_default() {
    let options = |pairing, power| Options { pairing, power, ..Options::default() };
    for (name, own, other) in [
        ("bls12-381", PairingKind::OptAte, PairingKind::Tate),
        ("f", PairingKind::Tate, PairingKind::OptAte),
        ("d-159", PairingKind::Tate, PairingKind::Ate),
    ] {
        let curve = Curve::named(name).unwrap();
        let is_own =
            |pairing, power| System::with(&curve, options(pairing, power)).map(|system| system.is_default_pairing());
        for (pairing, wanted) in [(None, true), (Some(own), true), (Some(other), false)] {
            assert!(is_own(pairing, Power::Exact).is_ok_and(|is_own| is_own == wanted), "{name}, {pairing:?}");
        }
        assert!(!is_own(None, Power::Fast).unwrap_or_default(), "{name}");
    }
}
