//! Tables in every format, through every command over tables: each row has its answer, and nothing panics.
//!
//! The first byte chooses the format and the options, its four highest bits the command.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;

const TOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/cli/tests/cli/toy.toml");

/// The commands, those on pairs twice as often, with the column that they group by.
const COMMANDS: [(&str, &[&str]); 16] = [
    ("pair", &["--product-by"]),
    ("pair", &["--product-by"]),
    ("check", &["--product-by"]),
    ("check", &["--product-by"]),
    ("points add", &[]),
    ("points mul", &[]),
    ("points msm", &["--by"]),
    ("points map --dst FUZZ", &[]),
    ("points decompress --compressed", &[]),
    ("points decompress --validate on-curve", &[]),
    ("gt pow", &[]),
    ("gt mul --out-gt-encoding torus2", &["--by"]),
    ("gt check --gt-encoding torus2", &[]),
    ("aggregate --variant min-pk", &["--by"]),
    ("verify --variant min-sig --scheme aug", &[]),
    ("key check --variant min-sig", &[]),
];

fuzz_target!(|data: &[u8]| {
    let [choice, table @ ..] = data else { return };
    let folder = std::env::temp_dir().join(format!("bilinear-fuzz-table-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    let (input, output) = (folder.join("in"), folder.join("out"));
    fs::write(&input, table).unwrap_or_else(|error| panic!("{error}"));
    let (input, output) = (input.display().to_string(), output.display().to_string());
    let format = ["jsonl", "parquet", "arrow"][usize::from(choice % 3)];
    let (command, groups) = COMMANDS[usize::from(choice >> 4)];
    let mut arguments = vec!["bilinear"];
    arguments.extend(command.split(' '));
    // signatures are on a curve of their own
    if !command.contains("--variant") {
        arguments.extend(["--params", TOY]);
    }
    arguments.extend(["--threads", "1", "--quiet"]);
    arguments.extend(["--in", &input, "--out", &output, "--in-format", format, "--out-format", "jsonl"]);
    if choice & 4 != 0 {
        arguments.extend(groups.iter().flat_map(|option| [*option, "group"]));
    }
    if choice & 8 != 0 {
        arguments.push("--strict");
    }
    assert!(bilinear_cli::run(arguments) <= 2);
});
