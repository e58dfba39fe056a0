//! Inputs of programs, and the values of programs over the reference field.

use bilinear_cuda::Port;
use bilinear_field::reference::Reference;
use bilinear_program::{Input, Program, Value};
use num_bigint::BigUint;

/// A random number generator, xorshift64*: deterministic, so that a failure names its seed.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below n.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// Returns 0, 1, p − 1, a residue with long runs of ones, or any residue.
    pub(crate) fn residue(&mut self, p: &BigUint) -> BigUint {
        let words = p.bits() / 64 + 1;
        match self.below(12) {
            0 => BigUint::ZERO,
            1 => BigUint::from(1u32),
            2 => p - 1u32,
            3 => (0..words).fold(BigUint::ZERO, |x, _| (x << 64u32) + [0, u64::MAX][self.below(2)]) % p,
            _ => (0..words).fold(BigUint::ZERO, |x, _| (x << 64u32) + self.word()) % p,
        }
    }

    /// Returns values for the inputs of a program.
    pub(crate) fn inputs(&mut self, program: &Program) -> Vec<Port> {
        let port = |input: &Input| match input {
            Input::Mask { .. } => Port::Mask(self.below(2) == 1),
            _ => Port::Elem(self.residue(program.modulus())),
        };
        program.inputs().iter().map(port).collect()
    }
}

/// Returns the outputs of a program for its inputs, computed over big integers.
pub(crate) fn replayed(program: &Program, inputs: &[Port]) -> Vec<Port> {
    let values: Vec<Value<Reference>> = inputs
        .iter()
        .map(|port| match port {
            Port::Elem(x) => Value::Elem(x.clone()),
            Port::Mask(m) => Value::Mask(*m),
        })
        .collect();
    let outputs = program.replay(&Reference::new(program.modulus()).unwrap(), &values);
    let port = |value: Value<Reference>| match value {
        Value::Mask(m) => Port::Mask(m),
        other => Port::Elem(other.elem().clone()),
    };
    outputs.into_iter().map(port).collect()
}
