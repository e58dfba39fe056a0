//! Types A and A1 behind the seam: lane = product. Products of unequal size share a vector by counting missing pairs as 1.

mod decode;

use crate::error::{GtError, PointError};
use crate::group::Group;
use crate::residues::{check_coefficients, check_elements, load, load_integers, store};
use crate::seam::{Backend, Encoded, Lines, Owned, prepared_slots, slots};
use crate::validate::Validate;
use bilinear_field::{Field, Lanes, at};
use bilinear_pairing::curve::{Affine, Jacobian};
use bilinear_pairing::encode::residue_bytes;
use bilinear_pairing::hash::{HashError, hash_to_fields};
use bilinear_pairing::miller;
use bilinear_pairing::supersingular::{
    Fq2, Membership, Pair, Prepared, PreparedLines, Supersingular, final_exponentiation,
};
use bilinear_pairing::svdw::with_signs;
use bilinear_pairing::torus::Torus;
use num_bigint::BigUint;
use num_traits::One;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Vectors of moving pairs that go through the loop together at most, times the bits of q: of nine elements each, 1.3 MB in
/// all in eight lanes.
const MOST: usize = 1 << 17;

pub(crate) struct Symmetric<F: Lanes> {
    system: Supersingular<F>,
    /// How subgroup membership is tested where the cofactor is small; else by multiplication.
    membership: Option<Membership<F::Elem>>,
    /// That of the parameters, or else the image of the least x ≥ 1 that the cofactor does not kill.
    generator: Arc<[u8]>,
    /// Bytes of a coordinate.
    len: usize,
}

impl<F: Lanes> Symmetric<F> {
    pub(crate) fn new(field: F, curve: &bilinear_params::Supersingular) -> Self {
        let system = Supersingular::new(field, curve.order(), curve.cofactor());
        let (len, membership) = (system.fq().byte_len(), system.membership());
        let mut symmetric = Symmetric { system, membership, generator: Arc::new([]), len };
        symmetric.generator = match curve.generator() {
            Some((x, y)) => symmetric.coordinates(x, y),
            None => symmetric.first_point(),
        };
        symmetric
    }

    /// x‖y of two residues.
    fn coordinates(&self, x: &BigUint, y: &BigUint) -> Arc<[u8]> {
        let mut out = vec![0; 2 * self.len];
        for (place, value) in out.chunks_mut(self.len).zip([x, y]) {
            residue_bytes(place, &value.to_u64_digits());
        }
        out.into()
    }

    /// The image of the least x ≥ 1 that is not killed by the cofactor.
    fn first_point(&self) -> Arc<[u8]> {
        let mut x = BigUint::one();
        loop {
            if let Some(point) = self.map_to_group(&[(x.clone(), false)]).remove(0) {
                return point;
            }
            x += 1u32;
        }
    }

    /// The point of each residue x < q as described at `point_from_x`, with y of the given parity, cofactor cleared.
    fn map_to_group(&self, xs: &[(BigUint, bool)]) -> Vec<Owned> {
        let vector = |vector: &[(BigUint, bool)]| {
            let (mut p, _) = self.system.point_from_x(&load_integers(self.fq(), vector.iter().map(|(x, _)| x)));
            p.y = with_signs(self.fq(), &p.y, &vector.iter().map(|(_, odd)| *odd).collect::<Vec<_>>());
            self.system.curve().mul(self.system.cofactor(), &p)
        };
        self.store_all(&xs.chunks(F::LANES).map(vector).collect::<Vec<_>>(), xs.len())
    }

    fn fq(&self) -> &F {
        self.system.fq()
    }

    /// One point a lane.
    fn load_points(&self, lanes: &[Encoded<'_>]) -> Affine<F> {
        Affine {
            x: load(self.fq(), lanes.iter().map(|p| p.map(|p| &p[..self.len]))),
            y: load(self.fq(), lanes.iter().map(|p| p.map(|p| &p[self.len..]))),
            infinity: self.fq().mask_from(&lanes.iter().map(Option::is_none).collect::<Vec<_>>()),
        }
    }

    fn load_gt(&self, lanes: &[&[u8]]) -> Fq2<F> {
        let half = |at: usize| load(self.fq(), lanes.iter().map(|x| Some(&x[at..at + self.len])));
        [half(0), half(self.len)]
    }

    /// The two coordinates or coefficients of the first `count` lanes.
    fn store_two(&self, x: &F::Elem, y: &F::Elem, count: usize) -> Vec<Arc<[u8]>> {
        let mut out = vec![vec![0; 2 * self.len]; count];
        store(self.fq(), out.iter_mut().map(|out| &mut out[..self.len]), x);
        store(self.fq(), out.iter_mut().map(|out| &mut out[self.len..]), y);
        out.into_iter().map(Arc::from).collect()
    }

    /// The first lane.
    fn store_gt(&self, x: &Fq2<F>) -> Arc<[u8]> {
        self.store_two(&x[0], &x[1], 1).remove(0)
    }

    fn store_points(&self, p: &Affine<F>, count: usize) -> Vec<Owned> {
        let finite = |(lane, xy)| (!self.fq().lane(p.infinity, lane)).then_some(xy);
        self.store_two(&p.x, &p.y, count).into_iter().enumerate().map(finite).collect()
    }

    /// The first `count` lanes of a run of vectors, which share an inversion.
    fn store_all(&self, vectors: &[Jacobian<F>], count: usize) -> Vec<Owned> {
        let lanes = |i: usize| F::LANES.min(count - i * F::LANES);
        let affine = self.system.curve().normalise(vectors);
        affine.iter().enumerate().flat_map(|(i, p)| self.store_points(p, lanes(i))).collect()
    }

    fn store_jacobian(&self, p: &Jacobian<F>) -> Owned {
        self.store_all(std::slice::from_ref(p), 1).remove(0)
    }

    /// Stores the first `products` lanes of a run of accumulators.
    fn store_accumulators(&self, acc: &[Fq2<F>], products: usize) -> Vec<Arc<[u8]>> {
        let lanes = |i: usize| F::LANES.min(products - i * F::LANES);
        acc.iter().enumerate().flat_map(|(i, x)| self.store_two(&x[0], &x[1], lanes(i))).collect()
    }

    /// The mask of the infinite lanes, or `None` if there is none.
    fn infinite(&self, lanes: &[bool]) -> Option<F::Mask> {
        lanes.contains(&true).then(|| self.fq().mask_from(lanes))
    }
}

impl<F: Lanes + 'static> Backend for Symmetric<F> {
    fn lanes(&self) -> usize {
        F::LANES
    }

    /// From half as many again as are many: then waiting for each other pays.
    fn sharing(&self) -> Option<RangeInclusive<usize>> {
        let most = MOST / self.fq().modulus().bits() as usize;
        Some(self.system.many() * 3 / 2 * F::LANES..=most.max(1) * F::LANES)
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn order(&self) -> &BigUint {
        self.system.order()
    }

    fn point_len(&self, _: Group) -> usize {
        2 * self.len
    }

    fn compressed_len(&self, _: Group) -> usize {
        self.len + 1
    }

    fn gt_len(&self) -> usize {
        2 * self.len
    }

    fn decode(&self, _: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        points.chunks(F::LANES).flat_map(|vector| self.decode_vector(vector, validate)).collect()
    }

    /// PBC's: x, then 1 where y is odd, else 0.
    fn compress(&self, _: Group, p: &[u8]) -> Vec<u8> {
        let mut out = p[..self.len].to_vec();
        out.push(p[2 * self.len - 1] & 1);
        out
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        let contains = |lanes: &[&[u8]]| self.system.gt_contains(&self.load_gt(lanes));
        let check = |vector| check_elements(self.fq(), self.gt_len(), vector, contains);
        values.chunks(F::LANES).flat_map(check).collect()
    }

    fn has_torus(&self, torus: Torus) -> bool {
        torus == Torus::Two
    }

    fn compress_gt(&self, torus: Torus, x: &[u8]) -> Vec<u8> {
        let mut out = vec![0; x.len() / torus.factor()];
        let coefficients = torus.compress(self.system.fq2(), &self.load_gt(&[x]));
        for (place, c) in out.chunks_mut(self.len).zip(&coefficients) {
            store(self.fq(), std::iter::once(place), c);
        }
        out
    }

    fn decompress_gt(&self, torus: Torus, bytes: &[u8]) -> Result<Arc<[u8]>, GtError> {
        check_coefficients(self.fq(), bytes)?;
        let (x, on_torus) = torus.decompress(self.system.fq2(), &[load(self.fq(), std::iter::once(Some(bytes)))]);
        let member = self.fq().both(on_torus, self.system.gt_contains(&x));
        if self.fq().lane(member, 0) { Ok(self.store_gt(&x)) } else { Err(GtError::NotInGroup) }
    }

    fn generator(&self, _: Group) -> (Arc<[u8]>, Validate) {
        (self.generator.clone(), Validate::Subgroup)
    }

    /// A byte for the sign, and 128 bits more than q has.
    fn seed_len(&self, _: Group) -> usize {
        self.len + 17
    }

    fn random_from(&self, _: Group, seed: &[u8]) -> Owned {
        let x = BigUint::from_bytes_be(&seed[1..]) % self.fq().modulus();
        self.map_to_group(&[(x, seed[0] & 1 == 1)]).remove(0)
    }

    /// `hash_to_field` gives u in F_q; the map sends u to the point with x = ±u, whichever is an abscissa, and y of u's
    /// parity; the cofactor is cleared.
    ///
    /// Since −1 is not a square and x³ + x is odd, this map is a bijection from F_q* to the points of E other than O and
    /// (0, 0), so one field element gives a uniform point.
    fn hash(&self, group: Group, messages: &[&[u8]], tag: &[u8], _: bool) -> Result<Vec<Owned>, HashError> {
        let fields = |message: &&[u8]| hash_to_fields(message, tag, self.fq().modulus(), 1);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    fn map(&self, _: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        self.map_to_group(&us.iter().map(|u| (u[0].clone(), u[0].bit(0))).collect::<Vec<_>>())
    }

    fn add(&self, _: Group, p: Encoded<'_>, q: Encoded<'_>) -> Owned {
        let curve = self.system.curve();
        self.store_jacobian(&curve.add(&curve.lift(&self.load_points(&[p])), &self.load_points(&[q])))
    }

    fn neg(&self, _: Group, p: Encoded<'_>) -> Owned {
        self.store_points(&self.system.curve().negate(&self.load_points(&[p])), 1).remove(0)
    }

    fn sum(&self, _: Group, _: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let terms: Vec<_> = terms.iter().map(|(k, p)| ((*k).clone(), self.load_points(&[*p]))).collect();
        self.store_jacobian(&self.system.curve().sum(&terms))
    }

    fn multiples(&self, _: Group, _: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let multiple = |vector: &[(&[u8], Encoded<'_>)]| {
            let (ks, ps): (Vec<&[u8]>, Vec<Encoded<'_>>) = vector.iter().copied().unzip();
            self.system.curve().mul_secret(&ks, &self.load_points(&ps))
        };
        self.store_all(&terms.chunks(F::LANES).map(multiple).collect::<Vec<_>>(), terms.len())
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.store_gt(&self.system.fq2().one())
    }

    fn gt_mul(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        let fq2 = self.system.fq2();
        at! {fq2; xy = mul(&self.load_gt(&[x]), &self.load_gt(&[y]));}
        self.store_gt(&xy)
    }

    fn gt_inv(&self, x: &[u8]) -> Arc<[u8]> {
        self.store_gt(&self.system.gt_inv(&self.load_gt(&[x])))
    }

    fn gt_pow(&self, x: &[u8], e: &BigUint) -> Arc<[u8]> {
        self.store_gt(&self.system.gt_pow(&self.load_gt(&[x]), e))
    }

    fn gt_powers(&self, terms: &[(&[u8], &[u8])]) -> Vec<Arc<[u8]>> {
        let power = |vector: &[(&[u8], &[u8])]| {
            let (xs, es): (Vec<&[u8]>, Vec<&[u8]>) = vector.iter().copied().unzip();
            self.system.gt_pow_secret(&self.load_gt(&xs), &es)
        };
        let powers: Vec<_> = terms.chunks(F::LANES).map(power).collect();
        self.store_accumulators(&powers, terms.len())
    }

    fn prepared_group(&self) -> Group {
        Group::G1
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<Lines> {
        Arc::new(self.system.prepare(&self.load_points(&vec![Some(fixed); F::LANES])))
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
        self.store_accumulators(&self.system.miller(&pairs, &sizes), products.len())
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&Lines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let vectors = prepared_slots(products, F::LANES);
        let slots = || vectors.iter().enumerate().flat_map(|(i, slots)| slots.iter().map(move |slot| (i, slot)));
        let powers: Vec<_> = slots().map(|(_, (_, points))| self.system.powers(&self.load_points(points))).collect();
        let mut source = PreparedLines::new(&self.system);
        for ((product, (lines, points)), powers) in slots().zip(&powers) {
            let lines = lines.downcast_ref::<Prepared<F>>();
            let lines = lines.unwrap_or_else(|| unreachable!("prepared for this engine and size"));
            let infinite = self.infinite(&points.iter().map(Option::is_none).collect::<Vec<_>>());
            source.push(lines, powers, infinite, product);
        }
        let mut acc = vec![self.system.fq2().one(); vectors.len()];
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
