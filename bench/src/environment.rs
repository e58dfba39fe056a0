//! The environment of a measurement: the machine, the code and the date.

use crate::clock;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The instruction sets that matter to engines and peers, under Linux's names.
const FLAGS: [&str; 6] = ["bmi2", "adx", "avx2", "avx512f", "avx512ifma", "vaes"];

/// The machine, the code and the date of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// The processor's model name.
    pub cpu: String,
    /// Family, model and stepping, if the system reports them: the model names of virtual machines say little.
    pub cpu_signature: Option<String>,
    /// The instruction sets of `FLAGS` that the processor has.
    pub cpu_flags: Vec<String>,
    /// The number of processors that this process may use.
    pub cores: usize,
    /// The frequency governor of the first processor, if the system reports it.
    pub governor: Option<String>,
    /// The clock of the core at the start, in GHz.
    pub clock_ghz: f64,
    /// The operating system and the architecture.
    pub system: String,
    /// The commit that this program was built from, with `-dirty` if files differ from it; `unknown` outside the
    /// repository.
    pub commit: String,
    /// The date and time in UTC, to the second.
    pub date: String,
    /// The version of the compiler.
    pub rustc: String,
    /// Whether the compiler optimised: times of debug builds are not valid measurements.
    pub optimised: bool,
}

impl Environment {
    /// Returns the environment of this process, now.
    pub fn here() -> Environment {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = entry(&cpuinfo, "flags").unwrap_or_default();
        let signature = ["cpu family", "model", "stepping"].map(|key| entry(&cpuinfo, key));
        let governor = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok();
        Environment {
            cpu: entry(&cpuinfo, "model name").unwrap_or(std::env::consts::ARCH).to_owned(),
            cpu_signature: signature.into_iter().collect::<Option<Vec<_>>>().map(|parts| parts.join("/")),
            cpu_flags: FLAGS.iter().filter(|f| flags.split(' ').any(|x| x == **f)).map(|f| (*f).to_owned()).collect(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            governor: governor.map(|text| text.trim().to_owned()),
            clock_ghz: clock::gigahertz(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            commit: commit(),
            date: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or_else(|_| "unknown".to_owned(), |t| utc(t.as_secs())),
            rustc: env!("BENCH_RUSTC").to_owned(),
            optimised: !cfg!(debug_assertions),
        }
    }

    /// The machine's name among the records: its model in lower case, with words joined by `-`.
    pub fn machine(&self) -> String {
        slug(&self.cpu)
    }

    /// Returns the machine, the commit and the day in one line.
    pub fn brief(&self) -> String {
        let signature = self.cpu_signature.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
        format!("{}{signature}, {:.1} GHz, commit {}, {}", self.cpu, self.clock_ghz, self.commit, self.day())
    }

    /// The day, without the time.
    pub fn day(&self) -> &str {
        self.date.split('T').next().unwrap_or_default()
    }

    /// Returns a few lines for the head of a table.
    pub fn text(&self) -> String {
        let Environment { cpu, cores, clock_ghz, system, commit, date, rustc, .. } = self;
        let signature = self.cpu_signature.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
        let governor = self.governor.as_deref().unwrap_or("unknown");
        let warning = if self.optimised { "" } else { "\nNOT OPTIMISED: times of a debug build mean nothing" };
        format!(
            "{cpu}{signature}, {cores} cores, {clock_ghz:.2} GHz, governor {governor}, {}\n\
             {system}, {rustc}, commit {commit}, {date}{warning}",
            self.cpu_flags.join(" ")
        )
    }
}

/// Returns the value of the first `key : value` line with this key.
fn entry<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.map(|(k, v)| (k.trim(), v.trim())).find(|(k, _)| *k == key).map(|(_, v)| v)
}

/// Returns the commit that this program was built from. If it is still checked out, git is asked now whether files
/// differ.
fn commit() -> String {
    let built = env!("BENCH_COMMIT");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let describe = ["--no-optional-locks", "describe", "--always", "--tags", "--dirty"];
    let output = Command::new("git").args(describe).current_dir(source).output().ok();
    let now = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    of_build(built, now.trim()).to_owned()
}

/// Returns git's answer if it is about the commit of the build, and otherwise the commit of the build.
fn of_build<'a>(built: &'a str, now: &'a str) -> &'a str {
    if now.strip_suffix("-dirty").unwrap_or(now) == built { now } else { built }
}

/// Converts letters and digits to lower case, and every run of other characters to one `-`.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// Formats seconds since 1970 as YYYY-MM-DDThh:mm:ssZ.
///
/// Years start in March, so that the leap day is the last day of a year. An era is 400 years, or 146097 days, and the
/// first begins on 0000-03-01 (Richards, "Calendars", in: Explanatory Supplement to the Astronomical Almanac, 2013).
fn utc(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // 719468 days lie between 0000-03-01 and 1970-01-01
    let (era, day) = ((days + 719_468) / 146_097, (days + 719_468) % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (month, day, carry) = ((month + 2) % 12 + 1, day - (153 * month + 2) / 5 + 1, u64::from(month >= 10));
    let year = 400 * era + year + carry;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // `date -u -d @SECONDS +%FT%TZ`
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn a_program_names_the_commit_that_it_was_built_from() {
        assert_eq!(of_build("abc", "abc"), "abc");
        assert_eq!(of_build("abc", "abc-dirty"), "abc-dirty");
        assert_eq!(of_build("abc", "def"), "abc");
        assert_eq!(of_build("abc", ""), "abc");
    }

    #[test]
    fn slugs() {
        assert_eq!(slug("AMD EPYC"), "amd-epyc");
        assert_eq!(slug("Intel(R) Xeon(R) CPU @ 2.20GHz"), "intel-r-xeon-r-cpu-2-20ghz");
    }

    #[test]
    fn entries_of_cpuinfo() {
        let text = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(entry(text, "model name"), Some("AMD EPYC"));
        assert_eq!(entry(text, "model"), Some("2"));
        assert_eq!(entry(text, "stepping"), None);
    }

    #[test]
    fn the_environment_is_complete() {
        let here = Environment::here();
        assert!(!here.machine().is_empty() && here.cores > 0 && here.clock_ghz > 0.0);
        assert!(here.rustc.starts_with("rustc "));
        assert!(here.text().contains(&here.commit));
    }
}
