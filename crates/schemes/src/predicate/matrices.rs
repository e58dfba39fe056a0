//! Inner products from matrices: Chen, Gong, Wee, "Improved inner-product encryption with adaptive security and full
//! attribute-hiding", ASIACRYPT 2018, the first scheme for k = 1, which is the SXDH assumption. Groups of a prime
//! order r with generators g_1 of G1 and g_2 of G2, written additively. Decisional Diffie–Hellman must be hard in
//! both, which excludes symmetric pairings and type E. j is 1 to 3, l is 1 or 2, i from 1 to n.
//!
//! | | |
//! |---|---|
//! | secret key | a ∈ F_r²; U, W_i ∈ F_r^(2×3); b ∈ F_r³; k ∈ F_r² |
//! | public key | a·g_1; aᵀU·g_1; aᵀW_i·g_1; e(g_1, g_2)^⟨a, k⟩ |
//! | ciphertext of x | C = s·a·g_1; C_i = s·aᵀ(W_i + x_i·U)·g_1; the key of the message is e(g_1, g_2)^(s·⟨a, k⟩) |
//! | token of v | K = (k + Σ v_i·W_i·tb)·g_2; K' = t·b·g_2; for each v_i that is not 0, −v_i·K' |
//! | match | Π e(C_l, K_l)·Π e(C_{i,j}, −v_i·K'_j) = e(g_1, g_2)^(s·⟨a, k⟩ − s·⟨x, v⟩·aᵀU·tb) |
//!
//! In the paper the token is (K, K', v), and Σ v_i·C_i is paired with K'. Here multiples of K' are computed once,
//! with the token; those of C_i would be computed for every row.
//!
//! Cost: 3m + 2 pairings per row with the token fixed, m the number of v_i that are not 0; encryption takes 6n + 2
//! multiples of points and one power; a token takes 3m + 2 multiples in G2; a public key has 3n + 5 points.

use super::encrypt::Drawn;
use super::scheme::Shape;
use crate::combine::{Term, multiples, times};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{Batch, Group, Point};

/// The number of columns of U and W_i.
const COLUMNS: usize = 3;
/// The number of rows of U and W_i.
const ROWS: usize = 2;

/// The secret numbers of a key.
struct Secret {
    a: Vec<Scalar>,
    /// The matrix U, row by row.
    u: Vec<Scalar>,
    w: Vec<Vec<Scalar>>,
    b: Vec<Scalar>,
    k: Vec<Scalar>,
}

impl Secret {
    fn derived(shape: &Shape, ring: &Ring, seed: &[u8]) -> Secret {
        let numbers = |label: &str, count: usize| shape.residues(ring, seed, label, count);
        let w = numbers("matrices W", ROWS * COLUMNS * shape.length);
        Secret {
            a: numbers("matrices a", ROWS),
            u: numbers("matrices U", ROWS * COLUMNS),
            w: w.chunks(ROWS * COLUMNS).map(<[Scalar]>::to_vec).collect(),
            b: numbers("matrices b", COLUMNS),
            k: numbers("matrices k", ROWS),
        }
    }
}

/// Computes ⟨a, k⟩.
pub(super) fn message_logarithm(shape: &Shape, ring: &Ring, seed: &[u8]) -> Scalar {
    let secret = Secret::derived(shape, ring, seed);
    ring.sum(None, secret.a.iter().zip(&secret.k))
}

/// Computes the points of the public key: those of a, of aᵀU and of aᵀW_i.
pub(super) fn public_points(batch: &Batch, shape: &Shape, ring: &Ring, seed: &[u8]) -> Vec<Point> {
    let secret = Secret::derived(shape, ring, seed);
    let column = |m: &[Scalar], j: usize| ring.sum(None, secret.a.iter().zip(m.iter().skip(j).step_by(COLUMNS)));
    let columns = |m: &Vec<Scalar>| -> Vec<Scalar> { (0..COLUMNS).map(|j| column(m, j)).collect() };
    let products = std::iter::once(&secret.u).chain(&secret.w).flat_map(columns);
    let logarithms: Vec<Scalar> = secret.a.iter().cloned().chain(products).collect();
    multiples(batch, Group::G1, &logarithms, &batch.system().generator(Group::G1))
}

/// Draws s and the numbers s·x_1 + 1, …
pub(super) fn draw(shape: &Shape, ring: &Ring, x: &[Scalar]) -> Result<Drawn, getrandom::Error> {
    let s = shape.residue(ring)?;
    Ok(Drawn { hiding: x.iter().map(|x| ring.product_and_one(&s, x)).collect(), blind: Vec::new(), s })
}

/// Computes −aᵀU·g_1, which cancels the 1 that was added to s·x_i.
pub(super) fn back(batch: &Batch, public: &[Point]) -> Vec<Point> {
    public[ROWS..ROWS + COLUMNS].iter().map(|p| batch.system().neg(p)).collect()
}

/// The sums that give the points of a ciphertext: C, C_1, C_2, …
pub(super) fn row<'a, P>(public: &'a [P], back: &'a [P], drawn: &'a Drawn) -> Vec<Vec<Term<'a, P>>> {
    let (a, rest) = public.split_at(ROWS);
    let (u, w) = rest.split_at(COLUMNS);
    let first = a.iter().map(|a| vec![times(&drawn.s, a)]);
    let element = |(w, hiding): (&'a [P], &'a Scalar)| {
        let columns = w.iter().zip(u).zip(back);
        let column = move |((w, u), back)| vec![times(&drawn.s, w), times(hiding, u), Term::Itself(back)];
        columns.map(column).collect::<Vec<_>>()
    };
    first.chain(w.chunks(COLUMNS).zip(&drawn.hiding).flat_map(element)).collect()
}

/// Returns true if an element of a token's vector, which is public, is 0 modulo r.
pub(super) fn is_zero(ring: &Ring, v: &Scalar) -> bool {
    ring.reduced(v).as_ref().iter().all(|byte| *byte == 0)
}

/// Computes the points of a token: K, and −v_i·K' for the positions of the v_i that are not 0.
pub(super) fn token(
    batch: &Batch,
    shape: &Shape,
    seed: &[u8],
    v: &[Scalar],
    places: &[usize],
) -> Result<Vec<Point>, getrandom::Error> {
    let ring = Ring::new(batch.system().order());
    let (secret, t) = (Secret::derived(shape, &ring, seed), shape.residue(&ring)?);
    let tb: Vec<Scalar> = secret.b.iter().map(|b| ring.product(&t, b)).collect();
    // Σ v_i·W_i, and then its product with tb
    let sum = |entry: usize| ring.sum(None, secret.w.iter().map(|w| &w[entry]).zip(v));
    let sums: Vec<Scalar> = (0..ROWS * COLUMNS).map(sum).collect();
    let k = secret.k.iter().zip(sums.chunks(COLUMNS)).map(|(k, row)| ring.sum(Some(k), row.iter().zip(&tb)));
    let negative: Vec<Scalar> = tb.iter().map(|x| ring.negative(x)).collect();
    let scaled = places.iter().flat_map(|i| negative.iter().map(|x| ring.product(x, &v[*i])));
    let logarithms: Vec<Scalar> = k.chain(scaled).collect();
    Ok(multiples(batch, Group::G2, &logarithms, &batch.system().generator(Group::G2)))
}
