//! Pairings, written once over a field.
//!
//! Every formula here is generic over a [`Field`](bilinear_field::Field). Run over scalars it is one pairing; over
//! SIMD lanes it is several; over the symbolic machines it is an operation count, a range proof or a program. Nothing
//! in this crate depends on a processor.
//!
//! The letters are those of the papers: P is in G1 and Q in G2. T is the running multiple of the argument that drives
//! the Miller loop (P for the Tate pairing, Q for ate pairings), f is the accumulator and l a line.

pub mod bilinear_groups;
pub mod booth;
mod chords;
pub mod complete_group;
mod constant_time;
mod cost_model;
pub mod curve;
pub mod degree_one;
pub mod digits;
mod edwards;
pub mod encode;
#[cfg(feature = "research")]
pub mod eta;
#[cfg(feature = "research")]
pub mod eta3;
#[cfg(feature = "research")]
pub mod eta_t;
pub mod fixed_base;
#[cfg(feature = "research")]
pub mod genus2;
#[cfg(feature = "research")]
mod half_trace;
pub mod hash;
pub mod legendre;
mod line_coefficients;
mod miller;
mod moving;
mod msm;
pub mod names;
pub mod odd;
pub mod quadratic_twist;
#[cfg(feature = "research")]
mod search;
pub mod sextic;
mod split;
pub mod sswu;
pub mod supersingular;
pub mod svdw;
pub mod to_curve;
pub mod torus;
#[cfg(feature = "research")]
pub mod unitary_power;

pub use cost_model::CostModel;
pub use line_coefficients::LineCoefficients;
pub use miller::{Lines, LoopDigits, LoopPart, miller};
pub use moving::{Ate, Line, Moving, Steps, Tate};
pub use split::Split;
