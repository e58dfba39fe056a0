//! Safe calls of the shared library of `bench/gnark`. Its functions are described there, in `main.go`.
#![allow(unsafe_code)]

use crate::peers::ffi::reason;
use crate::peers::loaded;
use bilinear_engine::Group;
use libloading::Library;
use std::ffi::c_int;
use std::marker::PhantomData;
use std::path::Path;

/// The number of bytes of a scalar.
pub(super) const SCALAR: usize = 32;

/// A curve of gnark-crypto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GnarkCurve {
    /// alt_bn128.
    Bn254,
    /// BLS12-381.
    Bls12_381,
}

impl GnarkCurve {
    /// The number of bytes of a coefficient.
    pub(super) fn coefficient(self) -> usize {
        match self {
            GnarkCurve::Bn254 => 32,
            GnarkCurve::Bls12_381 => 48,
        }
    }
}

/// gnark-crypto's library.
#[derive(Clone, Copy)]
pub(in crate::peers) struct Gnark {
    open: unsafe extern "C" fn(c_int, usize, *const u8, *const u8, *const u8) -> usize,
    close: unsafe extern "C" fn(usize),
    pair: unsafe extern "C" fn(usize, usize, usize),
    prepared: unsafe extern "C" fn(usize, usize),
    value: unsafe extern "C" fn(usize, *mut u8, usize) -> usize,
    validate: unsafe extern "C" fn(usize, c_int, usize) -> c_int,
    hash: unsafe extern "C" fn(usize, c_int, *const u8, usize, *const u8, usize, *mut u8, usize) -> usize,
    multiply: unsafe extern "C" fn(usize, c_int, usize, *mut u8, usize) -> usize,
    power: unsafe extern "C" fn(usize, usize),
}

impl Gnark {
    /// Opens the library at a path.
    pub(in crate::peers) fn open(path: &Path) -> Result<Gnark, String> {
        // SAFETY: loading starts Go's scheduler, which is designed for that; the names and types are those of
        // `main.go`.
        unsafe {
            let library = Library::new(path).map_err(reason)?;
            macro_rules! function {
                ($name:literal) => {
                    *library.get($name.as_bytes()).map_err(reason)?
                };
            }
            let gnark = Gnark {
                open: function!("gnark_open"),
                close: function!("gnark_close"),
                pair: function!("gnark_pair"),
                prepared: function!("gnark_prepared"),
                value: function!("gnark_value"),
                validate: function!("gnark_validate"),
                hash: function!("gnark_hash"),
                multiply: function!("gnark_multiply"),
                power: function!("gnark_power"),
            };
            // Go's scheduler cannot be unloaded
            std::mem::forget(library);
            Ok(gnark)
        }
    }
}

/// A curve with the points, values and scalars of some rows.
pub(super) struct Table {
    gnark: Gnark,
    handle: usize,
    curve: GnarkCurve,
    rows: usize,
    /// Results are kept in the table, for one thread.
    _own: PhantomData<*mut ()>,
}

impl Table {
    /// Creates a table of points in G1 and in G2, each as RawBytes, and of big-endian scalars. Bytes that encode no
    /// point are taken as O.
    ///
    /// # Panics
    /// Panics if these are not the bytes of equally many rows.
    pub(super) fn new(gnark: Gnark, curve: GnarkCurve, [ps, qs]: [&[u8]; 2], scalars: &[u8]) -> Table {
        let (rows, c) = (scalars.len() / SCALAR, curve.coefficient());
        assert!(scalars.len() == rows * SCALAR && ps.len() == rows * 2 * c && qs.len() == rows * 4 * c);
        let number = match curve {
            GnarkCurve::Bn254 => 0,
            GnarkCurve::Bls12_381 => 1,
        };
        // SAFETY: the slices have as many bytes as the library copies for this number of rows.
        let handle = unsafe { (gnark.open)(number, rows, ps.as_ptr(), qs.as_ptr(), scalars.as_ptr()) };
        assert!(handle != 0, "the library knows both curves");
        Table { gnark, handle, curve, rows, _own: PhantomData }
    }

    /// Returns true if `hash` is the function of RFC 9380 that we compute. On G2 of alt_bn128 the library multiplies by
    /// another multiple of the cofactor (Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, SAC 2011, section 6.1).
    pub(super) fn hashes_as_we_do(&self, group: Group) -> bool {
        group == Group::G1 || self.curve == GnarkCurve::Bls12_381
    }

    /// Returns the bytes of a point. `write` writes them and returns their number.
    fn point(&self, group: Group, write: impl FnOnce(*mut u8, usize) -> usize) -> Vec<u8> {
        let coefficients = if group == Group::G1 { 2 } else { 4 };
        let mut out = vec![0; coefficients * self.curve.coefficient()];
        assert_eq!(write(out.as_mut_ptr(), out.len()), out.len());
        out
    }
}

impl loaded::Table for Table {
    /// The number of rows.
    fn rows(&self) -> usize {
        self.rows
    }

    /// Computes Π e(P_i, Q_i) over `count` rows, from `first` on.
    fn pair(&self, first: usize, count: usize) {
        assert!(count > 0 && first + count <= self.rows);
        // SAFETY: the handle is open, and there are as many rows.
        unsafe { (self.gnark.pair)(self.handle, first, count) }
    }

    /// Computes e(P_i, Q_0) with the stored lines of Q_0.
    fn prepared(&self, row: usize) {
        assert!(row < self.rows);
        // SAFETY: the handle is open, and there is such a row.
        unsafe { (self.gnark.prepared)(self.handle, row) }
    }

    /// Raises a row's value to its scalar.
    fn power(&self, row: usize) {
        assert!(row < self.rows);
        // SAFETY: the handle is open, and there is such a row.
        unsafe { (self.gnark.power)(self.handle, row) }
    }

    /// Returns the last value of `pair`, `prepared` or `power`: its coefficients, the last one first.
    fn value(&self) -> Vec<u8> {
        let mut out = vec![0; 12 * self.curve.coefficient()];
        // SAFETY: the handle is open; no more is written than fits `out`.
        let len = unsafe { (self.gnark.value)(self.handle, out.as_mut_ptr(), out.len()) };
        assert_eq!(len, out.len());
        out
    }

    /// Returns true if the encoded point of a row is valid.
    fn validate(&self, group: Group, row: usize) -> bool {
        assert!(row < self.rows);
        // SAFETY: the handle is open, and there is such a row.
        unsafe { (self.gnark.validate)(self.handle, number(group), row) == 1 }
    }

    /// Hashes a message to a group, and returns RawBytes; `dst` has at most 255 bytes.
    fn hash(&self, group: Group, message: &[u8], dst: &[u8]) -> Vec<u8> {
        self.point(group, |out, room| {
            // SAFETY: the handle is open, and each pointer, `out` included, refers to as many bytes as its length says.
            unsafe {
                let [(m, m_len), (t, t_len)] = [message, dst].map(|x| (x.as_ptr(), x.len()));
                (self.gnark.hash)(self.handle, number(group), m, m_len, t, t_len, out, room)
            }
        })
    }

    /// Multiplies a row's point by its scalar, and returns RawBytes.
    fn multiply(&self, group: Group, row: usize) -> Vec<u8> {
        assert!(row < self.rows);
        self.point(group, |out, room| {
            // SAFETY: the handle is open, there is such a row, and `out` has the length that is passed.
            unsafe { (self.gnark.multiply)(self.handle, number(group), row, out, room) }
        })
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: the handle was opened in `new` and is closed once.
        unsafe { (self.gnark.close)(self.handle) }
    }
}

fn number(group: Group) -> c_int {
    match group {
        Group::G1 => 1,
        Group::G2 => 2,
    }
}
