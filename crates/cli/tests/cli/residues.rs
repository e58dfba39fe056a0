//! The engine `rns` on the command line: the moduli and counts that it prints, and the values that it computes.

use crate::support::*;
use serde_json::Value;

/// The bases of the paper for orders of 1024 bits (ACNS 2012), and the reductions of the operation table.
#[test]
fn moduli_and_counts() {
    let folder = Folder::new();
    let of = |command: &str| -> Value { serde_json::from_str(&folder.run(command).ends(0).stdout).unwrap() };
    let (listing, table) = (of("ops --curve a1-1024 --rns --json"), of("ops --curve a1-1024 --json"));
    let number = |value: &Value| value.as_u64().unwrap();
    let find = |list: &Value, key: &str, name: &str| -> Value {
        list.as_array().unwrap().iter().find(|row| row[key] == name).unwrap_or_else(|| panic!("{name}: {list}")).clone()
    };
    let (on, phase) =
        (find(&listing["programs"], "program", "Miller loop"), find(&table["phases"], "phase", "Miller loop"));
    let lengths = ["B", "B'"].map(|base| on["bases"][base].as_array().unwrap().len());
    assert_eq!((lengths, &on["sums_reduced"]), ([33, 33], &Value::Bool(false)));
    assert_eq!(number(&on["reductions"]), number(&phase["R"]) + 2 * number(&phase["I"]));
    assert_eq!(number(&on["multiply_adds"]), 2445 * number(&on["reductions"]));
    let text = folder.run("ops --curve a1-1024 --rns").ends(0).stdout;
    for part in ["33 + 33 + 1 moduli, alpha = ", "B          c = 5 17 65 ", "Miller loop", "lazy"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    folder.run("ops --curve a1-1024 --rns --paper").ends(2);
}

#[test]
fn values_are_those_of_the_other_engines() {
    let folder = Folder::new();
    folder.run("points random --curve bls12-381 --pairs --n 3 --out rows.jsonl").ends(0);
    for engine in ["mont", "rns"] {
        folder.run(&format!("pair --curve bls12-381 --engine {engine} --in rows.jsonl --out {engine}.jsonl")).ends(0);
    }
    assert_eq!(folder.read("rns.jsonl"), folder.read("mont.jsonl"));
}
