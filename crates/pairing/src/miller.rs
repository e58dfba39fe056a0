//! The Miller loop (Miller 1986; J. Cryptology 17, 2004): the only one in the project.
//!
//! For n = Σ n_i·2^i, f_{n,P} is built from f_{2m,P} = f_{m,P}²·l_{mP,mP} and f_{m+d,P} = f_{m,P}·f_{d,P}·l_{mP,dP}. Vertical
//! lines lie in a proper subfield and vanish in the final exponentiation (denominator elimination, Barreto, Kim, Lynn,
//! Scott, CRYPTO 2002), so f_{−d} is the conjugate of f_d.
//!
//! A single pairing is a product of one: each accumulator owns any number of pairs and its squarings are shared by them.
//! Where the lines come from (moving points, precomputed coefficients) is the [`Lines`]' affair.

use bilinear_field::{Field, at};

/// A loop length in signed digits.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Most significant first, the leading one positive.
    pub digits: Vec<i8>,
    /// The length is a multiple of P's order: the last addition meets the inverse of the running point, so its line is
    /// vertical and is left out.
    pub closes: bool,
}

/// A source of line values for the pairs of several products.
pub trait Lines {
    /// F_p^k.
    type Target: Field;

    /// F_p^k.
    fn target(&self) -> &Self::Target;
    /// Sets every accumulator to Π f_{d,P}(Q) over its pairs and the running points to dP.
    fn start(&mut self, d: i8, acc: &mut [<Self::Target as Field>::Elem]);
    /// Squares every accumulator.
    fn square(&mut self, acc: &mut [<Self::Target as Field>::Elem]) {
        for f in acc {
            at! {self.target(); square = sqr(f);}
            f.clone_from(&square);
        }
    }
    /// Multiplies in the tangents at the running points and doubles them.
    fn double(&mut self, acc: &mut [<Self::Target as Field>::Elem]);
    /// Multiplies in f_{d,P}(Q); nothing for d = ±1.
    fn join(&mut self, d: i8, acc: &mut [<Self::Target as Field>::Elem]);
    /// Multiplies in the lines through the running points and dP, and adds dP to them.
    fn add(&mut self, d: i8, acc: &mut [<Self::Target as Field>::Elem]);
    /// Called before the last doubling or addition: the loop does not need the points that it gives.
    fn last(&mut self) {}
    /// Called after it. Until then an accumulator may be in a form of the source's own.
    fn finish(&mut self, _: &mut [<Self::Target as Field>::Elem]) {}
}

/// Sets each accumulator to the product of f_{n,P}(Q) over its pairs, up to factors that the final exponentiation removes.
pub fn miller<L: Lines>(lines: &mut L, length: &Loop, acc: &mut [<L::Target as Field>::Elem]) {
    let Some((first, rest)) = length.digits.split_first() else {
        return acc.fill(lines.target().one());
    };
    lines.start(*first, acc);
    for (i, d) in rest.iter().enumerate() {
        let end = i + 1 == rest.len();
        let adds = *d != 0 && !(end && length.closes);
        lines.square(acc);
        if end && !adds {
            lines.last();
        }
        lines.double(acc);
        if *d != 0 {
            lines.join(*d, acc);
        }
        if adds {
            if end {
                lines.last();
            }
            lines.add(*d, acc);
        }
    }
    lines.finish(acc);
}
