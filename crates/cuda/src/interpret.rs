//! The meaning of an encoding, over big integers: the specification of the kernels. Slow.

use crate::encoding::{Encoding, Port, Slot};
use crate::factor::{Factor, Sign};
use crate::form::WEIGHT_BITS;
use crate::record::{CONSTANT, Opcode, Record};
use num_bigint::{BigInt, BigUint};
use std::collections::HashMap;

/// A reason why an interpretation stops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// The number of values differs from that of inputs, or a value has another kind than its input.
    #[error("input {input} is missing, superfluous, or of the wrong kind")]
    Kind {
        /// The number of the input.
        input: usize,
    },
    /// A residue that is not below p.
    #[error("input {input} is not below p")]
    Residue {
        /// The number of the input.
        input: usize,
    },
    /// A missing value is read, or a value leaves its range. [`Encoding::check`] finds this without values.
    #[error("record {record} of stage {stage}: its operand is missing, or its result leaves its range")]
    Record {
        /// The number of the stage.
        stage: usize,
        /// The number of the record in the stage.
        record: usize,
    },
}

#[derive(Clone)]
enum Value {
    /// A residue in [0, p), in Montgomery's form except for inputs and outputs.
    Elem(BigUint),
    Wide(BigInt),
    Mask(bool),
}

type Memory = HashMap<u32, Value>;

impl Encoding {
    /// Executes the encoding for one pairing and returns the values of the outputs for those of the inputs. Values
    /// that all pairings share are taken from the inputs too.
    ///
    /// # Errors
    /// Returns an error if the inputs do not suit the encoding, or if it does not pass its check.
    pub fn interpret(&self, inputs: &[Port]) -> Result<Vec<Port>, InputError> {
        let mut machine = Machine::new(self);
        if inputs.len() != self.inputs.len() {
            return Err(InputError::Kind { input: inputs.len().min(self.inputs.len()) });
        }
        for (input, (slot, port)) in self.inputs.iter().zip(inputs).enumerate() {
            match (slot, port) {
                (Slot::Elem(_) | Slot::Constant(_), Port::Elem(x)) if x >= self.modulus.p() => {
                    return Err(InputError::Residue { input });
                }
                (Slot::Elem(at), Port::Elem(x)) => drop(machine.slots.insert(*at, Value::Elem(x.clone()))),
                (Slot::Constant(k), Port::Elem(x)) => {
                    machine.constants[*k as usize] = match &self.residues {
                        Some(residues) => residues.to_montgomery(x),
                        None => self.modulus.to_montgomery(x),
                    };
                }
                (Slot::Mask(at), Port::Mask(m)) => drop(machine.slots.insert(*at, Value::Mask(*m))),
                _ => return Err(InputError::Kind { input }),
            }
        }
        for (number, stage) in self.stages.iter().enumerate() {
            let fault = |record| InputError::Record { stage: number, record };
            let mut places = Memory::new();
            let mut sums = vec![BigInt::ZERO; self.width];
            // lanes wait for each other: the values that a bundle makes exist when it ends
            let mut made = Memory::new();
            for (i, record) in stage.records.iter().enumerate() {
                let lane = i % self.width;
                machine.step(record, &mut sums[lane], &places, &mut made).ok_or(fault(i))?;
                if record.barrier && lane + 1 == self.width {
                    places.extend(made.drain());
                }
            }
            for inversion in &stage.inversions {
                let x = machine.slots.get(&inversion.from).and_then(elem).ok_or(fault(stage.records.len()))?;
                let residue = self.modulus.from_montgomery(&x);
                let inverse = residue.modinv(self.modulus.p()).unwrap_or_default();
                machine.slots.insert(inversion.to, Value::Elem(self.modulus.to_montgomery(&inverse)));
            }
        }
        let end = InputError::Record { stage: self.stages.len(), record: 0 };
        let output = |slot: &Slot| match slot {
            Slot::Elem(at) => machine.slots.get(at).and_then(elem).map(Port::Elem),
            Slot::Mask(at) => machine.slots.get(at).and_then(mask).map(Port::Mask),
            Slot::Constant(_) => None,
        };
        self.outputs.iter().map(|slot| output(slot).ok_or(end.clone())).collect()
    }
}

fn elem(value: &Value) -> Option<BigUint> {
    if let Value::Elem(x) = value { Some(x.clone()) } else { None }
}

fn mask(value: &Value) -> Option<bool> {
    if let Value::Mask(m) = value { Some(*m) } else { None }
}

struct Machine<'e> {
    encoding: &'e Encoding,
    constants: Vec<BigUint>,
    slots: Memory,
    /// The factor of an element in a sum of elements.
    unit: BigUint,
    /// The divisor of a reduction.
    radix: BigUint,
    /// The inverses of the unit and of the radix modulo p.
    inverses: [BigUint; 2],
}

impl<'e> Machine<'e> {
    fn new(encoding: &'e Encoding) -> Self {
        let r = BigUint::from(1u32) << (32 * encoding.modulus.words());
        let (unit, radix) = match &encoding.residues {
            Some(residues) => (BigUint::from(1u32), residues.product().clone()),
            None => (r.clone(), r),
        };
        let inverses = [&unit, &radix].map(|x| x.modinv(encoding.modulus.p()).unwrap_or_default());
        Machine { encoding, constants: encoding.constants.clone(), slots: Memory::new(), unit, radix, inverses }
    }

    /// Executes a record, or returns `None` if it cannot be executed.
    fn step(&mut self, record: &Record, sum: &mut BigInt, places: &Memory, made: &mut Memory) -> Option<()> {
        let Record { opcode, c, a, b, .. } = *record;
        let encoding = self.encoding;
        let words = encoding.sizes.elem as usize;
        let read = |at: u32| match at & CONSTANT {
            0 => places.get(&at).and_then(elem),
            _ => self.constants.get((at ^ CONSTANT) as usize / words).cloned(),
        };
        let truth = |at: u32| places.get(&at).and_then(mask);
        let p = BigInt::from(encoding.modulus.p().clone());
        let [unit, radix] = [&self.unit, &self.radix].map(|x| BigInt::from(x.clone()));
        let mut add = |term: BigInt| {
            *sum += term;
            Some(())
        };
        let end = match opcode {
            Opcode::Nop => return Some(()),
            Opcode::Product => {
                let factor = |factor: Factor<u32>| {
                    let x = read(factor.first)?;
                    Some(match factor.second {
                        None => x,
                        Some((Sign::Plus, y)) => (x + read(y)?) % p.magnitude(),
                        Some((Sign::Minus, y)) => (x + p.magnitude() - read(y)?) % p.magnitude(),
                    })
                };
                let [f, g] = record.factors().map(factor);
                return add(BigInt::from(f? * g?));
            }
            Opcode::Scale => {
                *sum *= c;
                return Some(());
            }
            Opcode::Form => match places.get(&a)? {
                Value::Wide(w) => return add(w * c),
                _ => return None,
            },
            Opcode::Element => return add(BigInt::from(read(a)?) * c * unit),
            Opcode::Low => return add(BigInt::from(read(a)?)),
            Opcode::Select => {
                let x = if truth(c as u32)? { read(a)? } else { read(b)? };
                return add(BigInt::from(x) * unit);
            }
            Opcode::Load => self.slots.get(&b)?.clone(),
            Opcode::Save => {
                let value = match b & CONSTANT {
                    0 => places.get(&b)?.clone(),
                    _ => Value::Elem(read(b)?),
                };
                self.slots.insert(a, value);
                return Some(());
            }
            Opcode::Zero => Value::Mask(read(b)? == BigUint::ZERO),
            Opcode::And => Value::Mask(truth(b)? & truth(c as u32)?),
            Opcode::Not => Value::Mask(!truth(b)?),
            Opcode::Wide | Opcode::Close | Opcode::Sum | Opcode::High | Opcode::Odd => {
                let total = std::mem::take(sum);
                let bound = match &encoding.residues {
                    Some(residues) => &p * &p * residues.bound(),
                    None => (&p * &radix) << WEIGHT_BITS,
                };
                if total.magnitude() > bound.magnitude() {
                    return None;
                }
                let sums = matches!(opcode, Opcode::Sum | Opcode::High);
                if sums && &total % &unit != BigInt::ZERO {
                    return None;
                }
                let below_p = |x: BigInt| (((x % &p) + &p) % &p).magnitude().clone();
                let closed = below_p(total.clone()) * &self.inverses[usize::from(!sums)] % p.magnitude();
                match opcode {
                    Opcode::Wide => Value::Wide(total),
                    Opcode::Odd => Value::Mask(closed.bit(0)),
                    Opcode::High => {
                        let high = total / &unit;
                        if high < BigInt::ZERO || high >= p {
                            return None;
                        }
                        Value::Elem(high.magnitude().clone())
                    }
                    _ => Value::Elem(closed),
                }
            }
            Opcode::Residues => Value::Elem(self.slots.get(&b).and_then(elem)?),
            Opcode::Words => {
                self.slots.insert(a, Value::Elem(read(b)?));
                return Some(());
            }
        };
        made.insert(a, end);
        Some(())
    }
}
