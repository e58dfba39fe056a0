//! Tables of values in the target group: powers, products, membership.

use crate::known::*;
use crate::support::*;
use bilinear_engine::{Group, Gt, GtEncoding, System};
use bilinear_params::Curve;
use num_bigint::BigUint;
use serde_json::{Value, json};

fn table(rows: impl IntoIterator<Item = Value>) -> String {
    rows.into_iter().map(|row| format!("{row}\n")).collect()
}

fn values(run: &Run) -> Vec<String> {
    run.records().iter().map(|record| gt(record).to_owned()).collect()
}

/// e(a·G, b·H) is a power of any other such value, and a product of powers of others.
#[test]
fn powers_and_products_of_pari() {
    let folder = Folder::new();
    for pari in Pari::all() {
        let known: Vec<(&String, BigUint)> =
            pari.answers.iter().map(|(_, _, e, [a, b])| (e, a * b % &pari.order)).collect();
        let (wanted, last) = known[known.len() - 1].clone();
        let options = format!("--curve {} --in in.jsonl", pari.curve);
        folder.write("in.jsonl", table(known.iter().map(|(gt, _)| json!({"gt": gt}))));
        let run = folder.run(&format!("gt check {options}")).ends(0).says("check: 5 of 5 are in GT");
        assert_eq!(run.records(), (0..5).map(|i| json!({"row": i, "ok": true})).collect::<Vec<_>>());

        let e = |i: usize| pari.quotient(&last, &known[i].1);
        let texts = [e(0).to_string(), format!("0x{:X}", e(1) + &pari.order), format!("-{}", &pari.order - e(2))];
        folder.write("in.jsonl", table((0..3).map(|i| json!({"gt": known[i].0, "e": texts[i]}))));
        let run = folder.run(&format!("gt pow {options}")).ends(0);
        assert_eq!(values(&run), vec![wanted.clone(); 3], "{}", pari.curve);

        // x_0^s·x_1^t with s·e_0 + t·e_1 = e_4
        let s = BigUint::from(98765u32);
        let rest = (&last + &pari.order * &pari.order - &s * &known[0].1) % &pari.order;
        let t = pari.quotient(&rest, &known[1].1);
        folder.write("in.jsonl", table([(0, s), (1, t)].map(|(i, e)| json!({"gt": known[i].0, "e": e.to_string()}))));
        let powers = values(&folder.run(&format!("gt pow {options}")).ends(0));
        folder.write("in.jsonl", table([json!({"gt": powers[0], "y": powers[1]})]));
        assert_eq!(
            values(&folder.run(&format!("gt mul {options}")).ends(0)),
            std::slice::from_ref(wanted),
            "{}",
            pari.curve
        );
        folder.write("in.jsonl", table(powers.iter().map(|gt| json!({"gt": gt, "g": 1}))));
        for chunk in ["", "--chunk 1", "--engine reference"] {
            let run = folder.run(&format!("gt mul {options} --by g {chunk}")).ends(0);
            assert_eq!(run.records(), [json!({"group": 1, "rows": 2, "gt": wanted})], "{}", pari.curve);
        }
    }
}

/// Powers x, x^2, … agree in every encoding that a curve has, in the input and in the output.
#[test]
fn encodings() {
    let folder = Folder::new();
    for (curve, encodings) in [
        ("bls12-381", &["plain", "torus2", "torus6"][..]),
        ("d-159", &["plain", "torus2"]),
        ("a-512", &["plain", "torus2"]),
    ] {
        let system = System::new(&Curve::named(curve).unwrap()).unwrap();
        let e = system.pair(&system.generator(Group::G1), &system.generator(Group::G2));
        let powers: Vec<Gt> = (0..11u32).map(|i| system.gt_pow(&e, &i.into())).collect();
        let written = |encoding: &str, values: &[Gt]| -> Vec<String> {
            let encoding: GtEncoding = encoding.parse().unwrap();
            values.iter().map(|x| hex(&system.encode_gt_as(encoding, x).unwrap())).collect()
        };
        let cubes: Vec<Gt> = powers.iter().map(|x| system.gt_mul(x, &system.gt_mul(x, x))).collect();
        for from in encodings {
            folder.write("in.jsonl", table(written(from, &powers).iter().map(|x| json!({"gt": x}))));
            let options = format!("--curve {curve} --gt-encoding {from} --in in.jsonl");
            folder.run(&format!("gt check {options}")).ends(0).says("check: 11 of 11 are in GT");
            assert_eq!(values(&folder.run(&format!("gt pow {options} --e 3")).ends(0)), written(from, &cubes));
            for to in encodings {
                let run = folder.run(&format!("gt mul {options} --y-col gt --out-gt-encoding {to} --chunk 4")).ends(0);
                let squares: Vec<Gt> = powers.iter().map(|x| system.gt_mul(x, x)).collect();
                assert_eq!(values(&run), written(to, &squares), "{curve}, {from} to {to}");
            }
        }
    }
    folder.run("gt pow --curve d-159 --gt-encoding torus6 --e 1 --in in.jsonl").ends(2).says("no torus6 encoding");
    folder.run("gt pow --curve d-159 --out-gt-encoding torus6 --e 1 --in in.jsonl").ends(2).says("no torus6 encoding");
}

/// PBC's values are in the group; values that are changed, negated or truncated are not.
#[test]
fn membership_of_values_of_pbc() {
    let folder = Folder::new();
    for (name, params, len) in [("a512", "a.param", 64), ("d159", "d159.param", 20), ("f158", "f.param", 20)] {
        let value = |v: &Value| -> String {
            v["e"].as_array().unwrap().iter().map(|c| format!("{:0>w$}", c.as_str().unwrap(), w = 2 * len)).collect()
        };
        let good: Vec<String> = json_lines(&format!("pbc/{name}.jsonl")).iter().map(value).collect();
        let digits = good[0].len();
        let (mut changed, mut large) = (good[0].clone(), good[0].clone());
        changed.replace_range(digits - 1.., if good[0].ends_with('0') { "1" } else { "0" });
        large.replace_range(..2 * len, &"f".repeat(2 * len));
        let bad = ["0".repeat(digits), changed, large, good[0][2..].to_owned(), String::new(), "zz".to_owned()];
        folder.write("in.jsonl", table(good.iter().chain(&bad).map(|x| json!({"gt": x}))));
        let params = vectors().join("pbc").join(params).display().to_string();
        let run = folder.run(&format!("gt check --params {params} --in in.jsonl")).ends(1);
        let records = run.records();
        let (members, others) = records.split_at(good.len());
        assert!(members.iter().all(|record| record["ok"] == json!(true)) && members.len() == 10, "{name}");
        assert_eq!([&others[0]["ok"], &others[1]["ok"]], [&json!(false), &json!(false)], "{name}");
        assert_eq!(
            others[2..].iter().map(code).collect::<Vec<_>>(),
            ["canonical", "length", "length", "hex"],
            "{name}"
        );
        // commands that compute with a value require it to be in the group
        let run = folder.run(&format!("gt pow --params {params} --e 2 --in in.jsonl")).ends(1);
        let codes: Vec<String> = run.records().iter().map(|record| code(record).to_owned()).collect();
        assert_eq!(codes[good.len()..], ["group", "group", "canonical", "length", "length", "hex"], "{name}");
        assert!(codes[..good.len()].iter().all(String::is_empty));
        let message = run.records()[good.len()]["message"].as_str().unwrap().to_owned();
        let (row, line) = (good.len(), good.len() + 1);
        assert_eq!(message, format!("in.jsonl: row {row} (line {line}), field gt: not in the target group"));
    }
}

#[test]
fn rows_without_a_value() {
    let folder = Folder::new();
    let x = hex(SYSTEM.pair(&point(1), &point(2)).bytes());
    let rows =
        [json!({"gt": x, "y": x, "e": 1}), json!({"gt": x, "y": "00", "e": "x"}), json!({"gt": "inf", "e": 2, "y": x})];
    folder.write("in.jsonl", table(rows));
    let codes = |command: &str| {
        let run = folder.run(&format!("gt {command} --params {TOY} --in in.jsonl")).ends(1);
        run.records().iter().map(|record| code(record).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes("mul"), ["", "length", "hex"]);
    assert_eq!(codes("pow"), ["", "integer", "hex"]);
    folder.write(
        "in.jsonl",
        table([json!({"gt": x, "g": "a"}), json!({"gt": "00", "g": "a"}), json!({"gt": x, "g": "b"})]),
    );
    let run = folder.run(&format!("gt mul --params {TOY} --in in.jsonl --by g")).ends(1);
    assert_eq!(run.records().iter().map(code).collect::<Vec<_>>(), ["length", ""]);
    assert!(run.stdout.contains("in.jsonl: row 1 (line 2), field gt: "), "{}", run.stdout);
}

#[test]
fn formats_and_tables_without_rows() {
    let folder = Folder::new();
    let x = SYSTEM.pair(&point(1), &point(2));
    folder.write("in.jsonl", table((1..20).map(|e| json!({"gt": hex(x.bytes()), "e": e}))));
    let run = |arguments: &str| folder.run(&format!("gt {arguments} --params {TOY} --quiet")).ends(0);
    run("pow --in in.jsonl --out a.parquet");
    run("mul --y-col gt --in a.parquet --out b.arrow");
    run("check --in b.arrow --out ok.parquet");
    let wanted: Vec<String> = (1..20u32).map(|e| hex(SYSTEM.gt_pow(&x, &(4 * e).into()).bytes())).collect();
    assert_eq!(values(&run("pow --e 2 --in b.arrow")), wanted);
    folder.write("in.jsonl", "");
    assert_eq!(run("pow --e 1 --in in.jsonl").stdout, "");
    assert_eq!(run("mul --in in.jsonl").stdout, "");
    assert_eq!(run("mul --by g --in in.jsonl").stdout, "");
    folder.run(&format!("gt check --params {TOY} --in in.jsonl")).ends(2).says("--allow-empty");
    folder.run(&format!("gt check --params {TOY} --in in.jsonl --allow-empty")).ends(0);
}
