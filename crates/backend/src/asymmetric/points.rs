//! Points of G1 and G2 as bytes: x‖y, or x‖sign, told apart by their length.

use super::{Generator, Plain};
use crate::error::PointError;
use crate::residues::Parsed;
use crate::seam::{Encoded, Owned};
use crate::validate::Validate;
use bilinear_field::{Extension, Field, Lanes, at};
use bilinear_pairing::asymmetric::Asymmetric;
use bilinear_pairing::curve::{Affine, Curve, Jacobian};
use bilinear_pairing::sswu::Suite;
use bilinear_pairing::svdw::{signs, with_signs};
use bilinear_pairing::to_curve::Map;
use num_bigint::BigUint;
use std::sync::{Arc, OnceLock};

/// What belongs to one of the source groups.
pub(super) struct Side<E: Extension> {
    pub(super) generator: Affine<E>,
    /// Whether a description's generator is one.
    pub(super) known: Validate,
    pub(super) cofactor: BigUint,
    non_square: E::Elem,
    suite: Option<Suite>,
    /// Made when a point is first decompressed or hashed: it takes a search.
    map: OnceLock<Map<E>>,
}

impl<E: Extension> Side<E>
where
    E::Prime: Lanes,
{
    /// With the given generator, or else the first point x = 1, 2, … that the cofactor does not kill.
    pub(super) fn new(
        curve: &Curve<E>,
        generator: Option<Generator>,
        cofactor: &BigUint,
        non_square: &[BigUint],
        suite: Option<Suite>,
        in_group: impl Fn(&Affine<E>) -> E::Mask,
    ) -> Self {
        let e = curve.field();
        let given =
            generator.map(|(x, y)| Affine { x: e.element(&x), y: e.element(&y), infinity: e.prime().mask(false) });
        let mut side = Side {
            generator: given.clone().unwrap_or_else(|| Affine { x: e.zero(), y: e.zero(), infinity: e.mask(true) }),
            known: Validate::Curve,
            cofactor: cofactor.clone(),
            non_square: e.element(non_square),
            suite,
            map: OnceLock::new(),
        };
        if given.is_none() {
            side.generator = side.first_point(curve);
        }
        if e.prime().lane(in_group(&side.generator), 0) {
            side.known = Validate::Subgroup;
        }
        side
    }

    fn first_point(&self, curve: &Curve<E>) -> Affine<E> {
        for x in (1u32..).map(BigUint::from) {
            // the second coefficient too, since x in F_p may have points of the smaller field only
            let x = [x.clone(), x];
            let Some(point) = self.point_over(curve, &x[..E::DEGREE.min(2)], false) else { continue };
            let point = curve.normalise(&[curve.mul(&self.cofactor, &point)]).remove(0);
            if !curve.field().prime().lane(point.infinity, 0) {
                return point;
            }
        }
        unreachable!("a curve has points of the group's order")
    }

    fn map(&self, curve: &Curve<E>) -> &Map<E> {
        self.map.get_or_init(|| Map::new(curve, self.suite.as_ref(), &self.non_square))
    }

    /// The point of the curve with this x and a y of this sign, if there is one.
    pub(super) fn point_over(&self, curve: &Curve<E>, x: &[BigUint], odd: bool) -> Option<Affine<E>> {
        let e = curve.field();
        let x = e.element(x);
        let (mut g, mut y) = (e.zero(), e.zero());
        curve.right_side(&mut g, &x);
        let exists = self.map(curve).root().root(e, &mut y, &g);
        let y = with_signs(e, &y, &vec![odd; E::Prime::LANES]);
        e.prime().lane(exists, 0).then(|| Affine { x, y, infinity: e.mask(false) })
    }
}

impl<A: Asymmetric> Plain<A>
where
    A::Prime: Lanes,
{
    /// One point a lane; `None` is O.
    pub(super) fn load_point<E>(&self, curve: &Curve<E>, lanes: &[Encoded<'_>]) -> Affine<E>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let e = curve.field();
        let len = self.element_len(e);
        Affine {
            x: self.load_element(e, &lanes.iter().map(|p| p.map(|p| &p[..len])).collect::<Vec<_>>()),
            y: self.load_element(e, &lanes.iter().map(|p| p.map(|p| &p[len..])).collect::<Vec<_>>()),
            infinity: self.fp().mask_from(&lanes.iter().map(Option::is_none).collect::<Vec<_>>()),
        }
    }

    /// x‖y of the first `count` lanes.
    pub(super) fn store_points<E>(&self, curve: &Curve<E>, p: &Affine<E>, count: usize) -> Vec<Owned>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let len = self.element_len(curve.field());
        let mut out = vec![vec![0; 2 * len]; count];
        self.store_element(curve.field(), &mut out, 0, &p.x);
        self.store_element(curve.field(), &mut out, len, &p.y);
        let finite = |(lane, xy): (usize, Vec<u8>)| (!self.fp().lane(p.infinity, lane)).then(|| xy.into());
        out.into_iter().enumerate().map(finite).collect()
    }

    /// The first lane.
    pub(super) fn store_point<E>(&self, curve: &Curve<E>, p: &Affine<E>) -> Owned
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        self.store_points(curve, p, 1).remove(0)
    }

    /// The first `count` lanes of a run of vectors, which share an inversion.
    pub(super) fn store_all<E>(&self, curve: &Curve<E>, vectors: &[Jacobian<E>], count: usize) -> Vec<Owned>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let lanes = |i: usize| A::Prime::LANES.min(count - i * A::Prime::LANES);
        let affine = curve.normalise(vectors);
        affine.iter().enumerate().flat_map(|(i, p)| self.store_points(curve, p, lanes(i))).collect()
    }

    pub(super) fn store_jacobian<E>(&self, curve: &Curve<E>, p: &Jacobian<E>) -> Owned
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        self.store_all(curve, std::slice::from_ref(p), 1).remove(0)
    }

    pub(super) fn compress_point<E>(&self, curve: &Curve<E>, p: &[u8]) -> Vec<u8>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let point = self.load_point(curve, &[Some(p)]);
        let mut out = p[..self.element_len(curve.field())].to_vec();
        out.push(u8::from(signs(curve.field(), &point.y)[0]));
        out
    }

    /// RFC 9380's map of one or more elements of the field a lane, the sum of their points brought into the group: by `clear`
    /// where the curve has a suite, else by the cofactor. The elements are lists of coefficients, one after the other.
    pub(super) fn mapped<E>(
        &self,
        curve: &Curve<E>,
        side: &Side<E>,
        us: &[Vec<BigUint>],
        clear: impl Fn(&Affine<E>) -> Jacobian<E>,
    ) -> Vec<Owned>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let map = side.map(curve);
        let sum = |vector: &[Vec<BigUint>]| {
            let element = |i: usize| {
                let lanes: Vec<&[BigUint]> = vector.iter().map(|u| &u[i * E::DEGREE..(i + 1) * E::DEGREE]).collect();
                self.load_coefficients(curve.field(), &lanes)
            };
            map.sum(curve, &(0..vector[0].len() / E::DEGREE).map(element).collect::<Vec<_>>())
        };
        let sums = curve.normalise(&us.chunks(A::Prime::LANES).map(sum).collect::<Vec<_>>());
        let cleared = |p| if side.suite.is_some() { clear(p) } else { curve.mul(&side.cofactor, p) };
        self.store_all(curve, &sums.iter().map(cleared).collect::<Vec<_>>(), us.len())
    }

    /// kP of each (k, P) by `multiple`, which takes a vector of both.
    pub(super) fn multiples_on<E>(
        &self,
        curve: &Curve<E>,
        terms: &[(&[u8], Encoded<'_>)],
        multiple: impl Fn(&[&[u8]], &Affine<E>) -> Jacobian<E>,
    ) -> Vec<Owned>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let vector = |vector: &[(&[u8], Encoded<'_>)]| {
            let (ks, ps): (Vec<&[u8]>, Vec<Encoded<'_>>) = vector.iter().copied().unzip();
            multiple(&ks, &self.load_point(curve, &ps))
        };
        self.store_all(curve, &terms.chunks(A::Prime::LANES).map(vector).collect::<Vec<_>>(), terms.len())
    }

    /// Decodes up to LANES points at once.
    pub(super) fn decode_vector<E>(
        &self,
        curve: &Curve<E>,
        side: &Side<E>,
        points: &[Encoded<'_>],
        validate: Validate,
        in_group: impl Fn(&Affine<E>) -> A::Mask,
    ) -> Vec<Result<Owned, PointError>>
    where
        E: Extension<Prime = A::Prime> + Field<Mask = A::Mask>,
    {
        let (e, f) = (curve.field(), self.fp());
        let len = self.element_len(e);
        let parsed: Vec<Result<Parsed<'_>, PointError>> = points.iter().map(|p| Parsed::new(f, len, *p)).collect();
        let good = || parsed.iter().map(|p| p.as_ref().ok().copied());
        let xs: Vec<Option<&[u8]>> = good().map(|p| p?.x()).collect();
        let ys: Vec<Option<&[u8]>> = good().map(|p| p?.y()).collect();
        let odd: Vec<Option<bool>> = good().map(|p| p?.odd()).collect();
        let (x, mut y) = (self.load_element(e, &xs), self.load_element(e, &ys));
        let mut exists = f.mask(true);
        if odd.iter().any(Option::is_some) {
            let (mut g, mut root) = (e.zero(), e.zero());
            curve.right_side(&mut g, &x);
            let found = side.map(curve).root().root(e, &mut root, &g);
            let root = with_signs(e, &root, &odd.iter().map(|odd| odd.unwrap_or(false)).collect::<Vec<_>>());
            let mask = f.mask_from(&odd.iter().map(Option::is_some).collect::<Vec<_>>());
            at! {e; chosen = select(mask, &root, &y);}
            y = chosen;
            exists = f.either(found, f.not(mask));
        }
        let infinity = f.mask_from(&xs.iter().map(Option::is_none).collect::<Vec<_>>());
        let p = Affine { x, y, infinity };
        let on_curve = f.both(exists, curve.contains(&p));
        // nothing is left to ask of a vector of points off the curve
        let somewhere = (0..points.len()).any(|lane| f.lane(on_curve, lane));
        let member = if validate == Validate::Subgroup && somewhere { in_group(&p) } else { f.mask(true) };
        // only y that were not given have to be stored
        let rooted = odd.iter().any(Option::is_some).then(|| self.store_points(curve, &p, points.len()));
        let finish = |(lane, parsed): (usize, Result<Parsed<'_>, PointError>)| match parsed? {
            Parsed::Infinity => Ok(None),
            _ if !f.lane(on_curve, lane) => Err(PointError::NotOnCurve),
            _ if !f.lane(member, lane) => Err(PointError::NotInSubgroup),
            Parsed::Full(..) => Ok(points[lane].map(Arc::from)),
            Parsed::Compressed(..) => Ok(rooted.as_ref().and_then(|points| points[lane].clone())),
        };
        parsed.into_iter().enumerate().map(finish).collect()
    }
}
