//! Tests of the documents, of their figures and of the scripts.
#![allow(clippy::unwrap_used)]

mod apt;
mod bootstrap;
mod counts;
mod documents;
mod emulate;
mod figures;
mod interrupted;
mod locks;
mod makefile;
mod pypi;
mod targets;
mod unsafe_code;

use std::path::Path;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}
