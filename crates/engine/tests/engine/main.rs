//! Tests of the engine, in one program.
#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

mod arkworks;
mod batch;
mod bls48;
mod common;
mod encodings;
mod eta;
mod fixed_base;
mod genus2;
mod gt_encodings;
mod hmm;
mod loops;
mod many;
mod parallel;
mod pbc;
mod prices;
mod relic;
mod relic_tower;
mod rns;
mod rows;
mod schedules;
mod seeds;
mod sextic;
mod sums;
mod system;
mod two_groups;
