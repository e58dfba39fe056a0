//! Machines: whatever executes programs.

use crate::batch::Batch;
use crate::execute::Executable;
use crate::places::Placed;
use crate::program::Program;
use bilinear_field::{Engine, EngineError, Job, Lanes, SPARE, dispatch};
use num_bigint::BigUint;
use std::sync::Arc;

/// Bytes of the values of vectors that run together: they leave the second-level cache room for the rest.
const CACHE: usize = 512 << 10;
/// The most vectors that run together: an inversion's share is small by then.
const MOST_TOGETHER: usize = 32;

/// The spare bits above a modulus in lanes that programs over F_p² need, and those over any tower.
const LEAST_SPARE: u64 = 4;

/// The machine of an engine for a modulus. In lanes, programs over no more than F_p² (`quadratic`) get along with fewer limbs.
///
/// # Errors
/// If the engine does not compute with p, or the processor lacks what it needs.
pub fn machine(engine: Engine, p: &BigUint, quadratic: bool) -> Result<Arc<dyn Machine>, EngineError> {
    if quadratic {
        dispatch(engine, p, Make::<LEAST_SPARE>(engine))
    } else {
        dispatch(engine, p, Make::<SPARE>(engine))
    }
}

/// Makes a machine of the field that an engine has for a modulus.
struct Make<const SPARE: u64>(Engine);

impl<const S: u64> Job for Make<S> {
    type Output = Arc<dyn Machine>;
    const WORDS: &'static [usize] = &[2, 3, 4, 5, 6, 8, 10, 12, 16, 17, 24, 25, 33, 48, 65];
    const SPARE: u64 = S;

    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Machine> {
        Arc::new(Native::new(self.0.name(), field))
    }
}

/// A machine for one modulus.
pub trait Machine: Send + Sync {
    /// Its name, as users know it.
    fn name(&self) -> &'static str;
    /// How many independent values it computes with at a time.
    fn lanes(&self) -> usize;
    /// p.
    fn modulus(&self) -> &BigUint;
    /// 64-bit words of a residue.
    fn word_len(&self) -> usize {
        self.modulus().bits().div_ceil(64) as usize
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
    /// How many vectors run together best: they share inversions, and what each keeps meanwhile stays in the cache.
    fn together(&self) -> usize;
}

/// A machine made of an engine's own field operations.
pub struct Native<F> {
    name: &'static str,
    field: F,
}

impl<F: Lanes + 'static> Native<F> {
    /// The machine that computes with this field.
    pub fn new(name: &'static str, field: F) -> Self {
        Native { name, field }
    }
}

impl<F: Lanes + 'static> Machine for Native<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn lanes(&self) -> usize {
        F::LANES
    }

    fn modulus(&self) -> &BigUint {
        self.field.modulus()
    }

    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded> {
        assert_eq!(program.modulus(), self.modulus(), "a program over the field of the machine");
        Arc::new(Executable::new(self.field.clone(), program.clone(), Placed::new(program)))
    }
}

impl<F: Lanes + 'static> Loaded for Executable<F> {
    fn run(&self, batch: &mut Batch) {
        self.execute(batch);
    }

    fn together(&self) -> usize {
        (CACHE / self.bytes_of_vector().max(1)).clamp(2, MOST_TOGETHER)
    }
}
