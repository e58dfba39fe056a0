//! The meaning of an outline: a program executed part by part over any field, with slots for what loops carry. Replay
//! is slow, and it is the specification of machines that execute loops.

use super::{Body, Operation, Part, Source};
use crate::op::Ref;
use crate::program::{Input, Output, Program, Step};
use crate::replay::{Value, apply};
use bilinear_field::CollectVec;
use bilinear_field::Prime;
use std::collections::HashMap;

impl Program {
    /// Executes the program over a field of p elements in the way that an outline of it says, and returns the outputs in order.
    ///
    /// # Panics
    /// Panics if the number of inputs is wrong, if the field has another modulus, or if the outline is not one of this program.
    pub fn replay_outline<F: Prime>(&self, f: &F, parts: &[Part], inputs: &[Value<F>]) -> Vec<Value<F>> {
        assert_eq!(f.modulus(), self.modulus(), "the program is over another field");
        assert_eq!(inputs.len(), self.inputs().len(), "one value for each input is needed");
        let mut run = Run {
            program: self,
            f,
            constants: self.constants_over(f).into_iter().map(Value::Elem).collect_vec(),
            values: vec![None; self.kinds().len()],
            residues: HashMap::new(),
            next: HashMap::new(),
            emitted: HashMap::new(),
        };
        for (input, value) in self.inputs().iter().zip(inputs) {
            run.values[input.value() as usize] = Some(value.clone());
            if let Input::Uniform { stream, index, .. } = *input {
                run.residues.insert((stream, index), value.clone());
            }
        }
        for part in parts {
            match part {
                Part::Step(number) => run.step(&self.plan()[*number]),
                Part::Loop(looped) => {
                    let mut slots: Vec<Option<Value<F>>> =
                        looped.carried.iter().map(|slot| slot.entry.map(|x| run.read(x))).collect_vec();
                    let mut emitted = looped.emits_from;
                    for body in looped.digits.iter().map(|digit| &looped.bodies[*digit]) {
                        run.iteration(body, &mut slots, emitted);
                        emitted += body.emitted.len();
                    }
                    for (slot, value) in looped.carried.iter().zip(slots) {
                        if let Some(exit) = slot.exit {
                            run.values[exit as usize] = value;
                        }
                    }
                }
            }
        }
        let mut number = 0;
        let mut output = |output: &Output| {
            if let Output::Uniform(_) = output {
                number += 1;
                if let Some(value) = run.emitted.get(&(number - 1)) {
                    return value.clone();
                }
            }
            run.read(output.value())
        };
        self.outputs().iter().map(&mut output).collect_vec()
    }
}

/// The panic message for an outline that does not fit the program.
const OTHER: &str = "the outline belongs to another program";

struct Run<'p, F: Prime> {
    program: &'p Program,
    f: &'p F,
    constants: Vec<Value<F>>,
    /// The values of the plan, without those that loops keep to themselves.
    values: Vec<Option<Value<F>>>,
    /// The residues of prepared arguments, by argument and index.
    residues: HashMap<(u32, u32), Value<F>>,
    /// For each prepared argument, the first residue after all that were read.
    next: HashMap<u32, u32>,
    /// The outputs that are the same in every lane, by number.
    emitted: HashMap<usize, Value<F>>,
}

impl<F: Prime> Run<'_, F> {
    fn read(&self, x: Ref) -> Value<F> {
        let found = if x.is_constant() { self.constants.get(x.number()) } else { self.values[x.number()].as_ref() };
        found.cloned().unwrap_or_else(|| panic!("{OTHER}"))
    }

    fn operation(&self, operation: Operation, operands: &[Value<F>]) -> Vec<Value<F>> {
        match operation {
            Operation::Call(routine) => {
                self.program.routines()[routine as usize].evaluate(self.f, &self.constants, operands)
            }
            Operation::Shared(code) => apply(self.f, code, &operands.iter().map(|x| (1, x)).collect_vec()),
        }
    }

    fn step(&mut self, step: &Step) {
        let operands: Vec<Value<F>> = step.operands().into_iter().map(|x| self.read(x)).collect_vec();
        let made = self.operation(step.operation(), &operands);
        for (place, value) in step.results().into_iter().zip(made) {
            if let Some(place) = place {
                self.values[place as usize] = Some(value);
            }
        }
        for x in step.operands().iter().filter(|x| !x.is_constant()) {
            let residue = |input: &Input| match *input {
                Input::Uniform { value, stream, index } if value as usize == x.number() => Some((stream, index)),
                _ => None,
            };
            if let Some((stream, index)) = self.program.inputs().iter().find_map(residue) {
                let next = self.next.entry(stream).or_insert(0);
                *next = (*next).max(index + 1);
            }
        }
    }

    fn iteration(&mut self, body: &Body, slots: &mut [Option<Value<F>>], emits_from: usize) {
        let mut made: Vec<Vec<Value<F>>> = vec![];
        let find = |run: &Self, made: &[Vec<Value<F>>], slots: &[Option<Value<F>>], source: &Source| match *source {
            Source::Fixed(x) => run.read(x),
            Source::Carried(slot) => slots[slot].clone().unwrap_or_else(|| panic!("{OTHER}")),
            Source::Made { step, result } => made[step][result].clone(),
            Source::Streamed { stream, ahead } => {
                let index = run.next.get(&stream).copied().unwrap_or(0) + ahead;
                run.residues.get(&(stream, index)).cloned().unwrap_or_else(|| panic!("{OTHER}"))
            }
        };
        for step in &body.steps {
            let operands: Vec<Value<F>> = step.operands.iter().map(|s| find(self, &made, slots, s)).collect_vec();
            made.push(self.operation(step.operation, &operands));
        }
        for (number, source) in (emits_from..).zip(&body.emitted) {
            let value = find(self, &made, slots, source);
            self.emitted.insert(number, value);
        }
        let next: Vec<(usize, Value<F>)> =
            body.next.iter().map(|(slot, source)| (*slot, find(self, &made, slots, source))).collect_vec();
        for (slot, value) in next {
            slots[slot] = Some(value);
        }
        for (stream, count) in body.streamed() {
            *self.next.entry(stream).or_insert(0) += count;
        }
    }
}
