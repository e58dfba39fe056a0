//! Tests of the range rules of `ifma` against every one of its kernels.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use super::kernels::{SHAPES, detect, inventory};
use super::modulus::MAX_SPARE;
use super::places::{Columns, LANES, Residues, Vector};
use super::rules::{HELD, LaneRules, ROOMY, UNIT_BITS};
use super::{Ifma, LIMB, LIMBS};
use crate::bounds::{Range, Rules};
use crate::contract::Field;
use crate::dispatch::{self, Margin};
use crate::ranges::{Operation, Raw, Rng, fuzz, largest};
use crate::term::{MAX_TERMS, plus, times};
use crate::words::split;
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A capacity for the longest modulus.
const MAX: usize = 80;
/// The numbers of spare bits, from the fewest to as many as most numbers of limbs can have. From 42 on the modulus of
/// the kernels is a multiple of p.
const SPARE: std::ops::Range<u64> = 4..48;
/// The environment variable that tells a process that it runs this test alone.
const ALONE: &str = "BILINEAR_FUZZ_ALONE";

impl Ifma<MAX> {
    /// log2 of R.
    fn r_bits(&self) -> u64 {
        LIMB * self.limbs() as u64
    }

    fn own_rules(&self) -> LaneRules {
        let margin = Margin { carries: self.0.machine.carries, ..Margin::default() };
        LaneRules::new(self.r_bits() - self.kernel_modulus().bits(), self.limbs(), margin)
    }
}

impl Raw for Ifma<MAX> {
    const LANES: usize = LANES;

    fn kernel_modulus(&self) -> BigUint {
        self.numbers(&self.0.n)[0].magnitude().clone()
    }

    fn radix(&self) -> BigUint {
        BigUint::one() << self.r_bits()
    }

    fn rules(&self) -> Arc<dyn Rules> {
        Arc::new(self.own_rules())
    }

    fn most(&self) -> i64 {
        self.own_rules().most()
    }

    fn top(&self, high: i64) -> BigUint {
        (self.kernel_modulus() * high as u64) >> UNIT_BITS
    }

    fn place(&self, lanes: &[&BigInt]) -> Residues<MAX> {
        let mut limbs = vec![Vector::default(); self.limbs()];
        for (lane, x) in lanes.iter().enumerate() {
            let words = x.magnitude().to_u64_digits();
            limbs.iter_mut().zip(split(&words, LIMB)).for_each(|(v, limb)| v.0[lane] = limb);
        }
        Residues::new(&limbs)
    }

    fn numbers(&self, x: &Residues<MAX>) -> Vec<BigInt> {
        let limbs = &self.0.machine.read(x)[..self.limbs()];
        let lane = |lane: usize| {
            let (number, rest) = sum(limbs.iter().map(|v| v.0[lane] as i64));
            // a limb of more than 52 bits turns the result into a number that no range contains
            let fits = rest == 0 && limbs.iter().all(|v| v.0[lane] >> LIMB == 0);
            BigInt::from(if fits { number } else { number + (BigUint::one() << self.r_bits()) })
        };
        (0..LANES).map(lane).collect()
    }

    fn wides(&self, x: &Columns<MAX>) -> Vec<BigInt> {
        let columns = self.0.machine.read_wide(x);
        let lane = |lane: usize| {
            let (number, rest) = sum(columns.iter().map(|v| v.0[lane] as i64));
            BigInt::from(number) + (BigInt::from(rest) << (LIMB * columns.len() as u64))
        };
        (0..LANES).map(lane).collect()
    }

    /// 3p ± 2x is computed in parts that do not fit with the margin of F_p², and on many limbs it has no kernel for
    /// forms near 0.
    fn refuses(&self, operation: &Operation) -> bool {
        let spare = self.r_bits() - self.kernel_modulus().bits();
        spare < dispatch::SPARE && matches!(operation, Operation::ThreeAndTwo(_) | Operation::ReduceThree(..))
    }

    fn columns_fit(&self, x: &Columns<MAX>, columns: [i64; 2]) -> bool {
        let l = self.limbs() as i128;
        // a carried column is within ±(2^52 + 2^11)
        let of_one = (if self.own_rules().by_halves() { 4 * l } else { 2 * l - 1 } << LIMB) + (1 << 11);
        let size = of_one * i128::from(columns[1].max(-columns[0]));
        self.0.machine.read_wide(x).iter().flat_map(|v| v.0).all(|column| i128::from(column as i64).abs() <= size)
    }
}

/// Returns Σ c_j·2^(52j) of n columns as a number below 2^(52n) and a multiple of 2^(52n).
fn sum(columns: impl Iterator<Item = i64>) -> (BigUint, i64) {
    let (mut digits, mut held, mut bits, mut carry) = (vec![], 0u128, 0, 0i64);
    for column in columns {
        let full = i128::from(column) + i128::from(carry);
        held |= (full as u128 & ((1 << LIMB) - 1)) << bits;
        carry = (full >> LIMB) as i64;
        bits += LIMB;
        while bits >= 32 {
            digits.push(held as u32);
            (held, bits) = (held >> 32, bits - 32);
        }
    }
    digits.push(held as u32);
    (BigUint::new(digits), carry)
}

/// The size and shape of a modulus, and the way in which its forms are summed.
struct Case {
    limbs: usize,
    /// The number of limbs from the second on that are 0, if the modulus is Montgomery-friendly.
    zeros: usize,
    spare: u64,
    margin: Margin,
}

impl Case {
    /// Returns every number of limbs with every number of spare bits, and every shape of friendly moduli with some
    /// numbers of spare bits, for which the modulus is not a multiple of p: multiples are not friendly. Forms of few
    /// limbs are summed in every way.
    fn all() -> Vec<Case> {
        let mut cases = vec![];
        for (limbs, zeros) in SHAPES.iter().copied() {
            let spares = SPARE.filter(|spare| zeros == 0 || *spare <= MAX_SPARE && spare % 6 == 4);
            for spare in spares {
                let margin = Margin { spare: SPARE.start, ..Margin::default() };
                let ways = [margin, Margin { carries: true, ..margin }];
                let some = if limbs as u64 <= HELD { 2 } else { 1 };
                cases.extend(ways.into_iter().take(some).map(|margin| Case { limbs, zeros, spare, margin }));
            }
        }
        cases
    }

    fn field(&self, rng: &mut Rng) -> Option<Ifma<MAX>> {
        let (bits, zeros) = (LIMB * self.limbs as u64 - self.spare, LIMB * (self.zeros as u64 + 1));
        let modulus = match self.zeros {
            0 => rng.modulus(bits, LIMB),
            _ => (rng.modulus(bits - zeros, LIMB) << zeros) + 3u32,
        };
        Ifma::with_margin(&modulus, self.margin).unwrap()
    }
}

/// Examines every case once. Returns true if the processor has lanes and all cases were examined.
fn examined() -> bool {
    let cases = Case::all();
    fuzz(0xb111_0e00, cases.len(), 1, |turn, rng| cases[turn % cases.len()].field(rng)) >= cases.len()
}

/// Runs alone in a process, so that no other test calls kernels.
#[test]
fn kernels_keep_the_ranges_of_the_rules() {
    if std::env::var_os(ALONE).is_some() {
        // the kernels on rows have a test of their own
        let lanes = inventory().into_iter().filter(|kernel| !kernel.name.starts_with("rows_"));
        let missing = lanes.filter(|kernel| kernel.called.load(Ordering::Relaxed) == 0);
        let missing = if examined() { missing.map(|kernel| kernel.name).collect() } else { vec![] };
        assert!(missing.is_empty(), "no operation of this test calls {missing:?}");
        println!("lanes: {}", detect());
        return;
    }
    let test = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ifma::ranges::kernels_keep_the_ranges_of_the_rules", "--nocapture"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let [out, err] = [test.stdout, test.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    println!("{out}");
    assert!(test.status.success() && out.contains("1 passed"), "{err}");
    // an emulator may provide the instructions to this process only
    if detect() && !out.contains("lanes: true") {
        examined();
    }
}

/// Takes three times a form of products with the largest possible columns, of both signs, and with as many products
/// as the rules allow. For a = 2^52 − 2^26 + 1 both halves of a² are almost 2^52.
#[test]
fn three_times_the_most_products_fit_their_columns() {
    let ways = [(ROOMY, true), (dispatch::SPARE, false), (dispatch::SPARE, true)];
    let few = LIMBS.iter().copied().filter(|l| *l as u64 <= HELD);
    for (l, (spare, is_near)) in few.flat_map(|l| ways.map(|way| (l, way))) {
        let p = (BigUint::one() << (LIMB * l as u64 - spare)) - 1u32;
        let margin = Margin { spare, ..Margin::default() };
        let Some(f) = Ifma::<MAX>::with_margin(&p, margin).unwrap() else { return };
        let (rules, closed) = (f.own_rules(), Range::new(0, 1 << UNIT_BITS));
        // in terms ±2w, which are summed at once
        let product = rules.product(closed, closed).unwrap();
        let allowed = |n: i64| {
            let terms = vec![times(2, &product); n as usize];
            if is_near { rules.three_forms_near(&terms, closed) } else { rules.three_forms(&terms, closed) }.is_ok()
        };
        let most = largest(1 << 10, allowed).unwrap() as usize;
        let columns = rules.columns(Range::form(&vec![times(2, &product); most + 1]));
        assert!(most > 10 && columns.is_ok(), "{l} limbs, {margin:?}, near 0: {is_near}: {most}");
        let a = (BigUint::one() << LIMB) - (1u32 << 26) + 1u32;
        let longest = (0..l as u64).map(|j| &a << (LIMB * j)).sum::<BigUint>() & (&p >> 1u32);
        let x = f.place(&[&BigInt::from(longest); LANES]);
        let mut w = Columns::default();
        f.mul_wide(&mut w, &x, &x);
        for (sign, subtract) in [(1, false), (1, true), (-1, false), (-1, true)] {
            let terms = vec![times(2 * sign, &w); most.min(MAX_TERMS)];
            let [mut fused, mut reduced, mut apart] = [(); 3].map(|()| Residues::default());
            if is_near {
                f.reduce_three_and_two_near(&mut fused, &terms, &x, subtract);
            } else {
                f.reduce_three_and_two(&mut fused, &terms, &x, subtract);
            }
            f.reduce(&mut reduced, &terms);
            f.three_and_two(&mut apart, &reduced, &x, subtract);
            let mut zero = Residues::default();
            f.sum(&mut zero, &[plus(&fused), times(-1, &apart)]);
            let n = BigInt::from(f.kernel_modulus());
            let wrong = f.numbers(&zero).into_iter().filter(|x| x % &n != BigInt::from(0)).count();
            assert_eq!(
                wrong, 0,
                "{l} limbs, {margin:?}, near 0: {is_near}, {most} terms, sign {sign}, subtract {subtract}"
            );
        }
    }
}
