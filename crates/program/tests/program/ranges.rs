//! Ranges are proved for every number of passes: what a loop carries must settle.

use crate::common::{FULL, Formula, ROOMY, SIZES, TIGHT, Values, prime, record, rules_of};
use crate::formulas::{Everything, Inversions, Loop, Partners, Product, Tower};
use bilinear_field::bounds::{Bounds, Range, Report, Rules};
use bilinear_field::{Engine, Field, LIMBS, Margin, Prime, Term, WORDS, at, plus, rules, times};
use bilinear_program::ranges::{near, prove};
use bilinear_program::schedule::{AHEAD, Schedule};
use bilinear_program::{Code, Elem, Program, Recorder, machine};
use num_bigint::BigUint;
use std::sync::Arc;

/// Returns the reports on a formula's program under the rules of words and of lanes; and, without a proof for every
/// number of passes, those on the formula itself over intervals.
fn reports<W: Formula>(bits: u64, formula: &W) -> Vec<[Report; 2]> {
    let p = prime(bits);
    let program = record(&p, formula);
    let of = |rules: &_| {
        let bounds = Bounds::new(&p, Arc::clone(rules));
        let [elems, masks, uniforms] = W::INPUTS;
        let closed = bounds.zero();
        formula.run(
            &bounds,
            &Values { elems: vec![closed; elems], masks: vec![(); masks], uniforms: vec![closed; uniforms] },
        );
        [prove(&program, rules), bounds.report()]
    };
    let all: Vec<_> = rules_of(&p).iter().map(of).collect();
    assert!(!all.is_empty(), "words have rules everywhere");
    all
}

#[test]
fn shipped_formulas_stay_in_range() {
    fn proved<W: Formula>(what: &str, formula: &W) {
        for bits in SIZES {
            for [report, direct] in reports(bits, formula) {
                assert_eq!(report.violations, Vec::<String>::new(), "{what}, {bits} bits");
                assert_eq!(direct.violations, Vec::<String>::new(), "{what}, {bits} bits");
                // for all passes at once: ranges contain those that each pass reaches
                for [all, one] in [[report.elem, direct.elem], [report.wide, direct.wide]] {
                    assert_eq!(all.hull(one), all, "{what}, {bits} bits");
                }
            }
        }
    }
    proved("everything", &Everything);
    proved("partners", &Partners);
    proved("tower", &Tower);
    proved("product", &Product);
    proved("inversions", &Inversions);
    proved("loop", &Loop(40));
}

#[test]
fn a_loop_is_proved_once_for_all_its_passes() {
    for ([few, _], [many, _]) in reports(ROOMY, &Loop(3)).into_iter().zip(reports(ROOMY, &Loop(300))) {
        assert!(many.operations < 3 * few.operations, "{} and {} operations", few.operations, many.operations);
        assert_eq!([few.elem, few.wide], [many.elem, many.wide]);
    }
}

/// A sum that weighs more than words with few spare bits allow.
struct Heavy;

impl Formula for Heavy {
    const INPUTS: [usize; 3] = [2, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let [x, y] = &given.elems[..] else { panic!("two elements") };
        at! {f; z = mul(x, y);}
        let elems = vec![f.routine("heavy", || {
            at! {f; sum = sum(&[times(4000, &z), times(-2000, x), plus(y)]); out = sqr(&sum);}
            out
        })];
        Values { elems, ..Values::default() }
    }
}

/// Lazy sums that a product reads before any of them is closed.
struct Lazy(usize);

impl Formula for Lazy {
    const INPUTS: [usize; 3] = [2, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let mut x = given.elems[0].clone();
        for _ in 0..self.0 {
            x = at!(f; add(&x, &x));
        }
        at! {f; out = mul(&x, &given.elems[1]);}
        Values { elems: vec![out], ..Values::default() }
    }
}

#[test]
fn planted_violations_are_reported() {
    for bits in [FULL, TIGHT] {
        let [report, direct] = reports(bits, &Heavy).remove(0);
        assert_eq!(report.violations, ["sum of weight 6001: at most 4096"], "{bits} bits");
        assert_eq!(direct.violations, report.violations, "{bits} bits");
    }
    // words with fewer than 16 spare bits close every sum
    for (i, [report, direct]) in reports(TIGHT, &Lazy(30)).into_iter().enumerate() {
        assert_eq!([report.violations.is_empty(), direct.violations.is_empty()], [i == 0; 2]);
    }
    for [report, direct] in reports(ROOMY, &Lazy(30)) {
        assert!(!report.violations.is_empty() && !direct.violations.is_empty());
    }
    for [report, _] in reports(ROOMY, &Lazy(1)) {
        assert_eq!(report.violations, Vec::<String>::new());
    }
}

/// x ← x + c in a step of its own, this many times.
struct Creeping(usize);

impl Formula for Creeping {
    const INPUTS: [usize; 3] = [2, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let (mut x, c) = (given.elems[0].clone(), &given.elems[1]);
        for _ in 0..self.0 {
            x = f.routine("creep", || at!(f; add(&x, c)));
        }
        at! {f; out = sqr(&x);}
        Values { elems: vec![out], ..Values::default() }
    }
}

#[test]
fn a_range_that_grows_with_every_pass_is_refused() {
    for [report, direct] in reports(ROOMY, &Creeping(2)) {
        // two passes do no harm, but nothing says that there are not more
        assert_eq!(direct.violations, Vec::<String>::new());
        assert!(!report.violations.is_empty());
    }
    for [report, _] in reports(ROOMY, &Creeping(5000)) {
        assert!(!report.violations.is_empty());
    }
    // one pass is no loop
    for [report, _] in reports(ROOMY, &Creeping(1)) {
        assert_eq!(report.violations, Vec::<String>::new());
    }
}

/// The residue 2x of a prepared argument, which is lazy.
struct Kept;

impl Formula for Kept {
    const INPUTS: [usize; 3] = [1, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        at! {f; lazy = add(&given.elems[0], &given.elems[0]);}
        Values { uniforms: vec![lazy], ..Values::default() }
    }
}

#[test]
fn a_prepared_argument_is_closed_because_other_programs_read_it_so() {
    for [report, _] in reports(ROOMY, &Kept) {
        assert_eq!(report.violations, Vec::<String>::new());
    }
    // as if the recorder did not close it
    let p = prime(ROOMY);
    let mut parts = record(&p, &Kept).into_parts();
    assert_eq!(parts.routines[0].ops[1].code, Code::Sum);
    parts.routines[0].ops[1].code = Code::Copy;
    let program = parts.verify().unwrap();
    // some machines close what they keep
    for rules in rules_of(&p).iter().filter(|rules| rules.kept(Range::new(-1, 9)) != rules.closed()) {
        assert_eq!(prove(&program, rules).violations, ["1 residues that the machine keeps are not closed"]);
    }
    // a schedule is checked for the same
    let lazy = Margin { lazy_sums: true, spare: 36, ..Margin::default() };
    for rules in rules_of(&p).iter().chain(&rules(Engine::Rns, &p, WORDS, LIMBS, lazy)) {
        let schedule = Schedule::new(&program, 8, AHEAD).prove(rules);
        assert_eq!(schedule.violations, prove(&program, rules).violations);
    }
}

/// z ← 7xz + 8x·(xz), this many times, and in the end 10xz + 10z².
struct Passes(usize);

impl Formula for Passes {
    const INPUTS: [usize; 3] = [2, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let [x, z] = &given.elems[..] else { panic!("two elements") };
        let mut z = z.clone();
        for _ in 0..self.0 {
            z = f.routine("pass", || {
                at! {f;
                    w = mul_wide(x, &z); next = reduce(&[plus(&w)]);
                    v = mul_wide(x, &next); z = reduce(&[times(7, &w), times(8, &v)]);
                }
                z
            });
        }
        at! {f; w = mul_wide(x, &z); v = sqr_wide(&z); far = reduce(&[times(10, &w), times(10, &v)]);}
        Values { elems: vec![far], ..Values::default() }
    }
}

/// Returns the reductions of a program, routine by routine.
fn reductions(program: &Program) -> Vec<Code> {
    let ops = program.routines().iter().flat_map(|routine| &routine.ops);
    ops.map(|op| op.code).filter(|code| code.near().is_some() || code.is_near()).collect()
}

#[test]
fn forms_are_near_0_by_the_ranges_that_follow() {
    let p = prime(TIGHT);
    let lanes = rules(Engine::Ifma, &p, WORDS, LIMBS, Margin::default()).unwrap();
    let program = record(&p, &Passes(9));
    assert_eq!(reductions(&program), [Code::Reduce; 3]);
    let (found, report) = near(&program, &lanes).unwrap();
    assert_eq!(report, prove(&found, &lanes));
    assert_eq!(report.violations, Vec::<String>::new());
    // x·z is always near 0; the second form is as long as z is below 2p, but not where z comes from itself without an estimate
    assert_eq!(reductions(&found), [Code::ReduceNear, Code::Reduce, Code::Reduce]);
    // nothing else was changed
    let mut back = found.into_parts();
    for op in back.routines.iter_mut().flat_map(|routine| &mut routine.ops).filter(|op| op.code.is_near()) {
        op.code = Code::Reduce;
    }
    assert_eq!(back.verify().unwrap(), program);
    // a form that is not near 0 is refused as one
    let mut planted = program.into_parts();
    for op in planted.routines.iter_mut().flat_map(|routine| &mut routine.ops) {
        op.code = op.code.near().unwrap_or(op.code);
    }
    let report = prove(&planted.verify().unwrap(), &lanes);
    assert!(report.violations.iter().all(|violation| violation.contains("near 0")), "{:?}", report.violations);
    assert!(!report.violations.is_empty());
}

/// Three times a sum of terms 2(x² + xy + y²), plus 2x, for two numbers of terms.
struct Tripled([usize; 2]);

impl Formula for Tripled {
    const INPUTS: [usize; 3] = [21, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let (x, ys) = given.elems.split_first().unwrap();
        at! {f; u = sqr_wide(x);}
        let sums = ys.iter().map(|y| {
            at! {f; v = mul_wide(x, y); w = sqr_wide(y); sum = lin(&[plus(&u), plus(&v), plus(&w)]);}
            sum
        });
        let sums: Vec<F::Wide> = sums.collect();
        let tripled = |count: usize| {
            let terms: Vec<_> = sums[..count].iter().map(|w| times(2, w)).collect();
            at! {f; p = reduce(&terms); out = three_and_two(&p, x, false);}
            out
        };
        Values { elems: self.0.map(tripled).to_vec(), ..Values::default() }
    }
}

/// On 9 limbs with spare bits, 119 products fit in the columns of a form, and 38 in those of a form that is tripled.
#[test]
fn forms_too_long_to_be_tripled_are_reduced_first() {
    let p = prime(450);
    let lanes = rules(Engine::Ifma, &p, WORDS, LIMBS, Margin::default()).unwrap();
    let codes = |c| near(&record(&p, &Tripled(c)), &lanes).map(|(program, _)| reductions(&program));
    let [reduced, at_once] = [Code::ReduceThreePlusTwo, Code::ReduceThreePlusTwoNear];
    assert_eq!(codes([1, 6]), Some(vec![at_once; 2]));
    assert_eq!(codes([7, 6]), Some(vec![reduced, at_once]));
    assert_eq!(codes([1, 19]), Some(vec![at_once, reduced]));
    // no form is tripled at once, or one does not even fit a reduction
    assert_eq!([codes([7, 19]), codes([1, 20])], [None, None]);
    let violations = |c| prove(&record(&p, &Tripled(c)), &lanes).violations;
    assert_eq!(violations([7, 19]), Vec::<String>::new());
    assert!(!violations([1, 20]).is_empty());
}

#[test]
fn machines_without_kernels_for_forms_near_0_change_nothing() {
    // words, and lanes whose limbs have bits to spare
    for (bits, engine) in [(TIGHT, Engine::Mont), (ROOMY, Engine::Ifma)] {
        let p = prime(bits);
        let rules = rules(engine, &p, WORDS, LIMBS, Margin::default()).unwrap();
        assert!(near(&record(&p, &Passes(2)), &rules).is_none(), "{engine:?}");
    }
}

/// w − 8·x^(2^n) in a product with w, for n squarings that are calls of one routine.
fn entered(p: &BigUint, squarings: usize, kept: bool) -> Program {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let (x, w) = (ports.elem(), ports.elem());
        let square = |x, _| recorder.routine("square", || at!(recorder; sqr(&x)));
        let power = (0..squarings).fold(x, square);
        at! {recorder; two = add(&power, &power); four = add(&two, &two); eight = add(&four, &four);}
        at! {recorder; difference = sub(&w, &eight); out = mul(&difference, &w);}
        if kept { ports.output_to_store(&out) } else { ports.output(&out) }
    });
    program.unwrap()
}

/// A program that is entered behind all its squarings reads an input, which is closed and may be greater than the
/// result of a squaring.
#[test]
fn programs_are_proved_for_every_entry() {
    let p = prime(ROOMY);
    let words = machine(Engine::Mont, &p, Margin::default()).unwrap();
    let violations = |program: Program| prove(&words.suited(&program.into()), &words.rules().unwrap()).violations;
    let rest = violations(entered(&p, 0, true));
    assert_eq!(rest, ["a subtrahend of up to 24p: at most 16p is allowed"]);
    assert_eq!(violations(entered(&p, 2, true)), rest);
    // a program that can be entered only at its beginning
    assert_eq!(violations(entered(&p, 2, false)), Vec::<String>::new());
}

/// Rules under which a product is as long as its factors together, and no shorter after its reduction.
struct Lengthening;

impl Rules for Lengthening {
    fn closed(&self) -> Range {
        Range::new(0, 1)
    }

    fn product(&self, a: Range, b: Range) -> Result<Range, String> {
        Ok(Range::new(0, a.high + b.high))
    }

    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        Ok(Range::form(terms))
    }

    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        Ok(Range::form(terms))
    }

    fn add(&self, a: Range, b: Range, _: bool) -> Result<Range, String> {
        Ok(a.hull(b))
    }

    fn sum(&self, _: &[Term<Range>]) -> Result<Range, String> {
        Ok(self.closed())
    }
}

/// All vectors share the inversion of one value: the product of their values is as long as that of as many values in one vector.
#[test]
fn inversions_are_proved_for_any_number_of_vectors() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    let inverse = recorder.record(|ports| {
        at! {recorder; inverse = inv(&ports.elem());}
        ports.output(&inverse);
    });
    let quotient = recorder.record(|ports| {
        let mut quotients = [Elem::default()];
        recorder.quotients(&mut quotients, &recorder.one(), &[ports.elem()]);
        ports.output(&quotients[0]);
    });
    let rules: Arc<dyn Rules> = Arc::new(Lengthening);
    for program in [inverse, quotient] {
        let violations = prove(&program.unwrap(), &rules).violations;
        assert!(
            violations.iter().any(|violation| violation.starts_with("running products still grow")),
            "{violations:?}"
        );
    }
}
