//! Stored results: one file per run, with everything that is needed to read it later.

use crate::environment::Environment;
use crate::ladder::Plan;
use crate::measurement::Measurement;
use crate::method::Method;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The record of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The machine, the code and the date.
    pub environment: Environment,
    /// The durations of the measurements.
    pub method: Method,
    /// The power of the pairing, `exact` or `fast`; `None` in records made before it was noted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub power: Option<String>,
    /// The seed of the random inputs in hexadecimal, which `--seed` accepts.
    pub seed: String,
    /// The peers that took part.
    pub peers: Vec<String>,
    /// The results.
    pub measurements: Vec<Measurement>,
}

impl Record {
    /// Creates the record of a run.
    pub fn new(environment: Environment, plan: &Plan, peers: &[&str], measurements: Vec<Measurement>) -> Record {
        Record {
            environment,
            method: plan.method,
            power: Some(plan.options.power.to_string()),
            seed: format!("{:016x}", plan.seed),
            peers: peers.iter().map(|peer| (*peer).to_owned()).collect(),
            measurements,
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a record.
    pub fn read(path: &Path) -> io::Result<Record> {
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }

    /// Writes `<folder>/<machine>/<day>-<commit>.json`, and adds `-2`, `-3`, … before the dot if that file exists.
    /// Returns the path.
    ///
    /// # Errors
    /// Returns an error if a folder or the file cannot be created.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let folder = folder.join(self.environment.machine());
        fs::create_dir_all(&folder)?;
        let name = format!("{}-{}", self.environment.day(), self.environment.commit);
        let text = serde_json::to_string_pretty(self)? + "\n";
        for copy in 1.. {
            let suffix = if copy == 1 { String::new() } else { format!("-{copy}") };
            let path = folder.join(format!("{name}{suffix}.json"));
            match fs::File::create_new(&path) {
                Ok(mut file) => return io::Write::write_all(&mut file, text.as_bytes()).map(|()| path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("one of the names is free")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_engine::Options;

    #[test]
    fn records_do_not_overwrite_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut environment = Environment::here();
        environment.cpu = "Some CPU (R)".to_owned();
        environment.date = "2026-01-02T03:04:05Z".to_owned();
        environment.commit = "abc".to_owned();
        environment.clock_ghz = 3.8222325906917063; // a fast but inexact parser loses the last digit of this number
        let plan = Plan {
            options: Options::default(),
            rungs: vec![],
            jobs: vec![],
            batches: vec![],
            products: vec![],
            threads: vec![],
            method: Method::quick(),
            seed: 0xfeed,
            peer_pairs: 8,
        };
        let record = Record::new(environment, &plan, &["pbc"], vec![]);
        let paths = [(); 3].map(|()| record.write(folder.path()).unwrap());
        let names = paths.clone().map(|p| p.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned());
        let expected = ["2026-01-02-abc.json", "2026-01-02-abc-2.json", "2026-01-02-abc-3.json"];
        assert_eq!(names, expected.map(|name| format!("some-cpu-r/{name}")));
        let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&paths[2]).unwrap()).unwrap();
        assert_eq!(json["environment"]["commit"], "abc");
        assert_eq!(json["seed"], "000000000000feed");
        assert_eq!(json["peers"][0], "pbc");
        assert!(json["measurements"].is_array() && json["method"]["rounds"] == 3 && json["power"] == "exact");
        assert_eq!(Record::read(&paths[0]).unwrap(), record);
    }
}
