//! Vectors of what iterators yield, in code that is compiled for many types.
//!
//! For each iterator `collect` of the standard library compiles some ten functions, which choose between ways to be fast: 450 lines of LLVM's code
//! where a loop takes 100. Formulas are compiled for every tower, to be recorded once: with loops the engine is compiled in four fifths of the time.

/// `collect_vec` of every iterator.
pub trait CollectVec: Iterator + Sized {
    /// All that it yields, in order: few values, and no secret ones, since a vector that grows leaves copies behind.
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut all = Vec::new();
        for x in self {
            all.push(x);
        }
        all
    }
}

impl<I: Iterator> CollectVec for I {}
