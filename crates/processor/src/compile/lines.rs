//! Translation of nodes into lines: sums where they are first read, products where the multiplier adds them to a sum.
//!
//! A form of wide values begins with the values that others read too, summed like elements (`form`). Then the products
//! that only this form reads are added, each with its coefficient in one of its operands: w := w + a·b, or w − a·b. An
//! accumulator must not be read by anything else; so a sum that would consist of a value with other readers alone
//! begins with a product instead.

use crate::compile::closed::Writer;
use crate::compile::form::{self, Signed, Sums, Term, WideSums};
use crate::compile::lower::Node;
use crate::compile::unreduced::Unreduced;
use crate::isa::Opcode;
use bilinear_program::Ref;

/// The translation of nodes into lines.
pub(crate) struct Lines<'n> {
    nodes: &'n [Node],
    pub(crate) unreduced: Unreduced<'n>,
    /// The element of each value; `wide` has the wide values.
    pub(crate) made: Vec<Option<Ref>>,
    wide: Vec<Option<Ref>>,
    /// The constant 0.
    zero: Ref,
    pub(crate) writer: Writer,
}

impl<'n> Lines<'n> {
    pub(crate) fn new(params: usize, nodes: &'n [Node], unreduced: Unreduced<'n>, zero: Ref) -> Self {
        let values = params + nodes.len();
        let mut made = vec![None; values];
        (0..params).for_each(|i| made[i] = Some(Ref::value(i)));
        Lines { nodes, unreduced, made, wide: vec![None; values], zero, writer: Writer::new(params) }
    }

    fn node(&self, x: Ref) -> &'n Node {
        &self.nodes[x.number() - self.writer.straight.params]
    }

    /// Returns the element of a value.
    pub(crate) fn value(&mut self, x: Ref) -> Ref {
        if x.is_constant() {
            return x;
        }
        if let Some(made) = self.made[x.number()] {
            return made;
        }
        let made = match self.node(x) {
            _ if self.unreduced.is_wide(x) => {
                let wide = self.wide(x);
                self.writer.write(Opcode::WRed, &[wide])
            }
            Node::Operation(opcode, args) => {
                let args: Vec<Ref> = args.iter().map(|x| self.value(*x)).collect();
                self.writer.write(*opcode, &args)
            }
            Node::Form(terms) => {
                let (wide, elements) = self.unreduced.split(terms);
                let mut terms: Vec<Term> = elements.into_iter().map(|(x, c)| (self.value(x), c)).collect();
                if !wide.is_empty() {
                    let factor = form::common(&wide);
                    let wide: Vec<Term> = wide.into_iter().map(|(x, c)| (x, c / factor)).collect();
                    let sum = self.wide_form(&wide);
                    let reduced = self.writer.write(Opcode::WRed, &[sum.x]);
                    terms.push((reduced, if sum.negative { -factor } else { factor }));
                }
                form::write(&mut self.writer, &terms)
            }
        };
        self.made[x.number()] = Some(made);
        made
    }

    /// Returns the wide value of x.
    pub(crate) fn wide(&mut self, x: Ref) -> Ref {
        if let Some(made) = self.wide[x.number()] {
            return made;
        }
        let made = match self.node(x) {
            Node::Operation(_, args) => {
                let [a, b] = self.factors(args, 1);
                self.writer.write(Opcode::WMul, &[a, b])
            }
            Node::Form(terms) => {
                let sum = self.wide_form(terms);
                if sum.negative {
                    let zero = self.writer.write(Opcode::WMul, &[self.zero, self.zero]);
                    self.writer.write(Opcode::WSub, &[zero, sum.x])
                } else {
                    sum.x
                }
            }
        };
        self.wide[x.number()] = Some(made);
        made
    }

    /// Returns both factors of a product or square, the second multiplied by c > 0.
    fn factors(&mut self, args: &[Ref], c: i64) -> [Ref; 2] {
        let (a, b) = (self.value(args[0]), self.value(args[args.len() - 1]));
        [a, form::write(&mut self.writer, &[(b, c)])]
    }

    /// Computes a form of wide values: values that others read too are summed, then products are added to the sum.
    fn wide_form(&mut self, terms: &[Term]) -> Signed {
        let (mut added, made): (Vec<Term>, Vec<Term>) = terms.iter().partition(|(x, _)| self.unreduced.is_added(*x));
        // the product that begins a sum is preferably not negative
        added.sort_by_key(|(_, c)| *c < 0);
        let mut added = added.into_iter();
        let made: Vec<Term> = made.into_iter().map(|(x, c)| (self.wide(x), c)).collect();
        let before = self.writer.straight.lines.len();
        let mut sum = (!made.is_empty()).then(|| form::form(&mut WideSums(&mut self.writer), &made));
        let is_read = |sum: Signed| made.iter().any(|(x, _)| *x == sum.x);
        if sum.is_none_or(is_read)
            && let Some((x, c)) = added.next()
        {
            let [a, b] = self.product(x, c.abs());
            let first = Signed { x: self.writer.write(Opcode::WMul, &[a, b]), negative: c < 0 };
            sum = Some(sum.map_or(first, |sum| WideSums(&mut self.writer).add(first, sum)));
        }
        let mut sum = sum.unwrap_or_else(|| unreachable!("a form has a term"));
        if added.len() > 0 {
            sum.x = self.writer.own(sum.x, before);
        }
        for (x, c) in added {
            let [a, b] = self.product(x, c.abs());
            let opcode = if sum.negative == (c < 0) { Opcode::WMac } else { Opcode::WMsc };
            sum.x = self.writer.write(opcode, &[sum.x, a, b]);
        }
        sum
    }

    /// Returns the factors of the product that a value is, the second multiplied by c > 0.
    fn product(&mut self, x: Ref, c: i64) -> [Ref; 2] {
        match self.node(x) {
            Node::Operation(_, args) => self.factors(args, c),
            Node::Form(_) => unreachable!("a product is added"),
        }
    }
}
