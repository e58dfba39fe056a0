//! Products of a vector with a constant matrix of words, the body of both base extensions: Σ_i x_i·M_ij for every column j.
//!
//! A product of two words has 64 bits. The sum of the high words of all products is kept beside the sum of the products
//! modulo 2^64, so that no carry is lost: with at most 2^8 rows both sums of words are below 2^40. Columns are computed
//! eight at a time, in as many lanes as the vector instructions have.

/// The number of columns that are computed together.
pub(super) const LANES: usize = 8;

/// A matrix of words, stored in blocks of columns; the columns that fill up the last block are 0.
#[derive(Clone)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) blocks: Vec<[u32; LANES]>,
}

/// The sums of a block of columns: low + 2^32·high, both below 2^40.
pub(super) struct Sums {
    pub(super) low: [u64; LANES],
    pub(super) high: [u64; LANES],
}

impl Matrix {
    /// Creates the matrix with these entries.
    pub(super) fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> u32) -> Self {
        let at = |i: usize, j: usize| if j < columns { entry(i, j) } else { 0 };
        let block = |b: usize| (0..rows).map(move |i| (b, i));
        let blocks = (0..columns.div_ceil(LANES)).flat_map(block);
        let blocks = blocks.map(|(b, i)| std::array::from_fn(|lane| at(i, LANES * b + lane))).collect();
        Matrix { rows, blocks }
    }

    /// The number of blocks of columns.
    #[inline(always)]
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len() / self.rows
    }

    /// Computes a block of columns of x·M. Constant time.
    #[inline(always)]
    pub(super) fn times(&self, x: &[u32], block: usize) -> Sums {
        debug_assert_eq!(x.len(), self.rows);
        sums(&self.blocks[block * self.rows..][..self.rows], x)
    }
}

/// Computes the sums of one block.
#[inline(always)]
fn sums(rows: &[[u32; LANES]], x: &[u32]) -> Sums {
    let (mut all, mut high) = ([0u64; LANES], [0u64; LANES]);
    debug_assert!(rows.len() <= 1 << 8);
    let x = &x[..rows.len()];
    for i in 0..rows.len() {
        for lane in 0..LANES {
            let product = u64::from(x[i]) * u64::from(rows[i][lane]);
            all[lane] = all[lane].wrapping_add(product);
            // below 2^40; an overflow check would prevent vectorisation
            high[lane] = high[lane].wrapping_add(product >> 32);
        }
    }
    let mut low = all;
    for lane in 0..LANES {
        low[lane] = all[lane].wrapping_sub(high[lane] << 32);
    }
    Sums { low, high }
}
