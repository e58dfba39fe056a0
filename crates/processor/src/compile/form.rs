//! Linear forms Σ c·x with small integers c, computed by additions, subtractions and doublings.
//!
//! Terms with the same |c| are added first. Then Horner's rule processes the digits of the coefficients from the top,
//! in binary or in non-adjacent form, whichever takes fewer operations.

use crate::compile::closed::Writer;
use crate::isa::Opcode;
use bilinear_program::Ref;
use num_integer::Integer;
use std::collections::BTreeMap;

/// A term c·x.
pub(crate) type Term = (Ref, i64);

/// Combines like terms and drops those that are 0; the result is in the order of the values.
pub(crate) fn collect(terms: impl IntoIterator<Item = Term>) -> Vec<Term> {
    let mut sums: BTreeMap<Ref, i64> = BTreeMap::new();
    for (x, c) in terms {
        *sums.entry(x).or_default() += c;
    }
    sums.into_iter().filter(|(_, c)| *c != 0).collect()
}

/// Returns the greatest common divisor of the coefficients.
pub(crate) fn common(terms: &[Term]) -> i64 {
    terms.iter().fold(0, |g: i64, (_, c)| g.gcd(c))
}

/// A value x or its negative −x.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signed {
    pub(crate) x: Ref,
    pub(crate) negative: bool,
}

/// A target for additions: writes lines, or counts them.
pub(crate) trait Sums {
    fn operate(&mut self, opcode: Opcode, args: &[Ref]) -> Ref;

    /// Computes a + b.
    fn add(&mut self, a: Signed, b: Signed) -> Signed {
        let (opcode, args) = match (a.negative, b.negative) {
            (false, true) => (Opcode::Sub, [a.x, b.x]),
            (true, false) => (Opcode::Sub, [b.x, a.x]),
            _ => (Opcode::Add, [a.x, b.x]),
        };
        Signed { x: self.operate(opcode, &args), negative: a.negative && b.negative }
    }

    /// Computes 2a.
    fn double(&mut self, a: Signed) -> Signed {
        Signed { x: self.operate(Opcode::Add, &[a.x, a.x]), ..a }
    }

    /// Computes the sum of at least one term.
    fn sum(&mut self, terms: &[Signed]) -> Signed {
        // a positive term first, to avoid an unnecessary negation of the result
        let first = terms.iter().position(|t| !t.negative).unwrap_or(0);
        let rest = terms.iter().enumerate().filter(|(i, _)| *i != first);
        rest.fold(terms[first], |sum, (_, t)| self.add(sum, *t))
    }
}

/// A writer whose sums are sums of wide values.
pub(crate) struct WideSums<'w>(pub(crate) &'w mut Writer);

impl Sums for WideSums<'_> {
    fn operate(&mut self, opcode: Opcode, args: &[Ref]) -> Ref {
        self.0.write(if opcode == Opcode::Add { Opcode::WAdd } else { Opcode::WSub }, args)
    }
}

impl Sums for Writer {
    fn operate(&mut self, opcode: Opcode, args: &[Ref]) -> Ref {
        self.write(opcode, args)
    }
}

/// A target that counts operations.
struct Counter(usize);

impl Sums for Counter {
    fn operate(&mut self, _: Opcode, args: &[Ref]) -> Ref {
        self.0 += 1;
        args[0]
    }
}

/// Returns the digits of c, lowest first: each is 0, 1 or −1.
fn digits(mut c: i64, adjacent: bool) -> Vec<i64> {
    let mut digits = vec![];
    while c != 0 {
        let digit = match (c % 2 == 0, adjacent) {
            (true, _) => 0,
            (false, true) => c.signum(),
            // the digit that leaves a multiple of 4
            (false, false) => 2 - (c & 3),
        };
        digits.push(digit);
        c = (c - digit) / 2;
    }
    digits
}

/// Computes a form by Horner's rule over the digits of the coefficients.
fn horner(sums: &mut impl Sums, terms: &[(Signed, i64)], adjacent: bool) -> Signed {
    let terms: Vec<(Signed, Vec<i64>)> = terms.iter().map(|(x, c)| (*x, digits(*c, adjacent))).collect();
    let top = terms.iter().map(|(_, digits)| digits.len()).max().unwrap_or(0);
    let mut sum = None;
    for position in (0..top).rev() {
        sum = sum.map(|sum| sums.double(sum));
        let here = terms.iter().filter_map(|(x, digits)| {
            let digit = digits.get(position).copied().unwrap_or(0);
            (digit != 0).then_some(Signed { x: x.x, negative: x.negative != (digit < 0) })
        });
        let all: Vec<Signed> = sum.into_iter().chain(here).collect();
        sum = (!all.is_empty()).then(|| sums.sum(&all));
    }
    sum.unwrap_or_else(|| unreachable!("a coefficient is not 0"))
}

/// Computes a form of at least one term.
pub(crate) fn form(sums: &mut impl Sums, terms: &[Term]) -> Signed {
    let common = common(terms);
    let mut groups: BTreeMap<i64, Vec<Signed>> = BTreeMap::new();
    for (x, c) in terms {
        groups.entry((c / common).abs()).or_default().push(Signed { x: *x, negative: *c < 0 });
    }
    let atoms: Vec<(Signed, i64)> = groups.into_iter().map(|(c, group)| (sums.sum(&group), c)).collect();
    let inner = best(sums, &atoms);
    best(sums, &[(inner, common)])
}

/// Computes a form by Horner's rule with the digits that take fewer operations.
fn best(sums: &mut impl Sums, atoms: &[(Signed, i64)]) -> Signed {
    let count = |adjacent: bool| {
        let mut counter = Counter(0);
        horner(&mut counter, atoms, adjacent);
        counter.0
    };
    horner(sums, atoms, count(true) <= count(false))
}

/// Returns the number of operations that a form takes.
pub(crate) fn cost(terms: &[Term]) -> usize {
    let mut counter = Counter(0);
    let sum = form(&mut counter, terms);
    counter.0 + usize::from(sum.negative)
}

/// Writes a form of at least one term.
pub(crate) fn write(writer: &mut Writer, terms: &[Term]) -> Ref {
    let sum = form(writer, terms);
    if sum.negative { writer.write(Opcode::Neg, &[sum.x]) } else { sum.x }
}

#[cfg(test)]
mod tests {
    use super::{cost, digits};
    use bilinear_program::Ref;

    #[test]
    fn digits_are_those_of_the_coefficient() {
        for c in -200..=200 {
            for adjacent in [false, true] {
                let digits = digits(c, adjacent);
                let value: i64 = digits.iter().zip(0..).map(|(digit, i)| digit << i).sum();
                assert_eq!(value, c, "{digits:?}");
                assert!(adjacent || digits.windows(2).all(|two| two[0] == 0 || two[1] == 0), "{c}: {digits:?}");
            }
        }
    }

    #[test]
    fn forms_cost_what_is_expected() {
        let [x, y, z] = [0, 1, 2].map(Ref::value);
        for (terms, want) in [
            (vec![(x, 1)], 0),
            (vec![(x, -1)], 1),
            (vec![(x, -1), (y, 1)], 1),
            (vec![(x, -1), (y, -1)], 2),
            (vec![(x, 3)], 2),
            (vec![(x, 3), (y, 2)], 3),
            (vec![(x, 3), (y, 3)], 3),
            (vec![(x, 4), (y, -4)], 3),
            (vec![(x, 7)], 4),
            (vec![(x, 15)], 5),
            (vec![(x, 3), (y, 3), (z, 1)], 4),
        ] {
            assert_eq!(cost(&terms), want, "{terms:?}");
        }
    }
}
