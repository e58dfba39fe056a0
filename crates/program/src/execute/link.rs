//! Routines linked to a memory: every operand is an address. Those of constants and locals stay; a call writes those of its
//! arguments where they differ from those of the last calls.
#![allow(unsafe_code)]

use super::memory::{Bases, Places};
use crate::op::{Code, Kind};
use crate::places::{self as placed, Binding, ByKind, Placed, PlacedRoutine};
use bilinear_field::{Lanes, Term};

/// The function of an operation, for the field and the operation.
pub(super) type Run = unsafe fn(*const (), &Instruction);

/// An operation with the addresses of its places.
pub(super) struct Instruction {
    pub(super) run: Run,
    out: *mut (),
    a: *const (),
    b: *const (),
    /// The terms of a form; of a selection the mask, with `len` 0.
    terms: *const (),
    len: usize,
}

/// A term c·x as the engines read it: the layout of [`Term`].
#[repr(C)]
struct Linear {
    coeff: i32,
    value: *const (),
}

/// The most links of a routine to a memory: those of a loop are fewer, and what does not come again evicts them late.
const LINKS: usize = 8;

/// A routine linked to a memory, for the arguments of its last calls.
#[derive(Default)]
pub(super) struct Links {
    links: Vec<Link>,
    calls: u64,
}

/// One of them.
struct Link {
    /// The binding that it was linked for; that of a vector's own places is linked for each vector anew.
    binding: Option<u32>,
    /// When it was used last.
    used: u64,
    linked: Linked,
}

/// A routine linked to a memory.
struct Linked {
    code: Vec<Instruction>,
    /// The terms of all forms, which `code` points to.
    _terms: Vec<Linear>,
    /// For each argument, the address that it has now, and where it stands.
    arguments: Vec<(*mut (), Vec<*mut *const ()>)>,
}

impl Links {
    /// Forgets all addresses.
    pub(super) fn clear(&mut self) {
        self.links.clear();
    }

    /// The code of a routine for the arguments of a call on a vector.
    #[inline]
    pub(super) fn code<F: Lanes>(
        &mut self,
        placed: &Placed,
        (routine, binding): (u32, u32),
        bases: Bases<F>,
        places: &Places<F>,
    ) -> &[Instruction] {
        let Binding { places: arguments, own } = &placed.bindings[binding as usize];
        // all vectors take one link in turn, so that its code stays in the cache
        let number = (!own).then_some(binding);
        self.calls += 1;
        let found = self.links.iter().position(|link| link.binding == number);
        let i =
            found.unwrap_or_else(|| self.oldest(|| Linked::new(placed, &placed.routines[routine as usize], places)));
        let link = &mut self.links[i];
        if found.is_none() || *own {
            link.binding = number;
            for (i, (kind, place)) in placed.routines[routine as usize].arguments.iter().zip(arguments).enumerate() {
                link.linked.bind(i, bases.address(*kind, *place));
            }
        }
        link.used = self.calls;
        &link.linked.code
    }

    /// A link that may be given other arguments: a new one, or the one that was not used for the longest time.
    fn oldest(&mut self, linked: impl FnOnce() -> Linked) -> usize {
        if self.links.len() < LINKS {
            self.links.push(Link { binding: None, used: 0, linked: linked() });
            return self.links.len() - 1;
        }
        self.links.iter().enumerate().min_by_key(|(_, link)| link.used).map_or(0, |(i, _)| i)
    }
}

impl Linked {
    fn new<F: Lanes>(placed: &Placed, routine: &PlacedRoutine, places: &Places<F>) -> Self {
        let first = Kind::ALL.map(|kind| placed.first_argument(kind) as usize);
        // the arguments of each kind, by their numbers among all
        let numbered = |kind: Kind| -> Vec<usize> {
            routine.arguments.iter().enumerate().filter(|(_, k)| **k == kind).map(|(i, _)| i).collect()
        };
        let numbers: ByKind<Vec<usize>> = Kind::ALL.map(numbered);
        let argument = |kind: Kind, place: u32| {
            (place as usize).checked_sub(first[kind as usize]).map(|i| numbers[kind as usize][i])
        };
        let address = |kind: Kind, place: u32| places.address(kind, place as usize);
        let operands = |op: &placed::Instruction| {
            let first = op.first as usize;
            &routine.operands[first..first + op.len as usize]
        };
        let term = |(i, op): (usize, &placed::Instruction)| {
            let kind = op.code.operand_kind(i);
            let operand = operands(op)[i];
            (kind, operand, Linear { coeff: operand.coeff, value: address(kind, operand.place) })
        };
        let forms =
            || routine.code.iter().flat_map(|op| (op.code.form_from()..operands(op).len()).map(move |i| (i, op)));
        let mut terms: Vec<Linear> = forms().map(|at| term(at).2).collect();
        let mut arguments = vec![(std::ptr::null_mut(), vec![]); routine.arguments.len()];
        for (place, at) in terms.iter_mut().zip(forms()) {
            let (kind, operand, _) = term(at);
            if let Some(i) = argument(kind, operand.place) {
                arguments[i].1.push(&raw mut place.value);
            }
        }
        let mut next = terms.as_ptr();
        let instruction = |op: &placed::Instruction| {
            let list = operands(op);
            let result = op.code.results(list.len())[0];
            let at = |i: usize| list.get(i).map_or(std::ptr::null_mut(), |o| address(op.code.operand_kind(i), o.place));
            let (a, b, terms, len) = match op.code {
                Code::Select => (at(1), at(2), at(0).cast_const(), 0),
                Code::ComplexMul | Code::ComplexMulWide => (at(0), at(2), std::ptr::null(), 0),
                code => {
                    let len = list.len().saturating_sub(code.form_from());
                    let terms = next.cast();
                    next = next.wrapping_add(len);
                    (at(0), at(1), terms, len)
                }
            };
            Instruction { run: super::operation::<F>(op.code), out: address(result, op.out), a, b, terms, len }
        };
        let mut code: Vec<Instruction> = routine.code.iter().map(instruction).collect();
        for (own, op) in code.iter_mut().zip(&routine.code) {
            let list = operands(op);
            let result = op.code.results(list.len())[0];
            if let Some(i) = argument(result, op.out) {
                arguments[i].1.push((&raw mut own.out).cast());
            }
            let fields: [(usize, *mut *const ()); 3] = match op.code {
                Code::Select => [(1, &raw mut own.a), (2, &raw mut own.b), (0, &raw mut own.terms)],
                Code::ComplexMul | Code::ComplexMulWide => {
                    [(0, &raw mut own.a), (2, &raw mut own.b), (usize::MAX, &raw mut own.terms)]
                }
                _ => [(0, &raw mut own.a), (1, &raw mut own.b), (usize::MAX, &raw mut own.terms)],
            };
            for (i, field) in fields {
                let Some(operand) = list.get(i) else { continue };
                if let Some(i) = argument(op.code.operand_kind(i), operand.place) {
                    arguments[i].1.push(field);
                }
            }
        }
        Linked { code, _terms: terms, arguments }
    }

    /// Sets the address of an argument.
    #[inline(always)]
    fn bind(&mut self, argument: usize, address: *mut ()) {
        let (now, positions) = &mut self.arguments[argument];
        if *now != address {
            *now = address;
            for position in positions {
                // SAFETY: a field of this routine's code or terms, which do not move
                unsafe { **position = address };
            }
        }
    }
}

/// What an operation reads and writes.
///
/// Sound for a code that was linked for the call at hand, see the head of `execute`: its addresses are places of the kinds that
/// the operation takes, operands hold values, and no result overlaps one.
impl Instruction {
    #[inline(always)]
    pub(super) fn a<T>(&self) -> &T {
        // SAFETY: see above
        unsafe { &*self.a.cast() }
    }

    #[inline(always)]
    pub(super) fn b<T>(&self) -> &T {
        // SAFETY: see above
        unsafe { &*self.b.cast() }
    }

    /// The mask of a selection.
    #[inline(always)]
    pub(super) fn mask<T>(&self) -> &T {
        // SAFETY: see above
        unsafe { &*self.terms.cast() }
    }

    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub(super) fn out<T>(&self) -> &mut T {
        // SAFETY: see above
        unsafe { &mut *self.out.cast() }
    }

    #[inline(always)]
    pub(super) fn form<T>(&self) -> &[Term<'_, T>] {
        // SAFETY: see above; a `Linear` has the layout of a term
        unsafe { std::slice::from_raw_parts(self.terms.cast(), self.len) }
    }
}
