//! Replays of programs over the reference: inputs and outputs.

use bilinear_field::reference::Reference;
use bilinear_program::{Input, Program, Value};
use num_bigint::BigUint;

/// The longest field on which slow arithmetic takes no longer than the rest of the tests.
pub const MAX_BITS: u64 = 700;

/// Returns fixed residues, so that a failure can be reproduced.
pub fn inputs(program: &Program) -> Vec<Value<Reference>> {
    let mut x = BigUint::from(0x9e37_79b9_7f4a_7c15u64);
    let mut value = |input: &Input| match input {
        Input::Mask { .. } => Value::Mask(false),
        _ => {
            x = &x * &x + 1u32;
            x %= program.modulus();
            Value::Elem(x.clone())
        }
    };
    program.inputs().iter().map(&mut value).collect()
}

pub fn residues(outputs: Vec<Value<Reference>>) -> Vec<BigUint> {
    outputs.iter().map(|value| value.elem().clone()).collect()
}
