//! Collection of iterators into vectors, for code that is compiled for many types.
//!
//! For each iterator `collect` of the standard library compiles some ten functions, which choose between fast paths:
//! 440 more lines of LLVM IR than a loop. They gain nothing in formulas, which are compiled for every family and
//! recorded once, nor around computations that take microseconds for each value.

/// The method `collect_vec` for every iterator.
pub trait CollectVec: Iterator + Sized {
    /// Collects all items in order. Not for the bytes of secrets: a vector that grows leaves copies behind.
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut all = Vec::new();
        for x in self {
            all.push(x);
        }
        all
    }
}

impl<I: Iterator> CollectVec for I {}
