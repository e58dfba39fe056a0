//! Compares the values that cards compute with those of the processor.

use crate::contenders::{Ready, Which};
use crate::subjects::{SINGLE, Subject, Values};
use crate::{Failure, Run, say};
use bilinear_bench::Inputs;
use bilinear_bench::gpu::{Job, Work, first_wrong, with_bad_rows};
use bilinear_engine::{Batch, Gt, RowError, System};

/// The number of rows of a check: more than a vector has.
const CHECKED: usize = 200;
/// The number of pairs of a product, and the number of products. The products fill one vector: each lane computes a
/// whole product on one thread, whose pairs share their squarings.
const PRODUCTS: (usize, usize) = (9, 64);
/// The number of rows of the long check: many tasks of a batch.
const MANY: usize = 100_000;

impl Run<'_> {
    /// Compares a contender with the processor, which computes the values once for all of them. Returns true if all
    /// values are the same.
    pub(crate) fn check(&mut self, subject: &Subject, ready: &Ready) -> Result<bool, Failure> {
        if let Some(same) = self.checked.get(&ready.name) {
            return Ok(*same);
        }
        let wanted = subject.wanted.get_or_init(|| values(&subject.host, &subject.inputs));
        let same = self.compare(subject, ready, wanted, &values(&ready.system, &subject.inputs))?;
        self.checked.insert(ready.name.clone(), same);
        Ok(same)
    }

    /// Compares contenders on a curve that is not timed.
    pub(crate) fn check_cards(&mut self, subject: &Subject, which: Which) -> Result<(), Failure> {
        self.each_contender(subject, SINGLE, which, "check of ", |run, ready| run.check(subject, &ready).map(|_| ()))
    }

    /// Compares many rows, among them a bad row and an O.
    pub(crate) fn check_long(&mut self, subject: &Subject) -> Result<(), Failure> {
        self.each_contender(subject, SINGLE, Which::Default, "long check of ", |run, ready| {
            let [wanted, got] = [&subject.host, &ready.system].map(|system| vec![rows(system, &subject.inputs, MANY)]);
            run.compare(subject, &ready, &wanted, &got).map(|_| ())
        })
    }

    /// Compares the values of a batch that was timed: the first ones with those of the processor, the others with those
    /// of the same rows. Returns true if none differs.
    pub(crate) fn check_timed(
        &mut self,
        subject: &Subject,
        job: Job,
        who: &str,
        values: &[Result<Gt, RowError>],
    ) -> Result<bool, Failure> {
        let host = Batch::new(subject.host.clone());
        let first = Work::new(&host, &subject.inputs, job).values(CHECKED.min(values.len() * job.product));
        let Some(wrong) = first_wrong(values, &first) else { return Ok(true) };
        let (title, count) = (subject.title(job), values.len());
        self.fail(format!("{title}: {who}: value {wrong} of a batch of {count} differs, counted from 0"))
            .map(|()| false)
    }

    fn compare(
        &mut self,
        subject: &Subject,
        ready: &Ready,
        wanted: &[Values],
        got: &[Values],
    ) -> Result<bool, Failure> {
        let who = format!("{}, {}", subject.name, ready.name);
        let mut differing = wanted.iter().zip(got).filter(|(want, got)| want != got).map(|((job, _), _)| job.as_str());
        if let Some(reason) = ready.system.fallback_reason() {
            return self.device_failed(format!("{who}: the device failed: {reason}")).map(|()| false);
        }
        if let Some(job) = differing.next() {
            return self.fail(format!("{who}: the values of {job} differ from those of the processor")).map(|()| false);
        }
        let jobs: Vec<&str> = wanted.iter().map(|(job, _)| job.as_str()).collect();
        say(&format!("{who}: same values as the processor: {}", jobs.join("; ")));
        self.save()?;
        Ok(true)
    }
}

/// Computes all values that are compared.
fn values(system: &System, inputs: &Inputs) -> Vec<Values> {
    let batch = Batch::new(system.clone());
    let fixed = Job { product: 1, fixed: true };
    let key = format!("{CHECKED} {}", fixed.name());
    let mut all = vec![rows(system, inputs, CHECKED), (key, Work::new(&batch, inputs, fixed).values(CHECKED))];
    let batch = batch.on_this_thread();
    let (product, count) = PRODUCTS;
    for fixed in [false, true] {
        let job = Job { product, fixed };
        all.push((format!("{count} {}", job.name()), Work::new(&batch, inputs, job).values(count * product)));
    }
    all
}

/// Computes the single pairings of `count` rows, among them an O and a bad row.
fn rows(system: &System, inputs: &Inputs, count: usize) -> Values {
    let values = with_bad_rows(&Batch::new(system.clone()), inputs, count);
    (format!("{count} pairings with a bad row and an O"), values)
}
