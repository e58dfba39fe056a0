//! Elements of extension fields as bytes: their coefficients, innermost first, each a residue.

use super::Plain;
use bilinear_field::{Extension, Field, Lanes, Prime, PrimeElem};
use bilinear_pairing::asymmetric::{Asymmetric, TargetOf};
use bilinear_pairing::encode::{residue_from_bytes, residue_to_bytes};
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
        let words: Vec<Vec<u64>> = lanes.map(|x| x.map_or_else(Vec::new, words)).collect();
        let mut out = f.zero();
        f.load(&mut out, &words.iter().map(|w| &w[..]).collect::<Vec<_>>());
        out
    }

    /// Appends one lane of an element.
    pub(super) fn store_element<E>(&self, e: &E, out: &mut Vec<u8>, x: &E::Elem, lane: usize)
    where
        E: Extension<Prime = A::Prime>,
    {
        e.coefficients(x, &mut |c: &PrimeElem<E>| self.store_residue(out, c, lane));
    }

    pub(super) fn store_residue(&self, out: &mut Vec<u8>, x: &<A::Prime as Field>::Elem, lane: usize) {
        let mut words = vec![0; self.fp().word_len()];
        self.fp().store(&mut words, x, lane);
        residue_to_bytes(out, &words, self.len);
    }

    /// One element of F_p^k a lane, in the order of the encoding.
    pub(super) fn load_gt(&self, lanes: &[&[u8]]) -> TargetOf<A> {
        let sorted: Vec<Vec<u8>> = lanes.iter().map(|x| self.nested(x)).collect();
        self.load_element(self.system.target(), &sorted.iter().map(|x| Some(&x[..])).collect::<Vec<_>>())
    }

    /// One lane of an element of F_p^k, in the order of the encoding.
    pub(super) fn store_gt(&self, x: &TargetOf<A>, lane: usize) -> Arc<[u8]> {
        let mut nested = Vec::with_capacity(self.order.len() * self.len);
        self.store_element(self.system.target(), &mut nested, x, lane);
        let mut out = vec![0; nested.len()];
        for (coefficient, place) in nested.chunks(self.len).zip(&self.order) {
            out[place * self.len..(place + 1) * self.len].copy_from_slice(coefficient);
        }
        out.into()
    }

    /// The coefficients of an encoding, innermost first.
    fn nested(&self, encoded: &[u8]) -> Vec<u8> {
        self.order.iter().flat_map(|place| &encoded[place * self.len..(place + 1) * self.len]).copied().collect()
    }
}
