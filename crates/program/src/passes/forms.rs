//! Forms of forms: Σ c·(Σ d·w) of unreduced values becomes Σ (c·d)·w, where that means fewer terms to read and write.
//!
//! A form of t terms with u readers costs t terms, the write of its own result, and u terms. Without it the readers
//! have u·t terms. So a form that is read once becomes part of its reader, and most of Karatsuba's sums and
//! differences (t = 2 and 3) become part of the reductions that end a product in a tower.
//!
//! * [`read_once`], for machines with kernels for lists of terms: forms that nothing else reads, as long as engines
//!   have a kernel for the result;
//! * [`short`], for straight lines: all forms where the result costs no more than before.

use crate::op::{Ref, Term};
use crate::program::Routine;
use bilinear_field::{Code, MAX_TERMS};

/// The cost of writing an unreduced value, in terms.
const WRITTEN: usize = 2;
/// The greatest coefficient in a form of a straight line that has taken in others.
const MAX_COEFF: u32 = 64;
/// The greatest numbers of terms +w and of terms −w in a form for which engines have kernels.
const MAX: [usize; 2] = [4, 3];

/// Takes forms with a single reader into that reader.
pub(super) fn read_once(routine: &mut Routine) {
    let has_kernel = |form: &[Term]| {
        let count = |c: i32| form.iter().filter(|t| t.coeff == c).count();
        let [plus, minus] = [count(1), count(-1)];
        plus + minus == form.len() && plus <= MAX[0] && minus <= MAX[1]
    };
    forms(routine, |_, uses| uses == 1, has_kernel);
}

/// Takes forms into their readers, even if there are several.
pub(super) fn short(routine: &mut Routine) {
    let is_short = |terms: usize, uses: usize| uses * terms <= terms + WRITTEN + uses;
    forms(routine, is_short, |form| form.iter().all(|t| t.coeff.unsigned_abs() <= MAX_COEFF));
}

/// Lets each form take in the forms that it reads. `goes_in` decides this by the number of their terms and of their
/// readers, and the result has to satisfy `fits`.
fn forms(routine: &mut Routine, goes_in: impl Fn(usize, usize) -> bool, fits: impl Fn(&[Term]) -> bool) {
    let uses = routine.uses();
    // the terms of each form that goes into its readers
    let mut inner: Vec<Option<Vec<Term>>> = vec![None; routine.kinds.len()];
    for i in 0..routine.ops.len() {
        let op = &routine.ops[i];
        let Some(elements) = op.form() else { continue };
        let (code, value) = (op.code, op.value as usize);
        let (elements, before) = routine.operands(op).split_at(elements);
        let mut form = before.to_vec();
        for t in before {
            let Some(own) = inner.get(t.value.number()).and_then(Option::as_ref) else { continue };
            let whole = whole(&form, t.value, own).filter(|form| (1..=MAX_TERMS).contains(&form.len()) && fits(form));
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

/// Returns the terms with those of a form in place of its value, equal values added up; `None` if a coefficient is too large.
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
