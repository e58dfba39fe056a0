//! Every operation of a program matters: a changed operation changes the outputs.

use crate::common::{Formula, Lane, Rng, TIGHT, lane, prime, record, replay};
use crate::formulas::{Loop, Partners, Product};
use bilinear_program::{Code, Kind, Op, Parts, Ref, Routine, Step};

/// Groups of codes with the same operands and results, of which no two are the same function.
const ALIKE: [&[Code]; 6] = [
    &[Code::Mul, Code::Add, Code::Sub, Code::ThreePlusTwo, Code::ThreeMinusTwo],
    &[Code::Sqr, Code::Copy],
    &[Code::MulSum, Code::SqrSum, Code::Sum],
    &[Code::IsZero, Code::IsOdd],
    &[Code::ReduceThreePlusTwo, Code::ReduceThreeMinusTwo],
    &[Code::ComplexMulWide, Code::ComplexSumSqrWide],
];

/// Returns the kinds of an operation's results.
fn results(routine: &Routine, op: usize) -> Vec<Kind> {
    let end = routine.ops.get(op + 1).map_or(routine.kinds.len(), |next| next.value as usize);
    routine.kinds[routine.ops[op].value as usize..end].to_vec()
}

/// Returns all changes of one operation. The caller leaves out those that do not give a sound program.
fn of_operation(parts: &Parts, r: usize, o: usize) -> Vec<(String, Parts)> {
    let (routine, op) = (&parts.routines[r], &parts.routines[r].ops[o]);
    let mut mutants = vec![];
    let mut add = |what: String, change: &dyn Fn(&mut Routine)| {
        let mut mutant = parts.clone();
        change(&mut mutant.routines[r]);
        let what = format!("routine {r} ({}), operation {o} ({}): {what}", routine.name, op.code.name());
        mutants.push((what, mutant));
    };
    for code in ALIKE.iter().filter(|codes| codes.contains(&op.code)).flat_map(|codes| codes.iter()) {
        if *code != op.code {
            add(format!("as {}", code.name()), &|routine| routine.ops[o].code = *code);
        }
    }
    let kind = |x: Ref| if x.is_constant() { Kind::Elem } else { routine.kinds[x.number()] };
    for t in op.operands.start as usize..op.operands.end as usize {
        let term = routine.operands[t];
        for coeff in [-term.coeff, term.coeff + 1] {
            add(format!("coefficient {t} is {coeff}"), &|routine| routine.operands[t].coeff = coeff);
        }
        for v in
            (0..op.value as usize).filter(|v| Ref::value(*v) != term.value && routine.kinds[*v] == kind(term.value))
        {
            add(format!("operand {t} is {v}"), &|routine| routine.operands[t].value = Ref::value(v));
        }
        for c in
            (0..parts.constants.len()).filter(|c| kind(term.value) == Kind::Elem && Ref::constant(*c) != term.value)
        {
            add(format!("operand {t} is constant {c}"), &|routine| routine.operands[t].value = Ref::constant(c));
        }
    }
    // two results of one operation, or of this one and the next, change places
    let own = results(routine, o);
    let next = routine.ops.get(o + 1).filter(|_| results(routine, o + 1)[0] == own[0]).map(|next| next.value);
    let other = if own.len() == 2 { Some(op.value + 1) } else { next };
    if let Some(other) = other {
        let (a, b) = (Ref::value(op.value as usize), Ref::value(other as usize));
        add(format!("{} and {other} swapped", op.value), &|routine| {
            let reads = |later: &Op| later.operands.start as usize;
            let from = routine.ops.iter().find(|later| later.value > other).map_or(routine.operands.len(), reads);
            for t in &mut routine.operands[from..] {
                t.value = if t.value == a {
                    b
                } else if t.value == b {
                    a
                } else {
                    t.value
                };
            }
        });
    }
    mutants
}

/// Returns all changes of one call: an argument is another value of its kind, or results change places.
fn of_call(parts: &Parts, s: usize) -> Vec<(String, Parts)> {
    let Step::Call(call) = &parts.plan[s] else { return vec![] };
    let mut mutants = vec![];
    let mut add = |what: String, step: Step| {
        let mut mutant = parts.clone();
        mutant.plan[s] = step;
        mutants.push((format!("step {s}: {what}"), mutant));
    };
    for (i, x) in call.args.iter().enumerate() {
        let others = 0..parts.kinds.len() as u32;
        for v in others.filter(|v| v != x && parts.kinds[*v as usize] == parts.kinds[*x as usize]) {
            let mut changed = call.clone();
            changed.args[i] = v;
            add(format!("argument {i} is {v}"), Step::Call(changed));
        }
    }
    for i in 1..call.results.len() {
        let mut changed = call.clone();
        changed.results.swap(i - 1, i);
        add(format!("results {} and {i} swapped", i - 1), Step::Call(changed));
    }
    mutants
}

/// Returns the number of mutants of a formula's program, and those that give the same outputs on all lanes.
fn survivors<W: Formula>(formula: &W, seed: u64) -> (usize, Vec<String>) {
    let p = prime(TIGHT);
    let program = record(&p, formula);
    let mut rng = Rng(seed);
    let [elems, masks, residues] = W::INPUTS;
    // truth values of both kinds
    let mut lanes: Vec<Lane> = (0..6).map(|_| lane(&mut rng, &p, 0, masks)).collect();
    for (i, (own, truths)) in lanes.iter_mut().enumerate() {
        own.extend((0..elems).map(|_| rng.residue(&p)));
        truths.iter_mut().enumerate().for_each(|(j, truth)| *truth = i >> j & 1 == 1);
    }
    let uniforms: Vec<_> = (0..residues).map(|_| rng.residue(&p)).collect();
    let want: Vec<Lane> = lanes.iter().map(|lane| replay(&program, lane, &uniforms)).collect();
    let parts = program.clone().into_parts();
    let operations = (0..parts.routines.len()).flat_map(|r| (0..parts.routines[r].ops.len()).map(move |o| (r, o)));
    let mut mutants: Vec<(String, Parts)> = operations.flat_map(|(r, o)| of_operation(&parts, r, o)).collect();
    mutants.extend((0..parts.plan.len()).flat_map(|s| of_call(&parts, s)));
    let (mut count, mut survivors) = (0, vec![]);
    for (what, mutant) in mutants {
        let Ok(mutant) = mutant.verify() else { continue };
        // values that only callers read cannot change places in a routine
        if mutant == program {
            continue;
        }
        count += 1;
        if lanes.iter().zip(&want).all(|(lane, want)| replay(&mutant, lane, &uniforms) == *want) {
            survivors.push(what);
        }
    }
    (count, survivors)
}

#[test]
fn every_change_of_a_product_shows() {
    let seed = 0x5eed_a000;
    let (count, survivors) = survivors(&Product, seed);
    assert!(count > 1000, "{count} mutants");
    assert_eq!(survivors, Vec::<String>::new(), "seed {seed:#x}, {count} mutants");
}

#[test]
fn every_change_of_a_loop_shows() {
    let seed = 0x5eed_a100;
    let (count, survivors) = survivors(&Loop(4), seed);
    assert!(count > 300, "{count} mutants");
    assert_eq!(survivors, Vec::<String>::new(), "seed {seed:#x}, {count} mutants");
}

#[test]
fn every_change_of_numbers_with_several_partners_shows() {
    let seed = 0x5eed_a200;
    let (count, survivors) = survivors(&Partners, seed);
    assert!(count > 300, "{count} mutants");
    assert_eq!(survivors, Vec::<String>::new(), "seed {seed:#x}, {count} mutants");
}
