//! The PTX in the tree is that of the kernels in the tree.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn ptx_is_of_these_sources() {
    let mut digest = Sha256::new();
    files("kernels").iter().for_each(|file| digest.update(fs::read(file).unwrap()));
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let ptx = files("ptx");
    assert_eq!(ptx.len(), 5);
    for file in ptx {
        let text = fs::read_to_string(&file).unwrap();
        let words = file.file_stem().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("\n// SHA-256 of the sources: {digest}\n")), "{words}.ptx is stale: make cuda");
        for kernel in ["single", "group", "invert"] {
            assert!(text.contains(&format!("\n.visible .entry {kernel}_{words}(\n")), "{words}.ptx has no {kernel}");
        }
        assert!(text.contains("\n.version 7.8\n.target sm_80\n"), "{words}.ptx is for newer drivers");
    }
}
