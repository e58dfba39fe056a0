//! Tables of points: sums, multiples, hashes, projections, encodings.

use crate::columnar::{batch, write_arrow};
use crate::known::*;
use crate::support::*;
use arrow_array::{ArrayRef, BinaryArray, StringArray};
use bilinear_engine::{Group, System};
use bilinear_params::{Curve, Factors};
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::sync::Arc;

/// Formats rows as a table.
fn table(rows: impl IntoIterator<Item = Value>) -> String {
    rows.into_iter().map(|row| format!("{row}\n")).collect()
}

/// Returns a field of each record.
#[track_caller]
fn field(run: &Run, name: &str) -> Vec<String> {
    let value = |record: &Value| record[name].as_str().unwrap_or_else(|| panic!("no {name} in {record}")).to_owned();
    run.records().iter().map(value).collect()
}

/// Returns the cases of a precompiled contract: inputs, padded with zeros to the given number of digits, and
/// outputs.
fn cases(file: &str, digits: usize) -> Vec<(String, String)> {
    let case = |case: &Value| {
        let input = case["Input"].as_str().unwrap();
        (format!("{:0<digits$}", &input[..input.len().min(digits)]), case["Expected"].as_str().unwrap().to_owned())
    };
    json_file(file).as_array().unwrap().iter().map(case).collect()
}

/// The curve, the group, the digits of a point, and the files of sums and multiples.
const CONTRACTS: [(&str, &str, usize, &str, &str); 3] = [
    ("bls12-381", "g1", 256, "eip-2537/add_G1_bls.json", "eip-2537/mul_G1_bls.json"),
    ("bls12-381", "g2", 512, "eip-2537/add_G2_bls.json", "eip-2537/mul_G2_bls.json"),
    ("alt-bn128", "g1", 128, "evm-bn254/bn256Add.json", "evm-bn254/bn256ScalarMul.json"),
];

#[test]
fn sums_and_multiples_of_ethereum() {
    let folder = Folder::new();
    for (curve, group, digits, sums, multiples) in CONTRACTS {
        let column = if group == "g1" { "p" } else { "q" };
        let options = format!("--curve {curve} --group {group} --encoding eip");
        let all = cases(sums, 2 * digits);
        folder.write("in.jsonl", table(all.iter().map(|(i, _)| json!({"p": i[..digits], "q": i[digits..]}))));
        // these cases also add points outside the group
        let run = folder.run(&format!("points add {options} --validate on-curve --in in.jsonl")).ends(0);
        assert_eq!(field(&run, column), all.iter().map(|(_, sum)| sum.clone()).collect::<Vec<_>>(), "{sums}");

        let all = cases(multiples, digits + 64);
        let row = |(i, _): &(String, String)| json!({column: i[..digits], "k": format!("0x{}", &i[digits..])});
        folder.write("in.jsonl", table(all.iter().map(row)));
        let run = folder.run(&format!("points mul {options} --in in.jsonl")).ends(0);
        let wanted: Vec<String> = all.into_iter().map(|(_, multiple)| multiple).collect();
        assert_eq!(field(&run, column), wanted, "{multiples}");
        assert!(run.stderr.contains(&format!("multiples/s ({} in ", wanted.len())), "{}", run.stderr);
        // Σ kP over groups of one row
        let numbered = |(i, row): (usize, Value)| json!({column: row[column], "k": row["k"], "row": i});
        let rows = parse(&folder.text("in.jsonl")).into_iter().enumerate().map(numbered);
        folder.write("in.jsonl", table(rows));
        let run = folder.run(&format!("points msm {options} --in in.jsonl --by row")).ends(0);
        assert_eq!(field(&run, column), wanted, "{multiples} by msm");
    }
}

#[test]
fn refusals_of_ethereum() {
    let folder = Folder::new();
    for (file, group, digits) in
        [("eip-2537/fail-mul_G1_bls.json", "g1", 256), ("eip-2537/fail-mul_G2_bls.json", "g2", 512)]
    {
        let column = if group == "g1" { "p" } else { "q" };
        let inputs = json_file(file);
        let inputs = inputs.as_array().unwrap().iter().map(|case| case["Input"].as_str().unwrap());
        let rows: Vec<Value> = inputs
            .filter(|input| input.len() >= digits + 64)
            .map(|input| json!({column: input[..input.len() - 64], "k": 1}))
            .collect();
        folder.write("in.jsonl", table(rows.clone()));
        let run = folder.run(&format!("points mul --curve bls12-381 --group {group} --encoding eip --in in.jsonl"));
        let run = run.ends(1);
        let codes: Vec<String> = run.records().iter().map(|record| code(record).to_owned()).collect();
        assert!(codes.len() == rows.len() && codes.len() > 3, "{file}");
        for code in &codes {
            assert!(["length", "canonical", "curve", "subgroup", "padding"].contains(&&**code), "{file}: {codes:?}");
        }
        for wanted in ["canonical", "curve", "subgroup"] {
            assert!(codes.iter().any(|code| code == wanted), "{file}: {wanted} in {codes:?}");
        }
    }
}

/// P_i = a_i·G, so a_j/a_i times P_i is P_j, and sums of multiples of some points are others.
#[test]
fn multiples_and_sums_of_pari() {
    let folder = Folder::new();
    for pari in Pari::all() {
        for (group, column) in [("g1", "p"), ("g2", "q")] {
            let known: Vec<(&String, &BigUint)> =
                pari.answers.iter().map(|(p, q, _, [a, b])| if group == "g1" { (p, a) } else { (q, b) }).collect();
            let (wanted, last) = known[known.len() - 1];
            let options = format!("--curve {} --group {group} --in in.jsonl", pari.curve);

            // k itself, k plus the order, and k minus the order
            let k = |i: usize| pari.quotient(last, known[i].1);
            let texts = [k(0).to_string(), format!("0x{:x}", k(1) + &pari.order), format!("-{}", &pari.order - k(2))];
            let rows = texts.iter().enumerate().map(|(i, k)| json!({column: known[i].0, "k": k}));
            folder.write("in.jsonl", table(rows));
            let run = folder.run(&format!("points mul {options}")).ends(0);
            assert_eq!(field(&run, column), vec![wanted.clone(); 3], "{} {group}", pari.curve);

            // Σ k_i·P_i with arbitrary k_0 and k_1
            let (k0, k1) = (BigUint::from(12345u32), &pari.order - 77u32);
            let rest = (last + &pari.order * &pari.order - &k0 * known[0].1 - &k1 * known[1].1) % &pari.order;
            let terms = [(0, k0), (1, k1), (2, pari.quotient(&rest, known[2].1))];
            folder
                .write("in.jsonl", table(terms.iter().map(|(i, k)| json!({column: known[*i].0, "k": k.to_string()}))));
            for chunk in ["", "--chunk 1", "--chunk 2 --threads 2", "--engine reference"] {
                let run = folder.run(&format!("points msm {options} {chunk}")).ends(0);
                assert_eq!(run.records(), [json!({"rows": 3, column: wanted})], "{} {group}", pari.curve);
            }
        }
    }
}

#[test]
fn messages_of_rfc_9380() {
    let folder = Folder::new();
    for (group, column) in [("g1", "p"), ("g2", "q")] {
        for (kind, method) in [("RO", ""), ("NU", "--method encode-to-curve")] {
            let name = format!("BLS12381{}_XMD_SHA-256_SSWU_{kind}_.json", group.to_uppercase());
            let suite = json_file(&format!("rfc9380/{name}"));
            let cases = suite["vectors"].as_array().unwrap();
            let message = |case: &Value| json!({"message": hex(case["msg"].as_str().unwrap().as_bytes())});
            folder.write("in.jsonl", table(cases.iter().map(message)));
            let dst = suite["dst"].as_str().unwrap();
            let run = folder
                .run(&format!("points hash --curve bls12-381 --group {group} --dst {dst} {method} --in in.jsonl"));
            let coordinate = |text: &Value| -> String {
                text.as_str().unwrap().split(',').map(|c| format!("{:0>96}", c.trim_start_matches("0x"))).collect()
            };
            let point = |case: &Value| coordinate(&case["P"]["x"]) + &coordinate(&case["P"]["y"]);
            assert_eq!(field(&run.ends(0), column), cases.iter().map(point).collect::<Vec<_>>(), "{name}");
        }
    }
    folder.write("in.jsonl", "{\"message\":\"\"}\n{\"message\":\"0\"}\n{\"message\":5}\n{}\n{\"message\":null}\n");
    let run = folder.run("points hash --curve a-512 --dst TAG --in in.jsonl").ends(1);
    assert_eq!(run.records().iter().map(code).collect::<Vec<_>>(), ["", "hex", "json", "missing", "null"]);
    let mut command = folder.command("points hash --curve a-512 --in in.jsonl");
    let run = Run::of(&command.args(["--dst", ""]).output().unwrap());
    run.ends(2).says("empty");
}

/// `points hash-lines` on a line gives the same point as `points hash` on the line's bytes.
#[test]
fn lines_and_messages() {
    let folder = Folder::new();
    folder.write("words.txt", "apple\n\npear\n");
    folder.write("in.jsonl", table(["apple", "", "pear"].map(|word| json!({"message": hex(word.as_bytes())}))));
    let lines = folder.run(&format!("points hash-lines --params {TOY} --dst TAG --in words.txt")).ends(0);
    let messages = folder.run(&format!("points hash --params {TOY} --dst TAG --in in.jsonl")).ends(0);
    assert_eq!(field(&lines, "p"), field(&messages, "p"));
}

/// The components of a point add up to the point, and each has prime order.
#[test]
fn components_of_points() {
    let folder = Folder::new();
    let curve = Curve::named("a1-2x512").unwrap();
    let factors = Factors::public(&curve).unwrap();
    factors.write(folder.path("factors.toml")).unwrap();
    let pari = Pari::all().into_iter().find(|pari| pari.curve == "a1-2x512").unwrap();
    let points: Vec<&String> = pari.answers.iter().map(|(p, ..)| p).collect();
    folder.write(
        "in.jsonl",
        table(points.iter().map(|p| json!({"p": p})).chain([json!({"p": "inf"}), json!({"p": "00"})])),
    );
    let options = "points project --curve a1-2x512 --in in.jsonl";
    let mut parts = vec![];
    for index in [0, 1] {
        let run = folder.run(&format!("{options} --factor {index} --factors factors.toml --chunk 3")).ends(1);
        let public = folder.run(&format!("{options} --factor {index} --threads 2")).ends(1);
        assert_eq!(public.stdout, run.stdout);
        let records = run.records();
        assert_eq!((&records[5]["p"], code(&records[6])), (&json!("inf"), "length"));
        folder.write("part.jsonl", table(records[..5].to_vec()));
        let order = BigUint::from_bytes_be(&factors.prime(index).unwrap());
        let zero = folder.run(&format!("points mul --curve a1-2x512 --k {order} --in part.jsonl")).ends(0);
        assert_eq!(field(&zero, "p"), ["inf"; 5]);
        parts.push(records);
    }
    let row = |i: usize| json!({"p": parts[0][i]["p"], "q": parts[1][i]["p"]});
    folder.write("parts.jsonl", table((0..5).map(row)));
    let sums = folder.run("points add --curve a1-2x512 --in parts.jsonl").ends(0);
    assert_eq!(field(&sums, "p").iter().collect::<Vec<_>>(), points);

    folder
        .run(&format!("{options} --factor 2"))
        .ends(2)
        .says("there is no factor 2 (counted from 0): the order has 2 factors");
    folder.write("in.jsonl", "");
    folder.run("points project --curve bls12-381 --factor 0 --in in.jsonl").ends(2).says("prime order");
    let unknown = folder.run("points project --curve a1-pbc --factor 0 --in in.jsonl").ends(2);
    unknown.says("curve a1-pbc: this needs the secret factors of the group order").says("--factors FILE");
    folder.run("points project --curve a-512 --factor 0 --factors factors.toml --in in.jsonl").ends(2);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder.path("factors.toml"), PermissionsExt::from_mode(0o644)).unwrap();
        let run = folder.run(&format!("{options} --factor 0 --factors factors.toml")).ends(2);
        run.says("factors.toml: its mode is 0644").says("chmod 600");
    }
}

#[test]
fn encodings_of_gnark_and_arkworks() {
    let folder = Folder::new();
    for system in ["gnark", "arkworks"] {
        let known = json_lines(&format!("encodings/{system}-alt-bn128.jsonl"));
        for (group, column) in [("g1", "p"), ("g2", "q")] {
            let all = || known.iter().filter(|v| v["group"] == group);
            let text = |key: &str| all().map(|v| v[key].as_str().unwrap().to_owned()).collect::<Vec<_>>();
            folder.write("in.jsonl", table(text("compressed").iter().map(|p| json!({"points": p}))));
            let options =
                format!("points decompress --curve alt-bn128 --group {group} --point-col points --in in.jsonl");
            let run =
                folder.run(&format!("{options} --encoding {system} --out-encoding {system}-uncompressed")).ends(0);
            assert_eq!(field(&run, column), text("uncompressed"), "{system} {group}");
            // x and y, and the conversion back
            folder.run(&format!("{options} --encoding {system} --out xy.jsonl")).ends(0);
            let run = folder.run(&format!(
                "points decompress --curve alt-bn128 --group {group} --out-encoding {system} --in xy.jsonl"
            ));
            assert_eq!(field(&run.ends(0), column), text("compressed"), "{system} {group}");
        }
    }
    folder.run("points decompress --curve a-512 --encoding zcash --in in.jsonl").ends(2).says("has no zcash encoding");
    folder.run("points decompress --curve a-512 --out-encoding eip --in in.jsonl").ends(2).says("has no eip encoding");
}

/// PBC's points are outside G2 on type D: they, and their sums, are read with `--validate on-curve` only.
#[test]
fn points_of_pbc() {
    let folder = Folder::new();
    let row = |vector: &Value| {
        let residues = |keys: [&str; 2]| -> String {
            let all = keys.iter().flat_map(|key| vector[*key].as_array().unwrap());
            all.map(|value| format!("{:0>40}", value.as_str().unwrap())).collect()
        };
        json!({"p": residues(["Px", "Py"]), "q": residues(["Qx", "Qy"])})
    };
    let rows: Vec<Value> = json_lines("pbc/d159.jsonl").iter().map(row).collect();
    folder.write("in.jsonl", table(rows.clone()));
    let params = vectors().join("pbc/d159.param").display().to_string();
    let command = format!("points decompress --params {params} --in in.jsonl --out out.jsonl");
    folder.run(&format!("{command} --group g1 --compressed")).ends(0);
    folder.run(&format!("points decompress --params {params} --in out.jsonl --out back.jsonl")).ends(0);
    let back = parse(&folder.text("back.jsonl"));
    assert!(rows.iter().zip(&back).all(|(row, back)| row["p"] == back["p"]) && back.len() == rows.len());
    let refused = folder.run(&format!("{command} --group g2")).ends(1).says("subgroup");
    assert!(refused.stdout.is_empty());
    folder.run(&format!("{command} --group g2 --validate on-curve")).ends(0);
    assert!(rows.iter().zip(&parse(&folder.text("out.jsonl"))).all(|(row, out)| row["q"] == out["q"]));
    // the order does not multiply such points to infinity, so scalars are not reduced modulo the order
    let order = Curve::load(&params).unwrap().family().order().clone();
    let options = format!("--params {params} --group g2 --validate on-curve --in in.jsonl");
    let run = folder.run(&format!("points mul {options} --k {order}")).ends(0);
    assert!(field(&run, "q").iter().any(|q| q != "inf"));
    let minus = folder.run(&format!("points mul {options} --k -{order}")).ends(0);
    let both = field(&run, "q").into_iter().zip(field(&minus, "q"));
    folder.write("both.jsonl", table(both.map(|(p, q)| json!({"p": p, "q": q}))));
    let sums = folder.run(&format!("points add --params {params} --group g2 --trusted --in both.jsonl")).ends(0);
    assert!(field(&sums, "q").iter().all(|q| q == "inf"));
}

#[test]
fn every_row_error_has_its_code_and_place() {
    let folder = Folder::new();
    let good = text(&point(1));
    let (mut off, mut large) = (good.clone(), good.clone());
    off.replace_range(good.len() - 2.., if good.ends_with("00") { "01" } else { "00" });
    large.replace_range(..2, "ff");
    let rows = [
        (format!("{{\"p\":\"{good}\",\"k\":1}}"), ""),
        ("{\"p\":\"inf\",\"k\":5}".to_owned(), ""),
        (format!("{{\"p\":\"{good}\",\"k\":\"1_0\"}}"), "integer"),
        (format!("{{\"p\":\"{good}\",\"k\":\"ff\"}}"), "integer"),
        (format!("{{\"p\":\"{good}\",\"k\":\"0x1{}\"}}", "0".repeat(2048)), "integer"),
        (format!("{{\"p\":\"{good}\",\"k\":1.0}}"), "json"),
        (format!("{{\"p\":\"{good}\",\"k\":null}}"), "null"),
        (format!("{{\"p\":\"{good}\"}}"), "missing"),
        (format!("{{\"p\":\"{good}00\",\"k\":1}}"), "length"),
        (format!("{{\"p\":\"{good}0\",\"k\":1}}"), "hex"),
        (format!("{{\"p\":\"{off}\",\"k\":1}}"), "curve"),
        (format!("{{\"p\":\"{large}\",\"k\":1}}"), "canonical"),
        ("[]".to_owned(), "json"),
        (format!("{{\"p\":\"{good}\",\"k\":-1}}"), ""),
    ];
    folder.write("in.jsonl", rows.iter().map(|(row, _)| format!("{row}\n")).collect::<String>());
    let run = folder.run(&format!("points mul --params {TOY} --in in.jsonl")).ends(1);
    let run = run
        .says("rows: 14\nerrors: 11 (canonical 1, curve 1, hex 1, integer 3, json 2, length 1, missing 1, null 1)\n");
    let records = run.records();
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), rows.iter().map(|(_, code)| *code).collect::<Vec<_>>());
    assert_eq!((&records[0]["p"], &records[1]["p"]), (&json!(good), &json!("inf")));
    assert_eq!(records[13]["p"], json!(text(&SYSTEM.neg(&point(1)))));
    let message = |index: usize| records[index]["message"].as_str().unwrap();
    assert!(message(2).starts_with("in.jsonl: row 2 (line 3), field k: not an integer: "), "{}", message(2));
    assert!(message(10).starts_with("in.jsonl: row 10 (line 11), field p: not on the curve"), "{}", message(10));
    for options in ["--chunk 1", "--chunk 4 --threads 3", "--engine reference"] {
        let other = folder.run(&format!("points mul --params {TOY} --in in.jsonl {options}")).ends(1);
        assert_eq!(other.stdout, run.stdout, "{options}");
    }
    // a bad row makes the sum an error, and no later row is blamed
    let run = folder.run(&format!("points msm --params {TOY} --in in.jsonl")).ends(1);
    assert_eq!(run.records()[0]["rows"], json!(14));
    assert!(run.stdout.contains("row 2 (line 3), field k"), "{}", run.stdout);
    folder.run(&format!("points mul --params {TOY} --in in.jsonl --strict --out out.jsonl")).ends(1).says("(integer)");
    assert!(!folder.exists("out.jsonl"));
}

/// Points of the other group, with a coordinate of another length, or outside the subgroup are errors.
#[test]
fn points_of_another_group() {
    let folder = Folder::new();
    let system = System::new(&Curve::named("d-159").unwrap()).unwrap();
    let (p, q) = (system.generator(Group::G1), system.generator(Group::G2));
    folder.write("in.jsonl", table([json!({"p": text(&q)}), json!({"p": text(&p)})]));
    let run = folder.run("points mul --curve d-159 --k 1 --in in.jsonl").ends(1);
    assert_eq!(run.records().iter().map(code).collect::<Vec<_>>(), ["length", ""]);
    let run = folder.run("points mul --curve d-159 --group g2 --point-col p --k 1 --in in.jsonl").ends(1);
    assert_eq!(run.records().iter().map(code).collect::<Vec<_>>(), ["", "length"]);
    assert_eq!(run.records()[0]["q"], json!(text(&q)));
}

#[test]
fn scalars_on_the_command_line() {
    let folder = Folder::new();
    folder.write("in.jsonl", table([json!({"p": text(&point(1))})]));
    let command = |k: &str| folder.run(&format!("points mul --params {TOY} --in in.jsonl --k {k}"));
    assert_eq!(field(&command("0").ends(0), "p"), ["inf"]);
    assert_eq!(field(&command("-0x1").ends(0), "p"), [text(&SYSTEM.neg(&point(1)))]);
    assert_eq!(command("3").ends(0).stdout, command("0x3").ends(0).stdout);
    command("ff").ends(2).says("not an integer");
    command("1.5").ends(2).says("not an integer");
    command(&format!("0x1{}", "0".repeat(2048))).ends(2).says("more than 8192 bits");
    command("3 --k-col k").ends(2).says("cannot be used with");
    let help = folder.run("points mul --help").ends(0);
    assert!(help.stdout.contains("Integers are public"), "{}", help.stdout);
}

#[test]
fn tables_without_rows() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    for command in ["add", "mul", "decompress", "hash --dst TAG", "msm --by group"] {
        let run = folder.run(&format!("points {command} --params {TOY} --in in.jsonl")).ends(0);
        assert_eq!(run.stdout, "", "{command}");
    }
    let run = folder.run(&format!("points msm --params {TOY} --in in.jsonl")).ends(0);
    assert_eq!(run.records(), [json!({"rows": 0, "p": "inf"})]);
    folder.run(&format!("points msm --params {TOY} --in in.jsonl --out sum.parquet")).ends(0);
    folder.run(&format!("points decompress --params {TOY} --in sum.parquet --out sum.jsonl")).ends(0);
    assert_eq!(folder.text("sum.jsonl"), "{\"row\":0,\"p\":\"inf\"}\n");
}

/// Points pass through several commands in every format, and are converted back in the end.
#[test]
fn formats() {
    let folder = Folder::new();
    let stock = |i: usize| if i == 3 { "inf".to_owned() } else { text(&point(i)) };
    let wanted: Vec<String> = (0..30).map(stock).collect();
    folder.write("in.jsonl", table(wanted.iter().map(|p| json!({"p": p}))));
    let inverse = BigUint::from(5u32).modinv(SYSTEM.order()).unwrap();
    let run = |arguments: &str| folder.run(&format!("points {arguments} --params {TOY} --quiet")).ends(0);
    run("mul --k 5 --in in.jsonl --out five.parquet");
    run("decompress --compressed --in five.parquet --out five.arrow --chunk 7");
    run(&format!("mul --k {inverse} --in five.arrow --out one.ipc"));
    let back = run("decompress --in one.ipc");
    assert_eq!(field(&back, "p"), wanted);
}

#[test]
fn groups_of_rows() {
    let folder = Folder::new();
    let row = |group: Value, i: usize, k: i64| json!({"g": group, "p": text(&point(i)), "k": k});
    let rows = [
        row(json!("a"), 1, 2),
        row(json!("a"), 2, -3),
        row(json!(7), 3, 1),
        row(json!(8), 4, 1),
        row(json!("a"), 1, 1),
    ];
    folder.write("in.jsonl", table(rows));
    let run = folder.run(&format!("points msm --params {TOY} --in in.jsonl --by g --chunk 1")).ends(1);
    let sum = SYSTEM.msm(Group::G1, &[(2u32.into(), point(1)), (SYSTEM.order() - 3u32, point(2))]);
    let records = run.records();
    assert_eq!(records[0], json!({"group": "a", "rows": 2, "p": text(&sum)}));
    assert_eq!(records[1], json!({"group": 7, "rows": 1, "p": text(&point(3))}));
    assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["", "", "", "group_split"]);
}

/// An interrupted run can be resumed, and ends with the same bytes. Another scalar makes it another job.
#[test]
fn interrupted_multiples_can_be_resumed() {
    let folder = Folder::new();
    let bad = "{\"p\":\"zz\"}\n";
    let rows: String = (0..12).map(|i| format!("{{\"p\":\"{}\"}}\n", text(&point(i)))).collect();
    folder.write("in.jsonl", format!("{rows}{bad}{rows}"));
    let command = format!("points mul --params {TOY} --k 9 --in in.jsonl --chunk 5");
    folder.run(&format!("{command} --out whole.jsonl")).ends(1);
    folder.run(&format!("{command} --out out.jsonl --strict")).ends(1).says("--resume and without --strict goes on");
    assert!(folder.exists("out.jsonl.part"));
    let other = command.replace("--k 9", "--k 10");
    folder.run(&format!("{other} --out out.jsonl --resume")).ends(2).says("option --k has changed: 10 now, 9 before");
    folder.run(&format!("{command} --out out.jsonl --resume")).ends(1).says("10 of them before this run");
    assert_eq!(folder.read("out.jsonl"), folder.read("whole.jsonl"));
}

/// A binary integer has at least one byte, as a text has at least one digit.
#[test]
fn an_empty_value_is_no_integer() {
    let folder = Folder::new();
    let p: ArrayRef = Arc::new(BinaryArray::from_iter_values([point(1).bytes().unwrap(); 4]));
    for k in [
        Arc::new(BinaryArray::from_vec(vec![b"", b"\0", b"\x02", b""])) as ArrayRef,
        Arc::new(StringArray::from(vec!["", "0", "2", ""])),
    ] {
        write_arrow(&folder, "in.arrow", &[batch(vec![("p", p.clone()), ("k", k)])]);
        let records = folder.run(&format!("points mul --params {TOY} --in in.arrow")).ends(1).records();
        assert_eq!(records.iter().map(code).collect::<Vec<_>>(), ["integer", "", "", "integer"]);
        assert_eq!(records[1]["p"], "inf");
        assert!(records[0]["message"].as_str().unwrap().starts_with("in.arrow: row 0, field k: "), "{records:?}");
    }
}
