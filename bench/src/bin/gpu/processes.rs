//! A process for each part of the work on a curve. After an illegal address or a launch that fails, the driver answers
//! every later call of a process with the same error, and nothing ends a wait for a kernel that hangs: either costs one
//! process. All processes write one record.

use crate::save::failed;
use crate::subjects::plan;
use crate::{Args, Failure, Part, Run, say};
use bilinear_bench::gpu::{CardRecord, Limit};
use bilinear_bench::{Environment, Random};
use bilinear_engine::Curve;
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{self, Command};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

/// The time between two looks at a process.
const LOOK: Duration = Duration::from_millis(50);

/// Runs all parts, each in a process. Returns true if nothing failed.
pub(crate) fn run_all(args: &Args) -> Result<bool, Failure> {
    args.curve.iter().try_for_each(|name| Curve::named(name).map(|_| ()))?;
    let record = CardRecord {
        environment: Environment::here(),
        card: String::new(),
        cards: 0,
        seed: args.seed.map_or_else(Random::fresh_seed, Ok)?,
        ceilings: BTreeMap::new(),
        lines: vec![],
        usd_per_pairing: None,
        failures: vec![],
        left_out: vec![],
    };
    let own = || env::temp_dir().join(format!("bilinear-gpu-{}.json", process::id()));
    let file = args.record.clone().unwrap_or_else(own);
    record.create(&file).map_err(failed(&file))?;
    say(&record.environment.text());
    let checked = BTreeMap::new();
    let mut run = Run { args, file, cards: vec![], limit: Limit::new(args.seconds), record, checked };
    let done = run.parts();
    if args.record.is_none() || run.record.card.is_empty() {
        let _ = fs::remove_file(&run.file);
    }
    done
}

impl Run<'_> {
    /// Runs all parts. Ends after the first if there is no card, as its process has said.
    fn parts(&mut self) -> Result<bool, Failure> {
        for (part, curve) in plan(self.args) {
            let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            let what = if part == Part::Ceilings { name.clone() } else { format!("{curve}, {name}") };
            if !self.limit.allows(&what) {
                continue;
            }
            let program = env::current_exe().map_err(failed(Path::new("gpu")))?;
            let mut command = Command::new(&program);
            command.args(env::args_os().skip(1)).args(["--part", &name, "--of", curve, "--record"]).arg(&self.file);
            if let Some(left) = self.limit.left() {
                command.args(["--seconds", &left.as_secs_f64().to_string()]);
            }
            let reason = self.ends(&mut command).map_err(failed(&program))?;
            self.record = CardRecord::read(&self.file).map_err(failed(&self.file))?;
            if self.record.card.is_empty() {
                return Ok(false);
            }
            if let Some(reason) = reason {
                self.fail(format!("{what}: the process {reason}"))?;
            }
        }
        self.save()?;
        self.summary();
        Ok(self.record.failures.is_empty())
    }

    /// Runs a process, and ends it if the record does not change for too long. Returns what was wrong, if anything.
    fn ends(&self, command: &mut Command) -> io::Result<Option<String>> {
        let (begun, longest) = (Instant::now(), self.args.hang);
        let mut process = command.spawn()?;
        loop {
            if let Some(status) = process.try_wait()? {
                return Ok((!status.success()).then(|| format!("ended early ({status})")));
            }
            let written = fs::metadata(&self.file)?.modified()?.elapsed().unwrap_or_default();
            if begun.elapsed().min(written) > longest {
                process.kill()?;
                process.wait()?;
                return Ok(Some(format!("was ended, since it recorded nothing for {} s", longest.as_secs_f64())));
            }
            thread::sleep(LOOK);
        }
    }
}
