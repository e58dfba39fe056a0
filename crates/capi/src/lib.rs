//! The C library: `include/bilinear.h` is made of the functions in `abi` by cbindgen, `include/bilinear_pbc.h` is
//! written in C over it, and docs/c.md explains them. Each function takes
//! pointers apart (`memory`), calls what is written in safe Rust beside it, and hands back a code and, if asked, an error with its text.
//! Whatever panics ends as a code too.

pub mod abi;
pub mod code;
pub mod context;
pub mod element;
pub mod fault;
mod groups;
mod memory;
pub mod multiples;
mod outcome;
mod output;
mod pairings;
mod points;
mod table;
mod target;
