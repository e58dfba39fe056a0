//! The families of curves, as one tagged sum.

use crate::Supersingular;

/// What kind of curve a description is of, with the parameters of that kind.
///
/// The `family` key of a TOML file selects the variant; further families are further variants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Supersingular curves y^2 = x^3 + x over F_q, q = 3 mod 4, embedding degree 2: PBC types A and A1
    /// (TOML families `a` and `a1`).
    Supersingular(Supersingular),
}
