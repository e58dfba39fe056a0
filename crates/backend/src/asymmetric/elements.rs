//! Elements of extension fields as bytes: their coefficients, innermost first, each a residue.

use super::Plain;
use bilinear_field::{Extension, Field, Lanes, Prime, PrimeElem};
use bilinear_pairing::asymmetric::{Asymmetric, TargetOf};
use bilinear_pairing::encode::{residue_from_bytes, residue_to_bytes};
use num_bigint::BigUint;
use std::sync::Arc;

impl<A: Asymmetric> Plain<A>
where
    A::Prime: Lanes,
{
    /// Bytes of an element.
    pub(super) fn element_len<E: Extension<Prime = A::Prime>>(&self, _: &E) -> usize {
        E::DEGREE * self.len
    }

    /// One validated element a lane; `None` and missing lanes become 0.
    pub(super) fn load_element<E: Extension<Prime = A::Prime>>(&self, e: &E, lanes: &[Option<&[u8]>]) -> E::Elem {
        let mut coefficients = 0..E::DEGREE;
        e.compose(&mut || {
            let i = coefficients.next().unwrap_or_default();
            self.load_residues(lanes.iter().map(|x| x.map(|x| &x[i * self.len..(i + 1) * self.len])))
        })
    }

    pub(super) fn load_residues<'a>(&self, lanes: impl Iterator<Item = Option<&'a [u8]>>) -> <A::Prime as Field>::Elem {
        let f = self.fp();
        let words =
            |x: &[u8]| residue_from_bytes(f.modulus(), x).unwrap_or_else(|e| unreachable!("a validated residue: {e}"));
        self.load_words(&lanes.map(|x| x.map_or_else(Vec::new, words)).collect::<Vec<_>>())
    }

    /// The element with these coefficients below p, one a lane.
    pub(super) fn load_coefficients<E: Extension<Prime = A::Prime>>(&self, e: &E, lanes: &[&[BigUint]]) -> E::Elem {
        let mut coefficients = 0..E::DEGREE;
        e.compose(&mut || {
            let i = coefficients.next().unwrap_or_default();
            self.load_words(&lanes.iter().map(|u| u[i].to_u64_digits()).collect::<Vec<_>>())
        })
    }

    fn load_words(&self, lanes: &[Vec<u64>]) -> <A::Prime as Field>::Elem {
        let mut out = self.fp().zero();
        self.fp().load(&mut out, &lanes.iter().map(|w| &w[..]).collect::<Vec<_>>());
        out
    }

    /// Appends the first lanes of an element, each to its own place.
    pub(super) fn store_element<E>(&self, e: &E, out: &mut [Vec<u8>], x: &E::Elem)
    where
        E: Extension<Prime = A::Prime>,
    {
        let len = self.fp().word_len();
        let mut words = vec![0; A::Prime::LANES * len];
        e.coefficients(x, &mut |c: &PrimeElem<E>| {
            self.fp().store_all(&mut words, c);
            out.iter_mut().zip(words.chunks(len)).for_each(|(out, own)| residue_to_bytes(out, own, self.len));
        });
    }

    /// Appends the first lane of a residue.
    pub(super) fn store_residue(&self, out: &mut Vec<u8>, x: &<A::Prime as Field>::Elem) {
        let mut words = vec![0; self.fp().word_len()];
        self.fp().store(&mut words, x, 0);
        residue_to_bytes(out, &words, self.len);
    }

    /// One element of F_p^k a lane, in the order of the encoding.
    pub(super) fn load_gt(&self, lanes: &[&[u8]]) -> TargetOf<A> {
        let sorted: Vec<Vec<u8>> = lanes.iter().map(|x| self.nested(x)).collect();
        self.load_element(self.system.target(), &sorted.iter().map(|x| Some(&x[..])).collect::<Vec<_>>())
    }

    /// The first `count` lanes of an element of F_p^k, in the order of the encoding.
    pub(super) fn store_gts(&self, x: &TargetOf<A>, count: usize) -> Vec<Arc<[u8]>> {
        let mut nested = vec![Vec::with_capacity(self.order.len() * self.len); count];
        self.store_element(self.system.target(), &mut nested, x);
        let sorted = |nested: Vec<u8>| {
            let mut out = vec![0; nested.len()];
            for (coefficient, place) in nested.chunks(self.len).zip(&self.order) {
                out[place * self.len..(place + 1) * self.len].copy_from_slice(coefficient);
            }
            out.into()
        };
        nested.into_iter().map(sorted).collect()
    }

    /// The first lane.
    pub(super) fn store_gt(&self, x: &TargetOf<A>) -> Arc<[u8]> {
        self.store_gts(x, 1).remove(0)
    }

    /// The coefficients of an encoding, innermost first.
    fn nested(&self, encoded: &[u8]) -> Vec<u8> {
        self.order.iter().flat_map(|place| &encoded[place * self.len..(place + 1) * self.len]).copied().collect()
    }
}
