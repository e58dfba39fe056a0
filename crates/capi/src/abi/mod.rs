//! The functions of `include/bilinear.h`, one by one. Their comments are the comments of the header.

pub mod context;
pub mod elements;
pub mod error;
pub mod multiples;
pub mod pairings;
pub mod points;
pub mod target;
