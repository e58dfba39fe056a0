//! Results that are kept: one file a run, with everything that is needed to read them later.

use crate::environment::Environment;
use crate::ladder::Plan;
use crate::measurement::Measurement;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct Record<'a> {
    /// Where and when.
    pub environment: &'a Environment,
    /// How long each measurement was.
    pub method: crate::method::Method,
    /// Where the random inputs started, in hexadecimal: `--seed` takes it.
    pub seed: String,
    /// The peers that took part.
    pub peers: Vec<String>,
    /// The results.
    pub measurements: &'a [Measurement],
}

impl<'a> Record<'a> {
    /// Of a run.
    pub fn new(
        environment: &'a Environment,
        plan: &Plan,
        peers: &[&str],
        measurements: &'a [Measurement],
    ) -> Record<'a> {
        Record {
            environment,
            method: plan.method,
            seed: format!("{:016x}", plan.seed),
            peers: peers.iter().map(|peer| (*peer).to_owned()).collect(),
            measurements,
        }
    }

    /// Writes `<folder>/<machine>/<day>-<commit>.json`, with `-2`, `-3`, … before the dot where there is one already; gives
    /// the path.
    ///
    /// # Errors
    /// If a folder or the file cannot be made.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let folder = folder.join(self.environment.machine());
        fs::create_dir_all(&folder)?;
        let day = self.environment.date.split('T').next().unwrap_or_default();
        let name = format!("{day}-{}", self.environment.commit);
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
    use crate::method::Method;
    use bilinear_engine::Options;

    #[test]
    fn records_do_not_overwrite_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut environment = Environment::here();
        environment.cpu = "Some CPU (R)".to_owned();
        environment.date = "2026-01-02T03:04:05Z".to_owned();
        environment.commit = "abc".to_owned();
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
        let record = Record::new(&environment, &plan, &["pbc"], &[]);
        let paths = [(); 3].map(|()| record.write(folder.path()).unwrap());
        let names = paths.clone().map(|p| p.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned());
        let expected = ["2026-01-02-abc.json", "2026-01-02-abc-2.json", "2026-01-02-abc-3.json"];
        assert_eq!(names, expected.map(|name| format!("some-cpu-r/{name}")));
        let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&paths[2]).unwrap()).unwrap();
        assert_eq!(json["environment"]["commit"], "abc");
        assert_eq!(json["seed"], "000000000000feed");
        assert_eq!(json["peers"][0], "pbc");
        assert!(json["measurements"].is_array() && json["method"]["rounds"] == 3);
    }
}
