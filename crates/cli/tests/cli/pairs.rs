//! Pairings of single rows in JSON Lines.

use crate::support::*;
use bilinear_engine::Group;
use serde_json::{Value, json};

#[test]
fn values_are_the_engines_and_do_not_depend_on_chunks_threads_or_engine() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(50));
    let run = folder.pair("--in in.jsonl").ends(0);
    let run = run.says("rows: 50\nerrors: none\n").says("curve: toy, engine ");
    let records = run.records();
    for (index, record) in records.iter().enumerate() {
        let value = SYSTEM.pair(&point(index % 20), &point(index / 20));
        assert_eq!(*record, json!({"row": index, "gt": hex(value.bytes())}));
    }
    assert_eq!(records.len(), 50);
    for options in ["--chunk 1", "--chunk 7 --threads 1", "--threads 3 --chunk 49", "--engine reference", "--trusted"] {
        let other = folder.pair(&format!("--in in.jsonl {options}")).ends(0);
        assert_eq!(other.stdout, run.stdout, "{options}");
    }
    folder.pair("--in in.jsonl --out out.jsonl --quiet").ends(0);
    assert_eq!(folder.text("out.jsonl"), run.stdout);
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl"]);
}

/// Returns a table of points and values of the PBC library, whose residues take `length` bytes. In PBC's files
/// x and y are given separately, without leading zeros.
fn table_of_pbc(name: &str, length: usize) -> String {
    let source = std::fs::read_to_string(vectors().join(format!("pbc/{name}.jsonl"))).unwrap();
    let row = |vector: &Value| {
        let residue = |value: &Value| format!("{:0>width$}", value.as_str().unwrap(), width = 2 * length);
        let all = |keys: &[&str]| -> String {
            keys.iter().flat_map(|key| vector[*key].as_array().unwrap()).map(residue).collect()
        };
        json!({"p": all(&["Px", "Py"]), "q": all(&["Qx", "Qy"]), "expect": all(&["e"]), "i": vector["i"]})
    };
    parse(&source).iter().map(|vector| format!("{}\n", row(vector))).collect()
}

/// Writes such a table, and returns the command that checks it and the number of rows.
fn pairs_of_pbc(folder: &Folder, name: &str, params: &str, length: usize) -> (String, usize) {
    let table = table_of_pbc(name, length);
    folder.write("in.jsonl", &table);
    let params = vectors_path(params);
    (format!("pair --params {params} --in in.jsonl --check --threads 1"), table.lines().count())
}

#[test]
fn values_of_pbc() {
    let folder = Folder::new();
    for (name, params, length) in [
        ("a512", "a.param", 64),
        ("a1-1024", "a1-1024.param", 130),
        ("a1-2048", "a1-2048.param", 257),
        ("a1-3p-1536", "a1-3p-1536.param", 194),
        ("d159-rtors", "d159.param", 20),
        ("f158-rtors", "f.param", 20),
        ("f254-rtors", "f256.param", 32),
    ] {
        let (command, count) = pairs_of_pbc(&folder, name, params, length);
        let run = folder.run(&command).ends(0).says(&format!("check: {count} of {count} equal the expected values"));
        assert!(count > 0 && run.records().len() == count);
    }
}

/// PBC does not clear cofactors: its second arguments are on the curve, but mostly not in G2.
#[test]
fn points_of_pbc_outside_g2() {
    let folder = Folder::new();
    for (name, params, length) in [
        ("d159", "d159.param", 20),
        ("d201", "d201.param", 26),
        ("d224", "d224.param", 28),
        ("g149", "g149.param", 19),
        ("f158", "f.param", 20),
        ("f254", "f256.param", 32),
    ] {
        let (command, count) = pairs_of_pbc(&folder, name, params, length);
        let refused = folder.run(&command).ends(1);
        assert!(refused.records().iter().any(|record| record["error"] == "subgroup"), "{name}");
        let taken = folder.run(&format!("{command} --validate allow-q-outside-g2")).ends(0);
        taken.says(&format!("check: {count} of {count} equal the expected values"));
        folder
            .run(&format!("{command} --validate allow-q-outside-g2 --pairing ate"))
            .ends(2)
            .says("accepts second arguments in G2 only");
    }
    folder.write("in.jsonl", rows(1));
    folder.pair("--in in.jsonl --validate allow-q-outside-g2").ends(2).says("both arguments of toy are in one group");
    folder.pair("--in in.jsonl --validate allow-q-outside-g2 --trusted").ends(2).says("cannot be used with");
}

/// A weak curve is named by every command that computes, even with `--quiet`.
#[test]
fn weak_curves_are_named() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(1));
    let warning = "warning: toy is weak: about ";
    folder.pair("--in in.jsonl --quiet").ends(0).says(warning);
    folder.run(&format!("check --params {TOY} --in in.jsonl --quiet")).ends(1).says(warning);
    folder.run(&format!("points random --params {TOY} --n 1 --out points.jsonl")).ends(0).says(warning);
    let random = |curve: &str| folder.run(&format!("points random --curve {curve} --n 1 --out {curve}.jsonl")).ends(0);
    random("a1-2x512").says("warning: a1-2x512 is weak: TEST ONLY, the factors are public");
    folder.write("none.jsonl", "");
    let pair = folder.run("pair --curve a1-pbc --in none.jsonl --quiet").ends(0);
    pair.says(
        "warning: a1-pbc is weak: TEST ONLY, whoever made it may hold the factors; if nobody does, about 80 bits",
    );
    assert!(!random("bls12-381").stderr.contains("warning"));
    folder.run("params new a --r-bits 40 --q-bits 96 --out weak.toml").ends(2).says("--insecure");
}

fn vectors_path(name: &str) -> String {
    vectors().join("pbc").join(name).display().to_string()
}

#[test]
fn every_row_error_has_its_code_and_place() {
    let folder = Folder::new();
    let good = text(&point(1));
    let value = hex(SYSTEM.pair(&point(1), &point(1)).bytes());
    let half = good.len() / 2;
    // x with its last bit flipped, and the old y
    let off = format!(
        "{}{:02x}{}",
        &good[..half - 2],
        u8::from_str_radix(&good[half - 2..half], 16).unwrap() ^ 1,
        &good[half..]
    );
    let modulus_or_more = "ff".repeat(half / 2) + &good[half..];
    let outside = text(&outside());
    let row = |p: &str, q: &str, expect: &str| json!({"p": p, "q": q, "expect": expect}).to_string();
    let cases = [
        ("", "", row(&good, &good.to_uppercase(), &value)),
        ("json", "line 2", "{\"p\":".to_owned()),
        ("missing", "field q", json!({"p": good, "expect": value}).to_string()),
        ("null", "field p", json!({"p": null, "q": good, "expect": value}).to_string()),
        ("json", "field p: the value is not a string", json!({"p": 1, "q": good, "expect": value}).to_string()),
        ("hex", "field q: not a hexadecimal digit at character 3", row(&good, "00zz", &value)),
        ("hex", "field p: an odd number of hexadecimal digits: 1", row("0", &good, &value)),
        ("length", "field p", row("00", &good, &value)),
        ("length", "field q", row(&good, "", &value)),
        ("canonical", "field q: coordinate x", row(&good, &modulus_or_more, &value)),
        ("curve", "field p: not on the curve", row(&off, &good, &value)),
        ("subgroup", "field q", row(&good, &outside, &value)),
        ("sign", "field p", row(&format!("{}02", &good[..half]), &good, &value)),
        ("mismatch", "field expect: expected 00, got ", row(&good, &good, "00")),
        ("missing", "field expect", json!({"p": good, "q": good}).to_string()),
        ("mismatch", "field expect: expected no bytes, got ", row(&good, &good, "")),
        ("", "", row(&format!("0x{good}"), &good, &value)),
    ];
    let input: String = cases.iter().map(|(_, _, line)| format!("{line}\n")).collect();
    folder.write("in.jsonl", input);
    let run = folder.pair("--in in.jsonl --check --chunk 5").ends(1);
    let run = run.says(
        "errors: 15 (canonical 1, curve 1, hex 2, json 2, length 2, mismatch 2, missing 2, null 1, sign 1, subgroup 1)",
    );
    let run = run.says("check: 2 of 17 equal the expected values");
    let records = run.records();
    assert_eq!(records.len(), cases.len());
    for (index, (record, (wanted, words, _))) in records.iter().zip(&cases).enumerate() {
        assert_eq!((record["row"].as_u64(), code(record)), (Some(index as u64), *wanted), "{record}");
        if !wanted.is_empty() {
            let message = record["message"].as_str().unwrap();
            assert!(message.starts_with(&format!("in.jsonl: row {index}")) && message.contains(words), "{message}");
        }
    }
    assert_eq!(gt(&records[16]), value);
}

#[test]
fn infinity_gives_one_and_compressed_points_are_points() {
    let folder = Folder::new();
    let p = point(3);
    let compressed = hex(&SYSTEM.compressed(&p).unwrap());
    let lines = [
        json!({"p": "inf", "q": text(&p)}),
        json!({"p": text(&p), "q": "inf"}),
        json!({"p": "inf", "q": "inf"}),
        json!({"p": compressed, "q": compressed}),
        // infinity as C and Python write it
        json!({"p": "00".repeat(SYSTEM.point_len(Group::G1)), "q": text(&p)}),
    ];
    let run = folder.pair_prepared(&lines.map(|line| line.to_string() + "\n").concat(), "").ends(0);
    let one = hex(SYSTEM.gt_one().bytes());
    let square = hex(SYSTEM.pair(&p, &p).bytes());
    assert_eq!(run.records().iter().map(gt).collect::<Vec<_>>(), [&one, &one, &one, &square, &one]);
}

#[test]
fn trusted_points_need_not_be_in_the_subgroup() {
    let folder = Folder::new();
    folder.write("in.jsonl", format!("{}\n", json!({"p": text(&outside()), "q": text(&point(1))})));
    assert_eq!(code(&folder.pair("--in in.jsonl").ends(1).records()[0]), "subgroup");
    assert_eq!(code(&folder.pair("--in in.jsonl --trusted").ends(0).records()[0]), "");
}

#[test]
fn a_strict_job_stops_at_the_first_bad_row() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(5) + "nonsense\n" + &rows(5));
    for chunk in [1, 3, 100] {
        let run = folder.pair(&format!("--in in.jsonl --strict --chunk {chunk}")).ends(1);
        let run = run.says("error: in.jsonl: row 5 (line 6): ").says("(json)");
        assert_eq!(run.records().len(), 5, "the rows before it are written");
    }
    // no file remains if no chunk was complete
    folder.pair("--in in.jsonl --out out.jsonl --strict --chunk 6").ends(1);
    assert_eq!(folder.names(), ["in.jsonl"]);
    // otherwise the job can be resumed without `--strict`
    folder.pair("--in in.jsonl --out out.jsonl --strict --chunk 2").ends(1).says("--resume");
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl.part", "out.jsonl.resume"]);
    folder.pair("--in in.jsonl --out out.jsonl --resume").ends(1).says("rows: 11, 4 of them before this run");
    folder.pair("--in in.jsonl --out whole.jsonl").ends(1);
    assert_eq!(folder.text("out.jsonl"), folder.text("whole.jsonl"));
}

#[test]
fn the_users_column_names_and_further_keys() {
    let folder = Folder::new();
    let (p, q) = (point(1), point(2));
    let value = hex(SYSTEM.pair(&p, &q).bytes());
    let line = json!({"left": text(&p), "right": text(&q), "want": value, "p": 7, "q": [{}], "expect": null});
    let run = folder.pair_prepared(&line.to_string(), "--p-col left --q-col right --expect-col want --check").ends(0);
    assert_eq!(gt(&run.records()[0]), value);
    // the same column for both arguments
    let run = folder.pair_prepared(&line.to_string(), "--p-col left --q-col left").ends(0);
    assert_eq!(gt(&run.records()[0]), hex(SYSTEM.pair(&p, &p).bytes()));
}

#[test]
fn one_fixed_point_on_either_side() {
    let folder = Folder::new();
    for (fixed, moving) in [("p", "q"), ("q", "p")] {
        folder.write("fixed.jsonl", format!("{}\n", json!({fixed: text(&point(9))})));
        folder.write("fixed.txt", format!("\n  {}  \n", text(&point(9))));
        let input: String = (0..30).map(|i| format!("{}\n", json!({moving: text(&point(i))}))).collect();
        for file in ["fixed.jsonl", "fixed.txt"] {
            let run = folder.pair_prepared(&input, &format!("--fixed-{fixed} {file} --chunk 7")).ends(0);
            for (index, record) in run.records().iter().enumerate() {
                assert_eq!(gt(record), hex(SYSTEM.pair(&point(9), &point(index)).bytes()));
            }
        }
        // a row with a point for the fixed argument must have the same point, in any encoding, or fails
        let own = [text(&point(9)), text(&point(8)), "inf".to_owned(), "00".to_owned()];
        let input: String = own.iter().map(|p| format!("{}\n", json!({moving: text(&point(1)), fixed: p}))).collect();
        let run = folder.pair_prepared(&input, &format!("--fixed-{fixed} fixed.txt")).ends(1);
        let codes: Vec<_> =
            run.records().iter().map(|record| record["error"].as_str().unwrap_or("").to_owned()).collect();
        assert_eq!(codes, ["", "fixed_point", "fixed_point", "length"], "{}", run.stdout);
        let message = format!("row 1 (line 2), field {fixed}: the point differs from that of --fixed-{fixed}");
        assert!(run.stdout.contains(&message), "{}", run.stdout);
        let line = json!({moving: "00", fixed: text(&point(9))}).to_string();
        let run = folder.pair_prepared(&line, &format!("--fixed-{fixed} fixed.txt")).ends(1);
        assert!(run.stdout.contains(&format!("standard input: row 0 (line 1), field {moving}")), "{}", run.stdout);
    }
    folder.pair_prepared("", "--fixed-p fixed.txt --fixed-q fixed.txt").ends(2).says("cannot be used with");
}

#[test]
fn bad_files_of_fixed_points() {
    let folder = Folder::new();
    let good = text(&point(1));
    for (content, words) in [
        (String::new(), "there is no point in the file"),
        (format!("{good}\n{good}\n"), "2 fixed points: without --product-by there must be exactly one"),
        (format!("{good}\nxyz\n"), "line 2: not a hexadecimal digit at character 1"),
        ("00\n".to_owned(), "line 1: a point takes "),
        ("{\"p\":null}\n".to_owned(), "line 1: the key `p` is not there, or null"),
        ("\n{\"p\":\"00\" 1}\n".to_owned(), "line 2: expected `,` or `}` (column 11)"),
        ("{\"q\":\"00\"}\n".to_owned(), "line 1: the key `p` is not there, or null"),
    ] {
        folder.write("fixed", content);
        folder.pair_prepared("", "--fixed-p fixed").ends(2).says("error: fixed: ").says(words);
    }
    folder.write("fixed", "{\"p\":\"00\"}\n");
    folder.pair_prepared("", "--fixed-q fixed").ends(2).says("error: fixed: line 1: the key `q` is not there, or null");
    folder.pair_prepared("", "--fixed-p absent").ends(2).says("absent: cannot open: No such file");
}

#[test]
fn empty_tables_and_empty_lines() {
    let folder = Folder::new();
    let run = folder.pair_prepared("", "").ends(0).says("rows: 0");
    assert_eq!(run.stdout, "");
    let run = folder.pair_prepared(&format!("\n  \n{}\r\n\n{}", rows(1).trim(), rows(1).trim()), "").ends(0);
    assert_eq!(run.records().iter().map(|r| r["row"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1]);
}

/// e(aG, bH)·e(−abG, H) = 1 in the encodings of other systems, for both commands and for fixed points. Other curves refuse them.
#[test]
fn encodings_of_other_systems() {
    use bilinear_engine::{Encoding, Point, System};
    use bilinear_params::Curve;
    for (curve, encodings) in [
        ("bls12-381", &[Encoding::Zcash, Encoding::ZcashUncompressed, Encoding::Eip][..]),
        ("alt-bn128", &[Encoding::Eip, Encoding::Gnark, Encoding::Arkworks][..]),
    ] {
        let system = System::new(&Curve::named(curve).unwrap()).unwrap();
        let (g, h) = (system.generator(Group::G1), system.generator(Group::G2));
        let rows = [
            (system.mul(&6u32.into(), &g), system.mul(&7u32.into(), &h)),
            (system.neg(&system.mul(&42u32.into(), &g)), h.clone()),
            (system.infinity(Group::G1), h),
        ];
        for encoding in encodings {
            let folder = Folder::new();
            let text = |point: &Point| hex(&system.encode_as(*encoding, point).unwrap());
            let line = |(p, q): &(Point, Point)| format!("{{\"g\":1,\"p\":\"{}\",\"q\":\"{}\"}}\n", text(p), text(q));
            folder.write("rows.jsonl", rows.iter().map(line).collect::<String>());
            let choice = format!("--curve {curve} --encoding {encoding}");
            let run = folder.run(&format!("check {choice} --in rows.jsonl --product-by g")).ends(0);
            assert!(run.stdout.contains("\"ok\":true"), "{curve} {encoding}: {}", run.stdout);
            let run = folder.run(&format!("pair {choice} --in rows.jsonl")).ends(0);
            let value = hex(system.pair(&rows[0].0, &rows[0].1).bytes());
            assert!(run.stdout.lines().next().unwrap().contains(&value), "{curve} {encoding}");
            folder.write("q.txt", text(&rows[0].1));
            let run = folder.run(&format!("pair {choice} --in rows.jsonl --fixed-q q.txt")).ends(1);
            assert!(run.stdout.contains("\"row\":1,\"error\":\"fixed_point\""), "{curve} {encoding}: {}", run.stdout);
            assert!(run.stdout.lines().next().unwrap().contains(&value), "{curve} {encoding}");
            // the command reads what it writes
            folder.run(&format!("points random {choice} --pairs --n 2 --out made.jsonl")).ends(0);
            folder.run(&format!("pair {choice} --in made.jsonl")).ends(0);
            // bytes of another encoding are a fault of their row
            folder.write("bad.jsonl", "{\"p\":\"00\",\"q\":\"00\"}\n");
            let run = folder.run(&format!("pair {choice} --in bad.jsonl")).ends(1);
            assert!(run.stdout.contains("\"error\":\"length\""), "{}", run.stdout);
        }
    }
    let folder = Folder::new();
    folder.write("rows.jsonl", "");
    for command in ["pair --in rows.jsonl", "points random"] {
        let run = folder.run(&format!("{command} --curve a-512 --encoding zcash")).ends(2);
        assert!(run.stderr.contains("curve a-512 has no zcash encoding"), "{}", run.stderr);
    }
}

/// Values on the tori are shorter, but the same elements. They are compared in the requested encoding, and
/// refused if there is none.
#[test]
fn shorter_values() {
    use bilinear_engine::{GtEncoding, System};
    use bilinear_params::Curve;
    let system = System::new(&Curve::named("alt-bn128").unwrap()).unwrap();
    let (g, h) = (system.generator(Group::G1), system.generator(Group::G2));
    let value = system.pair(&g, &h);
    let text = |point: &bilinear_engine::Point| hex(point.bytes().unwrap());
    for encoding in GtEncoding::ALL {
        let folder = Folder::new();
        let want = hex(&system.encode_gt_as(encoding, &value).unwrap());
        folder.write(
            "in.jsonl",
            format!("{{\"g\":1,\"p\":\"{}\",\"q\":\"{}\",\"expect\":\"{want}\"}}\n", text(&g), text(&h)),
        );
        for product in ["", "--product-by g"] {
            let choice = format!("--curve alt-bn128 --in in.jsonl --gt-encoding {encoding} --check {product}");
            let run = folder.run(&format!("pair {choice}")).ends(0);
            assert!(run.stdout.contains(&format!("\"gt\":\"{want}\"")), "{encoding} {product}: {}", run.stdout);
        }
    }
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    let run = folder.run("pair --curve a-512 --in in.jsonl --gt-encoding torus6").ends(2);
    assert!(run.stderr.contains("curve a-512 has no torus6 encoding"), "{}", run.stderr);
}

/// Empty lines do not count as rows.
#[test]
fn faults_that_are_found_after_reading_name_the_line() {
    let folder = Folder::new();
    folder.write("in.jsonl", format!("{}\n\n{{\"p\":\"00\",\"q\":\"inf\"}}\n", rows(1)));
    for options in ["", "--chunk 1", "--product-by p"] {
        let records = folder.pair(&format!("--in in.jsonl {options}")).ends(1).records();
        let message = records[1]["message"].as_str().unwrap();
        assert!(message.starts_with("in.jsonl: row 1 (line 4), field p: a point takes "), "{message}");
    }
}
