//! A machine that runs one value in the lanes of vectors: products of one pairing that do not depend on each other
//! run eight at a time (`bilinear_field::rows`).
//!
//! A program becomes a schedule (`crate::schedule`), and the schedule a list of kernel calls (`lower`). Lazy sums of
//! elements are added where a product gathers its factors, and the terms of a form where a reduction or a closed sum
//! gathers it. `places` gives each row a place by its lifetime, `code` writes the lists that kernels read, `prove`
//! proves the ranges of the calls, and `run` executes them. Of several values, two run beside each other as one
//! program (`Program::copies`).

mod calls;
mod code;
mod lower;
mod pairs;
mod places;
mod prove;
mod run;
#[cfg(test)]
mod tests;
mod tripled;

use crate::machine::{Loaded, Machine};
use crate::pool::locked;
use crate::program::{Output, Program};
use crate::schedule::{AHEAD, Schedule};
use bilinear_field::bounds::{Report, Rules};
use bilinear_field::rows::{self, RowField};
use bilinear_field::{EngineError, Margin};
use calls::Lowered;
use lower::lower;
use num_bigint::BigUint;
use places::Places;
use run::{Executable, Interleaved};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The machine of rows for a modulus.
pub struct Rows {
    field: Arc<dyn RowField>,
    /// Whether forms of unreduced values are carried.
    carries: bool,
    /// The programs that were proved last, which may be loaded next. They are kept because scheduling takes longer
    /// than anything else.
    proved: Mutex<VecDeque<(Arc<Program>, Arc<Lowered>)>>,
}

/// The number of values of a batch that run beside each other. On bls12-381, two at a time take 0.92 of their time
/// one by one; three or four gain no more, and take correspondingly longer to schedule (`bench/record`).
const COPIES: usize = 2;

/// The number of proved programs that are kept: the two of a pairing.
const KEPT: usize = 2;

impl Rows {
    /// Creates the machine for p, where this processor has kernels for it. With more spare bits values may be larger.
    /// Where forms of unreduced values are carried, their columns hold more products.
    ///
    /// # Errors
    /// Returns an error if p is even, below 3 or too long, or if the processor lacks what the kernels need.
    pub fn new(p: &BigUint, Margin { spare, carries, .. }: Margin) -> Result<Self, EngineError> {
        Ok(Rows { field: rows::field(p, spare)?, carries, proved: Mutex::default() })
    }

    /// Returns a program as calls, in bundles of as many products as kernels take.
    fn lowered(&self, program: &Arc<Program>) -> Arc<Lowered> {
        let kept = || locked(&self.proved);
        let known = kept().iter().find(|(other, _)| Arc::ptr_eq(program, other)).map(|(_, lowered)| lowered.clone());
        known.unwrap_or_else(|| {
            let schedule = Schedule::new(program, rows::LANES, AHEAD);
            let lowered = Arc::new(lower(&schedule, self.carries));
            let mut kept = kept();
            kept.push_front((program.clone(), lowered.clone()));
            kept.truncate(KEPT);
            lowered
        })
    }
}

impl Machine for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn modulus(&self) -> &BigUint {
        self.field.modulus()
    }

    fn rules(&self) -> Option<Arc<dyn Rules>> {
        Some(self.field.rules())
    }

    /// Proves the ranges of the calls: operations that are fused in the program are not fused in what runs, and the reverse.
    fn prove(&self, program: &Arc<Program>) -> Option<Report> {
        let lowered = self.lowered(program);
        let mut report = lowered.prove(&*self.field.rules(), program.outputs());
        report.violations.extend(Places::new(&lowered, self.field.wide()).fit().err());
        Some(report)
    }

    /// Returns false: no more than two values share an inversion.
    fn shares_inversions(&self) -> bool {
        false
    }

    /// # Panics
    /// Also panics if the program needs more rows than offsets reach, which [`Machine::prove`] finds.
    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded> {
        assert_eq!(program.modulus(), self.modulus(), "the program and the machine are over different fields");
        let lowered = self.lowered(program);
        let one = Interleaved::new(self.field.clone(), program.clone(), &lowered, 1);
        let (field, program, carries) = (self.field.clone(), program.clone(), self.carries);
        Arc::new(Executable::new(one, move || {
            // a program that makes lines makes those of one argument alone
            if program.outputs().iter().any(|output| matches!(output, Output::Uniform(_))) {
                return None;
            }
            let copies = Arc::new(program.copies(COPIES)?);
            let lowered = lower(&Schedule::new(&copies, rows::LANES, COPIES * AHEAD), carries);
            let fits = Places::new(&lowered, field.wide()).fit().is_ok();
            let in_range = lowered.prove(&*field.rules(), copies.outputs()).violations.is_empty();
            (fits && in_range).then(|| Interleaved::new(field.clone(), copies, &lowered, COPIES))
        }))
    }
}
