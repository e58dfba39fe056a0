//! The field of rows on the kernels of `build/rows.rs`. It takes only roomy moduli, with at least 14 spare bits: no
//! quotient is estimated before a reduction.

#[cfg(test)]
#[path = "rows/tests/ranges.rs"]
mod ranges;
#[cfg(test)]
mod tests;

use super::places::{LANES, Residues, Vector};
use super::rules::{LaneRules, ROOMY};
use super::{Ifma, LIMB};
use crate::bounds::{Range, Rules};
use crate::contract::{Field, Lanes, ModulusError, Prime};
use crate::dispatch::{Engine, EngineError, Margin};
use crate::rows::{Function, KERNELS, Kernel, Row, RowField};
use crate::term::Term;
use crate::words::split;
use num_bigint::BigUint;
use std::sync::Arc;

/// The most limbs of an element in a row.
const MAX: usize = 8;

/// F_p on rows.
struct IfmaRows {
    field: Ifma<MAX>,
    functions: [Function; KERNELS],
    limbs: usize,
    /// The modulus of the kernels, a multiple of p.
    n: BigUint,
    rules: RowRules,
}

/// Creates F_p on rows of up to eight limbs.
///
/// # Errors
/// Returns an error as [`field`](crate::rows::field) does.
pub(crate) fn field_of_rows(p: &BigUint, spare: u64) -> Result<Arc<dyn RowField>, EngineError> {
    Ok(Arc::new(IfmaRows::new(p, spare)?))
}

impl IfmaRows {
    fn new(p: &BigUint, spare: u64) -> Result<Self, EngineError> {
        let margin = Margin { spare: spare.max(ROOMY), ..Margin::default() };
        let field = Ifma::<MAX>::with_margin(p, margin)?.ok_or(EngineError::Unavailable(Engine::Rows))?;
        let machine = &field.0.machine;
        let limbs = machine.limbs();
        let too_large = || ModulusError::TooLarge { bits: p.bits(), max: super::bits(MAX, margin.spare) };
        let (functions, _) = machine.rows().ok_or_else(too_large)?;
        let n = p * super::multiplier(p, limbs);
        let rules = RowRules(LaneRules::new(LIMB * limbs as u64 - n.bits(), limbs, margin));
        Ok(IfmaRows { functions, limbs, n, rules, field })
    }

    /// Returns the limbs of up to eight rows in lanes; lanes without a row are 0.
    fn lanes(&self, rows: &[Row]) -> Residues<MAX> {
        let mut limbs = [Vector::default(); MAX];
        for (lane, row) in rows.iter().enumerate() {
            limbs.iter_mut().zip(carried(row, self.limbs)).for_each(|(limb, x)| limb.0[lane] = x);
        }
        Residues::new(&limbs[..self.limbs])
    }

    /// Sets `rows` to the values of the first lanes of x.
    fn rows(&self, rows: &mut [Row], x: &Residues<MAX>) {
        let mut limbs = [Vector::default(); MAX];
        self.field.0.machine.read_into(&mut limbs, x);
        for (j, limb) in limbs.into_iter().enumerate().take(self.limbs) {
            rows.iter_mut().zip(limb.0).for_each(|(row, limb)| row.0[j] = limb as i64);
        }
    }
}

/// Returns the carried limbs of a row, which are in [0, 2^52), the last one as it is.
fn carried(row: &Row, limbs: usize) -> [u64; LANES] {
    let (mut out, mut carry) = ([0; LANES], 0);
    for (j, (out, limb)) in out.iter_mut().zip(row.0).enumerate().take(limbs) {
        let limb = limb + carry;
        carry = limb >> LIMB;
        *out = if j + 1 < limbs { limb & ((1 << LIMB) - 1) } else { limb } as u64;
    }
    out
}

impl RowField for IfmaRows {
    fn modulus(&self) -> &BigUint {
        self.field.modulus()
    }

    fn wide(&self) -> usize {
        (2 * self.limbs).div_ceil(LANES)
    }

    fn function(&self, kernel: Kernel) -> Function {
        self.functions[kernel.number()]
    }

    fn context(&self) -> *const () {
        self.field.0.machine.rows().map_or(std::ptr::null(), |(_, context)| context)
    }

    fn rules(&self) -> Arc<dyn Rules> {
        Arc::new(self.rules)
    }

    fn bias(&self) -> Row {
        let bias = &self.n * self.rules.0.bias_difference();
        let mut row = Row::default();
        row.0.iter_mut().zip(split(&bias.to_u64_digits(), LIMB)).for_each(|(limb, x)| *limb = x as i64);
        row
    }

    fn load(&self, rows: &mut [Row], values: &[&[u64]]) {
        let mut x = Residues::default();
        self.field.load(&mut x, values);
        self.rows(rows, &x);
    }

    fn store(&self, words: &mut [u64], rows: &[Row]) {
        let len = self.field.word_len();
        let mut all = vec![0; LANES * len];
        self.field.store_all(&mut all, &self.lanes(rows));
        words.copy_from_slice(&all[..rows.len() * len]);
    }

    fn invert(&self, x: &Row) -> Row {
        let mut out = [Row::default()];
        self.rows(&mut out, &self.field.inv_lane(&self.lanes(&[*x])));
        out[0]
    }

    fn zeros(&self, rows: &[Row]) -> u8 {
        self.field.is_zero(&self.lanes(rows)).0
    }

    fn odds(&self, rows: &[Row]) -> u8 {
        self.field.is_odd(&self.lanes(rows)).0
    }
}

/// The range rules of lanes, except that no form of unreduced values is carried, and that a difference is always
/// lazy.
#[derive(Clone, Copy)]
struct RowRules(LaneRules);

impl Rules for RowRules {
    fn closed(&self) -> Range {
        self.0.closed()
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        self.0.product(a, b)
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.0.columns(Range::form(terms))
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.0.reduced(self.0.columns(Range::form(terms))?)
    }

    fn add(&self, a: Range, b: Range, negative: bool) -> Result<Range, String> {
        if negative { self.0.biased_difference(a, b) } else { self.0.add(a, b, false) }
    }

    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.0.biased_sum(terms)
    }

    fn is_exact(&self) -> bool {
        true
    }
}
