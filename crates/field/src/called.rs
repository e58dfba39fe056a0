//! The kernels of `mont` that a test has called: each kernel reports itself, and `mont/tests/ranges.rs` requires that
//! all have been called.

/// Reports a kernel with its name and its sizes; stands before its assembly. Expands to nothing outside tests.
macro_rules! called {
    ($kernel:ident $(, $size:ident)*) => {
        #[cfg(test)]
        crate::called::note(stringify!($kernel), &[$($size),*])
    };
}

#[cfg(test)]
pub(crate) use noted::{note, noted};

#[cfg(test)]
mod noted {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        static CALLED: RefCell<BTreeSet<(&'static str, Vec<usize>)>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(crate) fn note(kernel: &'static str, sizes: &[usize]) {
        CALLED.with_borrow_mut(|called| called.insert((kernel, sizes.to_vec())));
    }

    /// Returns the kernels that this thread has called, with their sizes.
    pub(crate) fn noted() -> BTreeSet<(&'static str, Vec<usize>)> {
        CALLED.with_borrow(Clone::clone)
    }
}
