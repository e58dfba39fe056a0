//! Co-simulation of the SystemVerilog in `rtl` with the simulator: every instruction of random programs must produce
//! the same limbs after the same number of cycles. Needs Verilator, which `rtl/prepare.sh` installs.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

mod build;
mod mutants;
mod package;
mod pairings;
mod programs;
mod random;
mod script;
mod stream;
