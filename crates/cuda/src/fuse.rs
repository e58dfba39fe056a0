//! Turns a straight line of primitive operations into one of sums that are reduced once: a value that is read once,
//! by a sum, becomes a part of the sum.
//!
//! Products and forms of unreduced values go into the form or the reduction that reads them. Reductions and sums of
//! elements go into the sum of elements that reads them, which then ends with the only reduction. [`Form::plus`]
//! says when a sum would become too large.
//!
//! In words, a sum or a difference of two elements that only a few products read, and nothing else, becomes a
//! factor of each (`factor.rs`).

use crate::EncodeError;
use crate::factor::Factor;
use crate::form::{Form, Limits, Range};
use bilinear_field::{Code, Kind};
use bilinear_program::schedule::Schedule;
use bilinear_program::{Op, Ref};

/// An operation of the fused line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// A sum that is kept as an unreduced value.
    Wide(Form),
    /// A sum with products or unreduced values, reduced.
    Close(Form),
    /// A sum of elements.
    Sum(Form),
    /// An element x, reduced as if it were an unreduced value: x/R.
    Leave(Ref),
    /// The choice by a truth value m of a or b, given as m, a, b.
    Select([Ref; 3]),
    /// The truth value of whether an element is 0.
    Zero(Ref),
    /// The truth value of whether the residue of an element is odd.
    Odd(Ref),
    /// a ∧ b.
    And([Ref; 2]),
    /// ¬a.
    Not(Ref),
    /// A load from a slot of the pairing.
    Load(u32),
    /// A store to a slot of the pairing.
    Save(u32, Ref),
    /// A load from a slot with the words of a residue of the field, into residues modulo small numbers.
    Residues(u32),
    /// A store to a slot with the words of a residue of the field, from the residues of a number in [0, 2p).
    Words(u32, Ref),
    /// 1/x, and 0 for 0: the end of a stage.
    Invert(Ref),
}

impl Work {
    /// Returns the operands that the operation reads.
    pub(crate) fn reads(&self) -> Vec<Ref> {
        match self {
            Work::Wide(form) | Work::Close(form) | Work::Sum(form) => form.reads().collect(),
            Work::Leave(x) | Work::Zero(x) | Work::Odd(x) | Work::Not(x) => vec![*x],
            Work::Save(_, x) | Work::Words(_, x) | Work::Invert(x) => vec![*x],
            Work::Select(operands) => operands.to_vec(),
            Work::And(operands) => operands.to_vec(),
            Work::Load(_) | Work::Residues(_) => vec![],
        }
    }
}

/// An operation of the fused line, and the value that it makes.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) work: Work,
    pub(crate) makes: Option<u32>,
}

/// Returns the fused line. Values keep the numbers that they have in the schedule's routine.
pub(crate) fn fused(schedule: &Schedule, limits: &Limits) -> Result<Vec<Line>, EncodeError> {
    let routine = schedule.routine();
    let mut fuse = Fuse {
        readers: vec![Readers::default(); routine.kinds.len()],
        held: vec![None; routine.kinds.len()],
        factors: vec![None; routine.kinds.len()],
        ranges: vec![limits.closed; routine.kinds.len()],
        limits,
        lines: vec![],
    };
    for op in &routine.ops {
        for t in routine.operands(op).iter().filter(|t| !t.value.is_constant()) {
            let readers = &mut fuse.readers[t.value.number()];
            readers.count += 1;
            readers.products += u32::from(matches!(op.code, Code::MulWide | Code::SqrWide));
            readers.last = Some(op.code);
        }
    }
    // no sum may take in an output
    for v in &routine.results {
        fuse.readers[*v as usize] = Readers { count: 2, ..Readers::default() };
    }
    for (operation, op) in routine.ops.iter().enumerate() {
        fuse.take(schedule, op).ok_or(EncodeError::Range { operation })?;
    }
    Ok(fuse.lines)
}

/// The readers of a value: their number, how many of them are products, and the code of the last one.
#[derive(Clone, Copy, Default)]
struct Readers {
    count: u32,
    products: u32,
    last: Option<Code>,
}

struct Fuse<'l> {
    /// The readers of each value.
    readers: Vec<Readers>,
    /// Sums that are not computed before they are read.
    held: Vec<Option<Form>>,
    /// Sums of elements that are computed where products read them.
    factors: Vec<Option<Factor<Ref>>>,
    ranges: Vec<Range>,
    limits: &'l Limits,
    lines: Vec<Line>,
}

impl Fuse<'_> {
    /// Takes the next operation; `None` if a sum leaves its range.
    fn take(&mut self, schedule: &Schedule, op: &Op) -> Option<()> {
        let operands = schedule.routine().operands(op);
        let x = |i: usize| operands[i].value;
        let work = match op.code {
            Code::MulWide => return self.product(op, x(0), x(1)),
            Code::SqrWide => return self.product(op, x(0), x(0)),
            Code::Lin | Code::Reduce | Code::Sum | Code::Add | Code::Sub => {
                let sign = |i: usize| if op.code == Code::Sub && i == 1 { -1 } else { 1 };
                let terms: Vec<(i32, Ref)> =
                    operands.iter().enumerate().map(|(i, t)| (t.coeff * sign(i), t.value)).collect();
                let kind = op.code.operand_kind(0);
                let (sum, alone) = self.added(&terms, kind, true).or_else(|| self.added(&terms, kind, false))?;
                for x in operands.iter().map(|t| t.value).filter(|x| !x.is_constant()) {
                    if let Some(form) = self.held[x.number()].take().filter(|_| alone.contains(&x)) {
                        self.compute(x.number() as u32, form, kind);
                    }
                }
                return self.sum(op, sum);
            }
            Code::Copy => return self.sum(op, Form::element(x(0), self.range(x(0)))),
            Code::Select => {
                self.ranges[op.value as usize] = self.range(x(1)).or(self.range(x(2)));
                Work::Select([x(0), x(1), x(2)])
            }
            Code::IsZero => Work::Zero(x(0)),
            Code::IsOdd => Work::Odd(x(0)),
            Code::And => Work::And([x(0), x(1)]),
            Code::Not => Work::Not(x(0)),
            Code::Invert => {
                let made = (op.value..).zip(operands);
                self.lines.extend(made.map(|(v, t)| Line { work: Work::Invert(t.value), makes: Some(v) }));
                return Some(());
            }
            other => unreachable!("{} is no primitive operation", other.name()),
        };
        self.lines.push(Line { work, makes: Some(op.value) });
        Some(())
    }

    /// Returns Σ c·x, and the held sums that have to be computed before it: those that do not fit into it, or all
    /// of them unless `fuse` is set.
    fn added(&self, terms: &[(i32, Ref)], kind: Kind, fuse: bool) -> Option<(Form, Vec<Ref>)> {
        let (mut sum, mut alone) = (Form::default(), vec![]);
        for (c, x) in terms {
            let held = if x.is_constant() { None } else { self.held[x.number()].as_ref() };
            if let Some(whole) = held.filter(|_| fuse).and_then(|form| sum.plus(*c, form, self.limits)) {
                sum = whole;
                continue;
            }
            alone.extend(held.map(|_| *x));
            let there = match kind {
                Kind::Wide => Form::wide(*x, held.map_or(self.ranges[x.number()], |form| form.range)),
                _ => Form::element(*x, held.map_or(self.range(*x), |form| self.of_element(form))),
            };
            sum = sum.plus(*c, &there, self.limits)?;
        }
        Some((sum, alone))
    }

    /// Holds a sum back if another sum is its only reader, or makes it a factor if only a few products read it;
    /// otherwise computes it.
    fn sum(&mut self, op: &Op, form: Form) -> Option<()> {
        let readers = self.readers[op.value as usize];
        let kind = op.code.results(1)[0];
        let takes = match kind {
            Kind::Wide => [Code::Lin, Code::Reduce].as_slice(),
            _ => &[Code::Sum, Code::Add, Code::Sub],
        };
        let is_taken = readers.products == readers.count && (1..=self.limits.takers).contains(&readers.count);
        match readers.last.filter(|reader| readers.count == 1 && takes.contains(reader)) {
            Some(_) => self.held[op.value as usize] = Some(form),
            None => match Factor::of(&form).filter(|_| is_taken) {
                Some(factor) => self.factors[op.value as usize] = Some(factor),
                None => self.compute(op.value, form, kind),
            },
        }
        Some(())
    }

    /// Returns the range of an operand.
    fn range(&self, x: Ref) -> Range {
        if x.is_constant() { Range::ONE } else { self.ranges[x.number()] }
    }

    /// Returns the range of an element that a sum makes: that of the sum itself, if it is a sum of elements that
    /// stays unreduced.
    fn of_element(&self, form: &Form) -> Range {
        let stays = form.has_elements_alone() && self.limits.is_lazy(form.range);
        if stays { form.range } else { self.limits.closed }
    }

    fn product(&mut self, op: &Op, a: Ref, b: Ref) -> Option<()> {
        let range = self.range(a).times(self.range(b));
        let factor = |x: Ref| if x.is_constant() { None } else { self.factors[x.number()] }.unwrap_or(x.into());
        let form = Form::product(factor(a), factor(b), range);
        if self.limits.is_kept(range) { self.sum(op, form) } else { None }
    }

    fn compute(&mut self, v: u32, form: Form, kind: Kind) {
        self.ranges[v as usize] = if kind == Kind::Wide { form.range } else { self.of_element(&form) };
        let sums = form.has_elements_alone() && (!self.limits.multiplies || self.limits.is_lazy(form.range));
        let work = match kind {
            Kind::Wide => Work::Wide(form),
            _ if sums => Work::Sum(form),
            _ => Work::Close(form),
        };
        self.lines.push(Line { work, makes: Some(v) });
    }
}
