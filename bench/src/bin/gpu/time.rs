//! Times the processor, `auto` and the cards, and computes which share of the cards' ceilings the times reach.

use crate::contenders::{Ready, Which};
use crate::subjects::Subject;
use crate::{Checks, Failure, Run, say};
use bilinear_bench::ceilings::{self, Programs};
use bilinear_bench::gpu::{CardLine, Job, Model, Parts, Times, Work};
use bilinear_engine::cuda::{Busy, Ceilings, DeviceError, Driver};
use bilinear_engine::{Batch, Engine, System, SystemError, Validate};
use std::time::Duration;

/// The duration for which the processor computes before `auto` tries the cards.
const TRIAL: Duration = Duration::from_millis(500);
/// The number of pairs of a batch, and the maximum number of batches, with which `auto` learns which side is faster.
const LEARNING: (usize, usize) = (4096, 20);
/// The number of pairs of a batch that is not counted: cards load their kernels, and the processor shows its speed.
const QUICK: usize = 256;
/// The names of the contenders that are not cards.
pub(crate) const PROCESSOR: &str = "processor";
pub(crate) const AUTO: &str = "auto";

impl Run<'_> {
    /// Times contenders that are cards, each after a check.
    pub(crate) fn time_cards(&mut self, subject: &Subject, which: Which) -> Result<(), Failure> {
        let checks = self.args.check == Checks::All || (self.args.check, which) == (Checks::Figures, Which::Default);
        for job in &subject.jobs {
            self.each_contender(subject, *job, which, "", |run, ready| {
                let same = checks && run.check(subject, &ready)?;
                run.line(subject, *job, &ready, same)
            })?;
        }
        Ok(())
    }

    /// Times the processor and `auto`.
    pub(crate) fn time_processor(&mut self, subject: &Subject) -> Result<(), Failure> {
        for job in &subject.jobs {
            let host = || Ok(subject.host.clone());
            self.time_here(subject, *job, PROCESSOR, host)?;
            let auto = |cards| subject.host.beside_device(cards, TRIAL);
            let cards = self.cards.clone();
            self.time_here(subject, *job, AUTO, || auto(cards))?;
        }
        Ok(())
    }

    /// Times a contender that is not a card.
    fn time_here(
        &mut self,
        subject: &Subject,
        job: Job,
        who: &str,
        system: impl FnOnce() -> Result<System, SystemError>,
    ) -> Result<(), Failure> {
        let title = format!("{}: {who}", subject.title(job));
        if !self.limit.allows(&title) {
            return Ok(());
        }
        match system() {
            Ok(system) => {
                let ready = Ready { name: who.to_owned(), cards: vec![], system, programs: None };
                self.line(subject, job, &ready, who == PROCESSOR || self.args.check != Checks::None)
            }
            Err(reason) => self.fail(format!("{title}: {reason}")),
        }
    }

    /// Measures a line, and reports a failure of the device.
    fn line(&mut self, subject: &Subject, job: Job, ready: &Ready, same: bool) -> Result<(), Failure> {
        self.measure(subject, job, ready, same)?;
        ready.system.fallback_reason().map_or(Ok(()), |reason| {
            self.device_failed(format!("{}: {}: the device failed: {reason}", subject.title(job), ready.name))
        })
    }

    /// Measures a line, prints it, and saves it. If the contender's values were the `same` in its check, those of the
    /// first batch are compared too.
    fn measure(&mut self, subject: &Subject, job: Job, ready: &Ready, same: bool) -> Result<(), Failure> {
        let Ready { name: who, cards, system, programs } = ready;
        let title = subject.title(job);
        let batch = Batch::new(system.clone()).validate(Validate::OnCurve);
        let sizes = self.args.batch.iter().map(|size| job.whole(size.get()));
        // a card computes only batches with more than one value for each thread
        let is_theirs = |size: &usize| cards.is_empty() || batch.engine_for(size / job.product) == Engine::Cuda;
        let sizes: Vec<usize> = sizes.filter(is_theirs).collect();
        let Some(largest) = sizes.iter().max() else { return Ok(()) };
        let work = Work::new(&batch, &subject.inputs, job);
        let quick = job.whole(QUICK);
        drop(work.values(quick.min(*largest)));
        let (limit, longest) = (&mut self.limit, self.args.longest);
        let what = format!("{title}: {who}, more batches");
        let each = match who.as_str() {
            PROCESSOR => Some(work.time(quick) / quick as u32),
            AUTO => learn(&batch, &work, job.whole(LEARNING.0), || limit.allows(&what)),
            _ => None,
        };
        let mut first = None;
        let times = Times::new(&sizes, longest, each, |size| {
            let (time, values) = limit.allows(&what).then(|| work.timed_values(size))?;
            first.get_or_insert(values);
            Some(time).filter(|_| system.fallback_reason().is_none())
        });
        let Some(first) = first.filter(|_| !times.of.is_empty()) else { return Ok(()) };
        let mut line = CardLine {
            curve: subject.name.to_owned(),
            power: subject.options.power.to_string(),
            job: job.name(),
            who: who.clone(),
            cards: cards.len(),
            compared: same && self.check_timed(subject, job, who, &first)?,
            us: times.microseconds(),
            less_from: None,
            model: None,
            parts: None,
        };
        let too_long = times.too_long.iter().map(|size| format!("  {size}: too long"));
        say(&format!("{title}: {}{}", line.text(), too_long.collect::<String>()));
        let mut ceiling = None;
        if let (Some(programs), Some((_, time)), Some(ceilings)) = (programs, times.least(), self.record.ceilings()) {
            line.model = self.model(&title, programs, cards, &ceilings, time)?;
            ceiling = Some(ceilings::longest(&ceilings::at_ceilings(&programs.cost(), &ceilings, cards.len())));
        }
        let size = times.least_within(longest).filter(|_| !cards.is_empty() && self.limit.allows(&what));
        if let Some(size) = size {
            match parts(&work, size, cards, ceiling) {
                Ok(parts) => {
                    say(&parts.text());
                    line.parts = Some(parts);
                }
                Err(reason) => self.fail(format!("{title}: {who}: the clock: {reason}"))?,
            }
        }
        self.record.push(line, PROCESSOR);
        self.save()
    }

    /// Prints what a job demands of the cards, and which share of their ceilings the least time reaches.
    fn model(
        &mut self,
        title: &str,
        programs: &Programs,
        cards: &[Driver],
        ceilings: &Ceilings,
        time: Duration,
    ) -> Result<Option<Model>, Failure> {
        let warps = match programs.warps(&cards[0]) {
            Ok(warps) => warps,
            Err(reason) => return self.fail(format!("{title}: {reason}")).map(|()| None),
        };
        let (cost, kinds) = (programs.cost(), programs.kinds());
        let parts = ceilings::at_ceilings(&cost, ceilings, cards.len());
        say(&format!("  Miller loop: {}; final exponentiation: {};", kinds[0], kinds[1]));
        say(&ceilings::line(&cost, &parts, warps, time));
        Ok(Some(Model::new(kinds, &cost, warps, ceilings::share(&parts, time))))
    }
}

/// Measures the parts of the time of a batch of `size` pairs.
fn parts(work: &Work<'_>, size: usize, cards: &[Driver], ceiling: Option<Duration>) -> Result<Parts, DeviceError> {
    cards.iter().try_for_each(Driver::start_clock)?;
    let whole = work.time(size);
    let busy: Vec<Busy> = cards.iter().map(Driver::stop_clock).collect::<Result<_, _>>()?;
    Ok(Parts::new(size, whole, &busy, ceiling))
}

/// Lets `auto` compute batches of this number of pairs until its cards compute most of one, for at most `LEARNING.1`
/// batches and as long as there is time. Returns the time of a pair in the last one.
fn learn(batch: &Batch, work: &Work<'_>, pairs: usize, mut is_time: impl FnMut() -> bool) -> Option<Duration> {
    let share = || batch.system().device_share().unwrap_or_default();
    let mut each = None;
    for _ in (0..LEARNING.1).take_while(|_| is_time()) {
        let before = share();
        each = Some(work.time(pairs) / pairs as u32);
        let [on_cards, all] = [0, 1].map(|i: usize| share()[i] - before[i]);
        if 2 * on_cards > all {
            break;
        }
    }
    each
}
