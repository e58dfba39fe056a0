//! `bilinear sim` and `bilinear asm`.

use crate::support::*;
use bilinear_engine::Group;
use serde_json::Value;
use std::fs;

fn json(folder: &Folder, command: &str) -> Value {
    serde_json::from_str(&folder.run(command).ends(0).stdout).unwrap()
}

#[test]
fn a_pairing_is_simulated() {
    let folder = Folder::new();
    let report = json(&folder, "sim a-512 --registers 32 --json");
    assert_eq!((&report["curve"], &report["equal"]), (&"a-512".into(), &true.into()));
    let cycles = report["cycles"].as_u64().unwrap();
    assert!((2_000_000..2_300_000).contains(&cycles), "{cycles}");
    for parts in ["by_instruction", "by_routine"] {
        let parts = report[parts].as_array().unwrap();
        assert_eq!(parts.iter().map(|part| part["cycles"].as_u64().unwrap()).sum::<u64>(), cycles);
        assert!(parts.iter().all(|part| part["name"] != ""));
    }
    assert!(report["by_routine"].as_array().unwrap().iter().any(|part| part["name"] == "doubling step"));
    assert_eq!(report["registers_used"], 18);
    // the same value with another engine, and on another machine
    let text = folder.run("sim --curve a-512 --registers 32 --engine reference").ends(0).stdout;
    assert!(text.contains(&format!("cycles: {cycles},")) && text.contains("equal to the library's"), "{text}");
    let beside = json(&folder, "sim a-512 --registers 32 --beside --json");
    assert!(beside["cycles"].as_u64().unwrap() < cycles);
    let wide = json(&folder, "sim a-512 --registers 32 --wide 2 --json");
    assert!(wide["cycles"].as_u64().unwrap() < cycles && wide["wide_used"] == 2, "{wide}");
    folder.run("sim a-512 --wide 2 --beside").ends(2).says("error: a-512: wide registers need Montgomery reduction");
    let five_stage = json(&folder, "sim a-512 --reduction five-stage --json");
    assert!(five_stage["cycles"].as_u64().unwrap() > cycles);
    let polynomial = json(&folder, "sim bn-258 --reduction polynomial --limb 22 --registers 128 --power fast --json");
    assert!(polynomial["cycles"].as_u64().unwrap() < 370_000);
    folder
        .run("sim a-512 --reduction polynomial")
        .ends(2)
        .says("error: a-512: --reduction polynomial needs a seed 2^m + s with m from 22 to 63, and s odd");
    // ten registers suffice, nine do not, and the error names the routine
    let few = json(&folder, "sim a-512 --registers 10 --no-spill --json");
    assert_eq!([&report["instructions"], &few["instructions"]], [233, 249]);
    folder
        .run("sim a-512 --registers 9 --no-spill")
        .ends(2)
        .says("error: a-512: routine `doubling step`: 10 values are live");
    folder.run("sim").ends(2).says("error: name a CURVE, or choose a curve by --curve or --params");
}

/// A machine that cannot exist as hardware is refused, even if a program is given.
#[test]
fn impossible_machines_are_refused() {
    let folder = Folder::new();
    folder.write("halt.pasm", "halt");
    for (arguments, reason) in [
        ("d-159 --limb 64 --generators 2", "error: d-159: limbs: 3, generators: 2; Montgomery reduction needs"),
        ("d-159 --limb 64 --generators 64", "error: d-159: 64 generators: Montgomery reduction takes at most 4"),
        ("d-159 --limb 64 --generators 3 --reduction five-stage", "a reduction in five stages needs at least 4 limbs"),
        ("bn-258 --reduction polynomial --limb 5", "error: bn-258: a digit width of 5: polynomials need 7 to 32"),
        ("a-512 --wide 2 --registers 33", "wide registers need Montgomery reduction"),
        ("bn-258 --reduction polynomial --limb 33", "a digit width of 33: polynomials need 7 to 32"),
    ] {
        folder.run(&format!("sim {arguments}")).ends(2).says(reason);
        folder.run(&format!("sim {arguments} --program halt.pasm")).ends(2).says(reason);
        folder.run(&format!("asm --curve {arguments}")).ends(2).says(reason);
    }
    // BN curves whose seed is even, negative, above 2^64, or too small
    for seed in ["0x80000000000012f6", "-9223372036854775695", "0x20000000000000709", "0x100073"] {
        folder.run(&format!("params new seed --family bn --u={seed} --insecure --out bn.toml")).ends(0);
        let sim = folder.run("sim --params bn.toml --reduction polynomial --limb 22").ends(2);
        sim.says("--reduction polynomial needs a seed 2^m + s with m from 22 to 63, and s odd");
        fs::remove_file(folder.path("bn.toml")).unwrap();
    }
}

/// A weak curve is named before the processor computes with it; curves of small characteristic are refused.
#[test]
fn weak_curves() {
    let folder = Folder::new();
    folder.run("sim d-159").ends(0).says("warning: d-159 is weak");
    for command in ["sim", "asm"] {
        let refused = folder.run(&format!("{command} --curve ss2-353")).ends(2);
        refused.says("error: ss2-353: the processor computes modulo primes only");
        folder.run(&format!("{command} --curve ss2-353 --research")).ends(2).says("unexpected argument '--research'");
    }
}

/// Files of parameters, and points given on the command line.
#[test]
fn points_and_files_of_parameters() {
    let folder = Folder::new();
    let (p, q) = (text(&point(1)), text(&point(2)));
    let report = json(&folder, &format!("sim --params {TOY} --p {p} --q {q} --json"));
    assert_eq!(report["value"], hex(SYSTEM.pair(&point(1), &point(2)).bytes()));
    folder.run(&format!("sim --params {TOY} --p 00")).ends(2).says("error: --p: ");
    let zeros = "00".repeat(SYSTEM.point_len(Group::G1));
    for infinity in ["inf", &zeros] {
        let refused = folder.run(&format!("sim --params {TOY} --p {infinity}")).ends(2);
        refused.says("error: --p: the processor takes coordinates");
    }
    folder.run(&format!("sim --params {TOY} --p x")).ends(2).says("not a hexadecimal digit");
}

/// A compiled program states the registers that it uses, and runs on any processor that has as many.
#[test]
fn programs_state_what_they_use() {
    let folder = Folder::new();
    folder.run("asm --curve a-512 --wide 1024 --out a.pasm").ends(0);
    let program = folder.text("a.pasm");
    let size = |directive| program.lines().find_map(|line| line.strip_prefix(directive)?.parse::<u32>().ok()).unwrap();
    let (registers, wide) = (size(".registers "), size(".wide "));
    assert!(registers < 32 && wide < 32, "{registers}, {wide}");
    let needs = |options: &str, words: &str| {
        folder.run(&format!("sim a-512 --program a.pasm {options}")).ends(2).says(words);
    };
    needs("", &format!("error: a.pasm: the program needs --wide {wide}, not 0"));
    needs("--registers 2", &format!("error: a.pasm: the program needs --registers {registers}, not 2"));
    let report = json(&folder, &format!("sim a-512 --program a.pasm --registers 32 --wide {wide} --json"));
    assert_eq!(report["equal"], true);
}

/// A program as text, as words and as text again: both forms run, and a wrong program is named in the error.
#[test]
fn programs_as_text_and_words() {
    let folder = Folder::new();
    folder.run(&format!("asm --params {TOY} --out toy.pasm")).ends(0);
    folder.run("asm toy.pasm --out toy.json").ends(0);
    let program = folder.text("toy.pasm");
    assert_eq!(folder.run("asm toy.json").ends(0).stdout, program);
    assert_eq!(folder.run("asm toy.pasm").ends(0).stdout, folder.text("toy.json"));
    for file in ["toy.pasm", "toy.json"] {
        let report = json(&folder, &format!("sim --params {TOY} --program {file} --json"));
        assert_eq!(report["equal"], true);
    }
    // an operation is replaced, which gives another value
    let add = program.lines().find(|line| line.starts_with("    add")).unwrap();
    folder.write("other.pasm", program.replacen(add, &add.replacen("add", "sub", 1), 1));
    let other = folder.run(&format!("sim --params {TOY} --program other.pasm")).ends(1);
    assert!(other.stdout.contains("NOT the library's"), "{}", other.stdout);
    let last = program.lines().rfind(|line| line.starts_with(".output")).unwrap();
    folder.write("more.pasm", program.replacen(last, &format!("{last}\n.output more 0"), 1));
    folder
        .run(&format!("sim --params {TOY} --program more.pasm"))
        .ends(2)
        .says("error: more.pasm: the program's port more: the pairing has e0, e1");
    folder.write("named.pasm", program.replacen(".input P.x", ".input p.x", 1));
    folder
        .run(&format!("sim --params {TOY} --program named.pasm"))
        .ends(2)
        .says("error: named.pasm: the program's port p.x: the pairing has P.x, P.y, Q.x, Q.y");
    // ports are found by their names, in any order; a missing coefficient is 0
    let is_port = |line: &&str| line.starts_with(".input") || line.starts_with(".output");
    let (mut ports, code): (Vec<&str>, Vec<&str>) = program.lines().partition(is_port);
    ports.reverse();
    folder.write("turned.pasm", [ports, code].concat().join("\n"));
    let report = json(&folder, &format!("sim --params {TOY} --program turned.pasm --json"));
    assert_eq!(report["equal"], true);
    folder.write("fewer.pasm", program.replacen(last, "", 1));
    let fewer = folder.run(&format!("sim --params {TOY} --program fewer.pasm")).ends(1);
    assert!(fewer.stdout.contains("NOT the library's"), "{}", fewer.stdout);
    folder.write("loop.pasm", program.replacen(add, "    jump 0", 1));
    folder
        .run(&format!("sim --params {TOY} --program loop.pasm --limit 1000"))
        .ends(2)
        .says("error: loop.pasm: instruction ")
        .says("the limit of executed instructions is 1000");
    folder.write("wrong.pasm", program.replacen(add, "    add r0, r0", 1));
    folder.run("asm wrong.pasm").ends(2).says("the number of operands of add is 3, not 2");
    folder.write("wrong.json", "{}");
    folder.run("asm wrong.json").ends(2).says("error: wrong.json: not a readable JSON file: missing field");
    folder.run("asm").ends(2).says("error: name a FILE, or choose a curve by --curve or --params");
    folder.run("asm none.pasm").ends(2).says("error: none.pasm: cannot open");
    folder.run("asm /dev/zero").ends(2).says("error: /dev/zero: more than 134217728 bytes, the limit for a program");
    folder.run("asm /dev/null").ends(2).says("the program has no instructions");
    for option in ["--registers 8", "--wide 3", "--pairing tate", "--power fast"] {
        folder.run(&format!("asm toy.pasm {option}")).ends(2).says("cannot be used with");
    }
}
