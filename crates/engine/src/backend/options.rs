//! What may be chosen when a curve is made ready: an engine, and one of the pairings that its family has.

use bilinear_field::Engine;
use bilinear_pairing::Prices;
use bilinear_pairing::names::{PairingKind, Power};

/// Says that a curve of small characteristic is wanted, although its discrete logarithms are broken: they take quasi-polynomial time in
/// F_2^4m (Barbulescu, Gaudry, Joux, Thomé, EUROCRYPT 2014), about 2^59 steps for m = 1223 (Granger, Kleinjung, Zumbrägel, CRYPTO 2014). No
/// secret is safe with it. Such curves are here to measure beside, and to read values of old systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Research(());

impl Research {
    /// For who knows what that means.
    pub fn knowing_it_is_broken() -> Research {
        Research(())
    }
}

/// The choice for a curve. The default is the best engine of this processor, the family's own pairing, and
/// the exact exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The engine; the best of this processor if there is none.
    pub engine: Option<Engine>,
    /// The pairing; the first that the family has if there is none.
    pub pairing: Option<PairingKind>,
    /// The power of it.
    pub power: Power,
    /// The prices of the machine that programs are recorded for: they decide which operations lead to the values. Those of the engine if
    /// there are none.
    pub prices: Option<Prices>,
    /// What curves of small characteristic need: [`Curve::is_for_research`](bilinear_params::Curve::is_for_research).
    pub research: Option<Research>,
}

/// Those of eight products and reductions at a time: an inversion, 2.4 µs on a Zen 5, takes as long as 600 (`bench/record`).
const OF_ROWS: Prices = Prices { inversion: 600 };

impl Options {
    /// The prices that programs are recorded for.
    pub(crate) fn prices(self) -> Prices {
        let of_engine = if self.engine == Some(Engine::Rows) { OF_ROWS } else { Prices::default() };
        self.prices.unwrap_or(of_engine)
    }

    /// The engine for single values: that of this processor where a device was chosen, which computes batches, or may be.
    pub fn engine(self) -> Engine {
        self.engine.filter(|engine| !matches!(engine, Engine::Cuda | Engine::Auto)).unwrap_or(Engine::Mont)
    }
}
