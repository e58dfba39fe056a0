//! Checks of a text before it is read as TOML or as lines of PBC.

use crate::Error;
use crate::integer::MAX_FILE_BYTES;
use crate::origin::Origin;

/// Rejects a text that is too long or begins with a byte-order mark, which neither format has.
pub(crate) fn check(text: &str, file: &str) -> Result<(), Error> {
    if text.len() > MAX_FILE_BYTES {
        return Err(Error::FileTooLarge { file: file.to_owned(), limit: MAX_FILE_BYTES });
    }
    if text.starts_with('\u{feff}') {
        let reason = "it begins with a byte-order mark: save it as UTF-8 without one".to_owned();
        return Err(Error::Syntax { at: Origin::file(file).at(""), reason });
    }
    Ok(())
}
