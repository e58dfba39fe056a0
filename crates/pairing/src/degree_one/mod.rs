//! Pairings on ordinary curves y² = x³ + ax + b of embedding degree 1 (Koblitz and Menezes, "Pairing-based cryptography at high
//! security levels", Cryptography and Coding 2005, section 6): PBC's type E.
//!
//! #C(F_p) = p − 1 = h·r², and all r² points of order r are rational: both groups are C(F_p)\[r\], and GT is the
//! subgroup of order r of F_p*. The default pairing is Tate's, e(P, Q) = f_{r,P}(Q)^((p − 1)/r), which equals PBC's.
//! There is no subfield in which denominators could vanish, so f is kept as a quotient.
//!
//! Weil's pairing is e(P, Q) = (f_{r,P}(Q + R)/f_{r,P}(R))/(f_{r,Q}(P − R)/f_{r,Q}(−R)): two independent loops and no
//! final exponentiation (Miller, J. Cryptology 17, 2004; Hoffstein, Pipher and Silverman, An Introduction to
//! Mathematical Cryptography, section 6.8). It is 1 for multiples of one point, where Tate's pairing is not.
//!
//! Lines have zeros and poles where Q is a multiple of P that the loop passes, up to about r/2. So f is evaluated at
//! Q + R for a fixed point R whose order is prime to r. R is in rC(F_p), so e(P, R) = 1 and e(P, Q + R) = e(P, Q).
//! Q + R is not of order r, so it is never a multiple of P.

mod bilinear_groups;
mod steps;

pub use bilinear_groups::PAIRINGS;

use crate::bilinear_groups::Groups;
use crate::curve::{Affine, CoefficientA, Curve};
use crate::digits::wnaf;
use crate::legendre::least_non_square;
use crate::miller::LoopDigits;
use crate::names::PairingKind;
use bilinear_field::reference::Reference;
use bilinear_field::{CollectVec, Field, Prime, SquareRoot, at, minus, plus};
use bilinear_params::DegreeOne;
use num_bigint::BigUint;
use num_traits::Zero;
use steps::{Place, Places};

/// A pairing of embedding degree 1 over an engine.
#[derive(Clone)]
pub struct DegreeOnePairing<F: Prime> {
    groups: Groups<F, F, F>,
    /// The exponent (p − 1)/r.
    exponent: BigUint,
    length: LoopDigits,
    a: F::Elem,
    /// The coordinates of R.
    shift: [F::Elem; 2],
}

/// Creates the pairing of a curve over F_p.
pub fn system<F: Prime>(parameters: &DegreeOne, fp: F) -> DegreeOnePairing<F> {
    let (r, h, a, b) = (parameters.r(), parameters.h(), parameters.a(), parameters.b());
    let curve = Curve::new(fp.clone(), CoefficientA::Other(fp.constant(a)), fp.constant(b));
    DegreeOnePairing {
        exponent: h * r,
        length: LoopDigits { digits: wnaf(r, 2), closes: true },
        a: fp.constant(a),
        shift: shift(parameters).map(|x| fp.constant(&x)),
        groups: Groups {
            order: r.clone(),
            g1: curve.clone(),
            g2: curve,
            target: fp,
            cofactors: [h.clone(), h.clone()],
        },
    }
}

/// Returns R ≠ O of an order prime to r, from the least x ≥ 1 that gives such a point.
fn shift(parameters: &DegreeOne) -> [BigUint; 2] {
    let (p, r, h) = (parameters.q(), parameters.r(), parameters.h());
    let fp = Reference::new(p).unwrap_or_else(|e| unreachable!("a validated prime: {e}"));
    let curve = Curve::new(fp.clone(), CoefficientA::Other(parameters.a().clone()), parameters.b().clone());
    let root = SquareRoot::new(&fp, &least_non_square(p));
    // split h·r² into its largest power of r and the rest
    let (mut rest, mut power) = (h.clone(), r * r);
    while (&rest % r).is_zero() {
        rest /= r;
        power *= r;
    }
    let multiple = |x: BigUint| {
        let (right, mut y) = (curve.rhs(&x), fp.zero());
        root.root(&fp, &mut y, &right).then(|| {
            let point = Affine { x, y, infinity: false };
            curve.normalise(&[curve.mul(&power, &point)]).remove(0)
        })
    };
    let found = (1u32..).map(BigUint::from).filter_map(multiple).find(|point| !point.infinity);
    let Affine { x, y, .. } = found.unwrap_or_else(|| unreachable!("h is even, so the curve has points of order 2"));
    [x, y]
}

impl<F: Prime> DegreeOnePairing<F> {
    /// The field F_p.
    pub fn fp(&self) -> &F {
        &self.groups.target
    }

    /// Returns the points where the functions of running points are evaluated, for each pair of the running point's x
    /// and the other point: Q + R in the first loop, P − R in the second. For Weil's pairing they come with R or −R,
    /// where the value divides. One inversion serves all.
    fn places(&self, pairing: PairingKind, number: usize, pairs: &[(&F::Elem, &Affine<F>)]) -> Vec<Places<F::Elem>> {
        let f = self.fp();
        let [xr, yr] = &self.shift;
        at! {f; minus_yr = neg(yr);}
        let yr = if number == 0 { yr } else { &minus_yr };
        let mut inverses = Vec::with_capacity(pairs.len());
        for (_, q) in pairs {
            inverses.push(at!(f; sub(&q.x, xr))); // x_Q − x_R
        }
        f.inv_many(&mut inverses);
        let places = |((xp, q), i): (&(&F::Elem, &Affine<F>), &F::Elem)| {
            at! {f;
                rise = sub(&q.y, yr);                              // y_Q − y_R
                slope = mul(&rise, i);                             // λ = (y_Q − y_R)/(x_Q − x_R)
                square = sqr(&slope);
                x = sum(&[plus(&square), minus(&q.x), minus(xr)]); // λ² − x_Q − x_R
                back = sum(&[plus(xr), minus(&x)]);                // x_R − x
                climb = mul(&slope, &back);
                y = sum(&[plus(&climb), minus(yr)]);               // λ(x_R − x) − y_R
                vertical = sum(&[plus(&x), minus(xp)]);            // x − x_P
            }
            let under = pairing.is_weil().then(|| {
                at! {f; vertical = sum(&[plus(xr), minus(xp)]);} // x_R − x_P
                Place { x: xr.clone(), y: yr.clone(), vertical }
            });
            Places { over: Place { x, y, vertical }, under }
        };
        pairs.iter().zip(&inverses).map(places).collect_vec()
    }
}
