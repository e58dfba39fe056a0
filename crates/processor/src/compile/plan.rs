//! The plans of consecutive programs as one computation: steps become blocks, repeated runs become loops.

use crate::compile::CompileError;
use crate::compile::closed::Straight;
use crate::compile::flow::{Block, Body, Flow, Loop, Node, Slot, Value};
use crate::compile::lower::{self, Pool};
use crate::machine::Machine;
use bilinear_program::loops::{self, Part, Source};
use bilinear_program::{Operation, Program, Ref, Step};
use num_bigint::BigUint;
use std::rc::Rc;

/// Combines programs that run in sequence into one computation. Without loops every step is written out.
///
/// # Errors
/// Returns an error if the outputs of one program are not the inputs of the next, or the ALU has no instruction for an
/// operation.
pub(crate) fn flow(programs: &[&Program], pool: &mut Pool, machine: &Machine) -> Result<Flow, CompileError> {
    // the initial content of slots that are not yet written
    let zero = pool.constant(&BigUint::ZERO).number() as Value;
    let mut codes = vec![];
    for program in programs {
        codes.push(Codes::new(program, pool, machine)?);
    }
    let constants = pool.values.len() as Value;
    let mut builder =
        Builder { flow: Flow { constants, ..Flow::default() }, block: Block::default(), next: constants, zero };
    let mut given: Vec<Value> = vec![];
    for (number, (program, codes)) in programs.iter().zip(&codes).enumerate() {
        if number == 0 {
            given = program.inputs().iter().map(|_| builder.fresh()).collect();
            builder.flow.inputs.clone_from(&given);
        }
        if given.len() != program.inputs().len() {
            let message =
                format!("{} values for the {} inputs of program {number}", given.len(), program.inputs().len());
            return Err(CompileError::Ports(message));
        }
        let mut values = Values { codes, of: vec![Value::MAX; program.kinds().len()] };
        program.inputs().iter().zip(&given).for_each(|(input, value)| values.of[input.value() as usize] = *value);
        for part in program.outline() {
            match part {
                Part::Step(step) => builder.step(program, step, &mut values),
                Part::Loop(repeated) if machine.loops && is_closed(&repeated) => {
                    builder.repeat(program, &repeated, &mut values);
                }
                Part::Loop(repeated) => repeated.steps.for_each(|step| builder.step(program, step, &mut values)),
            }
        }
        given = program.outputs().iter().map(|output| values.get(output.value())).collect();
    }
    builder.close();
    builder.flow.outputs = given;
    Ok(builder.flow)
}

/// Returns true if a loop reads and writes only its slots: the ports of prepared arguments are not values of a loop
/// here.
fn is_closed(repeated: &loops::Loop) -> bool {
    let streamed = |source: &Source| matches!(source, Source::Streamed { .. });
    let open = |body: &loops::Body| {
        !body.emitted.is_empty() || body.steps.iter().flat_map(|step| &step.operands).any(streamed)
    };
    !repeated.bodies.iter().any(open)
}

/// The values of a program within the computation.
struct Values<'c> {
    codes: &'c Codes,
    of: Vec<Value>,
}

impl Values<'_> {
    fn get(&self, x: Ref) -> Value {
        if x.is_constant() { self.codes.constants[x.number()].number() as Value } else { self.of[x.number()] }
    }
}

struct Builder {
    flow: Flow,
    /// The code that is not yet part of a node.
    block: Block,
    next: Value,
    zero: Value,
}

impl Builder {
    fn fresh(&mut self) -> Value {
        self.next += 1;
        self.next - 1
    }

    /// Turns the pending code into a node.
    fn close(&mut self) {
        let block = std::mem::take(&mut self.block);
        if !block.lines.is_empty() {
            self.flow.nodes.push(Node::Block(block));
        }
    }

    fn step(&mut self, program: &Program, number: usize, values: &mut Values<'_>) {
        let step = &program.plan()[number];
        let operands: Vec<Value> = step.operands().into_iter().map(|x| values.get(x)).collect();
        let made = self.instance(program, number, values.codes, &operands);
        for (v, made) in step.results().iter().zip(made) {
            if let Some(v) = v {
                values.of[*v as usize] = made;
            }
        }
    }

    /// Appends the code of a step on other operands; returns the values of its results.
    fn instance(&mut self, program: &Program, number: usize, codes: &Codes, operands: &[Value]) -> Vec<Value> {
        let name = match program.plan()[number].operation() {
            Operation::Call(routine) => program.routines()[routine as usize].name,
            Operation::Shared(_) => INVERSION,
        };
        self.block.call(name, &codes.steps[number], operands, &mut self.next)
    }

    fn repeat(&mut self, program: &Program, repeated: &loops::Loop, values: &mut Values<'_>) {
        self.close();
        let mut slots = vec![];
        for carried in &repeated.carried {
            let initial = carried.entry.map_or(self.zero, |x| values.get(x));
            slots.push(Slot { header: self.fresh(), initial });
        }
        let headers: Vec<Value> = slots.iter().map(|slot| slot.header).collect();
        let first = &repeated.bodies[0];
        let same = |i: usize| repeated.bodies.iter().all(|body| body.steps.get(i) == first.steps.get(i));
        let shared = (0..first.steps.len()).take_while(|i| same(*i)).count();
        // for each body, the first step of the plan at which the body occurs
        let mut begins = vec![None; repeated.bodies.len()];
        let mut step = repeated.steps.start;
        for digit in &repeated.digits {
            begins[*digit].get_or_insert(step);
            step += repeated.bodies[*digit].steps.len();
        }
        let begins: Vec<usize> = begins.into_iter().flatten().collect();
        let mut common = vec![];
        let walk = |builder: &mut Self, body: usize, steps: std::ops::Range<usize>, made: &mut Vec<Vec<Value>>| {
            for i in steps {
                let operands = &repeated.bodies[body].steps[i].operands;
                let operands: Vec<Value> =
                    operands.iter().map(|source| find(values, &headers, made, *source)).collect();
                let results = builder.instance(program, begins[body] + i, values.codes, &operands);
                made.push(results);
            }
            std::mem::take(&mut builder.block)
        };
        let block = walk(self, 0, 0..shared, &mut common);
        let mut bodies = vec![];
        for (number, body) in repeated.bodies.iter().enumerate() {
            let mut made = common.clone();
            let block = walk(self, number, shared..body.steps.len(), &mut made);
            let mut next = headers.clone();
            body.next.iter().for_each(|(slot, source)| next[*slot] = find(values, &headers, &made, *source));
            bodies.push(Body { block, next });
        }
        for (carried, header) in repeated.carried.iter().zip(&headers) {
            if let Some(v) = carried.exit {
                values.of[v as usize] = *header;
            }
        }
        self.flow.nodes.push(Node::Loop(Loop { slots, common: block, bodies, digits: repeated.digits.clone() }));
    }
}

/// Returns the value that a step of a body reads.
fn find(values: &Values<'_>, headers: &[Value], made: &[Vec<Value>], source: Source) -> Value {
    match source {
        Source::Fixed(x) => values.get(x),
        Source::Carried(slot) => headers[slot],
        Source::Made { step, result } => made[step][result],
        Source::Streamed { .. } => unreachable!("only closed loops are loops here"),
    }
}

/// The name of the inversions of a plan.
const INVERSION: &str = "inversion";

/// The closed code of a program.
struct Codes {
    /// The program's constants.
    constants: Vec<Ref>,
    /// The code of each step of the plan.
    steps: Vec<Rc<Straight>>,
}

impl Codes {
    fn new(program: &Program, pool: &mut Pool, machine: &Machine) -> Result<Self, CompileError> {
        let constants: Vec<Ref> = program.constants().iter().map(|value| pool.constant(value)).collect();
        let mut routines = vec![];
        for routine in program.routines() {
            let code = lower::routine(pool, routine, &constants, machine);
            routines.push(Rc::new(code.map_err(|code| CompileError::operation(routine.name, code))?));
        }
        let mut steps = vec![];
        for step in program.plan() {
            steps.push(match step {
                Step::Call(call) => Rc::clone(&routines[call.routine as usize]),
                Step::Shared { code, args, .. } => {
                    let code = lower::shared(pool, *code, args.len(), machine);
                    Rc::new(code.map_err(|code| CompileError::operation(INVERSION, code))?)
                }
            });
        }
        Ok(Codes { constants, steps })
    }
}
