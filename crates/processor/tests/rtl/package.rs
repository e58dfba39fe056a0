//! Tests of the generated package.

use std::fs;

#[test]
fn the_package_is_that_of_the_data() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/isa/isa.sv");
    let text = fs::read_to_string(file).unwrap();
    let package = bilinear_processor::package();
    assert_eq!(text, package, "{file} should be:\n{package}");
}

/// A variable that an `always_ff` process writes must not be written by any other process (IEEE 1800, 9.2.2.4), not
/// even by an `initial` block.
#[test]
fn what_is_initialised_is_not_written_by_always_ff() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/src");
    let mut initialised = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if text.lines().any(|line| line.trim_start().starts_with("initial ")) {
            initialised += 1;
            assert!(!text.contains("always_ff @"), "{}", path.display());
        }
    }
    assert_eq!(initialised, 3);
}
