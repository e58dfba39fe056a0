//! The meaning of calls, as integers modulo p, compared with the schedules from which they come.
#![allow(clippy::unwrap_used)]

use super::calls::{Call, Form, Lowered, Multiple, Name, Port};
use super::code::Code;
use super::lower::lower;
use super::places::Places;
use crate::program::Program;
use crate::recorder::{Elem, Recorder};
use crate::replay::Value;
use crate::schedule::Schedule;
use bilinear_field::bounds::{Range, Rules};
use bilinear_field::reference::Reference;
use bilinear_field::rows::{LANES, MAX_WEIGHT};
use bilinear_field::{Field, Prime, Term, at, minus, plus, times};
use num_bigint::BigUint;

/// Rules that allow everything.
struct Anything;

impl Rules for Anything {
    fn closed(&self) -> Range {
        Range::default()
    }

    fn product(&self, _: Range, _: Range) -> Result<Range, String> {
        Ok(Range::default())
    }

    fn lin(&self, _: &[Term<Range>]) -> Result<Range, String> {
        Ok(Range::default())
    }

    fn reduce(&self, _: &[Term<Range>]) -> Result<Range, String> {
        Ok(Range::default())
    }

    fn add(&self, _: Range, _: Range, _: bool) -> Result<Range, String> {
        Ok(Range::default())
    }

    fn sum(&self, _: &[Term<Range>]) -> Result<Range, String> {
        Ok(Range::default())
    }
}

/// The number of rows of an unreduced value.
const WIDE: usize = 2;

/// 2^89 − 1.
fn p() -> BigUint {
    (BigUint::from(1u32) << 89u32) - 1u32
}

/// Chains of products in F_p(i), by Karatsuba's method and with sums; squares in F_p(i) with 3r ± 2x; large
/// coefficients, products that are read separately, a selection, an inversion and tests.
fn program() -> Program {
    let f = Recorder::new(&p()).unwrap();
    let program = f.record(|ports| {
        let mut x: [Elem; 6] = std::array::from_fn(|_| ports.elem());
        let (mask, y) = (ports.mask(), [ports.elem(), ports.elem()]);
        for turn in 0..4 {
            for i in 0..3 {
                let given = [x[2 * i], x[2 * i + 1]];
                let mut w = Default::default();
                at! {f; a = add(&given[0], &x[(2 * i + 2) % 6]); b = sub(&given[1], &y[0]);}
                f.complex_mul_wide(&mut w, &[a, b], &y);
                at! {f;
                    u = mul_wide(&a, &y[1]); v = mul_wide(&y[0], &b);
                    form = lin(&[plus(&w[0]), times(-2, &w[1]), times(9, &u)]);
                    r = reduce(&[plus(&form), plus(&v), minus(&w[0]), minus(&u)]); s = reduce(&[times(-3, &w[1]), plus(&v)]);
                    t = reduce(&[minus(&w[0])]);
                    three = three_and_two(&r, &given[0], turn % 2 == 0); sum = sum(&[times(-12, &t), plus(&s), times(2, &a)]);
                }
                (x[2 * i], x[2 * i + 1]) = (three, sum);
            }
        }
        at! {f; inverse = inv(&x[0]);}
        let (zero, odd) = (f.is_zero(&x[1]), f.is_odd(&x[2]));
        let both = f.and(f.not(zero), odd);
        at! {f; first = select(mask, &inverse, &x[3]); second = select(both, &x[4], &x[5]); out = sum(&[plus(&first), minus(&second)]);}
        for x in x.iter().chain([&out, &first]) {
            ports.output(x);
        }
        ports.output_mask(both);
    });
    program.unwrap()
}

fn inputs(seed: u32, mask: bool) -> Vec<Value<Reference>> {
    let residue = |i: u32| match (seed + i) % 5 {
        0 => BigUint::from(0u32),
        1 => p() - 1u32,
        _ => (BigUint::from(seed + 7 * i + 3).pow(9) << 20u32) % p(),
    };
    let elements = (0..8).map(|i| Value::Elem(residue(i)));
    elements.clone().take(6).chain([Value::Mask(mask)]).chain(elements.skip(6)).collect()
}

fn texts(values: &[Value<Reference>]) -> Vec<String> {
    values
        .iter()
        .map(|value| match value {
            Value::Mask(m) => m.to_string(),
            other => other.elem().to_string(),
        })
        .collect()
}

/// Returns schedules of several widths, so that the products of a triple are in one bundle or in several.
fn all() -> Vec<(Schedule, Lowered)> {
    let program = program();
    [(8, 1000), (8, 20), (5, 100), (2, 10), (1, 0)]
        .map(|(width, ahead)| {
            let schedule = Schedule::new(&program, width, ahead);
            let lowered = lower(&schedule, width == 5);
            (schedule, lowered)
        })
        .into()
}

#[test]
fn calls_give_the_values_of_schedules() {
    let f = Reference::new(&p()).unwrap();
    let mut kinds = [0; 5];
    for (schedule, lowered) in all() {
        for seed in 0..20 {
            let inputs = inputs(seed, seed % 3 == 0);
            let (want, got) = (schedule.replay(&f, &inputs), lowered.replay(&p(), &inputs));
            assert_eq!(texts(&got), texts(&want), "width {}, seed {seed}", schedule.width());
        }
        for call in &lowered.calls {
            match call {
                Call::Product { pairs, .. } => kinds[0] += pairs,
                Call::Triples { beside, .. } => kinds[1] += beside.iter().flatten().count(),
                Call::Forms { .. } => kinds[2] += 1,
                Call::Gather { .. } => kinds[3] += 1,
                Call::Multiples { .. } => kinds[4] += 1,
                _ => {}
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 3), "{kinds:?}");
}

#[test]
fn calls_with_a_fault_give_other_values() {
    let (_, good) = all().remove(0);
    let values = |lowered: &Lowered| -> Vec<Vec<String>> {
        (0..8).map(|seed| texts(&lowered.replay(&p(), &inputs(seed, seed % 2 == 0)))).collect()
    };
    let want = values(&good);
    let mut changed = 0;
    for i in 0..good.calls.len() {
        let mut calls = good.calls.clone();
        let is_changed = match &mut calls[i] {
            Call::Product { pairs, .. } if *pairs > 0 => {
                *pairs -= 1;
                true
            }
            Call::Product { operands, .. } => {
                operands[0].reverse();
                let twice = operands[0][0].clone();
                operands[0][1] = twice;
                true
            }
            Call::Gather { forms, .. } | Call::Forms { forms, .. } => {
                let form = &mut forms[0];
                std::mem::swap(&mut form.plus, &mut form.minus);
                true
            }
            Call::Triples { beside, .. } => {
                beside.iter_mut().flatten().for_each(|rows| rows.reverse());
                true
            }
            Call::Multiples { terms, .. } => {
                terms[0].shift += 1;
                true
            }
            Call::Select { a, b, .. } => {
                std::mem::swap(a, b);
                true
            }
            _ => false,
        };
        if is_changed {
            let bad = Lowered { calls, kinds: good.kinds.clone(), ..lowered_ports(&good) };
            assert_ne!(values(&bad), want, "{:?}", good.calls[i]);
            changed += 1;
        }
    }
    assert!(changed > 20, "{changed}");
}

/// Returns the lowered program with its ports, but without its calls and names.
fn lowered_ports(of: &Lowered) -> Lowered {
    let Lowered { constants, inputs, outputs, masks, heaviest, .. } = of;
    Lowered {
        calls: vec![],
        kinds: vec![],
        constants: constants.clone(),
        inputs: inputs.clone(),
        outputs: outputs.clone(),
        masks: *masks,
        heaviest: *heaviest,
    }
}

#[test]
fn places_that_do_not_hold_what_is_read_are_refused() {
    for (_, lowered) in all() {
        let good = Places::new(&lowered, WIDE);
        assert!(good.hold(&lowered, WIDE));
        let read: Vec<Name> = lowered.calls.iter().flat_map(Call::reads).collect();
        let (mut refused, mut tried) = (0, 0);
        for name in read {
            // the place of another name, for all of the life of this one
            for other in [Name::ZERO, Name::BIAS, Name(name.0 + 1), Name(name.0.saturating_sub(1))] {
                let Some(place) = good.of.get(other.number()).filter(|place| **place != good.of[name.number()]) else {
                    continue;
                };
                let mut bad = Places { of: good.of.clone(), rows: good.rows };
                bad.of[name.number()] = *place;
                tried += 1;
                refused += usize::from(!bad.hold(&lowered, WIDE));
            }
        }
        // a place that is free all that time is just as good
        assert!(refused * 10 > tried * 8 && tried > 100, "{refused} of {tried}");
        let mut bad = Places { of: good.of.clone(), rows: good.rows - 1 };
        assert!(!bad.hold(&lowered, WIDE));
        bad.rows = good.rows;
        assert!(bad.hold(&lowered, WIDE));
    }
}

#[test]
fn lists_that_lead_elsewhere_are_refused() {
    let (_, lowered) = all().remove(0);
    let good = Code::new(&lowered, WIDE);
    assert!(good.is_sound());
    let beyond = (good.rows * LANES) as u16;
    let numbers = good.lists.len();
    let (mut refused, mut kept) = (0, 0);
    for at in 0..numbers {
        let mut bad = Code::new(&lowered, WIDE);
        bad.lists[at] = beyond;
        // any shifts, and any bits of lanes that are tripled, are sound
        if bad.is_sound() {
            kept += 1
        } else {
            refused += 1
        }
        bad.lists[at] = good.lists[at] | 1;
        assert!(!bad.is_sound() || bad.lists[at] == good.lists[at] || kept > 0, "{at}");
    }
    let tripled = lowered.calls.iter().filter(|call| matches!(call, Call::Triples { .. })).count();
    let shifts =
        lowered.calls.iter().map(|call| if let Call::Multiples { terms, .. } = call { terms.len() } else { 0 });
    let free = tripled + shifts.sum::<usize>();
    assert_eq!([refused, kept], [numbers - free, free]);
    let mut short = Code::new(&lowered, WIDE);
    short.lists.pop();
    assert!(!short.is_sound());
}

#[test]
fn too_many_rows_in_a_sum_are_refused() {
    let f = Recorder::new(&p()).unwrap();
    let doubled = |times: u32| {
        let program = f.record(|ports| {
            let (mut x, y) = (ports.elem(), ports.elem());
            for _ in 0..times {
                x = at!(f; add(&x, &x));
            }
            at! {f; out = mul(&x, &y);}
            ports.output(&out);
        });
        lower(&Schedule::new(&program.unwrap(), 8, 100), false).heaviest
    };
    let most = MAX_WEIGHT.ilog2();
    assert_eq!([doubled(most), doubled(most + 1)], [MAX_WEIGHT, 2 * MAX_WEIGHT]);
    let lowered = lower(&Schedule::new(&program(), 8, 100), false);
    let heavy = Lowered { heaviest: MAX_WEIGHT + 1, ..lowered };
    let violations = heavy.prove(&Anything, &[]).violations;
    assert!(violations.len() == 1 && violations[0].contains("rows"), "{violations:?}");
}

impl Lowered {
    /// Returns the outputs. As on the reference engine, a reduction changes no residue.
    fn replay(&self, p: &BigUint, inputs: &[Value<Reference>]) -> Vec<Value<Reference>> {
        let f = Reference::new(p).unwrap();
        let zero = BigUint::from(0u32);
        let mut rows = vec![None; self.kinds.len()];
        let mut masks = vec![None; self.masks];
        for name in [Name::ZERO, Name::NOWHERE, Name::BIAS] {
            rows[name.number()] = Some(zero.clone());
        }
        for (i, c) in self.constants.iter().enumerate() {
            rows[Name::CONSTANTS + i] = Some(c.clone());
        }
        for (port, value) in self.inputs.iter().zip(inputs) {
            match port {
                Port::Row(name) => rows[name.number()] = Some(value.elem().clone()),
                Port::Mask(mask) => masks[*mask as usize] = Some(value.mask()),
            }
        }
        let sum = |rows: &[Option<BigUint>], form: &Form| {
            let plus = form.plus.iter().fold(zero.clone(), |sum, x| sum + rows[x.number()].as_ref().unwrap());
            form.minus.iter().fold(plus, |sum, x| sum + (p - rows[x.number()].as_ref().unwrap() % p)) % p
        };
        for call in &self.calls {
            match call {
                Call::Product { pairs, operands, results, .. } => {
                    let product = |[a, b]: &[Form; 2]| sum(&rows, a) * sum(&rows, b) % p;
                    let mut made: Vec<BigUint> = operands.iter().map(product).collect();
                    for three in made.chunks_mut(3).take(*pairs) {
                        let [u, v] = [three[0].clone(), three[1].clone()];
                        three[0] = (&u + p - &v) % p;
                        three[2] = (&three[2] + p + p - u - v) % p;
                    }
                    results.iter().zip(made).for_each(|(name, x)| rows[name.number()] = Some(x));
                }
                Call::Gather { forms, results, .. } => {
                    let made: Vec<BigUint> = forms.iter().map(|form| sum(&rows, form)).collect();
                    results.iter().zip(made).for_each(|(name, x)| rows[name.number()] = Some(x));
                }
                Call::Triples { forms, beside, results } => {
                    let made = forms.iter().zip(beside).map(|(form, beside)| {
                        let r = sum(&rows, form);
                        match beside {
                            Some([x, y]) => {
                                let difference = sum(&rows, &Form { plus: vec![*x], minus: vec![*y] });
                                (r * 3u32 + difference * 2u32) % p
                            }
                            None => r,
                        }
                    });
                    let made: Vec<BigUint> = made.collect();
                    results.iter().zip(made).for_each(|(name, x)| rows[name.number()] = Some(x));
                }
                Call::Forms { forms, results, .. } => {
                    for (form, name) in forms.iter().zip(results) {
                        rows[name.number()] = Some(sum(&rows, form));
                    }
                }
                Call::Multiples { terms, results, .. } => {
                    for (Multiple { x, shift, y }, name) in terms.iter().zip(results) {
                        let [x, y] = [x, y].map(|x| rows[x.number()].as_ref().unwrap());
                        let made = ((x << u32::from(*shift)) + y) % p;
                        rows[name.number()] = Some(made);
                    }
                }
                Call::Invert { x, result } => {
                    let mut inverse = zero.clone();
                    f.inv(&mut inverse, rows[x.number()].as_ref().unwrap());
                    rows[result.number()] = Some(inverse);
                }
                Call::Select { mask, a, b, result } => {
                    let from = if masks[*mask as usize].unwrap() { a } else { b };
                    rows[result.number()] = rows[from.number()].clone();
                }
                Call::Test { is_odd, rows: tested, results } => {
                    for (x, result) in tested.iter().zip(results) {
                        let x = rows[x.number()].as_ref().unwrap() % p;
                        masks[*result as usize] = Some(if *is_odd { x.bit(0) } else { x == zero });
                    }
                }
                Call::And { a, b, result } => {
                    masks[*result as usize] = Some(masks[*a as usize].unwrap() && masks[*b as usize].unwrap());
                }
                Call::Not { a, result } => masks[*result as usize] = masks[*a as usize].map(|a: bool| !a),
            }
        }
        let port = |port: &Port| match port {
            Port::Row(name) => Value::Elem(rows[name.number()].clone().unwrap()),
            Port::Mask(mask) => Value::Mask(masks[*mask as usize].unwrap()),
        };
        self.outputs.iter().map(port).collect()
    }
}
