//! From a schedule to calls of kernels on rows.
//!
//! A lazy sum that only products read stays virtual: a product gathers up to two rows that are added and one that is subtracted for each
//! factor. Reductions and closed sums gather the terms of their forms, as many in every lane as in the one with the most. Where few
//! lanes have more than the others, their sums are made first, if that costs less (`price`). A coefficient up to 3 is as many terms;
//! beyond, the multiple is made of sums x·2^s + y.
//!
//! Terms are added in another order than the schedule says: what is proved are the calls (`prove`).

use super::calls::{Call, Form, Lowered, Multiple, Name, Port};
use super::pairs::Pairs;
use super::tripled::{Tripled, tripled};
use crate::op::{Ref, Term};
use crate::program::Op;
use crate::schedule::{Schedule, Unit};
use bilinear_field::rows::{Factors, Kernel, LANES};
use bilinear_field::{Code, Kind};
use std::collections::HashMap;

/// The calls of a schedule. `carries`: forms of unreduced values are carried, so that their columns hold more products.
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

/// What calls cost, in cycles of Zen 5 on eight limbs (`bench/record`): it decides what is summed before it is gathered.
mod price {
    /// One more row for each lane of a reduction.
    pub(super) const WIDE_LAYER: usize = 7;
    /// The same of a closed sum.
    pub(super) const LAYER: usize = 3;
    /// Products of rows, of sums of two, of these less a third: beyond the first.
    pub(super) const PRODUCTS: [usize; 3] = [0, 5, 9];
    /// A sum that is made first.
    pub(super) const FORM: usize = 3;
    /// The same of unreduced values.
    pub(super) const FORM_WIDE: usize = 7;
}

/// What a value of the schedule is.
#[derive(Clone, Debug)]
enum Value {
    Row(Name),
    /// A lazy sum that no row holds as yet.
    Sum(Form),
    /// What nothing reads as it is: one of Karatsuba's three products, or a reduced value of which a kernel makes 3r ± 2x.
    Part,
    Mask(u32),
}

/// What there is of three products that become two values.
#[derive(Clone, Copy, Default)]
struct Parts {
    products: [Option<Name>; 3],
    /// u − v and w − u − v.
    made: Option<[Name; 2]>,
}

struct Lower<'s> {
    schedule: &'s Schedule,
    /// The kernels of forms of unreduced values, and of their multiples.
    wide: Kernel,
    multiple_wide: Kernel,
    values: Vec<Value>,
    /// Whether something other than a product reads a value.
    is_read: Vec<bool>,
    /// Multiples of rows that were made.
    multiples: HashMap<(Name, u32), Name>,
    /// How many carried rows the limbs of each name may be the sum of.
    weights: Vec<u64>,
    pairs: Pairs,
    parts: Vec<Parts>,
    /// Sums 3r ± 2x, by r.
    tripled: HashMap<usize, Tripled>,
    /// Those that were made with their reductions.
    sums: HashMap<usize, Name>,
    /// Sums of elements, and of unreduced values, that are to be made before they are read, in order.
    pending: [(Vec<Form>, Vec<Name>); 2],
    /// Multiples of both kinds that are to be made before these.
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
        let outputs: Vec<Ref> = self.schedule.outputs().iter().map(|output| output.value()).collect();
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

    /// A new name for a row whose limbs may be the sum of so many.
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

    /// The row of a value that is not a truth value.
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

    /// How many rows the limbs of a sum may be the sum of.
    fn weigh(&mut self, form: &Form) -> u64 {
        let weight = form.names().fold(0u64, |sum, name| sum.saturating_add(self.weights[name.number()]));
        self.out.heaviest = self.out.heaviest.max(weight);
        weight
    }

    /// A row for a sum, made before something reads it: by as few sums as the kernel takes.
    fn make(&mut self, kernel: Kernel, form: Form) -> Name {
        let (kind, [most, least]) = match kernel {
            Kernel::Form => (Kind::Elem, Kernel::FORM),
            _ => (Kind::Wide, Kernel::FORM_WIDE),
        };
        let (mut plus, mut minus) = (form.plus.into_iter().peekable(), form.minus.into_iter().peekable());
        let mut so_far = None;
        loop {
            let more = most - so_far.iter().len();
            let plus_now = so_far.into_iter().chain(plus.by_ref().take(more)).collect();
            let part = Form { plus: plus_now, minus: minus.by_ref().take(least).collect() };
            let weight = if kind == Kind::Elem { self.weigh(&part) } else { 1 };
            let name = self.name(kind, weight);
            self.is_pending[name.number()] = true;
            let (forms, results) = &mut self.pending[usize::from(kind == Kind::Wide)];
            forms.push(part);
            results.push(name);
            if plus.peek().is_none() && minus.peek().is_none() {
                return name;
            }
            so_far = Some(name);
        }
    }

    /// Makes all sums that are pending.
    fn flush(&mut self) {
        let multiples = std::mem::take(&mut self.pending_multiples);
        for (kernel, (terms, results)) in [Kernel::Multiple, self.multiple_wide].into_iter().zip(multiples) {
            results.iter().for_each(|name| self.is_pending[name.number()] = false);
            if !terms.is_empty() {
                self.out.calls.push(Call::Multiples { kernel, terms, results });
            }
        }
        let forms = std::mem::take(&mut self.pending);
        for (kernel, (forms, results)) in [Kernel::Form, self.wide].into_iter().zip(forms) {
            results.iter().for_each(|name| self.is_pending[name.number()] = false);
            if !forms.is_empty() {
                self.out.calls.push(Call::Forms { kernel, forms, results });
            }
        }
    }

    /// A call that reads these rows.
    fn call(&mut self, reads: impl IntoIterator<Item = Name>, call: Call) {
        if reads.into_iter().any(|name| self.is_pending[name.number()]) {
            self.flush();
        }
        self.out.calls.push(call);
    }

    /// c·x for c > 0: from the highest bit of c down, a sum for each that is set and one for zeros at the end.
    fn multiple(&mut self, kernel: Kernel, x: Name, c: u32) -> Name {
        if c == 1 {
            return x;
        }
        if let Some(known) = self.multiples.get(&(x, c)) {
            return *known;
        }
        let (rest, y) = if c.is_multiple_of(2) { (c, Name::ZERO) } else { (c - 1, x) };
        let shift = rest.trailing_zeros();
        let above = self.multiple(kernel, x, rest >> shift);
        // multiples are made before forms
        if self.pending.iter().any(|(_, results)| results.contains(&above) || results.contains(&y)) {
            self.flush();
        }
        let kind = if kernel == Kernel::Form { Kind::Elem } else { Kind::Wide };
        let of = |name: Name| self.weights[name.number()];
        let weight = match kind {
            Kind::Elem => of(above).saturating_mul(1 << shift).saturating_add(of(y)),
            _ => 1,
        };
        self.out.heaviest = self.out.heaviest.max(weight);
        let made = self.name(kind, weight);
        self.is_pending[made.number()] = true;
        let (terms, results) = &mut self.pending_multiples[usize::from(kind == Kind::Wide)];
        terms.push(Multiple { x: above, shift: shift as u16, y });
        results.push(made);
        self.multiples.insert((x, c), made);
        made
    }

    /// Σ c·x.
    fn form(&mut self, kernel: Kernel, terms: &[Term]) -> Form {
        let mut rows: Vec<(Name, i32)> = vec![];
        let mut parts: Vec<(usize, [i32; 3])> = vec![];
        for t in terms {
            let part = if t.value.is_constant() { None } else { self.pairs.of[t.value.number()] };
            match part {
                None => rows.push((self.row(t.value), t.coeff)),
                Some((triple, place)) => {
                    let known = parts.iter().position(|(other, _)| *other == triple);
                    let at = known.unwrap_or_else(|| {
                        parts.push((triple, [0; 3]));
                        parts.len() - 1
                    });
                    parts[at].1[place] += t.coeff;
                }
            }
        }
        for (triple, [u, v, w]) in parts {
            match self.parts[triple] {
                Parts { made: Some(made), .. } => rows.extend(made.into_iter().zip([(u - v) / 2, w])),
                // u − v may be read before there is w
                Parts { products, .. } => {
                    rows.extend(products.into_iter().zip([u, v, w]).filter_map(|(name, c)| Some((name?, c))));
                }
            }
        }
        rows.retain(|(_, c)| *c != 0);
        let mut form = Form::default();
        for (x, c) in rows {
            let size = c.unsigned_abs();
            let (x, times) = if size > 3 { (self.multiple(kernel, x, size), 1) } else { (x, size) };
            let list = if c > 0 { &mut form.plus } else { &mut form.minus };
            list.extend((0..times).map(|_| x));
        }
        form
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
                        _ => Form { plus: vec![a, Name::LIFT], minus: vec![b] },
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

    /// The factor that a value is.
    fn factor(&self, x: Ref) -> Form {
        match self.value(x) {
            Value::Row(name) => Form::of(name),
            Value::Sum(form) => form,
            Value::Part | Value::Mask(_) => unreachable!("a checked schedule multiplies elements"),
        }
    }

    fn product(&mut self, ops: &[Op]) {
        // whole triples first, as many as the kernel takes
        let made: Vec<usize> = ops.iter().map(|op| op.value as usize).collect();
        let number = |value: &usize| made.iter().position(|v| v == value);
        let whole = |i: usize| {
            let (triple, place) = self.pairs.of[made[i]]?;
            let numbers: Option<Vec<usize>> = self.pairs.triples[triple].iter().map(number).collect();
            numbers.filter(|_| place == 2)
        };
        let mut order: Vec<usize> =
            (0..ops.len()).filter_map(whole).take(usize::from(Kernel::PAIRS)).flatten().collect();
        let pairs = order.len() / 3;
        order.extend((0..ops.len()).filter(|i| !order.contains(i)).collect::<Vec<_>>());

        let operands: Vec<[Ref; 2]> = order
            .iter()
            .map(|i| {
                let operands = self.operands(&ops[*i]);
                [operands[0].value, operands[operands.len() - 1].value]
            })
            .collect();
        let mut distinct: Vec<Ref> = operands.concat();
        distinct.sort_unstable();
        distinct.dedup();
        // those of which the kernel does not take the sum are made first
        let beyond = |lower: &Self, factors: Factors| -> Vec<Ref> {
            distinct.iter().filter(|x| !lower.factor(**x).fits(factors.terms())).copied().collect()
        };
        let cost = |f: &Factors| price::PRODUCTS[*f as usize] + price::FORM * beyond(self, *f).len();
        let factors = Factors::ALL.into_iter().min_by_key(cost).unwrap_or(Factors::Differences);
        for x in beyond(self, factors) {
            self.row(x);
        }
        let operands: Vec<[Form; 2]> = operands.iter().map(|both| both.map(|x| self.factor(x))).collect();
        operands.iter().flatten().for_each(|form| {
            self.weigh(form);
        });

        let mut results = vec![Name::NOWHERE; ops.len()];
        self.values.extend(ops.iter().map(|_| Value::Part));
        for (lane, i) in order.into_iter().enumerate() {
            if lane < 3 * pairs && lane % 3 == 1 {
                continue;
            }
            let name = self.name(Kind::Wide, 1);
            results[lane] = name;
            match self.pairs.of[made[i]] {
                Some((triple, 2)) if lane < 3 * pairs => self.parts[triple].made = Some([results[lane - 2], name]),
                Some(_) if lane < 3 * pairs => {}
                Some((triple, place)) => self.parts[triple].products[place] = Some(name),
                None => self.values[made[i]] = Value::Row(name),
            }
        }
        let reads: Vec<Name> = operands.iter().flatten().flat_map(Form::names).collect();
        self.call(reads, Call::Product { factors, pairs, operands, results });
        self.pair(&made);
    }

    /// Makes u − v and w − u − v of products of which the last is among these.
    fn pair(&mut self, made: &[usize]) {
        for value in made {
            let Some((triple, _)) = self.pairs.of[*value] else { continue };
            let Parts { products: [Some(u), Some(v), Some(w)], made: None } = self.parts[triple] else { continue };
            let first = self.make(self.wide, Form { plus: vec![u], minus: vec![v] });
            let second = self.make(self.wide, Form { plus: vec![w], minus: vec![u, v] });
            self.parts[triple].made = Some([first, second]);
        }
    }

    /// The forms of a reduction or closed sum, of which those with more terms than pays are made first.
    fn gathered(&mut self, is_wide: bool, ops: &[&Op]) -> Vec<Form> {
        let (kernel, layer, sum) = match is_wide {
            true => (self.wide, price::WIDE_LAYER, price::FORM_WIDE),
            false => (Kernel::Form, price::LAYER, price::FORM),
        };
        let mut forms: Vec<Form> = ops.iter().map(|op| self.form(kernel, self.operands(op))).collect();
        let most = |of: fn(&Form) -> usize| forms.iter().map(of).max().unwrap_or(0);
        let (plus, minus) = (most(|form| form.plus.len()).max(1), most(|form| form.minus.len()));
        let cost = |shape: &[usize; 2]| {
            let beyond = forms.iter().filter(|form| !form.fits(*shape)).map(|form| sum * form.len().div_ceil(3));
            layer * (shape[0] + shape[1]) + beyond.sum::<usize>()
        };
        let shapes = (1..=plus).flat_map(|plus| (0..=minus).map(move |minus| [plus, minus]));
        let shape = shapes.min_by_key(cost).unwrap_or([1, 0]);
        for form in forms.iter_mut().filter(|form| !form.fits(shape)) {
            *form = Form::of(self.make(kernel, std::mem::take(form)));
        }
        for form in forms.iter().filter(|_| !is_wide) {
            self.weigh(form);
        }
        forms
    }

    fn reductions(&mut self, ops: &[Op]) {
        let ops: Vec<&Op> = ops.iter().collect();
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
        let results: Vec<Name> = ops.iter().map(|_| self.name(Kind::Elem, 1)).collect();
        for (name, beside) in results.iter().zip(&beside) {
            self.values.push(match beside {
                Some((_, sum)) => {
                    self.sums.insert(*sum, *name);
                    Value::Part
                }
                None => Value::Row(*name),
            });
        }
        let beside: Vec<Option<[Name; 2]>> = beside.into_iter().map(|both| both.map(|(rows, _)| rows)).collect();
        let reads: Vec<Name> =
            forms.iter().flat_map(Form::names).chain(beside.iter().flatten().flatten().copied()).collect();
        let call = match beside.iter().any(Option::is_some) {
            true => Call::Triples { forms, beside, results },
            false => Call::Gather { kernel: Kernel::Reduce, forms, results },
        };
        self.call(reads, call);
    }

    fn sums(&mut self, ops: &[Op]) {
        let left: Vec<&Op> = ops.iter().filter(|op| !self.sums.contains_key(&(op.value as usize))).collect();
        let forms = self.gathered(false, &left);
        let results: Vec<Name> = left.iter().map(|_| self.name(Kind::Elem, 1)).collect();
        let mut made = results.iter();
        for op in ops {
            let known = self.sums.get(&(op.value as usize));
            let name = known.or_else(|| made.next()).unwrap_or_else(|| unreachable!("a name for each"));
            self.values.push(Value::Row(*name));
        }
        if !left.is_empty() {
            let reads: Vec<Name> = forms.iter().flat_map(Form::names).collect();
            self.call(reads, Call::Gather { kernel: Kernel::Sum, forms, results });
        }
    }
}
