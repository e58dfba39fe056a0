//! Karatsuba's cross terms as one operation: (a + c)(b + d) − v − w and (a + c)² − v − w in F_p(i), one and two
//! levels up in the tower. The sum starts with the terms that are added to the product, so that forms have fewer
//! terms, or are no operations of their own.
//!
//! A machine has kernels for some forms, and only these are taken in.
//!
//! * [`subtracted`]: where every form with the product subtracts v and w as often as it adds the product, the product
//!   subtracts them instead;
//! * [`added`]: where the only reader of a product is a sum of unreduced values, the product computes that sum.

use super::{Has, Line, Lines, order};
use crate::op::{Ref, Term};
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

/// Returns, for each value, the lines whose form reads it; `None` if it is read in another way as well. The passes
/// later change the readers only of values that were made before, which are not looked up again.
fn readers(routine: &Lines) -> Vec<Option<Vec<usize>>> {
    let mut readers = vec![Some(vec![]); routine.kinds.len()];
    for (i, line) in routine.lines.iter().enumerate() {
        let operands = routine.operands(line);
        let form = line.form().unwrap_or(operands.len());
        for (k, t) in operands.iter().enumerate().filter(|(_, t)| !t.value.is_constant()) {
            match &mut readers[t.value.number()] {
                Some(own) if k >= form && own.last() == Some(&i) => {}
                Some(own) if k >= form => own.push(i),
                own => *own = None,
            }
        }
    }
    routine.results.iter().for_each(|v| readers[*v as usize] = None);
    readers
}

/// Returns true if the term is of this value.
fn is(t: &Term, v: u32) -> bool {
    !t.value.is_constant() && t.value.number() == v as usize
}

/// Returns the coefficient of a value in the form of a line, if the form has the value exactly once.
fn coefficient(routine: &Lines, line: &Line, v: u32) -> Option<i32> {
    let mut own = routine.operands(line)[line.form()?..].iter().filter(|t| is(t, v));
    let first = own.next()?;
    own.next().is_none().then_some(first.coeff)
}

/// Returns the values that every one of these lines subtracts as often as it adds p, and that are made before line j.
fn opposite(routine: &Lines, readers: &[usize], p: u32, makers: &[Option<usize>], j: usize) -> Vec<u32> {
    let Some(first) = readers.first().map(|i| &routine.lines[*i]) else { return vec![] };
    let candidates = routine.operands(first).iter().filter(|t| !t.value.is_constant()).map(|t| t.value.number() as u32);
    let is_opposite = |line: &Line, v: u32| {
        let pair = coefficient(routine, line, v).zip(coefficient(routine, line, p));
        pair.is_some_and(|(v, p)| v == -p)
    };
    let ready = candidates.filter(|v| makers[*v as usize].is_none_or(|maker| maker < j));
    ready.filter(|v| readers.iter().all(|i| is_opposite(&routine.lines[*i], *v))).collect()
}

/// Lets products compute (a + c)(b + d) − v − w where every reader subtracts v and w.
pub(super) fn subtracted(routine: &mut Lines, has: Has<'_>) {
    let (makers, mut readers) = (routine.makers(), readers(routine));
    for j in 0..routine.lines.len() {
        let Line { code, makes, .. } = routine.lines[j].clone();
        let Some(fused) = with_forms(code) else { continue };
        let halves = [makes.start, makes.start + 1];
        let [Some(first), Some(second)] = halves.map(|p| readers[p as usize].take()) else { continue };
        let v = opposite(routine, &first, halves[0], &makers, j);
        let mut w = opposite(routine, &second, halves[1], &makers, j);
        // a form with both halves of the product has a value only once, so only one half may take it in
        w.retain(|w| !v.contains(w));
        let count = v.len().min(w.len()).min(2);
        let negative = |v: &u32| Term { coeff: -1, value: Ref::value(*v as usize) };
        let [more, other] = [&v, &w].map(|v| v[..count].iter().map(negative).collect::<Vec<Term>>());
        let (elements, known) = routine.operands(&routine.lines[j]).split_at(2 * code.pairs());
        let operands = with_terms(elements, halves_of(known), [&more, &other], fused, has);
        let Some(operands) = operands.filter(|_| count > 0) else { continue };
        for (readers, terms) in [(first, &v[..count]), (second, &w[..count])] {
            for i in readers {
                let line = &routine.lines[i];
                let (elements, form) = routine.operands(line).split_at(line.form().unwrap_or_default());
                let rest = form.iter().filter(|t| !terms.iter().any(|v| is(t, *v)));
                let operands: Vec<Term> = elements.iter().chain(rest).copied().collect();
                routine.set_operands(i, &operands);
            }
        }
        routine.lines[j].code = fused;
        routine.set_operands(j, &operands);
    }
}

/// Lets a product that is read once, by a sum, compute that sum.
pub(super) fn added(routine: &mut Lines, has: Has<'_>) {
    let (makers, readers) = (routine.makers(), readers(routine));
    for j in 0..routine.lines.len() {
        let Line { code, makes, .. } = routine.lines[j].clone();
        let Some(fused) = with_forms(code) else { continue };
        // the sum that reads a half, and its other terms
        let sum = |p: u32| -> Option<(usize, Vec<Term>)> {
            let [i] = readers[p as usize].as_deref()? else { return None };
            let line = &routine.lines[*i];
            let rest: Vec<Term> = routine.operands(line).iter().filter(|t| !is(t, p)).copied().collect();
            let ready = rest.iter().all(|t| makers[t.value.number()].is_none_or(|maker| maker < j));
            let is_sum = line.code == Code::Lin && coefficient(routine, line, p) == Some(1);
            (is_sum && ready && !routine.results.contains(&line.makes.start)).then_some((*i, rest))
        };
        let [Some((i0, first)), Some((i1, second))] = [makes.start, makes.start + 1].map(sum) else { continue };
        let (elements, known) = routine.operands(&routine.lines[j]).split_at(2 * code.pairs());
        let operands = with_terms(elements, halves_of(known), [&first, &second], fused, has);
        let Some(operands) = operands.filter(|_| i0 != i1) else { continue };
        routine.lines[j].code = fused;
        routine.set_operands(j, &operands);
        for (i, half) in [(i0, makes.start), (i1, makes.start + 1)] {
            let sum = std::mem::replace(&mut routine.lines[i], Line::gone()).makes.start;
            routine.rename(sum, half);
        }
    }
}
