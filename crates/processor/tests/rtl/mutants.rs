//! Faults planted in the hardware (`rtl/sim/mutants.txt`), one at a time: co-simulation has to find each.

use crate::build::{Core, build_from, rtl, scratch};
use crate::programs::{bn_258, equal};
use crate::random::moduli;
use crate::stream::stream_equal;
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

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_faults_are_found() {
    let list = fs::read_to_string(rtl().join("sim/mutants.txt")).unwrap();
    let mut missed = vec![];
    let mut planted = 0;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<String> =
            line.replace("\\|\\|", "\u{1}").split(" | ").map(|f| f.replace('\u{1}', "||")).collect();
        let [core, file, from, to] = &fields[..] else { panic!("{line}") };
        planted += 1;
        let source: PathBuf = scratch().join("mutant");
        plant(&source, file, from, to);
        let small = |reduction| Core::small(158, 17, 4, reduction);
        let found = match core.as_str() {
            "montgomery" => !equal(&build_from(&source, &small(Montgomery)), &small(Montgomery), &moduli(158), 158).1,
            "five-stage" => !equal(&build_from(&source, &small(FiveStage)), &small(FiveStage), &moduli(158), 158).1,
            "polynomial" => {
                let core = Core::small(258, 22, 5, Polynomial);
                !equal(&build_from(&source, &core), &core, &[bn_258()], 258).1
            }
            "stream" => !stream_equal(&source).1,
            _ => panic!("{line}"),
        };
        if !found {
            missed.push(line);
        }
    }
    println!("{} of {planted} faults found", planted - missed.len());
    assert!(missed.is_empty() && planted > 30, "not found:\n{}", missed.join("\n"));
}
