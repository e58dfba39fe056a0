//! Curves of small characteristic: they need `--research`, and then work like all others.

use crate::known::json_lines;
use crate::support::*;
use bilinear_params::Curve;
use serde_json::{Value, json};

/// Encodes coordinates or coefficients as bytes, 45 for each.
fn elements(value: &Value) -> String {
    let one = |c: &Value| format!("{:0>90}", c.as_str().unwrap().trim_start_matches("0x"));
    value.as_array().unwrap().iter().map(one).collect()
}

/// Returns the known answers for `ss2-353`, with the value of the pairing `key` to compare with.
fn table(key: &str) -> String {
    let row = |answer: &Value| {
        let [p, q, expect] = ["P", "Q", key].map(|key| elements(&answer[key]));
        format!("{}\n", json!({"p": p, "q": q, "expect": expect, "g": "one"}))
    };
    json_lines("oracle/SS2_353_b1.jsonl").iter().map(row).collect()
}

#[test]
fn pairs_and_products() {
    let folder = Folder::new();
    folder.write("in.jsonl", table("etaT"));
    folder.write("tate.jsonl", table("tate"));
    let refused = folder.run("pair --curve ss2-353 --in in.jsonl --out out.jsonl").ends(2);
    refused.says("for research only").says("--research");
    assert!(!folder.exists("out.jsonl"));
    let pair = "pair --curve ss2-353 --research --threads 1";
    for (options, file) in [("", "in"), ("--engine portable", "in"), ("--pairing tate", "tate")] {
        let run = folder.run(&format!("{pair} {options} --in {file}.jsonl --check")).ends(0);
        run.says("is weak").says("rows: 5\nerrors: none\n");
    }
    let values = folder.run(&format!("{pair} --in in.jsonl")).ends(0);
    assert_eq!(values.records().len(), 5);
    // the product agrees with the values
    let product = folder.run(&format!("{pair} --in in.jsonl --product-by g")).ends(0).records().remove(0);
    folder.write("values.jsonl", &values.stdout);
    folder.run("gt check --curve ss2-353 --research --in values.jsonl").ends(0);
    assert_eq!(product["gt"].as_str().unwrap().len(), 4 * 90);
    folder.run("pair --curve ss2-353 --research --engine rns --in in.jsonl").ends(2).says("modulo primes only");
    folder.run("ops --curve ss2-353").ends(2).says("there is no program");
}

#[test]
fn points_of_such_curves() {
    let folder = Folder::new();
    let on = "--curve ss2-353 --research";
    folder.run(&format!("points random {on} --pairs --n 3 --out rows.jsonl")).ends(0);
    folder.run(&format!("pair {on} --in rows.jsonl --out values.jsonl")).ends(0);
    folder.run(&format!("points random {on} --n 2 --out p.jsonl")).ends(0);
    folder.run("points random --curve ss2-353 --n 2").ends(2).says("--research");
    let hashed = folder.run(&format!("points hash-lines {on} --dst TAG --message m")).ends(0).records().remove(0);
    assert_eq!(hashed["p"].as_str().unwrap().len(), 2 * 90, "{hashed}");
    let list = |options: &str| -> Vec<Value> {
        serde_json::from_str(&folder.run(&format!("curves --json{options}")).ends(0).stdout).unwrap()
    };
    assert_eq!(list(" --research").len() - list("").len(), Curve::research_names().count());
    assert!(list("").iter().all(|entry| entry["family"] != "ss2"));
    folder.run("params show --curve ss2-353").ends(0);
}

/// Divisors of a curve of genus 2 as points of tables, both in full and compressed.
#[test]
fn genus_2() {
    let folder = Folder::new();
    let on = "--curve hss2-367 --research";
    folder.run("points random --curve hss2-367 --n 2").ends(2).says("--research");
    folder.run(&format!("points random {on} --pairs --n 2 --out rows.jsonl")).ends(0);
    let values = folder.run(&format!("pair {on} --in rows.jsonl")).ends(0).records();
    assert_eq!(values[0]["gt"].as_str().unwrap().len(), 2 * 12 * 46);
    let hashed = folder.run(&format!("points hash-lines {on} --dst TAG --message m")).ends(0).records().remove(0);
    assert_eq!(hashed["p"].as_str().unwrap().len(), 2 * (4 * 46 + 1), "{hashed}");
    let row = |gt: &Value, text: &str| json!({"p": hashed["p"], "q": text, "expect": gt}).to_string();
    // a degree that does not exist
    let p = hashed["p"].as_str().unwrap();
    folder.write("bad.jsonl", row(&values[0]["gt"], &format!("{}07", &p[..p.len() - 2])) + "\n");
    folder.run(&format!("pair {on} --in bad.jsonl --out out.jsonl")).ends(1).says("sign");
    let shown = folder.run("params show --curve hss2-367").ends(0).stdout;
    assert!(shown.contains("hss2") && shown.contains("698 bits"), "{shown}");
    folder.run(&format!("pair {on} --pairing etat --in rows.jsonl")).ends(2).says("available: opteta, tate");
}

/// PBC's type I: its parameter file describes `ss3-97`, and the values agree with PBC's.
#[test]
fn type_i() {
    let folder = Folder::new();
    let element = |c: &Value| c.as_str().unwrap().to_owned();
    let all = |row: &Value, keys: &[&str]| -> String {
        keys.iter().flat_map(|key| row[*key].as_array().unwrap().iter().map(element)).collect()
    };
    let rows = json_lines("pbc/i.jsonl").into_iter().take(3).map(|row| {
        let (p, q) = (all(&row, &["Px", "Py"]), all(&row, &["Qx", "Qy"]));
        format!("{}\n", json!({"p": p, "q": q, "expect": all(&row, &["e"])}))
    });
    folder.write("in.jsonl", rows.collect::<String>());
    let file = vectors().join("pbc/i.param");
    folder.run(&format!("pair --params {} --in in.jsonl", file.display())).ends(2).says("--research");
    for curve in ["--curve ss3-97".to_owned(), format!("--params {}", file.display())] {
        folder.run(&format!("pair {curve} --research --in in.jsonl --check")).ends(0).says("rows: 3\nerrors: none\n");
    }
    folder.run(&format!("points random --params {} --research --pairs --n 2 --out rows.jsonl", file.display())).ends(0);
    folder.run("pair --curve ss3-97 --research --threads 2 --in rows.jsonl").ends(0);
}
