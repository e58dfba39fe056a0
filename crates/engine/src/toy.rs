//! A pairing without any security, for the tests of everything above the backend interface: G1, G2 and GT are the
//! integers modulo r, and e(a, b) = ab.
//!
//! A point of G1 is 0‖a in 6 bytes, one of G2 0‖b in 16; compressed, a and b alone. O is 0.

use crate::backend::{Backend, Encoded, Group, GtError, MachineLines, MachineTables, Owned, PointError, Validate};
use bilinear_field::bounds::Report;
use bilinear_pairing::hash::{HashError, hash_to_fields};
use bilinear_pairing::torus::Torus;
use num_bigint::BigUint;
use std::sync::Arc;

/// r.
const ORDER: u32 = 65537;

pub(crate) struct Toy(BigUint);

/// The value behind an encoding.
fn value(p: Encoded<'_>) -> u64 {
    p.map_or(0, |p| p.iter().fold(0, |x, byte| x << 8 | u64::from(*byte)))
}

/// The last `len` bytes of x modulo r.
fn bytes(x: &BigUint, len: usize) -> Arc<[u8]> {
    let x = u64::try_from(x % ORDER).unwrap_or_default();
    (0..len).rev().map(|i| if i < 8 { (x >> (8 * i)) as u8 } else { 0 }).collect()
}

impl Toy {
    pub(crate) fn new() -> Toy {
        Toy(ORDER.into())
    }

    fn point(&self, group: Group, x: u64) -> Owned {
        let x = x % u64::from(ORDER);
        (x != 0).then(|| bytes(&x.into(), self.point_len(group)))
    }

    fn gt(&self, x: u64) -> Arc<[u8]> {
        bytes(&x.into(), 8)
    }
}

impl Backend for Toy {
    fn lanes(&self) -> usize {
        1
    }
    fn is_symmetric(&self) -> bool {
        false
    }
    fn order(&self) -> &BigUint {
        &self.0
    }
    fn point_len(&self, group: Group) -> usize {
        2 * self.compressed_len(group)
    }
    fn compressed_len(&self, group: Group) -> usize {
        if group == Group::G1 { 3 } else { 8 }
    }
    fn gt_len(&self) -> usize {
        8
    }
    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        let (full, compressed) = (self.point_len(group), self.compressed_len(group));
        let decode = |p: &Encoded<'_>| match *p {
            None => Ok(None),
            Some(p) if p.len() != full && p.len() != compressed => {
                Err(PointError::Length { given: p.len(), full, compressed })
            }
            Some(p) if value(Some(p)) >= ORDER.into() => Err(PointError::NotCanonical('x')),
            Some(p) if value(Some(p)) == 0 && validate == Validate::Subgroup => Err(PointError::NotInSubgroup),
            Some(p) => Ok(self.point(group, value(Some(p)))),
        };
        points.iter().map(decode).collect()
    }
    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8> {
        p[self.compressed_len(group)..].to_vec()
    }
    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        let check = |bytes: &&[u8]| match bytes.len() {
            8 => Ok(()),
            given => Err(GtError::Length { given, wanted: 8 }),
        };
        values.iter().map(check).collect()
    }
    fn bounds(&self) -> Option<Report> {
        None
    }
    fn has_torus(&self, _: Torus) -> bool {
        false
    }
    fn compress_gt(&self, _: Torus, values: &[&[u8]]) -> Vec<Vec<u8>> {
        values.iter().map(|x| x.to_vec()).collect()
    }
    fn decompress_gt(&self, _: Torus, points: &[&[u8]]) -> Vec<Result<Arc<[u8]>, GtError>> {
        points.iter().map(|bytes| Ok((*bytes).into())).collect()
    }
    fn generator(&self, group: Group) -> Arc<[u8]> {
        let generator = if group == Group::G1 { 3u32 } else { 5 };
        bytes(&generator.into(), self.point_len(group))
    }
    fn seed_len(&self, group: Group) -> usize {
        self.compressed_len(group)
    }
    fn random_from(&self, group: Group, seed: &[u8]) -> Owned {
        self.point(group, value(Some(seed)))
    }
    fn hash(&self, group: Group, messages: &[&[u8]], tag: &[u8], _: bool) -> Result<Vec<Owned>, HashError> {
        let fields = messages.iter().map(|message| hash_to_fields(message, tag, &self.0, 1));
        Ok(self.map(group, &fields.collect::<Result<Vec<_>, _>>()?))
    }
    fn map(&self, group: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        us.iter().map(|u| Some(bytes(&u[0], self.point_len(group)))).collect()
    }
    fn sums(&self, group: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        lists.iter().map(|list| self.point(group, list.iter().map(|p| value(*p)).sum())).collect()
    }
    fn neg(&self, group: Group, p: Encoded<'_>) -> Owned {
        self.point(group, u64::from(ORDER) - value(p))
    }
    fn sum(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let scalars: Vec<Vec<u8>> = terms.iter().map(|(k, _)| k.to_bytes_be()).collect();
        let terms: Vec<_> = scalars.iter().zip(terms).map(|(k, (_, p))| (&k[..], *p)).collect();
        let multiples = self.multiples(group, known, &terms);
        self.point(group, multiples.iter().map(|multiple| value(multiple.as_deref())).sum())
    }
    fn multiples(&self, group: Group, _: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let multiple = |(k, p): &(&[u8], Encoded<'_>)| {
            self.point(group, value(Some(&bytes(&BigUint::from_bytes_be(k), 8))) * value(*p))
        };
        terms.iter().map(multiple).collect()
    }
    fn fixed_tables(&self, _: Group, points: &[&[u8]], _: usize) -> Vec<Option<Arc<MachineTables>>> {
        points.iter().map(|p| Some(Arc::new(value(Some(p))) as Arc<MachineTables>)).collect()
    }
    fn fixed_sums(&self, group: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        let own = |table: &&MachineTables| table.downcast_ref::<u64>().copied().unwrap_or_default();
        let points: Vec<u64> = tables.iter().map(own).collect();
        let sum = |ks: &Vec<&[u8]>| {
            let terms = ks.iter().zip(&points).map(|(k, p)| BigUint::from_bytes_be(k) * *p);
            self.point(group, value(Some(&bytes(&terms.sum(), 8))))
        };
        sums.iter().map(sum).collect()
    }
    fn gt_one(&self) -> Arc<[u8]> {
        self.gt(0)
    }
    fn gt_mul(&self, pairs: &[[&[u8]; 2]]) -> Vec<Arc<[u8]>> {
        pairs.iter().map(|[x, y]| self.gt(value(Some(x)) + value(Some(y)))).collect()
    }
    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.gt(u64::from(ORDER) - value(Some(x)))
    }
    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        bytes(&(e * value(Some(x))), 8)
    }
    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        terms.iter().map(|(x, e)| self.gt_pow(x, &BigUint::from_bytes_be(e))).collect()
    }
    fn prepared_group(&self) -> Group {
        Group::G2
    }
    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        assert_eq!(fixed.len(), self.point_len(Group::G2));
        Arc::new(value(Some(fixed)))
    }
    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let length = |p: Encoded<'_>, group| assert!(p.is_none_or(|p| p.len() == self.point_len(group)));
        let pair = |[p, q]: &[Encoded<'_>; 2]| {
            length(*p, Group::G1);
            length(*q, Group::G2);
            value(*p) * value(*q)
        };
        products.iter().map(|pairs| self.gt(pairs.iter().map(pair).sum())).collect()
    }
    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let pair = |(lines, p): &(Option<&MachineLines>, Encoded<'_>)| {
            lines.and_then(|q| q.downcast_ref::<u64>()).map_or(0, |q| q * value(*p))
        };
        products.iter().map(|pairs| self.gt(pairs.iter().map(pair).sum())).collect()
    }
    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt_mul(&[[x, y]]).remove(0)
    }
    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        products.iter().map(|x| (*x).into()).collect()
    }
}
