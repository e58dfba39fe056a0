//! Routines linked to a memory: an operation is the engine's kernel, or a function around its method, with the
//! addresses of its operands. The addresses of constants and locals stay. A call writes those of its arguments where
//! they differ from those of the last call with the same copy of the code.
#![allow(unsafe_code)]

use super::Executable;
use super::arithmetic::Table;
use super::memory::{Bases, Memory};
use crate::places::{self as placed, Binding, ByKind, PlacedRoutine};
use bilinear_field::{Arguments, Code, Function, Kind};

/// An operation: a function and its arguments.
pub(super) struct Instruction {
    function: Function,
    out: *mut (),
    a: *const (),
    b: *const (),
    context: *const (),
    terms: *const (),
    len: usize,
}

impl Instruction {
    /// # Safety
    /// The instruction was linked for the current call (see the head of `execute`): its addresses are places of the
    /// kinds that the operation takes, operands hold values, and no result overlaps one.
    #[inline(always)]
    pub(super) unsafe fn run(&self) {
        // SAFETY: the caller's promise; the context is the field or its constants
        unsafe { (self.function)(self.out, self.a, self.b, self.context, self.terms, self.len) }
    }
}

/// A term c·x as the engines read it: the layout of [`Term`](bilinear_field::Term).
#[repr(C)]
pub(super) struct Linear {
    coeff: i32,
    pub(super) value: *const (),
}

/// The links of a routine: copies of its code, linked to a memory for the arguments of its last calls.
pub(super) struct Links {
    links: Vec<Link>,
    /// The greatest number of links.
    most: usize,
    calls: u64,
}

/// A link of a routine.
struct Link {
    /// The binding for which the routine was linked; `None` for bindings with places of a vector's own, which are
    /// linked anew for each vector.
    binding: Option<u32>,
    /// The number of the call that used this link last.
    used: u64,
    linked: Linked,
}

/// A routine linked to a memory.
pub(super) struct Linked {
    code: Vec<Instruction>,
    /// The terms of all forms, to which `code` points.
    _terms: Vec<Linear>,
    arguments: Vec<Argument>,
    /// Where the addresses of the arguments stand in `code` and the terms, argument by argument.
    positions: Vec<*mut *const ()>,
}

/// An argument of a linked routine.
struct Argument {
    address: *mut (),
    /// The end of the argument's positions. They begin where those of the argument before end.
    end: u32,
}

impl Memory {
    /// Returns the code of a routine for the arguments of a call on a vector.
    #[inline]
    pub(super) fn code(&mut self, executable: &Executable, called: (u32, u32), bases: Bases) -> &[Instruction] {
        let Memory { linked, own, .. } = self;
        linked[called.0 as usize].code(executable, called, bases, own)
    }
}

impl Links {
    /// Creates an empty set of at most this many links.
    pub(super) fn new(most: usize) -> Self {
        Links { links: Vec::with_capacity(most), most, calls: 0 }
    }

    /// Discards all links.
    pub(super) fn clear(&mut self) {
        self.links.clear();
    }

    /// Returns the code of a routine for the arguments of a call on a vector.
    #[inline]
    fn code(
        &mut self,
        executable: &Executable,
        (routine, binding): (u32, u32),
        bases: Bases,
        own_places: &ByKind<Table>,
    ) -> &[Instruction] {
        let Binding { places: arguments, own } = &executable.placed.bindings[binding as usize];
        let routine = &executable.placed.routines[routine as usize];
        // all vectors use one link in turn, so that its code stays in the cache
        let number = (!own).then_some(binding);
        self.calls += 1;
        let found = self.links.iter().position(|link| link.binding == number);
        let i = found.unwrap_or_else(|| self.oldest(|| Linked::new(routine, executable, own_places)));
        let link = &mut self.links[i];
        if found.is_none() || *own {
            link.binding = number;
            let addresses = routine.arguments.iter().zip(arguments).map(|(kind, place)| bases.address(*kind, *place));
            link.linked.bind(addresses);
        }
        link.used = self.calls;
        &link.linked.code
    }

    /// Returns a link that may be given other arguments: a new one, or the one that was unused for the longest time.
    fn oldest(&mut self, linked: impl FnOnce() -> Linked) -> usize {
        if self.links.len() < self.most {
            self.links.push(Link { binding: None, used: 0, linked: linked() });
            return self.links.len() - 1;
        }
        self.links.iter().enumerate().min_by_key(|(_, link)| link.used).map_or(0, |(i, _)| i)
    }
}

/// Returns the positions of the operands at `a`, at `b` and at `terms`, where there are such operands.
fn operands_of(code: Code, arguments: Arguments) -> [Option<usize>; 3] {
    match (arguments, code) {
        (Arguments::Form | Arguments::Pairs(_), _) => [None; 3],
        (Arguments::FormAndElement, _) => [None, None, Some(0)],
        (_, Code::Select) => [Some(1), Some(2), Some(0)],
        (_, Code::ComplexMul | Code::ComplexMulWide) => [Some(0), Some(2), None],
        _ => [Some(0), Some(1), None],
    }
}

impl Linked {
    /// The operations of the routine.
    #[inline(always)]
    pub(super) fn code(&self) -> &[Instruction] {
        &self.code
    }

    pub(super) fn new(routine: &PlacedRoutine, executable: &Executable, places: &ByKind<Table>) -> Self {
        let address = |kind: Kind, place: u32| places[kind as usize].at(place as usize);
        let operands = |op: &placed::Instruction| {
            let first = op.first as usize;
            &routine.operands[first..first + op.len as usize]
        };
        let form = |op: &placed::Instruction| operands(op).get(op.code.list_from()..).unwrap_or_default();
        let kind_in_form = |op: &placed::Instruction, i: usize| op.code.operand_kind(op.code.list_from() + i);
        let all = routine.code.iter().flat_map(|op| {
            let linear = move |(i, operand): (usize, &placed::Operand)| Linear {
                coeff: operand.coeff,
                value: address(kind_in_form(op, i), operand.place),
            };
            form(op).iter().enumerate().map(linear)
        });
        let mut terms: Vec<Linear> = all.collect();
        let mut next = terms.as_mut_ptr();
        let mut code: Vec<Instruction> = Vec::with_capacity(routine.code.len());
        let mut fields = Vec::with_capacity(routine.code.len());
        for op in &routine.code {
            let (list, form) = (operands(op), form(op));
            let coefficients: Vec<i32> = form.iter().map(|operand| operand.coeff).collect();
            let (function, context, arguments) = executable.arithmetic.operation(op.code, &coefficients);
            // the kinds and places of the operands that have a field of their own
            let own = operands_of(op.code, arguments)
                .map(|i| i.and_then(|i| list.get(i).map(|operand| (op.code.operand_kind(i), operand.place))));
            let at = own.map(|own| own.map(|(kind, place)| address(kind, place).cast_const()));
            let (first, none, number) =
                (next.cast_const().cast(), std::ptr::null(), std::ptr::without_provenance::<()>);
            let [a, b, third] = at.map(|at| at.unwrap_or(none));
            let (a, b, terms, len) = match arguments {
                Arguments::Operands if own[2].is_some() => (a, b, third, 0),
                Arguments::Operands => (a, b, first, form.len()),
                Arguments::Form | Arguments::FormAndElement => (first, number(form.len()), third, 0),
                Arguments::Pairs(stride) => (first, number(stride), none, 0),
                Arguments::Complex(stride) => (a, b, number(stride), 0),
            };
            let result = op.code.results(list.len())[0];
            let out = address(result, op.out);
            code.push(Instruction { function, out, a, b, context, terms, len });
            fields.push((result, own));
            next = next.wrapping_add(form.len());
        }
        // the kind and the place of each operand, and the position of its address
        let mut positions: Vec<(Kind, u32, *mut *const ())> = vec![];
        let (mut own, mut term) = (code.as_mut_ptr(), terms.as_mut_ptr());
        for (op, (result, operands)) in routine.code.iter().zip(fields) {
            // SAFETY: `own` walks along the code, and `term` along the terms of all forms in the order of the operations
            unsafe {
                positions.push((result, op.out, (&raw mut (*own).out).cast()));
                let fields = [&raw mut (*own).a, &raw mut (*own).b, &raw mut (*own).terms];
                let known = operands.into_iter().zip(fields).filter_map(|(operand, field)| Some((operand?, field)));
                positions.extend(known.map(|((kind, place), field)| (kind, place, field)));
                for (i, operand) in form(op).iter().enumerate() {
                    positions.push((kind_in_form(op, i), operand.place, &raw mut (*term).value));
                    term = term.add(1);
                }
                own = own.add(1);
            }
        }
        let mut next = Kind::ALL.map(|kind| executable.placed.first_argument(kind));
        positions.retain(|(kind, place, _)| *place >= next[*kind as usize]);
        positions.sort_by_key(|(kind, place, _)| (*kind as usize, *place));
        let mut linked = Linked { code, _terms: terms, arguments: vec![], positions: vec![] };
        for kind in &routine.arguments {
            let own = (*kind as usize, next[*kind as usize]);
            next[*kind as usize] += 1;
            let first = positions.partition_point(|(kind, place, _)| (*kind as usize, *place) < own);
            let own = positions[first..].iter().take_while(|(kind, place, _)| (*kind as usize, *place) == own);
            linked.positions.extend(own.map(|(_, _, position)| *position));
            linked.arguments.push(Argument { address: std::ptr::null_mut(), end: linked.positions.len() as u32 });
        }
        linked
    }

    /// Sets the addresses of the arguments.
    #[inline]
    pub(super) fn bind(&mut self, addresses: impl Iterator<Item = *mut ()>) {
        let mut first = 0;
        for (argument, address) in self.arguments.iter_mut().zip(addresses) {
            let end = argument.end as usize;
            if argument.address != address {
                argument.address = address;
                for position in &self.positions[first..end] {
                    // SAFETY: a field of this routine's code or terms, which do not move
                    unsafe { **position = address };
                }
            }
            first = end;
        }
    }
}
