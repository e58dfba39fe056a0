//! The options of a system: an engine, and one of the pairings of the curve's family.

use bilinear_field::Engine;
use bilinear_pairing::CostModel;
use bilinear_pairing::names::{PairingKind, Power};

/// The statement that a curve of small characteristic is wanted, although discrete logarithms on it are broken. They
/// take quasi-polynomial time in F_2^4m (Barbulescu, Gaudry, Joux, Thomé, EUROCRYPT 2014), about 2^59 steps for m =
/// 1223 (Granger, Kleinjung, Zumbrägel, CRYPTO 2014). No secret is safe on such curves. They serve as a comparison in
/// measurements, and to read values of old systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Research(());

impl Research {
    /// Creates the statement. Call this only with the knowledge of what it means.
    pub fn knowing_it_is_broken() -> Research {
        Research(())
    }
}

/// The options of a system. The default is the best engine of this processor, the family's own pairing, and the exact
/// exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The engine; the best of this processor if `None`.
    pub engine: Option<Engine>,
    /// The pairing; the first that the family has if `None`.
    pub pairing: Option<PairingKind>,
    /// The power of the pairing.
    pub power: Power,
    /// The cost model of the machine that programs are recorded for: it decides which operations lead to the values.
    /// That of the engine if `None`.
    pub cost_model: Option<CostModel>,
    /// The statement that curves of small characteristic need:
    /// [`Curve::is_for_research`](bilinear_params::Curve::is_for_research).
    pub research: Option<Research>,
}

/// The cost model of `rows`, with eight products and reductions at a time: an inversion, 2.4 µs on a Zen 5, takes as long
/// as 600 (`bench/record`).
const ROWS_COSTS: CostModel = CostModel { inversion: 600 };

impl Options {
    /// The cost model that programs are recorded for.
    pub(crate) fn cost_model(self) -> CostModel {
        let of_engine = if self.engine == Some(Engine::Rows) { ROWS_COSTS } else { CostModel::default() };
        self.cost_model.unwrap_or(of_engine)
    }

    /// The engine for single values: one of this processor, also if the options name a device, which computes
    /// batches, or `auto`, which may use one.
    pub fn engine(self) -> Engine {
        self.engine.filter(|engine| !matches!(engine, Engine::Cuda | Engine::Auto)).unwrap_or(Engine::Mont)
    }
}
