//! Fuzz tests of an engine's range rules against its kernels: on extreme operands, the result of each operation lies in
//! the range that the rules state, and is congruent to the result of the reference engine.
//!
//! Ranges of the operands are drawn and then made as wide as the rules allow; the claimed range comes from the same
//! generic code as the proofs, over [`Bounds`]. `BILINEAR_FUZZ_SECONDS` sets how long each engine is tested,
//! `BILINEAR_FUZZ_SEED` sets the seed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod operation;

use crate::bounds::{Range, Rules};
use crate::contract::Prime;
use crate::reference::Reference;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;
pub(crate) use operation::Operation;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of operations on a modulus before the next one is drawn: each kind, those with many shapes more than
/// once.
const TURN: usize = 28;
/// The maximum number of draws of an operation of one kind until the rules allow one.
const DRAWS: usize = 40;
/// The unit of unreduced values is p·R/2^40; this is the exponent.
pub(crate) const WIDE_BITS: u32 = 40;
/// The binary logarithm of the number of steps of a scale.
const STEPS: u32 = 20;
/// Divided by the square of the bits of R: the number of vectors on which an operation is tested in long runs.
const LONG: u64 = 1 << 26;

/// An engine whose representation can be written and read directly.
pub(crate) trait Raw: Prime {
    const LANES: usize;
    /// Whether elements may be negative: then a range of operands is as wide below 0 as above.
    const SIGNED: bool = false;
    /// The modulus of the kernels: p, or a multiple of p.
    fn kernel_modulus(&self) -> BigUint;
    /// Montgomery's R.
    fn radix(&self) -> BigUint;
    /// The value of 2^40 units of unreduced values.
    fn wide_unit(&self) -> BigUint {
        self.kernel_modulus() * self.radix()
    }
    fn rules(&self) -> Arc<dyn Rules>;
    /// The highest upper bound of a range that an element may have.
    fn most(&self) -> i64;
    /// Returns the greatest number of a range that ends at `high`.
    fn top(&self, high: i64) -> BigUint;
    fn place(&self, lanes: &[&BigInt]) -> Self::Elem;
    /// Returns the numbers that represent the residues of all lanes.
    fn numbers(&self, x: &Self::Elem) -> Vec<BigInt>;
    fn wides(&self, x: &Self::Wide) -> Vec<BigInt>;
    /// Returns true if the rules allow no operation of this kind.
    fn refuses(&self, _: &Operation) -> bool {
        false
    }
    /// Returns true if the columns of all lanes stay within these numbers of products.
    fn columns_fit(&self, _: &Self::Wide, _: [i64; 2]) -> bool {
        true
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
pub(crate) struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Rng(seed)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.word() % n
    }

    /// Returns a number of at most `top`.
    pub(crate) fn up_to(&mut self, top: &BigUint) -> BigUint {
        let words: Vec<u32> = (0..top.bits().div_ceil(32) + 2).map(|_| (self.word() >> 32) as u32).collect();
        BigUint::from_slice(&words) % (top + 1u32)
    }

    /// Returns an odd number of `bits` bits: all ones, a power of two and 1, 3 behind zeros as Montgomery-friendly
    /// moduli are, or uniform.
    pub(crate) fn modulus(&mut self, bits: u64, limb: u64) -> BigUint {
        let power = BigUint::one() << (bits - 1);
        match self.below(5) {
            0 => (power << 1) - 1u32,
            1 => power + 1u32,
            2 => {
                let zeros = limb * (1 + self.below(bits.div_ceil(limb)));
                let high = (&power + self.up_to(&(&power - 1u32))) >> zeros << zeros;
                if zeros < bits && high.bits() == bits { high + 3u32 } else { power + 3u32 }
            }
            _ => (&power + self.up_to(&(&power - 1u32))) | BigUint::one(),
        }
    }

    /// Returns a coefficient: mostly ±1, some larger, hardly any beyond those of the formulas.
    fn coefficient(&mut self) -> i32 {
        let size = match self.below(16) {
            0 => 0,
            1..9 => 1,
            9..13 => 2 + self.below(3),
            13 | 14 => self.below(65),
            _ => self.below(3000),
        };
        if self.below(3) == 0 { -(size as i32) } else { size as i32 }
    }

    /// Returns the end of a range of elements, of at most `most`.
    pub(crate) fn end(&mut self, closed: i64, most: i64) -> i64 {
        match self.below(4) {
            0 => most,
            1 => (closed << self.below(12)).min(most),
            2 => 1 + self.below(most as u64) as i64,
            _ => closed,
        }
    }

    fn coefficients(&mut self) -> Vec<i32> {
        (0..1 + self.below(6)).map(|_| self.coefficient()).collect()
    }
}

/// Returns the largest k of at most `most` for which `allowed` holds, given that it then holds for all smaller k;
/// `None` if there is no such k.
pub(crate) fn largest(most: i64, allowed: impl Fn(i64) -> bool) -> Option<i64> {
    let (mut low, mut high) = (-1, most + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if allowed(middle) { low = middle } else { high = middle }
    }
    (low >= 0).then_some(low)
}

/// Widens ranges as far as the rules allow: first all of them on one scale, then one of them alone.
pub(crate) fn widest(rng: &mut Rng, highs: Vec<i64>, allowed: impl Fn(&[i64]) -> bool) -> Option<Vec<i64>> {
    let scaled = |high: i64, k: i64| ((i128::from(high) * i128::from(k)) >> STEPS) as i64;
    // the ranges of engines on words do not contain their end
    let all = |k: i64| highs.iter().map(|high| scaled(*high, k).max(1)).collect::<Vec<_>>();
    let mut found = all(largest(1 << STEPS, |k| allowed(&all(k)))?);
    if found.is_empty() {
        return Some(found);
    }
    let i = rng.below(found.len() as u64) as usize;
    let one = |k: i64| {
        let mut highs = found.clone();
        highs[i] += scaled(highs[i].max(1 << 8), k);
        highs
    };
    found = one(largest(1 << STEPS, |k| allowed(&one(k)))?);
    Some(found)
}

/// Returns a number of at most `top` that is extreme in one of several ways.
pub(crate) fn extreme(rng: &mut Rng, kind: u64, sign: i32, top: &BigUint, n: &BigUint) -> BigUint {
    let cut = |rng: &mut Rng| {
        let bits = rng.below(top.bits().max(1));
        ((top >> bits) << bits, (BigUint::one() << bits) - 1u32)
    };
    match kind {
        0 => top.clone(),
        1 if sign >= 0 => top.clone(),
        2 if sign < 0 => top.clone(),
        1 | 2 => BigUint::from(rng.below(2)).min(top.clone()),
        3 => rng.up_to(&(top / n)) * n,
        4 => cut(rng).0,
        5 => cut(rng).1,
        6 => (n - rng.below(2)).min(top.clone()),
        7 => {
            let (zeros, ones) = cut(rng);
            if &zeros + &ones <= *top { zeros + ones } else { zeros.max(ones.clone()) - ones }
        }
        _ => rng.up_to(top),
    }
}

/// A field under test, and the data that interpret the numbers of its elements.
struct Examined<'f, F> {
    f: &'f F,
    rules: Arc<dyn Rules>,
    reference: Reference,
    /// 1/R modulo n.
    inverse: BigUint,
    note: String,
}

impl<'f, F: Raw> Examined<'f, F> {
    fn new(f: &'f F, note: String) -> Self {
        let reference = Reference::new(&f.kernel_modulus()).unwrap();
        let inverse = (f.radix() % reference.modulus()).modinv(reference.modulus()).unwrap();
        Examined { f, rules: f.rules(), reference, inverse, note }
    }

    /// Returns the residue that a number represents.
    fn value(&self, x: &BigInt) -> BigUint {
        let n = BigInt::from(self.reference.modulus().clone());
        (x.mod_floor(&n).magnitude() * &self.inverse) % self.reference.modulus()
    }

    /// Returns the ranges of operands up to `highs`.
    fn operands(highs: &[i64]) -> Vec<Range> {
        highs.iter().map(|high| Range::new(if F::SIGNED { -high } else { 0 }, *high)).collect()
    }

    /// Returns the upper bounds for the operands of an operation: drawn at random, then widened as far as the rules
    /// allow.
    fn ranges(&self, rng: &mut Rng, operation: &Operation) -> Vec<i64> {
        let (n, most) = (self.reference.modulus(), self.f.most());
        let closed = self.rules.closed().high;
        let operands = operation.signs().len();
        let drawn: Vec<i64> = (0..operands).map(|_| rng.end(closed, most)).collect();
        let allowed = |highs: &[i64]| {
            let ranges = Self::operands(highs);
            highs.iter().all(|high| *high <= most) && operation.claim(n, &self.rules, &ranges).is_some()
        };
        widest(rng, drawn, allowed).unwrap_or_else(|| vec![closed; operands])
    }

    /// Tests an operation on `rounds` vectors of operands; returns the number of operations on values.
    fn examine(&self, rng: &mut Rng, operation: &Operation, rounds: usize) -> u64 {
        let highs = self.ranges(rng, operation);
        let ranges = Self::operands(&highs);
        let Some((elements, wides)) = operation.claim(self.reference.modulus(), &self.rules, &ranges) else { return 0 };
        let claim = Claim {
            elements: elements.into_iter().map(|range| (range, self.ends(&range))).collect(),
            wides: wides.into_iter().map(|range| (range, self.wide_ends(&range))).collect(),
        };
        // numbers for each operand, and their residues
        let stocks: Vec<Vec<(BigInt, BigUint)>> = highs
            .iter()
            .zip(operation.signs())
            .map(|(high, sign)| {
                let top = self.f.top(*high);
                let below = if F::SIGNED { top.clone() } else { BigUint::default() };
                let span = &top + &below;
                let mut numbers = |kind| {
                    BigInt::from(extreme(rng, kind, sign, &span, self.reference.modulus()))
                        - BigInt::from(below.clone())
                };
                let numbers = (0..10).flat_map(|kind| (0..rounds.min(4)).map(|_| numbers(kind)).collect::<Vec<_>>());
                numbers
                    .map(|x| {
                        let value = self.value(&x);
                        (x, value)
                    })
                    .collect()
            })
            .collect();
        for _ in 0..rounds {
            let first = rng.below(10);
            let operands: Vec<Vec<&(BigInt, BigUint)>> = stocks
                .iter()
                .map(|stock| {
                    let each = stock.len() as u64 / 10;
                    (0..F::LANES as u64)
                        .map(|lane| {
                            // the last lanes take operands of mixed kinds
                            let kind = if lane < 6 { (first + lane) % 10 } else { rng.below(10) };
                            &stock[(kind * each + rng.below(each)) as usize]
                        })
                        .collect()
                })
                .collect();
            self.check(operation, &highs, &claim, &operands);
        }
        (rounds * F::LANES) as u64
    }

    /// Returns the least and the greatest number of the range of an element.
    fn ends(&self, range: &Range) -> [BigInt; 2] {
        [range.low, range.high].map(|end| BigInt::from(self.f.top(end.abs())) * end.signum())
    }

    /// Returns the least and the greatest number of the range of an unreduced value. An end that exceeds the numbers is
    /// `None`; nothing reduces such a value.
    fn wide_ends(&self, range: &Range) -> [Option<BigInt>; 2] {
        let unit = BigInt::from(self.f.wide_unit());
        let low = (range.low > -i64::MAX).then(|| -((&unit * -range.low) >> WIDE_BITS));
        [low, (range.high < i64::MAX).then(|| (&unit * range.high) >> WIDE_BITS)]
    }

    /// Checks one vector: its results must lie in the claimed ranges and have the residues that the reference computes.
    fn check(&self, operation: &Operation, highs: &[i64], claim: &Claim, operands: &[Vec<&(BigInt, BigUint)>]) {
        let f = self.f;
        let places: Vec<F::Elem> =
            operands.iter().map(|lanes| f.place(&lanes.iter().map(|(x, _)| x).collect::<Vec<_>>())).collect();
        let (got, got_wide) = operation.run(f, &places);
        let say = |lane: usize| {
            let operands: Vec<String> = operands.iter().map(|lanes| format!("{:#x}", lanes[lane].0)).collect();
            let n = self.reference.modulus();
            format!("{operation:?} of {operands:?} up to {highs:?}, n = {n:#x}, {}", self.note)
        };
        for ((range, [low, high]), w) in claim.wides.iter().zip(&got_wide) {
            for (lane, x) in f.wides(w).into_iter().enumerate() {
                let above = low.as_ref().is_none_or(|low| *low <= x);
                let below = high.as_ref().is_none_or(|high| x <= *high);
                assert!(above && below, "not in {range:?}: {}", say(lane));
            }
            assert!(f.columns_fit(w, range.columns), "columns not in {range:?}: {}", say(0));
        }
        let want: Vec<Vec<BigUint>> = match operation {
            Operation::Inv => vec![],
            _ => {
                let values = |lane: usize| operands.iter().map(|lanes| lanes[lane].1.clone()).collect::<Vec<_>>();
                (0..F::LANES).map(|lane| operation.run(&self.reference, &values(lane)).0).collect()
            }
        };
        for (i, ((range, [low, high]), x)) in claim.elements.iter().zip(&got).enumerate() {
            for (lane, x) in f.numbers(x).into_iter().enumerate() {
                assert!(*low <= x && x <= *high, "{x:#x} is not in {range:?}: {}", say(lane));
                let agrees = want.get(lane).is_none_or(|want| self.value(&x) == want[i]);
                assert!(agrees, "{x:#x} has another residue: {}", say(lane));
            }
        }
    }
}

/// The claimed ranges of the results of an operation, and their ends.
struct Claim {
    elements: Vec<(Range, [BigInt; 2])>,
    wides: Vec<(Range, [Option<BigInt>; 2])>,
}

/// Reads a number from an environment variable.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// One turn of the fuzzing: the operations on one modulus.
pub(crate) struct Turn {
    /// The number of turns before this one.
    pub(crate) number: usize,
    /// Whether there is time to test each operation more than once.
    pub(crate) is_long: bool,
    /// A note that tells how to reproduce the turn.
    pub(crate) note: String,
}

/// Runs `turns` turns, or as many as fit in the time that the environment sets, with a source of randomness; each turn
/// returns its number of operations on values. A turn that returns `None` ends the run: the engine is not available
/// here. The types of one engine share the time. Prints the total number of operations, and returns the number of
/// turns.
pub(crate) fn repeat(
    what: &str,
    seed: u64,
    turns: usize,
    types: u32,
    mut turn: impl FnMut(&Turn, &mut Rng) -> Option<u64>,
) -> usize {
    let seed = setting("BILINEAR_FUZZ_SEED").unwrap_or(seed) | 1;
    let time = setting("BILINEAR_FUZZ_SECONDS").map(|seconds| Duration::from_secs(seconds) / types);
    let (started, mut rng, mut done, mut number) = (Instant::now(), Rng(seed), 0, 0);
    while time.map_or(number < turns, |time| started.elapsed() < time) {
        let note = format!("turn {number}, seed {seed:#x}");
        let Some(count) = turn(&Turn { number, is_long: time.is_some(), note }, &mut rng) else { return number };
        done += count;
        number += 1;
    }
    println!("{done} operations on values in {number} turns, seed {seed:#x}: {what}");
    number
}

/// Tests each operation once for `turns` turns, or as [`repeat`] says, on the fields that `next` creates for each turn.
/// Returns the number of turns.
///
/// # Panics
/// Panics if a result leaves its range or has a wrong residue, or if the rules of a field allow no operation of a kind.
pub(crate) fn fuzz<F: Raw>(
    seed: u64,
    turns: usize,
    types: u32,
    mut next: impl FnMut(usize, &mut Rng) -> Option<F>,
) -> usize {
    repeat(std::any::type_name::<F>(), seed, turns, types, |turn, rng| {
        let f = next(turn.number, rng)?;
        let examined = Examined::new(&f, turn.note.clone());
        // short moduli are fast, so more rounds are run on them
        let rounds = if turn.is_long { (LONG / f.radix().bits().pow(2)).max(1) as usize } else { 1 };
        let mut done = 0;
        for k in 0..TURN {
            // an operation that the rules forbid is drawn again
            let count = (0..DRAWS).find_map(|_| {
                let operation = Operation::draw(rng, k, f.modulus());
                let count = examined.examine(rng, &operation, rounds);
                (count > 0 || f.refuses(&operation)).then_some(count)
            });
            let Some(count) = count else { panic!("no operation {k} is allowed: {}", examined.note) };
            done += count;
        }
        Some(done)
    })
}
