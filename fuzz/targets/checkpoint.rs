//! Damaged checkpoints and outputs: a job that resumes from them either produces the bytes of an uninterrupted job or
//! refuses to run.
//!
//! Four bytes describe one damage: the file, the offset, and the new byte. From offset 0xfff0 on, the file is truncated
//! instead. The second bit of the first byte seals the checkpoint anew, so that the code behind its hash is reached as
//! well. Such a checkpoint is a forgery: its job may answer anything, but must end with one of its statuses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const TOY: &str = include_str!("../../crates/cli/tests/cli/toy.toml");

/// The files of an interrupted job.
struct Interrupted {
    folder: PathBuf,
    part: Vec<u8>,
    checkpoint: Vec<u8>,
    /// The output of the uninterrupted job.
    whole: Vec<u8>,
}

static JOB: LazyLock<Interrupted> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("bilinear-fuzz-checkpoint-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    let [toy, table] = ["toy.toml", "in.jsonl"].map(|name| folder.join(name).display().to_string());
    fs::write(&toy, TOY).unwrap_or_else(|error| panic!("{error}"));
    let random = ["bilinear", "points", "random", "--params", &toy, "--pairs", "--n", "12", "--out", &table];
    assert_eq!(bilinear_cli::run(random), 0);
    // a strict job stops at the invalid row
    let rows = read(&folder, "in.jsonl").split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    fs::write(&table, [&rows[..7], &[b"nonsense\n".to_vec()], &rows[7..]].concat().concat())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(pair(&folder, "whole.jsonl", None), 1);
    assert_eq!(pair(&folder, "out.jsonl", Some("--strict")), 1);
    let [whole, part, checkpoint] = ["whole.jsonl", "out.jsonl.part", "out.jsonl.resume"].map(|f| read(&folder, f));
    Interrupted { folder, part, checkpoint, whole }
});

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn pair(folder: &Path, out: &str, option: Option<&str>) -> u8 {
    let [toy, table, out] = ["toy.toml", "in.jsonl", out].map(|name| folder.join(name).display().to_string());
    let mut arguments = vec!["bilinear", "pair", "--params", &toy, "--threads", "1", "--quiet", "--in", &table];
    arguments.extend(["--out", &out, "--chunk", "3"]);
    arguments.extend(option);
    bilinear_cli::run(arguments)
}

/// Writes the SHA-256 of the first line into the second.
fn seal(checkpoint: &mut Vec<u8>) {
    let end = checkpoint.iter().position(|byte| *byte == b'\n').unwrap_or(checkpoint.len());
    checkpoint.truncate(end);
    let mut seal = String::from("\n");
    for byte in Sha256::digest(&*checkpoint) {
        write!(seal, "{byte:02x}").unwrap_or_else(|error| panic!("{error}"));
    }
    seal.push('\n');
    checkpoint.extend_from_slice(seal.as_bytes());
}

fuzz_target!(|data: &[u8]| {
    let job = &*JOB;
    let (mut part, mut checkpoint) = (job.part.clone(), job.checkpoint.clone());
    for damage in data.chunks_exact(4) {
        let file = if damage[0] & 1 == 0 { &mut part } else { &mut checkpoint };
        let at = usize::from(damage[1]) << 8 | usize::from(damage[2]);
        match file.get_mut(at) {
            Some(byte) => *byte = damage[3],
            None if at >= 0xfff0 => file.truncate(usize::from(damage[3])),
            None => {}
        }
    }
    let forged = data.chunks_exact(4).any(|damage| damage[0] & 2 != 0);
    if forged {
        seal(&mut checkpoint);
    }
    let _ = fs::remove_file(job.folder.join("out.jsonl"));
    for (name, bytes) in [("out.jsonl.part", part), ("out.jsonl.resume", checkpoint)] {
        fs::write(job.folder.join(name), bytes).unwrap_or_else(|error| panic!("{error}"));
    }
    let status = pair(&job.folder, "out.jsonl", Some("--resume"));
    assert!(status <= 2, "status {status}");
    if status <= 1 && !forged {
        assert!(read(&job.folder, "out.jsonl") == job.whole, "the answers differ");
    }
});
