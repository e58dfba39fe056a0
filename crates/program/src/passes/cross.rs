//! Karatsuba's cross terms as one operation: (a + c)(b + d) − v − w and (a + c)² − v − w in F_p(i), one and two
//! levels up in the tower. The sum starts with the terms that are added to the product, so that forms have fewer
//! terms, or are no operations of their own.
//!
//! A machine has kernels for some forms, and only these are taken in.
//!
//! * [`subtracted`]: where every form with the product subtracts v and w as often as it adds the product, the product
//!   subtracts them instead;
//! * [`added`]: where the only reader of a product is a sum of unreduced values, the product computes that sum.

use super::{Has, order};
use crate::op::{Ref, Term};
use crate::program::{Op, Routine};
use bilinear_field::{Code, MAX_TERMS};

/// Returns the code of a product of sums with forms, for the code of a product of sums; `None` for others.
fn with_forms(code: Code) -> Option<Code> {
    match code {
        Code::ComplexSumsMulWide | Code::ComplexSumsMulLin => Some(Code::ComplexSumsMulLin),
        Code::ComplexSumSqrWide | Code::ComplexSumSqrLin => Some(Code::ComplexSumSqrLin),
        _ => None,
    }
}

/// Splits the terms of two forms that stand one behind the other.
fn halves_of(forms: &[Term]) -> [&[Term]; 2] {
    forms.split_at(forms.len() / 2).into()
}

/// Returns the operands of a product of sums whose forms, one for each half, take in further terms; `None` if there
/// is no such operation.
fn with_terms(
    elements: &[Term],
    forms: [&[Term]; 2],
    more: [&[Term]; 2],
    code: Code,
    has: Has<'_>,
) -> Option<Vec<Term>> {
    let [mut first, mut second] = [0, 1].map(|half| [forms[half], more[half]].concat());
    order::sort(&mut first);
    order::sort(&mut second);
    if first.len() != second.len() || 2 * first.len() > MAX_TERMS {
        return None;
    }
    let operands = [elements, &first, &second].concat();
    let coefficients: Vec<i32> = operands.iter().map(|t| t.coeff).collect();
    has(code, &coefficients).then_some(operands)
}

/// Returns true if the term is of this value.
fn is(t: &Term, v: u32) -> bool {
    !t.value.is_constant() && t.value.number() == v as usize
}

/// Returns the coefficient of a value in the form of an operation, if the form has the value exactly once.
fn coefficient(routine: &Routine, op: &Op, v: u32) -> Option<i32> {
    let mut own = routine.operands(op)[op.form()?..].iter().filter(|t| is(t, v));
    let first = own.next()?;
    own.next().is_none().then_some(first.coeff)
}

/// Returns the values that every one of these operations subtracts as often as it adds p, and that are made before operation j.
fn opposite(routine: &Routine, readers: &[usize], p: u32, makers: &[Option<usize>], j: usize) -> Vec<u32> {
    let Some(first) = readers.first().map(|i| &routine.ops[*i]) else { return vec![] };
    let candidates = routine.operands(first).iter().filter(|t| !t.value.is_constant()).map(|t| t.value.number() as u32);
    let is_opposite = |op: &Op, v: u32| {
        let pair = coefficient(routine, op, v).zip(coefficient(routine, op, p));
        pair.is_some_and(|(v, p)| v == -p)
    };
    let ready = candidates.filter(|v| makers[*v as usize].is_none_or(|maker| maker < j));
    ready.filter(|v| readers.iter().all(|i| is_opposite(&routine.ops[*i], *v))).collect()
}

/// Lets products compute (a + c)(b + d) − v − w where every reader subtracts v and w.
pub(super) fn subtracted(routine: &mut Routine, has: Has<'_>) {
    // readers change below only for values that were made before, and these are not looked up again
    let (makers, mut readers) = (routine.makers(), routine.form_readers());
    for j in 0..routine.ops.len() {
        let Op { code, value, .. } = routine.ops[j];
        let Some(fused) = with_forms(code) else { continue };
        let halves = [value, value + 1];
        let [Some(first), Some(second)] = halves.map(|p| readers[p as usize].take()) else { continue };
        let v = opposite(routine, &first, halves[0], &makers, j);
        let mut w = opposite(routine, &second, halves[1], &makers, j);
        // a form with both halves of the product has a value only once, so only one half may take it in
        w.retain(|w| !v.contains(w));
        let count = v.len().min(w.len()).min(2);
        let negative = |v: &u32| Term { coeff: -1, value: Ref::value(*v as usize) };
        let [more, other] = [&v, &w].map(|v| v[..count].iter().map(negative).collect::<Vec<Term>>());
        let (elements, known) = routine.operands(&routine.ops[j]).split_at(2 * code.pairs());
        let operands = with_terms(elements, halves_of(known), [&more, &other], fused, has);
        let Some(operands) = operands.filter(|_| count > 0) else { continue };
        for (readers, terms) in [(first, &v[..count]), (second, &w[..count])] {
            for i in readers {
                let op = &routine.ops[i];
                let (elements, form) = routine.operands(op).split_at(op.form().unwrap_or_default());
                let rest = form.iter().filter(|t| !terms.iter().any(|v| is(t, *v)));
                let operands: Vec<Term> = elements.iter().chain(rest).copied().collect();
                routine.set_operands(i, &operands);
            }
        }
        routine.ops[j].code = fused;
        routine.set_operands(j, &operands);
    }
}

/// Lets a product that is read once, by a sum, compute that sum.
pub(super) fn added(routine: &mut Routine, has: Has<'_>) {
    let (makers, readers) = (routine.makers(), routine.form_readers());
    for j in 0..routine.ops.len() {
        let Op { code, value, .. } = routine.ops[j];
        let Some(fused) = with_forms(code) else { continue };
        // the sum that reads a half, and its other terms
        let sum = |p: u32| -> Option<(usize, Vec<Term>)> {
            let [i] = readers[p as usize].as_deref()? else { return None };
            let op = &routine.ops[*i];
            let rest: Vec<Term> = routine.operands(op).iter().filter(|t| !is(t, p)).copied().collect();
            let ready = rest.iter().all(|t| makers[t.value.number()].is_none_or(|maker| maker < j));
            let is_sum = op.code == Code::Lin && coefficient(routine, op, p) == Some(1);
            (is_sum && ready && !routine.results.contains(&op.value)).then_some((*i, rest))
        };
        let [Some((i0, first)), Some((i1, second))] = [value, value + 1].map(sum) else { continue };
        let (elements, known) = routine.operands(&routine.ops[j]).split_at(2 * code.pairs());
        let operands = with_terms(elements, halves_of(known), [&first, &second], fused, has);
        let Some(operands) = operands.filter(|_| i0 != i1) else { continue };
        routine.ops[j].code = fused;
        routine.set_operands(j, &operands);
        for (i, half) in [(i0, value), (i1, value + 1)] {
            routine.rename(routine.ops[i].value, half);
            // nothing reads it any more, and no other product goes into it
            routine.ops[i].code = Code::Copy;
        }
    }
}
