//! Reading files of fixed points: JSON Lines `{"p": HEX}` (for second arguments `{"q": HEX}`) or bare
//! hexadecimal lines. In both, `inf` is the point at infinity.

use super::pairing::encoded;
use crate::error::CommandError;
use crate::hex;
use crate::input::jsonl::json_reason;
use crate::text_lines;
use bilinear_engine::{Batch, Encoding, Point, Prepared, Side};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::Path;

#[derive(Deserialize)]
struct Line {
    p: Option<String>,
    q: Option<String>,
}

/// The fixed arguments of a job's pairings.
pub(crate) struct Fixed {
    /// The side of the pairing on which the fixed arguments stand.
    pub(crate) side: Side,
    /// The points, with the lines of their Miller loops precomputed.
    pub(crate) points: Vec<Prepared>,
    /// The same points as `points`, for comparison with the points of rows.
    pub(crate) values: Vec<Point>,
    /// The SHA-256 of the points.
    pub(crate) fingerprint: String,
}

/// Reads, checks and prepares the points of a file.
///
/// # Errors
/// Returns an error if the file cannot be read, holds no point, or has a line that is not a point; the message
/// names the line. Also returns an error if the curve's pairing cannot be prepared for this side.
pub(crate) fn read(path: &Path, side: Side, batch: &Batch, encoding: Option<Encoding>) -> Result<Fixed, CommandError> {
    let system = batch.system();
    let file = path.display().to_string();
    let (mut points, mut values, mut hash) = (Vec::new(), Vec::new(), Sha256::new());
    text_lines::of_file(path, |number, text| {
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        let fault = |reason: String| CommandError::Line { file: file.clone(), line: number, reason };
        let point = if text.starts_with('{') {
            let line = serde_json::from_str::<Line>(text).map_err(|error| fault(json_reason(&error)))?;
            let point = if side == Side::P { line.p } else { line.q };
            point.ok_or_else(|| fault(format!("the key `{side}` is not there, or null")))?
        } else {
            text.to_owned()
        };
        let bytes = match point.as_str() {
            "inf" => None,
            text => Some(hex::decode(text).map_err(|error| fault(error.to_string()))?),
        };
        let point = batch
            .decode(side.group(), &[encoded(system, side.group(), encoding, bytes.as_deref())])
            .remove(0)
            .map_err(|error| fault(error.to_string()))?;
        let canonical = point.bytes().unwrap_or_default();
        hash.update((canonical.len() as u64).to_be_bytes());
        hash.update(canonical);
        points.push(system.prepare(side, &point).map_err(|error| CommandError::Engine(error.to_string()))?);
        values.push(point);
        Ok(())
    })?;
    if points.is_empty() {
        return Err(CommandError::Usage(format!("{file}: there is no point in the file")));
    }
    Ok(Fixed { side, points, values, fingerprint: hex::encode(&hash.finalize()) })
}
