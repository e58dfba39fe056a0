//! The steps of the Miller loop on y² = x³ + b in homogeneous coordinates, x = X/Z, y = Y/Z (Costello, Lange and
//! Naehrig, PKC 2010, section 5; Aranha, Karabina, Longa, Gebotys and López, EUROCRYPT 2011, section 4), over the
//! field of the running point. Lines l_y·y + l_x·x + l_c are known up to a factor in this field.
//!
//! Doubling and tangent: 3M + 6S + 8R, with no product by b if b is a quotient of small integers. Mixed addition and
//! chord: 11M + 2S + 11R. If T is not needed any more, recording leaves out the operations that only T needs.

use crate::moving::Line;
use bilinear_field::{Blank, Extension, Field, at, minus, plus, times};
use num_bigint::{BigInt, BigUint};

/// The coefficient 3b in the form that the formulas use: d·3b is cheap for a small integer d.
#[derive(Clone, Debug)]
pub enum TripleB<E> {
    /// The quotient (Σ n_i·b_i)/d over the basis of the coefficients.
    Small {
        /// The integers n_i.
        n: Vec<i32>,
        /// The denominator d.
        d: i32,
    },
    /// Any element, with d = 1.
    Dense(E),
}

/// The largest n_i and d in use: 4·d² must fit the coefficient of a form, and 3·n_i the range of a sum.
const LARGEST: i32 = 30;
const DENOMINATORS: std::ops::RangeInclusive<i32> = 1..=4;

impl<E> TripleB<E> {
    /// Creates the form from the coefficients of 3b over F_p.
    pub fn new<F: Extension<Elem = E>>(field: &F, coefficients: &[BigUint], p: &BigUint) -> Self {
        let small = |x: &BigUint, d: i32| {
            let x = BigInt::from(x * d.unsigned_abs() % p);
            let centred = if &x * 2 > BigInt::from(p.clone()) { x - BigInt::from(p.clone()) } else { x };
            i32::try_from(centred).ok().filter(|x| x.abs() <= LARGEST)
        };
        let scaled = |d| Some((coefficients.iter().map(|x| small(x, d)).collect::<Option<Vec<i32>>>()?, d));
        match DENOMINATORS.into_iter().find_map(scaled) {
            Some((n, d)) => TripleB::Small { n, d },
            None => TripleB::Dense(field.element(coefficients)),
        }
    }

    /// The denominator d.
    fn denominator(&self) -> i32 {
        match self {
            TripleB::Small { d, .. } => *d,
            TripleB::Dense(_) => 1,
        }
    }

    /// Computes d·3b·x.
    #[inline(always)]
    fn times<F: Extension<Elem = E>>(&self, field: &F, out: &mut E, x: &E) {
        match self {
            TripleB::Small { n, .. } => field.times_small(out, x, n),
            TripleB::Dense(b) => field.mul(out, b, x),
        }
    }
}

/// The running point T = (X/Z, Y/Z).
#[derive(Clone, Debug)]
pub struct Homogeneous<E> {
    /// The coordinate X.
    pub x: E,
    /// The coordinate Y.
    pub y: E,
    /// The coordinate Z.
    pub z: E,
}

/// Sets T ← 2T and line ← d(2YZ·y − 3X²·x + Y² − 3bZ²), the tangent at T times 2dYZ.
#[inline]
pub fn double_step<F: Extension>(f: &F, b: &TripleB<F::Elem>, t: &mut Homogeneous<F::Elem>, line: &mut Line<F::Elem>) {
    let d = b.denominator();
    at! {f;
        bw = sqr_wide(&t.y);
        bb = reduce(&[plus(&bw)]);                        // B = Y²
        cw = sqr_wide(&t.z);
        c = reduce(&[plus(&cw)]);                         // C = Z²
        y_plus_z = add(&t.y, &t.z);
        hw = sqr_wide(&y_plus_z);
        h = reduce(&[plus(&hw), minus(&bw), minus(&cw)]); // H = 2YZ
        xx = sqr_wide(&t.x);
    }
    let mut e = F::Elem::blank();
    b.times(f, &mut e, &c); // E = d·3bZ²
    f.reduce(&mut line.x, &[times(-3 * d, &xx)]); // −3dX²
    f.sum(&mut line.c, &[times(d, &bb), minus(&e)]); // d(Y² − 3bZ²)
    f.sum(&mut line.y, &[times(d, &h)]); // 2dYZ
    at! {f;
        a = mul(&t.x, &t.y);                           // A = XY
        u = sum(&[times(d, &bb), times(-3, &e)]);      // dB − 3E
        g = sum(&[times(d, &bb), times(3, &e)]);       // G = dB + 3E
        xw = mul_wide(&a, &u);
        gg = sqr_wide(&g);
        ee = sqr_wide(&e);
        zw = mul_wide(&bb, &h);
    }
    f.reduce(&mut t.x, &[times(2 * d, &xw)]); // X' = 2dA(dB − 3E)
    f.reduce(&mut t.y, &[plus(&gg), times(-12, &ee)]); // Y' = G² − 12E²
    f.reduce(&mut t.z, &[times(4 * d * d, &zw)]); // Z' = 4d²BH
}

/// Sets T ← T + R for an affine R = (x2, y2), and line ← λ·y − θ·x + θ·x2 − λ·y2, the chord through T and R times λ.
#[inline]
pub fn add_step<F: Field>(f: &F, t: &mut Homogeneous<F::Elem>, line: &mut Line<F::Elem>, [x2, y2]: [&F::Elem; 2]) {
    at! {f;
        yz = mul(y2, &t.z);
        xz = mul(x2, &t.z);
        theta = sum(&[plus(&t.y), minus(&yz)]);  // θ = Y − y2·Z
        lambda = sum(&[plus(&t.x), minus(&xz)]); // λ = X − x2·Z
        tx = mul_wide(&theta, x2);
        ly = mul_wide(&lambda, y2);
    }
    f.reduce(&mut line.c, &[plus(&tx), minus(&ly)]); // θ·x2 − λ·y2
    f.neg(&mut line.x, &theta); // −θ
    at! {f;
        c = sqr(&theta);                                       // θ²
        d = sqr(&lambda);                                      // D = λ²
        e = mul(&lambda, &d);                                  // E = λ³
        ff = mul(&t.z, &c);                                    // Zθ²
        g = mul(&t.x, &d);                                     // G = XD
        h = sum(&[plus(&e), plus(&ff), times(-2, &g)]);        // H = E + Zθ² − 2G
        gh = sum(&[plus(&g), minus(&h)]);                      // G − H
        y0 = mul_wide(&theta, &gh);
        y1 = mul_wide(&e, &t.y);
        z = mul(&t.z, &e);
    }
    f.mul(&mut t.x, &lambda, &h); // X' = λH
    f.reduce(&mut t.y, &[plus(&y0), minus(&y1)]); // Y' = θ(G − H) − EY
    t.z = z; // Z' = ZE
    line.y = lambda; // λ
}
