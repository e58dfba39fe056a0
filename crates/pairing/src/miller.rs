//! The Miller loop (Miller 1986; J. Cryptology 17, 2004): the only one in large characteristic.
//!
//! For n = Σ n_i·2^i, f_{n,P} is built from f_{2m,P} = f_{m,P}²·l_{mP,mP} and f_{m+d,P} = f_{m,P}·f_{d,P}·l_{mP,dP}. Vertical
//! lines lie in a proper subfield and vanish in the final exponentiation (denominator elimination, Barreto, Kim, Lynn,
//! Scott, CRYPTO 2002), so f_{−d} is the conjugate of f_d.
//!
//! A single pairing is a product of one: f owns any number of pairs, which share its squarings. Where the lines come from (moving
//! points, precomputed coefficients) is up to [`Lines`].
//!
//! The loop can be cut into parts, which several cores compute at a time (Aranha, Knapp, Menezes and Rodríguez-Henríquez,
//! IMACC 2011, section 3). Each step is f ← f²·h with h a function of the running points alone. So a part that begins with
//! f = 1 where the steps before it have left these points gives h_i^(2^(m−1))⋯h_(i+m−1), and with s steps behind it its value to
//! the power 2^s is its factor of the product.

/// A loop length in signed digits.
#[derive(Clone, Debug)]
pub struct LoopDigits {
    /// Most significant first, the leading one positive.
    pub digits: Vec<i8>,
    /// The length is a multiple of P's order: the last addition meets the inverse of the running point, so its line is
    /// vertical and is left out.
    pub closes: bool,
}

impl LoopDigits {
    /// The steps of the loop: one for each digit but the first.
    pub fn steps(&self) -> usize {
        self.digits.len() - 1
    }
}

/// Steps of one of a pairing's loops, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopPart {
    /// The number of the loop: 0, but for the Weil pairings, which have several.
    pub number: usize,
    /// The number of the first step.
    pub first: usize,
    /// The number behind the last one.
    pub end: usize,
}

impl LoopPart {
    /// All steps of a loop.
    pub fn whole(number: usize, length: &LoopDigits) -> Self {
        LoopPart { number, first: 0, end: length.steps() }
    }
}

/// A source of line values for the pairs of a product.
pub trait Lines {
    /// The accumulator f: an element of F_p^k, or a product that has not been expanded to one yet.
    type Value;

    /// 1.
    fn one(&self) -> Self::Value;
    /// Π f_{d,P}(Q) over the pairs; the running points are set to dP.
    fn start(&mut self, d: i8) -> Self::Value;
    /// f².
    fn square(&self, f: Self::Value) -> Self::Value;
    /// f times the tangents at the running points, which are doubled.
    fn double(&mut self, f: Self::Value) -> Self::Value;
    /// f·f_{d,P}(Q): f for d = ±1.
    fn join(&mut self, _: i8, f: Self::Value) -> Self::Value {
        f
    }
    /// f times the lines through the running points and dP, which is added to them.
    fn add(&mut self, d: i8, f: Self::Value) -> Self::Value;
}

/// The product of f_{n,P}(Q) over the pairs, up to factors that the final exponentiation removes.
pub fn miller<L: Lines>(lines: &mut L, length: &LoopDigits) -> L::Value {
    miller_part(lines, length, LoopPart::whole(0, length))
}

/// A part of the loop: these steps, behind the first digit where they begin with 0.
///
/// # Panics
/// If the loop has fewer steps.
pub(crate) fn miller_part<L: Lines>(lines: &mut L, length: &LoopDigits, part: LoopPart) -> L::Value {
    let digits = length.digits.split_first();
    let (first, rest) = digits.unwrap_or_else(|| unreachable!("a loop is longer than 0"));
    let mut f = lines.start(*first);
    if part.first > 0 {
        // the steps before move the points; their lines are evaluated for nothing, which no recording keeps
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
