//! The same values on cards as on the processor.

use crate::contenders::{Ready, Which};
use crate::subjects::{SINGLE, Subject, Values};
use crate::{Failure, Run, say};
use bilinear_bench::Inputs;
use bilinear_bench::gpu::{Job, Work, with_bad_rows};
use bilinear_engine::{Batch, System};

/// Rows of a check: more than a vector has.
const CHECKED: usize = 200;
/// Pairs of a product, and products: a vector of them, whose lanes have whole products on one thread, and share their squarings.
const PRODUCTS: (usize, usize) = (9, 64);
/// Rows of the long check: many tasks of a batch.
const MANY: usize = 100_000;
/// Where they are compared.
const LONG: [&str; 2] = ["a-512", "bls12-381"];

impl Run<'_> {
    /// Compares these contenders with the processor, which computes once for all of them.
    pub(crate) fn check(&mut self, subject: &Subject, which: Which) -> Result<(), Failure> {
        self.each_contender(subject, SINGLE, which, "check of ", |run, Ready { name, system, .. }| {
            let wanted = subject.wanted.get_or_init(|| values(&subject.host, &subject.inputs));
            run.compare(subject, &name, &system, wanted, &values(&system, &subject.inputs))
        })
    }

    /// Compares many rows where that is asked for, with a bad one and an O.
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
        if let Some(reason) = system.fallen_back() {
            return self.fail(format!("{curve}, {who}: the device failed: {reason}"));
        }
        if let Some(job) = differing.next() {
            return self.fail(format!("{curve}, {who}: {job} have other values than on the processor"));
        }
        let jobs: Vec<&str> = wanted.iter().map(|(job, _)| job.as_str()).collect();
        say(&format!("{curve}, {who}: as the processor: {}", jobs.join("; ")));
        Ok(())
    }
}

/// Everything that is compared.
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

/// The single pairings of so many rows, with an O and a bad one.
fn rows(system: &System, inputs: &Inputs, count: usize) -> Values {
    let values = with_bad_rows(&Batch::new(system.clone()), inputs, count);
    (format!("{count} pairings with a bad row and an O"), values)
}
