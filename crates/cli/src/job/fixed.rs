//! Files of fixed points: JSON Lines `{"p": HEX}` or bare hexadecimal lines; `inf` is infinity in both.

use crate::error::CommandError;
use crate::hex;
use crate::text_lines;
use bilinear_engine::{PointRef, Prepared, System, Validate};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::Path;

#[derive(Deserialize)]
struct Line {
    p: String,
}

/// Fixed first arguments.
pub(crate) struct Fixed {
    /// The points with their lines computed.
    pub(crate) points: Vec<Prepared>,
    /// SHA-256 of the points.
    pub(crate) fingerprint: String,
}

/// Reads, checks and prepares the points of a file.
///
/// # Errors
/// If the file cannot be read, holds no point, or a line is not a point; the message names it.
pub(crate) fn read(path: &Path, system: &System, validate: Validate) -> Result<Fixed, CommandError> {
    let file = path.display().to_string();
    let (mut points, mut hash) = (Vec::new(), Sha256::new());
    text_lines::of_file(path, |number, text| {
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        let fault = |reason: String| CommandError::Line { file: file.clone(), line: number, reason };
        let p = if text.starts_with('{') {
            serde_json::from_str::<Line>(text).map_err(|error| fault(error.to_string()))?.p
        } else {
            text.to_owned()
        };
        let bytes = match p.as_str() {
            "inf" => None,
            p => Some(hex::decode(p).map_err(|error| fault(error.to_string()))?),
        };
        let encoded = bytes.as_deref().map_or(PointRef::Infinity, PointRef::Bytes);
        let point = system.decode(encoded, validate).map_err(|error| fault(error.to_string()))?;
        let canonical = point.bytes().unwrap_or_default();
        hash.update((canonical.len() as u64).to_be_bytes());
        hash.update(canonical);
        points.push(system.prepare(&point));
        Ok(())
    })?;
    if points.is_empty() {
        return Err(CommandError::Usage(format!("{file}: there is no point in the file")));
    }
    Ok(Fixed { points, fingerprint: hex::encode(&hash.finalize()) })
}
