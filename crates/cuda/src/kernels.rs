//! The kernels as PTX, which `make cuda` writes; a driver compiles them for its card, and keeps what it made.

/// What the first version of CUDA that knows the PTX is called by its drivers: 11.8.
pub(crate) const VERSION: i32 = 11080;
/// The compute capability that the PTX is for.
pub(crate) const CAPABILITY: (i32, i32) = (8, 0);

/// The PTX of the kernels for N words; none is kept for 66, which would be 6.3 MB.
pub(crate) fn ptx(words: usize) -> Option<&'static str> {
    match words {
        8 => Some(include_str!("../ptx/8.ptx")),
        12 => Some(include_str!("../ptx/12.ptx")),
        16 => Some(include_str!("../ptx/16.ptx")),
        24 => Some(include_str!("../ptx/24.ptx")),
        33 => Some(include_str!("../ptx/33.ptx")),
        _ => None,
    }
}
