//! Tests of the range rules of rows against their kernels: with values as large as the rules allow, whose limbs and
//! columns are as far from carried as those of sums of rows may be.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::bounds::saturated;
use crate::ifma::modulus::MAX_SPARE;
use crate::ifma::rules::UNIT_BITS;
use crate::ranges::{Rng, Turn, WIDE_BITS, extreme, repeat, widest};
use crate::rows::{Factors, MAX_WEIGHT};
use crate::term::{minus, plus, times};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// p·R in the units of unreduced values.
const PR: i64 = 1 << WIDE_BITS;
/// The most rows that are added, and subtracted, for a reduction or a closed sum.
const TERMS: u64 = 6;
/// How often each kernel is called in a long turn.
const ROUNDS: usize = 16;

/// A value in memory: its first row, and the number.
type Value = (usize, BigInt);

/// The memory of a call under construction: its rows.
struct Memory<'f> {
    f: &'f IfmaRows,
    rows: Vec<Row>,
}

impl Memory<'_> {
    fn modulus(&self) -> BigInt {
        self.f.n.clone().into()
    }

    /// The radix R of the field.
    fn radix(&self) -> BigInt {
        BigInt::one() << (LIMB * self.f.limbs as u64)
    }

    /// The size of the columns of one product: a carry into a column stays below 2^11.
    fn column(&self) -> i64 {
        ((2 * self.f.limbs as i64 - 1) << LIMB) + (1 << 11)
    }

    /// The greatest element of a range.
    fn top(&self, high: i64) -> BigUint {
        (&self.f.n * high as u64) >> UNIT_BITS
    }

    /// Writes a number as `len` limbs of at most `size`, mostly with one of the two values that are nearest to
    /// ±`size`.
    fn write(&mut self, rng: &mut Rng, x: BigInt, len: usize, size: i64) -> Value {
        let (place, mut rest, mut carry) = (self.rows.len(), x.clone(), 0);
        let mut limbs = vec![];
        for _ in 1..len {
            let digit = i64::try_from(rest.mod_floor(&(BigInt::one() << LIMB))).unwrap() - carry;
            rest >>= LIMB;
            let [low, high] = [-((size + digit) >> LIMB), (size - digit) >> LIMB];
            carry = match rng.below(4) {
                0 => low,
                1 | 2 => high,
                _ => low + rng.below((high - low + 1) as u64) as i64,
            };
            limbs.push(digit + (carry << LIMB));
        }
        limbs.push(i64::try_from(rest).unwrap() - carry);
        for row in limbs.chunks(LANES) {
            let mut limbs = row.iter().copied();
            self.rows.push(Row(std::array::from_fn(|_| limbs.next().unwrap_or(0))));
        }
        (place, x)
    }

    /// Writes an element of at most `high`, with limbs as large as those of a sum of `weight` carried rows.
    fn element(&mut self, rng: &mut Rng, high: i64, weight: u64) -> Value {
        let kind = rng.below(10);
        let x = extreme(rng, kind, 1, &self.top(high), &self.f.n);
        self.write(rng, x.into(), self.f.limbs, weight as i64 * ((1 << LIMB) - 1))
    }

    /// Writes an unreduced value in a range.
    fn wide(&mut self, rng: &mut Rng, range: Range) -> Value {
        let unit = self.modulus() * self.radix();
        let low: BigInt = (&unit * range.low) >> WIDE_BITS;
        let span: BigInt = ((&unit * range.high) >> WIDE_BITS) - &low;
        let kind = rng.below(10);
        let x = BigInt::from(extreme(rng, kind, 1, span.magnitude(), &self.f.n)) + low;
        self.write(rng, x, 2 * self.f.limbs, range.columns[1] * self.column())
    }

    /// Allocates the rows of a result, and returns the first.
    fn result(&mut self, is_wide: bool) -> usize {
        let place = self.rows.len();
        self.rows.resize(place + if is_wide { self.f.wide() } else { 1 }, Row::default());
        place
    }

    fn columns(&self, row: usize, is_wide: bool) -> Vec<i64> {
        let len = if is_wide { 2 * self.f.limbs } else { self.f.limbs };
        self.rows[row..].iter().flat_map(|row| row.0).take(len).collect()
    }

    fn number(&self, row: usize, is_wide: bool) -> BigInt {
        let columns = self.columns(row, is_wide).into_iter().rev();
        columns.fold(BigInt::default(), |sum, column| (sum << LIMB) + column)
    }

    /// Calls a kernel with a list in which places are rows.
    fn call(&mut self, kernel: Kernel, list: &[Entry]) {
        let list: Vec<u16> = list
            .iter()
            .map(|entry| match entry {
                Entry::Row(row) => (LANES * row) as u16,
                Entry::Number(n) => *n as u16,
            })
            .collect();
        self.f.field.0.machine.call_on_rows(kernel, &mut self.rows, &list, LANES);
    }

    /// Asserts that an unreduced result is the number, and in its range.
    fn check_wide(&self, row: usize, want: &BigInt, claim: Range, say: &dyn Fn() -> String) {
        let got = self.number(row, true);
        assert_eq!(got, *want, "{}", say());
        let (got, unit) = (got << WIDE_BITS, self.modulus() * self.radix());
        // a saturated end is no bound
        let above = claim.low == -i64::MAX || &unit * claim.low <= got;
        let below = claim.high == i64::MAX || got <= unit * claim.high;
        assert!(above && below, "not in {claim:?}: {}", say());
        let size = i128::from(self.column()) * i128::from(claim.columns[1].max(-claim.columns[0]));
        let fits = self.columns(row, true).into_iter().all(|column| i128::from(column).abs() <= size);
        assert!(fits, "columns not in {claim:?}: {}", say());
    }

    /// Asserts that an element has the residue of `want` divided by `by`, and is carried and in its range.
    fn check(&self, row: usize, want: &BigInt, by: &BigInt, claim: Range, say: &dyn Fn() -> String) {
        let got = self.number(row, false);
        let p = BigInt::from(self.f.modulus().clone());
        assert!((&got * by - want).is_multiple_of(&p), "{got:#x} has another residue: {}", say());
        let [low, high] = [claim.low, claim.high].map(|end| BigInt::from(self.top(end.unsigned_abs() as i64)));
        assert!(low <= got && got <= high, "{got:#x} is not in {claim:?}: {}", say());
        let limbs = self.columns(row, false);
        assert!(limbs.iter().all(|limb| *limb >> LIMB == 0), "limbs {limbs:x?}: {}", say());
    }
}

/// An entry of a list: the row of a place, or a number.
#[derive(Clone, Copy)]
enum Entry {
    Row(usize),
    Number(usize),
}

/// The terms of a form, of which the first `plus_terms` are added and the others subtracted.
fn terms(ranges: &[Range], plus_terms: usize) -> Vec<Term<'_, Range>> {
    ranges.iter().enumerate().map(|(k, range)| times(if k < plus_terms { 1 } else { -1 }, range)).collect()
}

/// The value of a form, of which the first `plus_terms` numbers are added and the others subtracted.
fn value(numbers: &[&BigInt], plus_terms: usize) -> BigInt {
    let (added, subtracted) = numbers.split_at(plus_terms);
    added.iter().copied().sum::<BigInt>() - subtracted.iter().copied().sum::<BigInt>()
}

/// Draws the weight of each of `terms` terms of a sum.
fn weight(rng: &mut Rng, terms: u64) -> u64 {
    let all = match rng.below(3) {
        0 => terms,
        1 => terms.max(1 + rng.below(MAX_WEIGHT)),
        _ => MAX_WEIGHT,
    };
    all / terms
}

/// A field of rows and the rules that it states.
struct Examined<'f> {
    f: &'f IfmaRows,
    rules: Arc<dyn Rules>,
    note: String,
}

impl Examined<'_> {
    fn memory(&self) -> Memory<'_> {
        Memory { f: self.f, rows: vec![] }
    }

    /// Draws the ends of `count` ranges of elements, as wide as is allowed.
    fn ends(&self, rng: &mut Rng, count: usize, allowed: impl Fn(&[i64]) -> bool) -> Vec<i64> {
        let (closed, most) = (self.rules.closed().high, self.f.rules.0.most());
        let drawn = (0..count).map(|_| rng.end(closed, most)).collect();
        let within = |highs: &[i64]| highs.iter().all(|high| *high <= most) && allowed(highs);
        widest(rng, drawn, within).unwrap_or_else(|| panic!("no operand is allowed: {}", self.note))
    }

    /// Draws ranges of `count` unreduced values, as wide as is allowed for a form of them. Their columns fit a form
    /// in which each value has the given weight.
    fn wides(
        &self,
        rng: &mut Rng,
        count: usize,
        weight: i64,
        allowed: impl Fn(&[Range]) -> Result<Range, String>,
    ) -> Vec<Range> {
        let range = |high: i64, is_signed: bool, columns: i64| Range {
            columns: [-columns, columns],
            ..Range::new(if is_signed { -high } else { 0 }, high)
        };
        let signs: Vec<bool> = (0..count).map(|_| rng.below(2) == 0).collect();
        let columns = |columns: i64| signs.iter().map(move |sign| range(1, *sign, columns)).collect::<Vec<_>>();
        let room = crate::ranges::largest(1 << 12, |n| {
            let sum = columns(n * weight);
            self.rules.lin(&sum.iter().map(plus).collect::<Vec<_>>()).is_ok()
        });
        let room = room.unwrap() as u64;
        let columns = if rng.below(2) == 0 { room } else { 1 + rng.below(room) } as i64;
        let drawn = (0..count).map(|_| match rng.below(3) {
            0 => PR,
            1 => PR >> rng.below(40),
            _ => 1 + rng.below(PR as u64) as i64,
        });
        let ranges = |highs: &[i64]| -> Vec<Range> {
            highs.iter().zip(&signs).map(|(high, sign)| range(*high, *sign, columns)).collect()
        };
        let drawn = drawn.collect();
        let within = |highs: &[i64]| highs.iter().all(|high| *high <= PR << 8) && allowed(&ranges(highs)).is_ok();
        ranges(&widest(rng, drawn, within).unwrap_or_else(|| panic!("no form is allowed: {}", self.note)))
    }

    /// Returns the range of a factor whose rows have ranges up to `highs`.
    fn factor(&self, factors: Factors, highs: &[i64]) -> Result<Range, String> {
        let ranges: Vec<Range> = highs.iter().map(|high| Range::new(0, *high)).collect();
        match factors {
            Factors::Differences => self.rules.add(ranges[0], ranges[1], true),
            _ => Ok(Range::form(&ranges.iter().map(plus).collect::<Vec<_>>())),
        }
    }

    /// Examines products of sums, and Karatsuba's two coefficients.
    fn products(&self, rng: &mut Rng, factors: Factors, pairs: u8) {
        let kernel = Kernel::Mul { factors, pairs };
        let drawn = if factors == Factors::Rows { 1 } else { 2 };
        let claim = |highs: &[i64]| {
            let (a, b) = highs.split_at(drawn);
            self.rules.product(self.factor(factors, a)?, self.factor(factors, b)?)
        };
        let highs = self.ends(rng, 2 * drawn, |highs| claim(highs).is_ok());
        let product = claim(&highs).unwrap();
        let mut m = self.memory();
        let bias = m.rows.len();
        m.rows.push(self.f.bias());
        let bias = (bias, m.number(bias, false));
        // the terms of each lane, for each factor
        let mut factor = |rng: &mut Rng, highs: &[i64]| -> Vec<Vec<Value>> {
            let each = weight(rng, factors.terms().iter().sum::<usize>() as u64);
            let mut lane = || {
                let mut rows: Vec<Value> = highs.iter().map(|high| m.element(rng, *high, each)).collect();
                if factors == Factors::Differences {
                    rows.insert(1, bias.clone());
                }
                rows
            };
            (0..LANES).map(|_| lane()).collect()
        };
        let both = [factor(rng, &highs[..drawn]), factor(rng, &highs[drawn..])];
        let results: Vec<usize> = (0..LANES).map(|_| m.result(true)).collect();
        let layers = |lanes: &[Vec<Value>]| -> Vec<Entry> {
            (0..lanes[0].len()).flat_map(|k| lanes.iter().map(move |lane| Entry::Row(lane[k].0))).collect()
        };
        let rows = [layers(&both[0]), layers(&both[1]), results.iter().copied().map(Entry::Row).collect()].concat();
        m.call(kernel, &rows);
        let number = |lane: &[Value]| value(&lane.iter().map(|(_, x)| x).collect::<Vec<_>>(), factors.terms()[0]);
        let products: Vec<BigInt> = (0..LANES).map(|lane| number(&both[0][lane]) * number(&both[1][lane])).collect();
        let say = || format!("{kernel:?} of {both:x?} up to {highs:?}, {}", self.note);
        for (lane, (x, result)) in products.iter().zip(results).enumerate() {
            let (first, is_pair) = (lane - lane % 3, lane < 3 * usize::from(pairs));
            let u = &products[first];
            let (want, claim) = match lane % 3 {
                0 if is_pair => (x - &products[first + 1], self.rules.lin(&[plus(&product), minus(&product)])),
                1 if is_pair => (BigInt::default(), Ok(Range::default())),
                2 if is_pair => {
                    (x - u - &products[first + 1], self.rules.lin(&[plus(&product), minus(&product), minus(&product)]))
                }
                _ => (x.clone(), Ok(product)),
            };
            m.check_wide(result, &want, claim.unwrap(), &say);
        }
    }

    /// Examines eight reductions or closed sums of any number of rows.
    fn gathers(&self, rng: &mut Rng, kernel: Kernel) {
        let (added, subtracted) = (1 + rng.below(TERMS) as usize, rng.below(TERMS + 1) as usize);
        let count = added + subtracted;
        let mut m = self.memory();
        let is_wide = kernel != Kernel::Sum;
        let (ranges, claim) = if is_wide {
            let claim = |ranges: &[Range]| self.rules.reduce(&terms(ranges, added));
            let ranges = self.wides(rng, count, 1, claim);
            let claim = claim(&ranges).unwrap();
            (ranges, claim)
        } else {
            let of = |highs: &[i64]| highs.iter().map(|high| Range::new(0, *high)).collect::<Vec<_>>();
            let claim = |ranges: &[Range]| self.rules.sum(&terms(ranges, added));
            let ranges = of(&self.ends(rng, count, |highs| claim(&of(highs)).is_ok()));
            let claim = claim(&ranges).unwrap();
            (ranges, claim)
        };
        // beside a reduction either x or y, and the range of the result with it
        let is_tripled = rng.below(2) == 0;
        let sum = |high: i64| {
            let x = Range::new(0, high);
            self.rules.sum(&[times(3, &claim), times(if is_tripled { 2 } else { -2 }, &x)])
        };
        let beside_high = self.ends(rng, 1, |highs| sum(highs[0]).is_ok())[0];
        let each = weight(rng, count as u64);
        let mut lane = |rng: &mut Rng| -> Vec<Value> {
            let term = |range: &Range| {
                if is_wide { m.wide(rng, *range) } else { m.element(rng, range.high, each) }
            };
            ranges.iter().map(term).collect()
        };
        let lanes: Vec<Vec<Value>> = (0..LANES).map(|_| lane(rng)).collect();
        let zero = m.write(rng, BigInt::default(), self.f.limbs, 0);
        let alone = weight(rng, 1);
        let beside: Vec<Value> = (0..LANES).map(|_| m.element(rng, beside_high, alone)).collect();
        let results: Vec<usize> = (0..LANES).map(|_| m.result(false)).collect();
        let mut list = vec![Entry::Number(added), Entry::Number(subtracted)];
        list.extend((0..count).flat_map(|k| lanes.iter().map(move |lane| Entry::Row(lane[k].0))));
        let tripled = rng.below(256) as usize;
        if kernel == Kernel::ReduceThree {
            let beside = beside.iter().map(|(row, _)| Entry::Row(*row));
            let zeros = std::iter::repeat_n(Entry::Row(zero.0), LANES);
            match is_tripled {
                true => list.extend(beside.chain(zeros)),
                false => list.extend(zeros.chain(beside)),
            }
            list.push(Entry::Number(tripled));
        }
        list.extend(results.iter().copied().map(Entry::Row));
        m.call(kernel, &list);
        let radix = m.radix();
        for lane in 0..LANES {
            let say = || {
                let (rows, beside) = (&lanes[lane], &beside[lane]);
                format!("{kernel:?} of {rows:x?} in {ranges:?}, beside {beside:x?}, {added} added, {}", self.note)
            };
            let form = value(&lanes[lane].iter().map(|(_, x)| x).collect::<Vec<_>>(), added);
            let twice: BigInt = 2 * &beside[lane].1 * &radix;
            match kernel {
                Kernel::Sum => m.check(results[lane], &form, &BigInt::one(), claim, &say),
                Kernel::Reduce => m.check(results[lane], &form, &radix, claim, &say),
                _ if tripled >> lane & 1 == 0 => {
                    m.check(results[lane], &form, &radix, self.rules.sum(&[plus(&claim)]).unwrap(), &say);
                }
                _ => {
                    let want = 3 * &form + if is_tripled { twice } else { -twice };
                    m.check(results[lane], &want, &radix, sum(beside_high).unwrap(), &say);
                }
            }
        }
    }

    /// Examines sums that are not closed, one after the other: their values are exact.
    fn forms(&self, rng: &mut Rng, kernel: Kernel) {
        let is_multiple = matches!(kernel, Kernel::Multiple | Kernel::MultipleWide | Kernel::MultipleCarried);
        let is_wide = !matches!(kernel, Kernel::Form | Kernel::Multiple);
        let [added, subtracted] = match (is_multiple, is_wide) {
            (true, _) => [2, 0],
            (_, true) => Kernel::FORM_WIDE,
            _ => Kernel::FORM,
        };
        let (count, shift) = (added + subtracted, if is_multiple { rng.below(7) as u32 } else { 0 });
        let weights = count as u64 - 1 + (1 << shift);
        let form = |ranges: &[Range]| {
            let mut terms = terms(ranges, added);
            terms[0].coeff <<= shift;
            self.rules.lin(&terms)
        };
        let mut m = self.memory();
        let each = weight(rng, weights);
        let ranges = match is_wide {
            true => self.wides(rng, count, weights as i64 / count as i64 + 1, form),
            false => self.ends(rng, count, |_| true).into_iter().map(|high| Range::new(0, high)).collect(),
        };
        let mut lane = |rng: &mut Rng| -> Vec<Value> {
            let term = |range: &Range| {
                if is_wide { m.wide(rng, *range) } else { m.element(rng, range.high, each) }
            };
            ranges.iter().map(term).collect()
        };
        let lanes: Vec<Vec<Value>> = (0..LANES).map(|_| lane(rng)).collect();
        let results: Vec<usize> = (0..LANES).map(|_| m.result(is_wide)).collect();
        let mut list = vec![];
        for (lane, result) in lanes.iter().zip(&results) {
            list.extend(lane.iter().map(|(row, _)| Entry::Row(*row)));
            list.push(Entry::Row(*result));
        }
        if is_multiple {
            // s stands between x and y
            list = list.chunks(3).flat_map(|e| [e[0], Entry::Number(shift as usize), e[1], e[2]]).collect();
        }
        m.call(kernel, &list);
        let is_carried = matches!(kernel, Kernel::FormCarried | Kernel::MultipleCarried);
        for (lane, result) in lanes.iter().zip(&results) {
            let say = || format!("{kernel:?} of {lane:x?} in {ranges:?}, s = {shift}, {}", self.note);
            let mut numbers: Vec<BigInt> = lane.iter().map(|(_, x)| x.clone()).collect();
            numbers[0] <<= shift;
            let want = value(&numbers.iter().collect::<Vec<_>>(), added);
            if is_wide {
                let claim = form(&ranges).unwrap();
                let claim = if is_carried { Range { columns: [-1, 1], ..claim } } else { claim };
                m.check_wide(*result, &want, claim, &say);
            } else {
                assert_eq!(m.number(*result, false), want, "{}", say());
                let most = saturated(i128::from(MAX_WEIGHT) << LIMB);
                assert!(m.columns(*result, false).iter().all(|limb| limb.abs() <= most), "{}", say());
            }
        }
    }

    /// Calls every kernel, and returns the number of values that were computed.
    fn examine(&self, rng: &mut Rng) -> u64 {
        for kernel in Kernel::all() {
            match kernel {
                Kernel::Mul { factors, pairs } => self.products(rng, factors, pairs),
                Kernel::Reduce | Kernel::ReduceThree | Kernel::Sum => self.gathers(rng, kernel),
                _ => self.forms(rng, kernel),
            }
        }
        (KERNELS * LANES) as u64
    }
}

/// Every number of limbs with every number of spare bits.
#[test]
fn kernels_keep_the_ranges_of_the_rules() {
    if !super::super::kernels::detect() {
        return;
    }
    let limbs = 3..=MAX as u64;
    let cases: Vec<(u64, u64)> =
        limbs.flat_map(|limbs| (ROOMY..=MAX_SPARE + 6).map(move |spare| (limbs, spare))).collect();
    repeat("rows", 0xb111_0c00, cases.len(), 1, |Turn { number, is_long, note }, rng| {
        let (limbs, spare) = cases[number % cases.len()];
        let f = IfmaRows::new(&rng.modulus(LIMB * limbs - spare, LIMB), ROOMY).unwrap();
        let examined = Examined { f: &f, rules: f.rules(), note: format!("p = {:#x}, {note}", f.modulus()) };
        Some((0..if *is_long { ROUNDS } else { 1 }).map(|_| examined.examine(rng)).sum())
    });
}
