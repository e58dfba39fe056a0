//! Verification of a search: a random sample of rows is evaluated again, on another engine and without prepared
//! points. The sample is drawn before the first row is read. So it takes no memory for rows, and a resumed run
//! may draw its own sample: each row that a run searches is in the run's sample with the same probability.

use bilinear_engine::{Batch, System, Validate};
use bilinear_schemes::predicate::{Opened, PredicateError, Search, Token};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A sample of row numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample(BTreeSet<u64>);

impl Sample {
    /// Draws `count` of the given rows, or all of them if there are fewer. All sets of that size are equally
    /// likely. The algorithm is R. Floyd's, in Bentley, "Programming pearls: a sample of brilliance", CACM
    /// 30(9), 1987.
    pub(crate) fn draw(count: u64, rows: Range<u64>, seed: u64) -> Self {
        let len = rows.end - rows.start;
        let mut sample = BTreeSet::new();
        for last in len - count.min(len)..len {
            let digest = Sha256::digest([seed.to_be_bytes(), last.to_be_bytes()].concat());
            let random = digest[..8].iter().fold(0u128, |sum, byte| sum << 8 | u128::from(*byte));
            // uniform in 0..=last, with a bias of at most 2^−64 times the number of rows
            let drawn = ((random * (u128::from(last) + 1)) >> 64) as u64;
            if !sample.insert(rows.start + drawn) {
                sample.insert(rows.start + last);
            }
        }
        Self(sample)
    }
}

/// The numbers of answers that were evaluated again, and of those that differ.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts(Arc<[AtomicU64; 2]>);

impl Counts {
    /// Returns the number of answers that were evaluated again.
    pub(crate) fn answers(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Returns the number of answers that differ from those of the search.
    pub(crate) fn differ(&self) -> u64 {
        self.0[1].load(Ordering::Relaxed)
    }
}

/// The sample of rows, and the searches that evaluate them again.
pub(crate) struct Verify {
    sample: Sample,
    searches: Vec<Search>,
    counts: Counts,
    /// The engines of the search and of the verification, for messages.
    engines: [String; 2],
}

/// The checks on points, which are those of a scan.
const VALIDATE: Validate = Validate::OnCurve;

impl Verify {
    /// Creates a verification of a search by `batch`. It runs on the system `other`, with the same checks and
    /// as many threads.
    ///
    /// # Errors
    /// Returns an error if a token belongs to another curve.
    pub(crate) fn new(batch: &Batch, other: &System, tokens: &[Token], sample: Sample) -> Result<Self, PredicateError> {
        let threads = NonZeroUsize::new(batch.thread_count()).unwrap_or(NonZeroUsize::MIN);
        // if the operating system refuses to start threads, the calling thread evaluates the sample
        let alone = || Batch::new(other.clone()).on_this_thread();
        let again = Batch::new(other.clone()).threads(threads).unwrap_or_else(|_| alone()).validate(VALIDATE);
        let searches =
            tokens.iter().map(|token| Search::unprepared(again.clone(), token)).collect::<Result<Vec<_>, _>>()?;
        let system = batch.system();
        let engine = system.batch_engine().map_or(system.engine(), |(bulk, _)| bulk);
        let engines = [engine, other.engine()].map(|engine| engine.to_string());
        Ok(Self { sample, searches, counts: Counts::default(), engines })
    }

    /// Returns the counts, which are updated while the job runs.
    pub(crate) fn counts(&self) -> Counts {
        self.counts.clone()
    }

    /// Evaluates again those of the given rows that are in the sample. Returns descriptions of the answers that
    /// differ from `found`, by row and token.
    pub(crate) fn again(&self, rows: &[(u64, &[u8])], found: &[Vec<Opened>]) -> BTreeMap<(u64, usize), String> {
        let drawn: Vec<(usize, u64, &[u8])> = rows
            .iter()
            .enumerate()
            .filter_map(|(i, (row, bytes))| self.sample.0.contains(row).then_some((i, *row, *bytes)))
            .collect();
        let bytes: Vec<&[u8]> = drawn.iter().map(|(_, _, bytes)| *bytes).collect();
        let mut differences = BTreeMap::new();
        for (token, (search, found)) in self.searches.iter().zip(found).enumerate() {
            for ((i, row, _), again) in drawn.iter().zip(search.open(&bytes)) {
                self.counts.0[0].fetch_add(1, Ordering::Relaxed);
                if found[*i] != again {
                    self.counts.0[1].fetch_add(1, Ordering::Relaxed);
                    let [engine, other] = &self.engines;
                    let (found, again) = (said(&found[*i]), said(&again));
                    differences
                        .insert((*row, token), format!("{engine}: {found}; evaluated again on {other}: {again}"));
                }
            }
        }
        differences
    }
}

/// Describes an answer in words.
fn said(opened: &Opened) -> String {
    match opened {
        Ok(Some(message)) => format!("a match, with a message of {} bytes", message.len()),
        Ok(None) => "no match".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples() {
        for (count, rows) in [(0, 0..5), (1, 3..4), (5, 0..5), (9, 10..15), (3, 0..0)] {
            let Sample(drawn) = Sample::draw(count, rows.clone(), 1);
            assert_eq!(drawn.len() as u64, count.min(rows.end - rows.start));
            assert!(drawn.iter().all(|row| rows.contains(row)));
        }
        assert_eq!(Sample::draw(20, 0..1000, 5), Sample::draw(20, 0..1000, 5));
        assert_ne!(Sample::draw(20, 0..1000, 5), Sample::draw(20, 0..1000, 6));
        // 3 of 10 rows, 4000 times: each row is drawn 1200 times, within five standard deviations
        let mut times = [0u32; 10];
        (0..4000).for_each(|seed| Sample::draw(3, 0..10, seed).0.iter().for_each(|row| times[*row as usize] += 1));
        assert_eq!(times.iter().sum::<u32>(), 12_000);
        assert!(times.iter().all(|times| times.abs_diff(1200) < 145), "{times:?}");
    }
}
