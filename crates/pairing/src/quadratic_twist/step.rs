//! The steps of the Miller loop on y² = x³ + ax + b with a in F_p, in Jacobian coordinates x = X/Z², y = Y/Z³ with Z²
//! kept (Chatterjee, Sarkar and Barua, ICISC 2004), over the extension of F_p in which the running point lies.
//!
//! Doubling and tangent: 8M + 5S + 11R, where one of the M is by a. Mixed addition and chord: 10M + 3S + 11R.

use crate::curve::Affine;
use crate::moving::Line;
use bilinear_field::{Extension, PrimeElem, at, minus, plus, times};

/// The running point T = (X/Z², Y/Z³).
#[derive(Clone, Debug)]
pub struct JacobianZz<E> {
    /// The coordinate X.
    pub x: E,
    /// The coordinate Y.
    pub y: E,
    /// The coordinate Z.
    pub z: E,
    /// The square Z².
    pub zz: E,
}

impl<E: Clone> JacobianZz<E> {
    /// Creates the running point from an affine point.
    pub(crate) fn new<F: Extension<Elem = E>>(field: &F, p: &Affine<F>) -> Self {
        JacobianZz { x: p.x.clone(), y: p.y.clone(), z: field.one(), zz: field.one() }
    }
}

/// Sets T ← 2T and line ← Z'Z²·y − MZ²·x + MX − 2Y², the tangent at T times 2YZ³.
#[inline]
pub fn double_step<E: Extension>(e: &E, a: &PrimeElem<E>, t: &mut JacobianZz<E::Elem>, line: &mut Line<E::Elem>) {
    at! {e;
        yw = sqr_wide(&t.y);
        yy = reduce(&[plus(&yw)]);          // Y²
        z4 = sqr(&t.zz);                    // Z⁴
        triple = sum(&[times(3, &t.x)]);
        m = mul_add(&triple, &t.x, &z4, a); // M = 3X² + aZ⁴
        mx = mul_wide(&m, &t.x);
        mz = mul_wide(&m, &t.zz);
        xyy = mul_wide(&t.x, &yy);
        s = reduce(&[times(4, &xyy)]);      // S = 4XY²
        mm = sqr_wide(&m);
        yz = mul_wide(&t.y, &t.z);
    }
    e.reduce(&mut line.c, &[plus(&mx), times(-2, &yw)]); // MX − 2Y²
    e.reduce(&mut line.x, &[minus(&mz)]); // −MZ²
    e.reduce(&mut t.x, &[plus(&mm), times(-8, &xyy)]); // X' = M² − 2S
    e.reduce(&mut t.z, &[times(2, &yz)]); // Z' = 2YZ
    e.mul(&mut line.y, &t.z, &t.zz); // Z'Z²
    at! {e;
        d = sum(&[plus(&s), minus(&t.x)]);  // S − X'
        md = mul_wide(&m, &d);
        y4 = sqr_wide(&yy);
    }
    e.reduce(&mut t.y, &[plus(&md), times(-8, &y4)]); // Y' = M(S − X') − 8Y⁴
    e.sqr(&mut t.zz, &t.z); // Z'²
}

/// Sets T ← T + R for an affine R = (x2, y2), and line ← Z'·y − r·x + r·x2 − Z'·y2, the chord through T and R times
/// Z'.
#[inline]
pub fn add_step<E: Extension>(e: &E, t: &mut JacobianZz<E::Elem>, line: &mut Line<E::Elem>, [x2, y2]: [&E::Elem; 2]) {
    at! {e;
        u = mul(x2, &t.zz);                 // x2·Z²
        zzz = mul(&t.zz, &t.z);             // Z³
        v = mul(y2, &zzz);                  // y2·Z³
        h = sum(&[plus(&u), minus(&t.x)]);  // h = x2·Z² − X
        r = sum(&[plus(&v), minus(&t.y)]);  // r = y2·Z³ − Y
        hh = sqr(&h);                       // h²
        hw = mul_wide(&hh, &h);
        h3 = reduce(&[plus(&hw)]);          // h³
        xw = mul_wide(&t.x, &hh);
        xhh = reduce(&[plus(&xw)]);         // Xh²
        rr = sqr_wide(&r);
        z = mul(&t.z, &h);                  // Z' = Zh
    }
    e.reduce(&mut t.x, &[plus(&rr), minus(&hw), times(-2, &xw)]); // X' = r² − h³ − 2Xh²
    at! {e;
        d = sum(&[plus(&xhh), minus(&t.x)]); // Xh² − X'
        rd = mul_wide(&r, &d);
        yh = mul_wide(&t.y, &h3);
        rx = mul_wide(&r, x2);
        zy = mul_wide(&z, y2);
    }
    e.reduce(&mut t.y, &[plus(&rd), minus(&yh)]); // Y' = r(Xh² − X') − Yh³
    e.reduce(&mut line.c, &[plus(&rx), minus(&zy)]); // r·x2 − Z'·y2
    e.neg(&mut line.x, &r); // −r
    e.sqr(&mut t.zz, &z); // Z'²
    line.y.clone_from(&z); // Z'
    t.z = z;
}
