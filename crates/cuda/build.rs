//! Compresses the PTX, megabytes of text, by DEFLATE (RFC 1951): programs hold a fifth of it.
//!
//! If `BILINEAR_CUBINS` names the folder of cubins that `make cuda` has written, the cubins are compressed as well.
//! A package then has machine code for cards of compute capability 8.x and 9.x, which their driver need not
//! compile. The cubins must come from the sources of the PTX, whose digest is beside them. Without the variable
//! every cubin is empty.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The architectures for which there are cubins.
const CARDS: [&str; 2] = ["80", "90"];

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|reason| format!("{}: {reason}", path.display()))
}

/// Returns an error unless the cubins of a folder come from the sources of this PTX.
fn compare(cubins: &Path, ptx: &Path) -> Result<(), Box<dyn Error>> {
    let (digest, text) = (String::from_utf8(read(&cubins.join("digest"))?)?, String::from_utf8(read(ptx)?)?);
    let of_ptx = text.lines().find_map(|line| line.strip_prefix("// SHA-256 of the sources: "));
    match of_ptx == Some(digest.trim()) {
        true => Ok(()),
        false => Err(format!("{}: cubins of other sources than {}", cubins.display(), ptx.display()).into()),
    }
}

fn compressed(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let bytes = read(path)?;
    let mut encoder = DeflateEncoder::new(vec![], Compression::default());
    encoder.write_all(&bytes)?;
    Ok(encoder.finish()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=ptx");
    println!("cargo::rerun-if-env-changed=BILINEAR_CUBINS");
    let cubins = env::var_os("BILINEAR_CUBINS").map(PathBuf::from);
    if let Some(cubins) = &cubins {
        println!("cargo::rerun-if-changed={}", cubins.display());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for file in fs::read_dir("ptx")? {
        let path = file?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or("a file has a name")?;
        fs::write(out.join(format!("{stem}.ptx")), compressed(&path)?)?;
        if let Some(cubins) = &cubins {
            compare(cubins, &path)?;
        }
        for card in CARDS {
            let name = format!("{stem}.sm_{card}.cubin");
            let code = cubins.as_ref().map_or(Ok(vec![]), |cubins| compressed(&cubins.join(&name)))?;
            fs::write(out.join(name), code)?;
        }
    }
    Ok(())
}
