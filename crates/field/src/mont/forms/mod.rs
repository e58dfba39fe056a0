//! Linear forms of a few terms, fused into one pass over the words.

mod kernels;

pub(super) use kernels::{three, two, wide_three, wide_two, with_three, with_two};
