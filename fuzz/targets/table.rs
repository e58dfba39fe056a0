//! Tables in every format, through the command: each row has its answer, and nothing panics.
//!
//! The first byte chooses the format and the options.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;

const TOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/cli/tests/cli/toy.toml");

fuzz_target!(|data: &[u8]| {
    let [choice, table @ ..] = data else { return };
    let folder = std::env::temp_dir().join(format!("bilinear-fuzz-table-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    let (input, output) = (folder.join("in"), folder.join("out"));
    fs::write(&input, table).unwrap_or_else(|error| panic!("{error}"));
    let (input, output) = (input.display().to_string(), output.display().to_string());
    let format = ["jsonl", "parquet", "arrow"][usize::from(choice % 3)];
    let mut arguments = vec!["bilinear", "pair", "--params", TOY, "--threads", "1", "--quiet"];
    arguments.extend(["--in", &input, "--out", &output, "--in-format", format, "--out-format", "jsonl"]);
    if choice & 4 != 0 {
        arguments.extend(["--product-by", "group"]);
    }
    if choice & 8 != 0 {
        arguments.push("--strict");
    }
    assert!(bilinear_cli::run(arguments) <= 2);
});
