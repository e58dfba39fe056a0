//! Safe calls of mcl's C interface: the functions of its `mcl/bn.h`, loaded at run time.
//!
//! Elements are arrays of 64-bit words, whose lengths depend on the build. If a coefficient has f words, a point of G1
//! has three coefficients, a point of G2 six, and a value twelve; a scalar has s words. `mclBn_init` takes 10s + f and
//! rejects any other number. The curve is global to the process, so one table exists at a time ([`CURVE`]).
#![allow(unsafe_code)]

use crate::peers::ffi::{function, reason};
use crate::peers::loaded::{self, Table as _};
use bilinear_engine::Group;
use libloading::Library;
use std::cell::RefCell;
use std::ffi::{c_char, c_int};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held while a curve is in use.
static CURVE: Mutex<()> = Mutex::new(());

/// The words of a coefficient and of a scalar in the existing builds, those for the longest fields first.
const BUILDS: [[usize; 2]; 3] = [[6, 4], [6, 6], [4, 4]];

/// The format of points x‖y, with the least significant byte of each coefficient first.
const AFFINE: c_int = 4096;
/// The mode of hashing by RFC 9380, for curves with a suite there.
const RFC_9380: c_int = 5;

/// A curve of mcl, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MclCurve {
    /// The BN curve of Nogami and others, u = −(2^62 + 2^55 + 1).
    Bn254 = 0,
    /// alt_bn128.
    Snark1 = 4,
    /// BLS12-381.
    Bls12_381 = 5,
}

type Multiply = unsafe extern "C" fn(*mut u64, *const u64, *const u64);
type SetStr = unsafe extern "C" fn(*mut u64, *const c_char, usize, c_int) -> c_int;
type GetStr = unsafe extern "C" fn(*mut c_char, usize, *const u64, c_int) -> usize;
type Hash = unsafe extern "C" fn(*mut u64, *const u8, usize, *const c_char, usize) -> c_int;

/// The functions on points of one group.
#[derive(Clone, Copy)]
struct Points {
    set_str: SetStr,
    get_str: GetStr,
    hash: Hash,
    multiply: Multiply,
}

impl Points {
    fn of(library: &Library, group: &str) -> Result<Points, String> {
        let name = |function| format!("mclBn{group}_{function}");
        // SAFETY: the names and types are those of `mcl/bn.h`
        unsafe {
            Ok(Points {
                set_str: function(library, &name("setStr"))?,
                get_str: function(library, &name("getStr"))?,
                hash: function(library, &name("hashAndMapToWithDst"))?,
                multiply: function(library, &name("mul"))?,
            })
        }
    }
}

/// mcl's library.
#[derive(Clone, Copy)]
pub(in crate::peers) struct Mcl {
    init: unsafe extern "C" fn(c_int, c_int) -> c_int,
    map_to_mode: unsafe extern "C" fn(c_int) -> c_int,
    points: [Points; 2],
    scalar: unsafe extern "C" fn(*mut u64, *const u8, usize) -> c_int,
    pairing: Multiply,
    miller_loops: unsafe extern "C" fn(*mut u64, *const u64, *const u64, usize),
    final_exp: unsafe extern "C" fn(*mut u64, *const u64),
    prepared_len: unsafe extern "C" fn() -> c_int,
    prepare: unsafe extern "C" fn(*mut u64, *const u64),
    prepared_loop: Multiply,
    power: Multiply,
    serialize: unsafe extern "C" fn(*mut u8, usize, *const u64) -> usize,
}

impl Mcl {
    /// Opens the library at a path.
    pub(in crate::peers) fn open(path: &Path) -> Result<Mcl, String> {
        // SAFETY: the library's initialisers set up constants of C++; the names and types are those of `mcl/bn.h`.
        unsafe {
            let library = Library::new(path).map_err(reason)?;
            let mcl = Mcl {
                init: function(&library, "mclBn_init")?,
                map_to_mode: function(&library, "mclBn_setMapToMode")?,
                points: [Points::of(&library, "G1")?, Points::of(&library, "G2")?],
                scalar: function(&library, "mclBnFr_setLittleEndian")?,
                pairing: function(&library, "mclBn_pairing")?,
                miller_loops: function(&library, "mclBn_millerLoopVec")?,
                final_exp: function(&library, "mclBn_finalExp")?,
                prepared_len: function(&library, "mclBn_getUint64NumToPrecompute")?,
                prepare: function(&library, "mclBn_precomputeG2")?,
                prepared_loop: function(&library, "mclBn_precomputedMillerLoop")?,
                power: function(&library, "mclBnGT_pow")?,
                serialize: function(&library, "mclBnGT_serialize")?,
            };
            // tables refer to the library without a limit of lifetime
            std::mem::forget(library);
            Ok(mcl)
        }
    }
}

/// A curve with the points, values and scalars of some rows.
pub(super) struct Table {
    mcl: Mcl,
    curve: MclCurve,
    /// The number of words of a coefficient and of a scalar.
    words: [usize; 2],
    /// The number of bytes of a coefficient.
    coefficient: usize,
    encoded: [Vec<u8>; 2],
    /// Points of G1 and of G2.
    points: [Vec<u64>; 2],
    scalars: Vec<u64>,
    /// e(P_i, Q_i).
    values: Vec<u64>,
    /// The lines of Q_0.
    lines: Vec<u64>,
    /// The last result, a point or a value, and a buffer for its bytes.
    last: RefCell<(Vec<u64>, Vec<u8>)>,
    rows: usize,
    _curve: MutexGuard<'static, ()>,
}

impl Table {
    /// Creates a table of points in G1 and in G2, as x‖y with the least significant byte of a coefficient first, and of
    /// scalars of `scalar` bytes each in the same order. Waits until no other table is in use. `None` if the library
    /// was built for shorter fields.
    ///
    /// # Panics
    /// Panics if these are not the bytes of equally many rows, at least one.
    pub(super) fn new(
        mcl: Mcl,
        curve: MclCurve,
        coefficient: usize,
        encoded: [Vec<u8>; 2],
        (scalars, scalar): (&[u8], usize),
    ) -> Option<Table> {
        let rows = scalars.len() / scalar;
        assert!(rows > 0 && scalars.len() == rows * scalar);
        assert!(encoded[0].len() == rows * 2 * coefficient && encoded[1].len() == rows * 4 * coefficient);
        let guard = CURVE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock is held, so no other thread is in the library; `mclBn_init` accepts any numbers.
        let init = |[f, s]: &[usize; 2]| unsafe { (mcl.init)(curve as c_int, (10 * s + f) as c_int) == 0 };
        let words = BUILDS.into_iter().find(init)?;
        let [f, s] = words;
        assert!(f * 8 >= coefficient && s * 8 >= scalar, "a curve that the library took fits its words");
        let points = [vec![0; rows * 3 * f], vec![0; rows * 6 * f]];
        let last = RefCell::new((vec![0; 12 * f], vec![0; 12 * coefficient + 1]));
        let (scalars_read, values) = (vec![0; rows * s], vec![0; rows * 12 * f]);
        let (lines, _curve) = (vec![], guard);
        let mut table = Table {
            mcl,
            curve,
            words,
            coefficient,
            encoded,
            points,
            scalars: scalars_read,
            values,
            lines,
            last,
            rows,
            _curve,
        };
        table.fill(scalars, scalar);
        Some(table)
    }

    /// Reads scalars and points, prepares Q_0 and computes the values.
    fn fill(&mut self, scalars: &[u8], scalar: usize) {
        let (mcl, [f, s]) = (self.mcl, self.words);
        for (k, bytes) in self.scalars.chunks_mut(s).zip(scalars.chunks(scalar)) {
            // SAFETY: k has the words of a scalar, and the slice has as many bytes as is passed.
            unsafe { (mcl.scalar)(k.as_mut_ptr(), bytes.as_ptr(), bytes.len()) };
        }
        for row in 0..self.rows {
            for group in Group::ALL {
                self.validate(group, row);
                let len = point_words(group, f);
                self.points[index(group)][row * len..][..len].copy_from_slice(&self.last.borrow().0[..len]);
            }
        }
        // SAFETY: the buffer has as many words as the library asks for, and Q_0 is a point; the mode is one of the
        // library's constants, and has no effect on curves without a suite.
        unsafe {
            self.lines = vec![0; (mcl.prepared_len)().unsigned_abs() as usize];
            (mcl.prepare)(self.lines.as_mut_ptr(), self.points[1].as_ptr());
            (mcl.map_to_mode)(RFC_9380);
        }
        for row in 0..self.rows {
            self.pair(row, 1);
            self.values[row * 12 * f..][..12 * f].copy_from_slice(&self.last.borrow().0);
        }
    }

    /// The curve of the table.
    pub(super) fn curve(&self) -> MclCurve {
        self.curve
    }

    /// Returns the words of the points from a row on.
    fn point(&self, group: Group, row: usize) -> *const u64 {
        assert!(row < self.rows);
        self.points[index(group)][row * point_words(group, self.words[0])..].as_ptr()
    }

    /// Returns the bytes of the point that was computed last.
    fn point_bytes(&self, group: Group) -> Vec<u8> {
        let (words, bytes) = &mut *self.last.borrow_mut();
        // SAFETY: no more is written than fits the buffer, which has one byte more than a value takes, for a final
        // zero.
        let len = unsafe {
            let get_str = self.mcl.points[index(group)].get_str;
            get_str(bytes.as_mut_ptr().cast(), bytes.len(), words.as_ptr(), AFFINE)
        };
        assert_eq!(len, point_bytes(group, self.coefficient));
        bytes[..len].to_vec()
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
        let out = self.last.borrow_mut().0.as_mut_ptr();
        let [p, q] = Group::ALL.map(|group| self.point(group, first));
        // SAFETY: the result has the words of a value, and there are `count` points from these on.
        unsafe {
            if count == 1 {
                return (self.mcl.pairing)(out, p, q);
            }
            (self.mcl.miller_loops)(out, p, q, count);
            (self.mcl.final_exp)(out, out);
        }
    }

    /// Computes e(P_i, Q_0) with the stored lines of Q_0.
    fn prepared(&self, row: usize) {
        let out = self.last.borrow_mut().0.as_mut_ptr();
        // SAFETY: the result has the words of a value, which may be worked on in place, and the lines are those of a
        // point.
        unsafe {
            (self.mcl.prepared_loop)(out, self.point(Group::G1, row), self.lines.as_ptr());
            (self.mcl.final_exp)(out, out);
        }
    }

    /// Computes e(P_i, Q_i) to the row's scalar.
    fn power(&self, row: usize) {
        let ([f, s], mut last) = (self.words, self.last.borrow_mut());
        let (value, k) = (&self.values[row * 12 * f..][..12 * f], &self.scalars[row * s..][..s]);
        // SAFETY: all three arrays have the words of their kind, and the value has order r.
        unsafe { (self.mcl.power)(last.0.as_mut_ptr(), value.as_ptr(), k.as_ptr()) }
    }

    /// Returns the last value of `pair`, `prepared` or `power`: its coefficients in order, the least significant byte
    /// of each first.
    fn value(&self) -> Vec<u8> {
        let mut out = vec![0; 12 * self.coefficient];
        // SAFETY: no more is written than fits `out`.
        let len = unsafe { (self.mcl.serialize)(out.as_mut_ptr(), out.len(), self.last.borrow().0.as_ptr()) };
        assert_eq!(len, out.len());
        out
    }

    /// Returns true if the encoded point of a row is on the curve and in the group.
    fn validate(&self, group: Group, row: usize) -> bool {
        let len = point_bytes(group, self.coefficient);
        self.accepts(group, &self.encoded[index(group)][row * len..][..len]) == Some(true)
    }

    /// Returns true if the bytes encode a point on the curve and in the group.
    fn accepts(&self, group: Group, bytes: &[u8]) -> Option<bool> {
        let (mut last, set_str) = (self.last.borrow_mut(), self.mcl.points[index(group)].set_str);
        // SAFETY: the result has the words of a value, more than a point takes; the slice has as many bytes as is
        // passed.
        Some(unsafe { set_str(last.0.as_mut_ptr(), bytes.as_ptr().cast(), bytes.len(), AFFINE) == 0 })
    }

    /// Hashes a message to a group, and returns the encoded point.
    fn hash(&self, group: Group, message: &[u8], dst: &[u8]) -> Vec<u8> {
        let [(m, m_len), (t, t_len)] = [message, dst].map(|x| (x.as_ptr(), x.len()));
        let out = self.last.borrow_mut().0.as_mut_ptr();
        // SAFETY: the result has the words of a value, and each pointer refers to as many bytes as its length says.
        let done = unsafe { (self.mcl.points[index(group)].hash)(out, m, m_len, t.cast(), t_len) };
        assert_eq!(done, 0);
        self.point_bytes(group)
    }

    /// Multiplies a row's point by its scalar, and returns the encoded point.
    fn multiply(&self, group: Group, row: usize) -> Vec<u8> {
        let (s, out) = (self.words[1], self.last.borrow_mut().0.as_mut_ptr());
        let k = &self.scalars[row * s..][..s];
        // SAFETY: the result has the words of a value, and the operands have those of their kind.
        unsafe { (self.mcl.points[index(group)].multiply)(out, self.point(group, row), k.as_ptr()) }
        self.point_bytes(group)
    }
}

fn index(group: Group) -> usize {
    usize::from(group == Group::G2)
}

/// Returns the number of words of a point: X, Y, Z.
fn point_words(group: Group, coefficient: usize) -> usize {
    3 * (index(group) + 1) * coefficient
}

/// Returns the number of bytes of a point: x, y.
fn point_bytes(group: Group, coefficient: usize) -> usize {
    2 * (index(group) + 1) * coefficient
}
