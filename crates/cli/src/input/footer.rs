//! A check of an Arrow file's footer before its reader trusts it: the reader allocates as much as the footer says that a
//! block has, and a process that asks for more memory than there is gets no error to report.

use arrow::error::ArrowError;
use arrow::ipc::reader::read_footer_length;
use arrow::ipc::root_as_footer;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The footer's length and the magic word, at the end of the file.
const TAIL: u64 = 10;

/// Makes sure that the footer and the blocks that it lists lie within the file.
///
/// # Errors
/// If they do not, or the footer cannot be read.
pub(super) fn check(file: &mut File) -> Result<(), ArrowError> {
    let outside = |what: &str| ArrowError::ParseError(format!("{what} lies outside the file"));
    let size = file.metadata()?.len();
    let mut tail = [0; TAIL as usize];
    let end = size.checked_sub(TAIL).ok_or_else(|| outside("the footer"))?;
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut tail)?;
    let length = read_footer_length(tail)?;
    let start = end.checked_sub(length as u64).ok_or_else(|| outside("the footer"))?;
    let mut footer = vec![0; length];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(|error| ArrowError::ParseError(format!("bad footer: {error}")))?;
    let batches = footer.recordBatches().into_iter().flatten();
    for block in batches.chain(footer.dictionaries().into_iter().flatten()) {
        let parts = [block.offset(), block.metaDataLength().into(), block.bodyLength()].map(u64::try_from);
        let end = parts.into_iter().try_fold(0_u64, |sum, part| sum.checked_add(part.ok()?));
        if end.is_none_or(|end| end > start) {
            return Err(outside("a block"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use arrow::array::{ArrayRef, Int64Array, RecordBatch};
    use arrow::ipc::writer::FileWriter;
    use std::io::Write;
    use std::sync::Arc;

    fn check_bytes(bytes: &[u8]) -> Result<(), String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        check(&mut file).map_err(|error| error.to_string())
    }

    #[test]
    fn blocks_must_lie_within_the_file() {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
        let batch = RecordBatch::try_from_iter([("a", column)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let whole = writer.into_inner().unwrap();
        assert_eq!(check_bytes(&whole), Ok(()));
        let words = |length: usize| check_bytes(&whole[..length]).unwrap_err();
        assert!(words(5).contains("the footer lies outside the file"));
        assert!(words(whole.len() - 1).contains("correct footer"));
        // the block's offset and lengths are somewhere in the footer
        let length = i32::from_le_bytes(whole[whole.len() - 10..][..4].try_into().unwrap()) as usize;
        let changed = (whole.len() - 10 - length..whole.len() - 10).filter(|position| {
            let mut bytes = whole.clone();
            bytes[*position] ^= 0x70;
            check_bytes(&bytes).is_err_and(|reason| reason.contains("a block lies outside the file"))
        });
        assert!(changed.count() >= 7 + 3 + 7, "the high bytes of offset and lengths");
    }
}
