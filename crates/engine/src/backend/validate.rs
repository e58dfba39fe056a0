//! How thoroughly points are checked.

/// How thoroughly a point from outside is checked. Length, canonical coordinates and the curve equation always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Validate {
    /// Also that the point is in the group: what untrusted input needs.
    #[default]
    Subgroup,
    /// Not that: the caller knows where the points come from. Their multiples are computed in the slower way that is right on
    /// the whole curve.
    Curve,
}

impl Validate {
    /// What is known of a sum of points.
    pub fn and(self, other: Validate) -> Validate {
        if self == Validate::Subgroup { other } else { self }
    }
}
