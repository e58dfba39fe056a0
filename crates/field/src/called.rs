//! Which kernels of `mont` a test has called: each says so itself, and `mont/ranges.rs` demands it of all.

/// Stands before the assembly of a kernel, with its name and its sizes. Nothing but in tests.
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

    /// The kernels that this thread has called, with their sizes.
    pub(crate) fn noted() -> BTreeSet<(&'static str, Vec<usize>)> {
        CALLED.with_borrow(Clone::clone)
    }
}
