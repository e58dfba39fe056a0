//! The parameters of each family, from the description of a curve.

pub(super) mod degree_one;
pub(super) mod quadratic_twist;
pub(super) mod sextic;
pub(super) mod supersingular;
