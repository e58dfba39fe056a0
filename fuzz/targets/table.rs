//! Tables in every format, through every command over tables: each row gets its answer, and nothing panics.
//!
//! The first byte chooses the format and the options, its four highest bits the command.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

const TOY: &str = include_str!("../../crates/cli/tests/cli/toy.toml");

/// The commands, each with the option that names the column to group by.
const COMMANDS: [(&str, &[&str]); 16] = [
    ("pair", &["--product-by"]),
    ("search encrypt", &[]),
    ("check", &["--product-by"]),
    ("search scan", &[]),
    ("points add", &[]),
    ("points mul", &[]),
    ("points msm", &["--by"]),
    ("points hash --dst FUZZ", &[]),
    ("points decompress --compressed", &[]),
    ("points decompress --validate on-curve", &[]),
    ("gt pow", &[]),
    ("gt mul --out-gt-encoding torus2", &["--by"]),
    ("gt check --gt-encoding torus2", &[]),
    ("aggregate --variant min-pk", &["--by"]),
    ("verify --variant min-sig --scheme aug", &[]),
    ("key check --variant min-sig", &[]),
];

/// The folder of tables and keys.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("bilinear-fuzz-table-{}", process::id()));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    fs::write(folder.join("toy.toml"), TOY).unwrap_or_else(|error| panic!("{error}"));
    folder
});

/// The options of `search encrypt` and `search scan`: a public key, and a token of the same schema.
static KEYS: LazyLock<[[String; 2]; 2]> = LazyLock::new(|| {
    let [schema, public, secret, token] =
        ["schema", "public", "secret", "token"].map(|name| FOLDER.join(name).display().to_string());
    let attributes = "inner product with matrices\ncity text\nstars integer 1 5\n";
    fs::write(&schema, attributes).unwrap_or_else(|error| panic!("{error}"));
    for file in [&public, &secret, &token] {
        // a file of an earlier process with the same process number
        let _ = fs::remove_file(file);
    }
    let keygen = ["bilinear", "search", "keygen", "--curve", "d-159", "--schema", &schema, "--public", &public];
    assert_eq!(bilinear_cli::run(keygen.into_iter().chain(["--secret", &*secret])), 0);
    let token_of = ["bilinear", "search", "token", "--secret", &secret, "--out", &token, "city = 'Lyon' AND stars = 3"];
    assert_eq!(bilinear_cli::run(token_of), 0);
    [["--public".to_owned(), public], ["--token".to_owned(), token]]
});

fuzz_target!(|data: &[u8]| {
    let [choice, table @ ..] = data else { return };
    let folder = &*FOLDER;
    let [toy, input, output] = ["toy.toml", "in", "out"].map(|name| folder.join(name).display().to_string());
    fs::write(&input, table).unwrap_or_else(|error| panic!("{error}"));
    let format = ["jsonl", "parquet", "arrow"][usize::from(choice % 3)];
    let (command, groups) = COMMANDS[usize::from(choice >> 4)];
    let mut arguments = vec!["bilinear"];
    arguments.extend(command.split(' '));
    // signatures use a curve of their own, and keys of a search use theirs
    match command {
        "search encrypt" => arguments.extend(KEYS[0].iter().map(String::as_str)),
        "search scan" => arguments.extend(KEYS[1].iter().map(String::as_str)),
        command if command.contains("--variant") => {}
        _ => arguments.extend(["--params", &toy]),
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
