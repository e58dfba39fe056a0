//! Programs of arbitrary parts: each is either rejected, or machines compute from it what its replay computes.
#![no_main]

use bilinear_field::reference::Reference;
use bilinear_program::ranges::prove;
use bilinear_program::{
    Batch, Call, Code, Input, Kind, Machine, Native, Op, Output, Parts, Program, Ref, Routine, Step, Term, Value,
    machine,
};
use libfuzzer_sys::fuzz_target;
use num_bigint::BigUint;
use std::sync::Arc;

/// A source of bytes, which gives 0 after its end.
struct Source<'a>(std::slice::Iter<'a, u8>);

impl Source<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// Returns a number below n or, if a byte is 255, an arbitrary one.
    fn below(&mut self, n: usize) -> usize {
        let byte = usize::from(self.byte());
        if byte == 255 { usize::from(self.byte()) << usize::from(self.byte() % 24) } else { byte % n.max(1) }
    }

    fn list<T>(&mut self, most: usize, mut next: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let length = self.below(most + 1).min(256);
        (0..length).map(|_| next(self)).collect()
    }

    fn kind(&mut self) -> Kind {
        Kind::ALL[usize::from(self.byte()) % 3]
    }

    fn reference(&mut self, values: usize) -> Ref {
        let number = self.below(2 * values);
        if self.byte().is_multiple_of(8) { Ref::constant(number % 4) } else { Ref::value(number % (values + 1)) }
    }

    fn routine(&mut self) -> Routine {
        let mut kinds = self.list(6, Source::kind);
        let (params, mut operands, mut ops) = (kinds.len(), vec![], vec![]);
        for _ in 0..self.below(16).min(64) {
            let code = Code::ALL[self.below(Code::ALL.len()) % Code::ALL.len()];
            let first = operands.len() as u32;
            for _ in 0..1 + self.below(4).min(16) {
                let coeff = [1, 1, 1, -1, 2, -3, 100, i32::MIN][usize::from(self.byte()) % 8];
                operands.push(Term { coeff, value: self.reference(kinds.len()) });
            }
            let last = operands.len() as u32;
            ops.push(Op { code, operands: first..last, value: kinds.len() as u32 });
            kinds.extend(code.results((last - first) as usize).iter());
        }
        if self.byte() == 255 {
            kinds = self.list(40, Source::kind);
        }
        let results = self.list(6, |s| s.below(kinds.len()) as u32);
        Routine { name: "fuzz", params, kinds, ops, operands, results }
    }

    fn parts(&mut self, modulus: BigUint) -> Parts {
        let constants = self.list(4, |s| BigUint::from(s.byte()));
        let routines = self.list(3, Source::routine);
        let mut kinds = vec![];
        let inputs = self.list(6, |s| {
            let value = kinds.len() as u32;
            let (input, kind) = match s.byte() % 2 {
                0 => (Input::Elem { value }, Kind::Elem),
                _ => (Input::Mask { value }, Kind::Mask),
            };
            kinds.push(kind);
            input
        });
        let plan = self.list(8, |s| {
            if s.byte() % 4 == 0 {
                let code = [Code::Invert, Code::Quotients, Code::Mul][usize::from(s.byte()) % 3];
                let args = s.list(4, |s| s.reference(kinds.len()));
                let first = kinds.len() as u32;
                kinds.extend(code.results(args.len().max(2)).iter());
                return Step::Shared { code, args, results: (first..kinds.len() as u32).collect() };
            }
            let routine = s.below(routines.len());
            let known = routines.get(routine);
            let params = known.map_or(0, |r| r.params);
            let args = (0..params).map(|_| s.below(kinds.len()) as u32).collect();
            let results = known.map_or(&[][..], |r| &r.results).iter().map(|local| {
                let kind = known.and_then(|r| r.kinds.get(*local as usize)).copied();
                (s.byte() % 4 > 0).then(|| {
                    kinds.push(kind.unwrap_or(Kind::Elem));
                    kinds.len() as u32 - 1
                })
            });
            let results = results.collect();
            Step::Call(Call { routine: routine as u32, args, results })
        });
        let outputs = self.list(6, |s| {
            let value = s.reference(kinds.len());
            if s.byte() % 2 == 0 { Output::Elem(value) } else { Output::Mask(value) }
        });
        Parts { modulus, constants, routines, kinds, inputs, outputs, plan }
    }
}

/// The inputs or the outputs of one lane.
type Lane = (Vec<BigUint>, Vec<bool>);

fn replayed(program: &Program, lane: &Lane) -> Lane {
    let reference = Reference::new(program.modulus()).unwrap_or_else(|_| unreachable!("the modulus is odd"));
    let (mut elems, mut masks) = (lane.0.iter(), lane.1.iter());
    let inputs = program.inputs().iter().filter_map(|input| {
        Some(match input {
            Input::Elem { .. } => Value::Elem(elems.next()?.clone()),
            _ => Value::Mask(*masks.next()?),
        })
    });
    let inputs: Vec<Value<Reference>> = inputs.collect();
    let (mut elems, mut masks) = (vec![], vec![]);
    for (output, value) in program.outputs().iter().zip(program.replay(&reference, &inputs)) {
        match output {
            Output::Elem(_) => elems.push(value.elem().clone()),
            _ => masks.push(value.mask()),
        }
    }
    (elems, masks)
}

fn ran(machine: &dyn Machine, program: &Arc<Program>, lane: &Lane) -> Lane {
    let mut batch = Batch::new(program, machine, 2);
    for vector in 0..2 {
        lane.0.iter().enumerate().for_each(|(i, x)| batch.set(vector, i, 0, &x.to_u64_digits()));
        lane.1.iter().enumerate().for_each(|(i, m)| batch.set_mask(vector, i, 0, *m));
    }
    machine.load(program).run(&mut batch);
    let outputs = |is: fn(&&Output) -> bool| 0..program.outputs().iter().filter(is).count();
    let integer = |words: &[u64]| words.iter().rev().fold(BigUint::ZERO, |x, w| (x << 64u32) + *w);
    (
        outputs(|o| matches!(o, Output::Elem(_))).map(|i| integer(batch.get(1, i, 0))).collect(),
        outputs(|o| matches!(o, Output::Mask(_))).map(|i| batch.get_mask(1, i, 0)).collect(),
    )
}

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data.iter());
    // 2^127 − 1 leaves one spare bit in two words, 2^89 − 1 leaves 39
    let bits = [127u32, 89][usize::from(source.byte()) % 2];
    let p = (BigUint::from(1u32) << bits) - 1u32;
    let lane: Lane = (
        (0..8).map(|_| (&p - 1u32) >> (usize::from(source.byte()) % 128)).collect(),
        (0..8).map(|_| source.byte() & 1 == 1).collect(),
    );
    let Ok(program) = source.parts(p.clone()).verify() else { return };
    let count = |is: fn(&&Input) -> bool| program.inputs().iter().filter(is).count();
    let of = |n: usize| (0..n).map(|i| i % 8);
    let lane = (
        of(count(|i| matches!(i, Input::Elem { .. }))).map(|i| lane.0[i].clone()).collect(),
        of(count(|i| matches!(i, Input::Mask { .. }))).map(|i| lane.1[i]).collect(),
    );
    let want = replayed(&program, &lane);
    let _ = (format!("{program:?}").len(), program.operations());
    let program = Arc::new(program);
    let reference = Native::new("reference", Reference::new(&p).unwrap_or_else(|_| unreachable!("odd")));
    assert_eq!(ran(&reference, &program, &lane), want);
    for engine in bilinear_field::Engine::available() {
        let Ok(machine) = machine(engine, &p, Default::default()) else { continue };
        let Some(rules) = machine.rules() else { continue };
        if prove(&program, &rules).violations.is_empty() {
            assert_eq!(ran(&*machine, &program, &lane), want, "{engine}");
        }
    }
});
