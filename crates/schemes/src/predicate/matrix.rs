//! A random invertible matrix X over F_r, r prime, derived from a seed in constant time: there is no search for
//! pivots.
//!
//! X = L·D·U, where L is lower and U upper triangular with 1 on the diagonal, and D is diagonal. Uniform L, D and U
//! make X uniform among the matrices whose leading minors are not 0, which are all but a fraction N/r of them. A row
//! of X takes O(N²) products, and so does a row of its inverse transposed: L·D·U·t = c is solved by substitution.

use super::scheme::Shape;
use crate::scalar::{Ring, Scalar};

pub(super) struct Matrix<'r> {
    ring: &'r Ring,
    size: usize,
    /// The entries L_ik for k < i, row by row.
    below: Vec<Scalar>,
    /// The entries U_kj for k < j, column by column.
    above: Vec<Scalar>,
    /// The inverses 1/D_k.
    inverse: Vec<Scalar>,
}

/// The number of entries before those of a row of L, or of a column of U.
fn before(index: usize) -> usize {
    index * index.saturating_sub(1) / 2
}

impl<'r> Matrix<'r> {
    /// Derives the matrix with `size` rows from a seed.
    pub(super) fn derived(ring: &'r Ring, shape: &Shape, seed: &[u8], size: usize) -> Matrix<'r> {
        let numbers = |label: &str, count: usize| shape.residues(ring, seed, label, count);
        let (below, above) = (numbers("matrix below", before(size)), numbers("matrix above", before(size)));
        Matrix { ring, size, below, above, inverse: numbers("matrix diagonal", size) }
    }

    /// Computes rows of X. D is inverted once for all of them.
    pub(super) fn rows(&self, which: impl IntoIterator<Item = usize>) -> Vec<Vec<Scalar>> {
        let diagonal: Vec<Scalar> = self.inverse.iter().map(|x| self.ring.inverse(x)).collect();
        which.into_iter().map(|i| self.row(i, &diagonal)).collect()
    }

    /// Computes row i: X_ij = Σ L_ik·D_k·U_kj over k up to i and j.
    fn row(&self, i: usize, diagonal: &[Scalar]) -> Vec<Scalar> {
        let below = &self.below[before(i)..before(i) + i];
        let mut scaled: Vec<Scalar> = below.iter().zip(diagonal).map(|(l, d)| self.ring.product(l, d)).collect();
        scaled.push(diagonal[i].clone());
        let entry = |j: usize| {
            let above = &self.above[before(j)..before(j) + j];
            self.ring.sum(scaled.get(j), scaled.iter().zip(above))
        };
        (0..self.size).map(entry).collect()
    }

    /// Computes c·X^(−T), which is the t with X·t = c.
    pub(super) fn dual(&self, c: &[Scalar]) -> Vec<Scalar> {
        // −y for L·y = c
        let mut negative: Vec<Scalar> = Vec::with_capacity(self.size);
        for (i, c) in c.iter().enumerate() {
            let y = self.ring.sum(Some(c), self.below[before(i)..before(i) + i].iter().zip(&negative));
            negative.push(self.ring.negative(&y));
        }
        // −t for D·U·t = y, from the last entry on
        let mut left: Vec<Scalar> =
            negative.iter().zip(&self.inverse).map(|(y, inverse)| self.ring.product(y, inverse)).collect();
        for j in (0..self.size).rev() {
            let t = self.ring.negative(&left[j]);
            for (k, u) in self.above[before(j)..before(j) + j].iter().enumerate() {
                left[k] = self.ring.sum(Some(&left[k]), [(u, &t)]);
            }
            left[j] = t;
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::Scheme;
    use bilinear_engine::BigUint;

    /// X times its inverse is 1, checked with plain integers, and another seed gives another matrix.
    #[test]
    fn the_dual_is_the_inverse_transposed() {
        let r: BigUint = (BigUint::from(1u8) << 255u32) - 19u8;
        let (ring, shape) = (Ring::new(&r), Shape { scheme: Scheme::DualSpaces, length: 1, bits: vec![255] });
        let number = |x: &Scalar| BigUint::from_bytes_be(x.as_ref());
        let unit = |size: usize, i: usize| -> Vec<Scalar> { (0..size).map(|j| u64::from(i == j).into()).collect() };
        for size in [1, 2, 3, 10] {
            let matrix = Matrix::derived(&ring, &shape, &[7; 32], size);
            let rows = matrix.rows(0..size);
            assert!(rows.concat().iter().all(|x| number(x) != BigUint::default() && number(x) < r));
            for i in 0..size {
                let dual = matrix.dual(&unit(size, i));
                for (j, row) in rows.iter().enumerate() {
                    let product: BigUint = row.iter().zip(&dual).map(|(a, b)| number(a) * number(b)).sum();
                    assert_eq!(product % &r, u8::from(i == j).into(), "{size}, {i}, {j}");
                }
            }
            let other = Matrix::derived(&ring, &shape, &[8; 32], size).rows([0]);
            assert_ne!(number(&other[0][size - 1]), number(&rows[0][size - 1]));
        }
    }
}
