//! Encodings of other systems, and known answers in these encodings: EIP-196, EIP-197, EIP-2537, the CFRG's draft on
//! pairing-friendly curves, RFC 9380, Ethereum's tests of point decoding.

use crate::common::{system, unhex, vectors};
use bilinear_engine::{Batch, Encoding, Engine, Group, MapError, Point, PointError, PointRef, System, Validate};
use num_bigint::BigUint;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_str(&std::fs::read_to_string(vectors().join(path)).unwrap()).unwrap()
}

/// The reason why a precompiled contract rejects its input.
#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    Length,
    Point(Group, PointError),
    Field(MapError),
    Padding,
}

impl Refusal {
    /// Returns the words of the EIP's own list of failures.
    fn words(&self) -> String {
        match self {
            Refusal::Length => "invalid input length",
            Refusal::Padding | Refusal::Point(_, PointError::Padding(_)) => "invalid field element top bytes",
            Refusal::Field(MapError::NotCanonical(_)) | Refusal::Point(_, PointError::NotCanonical(_)) => {
                "invalid fp.Element encoding"
            }
            Refusal::Point(_, PointError::NotOnCurve) => "invalid point: not on curve",
            Refusal::Point(group, PointError::NotInSubgroup) => {
                return format!("{group} point is not in the correct subgroup");
            }
            other => panic!("no contract refuses with {other:?}"),
        }
        .to_owned()
    }
}

/// The precompiled contracts, over the public interface.
struct Contracts(System);

impl Contracts {
    fn len(&self, group: Group) -> usize {
        self.0.encoded_len(group, Encoding::Eip).unwrap()
    }

    fn point(&self, group: Group, bytes: &[u8], validate: Validate) -> Result<Point, Refusal> {
        self.0.decode_as(group, Encoding::Eip, bytes, validate).map_err(|reason| Refusal::Point(group, reason))
    }

    fn written(&self, p: &Point) -> Vec<u8> {
        self.0.encode_as(Encoding::Eip, p).unwrap()
    }

    fn add(&self, group: Group, input: &[u8]) -> Result<Vec<u8>, Refusal> {
        let len = self.len(group);
        if input.len() != 2 * len {
            return Err(Refusal::Length);
        }
        let [p, q] = [&input[..len], &input[len..]].map(|bytes| self.point(group, bytes, Validate::OnCurve));
        Ok(self.written(&self.0.add(&p?, &q?)))
    }

    /// Computes Σ k_i·P_i, of one term or more.
    fn msm(&self, group: Group, input: &[u8], validate: Validate) -> Result<Vec<u8>, Refusal> {
        let len = self.len(group);
        if input.is_empty() || !input.len().is_multiple_of(len + 32) {
            return Err(Refusal::Length);
        }
        let (mut sum, mut terms) = (self.0.infinity(group), vec![]);
        for term in input.chunks(len + 32) {
            let p = self.point(group, &term[..len], validate)?;
            let k = BigUint::from_bytes_be(&term[len..]);
            let public = self.0.mul(&k, &p);
            assert_eq!(self.0.mul_secret(&term[len..], &p), public);
            sum = self.0.add(&sum, &public);
            terms.push((k, p));
        }
        let msm = self.0.msm(group, &terms);
        assert_eq!(msm, sum);
        Ok(self.written(&msm))
    }

    fn pairing(&self, input: &[u8], may_be_empty: bool) -> Result<Vec<u8>, Refusal> {
        let (g1, g2) = (self.len(Group::G1), self.len(Group::G2));
        if !input.len().is_multiple_of(g1 + g2) || (input.is_empty() && !may_be_empty) {
            return Err(Refusal::Length);
        }
        let pair = |pair: &[u8]| {
            let p = self.point(Group::G1, &pair[..g1], Validate::Subgroup)?;
            Ok((p, self.point(Group::G2, &pair[g1..], Validate::Subgroup)?))
        };
        let rows: Vec<(Point, Point)> = input.chunks(g1 + g2).map(pair).collect::<Result<_, _>>()?;
        let one = Batch::new(self.0.clone()).check(&rows, std::slice::from_ref(&(0..rows.len())))[0].unwrap();
        Ok([vec![0; 31], vec![u8::from(one)]].concat())
    }

    fn map(&self, group: Group, input: &[u8]) -> Result<Vec<u8>, Refusal> {
        if input.len() != self.len(group) / 2 {
            return Err(Refusal::Length);
        }
        if input.chunks(64).any(|c| c[..16].iter().any(|byte| *byte != 0)) {
            return Err(Refusal::Padding);
        }
        let u: Vec<BigUint> = input.chunks(64).map(BigUint::from_bytes_be).collect();
        Ok(self.written(&self.0.map_to_curve(group, &u).map_err(Refusal::Field)?))
    }
}

/// Runs a contract over the answers of a file; returns their number.
fn answers(file: &str, run: impl Fn(&[u8]) -> Result<Vec<u8>, Refusal>) -> usize {
    let cases = json(file);
    for case in cases.as_array().unwrap() {
        let output = run(&unhex(case["Input"].as_str().unwrap())).unwrap_or_else(|e| panic!("{}: {e:?}", case["Name"]));
        assert_eq!(hex(&output), case["Expected"].as_str().unwrap(), "{file}: {}", case["Name"]);
    }
    cases.as_array().unwrap().len()
}

/// Runs a contract over the malformed inputs of a file.
fn refusals(file: &str, run: impl Fn(&[u8]) -> Result<Vec<u8>, Refusal>) -> usize {
    let cases = json(file);
    for case in cases.as_array().unwrap() {
        let refusal = run(&unhex(case["Input"].as_str().unwrap())).expect_err(case["Name"].as_str().unwrap());
        assert_eq!(refusal.words(), case["ExpectedError"].as_str().unwrap(), "{file}: {}", case["Name"]);
    }
    cases.as_array().unwrap().len()
}

#[test]
fn eip_2537() {
    let contracts = Contracts(system("bls12-381"));
    let mut seen = [0; 2];
    for (group, name) in [(Group::G1, "G1"), (Group::G2, "G2")] {
        let add = |input: &[u8]| contracts.add(group, input);
        // scalars of any size, points of the group only
        let msm = |input: &[u8]| contracts.msm(group, input, Validate::Subgroup);
        let single = |input: &[u8]| match input.len() == contracts.len(group) + 32 {
            true => msm(input),
            false => Err(Refusal::Length),
        };
        let map = |input: &[u8]| contracts.map(group, input);
        let field = if group == Group::G1 { "fp" } else { "fp2" };
        seen[0] += answers(&format!("eip-2537/add_{name}_bls.json"), add);
        seen[0] += answers(&format!("eip-2537/mul_{name}_bls.json"), single);
        seen[0] += answers(&format!("eip-2537/mul_{name}_bls.json"), msm);
        seen[0] += answers(&format!("eip-2537/map_{field}_to_{name}_bls.json"), map);
        seen[1] += refusals(&format!("eip-2537/fail-add_{name}_bls.json"), add);
        seen[1] += refusals(&format!("eip-2537/fail-mul_{name}_bls.json"), single);
        seen[1] += refusals(&format!("eip-2537/fail-msm_{name}_bls.json"), msm);
        seen[1] += refusals(&format!("eip-2537/fail-map_{field}_to_{name}_bls.json"), map);
    }
    let pairing = |input: &[u8]| contracts.pairing(input, false);
    seen[0] += answers("eip-2537/pairing_check_bls.json", pairing);
    seen[1] += refusals("eip-2537/fail-pairing_check_bls.json", pairing);
    assert_eq!(seen, [87, 81], "answers and refusals");
}

#[test]
fn eip_196_and_197() {
    let contracts = Contracts(system("alt-bn128"));
    // the virtual machine extends input by zeros and ignores bytes behind it
    let padded = |input: &[u8], len: usize| [input, &vec![0; len]].concat()[..len].to_vec();
    assert_eq!(answers("evm-bn254/bn256Add.json", |input| contracts.add(Group::G1, &padded(input, 128))), 16);
    let mul = |input: &[u8]| contracts.msm(Group::G1, &padded(input, 96), Validate::Subgroup);
    assert_eq!(answers("evm-bn254/bn256ScalarMul.json", mul), 19);
    assert_eq!(answers("evm-bn254/bn256Pairing.json", |input| contracts.pairing(input, true)), 14);
    let refused = |input: &[u8]| contracts.add(Group::G1, input).unwrap_err().words();
    let g = contracts.written(&contracts.0.generator(Group::G1));
    let p = contracts.0.curve().family().field().to_bytes_be();
    assert_eq!(refused(&g), "invalid input length");
    assert_eq!(refused(&[&g[..], &p, &[0; 32]].concat()), "invalid fp.Element encoding");
    assert_eq!(refused(&[&g[..], &[1; 64]].concat()), "invalid point: not on curve");
}

/// Reads the named integers of one curve's section: `name:` and, on the next line, `: 0x…`.
fn section(text: &str, title: &str) -> BTreeMap<String, String> {
    let (_, rest) = text.split_once(&format!("\n{title}:\n")).unwrap();
    let mut lines = rest.lines().filter(|line| !line.is_empty());
    let mut out = BTreeMap::new();
    while let (Some(name), Some(value)) = (lines.next().and_then(|l| l.strip_suffix(':')), lines.next()) {
        let Some(value) = value.strip_prefix(":   0x") else { break };
        out.insert(name.to_owned(), value.to_owned());
    }
    out
}

#[test]
fn ietf_pairing_friendly_curves() {
    let text = std::fs::read_to_string(vectors().join("ietf-pfc/vectors.txt")).unwrap();
    for (title, name) in [("BLS12_381", "bls12-381"), ("BN462", "bn-462")] {
        let numbers = section(&text, title);
        let bytes = |keys: &[String]| unhex(&keys.iter().map(|key| numbers[key].as_str()).collect::<String>());
        let input = |keys: &[&str]| bytes(&keys.iter().map(|key| format!("Input {key} value")).collect::<Vec<_>>());
        let (p, q) = (input(&["x", "y"]), input(&["x'_0", "x'_1", "y'_0", "y'_1"]));
        let e = bytes(&(0..12).map(|i| format!("e_{i}")).collect::<Vec<_>>());
        for engine in [Engine::Mont, Engine::Reference] {
            let s = system(name).on(engine).unwrap();
            let p = s.decode(Group::G1, PointRef::Bytes(&p), Validate::Subgroup).unwrap();
            let q = s.decode(Group::G2, PointRef::Bytes(&q), Validate::Subgroup).unwrap();
            assert_eq!(hex(s.pair(&p, &q).bytes()), hex(&e), "{title} on {engine}");
            assert_eq!([&p, &q], [&s.generator(Group::G1), &s.generator(Group::G2)], "the base points");
        }
    }
    // the base points of BLS12-381, compressed
    let s = system("bls12-381");
    let (_, serialization) = text.split_once("## BLS12_381").unwrap();
    for (group, title) in [(Group::G1, "G1 (BP):"), (Group::G2, "G2 (BP'):")] {
        let (_, rest) = serialization.split_once(title).unwrap();
        let wanted: String = rest.split("~~~~~~~~~~").nth(1).unwrap().split_whitespace().collect();
        let point = s.generator(group);
        assert_eq!(hex(&s.encode_as(Encoding::Zcash, &point).unwrap()), wanted);
        assert_eq!(s.decode_as(group, Encoding::Zcash, &unhex(&wanted), Validate::Subgroup), Ok(point));
        let mut identity = vec![0; wanted.len() / 2];
        identity[0] = 0xc0;
        assert_eq!(s.encode_as(Encoding::Zcash, &s.infinity(group)).unwrap(), identity);
        assert_eq!(s.decode_as(group, Encoding::Zcash, &identity, Validate::Subgroup), Ok(s.infinity(group)));
    }
}

#[test]
fn rfc_9380() {
    let s = system("bls12-381");
    for (group, name) in [(Group::G1, "G1"), (Group::G2, "G2")] {
        for kind in ["RO", "NU"] {
            let suite = json(format!("rfc9380/BLS12381{name}_XMD_SHA-256_SSWU_{kind}_.json"));
            let tag = suite["dst"].as_str().unwrap().as_bytes();
            for case in suite["vectors"].as_array().unwrap() {
                let message = case["msg"].as_str().unwrap().as_bytes();
                let wanted: String = ["x", "y"].map(|key| case["P"][key].as_str().unwrap().replace("0x", "")).concat();
                let got = match kind {
                    "RO" => s.hash_to_curve(group, message, tag),
                    _ => s.encode_to_curve(group, message, tag),
                };
                assert_eq!(hex(got.unwrap().bytes().unwrap()), wanted.replace(',', ""), "{name} {kind}");
            }
        }
    }
    let error = s.map_to_curve(Group::G2, &[1u32.into()]).unwrap_err();
    assert_eq!(error, MapError::Count { given: 1, wanted: 2 });
    let p = s.curve().family().field().clone();
    assert_eq!(s.map_to_curve(Group::G2, &[1u32.into(), p]).unwrap_err(), MapError::NotCanonical(1));
    // a curve without a suite has the general map, and some curves have no second evaluation
    let s = system("a-512");
    assert_eq!(s.hash_to_curve(Group::G1, b"m", b"T"), s.encode_to_curve(Group::G1, b"m", b"T"));
    let s = system("bls12-461");
    let (uniform, not) = (s.hash_to_curve(Group::G2, b"m", b"T"), s.encode_to_curve(Group::G2, b"m", b"T"));
    assert_ne!(uniform, not);
    assert!(
        Batch::new(s).decode(Group::G2, &[uniform.unwrap().as_ref(), not.unwrap().as_ref()]).iter().all(Result::is_ok)
    );
}

#[test]
fn ethereum_point_decoding() {
    let s = system("bls12-381");
    let reasons = [
        ("fails_infinity_with_false_b_flag", "curve canonical subgroup"),
        ("fails_infinity_with_true_b_flag", "infinity"),
        ("fails_not_in_G", "subgroup"),
        ("fails_not_in_curve", "curve"),
        ("fails_too_few_bytes", "length"),
        ("fails_too_many_bytes", "length"),
        ("fails_with_b_flag_and_a_flag_true", "flags"),
        ("fails_with_b_flag_and_x_nonzero", "infinity"),
        ("fails_with_wrong_c_flag", "flags"),
        ("equal_to_modulus", "canonical"),
        ("greater_than_modulus", "canonical"),
    ];
    let mut seen = 0;
    for (group, name, key) in [(Group::G1, "G1", "pubkey"), (Group::G2, "G2", "signature")] {
        for entry in
            std::fs::read_dir(vectors().join(format!("bls12-381-tests-v0.1.1/deserialization_{name}"))).unwrap()
        {
            let path = entry.unwrap().path();
            let (file, case) = (path.file_stem().unwrap().to_str().unwrap(), json(&path));
            let bytes = unhex(case["input"][key].as_str().unwrap());
            let result = s.decode_as(group, Encoding::Zcash, &bytes, Validate::Subgroup);
            assert_eq!(result.is_ok(), case["output"].as_bool().unwrap(), "{file}: {result:?}");
            match result {
                Ok(point) => assert_eq!(s.encode_as(Encoding::Zcash, &point).unwrap(), bytes),
                Err(reason) => {
                    let (_, codes) = reasons.iter().find(|(name, _)| file.contains(name)).unwrap();
                    assert!(codes.split(' ').any(|code| code == reason.code()), "{file}: {reason}");
                }
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 28);
}

/// An encoding of a curve, its flags of O, of small y and of large y, and whether they are in the first byte.
type Flags = (Encoding, [u8; 3], bool);

fn flags(curve: &str) -> Vec<Flags> {
    match curve {
        "bls12-381" => vec![
            (Encoding::Zcash, [0xc0, 0x80, 0xa0], true),
            (Encoding::ZcashUncompressed, [0x40, 0, 0], true),
            (Encoding::Eip, [0, 0, 0], true),
        ],
        _ => vec![
            (Encoding::Eip, [0, 0, 0], true),
            (Encoding::Gnark, [0x40, 0x80, 0xc0], true),
            (Encoding::GnarkUncompressed, [0, 0, 0], true),
            (Encoding::Arkworks, [0x40, 0, 0x80], false),
            (Encoding::ArkworksUncompressed, [0x40, 0, 0x80], false),
        ],
    }
}

#[test]
fn every_encoding_reads_back_and_every_other_bit_is_refused() {
    for curve in ["bls12-381", "alt-bn128"] {
        let s = system(curve);
        let p = s.curve().family().field().clone();
        let half = &p >> 1u32;
        for (encoding, [infinity, small, large], first) in flags(curve) {
            assert_eq!(encoding.name().parse(), Ok(encoding));
            for group in Group::ALL {
                let len = s.encoded_len(group, encoding).unwrap();
                let place = if first { 0 } else { len - 1 };
                let read = |bytes: &[u8]| s.decode_as(group, encoding, bytes, Validate::Subgroup);
                let what = |i: usize| format!("{curve} {encoding} {group} point {i}");
                let o = s.encode_as(encoding, &s.infinity(group)).unwrap();
                assert_eq!((o[place], o.iter().filter(|b| **b != 0).count()), (infinity, usize::from(infinity != 0)));
                assert_eq!(read(&o), Ok(s.infinity(group)));
                let mut signs = [0; 2];
                for i in 0..6 {
                    let point = s.hash_to_curve(group, &[i as u8], b"ENCODINGS").unwrap();
                    for point in [s.neg(&point), point] {
                        let bytes = s.encode_as(encoding, &point).unwrap();
                        assert_eq!(bytes.len(), len, "{}", what(i));
                        assert_eq!(read(&bytes), Ok(point.clone()), "{}", what(i));
                        // the last coefficient decides whether y is large; it is never 0 for such points
                        let xy = point.bytes().unwrap();
                        let size = p.bits().div_ceil(8) as usize;
                        let is_large = BigUint::from_bytes_be(&xy[xy.len() - size..]) > half;
                        signs[usize::from(is_large)] += 1;
                        let mask = infinity | small | large;
                        assert_eq!(bytes[place] & mask, if is_large { large } else { small }, "{}", what(i));
                        for length in [0, 1, len - 1, len + 1] {
                            let error = PointError::EncodedLength { given: length, wanted: len };
                            assert_eq!(read(&[&bytes[..], &[0]].concat()[..length]), Err(error));
                        }
                        if infinity != 0 {
                            let mut marked = bytes.clone();
                            marked[place] = marked[place] & !mask | infinity;
                            assert_eq!(read(&marked).unwrap_err().code(), "infinity", "{}", what(i));
                        }
                    }
                }
                assert_eq!(signs, [6, 6], "of P and −P one has the large y");
            }
        }
    }
}

#[test]
fn flags_that_contradict_are_refused() {
    let (bls, bn) = (system("bls12-381"), system("alt-bn128"));
    let flipped = |s: &System, encoding, place: usize, flags: u8| {
        let mut bytes = s.encode_as(encoding, &s.generator(Group::G1)).unwrap();
        let place = if place == 0 { 0 } else { bytes.len() - 1 };
        bytes[place] ^= flags;
        s.decode_as(Group::G1, encoding, &bytes, Validate::Subgroup)
    };
    // a compressed point where x and y are expected, and the other way round
    assert_eq!(flipped(&bls, Encoding::Zcash, 0, 0x80), Err(PointError::Flags(0)));
    assert_eq!(flipped(&bls, Encoding::ZcashUncompressed, 0, 0x80), Err(PointError::Flags(0x80)));
    assert_eq!(flipped(&bls, Encoding::ZcashUncompressed, 0, 0x20), Err(PointError::Flags(0x20)));
    assert_eq!(flipped(&bn, Encoding::Gnark, 0, 0x80), Err(PointError::Flags(0)));
    assert_eq!(flipped(&bn, Encoding::GnarkUncompressed, 0, 0xc0), Err(PointError::Flags(0xc0)));
    // both flags of arkworks; a flag that contradicts y
    assert_eq!(flipped(&bn, Encoding::Arkworks, 1, 0xc0), Err(PointError::Flags(0xc0)));
    assert_eq!(flipped(&bn, Encoding::ArkworksUncompressed, 1, 0x80), Err(PointError::Flags(0x80)));
    // the other y gives another point
    assert_eq!(flipped(&bls, Encoding::Zcash, 0, 0x20), Ok(bls.neg(&bls.generator(Group::G1))));
    assert_eq!(flipped(&bn, Encoding::Gnark, 0, 0x40), Ok(bn.neg(&bn.generator(Group::G1))));
    assert_eq!(flipped(&bn, Encoding::Arkworks, 1, 0x80), Ok(bn.neg(&bn.generator(Group::G1))));
    // EIP-196 has no flags: a high bit makes a coordinate that is not canonical
    assert_eq!(flipped(&bn, Encoding::Eip, 0, 0x80), Err(PointError::NotCanonical('x')));
    assert_eq!(flipped(&bls, Encoding::Eip, 0, 0x80), Err(PointError::Padding('x')));
}

/// Multiples of the generators and O, as gnark-crypto and arkworks encode them.
#[test]
fn gnark_and_arkworks() {
    let s = system("alt-bn128");
    for (file, compressed, uncompressed) in [
        ("gnark", Encoding::Gnark, Encoding::GnarkUncompressed),
        ("arkworks", Encoding::Arkworks, Encoding::ArkworksUncompressed),
    ] {
        let text = std::fs::read_to_string(vectors().join(format!("encodings/{file}-alt-bn128.jsonl"))).unwrap();
        assert_eq!(text.lines().count(), 16);
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let field = |key: &str| line[key].as_str().unwrap();
            let group: Group = field("group").parse().unwrap();
            let point = s.mul(&field("k").parse().unwrap(), &s.generator(group));
            for (encoding, key) in [(compressed, "compressed"), (uncompressed, "uncompressed")] {
                assert_eq!(
                    hex(&s.encode_as(encoding, &point).unwrap()),
                    field(key),
                    "{} {group} {encoding}",
                    field("k")
                );
                let read = s.decode_as(group, encoding, &unhex(field(key)), Validate::Subgroup);
                assert_eq!(read, Ok(point.clone()), "{} {group} {encoding}", field("k"));
            }
        }
    }
}

/// Rows in several encodings at once: each outcome is in its place.
#[test]
fn batches_take_every_encoding() {
    let s = system("bls12-381");
    let (p, q) = (s.generator(Group::G1), s.generator(Group::G2));
    let minus_p = s.neg(&p);
    let write = |encoding, point: &Point| s.encode_as(encoding, point).unwrap();
    let (short, minus_short, long) =
        (write(Encoding::Zcash, &p), write(Encoding::Zcash, &minus_p), write(Encoding::ZcashUncompressed, &q));
    let eip = write(Encoding::Eip, &s.infinity(Group::G2));
    let long = PointRef::Encoded(Encoding::ZcashUncompressed, &long);
    let rows = [
        (PointRef::Encoded(Encoding::Zcash, &short), long),
        (PointRef::Encoded(Encoding::Zcash, &minus_short), q.as_ref()),
        (p.as_ref(), PointRef::Encoded(Encoding::Eip, &eip)),
        (PointRef::Infinity, PointRef::Encoded(Encoding::Zcash, &short)),
        (PointRef::Encoded(Encoding::Gnark, &short), long),
    ];
    let e = s.pair(&p, &q);
    let batch = Batch::new(s.clone());
    let values = batch.pair(&rows);
    assert_eq!(values[..3], [Ok(e.clone()), Ok(s.gt_inv(&e)), Ok(s.gt_one())]);
    let errors: Vec<_> = values[3..].iter().map(|v| v.as_ref().unwrap_err().to_string()).collect();
    assert_eq!(
        errors,
        ["row 3, q: the encoding of a point takes 96 bytes, not 48", "row 4, p: the curve has no gnark encoding"]
    );
    assert_eq!(batch.check(&rows[..3], &[0..2, 0..1, 2..3]), [Ok(true), Ok(false), Ok(true)]);
    let prepared = s.prepare(s.fixed_side(), &q).unwrap();
    let one_sided = [rows[0].0, rows[1].0, PointRef::Infinity];
    assert_eq!(batch.pair_prepared(&prepared, &one_sided), [Ok(e.clone()), Ok(s.gt_inv(&e)), Ok(s.gt_one())]);
    assert_eq!(batch.decode(Group::G1, &one_sided), [Ok(p), Ok(minus_p), Ok(s.infinity(Group::G1))]);
}

#[test]
fn other_curves_have_none() {
    for (curve, group) in [("bls12-377", Group::G2), ("a-512", Group::G1), ("bn-254n", Group::G1)] {
        let s = system(curve);
        for encoding in Encoding::ALL {
            let error = s.encode_as(encoding, &s.generator(group)).unwrap_err();
            assert_eq!(error.to_string(), format!("curve {curve} has no {encoding} encoding"));
            let error = s.decode_as(group, encoding, &[0; 64], Validate::Subgroup).unwrap_err();
            assert_eq!(error.code(), "encoding");
        }
    }
    let (bls, bn) = (system("bls12-381"), system("alt-bn128"));
    assert!(
        bls.encoded_len(Group::G1, Encoding::Gnark).is_err() && bn.encoded_len(Group::G1, Encoding::Zcash).is_err()
    );
    let error = "zcash2".parse::<Encoding>().unwrap_err();
    assert!(error.to_string().contains("zcash-uncompressed, eip, gnark"), "{error}");
}
