//! The families whose pairings are recorded, and the pairings and powers that each family offers. Only this file
//! knows the list of families: everything else asks for a [`ChosenPairing`].

use crate::backend::error::SystemError;
use crate::backend::options::Options;
use bilinear_pairing::CostModel;
use bilinear_pairing::names::{PairingKind, Power};
use bilinear_pairing::{degree_one, sextic};
use bilinear_params::{Curve, DegreeOne, Family, Layout, QuadraticTwist, Sextic, Supersingular};

/// The family of a curve whose pairing is recorded.
#[derive(Clone, Copy)]
pub(crate) enum KnownFamily<'a> {
    /// PBC's types A and A1.
    Supersingular(&'a Supersingular),
    /// BN, BLS12, BLS24, BLS48 and KSS18 curves, PBC's type F.
    Sextic(&'a Sextic),
    /// PBC's types D and G.
    QuadraticTwist(&'a QuadraticTwist),
    /// PBC's type E.
    DegreeOne(&'a DegreeOne),
}

/// A family with one of its pairings.
pub(crate) struct ChosenPairing<'a> {
    /// The family of the curve.
    pub family: KnownFamily<'a>,
    /// The pairing chosen.
    pub pairing: PairingKind,
    /// The power of the pairing.
    pub power: Power,
    /// The cost model that decides how the pairing is computed.
    pub cost_model: CostModel,
}

impl<'a> ChosenPairing<'a> {
    /// Selects the pairing and power that the options ask of a curve.
    pub(crate) fn new(curve: &'a Curve, options: Options) -> Result<ChosenPairing<'a>, SystemError> {
        let name = || curve.name().to_owned();
        let family = match curve.family() {
            Family::Supersingular(s) => KnownFamily::Supersingular(s),
            Family::Sextic(s) => KnownFamily::Sextic(s),
            Family::QuadraticTwist(s) => KnownFamily::QuadraticTwist(s),
            Family::DegreeOne(s) => KnownFamily::DegreeOne(s),
            Family::Binary(_) | Family::Ternary(_) => {
                return Err(SystemError::NotRecorded { curve: name() });
            }
            // families that so far only crates/params supports
            _ => return Err(SystemError::Family { curve: name() }),
        };
        let (pairings, powers) = family.offers();
        // PBC's own pairing is the Tate pairing on every type
        let own = if curve.layout() == Layout::Pbc { PairingKind::Tate } else { pairings[0] };
        let pairing = options.pairing.unwrap_or(own);
        if !pairings.contains(&pairing) {
            return Err(SystemError::Pairing { curve: name(), asked: pairing, has: pairings });
        }
        let power = options.power;
        if !powers.contains(&power) {
            return Err(SystemError::Power { curve: name(), asked: power, has: powers });
        }
        Ok(ChosenPairing { family, pairing, power, cost_model: options.cost_model() })
    }
}

impl<'a> KnownFamily<'a> {
    /// The available pairings and powers, the family's own first.
    fn offers(self) -> (&'static [PairingKind], &'static [Power]) {
        match self {
            KnownFamily::Supersingular(_) => (&[PairingKind::Tate], &[Power::Exact]),
            KnownFamily::DegreeOne(_) => (degree_one::PAIRINGS, &[Power::Exact]),
            KnownFamily::QuadraticTwist(_) => (&[PairingKind::Tate, PairingKind::Ate], &[Power::Exact]),
            KnownFamily::Sextic(s) => (sextic::pairings(s.kind()), &Power::ALL),
        }
    }
}
