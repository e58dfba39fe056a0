//! Sums of rows: sums that are made before they are read, multiples, and the terms that reductions and closed sums gather.

use super::{Lower, Parts, price};
use crate::op::Term;
use crate::program::Op;
use crate::rows::calls::{Call, Form, Multiple, Name};
use bilinear_field::CollectVec;
use bilinear_field::Kind;
use bilinear_field::rows::Kernel;

impl Lower<'_> {
    /// Returns the number of carried rows of which the limbs of a sum may be the sum, and keeps the greatest such number.
    pub(super) fn weigh(&mut self, form: &Form) -> u64 {
        let weight = form.names().fold(0u64, |sum, name| sum.saturating_add(self.weights[name.number()]));
        self.out.heaviest = self.out.heaviest.max(weight);
        weight
    }

    /// Returns a row for a sum that is made before something reads it, by as few sums as the kernel allows.
    pub(super) fn make(&mut self, kernel: Kernel, form: Form) -> Name {
        let (kind, [most, least]) = match kernel {
            Kernel::Form => (Kind::Elem, Kernel::FORM),
            _ => (Kind::Wide, Kernel::FORM_WIDE),
        };
        let (mut plus, mut minus) = (form.plus.into_iter().peekable(), form.minus.into_iter().peekable());
        let mut so_far = None;
        loop {
            let more = most - so_far.iter().len();
            let plus_now = so_far.into_iter().chain(plus.by_ref().take(more)).collect_vec();
            let part = Form { plus: plus_now, minus: minus.by_ref().take(least).collect_vec() };
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

    /// Makes all pending sums.
    pub(super) fn flush(&mut self) {
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

    /// Returns a row for c·x, c > 0. From the highest bit of c down, there is a sum for each bit that is set, and one
    /// for zeros at the end.
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

    /// Returns Σ c·x as a form of rows.
    pub(super) fn form(&mut self, kernel: Kernel, terms: &[Term]) -> Form {
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
                // u − v may be read before w is there
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

    /// Returns the forms of reductions or closed sums. Forms with more terms than it pays to gather are made first.
    pub(super) fn gathered(&mut self, is_wide: bool, ops: &[&Op]) -> Vec<Form> {
        let (kernel, layer, sum) = match is_wide {
            true => (self.wide, price::WIDE_LAYER, price::FORM_WIDE),
            false => (Kernel::Form, price::LAYER, price::FORM),
        };
        let mut forms: Vec<Form> = ops.iter().map(|op| self.form(kernel, self.operands(op))).collect_vec();
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
}
