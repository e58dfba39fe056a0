//! Numbers of any size in texts: hexadecimal, with 0x.

use num_bigint::BigUint;

/// The number; `None` where there is another character than a digit behind 0x, or none.
pub(crate) fn hex(text: &str) -> Option<BigUint> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    BigUint::parse_bytes(digits.as_bytes(), 16)
}
