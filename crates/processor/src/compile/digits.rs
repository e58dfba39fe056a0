//! The digits of a loop as bits of the shift register: a prefix code with few bits for frequent bodies (Huffman, Proc.
//! IRE 40, 1952).

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A prefix code: which bits choose which body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tree {
    Leaf(usize),
    /// The subtrees for 0 and for 1.
    Fork(Box<Tree>, Box<Tree>),
}

/// Builds the code for bodies with the frequencies that they have among the digits; returns the tree and the bits of
/// each body.
pub(crate) fn codes(digits: &[usize], bodies: usize) -> (Tree, Vec<Vec<bool>>) {
    let count = |body: usize| digits.iter().filter(|digit| **digit == body).count();
    let mut open: BTreeSet<(usize, Reverse<usize>, Tree)> =
        (0..bodies).map(|body| (count(body), Reverse(body), Tree::Leaf(body))).collect();
    let mut made = bodies;
    while open.len() > 1 {
        let (Some((rare, _, one)), Some((often, _, zero))) = (open.pop_first(), open.pop_first()) else { break };
        open.insert((rare + often, Reverse(made), Tree::Fork(Box::new(zero), Box::new(one))));
        made += 1;
    }
    let tree = open.pop_first().map_or(Tree::Leaf(0), |(_, _, tree)| tree);
    let mut codes = vec![vec![]; bodies];
    bits(&tree, &mut vec![], &mut codes);
    (tree, codes)
}

fn bits(tree: &Tree, path: &mut Vec<bool>, codes: &mut [Vec<bool>]) {
    match tree {
        Tree::Leaf(body) => codes[*body].clone_from(path),
        Tree::Fork(zero, one) => {
            for (bit, branch) in [(false, zero), (true, one)] {
                path.push(bit);
                bits(branch, path, codes);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tree, codes};

    #[test]
    fn frequent_bodies_have_short_codes() {
        let (_, bits) = codes(&[0, 0, 1, 0, 2, 0], 3);
        assert_eq!(bits.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 2]);
        assert!(!bits[0][0], "the most frequent is straight ahead");
        assert_eq!(codes(&[0, 0], 1), (Tree::Leaf(0), vec![vec![]]));
        // no code is a prefix of another
        let (_, bits) = codes(&(0..40).chain(0..7).collect::<Vec<_>>(), 40);
        for (i, a) in bits.iter().enumerate() {
            assert!(bits.iter().skip(i + 1).all(|b| !a.starts_with(b) && !b.starts_with(a)));
        }
    }
}
