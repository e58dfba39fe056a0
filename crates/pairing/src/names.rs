//! Choices made by name: the pairing of a curve, and the power to which it is raised.

use bilinear_field::named;
use std::fmt;
use std::str::FromStr;

named! {
    /// A pairing. The Miller function is raised to (p^k − 1)/r, for the α- and β-Weil pairings only to the easy part of
    /// this exponent, and for Weil's pairing not at all.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PairingKind {
        /// The optimal ate pairing (Vercauteren, IEEE Trans. Information Theory 56, 2010).
        OptAte = "optate",
        /// The ate pairing f_{t−1,Q}(P) (Hess, Smart and Vercauteren, IEEE Trans. Information Theory 52, 2006).
        Ate = "ate",
        /// The R-ate pairing on BN curves (Lee, Lee and Park, IEEE Trans. Information Theory 55, 2009).
        RAte = "rate",
        /// The Tate pairing f_{r,P}(Q).
        Tate = "tate",
        /// The β-Weil pairing on BN and BLS12 curves (Aranha, Knapp, Menezes and Rodríguez-Henríquez, IMACC 2011). It has
        /// four independent loops and only the easy part of the final exponentiation, and is meant for one pairing on
        /// many cores.
        BetaWeil = "betaweil",
        /// The α-Weil pairing on BN and BLS12 curves (Aranha, Knapp, Menezes and Rodríguez-Henríquez, IMACC 2011).
        AlphaWeil = "alphaweil",
        /// The Weil pairing on curves of embedding degree 1 (Miller, J. Cryptology 17, 2004): two independent loops and
        /// no final exponentiation.
        Weil = "weil",
        /// η_T over F_2^m and F_3^m (Barreto, Galbraith, Ó hÉigeartaigh, Scott, Designs, Codes and Cryptography 42, 2007).
        EtaT = "etat",
        /// The optimal η pairing on curves of genus 2 over F_2^m (Aranha, Beuchat, Detrey, Estibals, CT-RSA 2012).
        OptEta = "opteta",
    }
}

impl PairingKind {
    /// Returns true for the Weil pairings, whose final exponentiation has the easy part at most.
    pub fn is_weil(self) -> bool {
        matches!(self, PairingKind::BetaWeil | PairingKind::AlphaWeil | PairingKind::Weil)
    }
}

named! {
    /// The exponent of the final exponentiation.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Power {
        /// (p^k − 1)/r.
        #[default]
        Exact = "exact",
        /// The multiple m(p^k − 1)/r that the family's cheapest addition chain gives. The value is e(P, Q)^m for a fixed
        /// m prime to r: an equally good pairing, but another value. Only curves with a sextic twist have this power:
        /// m = 2u(6u² + 3u + 1) for BN, 3 for BLS, −1/(2 + p³)² modulo r for KSS18.
        Fast = "fast",
    }
}

impl FromStr for PairingKind {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<PairingKind, UnknownName> {
        UnknownName::find("pairing", name, &PairingKind::ALL)
    }
}

impl FromStr for Power {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Power, UnknownName> {
        UnknownName::find("power", name, &Power::ALL)
    }
}

/// The error that no choice has the given name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {what} is called {name:?}: choose one of {known}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: String,
}

impl UnknownName {
    /// Returns the value with this name, ignoring case.
    ///
    /// # Errors
    /// Returns an error if no value has this name.
    pub fn find<T: Copy + fmt::Display>(what: &'static str, name: &str, all: &[T]) -> Result<T, UnknownName> {
        let unknown = || UnknownName { what, name: name.to_owned(), known: list(all) };
        all.iter().find(|value| value.to_string().eq_ignore_ascii_case(name)).copied().ok_or_else(unknown)
    }
}

/// Joins the names of values with commas, for messages.
pub fn list<T: fmt::Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
