//! From the description of a curve to the parameters of its family.

pub mod quadratic;
pub mod sextic;
pub mod unit;
