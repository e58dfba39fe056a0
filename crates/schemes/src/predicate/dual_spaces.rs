//! Inner products in dual pairing vector spaces: Okamoto, Takashima, "Adaptively attribute-hiding (hierarchical) inner product
//! encryption", EUROCRYPT 2012, ePrint 2011/543, the basic scheme. Groups of a prime order r with generators g_1 and g_2, written
//! additively; vectors of N = 4n + 2 elements of G1 or G2.
//!
//! | | |
//! |---|---|
//! | secret key | X, a random invertible N×N matrix over F_r (`matrix.rs`), and ψ; rows of X·g_1 are the basis b_0 … b_{4n+1} of G1^N, rows of ψ·X^(−T)·g_2 the dual basis b*_0 … b*_{4n+1} of G2^N |
//! | public key | b_0, b_1 … b_n, b_{4n+1}; g_T = e(g_1, g_2)^ψ |
//! | ciphertext of x | ζ·b_0 + ω·Σ x_i·b_i + φ·b_{4n+1}; g_T^ζ is the key of the message |
//! | token of v | b*_0 + σ·Σ v_i·b*_i + Σ η_i·b*_{3n+i} |
//! | match | Π e(C_j, K_j) = g_T^(ζ + ωσ·⟨x, v⟩) |
//!
//! The paper uses a symmetric pairing and the decisional linear assumption. With G1 ≠ G2 the bases lie in G1^N and
//! the dual bases in G2^N (Okamoto, Takashima, CRYPTO 2010, ePrint 2010/563, appendix on asymmetric pairings), and
//! the assumption is required of both groups.
//!
//! Cost: 4n + 2 pairings per row with the token fixed; encryption takes (n + 2)(4n + 2) multiples of points and one
//! power; a token takes 4n + 2 multiples in G2 and O(n²) products in F_r; a public key has (n + 2)(4n + 2) points.

use super::encrypt::Drawn;
use super::matrix::Matrix;
use super::scheme::Shape;
use crate::combine::{Term, multiples, times};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{Batch, Group, Point};

/// The longest vector: the size of the public key grows with the square of the length, and the key must fit into a
/// file.
pub(super) const MAX_LENGTH: usize = 60;

/// The dimension N for vectors of n elements.
pub(super) fn dimension(length: usize) -> usize {
    4 * length + 2
}

/// Derives ψ.
pub(super) fn message_logarithm(shape: &Shape, ring: &Ring, seed: &[u8]) -> Scalar {
    ring.reduced(&shape.derived(seed, "dual spaces psi", 0))
}

/// Computes the points of the public key: b_0, b_1, …, b_n, b_{4n+1}.
pub(super) fn public_points(batch: &Batch, shape: &Shape, ring: &Ring, seed: &[u8]) -> Vec<Point> {
    let size = dimension(shape.length);
    let rows = Matrix::derived(ring, shape, seed, size).rows((0..=shape.length).chain([size - 1]));
    multiples(batch, Group::G1, rows.iter().flatten(), &batch.system().generator(Group::G1))
}

/// Draws s = ζ, the numbers ωx_1 + 1, …, and φ.
pub(super) fn draw(shape: &Shape, ring: &Ring, x: &[Scalar]) -> Result<Drawn, getrandom::Error> {
    let [s, factor, blind] = [shape.residue(ring)?, shape.residue(ring)?, shape.residue(ring)?];
    Ok(Drawn { s, hiding: x.iter().map(|x| ring.product_and_one(&factor, x)).collect(), blind: vec![blind] })
}

/// Computes −Σ b_i, which cancels the 1 that was added to each ωx_i.
pub(super) fn back(batch: &Batch, shape: &Shape, public: &[Point]) -> Vec<Point> {
    let size = dimension(shape.length);
    let columns: Vec<Point> =
        (0..size).flat_map(|j| (1..=shape.length).map(move |i| public[i * size + j].clone())).collect();
    let ranges: Vec<_> = (0..size).map(|j| j * shape.length..(j + 1) * shape.length).collect();
    batch.sums(Group::G1, &columns, &ranges).iter().map(|p| batch.system().neg(p)).collect()
}

/// The sums that give the points of a ciphertext.
pub(super) fn row<'a, P>(public: &'a [P], back: &'a [P], drawn: &'a Drawn) -> Vec<Vec<Term<'a, P>>> {
    let scalars: Vec<&Scalar> = std::iter::once(&drawn.s).chain(&drawn.hiding).chain(&drawn.blind).collect();
    let column = |(j, back): (usize, &'a P)| {
        let basis = public.iter().skip(j).step_by(dimension(drawn.hiding.len()));
        scalars.iter().zip(basis).map(|(k, b)| times(k, b)).chain([Term::Itself(back)]).collect()
    };
    back.iter().enumerate().map(column).collect()
}

/// Computes the points of a token. σ and η are uniform, and so are their products with ψ.
pub(super) fn token(batch: &Batch, shape: &Shape, seed: &[u8], v: &[Scalar]) -> Result<Vec<Point>, getrandom::Error> {
    let ring = Ring::new(batch.system().order());
    let (zero, factor) = (Scalar::new(&[0]), shape.residue(&ring)?);
    let mut c = vec![message_logarithm(shape, &ring, seed)];
    c.extend(v.iter().map(|v| ring.product(&factor, v)));
    c.resize(3 * shape.length + 1, zero.clone());
    for _ in 0..shape.length {
        c.push(shape.residue(&ring)?);
    }
    c.push(zero);
    let logarithms = Matrix::derived(&ring, shape, seed, dimension(shape.length)).dual(&c);
    Ok(multiples(batch, Group::G2, &logarithms, &batch.system().generator(Group::G2)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::predicate::{Pattern, Scheme, setup};
    use bilinear_engine::params::Curve;
    use bilinear_engine::{Gt, PointRef, System, Validate};

    const N: usize = 14;

    /// Decodes the points of a group that follow `before` bytes.
    fn points(system: &System, group: Group, bytes: &[u8], before: usize) -> Vec<Point> {
        let len = system.point_len(group);
        let chunks = bytes[before..before + N * len].chunks(len);
        chunks.map(|bytes| system.decode(group, PointRef::Bytes(bytes), Validate::Subgroup).unwrap()).collect()
    }

    /// Checks every coordinate of a row in the basis, and of a token in the dual basis, as powers of one value: which
    /// coordinates are 0, which have their prescribed value, and which are drawn anew.
    #[test]
    fn coordinates_are_those_of_the_paper() {
        let batch = Batch::new(System::new(&Curve::named("d-159").unwrap()).unwrap()).on_this_thread();
        let system = batch.system();
        let (public, secret) = setup(&batch, Scheme::DualSpaces, 3).unwrap();
        let (ring, shape) = (Ring::new(system.order()), &secret.shape);
        let matrix = Matrix::derived(&ring, shape, &secret.seed[..], N);
        let generators = [Group::G1, Group::G2].map(|group| system.generator(group));
        let of = |group: Group, x: &Scalar| system.mul_secret(x.as_ref(), &generators[(group == Group::G2) as usize]);
        let one = system.gt_one();
        let product = |pairs: Vec<(Point, Point)>| {
            pairs.iter().fold(one.clone(), |all, (p, q)| system.gt_mul(&all, &system.pair(p, q)))
        };
        let unit = |i: usize| -> Vec<Scalar> { (0..N).map(|j| u64::from(i == j).into()).collect() };
        let [x, v] = [[0u64, 3, 6], [5, 0, 10]].map(|v| v.map(Scalar::from).to_vec());
        let row = || points(system, Group::G1, &public.encrypt(&batch, &[(&x, b"")]).unwrap()[0], 41);
        let coordinates = |row: &[Point]| -> Vec<Gt> {
            let dual = |i| matrix.dual(&unit(i)).iter().map(|x| of(Group::G2, x)).collect::<Vec<_>>();
            (0..N).map(|i| product(row.iter().cloned().zip(dual(i)).collect())).collect()
        };
        let [c, other] = [coordinates(&row()), coordinates(&row())];
        assert_eq!(c[3], system.gt_mul(&c[2], &c[2]));
        assert!((0..N).all(|i| (c[i] == one) != [0, 2, 3, 13].contains(&i)));
        assert!([0, 2, 13].iter().all(|i| c[*i] != other[*i]) && c[0] != c[13]);
        let token = || {
            let token = secret.token(&batch, &Pattern::InnerProduct(v.clone())).unwrap();
            points(system, Group::G2, &token.to_bytes(), 43 + 6)
        };
        let basis = matrix.rows(0..N);
        let coordinates = |token: &[Point]| -> Vec<Gt> {
            let row = |i: usize| basis[i].iter().map(|x| of(Group::G1, x));
            (0..N).map(|i| product(row(i).zip(token.iter().cloned()).collect())).collect()
        };
        let [k, other] = [coordinates(&token()), coordinates(&token())];
        assert!(Some(&k[0]) == public.message.as_ref() && k[0] == other[0]);
        assert_eq!(k[3], system.gt_mul(&k[1], &k[1]));
        assert!((0..N).all(|i| (k[i] == one) != [0, 1, 3, 10, 11, 12].contains(&i)));
        assert!([1, 10, 11, 12].iter().all(|i| k[*i] != other[*i]) && k[10] != k[11] && k[11] != k[12]);
    }
}
