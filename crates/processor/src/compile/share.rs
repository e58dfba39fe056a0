//! Sharing of sums: sums that several forms have in common are computed once.
//!
//! A form that is read once, by another form, is merged into that form if this costs no more. Then the pair ±(x + y) or
//! ±(x − y) that occurs in the most forms, up to a common factor, becomes a form of its own. This is repeated until no
//! pair occurs twice: the greedy method of Paar (ISIT 1997), here with signs and factors.

use crate::compile::form::{Term, collect, cost};
use crate::compile::lower::{Node, live};
use bilinear_program::Ref;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Rewrites the forms among the nodes that the results depend on.
pub(crate) fn share(params: usize, nodes: &mut Vec<Node>, results: &[Ref]) {
    inline(params, nodes, results);
    let live = live(params, nodes, results);
    let mut pairs = Pairs::default();
    for (i, node) in nodes.iter().enumerate() {
        if let (true, Node::Form(terms)) = (live[i], node) {
            pairs.change(i, terms, true);
        }
    }
    while let Some((pair, rows)) = pairs.most() {
        let (x, y, opposite) = pair;
        let sum = Ref::value(params + nodes.len());
        nodes.push(Node::Form(vec![(x, 1), (y, if opposite { -1 } else { 1 })]));
        for row in rows {
            let Node::Form(terms) = &mut nodes[row] else { unreachable!("pairs are of forms") };
            pairs.change(row, terms, false);
            let factor = terms.iter().find(|(z, _)| *z == x).map_or(0, |(_, c)| *c);
            terms.retain(|(z, _)| *z != x && *z != y);
            terms.push((sum, factor));
            pairs.change(row, terms, true);
        }
    }
}

/// Merges forms that are read once, by a form, into their readers.
fn inline(params: usize, nodes: &mut [Node], results: &[Ref]) {
    let live = live(params, nodes, results);
    let mut uses = vec![0; params + nodes.len()];
    let reads = nodes.iter().zip(&live).filter(|(_, live)| **live).flat_map(|(node, _)| node.reads());
    for x in reads.chain(results.iter().copied()).filter(|x| !x.is_constant()) {
        uses[x.number()] += 1;
    }
    for i in (0..nodes.len()).filter(|i| live[*i]) {
        let Node::Form(mut terms) = nodes[i].clone() else { continue };
        for (x, c) in terms.clone() {
            if x.is_constant() || x.number() < params || uses[x.number()] != 1 {
                continue;
            }
            let Node::Form(inner) = &nodes[x.number() - params] else { continue };
            let rest = terms.iter().copied().filter(|(y, _)| *y != x);
            let joined = collect(rest.chain(inner.iter().map(|(y, d)| (*y, c * d))));
            if !joined.is_empty() && cost(&joined) <= cost(&terms) + cost(inner) {
                terms = joined;
            }
        }
        nodes[i] = Node::Form(terms);
    }
}

/// The pair x + y, or x − y if the coefficients have opposite signs.
type Pair = (Ref, Ref, bool);

/// The pairs, with the rows in which they occur.
#[derive(Default)]
struct Pairs {
    rows: HashMap<Pair, BTreeSet<usize>>,
    /// The pairs that occur in more than one row, ordered by the number of rows; among equals the smallest pair is
    /// last.
    ranks: BTreeSet<(usize, Reverse<Pair>)>,
}

impl Pairs {
    /// Adds the pairs of a row, or removes them.
    fn change(&mut self, row: usize, terms: &[Term], add: bool) {
        for (i, (x, c)) in terms.iter().enumerate() {
            for (y, d) in terms[..i].iter().filter(|(_, d)| d.abs() == c.abs()) {
                let pair = (*x.min(y), *x.max(y), c != d);
                let rows = self.rows.entry(pair).or_default();
                self.ranks.remove(&(rows.len(), Reverse(pair)));
                if add {
                    rows.insert(row);
                } else {
                    rows.remove(&row);
                }
                if rows.len() > 1 {
                    self.ranks.insert((rows.len(), Reverse(pair)));
                }
            }
        }
    }

    /// Returns the pair that occurs in the most rows, with these rows; `None` if no pair occurs twice.
    fn most(&self) -> Option<(Pair, Vec<usize>)> {
        let (_, Reverse(pair)) = self.ranks.last()?;
        Some((*pair, self.rows[pair].iter().copied().collect()))
    }
}
