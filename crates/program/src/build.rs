//! From a recording to a program: operations that no output needs are left out, named steps become routines, and
//! equal routines are merged.
//!
//! Two steps are equal if they perform the same operations, with the same coefficients and constants, on values that
//! are numbered from the beginning of the step. One routine then serves both, and each call says what its parameters
//! and results are. So a loop of n iterations is stored as one iteration and n calls. All this takes time linear in
//! the length of the recording.

use crate::constants::Constants;
use crate::op::{Ref, Term};
use crate::passes::optimise;
use crate::program::{Call, Input, Op, Output, Parts, Program, Routine, Step};
use crate::trace::{Recorded, Trace};
use crate::verify::ProgramError;
use bilinear_field::Kind;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::ops::Range;

/// The name of routines between named steps.
const BETWEEN: &str = "between";

/// Builds a program of the operations that the outputs need.
///
/// # Errors
/// Returns an error as [`Parts::verify`] does.
pub(crate) fn build(
    modulus: &BigUint,
    trace: &Trace,
    inputs: &[Input],
    outputs: &[Output],
    constants: &dyn Constants,
) -> Result<Program, ProgramError> {
    let live = live(trace, outputs);
    let mut builder = Builder {
        trace,
        constants: Used::new(constants),
        local: vec![NOWHERE; trace.kinds.len()],
        params: vec![],
        made: Vec::with_capacity(trace.kinds.len()),
        routines: vec![],
        escapes: vec![],
        known: HashMap::new(),
        key: vec![],
        pieces: vec![],
    };
    for segment in segments(trace, &live) {
        builder.segment(segment);
    }
    builder.finish(modulus, inputs, outputs)
}

/// Returns the numbers of the operations that some output needs.
fn live(trace: &Trace, outputs: &[Output]) -> Vec<u32> {
    let mut needed = vec![false; trace.kinds.len()];
    for output in outputs {
        if !output.value().is_constant() {
            needed[output.value().number()] = true;
        }
    }
    let mut live = Vec::with_capacity(trace.ops.len());
    for (i, op) in trace.ops.iter().enumerate().rev() {
        if needed[op.value as usize..(op.value + op.results) as usize].contains(&true) {
            live.push(i as u32);
            for t in trace.operands(op).iter().filter(|t| !t.value.is_constant()) {
                needed[t.value.number()] = true;
            }
        }
    }
    live.reverse();
    live
}

/// A group of operations that becomes one step of the plan.
enum Segment<'t> {
    /// A routine of the operations with these numbers.
    Straight(&'static str, &'t [u32]),
    /// An operation on all vectors of a batch.
    Shared(&'t Recorded),
}

/// Cuts the live operations where a named step begins or ends, and at operations on all vectors.
fn segments<'t>(trace: &'t Trace, live: &'t [u32]) -> Vec<Segment<'t>> {
    let mut segments = vec![];
    let mut named = trace.named.iter().peekable();
    let mut rest = live;
    while let [first, others @ ..] = rest {
        let op = &trace.ops[*first as usize];
        if op.code.is_shared() {
            segments.push(Segment::Shared(op));
            rest = others;
            continue;
        }
        while named.next_if(|step| step.to <= *first).is_some() {}
        let (name, end) = match named.peek() {
            Some(step) if step.from <= *first => (step.name, step.to),
            next => (BETWEEN, next.map_or(u32::MAX, |step| step.from)),
        };
        let goes_on = |i: &&u32| **i < end && !trace.ops[**i as usize].code.is_shared();
        let (ops, others) = rest.split_at(rest.iter().take_while(goes_on).count());
        segments.push(Segment::Straight(name, ops));
        rest = others;
    }
    segments
}

/// The constants that a program uses, by their numbers in the program. Equal constants share a number.
struct Used<'t> {
    all: &'t dyn Constants,
    /// The program's number of each constant that was met; NOWHERE for the others.
    numbers: Vec<u32>,
    values: HashMap<BigUint, u32>,
}

impl<'t> Used<'t> {
    fn new(all: &'t dyn Constants) -> Self {
        Used { all, numbers: vec![], values: HashMap::new() }
    }

    fn number(&mut self, x: Ref) -> Ref {
        let Used { all, numbers, values } = self;
        if numbers.len() <= x.number() {
            numbers.resize(x.number() + 1, NOWHERE);
        }
        let number = &mut numbers[x.number()];
        if *number == NOWHERE {
            let next = values.len() as u32;
            *number = *values.entry(all.residue(x.number())).or_insert(next);
        }
        Ref::constant(*number as usize)
    }

    /// Returns all constants in the order of their numbers.
    fn residues(self) -> Vec<BigUint> {
        let mut all: Vec<(u32, BigUint)> = self.values.into_iter().map(|(residue, number)| (number, residue)).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, residue)| residue).collect()
    }
}

/// A segment that was folded: its routine, and the ranges of its parameters and of the values that it makes in the
/// lists of all segments.
struct Folded {
    routine: usize,
    params: Range<usize>,
    made: Range<usize>,
}

/// A segment in the form in which the program has it.
enum Piece<'t> {
    Straight(Folded),
    Shared(&'t Recorded),
}

/// The number of a value that is not in the current segment, or of a constant that was not met.
const NOWHERE: u32 = u32::MAX;

/// The bit that is set in the numbers of values that the current segment makes, and not in those of its parameters:
/// how many parameters there are is known only at the end of the segment.
const MADE: u32 = 1 << 30;

struct Builder<'t> {
    trace: &'t Trace,
    constants: Used<'t>,
    /// The number of each of the trace's values in the current segment, or NOWHERE.
    local: Vec<u32>,
    /// The trace's values that are parameters of segments, one segment after the other.
    params: Vec<u32>,
    /// The trace's values that segments make, one segment after the other.
    made: Vec<u32>,
    routines: Vec<Routine>,
    /// For each routine, which of its values some caller takes.
    escapes: Vec<Vec<bool>>,
    /// The numbers of the routines, by their keys.
    known: HashMap<Vec<u32>, usize>,
    /// The key of the current segment: a description of what it does.
    key: Vec<u32>,
    pieces: Vec<Piece<'t>>,
}

impl<'t> Builder<'t> {
    fn segment(&mut self, segment: Segment<'t>) {
        match segment {
            Segment::Shared(op) => self.pieces.push(Piece::Shared(op)),
            Segment::Straight(name, ops) => {
                let folded = self.fold(name, ops);
                self.pieces.push(Piece::Straight(folded));
            }
        }
    }

    /// Returns a segment of these operations with its routine: a known routine, or a new one.
    fn fold(&mut self, name: &'static str, ops: &'t [u32]) -> Folded {
        let trace = self.trace;
        let (params, made) = (self.params.len(), self.made.len());
        // two segments with the same key compute the same, whatever their names
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for op in trace.of(ops) {
            key.push(op.code as u32 | op.len << 8);
            for t in trace.operands(op) {
                key.push(t.coeff as u32);
                key.push(self.number(t.value, params).0);
            }
            for v in op.value..op.value + op.results {
                self.local[v as usize] = MADE | (self.made.len() - made) as u32;
                self.made.push(v);
            }
        }
        let folded = Folded { routine: 0, params: params..self.params.len(), made: made..self.made.len() };
        key.extend(self.params[params..].iter().map(|v| trace.kinds[*v as usize] as u32));
        key.push(folded.params.len() as u32);
        let routine = self.known.get(&key).copied().unwrap_or_else(|| self.add(name, &folded, ops, &key));
        for v in self.params[params..].iter().chain(&self.made[made..]) {
            self.local[*v as usize] = NOWHERE;
        }
        self.key = key;
        Folded { routine, ..folded }
    }

    /// Returns the number of a value or a constant of the trace in the current segment, whose parameters begin at
    /// `params`. A value that the segment has not met becomes one more parameter.
    fn number(&mut self, x: Ref, params: usize) -> Ref {
        if x.is_constant() {
            return self.constants.number(x);
        }
        let local = &mut self.local[x.number()];
        if *local == NOWHERE {
            *local = (self.params.len() - params) as u32;
            self.params.push(x.0);
        }
        Ref(*local)
    }

    /// Adds the current segment as a new routine, and returns the routine's number.
    fn add(&mut self, name: &'static str, folded: &Folded, ops: &[u32], key: &[u32]) -> usize {
        let trace = self.trace;
        let params = folded.params.len();
        let values = self.params[folded.params.clone()].iter().chain(&self.made[folded.made.clone()]);
        let kinds: Vec<Kind> = values.map(|v| trace.kinds[*v as usize]).collect();
        let mut made: Vec<Op> = Vec::with_capacity(ops.len());
        let mut operands: Vec<Term> = vec![];
        let mut value = params as u32;
        for op in trace.of(ops) {
            let first = operands.len() as u32;
            for t in trace.operands(op) {
                let x = self.number(t.value, folded.params.start);
                let made = !x.is_constant() && x.0 & MADE != 0;
                let x = if made { Ref::value(params + (x.0 & !MADE) as usize) } else { x };
                operands.push(Term { coeff: t.coeff, value: x });
            }
            made.push(Op { code: op.code, operands: first..operands.len() as u32, value });
            value += op.results;
        }
        let routine = self.routines.len();
        self.known.insert(key.to_vec(), routine);
        self.escapes.push(vec![false; kinds.len()]);
        self.routines.push(Routine { name, params, kinds, ops: made, operands, results: vec![] });
        routine
    }

    /// Returns, for each value, whether it is read outside of the segment that makes it.
    fn taken(&self, outputs: &[Output]) -> Vec<bool> {
        let mut taken = vec![false; self.trace.kinds.len()];
        let mut take = |x: Ref| {
            if !x.is_constant() {
                taken[x.number()] = true;
            }
        };
        self.params.iter().for_each(|v| take(Ref(*v)));
        for piece in &self.pieces {
            if let Piece::Shared(op) = piece {
                self.trace.operands(op).iter().for_each(|t| take(t.value));
            }
        }
        outputs.iter().for_each(|o| take(o.value()));
        taken
    }

    fn finish(mut self, modulus: &BigUint, inputs: &[Input], outputs: &[Output]) -> Result<Program, ProgramError> {
        let taken = self.taken(outputs);
        for piece in &self.pieces {
            let Piece::Straight(folded) = piece else { continue };
            let escapes = &mut self.escapes[folded.routine][folded.params.len()..];
            for (escapes, v) in escapes.iter_mut().zip(&self.made[folded.made.clone()]) {
                *escapes |= taken[*v as usize];
            }
        }
        for (routine, escapes) in self.routines.iter_mut().zip(&self.escapes) {
            routine.results = (0..).zip(escapes).filter(|(_, taken)| **taken).map(|(v, _)| v).collect();
        }
        // the results of each routine by their numbers in its segment: the passes number values anew
        let recorded: Vec<Vec<u32>> = self.routines.iter().map(|routine| routine.results.clone()).collect();
        self.routines = self.routines.iter().map(optimise).collect();
        // numbers the plan's values: those that come in or are taken. No value is in a segment any more
        let mut numbers = std::mem::take(&mut self.local);
        let mut kinds = vec![];
        let trace = self.trace;
        let mut number = |v: u32| {
            let number = &mut numbers[v as usize];
            if *number == NOWHERE {
                *number = kinds.len() as u32;
                kinds.push(trace.kinds[v as usize]);
            }
            *number
        };
        let inputs: Vec<Input> = inputs.iter().map(|input| input.with(number(input.value()))).collect();
        let mut plan = vec![];
        for piece in &self.pieces {
            match piece {
                Piece::Straight(Folded { routine, params, made }) => {
                    let args = self.params[params.clone()].iter().map(|v| number(*v)).collect();
                    let results = recorded[*routine].iter().map(|local| {
                        let v = self.made[made.start + *local as usize - params.len()];
                        taken[v as usize].then(|| number(v))
                    });
                    plan.push(Step::Call(Call { routine: *routine as u32, args, results: results.collect() }));
                }
                Piece::Shared(op) => {
                    let args = trace.operands(op).iter().map(|t| match t.value.is_constant() {
                        true => self.constants.number(t.value),
                        false => Ref::value(number(t.value.0) as usize),
                    });
                    let args = args.collect();
                    let results = (op.value..op.value + op.results).map(&mut number).collect();
                    plan.push(Step::Shared { code: op.code, args, results });
                }
            }
        }
        let mut place = |x: Ref| match x.is_constant() {
            true => self.constants.number(x),
            false => Ref::value(number(x.0) as usize),
        };
        let outputs = outputs.iter().map(|output| output.with(place(output.value()))).collect();
        let constants = self.constants.residues();
        Parts { modulus: modulus.clone(), constants, routines: self.routines, kinds, inputs, outputs, plan }.verify()
    }
}
