//! PBC (Lynn) on our curve, with our points. Before anything is timed, its values are compared with ours on every
//! shared input.

use super::ffi::{Elements, Fixed, Group, Pairing, Prepared};
use super::{CurvePeer, GroupJob, PeerError, Peers, param_text};
use crate::bulk::Work;
use crate::inputs::{Inputs, Random};
use crate::method::Contender;
use bilinear_engine::{Group as Source, System};
use num_bigint::BigUint;
use std::rc::Rc;

/// A PBC library on one curve, with the points of the first rows of the inputs.
pub(super) struct PbcCurve {
    label: String,
    pairing: Rc<Pairing>,
    ps: Elements,
    qs: Elements,
    /// e(P_i, Q_i).
    gts: Elements,
    scalars: Vec<Vec<u64>>,
}

/// The place for one measurement's results, and the number of its next row.
struct Seat<'a> {
    curve: &'a PbcCurve,
    out: Elements,
    next: usize,
}

impl Peers {
    /// Returns every build of PBC on the curve of `system`. Its values are checked on the first `rows` rows, and on
    /// products of the sizes in `products`. Empty if PBC has no form for the parameters.
    ///
    /// # Errors
    /// Returns an error if a library cannot compute on the curve, or computes another value.
    pub(super) fn pbc_curves(
        &self,
        system: &System,
        inputs: &Inputs,
        rows: usize,
        products: &[usize],
        random: &Random,
    ) -> Result<Vec<PbcCurve>, PeerError> {
        let Some(text) = param_text(system.curve()) else { return Ok(vec![]) };
        let mut curves = vec![];
        for (label, pbc) in &self.pbc {
            let (order, name) = (system.order().to_u64_digits(), system.curve().name());
            let refused = || PeerError::Refused { peer: label.clone(), curve: name.to_owned() };
            let pairing = Pairing::new(pbc, &text, &order, system.point_len(Source::G1)).ok_or_else(refused)?;
            let curve = PbcCurve::new(label, pairing, system, inputs, rows, random.clone())?;
            curve.check(system, inputs, products)?;
            curves.push(curve);
        }
        Ok(curves)
    }
}

impl PbcCurve {
    fn new(
        label: &str,
        pairing: Rc<Pairing>,
        system: &System,
        inputs: &Inputs,
        rows: usize,
        mut random: Random,
    ) -> Result<PbcCurve, PeerError> {
        let [mut ps, mut qs, gts] = [Group::G1, Group::G1, Group::Gt].map(|group| pairing.elements(group, rows));
        for row in 0..rows {
            let (p, q) = inputs.row(row);
            let read = ps.read(row, p.bytes().unwrap_or_default()) && qs.read(row, q.bytes().unwrap_or_default());
            if !read {
                return Err(PeerError::Point { peer: label.to_owned(), curve: system.curve().name().to_owned(), row });
            }
        }
        let scalars = (0..rows).map(|_| random.below(system.order()).to_u64_digits()).collect();
        let mut curve = PbcCurve { label: label.to_owned(), pairing, ps, qs, gts, scalars };
        for row in 0..rows {
            let mut seat = curve.seat();
            seat.next = row;
            seat.pair();
            let value = seat.out.bytes(0);
            drop(seat);
            curve.gts.read(row, &value);
        }
        Ok(curve)
    }

    /// The number of rows.
    fn rows(&self) -> usize {
        self.scalars.len()
    }

    /// Creates a place for results in the target group.
    fn seat(&self) -> Seat<'_> {
        Seat { curve: self, out: self.pairing.elements(Group::Gt, 1), next: 0 }
    }

    /// Creates a place for results in G1.
    fn point_seat(&self) -> Seat<'_> {
        Seat { curve: self, out: self.pairing.elements(Group::G1, 1), next: 0 }
    }

    /// Returns a function that pairs the prepared first argument of row 0 with the second arguments of the rows in
    /// turn.
    fn prepared(&self) -> impl FnMut() + '_ {
        let (mut prepared, mut seat) = (Prepared::new(&self.ps, 0), self.seat());
        move || {
            let i = seat.advance();
            prepared.pair(&mut seat.out, &self.qs, i);
        }
    }

    fn check(&self, system: &System, inputs: &Inputs, products: &[usize]) -> Result<(), PeerError> {
        let same = |job, row, theirs: Vec<u8>, ours: &[u8]| {
            let (peer, curve) = (self.label.clone(), system.curve().name().to_owned());
            if theirs == ours { Ok(()) } else { Err(PeerError::Disagrees { peer, curve, job, row }) }
        };
        let (mut target, mut point) = (self.seat(), self.point_seat());
        let (mut prepared, mut fixed) = (Prepared::new(&self.ps, 0), Fixed::new(&self.ps, 0));
        let mut values = vec![];
        for row in 0..self.rows() {
            let (p, q) = inputs.row(row);
            let value = system.pair(p, q);
            same("pairing", row, self.gts.bytes(row), value.bytes())?;
            prepared.pair(&mut target.out, &self.qs, row);
            same("prepared pairing", row, target.out.bytes(0), system.pair(inputs.row(0).0, q).bytes())?;
            let k = limbs(&self.scalars[row]);
            point.out.multiple(&self.ps, row, &self.scalars[row]);
            same("point multiplication", row, point.out.bytes(0), system.mul(&k, p).bytes().unwrap_or_default())?;
            fixed.multiple(&mut point.out, &self.scalars[row]);
            let multiple = system.mul(&k, inputs.row(0).0);
            same("fixed multiplication", row, point.out.bytes(0), multiple.bytes().unwrap_or_default())?;
            target.out.multiple(&self.gts, row, &self.scalars[row]);
            same("power", row, target.out.bytes(0), system.gt_pow(&value, &k).bytes())?;
            values.push(value);
        }
        for size in products.iter().filter(|n| **n <= self.rows()) {
            target.next = 0;
            target.product(*size);
            let ours = values[..*size].iter().fold(system.gt_one(), |x, y| system.gt_mul(&x, y));
            same("product of pairings", *size, target.out.bytes(0), ours.bytes())?;
        }
        Ok(())
    }
}

impl CurvePeer for PbcCurve {
    fn label(&self) -> &str {
        &self.label
    }

    fn bulk(&self, work: Work, size: usize) -> Option<Contender<'_>> {
        let mut seat = self.seat();
        match work {
            Work::Pair => Some(Contender::new(&*self.label, 1, move || seat.pair())),
            // PBC has no products of prepared arguments: prepared pairings are measured one by one, without their
            // multiplication
            Work::Prepared | Work::PreparedProduct => Some(Contender::new(&*self.label, 1, self.prepared())),
            Work::Product if size <= self.rows() => {
                Some(Contender::new(&*self.label, size, move || seat.product(size)))
            }
            Work::Product => None,
        }
    }

    fn group(&self, job: GroupJob) -> Option<Contender<'_>> {
        let (mut points, mut powers) = (self.point_seat(), self.seat());
        match job {
            GroupJob::Validation(_) => None,
            GroupJob::Hash(_) => Some(Contender::new(&*self.label, 1, move || points.hash())),
            GroupJob::Multiplication(_) => Some(Contender::new(&*self.label, 1, move || points.multiple())),
            GroupJob::FixedMultiplication(_) => {
                let mut fixed = Fixed::new(&self.ps, 0);
                Some(Contender::new(&*self.label, 1, move || {
                    let i = points.advance();
                    fixed.multiple(&mut points.out, &self.scalars[i]);
                }))
            }
            GroupJob::Power => Some(Contender::new(&*self.label, 1, move || powers.power())),
        }
    }
}

impl Seat<'_> {
    fn advance(&mut self) -> usize {
        let i = self.next;
        self.next = (i + 1) % self.curve.rows();
        i
    }

    /// Computes the pairing of the next row.
    fn pair(&mut self) {
        let i = self.advance();
        self.curve.pairing.pair(&mut self.out, [&self.curve.ps, &self.curve.qs], i);
    }

    /// Computes the product of the pairings of n rows, starting one row after the last time.
    ///
    /// # Panics
    /// Panics if there are fewer than n rows.
    fn product(&mut self, n: usize) {
        let first = self.advance() % (self.curve.rows() - n + 1);
        self.curve.pairing.product(&mut self.out, [&self.curve.ps, &self.curve.qs], first..first + n);
    }

    /// Computes a multiple of the next row's first point; needs a place in G1.
    fn multiple(&mut self) {
        let i = self.advance();
        self.out.multiple(&self.curve.ps, i, &self.curve.scalars[i]);
    }

    /// Computes a power of the next row's value; needs a place in the target group.
    fn power(&mut self) {
        let i = self.advance();
        self.out.multiple(&self.curve.gts, i, &self.curve.scalars[i]);
    }

    /// Hashes the next message to a point by PBC's own hash; needs a place in G1.
    fn hash(&mut self) {
        self.next += 1;
        self.out.hash(0, &self.next.to_le_bytes());
    }
}

fn limbs(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |x, word| (x << 64u32) + *word)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use bilinear_params::Curve;

    #[test]
    fn pbc_agrees_with_us() {
        let peers = Peers::find(&mut |note| eprintln!("{note}"));
        if peers.pbc.is_empty() {
            eprintln!("skipped: no PBC; install libpbc or set BILINEAR_PBC");
        }
        for (name, seed) in [("a-512", 1), ("a1-1024", 2)] {
            let system = System::new(&Curve::named(name).unwrap()).unwrap();
            let mut random = Random::new(seed);
            let inputs = Inputs::new(&system, &mut random);
            let curves = peers.pbc_curves(&system, &inputs, 3, &[2, 3], &random).unwrap();
            assert_eq!(curves.len(), peers.pbc.len());
            // the comparison can fail: other points have other values
            let others = Inputs::new(&system, &mut random);
            for curve in curves {
                let disagreement = curve.check(&system, &others, &[]).unwrap_err();
                assert!(matches!(disagreement, PeerError::Disagrees { job: "pairing", row: 0, .. }));
            }
        }
    }
}
