//! Forms of forms: Σ c·(Σ d·w) of unreduced values is Σ (c·d)·w, where fewer terms are read and written than before.
//!
//! A form of t terms that u others read costs t terms, its own result, and u terms; without it the others have u·t. So the sums and
//! differences of Karatsuba's products (t = 2 and 3) mostly go into the reductions that end a product in a tower.

use super::Lines;
use crate::op::Term;
use bilinear_field::{Code, MOST_TERMS};

/// What writing an unreduced value costs, in terms.
const WRITTEN: usize = 2;
/// The greatest coefficient of a form that took others in.
const MOST_COEFF: u32 = 64;

pub(super) fn forms(routine: &mut Lines) {
    let uses = routine.uses();
    // the terms of each value that is a form and not worth being one
    let mut inner: Vec<Option<Vec<Term>>> = vec![None; routine.kinds.len()];
    for line in &mut routine.lines {
        if !matches!(line.code, Code::Lin | Code::Reduce) {
            continue;
        }
        for known in [true, false] {
            // all forms that it reads, or where that is too much those that nothing else reads
            let own = |t: &Term| {
                let form = inner.get(t.value.number()).filter(|_| !t.value.is_constant())?.as_ref()?;
                (known || uses[t.value.number()] == 1).then_some(form)
            };
            if let Some(terms) = whole(&line.operands, own) {
                line.operands = terms;
                break;
            }
        }
        if line.code == Code::Lin {
            let (t, u) = (line.operands.len(), uses[line.makes.start as usize] as usize);
            if u * t <= t + WRITTEN + u {
                inner[line.makes.start as usize] = Some(line.operands.clone());
            }
        }
    }
}

/// The terms with those of inner forms in the place of these, equal ones added up; `None` if they are none, too many or too heavy.
fn whole<'f>(terms: &[Term], inner: impl Fn(&Term) -> Option<&'f Vec<Term>>) -> Option<Vec<Term>> {
    let mut all: Vec<Term> = vec![];
    let mut add = |coeff: i32, term: &Term| {
        let coeff = coeff.checked_mul(term.coeff)?;
        match all.iter_mut().find(|t| t.value == term.value) {
            Some(t) => t.coeff = t.coeff.checked_add(coeff)?,
            None => all.push(Term { coeff, value: term.value }),
        }
        Some(())
    };
    for t in terms {
        match inner(t) {
            Some(form) => form.iter().try_for_each(|term| add(t.coeff, term))?,
            None => add(1, t)?,
        }
    }
    all.retain(|t| t.coeff != 0);
    let fits = (1..=MOST_TERMS).contains(&all.len()) && all.iter().all(|t| t.coeff.unsigned_abs() <= MOST_COEFF);
    fits.then_some(all)
}
