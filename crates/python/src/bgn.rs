//! Numbers that are added, and multiplied once, while they are encrypted (Boneh, Goh, Nissim), with operators for both.

use crate::arrow;
use crate::chunked::integer;
use crate::chunks::{in_chunks, lane_quantum};
use crate::curve::Curve;
use crate::error::Fault;
use crate::list::List;
use crate::number::Integer;
use crate::point::hex;
use crate::secret_file;
use bilinear_engine::Batch;
use bilinear_schemes::bgn;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// A public key and its curve, shared with the ciphertexts of the key.
#[derive(Clone)]
struct Owner(Arc<(Curve, bgn::PublicKey)>);

impl Owner {
    fn curve(&self) -> &Curve {
        &self.0.0
    }

    fn key(&self) -> &bgn::PublicKey {
        &self.0.1
    }

    /// Runs a computation with the key while other Python threads run.
    fn with<T: Send>(&self, py: Python<'_>, compute: impl FnOnce(&bgn::PublicKey, &Batch) -> T + Send) -> PyResult<T> {
        let batch = self.curve().batch()?;
        Ok(py.detach(|| compute(self.key(), &batch)))
    }

    /// Returns an error unless `other` is the same public key, so that ciphertexts of different keys are not mixed.
    fn owns(&self, other: &Owner) -> Result<(), Fault> {
        if Arc::ptr_eq(&self.0, &other.0) || self.key() == other.key() {
            return Ok(());
        }
        Err(Fault::new("key", "the ciphertext belongs to another key"))
    }
}

/// The key that encrypts numbers and computes on ciphertexts.
#[pyclass(frozen, module = "bilinear.bgn")]
pub(crate) struct PublicKey(Owner);

/// The key that decrypts numbers. It is never printed, pickled or converted to bytes. It is zeroized when no reference is left.
#[pyclass(frozen, module = "bilinear.bgn")]
pub(crate) struct SecretKey {
    curve: Curve,
    key: bgn::SecretKey,
}

/// An encrypted number.
#[pyclass(frozen, module = "bilinear.bgn")]
pub(crate) struct Ciphertext {
    owner: Owner,
    value: bgn::Ciphertext,
}

/// An encrypted number that is a product, or a sum of products.
#[pyclass(frozen, module = "bilinear.bgn")]
pub(crate) struct Product {
    owner: Owner,
    value: bgn::Product,
}

/// A table that decrypts numbers up to a bound.
#[pyclass(frozen, module = "bilinear.bgn")]
pub(crate) struct DlogTable {
    curve: Curve,
    id: [u8; 16],
    table: bgn::DlogTable,
}

/// A ciphertext or a product.
#[derive(FromPyObject)]
enum Either<'py> {
    Ciphertext(Bound<'py, Ciphertext>),
    Product(Bound<'py, Product>),
}

/// The right operand of a ciphertext's multiplication: a public number or another ciphertext.
#[derive(FromPyObject)]
enum Factor<'py> {
    Number(Integer<'py>),
    Ciphertext(Bound<'py, Ciphertext>),
}

/// Makes keys. The curve must know the two factors of its order.
#[pyfunction]
pub(crate) fn keygen(py: Python<'_>, curve: &Bound<'_, Curve>) -> PyResult<(PublicKey, SecretKey)> {
    let curve = curve.get().clone();
    let batch = curve.batch()?;
    let (public, secret) = py.detach(|| bgn::setup(&batch)).map_err(Fault::from)?;
    Ok((PublicKey(Owner(Arc::new((curve.clone(), public)))), SecretKey { curve, key: secret }))
}

/// Returns the fault of an integer that does not fit in 64 bits.
fn long() -> Fault {
    Fault::new("value", "an integer of more than 64 bits")
}

/// Converts the public factor of a ciphertext to 64 bits.
fn signed(k: &Integer<'_>) -> Result<i64, Fault> {
    k.0.extract().map_err(|_| long())
}

/// Reads a column of integers. A null or an integer of more than 64 bits is an error of the whole call.
fn integers(column: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let null = || Fault::new("null", "the value is null");
    if let Some(arrays) = arrow::import(column)? {
        if !arrays.content().is_integer() {
            let kind = arrays.content();
            return Err(PyTypeError::new_err(format!("an Arrow array of {kind}: integers are expected")));
        }
        let number = |row| -> Result<i64, Fault> {
            let (array, index) = arrays.at(row)?.ok_or_else(null)?;
            integer(array, index).and_then(|x| x.try_into().ok()).ok_or_else(long)
        };
        return Ok((0..arrays.len())
            .map(|row| number(row).map_err(|fault| fault.at(row)))
            .collect::<Result<_, _>>()?);
    }
    let mut numbers = Vec::new();
    for (row, item) in column.try_iter()?.enumerate() {
        let item = item?;
        if item.is_none() {
            return Err(null().at(row).into());
        }
        if !item.hasattr("__index__")? {
            return Err(PyTypeError::new_err(format!("row {row}: an integer is expected, not {}", item.get_type())));
        }
        numbers.push(item.extract().map_err(|_| long().at(row))?);
    }
    Ok(numbers)
}

impl PublicKey {
    fn ciphertexts(&self, values: Vec<bgn::Ciphertext>) -> Vec<Ciphertext> {
        values.into_iter().map(|value| Ciphertext { owner: self.0.clone(), value }).collect()
    }

    fn values(&self, ciphertexts: &[Bound<'_, Ciphertext>]) -> Result<Vec<bgn::Ciphertext>, Fault> {
        let value = |c: &Bound<'_, Ciphertext>| self.0.owns(&c.get().owner).map(|()| c.get().value.clone());
        ciphertexts.iter().map(value).collect()
    }
}

#[pymethods]
impl PublicKey {
    /// Reads a key from the bytes of `to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, curve: &Bound<'_, Curve>, data: PyBackedBytes) -> PyResult<PublicKey> {
        let curve = curve.get().clone();
        let batch = curve.batch()?;
        let key = py.detach(|| bgn::PublicKey::from_bytes(&batch, &data)).map_err(Fault::from)?;
        Ok(PublicKey(Owner(Arc::new((curve, key)))))
    }

    /// The key as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.key().to_bytes())
    }

    /// The curve of the key.
    #[getter]
    fn curve(&self) -> Curve {
        self.0.curve().clone()
    }

    /// The identifier of this key, in hexadecimal.
    #[getter]
    fn id(&self) -> String {
        hex(self.0.key().id())
    }

    /// Encrypts integers of 64 bits, in constant time.
    #[pyo3(signature = (numbers, *, progress = None))]
    fn encrypt(&self, numbers: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Ciphertext>> {
        let (py, numbers, batch) = (numbers.py(), integers(numbers)?, self.0.curve().batch()?);
        let mut made = Vec::with_capacity(numbers.len());
        in_chunks(py, progress, numbers.len(), lane_quantum(&batch), |chunk| {
            let encrypt = || self.0.key().encrypt(&batch, &numbers[chunk]);
            made.extend(self.ciphertexts(py.detach(encrypt).map_err(Fault::from)?));
            Ok(())
        })?;
        Ok(made)
    }

    /// Multiplies the ciphertexts of two lists pairwise.
    #[pyo3(signature = (a, b, *, progress = None))]
    fn products(
        &self,
        py: Python<'_>,
        a: List<Bound<'_, Ciphertext>>,
        b: List<Bound<'_, Ciphertext>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Product>> {
        let (List(a), List(b)) = (a, b);
        if a.len() != b.len() {
            let reason = format!("the lists differ in length: {} and {}", a.len(), b.len());
            return Err(Fault::new("length", reason).into());
        }
        let (a, b, batch) = (self.values(&a)?, self.values(&b)?, self.0.curve().batch()?);
        let pairs: Vec<_> = a.iter().zip(&b).collect();
        let mut made = Vec::with_capacity(pairs.len());
        in_chunks(py, progress, pairs.len(), lane_quantum(&batch), |chunk| {
            let values = py.detach(|| self.0.key().products(&batch, &pairs[chunk])).map_err(Fault::from)?;
            made.extend(values.into_iter().map(|value| Product { owner: self.0.clone(), value }));
            Ok(())
        })?;
        Ok(made)
    }

    /// Adds ciphertexts.
    fn sum(&self, py: Python<'_>, ciphertexts: List<Bound<'_, Ciphertext>>) -> PyResult<Ciphertext> {
        let values = self.values(&ciphertexts.0)?;
        let value = self.0.with(py, |key, batch| key.add(batch, &values))?;
        Ok(Ciphertext { owner: self.0.clone(), value })
    }

    /// Adds products.
    fn sum_products(&self, py: Python<'_>, products: List<Bound<'_, Product>>) -> PyResult<Product> {
        let value = |x: &Bound<'_, Product>| self.0.owns(&x.get().owner).map(|()| x.get().value.clone());
        let values = products.0.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        let value = self.0.with(py, |key, batch| key.add_products(batch, &values))?;
        Ok(Product { owner: self.0.clone(), value })
    }

    /// Rerandomises ciphertexts: the results hold the same numbers, and cannot be told from new ciphertexts.
    fn rerandomize(&self, py: Python<'_>, ciphertexts: List<Bound<'_, Ciphertext>>) -> PyResult<Vec<Ciphertext>> {
        let values = self.values(&ciphertexts.0)?;
        let made = self.0.with(py, |key, batch| key.rerandomize(batch, &values))?;
        Ok(self.ciphertexts(made.map_err(Fault::from)?))
    }

    /// Reads a ciphertext from bytes, and checks it in full.
    fn ciphertext(&self, py: Python<'_>, data: PyBackedBytes) -> PyResult<Ciphertext> {
        let value = self.0.with(py, |key, batch| key.read_ciphertext(batch, &data))?.map_err(Fault::from)?;
        Ok(Ciphertext { owner: self.0.clone(), value })
    }

    /// Reads a product from bytes, and checks it in full.
    fn product(&self, py: Python<'_>, data: PyBackedBytes) -> PyResult<Product> {
        let value = self.0.with(py, |key, batch| key.read_product(batch, &data))?.map_err(Fault::from)?;
        Ok(Product { owner: self.0.clone(), value })
    }

    fn __eq__(&self, other: &Bound<'_, PublicKey>) -> bool {
        self.0.owns(&other.get().0).is_ok()
    }

    fn __hash__(&self) -> u64 {
        self.0.curve().hash_of(self.0.key().id())
    }

    fn __repr__(&self) -> String {
        format!("<PublicKey {} of {}>", &self.id()[..8], self.0.curve().system().curve().name())
    }
}

#[pymethods]
impl Ciphertext {
    fn __add__(&self, py: Python<'_>, other: &Bound<'_, Ciphertext>) -> PyResult<Ciphertext> {
        self.owner.owns(&other.get().owner)?;
        let both = [self.value.clone(), other.get().value.clone()];
        self.made(self.owner.with(py, |key, batch| key.add(batch, &both)))
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, Ciphertext>) -> PyResult<Ciphertext> {
        self.owner.owns(&other.get().owner)?;
        let (a, b) = (self.value.clone(), &other.get().value);
        self.made(self.owner.with(py, |key, batch| key.add(batch, &[a, key.scale(batch, -1, b)])))
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Ciphertext> {
        self.made(self.owner.with(py, |key, batch| key.scale(batch, -1, &self.value)))
    }

    /// Multiplies by a public number, or by another ciphertext.
    fn __mul__(&self, py: Python<'_>, factor: Factor<'_>) -> PyResult<Py<PyAny>> {
        match factor {
            Factor::Number(k) => {
                let k = signed(&k)?;
                let made = self.made(self.owner.with(py, |key, batch| key.scale(batch, k, &self.value)))?;
                Ok(Py::new(py, made)?.into_any())
            }
            Factor::Ciphertext(other) => {
                self.owner.owns(&other.get().owner)?;
                let other = &other.get().value;
                let made = self.owner.with(py, |key, batch| key.products(batch, &[(&self.value, other)]))?;
                let value = made.map_err(Fault::from)?.remove(0);
                Ok(Py::new(py, Product { owner: self.owner.clone(), value })?.into_any())
            }
        }
    }

    fn __rmul__(&self, py: Python<'_>, k: Integer<'_>) -> PyResult<Ciphertext> {
        let k = signed(&k)?;
        self.made(self.owner.with(py, |key, batch| key.scale(batch, k, &self.value)))
    }

    /// Converts the ciphertext to a product of the same number, which can be added to other products.
    fn as_product(&self, py: Python<'_>) -> PyResult<Product> {
        let value = self.owner.with(py, |key, batch| key.as_product(batch, &self.value))?;
        Ok(Product { owner: self.owner.clone(), value })
    }

    fn __eq__(&self, other: &Bound<'_, Ciphertext>) -> bool {
        self.owner.owns(&other.get().owner).is_ok() && self.value == other.get().value
    }

    fn __hash__(&self) -> u64 {
        self.owner.curve().hash_of(&self.owner.key().ciphertext_bytes(&self.value))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.owner.key().ciphertext_bytes(&self.value))
    }

    fn __repr__(&self) -> String {
        format!("<Ciphertext of {}>", self.owner.curve().system().curve().name())
    }
}

impl Ciphertext {
    fn made(&self, value: PyResult<bgn::Ciphertext>) -> PyResult<Ciphertext> {
        Ok(Ciphertext { owner: self.owner.clone(), value: value? })
    }
}

impl Product {
    fn times(&self, py: Python<'_>, k: i64) -> PyResult<Product> {
        self.made(self.owner.with(py, |key, batch| key.scale_product(batch, k, &self.value)))
    }

    fn made(&self, value: PyResult<bgn::Product>) -> PyResult<Product> {
        Ok(Product { owner: self.owner.clone(), value: value? })
    }
}

#[pymethods]
impl Product {
    fn __add__(&self, py: Python<'_>, other: &Bound<'_, Product>) -> PyResult<Product> {
        self.owner.owns(&other.get().owner)?;
        let both = [self.value.clone(), other.get().value.clone()];
        self.made(self.owner.with(py, |key, batch| key.add_products(batch, &both)))
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, Product>) -> PyResult<Product> {
        self.owner.owns(&other.get().owner)?;
        let (a, b) = (self.value.clone(), &other.get().value);
        self.made(self.owner.with(py, |key, batch| key.add_products(batch, &[a, key.scale_product(batch, -1, b)])))
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Product> {
        self.times(py, -1)
    }

    fn __mul__(&self, py: Python<'_>, k: Integer<'_>) -> PyResult<Product> {
        self.times(py, signed(&k)?)
    }

    fn __rmul__(&self, py: Python<'_>, k: Integer<'_>) -> PyResult<Product> {
        self.__mul__(py, k)
    }

    fn __eq__(&self, other: &Bound<'_, Product>) -> bool {
        self.owner.owns(&other.get().owner).is_ok() && self.value == other.get().value
    }

    fn __hash__(&self) -> u64 {
        self.owner.curve().hash_of(&self.owner.key().product_bytes(&self.value))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.owner.key().product_bytes(&self.value))
    }

    fn __repr__(&self) -> String {
        format!("<Product of {}>", self.owner.curve().system().curve().name())
    }
}

#[pymethods]
impl SecretKey {
    /// Reads a key from a file that `save` wrote. No other user may be able to read the file.
    #[staticmethod]
    fn load(py: Python<'_>, curve: &Bound<'_, Curve>, path: PathBuf) -> PyResult<SecretKey> {
        let curve = curve.get().clone();
        let batch = curve.batch()?;
        let key = py.detach(|| Ok::<_, Fault>(bgn::SecretKey::from_bytes(&batch, &secret_file::load(&path)?)?))?;
        Ok(SecretKey { curve, key })
    }

    /// Writes the key to a new file that only the current user can read.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| secret_file::save(&path, &self.key.to_bytes()))?)
    }

    /// The identifier of the matching public key, in hexadecimal.
    #[getter]
    fn id(&self) -> String {
        hex(self.key.id())
    }

    /// Makes a table that decrypts numbers up to `bound` in absolute value. Whoever holds the table can decrypt.
    fn dlog_table(&self, py: Python<'_>, bound: Integer<'_>) -> PyResult<DlogTable> {
        let wrong = |_| Fault::new("range", format!("a bound of {}: it must be 1 to 2^40", bound.0));
        let bound: u64 = bound.0.extract().map_err(wrong)?;
        let batch = self.curve.batch()?;
        let table = py.detach(|| self.key.dlog_table(&batch, bound)).map_err(Fault::from)?;
        Ok(DlogTable { curve: self.curve.clone(), id: *self.key.id(), table })
    }

    fn __repr__(&self) -> String {
        format!("<SecretKey {} of {}>", &self.id()[..8], self.curve.system().curve().name())
    }
}

#[pymethods]
impl DlogTable {
    /// Decrypts ciphertexts and products; `None` where a number is beyond the bound.
    #[pyo3(signature = (ciphertexts, *, progress = None))]
    fn decrypt(
        &self,
        py: Python<'_>,
        ciphertexts: List<Either<'_>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Option<i64>>> {
        let (List(ciphertexts), batch) = (ciphertexts, self.curve.batch()?);
        for (row, given) in ciphertexts.iter().enumerate() {
            let owner = match given {
                Either::Ciphertext(c) => &c.get().owner,
                Either::Product(x) => &x.get().owner,
            };
            if *owner.key().id() != self.id {
                return Err(Fault::new("key", "the ciphertext belongs to another key").at(row).into());
            }
        }
        let mut numbers = Vec::with_capacity(ciphertexts.len());
        in_chunks(py, progress, ciphertexts.len(), lane_quantum(&batch), |chunk| {
            let (mut points, mut targets) = (Vec::new(), Vec::new());
            for given in &ciphertexts[chunk.clone()] {
                match given {
                    Either::Ciphertext(c) => points.push(c.get().value.clone()),
                    Either::Product(x) => targets.push(x.get().value.clone()),
                }
            }
            let table = &self.table;
            let decrypt = || (table.decrypt(&batch, &points), table.decrypt_products(&batch, &targets));
            let (points, targets) = py.detach(decrypt);
            let (mut points, mut targets) = (points.into_iter(), targets.into_iter());
            numbers.extend(ciphertexts[chunk].iter().map(|given| match given {
                Either::Ciphertext(_) => points.next().flatten(),
                Either::Product(_) => targets.next().flatten(),
            }));
            Ok(())
        })?;
        Ok(numbers)
    }
}
