//! The examples in C against known answers, and programs that try every function, wrong calls among them.

use crate::toolchain::{compiled, compiled_statically, lines, packaged, prefix, root, run, shared, vectors};
use bilinear::code::Code;
use bilinear_engine::{GtError, PointError};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

/// Returns a number of PBC's vectors, padded to this many bytes.
fn padded(x: &Value, bytes: usize) -> String {
    format!("{:0>1$}", x.as_str().unwrap(), 2 * bytes)
}

fn joined(coefficients: &Value, bytes: usize) -> String {
    coefficients.as_array().unwrap().iter().map(|x| padded(x, bytes)).collect()
}

/// PBC's types A and D, and the number of bytes of a coefficient. The second arguments of type D are in their subgroup.
const PBC: [(&str, &str, usize); 2] =
    [("pbc/a.param", "pbc/a512.jsonl", 64), ("pbc/d159.param", "pbc/d159-rtors.jsonl", 20)];

/// Returns the lines `P Q` of a table of PBC, and its values.
fn pairings_of_pbc(table: &str, bytes: usize) -> (Vec<String>, Vec<String>) {
    let table = fs::read_to_string(vectors(table)).unwrap();
    let rows: Vec<Value> = table.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let side = |row: &Value, x: &str, y: &str| joined(&row[x], bytes) + &joined(&row[y], bytes);
    let line = |row| format!("{} {}\n", side(row, "Px", "Py"), side(row, "Qx", "Qy"));
    (rows.iter().map(line).collect(), rows.iter().map(|row| joined(&row["e"], bytes)).collect())
}

/// PBC's pairings, with a bad line that affects no other line.
#[test]
fn example_of_pairings_gives_the_values_of_pbc() {
    let program = compiled("examples/pairings.c", &shared());
    for (curve, table, bytes) in PBC {
        let (mut input, mut wanted) = pairings_of_pbc(table, bytes);
        let curve = vectors(curve);
        assert_eq!(lines(&program, &[curve.to_str().unwrap()], &input.concat(), 0), wanted);
        // y + 1, or y − 1
        let at = 4 * bytes - 1;
        let last = if &input[1][at..=at] == "0" { "1" } else { "0" };
        input[1].replace_range(at..=at, last);
        wanted[1] = "error curve".to_owned();
        assert_eq!(lines(&program, &[curve.to_str().unwrap()], &input.concat(), 1), wanted);
    }
}

/// Ethereum's own tests of the precompiled contract, in one batch with inputs that it refuses.
#[test]
fn example_of_eip_197_gives_the_results_of_ethereum() {
    let tests: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(vectors("evm-bn254/bn256Pairing.json")).unwrap()).unwrap();
    let mut input: Vec<String> = tests.iter().map(|test| test["Input"].as_str().unwrap().to_owned()).collect();
    let mut wanted: Vec<String> =
        tests.iter().map(|test| test["Expected"].as_str().unwrap()[63..].to_owned()).collect();
    // the first pair with another y, and with an x that is not below q
    for (at, digits) in [(127, "f"), (0, "ff")] {
        let mut bad = input[0].clone();
        assert_ne!(&bad[at..at + digits.len()], digits);
        bad.replace_range(at..at + digits.len(), digits);
        input.push(bad);
        wanted.push("invalid".to_owned());
    }
    assert_eq!(lines(&compiled("examples/eip197.c", &shared()), &[], &(input.join("\n") + "\n"), 0), wanted);
}

/// Ethereum's own tests of signatures, all in one batch, by the static library.
#[test]
fn example_of_bls_signatures_gives_the_results_of_ethereum() {
    let (mut input, mut wanted) = (String::new(), Vec::new());
    for entry in fs::read_dir(vectors("bls12-381-tests-v0.1.1/verify")).unwrap() {
        let test: Value = serde_json::from_str(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        let field = |name: &str| test["input"][name].as_str().unwrap().trim_start_matches("0x").to_owned();
        // a line consists of words, none of which may be empty
        let (key, message, signature) = (field("pubkey"), field("message"), field("signature"));
        assert!(!message.is_empty());
        input += &format!("{key} {message} {signature}\n");
        wanted.push(if test["output"].as_bool().unwrap() { "valid" } else { "invalid" });
    }
    assert!(wanted.contains(&"valid") && wanted.contains(&"invalid"));
    let mut links = vec![prefix().join("lib/libbilinear.a").display().to_string()];
    // the libraries that the manual names behind the static one
    let manual = fs::read_to_string(root().join("../../docs/c.md")).unwrap();
    let rest = manual.split("/libbilinear.a ").nth(1).unwrap().lines().next().unwrap();
    links.extend(rest.split_whitespace().map(str::to_owned));
    assert_eq!(lines(&compiled("examples/bls.c", &links), &[], &input, 0), wanted);
}

/// The program of the manual prints what the manual says: with the shared library and, where there is a C library to
/// link so, without any shared one.
#[test]
fn program_of_the_manual_runs() {
    let manual = fs::read_to_string(root().join("../../docs/c.md")).unwrap();
    let block = |language: &str| {
        let text = manual.split(&format!("```{language}\n")).nth(1).unwrap();
        text.split("```").next().unwrap().to_owned()
    };
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual.c");
    fs::write(&source, block("c")).unwrap();
    let source = source.to_str().unwrap();
    let links = [packaged("Libs"), packaged("Libs.private")].concat();
    for program in [Some(compiled(source, &shared())), compiled_statically(source, &links)].into_iter().flatten() {
        assert_eq!(lines(&program, &[], "", 0), block("text").lines().collect::<Vec<_>>());
    }
}

#[test]
fn every_function_satisfies_its_equations() {
    let program = compiled("tests/capi/equations.c", &shared());
    let curves =
        [("a-512", "tate"), ("alt-bn128", "tate"), ("d-159", "tate"), ("ss2-271", "etat"), ("hss2-367", "opteta")];
    for (curve, pairing) in curves {
        assert_eq!(lines(&program, &[curve, pairing], "", 0), ["ok"], "{curve}");
    }
}

/// A curve of composite order in a file, and a copy of its factors.
#[test]
fn factors_come_from_private_files() {
    let (curves, folder) = (root().join("../python/tests/python"), Path::new(env!("CARGO_TARGET_TMPDIR")));
    let factors = folder.join("factors.toml");
    fs::write(&factors, fs::read(curves.join("two.factors.toml")).unwrap()).unwrap();
    let program = compiled("tests/capi/factors.c", &shared());
    let files = [curves.join("two.toml"), factors, vectors("pbc/a1-2x512-friendly.param")];
    assert_eq!(lines(&program, &files.each_ref().map(|path| path.to_str().unwrap()), "", 0), ["ok"]);
}

/// A row's code is below 16 and has the engine's word for what is wrong with the row. No two codes share a word.
#[test]
fn codes_of_rows_are_those_of_the_engine() {
    let word = |code| Code::of_number(code).name().to_str().unwrap();
    let mut words: Vec<&str> = (0..29).map(word).filter(|word| *word != "internal").collect();
    for known in PointError::CODES.iter().chain(&GtError::CODES) {
        assert!((1..16).any(|code| word(code) == *known), "{known}");
    }
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert!(count == words.len() && count == 25, "{words:?}");
}

/// The functions of PBC: their equations, and PBC's own values.
#[test]
fn functions_of_pbc_give_the_values_of_pbc() {
    let program = compiled("tests/capi/pbc.c", &shared());
    for (curve, table, bytes) in PBC {
        let (input, values) = pairings_of_pbc(table, bytes);
        let written = lines(&program, &[vectors(curve).to_str().unwrap()], &input.concat(), 0);
        // both orders have 20 bytes
        let printed = format!("text -7   2.5% c 9 8 {:0>40}", "0b");
        let kind = if bytes == 64 { "symmetric" } else { "asymmetric" };
        assert_eq!(written, [vec![printed, kind.to_owned()], values].concat());
    }
    let died = run(&program, &[], "");
    assert_eq!((died.status.code(), died.stderr.as_slice()), (Some(128), b"fatal: no parameters 1\n".as_slice()));
}

/// A handler of failures that returns does not let a program go on.
#[test]
fn a_handler_that_returns_ends_the_program() {
    let program = compiled("tests/capi/returns.c", &shared());
    for (case, said) in [("long", "the conversion is too long"), ("unknown", "unknown conversion")] {
        let output = run(&program, &[case], "");
        assert_eq!(output.status.signal(), Some(6), "{case}");
        assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).starts_with(said), "{case}");
    }
}

/// The flows of PBC's own examples, with parameters of its types, and in TOML, from a file and from the input.
#[test]
fn examples_in_the_functions_of_pbc_run() {
    let (bls, hess) = (compiled("examples/pbc_bls.c", &shared()), compiled("examples/pbc_hess.c", &shared()));
    let toml = root().join("../params/curves/bls12-381.toml");
    let files = ["a", "d159", "f"].map(|curve| vectors(&format!("pbc/{curve}.param")));
    for file in files.iter().chain([&toml]) {
        let curve = file.display();
        let text = fs::read_to_string(file).unwrap();
        let wanted = ["the signature is valid", "a forgery is refused", "any point is refused"];
        assert_eq!(lines(&bls, &[], &text, 0), wanted, "{curve}");
        let wanted = ["the signature is valid", "a forgery is refused", "another name is refused"];
        assert_eq!(lines(&hess, &[file.to_str().unwrap()], "", 0), wanted, "{curve}");
    }
}

#[test]
fn wrong_calls_are_refused() {
    assert_eq!(lines(&compiled("tests/capi/misuse.c", &shared()), &[], "", 0), ["ok"]);
}

#[test]
fn one_context_serves_many_threads() {
    assert_eq!(lines(&compiled("tests/capi/threads.c", &shared()), &[], "", 0), ["ok"]);
}

/// AddressSanitizer is at work: it finds a context that is not freed.
#[test]
fn what_is_not_freed_is_found() {
    let output = run(&compiled("tests/capi/leak.c", &shared()), &[], "");
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("LeakSanitizer"));
}

/// The headers are valid C++ too, and need no other header before them; one includes the other.
#[test]
fn headers_are_valid_cpp() {
    let mut compiler = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned()));
    compiler.args(["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-x", "c++"]);
    let output = compiler.arg(prefix().join("include/bilinear_pbc.h")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
