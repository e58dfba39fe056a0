//! Elements of F_3 in two planes of bits: whether the element is not 0, and whether it is 2. The pair (0, 1) is not
//! used.
//!
//! A sum takes six operations on words (Boothby and Bradshaw, arXiv:0901.1413).

/// One bit of many elements of F_3: a word for 64 elements, or eight words for eight polynomials.
pub(super) trait Plane: Copy {
    /// The plane of zeros.
    const ZERO: Self;

    fn and(self, mask: u64) -> Self;
    fn or(self, other: Self) -> Self;
    /// Shifts each word up by n < 64 bits.
    fn up(self, n: u32) -> Self;
    /// Shifts each word down by n < 64 bits.
    fn down(self, n: u32) -> Self;
    /// Returns all ones for each word whose highest bit is set, else zeros.
    fn top(self) -> Self;
    /// Computes x + y.
    fn sum(x: [Self; 2], y: [Self; 2]) -> [Self; 2];
    /// Computes −x.
    fn negated(x: [Self; 2]) -> [Self; 2];
    /// Computes x − y.
    #[inline(always)]
    fn difference(x: [Self; 2], y: [Self; 2]) -> [Self; 2] {
        Self::sum(x, Self::negated(y))
    }
    /// Computes acc + a·b for a = 0, 1 or 2 as masks; the sign bit of a 0 in b and acc may be 1. Five operations with
    /// three operands each.
    fn multiply_add(acc: [Self; 2], a: [Self; 2], b: [Self; 2]) -> [Self; 2];
    /// Clears the sign bit of each 0.
    fn canonical(x: [Self; 2]) -> [Self; 2];
}

impl Plane for u64 {
    const ZERO: u64 = 0;

    #[inline(always)]
    fn and(self, mask: u64) -> u64 {
        self & mask
    }
    #[inline(always)]
    fn or(self, other: u64) -> u64 {
        self | other
    }
    #[inline(always)]
    fn up(self, n: u32) -> u64 {
        self << n
    }
    #[inline(always)]
    fn down(self, n: u32) -> u64 {
        self >> n
    }
    #[inline(always)]
    fn top(self) -> u64 {
        // black_box keeps the mask a value; without it the compiler could turn it into a branch
        std::hint::black_box(self >> 63).wrapping_neg()
    }
    #[inline(always)]
    fn sum([x0, x1]: [u64; 2], [y0, y1]: [u64; 2]) -> [u64; 2] {
        let (s, t) = (x0 ^ y1, x1 ^ y0);
        [(s ^ x1) | (t ^ y1), s & t]
    }
    #[inline(always)]
    fn negated([x0, x1]: [u64; 2]) -> [u64; 2] {
        [x0, x0 ^ x1]
    }
    #[inline(always)]
    fn multiply_add([v, s]: [u64; 2], [a0, a1]: [u64; 2], [b0, b1]: [u64; 2]) -> [u64; 2] {
        let product = a0 & b0;
        let differ = s ^ a1 ^ b1;
        // both are not 0: 1 + 1 = 2, 2 + 2 = 1, and 1 + 2 = 0
        let turned = (v & product) | (!v & differ);
        [(v ^ product) | (v & product & !differ), s ^ turned]
    }
    #[inline(always)]
    fn canonical([v, s]: [u64; 2]) -> [u64; 2] {
        [v, v & s]
    }
}

/// Returns the lowest 21 bits of x, with two 0 after each.
#[inline(always)]
pub(super) fn spread(x: u64) -> u64 {
    let x = x & 0x1f_ffff;
    let x = (x | x << 32) & 0x001f_0000_0000_ffff;
    let x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    let x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    let x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(x: u64) -> [u64; 2] {
        [[0, 0], [1, 0], [1, 1]][x as usize]
    }

    fn value([v, s]: [u64; 2]) -> u64 {
        (v & 1) * (1 + (s & 1))
    }

    #[test]
    fn sums_and_products_of_f_3() {
        for x in 0..3 {
            assert_eq!(u64::negated(of(x)), of((3 - x) % 3));
            for y in 0..3 {
                assert_eq!(u64::sum(of(x), of(y)), of((x + y) % 3), "{x} + {y}");
                assert_eq!(u64::difference(of(x), of(y)), of((x + 3 - y) % 3), "{x} - {y}");
                for acc in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                    // the sign bit of a 0 may be 1 in acc and in b
                    for [a, b] in [[of(x), of(y)], [of(x), [of(y)[0], of(y)[1] | u64::from(y == 0)]]] {
                        let found = u64::multiply_add(acc, a, b);
                        assert_eq!(value(found), (value(acc) + x * y) % 3, "{acc:?} + {x}·{y}");
                    }
                }
            }
        }
    }

    #[test]
    fn two_zeros_after_each_bit() {
        for i in 0..21 {
            assert_eq!(spread(1 << i), 1 << (3 * i));
        }
        assert_eq!(spread(u64::MAX), 0x1249_2492_4924_9249);
    }
}
