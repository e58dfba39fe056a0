//! The meaning of an encoding, over big integers: the specification of the kernels. Slow.

use bilinear_cuda::{Encoding, Opcode, Port, Record, Residues, Slot};
use num_bigint::{BigInt, BigUint};
use std::collections::HashMap;

/// Marks an operand that is a constant.
const CONSTANT: u32 = 1 << 31;

#[derive(Clone)]
enum Value {
    /// A residue in [0, p), in Montgomery's form except for inputs and outputs.
    Elem(BigUint),
    Wide(BigInt),
    Mask(bool),
}

type Memory = HashMap<u32, Value>;

/// Executes an encoding for one pairing and returns the values of the outputs for those of the inputs, values that all
/// pairings share among them. Returns `None` if a missing value is read, or a value leaves its range.
pub(crate) fn interpret(encoding: &Encoding, inputs: &[Port]) -> Option<Vec<Port>> {
    let mut machine = Machine::new(encoding);
    let modulus = encoding.modulus();
    assert_eq!(inputs.len(), encoding.inputs().len());
    for (slot, port) in encoding.inputs().iter().zip(inputs) {
        match (slot, port) {
            (Slot::Elem(at), Port::Elem(x)) => drop(machine.slots.insert(*at, Value::Elem(x.clone()))),
            (Slot::Constant(k), Port::Elem(x)) => {
                machine.constants[*k as usize] = match encoding.residues() {
                    Some(residues) => residues.to_montgomery(x),
                    None => modulus.to_montgomery(x),
                };
            }
            (Slot::Mask(at), Port::Mask(m)) => drop(machine.slots.insert(*at, Value::Mask(*m))),
            _ => panic!("an input of another kind"),
        }
    }
    for stage in encoding.stages() {
        let mut places = Memory::new();
        let mut sums = vec![BigInt::ZERO; encoding.width()];
        // lanes wait for each other: the values that a bundle makes exist when it ends
        let mut made = Memory::new();
        for (i, record) in stage.records.iter().enumerate() {
            let lane = i % encoding.width();
            machine.step(record, &mut sums[lane], &places, &mut made)?;
            if record.barrier && lane + 1 == encoding.width() {
                places.extend(made.drain());
            }
        }
        for inversion in &stage.inversions {
            let residue = modulus.from_montgomery(&machine.slots.get(&inversion.from).and_then(elem)?);
            let inverse = residue.modinv(modulus.p()).unwrap_or_default();
            machine.slots.insert(inversion.to, Value::Elem(modulus.to_montgomery(&inverse)));
        }
    }
    let output = |slot: &Slot| match slot {
        Slot::Elem(at) => machine.slots.get(at).and_then(elem).map(Port::Elem),
        Slot::Mask(at) => machine.slots.get(at).and_then(mask).map(Port::Mask),
        Slot::Constant(_) => None,
    };
    encoding.outputs().iter().map(output).collect()
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
    /// The inverses modulo p of the unit and of the divisor of a reduction.
    inverses: [BigUint; 2],
    /// The bound of unreduced values.
    bound: BigUint,
}

impl<'e> Machine<'e> {
    fn new(encoding: &'e Encoding) -> Self {
        let modulus = encoding.modulus();
        let r = BigUint::from(1u32) << (32 * modulus.words());
        let (unit, radix, bound) = match encoding.residues() {
            Some(residues) => {
                let one = BigUint::from(1u32);
                let radix = residues.to_montgomery(&one);
                (one, radix, modulus.p() * modulus.p() * residues.bound().unsigned_abs())
            }
            None => (r.clone(), r.clone(), (modulus.p() * r) << 12u32),
        };
        let inverses = [&unit, &radix].map(|x| x.modinv(modulus.p()).unwrap());
        Machine { encoding, constants: encoding.constants().to_vec(), slots: Memory::new(), unit, inverses, bound }
    }

    /// Executes a record, or returns `None` if it cannot be executed.
    fn step(&mut self, record: &Record, sum: &mut BigInt, places: &Memory, made: &mut Memory) -> Option<()> {
        let Record { opcode, c, a, b, .. } = *record;
        let encoding = self.encoding;
        let words = encoding.residues().map_or(encoding.modulus().words(), Residues::words);
        let read = |at: u32| match at & CONSTANT {
            0 => places.get(&at).and_then(elem),
            _ => self.constants.get((at ^ CONSTANT) as usize / words).cloned(),
        };
        let truth = |at: u32| places.get(&at).and_then(mask);
        let [p, unit] = [encoding.modulus().p(), &self.unit].map(|x| BigInt::from(x.clone()));
        let mut add = |term: BigInt| {
            *sum += term;
            Some(())
        };
        let end = match opcode {
            Opcode::Nop => return Some(()),
            Opcode::Product => {
                // the first word: bits 6 and 8 say that a factor has a second element, bits 7 and 9 that this is
                // subtracted, bit 10 that the second factor is the first; the fourth operand begins at bit 11
                let word = record.terms;
                let fourth = word & CONSTANT | (word & !CONSTANT) >> 11;
                let factor = |first: u32, second: u32, sign: u32| {
                    let x = read(first)?;
                    Some(match word >> sign & 3 {
                        1 => (x + read(second)?) % p.magnitude(),
                        3 => (x + p.magnitude() - read(second)?) % p.magnitude(),
                        _ => x,
                    })
                };
                let f = factor(a, c as u32, 6)?;
                let g = if word >> 10 & 1 == 1 { f.clone() } else { factor(b, fourth, 8)? };
                return add(BigInt::from(f * g));
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
                if *total.magnitude() > self.bound {
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
