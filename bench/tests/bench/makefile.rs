//! Tests of the Makefile and of the scripts that it runs.

use crate::root;
use std::fs;
use std::process::Command;

/// Returns the Makefile without its comments, one command per line.
fn makefile() -> String {
    let text = fs::read_to_string(root().join("Makefile")).unwrap().replace("\\\n", " ");
    text.lines().map(|line| line.split("# ").next().unwrap().to_owned() + "\n").collect()
}

/// On a machine without Rust, bootstrap.sh puts cargo on the PATH of its own command only.
#[test]
fn every_command_of_rust_is_run_by_bootstrap() {
    let mut commands = 0;
    for line in makefile().lines() {
        let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_start_matches('@')).collect();
        for (at, word) in words.iter().enumerate().filter(|(_, word)| ["cargo", "rustup", "rustc"].contains(word)) {
            assert!(at > 0 && words[at - 1] == "$(WITH)", "{word} without $(WITH): {line}");
            commands += 1;
        }
    }
    assert!(commands > 15, "{commands}");
}

/// A target folder is one argument, with or without spaces in its name, and absolute, as bootstrap.sh makes it.
#[test]
fn the_target_folder_is_one_argument() {
    for (given, wanted) in [("my target", root().join("my target")), ("/my target", "/my target".into())] {
        let mut make = Command::new("make");
        make.args(["--no-print-directory", "-n", "run"]).current_dir(root());
        make.env("CARGO_TARGET_DIR", given).env_remove("MAKEFLAGS");
        let commands = String::from_utf8(make.output().unwrap().stdout).unwrap();
        let wanted = wanted.display();
        let search = format!("examples/search.sh \"{wanted}/release/bilinear\" \"{wanted}/search\"");
        assert_eq!(commands.lines().last(), Some(search.as_str()));
    }
}
