//! Hexadecimal text of secrets: no branch and no address depends on a digit.

/// Decodes pairs of digits in either case into `bytes`, as many as there are. Returns 0, or 255 if a character is not
/// a digit.
pub(crate) fn decode(text: &[u8], bytes: &mut [u8]) -> u8 {
    let mut bad = 0;
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        let [(high, not_high), (low, not_low)] = [digit(pair[0]), digit(pair[1])];
        *byte = high << 4 | low;
        bad |= not_high | not_low;
    }
    bad
}

/// Returns the digits of bytes, in lower case.
pub(crate) fn encode(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.iter().flat_map(|byte| [character(byte >> 4), character(byte & 15)])
}

/// Returns the value of a digit and 0, or any value and 255 if the character is not a digit.
fn digit(character: u8) -> (u8, u8) {
    let c = u16::from(character);
    let (decimal, lower) = (within(c, b'0', b'9'), within(c | 0x20, b'a', b'f'));
    let letter = (c | 0x20).wrapping_sub(u16::from(b'a') - 10);
    let value = (c.wrapping_sub(u16::from(b'0')) & decimal) | (letter & lower);
    (value as u8, !(decimal | lower) as u8)
}

/// Returns the digit of a value below 16, in lower case.
fn character(value: u8) -> u8 {
    let above_nine = (9u16.wrapping_sub(u16::from(value)) >> 8) as u8;
    b'0' + value + (above_nine & (b'a' - b'0' - 10))
}

/// Returns all ones if a character is from `first` to `last`, else zeros.
fn within(c: u16, first: u8, last: u8) -> u16 {
    let outside = c.wrapping_sub(u16::from(first)) | u16::from(last).wrapping_sub(c);
    (outside >> 15).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character() {
        for c in 0..=u8::MAX {
            let (value, bad) = digit(c);
            match char::from(c).to_digit(16) {
                Some(wanted) => assert_eq!((u32::from(value), bad), (wanted, 0), "{c}"),
                None => assert_eq!(bad, 255, "{c}"),
            }
        }
    }

    #[test]
    fn every_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let text: Vec<u8> = encode(&all).collect();
        assert_eq!(text, all.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into_bytes());
        let mut bytes = vec![0; 256];
        assert_eq!((decode(&text, &mut bytes), &bytes), (0, &all));
        assert_eq!((decode(&text.to_ascii_uppercase(), &mut bytes), &bytes), (0, &all));
        assert_eq!(decode(b"0g", &mut bytes[..1]) | decode(b"/0", &mut bytes[..1]), 255);
    }
}
