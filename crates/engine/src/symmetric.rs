//! Types A and A1 behind the seam: lane = product. Products of unequal size share a vector by counting missing pairs as 1.

use crate::backend::{Backend, Encoded, Lines, Owned};
use crate::error::{GtError, PointError};
use crate::point::{PointRef, Validate};
use bilinear_field::{Field, Lanes, at, sqrt_3mod4};
use bilinear_pairing::curve::{Affine, Jacobian};
use bilinear_pairing::encode::{ResidueError, residue_from_bytes, residue_to_bytes};
use bilinear_pairing::miller;
use bilinear_pairing::supersingular::{
    Fq2, Membership, Moving, Pair, Prepared, PreparedLines, Supersingular, final_exponentiation,
};
use num_bigint::BigUint;
use std::sync::Arc;

pub(crate) struct Symmetric<F: Lanes> {
    system: Supersingular<F>,
    /// How subgroup membership is tested where the cofactor is small; else by multiplication.
    membership: Option<Membership<F::Elem>>,
    /// Bytes of a coordinate.
    len: usize,
}

/// A decoded point before the curve is asked: the words of x, and of y or its parity.
enum Parsed {
    Infinity,
    Full(Vec<u64>, Vec<u64>),
    Compressed(Vec<u64>, bool),
}

impl<F: Lanes> Symmetric<F> {
    pub(crate) fn new(system: Supersingular<F>) -> Self {
        let (len, membership) = (system.fq().byte_len(), system.membership());
        Symmetric { system, membership, len }
    }

    fn fq(&self) -> &F {
        self.system.fq()
    }

    /// The words of a validated residue.
    fn words(&self, bytes: &[u8]) -> Vec<u64> {
        residue_from_bytes(self.fq().modulus(), bytes).unwrap_or_else(|e| unreachable!("a validated residue: {e}"))
    }

    /// One residue a lane; `None` and missing lanes become 0.
    fn load<'a>(&self, lanes: impl IntoIterator<Item = Option<&'a [u8]>>) -> F::Elem {
        let words: Vec<Vec<u64>> = lanes.into_iter().map(|x| x.map_or_else(Vec::new, |x| self.words(x))).collect();
        self.load_words(&words)
    }

    fn load_words(&self, words: &[Vec<u64>]) -> F::Elem {
        let mut out = self.fq().zero();
        self.fq().load(&mut out, &words.iter().map(|w| &w[..]).collect::<Vec<_>>());
        out
    }

    /// One point a lane.
    fn load_points(&self, lanes: &[Encoded<'_>]) -> Affine<F> {
        Affine {
            x: self.load(lanes.iter().map(|p| p.map(|p| &p[..self.len]))),
            y: self.load(lanes.iter().map(|p| p.map(|p| &p[self.len..]))),
            infinity: self.fq().mask_from(&lanes.iter().map(Option::is_none).collect::<Vec<_>>()),
        }
    }

    fn load_gt(&self, lanes: &[&[u8]]) -> Fq2<F> {
        [self.load(lanes.iter().map(|x| Some(&x[..self.len]))), self.load(lanes.iter().map(|x| Some(&x[self.len..])))]
    }

    fn store(&self, out: &mut Vec<u8>, x: &F::Elem, lane: usize) {
        let mut words = vec![0; self.fq().word_len()];
        self.fq().store(&mut words, x, lane);
        residue_to_bytes(out, &words, self.len);
    }

    /// The two coordinates or coefficients of one lane.
    fn store_two(&self, x: &F::Elem, y: &F::Elem, lane: usize) -> Arc<[u8]> {
        let mut out = Vec::with_capacity(2 * self.len);
        self.store(&mut out, x, lane);
        self.store(&mut out, y, lane);
        out.into()
    }

    fn store_gt(&self, x: &Fq2<F>, lane: usize) -> Arc<[u8]> {
        self.store_two(&x[0], &x[1], lane)
    }

    fn store_point(&self, p: &Affine<F>) -> Owned {
        (!self.fq().lane(p.infinity, 0)).then(|| self.store_two(&p.x, &p.y, 0))
    }

    fn store_jacobian(&self, p: &Jacobian<F>) -> Owned {
        self.store_point(&self.system.curve().normalise(std::slice::from_ref(p))[0])
    }

    fn parse(&self, p: PointRef<'_>) -> Result<Parsed, PointError> {
        let PointRef::Bytes(bytes) = p else { return Ok(Parsed::Infinity) };
        let (full, compressed) = (2 * self.len, self.len + 1);
        if bytes.len() != full && bytes.len() != compressed {
            return Err(PointError::Length { given: bytes.len(), full, compressed });
        }
        let (x, rest) = bytes.split_at(self.len);
        let residue = |bytes, name| {
            residue_from_bytes(self.fq().modulus(), bytes).map_err(|_: ResidueError| PointError::NotCanonical(name))
        };
        let x = residue(x, 'x')?;
        match rest {
            // a one-byte y cannot be told from a sign: fields of 8 bits have no use here
            [sign] if bytes.len() == compressed => match sign {
                0 | 1 => Ok(Parsed::Compressed(x, *sign == 1)),
                other => Err(PointError::Sign(*other)),
            },
            y => Ok(Parsed::Full(x, residue(y, 'y')?)),
        }
    }

    /// y of the given parity over each lane's x, where it exists.
    fn decompress(&self, x: &F::Elem) -> (F::Elem, F::Mask) {
        let f = self.fq();
        let (mut g, mut y) = (f.zero(), f.zero());
        self.system.curve().right_side(&mut g, x);
        sqrt_3mod4(f, &mut y, &g);
        at! {f; yy = sqr(&y);}
        let exists = f.equal(&yy, &g);
        (y, exists)
    }

    /// −y in the lanes whose y has the other parity. 0 has only one.
    fn with_parity(&self, y: &F::Elem, odd: &[bool]) -> F::Elem {
        let f = self.fq();
        let mut words = vec![0; f.word_len()];
        let flip: Vec<bool> = odd
            .iter()
            .enumerate()
            .map(|(lane, odd)| {
                f.store(&mut words, y, lane);
                (words[0] & 1 == 1) != *odd
            })
            .collect();
        at! {f; minus_y = neg(y); out = select(f.mask_from(&flip), &minus_y, y);}
        out
    }

    /// Decodes up to LANES points at once.
    fn decode_vector(&self, points: &[PointRef<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        let f = self.fq();
        let parsed: Vec<Result<Parsed, PointError>> = points.iter().map(|p| self.parse(*p)).collect();
        let empty = Vec::new();
        let part = |i: usize| {
            let pick = |p: &Result<Parsed, PointError>| match (p, i) {
                (Ok(Parsed::Full(x, _) | Parsed::Compressed(x, _)), 0) => x.clone(),
                (Ok(Parsed::Full(_, y)), 1) => y.clone(),
                _ => empty.clone(),
            };
            self.load_words(&parsed.iter().map(pick).collect::<Vec<_>>())
        };
        let (x, mut y) = (part(0), part(1));
        let odd: Vec<bool> = parsed.iter().map(|p| matches!(p, Ok(Parsed::Compressed(_, true)))).collect();
        let compressed: Vec<bool> = parsed.iter().map(|p| matches!(p, Ok(Parsed::Compressed(..)))).collect();
        let mut exists = f.mask(true);
        if compressed.contains(&true) {
            let (root, found) = self.decompress(&x);
            let root = self.with_parity(&root, &odd);
            let mask = f.mask_from(&compressed);
            at! {f; chosen = select(mask, &root, &y);}
            y = chosen;
            exists = f.either(found, f.not(mask));
        }
        let infinity = f.mask_from(
            &parsed.iter().map(|p| !matches!(p, Ok(Parsed::Full(..) | Parsed::Compressed(..)))).collect::<Vec<_>>(),
        );
        let p = Affine { x, y, infinity };
        let on_curve = f.both(exists, self.system.curve().contains(&p));
        let somewhere = (0..points.len()).any(|lane| f.lane(on_curve, lane));
        let in_group = match validate {
            // nothing is left to ask of a vector of points off the curve
            Validate::Subgroup if somewhere => match &self.membership {
                Some(test) => self.system.passes(test, &p),
                None => self.system.killed_by(self.system.order(), &p),
            },
            _ => f.mask(true),
        };
        let finish = |(lane, parsed): (usize, Result<Parsed, PointError>)| match parsed? {
            Parsed::Infinity => Ok(None),
            _ if !f.lane(on_curve, lane) => Err(PointError::NotOnCurve),
            _ if !f.lane(in_group, lane) => Err(PointError::NotInSubgroup),
            Parsed::Full(..) | Parsed::Compressed(..) => Ok(Some(self.store_two(&p.x, &p.y, lane))),
        };
        parsed.into_iter().enumerate().map(finish).collect()
    }

    /// Stores the first `products` lanes of a run of accumulators.
    fn store_accumulators(&self, acc: &[Fq2<F>], products: usize) -> Vec<Arc<[u8]>> {
        (0..products).map(|i| self.store_gt(&acc[i / F::LANES], i % F::LANES)).collect()
    }

    /// The mask of the infinite lanes, or `None` if there is none.
    fn infinite(&self, lanes: &[bool]) -> Option<F::Mask> {
        lanes.contains(&true).then(|| self.fq().mask_from(lanes))
    }
}

/// Groups of LANES products, each with as many slots as its longest; slot s of lane l is the s-th pair of product l, or
/// missing.
fn slots<T: Clone>(products: &[Vec<T>], lanes: usize, missing: T) -> Vec<Vec<Vec<T>>> {
    let vector = |group: &[Vec<T>]| {
        let longest = group.iter().map(Vec::len).max().unwrap_or(0);
        (0..longest).map(|s| group.iter().map(|p| p.get(s).unwrap_or(&missing).clone()).collect()).collect()
    };
    products.chunks(lanes).map(vector).collect()
}

impl<F: Lanes + 'static> Backend for Symmetric<F> {
    fn point_len(&self) -> usize {
        2 * self.len
    }

    fn gt_len(&self) -> usize {
        2 * self.len
    }

    fn decode(&self, points: &[PointRef<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        points.chunks(F::LANES).flat_map(|vector| self.decode_vector(vector, validate)).collect()
    }

    fn check_gt(&self, bytes: &[u8]) -> Result<(), GtError> {
        if bytes.len() != self.gt_len() {
            return Err(GtError::Length { given: bytes.len(), wanted: self.gt_len() });
        }
        for (coefficient, chunk) in bytes.chunks(self.len).enumerate() {
            residue_from_bytes(self.fq().modulus(), chunk)
                .map_err(|reason| GtError::Coefficient { coefficient, reason })?;
        }
        let member = self.system.gt_contains(&self.load_gt(&[bytes]));
        if self.fq().lane(member, 0) { Ok(()) } else { Err(GtError::NotInGroup) }
    }

    fn map_to_group(&self, x: &BigUint, odd: bool) -> Owned {
        let (mut p, _) = self.system.point_from_x(&self.fq().constant(x));
        p.y = self.with_parity(&p.y, &[odd]);
        self.store_point(&self.system.clear_cofactor(&p))
    }

    fn add(&self, p: Encoded<'_>, q: Encoded<'_>) -> Owned {
        let curve = self.system.curve();
        self.store_jacobian(&curve.add(&curve.lift(&self.load_points(&[p])), &self.load_points(&[q])))
    }

    fn neg(&self, p: Encoded<'_>) -> Owned {
        self.store_point(&self.system.curve().negate(&self.load_points(&[p])))
    }

    fn mul(&self, k: &BigUint, p: Encoded<'_>) -> Owned {
        self.store_jacobian(&self.system.curve().mul(k, &self.load_points(&[p])))
    }

    fn mul_secret(&self, k: &[u8], p: Encoded<'_>) -> Owned {
        self.store_jacobian(&self.system.curve().mul_secret(k, &self.load_points(&[p])))
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.store_gt(&self.system.fq2().one(), 0)
    }

    fn gt_mul(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        let fq2 = self.system.fq2();
        at! {fq2; xy = mul(&self.load_gt(&[x]), &self.load_gt(&[y]));}
        self.store_gt(&xy, 0)
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.store_gt(&self.system.gt_inv(&self.load_gt(&[x])), 0)
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.store_gt(&self.system.gt_pow(&self.load_gt(&[x]), e), 0)
    }

    fn gt_pow_secret(&self, x: &[u8], e: &[u8]) -> Arc<[u8]> {
        self.store_gt(&self.system.gt_pow_secret(&self.load_gt(&[x]), e), 0)
    }

    fn prepare(&self, p: &[u8]) -> Arc<Lines> {
        Arc::new(self.system.prepare(&self.load_points(&vec![Some(p); F::LANES])))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let (mut pairs, mut sizes) = (vec![], vec![]);
        for vector in slots(products, F::LANES, [None, None]) {
            sizes.push(vector.len());
            for slot in vector {
                let side = |i: usize| self.load_points(&slot.iter().map(|pair| pair[i]).collect::<Vec<_>>());
                let infinite = slot.iter().map(|[p, q]| p.is_none() || q.is_none()).collect::<Vec<_>>();
                pairs.push(Pair { p: side(0), q: side(1), infinite: self.infinite(&infinite) });
            }
        }
        let mut acc = vec![self.system.fq2().one(); sizes.len()];
        miller(&mut Moving::new(&self.system, &pairs, &sizes), self.system.moving_loop(), &mut acc);
        self.store_accumulators(&acc, products.len())
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&Lines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        assert_eq!(F::LANES, 1, "prepared lines in lanes need a broadcast");
        let (mut owners, mut powers, mut prepared) = (vec![], vec![], vec![]);
        for (product, pairs) in products.iter().enumerate() {
            // a pair with an O counts as 1: it is left out
            for (lines, q) in pairs.iter().filter_map(|(lines, q)| Some(((*lines)?, (*q)?))) {
                let lines = lines.downcast_ref::<Prepared<F::Elem>>();
                prepared.push(lines.unwrap_or_else(|| unreachable!("prepared for this engine and size")));
                powers.push(self.system.powers(&self.load_points(&[Some(q)])));
                owners.push(product);
            }
        }
        let mut source = PreparedLines::new(&self.system);
        for ((lines, q), product) in prepared.iter().zip(&powers).zip(owners) {
            source.push(lines, q, None, product);
        }
        let mut acc = vec![self.system.fq2().one(); products.len()];
        miller(&mut source, self.system.prepared_loop(), &mut acc);
        self.store_accumulators(&acc, products.len())
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt_mul(x, y)
    }

    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        let mut acc: Vec<Fq2<F>> = products.chunks(F::LANES).map(|lanes| self.load_gt(lanes)).collect();
        final_exponentiation(&self.system, &mut acc);
        self.store_accumulators(&acc, products.len())
    }
}
