//! Operation counts from papers, of curves that are shipped here.

use serde::Serialize;

/// A paper that counts operations in the base field.
#[derive(Debug, Serialize)]
pub(super) struct Paper {
    pub(super) authors: &'static str,
    /// Where it appeared.
    pub(super) venue: &'static str,
    /// Its number in the IACR's archive.
    pub(super) eprint: &'static str,
}

/// What a count is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The Miller loop without the values of its lines at P.
    LoopWithoutValues,
    /// The final exponentiation.
    FinalExponentiation,
    /// The whole pairing.
    Total,
}

/// One published count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) part: Part,
    /// Products and squares together.
    pub(super) products: u64,
    /// `None` where the paper does not give them.
    pub(super) reductions: Option<u64>,
}

/// What a paper gives for a curve: its optimal ate pairing with the fast power.
#[derive(Debug)]
pub(super) struct Published {
    /// The shipped curve's name.
    pub(super) curve: &'static str,
    pub(super) paper: &'static Paper,
    pub(super) counts: &'static [Count],
}

static EUROCRYPT_2011: Paper =
    Paper { authors: "Aranha, Karabina, Longa, Gebotys and López", venue: "EUROCRYPT 2011", eprint: "2010/526" };

static PAIRING_2012: Paper = Paper {
    authors: "Aranha, Fuentes-Castañeda, Knapp, Menezes and Rodríguez-Henríquez",
    venue: "Pairing 2012",
    eprint: "2012/232",
};

/// The total of a paper that gives nothing else.
const fn total(products: u64) -> Count {
    Count { part: Part::Total, products, reductions: None }
}

/// All of them.
pub(super) static PUBLISHED: [Published; 5] = [
    Published {
        curve: "bn-254n",
        paper: &EUROCRYPT_2011,
        counts: &[
            Count { part: Part::LoopWithoutValues, products: 6504, reductions: Some(2736) },
            Count { part: Part::FinalExponentiation, products: 3648, reductions: Some(1926) },
        ],
    },
    Published { curve: "bls24-509", paper: &PAIRING_2012, counts: &[total(40775)] },
    Published { curve: "bn-638", paper: &PAIRING_2012, counts: &[total(37368)] },
    Published { curve: "kss18-508", paper: &PAIRING_2012, counts: &[total(36839)] },
    Published { curve: "bls12-638", paper: &PAIRING_2012, counts: &[total(29470)] },
];
