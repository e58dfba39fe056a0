//! The kernels as PTX, which `make cuda` writes and the build script compresses; a driver compiles them for its card, and keeps what
//! it made.

use flate2::read::DeflateDecoder;
use std::io::{Error, Read};

/// What the first version of CUDA that knows the PTX is called by its drivers: 11.8.
pub(crate) const VERSION: i32 = 11080;
/// The compute capability that the PTX is for.
pub(crate) const CAPABILITY: (i32, i32) = (8, 0);

/// A file of PTX as the build script compresses it.
macro_rules! compressed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

/// The text of compressed PTX.
///
/// # Errors
/// If it is damaged.
pub(crate) fn text(compressed: &[u8]) -> Result<String, Error> {
    let mut text = String::new();
    DeflateDecoder::new(compressed).read_to_string(&mut text)?;
    Ok(text)
}

/// The compressed PTX of the kernels that measure what a card does at most.
pub(crate) const CEILINGS: &[u8] = compressed!("ceilings.ptx");

/// The compressed PTX of the kernels for N words.
pub(crate) fn ptx(words: usize) -> Option<&'static [u8]> {
    match words {
        8 => Some(compressed!("8.ptx")),
        12 => Some(compressed!("12.ptx")),
        16 => Some(compressed!("16.ptx")),
        24 => Some(compressed!("24.ptx")),
        33 => Some(compressed!("33.ptx")),
        66 => Some(compressed!("66.ptx")),
        _ => None,
    }
}

/// The compressed PTX of the kernel of residues for K.
pub(crate) fn residues_ptx(kernel: usize) -> Option<&'static [u8]> {
    match kernel {
        2 => Some(compressed!("residues-2.ptx")),
        3 => Some(compressed!("residues-3.ptx")),
        5 => Some(compressed!("residues-5.ptx")),
        7 => Some(compressed!("residues-7.ptx")),
        9 => Some(compressed!("residues-9.ptx")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_is_what_the_tree_has() {
        let of_words = [8, 12, 16, 24, 33, 66].map(|n| (format!("{n}.ptx"), ptx(n)));
        let of_residues = [2, 3, 5, 7, 9].map(|n| (format!("residues-{n}.ptx"), residues_ptx(n)));
        let all = of_words.into_iter().chain(of_residues).chain([("ceilings.ptx".to_owned(), Some(CEILINGS))]);
        let mut names: Vec<String> = vec![];
        for (name, compressed) in all {
            let want = std::fs::read_to_string(format!("ptx/{name}")).expect("a file of PTX");
            assert_eq!(text(compressed.expect("kernels of this size")).expect("a text"), want, "{name}");
            names.push(name);
        }
        let files = std::fs::read_dir("ptx").expect("the folder of PTX");
        assert_eq!(files.count(), names.len(), "{names:?}");
    }
}
