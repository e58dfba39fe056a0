//! Who computes: cards in every way that they can, beside the processor.

use bilinear_engine::Curve;
use bilinear_engine::cuda::{Driver, Modulus};

/// Threads a pairing that are compared, in words, where these are not split; residues are the fourth.
const WIDTHS: [usize; 3] = [1, 4, 8];

/// One way of computing: a card, or all of them.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) cards: Vec<Driver>,
}

/// The contenders for a curve: one card, with several numbers of threads a pairing, or with threads that split words where the modulus is that
/// long, and in residues; all cards as they choose, if there are several.
pub(crate) fn contenders(all: &[Driver], curve: &Curve) -> Vec<Contender> {
    let one = |name: String, card: Driver| Contender { name, cards: vec![card] };
    let is_split = Modulus::new(curve.family().field()).is_ok_and(|modulus| modulus.split() > 1);
    let mut contenders: Vec<Contender> = match is_split {
        true => vec![one("cuda, split words".to_owned(), all[0].with_width(1))],
        false => WIDTHS.map(|width| one(format!("cuda, {width} threads"), all[0].with_width(width))).into(),
    };
    contenders.push(one("cuda, residues".to_owned(), all[0].with_residues()));
    if all.len() > 1 {
        contenders.push(Contender { name: format!("cuda, {} cards", all.len()), cards: all.to_vec() });
    }
    contenders
}
