//! The steps of the Miller loop on y² = x³ + x, in coordinates of weight (1, 2): x = X/Z, y = Y/Z² (Costello, Lange,
//! Naehrig, PKC 2010, section 4, for y² = x³ + ax), with the line evaluated at φ(Q) = (−xQ, iyQ).
//!
//! Doubling and tangent: 5M + 7S + 11R. Mixed addition and chord: 12M + 4S + 13R. Lines are known up to factors in F_q.

use super::Fq2;
use bilinear_field::{Field, at, minus, plus, times};

/// The running point T = (X/Z, Y/Z²).
#[derive(Clone, Debug)]
pub struct Weighted<E> {
    /// The coordinate X.
    pub x: E,
    /// The coordinate Y.
    pub y: E,
    /// The coordinate Z.
    pub z: E,
}

/// Sets T ← 2T and line ← (3X² + Z²)(Z·xQ) + X(X² − Z²) + 2YZ·yQ·i, the tangent at T times 2YZ.
#[inline]
pub fn double_step<F: Field>(f: &F, t: &mut Weighted<F::Elem>, line: &mut Fq2<F>, [xq, yq]: [&F::Elem; 2]) {
    at! {f;
        a = sqr(&t.x);                                       // A = X²
        cw = sqr_wide(&t.z);
        c = reduce(&[plus(&cw)]);                            // C = Z²
        bw = sqr_wide(&t.y);
        b = reduce(&[plus(&bw)]);                            // B = Y²
        u = sub(&a, &c);                                     // U = A − C
        v = add(&a, &c);                                     // V = A + C
        w = sum(&[times(3, &a), plus(&c)]);                  // 3X² + Z²
        zx = mul(&t.z, xq);                                  // Z·xQ
        wzx = mul_wide(&w, &zx);
        xu = mul_wide(&t.x, &u);
        y_plus_z = add(&t.y, &t.z);
        yzw = sqr_wide(&y_plus_z);
        yz2 = reduce(&[plus(&yzw), minus(&bw), minus(&cw)]); // 2YZ
    }
    f.reduce(&mut line[0], &[plus(&wzx), plus(&xu)]); // (3X² + Z²)(Z·xQ) + X(X² − Z²)
    f.mul(&mut line[1], &yz2, yq); // 2YZ·yQ
    at! {f;
        uu = sqr_wide(&u);
        vv = sqr_wide(&v);
        u_plus_y = add(&u, &t.y);
        uyw = sqr_wide(&u_plus_y);
        e = reduce(&[times(2, &vv), minus(&uu)]);            // 2V² − U²
        uy = reduce(&[plus(&uyw), minus(&bw), minus(&uu)]);  // 2UY
    }
    f.reduce(&mut t.x, &[plus(&uu)]); // X' = U²
    f.mul(&mut t.y, &e, &uy); // Y' = (2V² − U²)·2UY
    f.sum(&mut t.z, &[times(4, &b)]); // Z' = 4B
}

/// Sets T ← T + R for an affine R = (x2, y2), and line ← D(xQ + x2) − G·y2 + G·yQ·i, the chord through T and R times
/// G.
#[inline]
pub fn add_step<F: Field>(
    f: &F,
    t: &mut Weighted<F::Elem>,
    line: &mut Fq2<F>,
    [x2, y2]: [&F::Elem; 2],
    [xq, yq]: [&F::Elem; 2],
) {
    at! {f;
        c = sqr(&t.z);          // Z²
        xz = mul(x2, &t.z);     // x2·Z
        h = sub(&t.x, &xz);     // H = X − x2·Z
        s = add(&t.x, &xz);     // S = X + x2·Z
        g = mul(&t.z, &h);      // G = ZH
        yc = mul(y2, &c);       // y2·Z²
        d = sub(&t.y, &yc);     // D = Y − y2·Z²
        qx = add(xq, x2);
        dq = mul_wide(&d, &qx);
        gy = mul_wide(&g, y2);
    }
    f.reduce(&mut line[0], &[plus(&dq), minus(&gy)]); // D(xQ + x2) − G·y2
    f.mul(&mut line[1], &g, yq); // G·yQ
    at! {f;
        hg = mul(&h, &g);       // HG
        ddw = sqr_wide(&d);
        shg = mul_wide(&s, &hg);
        dg = mul(&d, &g);       // DG
    }
    f.reduce(&mut t.x, &[plus(&ddw), minus(&shg)]); // X' = D² − S·HG
    f.sqr(&mut t.z, &g); // Z' = G²
    at! {f;
        xz3 = mul(x2, &t.z);    // x2·Z'
        e = sub(&xz3, &t.x);    // x2·Z' − X'
        zz = sqr(&t.z);         // Z'²
        dge = mul_wide(&dg, &e);
        yzz = mul_wide(y2, &zz);
    }
    f.reduce(&mut t.y, &[plus(&dge), minus(&yzz)]); // Y' = DG(x2·Z' − X') − y2·Z'²
}
