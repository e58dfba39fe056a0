//! Tests of the documents and of their figures.
#![allow(clippy::unwrap_used)]

mod documents;
mod papers;

use std::path::Path;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}
