//! Linear forms of any number of terms with any small coefficients, in one pass over the result.

mod kernels;

pub(super) use kernels::{sum_elements, sum_wide};
