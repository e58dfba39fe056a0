//! The Makefile, and the scripts that it runs.

use crate::root;
use std::fs;

/// The Makefile without its comments, a command a line.
fn makefile() -> String {
    let text = fs::read_to_string(root().join("Makefile")).unwrap().replace("\\\n", " ");
    text.lines().map(|line| line.split("# ").next().unwrap().to_owned() + "\n").collect()
}

/// On a machine without Rust, bootstrap.sh puts cargo on the PATH of its own command alone.
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
