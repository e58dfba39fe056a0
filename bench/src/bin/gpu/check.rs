//! The same values on cards as on the processor.

use crate::contenders::{Contender, contenders};
use crate::{Failure, Run, say};
use bilinear_bench::gpu::{Job, Work, with_bad_rows};
use bilinear_bench::{Inputs, Random};
use bilinear_engine::{Batch, Curve, System};

/// Rows of a check, and pairs of one of products: more than a vector has.
const CHECKED: usize = 200;
/// Rows of the long check, of which one is bad and one has an O: many tasks of a batch.
const MANY: usize = 100_000;
/// Where they are compared.
const LONG: [&str; 2] = ["a-512", "bls12-381"];

impl Run<'_> {
    /// Compares the cards with the processor on every curve.
    pub(crate) fn check(&self, random: &mut Random) -> Result<(), Failure> {
        say("\n== the same values, with a bad row and an O, single and in products, fixed or not");
        for name in Curve::names().filter(|name| self.takes(name)) {
            let host = System::new(&Curve::named(name)?)?;
            let inputs = Inputs::new(&host, random);
            for (number, Contender { name: who, cards }) in
                contenders(&self.cards, host.curve()).into_iter().enumerate()
            {
                match host.on_device(cards) {
                    Ok(on) => {
                        let batches = [host.clone(), on].map(Batch::new);
                        compare(&batches, &inputs, &who)?;
                        if LONG.contains(&name) && number == 0 {
                            compare_rows(&batches, &inputs, MANY, &who)?;
                        }
                        say(&format!("{name}, {who}: as the processor"));
                    }
                    Err(reason) => say(&format!("{name}, {who}: left out: {reason}")),
                }
            }
        }
        Ok(())
    }
}

/// Compares a device with the processor.
fn compare(batches: &[Batch; 2], inputs: &Inputs, who: &str) -> Result<(), Failure> {
    compare_rows(batches, inputs, CHECKED, who)?;
    let [host, on] = batches;
    let curve = || host.system().curve().name().to_owned();
    let differs = |job: String| Failure::Differs { curve: curve(), job, who: who.to_owned() };
    for (product, fixed) in [(1, true), (9, false), (9, true)] {
        let job = Job { product, fixed };
        let [want, got] = [host, on].map(|batch| Work::new(batch, inputs, job, CHECKED).values(batch));
        if want != got {
            return Err(differs(job.name()));
        }
    }
    on.system().fallen_back().map_or(Ok(()), |reason| Err(Failure::Fell { curve: curve(), reason }))
}

/// The single pairings of so many rows, with an O and a bad one.
fn compare_rows([host, on]: &[Batch; 2], inputs: &Inputs, rows: usize, who: &str) -> Result<(), Failure> {
    if with_bad_rows(host, inputs, rows) == with_bad_rows(on, inputs, rows) {
        return Ok(());
    }
    let (curve, job) = (host.system().curve().name().to_owned(), format!("{rows} single pairings with a bad row"));
    Err(Failure::Differs { curve, job, who: who.to_owned() })
}
