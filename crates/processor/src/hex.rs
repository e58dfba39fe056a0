//! Numbers of any size as text: hexadecimal, with the prefix 0x.

use num_bigint::BigUint;

/// Parses a number; `None` unless the text is 0x followed by digits only.
pub(crate) fn hex(text: &str) -> Option<BigUint> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    BigUint::parse_bytes(digits.as_bytes(), 16)
}
