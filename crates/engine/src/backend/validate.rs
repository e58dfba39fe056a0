//! How thoroughly points are checked.

/// How thoroughly a point from outside is checked. Length, canonical coordinates and the curve equation are always
/// checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Validate {
    /// Checks also that the point is in the group: required for untrusted input.
    #[default]
    Subgroup,
    /// Does not check that the point is in the group: the caller knows where the points come from. Their multiples
    /// are computed by the slower method that is correct on the whole curve.
    OnCurve,
}

impl Validate {
    /// The check that a sum of two points has passed, given the checks of the summands.
    pub fn and(self, other: Validate) -> Validate {
        if self == Validate::Subgroup { other } else { self }
    }
}
