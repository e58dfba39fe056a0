//! The steps of the Miller loop on y² = x³ + x, in coordinates of weight (1, 2): x = X/Z, y = Y/Z² (Costello, Lange,
//! Naehrig, PKC 2010, section 4, for y² = x³ + ax), with the line evaluated at φ(Q) = (−xQ, iyQ).
//!
//! Doubling and tangent: 5M + 7S + 11R. Mixed addition and chord: 12M + 4S + 13R. Lines are known up to factors in F_q.

use super::Fq2;
use bilinear_field::{Field, at, minus, plus, times};

/// The running point T = (X/Z, Y/Z²).
#[derive(Clone, Debug)]
pub struct Running<E> {
    /// X.
    pub x: E,
    /// Y.
    pub y: E,
    /// Z.
    pub z: E,
}

/// T ← 2T; line ← (3X² + Z²)(Z·xQ) + X(X² − Z²) + 2YZ·yQ·i, the tangent at T times 2YZ.
///
/// With A = X², B = Y², C = Z², U = A − C, V = A + C: X' = U², Y' = (2V² − U²)·2UY, Z' = 4B.
#[inline]
pub fn double_step<F: Field>(f: &F, t: &mut Running<F::Elem>, line: &mut Fq2<F>, [xq, yq]: [&F::Elem; 2]) {
    at! {f;
        a = sqr(&t.x);
        cw = sqr_wide(&t.z);
        c = reduce(&[plus(&cw)]);
        bw = sqr_wide(&t.y);
        b = reduce(&[plus(&bw)]);
        u = sub(&a, &c);
        v = add(&a, &c);
        w = sum(&[times(3, &a), plus(&c)]);
        // the tangent
        zx = mul(&t.z, xq);
        wzx = mul_wide(&w, &zx);
        xu = mul_wide(&t.x, &u);
        y_plus_z = add(&t.y, &t.z);
        yzw = sqr_wide(&y_plus_z);
        yz2 = reduce(&[plus(&yzw), minus(&bw), minus(&cw)]);
    }
    f.reduce(&mut line[0], &[plus(&wzx), plus(&xu)]);
    f.mul(&mut line[1], &yz2, yq);
    at! {f;
        uu = sqr_wide(&u);
        vv = sqr_wide(&v);
        u_plus_y = add(&u, &t.y);
        uyw = sqr_wide(&u_plus_y);
        e = reduce(&[times(2, &vv), minus(&uu)]);
        // 2UY
        uy = reduce(&[plus(&uyw), minus(&bw), minus(&uu)]);
    }
    f.reduce(&mut t.x, &[plus(&uu)]);
    f.mul(&mut t.y, &e, &uy);
    f.sum(&mut t.z, &[times(4, &b)]);
}

/// T ← T + R for an affine R = (x2, y2); line ← D(xQ + x2) − G·y2 + G·yQ·i, the chord through T and R times G.
///
/// With H = X − x2·Z, S = X + x2·Z, G = ZH, D = Y − y2·Z²: X' = D² − S·HG, Z' = G², Y' = DG(x2·Z' − X') − y2·Z'².
#[inline]
pub fn add_step<F: Field>(
    f: &F,
    t: &mut Running<F::Elem>,
    line: &mut Fq2<F>,
    [x2, y2]: [&F::Elem; 2],
    [xq, yq]: [&F::Elem; 2],
) {
    at! {f;
        c = sqr(&t.z);
        xz = mul(x2, &t.z);
        h = sub(&t.x, &xz);
        s = add(&t.x, &xz);
        g = mul(&t.z, &h);
        yc = mul(y2, &c);
        d = sub(&t.y, &yc);
        // the chord
        qx = add(xq, x2);
        dq = mul_wide(&d, &qx);
        gy = mul_wide(&g, y2);
    }
    f.reduce(&mut line[0], &[plus(&dq), minus(&gy)]);
    f.mul(&mut line[1], &g, yq);
    at! {f;
        hg = mul(&h, &g);
        ddw = sqr_wide(&d);
        shg = mul_wide(&s, &hg);
        dg = mul(&d, &g);
    }
    f.reduce(&mut t.x, &[plus(&ddw), minus(&shg)]);
    f.sqr(&mut t.z, &g);
    at! {f;
        xz3 = mul(x2, &t.z);
        e = sub(&xz3, &t.x);
        zz = sqr(&t.z);
        dge = mul_wide(&dg, &e);
        yzz = mul_wide(y2, &zz);
    }
    f.reduce(&mut t.y, &[plus(&dge), minus(&yzz)]);
}
