//! The kernels as PTX, which `make cuda` writes; a driver compiles them for its card, and keeps what it made.

/// What the first version of CUDA that knows the PTX is called by its drivers: 11.8.
pub(crate) const VERSION: i32 = 11080;
/// The compute capability that the PTX is for.
pub(crate) const CAPABILITY: (i32, i32) = (8, 0);

/// The PTX of the kernels that measure what a card does at most.
pub(crate) const CEILINGS: &str = include_str!("../ptx/ceilings.ptx");

/// The PTX of the kernels for N words.
pub(crate) fn ptx(words: usize) -> Option<&'static str> {
    match words {
        8 => Some(include_str!("../ptx/8.ptx")),
        12 => Some(include_str!("../ptx/12.ptx")),
        16 => Some(include_str!("../ptx/16.ptx")),
        24 => Some(include_str!("../ptx/24.ptx")),
        33 => Some(include_str!("../ptx/33.ptx")),
        66 => Some(include_str!("../ptx/66.ptx")),
        _ => None,
    }
}

/// The PTX of the kernel of residues for K.
pub(crate) fn residues_ptx(kernel: usize) -> Option<&'static str> {
    match kernel {
        2 => Some(include_str!("../ptx/residues-2.ptx")),
        3 => Some(include_str!("../ptx/residues-3.ptx")),
        5 => Some(include_str!("../ptx/residues-5.ptx")),
        7 => Some(include_str!("../ptx/residues-7.ptx")),
        9 => Some(include_str!("../ptx/residues-9.ptx")),
        _ => None,
    }
}
