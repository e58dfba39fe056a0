//! Hidden vectors: Boneh, Waters, "Conjunctive, subset, and range queries on encrypted data", TCC 2007. Groups of order N = p·q,
//! written additively here, with subgroups G_p ∋ v and G_q = ⟨g_q⟩; i from 1 to the length of vectors, S the places without wildcard.
//!
//! | | |
//! |---|---|
//! | secret key | v; u_i, h_i, w_i and c, by which the points u_i·v, h_i·v, w_i·v and g^α = c·v of the paper are given |
//! | public key | g_q; V = v + R_v; U_i = u_i·v + R_{u,i}; H_i = h_i·v + R_{h,i}; W_i = w_i·v + R_{w,i}; A = e(v, c·v) |
//! | ciphertext of I | C_0 = s·V + Z; C_{i,1} = s·(I_i·U_i + H_i) + Z_{i,1}; C_{i,2} = s·W_i + Z_{i,2}; A^s is the key of the message |
//! | token | K_0 = (c + Σ_S (u_i·I*_i + h_i)·r_{i,1} + w_i·r_{i,2})·v; K_{i,1} = −r_{i,1}·v; K_{i,2} = −r_{i,2}·v |
//! | match | e(C_0, K_0)·Π_S e(C_{i,1}, K_{i,1})·e(C_{i,2}, K_{i,2}) = A^s·e(v, v)^(Σ_S s·u_i·r_{i,1}·(I*_i − I_i)) |
//!
//! The paper divides by the pairings with K_{i,b}; here their sign is changed instead. The paper's g and v are two
//! generators of G_p; here only g^α occurs. Since the holder of the key knows logarithms, K_0 is one multiple.
//!
//! Cost: 2|S| + 1 pairings per row with the token fixed; encryption takes 5 multiples per element, 2 more and one
//! power; a token takes 2|S| + 1 multiples. A multiplier is 128 bits longer than the prime modulo which it counts.

use super::PredicateError;
use super::encrypt::Drawn;
use super::scheme::Shape;
use crate::combine::{Term, msms, multiples, times};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{Batch, Group, Point};

/// The primes, by their positions in the list of factors.
const P: usize = 0;
const Q: usize = 1;

/// Derives u_i, h_i and w_i.
fn logarithms(shape: &Shape, seed: &[u8], i: usize) -> [Scalar; 3] {
    ["hidden vector u", "hidden vector h", "hidden vector w"].map(|label| shape.derived(seed, label, i))
}

/// Derives c.
pub(super) fn message_logarithm(shape: &Shape, seed: &[u8]) -> Scalar {
    shape.derived(seed, "hidden vector c", 0)
}

/// Computes the points of the public key, [g_q, V, U_1, H_1, W_1, …].
pub(super) fn public_points(
    batch: &Batch,
    shape: &Shape,
    seed: &[u8],
    v: &Point,
    g_q: &Point,
) -> Result<Vec<Point>, PredicateError> {
    let logarithms: Vec<Scalar> = (0..shape.length).flat_map(|i| logarithms(shape, seed, i)).collect();
    let blind = shape.randoms(Q, 1 + 3 * shape.length)?;
    let rest = logarithms.iter().zip(&blind[1..]).map(|(a, blind)| vec![times(a, v), times(blind, g_q)]);
    let sums: Vec<_> = std::iter::once(vec![Term::Itself(v), times(&blind[0], g_q)]).chain(rest).collect();
    Ok(std::iter::once(g_q.clone()).chain(msms(batch, Group::G1, &sums)).collect())
}

/// Draws s, the numbers s·I_i + 1, and the multipliers of Z, Z_{1,1}, Z_{1,2}, …
pub(super) fn draw(shape: &Shape, ring: &Ring, row: &[Scalar]) -> Result<Drawn, getrandom::Error> {
    let s = shape.random(P)?;
    let hiding = row.iter().map(|element| ring.product_and_one(&s, element)).collect();
    Ok(Drawn { s, hiding, blind: shape.randoms(Q, 1 + 2 * shape.length)? })
}

/// Computes the points that a row needs beside those of the public key: −U_i, which cancels the 1 that was added to
/// s·I_i.
pub(super) fn back(batch: &Batch, public: &[Point]) -> Vec<Point> {
    public[2..].chunks(3).map(|uhw| batch.system().neg(&uhw[0])).collect()
}

/// The number of bytes of the longest scalar by which a row multiplies each point of the public key.
pub(super) fn longest(shape: &Shape, ring: &Ring) -> Vec<usize> {
    let [p, q] = [P, Q].map(|prime| shape.random_len(prime));
    let element = [ring.byte_len(), p, p];
    [q, p].into_iter().chain((0..shape.length).flat_map(|_| element)).collect()
}

/// The sums that give the points of a ciphertext: C_0, C_{1,1}, C_{1,2}, C_{2,1}, …
pub(super) fn row<'a, P>(public: &'a [P], back: &'a [P], drawn: &'a Drawn) -> Vec<Vec<Term<'a, P>>> {
    let ([g_q, v, rest @ ..], s) = (public, &drawn.s) else { unreachable!("a public key has at least two points") };
    let mut sums = vec![vec![times(s, v), times(&drawn.blind[0], g_q)]];
    for (((uhw, back), hiding), blind) in rest.chunks(3).zip(back).zip(&drawn.hiding).zip(drawn.blind[1..].chunks(2)) {
        // (s·I + 1)·U and s·H are added first, then Z and −U
        sums.push(vec![times(hiding, &uhw[0]), times(s, &uhw[1]), times(&blind[0], g_q), Term::Itself(back)]);
        sums.push(vec![times(s, &uhw[2]), times(&blind[1], g_q)]);
    }
    sums
}

/// Computes the points of a token: K_0, and K_{i,1}, K_{i,2} for each position without wildcard.
pub(super) fn token(
    batch: &Batch,
    shape: &Shape,
    seed: &[u8],
    v: &Point,
    pattern: &[Option<Scalar>],
) -> Result<Vec<Point>, PredicateError> {
    let ring = Ring::new(batch.system().order());
    let mut log = message_logarithm(shape, seed);
    let mut rest = vec![];
    for (i, wanted) in pattern.iter().enumerate().filter_map(|(i, wanted)| Some((i, wanted.as_ref()?))) {
        let ([u, h, w], r_1, r_2) = (logarithms(shape, seed, i), shape.random(P)?, shape.random(P)?);
        // u·I* + h
        let element = ring.sum(Some(&h), [(&u, wanted)]);
        log = ring.sum(Some(&log), [(&element, &r_1), (&w, &r_2)]);
        rest.extend([ring.negative(&r_1), ring.negative(&r_2)]);
    }
    Ok(multiples(batch, Group::G1, std::iter::once(&log).chain(&rest), v))
}
