//! Forms of forms: Σ c·(Σ d·w) of unreduced values is Σ (c·d)·w, where fewer terms are read and written than before.
//!
//! A form of t terms that u others read costs t terms, its own result, and u terms; without it the others have u·t. So one that is
//! read once goes into its reader, and of Karatsuba's sums and differences (t = 2 and 3) most go into the reductions that end a
//! product in a tower.
//!
//! * [`read_once`], for machines with kernels for lists of terms: what nothing else reads, as long as engines have a kernel for what
//!   comes out;
//! * [`short`], of straight lines: whatever costs no more than before.

use super::Lines;
use crate::op::{Ref, Term};
use bilinear_field::{Code, MOST_TERMS};

/// What writing an unreduced value costs, in terms.
const WRITTEN: usize = 2;
/// The greatest coefficient of a form of a straight line that took others in.
const MOST_COEFF: u32 = 64;
/// The most terms +w and −w of a form for which engines have kernels.
const MOST: [usize; 2] = [4, 3];

/// Forms that one form alone reads.
pub(super) fn read_once(routine: &mut Lines) {
    let has_kernel = |form: &[Term]| {
        let count = |c: i32| form.iter().filter(|t| t.coeff == c).count();
        let [plus, minus] = [count(1), count(-1)];
        plus + minus == form.len() && plus <= MOST[0] && minus <= MOST[1]
    };
    forms(routine, |_, uses| uses == 1, has_kernel);
}

/// Forms that several read as well.
pub(super) fn short(routine: &mut Lines) {
    let is_short = |terms: usize, uses: usize| uses * terms <= terms + WRITTEN + uses;
    forms(routine, is_short, |form| form.iter().all(|t| t.coeff.unsigned_abs() <= MOST_COEFF));
}

/// Lets each form take in those that it reads, of so many terms and so often read, where the result fits.
fn forms(routine: &mut Lines, goes_in: impl Fn(usize, usize) -> bool, fits: impl Fn(&[Term]) -> bool) {
    let uses = routine.uses();
    // the terms of each value that goes into its readers
    let mut inner: Vec<Option<Vec<Term>>> = vec![None; routine.kinds.len()];
    for i in 0..routine.lines.len() {
        let line = &routine.lines[i];
        let Some(elements) = line.form() else { continue };
        let (code, value) = (line.code, line.makes.start as usize);
        let (elements, before) = routine.operands(line).split_at(elements);
        let mut form = before.to_vec();
        for t in before {
            let Some(own) = inner.get(t.value.number()).and_then(Option::as_ref) else { continue };
            let whole = whole(&form, t.value, own).filter(|form| (1..=MOST_TERMS).contains(&form.len()) && fits(form));
            form = whole.unwrap_or(form);
        }
        if form != before {
            let operands = [elements, &form].concat();
            routine.set_operands(i, &operands);
        }
        if code == Code::Lin && goes_in(form.len(), uses[value] as usize) {
            inner[value] = Some(form);
        }
    }
}

/// The terms with those of a form in the place of its value, equal ones added up; `None` where a coefficient is too large.
fn whole(terms: &[Term], value: Ref, own: &[Term]) -> Option<Vec<Term>> {
    let (of_value, mut all): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| t.value == value);
    for (outer, inner) in of_value.iter().flat_map(|outer| own.iter().map(move |inner| (outer, inner))) {
        let coeff = outer.coeff.checked_mul(inner.coeff)?;
        match all.iter_mut().find(|t| t.value == inner.value) {
            Some(t) => t.coeff = t.coeff.checked_add(coeff)?,
            None => all.push(Term { coeff, value: inner.value }),
        }
    }
    all.retain(|t| t.coeff != 0);
    Some(all)
}
