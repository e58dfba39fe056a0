//! Which products stay unreduced, on an ALU with wide registers.
//!
//! A reduction distributes over sums: Σ c·(a·b) takes one reduction as a sum of wide values, one for each product as a sum of elements.
//! But a sum of wide values takes twice as long, unless the multiplier makes it on the way: a product that is read once is added to
//! its sum as it is made. So each product and each form is wide or an element, a form only if all of its terms are wide; what is wide
//! is reduced where an element is read. All are wide at first; then one after the other changes its kind while this saves cycles.

use crate::compile::form::{self, Term, common};
use crate::compile::lower::{Node, live};
use crate::isa::{Opcode, Price};
use crate::model::Alu;
use bilinear_program::Ref;

/// Which nodes are wide, and what reads them.
#[derive(Debug)]
pub(crate) struct Unreduced<'n> {
    params: usize,
    nodes: &'n [Node],
    live: Vec<bool>,
    /// What each node should be, and what it is: a form may have terms that are no products.
    asked: Vec<bool>,
    wide: Vec<bool>,
    /// Whether an operation reads it, or it is a result.
    element: Vec<bool>,
    /// The forms that read it.
    forms: Vec<Vec<usize>>,
}

impl<'n> Unreduced<'n> {
    /// Nothing is wide.
    pub(crate) fn none(params: usize, nodes: &'n [Node], results: &[Ref]) -> Self {
        let live = live(params, nodes, results);
        let mut element = vec![false; nodes.len()];
        let mut forms = vec![vec![]; nodes.len()];
        let number = |x: &Ref| if x.is_constant() { None } else { x.number().checked_sub(params) };
        for (i, node) in nodes.iter().enumerate().filter(|(i, _)| live[*i]) {
            match node {
                Node::Operation(_, args) => args.iter().filter_map(number).for_each(|x| element[x] = true),
                Node::Form(terms) => terms.iter().filter_map(|(x, _)| number(x)).for_each(|x| forms[x].push(i)),
            }
        }
        results.iter().filter_map(number).for_each(|x| element[x] = true);
        let none = vec![false; nodes.len()];
        Unreduced { params, nodes, live, asked: none.clone(), wide: none, element, forms }
    }

    /// What takes the fewest cycles. What several forms read is wide only if it may be `shared`.
    pub(crate) fn cheapest(params: usize, nodes: &'n [Node], results: &[Ref], alu: &Alu, shared: bool) -> Self {
        let mut unreduced = Unreduced::none(params, nodes, results);
        let may_be = |unreduced: &Self, i: usize| unreduced.live[i] && (shared || unreduced.forms[i].len() < 2);
        let candidates: Vec<usize> = (0..nodes.len()).filter(|i| may_be(&unreduced, *i)).collect();
        candidates.iter().for_each(|i| _ = unreduced.change(*i, true));
        let mut changes = true;
        while changes {
            changes = false;
            for i in &candidates {
                changes |= unreduced.improve(*i, alu);
            }
        }
        unreduced
    }

    /// Whether a value is wide.
    pub(crate) fn is_wide(&self, x: Ref) -> bool {
        !x.is_constant() && x.number() >= self.params && self.wide[x.number() - self.params]
    }

    /// Whether it is a product that is read once, by a form: the multiplier adds it to that.
    pub(crate) fn is_added(&self, x: Ref) -> bool {
        let is_product = |i: usize| matches!(self.nodes[i], Node::Operation(..));
        self.is_wide(x) && {
            let i = x.number() - self.params;
            is_product(i) && !self.element[i] && self.forms[i].len() == 1
        }
    }

    /// Whether the node itself is needed as a value, and not only within a form.
    pub(crate) fn is_made(&self, i: usize) -> bool {
        self.live[i] && !self.is_added(Ref::value(self.params + i))
    }

    /// Asks for another kind, and says which nodes change theirs.
    fn change(&mut self, i: usize, asked: bool) -> Vec<usize> {
        self.asked[i] = asked;
        let (mut changed, mut open) = (vec![], vec![i]);
        while let Some(i) = open.pop() {
            let can = match &self.nodes[i] {
                Node::Operation(opcode, _) => matches!(opcode, Opcode::Mul | Opcode::Sqr),
                Node::Form(terms) => terms.iter().all(|(x, _)| self.is_wide(*x)),
            };
            let wide = self.live[i] && self.asked[i] && can;
            if wide != self.wide[i] {
                self.wide[i] = wide;
                changed.push(i);
                open.extend(&self.forms[i]);
            }
        }
        changed
    }

    /// Changes the kind of a node if that saves cycles.
    fn improve(&mut self, i: usize, alu: &Alu) -> bool {
        let before = self.asked[i];
        let mut affected = self.change(i, !before);
        affected.extend(affected.clone().iter().flat_map(|i| self.forms[*i].clone()));
        affected.sort_unstable();
        affected.dedup();
        let cost = |unreduced: &Self| affected.iter().map(|i| unreduced.cost(*i, alu)).sum::<u64>();
        let after = cost(self);
        self.change(i, before);
        if after >= cost(self) {
            return false;
        }
        self.change(i, !before);
        true
    }

    /// The cycles of a node.
    fn cost(&self, i: usize, alu: &Alu) -> u64 {
        let [sum, reduction] = [Price::Sum, Price::Reduction].map(|price| alu.cycles(price));
        let reduced = if self.element[i] { reduction } else { 0 };
        match &self.nodes[i] {
            Node::Operation(..) if self.wide[i] => alu.cycles(Price::WideProduct) + reduced,
            Node::Operation(opcode, _) => alu.cycles(opcode.entry().price),
            Node::Form(terms) if self.wide[i] => self.wide_cost(terms, alu) + reduced,
            Node::Form(terms) => {
                let (wide, mut elements) = self.split(terms);
                if wide.is_empty() {
                    return sum * form::cost(&elements) as u64;
                }
                let factor = common(&wide);
                let wide: Vec<Term> = wide.iter().map(|(x, c)| (*x, c / factor)).collect();
                // the reduced sum, by a name that no term has
                elements.push((Ref::value(self.params + self.nodes.len()), factor));
                sum * form::cost(&elements) as u64 + self.wide_cost(&wide, alu) + reduction
            }
        }
    }

    /// The cycles of a sum of wide values, without those of the products.
    fn wide_cost(&self, terms: &[Term], alu: &Alu) -> u64 {
        let [sum, wide_sum] = [Price::Sum, Price::WideSum].map(|price| alu.cycles(price));
        let (added, made): (Vec<Term>, Vec<Term>) = terms.iter().partition(|(x, _)| self.is_added(*x));
        let scaled: usize = added.iter().map(|(x, c)| form::cost(&[(*x, c.abs())])).sum();
        let sums = if made.is_empty() { 0 } else { form::cost(&made) };
        // a value that others read is added, what is made here is added to
        let joined = usize::from(!added.is_empty() && made.len() == 1 && sums == 0);
        sum * scaled as u64 + wide_sum * (sums + joined) as u64
    }

    /// The terms of a form that are wide, and the others.
    pub(crate) fn split(&self, terms: &[Term]) -> (Vec<Term>, Vec<Term>) {
        terms.iter().partition(|(x, _)| self.is_wide(*x))
    }
}
