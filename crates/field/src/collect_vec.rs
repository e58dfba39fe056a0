//! Vectors of what iterators yield, in code that is compiled for many types.
//!
//! For each iterator `collect` of the standard library compiles some ten functions, which choose between ways to be fast: 440 more lines of
//! LLVM's code than a loop has. That is for nothing in formulas, which are compiled for every family and recorded once, and around
//! computations of which each value takes microseconds.

/// `collect_vec` of every iterator.
pub trait CollectVec: Iterator + Sized {
    /// All that it yields, in order. Not for the bytes of secrets: a vector that grows leaves copies behind.
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut all = Vec::new();
        for x in self {
            all.push(x);
        }
        all
    }
}

impl<I: Iterator> CollectVec for I {}
