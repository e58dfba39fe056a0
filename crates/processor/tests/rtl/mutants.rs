//! Faults planted in the hardware (`rtl/sim/mutants.txt`), one at a time: co-simulation must find each.

use crate::build::{Core, PIPELINED, build_from, rtl, scratch};
use crate::programs::{bn_258, equal};
use crate::random::{WIDE, moduli};
use crate::stream::{polynomial_stream_equal, stream_equal};
use bilinear_processor::Issue::{Beside, Serial};
use bilinear_processor::Reduction::{FiveStage, Montgomery, Polynomial};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies the hardware with one passage replaced.
fn plant(folder: &Path, file: &str, from: &str, to: &str) {
    for part in ["isa", "src", "sim"] {
        fs::create_dir_all(folder.join(part)).unwrap();
        for entry in fs::read_dir(rtl().join(part)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.join(part).join(entry.file_name())).unwrap();
        }
    }
    fs::copy(rtl().join("files.txt"), folder.join("files.txt")).unwrap();
    let path = folder.join("src").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Plants the faults that the co-simulation of this core must find.
fn find(core: &str) {
    let list = fs::read_to_string(rtl().join("sim/mutants.txt")).unwrap();
    let mut missed = vec![];
    let mut planted = 0;
    for line in list.lines().filter(|line| line.starts_with(&format!("{core} |"))) {
        let fields: Vec<String> =
            line.replace("\\|\\|", "\u{1}").split(" | ").map(|field| field.replace('\u{1}', "||")).collect();
        let [_, file, from, to] = &fields[..] else { panic!("{line}") };
        planted += 1;
        let source: PathBuf = scratch().join(format!("mutant-{core}"));
        plant(&source, file, from, to);
        let limbs = |reduction, issue| {
            let core = Core { issue, ..Core::small(158, 17, 4, reduction) };
            equal(&build_from(&source, &core), &core, &moduli(158), 158).1
        };
        let polynomials = |digit, issue| {
            let core = Core { issue, ..Core::small(258, digit, 5, Polynomial) };
            equal(&build_from(&source, &core), &core, &[bn_258()], 258).1
        };
        let unnoticed = match core {
            "montgomery" => limbs(Montgomery, Serial),
            "five-stage" => limbs(FiveStage, Serial),
            "beside" => limbs(Montgomery, Beside),
            "wide" => {
                let core = Core { wide: WIDE, ..Core::small(158, 17, 4, Montgomery) };
                equal(&build_from(&source, &core), &core, &moduli(158), 158).1
            }
            "polynomial" => polynomials(22, Serial),
            "polynomial-beside" => polynomials(22, Beside),
            "pipelined" => polynomials(32, PIPELINED),
            "stream" => stream_equal(&source).1,
            "polynomial-stream" => polynomial_stream_equal(&source).1,
            _ => panic!("no core {core}"),
        };
        if unnoticed {
            println!("not found: {line}");
            missed.push(line);
        }
    }
    println!("{core}: {} of {planted} faults found", planted - missed.len());
    assert!(missed.is_empty() && planted > 2, "not found:\n{}", missed.join("\n"));
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_montgomery() {
    find("montgomery");
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_five_stages() {
    find("five-stage");
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_polynomials() {
    find("polynomial");
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_the_stream() {
    find("stream");
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_the_stream_of_polynomials() {
    find("polynomial-stream");
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_wide_values() {
    find("wide");
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_of_sums_beside_products() {
    find("beside");
    find("polynomial-beside");
    find("pipelined");
}
