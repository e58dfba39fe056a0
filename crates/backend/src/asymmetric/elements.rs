//! Elements of extension fields as bytes: their coefficients, innermost first, each a residue.

use super::Plain;
use crate::residues::{load, load_integers, store};
use bilinear_field::{Extension, Field, Lanes, PrimeElem};
use bilinear_pairing::asymmetric::{Asymmetric, TargetOf};
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

    /// One checked element a lane; `None` and missing lanes become 0.
    pub(super) fn load_element<E: Extension<Prime = A::Prime>>(&self, e: &E, lanes: &[Option<&[u8]>]) -> E::Elem {
        let mut coefficients = 0..;
        e.compose(&mut || self.load_coefficient(lanes, coefficients.next().unwrap_or_default()))
    }

    /// The coefficient that has this place in the encodings.
    fn load_coefficient(&self, lanes: &[Option<&[u8]>], place: usize) -> <A::Prime as Field>::Elem {
        load(self.fp(), lanes.iter().map(|x| x.map(|x| &x[place * self.len..(place + 1) * self.len])))
    }

    /// The element with these coefficients below p, one a lane.
    pub(super) fn load_coefficients<E: Extension<Prime = A::Prime>>(&self, e: &E, lanes: &[&[BigUint]]) -> E::Elem {
        let mut coefficients = 0..E::DEGREE;
        e.compose(&mut || {
            let i = coefficients.next().unwrap_or_default();
            load_integers(self.fp(), lanes.iter().map(|u| &u[i]))
        })
    }

    /// Writes the first lanes of an element from this byte of their encodings on.
    pub(super) fn store_element<E>(&self, e: &E, out: &mut [Vec<u8>], start: usize, x: &E::Elem)
    where
        E: Extension<Prime = A::Prime>,
    {
        let mut at = start;
        e.coefficients(x, &mut |c: &PrimeElem<E>| {
            self.store_coefficient(out, at, c);
            at += self.len;
        });
    }

    fn store_coefficient(&self, out: &mut [Vec<u8>], at: usize, x: &<A::Prime as Field>::Elem) {
        store(self.fp(), out.iter_mut().map(|out| &mut out[at..at + self.len]), x);
    }

    /// One element of F_p^k a lane, in the order of the encoding.
    pub(super) fn load_gt(&self, lanes: &[&[u8]]) -> TargetOf<A> {
        let lanes: Vec<Option<&[u8]>> = lanes.iter().map(|x| Some(*x)).collect();
        let mut places = self.order.iter();
        let mut next = || places.next().copied().unwrap_or_else(|| unreachable!("a place for every coefficient"));
        self.system.target().compose(&mut || self.load_coefficient(&lanes, next()))
    }

    /// The first `count` lanes of an element of F_p^k, in the order of the encoding.
    pub(super) fn store_gts(&self, x: &TargetOf<A>, count: usize) -> Vec<Arc<[u8]>> {
        let mut out = vec![vec![0; self.order.len() * self.len]; count];
        let mut places = self.order.iter();
        self.system.target().coefficients(x, &mut |c| {
            let place = places.next().copied().unwrap_or_else(|| unreachable!("a place for every coefficient"));
            self.store_coefficient(&mut out, place * self.len, c);
        });
        out.into_iter().map(Arc::from).collect()
    }

    /// The first lane.
    pub(super) fn store_gt(&self, x: &TargetOf<A>) -> Arc<[u8]> {
        self.store_gts(x, 1).remove(0)
    }
}
