//! Work on the engine in lanes.

use bilinear_field::{Engine, EngineError, Job, Lanes, dispatch};
use num_bigint::BigUint;

/// What is done over a field.
pub trait Work {
    fn run<F: Lanes + 'static>(self, f: F);
}

/// It, compiled for lanes with a place for C limbs and nothing else.
struct Place<W, const C: usize>(W);

impl<W: Work, const C: usize> Job for Place<W, C> {
    type Output = ();
    const ENGINES: &'static [Engine] = &[Engine::Ifma];
    const LIMBS: &'static [usize] = &[C];
    fn run<F: Lanes + 'static>(self, f: F) {
        self.0.run(f);
    }
}

/// Does it over F_p in lanes with a place for C limbs, where the processor has the instructions.
pub fn in_lanes<const C: usize>(p: &BigUint, work: impl Work) {
    match dispatch(Engine::Ifma, p, Place::<_, C>(work)) {
        Ok(()) | Err(EngineError::Unavailable(_)) => {}
        Err(reason) => panic!("{reason}"),
    }
}
