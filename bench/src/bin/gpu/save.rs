//! The output of a run: the record and the picture, rewritten with every line, and the tables at the end.

use crate::subjects::{PAPERS, SINGLE};
use crate::time::{AUTO, PROCESSOR};
use crate::{Failure, Run, say};
use bilinear_bench::gpu::{CardLine, rewrite};
use bilinear_bench::plot::{Line, by_batch};
use bilinear_bench::prices;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The curves of prime order, which the picture draws dashed, as the paper does.
const DASHED: [&str; 2] = ["a-512", "d-179"];

impl Run<'_> {
    /// Writes the record and the picture of all lines so far.
    pub(crate) fn save(&mut self) -> Result<(), Failure> {
        let known = &mut self.record.left_out;
        let new: Vec<String> = self.limit.left_out().iter().filter(|what| !known.contains(what)).cloned().collect();
        known.extend(new);
        let price = self.args.price.or(prices::price_of(&self.record.card).map(|price| price.usd_per_hour));
        self.record.usd_per_pairing = price.zip(self.least_of_paper()).map(|(price, time)| prices::cost(time, price));
        self.record.write(&self.file).map_err(failed(&self.file))?;
        let drawn = self.drawn();
        if let Some(file) = self.args.plot.as_ref().filter(|_| !drawn.is_empty()) {
            let about = format!("{}; thin: {}", self.record.card, self.record.environment.brief());
            rewrite(file, &by_batch(&about, &drawn)).map_err(failed(file))?;
        }
        Ok(())
    }

    /// Prints all times by curve and job, the price of a pairing, the failures, and what was left out.
    pub(crate) fn summary<'a>(&'a self) {
        let mut headings: Vec<[&'a str; 3]> = vec![];
        let heading = |line: &'a CardLine| [&*line.curve, &*line.job, &*line.power];
        for own in self.record.lines.iter().map(heading) {
            if !headings.contains(&own) {
                headings.push(own);
            }
        }
        for own in headings {
            say(&format!("\n== {}, {}, {} power: microseconds a pair", own[0], own[1], own[2]));
            self.record.lines.iter().filter(|line| heading(line) == own).for_each(|line| say(&line.text()));
        }
        let known = prices::price_of(&self.record.card);
        let price = self.args.price.or(known.as_ref().map(|price| price.usd_per_hour));
        if let (Some(price), Some(usd)) = (price, self.record.usd_per_pairing) {
            let of = match known.filter(|_| self.args.price.is_none()) {
                Some(price) => format!(" ({}, {})", price.of, price.source),
                None => String::new(),
            };
            say(&format!("\na pairing on {PAPERS}: {usd:.1e} USD at {price} USD an hour{of}"));
        }
        let files = [&self.args.record, &self.args.plot].into_iter().flatten().filter(|file| file.exists());
        files.for_each(|file| say(&format!("written: {}", file.display())));
        self.record.failures.iter().for_each(|failure| say(&format!("FAILED: {failure}")));
        if !self.record.left_out.is_empty() {
            say(&format!("left out, since the time was up: {}", self.record.left_out.join("; ")));
        }
    }

    /// Returns the least time of one card for a pairing of the paper's size, with values that were compared.
    fn least_of_paper(&self) -> Option<Duration> {
        let is_papers = |line: &&CardLine| line.curve == PAPERS && line.job == SINGLE.name() && line.cards == 1;
        let least = self.record.compared().filter(is_papers).map(CardLine::least).reduce(f64::min);
        least.filter(|us| us.is_finite()).map(|us| Duration::from_secs_f64(us / 1e6))
    }

    /// Returns the lines to draw for each curve, with values that were compared: single pairings on the processor, and on the card or the number of
    /// cards that is fastest in its best batch.
    fn drawn(&self) -> Vec<Line> {
        let is_single = |line: &&CardLine| line.job == SINGLE.name() && line.who != AUTO;
        let single: Vec<&CardLine> = self.record.compared().filter(is_single).collect();
        let is_best = |line: &CardLine| {
            let rivals = single.iter().filter(|other| other.curve == line.curve && other.who != PROCESSOR);
            rivals.map(|other| other.least()).fold(f64::INFINITY, f64::min) >= line.least()
        };
        let kept = single.iter().filter(|line| line.who == PROCESSOR || is_best(line));
        kept.map(|line| Line {
            curve: line.curve.clone(),
            who: line.who.clone(),
            dashed: DASHED.contains(&&*line.curve),
            thin: line.who == PROCESSOR,
            points: line.us.clone(),
        })
        .collect()
    }
}

pub(crate) fn failed(file: &Path) -> impl FnOnce(io::Error) -> Failure {
    |reason| Failure::Io { file: file.display().to_string(), reason }
}
