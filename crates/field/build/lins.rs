//! The linear forms that the kernels of products and squares of sums in F_p(i) add, in lanes and on few words: those
//! that Karatsuba's method leaves one and two levels up in the towers of pairings. Other forms are operations of
//! their own.

use crate::complex::{Forms, signs};

/// The forms for which products of sums in F_p(i) have kernels: Karatsuba's −v − w, and this form with a third term,
/// once as it is and once times ξ = 1 + i, 2 + i or 9 + i. Squares have kernels for the first `LINS_OF_SQUARES` of
/// these forms.
const LINS: [Forms; 5] = [
    [&[-1, -1], &[-1, -1]],
    [&[1, -1, -1], &[1, -1, -1]],
    [&[1, -1, -1, -1], &[1, 1, -1, -1]],
    [&[-1, -1, -1, 2], &[1, -1, -1, 2]],
    [&[-1, -1, -1, 9], &[1, -1, -1, 9]],
];
const LINS_OF_SQUARES: usize = 1;

/// The forms of products and of squares whose coefficients are all 1 or −1. The flag is true for a square.
pub(crate) fn lins_of_signs() -> impl Iterator<Item = (Forms, bool)> {
    lins().filter(|(forms, _)| forms.concat().iter().all(|c| c.abs() == 1))
}

/// The forms of products and of squares. The flag is true for a square.
pub(crate) fn lins() -> impl Iterator<Item = (Forms, bool)> {
    let products = LINS.into_iter().map(|forms| (forms, false));
    products.chain(LINS.into_iter().take(LINS_OF_SQUARES).map(|forms| (forms, true)))
}

/// Returns the source of a function that finds the kernel of a product or a square with one of these forms by its
/// coefficients. `kernel` is the type of the kernels.
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
