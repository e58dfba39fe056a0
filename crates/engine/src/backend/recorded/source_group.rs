//! G1 or G2 over the recorder: what each computation on a group records.

use super::family::Coordinates;
use super::job::PointJob;
use super::ports::{chord, chord_or_tangent, input_point, keep, keep_affine, output, output_affine, output_point};
use crate::backend::validate::Validate;
use bilinear_field::{CollectVec, Extension, Field, Lanes, SquareRoot, at};
use bilinear_pairing::booth::{BoothDigit, DIGIT_MASKS, ENTRIES};
use bilinear_pairing::curve::{Affine, Curve, Jacobian};
use bilinear_pairing::svdw::with_sign;
use bilinear_pairing::to_curve::{CurveMap, MapMethod};
use bilinear_program::{Mask, Ports, Program, ProgramError, Recorder};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::OnceLock;

/// The data of a description about one group, and values derived from it when they are first needed, since that takes
/// a search.
pub(super) struct GroupSetup<E: Extension> {
    generator: Option<Coordinates>,
    first_x: u32,
    non_square: Vec<BigUint>,
    pub(super) method: MapMethod,
    root: OnceLock<SquareRoot<E>>,
    map: OnceLock<CurveMap<E>>,
}

impl<E: Extension<Prime = Recorder>> GroupSetup<E> {
    /// Creates a set-up from the generator, or from the x at which a search for one begins.
    pub(super) fn new(
        (generator, first_x): (Option<Coordinates>, u32),
        non_square: Vec<BigUint>,
        method: MapMethod,
    ) -> Self {
        GroupSetup { generator, first_x, non_square, method, root: OnceLock::new(), map: OnceLock::new() }
    }

    /// The square roots in the field of the curve.
    fn root(&self, e: &E) -> &SquareRoot<E> {
        self.root.get_or_init(|| SquareRoot::new(e, &e.element(&self.non_square)))
    }

    /// The map to the curve.
    fn map(&self, curve: &Curve<E>) -> &CurveMap<E> {
        self.map.get_or_init(|| CurveMap::new(curve, &self.method, &curve.field().element(&self.non_square)))
    }
}

/// One group of a pairing: its curve, and the family's methods for the group.
pub(super) struct SourceGroup<'s, E: Extension> {
    pub(super) curve: &'s Curve<E>,
    pub(super) cofactor: &'s BigUint,
    /// Returns the multiple of a point of the curve by the cofactor.
    pub(super) times_cofactor: OfPoint<'s, E, Jacobian<E>>,
    pub(super) given: &'s GroupSetup<E>,
    /// Tests whether a point is in the group.
    pub(super) contains: OfPoint<'s, E, Mask>,
    /// Returns P and its images under the automorphisms that split scalars.
    pub(super) images: OfPoint<'s, E, Vec<Affine<E>>>,
    /// Returns a multiple of a point that is in the group.
    pub(super) clear: OfPoint<'s, E, Jacobian<E>>,
    /// Computes kP for P in the group.
    pub(super) mul_secret: MulSecret<'s, E>,
}

/// A family's function of a point.
type OfPoint<'s, E, T> = Box<dyn Fn(&Affine<E>) -> T + 's>;

/// A function that computes kP for one scalar per lane, given as big-endian bytes.
type MulSecret<'s, E> = Box<dyn Fn(&[&[u8]], &Affine<E>) -> Jacobian<E> + 's>;

impl<E> SourceGroup<'_, E>
where
    E: Extension<Prime = Recorder> + Field<Mask = Mask>,
{
    /// Records the program of a computation on points of the group.
    pub(super) fn record(&self, recorder: &Recorder, job: PointJob) -> Result<Program, ProgramError> {
        // set-up by a search, which is not part of a program
        match job {
            PointJob::Decompress => {
                self.given.root(self.curve.field());
            }
            PointJob::Map { .. } => {
                self.given.map(self.curve);
            }
            _ => {}
        }
        recorder.record(|ports| match job {
            PointJob::OnCurve => {
                let p = input_point(ports, self.curve);
                ports.output_mask(self.curve.contains(&p));
            }
            PointJob::Decompress => self.decompress(ports),
            PointJob::InGroup => {
                let p = input_point(ports, self.curve);
                ports.output_mask((self.contains)(&p));
            }
            PointJob::ClearCofactor => {
                let p = input_point(ports, self.curve);
                output_point(ports, self.curve, &(self.times_cofactor)(&p));
            }
            PointJob::Map { count } => self.mapped(ports, count),
            PointJob::Summand { images } => self.summand(ports, images),
            PointJob::Add => {
                let (p, q) = (input_point(ports, self.curve), input_point(ports, self.curve));
                let (sum, same) = chord(self.curve, &p, &q);
                keep_affine(ports, self.curve, &sum);
                ports.output_mask(same);
            }
            PointJob::AddAny => {
                let (p, q) = (input_point(ports, self.curve), input_point(ports, self.curve));
                let sum = chord_or_tangent(self.curve, &p, &q);
                keep_affine(ports, self.curve, &sum);
                ports.output_mask(sum.infinity);
            }
            PointJob::PowersOfTwo { count, step } => self.powers_of_two(ports, count, step),
            PointJob::Show => {
                let p = input_point(ports, self.curve);
                output_affine(ports, self.curve, &p);
            }
            PointJob::OddMultiples { count, images, alone } => self.odd_multiples(ports, count, images, alone),
            PointJob::Advance { doublings, adds } => self.advance(ports, doublings, adds),
            PointJob::Affine => {
                let p = self.curve.advanced_to_jacobian(self.coordinates(ports));
                let [scale] = self.coordinates(ports);
                at! {self.curve.field(); z = mul(&p.z, &scale);}
                output_point(ports, self.curve, &Jacobian { z, ..p });
            }
            PointJob::Multiple { known, bytes } => self.multiple(ports, known, bytes),
            PointJob::Window => self.window(ports),
            PointJob::Keep => self.keep(ports),
            PointJob::FixedSum { digits } => self.fixed_sum(ports, digits),
        })
    }

    /// Records the sum of the points of `count` elements of the field of the curve, times the cofactor or the
    /// multiple that the curve's suite takes instead.
    fn mapped(&self, ports: &mut Ports<'_>, count: usize) {
        let e = self.curve.field();
        let us: Vec<E::Elem> = (0..count).map(|_| e.compose(&mut || ports.elem())).collect_vec();
        let sum = self.given.map(self.curve).sum(self.curve, &us);
        let to_group = match self.given.method {
            MapMethod::Sswu(_) => &self.clear,
            MapMethod::Svdw | MapMethod::Odd if self.cofactor.is_one() => return output_point(ports, self.curve, &sum),
            MapMethod::Svdw | MapMethod::Odd => &self.times_cofactor,
        };
        output_point(ports, self.curve, &to_group(&self.curve.normalise(&[sum]).remove(0)));
    }

    /// Records kP for the digits of a scalar of `bytes` bytes.
    fn multiple(&self, ports: &mut Ports<'_>, known: Validate, bytes: usize) {
        // the digits come in as masks, whatever the scalar is
        let k = vec![0; bytes];
        let p = input_point(ports, self.curve);
        let multiple = match known {
            Validate::Subgroup => (self.mul_secret)(&[&k], &p),
            Validate::OnCurve => self.curve.mul_secret(&[&k], &p),
        };
        output_point(ports, self.curve, &multiple);
    }

    /// Records the base of the next window and the table of a window from its base, and whether they hold O.
    fn window(&self, ports: &mut Ports<'_>) {
        let table = self.curve.fixed_table(&input_point(ports, self.curve));
        output_affine(ports, self.curve, &table.next);
        table.coordinates.iter().flatten().for_each(|c| output(ports, self.curve.field(), c));
        ports.output_mask(table.has_infinity);
    }

    /// Keeps x, y and −y of a point, or of all its images.
    fn summand(&self, ports: &mut Ports<'_>, images: bool) {
        let p = input_point(ports, self.curve);
        for Affine { x, y, .. } in if images { (self.images)(&p) } else { vec![p] } {
            self.keep_signed(ports, &[x, y]);
        }
    }

    /// Keeps the odd multiples of a point, or of all its images, as summands.
    fn odd_multiples(&self, ports: &mut Ports<'_>, count: usize, images: bool, alone: bool) {
        let e = self.curve.field();
        let own = |p: &Affine<E>| if images { (self.images)(p) } else { vec![p.clone()] };
        let (summands, z) = self.curve.odd_summands(&input_point(ports, self.curve), (count, alone), own);
        summands.iter().for_each(|p| self.keep_signed(ports, p));
        [&e.one(), &z].iter().for_each(|x| keep(ports, e, x));
        ports.output_mask(e.is_zero(&z));
    }

    /// Records `doublings` doublings, then an addition if it `adds`.
    fn advance(&self, ports: &mut Ports<'_>, doublings: usize, adds: bool) {
        let p = self.coordinates(ports);
        let q = adds.then(|| self.coordinates(ports));
        self.curve.advance(p, doublings, q).iter().for_each(|c| keep(ports, self.curve.field(), c));
    }

    /// Reads elements of the field of the curve.
    fn coordinates<const N: usize>(&self, ports: &mut Ports<'_>) -> [E::Elem; N] {
        [(); N].map(|()| self.curve.field().compose(&mut || ports.elem()))
    }

    /// Keeps the coordinates of a summand, and the second one of its negative.
    fn keep_signed(&self, ports: &mut Ports<'_>, [x, y]: &[E::Elem; 2]) {
        let e = self.curve.field();
        at! {e; minus_y = neg(y);}
        [x, y, &minus_y].iter().for_each(|c| keep(ports, e, c));
    }

    /// Records Σ 2^(step·i)·P_i by Horner's rule.
    fn powers_of_two(&self, ports: &mut Ports<'_>, count: usize, step: usize) {
        let points: Vec<Affine<E>> = (0..count)
            .map(|_| {
                let p = input_point(ports, self.curve);
                Affine { infinity: ports.mask(), ..p }
            })
            .collect_vec();
        let mut acc: Option<Jacobian<E>> = None;
        for p in points.iter().rev() {
            acc = Some(acc.map_or_else(
                || self.curve.to_jacobian(p),
                |acc| self.curve.add(&(0..step).fold(acc, |acc, _| self.curve.double(&acc)), p),
            ));
        }
        let sum = acc.unwrap_or_else(|| self.curve.infinity());
        let sum = self.curve.normalise(std::slice::from_ref(&sum)).remove(0);
        keep_affine(ports, self.curve, &sum);
        ports.output_mask(sum.infinity);
    }

    /// Keeps the table of a window.
    fn keep(&self, ports: &mut Ports<'_>) {
        for _ in 0..self.curve.fixed_coordinates() * ENTRIES * self.curve.field().degree() {
            let residue = ports.elem();
            ports.output_uniform(&residue);
        }
    }

    /// Records the sum of the entries that the digits select, each digit from a table of its own.
    fn fixed_sum(&self, ports: &mut Ports<'_>, digits: usize) {
        let e = self.curve.field();
        let windows = (0..digits).map(|window| {
            let mut list = |_| (0..ENTRIES).map(|_| e.compose(&mut || ports.uniform(window))).collect_vec();
            let table: Vec<Vec<E::Elem>> = (0..self.curve.fixed_coordinates()).map(&mut list).collect_vec();
            (table, BoothDigit::new([(); DIGIT_MASKS].map(|()| ports.mask())))
        });
        let sum = self.curve.fixed_sum(windows);
        output_point(ports, self.curve, &sum);
    }

    /// Records the y of the wanted sign over x, and whether there is one.
    fn decompress(&self, ports: &mut Ports<'_>) {
        let e = self.curve.field();
        let x = e.compose(&mut || ports.elem());
        let odd = ports.mask();
        let (g, mut y) = (self.curve.rhs(&x), e.zero());
        let exists = self.given.root(e).root(e, &mut y, &g);
        output(ports, e, &with_sign(e, &y, odd));
        ports.output_mask(exists);
    }

    /// Returns a generator. That is the generator of the description, which was shown to be in the group, or else hP
    /// ≠ O for the cofactor h and the first such P over x = 1, 2, …, or over the x from `first_x` on.
    pub(super) fn generator(&self) -> Vec<BigUint> {
        let e = self.curve.field();
        let f = e.prime();
        let p = match &self.given.generator {
            Some((x, y)) => Affine { x: e.element(x), y: e.element(y), infinity: e.mask(false) },
            None => self.first_point(),
        };
        let mut residues = vec![];
        for c in [&p.x, &p.y] {
            e.coefficients(c, &mut |c| residues.push(f.value(c, 0)));
        }
        residues
    }

    fn first_point(&self) -> Affine<E> {
        let e = self.curve.field();
        let f = e.prime();
        for x in (self.given.first_x..).map(BigUint::from) {
            // the second coefficient is set too, since an x in F_p may have points of the smaller field only
            let x = e.element(&[x.clone(), x][..e.degree().min(2)]);
            let Some(Affine { x, y, infinity }) = self.point_over(x) else { continue };
            let point = Affine { x, y: with_sign(e, &y, e.mask(false)), infinity };
            let point = self.curve.normalise(&[(self.times_cofactor)(&point)]).remove(0);
            if !f.lane(point.infinity, 0) {
                return point;
            }
        }
        unreachable!("a curve has points of the group's order")
    }

    /// Returns a point with this x, or on an odd curve with x or −x; `None` if there is none.
    fn point_over(&self, x: E::Elem) -> Option<Affine<E>> {
        let e = self.curve.field();
        if let CurveMap::Odd(map) = self.given.map(self.curve) {
            return Some(map.point(self.curve, &x));
        }
        let (g, mut y) = (self.curve.rhs(&x), e.zero());
        let exists = self.given.root(e).root(e, &mut y, &g);
        e.prime().lane(exists, 0).then(|| Affine { x, y, infinity: e.mask(false) })
    }
}
