//! Each pass on random routines, compared with its input: a routine that can be run, equal values, ranges that hold, no more operations.
#![allow(clippy::unwrap_used)]

use super::{PASSES, STRAIGHT, rewrite, suit};
use crate::op::{Ref, Term};
use crate::program::{Op, Routine};
use crate::replay::Value;
use crate::verify::verify_routine;
use bilinear_field::bounds::{Bounds, Report};
use bilinear_field::reference::Reference;
use bilinear_field::{Code, Engine, Kind, LIMBS, Margin, Prime, WORDS, rules};
use num_bigint::BigUint;
use std::collections::HashSet;

/// 2^255 − 19.
const P: &str = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";
const PARAMS: usize = 8;
const CONSTANTS: usize = 2;

/// xorshift64* (Vigna 2016).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// A routine that grows at random.
struct Growing {
    routine: Routine,
    rng: Rng,
}

impl Growing {
    fn new(seed: u64) -> Self {
        let kinds = vec![Kind::Elem; PARAMS];
        let routine = Routine { name: "random", params: PARAMS, kinds, ops: vec![], operands: vec![], results: vec![] };
        Growing { routine, rng: Rng(seed) }
    }

    /// Adds an operation, and returns the number of its first result.
    fn push(&mut self, code: Code, operands: &[Term]) -> usize {
        let Routine { kinds, ops, operands: list, .. } = &mut self.routine;
        let (first, value) = (list.len() as u32, kinds.len());
        list.extend(operands);
        ops.push(Op { code, operands: first..list.len() as u32, value: value as u32 });
        kinds.extend_from_slice(&code.results(operands.len()));
        value
    }

    /// Returns one of the last values of a kind, so that many operations are alike and many values are read once; now
    /// and then a constant.
    fn pick(&mut self, kind: Kind) -> Option<Term> {
        if kind == Kind::Elem && self.rng.below(16) == 0 {
            return Some(Term { coeff: 1, value: Ref::constant(self.rng.below(CONSTANTS)) });
        }
        let kinds = &self.routine.kinds;
        let all: Vec<usize> = (0..kinds.len()).filter(|v| kinds[*v] == kind).collect();
        let last = all.len().checked_sub(1 + self.rng.below(all.len().clamp(1, 8)))?;
        Some(Term { coeff: 1, value: Ref::value(all[last]) })
    }

    /// Adds any operation that passes look at, if there are operands for it.
    fn any(&mut self) -> Option<()> {
        let code =
            [Code::Add, Code::Sum, Code::Reduce, Code::ThreePlusTwo, Code::ThreeMinusTwo, Code::MulWide, Code::Lin];
        let code = code[self.rng.below(7)];
        let count = if matches!(code, Code::Reduce | Code::Lin) { 1 + self.rng.below(3) } else { 2 };
        let mut operands = (0..count).map(|_| self.pick(code.operand_kind(0))).collect::<Option<Vec<Term>>>()?;
        if matches!(code, Code::Sum | Code::Reduce | Code::Lin) {
            operands.iter_mut().for_each(|t| t.coeff = [1, 1, -1][self.rng.below(3)]);
        }
        self.push(code, &operands);
        Some(())
    }

    /// Operations of two elements.
    const OF_TWO: [Code; 6] = [Code::Mul, Code::MulWide, Code::Add, Code::Sub, Code::ThreePlusTwo, Code::ThreeMinusTwo];

    /// Adds an operation of two elements on the operands of an earlier one, in either order: equal to it, or almost.
    fn again(&mut self) -> Option<()> {
        let of_two = self.routine.ops.iter().filter(|op| Self::OF_TWO.contains(&op.code));
        let of_two: Vec<(Code, Vec<Term>)> = of_two.map(|op| (op.code, self.routine.operands(op).to_vec())).collect();
        let (same, mut operands) = of_two.get(self.rng.below(of_two.len().max(1)))?.clone();
        let code = if self.rng.below(2) == 0 { same } else { Self::OF_TWO[self.rng.below(6)] };
        if self.rng.below(2) == 0 {
            operands.reverse();
        }
        self.push(code, &operands);
        Some(())
    }

    /// Adds a product or a square in F_p(i), of sums or of existing values.
    fn complex(&mut self) -> Option<()> {
        let code = [Code::ComplexMulWide, Code::ComplexSqrWide][self.rng.below(2)];
        let mut operands = vec![];
        for _ in 0..code.pairs() {
            // two neighbours, mostly
            let pair = |own: &mut Self| -> Option<[Term; 2]> {
                if own.rng.below(2) == 0 {
                    let first = 2 * own.rng.below(PARAMS / 2);
                    return Some([first, first + 1].map(|v| Term { coeff: 1, value: Ref::value(v) }));
                }
                let a = own.pick(Kind::Elem)?;
                let beside = (!a.value.is_constant()).then(|| a.value.number() + 1);
                let beside = beside.filter(|v| own.routine.kinds.get(*v) == Some(&Kind::Elem));
                let b = match beside {
                    Some(v) if own.rng.below(8) > 0 => Term { coeff: 1, value: Ref::value(v) },
                    _ => own.pick(Kind::Elem)?,
                };
                Some([a, b])
            };
            let a = pair(self)?;
            if self.rng.below(2) == 0 {
                operands.extend(a);
                continue;
            }
            let c = pair(self)?;
            for (a, c) in a.into_iter().zip(c) {
                let value = Ref::value(self.push(Code::Add, &[a, c]));
                operands.push(Term { coeff: 1, value });
            }
        }
        self.push(code, &operands);
        Some(())
    }

    /// Adds a product or a square, and forms that subtract other values from it, mostly the same from both halves.
    fn cross(&mut self) -> Option<()> {
        let others = (0..4).map(|_| self.pick(Kind::Wide)).collect::<Option<Vec<Term>>>()?;
        self.complex()?;
        let product = self.routine.kinds.len() - 2;
        for _ in 0..1 + self.rng.below(2) {
            for half in 0..2 {
                let c = [1, 1, 1, -1, 2][self.rng.below(5)];
                let mut form = vec![Term { coeff: c, value: Ref::value(product + half) }];
                let opposite = |t: &Term| Term { coeff: -c, ..*t };
                form.extend(others[2 * half..].iter().take(2).map(opposite));
                if self.rng.below(3) == 0 {
                    let more = self.pick(Kind::Wide)?;
                    form.push(Term { coeff: [1, -1][self.rng.below(2)], ..more });
                }
                if self.rng.below(16) == 0 {
                    form.swap_remove(1);
                }
                let code = [Code::Lin, Code::Reduce][self.rng.below(2)];
                self.push(code, &form);
            }
        }
        Some(())
    }

    fn grown(mut self) -> (Routine, Rng) {
        for _ in 0..20 {
            match self.rng.below(7) {
                0 => self.complex(),
                1 => self.cross(),
                2 => self.again(),
                _ => self.any(),
            };
        }
        let made = PARAMS as u32..self.routine.kinds.len() as u32;
        self.routine.results = made.filter(|_| self.rng.below(6) == 0).collect();
        (self.routine, self.rng)
    }
}

fn values<F: Prime>(f: &F, count: usize, rng: &mut Rng) -> Vec<Value<F>> {
    (0..count).map(|_| Value::Elem(f.constant(&BigUint::from(rng.below(1 << 30)).pow(9)))).collect()
}

/// Returns a result modulo p.
fn residue(f: &Reference, value: &Value<Reference>) -> BigUint {
    match value {
        Value::Elem(x) => bilinear_field::Lanes::value(f, x, 0),
        Value::Wide(w) => {
            let mut x = bilinear_field::Field::zero(f);
            bilinear_field::Field::reduce(f, &mut x, &[bilinear_field::plus(w)]);
            bilinear_field::Lanes::value(f, &x, 0)
        }
        Value::Mask(_) => unreachable!("no truth values"),
    }
}

type Pass = Box<dyn Fn(Routine) -> Routine>;

#[test]
fn a_pass_changes_no_value_and_no_range() {
    let p = BigUint::parse_bytes(P.as_bytes(), 16).unwrap();
    let f = Reference::new(&p).unwrap();
    let mut fused: HashSet<Code> = HashSet::new();
    let one =
        |pass: fn(&mut Routine)| -> Pass { Box::new(move |routine| rewrite(&routine, |routine| routine.pass(pass))) };
    let suited: Pass = Box::new(|routine| suit(&routine, &|_, _| true));
    let all: Vec<Pass> = PASSES.into_iter().map(one).chain([suited]).chain(STRAIGHT.into_iter().map(one)).collect();
    let (mut before, mut after) = (0, 0);
    for seed in 0xb111_0ea5..0xb111_0ea5 + 4000u64 {
        let (original, mut rng) = Growing::new(seed).grown();
        let (params, constants) = (values(&f, PARAMS, &mut rng), values(&f, CONSTANTS, &mut rng));
        let want = original.evaluate(&f, &constants, &params);
        let want: Vec<BigUint> = want.iter().map(|value| residue(&f, value)).collect();
        let mut routine = original;
        for (i, pass) in all.iter().enumerate() {
            let next = pass(routine.clone());
            let say = || format!("pass {i}, seed {seed:#x}\n{routine:?}\n{next:?}");
            assert_eq!(verify_routine(0, &next, CONSTANTS), Ok(()), "{}", say());
            let got = next.evaluate(&f, &constants, &params);
            let got: Vec<BigUint> = got.iter().map(|value| residue(&f, value)).collect();
            assert_eq!(got, want, "{}", say());
            assert!(next.ops.len() <= routine.ops.len(), "{}", say());
            for engine in [Engine::Mont, Engine::Ifma] {
                let Some(rules) = rules(engine, &p, WORDS, LIMBS, Margin::default()) else { continue };
                let proved = |routine: &Routine| -> Report {
                    let bounds = Bounds::new(&p, rules.clone());
                    let closed = |count| vec![Value::Elem(rules.closed()); count];
                    routine.evaluate(&bounds, &closed(CONSTANTS), &closed(PARAMS));
                    bounds.report()
                };
                let sound = |report: &Report| report.violations.is_empty();
                assert!(sound(&proved(&next)) || !sound(&proved(&routine)), "{engine:?}: {}", say());
            }
            before += routine.ops.len();
            after += next.ops.len();
            fused.extend(next.ops.iter().map(|op| op.code));
            routine = next;
        }
    }
    // the passes had something to do
    assert!(after * 20 < before * 19, "{after} of {before} operations left");
    let codes = [
        Code::ReduceThreePlusTwo,
        Code::ReduceThreeMinusTwo,
        Code::ComplexSumsMulWide,
        Code::ComplexSumSqrWide,
        Code::ComplexSumsMulLin,
        Code::ComplexSumSqrLin,
    ];
    for code in codes {
        assert!(fused.contains(&code), "no {}", code.name());
    }
}
