//! The functions of `include/bilinear.h`, one by one: their comments are those of the header.

pub mod context;
pub mod elements;
pub mod error;
pub mod multiples;
pub mod pairings;
pub mod points;
pub mod target;
