//! Operation counts from papers, for shipped curves.

use serde::Serialize;

/// A paper that counts operations in the base field.
#[derive(Debug, Serialize)]
pub(super) struct Paper {
    pub(super) authors: &'static str,
    /// The venue of publication.
    pub(super) venue: &'static str,
    /// The paper's number in the IACR's ePrint archive.
    pub(super) eprint: &'static str,
}

/// The part of a pairing that a count covers.
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
    /// The number of reductions; `None` if the paper does not give it.
    pub(super) reductions: Option<u64>,
}

/// The counts that a paper gives for a curve: the optimal ate pairing with the fast power.
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

/// Creates the count of a paper that gives only the total of products.
const fn total(products: u64) -> Count {
    Count { part: Part::Total, products, reductions: None }
}

/// All published counts of shipped curves.
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
