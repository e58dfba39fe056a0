//! From a schedule to calls of kernels on rows.
//!
//! A lazy sum that only products read stays virtual: for each factor, a product gathers up to two rows that are added and
//! one that is subtracted. Reductions and closed sums gather the terms of their forms, as many in every lane as in the
//! lane with the most. Where few lanes have more than the others, their sums are made first, if that costs less
//! (`price`). A coefficient up to 3 counts as that many terms; for a greater one, the multiple is made of sums x·2^s + y.
//!
//! Terms are added in another order than in the schedule, so it is the calls that are proved (`prove`).

mod forms;
mod products;

use super::calls::{Call, Form, Lowered, Multiple, Name, Port};
use super::pairs::Pairs;
use super::tripled::{Tripled, tripled};
use crate::op::{Ref, Term};
use crate::program::Op;
use crate::schedule::{Schedule, Unit};
use bilinear_field::CollectVec;
use bilinear_field::rows::{Kernel, LANES};
use bilinear_field::{Code, Kind};
use std::collections::HashMap;

/// Returns the calls of a schedule. With `carries`, forms of unreduced values are carried, so that their columns hold more products.
pub(super) fn lower(schedule: &Schedule, carries: bool) -> Lowered {
    let mut lower = Lower::new(schedule, carries);
    for bundle in schedule.bundles() {
        let ops = &schedule.routine().ops[bundle.ops.start as usize..bundle.ops.end as usize];
        match bundle.unit {
            Unit::Linear => lower.linear(ops),
            Unit::Sum => lower.sums(ops),
            Unit::Product => lower.product(ops),
            Unit::Reduction => lower.reductions(ops),
            Unit::Inversion => lower.invert(ops),
        }
    }
    lower.finish()
}

/// The costs of calls, in cycles of Zen 5 on eight limbs (docs/engines/rows.md). They decide what is summed before it is gathered.
mod price {
    /// One more row for each lane of a reduction.
    pub(super) const WIDE_LAYER: usize = 7;
    /// One more row for each lane of a closed sum.
    pub(super) const LAYER: usize = 3;
    /// Products of rows, of sums of two rows, and of such sums less a third row: the cost beyond that of the first kind.
    pub(super) const PRODUCTS: [usize; 3] = [0, 5, 9];
    /// A sum of elements that is made first.
    pub(super) const FORM: usize = 3;
    /// A sum of unreduced values that is made first.
    pub(super) const FORM_WIDE: usize = 7;
}

/// A value of the schedule, in terms of rows.
#[derive(Clone, Debug)]
enum Value {
    Row(Name),
    /// A lazy sum that no row holds yet.
    Sum(Form),
    /// A value that nothing reads as it is: one of Karatsuba's three products, or a reduced value r of which a kernel makes 3r ± 2x.
    Part,
    Mask(u32),
}

/// The state of three products that become two values.
#[derive(Clone, Copy, Default)]
struct Parts {
    products: [Option<Name>; 3],
    /// The rows of u − v and w − u − v, once they are made.
    made: Option<[Name; 2]>,
}

struct Lower<'s> {
    schedule: &'s Schedule,
    /// The kernels of forms of unreduced values, and of their multiples.
    wide: Kernel,
    multiple_wide: Kernel,
    values: Vec<Value>,
    /// For each value, whether something other than a product reads it.
    is_read: Vec<bool>,
    /// The multiples that were made, by row and factor.
    multiples: HashMap<(Name, u32), Name>,
    /// For each name, the number of carried rows of which its limbs may be the sum.
    weights: Vec<u64>,
    pairs: Pairs,
    parts: Vec<Parts>,
    /// The sums 3r ± 2x, by the number of r.
    tripled: HashMap<usize, Tripled>,
    /// The rows of the sums that were made with their reductions, by the number of the sum.
    sums: HashMap<usize, Name>,
    /// Pending sums of elements, and of unreduced values, which are to be made before they are read, in order.
    pending: [(Vec<Form>, Vec<Name>); 2],
    /// Pending multiples of both kinds, which are to be made before the pending sums.
    pending_multiples: [(Vec<Multiple>, Vec<Name>); 2],
    is_pending: Vec<bool>,
    out: Lowered,
}

impl<'s> Lower<'s> {
    fn new(schedule: &'s Schedule, carries: bool) -> Self {
        let routine = schedule.routine();
        let mut is_read = vec![false; routine.kinds.len()];
        for op in routine.ops.iter().filter(|op| Unit::of(op.code) != Unit::Product) {
            routine
                .operands(op)
                .iter()
                .filter(|t| !t.value.is_constant())
                .for_each(|t| is_read[t.value.number()] = true);
        }
        routine.results.iter().for_each(|v| is_read[*v as usize] = true);
        let out = Lowered {
            calls: vec![],
            kinds: vec![],
            constants: schedule.constants().to_vec(),
            inputs: vec![],
            outputs: vec![],
            masks: 0,
            heaviest: 1,
        };
        let pairs = Pairs::of(routine);
        let mut lower = Lower {
            schedule,
            wide: if carries { Kernel::FormCarried } else { Kernel::FormWide },
            multiple_wide: if carries { Kernel::MultipleCarried } else { Kernel::MultipleWide },
            values: vec![],
            is_read,
            multiples: HashMap::new(),
            weights: vec![],
            parts: vec![Parts::default(); pairs.triples.len()],
            pairs,
            tripled: tripled(routine),
            sums: HashMap::new(),
            pending: Default::default(),
            pending_multiples: Default::default(),
            is_pending: vec![],
            out,
        };
        let constants = schedule.constants().iter().map(|_| Kind::Elem);
        for kind in [Kind::Wide, Kind::Wide, Kind::Elem].into_iter().chain(constants) {
            lower.name(kind, 1);
        }
        for kind in &routine.kinds[..routine.params] {
            let (value, port) = match kind {
                Kind::Mask => {
                    let mask = lower.mask();
                    (Value::Mask(mask), Port::Mask(mask))
                }
                kind => {
                    let name = lower.name(*kind, 1);
                    (Value::Row(name), Port::Row(name))
                }
            };
            lower.values.push(value);
            lower.out.inputs.push(port);
        }
        lower
    }

    fn finish(mut self) -> Lowered {
        let outputs: Vec<Ref> = self.schedule.outputs().iter().map(|output| output.value()).collect_vec();
        for x in outputs {
            let port = match self.value(x) {
                Value::Mask(mask) => Port::Mask(mask),
                Value::Row(name) => Port::Row(name),
                Value::Sum(_) | Value::Part => unreachable!("what goes out is a row"),
            };
            self.out.outputs.push(port);
        }
        self.flush();
        self.out
    }

    /// Creates a name for a row whose limbs may be the sum of `weight` carried rows.
    fn name(&mut self, kind: Kind, weight: u64) -> Name {
        let name = Name(self.out.kinds.len() as u32);
        self.out.kinds.push(kind);
        self.weights.push(weight);
        self.is_pending.push(false);
        name
    }

    fn mask(&mut self) -> u32 {
        self.out.masks += 1;
        self.out.masks as u32 - 1
    }

    fn value(&self, x: Ref) -> Value {
        match x.is_constant() {
            true => Value::Row(Name((Name::CONSTANTS + x.number()) as u32)),
            false => self.values[x.number()].clone(),
        }
    }

    /// Returns the row of a value that is not a truth value.
    fn row(&mut self, x: Ref) -> Name {
        match self.value(x) {
            Value::Row(name) => name,
            Value::Sum(form) => {
                let name = self.make(Kernel::Form, form);
                self.values[x.number()] = Value::Row(name);
                name
            }
            Value::Part | Value::Mask(_) => unreachable!("a checked schedule reads elements here"),
        }
    }

    fn mask_of(&self, x: Ref) -> u32 {
        match self.value(x) {
            Value::Mask(mask) => mask,
            _ => unreachable!("a checked schedule reads no number as a truth value"),
        }
    }

    /// Adds a call that reads these rows.
    fn call(&mut self, reads: impl IntoIterator<Item = Name>, call: Call) {
        if reads.into_iter().any(|name| self.is_pending[name.number()]) {
            self.flush();
        }
        self.out.calls.push(call);
    }

    fn operands(&self, op: &Op) -> &'s [Term] {
        self.schedule.routine().operands(op)
    }

    fn linear(&mut self, ops: &[Op]) {
        let mut tests: [(Vec<Name>, Vec<u32>); 2] = Default::default();
        for op in ops {
            let operands = self.operands(op);
            let x = |i: usize| operands[i].value;
            let value = match op.code {
                Code::Add | Code::Sub => {
                    let (a, b) = (self.row(x(0)), self.row(x(1)));
                    let form = match op.code {
                        Code::Add => Form { plus: vec![a, b], minus: vec![] },
                        _ => Form { plus: vec![a, Name::BIAS], minus: vec![b] },
                    };
                    match self.is_read[op.value as usize] {
                        true => Value::Row(self.make(Kernel::Form, form)),
                        false => Value::Sum(form),
                    }
                }
                Code::Lin => {
                    let form = self.form(self.wide, operands);
                    Value::Row(self.make(self.wide, form))
                }
                Code::Copy => Value::Row(self.row(x(0))),
                Code::Select => {
                    let (mask, a, b) = (self.mask_of(x(0)), self.row(x(1)), self.row(x(2)));
                    let weight = self.weights[a.number()].max(self.weights[b.number()]);
                    let result = self.name(Kind::Elem, weight);
                    self.call([a, b], Call::Select { mask, a, b, result });
                    Value::Row(result)
                }
                Code::IsZero | Code::IsOdd => {
                    let (row, result) = (self.row(x(0)), self.mask());
                    let (rows, results) = &mut tests[usize::from(op.code == Code::IsOdd)];
                    rows.push(row);
                    results.push(result);
                    Value::Mask(result)
                }
                Code::And => {
                    let result = self.mask();
                    self.call([], Call::And { a: self.mask_of(x(0)), b: self.mask_of(x(1)), result });
                    Value::Mask(result)
                }
                Code::Not => {
                    let result = self.mask();
                    self.call([], Call::Not { a: self.mask_of(x(0)), result });
                    Value::Mask(result)
                }
                code => unreachable!("{code:?} is not primitive and linear"),
            };
            self.values.push(value);
        }
        for (is_odd, (rows, results)) in [false, true].into_iter().zip(tests) {
            for (rows, results) in rows.chunks(LANES).zip(results.chunks(LANES)) {
                let test = Call::Test { is_odd, rows: rows.to_vec(), results: results.to_vec() };
                self.call(rows.iter().copied(), test);
            }
        }
    }

    fn invert(&mut self, ops: &[Op]) {
        for op in ops {
            let x = self.row(self.operands(op)[0].value);
            let result = self.name(Kind::Elem, 1);
            self.call([x], Call::Invert { x, result });
            self.values.push(Value::Row(result));
        }
    }

    fn reductions(&mut self, ops: &[Op]) {
        let ops: Vec<&Op> = ops.iter().collect_vec();
        let forms = self.gathered(true, &ops);
        let there = self.values.len();
        let mut beside = vec![];
        for op in &ops {
            let sum = self.tripled.get(&(op.value as usize)).copied();
            let sum = sum.filter(|sum| sum.x.is_constant() || sum.x.number() < there);
            beside.push(sum.map(|Tripled { x, subtracts, value }| {
                let x = self.row(x);
                (if subtracts { [Name::ZERO, x] } else { [x, Name::ZERO] }, value)
            }));
        }
        let results: Vec<Name> = ops.iter().map(|_| self.name(Kind::Elem, 1)).collect_vec();
        for (name, beside) in results.iter().zip(&beside) {
            self.values.push(match beside {
                Some((_, sum)) => {
                    self.sums.insert(*sum, *name);
                    Value::Part
                }
                None => Value::Row(*name),
            });
        }
        let beside: Vec<Option<[Name; 2]>> = beside.into_iter().map(|both| both.map(|(rows, _)| rows)).collect_vec();
        let reads: Vec<Name> =
            forms.iter().flat_map(Form::names).chain(beside.iter().flatten().flatten().copied()).collect_vec();
        let call = match beside.iter().any(Option::is_some) {
            true => Call::Triples { forms, beside, results },
            false => Call::Gather { kernel: Kernel::Reduce, forms, results },
        };
        self.call(reads, call);
    }

    fn sums(&mut self, ops: &[Op]) {
        let left: Vec<&Op> = ops.iter().filter(|op| !self.sums.contains_key(&(op.value as usize))).collect_vec();
        let forms = self.gathered(false, &left);
        let results: Vec<Name> = left.iter().map(|_| self.name(Kind::Elem, 1)).collect_vec();
        let mut made = results.iter();
        for op in ops {
            let known = self.sums.get(&(op.value as usize));
            let name = known.or_else(|| made.next()).unwrap_or_else(|| unreachable!("a name for each"));
            self.values.push(Value::Row(*name));
        }
        if !left.is_empty() {
            let reads: Vec<Name> = forms.iter().flat_map(Form::names).collect_vec();
            self.call(reads, Call::Gather { kernel: Kernel::Sum, forms, results });
        }
    }
}
