//! Runs the fuzz targets on the corpus that earlier runs of `make fuzz` have kept. So the targets keep
//! compiling, and bugs that were found once stay fixed.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The variable that is set in the process that calls the targets.
const CALLS: &str = "BILINEAR_CALLS_TARGETS";

/// Declares each target as a module, and a test that calls it with all files of its corpus.
macro_rules! targets {
    ($($name:ident $path:literal)*) => {
        $(
            #[path = $path]
            // attributes for the program of a target are unused in a module
            #[allow(unused_attributes)]
            mod $name;

            #[test]
            fn $name() {
                replay(stringify!($name), $name::target);
            }
        )*
    };
}

targets! {
    checkpoint "../../../../fuzz/targets/checkpoint.rs"
    parameters "../../../../fuzz/targets/parameters.rs"
    points "../../../../fuzz/targets/points.rs"
    predicates "../../../../fuzz/targets/predicates.rs"
    processor "../../../../fuzz/targets/processor.rs"
    program "../../../../fuzz/targets/program.rs"
    schemes "../../../../fuzz/targets/schemes.rs"
    signatures "../../../../fuzz/targets/signatures.rs"
    table "../../../../fuzz/targets/table.rs"
}

/// Replaces the macro of libfuzzer-sys, for which this program stands (`main.rs`): the target is a function of
/// the bytes.
#[macro_export]
macro_rules! fuzz_target {
    (|$data:ident: $bytes:ty| $body:block) => {
        pub(super) fn target($data: $bytes) $body
    };
}

/// Calls a target in a process of its own, whose output is shown only if the target fails.
fn replay(name: &str, target: fn(&[u8])) {
    if env::var_os(CALLS).is_some() {
        return call(name, target);
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &format!("fuzzed::{name}"), "--nocapture"]).env(CALLS, "1").env("TMPDIR", folder.path());
    let output = command.output().unwrap();
    let [told, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success() && told.contains("1 passed"), "{told}{errors}");
}

fn call(name: &str, target: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let files: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 20, "{name}: {} inputs", files.len());
    for file in files {
        let data = fs::read(&file).unwrap();
        // the last name printed is that of the input at which a target panics
        eprintln!("{}", file.display());
        target(&data);
    }
}
