//! Generates the parts of a page from records, so that they can be regenerated: tables of pairings and of operations on
//! the groups and, if pairings were measured at several sizes, the picture.
//!
//! A part stands between two comments. The first names the part's records, by their paths from the page:
//!
//! ```text
//! <!-- results of bench/record/MACHINE/DAY-COMMIT.json bench/record/MACHINE/DAY-COMMIT-fast.json -->
//! <!-- end of results -->
//! ```
//!
//! If several records have a curve, the last of them counts.

mod least;
mod page;
mod table;

pub use least::least;
pub use page::{Part, ResultsError, made_anew, made_from};

use crate::bulk::Work;
use crate::environment::Environment;
use crate::measurement::Measurement;
use crate::plot;
use crate::record::Record;
use std::io;
use std::path::Path;

/// A record and its path.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path, as the page writes it.
    pub path: String,
    /// The contents of the record.
    pub record: Record,
}

impl Source {
    /// Reads the record at `path`, which is relative to `folder`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a record.
    pub fn read(folder: &Path, path: &str) -> io::Result<Source> {
        Ok(Source { path: path.to_owned(), record: Record::read(&folder.join(path))? })
    }

    /// Returns true if the pairings are fast powers. Of records that do not note the power, those with fast powers have
    /// `-fast` in their name.
    fn is_fast(&self) -> bool {
        match &self.record.power {
            Some(power) => power == "fast",
            None => self.path.ends_with("-fast.json"),
        }
    }
}

/// Merges the results of several records. The curves keep the order in which they first occur, and the last record with
/// a curve gives its results.
pub fn merged(sources: &[Source]) -> Vec<Measurement> {
    let mut curves: Vec<(&str, &Source)> = vec![];
    for source in sources {
        for m in &source.record.measurements {
            match curves.iter_mut().find(|(curve, _)| *curve == m.curve) {
                Some((_, last)) => *last = source,
                None => curves.push((&m.curve, source)),
            }
        }
    }
    let of = |(curve, source): (&str, &Source)| -> Vec<Measurement> {
        source.record.measurements.iter().filter(|m| m.curve == curve).cloned().collect()
    };
    curves.into_iter().flat_map(of).collect()
}

/// Returns the sources that are the last to have some curve.
fn used(sources: &[Source]) -> Vec<&Source> {
    let has = |source: &Source, curve: &str| source.record.measurements.iter().any(|m| m.curve == curve);
    let is_used = |(i, source): &(usize, &Source)| {
        source.record.measurements.iter().any(|m| !sources[i + 1..].iter().any(|later| has(later, &m.curve)))
    };
    sources.iter().enumerate().filter(is_used).map(|(_, source)| source).collect()
}

/// Describes the machines, commits and days of the records, each once.
fn places(sources: &[Source]) -> String {
    let mut places: Vec<&Environment> = vec![];
    for e in used(sources).into_iter().map(|source| &source.record.environment) {
        let key = |e: &Environment| (e.cpu.clone(), e.cpu_signature.clone(), e.commit.clone(), e.day().to_owned());
        if places.iter().all(|place| key(place) != key(e)) {
            places.push(e);
        }
    }
    places.into_iter().map(Environment::brief).collect::<Vec<_>>().join("; ")
}

/// Draws the picture of these records.
pub fn picture(sources: &[Source]) -> String {
    plot::draw(&places(sources), &merged(sources))
}

/// Returns true if a line can be drawn against batch size, because pairings were measured at several sizes.
fn has_a_line(measurements: &[Measurement]) -> bool {
    let batches = |m: &&Measurement| m.peer.is_none() && [Work::Pair, Work::Prepared].iter().any(|w| w.name() == m.job);
    let ours: Vec<&Measurement> = measurements.iter().filter(batches).collect();
    let same = |a: &Measurement, b: &Measurement| (&a.curve, &a.job, a.threads) == (&b.curve, &b.job, b.threads);
    ours.iter().any(|a| ours.iter().any(|b| same(a, b) && a.batch != b.batch))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::gpu::CardRecord;
    use crate::method::Method;
    use crate::search::{self, SearchRecord};
    use std::fs;
    use std::path::PathBuf;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    /// Creates a record from lines of `curve job batch engine peer time ratio`; `-` stands for a missing entry.
    fn record(power: Option<&str>, lines: &[&str]) -> Record {
        let measurement = |line: &&str| {
            let words: Vec<&str> = line.split(' ').collect();
            let us: f64 = words[5].parse().unwrap();
            let peer = (words[4] != "-").then(|| words[4].to_owned());
            let ratio = words[6].parse().ok();
            assert_eq!(peer.is_some(), ratio.is_some());
            Measurement {
                curve: words[0].to_owned(),
                engine: words[3].to_owned(),
                job: words[1].replace('_', " "),
                batch: words[2].parse().unwrap(),
                threads: 1,
                us_per_pairing: us,
                us_min: us,
                cycles: us,
                samples: 3,
                peer,
                ratio,
            }
        };
        let environment = Environment {
            cpu: "Some CPU".to_owned(),
            cpu_signature: Some("6/207/2".to_owned()),
            clock_ghz: 2.96,
            commit: "abc".to_owned(),
            date: "2026-01-02T03:04:05Z".to_owned(),
            ..Environment::here()
        };
        let (seed, peers) = ("1".to_owned(), vec![]);
        let (method, measurements) = (Method::quick(), lines.iter().map(measurement).collect());
        Record { environment, method, power: power.map(str::to_owned), seed, peers, measurements }
    }

    #[test]
    fn a_page_is_made_from_records() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, record: &Record| {
            fs::write(folder.path().join(name), serde_json::to_string(record).unwrap()).unwrap();
        };
        let exact = [
            "a-512 pair 1 rows - 125.2 -",
            "a-512 pair 1 rows mont 250.4 2",
            "a-512 pair 1 rows pbc 600 4.8",
            "a-512 pair 1024 ifma - 39.26 -",
            "a-512 pair 1024 ifma mont 229.4 5.843",
            "a-512 pair 1024 ifma pbc 611.5 15.27",
            "a-512 inversion 1 mont - 0.1 -",
            "a-512 GT_power 1 mont - 30 -",
            "a-512 GT_power 64 ifma - 6 -",
            "a-512 GT_power 64 ifma mont 31 5.2",
            "a-512 GT_power 64 ifma pbc 60 10",
        ];
        write("a.json", &record(None, &exact));
        let fast = [
            "bls pair 8 mont - 700 -",
            "bls pair 8 mont blst 650 0.93",
            "bls product 32 mont - 9.996 -",
            "bls product 32 mont gnark 1.5 0.15",
            "bls product 64 mont - 9 -",
            "bls product 64 mont portable 18 2",
        ];
        let mut again = record(None, &fast);
        again.environment.clock_ghz = 3.1;
        write("b-fast.json", &again);
        let page = "before\n<!-- results of a.json b-fast.json -->old<!-- end of results -->\nafter\n";
        let (made, parts) = made_anew(page, folder.path()).unwrap();
        let expected = "before
<!-- results of a.json b-fast.json -->

Microseconds of each, the least of 3 to 3 samples, on one thread: Some CPU (6/207/2), 3.0 GHz, commit abc, 2026-01-02. In brackets \
the time over ours (bold), measured in turns: above 1, ours is faster. From [a](a.json), [b-fast](b-fast.json).

| curve | job | batch | `ifma` | `mont` | PBC | blst | gnark-crypto |
|---|---|---:|---:|---:|---:|---:|---:|
| `a-512` | pair | 1024 | **39.3** | 229 (5.84x) | 600 (15.3x) |  |  |
| `bls` ¹ | pair | 8 |  | **700** |  | 650 (0.93x) |  |
|  | product | 32 |  | **10.0** |  |  | 1.50 (0.15x) |

One pairing at a time:

| curve | job | batch | `rows` | `mont` | PBC |
|---|---|---:|---:|---:|---:|
| `a-512` | pair | 1 | **125** | 250 (2.00x) | 600 (4.79x) |

| curve | job | batch | `mont` | `ifma` | PBC |
|---|---|---:|---:|---:|---:|
| `a-512` | inversion in F_q | 1 | **0.100** |  |  |
|  | power in GT | 64 | 30.0 (5.00x) | **6.00** | 60.0 (10.0x) |

¹ The fast power (`--power fast`), a fixed multiple of the exact exponent, as the peers compute it.

![Time per pairing by size of the batch](a.svg)
<!-- end of results -->
after
";
        assert_eq!(made, expected);
        let (file, picture) = parts[0].picture.as_ref().unwrap();
        assert!(file == "a.svg" && picture.contains(">a-512</text>") && picture.contains(">bls</text>"));
        assert_eq!(made_anew(&made, folder.path()).unwrap().0, made, "made again it stays");
        // the second record alone has no line to draw
        let (made, part) = made_from(&made, folder.path(), &["b-fast.json"]).unwrap();
        assert!(made.contains("<!-- results of b-fast.json -->") && !made.contains("a-512") && part.picture.is_none());
    }

    #[test]
    fn the_last_record_of_a_curve_counts() {
        let source = |path: &str, power, lines: &[&str]| Source { path: path.to_owned(), record: record(power, lines) };
        let sources = [
            source("a.json", Some("fast"), &["c pair 8 mont - 1 -", "c prepared 8 mont - 2 -", "d pair 8 mont - 3 -"]),
            source("b.json", Some("exact"), &["c pair 8 mont - 4 -"]),
        ];
        let times: Vec<f64> = merged(&sources).iter().map(|m| m.us_per_pairing).collect();
        assert_eq!(times, [4.0, 3.0]);
        let text = table::text(&sources);
        assert!(text.contains("| `c` | pair") && text.contains("| `d` ¹ | pair"), "{text}");
    }

    #[test]
    fn pages_without_records_are_refused() {
        let made = |page| made_anew(page, Path::new(".")).unwrap_err().to_string();
        assert!(made("nothing").contains("no part begins"));
        assert!(made("<!-- results of a.json -->\n").contains("no end"));
        assert!(made("<!-- results of  --><!-- end of results -->").contains("no record"));
        let missing = made("<!-- results of nowhere.json --><!-- end of results -->");
        assert!(missing.starts_with("nowhere.json: "), "{missing}");
    }

    /// A table that was edited by hand, or a picture of another version, does not match its record.
    #[test]
    fn the_results_say_what_their_records_say() {
        let folder = root().join("bench");
        let page = fs::read_to_string(folder.join("results.md")).unwrap();
        let (made, parts) = made_anew(&page, &folder).unwrap();
        let made = search::made_anew(&made, &folder).unwrap();
        assert!(made == page, "make it again: make results");
        for (file, picture) in parts.into_iter().filter_map(|part| part.picture) {
            assert!(fs::read_to_string(folder.join(&file)).unwrap() == picture, "{file} is another picture");
        }
    }

    #[test]
    fn every_record_can_be_read() {
        let machines = fs::read_dir(root().join("bench/record")).unwrap().map(|entry| entry.unwrap().path());
        let files = machines.filter(|path| path.is_dir()).flat_map(|path| fs::read_dir(path).unwrap());
        let records: Vec<PathBuf> = files
            .map(|file| file.unwrap().path())
            .filter(|file| file.extension().is_some_and(|e| e == "json"))
            .collect();
        assert!(!records.is_empty());
        for file in records {
            let text = fs::read_to_string(&file).unwrap();
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let lines = if value.get("card").is_some() {
                serde_json::from_str::<CardRecord>(&text).map(|record| record.lines.len())
            } else if value.get("lines").is_some() {
                serde_json::from_str::<SearchRecord>(&text).map(|record| record.lines.len())
            } else {
                serde_json::from_str::<Record>(&text).map(|record| record.measurements.len())
            };
            assert!(lines.unwrap_or_else(|e| panic!("{}: {e}", file.display())) > 0, "{}", file.display());
        }
    }
}
