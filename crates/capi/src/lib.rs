//! The C library. cbindgen makes `include/bilinear.h` from the functions in `abi`, `include/bilinear_pbc.h` is
//! written in C over it, and docs/c.md explains them. Each function takes pointers apart (`memory`), calls safe Rust
//! code beside it, and returns a code and, if asked, an error with its text. A panic ends as a code too.

pub mod abi;
pub mod code;
pub mod context;
pub mod element;
pub mod fault;
mod groups;
mod memory;
pub mod multiples;
mod output;
mod pairings;
mod points;
mod table;
mod target;
