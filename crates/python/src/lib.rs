//! The extension module of the Python package `bilinear`: its classes, over the public interfaces of `bilinear-engine`
//! and `bilinear-schemes`. Other Python threads run during computations. An invalid value is a `bilinear.Error`, which
//! has a code and the row; a mistake in the calling program is a `TypeError`.

mod arrow;
mod bgn;
mod bulk;
mod chunked;
mod chunks;
mod column;
mod curve;
mod error;
mod group;
mod groups;
mod ibe;
mod list;
mod number;
mod outcomes;
mod per_process;
mod pickled;
mod point;
mod predicate;
mod prepared;
mod scalar;
mod secret_file;
mod target;
mod text;

#[pyo3::pymodule]
mod _bilinear {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // an error that a Python program creates itself has only these defaults
        for name in ["code", "row", "index"] {
            module.py().get_type::<Error>().setattr(name, module.py().None())?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::curve::Curve;
    #[pymodule_export]
    use crate::curve::methods::{curves, pair, read_curve};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::group::Group;
    #[pymodule_export]
    use crate::outcomes::Outcomes;
    #[pymodule_export]
    use crate::pickled::read_outcomes;
    #[pymodule_export]
    use crate::point::Point;
    #[pymodule_export]
    use crate::prepared::Prepared;
    #[pymodule_export]
    use crate::scalar::Scalar;
    #[pymodule_export]
    use crate::target::Target;

    #[pymodule]
    mod bgn {
        #[pymodule_export]
        use crate::bgn::{Ciphertext, DlogTable, Product, PublicKey, SecretKey, keygen};
    }

    #[pymodule]
    mod ibe {
        #[pymodule_export]
        use crate::ibe::{MasterKey, PrivateKey, PublicKey, keygen};
    }

    #[pymodule]
    mod predicate {
        #[pymodule_export]
        use crate::predicate::keys::{PublicKey, SecretKey, keygen};
        #[pymodule_export]
        use crate::predicate::schema::Schema;
        #[pymodule_export]
        use crate::predicate::token::Token;
        #[pymodule_export]
        use crate::predicate::tokens::Tokens;
    }
}
