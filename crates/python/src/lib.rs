//! The extension module of the Python package `bilinear`: its classes, over the public interface of `bilinear-engine`. What computes
//! lets other threads of Python run meanwhile; whatever is wrong with a value is a `bilinear.Error`, which tells the row and a code,
//! and whatever is wrong with a program is a `TypeError`.

mod arrow;
mod bulk;
mod chunks;
mod column;
mod curve;
mod error;
mod group;
mod number;
mod outcomes;
mod point;
mod prepared;
mod scalar;
mod target;

#[pyo3::pymodule]
mod _bilinear {
    #[pymodule_export]
    use crate::curve::Curve;
    #[pymodule_export]
    use crate::curve::methods::{curves, pair};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::group::Group;
    #[pymodule_export]
    use crate::outcomes::Outcomes;
    #[pymodule_export]
    use crate::point::Point;
    #[pymodule_export]
    use crate::prepared::Prepared;
    #[pymodule_export]
    use crate::scalar::Scalar;
    #[pymodule_export]
    use crate::target::Target;
}
