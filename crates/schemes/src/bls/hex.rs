//! Hexadecimal text of secrets: no branch and no address depends on a digit.

/// The value of a digit, and 0, or anything and 255 where it is none.
pub(super) fn digit(character: u8) -> (u8, u8) {
    let c = u16::from(character);
    let (decimal, lower) = (within(c, b'0', b'9'), within(c | 0x20, b'a', b'f'));
    let letter = (c | 0x20).wrapping_sub(u16::from(b'a') - 10);
    let value = (c.wrapping_sub(u16::from(b'0')) & decimal) | (letter & lower);
    (value as u8, !(decimal | lower) as u8)
}

/// The digit of a value below 16, in lower case.
pub(super) fn character(value: u8) -> u8 {
    let above_nine = (9u16.wrapping_sub(u16::from(value)) >> 8) as u8;
    b'0' + value + (above_nine & (b'a' - b'0' - 10))
}

/// Ones where a character is from `first` to `last`, else zeros.
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
        let text: Vec<u8> = (0..16).map(character).collect();
        assert_eq!(text, b"0123456789abcdef");
    }
}
