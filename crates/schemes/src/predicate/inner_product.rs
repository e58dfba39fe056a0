//! Inner products: Katz, Sahai, Waters, "Predicate encryption supporting disjunctions, polynomial equations, and inner products",
//! EUROCRYPT 2008, Journal of Cryptology 26 (2013). Groups of order N = p·q·r, written additively here, with subgroups
//! G_p = ⟨g_p⟩, G_q = ⟨g_q⟩, G_r = ⟨g_r⟩; b is 1 or 2, i from 1 to n.
//!
//! | | |
//! |---|---|
//! | secret key | g_q; a_{b,i}, which give h_{b,i} = a_{b,i}·g_p; c, which is −γ·log h of the paper |
//! | public key | g_p; g_r; Q = g_q + R_0; H_{b,i} = h_{b,i} + R_{b,i}; P = e(g_p, c·g_p) |
//! | ciphertext of x | C_0 = s·g_p; C_{1,i} = s·H_{1,i} + αx_i·Q + R_{3,i}; C_{2,i} = s·H_{2,i} + βx_i·Q + R_{4,i}; P^s is the key of the message |
//! | token of v | K = R_5 + Q_6 + (c − Σ a_{b,i}·r_{b,i})·g_p; K_{b,i} = r_{b,i}·g_p + f_b·v_i·g_q |
//! | match | e(C_0, K)·Π e(C_{b,i}, K_{b,i}) = P^s·e(g_q, g_q)^((αf_1 + βf_2)·⟨x, v⟩) |
//!
//! Without messages c = 0, and the product is 1 where ⟨x, v⟩ = 0 modulo q; elsewhere it is 1 with probability 1/q.
//! The holder of the key knows the h_{b,i} by their logarithms, so a token's K takes three multiples instead of 2n +
//! 3; its distribution is that of the paper.
//!
//! Cost: 2n + 1 pairings per row with the token fixed; encryption takes 6n + 1 multiples of points and one power; a
//! token takes 4n + 3 multiples, a set-up 4n + 1. A multiplier is 128 bits longer than the prime modulo which it
//! counts.

use super::PredicateError;
use super::encrypt::Drawn;
use super::scheme::{Scheme, Shape};
use crate::combine::{Term, msms, times};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{Batch, Group, Point};

/// The primes, by their positions in the list of factors.
const P: usize = 0;
const Q: usize = 1;
const R: usize = 2;

/// Derives a_{b,i}, alternately for b = 1 and 2.
fn logarithms(shape: &Shape, seed: &[u8]) -> Vec<Scalar> {
    (0..2 * shape.length).map(|i| shape.derived(seed, "inner product a", i)).collect()
}

/// Derives c, which is 0 without messages.
pub(super) fn message_logarithm(shape: &Shape, seed: &[u8]) -> Scalar {
    match shape.scheme {
        Scheme::InnerProductOnly => Scalar::new(&[0]),
        _ => shape.derived(seed, "inner product c", 0),
    }
}

/// Computes the points of the public key, [g_p, g_r, Q, H_{1,1}, H_{2,1}, …], from [g_p, g_q, g_r].
pub(super) fn public_points(
    batch: &Batch,
    shape: &Shape,
    seed: &[u8],
    [g_p, g_q, g_r]: [&Point; 3],
) -> Result<Vec<Point>, PredicateError> {
    let (blind, logarithms) = (shape.randoms(R, 1 + 2 * shape.length)?, logarithms(shape, seed));
    let q = vec![Term::Itself(g_q), times(&blind[0], g_r)];
    let h = logarithms.iter().zip(&blind[1..]).map(|(a, blind)| vec![times(a, g_p), times(blind, g_r)]);
    let sums: Vec<_> = std::iter::once(q).chain(h).collect();
    let rest = msms(batch, Group::G1, &sums);
    Ok([g_p.clone(), g_r.clone()].into_iter().chain(rest).collect())
}

/// Draws s, the numbers αx_1 + 1, βx_1 + 1, αx_2 + 1, …, and the multipliers of R_{3,1}, R_{4,1}, …
pub(super) fn draw(shape: &Shape, ring: &Ring, x: &[Scalar]) -> Result<Drawn, getrandom::Error> {
    let factors = shape.randoms(Q, 2)?;
    let hiding = x.iter().flat_map(|x| factors.iter().map(|factor| ring.product_and_one(factor, x))).collect();
    Ok(Drawn { s: shape.random(P)?, hiding, blind: shape.randoms(R, 2 * shape.length)? })
}

/// Computes the point that a row needs beside those of the public key: −Q, which cancels the 1 that was added to
/// αx_i.
pub(super) fn back(batch: &Batch, public: &[Point]) -> Vec<Point> {
    vec![batch.system().neg(&public[2])]
}

/// The number of bytes of the longest scalar by which a row multiplies each point of the public key.
pub(super) fn longest(shape: &Shape, ring: &Ring) -> Vec<usize> {
    let [p, r] = [P, R].map(|prime| shape.random_len(prime));
    [p, r, ring.byte_len()].into_iter().chain(std::iter::repeat_n(p, 2 * shape.length)).collect()
}

/// The sums that give the points of a ciphertext: C_0, C_{1,1}, C_{2,1}, …
pub(super) fn row<'a, P>(public: &'a [P], back: &'a [P], drawn: &'a Drawn) -> Vec<Vec<Term<'a, P>>> {
    let ([g_p, g_r, q, h @ ..], [back]) = (public, back) else {
        unreachable!("a public key has at least three points")
    };
    let masked = h.iter().zip(&drawn.hiding).zip(&drawn.blind);
    // s·H and (αx_i + 1)·Q are added first, then R and −Q
    let element =
        |((h, hiding), blind)| vec![times(&drawn.s, h), times(hiding, q), times(blind, g_r), Term::Itself(back)];
    std::iter::once(vec![times(&drawn.s, g_p)]).chain(masked.map(element)).collect()
}

/// Computes the points of a token: K, K_{1,1}, K_{2,1}, …
pub(super) fn token(
    batch: &Batch,
    shape: &Shape,
    seed: &[u8],
    [g_p, g_q, g_r]: [&Point; 3],
    v: &[Scalar],
) -> Result<Vec<Point>, PredicateError> {
    let ring = Ring::new(batch.system().order());
    let (r, f) = (shape.randoms(P, 2 * shape.length)?, shape.randoms(Q, 2)?);
    let (r_5, q_6) = (shape.random(R)?, shape.random(Q)?);
    let negative: Vec<Scalar> = r.iter().map(|r| ring.negative(r)).collect();
    // c − Σ a·r
    let log = ring.sum(Some(&message_logarithm(shape, seed)), logarithms(shape, seed).iter().zip(&negative));
    let scaled: Vec<Scalar> = v.iter().flat_map(|v| f.iter().map(|f| ring.product(f, v))).collect();
    let k = vec![times(&r_5, g_r), times(&q_6, g_q), times(&log, g_p)];
    let rest = r.iter().zip(&scaled).map(|(r, scaled)| vec![times(r, g_p), times(scaled, g_q)]);
    let sums: Vec<_> = std::iter::once(k).chain(rest).collect();
    Ok(msms(batch, Group::G1, &sums))
}
