//! Places for the values of routines. Parameters and results have the callers' places. All other values have locals,
//! which are free again after the last operation that reads them. A result never takes the place of an operand of its
//! own operation, because kernels write before they have read everything.

use super::pool::{Pairs, Pool};
use super::{ByKind, Instruction, Operand, PlacedRoutine};
use crate::op::Ref;
use crate::program::{Op, Program, Routine};
use bilinear_field::{Code, Kind};
use std::collections::HashMap;

/// The places of constants: one for each that is read alone, two for each pair that is read as an element of F_p(i).
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// The constant in each place.
    pub(super) places: Vec<u32>,
    single: HashMap<u32, u32>,
    pair: HashMap<(u32, u32), u32>,
}

impl Constants {
    /// Returns the place of a constant, and assigns one if the constant is new.
    pub(super) fn one(&mut self, c: u32) -> u32 {
        let next = self.places.len() as u32;
        let place = *self.single.entry(c).or_insert(next);
        if place == next {
            self.places.push(c);
        }
        place
    }

    fn two(&mut self, a: u32, b: u32) -> u32 {
        let next = self.places.len() as u32;
        let place = *self.pair.entry((a, b)).or_insert(next);
        if place == next {
            self.places.extend([a, b]);
        }
        place
    }
}

/// An operation, the place of its first result, and its operands c·x.
type Line = (Code, Spot, Vec<(i32, Spot)>);

/// A routine with places, before the total number of locals is known.
pub(super) struct Drafted {
    code: Vec<Line>,
    /// The arguments, each a value and its kind: parameters, the results that callers take, and the halves beside them.
    pub(super) arguments: Vec<(u32, Kind)>,
    /// The pairs of arguments that lie side by side.
    pub(super) pairs: Vec<(usize, usize)>,
    locals: ByKind<u32>,
}

/// A place in a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    Constant(u32),
    Local(Kind, u32),
    Argument(Kind, u32),
}

/// The routines with places, and the numbers of local places that suffice for each of them.
pub(super) struct Routines {
    pub(super) drafted: Vec<Drafted>,
    pub(super) locals: ByKind<u32>,
}

/// Assigns places to the values of every routine.
pub(super) fn place(program: &Program) -> (Routines, Constants) {
    let mut constants = Constants::default();
    let drafted: Vec<Drafted> = program.routines().iter().map(|r| Draft::of(r, &mut constants)).collect();
    let most = |k: usize| drafted.iter().map(|d| d.locals[k]).max().unwrap_or(0);
    let locals = [most(0), most(1), most(2)];
    (Routines { drafted, locals }, constants)
}

impl Drafted {
    /// Returns the routine as executors take it, for tables with these numbers of constants and locals.
    pub(super) fn finish(&self, constants: u32, locals: ByKind<u32>) -> PlacedRoutine {
        let number = |spot: Spot| match spot {
            Spot::Constant(c) => c,
            Spot::Local(Kind::Elem, i) => constants + i,
            Spot::Local(_, i) => i,
            Spot::Argument(Kind::Elem, i) => constants + locals[0] + i,
            Spot::Argument(kind, i) => locals[kind as usize] + i,
        };
        let mut operands = vec![];
        let mut code = Vec::with_capacity(self.code.len());
        for (op, out, list) in &self.code {
            let first = operands.len() as u32;
            operands.extend(list.iter().map(|(coeff, spot)| Operand { coeff: *coeff, place: number(*spot) }));
            code.push(Instruction { code: *op, len: list.len() as u32, out: number(*out), first });
        }
        let among = |i: usize| {
            let kind = self.arguments[i].1;
            self.arguments[..i].iter().filter(|(_, k)| *k == kind).count() as u32
        };
        let pairs = self.pairs.iter().map(|(i, j)| (self.arguments[*i].1, among(*i), among(*j))).collect();
        PlacedRoutine { code, operands, arguments: self.arguments.iter().map(|(_, kind)| *kind).collect(), pairs }
    }
}

/// A routine whose values are being placed.
struct Draft<'r> {
    routine: &'r Routine,
    pairs: Pairs,
    /// The number of each argument among those of its kind.
    argument: Vec<Option<u32>>,
    pools: ByKind<Pool>,
    /// The place of each local value.
    place: Vec<Option<u32>>,
    /// For each unit, by its first value, the last operation that makes or reads one of its values.
    last: Vec<usize>,
}

/// Returns the positions of the pairs of operands that a kernel takes as elements of F_p(i).
fn operand_pairs(op: &Op) -> impl Iterator<Item = usize> {
    (0..op.code.pairs()).map(|i| 2 * i)
}

/// Returns the pairs of values that lie side by side and, for each operation, the positions of the pairs of operands
/// that cannot: these are copied at the operation that reads them.
pub(crate) fn pairs_of(routine: &Routine) -> (Pairs, Vec<Vec<usize>>) {
    let mut pairs = Pairs::new(routine.kinds.len());
    for op in &routine.ops {
        if op.results().len() == 2 {
            pairs.tie(op.value, op.value + 1);
        }
    }
    let is_param = |x: Ref| x.number() < routine.params;
    let mut beside = |[a, b]: [Ref; 2]| match (a.is_constant(), b.is_constant()) {
        (true, true) => true,
        (false, false) => is_param(a) == is_param(b) && pairs.tie(a.number() as u32, b.number() as u32),
        _ => false,
    };
    let apart = |op: &Op| {
        let operands = routine.operands(op);
        operand_pairs(op).filter(|i| !beside([operands[*i].value, operands[i + 1].value])).collect()
    };
    let copies = routine.ops.iter().map(apart).collect();
    (pairs, copies)
}

impl<'r> Draft<'r> {
    fn of(routine: &'r Routine, constants: &mut Constants) -> Drafted {
        let values = routine.kinds.len();
        let (pairs, copies) = pairs_of(routine);
        let (arguments, argument) = arguments(routine, &pairs);
        let number: HashMap<u32, usize> = arguments.iter().enumerate().map(|(i, (v, _))| (*v, i)).collect();
        let side_by_side = arguments.iter().enumerate().filter_map(|(i, (v, _))| match pairs.unit(*v) {
            (first, Some(second)) if first == *v => Some((i, number[&second])),
            _ => None,
        });
        let side_by_side = side_by_side.collect();
        let mut last = vec![0; values];
        for (i, op) in routine.ops.iter().enumerate() {
            for v in op.results() {
                last[pairs.unit(v).0 as usize] = i;
            }
            for t in routine.operands(op).iter().filter(|t| !t.value.is_constant()) {
                last[pairs.unit(t.value.number() as u32).0 as usize] = i;
            }
        }
        let mut draft = Draft { routine, pairs, argument, pools: Default::default(), place: vec![None; values], last };
        let code = draft.code(&copies, constants);
        let locals = draft.pools.each_ref().map(Pool::len);
        Drafted { code, arguments, pairs: side_by_side, locals }
    }

    fn code(&mut self, copies: &[Vec<usize>], constants: &mut Constants) -> Vec<Line> {
        let routine = self.routine;
        let mut code = vec![];
        for (i, op) in routine.ops.iter().enumerate() {
            let operands = routine.operands(op);
            let mut spots: Vec<(i32, Spot)> = vec![];
            for (j, t) in operands.iter().enumerate() {
                let c = t.value.number() as u32;
                let pair_of_constants = operand_pairs(op)
                    .find(|k| *k == j & !1)
                    .filter(|k| operands[*k].value.is_constant() && operands[k + 1].value.is_constant());
                spots.push((
                    t.coeff,
                    match (t.value.is_constant(), pair_of_constants) {
                        (true, Some(k)) => {
                            let [a, b] = [k, k + 1].map(|k| operands[k].value.number() as u32);
                            Spot::Constant(constants.two(a, b) + (j - k) as u32)
                        }
                        (true, None) => Spot::Constant(constants.one(c)),
                        (false, _) => self.spot(c),
                    },
                ));
            }
            let mut scratch = vec![];
            for k in &copies[i] {
                let pair = self.pools[0].take(true);
                for j in 0..2 {
                    let to = Spot::Local(Kind::Elem, pair + j);
                    let from = std::mem::replace(&mut spots[k + j as usize].1, to);
                    code.push((Code::Copy, to, vec![(1, from)]));
                }
                scratch.push(pair);
            }
            let made: Vec<Spot> = op.results().map(|v| self.make(v)).collect();
            code.push((op.code, made[0], spots));
            scratch.into_iter().for_each(|pair| self.pools[0].give(pair, true));
            let read = operands.iter().filter(|t| !t.value.is_constant()).map(|t| t.value.number() as u32);
            for v in read.chain(op.results()) {
                self.release(v, i);
            }
        }
        code
    }

    /// Returns the place of a value.
    fn spot(&self, v: u32) -> Spot {
        let kind = self.routine.kinds[v as usize];
        match (self.argument[v as usize], self.place[v as usize]) {
            (Some(i), _) => Spot::Argument(kind, i),
            (None, Some(place)) => Spot::Local(kind, place),
            (None, None) => unreachable!("a verified routine makes what it reads"),
        }
    }

    /// Returns the place of a value that is made now, and assigns one if it has none.
    fn make(&mut self, v: u32) -> Spot {
        if self.argument[v as usize].is_none() && self.place[v as usize].is_none() {
            let (first, second) = self.pairs.unit(v);
            let place = self.pools[self.routine.kinds[v as usize] as usize].take(second.is_some());
            self.place[first as usize] = Some(place);
            if let Some(second) = second {
                self.place[second as usize] = Some(place + 1);
            }
        }
        self.spot(v)
    }

    /// Frees the places of a local unit after its last operation.
    fn release(&mut self, v: u32, now: usize) {
        let (first, second) = self.pairs.unit(v);
        if self.last[first as usize] != now || self.argument[first as usize].is_some() {
            return;
        }
        if let Some(place) = self.place[first as usize] {
            self.pools[self.routine.kinds[v as usize] as usize].give(place, second.is_some());
            // only once
            self.last[first as usize] = usize::MAX;
        }
    }
}

/// Returns the arguments (parameters, results that callers take, and the halves beside them), and the number of each
/// value among the arguments of its kind.
fn arguments(routine: &Routine, pairs: &Pairs) -> (Vec<(u32, Kind)>, Vec<Option<u32>>) {
    let mut argument = vec![None; routine.kinds.len()];
    let mut counts = [0; 3];
    let mut arguments = vec![];
    let beside = |v: u32| {
        let (first, second) = pairs.unit(v);
        [Some(v), if first == v { second } else { Some(first) }].into_iter().flatten()
    };
    // all results before any half beside one, so that callers find them in order
    let results = routine.results.iter().copied();
    let halves = routine.results.iter().flat_map(|v| beside(*v));
    for v in (0..routine.params as u32).chain(results).chain(halves) {
        if argument[v as usize].is_none() {
            let kind = routine.kinds[v as usize];
            argument[v as usize] = Some(counts[kind as usize]);
            counts[kind as usize] += 1;
            arguments.push((v, kind));
        }
    }
    (arguments, argument)
}
