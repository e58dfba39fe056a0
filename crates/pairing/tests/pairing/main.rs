//! Tests of the pairings, in one program, so that the towers they share are compiled once.
#![allow(clippy::unwrap_used)]

mod affine;
mod common;
mod costs;
mod degree_one;
mod eta;
mod eta3;
mod genus2;
mod group;
mod group_costs;
mod groups;
mod hashing;
mod program;
mod quadratic_twist;
mod rfc9380;
mod sextic;
mod sextic_costs;
mod svdw;
mod torus;
mod vectors;
mod weil;
