//! The generated package.

use std::fs;

#[test]
fn the_package_is_that_of_the_data() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/isa/isa.sv");
    let text = fs::read_to_string(file).unwrap();
    let package = bilinear_processor::package();
    assert_eq!(text, package, "{file} should be:\n{package}");
}
