//! The record of a run of `gpu`: the machine, the cards, and all times.

use super::crossover;
use crate::environment::Environment;
use bilinear_engine::cuda::{Busy, Ceilings, Cost};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The record of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardRecord {
    /// The machine, whose processor is compared with the cards, and the date.
    pub environment: Environment,
    /// The model name of the cards.
    pub card: String,
    /// The number of cards.
    pub cards: usize,
    /// The seed of the random inputs, which `--seed` accepts.
    pub seed: u64,
    /// The operations that one card does in a second, by the names of [`Ceilings`](bilinear_engine::cuda::Ceilings),
    /// measured by kernels that do nothing else. Empty if these kernels failed.
    pub ceilings: BTreeMap<String, f64>,
    /// The times of all contenders.
    pub lines: Vec<CardLine>,
    /// The cost of a pairing on `a1-2x512` in USD, if the price of an hour is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usd_per_pairing: Option<f64>,
    /// The differences and failures.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failures: Vec<String>,
    /// The work that was not started because the time was up.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<String>,
}

/// The times of one contender for one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardLine {
    /// The curve.
    pub curve: String,
    /// The power of the pairing, `exact` or `fast`.
    pub power: String,
    /// The name of the job.
    pub job: String,
    /// The name of the contender.
    pub who: String,
    /// The number of cards that took part; 0 for the processor and for `auto`.
    pub cards: usize,
    /// Whether values were compared with those of the processor, before the times and of the largest batch, and all were
    /// the same. Other lines count neither for the cost nor in the picture.
    pub compared: bool,
    /// Pairs of a batch, and the least time of several runs in microseconds per pair.
    pub us: Vec<(usize, f64)>,
    /// The batch size from which on the contender takes less time than the processor.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub less_from: Option<usize>,
    /// The model of the job's cost, if a card computes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<Model>,
    /// The parts of a batch's time, if a card computes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parts: Option<Parts>,
}

impl CardLine {
    /// Returns the least time of a pair in microseconds; infinite if there is no time.
    pub fn least(&self) -> f64 {
        self.us.iter().map(|(_, us)| *us).fold(f64::INFINITY, f64::min)
    }

    /// Formats the times as a line of a table.
    pub fn text(&self) -> String {
        let each = self.us.iter().map(|(size, us)| format!("  {size}: {us:.2}"));
        let less_from = self.less_from.map(|size| format!("  less than the processor from {size} on"));
        format!("{:16}{}", self.who, each.chain(less_from).collect::<String>())
    }
}

/// The cost of a pair on a card, and the share of the ceilings that its least time reaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The ways in which the Miller loop and the final exponentiation are executed.
    pub kinds: [String; 2],
    /// Each part of a [`Cost`], by its name.
    pub asked: BTreeMap<String, u64>,
    /// The number of warps of the Miller loop's kernel that a multiprocessor can hold.
    pub warps: u32,
    /// The share of the measured time that the longest part of the cost takes at its ceiling.
    pub share: f64,
}

impl Model {
    /// Creates the model of a cost.
    pub fn new(kinds: [String; 2], cost: &Cost, warps: u32, share: f64) -> Model {
        Model { kinds, asked: named(cost.parts()), warps, share }
    }
}

/// The parts of a batch's time, in microseconds per pair. Kernels and copies overlap if threads of a batch have streams
/// of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// The number of pairs of the batch.
    pub pairs: usize,
    /// The whole time, from bytes to bytes.
    pub whole: f64,
    /// Each part of [`Busy`], by its name: the mean of the cards.
    pub busy: BTreeMap<String, f64>,
    /// The rest of the whole time: cards were idle, and the processor read points, and encoded and decoded values.
    pub rest: f64,
    /// The share of the kernels' time that the longest part of the cost takes at its ceiling.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub share: Option<f64>,
}

impl Parts {
    /// Divides the time `whole` of a batch of `pairs` pairs into parts. `cards` holds the busy times of each card, and
    /// `longest` the time of a pair at the slowest ceiling.
    pub fn new(pairs: usize, whole: Duration, cards: &[Busy], longest: Option<Duration>) -> Parts {
        let of_pair = |seconds: f64| seconds * 1e6 / pairs as f64;
        let mut busy: BTreeMap<String, f64> = named(Busy::default().parts().map(|(name, _)| (name, 0.0)));
        for (name, time) in cards.iter().flat_map(Busy::parts) {
            *busy.entry(name.to_owned()).or_default() += of_pair(time.as_secs_f64()) / cards.len() as f64;
        }
        let whole = of_pair(whole.as_secs_f64());
        let (rest, kernels) = ((whole - busy["all"]).max(0.0), busy["kernels"]);
        let share = longest.map(|longest| longest.as_secs_f64() * 1e6 / kernels).filter(|share| share.is_finite());
        Parts { pairs, whole, busy, rest, share }
    }

    /// Formats the parts as a line.
    pub fn text(&self) -> String {
        let Parts { pairs, whole, busy, rest, share } = self;
        let of = |name: &str| busy.get(name).copied().unwrap_or_default();
        let share = share.map(|share| format!("; kernels reach {:.0} % of the longest ceiling", 100.0 * share));
        format!(
            "  {whole:.2} of {pairs} pairs: kernels {:.2} (stages {:.2}, inversions {:.2}), copies {:.2} (to the card {:.2}, from it {:.2}), rest {rest:.2}{}",
            of("kernels"),
            of("stages"),
            of("inversions"),
            of("copies"),
            of("copies_in"),
            of("copies_out"),
            share.unwrap_or_default()
        )
    }
}

/// Collects values in a map by their names.
pub fn named<T, const N: usize>(parts: [(&'static str, T); N]) -> BTreeMap<String, T> {
    parts.into_iter().map(|(name, number)| (name.to_owned(), number)).collect()
}

impl CardRecord {
    /// Adds a line. Once the processor's times are known, sets in all lines of the same job the batch size from which
    /// on they take less time than the processor. `processor` is the name of the processor's contender.
    pub fn push(&mut self, line: CardLine, processor: &str) {
        let (curve, job) = (line.curve.clone(), line.job.clone());
        self.lines.push(line);
        let is_of = |line: &CardLine| line.curve == curve && line.job == job;
        let theirs = self.lines.iter().find(|line| is_of(line) && line.who == processor).map(|line| line.us.clone());
        for line in self.lines.iter_mut().filter(|line| is_of(line) && line.who != processor) {
            line.less_from = theirs.as_ref().and_then(|theirs| crossover(&line.us, theirs));
        }
    }

    /// The lines whose values were compared.
    pub fn compared(&self) -> impl Iterator<Item = &CardLine> {
        self.lines.iter().filter(|line| line.compared)
    }

    /// The ceilings; `None` if they were not measured.
    pub fn ceilings(&self) -> Option<Ceilings> {
        let of = |name| self.ceilings.get(name).copied();
        Some(Ceilings {
            multiply_adds: of("multiply_adds")?,
            digits: of("digits")?,
            shared: of("shared")?,
            memory: of("memory")?,
            cached: of("cached")?,
        })
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or holds no record.
    pub fn read(file: &Path) -> io::Result<CardRecord> {
        Ok(serde_json::from_str(&fs::read_to_string(file)?)?)
    }

    /// Writes the record to a new file.
    ///
    /// # Errors
    /// Returns an error if the file exists, or cannot be written.
    pub fn create(&self, file: &Path) -> io::Result<()> {
        drop(File::create_new(file)?);
        self.write(file)
    }

    /// Writes the record to a file, and replaces the old contents.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        rewrite(file, &(serde_json::to_string_pretty(self)? + "\n"))
    }
}

/// Writes a text to a file and replaces the old contents atomically: a reader, or an interrupted run, has either the
/// old text or the new one.
///
/// # Errors
/// Returns an error if the file, or the file `.new` beside it, cannot be written.
pub fn rewrite(file: &Path, text: &str) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text)?;
    fs::rename(&beside, file)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn line(who: &str, us: &[(usize, f64)], model: Option<Model>) -> CardLine {
        CardLine {
            curve: "a-512".to_owned(),
            power: "exact".to_owned(),
            job: "pairings".to_owned(),
            who: who.to_owned(),
            cards: 1,
            compared: true,
            us: us.to_vec(),
            less_from: None,
            model,
            parts: None,
        }
    }

    fn record() -> CardRecord {
        CardRecord {
            environment: Environment::here(),
            card: "a card".to_owned(),
            cards: 1,
            seed: 7,
            ceilings: named([("digits", 1e15), ("memory", 1e12)]),
            lines: vec![],
            usd_per_pairing: None,
            failures: vec![],
            left_out: vec!["a-512, pairings, auto".to_owned()],
        }
    }

    #[test]
    fn a_record_grows_in_its_file_and_another_one_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("card.json");
        let read = || CardRecord::read(&file).unwrap();
        let mut record = record();
        record.create(&file).unwrap();
        assert_eq!(read(), record);
        let cost = Cost { multiply_adds: 5, waited: 4, cached: 3, ..Cost::default() };
        let model = Model::new(["residues".to_owned(), "8 threads".to_owned()], &cost, 12, 0.5);
        let parts = Some(Parts::new(16, Duration::from_micros(960), &[Busy::default()], None));
        record.push(CardLine { parts, ..line("cuda", &[(1, 900.5), (16, 60.25)], Some(model)) }, "processor");
        record.failures.push("another one failed".to_owned());
        record.write(&file).unwrap();
        assert_eq!(read(), record);
        assert_eq!(record.create(&file).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(read(), record);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing stays beside it");
    }

    #[test]
    fn ceilings_are_read_again_and_lines_count_if_they_were_compared() {
        let ceilings = Ceilings { multiply_adds: 1e13, digits: 1e15, shared: 2e12, memory: 1e12, cached: 3e12 };
        let mut record = CardRecord { ceilings: named(ceilings.parts()), ..record() };
        assert_eq!(record.ceilings(), Some(ceilings));
        record.ceilings.remove("cached");
        assert_eq!(record.ceilings(), None);
        record.push(CardLine { compared: false, ..line("cuda", &[(1, 1.0)], None) }, "processor");
        record.push(line("processor", &[(1, 2.0)], None), "processor");
        assert_eq!(record.compared().map(|line| &*line.who).collect::<Vec<_>>(), ["processor"]);
    }

    /// Of two cards the means of their times are taken. The rest is what remains of the whole, and kernels have a share
    /// of the ceiling only if kernels ran.
    #[test]
    fn parts_are_per_pair_and_per_card() {
        let ms = Duration::from_millis;
        let busy = |kernels, copies, all| Busy {
            stages: ms(kernels),
            kernels: ms(kernels),
            copies_in: ms(copies),
            copies: ms(copies),
            all: ms(all),
            ..Busy::default()
        };
        let cards = [busy(60, 10, 65), busy(40, 14, 49)];
        let parts = Parts::new(1000, ms(100), &cards, Some(Duration::from_micros(20)));
        let text = "  100.00 of 1000 pairs: kernels 50.00 (stages 50.00, inversions 0.00), copies 12.00 (to the card 12.00, from it 0.00), rest 43.00; \
                    kernels reach 40 % of the longest ceiling";
        assert_eq!(parts.text(), text);
        assert_eq!(parts.busy.len(), 7);
        let none = Parts::new(10, ms(1), &[Busy::default()], Some(ms(1)));
        assert_eq!((none.share, none.rest), (None, 100.0));
    }

    #[test]
    fn lines_are_compared_with_the_processor_whenever_it_was_measured() {
        let mut record = record();
        let less_from = |record: &CardRecord| record.lines.iter().map(|line| line.less_from).collect::<Vec<_>>();
        record.push(line("cuda", &[(16, 50.0), (256, 9.0)], None), "processor");
        assert_eq!(less_from(&record), [None]);
        record.push(line("processor", &[(16, 20.0), (256, 20.0)], None), "processor");
        record.push(line("auto", &[(16, 19.0), (256, 9.0)], None), "processor");
        record.push(CardLine { job: "another".to_owned(), ..line("cuda", &[(16, 1.0)], None) }, "processor");
        assert_eq!(less_from(&record), [Some(256), None, Some(16), None]);
        let text = "cuda              16: 50.00  256: 9.00  less than the processor from 256 on";
        assert_eq!(record.lines[0].text(), text);
    }
}
