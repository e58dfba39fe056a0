//! The Edwards form of E: y² = x³ + x over F_q, q ≡ 3 (mod 4), where one formula adds any two points.
//!
//! E is a Montgomery curve. Take s = ±1 for which 2s is a square. Then u = y/(x² + 1), v = (x − s)/(x + s) maps E to
//!
//! 2s·u² + v² = 1 − 2s·u²v²
//!
//! (Bernstein, Birkner, Joye, Lange, Peters, "Twisted Edwards Curves", AFRICACRYPT 2008; for s = −1, v is the inverse of
//! theirs). O becomes (0, 1). −1 is not a square, hence neither is −2s: the addition is complete, x² + 1 is not 0, and no
//! point of E has x = −s, where y² = −2s.
//!
//! Points are in extended coordinates, u = U/Z, v = V/Z, UV = TZ (Hisil, Wong, Carter, Dawson, ASIACRYPT 2008). Cost: a
//! doubling takes 3M + 4S, an addition 8M, or 7M with Z = 1, each 1M more if T is needed next. Before, the map takes
//! 4M + 1S, and after, 5M + 2S. In Jacobian coordinates a doubling takes 3M + 6S and a complete mixed addition 8M + 5S.

use crate::booth::{BoothDigit, ENTRIES, WINDOW, digits};
use crate::constant_time::element;
use crate::curve::{Affine, Jacobian};
use crate::digits::odd_powers;
use crate::fixed_base::{FixedTable, Window};
use crate::msm::Digits;
use bilinear_field::{CollectVec, Field, at, minus, plus, times};
use num_bigint::BigUint;

/// Multiples in another form of a curve. A trait object, so that the form is compiled only for fields of curves that have
/// one.
pub(crate) trait Multiples<F: Field>: Send + Sync {
    /// Returns kP for a public k and any P, by the NAF of k in the width that needs the fewest additions.
    fn mul(&self, k: &BigUint, p: &Affine<F>) -> Jacobian<F>;
    /// Returns kP for any P and a secret k in each lane, given as big-endian bytes of a public length: windows of 5 bits.
    /// Constant time.
    fn mul_secret(&self, ks: &[&[u8]], p: &Affine<F>) -> Jacobian<F>;
    /// Returns the table of the window whose base is B, with three coordinates for each entry. Takes one inversion.
    fn fixed_table(&self, b: &Affine<F>) -> FixedTable<F>;
    /// Returns the sum of the entries that digits select, each from the table of another window. Constant time.
    fn fixed_sum(&self, windows: &mut dyn Iterator<Item = Window<F>>) -> Jacobian<F>;
    /// Returns P, 3P, 5P, …, `count` points, as [`Multiples::advance`] takes them. Takes one inversion.
    fn odd_summands(&self, p: &Affine<F>, count: usize) -> Vec<[F::Elem; 2]>;
    /// See [`Curve::advance`](crate::curve::Curve::advance).
    fn advance(&self, p: [F::Elem; 3], doublings: usize, q: Option<[F::Elem; 2]>) -> [F::Elem; 3];
    /// See [`Curve::advanced_to_jacobian`](crate::curve::Curve::advanced_to_jacobian).
    fn advanced_to_jacobian(&self, p: [F::Elem; 3]) -> Jacobian<F>;
}

/// The Edwards form of a curve.
pub(crate) struct Edwards<F: Field> {
    field: F,
    /// The sign s.
    s: i32,
}

/// A point (U/Z, V/Z).
struct Projective<F: Field> {
    u: F::Elem,
    v: F::Elem,
    z: F::Elem,
}

/// A point with T = UV/Z.
struct Extended<F: Field> {
    p: Projective<F>,
    t: F::Elem,
}

/// The point (E/G, H/F) in completed coordinates, as a doubling or an addition leaves it.
struct Completed<F: Field> {
    e: F::Elem,
    f: F::Elem,
    g: F::Elem,
    h: F::Elem,
}

impl<F: Field> Clone for Extended<F> {
    fn clone(&self) -> Self {
        let Projective { u, v, z } = &self.p;
        Extended { p: Projective { u: u.clone(), v: v.clone(), z: z.clone() }, t: self.t.clone() }
    }
}

impl<F: Field> Edwards<F> {
    /// Creates the form over a field in which 2 is a square, or in which it is not.
    pub(crate) fn new(field: F, two_is_square: bool) -> Self {
        Edwards { field, s: if two_is_square { 1 } else { -1 } }
    }

    /// Returns O.
    fn infinity(&self) -> Extended<F> {
        let (zero, one) = (self.field.zero(), self.field.one());
        Extended { p: Projective { u: zero.clone(), v: one.clone(), z: one }, t: zero }
    }

    /// Returns the numerators and the denominators of u and v, which are y, x − s, x² + 1 and x + s.
    fn quotients(&self, p: &Affine<F>) -> Completed<F> {
        let one = self.field.one();
        at! {self.field;
            g = sqr_sum(&p.x, &[plus(&one)]);
            h = sum(&[plus(&p.x), times(-self.s, &one)]);
            f = sum(&[plus(&p.x), times(self.s, &one)]);
        }
        Completed { e: p.y.clone(), f, g, h }
    }

    /// Brings u and v to a common denominator.
    fn projective(&self, q: &Completed<F>) -> Projective<F> {
        at! {self.field; u = mul(&q.e, &q.f); v = mul(&q.g, &q.h); z = mul(&q.f, &q.g);}
        Projective { u, v, z }
    }

    /// Brings u and v to a common denominator, and computes T.
    fn extended(&self, q: &Completed<F>) -> Extended<F> {
        at! {self.field; t = mul(&q.e, &q.h);}
        Extended { p: self.projective(q), t }
    }

    /// Converts a point of E.
    fn to_extended(&self, p: &Affine<F>) -> Extended<F> {
        self.select(p.infinity, &self.infinity(), &self.extended(&self.quotients(p)))
    }

    /// Selects `p` in the lanes where the mask is set, else `q`.
    fn select(&self, mask: F::Mask, p: &Extended<F>, q: &Extended<F>) -> Extended<F> {
        at! {self.field;
            u = select(mask, &p.p.u, &q.p.u);
            v = select(mask, &p.p.v, &q.p.v);
            z = select(mask, &p.p.z, &q.p.z);
            t = select(mask, &p.t, &q.t);
        }
        Extended { p: Projective { u, v, z }, t }
    }

    /// Converts a point to Jacobian coordinates on E: x = s(1 + v)/(1 − v), and y = u(x² + 1) with
    /// x² + 1 = 2(1 + v²)/(1 − v)².
    fn to_jacobian(&self, p: &Projective<F>) -> Jacobian<F> {
        let f = &self.field;
        at! {f;
            less = sum(&[plus(&p.z), minus(&p.v)]);
            more = sum(&[times(self.s, &p.z), times(self.s, &p.v)]);
            zz = sqr(&p.z);                               // Z²
            z = mul(&p.z, &less);                         // Z' = Z(Z − V)
            xz = mul(&zz, &less);                         // Z²(Z − V)
            x = mul(&xz, &more);                          // X = x·Z'² = s(Z + V)(Z − V)Z²
            squares = sqr_sum(&p.v, &[plus(&zz)]);        // Z² + V²
            uxz = mul(&p.u, &xz);
            half_y = mul(&uxz, &squares);                 // U(Z² + V²)(Z − V)Z²
            y = sum(&[times(2, &half_y)]);                // Y = y·Z'³
        }
        Jacobian { x, y, z }
    }

    /// Returns 2P.
    fn double(&self, p: &Projective<F>) -> Completed<F> {
        at! {self.field;
            uu = sqr(&p.u);                                        // U²
            vv = sqr(&p.v);                                        // V²
            zz = sqr(&p.z);                                        // Z²
            both = sum(&[plus(&p.u), plus(&p.v)]);                 // U + V
            e = sqr_sum(&both, &[minus(&uu), minus(&vv)]);         // E = 2UV
            g = sum(&[times(2 * self.s, &uu), plus(&vv)]);         // G = 2sU² + V²
            h = sum(&[times(2 * self.s, &uu), minus(&vv)]);        // H = 2sU² − V²
            f = sum(&[plus(&g), times(-2, &zz)]);                  // F = G − 2Z²
        }
        Completed { e, f, g, h }
    }

    /// Returns 2^n·P for n ≥ 1.
    fn doubled(&self, p: Projective<F>, n: usize) -> Extended<F> {
        let once = |p, _| self.field.routine("doubling", || self.projective(&self.double(&p)));
        let p = (1..n).fold(p, once);
        self.field.routine("doubling with T", || self.extended(&self.double(&p)))
    }

    /// Returns P + Q. `zz` is the product of their Z.
    fn add(&self, p: &Extended<F>, q: &Extended<F>, zz: &F::Elem) -> Completed<F> {
        at! {self.field;
            uu = mul(&p.p.u, &q.p.u);                              // U₁U₂
            vv = mul(&p.p.v, &q.p.v);                              // V₁V₂
            tt = mul(&p.t, &q.t);                                  // T₁T₂
            own = sum(&[plus(&p.p.u), plus(&p.p.v)]);              // U₁ + V₁
            other = sum(&[plus(&q.p.u), plus(&q.p.v)]);            // U₂ + V₂
            e = mul_sum(&own, &other, &[minus(&uu), minus(&vv)]);  // E = U₁V₂ + U₂V₁
            f = sum(&[plus(zz), times(2 * self.s, &tt)]);          // F = Z₁Z₂ + 2sT₁T₂
            g = sum(&[plus(zz), times(-2 * self.s, &tt)]);         // G = Z₁Z₂ − 2sT₁T₂
            h = sum(&[plus(&vv), times(-2 * self.s, &uu)]);        // H = V₁V₂ − 2sU₁U₂
        }
        Completed { e, f, g, h }
    }

    /// Returns P + Q for points with any Z.
    fn sum(&self, p: &Extended<F>, q: &Extended<F>) -> Completed<F> {
        at! {self.field; zz = mul(&p.p.z, &q.p.z);}
        self.add(p, q, &zz)
    }

    /// Returns P + Q, with T.
    fn extended_sum(&self, p: &Extended<F>, q: &Extended<F>) -> Extended<F> {
        self.field.routine("addition with T", || self.extended(&self.sum(p, q)))
    }

    /// Returns P, 2P, …, 16P.
    fn multiples(&self, p: &Affine<F>) -> Vec<Extended<F>> {
        let mut multiples = vec![self.to_extended(p)];
        for i in 1..ENTRIES {
            multiples.push(self.extended_sum(&multiples[i - 1], &multiples[0]));
        }
        multiples
    }

    /// Returns P, 3P, 5P, …, `count` points and at least one.
    fn odd_multiples(&self, p: &Affine<F>, count: usize) -> Vec<Extended<F>> {
        let twice = |p: &Extended<F>| self.extended(&self.double(&p.p));
        odd_powers(&self.to_extended(p), count, &twice, &|p, q| self.extended_sum(p, q))
    }

    /// Returns −P.
    fn negate(&self, p: &Extended<F>) -> Extended<F> {
        at! {self.field; u = neg(&p.p.u); t = neg(&p.t);}
        Extended { p: Projective { u, v: p.p.v.clone(), z: p.p.z.clone() }, t }
    }

    /// Returns the entry of a table that a digit selects, given the entries' coordinates as lists, or O for the digit
    /// 0. Without a list of Z, they are 1. Every entry is read.
    fn pick(&self, [us, vs, ts]: [&[F::Elem]; 3], zs: Option<&[F::Elem]>, digit: &BoothDigit<F::Mask>) -> Extended<F> {
        let f = &self.field;
        let read = |list: &[F::Elem]| f.routine("table entry", || element(f, list, &digit.place));
        let (u, own_v, t) = (read(us), read(vs), read(ts));
        let z = zs.map_or_else(|| f.one(), read);
        f.routine("sign of a table entry", || {
            at! {f;
                minus_u = neg(&u);
                minus_t = neg(&t);
                signed_u = select(digit.negative, &minus_u, &u);
                signed_t = select(digit.negative, &minus_t, &t);
                u = select(digit.zero, &f.zero(), &signed_u);
                v = select(digit.zero, &z, &own_v);
                t = select(digit.zero, &f.zero(), &signed_t);
            }
            Extended { p: Projective { u, v, z }, t }
        })
    }
}

impl<F: Field> Multiples<F> for Edwards<F> {
    fn mul(&self, k: &BigUint, p: &Affine<F>) -> Jacobian<F> {
        let k = Digits::lightest_with(&k.clone().into(), 0);
        let table = self.odd_multiples(p, k.table());
        let entry = |(place, negative): (usize, bool)| {
            if negative { self.negate(&table[place]) } else { table[place].clone() }
        };
        let mut digits = (0..k.len()).rev().map(|i| k.at(i));
        let Some(first) = digits.next().flatten() else { return self.to_jacobian(&self.infinity().p) };
        let (mut acc, mut doublings) = (entry(first).p, 0);
        for digit in digits {
            doublings += 1;
            if let Some(digit) = digit {
                let doubled = self.doubled(acc, std::mem::take(&mut doublings));
                acc = self.field.routine("addition", || self.projective(&self.sum(&doubled, &entry(digit))));
            }
        }
        if doublings > 0 {
            acc = self.doubled(acc, doublings).p;
        }
        self.to_jacobian(&acc)
    }

    fn mul_secret(&self, ks: &[&[u8]], p: &Affine<F>) -> Jacobian<F> {
        let multiples = self.multiples(p);
        let (mut us, mut vs, mut zs, mut ts) = (vec![], vec![], vec![], vec![]);
        for Extended { p: Projective { u, v, z }, t } in multiples {
            us.push(u);
            vs.push(v);
            zs.push(z);
            ts.push(t);
        }
        let mut acc: Option<Projective<F>> = None;
        for digit in digits(&self.field, ks).iter().rev() {
            let entry = self.pick([&us, &vs, &ts], Some(&zs), digit);
            acc = Some(match acc {
                None => entry.p,
                Some(acc) => {
                    let doubled = self.doubled(acc, WINDOW);
                    self.field.routine("addition", || self.projective(&self.sum(&doubled, &entry)))
                }
            });
        }
        self.to_jacobian(&acc.unwrap_or_else(|| self.infinity().p))
    }

    /// The coordinates are u, v and uv.
    fn fixed_table(&self, b: &Affine<F>) -> FixedTable<F> {
        let f = &self.field;
        let multiples = self.multiples(b);
        let next = self.to_jacobian(&self.projective(&self.double(&multiples[ENTRIES - 1].p)));
        let mut inverses = multiples.iter().map(|p| p.p.z.clone()).chain([next.z.clone()]).collect_vec();
        f.inv_many(&mut inverses);
        let (mut coordinates, mut has_infinity) = (vec![vec![]; 3], f.is_zero(&next.z));
        for (Extended { p, .. }, inverse) in multiples.iter().zip(&inverses) {
            at! {f; u = mul(&p.u, inverse); v = mul(&p.v, inverse); t = mul(&u, &v);}
            has_infinity = f.or(has_infinity, f.equal(&v, &f.one()));
            coordinates.iter_mut().zip([u, v, t]).for_each(|(list, x)| list.push(x));
        }
        FixedTable { coordinates, next: next.to_affine(f, &inverses[ENTRIES]), has_infinity }
    }

    /// The coordinates are v and u.
    fn odd_summands(&self, p: &Affine<F>, count: usize) -> Vec<[F::Elem; 2]> {
        let multiples = self.odd_multiples(p, count);
        let mut inverses = multiples.iter().map(|p| p.p.z.clone()).collect_vec();
        self.field.inv_many(&mut inverses);
        let affine = |(p, inverse): (&Extended<F>, &F::Elem)| {
            at! {self.field; u = mul(&p.p.u, inverse); v = mul(&p.p.v, inverse);}
            [v, u]
        };
        multiples.iter().zip(&inverses).map(affine).collect_vec()
    }

    /// Every doubling is the same step and computes no T, so that an addition takes 9M + 1S.
    fn advance(&self, [v, u, z]: [F::Elem; 3], n: usize, q: Option<[F::Elem; 2]>) -> [F::Elem; 3] {
        let f = &self.field;
        let double = |p, _| f.routine("doubling", || self.projective(&self.double(&p)));
        let p = (0..n).fold(Projective { u, v, z }, double);
        let Some([v, u]) = &q else { return [p.v, p.u, p.z] };
        f.routine("addition of a table entry", || {
            at! {f;
                uu = mul(&p.u, u);                                         // Uu
                vv = mul(&p.v, v);                                         // Vv
                product = mul(&uu, &vv);
                zz = sqr(&p.z);                                            // Z²
                own = sum(&[plus(&p.u), plus(&p.v)]);                      // U + V
                other = sum(&[plus(u), plus(v)]);                          // u + v
                e = mul_sum(&own, &other, &[minus(&uu), minus(&vv)]);      // E = Uv + Vu
                ff = sum(&[plus(&zz), times(2 * self.s, &product)]);       // F = Z² + 2s·UuVv
                g = sum(&[plus(&zz), times(-2 * self.s, &product)]);       // G = Z² − 2s·UuVv
                h = sum(&[plus(&vv), times(-2 * self.s, &uu)]);            // H = Vv − 2s·Uu
                zf = mul(&p.z, &ff);
                zg = mul(&p.z, &g);
                u = mul(&zf, &e);                                          // U' = ZEF
                v = mul(&zg, &h);                                          // V' = ZGH
                z = mul(&ff, &g);                                          // Z' = FG
            }
            [v, u, z]
        })
    }

    fn advanced_to_jacobian(&self, [v, u, z]: [F::Elem; 3]) -> Jacobian<F> {
        self.to_jacobian(&Projective { u, v, z })
    }

    fn fixed_sum(&self, windows: &mut dyn Iterator<Item = Window<F>>) -> Jacobian<F> {
        let mut acc: Option<Extended<F>> = None;
        for (table, digit) in windows {
            let entry = self.pick([&table[0], &table[1], &table[2]], None, &digit);
            acc = Some(match acc {
                None => entry,
                Some(acc) => {
                    let sum = || self.extended(&self.add(&acc, &entry, &acc.p.z));
                    self.field.routine("addition of a table entry", sum)
                }
            });
        }
        self.to_jacobian(&acc.unwrap_or_else(|| self.infinity()).p)
    }
}
