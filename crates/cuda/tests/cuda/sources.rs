//! The PTX in the tree is that of the kernels in the tree.

use bilinear_cuda::{BASES, WORDS};
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
fn ptx_is_built_from_these_sources() {
    let mut digest = Sha256::new();
    files("kernels").iter().for_each(|file| digest.update(fs::read(file).unwrap()));
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let ptx = files("ptx");
    assert_eq!(ptx.len(), WORDS.len() + BASES.len() + 1);
    for file in ptx {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("\n// SHA-256 of the sources: {digest}\n")), "{name}.ptx is stale: make cuda");
        let kernels: Vec<String> = match name.strip_prefix("residues-") {
            Some(base) => vec![format!("residues_{base}")],
            None if name == "ceilings" => {
                let ceilings = ["multiply_adds", "digits", "shared", "memory", "records"];
                ceilings.map(|kernel| format!("ceiling_{kernel}")).into()
            }
            None if name == "68" => ["split_68", "invert_split_68"].map(str::to_owned).into(),
            None => ["single", "group", "invert"].map(|kernel| format!("{kernel}_{name}")).into(),
        };
        for kernel in kernels {
            assert!(text.contains(&format!("\n.visible .entry {kernel}(\n")), "{name}.ptx has no {kernel}");
        }
        assert!(text.contains("\n.version 7.8\n.target sm_80\n"), "{name}.ptx is for newer drivers");
    }
}
