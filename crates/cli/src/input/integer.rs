//! Integers in tables and on the command line: scalars of points and exponents of values. They are public, so
//! the code here is not constant-time.

use num_bigint::BigUint;
use std::fmt;
use std::str::FromStr;

/// The most bits of an integer: more than the order of any group, so that an integer can be passed on before it
/// is reduced.
const MAX_BITS: u64 = 8192;

/// The most digits that are parsed, without leading zeros: at least as many as [`MAX_BITS`] bits have in decimal.
const MAX_DIGITS: usize = 2500;

/// An integer of up to 8192 bits and a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    negative: bool,
    magnitude: BigUint,
}

/// The error of a value that is not an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IntegerError {
    /// The text contains something other than digits.
    #[error("not an integer: decimal digits, or hexadecimal digits after 0x, with a leading - if negative")]
    Digit,
    /// The value has no bytes.
    #[error("an empty value instead of an integer")]
    Empty,
    /// The integer is too long.
    #[error("an integer of more than {MAX_BITS} bits")]
    TooLong,
}

impl Integer {
    /// Decodes an integer from big-endian bytes.
    ///
    /// # Errors
    /// Returns an error if there are no bytes, or if the integer has too many bits.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self, IntegerError> {
        if bytes.is_empty() {
            return Err(IntegerError::Empty);
        }
        Self::new(false, BigUint::from_bytes_be(bytes))
    }

    fn new(negative: bool, magnitude: BigUint) -> Result<Self, IntegerError> {
        if magnitude.bits() > MAX_BITS {
            return Err(IntegerError::TooLong);
        }
        Ok(Self { negative: negative && magnitude.bits() > 0, magnitude })
    }

    /// Encodes the integer as chunks hold it: a byte for the sign, then the magnitude.
    pub(crate) fn to_cell(&self) -> Vec<u8> {
        [&[u8::from(self.negative)], &self.magnitude.to_bytes_be()[..]].concat()
    }

    /// Decodes an integer that [`Integer::to_cell`] has encoded.
    pub(crate) fn of_cell(cell: &[u8]) -> Self {
        let (sign, magnitude) = cell.split_first().unwrap_or((&0, &[]));
        Self { negative: *sign == 1, magnitude: BigUint::from_bytes_be(magnitude) }
    }

    /// Returns true if the integer is negative.
    pub(crate) fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns the absolute value.
    pub(crate) fn magnitude(&self) -> &BigUint {
        &self.magnitude
    }

    /// Returns the residue of the integer modulo `modulus`, from 0 to `modulus` − 1.
    pub(crate) fn modulo(&self, modulus: &BigUint) -> BigUint {
        let rest = &self.magnitude % modulus;
        if self.negative && rest.bits() > 0 { modulus - rest } else { rest }
    }
}

impl FromStr for Integer {
    type Err = IntegerError;
    fn from_str(text: &str) -> Result<Self, IntegerError> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let hexadecimal = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"));
        let (digits, radix) = hexadecimal.map_or((rest, 10), |digits| (digits, 16));
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return Err(IntegerError::Digit);
        }
        let digits = digits.trim_start_matches('0');
        if digits.len() > MAX_DIGITS {
            return Err(IntegerError::TooLong);
        }
        let magnitude = BigUint::parse_bytes(digits.as_bytes(), radix).unwrap_or_default();
        Self::new(negative, magnitude)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.magnitude)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_and_cells() {
        for (text, wanted) in [
            ("0", "0"),
            ("-0", "0"),
            ("007", "7"),
            ("0x1F", "31"),
            ("-0X0a", "-10"),
            ("123456789012345678901", "123456789012345678901"),
        ] {
            let integer: Integer = text.parse().unwrap();
            assert_eq!(integer.to_string(), wanted);
            assert_eq!(Integer::of_cell(&integer.to_cell()), integer);
        }
        for text in ["", "-", "0x", "+1", "1_000", "ff", "0xg", "--1", " 1", "1.0", "1e3", "٣"] {
            assert_eq!(text.parse::<Integer>(), Err(IntegerError::Digit), "{text:?}");
        }
    }

    #[test]
    fn the_longest_integers() {
        let most = format!("0x{}", "f".repeat(2048));
        let integer: Integer = most.parse().unwrap();
        assert_eq!(format!("0x{}{}", "0".repeat(9000), "f".repeat(2048)).parse(), Ok(integer.clone()));
        assert_eq!("0".repeat(3000).parse::<Integer>().unwrap().to_string(), "0");
        assert_eq!(integer.to_string().parse::<Integer>().unwrap(), integer);
        assert_eq!(format!("0x1{}", "0".repeat(2048)).parse::<Integer>(), Err(IntegerError::TooLong));
        assert_eq!("1".repeat(1 << 20).parse::<Integer>(), Err(IntegerError::TooLong));
        assert_eq!(Integer::of_bytes(&[]), Err(IntegerError::Empty));
        assert_eq!(Integer::of_bytes(&[0]).unwrap().to_string(), "0");
        assert_eq!(Integer::of_bytes(&[1; 1025]), Err(IntegerError::TooLong));
        assert_eq!(Integer::of_bytes(&[1, 0]).unwrap().to_string(), "256");
    }

    #[test]
    fn residues() {
        let modulo = |text: &str| text.parse::<Integer>().unwrap().modulo(&7u32.into());
        assert_eq!(["-14", "-8", "-1", "0", "6", "7", "22"].map(modulo), [0u32, 6, 6, 0, 6, 0, 1].map(BigUint::from));
    }
}
