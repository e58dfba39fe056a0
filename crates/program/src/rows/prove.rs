//! The proof that no value of the calls leaves its range under the rules of the field of rows: over intervals, call
//! by call, from closed inputs. Terms of a sum may be added in any order: each of them may be 0, so no partial sum
//! leaves the range of the whole.

use super::calls::{Call, Form, Lowered, Multiple, Name, Port};
use crate::program::Output;
use bilinear_field::CollectVec;
use bilinear_field::bounds::{Range, Report, Rules};
use bilinear_field::rows::{Kernel, MAX_WEIGHT};
use bilinear_field::{Kind, Term, minus, plus, times};

/// The ranges of values.
struct Ranges<'a> {
    rules: &'a dyn Rules,
    of: Vec<Range>,
    report: Report,
}

impl Lowered {
    /// Proves the ranges of the values of the calls. Outputs that are residues of a prepared argument must be closed,
    /// since other programs read them.
    pub(super) fn prove(&self, rules: &dyn Rules, outputs: &[Output]) -> Report {
        let mut of = vec![rules.closed(); self.kinds.len()];
        of[Name::ZERO.number()] = Range::default();
        let mut ranges = Ranges { rules, of, report: Report::default() };
        for call in &self.calls {
            ranges.call(call);
            ranges.report.operations += 1;
        }
        if self.heaviest > MAX_WEIGHT {
            let violation = format!("a sum of {} rows: at most {MAX_WEIGHT} fit their limbs", self.heaviest);
            ranges.report.violations.push(violation);
        }
        let is_open = |(output, port): (&Output, &Port)| match (output, port) {
            (Output::Uniform(_), Port::Row(name)) => {
                rules.kept(ranges.of[name.number()]).hull(rules.closed()) != rules.closed()
            }
            _ => false,
        };
        let open = outputs.iter().zip(&self.outputs).filter(|both| is_open(*both)).count();
        if open > 0 {
            ranges.report.violations.push(format!("{open} residues of a prepared argument are not closed"));
        }
        for (name, kind) in self.kinds.iter().enumerate() {
            let hull = if *kind == Kind::Wide { &mut ranges.report.wide } else { &mut ranges.report.elem };
            *hull = hull.hull(ranges.of[name]);
        }
        ranges.report
    }
}

impl Ranges<'_> {
    /// Returns the range, if the rules allow it. Otherwise records a violation, and returns an arbitrary range.
    fn allowed(&mut self, range: Result<Range, String>) -> Range {
        range.unwrap_or_else(|violation| {
            self.report.violations.push(violation);
            self.rules.closed()
        })
    }

    fn get(&self, name: Name) -> Range {
        self.of[name.number()]
    }

    fn set(&mut self, name: Name, range: Range) {
        if name != Name::NOWHERE {
            self.of[name.number()] = range;
        }
    }

    /// Calls `then` with the terms of a sum.
    fn terms<T>(&self, form: &Form, then: impl FnOnce(&[Term<'_, Range>]) -> T) -> T {
        let [added, subtracted] =
            [&form.plus, &form.minus].map(|names| names.iter().map(|name| self.get(*name)).collect::<Vec<Range>>());
        let terms: Vec<Term<'_, Range>> = added.iter().map(plus).chain(subtracted.iter().map(minus)).collect_vec();
        then(&terms)
    }

    /// Returns the range of a sum of elements before it is closed: a lazy sum, or one that is closed later.
    fn element(&mut self, form: &Form) -> Range {
        match (&form.plus[..], &form.minus[..]) {
            ([a, Name::BIAS], [b]) => {
                let difference = self.rules.add(self.get(*a), self.get(*b), true);
                self.allowed(difference)
            }
            _ => self.terms(form, Range::form),
        }
    }

    fn reduced(&mut self, form: &Form) -> Range {
        let (rules, form) = (self.rules, form.clone());
        let reduced = self.terms(&form, |terms| rules.reduce(terms));
        self.report.reduced = self.report.reduced.hull(self.terms(&form, Range::form));
        self.allowed(reduced)
    }

    fn call(&mut self, call: &Call) {
        let rules = self.rules;
        match call {
            Call::Product { pairs, operands, results, .. } => {
                let mut products = vec![];
                for [a, b] in operands {
                    let (a, b) = (self.element(a), self.element(b));
                    let product = rules.product(a, b);
                    products.push(self.allowed(product));
                }
                for three in products.chunks_mut(3).take(*pairs) {
                    let [u, v, w] = [three[0], three[1], three[2]];
                    three[0] = self.allowed(rules.lin(&[plus(&u), minus(&v)]));
                    three[2] = self.allowed(rules.lin(&[plus(&w), minus(&u), minus(&v)]));
                }
                results.iter().zip(products).for_each(|(name, range)| self.set(*name, range));
            }
            Call::Gather { kernel, forms, results } => {
                for (form, name) in forms.iter().zip(results) {
                    let range = if *kernel == Kernel::Reduce {
                        self.reduced(form)
                    } else {
                        let sum = self.terms(form, |terms| rules.sum(terms));
                        self.allowed(sum)
                    };
                    self.set(*name, range);
                }
            }
            Call::Triples { forms, beside, results } => {
                for ((form, beside), name) in forms.iter().zip(beside).zip(results) {
                    let r = self.reduced(form);
                    // the result is near [0, p) even where nothing is beside r
                    let sum = match beside.map(|rows| rows.map(|x| self.get(x))) {
                        Some([x, y]) => rules.sum(&[times(3, &r), times(2, &x), times(-2, &y)]),
                        None => rules.sum(&[plus(&r)]),
                    };
                    let range = self.allowed(sum);
                    self.set(*name, range);
                }
            }
            Call::Forms { kernel, forms, results } => {
                for (form, name) in forms.iter().zip(results) {
                    let range = if *kernel == Kernel::Form {
                        self.element(form)
                    } else {
                        let form = self.terms(form, |terms| rules.lin(terms));
                        let form = self.allowed(form);
                        // a carried column is smaller than one of a product
                        if *kernel == Kernel::FormCarried { Range { columns: [-1, 1], ..form } } else { form }
                    };
                    self.set(*name, range);
                }
            }
            Call::Multiples { kernel, terms, results } => {
                for (Multiple { x, shift, y }, name) in terms.iter().zip(results) {
                    let (x, y) = (self.get(*x), self.get(*y));
                    let sum = [times(1 << shift, &x), plus(&y)];
                    let range = match kernel {
                        Kernel::Multiple => Range::form(&sum),
                        _ => self.allowed(rules.lin(&sum)),
                    };
                    let carried = *kernel == Kernel::MultipleCarried;
                    self.set(*name, if carried { Range { columns: [-1, 1], ..range } } else { range });
                }
            }
            Call::Invert { x, result } => {
                // a value is multiplied by 1 before it is inverted
                let product = rules.product(self.get(*x), rules.closed());
                self.allowed(product);
                self.set(*result, rules.closed());
            }
            Call::Select { a, b, result, .. } => self.set(*result, self.get(*a).hull(self.get(*b))),
            Call::Test { rows, .. } => {
                for x in rows {
                    let product = rules.product(self.get(*x), rules.closed());
                    self.allowed(product);
                }
            }
            Call::And { .. } | Call::Not { .. } => {}
        }
    }
}
