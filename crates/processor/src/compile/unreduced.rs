//! The choice of products that stay unreduced, on an ALU with wide registers.
//!
//! A reduction distributes over sums: Σ c·(a·b) takes one reduction as a sum of wide values, and one for each product
//! as a sum of elements. But a sum of wide values takes twice as long, unless the multiplier forms it on the way: a
//! product that is read once is added to its sum as it is computed. So each product and each form is either wide or an
//! element; a form is wide only if all its terms are. A wide value is reduced where it is read as an element. At first
//! all are wide; then one node after the other changes its kind as long as this saves cycles.

use crate::compile::form::{self, Term, common};
use crate::compile::lower::{Node, live};
use crate::isa::{CostClass, Opcode};
use crate::model::Alu;
use bilinear_program::Ref;

/// The nodes that are wide, and the readers of each node.
#[derive(Debug)]
pub(crate) struct Unreduced<'n> {
    params: usize,
    nodes: &'n [Node],
    live: Vec<bool>,
    /// The requested and the actual kind of each node: a requested form may still have terms that are not wide.
    asked: Vec<bool>,
    wide: Vec<bool>,
    /// Whether the node is a result, or is read by an operation.
    element: Vec<bool>,
    /// The forms that read each node.
    forms: Vec<Vec<usize>>,
}

impl<'n> Unreduced<'n> {
    /// Creates the choice in which nothing is wide.
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

    /// Returns the choice that takes the fewest cycles. Nodes that several forms read are wide only if `shared`.
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

    /// Returns true if a value is wide.
    pub(crate) fn is_wide(&self, x: Ref) -> bool {
        !x.is_constant() && x.number() >= self.params && self.wide[x.number() - self.params]
    }

    /// Returns true if a value is a product that is read once, by a form: the multiplier adds it to that form.
    pub(crate) fn is_added(&self, x: Ref) -> bool {
        let is_product = |i: usize| matches!(self.nodes[i], Node::Operation(..));
        self.is_wide(x) && {
            let i = x.number() - self.params;
            is_product(i) && !self.element[i] && self.forms[i].len() == 1
        }
    }

    /// Returns true if a node is needed as a value of its own, not only within a form.
    pub(crate) fn is_made(&self, i: usize) -> bool {
        self.live[i] && !self.is_added(Ref::value(self.params + i))
    }

    /// Requests a kind for a node, and returns the nodes whose kinds change.
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

    /// Changes the kind of a node if that saves cycles; returns true if it does.
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

    /// Returns the cycles of a node.
    fn cost(&self, i: usize, alu: &Alu) -> u64 {
        let [sum, reduction] = [CostClass::Sum, CostClass::Reduction].map(|cost| alu.cycles(cost));
        let reduced = if self.element[i] { reduction } else { 0 };
        match &self.nodes[i] {
            Node::Operation(..) if self.wide[i] => alu.cycles(CostClass::WideProduct) + reduced,
            Node::Operation(opcode, _) => alu.cycles(opcode.entry().cost),
            Node::Form(terms) if self.wide[i] => self.wide_cost(terms, alu) + reduced,
            Node::Form(terms) => {
                let (wide, mut elements) = self.split(terms);
                if wide.is_empty() {
                    return sum * form::cost(&elements) as u64;
                }
                let factor = common(&wide);
                let wide: Vec<Term> = wide.iter().map(|(x, c)| (*x, c / factor)).collect();
                // the reduced sum, under a number that no term has
                elements.push((Ref::value(self.params + self.nodes.len()), factor));
                sum * form::cost(&elements) as u64 + self.wide_cost(&wide, alu) + reduction
            }
        }
    }

    /// Returns the cycles of a sum of wide values, without those of the products.
    fn wide_cost(&self, terms: &[Term], alu: &Alu) -> u64 {
        let [sum, wide_sum] = [CostClass::Sum, CostClass::WideSum].map(|cost| alu.cycles(cost));
        let (added, made): (Vec<Term>, Vec<Term>) = terms.iter().partition(|(x, _)| self.is_added(*x));
        let scaled: usize = added.iter().map(|(x, c)| form::cost(&[(*x, c.abs())])).sum();
        let sums = if made.is_empty() { 0 } else { form::cost(&made) };
        // if the only value is read by others too, one wide sum joins it with the products; a sum made here is an
        // accumulator
        let joined = usize::from(!added.is_empty() && made.len() == 1 && sums == 0);
        sum * scaled as u64 + wide_sum * (sums + joined) as u64
    }

    /// Splits the terms of a form into the wide ones and the others.
    pub(crate) fn split(&self, terms: &[Term]) -> (Vec<Term>, Vec<Term>) {
        terms.iter().partition(|(x, _)| self.is_wide(*x))
    }
}
