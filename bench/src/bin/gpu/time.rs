//! What the processor, `auto` and the cards take, and what share of their ceilings that is.

use crate::contenders::{Contender, contenders};
use crate::{Failure, Run, say};
use bilinear_bench::ceilings::{self, Programs};
use bilinear_bench::gpu::{CardLine, Job, Model, Times, Work};
use bilinear_bench::plot::Line;
use bilinear_bench::{Inputs, Random};
use bilinear_engine::cuda::Driver;
use bilinear_engine::{Batch, Curve, Options, Power, System, Validate};
use std::time::Duration;

/// How long the processor computes before `auto` tries the cards.
const TRIAL: Duration = Duration::from_millis(500);
/// Pairs of a batch, and batches at most, with which `auto` finds out who takes less time.
const LEARNING: (usize, usize) = (4096, 20);
/// What the paper took for a pairing, in batches (docs/papers.md).
const PAPER: [(&str, f64); 3] = [("GTX 480", 8700.0), ("Tesla M2050", 11900.0), ("GTX 285", 17400.0)];
/// The curve of its size.
pub(crate) const PAPERS: &str = "a1-2x512";
/// Curves of prime order that are dashed in the picture, as in the paper.
const DASHED: [&str; 2] = ["a-512", "d-179"];
/// Contenders that are no cards.
const PROCESSOR: &str = "processor";
const AUTO: &str = "auto";
/// Single pairings, the job that is drawn.
const SINGLE: Job = Job { product: 1, fixed: false };

/// Who computes, and on which cards.
type Entrant = (String, System, Vec<Driver>);

impl Run<'_> {
    /// Times everybody on every curve of the figures.
    pub(crate) fn time(&self, random: &mut Random) -> Result<Vec<CardLine>, Failure> {
        let [nine, key] = [false, true].map(|fixed| Job { product: 9, fixed });
        let curves = [
            (PAPERS, Power::Exact, vec![SINGLE, nine, key]),
            ("a1-2x1024", Power::Exact, vec![SINGLE]),
            ("a-512", Power::Exact, vec![SINGLE]),
            ("d-179", Power::Exact, vec![SINGLE]),
            ("bls12-381", Power::Fast, vec![SINGLE]),
            ("alt-bn128", Power::Fast, vec![SINGLE]),
        ];
        let mut lines = vec![];
        for (name, power, jobs) in curves.into_iter().filter(|(name, ..)| self.takes(name)) {
            let options = Options { power, ..Options::default() };
            let host = System::with(&Curve::named(name)?, options)?;
            let inputs = Inputs::new(&host, random);
            let auto = host.beside_device(self.cards.clone(), TRIAL)?;
            let mut entrants: Vec<Entrant> =
                vec![(PROCESSOR.to_owned(), host.clone(), vec![]), (AUTO.to_owned(), auto, vec![])];
            for Contender { name, cards } in contenders(&self.cards, host.curve()) {
                entrants.push((name, host.on_device(cards.clone())?, cards));
            }
            for job in jobs {
                say(&format!("\n== {name}, {}, {power} power: microseconds a pair", job.name()));
                let mut processor = Times::default();
                for (who, system, cards) in &entrants {
                    let times = self.times(who, system, &inputs, job)?;
                    let less_from = times.crossover(&processor);
                    let less = less_from.map_or(String::new(), |size| format!("  less from {size} on"));
                    say(&(times.text(who) + &less));
                    if who == PROCESSOR && (name, job) == (PAPERS, SINGLE) {
                        let paper = PAPER.map(|(card, us)| format!("{card}: {us:.0}"));
                        say(&format!("{:16}  {}", "ACNS 2012", paper.join("  ")));
                    }
                    let line = CardLine {
                        curve: name.to_owned(),
                        power: power.to_string(),
                        job: job.name(),
                        who: who.clone(),
                        cards: cards.len(),
                        us: times.microseconds(),
                        less_from,
                        model: self.model(system.curve(), options, job, cards, &times)?,
                    };
                    lines.push(line);
                    if who == PROCESSOR {
                        processor = times;
                    }
                }
            }
        }
        Ok(lines)
    }

    fn times(&self, who: &str, system: &System, inputs: &Inputs, job: Job) -> Result<Times, Failure> {
        let batch = Batch::new(system.clone()).validate(Validate::Curve);
        if who == AUTO {
            learn(&batch, inputs, job);
        }
        let sizes: Vec<usize> = self.args.batch.iter().map(|size| size.get()).collect();
        let times = Times::new(&batch, inputs, job, &sizes, self.args.longest);
        let curve = || system.curve().name().to_owned();
        system.fallen_back().map_or(Ok(times), |reason| Err(Failure::Fell { curve: curve(), reason }))
    }

    /// Says what a job asks of cards, and what share of their ceilings the least time reaches; nothing where the processor computes.
    fn model(
        &self,
        curve: &Curve,
        options: Options,
        job: Job,
        cards: &[Driver],
        times: &Times,
    ) -> Result<Option<Model>, Failure> {
        let (Some(card), Some(time)) = (cards.first(), times.least()) else { return Ok(None) };
        let Some(programs) = Programs::new(curve, options, job, card.properties())? else { return Ok(None) };
        let (cost, warps) = (programs.cost(), programs.warps(card)?);
        let parts = ceilings::at_ceilings(&cost, &self.ceilings, cards.len());
        say(&ceilings::line(&cost, &parts, warps, time));
        Ok(Some(Model::new(&cost, warps, ceilings::share(&parts, time))))
    }
}

/// Has `auto` compute until its cards have computed too, or never will.
fn learn(batch: &Batch, inputs: &Inputs, job: Job) {
    let work = Work::new(batch, inputs, job, LEARNING.0);
    let on_cards = || batch.system().device_share().map_or(0, |[cards, _]| cards);
    for _ in 0..LEARNING.1 {
        let before = on_cards();
        drop(work.values(batch));
        if on_cards() > before {
            break;
        }
    }
}

/// The least time of one card for a pairing of the paper's size.
pub(crate) fn least_of_paper(lines: &[CardLine]) -> Option<Duration> {
    let of_one = lines.iter().filter(|line| line.curve == PAPERS && line.job == SINGLE.name() && line.cards == 1);
    of_one.map(CardLine::least).reduce(f64::min).filter(|us| us.is_finite()).map(|us| Duration::from_secs_f64(us / 1e6))
}

/// Single pairings of each curve by the processor, and by the card or number of cards that takes least in its best batch.
pub(crate) fn drawn(lines: &[CardLine]) -> Vec<Line> {
    let single: Vec<&CardLine> = lines.iter().filter(|line| line.job == SINGLE.name() && line.who != AUTO).collect();
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
