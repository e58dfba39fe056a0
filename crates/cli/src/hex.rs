//! Hexadecimal text of field elements, points and values.

/// The error of a text that is not hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HexError {
    /// The number of digits is odd, so the last byte is incomplete.
    #[error("an odd number of hexadecimal digits: {0}")]
    Odd(usize),
    /// A character is not a hexadecimal digit.
    #[error("not a hexadecimal digit at character {0}")]
    Digit(usize),
}

/// Appends the bytes of `text` (either case, an optional leading `0x`) to `out`. On an error `out` keeps its
/// previous length.
pub(crate) fn decode_into(text: &str, out: &mut Vec<u8>) -> Result<(), HexError> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let skipped = text.len() - digits.len();
    let start = out.len();
    out.reserve(digits.len() / 2);
    for (index, pair) in digits.as_bytes().chunks(2).enumerate() {
        let mut byte = 0;
        for (offset, digit) in pair.iter().enumerate() {
            let Some(value) = (*digit as char).to_digit(16) else {
                out.truncate(start);
                let at = skipped + 2 * index + offset;
                // the place is counted in characters from 1, as editors count
                let characters = text.char_indices().take_while(|(byte, _)| *byte < at).count();
                return Err(HexError::Digit(characters + 1));
            };
            byte = byte << 4 | value as u8;
        }
        if pair.len() == 1 {
            out.truncate(start);
            return Err(HexError::Odd(digits.len()));
        }
        out.push(byte);
    }
    Ok(())
}

/// Decodes hexadecimal `text` into bytes.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, HexError> {
    let mut bytes = Vec::new();
    decode_into(text, &mut bytes).map(|()| bytes)
}

/// Appends the lower-case hexadecimal text of `bytes` to `out`.
pub(crate) fn encode_into(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(2 * bytes.len());
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
}

/// Returns the lower-case hexadecimal text of `bytes`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn both_cases_and_a_prefix() {
        assert_eq!(decode("00fFA5").unwrap(), [0, 255, 0xa5]);
        assert_eq!(decode("0x01").unwrap(), [1]);
        assert_eq!(decode("").unwrap(), [0u8; 0]);
        assert_eq!(encode(&[0, 255, 0xa5]), "00ffa5");
        let mut text = Vec::new();
        encode_into(&[0, 255, 0xa5], &mut text);
        assert_eq!(text, b"00ffa5");
    }

    #[test]
    fn errors_name_the_place_and_leave_the_buffer() {
        let mut out = vec![7];
        assert_eq!(decode_into("12x4", &mut out), Err(HexError::Digit(3)));
        assert_eq!(decode_into("0x1g", &mut out), Err(HexError::Digit(4)));
        assert_eq!(decode_into("123", &mut out), Err(HexError::Odd(3)));
        assert_eq!(decode_into("12é4", &mut out), Err(HexError::Digit(3)));
        assert_eq!(out, [7]);
    }
}
