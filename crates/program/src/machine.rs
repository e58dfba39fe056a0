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

/// Bytes of the values of vectors that run together, so that these and the rest fit the second-level cache.
const CACHE: usize = 512 << 10;
/// The most vectors that run together: an inversion's share is small by then.
const MOST_TOGETHER: usize = 32;
/// The same where an inversion is most of what a vector takes.
const MOST_FOR_INVERSIONS: usize = 256;

/// The machine of an engine for a modulus.
///
/// # Errors
/// If the engine does not compute with p, or the processor lacks what it needs.
pub fn machine(engine: Engine, p: &BigUint, margin: Margin) -> Result<Arc<dyn Machine>, EngineError> {
    if engine == Engine::Rows {
        return Ok(Arc::new(Rows::new(p, margin)?));
    }
    dispatch(engine, p, Make { engine, margin, rules: rules(engine, p, WORDS, LIMBS, margin) })
}

/// Makes a machine of the field that an engine has for a modulus.
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
    /// Its name, as users know it.
    fn name(&self) -> &'static str;
    /// How many independent values it computes with at a time: at most 64.
    fn lanes(&self) -> usize;
    /// p.
    fn modulus(&self) -> &BigUint;
    /// 64-bit words of a residue.
    fn word_len(&self) -> usize {
        self.modulus().bits().div_ceil(64) as usize
    }
    /// What its values may be; `None` where they are exact.
    fn rules(&self) -> Option<Arc<dyn Rules>>;
    /// The program as it suits this machine best, with the same ports: ranges are to be proved of what is run.
    fn suited(&self, program: &Arc<Program>) -> Arc<Program> {
        program.clone()
    }
    /// What the values of a program, suited to this machine, may be on it; `None` where they are exact.
    fn prove(&self, suited: &Arc<Program>) -> Option<Report> {
        Some(ranges::prove(suited, &self.rules()?))
    }
    /// A program, suited to this machine, with reductions that estimate no quotient where its ranges permit that, and what they are; `None`
    /// where there are no such reductions.
    fn near(&self, _suited: &Arc<Program>) -> Option<(Arc<Program>, Report)> {
        None
    }
    /// How many vectors one task of a batch takes at most: they share inversions, and what runs stays in the second-level cache.
    fn task(&self) -> usize {
        MOST_TOGETHER
    }
    /// Whether programs with an inversion in every step of a loop pay, since all vectors share it.
    fn shares_inversions(&self) -> bool {
        true
    }
    /// Whether host code may call its programs many times for one value ([`Loaded::calls`]).
    fn takes_calls(&self) -> bool {
        false
    }
    /// Why another machine computes in the place of this one, if it has failed.
    fn fallen_back(&self) -> Option<String> {
        None
    }
    /// Whether another machine computes everything in the place of this one from now on.
    fn is_broken(&self) -> bool {
        false
    }
    /// How many values of batches without secrets another machine has computed in the place of this one, those of lanes that hold none among them.
    fn left_to_another(&self) -> usize {
        0
    }
    /// Places for so many residues that lanes of batches take and leave, all 0.
    fn store(&self, len: usize) -> Store {
        Store::of_words(len, self.modulus())
    }
    /// Makes a program ready to run.
    ///
    /// # Panics
    /// If the program is over another field.
    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded>;
}

/// A program on a machine.
pub trait Loaded: Send + Sync {
    /// Runs the program on every vector of a batch.
    ///
    /// # Panics
    /// If the batch was made for another program or machine, or a prepared argument is missing, too short or of another machine.
    fn run(&self, batch: &mut Batch);
    /// The program for many calls from host code, on stores in the machine's own form; `None` where it does more than compute with elements
    /// that it takes, does not begin with calls of one routine, or the machine has nothing better than batches.
    fn calls(&self) -> Option<Box<dyn Calls + '_>> {
        None
    }
    /// How many vectors run together best: they share inversions, and what each keeps meanwhile stays in the cache.
    fn together(&self) -> usize;
    /// The same where little is computed beside the inversion.
    fn together_for_inversions(&self) -> usize {
        self.together()
    }
}

/// A program that host code calls many times.
pub trait Calls {
    /// Computes with residues of a store, by the number of each input and output among the elements, without so many of the first calls.
    ///
    /// # Panics
    /// If there are not as many calls, numbers, no such residues, or the store is of another machine.
    fn call(&mut self, skipped: usize, store: &mut Store, takes: &[u32], leaves: &[u32]);
}

/// A machine made of an engine's own field operations.
pub struct Native {
    name: &'static str,
    arithmetic: Arc<dyn Arithmetic>,
    modulus: BigUint,
    rules: Option<Arc<dyn Rules>>,
}

impl Native {
    /// The machine that computes with this field, whose ranges are the caller's to prove.
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
        assert_eq!(program.modulus(), self.modulus(), "a program over the field of the machine");
        Arc::new(Executable::new(self.arithmetic.clone(), program.clone(), Placed::new(program)))
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
        (CACHE / self.bytes_of_vector().max(1)).clamp(2, MOST_TOGETHER)
    }

    fn together_for_inversions(&self) -> usize {
        (CACHE / self.bytes_of_vector().max(1)).clamp(2, MOST_FOR_INVERSIONS)
    }
}
