//! Tests that the manual agrees with the data, and that its example computes what it claims.

use bilinear_field::reference::Reference;
use bilinear_field::{Lanes, Prime};
use bilinear_processor::{Alu, Object, Reduction, assemble, manual, simulate};
use num_bigint::BigUint;
use std::fs;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/processor.md");

#[test]
fn tables_are_those_of_the_data() {
    let page = fs::read_to_string(FILE).unwrap();
    assert_eq!(page.matches("<!-- end -->").count(), 3);
    let filled = manual(&page);
    assert!(page == filled, "{FILE} should be:\n{filled}");
}

/// Returns the text between two other texts.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).unwrap().0
}

#[test]
fn the_example_computes_a_power() {
    let page = fs::read_to_string(FILE).unwrap();
    let image = assemble(between(&page, "```text\n", "```")).unwrap();
    let words: Vec<String> =
        between(between(&page, "Its words", "<!--"), "bits: ", ".\n").split(' ').map(str::to_owned).collect();
    assert_eq!(Object::new(&image).unwrap().words, words);
    let f = Reference::new(&1_000_003_u32.into()).unwrap();
    let alu = Alu { bits: 20, limb: 17, generators: 1, reduction: Reduction::Montgomery };
    let run = simulate(&f, &image, &[f.constant(&2_u32.into())], &alu, 100).unwrap();
    assert_eq!(f.value(&run.outputs[0], 0), BigUint::from(8192_u32));
}
