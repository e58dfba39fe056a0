//! Tests of the engine, in one program.
#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

mod arkworks;
mod batch;
mod bls48;
mod common;
mod cost_model;
mod encodings;
mod eta;
mod few;
mod few_products;
mod fixed_base;
mod genus2;
mod gt_encodings;
mod hmm;
mod loops;
mod many;
#[path = "../../../program/tests/program/outlines.rs"]
mod outlines;
mod parallel;
mod pbc;
mod public_multiples;
mod relic;
mod relic_tower;
mod rns;
mod rows;
mod schedules;
mod seeds;
mod sextic;
mod single;
mod small_fields;
mod sums;
mod system;
mod two_groups;
