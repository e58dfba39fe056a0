//! Tests of programs: what is recorded, what is refused, what machines do with them, and what is proved of them.
#![allow(clippy::unwrap_used)]

mod common;
mod copies;
mod formulas;
mod hostile;
mod loops;
mod machines;
mod mutants;
mod outlines;
mod ports;
mod random;
mod ranges;
mod recording;
mod schedules;
mod stores;
#[cfg(target_os = "linux")]
mod wiped;
