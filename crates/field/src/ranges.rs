//! The range rules of an engine against its kernels: on extreme operands, the result of each operation lies in the range that the
//! rules state, and is congruent to that of the reference engine.
//!
//! Ranges of the operands are drawn and then made as wide as the rules allow; the claim comes from the same generic code as the
//! proofs, over [`Bounds`]. `BILINEAR_FUZZ_SECONDS` sets how long each engine is tested, `BILINEAR_FUZZ_SEED` sets the seed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use crate::bounds::{Bounds, Range, Rules};
use crate::contract::{Field, Prime};
use crate::reference::Reference;
use crate::term::{Term, minus, plus, times};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Operations on a modulus before the next one is drawn: each kind, those with many shapes more than once.
const TURN: usize = 24;
/// Unreduced values are in units of p·R/2^40.
const WIDE_BITS: u32 = 40;
/// Steps of a scale.
const STEPS: u32 = 20;
/// Divided by the square of the bits of R: how many vectors an operation is done on where there is time.
const LONG: u64 = 1 << 26;

/// An engine whose representation can be made and read.
pub(crate) trait Raw: Prime {
    const LANES: usize;
    /// The modulus of the kernels: p, or a multiple of it.
    fn kernel_modulus(&self) -> BigUint;
    /// log2 of Montgomery's R.
    fn r_bits(&self) -> u64;
    fn rules(&self) -> Arc<dyn Rules>;
    /// The highest range that an element may have.
    fn most(&self) -> i64;
    /// The greatest number of a range that ends at `high`.
    fn top(&self, high: i64) -> BigUint;
    fn place(&self, lanes: &[&BigUint]) -> Self::Elem;
    fn number(&self, x: &Self::Elem, lane: usize) -> BigUint;
    fn wide(&self, x: &Self::Wide, lane: usize) -> BigInt;
    /// Whether columns hold no more than so many products.
    fn columns_fit(&self, _: &Self::Wide, _: usize, _: [i64; 2]) -> bool {
        true
    }
}

/// xorshift64* (Vigna 2016).
pub(crate) struct Rng(u64);

impl Rng {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        (self.word() >> 8) % n
    }

    fn up_to(&mut self, top: &BigUint) -> BigUint {
        let words: Vec<u32> = (0..top.bits().div_ceil(32) + 2).map(|_| (self.word() >> 32) as u32).collect();
        BigUint::from_slice(&words) % (top + 1u32)
    }

    /// An odd number of so many bits: all ones, a power of two and 1, 3 behind zeros as Montgomery-friendly moduli are, or uniform.
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

    /// A coefficient: mostly ±1, some larger, hardly any beyond what formulas have.
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

    fn coefficients(&mut self) -> Vec<i32> {
        (0..1 + self.below(6)).map(|_| self.coefficient()).collect()
    }
}

/// An unreduced value, made of four elements.
#[derive(Clone, Copy, Debug)]
enum Source {
    Product,
    Square,
    /// Of two products.
    Difference,
    /// A coefficient of a product in F_p(i).
    ComplexMul(usize),
    ComplexSqr(usize),
    /// The same of sums.
    SumsMul(usize),
    SumSqr(usize),
}

impl Source {
    fn draw(rng: &mut Rng) -> Self {
        let part = rng.below(2) as usize;
        match rng.below(8) {
            0 | 1 => Source::Product,
            2 => Source::Square,
            3 => Source::Difference,
            4 => Source::ComplexMul(part),
            5 => Source::SumsMul(part),
            6 => Source::SumSqr(part),
            _ => Source::ComplexSqr(part),
        }
    }

    fn make<F: Field>(self, f: &F, x: &[F::Elem], out: &mut F::Wide) {
        let pair = |i: usize| [x[i].clone(), x[i + 1].clone()];
        let mut both: [F::Wide; 2] = Default::default();
        match self {
            Source::Product => f.mul_wide(out, &x[0], &x[1]),
            Source::Square => f.sqr_wide(out, &x[0]),
            Source::Difference => {
                let [first, second] = &mut both;
                f.mul_wide(first, &x[0], &x[1]);
                f.mul_wide(second, &x[2], &x[3]);
                f.lin(out, &[plus(&*first), minus(&*second)]);
            }
            Source::ComplexMul(part) => {
                f.complex_mul_wide(&mut both, &pair(0), &pair(2));
                out.clone_from(&both[part]);
            }
            Source::SumsMul(part) => {
                let crossed = |i: usize| [x[i].clone(), x[3 - i].clone()];
                f.complex_sums_mul_wide(&mut both, [&pair(0), &pair(2), &crossed(0), &crossed(2)]);
                out.clone_from(&both[part]);
            }
            Source::SumSqr(part) => {
                f.complex_sum_sqr_wide(&mut both, [&pair(0), &pair(2)]);
                out.clone_from(&both[part]);
            }
            Source::ComplexSqr(part) => {
                f.complex_sqr_wide(&mut both, &pair(0));
                out.clone_from(&both[part]);
            }
        }
    }
}

/// The sign of each element that a form of such values is made of.
fn of_sources(form: &[(i32, Source)]) -> impl Iterator<Item = i32> + '_ {
    form.iter().flat_map(|(c, source)| match source {
        Source::Product | Source::Square => [*c; 4],
        Source::Difference => [*c, *c, -c, -c],
        Source::ComplexMul(_) | Source::ComplexSqr(_) => [*c, -c, *c, -c],
        // half of them are in both parts
        Source::SumsMul(_) | Source::SumSqr(_) => [*c, *c, *c, -c],
    })
}

/// An operation of the contract.
#[derive(Clone, Debug)]
enum Operation {
    Mul,
    Sqr,
    Add,
    Sub,
    Neg,
    ThreeAndTwo(bool),
    Sum(Vec<i32>),
    MulSum(Vec<i32>),
    SqrSum(Vec<i32>),
    ComplexMul,
    ComplexSqr,
    /// A form that is reduced at once.
    Reduce(Vec<(i32, Source)>),
    /// Three times a form and ±2x.
    ReduceThree(Vec<(i32, Source)>, bool),
    /// A form that is kept first.
    Lin(Vec<(i32, Source)>),
    /// Of a modulus that need not be prime: the range alone tells something.
    Inv,
    /// x mod p.
    Constant(BigUint),
}

impl Operation {
    /// The k-th of a turn modulo p.
    fn draw(rng: &mut Rng, k: usize, p: &BigUint) -> Self {
        let sign = rng.below(2) == 0;
        let form =
            |rng: &mut Rng| (0..1 + rng.below(4)).map(|_| (rng.coefficient(), Source::draw(rng))).collect::<Vec<_>>();
        match k % TURN {
            0 => Operation::Mul,
            1 => Operation::Sqr,
            2 => Operation::Add,
            3 => Operation::Sub,
            4 => Operation::Neg,
            5 => Operation::ThreeAndTwo(sign),
            6 => Operation::Sum(vec![1, if sign { 1 } else { -1 }]),
            7..10 => Operation::Sum(rng.coefficients()),
            10 => Operation::MulSum(rng.coefficients()),
            11 => Operation::SqrSum(rng.coefficients()),
            12 => Operation::ComplexMul,
            13 => Operation::ComplexSqr,
            14 => Operation::Reduce(vec![(1, Source::draw(rng))]),
            15..18 => Operation::Reduce(form(rng)),
            18 | 19 => Operation::ReduceThree(form(rng), sign),
            20 => Operation::Inv,
            21 => Operation::Constant(if sign { p - 1u32 } else { rng.up_to(&(p - 1u32)) }),
            _ => Operation::Lin(form(rng)),
        }
    }

    /// The sign of each operand.
    fn signs(&self) -> Vec<i32> {
        let and = |first: &[i32], rest: &[i32]| [first, rest].concat();
        match self {
            Operation::Mul | Operation::Add => vec![1, 1],
            Operation::Sqr | Operation::Inv => vec![1],
            Operation::Constant(_) => vec![],
            Operation::Sub => vec![1, -1],
            Operation::Neg => vec![-1],
            Operation::ThreeAndTwo(subtract) => vec![1, if *subtract { -1 } else { 1 }],
            Operation::Sum(coefficients) => coefficients.clone(),
            Operation::MulSum(coefficients) => and(&[1, 1], coefficients),
            Operation::SqrSum(coefficients) => and(&[1], coefficients),
            Operation::ComplexMul | Operation::ComplexSqr => vec![1, -1, 1, -1],
            Operation::Reduce(form) | Operation::Lin(form) => of_sources(form).collect(),
            Operation::ReduceThree(form, subtract) => {
                of_sources(form).chain([if *subtract { -1 } else { 1 }]).collect()
            }
        }
    }

    /// What it makes of its operands: elements, and unreduced values on the way.
    fn run<F: Prime>(&self, f: &F, x: &[F::Elem]) -> (Vec<F::Elem>, Vec<F::Wide>) {
        let (mut out, mut wides) = (F::Elem::default(), vec![]);
        let list = |coefficients: &[i32], from: usize| -> Vec<Term<'_, F::Elem>> {
            coefficients.iter().zip(&x[from..]).map(|(c, x)| times(*c, x)).collect()
        };
        match self {
            Operation::Mul => f.mul(&mut out, &x[0], &x[1]),
            Operation::Sqr => f.sqr(&mut out, &x[0]),
            Operation::Add => f.add(&mut out, &x[0], &x[1]),
            Operation::Sub => f.sub(&mut out, &x[0], &x[1]),
            Operation::Neg => f.neg(&mut out, &x[0]),
            Operation::Inv => f.inv(&mut out, &x[0]),
            Operation::Constant(x) => out = f.constant(x),
            Operation::ThreeAndTwo(subtract) => f.three_and_two(&mut out, &x[0], &x[1], *subtract),
            Operation::Sum(coefficients) => f.sum(&mut out, &list(coefficients, 0)),
            Operation::MulSum(coefficients) => f.mul_sum(&mut out, &x[0], &x[1], &list(coefficients, 2)),
            Operation::SqrSum(coefficients) => f.sqr_sum(&mut out, &x[0], &list(coefficients, 1)),
            Operation::ComplexMul | Operation::ComplexSqr => {
                let (a, b) = ([x[0].clone(), x[1].clone()], [x[2].clone(), x[3].clone()]);
                let mut both: [F::Elem; 2] = Default::default();
                match self {
                    Operation::ComplexMul => f.complex_mul(&mut both, &a, &b),
                    _ => f.complex_sqr(&mut both, &a),
                }
                return (both.into(), wides);
            }
            Operation::Reduce(form) | Operation::ReduceThree(form, _) | Operation::Lin(form) => {
                wides = vec![F::Wide::default(); form.len()];
                for (i, (place, (_, source))) in wides.iter_mut().zip(form).enumerate() {
                    source.make(f, &x[4 * i..4 * i + 4], place);
                }
                let terms: Vec<_> = form.iter().zip(&wides).map(|((c, _), w)| times(*c, w)).collect();
                match self {
                    Operation::Reduce(_) => f.reduce(&mut out, &terms),
                    Operation::ReduceThree(_, subtract) => {
                        f.reduce_three_and_two(&mut out, &terms, &x[4 * form.len()], *subtract);
                    }
                    _ => {
                        let mut kept = F::Wide::default();
                        f.lin(&mut kept, &terms);
                        f.reduce(&mut out, &[plus(&kept)]);
                        wides.push(kept);
                    }
                }
            }
        }
        (vec![out], wides)
    }

    /// What the rules claim for operands up to `highs`, unless they forbid them.
    fn claim(&self, p: &BigUint, rules: &Arc<dyn Rules>, highs: &[i64]) -> Option<(Vec<Range>, Vec<Range>)> {
        let bounds = Bounds::new(p, rules.clone());
        let operands: Vec<Range> = highs.iter().map(|high| Range::new(0, *high)).collect();
        let claim = self.run(&bounds, &operands);
        bounds.report().violations.is_empty().then_some(claim)
    }
}

/// The largest k of at most `most` for which `allowed` holds, as it does for all below; `None` if it holds for none.
pub(crate) fn largest(most: i64, allowed: impl Fn(i64) -> bool) -> Option<i64> {
    let (mut low, mut high) = (-1, most + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if allowed(middle) { low = middle } else { high = middle }
    }
    (low >= 0).then_some(low)
}

/// Ranges as wide as the rules allow: all on one scale, then one of them alone.
fn widest(rng: &mut Rng, highs: Vec<i64>, allowed: impl Fn(&[i64]) -> bool) -> Option<Vec<i64>> {
    let scaled = |high: i64, k: i64| ((i128::from(high) * i128::from(k)) >> STEPS) as i64;
    // a range of words does not hold its end
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

/// A number of at most `top`, extreme in one of several ways.
fn extreme(rng: &mut Rng, kind: u64, sign: i32, top: &BigUint, n: &BigUint) -> BigUint {
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

/// A field, and what the numbers of its elements stand for.
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
        let inverse = (BigUint::one() << f.r_bits()).modinv(reference.modulus()).unwrap();
        Examined { f, rules: f.rules(), reference, inverse, note }
    }

    /// The residue of a number.
    fn value(&self, x: &BigUint) -> BigUint {
        x * &self.inverse % self.reference.modulus()
    }

    /// Ranges for the operands of an operation: some that are drawn, as wide as the rules allow.
    fn ranges(&self, rng: &mut Rng, operation: &Operation) -> Vec<i64> {
        let (n, most) = (self.reference.modulus(), self.f.most());
        let closed = self.rules.closed().high;
        let operands = operation.signs().len();
        let drawn = (0..operands).map(|_| match rng.below(4) {
            0 => most,
            1 => (closed << rng.below(12)).min(most),
            2 => 1 + rng.below(most as u64) as i64,
            _ => closed,
        });
        let drawn: Vec<i64> = drawn.collect();
        let allowed =
            |highs: &[i64]| highs.iter().all(|high| *high <= most) && operation.claim(n, &self.rules, highs).is_some();
        widest(rng, drawn, allowed).unwrap_or_else(|| vec![closed; operands])
    }

    /// Does an operation on so many vectors of operands; how many operations on values that were.
    fn examine(&self, rng: &mut Rng, operation: &Operation, rounds: usize) -> u64 {
        let highs = self.ranges(rng, operation);
        let Some(claim) = operation.claim(self.reference.modulus(), &self.rules, &highs) else { return 0 };
        // numbers for each operand, and their residues
        let stocks: Vec<Vec<(BigUint, BigUint)>> = highs
            .iter()
            .zip(operation.signs())
            .map(|(high, sign)| {
                let top = self.f.top(*high);
                let mut numbers = |kind| extreme(rng, kind, sign, &top, self.reference.modulus());
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
            let operands: Vec<Vec<&(BigUint, BigUint)>> = stocks
                .iter()
                .map(|stock| {
                    let each = stock.len() as u64 / 10;
                    (0..F::LANES as u64)
                        .map(|lane| {
                            // the last lanes mix
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

    /// One vector: its results lie in the ranges, and have the residues that the reference says.
    fn check(
        &self,
        operation: &Operation,
        highs: &[i64],
        (elements, wides): &(Vec<Range>, Vec<Range>),
        operands: &[Vec<&(BigUint, BigUint)>],
    ) {
        let (f, n) = (self.f, self.reference.modulus());
        let places: Vec<F::Elem> =
            operands.iter().map(|lanes| f.place(&lanes.iter().map(|(x, _)| x).collect::<Vec<_>>())).collect();
        let (got, got_wide) = operation.run(f, &places);
        for lane in 0..F::LANES {
            let say = || {
                let operands: Vec<String> = operands.iter().map(|lanes| format!("{:#x}", lanes[lane].0)).collect();
                format!("{operation:?} of {operands:?} up to {highs:?}, n = {n:#x}, {}", self.note)
            };
            for (range, w) in wides.iter().zip(&got_wide) {
                let (w_bits, unit) = (f.wide(w, lane) << WIDE_BITS, BigInt::from(n << f.r_bits()));
                // an end that exceeds what a number can say is none, and nothing reduces such a value
                let above = range.low == -i64::MAX || w_bits >= &unit * range.low;
                let below = range.high == i64::MAX || w_bits <= unit * range.high;
                assert!(above && below, "not in {range:?}: {}", say());
                assert!(f.columns_fit(w, lane, range.columns), "columns not in {range:?}: {}", say());
            }
            let values: Vec<BigUint> = operands.iter().map(|lanes| lanes[lane].1.clone()).collect();
            for (range, x) in elements.iter().zip(&got) {
                let x = f.number(x, lane);
                assert!(x <= f.top(range.high), "{x:#x} is not in {range:?}: {}", say());
            }
            if !matches!(operation, Operation::Inv) {
                let (want, _) = operation.run(&self.reference, &values);
                for (x, want) in got.iter().zip(&want) {
                    let x = f.number(x, lane);
                    assert_eq!(self.value(&x), *want, "{x:#x} has another residue: {}", say());
                }
            }
        }
    }
}

/// A number that the environment may set.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Does each operation of `turns` turns once, or turn after turn for as long as the environment says, on the fields that `next`
/// makes for a turn and a source of randomness. `None` ends it: the engine does not run here. An engine of several types shares the
/// time among them.
pub(crate) fn fuzz<F: Raw>(seed: u64, turns: usize, types: u32, mut next: impl FnMut(usize, &mut Rng) -> Option<F>) {
    let seed = setting("BILINEAR_FUZZ_SEED").unwrap_or(seed) | 1;
    let time = setting("BILINEAR_FUZZ_SECONDS").map(|seconds| Duration::from_secs(seconds) / types);
    let (started, mut rng, mut done, mut turn) = (Instant::now(), Rng(seed), 0, 0);
    while time.map_or(turn < turns, |time| started.elapsed() < time) {
        let Some(f) = next(turn, &mut rng) else { return };
        let examined = Examined::new(&f, format!("turn {turn}, seed {seed:#x}"));
        // short moduli are soon done, so that more is done with them
        let rounds = if time.is_some() { (LONG / f.r_bits().pow(2)).max(1) as usize } else { 1 };
        for k in 0..TURN {
            let operation = Operation::draw(&mut rng, k, f.modulus());
            done += examined.examine(&mut rng, &operation, rounds);
        }
        turn += 1;
    }
    if time.is_some() {
        println!("{done} operations on values in {turn} turns, seed {seed:#x}: {}", std::any::type_name::<F>());
    }
}
