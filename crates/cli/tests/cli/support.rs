//! Runs the built command in a temporary folder.

use bilinear_engine::{Group, Point, PointRef, System, Validate};
use bilinear_params::Curve;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The test curve.
pub(crate) const TOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/toy.toml");

/// The test curve, ready to compute.
pub(crate) static SYSTEM: LazyLock<System> = LazyLock::new(|| System::new(&Curve::load(TOY).unwrap()).unwrap());

/// Returns a point of the test curve, which is the same in every run.
pub(crate) fn point(index: usize) -> Point {
    SYSTEM.hash_to_curve(Group::G1, format!("point {index}").as_bytes(), b"BILINEAR-CLI-TEST").unwrap()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a point of the curve outside all subgroups of odd order: the first one plus (0, 0), which has order
/// two.
pub(crate) fn outside() -> Point {
    let zeros = vec![0; SYSTEM.point_len(Group::G1)];
    SYSTEM.add(&point(1), &SYSTEM.decode(Group::G1, PointRef::Bytes(&zeros), Validate::OnCurve).unwrap())
}

/// Returns the text of a point.
pub(crate) fn text(point: &Point) -> String {
    point.bytes().map_or("inf".to_owned(), hex)
}

/// Returns `count` rows with points p and q from a small stock.
pub(crate) fn rows(count: usize) -> String {
    let stock: Vec<String> = (0..20).map(|i| text(&point(i))).collect();
    let line = |i: usize| format!("{{\"p\":\"{}\",\"q\":\"{}\"}}\n", stock[i % 20], stock[i / 20 % 20]);
    (0..count).map(line).collect()
}

/// A temporary folder in which the command runs.
pub(crate) struct Folder(TempDir);

/// The result of a run.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Waits until a job has created this file and is at work.
    pub(crate) fn wait_for(&self, name: &str) {
        let started = Instant::now();
        while !self.exists(name) {
            assert!(started.elapsed() < Duration::from_secs(120), "nothing was begun");
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(50));
    }

    /// Returns the names of the files in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bilinear"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Runs `bilinear` with arguments separated by spaces.
    pub(crate) fn run(&self, arguments: &str) -> Run {
        Run::of(&self.command(arguments).output().unwrap())
    }

    /// Runs `bilinear pair` on the test curve.
    pub(crate) fn pair(&self, arguments: &str) -> Run {
        self.run(&format!("pair --params {TOY} {arguments}"))
    }

    /// Runs `bilinear check` on the test curve.
    pub(crate) fn check(&self, arguments: &str) -> Run {
        self.run(&format!("check --params {TOY} {arguments}"))
    }

    /// Runs `bilinear pair` on the test curve with a text on standard input.
    pub(crate) fn pair_prepared(&self, input: &str, arguments: &str) -> Run {
        let mut command = self.command(&format!("pair --params {TOY} {arguments}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // the command may stop reading early
        let feeder = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Run::of(&output)
    }

    pub(crate) fn spawn(&self, arguments: &str) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// Asks a command to terminate.
pub(crate) fn terminate(child: &Child) {
    let kill = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// Checks the exit status.
    #[track_caller]
    pub(crate) fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "stdout: {:.2000}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Checks that standard error contains these words.
    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.stderr.contains(words), "no {words:?} in: {}", self.stderr);
        self
    }

    /// Parses the lines of standard output.
    pub(crate) fn records(&self) -> Vec<Value> {
        parse(&self.stdout)
    }
}

/// Parses JSON Lines.
pub(crate) fn parse(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Formats rows as JSON Lines.
pub(crate) fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Returns the value of a record.
#[track_caller]
pub(crate) fn gt(record: &Value) -> &str {
    record["gt"].as_str().unwrap_or_else(|| panic!("no value in {record}"))
}

/// Returns the error code of a record, or an empty text for a value.
pub(crate) fn code(record: &Value) -> &str {
    record["error"].as_str().unwrap_or("")
}

/// Returns the folder of the repository's vectors.
pub(crate) fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}
