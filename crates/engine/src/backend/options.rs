//! What may be chosen when a curve is made ready: an engine, and one of the pairings that its family has.

use bilinear_field::Engine;
use bilinear_pairing::Prices;
use std::fmt;
use std::str::FromStr;

/// The choice for a curve. The default is the best engine of this machine, the family's own pairing, and
/// the exact exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The engine; the best of this machine if there is none.
    pub engine: Option<Engine>,
    /// The pairing; the first that the family has if there is none.
    pub pairing: Option<PairingKind>,
    /// The power of it.
    pub power: Power,
    /// The prices of the machine that programs are recorded for: they decide which operations lead to the values. The default
    /// suits every engine.
    pub prices: Prices,
}

impl Options {
    /// The engine to use.
    pub fn engine(self) -> Engine {
        self.engine.unwrap_or(Engine::Mont)
    }
}

/// A bilinear map on a curve's groups. They differ in the length of the Miller loop, and each is a fixed power of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairingKind {
    /// The optimal ate pairing (Vercauteren, IEEE Trans. Information Theory 2010).
    OptAte,
    /// The ate pairing (Hess, Smart, Vercauteren, IEEE Trans. Information Theory 2006).
    Ate,
    /// The R-ate pairing (Lee, Lee, Park, IEEE Trans. Information Theory 2009).
    RAte,
    /// The Tate pairing f_{r,P}(Q)^((p^k − 1)/r).
    Tate,
}

impl PairingKind {
    /// All of them.
    pub const ALL: [PairingKind; 4] = [PairingKind::OptAte, PairingKind::Ate, PairingKind::RAte, PairingKind::Tate];

    /// The name in commands and messages: `optate`, `ate`, `rate` or `tate`.
    pub fn name(self) -> &'static str {
        match self {
            PairingKind::OptAte => "optate",
            PairingKind::Ate => "ate",
            PairingKind::RAte => "rate",
            PairingKind::Tate => "tate",
        }
    }
}

impl From<PairingKind> for bilinear_pairing::bilinear_groups::Pairing {
    fn from(kind: PairingKind) -> Self {
        match kind {
            PairingKind::OptAte => Self::OptAte,
            PairingKind::Ate => Self::Ate,
            PairingKind::RAte => Self::RAte,
            PairingKind::Tate => Self::Tate,
        }
    }
}

/// The exponent of the final exponentiation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Power {
    /// (p^k − 1)/r.
    #[default]
    Exact,
    /// The multiple m(p^k − 1)/r that the family's cheapest addition chain gives: e(P, Q)^m for a fixed m prime to r, as good
    /// a pairing, but another value. Curves with a sextic twist alone have it: m = 2u(6u² + 3u + 1) for BN, 3 for BLS12 and
    /// BLS24, −1/(2 + p³)² modulo r for KSS18.
    Fast,
}

impl From<Power> for bilinear_pairing::sextic::Power {
    fn from(power: Power) -> Self {
        match power {
            Power::Exact => Self::Exact,
            Power::Fast => Self::Fast,
        }
    }
}

impl Power {
    /// Both.
    pub const ALL: [Power; 2] = [Power::Exact, Power::Fast];

    /// The name in commands and messages: `exact` or `fast`.
    pub fn name(self) -> &'static str {
        match self {
            Power::Exact => "exact",
            Power::Fast => "fast",
        }
    }
}

impl fmt::Display for PairingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

/// Nothing has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {what} is called {name:?}: choose one of {known}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: String,
}

impl UnknownName {
    /// The value of this name; case does not matter.
    pub(crate) fn find<T: Copy + fmt::Display>(what: &'static str, name: &str, all: &[T]) -> Result<T, UnknownName> {
        let unknown = || UnknownName { what, name: name.to_owned(), known: list(all) };
        all.iter().find(|value| value.to_string().eq_ignore_ascii_case(name)).copied().ok_or_else(unknown)
    }
}

/// The names of values, for messages.
pub(crate) fn list<T: fmt::Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
