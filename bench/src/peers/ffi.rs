//! Safe calls of GMP (the library that PBC computes with) and of PBC. Together with the calls of blst, gnark-crypto,
//! mcl and RELIC this is the only unsafe code of this crate.
//!
//! Both are C libraries. GMP's low level works on arrays of 64-bit limbs, least significant first. Most of PBC's
//! interface consists of inline functions that call through tables in its structures. These structures are therefore
//! declared here as the headers of version 1.0.0 (`pbc_field.h`, `pbc_pairing.h`) lay them out. [`Pairing::new`] checks
//! what can be checked of the layout before it calls.
#![allow(unsafe_code)]

use libloading::Library;
use std::error::Error;
use std::ffi::{c_char, c_int, c_long, c_void};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Returns the loader's own message, if there is one.
pub(super) fn reason(error: libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Finds a function of a library by its name.
///
/// # Safety
/// The function must have the type F, and must not be called after the library is closed.
pub(super) unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller guarantees both conditions
    unsafe { library.get(name.as_bytes()).map(|symbol| *symbol).map_err(reason) }
}

/// GMP's integer: |size| limbs are in use, and the sign of `size` is that of the number.
#[repr(C)]
struct Integer {
    alloc: c_int,
    size: c_int,
    limbs: *mut u64,
}

impl Integer {
    /// Returns a view of limbs that GMP only reads.
    fn view(limbs: &[u64]) -> Integer {
        let used = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |i| i + 1);
        Integer { alloc: limbs.len() as c_int, size: used as c_int, limbs: limbs.as_ptr().cast_mut() }
    }
}

/// The functions of GMP that are compared with ours.
#[derive(Clone)]
pub(super) struct Gmp {
    mul_n: unsafe extern "C" fn(*mut u64, *const u64, *const u64, c_long),
    sqr: unsafe extern "C" fn(*mut u64, *const u64, c_long),
    redc_1: unsafe extern "C" fn(*mut u64, *mut u64, *const u64, c_long, u64) -> u64,
    sub_n: unsafe extern "C" fn(*mut u64, *const u64, *const u64, c_long) -> u64,
    init: unsafe extern "C" fn(*mut Integer),
    clear: unsafe extern "C" fn(*mut Integer),
    invert: unsafe extern "C" fn(*mut Integer, *const Integer, *const Integer) -> c_int,
    /// Keeps the functions in memory; `None` for the linked functions.
    _library: Option<Arc<Library>>,
}

#[cfg(feature = "gmp")]
mod linked {
    use super::Integer;
    use gmp_mpfr_sys as _;
    use std::ffi::{c_int, c_long};

    unsafe extern "C" {
        pub(super) fn __gmpn_mul_n(r: *mut u64, a: *const u64, b: *const u64, n: c_long);
        pub(super) fn __gmpn_sqr(r: *mut u64, a: *const u64, n: c_long);
        pub(super) fn __gmpn_redc_1(r: *mut u64, t: *mut u64, m: *const u64, n: c_long, inverse: u64) -> u64;
        pub(super) fn __gmpn_sub_n(r: *mut u64, a: *const u64, b: *const u64, n: c_long) -> u64;
        pub(super) fn __gmpz_init(x: *mut Integer);
        pub(super) fn __gmpz_clear(x: *mut Integer);
        pub(super) fn __gmpz_invert(r: *mut Integer, a: *const Integer, m: *const Integer) -> c_int;
    }
}

impl Gmp {
    /// Returns the GMP that is linked into this program.
    #[cfg(feature = "gmp")]
    pub(super) fn linked() -> Gmp {
        use linked::*;
        Gmp {
            mul_n: __gmpn_mul_n,
            sqr: __gmpn_sqr,
            redc_1: __gmpn_redc_1,
            sub_n: __gmpn_sub_n,
            init: __gmpz_init,
            clear: __gmpz_clear,
            invert: __gmpz_invert,
            _library: None,
        }
    }

    /// Opens a shared library of GMP with limbs of 64 bits.
    pub(super) fn open(path: &Path) -> Result<Gmp, String> {
        // SAFETY: GMP has no initialisers that could misbehave; the names and types are those of gmp.h and gmp-impl.h.
        let (gmp, bits) = unsafe {
            let library = Library::new(path).map_err(reason)?;
            macro_rules! function {
                ($name:literal) => {
                    *library.get($name.as_bytes()).map_err(reason)?
                };
            }
            let bits: *const c_int = function!("__gmp_bits_per_limb");
            let gmp = Gmp {
                mul_n: function!("__gmpn_mul_n"),
                sqr: function!("__gmpn_sqr"),
                redc_1: function!("__gmpn_redc_1"),
                sub_n: function!("__gmpn_sub_n"),
                init: function!("__gmpz_init"),
                clear: function!("__gmpz_clear"),
                invert: function!("__gmpz_invert"),
                _library: Some(Arc::new(library)),
            };
            (gmp, *bits)
        };
        if bits == 64 { Ok(gmp) } else { Err(format!("its limbs have {bits} bits: 64 are needed")) }
    }

    /// Computes out = a·b.
    pub(super) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        assert!(!a.is_empty() && b.len() == a.len() && out.len() == 2 * a.len());
        // SAFETY: `out` holds 2n limbs and overlaps neither operand, by borrowing.
        unsafe { (self.mul_n)(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len() as c_long) }
    }

    /// Computes out = a².
    pub(super) fn sqr(&self, out: &mut [u64], a: &[u64]) {
        assert!(!a.is_empty() && out.len() == 2 * a.len());
        // SAFETY: as in `mul`.
        unsafe { (self.sqr)(out.as_mut_ptr(), a.as_ptr(), a.len() as c_long) }
    }

    /// Computes out = t/2^(64n) modulo m, below 2^(64n), and overwrites t. `inverse` is −1/m modulo 2^64.
    pub(super) fn redc(&self, out: &mut [u64], t: &mut [u64], m: &[u64], inverse: u64) {
        assert!(!m.is_empty() && out.len() == m.len() && t.len() == 2 * m.len());
        let n = m.len() as c_long;
        // SAFETY: `t` has 2n limbs, `out` and `m` have n, and they do not overlap; `sub_n` may work in place.
        unsafe {
            if (self.redc_1)(out.as_mut_ptr(), t.as_mut_ptr(), m.as_ptr(), n, inverse) != 0 {
                (self.sub_n)(out.as_mut_ptr(), out.as_ptr(), m.as_ptr(), n);
            }
        }
    }

    /// Computes out = 1/a modulo m; returns false if there is no inverse.
    pub(super) fn invert(&self, out: &mut [u64], a: &[u64], m: &[u64]) -> bool {
        assert!(out.len() == m.len());
        // SAFETY: the operands are only read and outlive the call; `r` is initialised before use and cleared after use,
        // and the result is below m, so it fits `out`.
        unsafe {
            let mut r = Integer { alloc: 0, size: 0, limbs: std::ptr::null_mut() };
            (self.init)(&mut r);
            let exists = (self.invert)(&mut r, &Integer::view(a), &Integer::view(m)) != 0;
            out.fill(0);
            let used = if exists { r.size.unsigned_abs() as usize } else { 0 };
            std::ptr::copy_nonoverlapping(r.limbs, out.as_mut_ptr(), used.min(out.len()));
            (self.clear)(&mut r);
            exists
        }
    }
}

/// A table entry that is not called.
type Unused = *const c_void;

#[repr(C)]
#[derive(Clone, Copy)]
struct Element {
    field: *mut Field,
    data: *mut c_void,
}

/// PBC's table of an algebraic structure.
#[repr(C)]
struct Field {
    field_clear: Unused,
    init: unsafe extern "C" fn(*mut Element),
    clear: unsafe extern "C" fn(*mut Element),
    set_mpz_to_add_ui: [Unused; 18],
    mul_mpz: unsafe extern "C" fn(*mut Element, *const Element, *const Integer),
    mul_si_to_random: [Unused; 12],
    from_hash: unsafe extern "C" fn(*mut Element, *const c_void, c_int),
    is1: Unused,
    is0: unsafe extern "C" fn(*const Element) -> c_int,
    sign_and_cmp: [Unused; 2],
    to_bytes: unsafe extern "C" fn(*mut u8, *const Element) -> c_int,
    from_bytes: unsafe extern "C" fn(*mut Element, *const u8) -> c_int,
    length_in_bytes: unsafe extern "C" fn(*const Element) -> c_int,
    fixed_length_in_bytes: c_int,
    snprint_to_out_info: [Unused; 3],
    pp_init: unsafe extern "C" fn(*mut RawFixed, *const Element),
    pp_clear: unsafe extern "C" fn(*mut RawFixed),
    pp_pow: unsafe extern "C" fn(*mut Element, *const Integer, *mut RawFixed),
    pairing: *mut Raw,
    order: Integer,
    nqr_name_data: [Unused; 3],
}

/// PBC's structure of a pairing.
#[repr(C)]
struct Raw {
    r: Integer,
    zr: Field,
    g1: *mut Field,
    g2: *mut Field,
    gt: Field,
    phikonr: Integer,
    phi: Unused,
    map: unsafe extern "C" fn(*mut Element, *const Element, *const Element, *mut Raw),
    prod_pairings: unsafe extern "C" fn(*mut Element, *const Element, *const Element, c_int, *mut Raw),
    is_almost_coddh: Unused,
    clear_func: Unused,
    pp_init: unsafe extern "C" fn(*mut RawPrepared, *const Element, *mut Raw),
    pp_clear: unsafe extern "C" fn(*mut RawPrepared),
    pp_apply: unsafe extern "C" fn(*mut Element, *const Element, *mut RawPrepared),
    finalpow_option_set_data: [Unused; 3],
    /// Spare memory for fields that another version may add at the end.
    spare: [Unused; 64],
}

#[repr(C)]
struct RawFixed {
    field: *mut Field,
    data: *mut c_void,
}

#[repr(C)]
struct RawPrepared {
    pairing: *mut Raw,
    data: *mut c_void,
}

/// A PBC library.
#[derive(Clone)]
pub(super) struct Pbc {
    init: unsafe extern "C" fn(*mut Raw, *const c_char, usize) -> c_int,
    clear: unsafe extern "C" fn(*mut Raw),
    _library: Arc<Library>,
}

impl Pbc {
    /// Opens a library by its path, or by a name that the loader knows.
    pub(super) fn open(path: &Path) -> Result<Pbc, String> {
        // SAFETY: PBC has no initialisers that could misbehave; the names and types are those of pbc_pairing.h.
        unsafe {
            let library = Library::new(path).map_err(reason)?;
            let init = *library.get(b"pairing_init_set_buf").map_err(reason)?;
            let clear = *library.get(b"pairing_clear").map_err(reason)?;
            Ok(Pbc { init, clear, _library: Arc::new(library) })
        }
    }
}

/// A symmetric pairing of PBC.
pub(super) struct Pairing {
    raw: *mut Raw,
    pbc: Pbc,
}

impl Pairing {
    /// Creates the pairing of a parameter text, whose points take `point_len` bytes. `None` if PBC rejects the text, or
    /// if its structures are not those of this file.
    pub(super) fn new(pbc: &Pbc, text: &str, order: &[u64], point_len: usize) -> Option<Rc<Pairing>> {
        // SAFETY: PBC accepts the structure uninitialised, and zeros are harmless to it. Only `init` writes it, and it
        // is read here only at offsets below the allocated size. It is not freed if `init` fails half way.
        unsafe {
            let raw: *mut Raw = Box::into_raw(Box::<Raw>::new_zeroed()).cast();
            if (pbc.init)(raw, text.as_ptr().cast(), text.len()) != 0 {
                return None;
            }
            let size = |field: *const Field| (*field).fixed_length_in_bytes;
            let (g1, g2) = ((*raw).g1, (*raw).g2);
            let r = &(*raw).r;
            let order_agrees =
                r.size as usize == order.len() && std::slice::from_raw_parts(r.limbs, order.len()) == order;
            // other contents in these fields mean another layout, under which even clearing is unsafe
            let known = order_agrees && g1 == g2 && !g1.is_null() && size(g1) == point_len as c_int;
            known.then(|| Rc::new(Pairing { raw, pbc: pbc.clone() }))
        }
    }

    /// Creates elements of a group, all neutral.
    pub(super) fn elements(self: &Rc<Self>, group: Group, count: usize) -> Elements {
        // SAFETY: the group's table lives as long as the pairing, which the result keeps alive.
        unsafe {
            let field = match group {
                Group::G1 => (*self.raw).g1,
                Group::Gt => &raw mut (*self.raw).gt,
            };
            let mut raw = vec![Element { field, data: std::ptr::null_mut() }; count];
            raw.iter_mut().for_each(|e| ((*field).init)(e));
            Elements { raw, group, pairing: self.clone() }
        }
    }

    /// Computes out = e(P_i, Q_i).
    pub(super) fn pair(&self, out: &mut Elements, [ps, qs]: [&Elements; 2], i: usize) {
        let target = self.target(out, [ps, qs]);
        // SAFETY: the arguments are points of this pairing, and `target` an element of its field extension.
        unsafe { ((*self.raw).map)(target, &ps.raw[i], &qs.raw[i], self.raw) }
    }

    /// Computes out = Π e(P_i, Q_i) over the rows.
    pub(super) fn product(&self, out: &mut Elements, [ps, qs]: [&Elements; 2], rows: Range<usize>) {
        let target = self.target(out, [ps, qs]);
        let (ps, qs) = (&ps.raw[rows.clone()], &qs.raw[rows]);
        // SAFETY: as in `pair`; both arrays have the same number of elements.
        unsafe { ((*self.raw).prod_pairings)(target, ps.as_ptr(), qs.as_ptr(), ps.len() as c_int, self.raw) }
    }

    /// Returns the element of F_q² behind an element of the target group, which PBC's functions write to.
    fn target(&self, out: &mut Elements, points: [&Elements; 2]) -> *mut Element {
        assert!(out.group == Group::Gt && std::ptr::eq(&*out.pairing, self));
        assert!(points.iter().all(|p| p.group == Group::G1 && std::ptr::eq(&*p.pairing, self)));
        out.raw[0].data.cast()
    }
}

impl Drop for Pairing {
    fn drop(&mut self) {
        // SAFETY: nothing that belongs to the pairing still exists, since all such objects keep it alive; the box was
        // made in `new`.
        unsafe {
            (self.pbc.clear)(self.raw);
            drop(Box::from_raw(self.raw.cast::<std::mem::MaybeUninit<Raw>>()));
        }
    }
}

/// A group of PBC's pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Points.
    G1,
    /// The target group.
    Gt,
}

/// Elements of one group.
pub(super) struct Elements {
    raw: Vec<Element>,
    group: Group,
    pairing: Rc<Pairing>,
}

impl Elements {
    fn table(&self) -> &Field {
        // SAFETY: the table lives as long as the pairing.
        unsafe { &*self.raw[0].field }
    }

    /// Returns the number of bytes of an element.
    fn len(&self) -> usize {
        let fixed = self.table().fixed_length_in_bytes;
        // SAFETY: the element is initialised.
        let len = if fixed < 0 { unsafe { (self.table().length_in_bytes)(&self.raw[0]) } } else { fixed };
        len as usize
    }

    /// Reads an element; returns false if the bytes do not encode one, or encode the neutral element.
    pub(super) fn read(&mut self, i: usize, bytes: &[u8]) -> bool {
        let (from_bytes, is0) = (self.table().from_bytes, self.table().is0);
        if bytes.len() != self.len() {
            return false;
        }
        // SAFETY: the element is initialised, and the slice has as many bytes as `from_bytes` reads.
        unsafe {
            from_bytes(&mut self.raw[i], bytes.as_ptr());
            is0(&self.raw[i]) == 0
        }
    }

    /// Returns the bytes of an element.
    pub(super) fn bytes(&self, i: usize) -> Vec<u8> {
        let mut out = vec![0; self.len()];
        // SAFETY: the element is initialised, and `out` has the length that it asks for.
        unsafe { (self.table().to_bytes)(out.as_mut_ptr(), &self.raw[i]) };
        out
    }

    /// Sets an element to PBC's hash of a message.
    pub(super) fn hash(&mut self, i: usize, message: &[u8]) {
        let from_hash = self.table().from_hash;
        // SAFETY: the element is initialised; the length is that of the message.
        unsafe { from_hash(&mut self.raw[i], message.as_ptr().cast(), message.len() as c_int) }
    }

    /// Sets element 0 to k times x_i (in the target group: to the k-th power of x_i).
    pub(super) fn multiple(&mut self, x: &Elements, i: usize, k: &[u64]) {
        assert!(self.group == x.group && Rc::ptr_eq(&self.pairing, &x.pairing));
        let mul = self.table().mul_mpz;
        // SAFETY: both elements are of the same group, and k is only read.
        unsafe { mul(&mut self.raw[0], &x.raw[i], &Integer::view(k)) }
    }
}

impl Drop for Elements {
    fn drop(&mut self) {
        let Some(first) = self.raw.first() else { return };
        // SAFETY: each element was initialised once; the table outlives these elements.
        unsafe {
            let clear = (*first.field).clear;
            self.raw.iter_mut().for_each(|e| clear(e));
        }
    }
}

/// An element with tables of its multiples.
pub(super) struct Fixed {
    raw: RawFixed,
    group: Group,
    pairing: Rc<Pairing>,
}

impl Fixed {
    /// Computes the tables of x_i.
    pub(super) fn new(x: &Elements, i: usize) -> Fixed {
        let (element, pairing) = (&x.raw[i], x.pairing.clone());
        let mut raw = RawFixed { field: element.field, data: std::ptr::null_mut() };
        // SAFETY: x_i is an element of this field; `pp_init` fills `data`.
        unsafe { ((*element.field).pp_init)(&mut raw, element) };
        Fixed { raw, group: x.group, pairing }
    }

    /// Sets element 0 to k times x_i.
    pub(super) fn multiple(&mut self, out: &mut Elements, k: &[u64]) {
        assert!(out.group == self.group && Rc::ptr_eq(&out.pairing, &self.pairing));
        // SAFETY: both are of the same group, and k is only read.
        unsafe { ((*self.raw.field).pp_pow)(&mut out.raw[0], &Integer::view(k), &mut self.raw) }
    }
}

impl Drop for Fixed {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, cleared once; `pairing` keeps the field.
        unsafe { ((*self.raw.field).pp_clear)(&mut self.raw) }
    }
}

/// A prepared first argument.
pub(super) struct Prepared {
    raw: RawPrepared,
    pairing: Rc<Pairing>,
}

impl Prepared {
    /// Prepares P_i ≠ O.
    pub(super) fn new(ps: &Elements, i: usize) -> Prepared {
        assert!(ps.group == Group::G1);
        let pairing = ps.pairing.clone();
        let mut raw = RawPrepared { pairing: pairing.raw, data: std::ptr::null_mut() };
        // SAFETY: P_i is a point of this pairing; `pp_init` fills `data`.
        unsafe { ((*pairing.raw).pp_init)(&mut raw, &ps.raw[i], pairing.raw) };
        Prepared { raw, pairing }
    }

    /// Computes out = e(P, Q_i).
    pub(super) fn pair(&mut self, out: &mut Elements, qs: &Elements, i: usize) {
        let target = self.pairing.target(out, [qs, qs]);
        // SAFETY: as in `Pairing::pair`; PBC's prepared data refer to no address of `raw` itself.
        unsafe { ((*self.pairing.raw).pp_apply)(target, &qs.raw[i], &mut self.raw) }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, cleared once.
        unsafe { ((*self.pairing.raw).pp_clear)(&mut self.raw) }
    }
}
