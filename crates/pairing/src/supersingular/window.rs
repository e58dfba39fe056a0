//! Windows in the Miller loop: f_{m+d} = f_m·f_d·l_{mP,dP} with odd d precomputed for each P (Galbraith, Harrison, Soldera,
//! ANTS 2002, section 5, with signed digits).

use crate::digits::{weight, wnaf};
use num_bigint::BigUint;

/// The number of field products in an addition step with its line: 12M + 4S, and 3M for f·l.
const ADDITION: usize = 19;
/// The number of field products in f·f_d, and in a table entry beyond its addition step: f·f_2, and its share of the
/// inversion and of the affine coordinates.
const JOIN: usize = 3;
const ENTRY: usize = 9;

/// Returns the expansion of n whose additions and table cost least. A Solinas prime keeps its NAF; a random 1024-bit
/// n gets width 5 or 6.
pub(super) fn best(n: &BigUint) -> Vec<i8> {
    (2..=7)
        .map(|w| wnaf(n, w))
        .min_by_key(|digits| {
            let largest = digits.iter().map(|d| d.unsigned_abs() as usize).max().unwrap_or(0);
            let joins = digits.iter().filter(|d| d.unsigned_abs() > 1).count();
            weight(digits) * ADDITION + joins * JOIN + largest / 2 * (ADDITION + ENTRY)
        })
        .unwrap_or_default()
}

/// The number of odd multiples P, 3P, … that the digits need.
pub(super) fn table_len(digits: &[i8]) -> usize {
    digits.iter().map(|d| d.unsigned_abs() as usize / 2 + 1).max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_suits_the_order() {
        let solinas = (BigUint::from(1u32) << 159u32) + (BigUint::from(1u32) << 107u32) + 1u32;
        assert_eq!(table_len(&best(&solinas)), 1);
        // 1024 bits without a pattern
        let dense = BigUint::from(3u32).pow(646);
        assert!((8..=16).contains(&table_len(&best(&dense))));
    }
}
