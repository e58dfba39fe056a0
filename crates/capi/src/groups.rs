//! Consecutive rows that belong together: the rows of a product, the rows of a sum, the bytes of a message.

use crate::code::Code;
use crate::fault::Fault;
use std::ops::Range;

/// Returns the ranges of `count` groups over `rows` rows: groups of these lengths, or all of one length. `groups` and
/// `units` are the names of the groups and of the rows in messages.
pub(crate) fn ranges(
    (groups, units): (&str, &str),
    lengths: Option<&[usize]>,
    count: usize,
    rows: usize,
) -> Result<Vec<Range<usize>>, Fault> {
    let wrong = |message: String| Fault::new(Code::BilinearErrorRange, message);
    let sum = |sum: String| wrong(format!("the lengths of the {groups} add up to {sum}"));
    let Some(lengths) = lengths else {
        return match rows.checked_div(count) {
            None if rows == 0 => Ok(Vec::new()),
            Some(each) if each > 0 && each * count == rows => {
                Ok((0..count).map(|i| i * each..(i + 1) * each).collect())
            }
            _ => Err(wrong(format!(
                "the number of {units}, {rows}, is not a positive multiple of the number of {groups}, {count}"
            ))),
        };
    };
    let mut end = 0usize;
    let next = |len: &usize| {
        let start = end;
        end = start
            .checked_add(*len)
            .filter(|end| *end <= rows)
            .ok_or_else(|| sum(format!("more than the number of {units}, {rows}")))?;
        Ok(start..end)
    };
    let ranges = lengths.iter().map(next).collect::<Result<Vec<_>, Fault>>()?;
    if end == rows { Ok(ranges) } else { Err(sum(format!("{end}, but the number of {units} is {rows}"))) }
}
