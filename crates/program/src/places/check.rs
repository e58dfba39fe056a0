//! The proof that places are right: a symbolic run in which each place holds the name of a value. Every place that is
//! read must hold the value that the program reads there, on every vector; halves must lie side by side, and no
//! result may overlap an operand. The `unsafe` code of the executor rests on this proof.

use super::{ByKind, MAX_BITS, Operand, Place, Placed, PlacedRoutine, PlacedStep, Selection};
use crate::op::Ref;
use crate::program::{Call, Input, Output, Program, Routine, Step};
use bilinear_field::{Code, Kind};
use std::collections::HashMap;

/// Checks every routine and the plan.
///
/// # Panics
/// Panics if a place is wrong, which is an error of the code that assigns places.
pub(super) fn check(program: &Program, placed: &Placed) {
    for (routine, code) in program.routines().iter().zip(&placed.routines) {
        check_routine(placed, routine, code);
    }
    check_plan(program, placed);
}

/// The contents of each place, by kind.
type Contents<T> = ByKind<Vec<Option<T>>>;

fn check_routine(placed: &Placed, routine: &Routine, code: &PlacedRoutine) {
    let size = |kind: Kind| (placed.first_argument(kind) + placed.arguments[kind as usize]) as usize;
    let mut holds: Contents<Ref> = Kind::ALL.map(|kind| vec![None; size(kind)]);
    for (place, constant) in placed.constants.iter().enumerate() {
        holds[0][place] = Some(Ref::constant(*constant as usize));
    }
    let constants = placed.constants.len();
    let firsts = Kind::ALL.map(|kind| placed.first_argument(kind) as usize);
    // the ends of the parameters, and of all arguments
    let (mut params, mut arguments) = (firsts, firsts);
    for (v, kind) in code.arguments.iter().enumerate() {
        if v < routine.params {
            assert_eq!(*kind, routine.kinds[v], "a parameter's kind");
            holds[*kind as usize][arguments[*kind as usize]] = Some(Ref::value(v));
            params[*kind as usize] += 1;
        }
        arguments[*kind as usize] += 1;
    }
    // the half that lies beside each first half
    let halves: HashMap<(usize, usize), usize> =
        code.pairs.iter().map(|(kind, a, b)| ((*kind as usize, *a as usize), *b as usize)).collect();
    let beside = |kind: Kind, place: usize| {
        let Some(argument) = place.checked_sub(firsts[kind as usize]) else {
            assert!(place + 1 < firsts[kind as usize], "a half beyond the routine's own places");
            return place + 1;
        };
        let half = halves.get(&(kind as usize, argument));
        firsts[kind as usize] + half.unwrap_or_else(|| panic!("an argument without its half"))
    };
    // only the routine's own places and those of its results are written: two parameters may share a place
    let writable = |kind: Kind, place: usize| {
        let first = if kind == Kind::Elem { constants } else { 0 };
        let is_param = (firsts[kind as usize]..params[kind as usize]).contains(&place);
        place >= first && place < arguments[kind as usize] && !is_param
    };
    let mut ops = routine.ops.iter().peekable();
    for instruction in &code.code {
        let own = instruction.first as usize..instruction.first as usize + instruction.len as usize;
        let read = &code.operands[own];
        let kind_of = |i: usize| instruction.code.operand_kind(i);
        let shown: Vec<Option<Ref>> =
            read.iter().enumerate().map(|(i, o)| holds[kind_of(i) as usize][o.place as usize]).collect();
        let is_copy = instruction.code == Code::Copy && ops.peek().is_none_or(|op| op.code != instruction.code);
        let results = instruction.code.results(read.len());
        let mut outs = vec![instruction.out as usize];
        if results.len() == 2 {
            outs.push(beside(results[0], outs[0]));
        }
        for (out, kind) in outs.iter().zip(&*results) {
            assert!(writable(*kind, *out), "a result outside of its routine's places");
            let overlaps = |(i, o): (usize, &Operand)| kind_of(i) == *kind && o.place as usize == *out;
            assert!(!read.iter().enumerate().any(overlaps), "a result overlaps an operand");
        }
        if is_copy {
            assert!(shown[0].is_some(), "a copy of nothing");
            holds[0][outs[0]] = shown[0];
            continue;
        }
        let op = ops.next().unwrap_or_else(|| panic!("more operations than the routine has"));
        assert_eq!(op.code, instruction.code, "the operations in order");
        let wanted = routine.operands(op);
        assert_eq!(wanted.len(), read.len(), "all operands");
        for (i, (t, o)) in wanted.iter().zip(read).enumerate() {
            assert_eq!(shown[i], Some(t.value), "an operand's place");
            assert_eq!(t.coeff, o.coeff, "a coefficient");
        }
        for i in 0..op.code.pairs() {
            let [a, b] = [0, 1].map(|j| read[2 * i + j].place as usize);
            assert_eq!(beside(Kind::Elem, a), b, "halves side by side");
        }
        for (j, (kind, out)) in results.iter().zip(&outs).enumerate() {
            holds[*kind as usize][*out] = Some(Ref::value(op.value as usize + j));
        }
    }
    assert!(ops.next().is_none(), "all operations");
    // results are where the callers expect them
    let mut places = Kind::ALL.map(|kind| placed.first_argument(kind) as usize);
    for (i, kind) in code.arguments.iter().enumerate() {
        if let Some(v) = i.checked_sub(routine.params).and_then(|i| routine.results.get(i)) {
            assert_eq!(holds[*kind as usize][places[*kind as usize]], Some(Ref(*v)), "a result's place");
        }
        places[*kind as usize] += 1;
    }
}

/// The names of one vector's values. Those in shared places are discarded at an operation on all vectors, since
/// another vector may have overwritten them.
struct Names {
    shared: Contents<u32>,
    vector: Contents<u32>,
}

impl Names {
    fn get(&self, kind: Kind, place: Place, placed: &Placed) -> Option<Ref> {
        match place {
            Place::Constant(i) => placed.constants.get(i as usize).map(|c| Ref::constant(*c as usize)),
            Place::Shared(i) => self.shared[kind as usize][i as usize].map(Ref),
            Place::Vector(i) => self.vector[kind as usize][i as usize].map(Ref),
        }
    }

    fn set(&mut self, kind: Kind, place: Place, v: Option<u32>) {
        match place {
            Place::Constant(_) => panic!("a constant's place is written"),
            Place::Shared(i) => self.shared[kind as usize][i as usize] = v,
            Place::Vector(i) => self.vector[kind as usize][i as usize] = v,
        }
    }
}

fn check_plan(program: &Program, placed: &Placed) {
    let empty = |counts: &ByKind<u32>| counts.map(|n| vec![None; n as usize]);
    let mut names = Names { shared: empty(&placed.shared), vector: empty(&placed.vector) };
    let (inputs, outputs) = by_port(program);
    let input = |port: Port| inputs.get(&port).copied().unwrap_or_else(|| panic!("an input that there is not"));
    let mut plan = program.plan().iter();
    let mut stored = vec![false; program.outputs().len()];
    // the routine for which each binding was checked
    let mut checked: Vec<Option<u32>> = vec![None; placed.bindings.len()];
    let mut store = |port: Port, kind: Kind, from: Place, names: &Names| {
        let i = *outputs.get(&port).unwrap_or_else(|| panic!("an output that there is not"));
        assert_eq!(names.get(kind, from, placed), Some(program.outputs()[i].value()), "an output's place");
        stored[i] = true;
    };
    for stage in &placed.stages {
        for step in &stage.steps {
            match step {
                PlacedStep::Load { input: n, to } => names.set(Kind::Elem, *to, Some(input(Port::Elem(*n)))),
                PlacedStep::LoadUniform { stream, index, to } => {
                    names.set(Kind::Elem, *to, Some(input(Port::Uniform(*stream, *index))));
                }
                PlacedStep::LoadMask { input: n, to } => names.set(Kind::Mask, *to, Some(input(Port::Mask(*n)))),
                PlacedStep::Copy { from, to } => {
                    let v = names.get(Kind::Elem, *from, placed).filter(|v| !v.is_constant());
                    assert!(v.is_some() && from != to, "a copy of nothing");
                    names.set(Kind::Elem, *to, v.map(|v| v.0));
                }
                PlacedStep::Select(selection) => {
                    let Some(Step::Call(call)) = plan.next() else { panic!("a call that there is not") };
                    let residue = |index| input(Port::Uniform(selection.stream, index));
                    check_selection(
                        placed,
                        &program.routines()[call.routine as usize],
                        call,
                        selection,
                        &residue,
                        &mut names,
                    );
                }
                PlacedStep::Call { routine, binding } => {
                    let Some(Step::Call(call)) = plan.next() else { panic!("a call that there is not") };
                    assert_eq!(call.routine, *routine, "calls in order");
                    let places = &placed.bindings[*binding as usize].places;
                    let code = &placed.routines[*routine as usize];
                    if checked[*binding as usize].replace(*routine) != Some(*routine) {
                        check_binding(program.routines()[*routine as usize].params, code, places);
                    }
                    check_call(placed, call, code, places, &mut names);
                }
                PlacedStep::Store { output, from } => store(Port::Elem(*output), Kind::Elem, *from, &names),
                PlacedStep::StoreUniform { output, from } => {
                    store(Port::Uniform(0, *output), Kind::Elem, *from, &names);
                }
                PlacedStep::StoreMask { output, from } => store(Port::Mask(*output), Kind::Mask, *from, &names),
            }
        }
        let Some(shared_inversion) = &stage.shared_inversion else { continue };
        names.shared = empty(&placed.shared);
        let Some(Step::Shared { code, args, results }) = plan.next() else { panic!("a meeting that there is not") };
        assert_eq!(*code, shared_inversion.code, "the operation of a meeting");
        assert!(
            args.len() == shared_inversion.args.len() && results.len() == shared_inversion.results.len(),
            "all values of a meeting"
        );
        for (x, place) in args.iter().zip(&shared_inversion.args) {
            assert!(!matches!(place, Place::Shared(_)), "vectors meet in places of their own");
            assert_eq!(names.get(Kind::Elem, *place, placed), Some(*x), "a place of a meeting");
        }
        let kinds = code.results(args.len());
        for ((v, place), kind) in results.iter().zip(&shared_inversion.results).zip(&*kinds) {
            assert!(matches!(place, Place::Vector(_)), "vectors part in places of their own");
            names.set(*kind, *place, Some(*v));
        }
    }
    assert!(plan.next().is_none() && stored.iter().all(|s| *s), "all steps and outputs");
}

/// Checks that there is a place for each argument, and that the arguments that are written, behind the parameters,
/// overlap nothing else that a call touches.
fn check_binding(params: usize, code: &PlacedRoutine, places: &[Place]) {
    assert_eq!(places.len(), code.arguments.len(), "a place for each argument");
    let touched = code.arguments.iter().zip(places).enumerate();
    let mut touched: Vec<_> = touched.map(|(i, (kind, place))| (*kind as usize, *place, i >= params)).collect();
    touched.sort_unstable();
    let overlap = |pair: &[(usize, Place, bool)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) && pair[1].2;
    assert!(!touched.windows(2).any(overlap), "results overlap");
    check_pairs(code, places);
}

/// Checks that each argument is where the call reads it, and records where each result is from now on.
fn check_call(placed: &Placed, call: &Call, code: &PlacedRoutine, places: &[Place], names: &mut Names) {
    let arguments = || code.arguments.iter().zip(places);
    for ((kind, place), v) in arguments().zip(&call.args) {
        assert_eq!(names.get(*kind, *place, placed), Some(Ref(*v)), "an argument's place");
    }
    for (i, (kind, place)) in arguments().skip(call.args.len()).enumerate() {
        names.set(*kind, *place, call.results.get(i).copied().flatten());
    }
}

/// Checks that a call selects the residues that the step selects, for every index, and records where its results are
/// from now on.
fn check_selection(
    placed: &Placed,
    routine: &Routine,
    call: &Call,
    selection: &Selection,
    residue: &impl Fn(u32) -> u32,
    names: &mut Names,
) {
    let masks = call.args.iter().zip(&routine.kinds).filter(|(_, kind)| **kind == Kind::Mask);
    let masks: Vec<Option<Ref>> = masks.map(|(v, _)| Some(Ref(*v))).collect();
    let held: Vec<Option<Ref>> = selection.bits.iter().map(|place| names.get(Kind::Mask, *place, placed)).collect();
    assert!(held == masks && masks.len() <= MAX_BITS, "the bits of an index");
    for index in 0..1 << masks.len() {
        let selected = routine.selected(index as usize).unwrap_or_else(|| panic!("a call that does more than select"));
        for (number, first, _) in &selection.results {
            let v = call.args[selected[*number as usize]];
            assert_eq!(residue(first + index * selection.stride), v, "an entry of a table");
        }
    }
    for (number, _, to) in &selection.results {
        names.set(Kind::Elem, *to, call.results[*number as usize]);
    }
}

/// Checks that arguments that an operation takes or makes as halves lie side by side.
fn check_pairs(code: &PlacedRoutine, places: &[Place]) {
    // the places of the arguments of each kind, in order
    let numbered = |wanted: Kind| -> Vec<Place> {
        code.arguments.iter().zip(places).filter(|(k, _)| **k == wanted).map(|(_, p)| *p).collect()
    };
    let by_kind: ByKind<Vec<Place>> = Kind::ALL.map(numbered);
    let follows = |a: Place, b: Place| match (a, b) {
        (Place::Constant(a), Place::Constant(b))
        | (Place::Shared(a), Place::Shared(b))
        | (Place::Vector(a), Place::Vector(b)) => a + 1 == b,
        _ => false,
    };
    for (kind, a, b) in &code.pairs {
        let list = &by_kind[*kind as usize];
        assert!(follows(list[*a as usize], list[*b as usize]), "halves of an argument side by side");
    }
}

/// An input or output, by its number among those of its kind.
#[derive(PartialEq, Eq, Hash)]
enum Port {
    Elem(u32),
    /// The stream, 0 for outputs, and the number in it.
    Uniform(u32, u32),
    Mask(u32),
}

/// Returns the value of each input, and the position of each output in the program's list.
fn by_port(program: &Program) -> (HashMap<Port, u32>, HashMap<Port, usize>) {
    let inputs = program.numbered_inputs().map(|(input, n)| match (input, n as u32) {
        (Input::Elem { value }, n) => (Port::Elem(n), value),
        (Input::Uniform { stream, value, .. }, n) => (Port::Uniform(stream, n), value),
        (Input::Mask { value }, n) => (Port::Mask(n), value),
    });
    let outputs = program.numbered_outputs().enumerate().map(|(i, (output, n))| match (output, n as u32) {
        (Output::Elem(_) | Output::Stored(_), n) => (Port::Elem(n), i),
        (Output::Uniform(_), n) => (Port::Uniform(0, n), i),
        (Output::Mask(_), n) => (Port::Mask(n), i),
    });
    (inputs.collect(), outputs.collect())
}
