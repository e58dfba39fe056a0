//! Distinct random inputs, determined by a seed.

use bilinear_engine::{Group, Point, PointRef, Row, System};
use num_bigint::BigUint;

/// The number of points in each group from which rows are made.
const POOL: usize = 64;
/// The number of distinct rows, which repeat after that.
pub(crate) const ROWS: usize = POOL * POOL;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): small and fast, for inputs that need to be varied but not secret.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the sequence of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Draws a seed from the operating system's randomness.
    ///
    /// # Errors
    /// Returns an error if the operating system has no randomness.
    pub fn fresh_seed() -> Result<u64, getrandom::Error> {
        getrandom::u64()
    }

    /// Returns 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fills a slice with random bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }

    /// Returns a random integer below `bound`.
    pub fn below(&mut self, bound: &BigUint) -> BigUint {
        let mut bytes = vec![0; bound.to_bytes_be().len() + 16];
        self.fill(&mut bytes);
        BigUint::from_bytes_be(&bytes) % bound
    }
}

/// The points for the measurements of one curve.
pub struct Inputs {
    ps: Vec<Point>,
    qs: Vec<Point>,
}

impl Inputs {
    /// Creates random points of the curve's groups.
    pub fn new(system: &System, random: &mut Random) -> Inputs {
        let mut points =
            |group| (0..POOL).map(|_| system.random_point(group, &mut |bytes| random.fill(bytes))).collect();
        Inputs { ps: points(Group::G1), qs: points(Group::G2) }
    }

    /// Returns row k. The first 4096 rows are distinct and then repeat; neighbouring rows have no point in common.
    pub fn row(&self, k: usize) -> (&Point, &Point) {
        (&self.ps[k % POOL], &self.qs[(k + k / POOL) % POOL])
    }

    /// Returns the first `count` rows.
    pub(crate) fn rows(&self, count: usize) -> Vec<Outside> {
        (0..count).map(|k| self.row(k)).map(|(p, q)| Outside(p.clone(), q.clone())).collect()
    }
}

/// A row whose points are decoded and checked like external points, although they were made here.
pub(crate) struct Outside(pub(crate) Point, pub(crate) Point);

impl Row for Outside {
    fn p(&self) -> PointRef<'_> {
        outside(&self.0)
    }
    fn q(&self) -> PointRef<'_> {
        outside(&self.1)
    }
}

/// Returns a point as external bytes.
pub(crate) fn outside(point: &Point) -> PointRef<'_> {
    point.bytes().map_or(PointRef::Infinity, PointRef::Bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_params::Curve;
    use std::collections::HashSet;

    #[test]
    fn splitmix_gives_its_known_sequence() {
        // the first outputs of the authors' reference implementation for seed 1234567
        let mut random = Random::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423u64];
        assert_eq!([(); 3].map(|()| random.next_u64()), expected);
    }

    #[test]
    fn rows_are_distinct_and_neighbours_share_nothing() {
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut Random::new(1));
        let rows = inputs.rows(ROWS);
        let distinct: HashSet<_> = rows.iter().map(|Outside(p, q)| (p.bytes(), q.bytes())).collect();
        assert_eq!(distinct.len(), rows.len());
        assert!(rows.windows(2).all(|w| w[0].0 != w[1].0 && w[0].1 != w[1].1));
        assert!([0, 1, 200].iter().all(|k| inputs.row(*k) == inputs.row(k + 3 * ROWS)));
    }

    #[test]
    fn numbers_are_below_their_bound() {
        let mut random = Random::new(2);
        let bound = BigUint::from(1_000_003u32) << 100u32;
        assert!((0..100).all(|_| random.below(&bound) < bound));
    }
}
