//! Compresses the PTX, which is text of which there are megabytes, by DEFLATE (RFC 1951): programs hold a fifth of it.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=ptx");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for file in fs::read_dir("ptx")? {
        let path = file?.path();
        let name = path.file_name().ok_or("a file has a name")?;
        let mut encoder = DeflateEncoder::new(vec![], Compression::default());
        encoder.write_all(&fs::read(&path)?)?;
        fs::write(out.join(name), encoder.finish()?)?;
    }
    Ok(())
}
