//! The contenders: cards in all their ways of computing, beside the processor.

use crate::subjects::Subject;
use crate::{Failure, Run, say};
use bilinear_bench::ceilings::Programs;
use bilinear_bench::gpu::{Job, Runs};
use bilinear_engine::cuda::{Driver, Modulus};
use bilinear_engine::{Curve, System};

/// The ways in which a card can be told to execute programs with unsplit words: the number of threads for each pairing.
const WIDTHS: [(usize, &str); 3] = [(1, "1 thread"), (4, "4 threads"), (8, "8 threads")];

/// A selection of the contenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// One card with its default choice.
    Default,
    /// The same card with every explicit choice, and all cards together.
    Others,
}

/// One way of computing: one card, or all of them.
struct Contender {
    name: String,
    cards: Vec<Driver>,
    /// The way in which the card was told to execute programs, as in [`Programs::kinds`].
    told: Option<&'static str>,
}

/// A contender that is ready for a job.
pub(crate) struct Ready {
    pub(crate) name: String,
    pub(crate) cards: Vec<Driver>,
    pub(crate) system: System,
    pub(crate) programs: Option<Programs>,
}

/// Returns the contenders for a curve: one card with its default choice; all cards, if there are several; in words,
/// either with several numbers of threads for each pairing or, for a long modulus, with threads that split words; in
/// residues.
fn contenders(all: &[Driver], curve: &Curve) -> Vec<Contender> {
    let one = |told, card| Contender { name: format!("cuda, {told}"), cards: vec![card], told: Some(told) };
    let mut contenders = vec![Contender { name: "cuda".to_owned(), cards: vec![all[0].clone()], told: None }];
    if all.len() > 1 {
        contenders.push(Contender { name: format!("cuda, {} cards", all.len()), cards: all.to_vec(), told: None });
    }
    match Modulus::new(curve.family().field()).is_ok_and(|modulus| modulus.split() > 1) {
        true => contenders.push(one("split words", all[0].with_width(1))),
        false => contenders.extend(WIDTHS.map(|(width, told)| one(told, all[0].with_width(width)))),
    }
    contenders.push(one("residues", all[0].with_residues()));
    contenders
}

impl Run<'_> {
    /// Calls `act` for these contenders, as long as there is time. Contenders that would not run as they are told, or
    /// that would run like an earlier one, are left out.
    pub(crate) fn each_contender(
        &mut self,
        subject: &Subject,
        job: Job,
        which: Which,
        what: &str,
        mut act: impl FnMut(&mut Self, Ready) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut before: Vec<Runs> = vec![];
        let all = contenders(&self.cards, subject.host.curve());
        let count = if which == Which::Default { 1 } else { all.len() };
        for (number, Contender { name, cards, told }) in all.into_iter().take(count).enumerate() {
            let title = format!("{what}{}: {name}", subject.title(job));
            let is_asked = (number == 0) == (which == Which::Default);
            if !is_asked && !self.limit.allows(&format!("{title} in other ways")) {
                return Ok(());
            }
            if is_asked && !self.limit.allows(&title) {
                continue;
            }
            let programs = Programs::new(subject.host.curve(), subject.options, job, cards[0].properties());
            let programs = programs.ok().flatten();
            if let Some(kinds) = programs.as_ref().map(Programs::kinds) {
                let runs = Runs { who: name.clone(), cards: cards.len(), kinds };
                if let Some(reason) = runs.left_out(told, &before) {
                    say(&format!("{title}: left out: {reason}"));
                    continue;
                }
                before.push(runs);
            }
            if is_asked {
                match subject.host.on_device(cards.clone()) {
                    Ok(system) => act(self, Ready { name, cards, system, programs })?,
                    Err(reason) if subject.is_of_figures() => self.fail(format!("{title}: {reason}"))?,
                    Err(reason) => say(&format!("{title}: left out: {reason}")),
                }
            }
        }
        Ok(())
    }
}
