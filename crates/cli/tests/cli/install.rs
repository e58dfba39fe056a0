//! The completions and manual pages that are generated from the description of the command line.

use crate::support::*;
use std::process::Command;

/// Finds every command by asking the help of each command for its subcommands.
fn commands(folder: &Folder, above: &str) -> Vec<String> {
    let help = folder.run(&format!("{above} --help")).ends(0).stdout;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = list
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    let below = |name: &&str| {
        let name = format!("{above} {name}").trim().to_owned();
        [vec![name.clone()], commands(folder, &name)].concat()
    };
    names.iter().flat_map(below).collect()
}

#[test]
fn bash_takes_its_completions_and_completes() {
    let folder = Folder::new();
    let script = folder.run("completions bash").ends(0).stdout;
    folder.write("bilinear.bash", &script);
    let bash = |arguments: &[&str]| {
        let output = Command::new("bash").current_dir(folder.path("")).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    bash(&["-n", "bilinear.bash"]);
    let complete = |words: &str, last: usize| {
        let ask = format!(
            "source bilinear.bash; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _bilinear bilinear \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        bash(&["-c", &ask]).lines().map(|word| word.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(complete("bilinear pa", 1), ["params", "pair"]);
    assert_eq!(complete("bilinear points h", 2), ["hash", "hash-lines", "help"]);
    assert_eq!(complete("bilinear pair --prod", 2), ["--product-by"]);
    assert_eq!(complete("bilinear key public --variant min", 4), ["min-pk", "min-sig"]);
}

#[test]
fn every_shell_gets_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "PowerShell"] {
        let script = folder.run(&format!("completions {shell}")).ends(0).stdout;
        assert!(script.contains("product-by") && script.contains("curves"), "{shell}");
    }
    folder.run("completions csh").ends(2).says("possible values: bash");
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let folder = Folder::new();
    let all = commands(&folder, "");
    for name in ["pair", "points hash-lines", "params new seed", "key generate", "man"] {
        assert!(all.iter().any(|known| known == name), "{name} is not in {all:?}");
    }
    let page = folder.run("man").ends(0).stdout;
    assert!(page.contains(".TH bilinear 1"), "{page}");
    for name in all.iter().filter(|name| !name.contains(' ')) {
        assert!(page.contains(&format!("bilinear\\-{name}(1)")), "{name} is not in the page");
    }
    assert_eq!(folder.run("man --out-dir pages/man1").ends(0).stdout, "");
    let title = |name: &String| format!("bilinear-{}", name.replace(' ', "-"));
    let mut wanted: Vec<String> = all.iter().map(|name| title(name) + ".1").collect();
    wanted.push("bilinear.1".to_owned());
    wanted.sort();
    let pages = std::fs::read_dir(folder.path("pages/man1")).unwrap();
    let mut pages: Vec<String> = pages.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    assert_eq!(pages, wanted);
    assert_eq!(folder.text("pages/man1/bilinear.1"), page);
    for name in &all {
        let text = folder.text(&format!("pages/man1/{}.1", title(name)));
        assert!(text.contains(&format!(".TH {} 1", title(name))), "{name}");
    }
    let text = folder.text("pages/man1/bilinear-pair.1");
    assert!(text.contains("product\\-by") && text.contains("Multiply the pairings"), "{text}");
    folder.write("file", "");
    folder.run("man --out-dir file").ends(2).says("file: cannot create");
}

/// The linker options in `.cargo/config.toml`: addresses of functions are resolved before the program begins, and are read-only
/// after that.
#[cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]
#[test]
fn relocations_are_read_only() {
    const RELRO: u64 = 0x6474_e552;
    const DYNAMIC: u64 = 2;
    const PLTGOT: u64 = 3;
    const FLAGS: u64 = 30;
    const BIND_NOW: u64 = 8;
    let program = std::fs::read(env!("CARGO_BIN_EXE_bilinear")).unwrap();
    let number = |at: u64, bytes: u64| {
        let bytes = &program[at as usize..][..bytes as usize];
        bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte))
    };
    // a program header: type, offset in the file, address, size
    let header = |i| number(32, 8) + i * number(54, 2);
    let segment = |kind| {
        let at = (0..number(56, 2)).map(header).find(|at| number(*at, 4) == kind).unwrap();
        (number(at + 8, 8), number(at + 16, 8), number(at + 32, 8))
    };
    let (at, _, size) = segment(DYNAMIC);
    let entry = |tag| (at..at + size).step_by(16).find(|at| number(*at, 8) == tag).map(|at| number(at + 8, 8));
    assert_eq!(entry(FLAGS).unwrap_or(0) & BIND_NOW, BIND_NOW);
    let (_, begin, size) = segment(RELRO);
    // the table of functions of other libraries, if there is one, is in the read-only segment
    assert!(entry(PLTGOT).is_none_or(|table| (begin..begin + size).contains(&table)));
}
