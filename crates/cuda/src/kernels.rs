//! The kernels as PTX, which `make cuda` writes and the build script compresses. A driver compiles them for its
//! card and keeps the result. A package may also have the kernels as machine code for some cards.

use flate2::read::DeflateDecoder;
use std::io::{Error, Read};

/// The first version of CUDA that accepts the PTX, 11.8, as drivers number it.
pub(crate) const VERSION: i32 = 11080;
/// The compute capability that the PTX needs.
pub(crate) const CAPABILITY: (i32, i32) = (8, 0);

/// Kernels, compressed by the build script.
pub(crate) struct Compressed {
    /// The PTX of the kernels.
    pub(crate) ptx: &'static [u8],
    /// The machine code for cards of compute capability 8.x and 9.x; empty if the package has none.
    machine_code: [&'static [u8]; 2],
}

/// Includes the compressed kernels of a name.
macro_rules! compressed {
    ($name:literal) => {
        Compressed {
            ptx: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".ptx")),
            machine_code: [
                include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".sm_80.cubin")),
                include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".sm_90.cubin")),
            ],
        }
    };
}

impl Compressed {
    /// Returns the text of the PTX.
    ///
    /// # Errors
    /// Returns an error if the compressed data are damaged.
    pub(crate) fn text(&self) -> Result<String, Error> {
        let mut text = String::new();
        DeflateDecoder::new(self.ptx).read_to_string(&mut text)?;
        Ok(text)
    }

    /// Returns the machine code for cards of this major compute capability, if the package has it.
    ///
    /// # Errors
    /// Returns an error if the compressed data are damaged.
    pub(crate) fn machine_code(&self, major: i32) -> Result<Option<Vec<u8>>, Error> {
        let code = match major {
            8 => self.machine_code[0],
            9 => self.machine_code[1],
            _ => &[],
        };
        if code.is_empty() {
            return Ok(None);
        }
        let mut bytes = vec![];
        DeflateDecoder::new(code).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

/// The kernels that measure the highest rates of a card.
pub(crate) const CEILINGS: Compressed = compressed!("ceilings");

/// Returns the kernels for N words, if there are any.
pub(crate) fn of_words(words: usize) -> Option<Compressed> {
    match words {
        8 => Some(compressed!("8")),
        12 => Some(compressed!("12")),
        16 => Some(compressed!("16")),
        24 => Some(compressed!("24")),
        33 => Some(compressed!("33")),
        68 => Some(compressed!("68")),
        _ => None,
    }
}

/// Returns the kernel of residues for K, if there is one.
pub(crate) fn of_residues(kernel: usize) -> Option<Compressed> {
    match kernel {
        2 => Some(compressed!("residues-2")),
        3 => Some(compressed!("residues-3")),
        5 => Some(compressed!("residues-5")),
        7 => Some(compressed!("residues-7")),
        9 => Some(compressed!("residues-9")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<(String, Compressed)> {
        let of_words = [8, 12, 16, 24, 33, 68].map(|n| (n.to_string(), of_words(n)));
        let of_residues = [2, 3, 5, 7, 9].map(|n| (format!("residues-{n}"), of_residues(n)));
        let all = of_words.into_iter().chain(of_residues).chain([("ceilings".to_owned(), Some(CEILINGS))]);
        all.map(|(name, kernels)| (name, kernels.expect("kernels of this size"))).collect()
    }

    #[test]
    fn ptx_is_what_the_tree_has() {
        for (name, kernels) in all() {
            let want = std::fs::read_to_string(format!("ptx/{name}.ptx")).expect("a file of PTX");
            assert_eq!(kernels.text().expect("a text"), want, "{name}");
        }
        let files = std::fs::read_dir("ptx").expect("the folder of PTX");
        assert_eq!(files.count(), all().len());
    }

    /// A package built with cubins has an ELF file of each kernel for both cards; one built without has none.
    #[test]
    fn machine_code_is_there_if_it_was_given() {
        let given = option_env!("BILINEAR_CUBINS").is_some();
        for (name, kernels) in all() {
            for (major, has) in [(7, false), (8, given), (9, given), (10, false)] {
                let code = kernels.machine_code(major).expect("machine code");
                assert_eq!(code.is_some_and(|code| code.starts_with(b"\x7fELF")), has, "{name}, {major}.x");
            }
        }
    }
}
