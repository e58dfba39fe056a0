//! The proof that a program can be run: every value is of the kind that is read, and is made before it is read.
//!
//! One pass over routines and plan, in linear time. Ranges are proved elsewhere: see `ranges`.

use crate::op::Ref;
use crate::program::{Input, Output, Parts, Program, Routine, Step};
use bilinear_field::MAX_TERMS;
use bilinear_field::{Arity, Code, Kind};
use std::collections::HashSet;

/// The greatest absolute value of a coefficient of a form.
const MAX_COEFF: u32 = 1 << 12;

/// The bound on prepared arguments of a program, and on the residues of each: both numbers are smaller.
pub(crate) const MAX_STREAMED: u32 = 1 << 24;

/// The reason why a program cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The modulus is even or below 3.
    #[error("the modulus is not an odd number of at least 3")]
    Modulus,
    /// A constant is not below p.
    #[error("constant {constant} is not below the modulus")]
    Constant {
        /// The number of the constant.
        constant: usize,
    },
    /// An operation of a routine is wrong.
    #[error("routine {routine} ({name}), operation {operation}: {reason}")]
    Operation {
        /// The number of the routine.
        routine: usize,
        /// The name of the routine.
        name: &'static str,
        /// The number of the operation.
        operation: usize,
        /// What is wrong with the operation.
        reason: Fault,
    },
    /// A routine is wrong.
    #[error("routine {routine} ({name}): {reason}")]
    Routine {
        /// The number of the routine.
        routine: usize,
        /// The name of the routine.
        name: &'static str,
        /// What is wrong with the routine.
        reason: Fault,
    },
    /// A step of the plan is wrong.
    #[error("step {step} of the plan: {reason}")]
    Step {
        /// The number of the step.
        step: usize,
        /// What is wrong with the step.
        reason: Fault,
    },
    /// An input or an output is wrong.
    #[error("port {port}: {reason}")]
    Port {
        /// The number of the port. Outputs are numbered after inputs.
        port: usize,
        /// What is wrong with the port.
        reason: Fault,
    },
}

/// What is wrong with an operation, a routine, a step or a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An operand does not exist, or does not exist yet.
    #[error("operand {0} is read before it is computed")]
    Undefined(usize),
    /// An operand is of another kind.
    #[error("operand {0} is of the wrong kind")]
    Kind(usize),
    /// The number of operands is wrong.
    #[error("wrong number of operands: {0}")]
    Count(usize),
    /// The number of results is wrong.
    #[error("wrong number of results: {0}")]
    Results(usize),
    /// A coefficient is 0, too large, or stands where none may.
    #[error("coefficient {0} is not allowed")]
    Coefficient(i32),
    /// An operation of a routine belongs in a plan, or the other way round.
    #[error("the operation is not allowed here")]
    Place,
    /// Results are not numbered in the order in which they are made.
    #[error("results are not numbered in the order in which they are computed")]
    Numbering,
    /// A routine does not exist.
    #[error("the routine does not exist")]
    NoRoutine,
    /// The number of a prepared argument, or of a residue in it, is too large.
    #[error("number {0} of a prepared argument or of a residue in it is 2^24 or more")]
    Stream(u32),
    /// A value is made twice, or a residue of a prepared argument comes in twice.
    #[error("value {0} is defined twice")]
    Twice(usize),
}

impl Parts {
    /// Returns the program, if it can be run.
    ///
    /// # Errors
    /// Returns an error for the first fault that is found.
    pub fn verify(self) -> Result<Program, ProgramError> {
        if !self.modulus.bit(0) || self.modulus.bits() < 2 {
            return Err(ProgramError::Modulus);
        }
        if let Some(constant) = self.constants.iter().position(|c| *c >= self.modulus) {
            return Err(ProgramError::Constant { constant });
        }
        for (number, routine) in self.routines.iter().enumerate() {
            verify_routine(number, routine, self.constants.len())?;
        }
        self.verify_plan()?;
        Ok(Program::verified(self))
    }

    fn verify_plan(&self) -> Result<(), ProgramError> {
        let mut made = vec![false; self.kinds.len()];
        let mut residues = HashSet::new();
        for (port, input) in self.inputs.iter().enumerate() {
            if let Input::Uniform { value, stream, index } = *input {
                if stream.max(index) >= MAX_STREAMED {
                    return Err(ProgramError::Port { port, reason: Fault::Stream(stream.max(index)) });
                }
                if !residues.insert((stream, index)) {
                    return Err(ProgramError::Port { port, reason: Fault::Twice(value as usize) });
                }
            }
            let kind = if let Input::Mask { .. } = input { Kind::Mask } else { Kind::Elem };
            self.make(input.value(), kind, &mut made).map_err(|reason| ProgramError::Port { port, reason })?;
        }
        for (step, what) in self.plan.iter().enumerate() {
            self.verify_step(what, &mut made).map_err(|reason| ProgramError::Step { step, reason })?;
        }
        for (i, output) in self.outputs.iter().enumerate() {
            let kind = if let Output::Mask(_) = output { Kind::Mask } else { Kind::Elem };
            let port = self.inputs.len() + i;
            self.read(output.value(), kind, &made).map_err(|reason| ProgramError::Port { port, reason })?;
        }
        Ok(())
    }

    /// Returns an error unless a value of this kind can be read.
    fn read(&self, x: Ref, kind: Kind, made: &[bool]) -> Result<(), Fault> {
        let i = x.number();
        let (found, exists) = if x.is_constant() {
            (Some(&Kind::Elem), i < self.constants.len())
        } else {
            (self.kinds.get(i), made.get(i) == Some(&true))
        };
        match found {
            _ if !exists => Err(Fault::Undefined(i)),
            Some(k) if *k == kind => Ok(()),
            _ => Err(Fault::Kind(i)),
        }
    }

    /// Marks a value of this kind as made, or returns an error if it cannot be made.
    fn make(&self, v: u32, kind: Kind, made: &mut [bool]) -> Result<(), Fault> {
        match self.kinds.get(v as usize) {
            None => Err(Fault::Undefined(v as usize)),
            Some(k) if *k != kind => Err(Fault::Kind(v as usize)),
            Some(_) if std::mem::replace(&mut made[v as usize], true) => Err(Fault::Twice(v as usize)),
            Some(_) => Ok(()),
        }
    }

    fn verify_step(&self, step: &Step, made: &mut [bool]) -> Result<(), Fault> {
        match step {
            Step::Call(call) => {
                let routine = self.routines.get(call.routine as usize).ok_or(Fault::NoRoutine)?;
                if call.args.len() != routine.params {
                    return Err(Fault::Count(call.args.len()));
                }
                if call.results.len() != routine.results.len() {
                    return Err(Fault::Results(call.results.len()));
                }
                for (x, kind) in call.args.iter().zip(&routine.kinds) {
                    let x = *x as usize;
                    if x >= self.kinds.len() {
                        return Err(Fault::Undefined(x));
                    }
                    self.read(Ref::value(x), *kind, made)?;
                }
                for (local, place) in routine.results.iter().zip(&call.results) {
                    if let Some(place) = place {
                        self.make(*place, routine.kinds[*local as usize], made)?;
                    }
                }
            }
            Step::Shared { code, args, results } => {
                let Arity::Shared(least) = code.arity() else { return Err(Fault::Place) };
                if args.len() < least {
                    return Err(Fault::Count(args.len()));
                }
                for x in args {
                    self.read(*x, Kind::Elem, made)?;
                }
                // one constant for all vectors
                if *code == Code::Quotients && !args[0].is_constant() {
                    return Err(Fault::Kind(0));
                }
                let kinds = code.results(args.len());
                if kinds.len() != results.len() {
                    return Err(Fault::Results(results.len()));
                }
                for (v, kind) in results.iter().zip(&*kinds) {
                    self.make(*v, *kind, made)?;
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn verify_routine(number: usize, routine: &Routine, constants: usize) -> Result<(), ProgramError> {
    let name = routine.name;
    let fail = |reason| ProgramError::Routine { routine: number, name, reason };
    if routine.params > routine.kinds.len() {
        return Err(fail(Fault::Count(routine.params)));
    }
    let mut made = routine.params;
    for (operation, op) in routine.ops.iter().enumerate() {
        let fail = |reason| ProgramError::Operation { routine: number, name, operation, reason };
        let range = op.operands.start as usize..op.operands.end as usize;
        let operands = routine.operands.get(range.clone()).ok_or_else(|| fail(Fault::Count(range.len())))?;
        let kind = |i: usize| {
            let x = operands[i].value;
            match (x.is_constant(), x.number()) {
                (true, c) if c < constants => Ok(Kind::Elem),
                (false, v) if v < made => Ok(routine.kinds[v]),
                _ => Err(fail(Fault::Undefined(i))),
            }
        };
        let (fixed, form): (Vec<Kind>, Option<Kind>) = match op.code.arity() {
            Arity::Fixed(kinds) => (kinds.to_vec(), None),
            Arity::Form(n, kind) => (vec![Kind::Elem; n], Some(kind)),
            Arity::Shared(_) => return Err(fail(Fault::Place)),
        };
        let most = if form.is_some() { MAX_TERMS } else { 0 };
        let uneven = op.code.forms() == 2 && !operands.len().is_multiple_of(2);
        if uneven || !(fixed.len()..=fixed.len() + most).contains(&operands.len()) {
            return Err(fail(Fault::Count(operands.len())));
        }
        for (i, t) in operands.iter().enumerate() {
            let wanted = fixed.get(i).copied().or(form).unwrap_or(Kind::Elem);
            if kind(i)? != wanted {
                return Err(fail(Fault::Kind(i)));
            }
            let allowed =
                if i < fixed.len() { t.coeff == 1 } else { (1..=MAX_COEFF).contains(&t.coeff.unsigned_abs()) };
            if !allowed {
                return Err(fail(Fault::Coefficient(t.coeff)));
            }
        }
        let results = op.code.results(operands.len());
        let numbered = op.value as usize == made && routine.kinds.get(made..made + results.len()) == Some(&results[..]);
        if !numbered {
            return Err(fail(Fault::Numbering));
        }
        made += results.len();
    }
    if made != routine.kinds.len() {
        return Err(fail(Fault::Numbering));
    }
    let mut last = None;
    for v in &routine.results {
        if *v as usize >= made {
            return Err(fail(Fault::Undefined(*v as usize)));
        }
        if (*v as usize) < routine.params || last.is_some_and(|last| last >= *v) {
            return Err(fail(Fault::Numbering));
        }
        last = Some(*v);
    }
    Ok(())
}
