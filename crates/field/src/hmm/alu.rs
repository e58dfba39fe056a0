//! The word operations of the engine, as a trait, so that operation counts can be taken from the code that ships.
//!
//! A coefficient is an i64, an unreduced one an i128. The engine computes with [`Plain`]; the tests substitute a
//! counter.

/// The cost class of a datapath operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// 64 × 64 → 128 bits, both factors variable, accumulated.
    Product,
    /// 64 × 64 → 128 bits with a constant, accumulated.
    Constant,
    /// The low word of a product with the constant z.
    Narrow,
    /// An addition of two words.
    Add,
}

/// Word arithmetic. Overflow is an error of the ranges, which debug builds report.
pub(super) trait Alu {
    /// Records an operation.
    fn note(&self, op: Op);

    /// Computes acc + a·b.
    #[inline(always)]
    fn product(&self, acc: i128, a: i64, b: i64) -> i128 {
        self.note(Op::Product);
        acc + a as i128 * b as i128
    }

    /// Computes acc + c·a for a constant c.
    #[inline(always)]
    fn constant(&self, acc: i128, c: i64, a: i64) -> i128 {
        self.note(Op::Constant);
        acc + c as i128 * a as i128
    }

    /// Computes a + b.
    #[inline(always)]
    fn add(&self, a: i128, b: i128) -> i128 {
        self.note(Op::Add);
        a + b
    }

    /// Computes low − μ·z + carry modulo 2^64, for the constant z.
    #[inline(always)]
    fn rest(&self, low: i64, mu: i64, z: i64, carry: i64) -> i64 {
        self.note(Op::Narrow);
        low.wrapping_sub(mu.wrapping_mul(z)).wrapping_add(carry)
    }
}

/// An ALU that computes and records nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Alu for Plain {
    #[inline(always)]
    fn note(&self, _: Op) {}
}
