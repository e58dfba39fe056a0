//! Helpers of tests: reading toy descriptions, and the errors of broken ones.

use bilinear_params::{Description, Error};

/// Reads a description from a text.
pub(crate) fn read(text: &str) -> Result<Description, Error> {
    Description::from_toml(text, "toy.toml")
}

/// Returns the error for the text `base` with its first `from` replaced by `to`.
pub(crate) fn broken(base: &str, from: &str, to: &str) -> Error {
    assert!(base.contains(from), "{from:?} is not in the base text");
    let error = read(&base.replacen(from, to, 1)).unwrap_err();
    assert!(error.to_string().starts_with("toy.toml"), "{error}");
    error
}

/// Checks the variant of an error, its key and its line, and returns its message.
macro_rules! assert_error {
    ($error:expr, $variant:ident at $key:literal, $line:expr) => {{
        let error = $error;
        let bilinear_params::Error::$variant { at, .. } = &error else { panic!("{error:?}") };
        assert_eq!((&*at.key, at.line), ($key, $line), "{error}");
        error.to_string()
    }};
}
pub(crate) use assert_error;
