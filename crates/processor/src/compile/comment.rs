//! Comments on transfers between registers and the data memory: ports by their names, constants by their values.

use crate::image::{Comment, Image};
use crate::isa::{Instruction, Opcode};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};

/// Adds a comment on the transferred value to every `ld` and `st` that has none.
pub(crate) fn places(image: &mut Image, modulus: &BigUint) {
    let mut inputs: HashMap<u32, String> = HashMap::new();
    for constant in &image.constants {
        inputs.insert(constant.address, self::constant(&constant.value, modulus));
    }
    inputs.extend(image.inputs.iter().map(|port| (port.address, port.name.clone())));
    let outputs: HashMap<u32, String> = image.outputs.iter().map(|port| (port.address, port.name.clone())).collect();
    let mut comments: BTreeMap<u32, String> =
        std::mem::take(&mut image.comments).into_iter().map(|comment| (comment.at, comment.text)).collect();
    for (at, instruction) in (0..).zip(&image.instructions) {
        let Instruction { opcode, operands: [_, address, _] } = instruction;
        let text = match opcode {
            Opcode::Ld => inputs.get(address).cloned().unwrap_or_else(|| "from where it was stored".to_owned()),
            Opcode::St => outputs.get(address).cloned().unwrap_or_else(|| "stored for later".to_owned()),
            _ => continue,
        };
        comments.entry(at).or_insert(text);
    }
    image.comments = comments.into_iter().map(|(at, text)| Comment { at, text }).collect();
}

/// Describes a constant: a small integer, its negative or 1/2 by the value, any other as "a constant".
fn constant(value: &BigUint, modulus: &BigUint) -> String {
    let small = BigUint::from(1000u32);
    let negative = modulus - value;
    match value {
        _ if *value <= small => format!("{value}"),
        _ if negative <= small => format!("-{negative}"),
        _ if value * 2u32 == modulus + 1u32 => "1/2".to_owned(),
        _ => "a constant".to_owned(),
    }
}
