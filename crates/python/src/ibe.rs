//! Identity-based encryption (Boneh, Franklin) of whole columns of messages.

use crate::bulk::common;
use crate::chunks::{each_row, lane_quantum};
use crate::column::Column;
use crate::curve::Curve;
use crate::error::Fault;
use crate::outcomes::{Outcomes, Values};
use crate::point::hex;
use crate::secret_file;
use crate::text::Text;
use arrow_array::LargeBinaryArray;
use bilinear_engine::{in_place, try_in_place};
use bilinear_schemes::ibe;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// The public key of a system, which encrypts to identities.
#[pyclass(frozen, module = "bilinear.ibe")]
pub(crate) struct PublicKey {
    curve: Curve,
    key: ibe::PublicKey,
}

/// The master key of a system, which extracts the private keys of identities. It is never printed, pickled or converted to bytes. It is
/// zeroized when no reference is left.
#[pyclass(frozen, module = "bilinear.ibe")]
pub(crate) struct MasterKey {
    curve: Curve,
    key: ibe::MasterKey,
}

/// The private key of an identity, which decrypts messages to that identity. It is never printed, pickled or converted to bytes.
#[pyclass(frozen, module = "bilinear.ibe")]
pub(crate) struct PrivateKey {
    curve: Curve,
    key: ibe::PrivateKey,
}

/// Makes the keys of a system.
#[pyfunction]
pub(crate) fn keygen(py: Python<'_>, curve: &Bound<'_, Curve>) -> PyResult<(PublicKey, MasterKey)> {
    let curve = curve.get().clone();
    let batch = curve.batch()?;
    let (public, master) = py.detach(|| ibe::setup(&batch)).map_err(Fault::from)?;
    Ok((PublicKey { curve: curve.clone(), key: public }, MasterKey { curve, key: master }))
}

#[pymethods]
impl PublicKey {
    /// Reads a key from the bytes of `to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, curve: &Bound<'_, Curve>, data: PyBackedBytes) -> PyResult<PublicKey> {
        let curve = curve.get().clone();
        let batch = curve.batch()?;
        let key = py.detach(|| ibe::PublicKey::from_bytes(&batch, &data)).map_err(Fault::from)?;
        Ok(PublicKey { curve, key })
    }

    /// Returns the key as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.key.to_bytes())
    }

    /// The identifier of this key, in hexadecimal.
    #[getter]
    fn id(&self) -> String {
        hex(self.key.id())
    }

    /// Encrypts each message to the identity in the same row, in constant time except for identities and lengths.
    #[pyo3(signature = (identities, messages, *, progress = None))]
    fn encrypt(
        &self,
        identities: &Bound<'_, PyAny>,
        messages: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        let (py, batch) = (identities.py(), self.curve.batch()?);
        let (identities, messages) = (Column::new(identities)?, Column::new(messages)?);
        let rows = common(("identities", &identities), ("messages", &messages))?;
        let outcomes = each_row(py, (rows, progress), lane_quantum(&batch), |chunk| {
            let (identities, messages) = (identities.cells(py, &chunk)?, messages.cells(py, &chunk)?);
            let made = py.detach(|| {
                let row = |i: usize| Ok((identities.get(i)?.bytes(), messages.get(i)?.bytes()));
                try_in_place((0..chunk.len()).map(row), |rows| self.key.encrypt(&batch, &rows))
            });
            Ok(made.map_err(Fault::from)?)
        })?;
        Ok(outcomes.finish(&self.curve, |rows| Values::Bytes(LargeBinaryArray::from_iter(rows))))
    }

    fn __eq__(&self, other: &Bound<'_, PublicKey>) -> bool {
        self.key == other.get().key
    }

    fn __hash__(&self) -> u64 {
        self.curve.hash_of(self.key.id())
    }

    fn __repr__(&self) -> String {
        format!("<PublicKey {} of {}>", &self.id()[..8], self.curve.system().curve().name())
    }
}

#[pymethods]
impl MasterKey {
    /// Reads a key from a file that `save` wrote. No other user may be able to read the file.
    #[staticmethod]
    fn load(py: Python<'_>, curve: &Bound<'_, Curve>, path: PathBuf) -> PyResult<MasterKey> {
        let curve = curve.get().clone();
        let batch = curve.batch()?;
        let key = py.detach(|| Ok::<_, Fault>(ibe::MasterKey::from_bytes(&batch, &secret_file::load(&path)?)?))?;
        Ok(MasterKey { curve, key })
    }

    /// Writes the key to a new file that only the current user can read.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| secret_file::save(&path, &self.key.to_bytes()))?)
    }

    /// Extracts the private key of an identity.
    fn extract(&self, py: Python<'_>, identity: Text) -> PyResult<PrivateKey> {
        let batch = self.curve.batch()?;
        let key = py.detach(|| self.key.extract(&batch, identity.as_bytes())).map_err(Fault::from)?;
        Ok(PrivateKey { curve: self.curve.clone(), key })
    }

    fn __repr__(&self) -> String {
        format!("<MasterKey {} of {}>", &hex(self.key.id())[..8], self.curve.system().curve().name())
    }
}

#[pymethods]
impl PrivateKey {
    /// Reads a key from a file that `save` wrote. No other user may be able to read the file.
    #[staticmethod]
    fn load(py: Python<'_>, curve: &Bound<'_, Curve>, path: PathBuf) -> PyResult<PrivateKey> {
        let curve = curve.get().clone();
        let batch = curve.batch()?;
        let key = py.detach(|| Ok::<_, Fault>(ibe::PrivateKey::from_bytes(&batch, &secret_file::load(&path)?)?))?;
        Ok(PrivateKey { curve, key })
    }

    /// Writes the key to a new file that only the current user can read.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| secret_file::save(&path, &self.key.to_bytes()))?)
    }

    /// Decrypts rows to messages; `None` where a row was encrypted to another identity, or was changed.
    #[pyo3(signature = (rows, *, progress = None))]
    fn decrypt(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Outcomes> {
        let (py, column, batch) = (rows.py(), Column::new(rows)?, self.curve.batch()?);
        let outcomes = each_row(py, (column.rows().unwrap_or(1), progress), lane_quantum(&batch), |chunk| {
            let cells = column.cells(py, &chunk)?;
            let opened = py.detach(|| {
                let rows = (0..chunk.len()).map(|i| Ok::<_, Fault>(cells.get(i)?.bytes()));
                in_place(rows, |rows| self.key.decrypt(&batch, &rows))
            });
            Ok(opened.into_iter().map(|opened| Ok(opened??)).collect())
        })?;
        Ok(outcomes.finish(&self.curve, Values::messages))
    }

    fn __repr__(&self) -> String {
        format!("<PrivateKey of {}>", self.curve.system().curve().name())
    }
}
