//! Executes programs whose values have places: one `match` an operation, the engine's own functions behind it.
//!
//! The routines of a program are linked to the memory of a run: every operand is an address. Those of constants and locals stay;
//! a call writes those of its arguments where they differ from the last call's.
//!
//! `unsafe`: addresses of places that are only known at run time. They are sound by what `places::check` proves of every program
//! before it is executed here: an operand's place holds a value that was written before, no result overlaps an operand, and the
//! halves of an element of F_p(i) lie side by side.
#![allow(unsafe_code)]

use crate::batch::{Batch, Uniforms};
use crate::op::{Code, Kind};
use crate::places::{self as placed, ByKind, Meeting, Place, Placed, PlacedRoutine, PlacedStep};
use crate::program::Program;
use bilinear_field::{Blank, Lanes, Term};
use std::sync::{Arc, Mutex, PoisonError};

/// A program on the field of an engine.
pub(crate) struct Executable<F: Lanes> {
    field: F,
    program: Arc<Program>,
    placed: Placed,
    /// The constants in their places.
    constants: Vec<F::Elem>,
    /// Memory that no run uses at the moment.
    idle: Mutex<Vec<Memory<F>>>,
}

/// The memory of one run. What shared places hold is one vector's at a time.
struct Memory<F: Lanes> {
    /// Constants, locals, then the plan's.
    elems: Vec<F::Elem>,
    /// Locals, then the plan's.
    wides: Vec<F::Wide>,
    masks: Vec<F::Mask>,
    /// The places of each vector's own, one vector after the other.
    vector_elems: Vec<F::Elem>,
    vector_wides: Vec<F::Wide>,
    vector_masks: Vec<F::Mask>,
    /// The routines, by number.
    linked: Vec<Links>,
    places: Places<F>,
}

/// An operation with the addresses of its places.
struct Instruction {
    code: Code,
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

/// The most links of a routine to a memory: a value that alternates between two places takes two.
const LINKS: usize = 3;

/// A routine linked to a memory, for the arguments of its last calls.
struct Links {
    /// The binding and the vector that each was linked for, and when it was used last.
    links: Vec<(u32, usize, u64, Linked)>,
    calls: u64,
}

/// A routine linked to a memory.
struct Linked {
    code: Vec<Instruction>,
    /// The terms of all forms, which `code` points to.
    _terms: Vec<Linear>,
    /// For each argument, the address that it has now, and where it stands.
    arguments: Vec<(*mut (), Vec<*mut *const ()>)>,
}

// SAFETY: the pointers of a memory point into its own vectors, which do not move while they are in use.
unsafe impl<F: Lanes> Send for Memory<F> {}

/// A list of blanks.
fn blanks<T: Blank>(len: usize) -> Vec<T> {
    std::iter::repeat_with(T::blank).take(len).collect()
}

impl<F: Lanes> Memory<F> {
    fn new(executable: &Executable<F>) -> Self {
        let Executable { field, placed, constants, .. } = executable;
        let [le, lw, lm] = placed.locals.map(|n| n as usize);
        let [se, sw, sm] = placed.shared.map(|n| n as usize);
        let mut elems = constants.clone();
        elems.extend(blanks::<F::Elem>(le + se));
        let (mut wides, mut masks) = (blanks(lw + sw), vec![field.mask(false); lm + sm]);
        let places = Places { elems: elems.as_mut_ptr(), wides: wides.as_mut_ptr(), masks: masks.as_mut_ptr() };
        let linked = placed.routines.iter().map(|_| Links { links: vec![], calls: 0 }).collect();
        Memory { elems, wides, masks, vector_elems: vec![], vector_wides: vec![], vector_masks: vec![], linked, places }
    }

    /// Places for so many vectors. Links to other places are forgotten.
    fn reserve(&mut self, field: &F, counts: ByKind<u32>, vectors: usize) {
        let [e, w, m] = counts.map(|n| n as usize * vectors);
        if self.vector_elems.len() < e || self.vector_wides.len() < w || self.vector_masks.len() < m {
            self.linked.iter_mut().for_each(|l| l.links.clear());
        }
        if self.vector_elems.len() < e {
            self.vector_elems = blanks(e);
        }
        if self.vector_wides.len() < w {
            self.vector_wides = blanks(w);
        }
        if self.vector_masks.len() < m {
            self.vector_masks = vec![field.mask(false); m];
        }
    }
}

/// Where the places of constants and locals begin.
struct Places<F: Lanes> {
    elems: *mut F::Elem,
    wides: *mut F::Wide,
    masks: *mut F::Mask,
}

impl<F: Lanes> Places<F> {
    fn address(&self, kind: Kind, place: usize) -> *mut () {
        match kind {
            Kind::Elem => self.elems.wrapping_add(place).cast(),
            Kind::Wide => self.wides.wrapping_add(place).cast(),
            Kind::Mask => self.masks.wrapping_add(place).cast(),
        }
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
        let argument = |kind: Kind, place: u16| {
            usize::from(place).checked_sub(first[kind as usize]).map(|i| numbers[kind as usize][i])
        };
        let address = |kind: Kind, place: u16| places.address(kind, usize::from(place));
        let operands = |op: &placed::Instruction| {
            let first = op.first as usize;
            &routine.operands[first..first + usize::from(op.len)]
        };
        let term = |(i, op): (usize, &placed::Instruction)| {
            let kind = op.code.operand_kind(i);
            let operand = operands(op)[i];
            (kind, operand, Linear { coeff: i32::from(operand.coeff), value: address(kind, operand.place) })
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
            Instruction { code: op.code, out: address(result, op.out), a, b, terms, len }
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

/// Where the places of one vector begin.
struct Bases<F: Lanes> {
    constants: *mut F::Elem,
    shared: (*mut F::Elem, *mut F::Wide, *mut F::Mask),
    vector: (*mut F::Elem, *mut F::Wide, *mut F::Mask),
}

impl<F: Lanes> Clone for Bases<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Lanes> Copy for Bases<F> {}

impl<F: Lanes> Bases<F> {
    /// Of vector `v`.
    fn new(memory: &mut Memory<F>, placed: &Placed, v: usize) -> Self {
        let [le, lw, lm] = placed.locals.map(|n| n as usize);
        let [ve, vw, vm] = placed.vector.map(|n| n as usize * v);
        let constants = memory.elems.as_mut_ptr();
        let wides = memory.wides.as_mut_ptr().wrapping_add(lw);
        let masks = memory.masks.as_mut_ptr().wrapping_add(lm);
        Bases {
            constants,
            shared: (constants.wrapping_add(placed.constants.len() + le), wides, masks),
            vector: (
                memory.vector_elems.as_mut_ptr().wrapping_add(ve),
                memory.vector_wides.as_mut_ptr().wrapping_add(vw),
                memory.vector_masks.as_mut_ptr().wrapping_add(vm),
            ),
        }
    }

    #[inline(always)]
    fn elem(&self, place: Place) -> *mut F::Elem {
        match place {
            Place::Constant(i) => self.constants.wrapping_add(i as usize),
            Place::Shared(i) => self.shared.0.wrapping_add(i as usize),
            Place::Vector(i) => self.vector.0.wrapping_add(i as usize),
        }
    }

    #[inline(always)]
    fn address(&self, kind: Kind, place: Place) -> *mut () {
        match kind {
            Kind::Elem => self.elem(place).cast(),
            Kind::Wide => self.wide(place).cast(),
            Kind::Mask => self.mask(place).cast(),
        }
    }

    fn wide(&self, place: Place) -> *mut F::Wide {
        match place {
            Place::Constant(_) => std::ptr::null_mut(),
            Place::Shared(i) => self.shared.1.wrapping_add(i as usize),
            Place::Vector(i) => self.vector.1.wrapping_add(i as usize),
        }
    }

    fn mask(&self, place: Place) -> *mut F::Mask {
        match place {
            Place::Constant(_) => std::ptr::null_mut(),
            Place::Shared(i) => self.shared.2.wrapping_add(i as usize),
            Place::Vector(i) => self.vector.2.wrapping_add(i as usize),
        }
    }
}

impl<F: Lanes + 'static> Executable<F> {
    pub(crate) fn new(field: F, program: Arc<Program>, placed: Placed) -> Self {
        let constants = placed.constants.iter().map(|c| field.constant(&program.constants()[*c as usize])).collect();
        Executable { field, program, placed, constants, idle: Mutex::default() }
    }

    /// Bytes of the values that each vector keeps.
    pub(crate) fn bytes_of_vector(&self) -> usize {
        let [e, w, m] = self.placed.vector.map(|n| n as usize);
        e * size_of::<F::Elem>() + w * size_of::<F::Wide>() + m * size_of::<F::Mask>()
    }

    /// Runs the program on every vector of the batch.
    pub(crate) fn execute(&self, batch: &mut Batch) {
        let suits = batch.suits_field::<F>(&self.program, self.field.word_len());
        assert!(suits, "a batch of this program and machine");
        let streams = self.streams(batch);
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut memory = idle.unwrap_or_else(|| Memory::new(self));
        memory.reserve(&self.field, self.placed.vector, batch.vectors());
        let mut uniforms: Vec<Option<F::Uniform>> = vec![];
        for stage in &self.placed.stages {
            for v in 0..batch.vectors() {
                let bases = Bases::new(&mut memory, &self.placed, v);
                for step in &stage.steps {
                    self.step(step, bases, &mut memory, (batch, v), &streams, &mut uniforms);
                }
            }
            if let Some(meeting) = &stage.meeting {
                self.meet(meeting, &mut memory, batch.vectors());
            }
        }
        if !uniforms.is_empty() {
            let all: Option<Vec<F::Uniform>> = uniforms.into_iter().collect();
            batch.uniforms_out = all.map(|all| Uniforms(Arc::new(all)));
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }

    /// The residues of the prepared arguments of each vector.
    fn streams(&self, batch: &Batch) -> Vec<Vec<Arc<Vec<F::Uniform>>>> {
        let own = |u: &Uniforms| {
            let residues = u.0.clone().downcast::<Vec<F::Uniform>>();
            residues.unwrap_or_else(|_| panic!("an argument that this machine has prepared"))
        };
        let streams: Vec<Vec<_>> = batch.streams.iter().map(|vector| vector.iter().map(own).collect()).collect();
        for input in self.program.inputs() {
            if let crate::program::Input::Uniform { stream, index, .. } = input {
                let enough =
                    |v: &Vec<Arc<Vec<F::Uniform>>>| v.get(*stream as usize).is_some_and(|s| s.len() > *index as usize);
                assert!(streams.iter().all(enough), "a prepared argument of the program's length for every vector");
            }
        }
        streams
    }

    fn step(
        &self,
        step: &PlacedStep,
        bases: Bases<F>,
        memory: &mut Memory<F>,
        (batch, v): (&mut Batch, usize),
        streams: &[Vec<Arc<Vec<F::Uniform>>>],
        uniforms: &mut Vec<Option<F::Uniform>>,
    ) {
        let f = &self.field;
        match step {
            PlacedStep::Call { routine, binding } => {
                let number = *routine as usize;
                let links = &mut memory.linked[number];
                let own = &self.placed.bindings[*binding as usize];
                let owner = if own.own { v } else { 0 };
                links.calls += 1;
                let known = links.links.iter().position(|(b, o, ..)| *b == *binding && *o == owner);
                let known = known.unwrap_or_else(|| {
                    let i = if links.links.len() < LINKS {
                        let linked = Linked::new(&self.placed, &self.placed.routines[number], &memory.places);
                        links.links.push((*binding, owner, 0, linked));
                        links.links.len() - 1
                    } else {
                        let oldest = links.links.iter().enumerate().min_by_key(|(_, (_, _, used, _))| *used);
                        oldest.map_or(0, |(i, _)| i)
                    };
                    let (b, o, _, linked) = &mut links.links[i];
                    (*b, *o) = (*binding, owner);
                    let kinds = &self.placed.routines[number].arguments;
                    for (i, (kind, place)) in kinds.iter().zip(&own.places).enumerate() {
                        linked.bind(i, bases.address(*kind, *place));
                    }
                    i
                });
                let (_, _, used, linked) = &mut links.links[known];
                *used = links.calls;
                run(f, &linked.code);
            }
            PlacedStep::Load { input, to } => {
                let lanes: [&[u64]; 64] = {
                    let mut lanes: [&[u64]; 64] = [&[]; 64];
                    lanes.iter_mut().zip(batch.lanes_of(v, *input as usize)).for_each(|(place, words)| *place = words);
                    lanes
                };
                // SAFETY: a place of the plan; see the head
                f.load(unsafe { &mut *bases.elem(*to) }, &lanes[..F::LANES]);
            }
            PlacedStep::LoadUniform { stream, index, to } => {
                // SAFETY: a place of the plan; see the head
                f.spread(unsafe { &mut *bases.elem(*to) }, &streams[v][*stream as usize][*index as usize]);
            }
            PlacedStep::LoadMask { input, to } => {
                let bits = batch.mask_in(v, *input as usize);
                let lanes: [bool; 64] = std::array::from_fn(|lane| std::hint::black_box(bits >> lane & 1) == 1);
                // SAFETY: a place of the plan; see the head
                unsafe { *bases.mask(*to) = f.mask_from(&lanes[..F::LANES]) };
            }
            PlacedStep::Copy { from, to } => {
                // SAFETY: two places of the plan; see the head
                unsafe { (*bases.elem(*to)).clone_from(&*bases.elem(*from)) };
            }
            PlacedStep::Store { output, from } => {
                // SAFETY: a place of the plan that holds a value; see the head
                f.store_all(batch.lanes_out(v, *output as usize), unsafe { &*bases.elem(*from) });
            }
            PlacedStep::StoreUniform { output, from } => {
                let output = *output as usize;
                if uniforms.len() <= output {
                    uniforms.resize_with(output + 1, || None);
                }
                // SAFETY: as above
                uniforms[output] = Some(f.uniform(unsafe { &*bases.elem(*from) }));
            }
            PlacedStep::StoreMask { output, from } => {
                // SAFETY: as above
                let mask = unsafe { *bases.mask(*from) };
                let bits = (0..F::LANES).fold(0, |bits, lane| bits | u64::from(f.lane(mask, lane)) << lane);
                *batch.mask_out(v, *output as usize) = bits;
            }
        }
    }

    /// An operation in which all vectors meet.
    fn meet(&self, meeting: &Meeting, memory: &mut Memory<F>, vectors: usize) {
        let f = &self.field;
        let bases: Vec<Bases<F>> = (0..vectors).map(|v| Bases::new(memory, &self.placed, v)).collect();
        let quotients = meeting.code == Code::Quotients;
        let (c, xs) = meeting.args.split_at(usize::from(quotients));
        let each = || bases.iter().flat_map(|bases| xs.iter().map(move |place| bases.elem(*place)));
        // SAFETY: places that hold values; see the head
        let mut all: Vec<F::Elem> = each().map(|x| unsafe { (*x).clone() }).collect();
        let mut undefined = f.mask(false);
        if let ([c], Some(first)) = (c, bases.first()) {
            let mut out = blanks(all.len());
            // SAFETY: c is a constant, or the same for every vector by the program
            undefined = f.quotients(&mut out, unsafe { &*first.elem(*c) }, &all);
            all = out;
        } else if let [x] = &mut all[..] {
            let mut inverse = F::Elem::blank();
            f.inv(&mut inverse, x);
            *x = inverse;
        } else {
            f.inv_many(&mut all);
        }
        let mut all = all.into_iter();
        for bases in &bases {
            for place in &meeting.results[..xs.len()] {
                if let Some(x) = all.next() {
                    // SAFETY: a place of the vector's own; see the head
                    unsafe { *bases.elem(*place) = x };
                }
            }
            if let Some(place) = meeting.results.get(xs.len()) {
                // SAFETY: the same
                unsafe { *bases.mask(*place) = undefined };
            }
        }
    }
}

/// Runs a linked routine.
#[inline(never)]
fn run<F: Lanes>(f: &F, code: &[Instruction]) {
    for op in code {
        // SAFETY (of all blocks): places of the routine; operands hold values and no result overlaps them; see the head
        macro_rules! elem {
            ($x:ident) => {
                unsafe { &*op.$x.cast::<F::Elem>() }
            };
        }
        macro_rules! pair {
            ($x:ident) => {
                unsafe { &*op.$x.cast::<[F::Elem; 2]>() }
            };
        }
        macro_rules! mask {
            ($x:ident) => {
                unsafe { *op.$x.cast::<F::Mask>() }
            };
        }
        macro_rules! out {
            ($kind:ty) => {
                unsafe { &mut *op.out.cast::<$kind>() }
            };
        }
        macro_rules! form {
            ($kind:ty) => {
                unsafe { std::slice::from_raw_parts(op.terms.cast::<Term<'_, $kind>>(), op.len) }
            };
        }
        match op.code {
            Code::Mul => f.mul(out!(F::Elem), elem!(a), elem!(b)),
            Code::Sqr => f.sqr(out!(F::Elem), elem!(a)),
            Code::MulSum => f.mul_sum(out!(F::Elem), elem!(a), elem!(b), form!(F::Elem)),
            Code::SqrSum => f.sqr_sum(out!(F::Elem), elem!(a), form!(F::Elem)),
            Code::MulWide => f.mul_wide(out!(F::Wide), elem!(a), elem!(b)),
            Code::SqrWide => f.sqr_wide(out!(F::Wide), elem!(a)),
            Code::Lin => f.lin(out!(F::Wide), form!(F::Wide)),
            Code::Reduce => f.reduce(out!(F::Elem), form!(F::Wide)),
            Code::Add => f.add(out!(F::Elem), elem!(a), elem!(b)),
            Code::Sub => f.sub(out!(F::Elem), elem!(a), elem!(b)),
            Code::Sum => f.sum(out!(F::Elem), form!(F::Elem)),
            Code::ThreePlusTwo => f.three_and_two(out!(F::Elem), elem!(a), elem!(b), false),
            Code::ThreeMinusTwo => f.three_and_two(out!(F::Elem), elem!(a), elem!(b), true),
            Code::ComplexMul => f.complex_mul(out!([F::Elem; 2]), pair!(a), pair!(b)),
            Code::ComplexSqr => f.complex_sqr(out!([F::Elem; 2]), pair!(a)),
            Code::ComplexMulWide => f.complex_mul_wide(out!([F::Wide; 2]), pair!(a), pair!(b)),
            Code::ComplexSqrWide => f.complex_sqr_wide(out!([F::Wide; 2]), pair!(a)),
            Code::Select => f.select(out!(F::Elem), mask!(terms), elem!(a), elem!(b)),
            Code::IsZero => *out!(F::Mask) = f.is_zero(elem!(a)),
            Code::IsOdd => *out!(F::Mask) = f.is_odd(elem!(a)),
            Code::And => *out!(F::Mask) = f.both(mask!(a), mask!(b)),
            Code::Not => *out!(F::Mask) = f.not(mask!(a)),
            Code::Copy => out!(F::Elem).clone_from(elem!(a)),
            Code::Invert | Code::Quotients => unreachable!("vectors meet in the plan"),
        }
    }
}
