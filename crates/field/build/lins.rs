//! The forms that products and squares of sums in F_p(i) take in, in lanes and on few words: those that Karatsuba's method leaves one and
//! two levels up in the towers of pairings. Others are operations of their own.

use crate::complex::{Forms, signs};

/// The forms that products of sums in F_p(i) have kernels for, and how many of them squares have as well: Karatsuba's −v − w; the same
/// with a third term, once as it is and once times ξ = 1 + i, 2 + i or 9 + i.
const LINS: [Forms; 5] = [
    [&[-1, -1], &[-1, -1]],
    [&[1, -1, -1], &[1, -1, -1]],
    [&[1, -1, -1, -1], &[1, 1, -1, -1]],
    [&[-1, -1, -1, 2], &[1, -1, -1, 2]],
    [&[-1, -1, -1, 9], &[1, -1, -1, 9]],
];
const LINS_OF_SQUARES: usize = 1;

/// The forms of products and of squares with coefficients 1 and −1.
pub(crate) fn lins_of_signs() -> impl Iterator<Item = (Forms, bool)> {
    lins().filter(|(forms, _)| forms.concat().iter().all(|c| c.abs() == 1))
}

/// The forms of products and of squares.
pub(crate) fn lins() -> impl Iterator<Item = (Forms, bool)> {
    let products = LINS.into_iter().map(|forms| (forms, false));
    products.chain(LINS.into_iter().take(LINS_OF_SQUARES).map(|forms| (forms, true)))
}

/// The kernels of products and squares with these forms, by their coefficients; `kernel`: their type.
pub(crate) fn lin_table(limbs: usize, lins: impl Iterator<Item = (Forms, bool)>, kernel: &str) -> String {
    let arm = |(forms, is_square): (Forms, bool)| {
        let name = if is_square { "complex_sum_sqr_lin" } else { "complex_sums_mul_lin" };
        format!("        ({is_square}, {:?}) => Some({name}_{}_{limbs}),\n", forms.concat(), signs(forms))
    };
    let arms: String = lins.map(arm).collect();
    format!(
        "/// The kernel of a product or a square in F_p(i) with a form of these coefficients.\n\
         fn complex_lin_{limbs}(is_square: bool, coefficients: &[i32]) -> Option<{kernel}> {{\n    \
         match (is_square, coefficients) {{\n{arms}        _ => None,\n    }}\n}}\n\n"
    )
}
