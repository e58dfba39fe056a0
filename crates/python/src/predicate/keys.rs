//! Public keys, which encrypt rows, and secret keys, which make tokens.

use super::rows::Plain;
use super::schema::Schema;
use super::token::Token;
use super::{Pickled, pickled};
use crate::chunks::{each_row, lane_quantum};
use crate::column::Cell;
use crate::curve::Curve;
use crate::error::Fault;
use crate::number::at_least_one;
use crate::outcomes::{Outcomes, Values};
use crate::per_process::PerProcess;
use crate::point::hex;
use crate::text::Text;
use arrow_array::LargeBinaryArray;
use bilinear_engine::try_in_place;
use bilinear_schemes::predicate::language::{self, Predicate};
use bilinear_schemes::predicate::{self, Content, Encryptor, KeyFile, Scalar, Scheme};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// The key that encrypts rows.
#[pyclass(frozen, module = "bilinear.predicate")]
pub(crate) struct PublicKey {
    curve: Curve,
    schema: language::Schema,
    key: predicate::PublicKey,
    /// The precomputed tables of the key, made when the first rows are encrypted.
    encryptor: PerProcess<Arc<Encryptor>>,
}

/// The key that makes tokens. It is never printed, pickled or converted to bytes. It is zeroized when no reference is left.
#[pyclass(frozen, module = "bilinear.predicate")]
pub(crate) struct SecretKey {
    curve: Curve,
    schema: language::Schema,
    key: predicate::SecretKey,
}

/// Makes the keys of a table. The curve must know the factors of its order, and have its default pairing and power.
#[pyfunction]
pub(crate) fn keygen(py: Python<'_>, curve: &Bound<'_, Curve>, schema: Schema) -> PyResult<(PublicKey, SecretKey)> {
    let (curve, schema) = (curve.get().clone(), schema.0);
    if !curve.system().is_default_pairing() {
        return Err(Fault::new("engine", "key files name only the curve: create it without pairing and power").into());
    }
    let batch = curve.batch()?;
    let (public, secret) =
        py.detach(|| predicate::setup(&batch, schema.scheme(), schema.length())).map_err(Fault::from)?;
    let secret = SecretKey { curve: curve.clone(), schema: schema.clone(), key: secret };
    Ok((PublicKey { curve, schema, key: public, encryptor: PerProcess::default() }, secret))
}

/// Returns the curve and the schema of a key file. The caller checks that the schema is that of the key.
fn opened(
    py: Python<'_>,
    file: &KeyFile,
    engine: Option<&str>,
    threads: Option<NonZeroUsize>,
) -> PyResult<(Curve, language::Schema)> {
    let curve = Curve::of_key(py, file, engine, threads)?;
    Ok((curve, py.detach(|| file.schema()).map_err(Fault::from)?))
}

/// Returns an error unless the vectors of the key are those of the schema.
fn suits(file: &KeyFile, schema: &language::Schema, scheme: Scheme, length: usize) -> Result<(), Fault> {
    if (schema.scheme(), schema.length()) == (scheme, length) {
        return Ok(());
    }
    Err(file.refused("the schema is not that of the key").into())
}

impl PublicKey {
    fn of_file(
        py: Python<'_>,
        file: &KeyFile,
        engine: Option<&str>,
        threads: Option<NonZeroUsize>,
    ) -> PyResult<PublicKey> {
        let (curve, schema) = opened(py, file, engine, threads)?;
        let batch = curve.batch()?;
        let key =
            py.detach(|| predicate::PublicKey::from_bytes(&batch, file.key())).map_err(|error| file.refused(error));
        let key = key.map_err(Fault::from)?;
        suits(file, &schema, key.scheme(), key.length())?;
        Ok(PublicKey { curve, schema, key, encryptor: PerProcess::default() })
    }
}

#[pymethods]
impl PublicKey {
    /// Reads a key from a file that `bilinear search keygen` or `save` wrote.
    #[staticmethod]
    #[pyo3(signature = (path, *, engine = None, threads = None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<PublicKey> {
        let file = py.detach(|| KeyFile::read(&path, Content::Public)).map_err(Fault::from)?;
        PublicKey::of_file(py, &file, engine, threads)
    }

    /// Reads a key from the bytes of a key file.
    #[staticmethod]
    #[pyo3(signature = (data, *, engine = None, threads = None))]
    fn from_bytes(
        py: Python<'_>,
        data: Text,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<PublicKey> {
        let file = KeyFile::parse("public key", Content::Public, data.as_bytes()).map_err(Fault::from)?;
        PublicKey::of_file(py, &file, engine, threads)
    }

    /// Writes the key to a new file, which the `bilinear` command can read.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let curve = self.curve.system().curve();
        let write = || KeyFile::write(&path, Content::Public, &self.key.to_bytes(), curve, Some(&self.schema));
        Ok(py.detach(write).map_err(Fault::from)?)
    }

    /// Returns the key as the bytes of a key file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let curve = self.curve.system().curve();
        PyBytes::new(py, &KeyFile::text(Content::Public, &self.key.to_bytes(), curve, Some(&self.schema)))
    }

    /// The curve of the key.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The schema of the key.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
    }

    /// The identifier of this key in rows and tokens, in hexadecimal.
    #[getter]
    fn id(&self) -> String {
        hex(self.key.id())
    }

    /// Encrypts the rows of a table, in constant time except for lengths.
    #[pyo3(signature = (rows, *, messages = None, progress = None))]
    fn encrypt(
        &self,
        rows: &Bound<'_, PyAny>,
        messages: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        let py = rows.py();
        let plain = Plain::new(&self.schema, rows, messages)?;
        let batch = self.curve.batch()?;
        let (order, step) = (batch.system().order().clone(), lane_quantum(&batch));
        let make = || Encryptor::new(batch.clone(), &self.key).map(Arc::new);
        let encryptor = py.detach(|| self.encryptor.get(make)).map_err(Fault::from)?;
        let outcomes = each_row(py, (plain.len(), progress), step, |chunk| {
            let messages = plain.messages(py, &chunk)?;
            let first = chunk.start;
            let made = py.detach(|| {
                let row = |row: usize| {
                    let message = messages.as_ref().map(|cells| cells.get(row - first).map(Cell::bytes)).transpose()?;
                    Ok((plain.vector(&order, row)?, message.unwrap_or_default()))
                };
                try_in_place(chunk.map(row), |rows| {
                    let rows: Vec<(&[Scalar], &[u8])> = rows.iter().map(|(x, message)| (&x[..], *message)).collect();
                    encryptor.encrypt(&rows)
                })
            });
            Ok(made.map_err(Fault::from)?)
        })?;
        Ok(outcomes.finish(&self.curve, |rows| Values::Bytes(LargeBinaryArray::from_iter(rows))))
    }

    fn __eq__(&self, other: &Bound<'_, PublicKey>) -> bool {
        self.key == other.get().key && self.schema == other.get().schema
    }

    fn __hash__(&self) -> u64 {
        self.curve.hash_of(self.key.id())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        pickled(&py.get_type::<PublicKey>(), &self.curve, self.to_bytes(py))
    }

    fn __repr__(&self) -> String {
        let curve = self.curve.system().curve().name();
        format!("<PublicKey {} of {curve}, vectors of {}>", &self.id()[..8], self.key.length())
    }
}

#[pymethods]
impl SecretKey {
    /// Reads a key from a file that `bilinear search keygen` or `save` wrote. No other user may be able to read the
    /// file.
    #[staticmethod]
    #[pyo3(signature = (path, *, engine = None, threads = None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<SecretKey> {
        let file = py.detach(|| KeyFile::read(&path, Content::Secret)).map_err(Fault::from)?;
        let (curve, schema) = opened(py, &file, engine, threads)?;
        let batch = curve.batch()?;
        let key = py.detach(|| predicate::SecretKey::from_bytes(&batch, file.key()));
        let key = key.map_err(|error| Fault::from(file.refused(error)))?;
        suits(&file, &schema, key.scheme(), key.length())?;
        Ok(SecretKey { curve, schema, key })
    }

    /// Writes the key to a new file that only the current user can read.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let curve = self.curve.system().curve();
        let write = || KeyFile::write(&path, Content::Secret, &self.key.to_bytes(), curve, Some(&self.schema));
        Ok(py.detach(write).map_err(Fault::from)?)
    }

    /// The curve of the key.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The schema of the key.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
    }

    /// The identifier of the matching public key, in hexadecimal.
    #[getter]
    fn id(&self) -> String {
        hex(self.key.id())
    }

    /// Makes the token of a predicate.
    fn token(&self, py: Python<'_>, predicate: &str) -> PyResult<Token> {
        let predicate = Predicate::new(&self.schema, predicate).map_err(Fault::from)?;
        let batch = self.curve.batch()?;
        let made = py.detach(|| {
            let pattern = predicate.pattern(batch.system().order())?;
            Ok::<_, Fault>(self.key.token(&batch, &pattern)?)
        });
        Ok(Token::new(self.curve.clone(), made?))
    }

    fn __repr__(&self) -> String {
        format!("<SecretKey {} of {}>", &self.id()[..8], self.curve.system().curve().name())
    }
}
