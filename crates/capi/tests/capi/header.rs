//! The header in the tree is what cbindgen makes from the functions.

use bilinear::code::Code;
use std::fs;
use std::path::Path;

/// The files with the declarations of the header, in its order.
const SOURCES: [&str; 13] = [
    "code.rs",
    "context.rs",
    "element.rs",
    "fault.rs",
    "pairings.rs",
    "multiples.rs",
    "abi/error.rs",
    "abi/context.rs",
    "abi/pairings.rs",
    "abi/points.rs",
    "abi/multiples.rs",
    "abi/target.rs",
    "abi/elements.rs",
];

/// To update the header after a change: `BILINEAR_WRITE_HEADER=1 cargo test -p bilinear-capi header`.
#[test]
fn header_matches_the_functions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = SOURCES.iter().fold(builder, |builder, file| builder.with_src(root.join("src").join(file)));
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let (made, file) = (String::from_utf8(made).unwrap(), root.join("include/bilinear.h"));
    if std::env::var_os("BILINEAR_WRITE_HEADER").is_some() {
        fs::write(&file, &made).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap();
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    assert!(kept == made, "include/bilinear.h is not what cbindgen makes; the first line that differs: {differs:?}");
    // everything that is exported is declared: the functions of a file missing from the list above would not be
    let declared = |name: &str| made.contains(&format!("{name}("));
    let exported: Vec<String> = fs::read_dir(root.join("src/abi"))
        .unwrap()
        .flat_map(|file| {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            let after = |part: &str| part.split('(').next().unwrap().to_owned();
            text.split("extern \"C\" fn ").skip(1).map(after).collect::<Vec<_>>()
        })
        .collect();
    assert!(exported.len() > 20 && exported.iter().all(|name| declared(name)), "{exported:?}");
}

/// A code without a name would pass as a fault of the library.
#[test]
fn every_code_has_its_name() {
    let header = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("include/bilinear.h")).unwrap();
    let constants = header.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "));
    let codes = constants.filter_map(|(constant, number)| {
        let name = if constant == "BILINEAR_OK" { "OK" } else { constant.strip_prefix("BILINEAR_ERROR_")? };
        Some((name.to_lowercase(), number.parse().unwrap()))
    });
    let codes: Vec<(String, i32)> = codes.collect();
    assert_eq!(codes.len(), 26);
    for (name, number) in codes {
        assert_eq!(Code::of_number(number).name().to_str(), Ok(&*name), "{number}");
    }
}
