//! Safe calls of RELIC's C interface: the functions of its headers of version 0.7.0, loaded at run time.
//!
//! A library has only the curve of its build, which it reports: embedding degree 12 (G2 over F_p²) or 24 (over F_p⁴).
//! With ALLOC=AUTO and ALIGN=1, the defaults, a point of G1 is three coefficients and a word that gives their form. A
//! point of G2 has k/6 times as many coefficients, and a value has k. An integer is two words of lengths, a sign, and
//! digits. [`Relic::open`] checks what can be checked of this layout. A library keeps its state in global variables, so
//! one table of all libraries exists at a time ([`CURVE`]).
#![allow(unsafe_code)]

use crate::peers::ffi::{function, reason};
use crate::peers::loaded::{self, Table as _};
use bilinear_engine::Group;
use libloading::Library;
use std::cell::RefCell;
use std::ffi::c_int;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held while a library is in use.
static CURVE: Mutex<()> = Mutex::new(());

/// The number of words of a buffer that a library writes to before its curve is known, and of an integer.
const ROOM: usize = 1024;
/// The number of words of an integer before its digits.
const HEAD: usize = 3;
/// The form word of an affine point.
const AFFINE: u32 = 1;

type Generator = unsafe extern "C" fn(*mut u64);
type Read = unsafe extern "C" fn(*mut u64, *const u8, usize);
type Write = unsafe extern "C" fn(*mut u8, usize, *const u64, c_int);
type Multiply = unsafe extern "C" fn(*mut u64, *const u64, *const u64);

/// The functions on points of one group.
#[derive(Clone, Copy)]
struct Points {
    generator: Generator,
    size: unsafe extern "C" fn(*const u64, c_int) -> usize,
    read: Read,
    write: Write,
    is_valid: unsafe extern "C" fn(*const u64) -> c_int,
    hash: Read,
    multiply: Multiply,
}

impl Points {
    /// Finds the functions of `ep`, `ep2` or `ep4`, with the hash function named `hash`, and those of g1 or g2.
    fn of(library: &Library, [points, hash, group]: [&str; 3]) -> Result<Points, String> {
        // SAFETY: the names and types are those of `relic_ep.h`, `relic_epx.h` and `relic_pc.h`
        unsafe {
            Ok(Points {
                generator: function(library, &format!("{points}_curve_get_gen"))?,
                size: function(library, &format!("{points}_size_bin"))?,
                read: function(library, &format!("{points}_read_bin"))?,
                write: function(library, &format!("{points}_write_bin"))?,
                is_valid: function(library, &format!("{group}_is_valid"))?,
                hash: function(library, hash)?,
                multiply: function(library, &format!("{group}_mul"))?,
            })
        }
    }
}

/// RELIC's library on its curve.
#[derive(Clone)]
pub(in crate::peers) struct Relic {
    points: [Points; 2],
    make_integer: unsafe extern "C" fn(*mut u64, usize),
    read_integer: Read,
    pairing: Multiply,
    product: unsafe extern "C" fn(*mut u64, *const u64, *const u64, c_int),
    power: Multiply,
    write_value: Write,
    /// The embedding degree.
    k: usize,
    /// The number of bytes of a coefficient.
    coefficient: usize,
    generators: [Vec<u8>; 2],
}

impl Relic {
    /// Opens the library at a path.
    pub(in crate::peers) fn open(path: &Path) -> Result<Relic, String> {
        let _curve = CURVE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the library has no initialisers; the names and types are those of its headers, and `core_init` is
        // called before all else. Points are written to a buffer that is large enough for the longest fields.
        unsafe {
            let library = Library::new(path).map_err(reason)?;
            let init: unsafe extern "C" fn() -> c_int = function(&library, "core_init")?;
            let choose: unsafe extern "C" fn() -> c_int = function(&library, "ep_param_set_any_pairf")?;
            let embedding: unsafe extern "C" fn() -> c_int = function(&library, "ep_curve_embed")?;
            let make_integer: unsafe extern "C" fn(*mut u64, usize) = function(&library, "bn_make")?;
            let no_pairing = || "it has no pairing on the field that it was built for".to_owned();
            if init() != 0 {
                return Err(no_pairing());
            }
            let mut words = vec![0; ROOM];
            make_integer(words.as_mut_ptr(), 1);
            // in another layout a pointer would stand in place of the digits
            if words[0] > (ROOM - HEAD) as u64 || words[HEAD] != 0 {
                return Err("its integers are not those of RELIC 0.7.0 with ALLOC=AUTO".to_owned());
            }
            if choose() != 0 {
                return Err(no_pairing());
            }
            let k = embedding();
            let names = match k {
                12 => ["ep2", "ep2_map_sswum", "pp_map_oatep_k12", "pp_map_sim_oatep_k12", "fp12_write_bin"],
                24 => ["ep4", "ep4_map", "pp_map_k24", "pp_map_sim_k24", "fp24_write_bin"],
                _ => return Err(format!("its curve has embedding degree {k}: 12 or 24 is needed")),
            };
            let [g2, hash_to_g2, pairing, product, write_value] = names;
            let points =
                [Points::of(&library, ["ep", "ep_map_sswum", "g1"])?, Points::of(&library, [g2, hash_to_g2, "g2"])?];
            let mut relic = Relic {
                points,
                make_integer,
                read_integer: function(&library, "bn_read_bin")?,
                pairing: function(&library, pairing)?,
                product: function(&library, product)?,
                power: function(&library, "gt_exp")?,
                write_value: function(&library, write_value)?,
                k: k.unsigned_abs() as usize,
                coefficient: 0,
                generators: [vec![], vec![]],
            };
            for (group, points) in Group::ALL.into_iter().zip(relic.points) {
                words.fill(0);
                (points.generator)(words.as_mut_ptr());
                let size = (points.size)(words.as_ptr(), 0);
                relic.coefficient = size.saturating_sub(1) / relic.coefficients(group);
                if words[relic.point_words(group) - 1] as u32 != AFFINE {
                    return Err("its points are not those of RELIC 0.7.0 with ALIGN=1".to_owned());
                }
                relic.generators[index(group)] = relic.bytes(group, &words);
            }
            // tables refer to the library without a limit of lifetime
            std::mem::forget(library);
            Ok(relic)
        }
    }

    /// The encoded generators of G1 and of G2.
    pub(super) fn generators(&self) -> &[Vec<u8>; 2] {
        &self.generators
    }

    /// The number of bytes of a coefficient.
    pub(super) fn coefficient(&self) -> usize {
        self.coefficient
    }

    /// Returns the number of coefficients of a point, x and y.
    fn coefficients(&self, group: Group) -> usize {
        if group == Group::G1 { 2 } else { self.k / 3 }
    }

    /// Returns the number of words of a coefficient.
    fn words(&self) -> usize {
        self.coefficient.div_ceil(8)
    }

    /// Returns the number of words of a point: X, Y, Z and their form.
    fn point_words(&self, group: Group) -> usize {
        self.coefficients(group) / 2 * 3 * self.words() + 1
    }

    /// Returns the bytes of a point.
    fn bytes(&self, group: Group, words: &[u64]) -> Vec<u8> {
        assert!(words.len() >= self.point_words(group));
        let mut out = vec![0; 1 + self.coefficients(group) * self.coefficient];
        // SAFETY: `words` has the words of a point, and no more is written than fits `out`.
        unsafe { (self.points[index(group)].write)(out.as_mut_ptr(), out.len(), words.as_ptr(), 0) }
        out
    }
}

/// A curve with the points, values and scalars of some rows.
pub(super) struct Table {
    relic: Relic,
    encoded: [Vec<Vec<u8>>; 2],
    /// Points of G1 and of G2.
    points: [Vec<u64>; 2],
    scalars: Vec<u64>,
    /// e(P_i, Q_i).
    values: Vec<u64>,
    /// The point or value that was computed last.
    last: RefCell<Vec<u64>>,
    _curve: MutexGuard<'static, ()>,
}

impl Table {
    /// Creates a table of encoded points in G1 and in G2, and of big-endian scalars. Waits until no other table is in
    /// use.
    ///
    /// # Panics
    /// Panics if there are not equally many points and scalars, if there are none, or if one is not encoded.
    pub(super) fn new(relic: &Relic, encoded: [Vec<Vec<u8>>; 2], scalars: &[Vec<u8>]) -> Table {
        let rows = scalars.len();
        assert!(rows > 0 && encoded.iter().all(|points| points.len() == rows));
        let _curve = CURVE.lock().unwrap_or_else(PoisonError::into_inner);
        let points = Group::ALL.map(|group| vec![0; rows * relic.point_words(group)]);
        let value = relic.k * relic.words();
        let (values, last) = (vec![0; rows * value], RefCell::new(vec![0; value]));
        let mut table =
            Table { relic: relic.clone(), encoded, points, scalars: vec![0; rows * ROOM], values, last, _curve };
        for (k, bytes) in table.scalars.chunks_mut(ROOM).zip(scalars) {
            assert!(bytes.len() <= relic.coefficient);
            // SAFETY: k has the words of an integer, and an integer's precision covers as many digits as a field
            // element has.
            unsafe {
                (relic.make_integer)(k.as_mut_ptr(), 1);
                (relic.read_integer)(k.as_mut_ptr(), bytes.as_ptr(), bytes.len());
            }
        }
        for row in 0..rows {
            for group in Group::ALL {
                table.validate(group, row);
                let len = relic.point_words(group);
                table.points[index(group)][row * len..][..len].copy_from_slice(&table.last.borrow()[..len]);
            }
            table.pair(row, 1);
            table.values[row * value..][..value].copy_from_slice(&table.last.borrow());
        }
        table
    }

    /// Returns the words of the points from a row on.
    fn point(&self, group: Group, row: usize) -> *const u64 {
        assert!(row < self.rows());
        self.points[index(group)][row * self.relic.point_words(group)..].as_ptr()
    }

    fn scalar(&self, row: usize) -> *const u64 {
        self.scalars[row * ROOM..][..ROOM].as_ptr()
    }
}

impl loaded::Table for Table {
    /// The number of rows.
    fn rows(&self) -> usize {
        self.encoded[0].len()
    }

    /// Computes Π e(P_i, Q_i) over `count` rows, from `first` on.
    fn pair(&self, first: usize, count: usize) {
        assert!(count > 0 && first + count <= self.rows());
        let out = self.last.borrow_mut().as_mut_ptr();
        let [p, q] = Group::ALL.map(|group| self.point(group, first));
        // SAFETY: the result has the words of a value, and there are `count` points from these on.
        unsafe {
            if count == 1 { (self.relic.pairing)(out, p, q) } else { (self.relic.product)(out, p, q, count as c_int) }
        }
    }

    fn prepares(&self) -> bool {
        false
    }

    fn prepared(&self, _: usize) {
        unreachable!("it has no prepared arguments")
    }

    /// Computes e(P_i, Q_i) to the row's scalar.
    fn power(&self, row: usize) {
        let mut last = self.last.borrow_mut();
        let value = &self.values[row * last.len()..][..last.len()];
        // SAFETY: both arrays have the words of a value, and the scalar is an integer.
        unsafe { (self.relic.power)(last.as_mut_ptr(), value.as_ptr(), self.scalar(row)) }
    }

    /// Returns the last value of `pair` or `power`: its coefficients in the library's order, big-endian.
    fn value(&self) -> Vec<u8> {
        let mut out = vec![0; self.relic.k * self.relic.coefficient];
        // SAFETY: the source has the words of a value, and no more is written than fits `out`.
        unsafe { (self.relic.write_value)(out.as_mut_ptr(), out.len(), self.last.borrow().as_ptr(), 0) }
        out
    }

    /// Returns true if the encoded point of a row is on the curve and in the group.
    fn validate(&self, group: Group, row: usize) -> bool {
        let (bytes, points) = (&self.encoded[index(group)][row], self.relic.points[index(group)]);
        let out = self.last.borrow_mut().as_mut_ptr();
        // SAFETY: the result has the words of a value, more than a point takes; the slice has as many bytes as is
        // passed.
        unsafe {
            (points.read)(out, bytes.as_ptr(), bytes.len());
            (points.is_valid)(out) == 1
        }
    }

    /// Hashes a message to a group under the library's own tag, and returns the encoded point.
    fn hash(&self, group: Group, message: &[u8], _: &[u8]) -> Vec<u8> {
        let mut last = self.last.borrow_mut();
        // SAFETY: the result has the words of a value, more than a point takes; the slice has as many bytes as is
        // passed.
        unsafe { (self.relic.points[index(group)].hash)(last.as_mut_ptr(), message.as_ptr(), message.len()) }
        self.relic.bytes(group, &last)
    }

    /// Multiplies a row's point by its scalar, and returns the encoded point.
    fn multiply(&self, group: Group, row: usize) -> Vec<u8> {
        let mut last = self.last.borrow_mut();
        let multiply = self.relic.points[index(group)].multiply;
        // SAFETY: the result has the words of a value, more than a point takes, and the scalar is an integer.
        unsafe { multiply(last.as_mut_ptr(), self.point(group, row), self.scalar(row)) }
        self.relic.bytes(group, &last)
    }
}

fn index(group: Group) -> usize {
    usize::from(group == Group::G2)
}
