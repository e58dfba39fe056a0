//! A stored run of `gpu`: where, on which cards, and every time.

use crate::environment::Environment;
use bilinear_engine::cuda::{Ceilings, Cost};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardRecord {
    /// Where and when: the processor beside which the cards were measured.
    pub environment: Environment,
    /// The cards' name.
    pub card: String,
    /// How many there were.
    pub cards: usize,
    /// Where the random inputs started: `--seed` takes it.
    pub seed: u64,
    /// What one card does in a second, by kernels that do nothing else.
    pub ceilings: Rates,
    /// The results.
    pub lines: Vec<CardLine>,
    /// What a pairing on `a1-2x512` costs in USD, where the price of an hour is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usd_per_pairing: Option<f64>,
}

/// [`Ceilings`] in a file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Products of words with a sum of 64 bits.
    pub multiply_adds: f64,
    /// Products of numbers of 8 bits with their sums.
    pub digits: f64,
    /// Words of shared memory.
    pub shared: f64,
    /// Words of the memory of the device.
    pub memory: f64,
    /// Words of records.
    pub records: f64,
}

impl From<Ceilings> for Rates {
    fn from(Ceilings { multiply_adds, digits, shared, memory, records }: Ceilings) -> Rates {
        Rates { multiply_adds, digits, shared, memory, records }
    }
}

/// What one contender took for one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardLine {
    /// The curve.
    pub curve: String,
    /// The power of the pairing, `exact` or `fast`.
    pub power: String,
    /// What was computed.
    pub job: String,
    /// By whom.
    pub who: String,
    /// Cards that took part; 0 for the processor and for `auto`.
    pub cards: usize,
    /// Pairs of a batch, and the least time of some runs in microseconds a pair.
    pub us: Vec<(usize, f64)>,
    /// The size of a batch from which on it takes less than the processor.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub less_from: Option<usize>,
    /// What the model says, where a card computes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<Model>,
}

impl CardLine {
    /// The least time of a pair, in microseconds; infinite if there is none.
    pub fn least(&self) -> f64 {
        self.us.iter().map(|(_, us)| *us).fold(f64::INFINITY, f64::min)
    }
}

/// What a pair asks of a card, and what its least time reaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// [`Cost::reductions`].
    pub reductions: u64,
    /// [`Cost::multiply_adds`].
    pub multiply_adds: u64,
    /// [`Cost::waited`].
    pub waited: u64,
    /// [`Cost::digits`].
    pub digits: u64,
    /// [`Cost::shared`].
    pub shared: u64,
    /// [`Cost::memory`].
    pub memory: u64,
    /// [`Cost::records`].
    pub records: u64,
    /// Warps that a multiprocessor can hold of the Miller loop's kernel.
    pub warps: u32,
    /// The share of the ceiling that takes longest.
    pub share: f64,
}

impl Model {
    /// Of a cost.
    pub fn new(cost: &Cost, warps: u32, share: f64) -> Model {
        let Cost { multiply_adds, waited, digits, shared, memory, records, reductions } = *cost;
        Model { reductions, multiply_adds, waited, digits, shared, memory, records, warps, share }
    }
}

impl CardRecord {
    /// Writes it into a file, which must not exist.
    ///
    /// # Errors
    /// If it does, or cannot be written.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::File::create_new(file)?.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_record_is_what_was_written_and_is_not_overwritten() {
        let line = |model| CardLine {
            curve: "a-512".to_owned(),
            power: "exact".to_owned(),
            job: "pairings".to_owned(),
            who: "cuda, 8 threads".to_owned(),
            cards: 1,
            us: vec![(1, 900.5), (16, 60.25)],
            less_from: Some(16),
            model,
        };
        let cost = Cost { multiply_adds: 5, waited: 4, records: 3, ..Cost::default() };
        let record = CardRecord {
            environment: Environment::here(),
            card: "a card".to_owned(),
            cards: 1,
            seed: 7,
            ceilings: Ceilings { multiply_adds: 1e13, digits: 1e15, shared: 1e13, memory: 1e12, records: 1e13 }.into(),
            lines: vec![line(None), line(Some(Model::new(&cost, 12, 0.5)))],
            usd_per_pairing: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("card.json");
        record.write(&file).unwrap();
        assert_eq!(serde_json::from_str::<CardRecord>(&std::fs::read_to_string(&file).unwrap()).unwrap(), record);
        assert_eq!(record.write(&file).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }
}
