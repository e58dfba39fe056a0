//! The field of an engine as the executor sees it: a value is an address, and the size of a value is known at run
//! time. So the executor is compiled once; only what stands here is compiled for every field.
#![allow(unsafe_code)]

use super::call::function;
use crate::batch::Uniforms;
use crate::places::{ByKind, MAX_BITS};
use crate::store::{NOWHERE, Store};
use bilinear_field::{Arguments, Blank, Code, Function, Kind, Lanes, prefetch};
use num_bigint::BigUint;
use std::any::Any;

/// The greatest number of lanes of a machine.
const MAX_LANES: usize = 64;

const OTHER_STORE: &str = "the store belongs to another machine";

/// The operations of a field on values at addresses.
///
/// # Safety
/// Requirements of every unsafe function: an address is that of a value of the kind that the function names, in a
/// table of the same field; a value that is read was written before; a value that is written is not read or written
/// elsewhere meanwhile.
pub(crate) trait Arithmetic: Send + Sync {
    /// The number of residues in an element.
    fn lanes(&self) -> usize;
    /// The number of 64-bit words of a residue.
    fn word_len(&self) -> usize;
    /// The size of a value of each kind, in bytes.
    fn bytes(&self) -> ByKind<usize>;
    /// Creates a table of this many values.
    fn table(&self, kind: Kind, len: usize) -> Table;
    /// Overwrites the values of a table from a number on with 0, and truth values with the public "false".
    fn wipe(&self, kind: Kind, table: &mut Table, from: usize);
    /// Returns true if an operation whose operands have these coefficients is one kernel.
    fn has_kernel(&self, code: Code, coefficients: &[i32]) -> bool;
    /// Returns the function of an operation that takes operands, and its context.
    fn function(&self, code: Code) -> (Function, *const ());
    /// Returns the function of an operation whose form has these coefficients, its context, and the arguments that it takes.
    fn operation(&self, code: Code, coefficients: &[i32]) -> (Function, *const (), Arguments);
    /// Creates a store of this many residues of lanes.
    fn store(&self, len: usize) -> Store;
    /// Returns true if the residues of a store have the form of this field.
    fn owns(&self, store: &Store) -> bool;
    /// Returns the residues of a prepared argument, if it is one of this field.
    fn stream(&self, uniforms: &Uniforms) -> Option<Stream>;
    /// Creates places for this many residues of a prepared argument, all 0.
    fn uniforms(&self, len: usize) -> Box<dyn Any + Send + Sync>;

    /// Writes the element x mod p.
    unsafe fn constant(&self, to: *mut (), x: &BigUint);
    /// Writes an element from the words of its residues, one residue per lane.
    unsafe fn load(&self, to: *mut (), words: &[u64]);
    /// Reads the residues of an element.
    unsafe fn store_words(&self, words: &mut [u64], from: *const ());
    /// Writes an element from residues of a store, one for each lane.
    unsafe fn gather(&self, to: *mut (), store: &Store, numbers: &[u32]);
    /// Prefetches residues of a store that are read soon.
    fn fetch(&self, store: &Store, numbers: &[u32]);
    /// Leaves the residue of each lane in a store, if the lane has a number there.
    unsafe fn scatter(&self, store: &mut Store, numbers: &[u32], from: *const ());
    /// Writes elements, each with one residue of a store in every lane.
    unsafe fn gather_all(&self, to: &[*mut ()], store: &Store, numbers: &[u32]);
    /// Leaves the residues of the first lane in a store.
    unsafe fn scatter_all(&self, store: &mut Store, numbers: &[u32], from: &[*mut ()]);
    /// Writes truth values, one bit per lane.
    unsafe fn load_mask(&self, to: *mut (), bits: u64);
    /// Reads truth values, one bit per lane.
    unsafe fn store_mask(&self, from: *const ()) -> u64;
    /// Writes the element that has residue number `index` of a stream in every lane.
    unsafe fn broadcast(&self, to: *mut (), stream: &Stream, index: usize);
    /// The most bits of an index for which there is [`entry`](Arithmetic::entry).
    fn entry_bits(&self) -> usize;
    /// Writes, for each lane, the residue of a stream that the bits select from those that begin at `first` and lie `stride` apart.
    unsafe fn entry(&self, to: *mut (), stream: &Stream, at: Entries, bits: &[*const ()]);
    /// Writes the residue of the first lane to place number `index` of those that [`uniforms`](Arithmetic::uniforms) made.
    unsafe fn uniform(&self, uniforms: &mut dyn Any, index: usize, from: *const ());
    /// Copies an element.
    unsafe fn copy(&self, to: *mut (), from: *const ());
}

/// A table of values of one kind, one after the other.
pub(crate) struct Table {
    /// The owner of the values.
    _values: Box<dyn Any + Send + Sync>,
    first: *mut u8,
    stride: usize,
    len: usize,
}

// SAFETY: it owns what it points to, which can be sent and shared
unsafe impl Send for Table {}
// SAFETY: the same; a caller that writes by address promises that nothing else reads
unsafe impl Sync for Table {}

impl Table {
    fn new<T: Send + Sync + 'static>(mut values: Vec<T>) -> Self {
        let (first, len) = (values.as_mut_ptr().cast(), values.len());
        Table { _values: Box::new(values), first, stride: size_of::<T>(), len }
    }

    /// The address of a value.
    #[inline(always)]
    pub(super) fn at(&self, number: usize) -> *mut () {
        self.first.wrapping_add(self.stride * number).cast()
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Overwrites all values from an index on, in a way that the compiler does not remove as dead stores.
    fn wipe<T: Clone>(&mut self, from: usize, zero: &T) {
        assert!(from <= self.len && self.stride == size_of::<T>());
        // SAFETY: values of this table, which are borrowed
        let values = unsafe { std::slice::from_raw_parts_mut(self.at(from).cast::<T>(), self.len - from) };
        for value in &mut *values {
            value.clone_from(zero);
        }
        std::hint::black_box(values);
    }
}

/// The location of the entries of a table among the residues of a prepared argument.
#[derive(Clone, Copy)]
pub(crate) struct Entries {
    pub(super) first: usize,
    pub(super) stride: usize,
}

/// The location of the residues of a prepared argument, which the batch keeps.
#[derive(Clone, Copy)]
pub(crate) struct Stream {
    first: *const (),
    pub(super) len: usize,
}

/// A residue of a store, in cache lines that hold no other one: lanes take residues from anywhere.
#[derive(Clone)]
#[repr(align(64))]
struct Aligned<T>(T);

/// Creates a list of this many values. The function is compiled for every field, and a loop is less code than `vec!`
/// or an iterator.
fn list<T>(len: usize, value: impl Fn() -> T) -> Vec<T> {
    let mut list = Vec::with_capacity(len);
    for _ in 0..len {
        list.push(value());
    }
    list
}

/// Returns the values at these addresses, and then this one.
///
/// # Safety
/// There must be values of this type at the addresses.
unsafe fn values<T: Copy, const N: usize>(addresses: &[*const ()], other: T) -> [T; N] {
    let mut all = [other; N];
    for (value, address) in all.iter_mut().zip(addresses) {
        // SAFETY: the caller's promise
        *value = unsafe { *address.cast() };
    }
    all
}

/// The words of each lane; none for lanes behind the last.
fn words_of_lanes(words: &[u64], word_len: usize) -> [&[u64]; MAX_LANES] {
    let mut lanes: [&[u64]; MAX_LANES] = [&[]; MAX_LANES];
    lanes.iter_mut().zip(words.chunks(word_len)).for_each(|(lane, words)| *lane = words);
    lanes
}

/// The bits of the first `lanes` lanes.
fn bits_of_lanes(bits: u64, lanes: usize) -> [bool; MAX_LANES] {
    let mut values = [false; MAX_LANES];
    let own = values[..lanes].iter_mut().enumerate();
    own.for_each(|(lane, value)| *value = std::hint::black_box(bits >> lane & 1) == 1);
    values
}

/// Residues in the form of one field. The form is told from others of the same type by p, by the modulus of the
/// numbers as which residues are kept, and by 1 in this form.
struct Residues<F: Lanes, R> {
    moduli: [BigUint; 2],
    one: F::Uniform,
    all: Vec<R>,
}

/// A field that implements [`Arithmetic`].
pub(crate) struct Typed<F: Lanes> {
    field: F,
    moduli: [BigUint; 2],
    zero: F::Uniform,
    one: F::Uniform,
}

impl<F: Lanes + 'static> Typed<F> {
    pub(crate) fn new(field: F) -> Self {
        const { assert!(F::LANES <= MAX_LANES) };
        let (zero, one) = (field.uniform(&field.zero()), field.uniform(&field.one()));
        let moduli = [field.modulus().clone(), field.inner_modulus()];
        Typed { field, moduli, zero, one }
    }

    /// Creates this many residues, all 0.
    fn residues<R>(&self, len: usize, of: impl Fn(F::Uniform) -> R) -> Residues<F, R> {
        let (moduli, one) = (self.moduli.clone(), self.one.clone());
        Residues { moduli, one, all: list(len, || of(self.zero.clone())) }
    }

    /// Returns true if residues have the form of this field.
    fn made<R>(&self, residues: &Residues<F, R>) -> bool {
        residues.moduli == self.moduli && residues.one == self.one
    }

    /// The residues of a store for which [`owns`](Arithmetic::owns) holds.
    fn stored(store: &Store) -> &[Aligned<F::Uniform>] {
        let residues: Option<&Residues<F, Aligned<F::Uniform>>> = store.form();
        &residues.unwrap_or_else(|| panic!("{OTHER_STORE}")).all
    }

    /// The residues of a store for which [`owns`](Arithmetic::owns) holds, for writing.
    fn stored_mut(store: &mut Store) -> &mut [Aligned<F::Uniform>] {
        let residues: Option<&mut Residues<F, Aligned<F::Uniform>>> = store.form_mut();
        &mut residues.unwrap_or_else(|| panic!("{OTHER_STORE}")).all
    }
}

impl<F: Lanes + 'static> Arithmetic for Typed<F> {
    fn lanes(&self) -> usize {
        F::LANES
    }

    fn word_len(&self) -> usize {
        self.field.word_len()
    }

    fn bytes(&self) -> ByKind<usize> {
        [size_of::<F::Elem>(), size_of::<F::Wide>(), size_of::<F::Mask>()]
    }

    fn table(&self, kind: Kind, len: usize) -> Table {
        match kind {
            Kind::Elem => Table::new(list(len, F::Elem::blank)),
            Kind::Wide => Table::new(list(len, F::Wide::blank)),
            Kind::Mask => Table::new(list(len, || self.field.mask(false))),
        }
    }

    fn wipe(&self, kind: Kind, table: &mut Table, from: usize) {
        let zero = self.field.zero();
        match kind {
            Kind::Elem => table.wipe(from, &zero),
            Kind::Wide => {
                let mut wide = F::Wide::blank();
                self.field.mul_wide(&mut wide, &zero, &zero);
                table.wipe(from, &wide);
            }
            Kind::Mask => table.wipe(from, &self.field.mask(false)),
        }
    }

    fn has_kernel(&self, code: Code, coefficients: &[i32]) -> bool {
        self.field.kernel(code, coefficients).is_some()
    }

    fn operation(&self, code: Code, coefficients: &[i32]) -> (Function, *const (), Arguments) {
        match self.field.kernel(code, coefficients) {
            Some(kernel) => (kernel.function(), kernel.context(), kernel.arguments()),
            None => {
                let (function, context) = self.function(code);
                (function, context, Arguments::Operands)
            }
        }
    }

    fn function(&self, code: Code) -> (Function, *const ()) {
        (function::<F>(code), std::ptr::from_ref(&self.field).cast())
    }

    fn store(&self, len: usize) -> Store {
        Store::own(len, self.field.modulus(), Box::new(self.residues(len, Aligned)))
    }

    fn owns(&self, store: &Store) -> bool {
        let residues: Option<&Residues<F, Aligned<F::Uniform>>> = store.form();
        residues.is_some_and(|residues| self.made(residues))
    }

    fn stream(&self, uniforms: &Uniforms) -> Option<Stream> {
        let residues = uniforms.0.downcast_ref::<Residues<F, F::Uniform>>().filter(|residues| self.made(residues))?;
        Some(Stream { first: residues.all.as_ptr().cast(), len: residues.all.len() })
    }

    fn uniforms(&self, len: usize) -> Box<dyn Any + Send + Sync> {
        Box::new(self.residues(len, |residue| residue))
    }

    unsafe fn constant(&self, to: *mut (), x: &BigUint) {
        // SAFETY: the caller's promise
        unsafe { *to.cast::<F::Elem>() = self.field.constant(x) };
    }

    unsafe fn load(&self, to: *mut (), words: &[u64]) {
        if F::LANES == 1 {
            // SAFETY: the caller's promise
            return self.field.load(unsafe { &mut *to.cast() }, &[words]);
        }
        let lanes = words_of_lanes(words, self.word_len());
        // SAFETY: the caller's promise
        self.field.load(unsafe { &mut *to.cast() }, &lanes[..F::LANES]);
    }

    unsafe fn store_words(&self, words: &mut [u64], from: *const ()) {
        // SAFETY: the caller's promise
        self.field.store_all(words, unsafe { &*from.cast() });
    }

    unsafe fn gather(&self, to: *mut (), store: &Store, numbers: &[u32]) {
        let residues = Self::stored(store);
        // SAFETY: the caller's promise
        self.field.gather(unsafe { &mut *to.cast() }, |lane| &residues[numbers[lane] as usize].0);
    }

    fn fetch(&self, store: &Store, numbers: &[u32]) {
        let residues = Self::stored(store);
        for number in numbers {
            if let Some(residue) = residues.get(*number as usize) {
                prefetch(residue);
            }
        }
    }

    unsafe fn scatter(&self, store: &mut Store, numbers: &[u32], from: *const ()) {
        let residues = Self::stored_mut(store);
        let take = |lane: usize, residue: &F::Uniform| {
            if numbers[lane] != NOWHERE {
                residues[numbers[lane] as usize] = Aligned(residue.clone());
            }
        };
        // SAFETY: the caller's promise
        self.field.scatter(unsafe { &*from.cast() }, take);
    }

    unsafe fn gather_all(&self, to: &[*mut ()], store: &Store, numbers: &[u32]) {
        let residues = Self::stored(store);
        for (to, number) in to.iter().zip(numbers) {
            // SAFETY: the caller's promise
            self.field.broadcast(unsafe { &mut *(*to).cast() }, &residues[*number as usize].0);
        }
    }

    unsafe fn scatter_all(&self, store: &mut Store, numbers: &[u32], from: &[*mut ()]) {
        let residues = Self::stored_mut(store);
        for (from, number) in from.iter().zip(numbers) {
            // SAFETY: the caller's promise
            let residue = self.field.uniform(unsafe { &*(*from).cast() });
            residues[*number as usize].0 = residue;
        }
    }

    unsafe fn load_mask(&self, to: *mut (), bits: u64) {
        let lanes = bits_of_lanes(bits, F::LANES);
        // SAFETY: the caller's promise
        unsafe { *to.cast::<F::Mask>() = self.field.mask_from(&lanes[..F::LANES]) };
    }

    unsafe fn store_mask(&self, from: *const ()) -> u64 {
        // SAFETY: the caller's promise
        let mask = unsafe { *from.cast::<F::Mask>() };
        let mut bits = 0;
        for lane in 0..F::LANES {
            bits |= u64::from(self.field.lane(mask, lane)) << lane;
        }
        bits
    }

    unsafe fn broadcast(&self, to: *mut (), stream: &Stream, index: usize) {
        // SAFETY: the caller's promise, and that the index lies within the stream
        unsafe { self.field.broadcast(&mut *to.cast(), &*stream.first.cast::<F::Uniform>().add(index)) };
    }

    fn entry_bits(&self) -> usize {
        F::ENTRY_BITS
    }

    unsafe fn entry(&self, to: *mut (), stream: &Stream, Entries { first, stride }: Entries, bits: &[*const ()]) {
        // SAFETY: the caller's promise
        let masks: [F::Mask; MAX_BITS] = unsafe { values(bits, self.field.mask(false)) };
        // SAFETY: the residues of the stream
        let residues = unsafe { std::slice::from_raw_parts(stream.first.cast::<F::Uniform>(), stream.len) };
        // SAFETY: the caller's promise
        self.field.entry(unsafe { &mut *to.cast() }, (&residues[first..], stride), &masks[..bits.len()]);
    }

    unsafe fn uniform(&self, uniforms: &mut dyn Any, index: usize, from: *const ()) {
        let uniforms: &mut Residues<F, F::Uniform> =
            uniforms.downcast_mut().unwrap_or_else(|| unreachable!("places of this field"));
        // SAFETY: the caller's promise
        uniforms.all[index] = self.field.uniform(unsafe { &*from.cast() });
    }

    unsafe fn copy(&self, to: *mut (), from: *const ()) {
        // SAFETY: the caller's promise
        unsafe { (*to.cast::<F::Elem>()).clone_from(&*from.cast()) };
    }
}
