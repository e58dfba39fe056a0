//! Generates the parts of a page from records.

use super::{Source, has_a_line, merged, picture, table};
use std::io;
use std::path::Path;

const BEGIN: &str = "<!-- results of ";
const CLOSE: &str = " -->";
const END: &str = "<!-- end of results -->";

/// The reason why a page cannot be generated.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The page has no part between the comments.
    #[error("no part begins with \"{BEGIN}RECORD.json …{CLOSE}\"")]
    NoPart,
    /// A part has no end.
    #[error("the results of {0} have no end: \"{END}\" is missing")]
    NoEnd(String),
    /// A part names no record.
    #[error("a part names no record")]
    NoRecord,
    /// A record cannot be read.
    #[error("{path}: {reason}")]
    Record {
        /// The record's path, as the page has it.
        path: String,
        /// The reason.
        reason: io::Error,
    },
}

/// The part of a page that some records give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text, with the comments around it.
    pub text: String,
    /// The picture's path from the page, and the picture; `None` unless several sizes were measured.
    pub picture: Option<(String, String)>,
}

impl Part {
    /// Generates a part from the records at these paths, relative to the page's folder.
    ///
    /// # Errors
    /// Returns an error if there is no record, or if one cannot be read.
    pub fn new(folder: &Path, paths: &[&str]) -> Result<Part, ResultsError> {
        let read = |path: &&str| {
            Source::read(folder, path).map_err(|reason| ResultsError::Record { path: (*path).to_owned(), reason })
        };
        let sources: Vec<Source> = paths.iter().map(read).collect::<Result<_, _>>()?;
        let first = paths.first().ok_or(ResultsError::NoRecord)?;
        let file = || format!("{}.svg", first.strip_suffix(".json").unwrap_or(first));
        let picture = has_a_line(&merged(&sources)).then(|| (file(), picture(&sources)));
        let shown = picture.as_ref().map(|(file, _)| format!("\n![Time per pairing by size of the batch]({file})\n"));
        let text = [&begin(paths), "\n", &table::text(&sources), &shown.unwrap_or_default(), END].concat();
        Ok(Part { text, picture })
    }
}

fn begin(paths: &[&str]) -> String {
    format!("{BEGIN}{}{CLOSE}\n", paths.join(" "))
}

/// Returns the page with every part regenerated from the records that it names, and the parts.
///
/// # Errors
/// Returns an error if there is no such part, a part has no end, or a record cannot be read.
pub fn made_anew(page: &str, folder: &Path) -> Result<(String, Vec<Part>), ResultsError> {
    let (mut out, mut parts, mut rest) = (String::new(), vec![], page);
    while let Some(found) = next_part(rest)? {
        let part = Part::new(folder, &found.paths)?;
        out.extend([found.before, &part.text]);
        parts.push(part);
        rest = found.after;
    }
    if parts.is_empty() { Err(ResultsError::NoPart) } else { Ok((out + rest, parts)) }
}

/// Returns the page with its first part generated from other records, and that part.
///
/// # Errors
/// Returns the same errors as [`made_anew`].
pub fn made_from(page: &str, folder: &Path, paths: &[&str]) -> Result<(String, Part), ResultsError> {
    let found = next_part(page)?.ok_or(ResultsError::NoPart)?;
    let part = Part::new(folder, paths)?;
    Ok(([found.before, &part.text, found.after].concat(), part))
}

/// An existing part of a page.
struct Found<'p> {
    before: &'p str,
    /// The records that the part names.
    paths: Vec<&'p str>,
    after: &'p str,
}

fn next_part(page: &str) -> Result<Option<Found<'_>>, ResultsError> {
    let Some((before, part)) = page.split_once(BEGIN) else { return Ok(None) };
    let (paths, part) = part.split_once(CLOSE).ok_or_else(|| ResultsError::NoEnd(part.chars().take(80).collect()))?;
    let (_, after) = part.split_once(END).ok_or_else(|| ResultsError::NoEnd(paths.to_owned()))?;
    Ok(Some(Found { before, paths: paths.split_whitespace().collect(), after }))
}
