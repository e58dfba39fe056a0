//! The C library, installed as a user installs it, and the compiler of this machine.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The folder of the crate.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The path of a file of known answers.
pub(crate) fn vectors(path: &str) -> PathBuf {
    root().join("../../vectors").join(path)
}

/// The folder where the library is installed, by the script that installs it.
pub(crate) fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let built = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed");
        let mut install = Command::new(root().join("install.sh"));
        // with a DESTDIR, so that ldconfig is not run
        let output = install.arg(built).env("PREFIX", &prefix).env("DESTDIR", "/").output().unwrap();
        assert!(output.status.success(), "install.sh: {}", String::from_utf8_lossy(&output.stderr));
        prefix
    })
}

/// Returns the words behind a name in what pkg-config reads.
pub(crate) fn packaged(field: &str) -> Vec<String> {
    let text = std::fs::read_to_string(prefix().join("lib/pkgconfig/bilinear.pc")).unwrap();
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim();
    let (libdir, includedir) = (value("libdir="), value("includedir="));
    let words = value(&format!("{field}:")).replace("${libdir}", libdir).replace("${includedir}", includedir);
    words.replace("${prefix}", value("prefix=")).split_whitespace().map(str::to_owned).collect()
}

/// Compiles a program with the compiler that `CC` names, else `cc`, under AddressSanitizer and with every warning an error.
pub(crate) fn compiled(source: &str, links: &[String]) -> PathBuf {
    compiled_with("-fsanitize=address", source, links)
}

/// Compiles a program that is linked statically in full; `None` where the C library has no static version.
pub(crate) fn compiled_statically(source: &str, links: &[String]) -> Option<PathBuf> {
    let empty = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty.c");
    std::fs::write(&empty, "int main(void) { return 0; }\n").unwrap();
    let mut command = Command::new(compiler());
    command.arg("-static").arg("-o").arg(empty.with_extension("static")).arg(&empty);
    command.output().unwrap().status.success().then(|| compiled_with("-static", source, links))
}

fn compiler() -> String {
    std::env::var("CC").unwrap_or_else(|_| "cc".to_owned())
}

fn compiled_with(kind: &str, source: &str, links: &[String]) -> PathBuf {
    let compiler = compiler();
    let name = Path::new(source).file_stem().unwrap().to_str().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}{kind}-{}", links.len()));
    let mut command = Command::new(&compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", kind]);
    command.arg(root().join(source)).arg("-I").arg(root().join("examples")).args(packaged("Cflags"));
    command.arg("-o").arg(&program).args(links);
    let output = command.output().unwrap_or_else(|error| panic!("the C compiler {compiler} cannot be run: {error}"));
    assert!(output.status.success(), "{compiler} {source}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Returns the flags that link a program with the shared library, found where it is installed.
pub(crate) fn shared() -> Vec<String> {
    let search = format!("-Wl,-rpath,{}", prefix().join("lib").display());
    [packaged("Libs"), vec![search, "-lpthread".to_owned()]].concat()
}

/// Runs a program on an input.
pub(crate) fn run(program: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // a program that ends early closes its input
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Returns the lines that a program wrote. Checks that AddressSanitizer found no fault and that the program ended
/// with this status.
pub(crate) fn lines(program: &Path, arguments: &[&str], input: &str, status: i32) -> Vec<String> {
    let output = run(program, arguments, input);
    let (said, wrote) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.code(), Some(status), "{}: {said}{wrote}", program.display());
    wrote.lines().map(str::to_owned).collect()
}
