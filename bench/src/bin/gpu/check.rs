//! Compares the values that cards compute with those of the processor.

use crate::contenders::{Ready, Which};
use crate::subjects::{SINGLE, Subject, Values};
use crate::{Failure, Run, say};
use bilinear_bench::Inputs;
use bilinear_bench::gpu::{Job, Work, with_bad_rows};
use bilinear_engine::{Batch, System};

/// The number of rows of a check: more than a vector has.
const CHECKED: usize = 200;
/// The number of pairs of a product, and the number of products. The products fill one vector: each lane computes a
/// whole product on one thread, whose pairs share their squarings.
const PRODUCTS: (usize, usize) = (9, 64);
/// The number of rows of the long check: many tasks of a batch.
const MANY: usize = 100_000;
/// The curves of the long check.
const LONG: [&str; 2] = ["a-512", "bls12-381"];

impl Run<'_> {
    /// Compares these contenders with the processor, which computes the values once for all of them.
    pub(crate) fn check(&mut self, subject: &Subject, which: Which) -> Result<(), Failure> {
        self.each_contender(subject, SINGLE, which, "check of ", |run, Ready { name, system, .. }| {
            let wanted = subject.wanted.get_or_init(|| values(&subject.host, &subject.inputs));
            run.compare(subject, &name, &system, wanted, &values(&system, &subject.inputs))
        })
    }

    /// Compares many rows, among them a bad row and an O, if the curve is one of `LONG`.
    pub(crate) fn check_long(&mut self, subject: &Subject) -> Result<(), Failure> {
        if !LONG.contains(&subject.name) {
            return Ok(());
        }
        self.each_contender(subject, SINGLE, Which::Default, "long check of ", |run, Ready { name, system, .. }| {
            let [wanted, got] = [&subject.host, &system].map(|system| vec![rows(system, &subject.inputs, MANY)]);
            run.compare(subject, &name, &system, &wanted, &got)
        })
    }

    fn compare(
        &mut self,
        subject: &Subject,
        who: &str,
        system: &System,
        wanted: &[Values],
        got: &[Values],
    ) -> Result<(), Failure> {
        let curve = subject.name;
        let mut differing = wanted.iter().zip(got).filter(|(want, got)| want != got).map(|((job, _), _)| job.as_str());
        if let Some(reason) = system.fallback_reason() {
            return self.fail(format!("{curve}, {who}: the device failed: {reason}"));
        }
        if let Some(job) = differing.next() {
            return self.fail(format!("{curve}, {who}: the values of {job} differ from those of the processor"));
        }
        let jobs: Vec<&str> = wanted.iter().map(|(job, _)| job.as_str()).collect();
        say(&format!("{curve}, {who}: same values as the processor: {}", jobs.join("; ")));
        Ok(())
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
