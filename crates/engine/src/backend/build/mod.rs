//! From the description of a curve to the parameters of its family.

pub(super) mod quadratic;
pub(super) mod sextic;
pub(super) mod supersingular;
pub(super) mod unit;
