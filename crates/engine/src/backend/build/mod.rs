//! From the description of a curve to the parameters of its family.

pub(super) mod degree_one;
pub(super) mod quadratic_twist;
pub(super) mod sextic;
pub(super) mod supersingular;
