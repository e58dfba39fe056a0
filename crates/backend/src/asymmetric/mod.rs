//! Asymmetric pairings behind the seam, whatever their family: lane = product. Products of unequal size share a vector by
//! counting missing pairs as 1.

mod elements;
mod points;

use crate::error::{GtError, PointError};
use crate::group::Group;
use crate::residues::{check_coefficients, check_elements, load, store};
use crate::seam::{Backend, Encoded, Lines, Owned, prepared_slots, slots};
use crate::validate::Validate;
use bilinear_field::{Field, Lanes, Prime, at};
use bilinear_pairing::asymmetric::{Asymmetric, FixedPair, Pair, Pairing, Source, TargetOf};
use bilinear_pairing::hash::{HashError, hash_to_fields};
use bilinear_pairing::sswu::Suite;
use bilinear_pairing::torus::Torus;
use num_bigint::BigUint;
use points::Side;
use std::sync::Arc;

/// A family's pairing with what its encodings need.
pub(crate) struct Plain<A: Asymmetric> {
    system: A,
    pairing: Pairing,
    g1: Side<A::Prime>,
    g2: Side<A::Twist>,
    /// Bytes of a residue.
    len: usize,
    /// The place in an encoding of each coefficient of F_p^k.
    order: Vec<usize>,
    /// Whether F_p^k = E(w) with w^6 in E.
    sextic: bool,
}

/// A point as residues: x and y, each coefficient by coefficient.
pub(crate) type Generator = (Vec<BigUint>, Vec<BigUint>);

/// What a description says about encodings and groups beside the pairing's own parameters.
pub(crate) struct Edge {
    /// Of G1 and G2, where they are given.
    pub(crate) generators: [Option<Generator>; 2],
    /// Non-squares of the fields of G1 and G2.
    pub(crate) non_squares: [Vec<BigUint>; 2],
    /// How messages are hashed to G1 and G2 where not by the map of Shallue and van de Woestijne.
    pub(crate) suites: [Option<Suite>; 2],
    /// The place in an encoding of each coefficient of F_p^k, innermost first.
    pub(crate) order: Vec<usize>,
    /// Whether F_p^k = E(w) with w^6 in E, coefficients in the order 1, w², w⁴, w, w³, w⁵ over E.
    pub(crate) sextic: bool,
}

impl<A: Asymmetric> Plain<A>
where
    A::Prime: Lanes,
{
    pub(crate) fn new(system: A, pairing: Pairing, edge: Edge) -> Self {
        let len = system.g1().field().byte_len();
        let Edge { generators: [g1, g2], non_squares: [n1, n2], suites: [s1, s2], order, sextic } = edge;
        let g1 = Side::new(system.g1(), g1, system.g1_cofactor(), &n1, s1, |p| system.in_g1(p));
        let g2 = Side::new(system.g2(), g2, system.g2_cofactor(), &n2, s2, |q| system.in_g2(q));
        Plain { system, pairing, g1, g2, len, order, sextic }
    }

    fn fp(&self) -> &A::Prime {
        self.system.g1().field()
    }

    /// One pair a lane.
    fn pair(&self, slot: &[[Encoded<'_>; 2]]) -> Pair<A::Twist> {
        let side = |i: usize| slot.iter().map(|pair| pair[i]).collect::<Vec<_>>();
        let infinite: Vec<bool> = slot.iter().map(|[p, q]| p.is_none() || q.is_none()).collect();
        Pair {
            p: self.load_point(self.system.g1(), &side(0)),
            q: self.load_point(self.system.g2(), &side(1)),
            infinite: self.infinite(&infinite),
        }
    }

    /// The mask of the infinite lanes, or `None` if there is none.
    fn infinite(&self, lanes: &[bool]) -> Option<A::Mask> {
        lanes.contains(&true).then(|| self.fp().mask_from(lanes))
    }

    /// Stores the first `products` lanes of a run of accumulators.
    fn store_accumulators(&self, acc: &[TargetOf<A>], products: usize) -> Vec<Arc<[u8]>> {
        let lanes = |i: usize| A::Prime::LANES.min(products - i * A::Prime::LANES);
        acc.iter().enumerate().flat_map(|(i, x)| self.store_gts(x, lanes(i))).collect()
    }
}

/// What a group's curve does, once for each group.
macro_rules! on_curve {
    ($self:ident, $group:ident, |$curve:ident, $side:ident| $body:expr) => {
        match $group {
            Group::G1 => {
                let ($curve, $side) = ($self.system.g1(), &$self.g1);
                $body
            }
            Group::G2 => {
                let ($curve, $side) = ($self.system.g2(), &$self.g2);
                $body
            }
        }
    };
}

impl<A: Asymmetric + 'static> Backend for Plain<A>
where
    A::Prime: Lanes,
    A::Prepared: 'static,
{
    fn lanes(&self) -> usize {
        A::Prime::LANES
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn order(&self) -> &BigUint {
        self.system.order()
    }

    fn point_len(&self, group: Group) -> usize {
        on_curve!(self, group, |curve, _side| 2 * self.element_len(curve.field()))
    }

    fn compressed_len(&self, group: Group) -> usize {
        on_curve!(self, group, |curve, _side| self.element_len(curve.field()) + 1)
    }

    fn gt_len(&self) -> usize {
        self.element_len(self.system.target())
    }

    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        let vectors = points.chunks(A::Prime::LANES);
        match group {
            Group::G1 => vectors
                .flat_map(|v| self.decode_vector(self.system.g1(), &self.g1, v, validate, |p| self.system.in_g1(p)))
                .collect(),
            Group::G2 => vectors
                .flat_map(|v| self.decode_vector(self.system.g2(), &self.g2, v, validate, |p| self.system.in_g2(p)))
                .collect(),
        }
    }

    /// x, then the sign of y: RFC 9380's, the parity of its first coefficient that is not 0.
    fn compress(&self, group: Group, p: &[u8]) -> Vec<u8> {
        on_curve!(self, group, |curve, _side| self.compress_point(curve, p))
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        let contains = |lanes: &[&[u8]]| self.system.in_gt(&self.load_gt(lanes));
        let check = |vector| check_elements(self.fp(), self.gt_len(), vector, contains);
        values.chunks(A::Prime::LANES).flat_map(check).collect()
    }

    fn has_torus(&self, torus: Torus) -> bool {
        match torus {
            Torus::Two => self.order.len().is_multiple_of(2),
            Torus::Six => self.sextic,
        }
    }

    fn compress_gt(&self, torus: Torus, x: &[u8]) -> Vec<u8> {
        let mut out = vec![0; x.len() / torus.factor()];
        let coefficients = torus.compress(self.system.target(), &self.load_gt(&[x]));
        for (place, c) in out.chunks_mut(self.len).zip(&coefficients) {
            store(self.fp(), std::iter::once(place), c);
        }
        out
    }

    fn decompress_gt(&self, torus: Torus, bytes: &[u8]) -> Result<Arc<[u8]>, GtError> {
        check_coefficients(self.fp(), bytes)?;
        let coefficients: Vec<_> = bytes.chunks(self.len).map(|c| load(self.fp(), std::iter::once(Some(c)))).collect();
        let (x, on_torus) = torus.decompress(self.system.target(), &coefficients);
        let member = self.fp().both(on_torus, self.system.in_gt(&x));
        if self.fp().lane(member, 0) { Ok(self.store_gt(&x)) } else { Err(GtError::NotInGroup) }
    }

    fn generator(&self, group: Group) -> (Arc<[u8]>, Validate) {
        on_curve!(self, group, |curve, side| {
            let stored = self.store_point(curve, &side.generator);
            (stored.unwrap_or_else(|| unreachable!("a generator is not O")), side.known)
        })
    }

    /// A byte for the sign, and 128 bits more than p has for each coefficient of x.
    fn seed_len(&self, group: Group) -> usize {
        on_curve!(self, group, |curve, _side| 1 + self.element_len(curve.field()) / self.len * (self.len + 16))
    }

    fn random_from(&self, group: Group, seed: &[u8]) -> Owned {
        let p = self.fp().modulus();
        let x: Vec<BigUint> = seed[1..].chunks(self.len + 16).map(|c| BigUint::from_bytes_be(c) % p).collect();
        on_curve!(self, group, |curve, side| {
            let point = side.point_over(curve, &x, seed[0] & 1 == 1)?;
            self.store_jacobian(curve, &curve.mul(&side.cofactor, &point))
        })
    }

    /// RFC 9380's hash_to_curve and encode_to_curve with SHA-256 and the curve's map.
    fn hash(&self, group: Group, messages: &[&[u8]], tag: &[u8], uniform: bool) -> Result<Vec<Owned>, HashError> {
        let degree = self.point_len(group) / (2 * self.len);
        let count = if uniform { 2 } else { 1 };
        let fields = |message: &&[u8]| hash_to_fields(message, tag, self.fp().modulus(), count * degree);
        Ok(self.map(group, &messages.iter().map(fields).collect::<Result<Vec<_>, _>>()?))
    }

    /// The sum of the points of one or two elements, cleared of the cofactor.
    fn map(&self, group: Group, us: &[Vec<BigUint>]) -> Vec<Owned> {
        match group {
            Group::G1 => self.mapped(self.system.g1(), &self.g1, us, |p| self.system.clear_g1(p)),
            Group::G2 => self.mapped(self.system.g2(), &self.g2, us, |q| self.system.clear_g2(q)),
        }
    }

    fn add(&self, group: Group, p: Encoded<'_>, q: Encoded<'_>) -> Owned {
        on_curve!(self, group, |curve, _side| {
            let p = curve.lift(&self.load_point(curve, &[p]));
            self.store_jacobian(curve, &curve.add(&p, &self.load_point(curve, &[q])))
        })
    }

    fn neg(&self, group: Group, p: Encoded<'_>) -> Owned {
        on_curve!(self, group, |curve, _side| self.store_point(curve, &curve.negate(&self.load_point(curve, &[p]))))
    }

    fn sum(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        fn loaded<T>(terms: &[(&BigUint, Encoded<'_>)], load: impl Fn(Encoded<'_>) -> T) -> Vec<(BigUint, T)> {
            terms.iter().map(|(k, p)| ((*k).clone(), load(*p))).collect()
        }
        let (g1, g2) = (self.system.g1(), self.system.g2());
        match (group, known) {
            (Group::G1, Validate::Subgroup) => {
                self.store_jacobian(g1, &self.system.sum_g1(&loaded(terms, |p| self.load_point(g1, &[p]))))
            }
            (Group::G2, Validate::Subgroup) => {
                self.store_jacobian(g2, &self.system.sum_g2(&loaded(terms, |q| self.load_point(g2, &[q]))))
            }
            (_, Validate::Curve) => on_curve!(self, group, |curve, _side| {
                self.store_jacobian(curve, &curve.sum(&loaded(terms, |p| self.load_point(curve, &[p]))))
            }),
        }
    }

    fn multiples(&self, group: Group, known: Validate, terms: &[(&[u8], Encoded<'_>)]) -> Vec<Owned> {
        let (g1, g2) = (self.system.g1(), self.system.g2());
        match (group, known) {
            (Group::G1, Validate::Subgroup) => self.multiples_on(g1, terms, |ks, p| self.system.mul_g1_secret(ks, p)),
            (Group::G2, Validate::Subgroup) => self.multiples_on(g2, terms, |ks, q| self.system.mul_g2_secret(ks, q)),
            (_, Validate::Curve) => on_curve!(self, group, |curve, _side| {
                self.multiples_on(curve, terms, |ks, p| curve.mul_secret(ks, p))
            }),
        }
    }

    fn gt_one(&self) -> Arc<[u8]> {
        self.store_gt(&self.system.target().one())
    }

    fn gt_mul(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        let target = self.system.target();
        at! {target; xy = mul(&self.load_gt(&[x]), &self.load_gt(&[y]));}
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
        let powers: Vec<_> = terms.chunks(A::Prime::LANES).map(power).collect();
        self.store_accumulators(&powers, terms.len())
    }

    fn prepared_group(&self) -> Group {
        if self.system.prepares_g1(self.pairing) { Group::G1 } else { Group::G2 }
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<Lines> {
        let lanes = vec![Some(fixed); A::Prime::LANES];
        let point = self.source(self.prepared_group(), &lanes);
        Arc::new(self.system.prepare(self.pairing, &point))
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        let (mut pairs, mut sizes) = (vec![], vec![]);
        for vector in slots(products, A::Prime::LANES, [None, None]) {
            sizes.push(vector.len());
            pairs.extend(vector.iter().map(|slot| self.pair(slot)));
        }
        self.store_accumulators(&self.system.miller(self.pairing, &pairs, &sizes), products.len())
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&Lines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        let (mut pairs, mut sizes) = (vec![], vec![]);
        let group = self.prepared_group().other();
        for vector in prepared_slots(products, A::Prime::LANES) {
            sizes.push(vector.len());
            for (lines, points) in vector {
                let lines = lines.downcast_ref::<A::Prepared>();
                let prepared = lines.unwrap_or_else(|| unreachable!("prepared for this engine and size"));
                let infinite = self.infinite(&points.iter().map(Option::is_none).collect::<Vec<_>>());
                pairs.push(FixedPair { prepared, other: self.source(group, &points), infinite });
            }
        }
        self.store_accumulators(&self.system.miller_prepared(self.pairing, &pairs, &sizes), products.len())
    }

    fn join(&self, x: &[u8], y: &[u8]) -> Arc<[u8]> {
        self.gt_mul(x, y)
    }

    fn finish(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        let mut acc: Vec<TargetOf<A>> = products.chunks(A::Prime::LANES).map(|lanes| self.load_gt(lanes)).collect();
        self.system.final_exponentiation(&mut acc);
        self.store_accumulators(&acc, products.len())
    }
}

impl<A: Asymmetric> Plain<A>
where
    A::Prime: Lanes,
{
    /// One point a lane, of either group.
    fn source(&self, group: Group, lanes: &[Encoded<'_>]) -> Source<A> {
        match group {
            Group::G1 => Source::G1(self.load_point(self.system.g1(), lanes)),
            Group::G2 => Source::G2(self.load_point(self.system.g2(), lanes)),
        }
    }
}
