//! Machines, which execute programs.
//!
//! A machine states what it computes with: p, the number of lanes, the words of a residue, and the ranges of its values. The caller
//! does not know its instructions.

use crate::batch::Batch;
use crate::execute::{Arithmetic, Executable, Typed};
use crate::places::Placed;
use crate::program::Program;
use crate::ranges;
use crate::rows::Rows;
use crate::store::Store;
use bilinear_field::bounds::{Report, Rules};
use bilinear_field::{Engine, EngineError, Job, LIMBS, Lanes, Margin, WORDS, dispatch, rules};
use num_bigint::BigUint;
use std::sync::Arc;

/// The bytes available for the values of vectors that run together, so that these and everything else fit in the
/// second-level cache.
const CACHE: usize = 512 << 10;
/// The greatest number of vectors that run together: at that number each vector's share of an inversion is small.
const MAX_TOGETHER: usize = 32;
/// The greatest number of vectors that run together where an inversion is most of the work for a vector.
const MAX_FOR_INVERSIONS: usize = 256;

/// Returns the machine of an engine for a modulus.
///
/// # Errors
/// Returns an error if the engine does not compute with p, or if the processor lacks what the engine needs.
pub fn machine(engine: Engine, p: &BigUint, margin: Margin) -> Result<Arc<dyn Machine>, EngineError> {
    if engine == Engine::Rows {
        return Ok(Arc::new(Rows::new(p, margin)?));
    }
    dispatch(engine, p, Make { engine, margin, rules: rules(engine, p, WORDS, LIMBS, margin) })
}

/// A job that makes a machine of the field that an engine has for a modulus.
struct Make {
    engine: Engine,
    margin: Margin,
    rules: Option<Arc<dyn Rules>>,
}

impl Job for Make {
    type Output = Arc<dyn Machine>;

    fn margin(&self) -> Margin {
        self.margin
    }

    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Machine> {
        Arc::new(Native { rules: self.rules, ..Native::new(self.engine.name(), field) })
    }
}

/// A machine for one modulus.
pub trait Machine: Send + Sync {
    /// The name of the machine, as users know it.
    fn name(&self) -> &'static str;
    /// The number of independent values that the machine computes with at a time: at most 64.
    fn lanes(&self) -> usize;
    /// The modulus p.
    fn modulus(&self) -> &BigUint;
    /// The number of 64-bit words of a residue.
    fn word_len(&self) -> usize {
        self.modulus().bits().div_ceil(64) as usize
    }
    /// The rules for the ranges of the machine's values; `None` where values are exact.
    fn rules(&self) -> Option<Arc<dyn Rules>>;
    /// Returns the program in the form that suits this machine best, with the same ports. Ranges are to be proved for
    /// the program that runs.
    fn suited(&self, program: &Arc<Program>) -> Arc<Program> {
        program.clone()
    }
    /// Proves the ranges of the values of a program that is suited to this machine; `None` where values are exact.
    fn prove(&self, suited: &Arc<Program>) -> Option<Report> {
        Some(ranges::prove(suited, &self.rules()?))
    }
    /// Replaces reductions of a program that is suited to this machine by reductions that estimate no quotient, where its
    /// ranges permit that. Returns the new program and the report on its ranges; `None` where there are no such reductions.
    fn near(&self, _suited: &Arc<Program>) -> Option<(Arc<Program>, Report)> {
        None
    }
    /// The greatest number of vectors in one task of a batch: they share inversions, and their data stays in the
    /// second-level cache.
    fn task(&self) -> usize {
        MAX_TOGETHER
    }
    /// Returns true if programs with an inversion in every step of a loop pay off, since all vectors share the inversion.
    fn shares_inversions(&self) -> bool {
        true
    }
    /// Returns true if host code may call programs of this machine many times for one value ([`Loaded::calls`]).
    fn takes_calls(&self) -> bool {
        false
    }
    /// The reason why another machine computes in place of this one, if this one has failed.
    fn fallback_reason(&self) -> Option<String> {
        None
    }
    /// Returns true if another machine computes everything in place of this one from now on.
    fn is_broken(&self) -> bool {
        false
    }
    /// The number of values of batches without secrets that another machine has computed in place of this one. Lanes
    /// that hold no value count as well.
    fn left_to_another(&self) -> usize {
        0
    }
    /// Creates a store of `len` residues, all 0, that lanes of batches take and leave.
    fn store(&self, len: usize) -> Store {
        Store::of_words(len, self.modulus())
    }
    /// Makes a program ready to run.
    ///
    /// # Panics
    /// Panics if the program is over another field.
    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded>;
}

/// A program that a machine has made ready to run.
pub trait Loaded: Send + Sync {
    /// Runs the program on every vector of a batch.
    ///
    /// # Panics
    /// Panics if the batch was made for another program or machine, or if a prepared argument is missing, too short
    /// or of another machine.
    fn run(&self, batch: &mut Batch);
    /// Opens the program for many calls from host code, on stores in the machine's own form. Returns `None` if the
    /// program does more than compute with elements that it takes, if it does not begin with calls of one routine, or
    /// if the machine has nothing better than batches.
    fn calls(&self) -> Option<Box<dyn Calls + '_>> {
        None
    }
    /// The number of vectors that run together best: they share inversions, and the values that each keeps meanwhile
    /// stay in the cache.
    fn together(&self) -> usize;
    /// The number of vectors that run together best where little is computed beside the inversion.
    fn together_for_inversions(&self) -> usize {
        self.together()
    }
}

/// A program that host code calls many times.
pub trait Calls {
    /// Computes with residues of a store, without the first `skipped` calls of the plan. `takes` and `leaves` are the
    /// numbers of the residues for the inputs and the outputs among the elements.
    ///
    /// # Panics
    /// Panics if the plan cannot skip this number of calls, if there is not one number for each port, if there is no
    /// such residue, or if the store is of another machine.
    fn call(&mut self, skipped: usize, store: &mut Store, takes: &[u32], leaves: &[u32]);
}

/// A machine that consists of an engine's own field operations.
pub struct Native {
    name: &'static str,
    arithmetic: Arc<dyn Arithmetic>,
    modulus: BigUint,
    rules: Option<Arc<dyn Rules>>,
}

impl Native {
    /// Creates the machine that computes with this field. The caller has to prove the ranges.
    pub fn new<F: Lanes + 'static>(name: &'static str, field: F) -> Self {
        let modulus = field.modulus().clone();
        Native { name, arithmetic: Arc::new(Typed::new(field)), modulus, rules: None }
    }
}

impl Machine for Native {
    fn name(&self) -> &'static str {
        self.name
    }

    fn lanes(&self) -> usize {
        self.arithmetic.lanes()
    }

    fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    fn rules(&self) -> Option<Arc<dyn Rules>> {
        self.rules.clone()
    }

    fn suited(&self, program: &Arc<Program>) -> Arc<Program> {
        program.suited(|code, coefficients| self.arithmetic.has_kernel(code, coefficients))
    }

    fn near(&self, suited: &Arc<Program>) -> Option<(Arc<Program>, Report)> {
        let (program, report) = ranges::near(suited, self.rules.as_ref()?)?;
        Some((Arc::new(program), report))
    }

    fn takes_calls(&self) -> bool {
        self.lanes() == 1
    }

    fn store(&self, len: usize) -> Store {
        self.arithmetic.store(len)
    }

    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded> {
        assert_eq!(program.modulus(), self.modulus(), "the program and the machine are over different fields");
        Arc::new(Executable::new(
            self.arithmetic.clone(),
            program.clone(),
            Placed::new(program, self.arithmetic.entry_bits()),
        ))
    }
}

impl Loaded for Executable {
    fn run(&self, batch: &mut Batch) {
        self.execute(batch);
    }

    fn calls(&self) -> Option<Box<dyn Calls + '_>> {
        self.open()
    }

    fn together(&self) -> usize {
        (CACHE / self.bytes_of_vector().max(1)).clamp(2, MAX_TOGETHER)
    }

    fn together_for_inversions(&self) -> usize {
        (CACHE / self.bytes_of_vector().max(1)).clamp(2, MAX_FOR_INVERSIONS)
    }
}
