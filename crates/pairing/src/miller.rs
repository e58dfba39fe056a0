//! The Miller loop (Miller 1986; J. Cryptology 17, 2004): the only one in large characteristic.
//!
//! For n = Σ n_i·2^i, f_{n,P} is built from f_{2m,P} = f_{m,P}²·l_{mP,mP} and f_{m+d,P} = f_{m,P}·f_{d,P}·l_{mP,dP}. Vertical
//! lines lie in a proper subfield and vanish in the final exponentiation (denominator elimination, Barreto, Kim, Lynn,
//! Scott, CRYPTO 2002), so f_{−d} is the conjugate of f_d.
//!
//! A single pairing is a product of one: f serves any number of pairs, which share its squarings. [`Lines`] decides
//! where the lines come from (moving points or precomputed coefficients).
//!
//! The loop can be cut into parts that several cores compute at the same time (Aranha, Knapp, Menezes and
//! Rodríguez-Henríquez, IMACC 2011, section 3). Each step is f ← f²·h, where h is a function of the running points
//! alone. So a part of m steps that begins with f = 1 at the points reached by the steps before it gives
//! h_i^(2^(m−1))⋯h_(i+m−1). If s steps follow the part, its value to the power 2^s is its factor of the product.

/// A loop length in signed digits.
#[derive(Clone, Debug)]
pub struct LoopDigits {
    /// The digits, most significant first. The leading digit is positive.
    pub digits: Vec<i8>,
    /// True if the length is a multiple of P's order. Then the last addition meets the inverse of the running point,
    /// so its line is vertical and is left out.
    pub closes: bool,
}

impl LoopDigits {
    /// The number of steps of the loop: one for each digit but the first.
    pub fn steps(&self) -> usize {
        self.digits.len() - 1
    }
}

/// A part of one of a pairing's loops, of at least one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopPart {
    /// The index of the loop: 0, except for the Weil pairings, which have several loops.
    pub number: usize,
    /// The index of the first step.
    pub first: usize,
    /// The index after the last step.
    pub end: usize,
}

impl LoopPart {
    /// Creates the part that has all steps of a loop.
    pub fn whole(number: usize, length: &LoopDigits) -> Self {
        LoopPart { number, first: 0, end: length.steps() }
    }
}

/// A source of line values for the pairs of a product.
pub trait Lines {
    /// The accumulator f: an element of F_p^k, or a product that has not been expanded to one yet.
    type Value;

    /// Returns the accumulator f = 1.
    fn one(&self) -> Self::Value;
    /// Returns Π f_{d,P}(Q) over the pairs and sets the running points to dP.
    fn start(&mut self, d: i8) -> Self::Value;
    /// Returns f².
    fn square(&self, f: Self::Value) -> Self::Value;
    /// Returns f times the tangents at the running points, and doubles these points.
    fn double(&mut self, f: Self::Value) -> Self::Value;
    /// Returns f·f_{d,P}(Q), which is f for d = ±1.
    fn join(&mut self, _: i8, f: Self::Value) -> Self::Value {
        f
    }
    /// Returns f times the lines through the running points and dP, and adds dP to the running points.
    fn add(&mut self, d: i8, f: Self::Value) -> Self::Value;
}

/// Returns the product of f_{n,P}(Q) over the pairs, up to factors that the final exponentiation removes.
pub fn miller<L: Lines>(lines: &mut L, length: &LoopDigits) -> L::Value {
    miller_part(lines, length, LoopPart::whole(0, length))
}

/// Runs a part of the loop. A part that begins with step 0 includes the first digit.
///
/// # Panics
/// Panics if the loop has fewer steps.
pub(crate) fn miller_part<L: Lines>(lines: &mut L, length: &LoopDigits, part: LoopPart) -> L::Value {
    let digits = length.digits.split_first();
    let (first, rest) = digits.unwrap_or_else(|| unreachable!("a loop is longer than 0"));
    let mut f = lines.start(*first);
    if part.first > 0 {
        // the steps before the part move the points; their lines are evaluated too, but no recording keeps them
        for d in &rest[..part.first] {
            lines.double(lines.one());
            if *d != 0 {
                lines.add(*d, lines.one());
            }
        }
        f = lines.one();
    }
    for (i, d) in rest.iter().enumerate().take(part.end).skip(part.first) {
        let closing = length.closes && i + 1 == rest.len();
        f = lines.square(f);
        f = lines.double(f);
        if *d != 0 {
            f = lines.join(*d, f);
            f = if closing { f } else { lines.add(*d, f) };
        }
    }
    f
}
