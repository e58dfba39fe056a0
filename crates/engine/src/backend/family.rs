//! The families that the engine computes with, and what each of them has to choose from. The only place that knows which
//! these are: everything else asks for a [`Choice`].

use crate::backend::error::SystemError;
use crate::backend::options::{Options, PairingKind, Power};
use bilinear_pairing::Prices;
use bilinear_params::{Curve, Family, Layout, QuadraticTwist, Sextic, SexticKind, Supersingular, Unit};

/// A curve's family, where the engine computes with it.
#[derive(Clone, Copy)]
pub(crate) enum Known<'a> {
    /// PBC's types A and A1.
    Symmetric(&'a Supersingular),
    /// BN, BLS12, BLS24, BLS48 and KSS18 curves, PBC's type F.
    Sextic(&'a Sextic),
    /// PBC's types D and G.
    QuadraticTwist(&'a QuadraticTwist),
    /// PBC's type E.
    Unit(&'a Unit),
}

/// A family with one of its pairings.
pub(crate) struct Choice<'a> {
    /// The family.
    pub family: Known<'a>,
    /// Which pairing.
    pub pairing: PairingKind,
    /// Which power of it.
    pub power: Power,
    /// The prices that decide how it is computed.
    pub prices: Prices,
}

impl<'a> Choice<'a> {
    /// What the options ask of a curve.
    pub(crate) fn new(curve: &'a Curve, options: Options) -> Result<Choice<'a>, SystemError> {
        let name = || curve.name().to_owned();
        let family = match curve.family() {
            Family::Supersingular(s) => Known::Symmetric(s),
            Family::Sextic(s) => Known::Sextic(s),
            Family::QuadraticTwist(s) => Known::QuadraticTwist(s),
            Family::Unit(s) => Known::Unit(s),
            // families that only crates/params knows so far
            _ => return Err(SystemError::Family { curve: name() }),
        };
        let (pairings, powers) = family.offers();
        // PBC's own is the Tate pairing on every type
        let own = if curve.layout() == Layout::Pbc { PairingKind::Tate } else { pairings[0] };
        let pairing = options.pairing.unwrap_or(own);
        if !pairings.contains(&pairing) {
            return Err(SystemError::Pairing { curve: name(), asked: pairing, has: pairings });
        }
        let power = options.power;
        if !powers.contains(&power) {
            return Err(SystemError::Power { curve: name(), asked: power, has: powers });
        }
        Ok(Choice { family, pairing, power, prices: options.prices })
    }
}

impl<'a> Known<'a> {
    /// The pairings and powers that there are, the family's own first.
    fn offers(self) -> (&'static [PairingKind], &'static [Power]) {
        match self {
            Known::Symmetric(_) | Known::Unit(_) => (&[PairingKind::Tate], &[Power::Exact]),
            Known::QuadraticTwist(_) => (&[PairingKind::Tate, PairingKind::Ate], &[Power::Exact]),
            Known::Sextic(s) if s.kind() == SexticKind::Bn => (&PairingKind::ALL, &Power::ALL),
            Known::Sextic(_) => (&[PairingKind::OptAte, PairingKind::Ate, PairingKind::Tate], &Power::ALL),
        }
    }
}
