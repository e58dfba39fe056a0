//! The checkpoint beside an unfinished output: it records the job and how far the output has come. It consists
//! of a line of JSON and a line with the SHA-256 of the first, so that damage is detected.

use super::tally::Tally;
use crate::error::CommandError;
use crate::hex;
use crate::output::files::fresh;
use crate::secret;
use bilinear_params::private::sync_directory;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

/// The version of the checkpoint's layout.
pub(crate) const VERSION: u32 = 6;

/// Everything that determines the bytes of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    /// The command's name.
    pub(crate) command: String,
    /// The input's name, which messages quote.
    pub(crate) input: String,
    /// The input's size in bytes.
    pub(crate) input_bytes: u64,
    /// The input's SHA-256.
    pub(crate) input_sha256: String,
    /// The curve's fingerprint, and the layout of its values' coefficients.
    pub(crate) curve: String,
    /// The options, by the names that the user knows.
    pub(crate) options: BTreeMap<String, String>,
}

impl Task {
    /// Returns a description of how this job differs from the interrupted one, or None if they agree.
    fn difference(&self, earlier: &Self) -> Option<String> {
        if self.command != earlier.command {
            return Some(format!("the command is {} and was {}", self.command, earlier.command));
        }
        if self.input != earlier.input {
            return Some(format!("the input is {} and was {}", self.input, earlier.input));
        }
        if self.input_bytes != earlier.input_bytes {
            let (now, then) = (self.input_bytes, earlier.input_bytes);
            return Some(format!("the input {} has changed: {now} bytes, {then} before", self.input));
        }
        if self.input_sha256 != earlier.input_sha256 {
            return Some(format!("the content of the input {} has changed", self.input));
        }
        if self.curve != earlier.curve {
            return Some("the curve is another one".to_owned());
        }
        let names = self.options.keys().chain(earlier.options.keys());
        names.filter(|name| self.options.get(*name) != earlier.options.get(*name)).min().map(|name| {
            let said = |options: &BTreeMap<String, String>| match options.get(name) {
                Some(value) => secret::shortened(value),
                None => "not given".to_owned(),
            };
            match (said(&self.options), said(&earlier.options)) {
                (now, then) if now == then => format!("option --{name} has changed"),
                (now, then) => format!("option --{name} has changed: {now} now, {then} before"),
            }
        })
    }
}

/// The progress of an unfinished output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    version: u32,
    /// The job that writes the output.
    pub(crate) task: Task,
    /// The length in bytes of the finished records in the part file.
    pub(crate) bytes: u64,
    /// The SHA-256 of the finished records.
    pub(crate) sha256: String,
    /// The counts of the finished records; `rows` is the input row at which to continue.
    pub(crate) tally: Tally,
}

impl Checkpoint {
    /// Creates a checkpoint of a job whose finished records have the given length in bytes and the given hash.
    pub(crate) fn new(task: Task, (bytes, hash): (u64, &Sha256), tally: Tally) -> Self {
        Self { version: VERSION, task, bytes, sha256: text(hash), tally }
    }

    /// Reads a checkpoint and checks that it belongs to `task`. Returns `None` if there is no checkpoint.
    ///
    /// # Errors
    /// Returns an error if the checkpoint is unreadable, or belongs to another job; the message states the
    /// difference.
    pub(crate) fn load(path: &Path, task: &Task) -> Result<Option<Self>, CommandError> {
        let name = path.display();
        let refuse = |reason: String| CommandError::Resume { file: path.display().to_string(), reason };
        let text = match fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            result => result.map_err(CommandError::io(name, "read"))?,
        };
        let bad = |error: serde_json::Error| refuse(format!("not a checkpoint: {error}"));
        let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
        let (line, seal) = text.split_at(end);
        if seal.is_empty() {
            // layouts before version 4 consisted of one line
            let Layout { version } = serde_json::from_slice(line).map_err(bad)?;
            if version != VERSION {
                return Err(refuse(format!("written by another version (layout {version})")));
            }
        }
        if seal != self::seal(line).as_bytes() {
            let reason = "it is not as it was written: it has changed since, or the disk has damaged it; without --resume \
                          the run starts over";
            return Err(refuse(reason.to_owned()));
        }
        let checkpoint: Self = serde_json::from_slice(line).map_err(bad)?;
        if checkpoint.version != VERSION {
            return Err(refuse(format!("written by another version (layout {})", checkpoint.version)));
        }
        match task.difference(&checkpoint.task) {
            Some(reason) => Err(refuse(reason)),
            None => Ok(Some(checkpoint)),
        }
    }

    /// Replaces the checkpoint at `path` atomically: it is written to `temporary` and renamed. Only its user can
    /// read a private one.
    ///
    /// # Errors
    /// Returns an error if the files cannot be written.
    pub(crate) fn store(&self, path: &Path, temporary: &Path, private: bool) -> std::io::Result<()> {
        let mut file = fresh(temporary, private)?;
        let mut text = serde_json::to_vec(self)?;
        let seal = seal(&text);
        text.extend_from_slice(seal.as_bytes());
        file.write_all(&text)?;
        file.sync_data()?;
        fs::rename(temporary, path)?;
        sync_directory(path)
    }
}

/// The one field that all layouts share: the version of the layout.
#[derive(Deserialize)]
struct Layout {
    version: u32,
}

/// Returns the end of a checkpoint: a newline, and a line with the SHA-256 of the first line.
fn seal(line: &[u8]) -> String {
    format!("\n{}\n", hex::encode(&Sha256::digest(line)))
}

/// Returns the hash of the bytes hashed so far, in hexadecimal.
pub(crate) fn text(hash: &Sha256) -> String {
    hex::encode(&hash.clone().finalize())
}

/// Computes the size and SHA-256 of a file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(crate) fn fingerprint(path: &Path) -> Result<(u64, String), CommandError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(CommandError::io(&name, "open"))?;
    let (size, hash) = hashed(file).map_err(CommandError::io(&name, "read"))?;
    Ok((size, text(&hash)))
}

/// Reads to the end, and returns the number of bytes and their hash.
///
/// # Errors
/// Returns an error if the reader fails.
pub(crate) fn hashed(mut reader: impl Read) -> std::io::Result<(u64, Sha256)> {
    let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 18]);
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            return Ok((size, hash));
        }
        size += count as u64;
        hash.update(&buffer[..count]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn task() -> Task {
        Task {
            command: "pair".into(),
            input: "in".into(),
            input_bytes: 3,
            input_sha256: "00".into(),
            curve: "c".into(),
            options: [("check".to_owned(), "yes".to_owned())].into(),
        }
    }

    #[test]
    fn a_stored_checkpoint_is_loaded_for_the_same_job_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.resume");
        assert_eq!(Checkpoint::load(&path, &task()).unwrap(), None);
        let stored = Checkpoint::new(task(), (17, &Sha256::new()), Tally { rows: 5, ..Tally::default() });
        stored.store(&path, &folder.path().join("tmp"), false).unwrap();
        assert_eq!(Checkpoint::load(&path, &task()).unwrap().unwrap(), stored);
        let others: [(Task, &str); 7] = [
            (Task { command: "check".into(), ..task() }, "the command is check and was pair"),
            (Task { input: "other".into(), ..task() }, "the input is other"),
            (Task { input_bytes: 4, ..task() }, "4 bytes, 3 before"),
            (Task { input_sha256: "01".into(), ..task() }, "content of the input"),
            (Task { curve: "d".into(), ..task() }, "curve"),
            (Task { options: BTreeMap::new(), ..task() }, "--check has changed: not given now, yes before"),
            (
                Task {
                    options: [("check", "yes"), ("trusted", "yes")].map(|(k, v)| (k.into(), v.into())).into(),
                    ..task()
                },
                "--trusted has changed: yes now, not given before",
            ),
        ];
        for (other, words) in others {
            let message = Checkpoint::load(&path, &other).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn long_integers_that_differ_late_are_not_told_as_equal() {
        let of = |k: String| Task { options: [("k".to_owned(), k)].into(), ..task() };
        let (now, then) = ("f".repeat(40), "f".repeat(39));
        assert_eq!(of(now.clone()).difference(&of(then)).unwrap(), "option --k has changed");
        let told = format!("option --k has changed: {}… now, 7 before", &now[..16]);
        assert_eq!(of(now).difference(&of("7".to_owned())).unwrap(), told);
    }

    #[test]
    fn a_checkpoint_in_which_a_bit_has_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.resume");
        let load = |text: &[u8]| {
            fs::write(&path, text).unwrap();
            Checkpoint::load(&path, &task()).map(|found| found.map(|checkpoint| checkpoint.tally.rows))
        };
        let stored = Checkpoint::new(task(), (17, &Sha256::new()), Tally { rows: 5, ..Tally::default() });
        stored.store(&path, &folder.path().join("tmp"), false).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(load(&whole).unwrap(), Some(5));
        for bit in (0..8 * whole.len()).step_by(5) {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let message = load(&changed).unwrap_err().to_string();
            assert!(message.contains("cannot resume: it is not as it was written"), "bit {bit}: {message}");
        }
        for length in 0..whole.len() {
            assert!(load(&whole[..length]).is_err(), "cut at {length}");
        }
        let earlier = load(b"{\"version\":3}").unwrap_err().to_string();
        assert!(earlier.ends_with("written by another version (layout 3)"), "{earlier}");
    }
}
