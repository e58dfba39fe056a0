//! Texts, words, objects and images of the pairing processor. Each is either rejected, or can be written and read
//! again, and does the same on every engine.
//!
//! The first byte chooses a text, an object or an image. The layout of words is that of the image; the bytes behind it
//! are read as words too.
#![no_main]

use bilinear_field::Lanes;
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_processor::{
    Alu, Comment, Constant, Image, Instruction, Layout, Object, Opcode, Port, Reduction, Section, Trap, assemble,
    disassemble, isa, simulate,
};
use libfuzzer_sys::fuzz_target;
use num_bigint::BigUint;

/// The maximum number of instructions that a program may execute.
const LIMIT: u64 = 200;

/// A source of bytes, which gives 0 after its end.
struct Source<'a>(std::slice::Iter<'a, u8>);

impl Source<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// Returns a small number or, if a byte is 255, an arbitrary one.
    fn number(&mut self) -> u32 {
        let byte = u32::from(self.byte());
        if byte == 255 { u32::from(self.byte()) << (self.byte() % 32) } else { byte % 8 }
    }

    fn list<T>(&mut self, most: u8, mut next: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.byte() % most).map(|_| next(self)).collect()
    }

    fn name(&mut self) -> String {
        self.list(3, |s| char::from(b"xy0_.- \n:;"[usize::from(s.byte()) % 10])).into_iter().collect()
    }

    fn port(&mut self) -> Port {
        Port { name: self.name(), address: self.number() }
    }

    fn object(&mut self) -> Option<Object> {
        let number = |s: &mut Self| format!("0x{:x}", u64::from(s.byte()) << (s.byte() % 60));
        Some(Object {
            registers: self.number(),
            wide: self.number(),
            memory: self.number(),
            layout: Layout::new(self.number(), self.number(), self.number(), self.number()).ok()?,
            constants: self.list(3, |s| (s.number(), number(s))),
            inputs: self.list(3, |s| (s.name(), s.number())),
            outputs: self.list(3, |s| (s.name(), s.number())),
            digits: self.list(40, |s| char::from(b"0011x"[usize::from(s.byte()) % 5])).into_iter().collect(),
            words: self.list(40, number),
            routines: self.list(3, |s| (s.number(), s.name())),
            comments: self.list(3, |s| (s.number(), s.name())),
        })
    }

    fn image(&mut self) -> Image {
        Image {
            registers: self.number(),
            wide: self.number(),
            memory: self.number(),
            constants: self.list(3, |s| Constant {
                address: s.number(),
                value: BigUint::from(s.byte()) << (u32::from(s.byte()) * 2),
            }),
            inputs: self.list(3, Source::port),
            outputs: self.list(3, Source::port),
            digits: self.list(40, |s| s.byte() & 1 == 1),
            instructions: self.list(40, |s| {
                let entry = &isa().instructions[usize::from(s.byte()) % isa().instructions.len()];
                let operands: Vec<u32> = entry.operands.iter().map(|_| s.number()).collect();
                Instruction::new(entry.mnemonic, &operands)
            }),
            sections: self.list(3, |s| Section { from: s.number(), name: s.name() }),
            comments: self.list(3, |s| Comment { at: s.number(), text: s.name() }),
        }
    }
}

/// Runs a program on a field. Returns the integers that it leaves, and its number of cycles.
fn run<F: Lanes>(f: &F, image: &Image) -> Result<(Vec<BigUint>, u64), Trap> {
    let inputs: Vec<F::Elem> = (0..image.inputs.len()).map(|i| f.constant(&BigUint::from(3 * i))).collect();
    let alu = Alu { bits: 64, limb: 16, generators: 2, reduction: Reduction::Montgomery };
    let run = simulate(f, image, &inputs, &alu, LIMIT)?;
    assert!(run.executed <= LIMIT);
    Ok((run.outputs.iter().map(|x| f.value(x, 0)).collect(), run.cycles))
}

fuzz_target!(|data: &[u8]| {
    let [choice, rest @ ..] = data else { return };
    let mut source = Source(rest.iter());
    let image = match choice % 3 {
        0 => {
            let Ok(image) = assemble(&String::from_utf8_lossy(rest)) else { return };
            assert_eq!(image.verify(), Ok(()));
            image
        }
        1 => source.image(),
        _ => {
            let Some(Ok(image)) = source.object().map(|object| object.image()) else { return };
            assert_eq!(image.verify(), Ok(()));
            image
        }
    };
    let p = (BigUint::from(1u32) << 61u32) - 1u32;
    let mont = Mont::<1>::new(&p).unwrap_or_else(|error| panic!("{error}"));
    let reference = Reference::new(&p).unwrap_or_else(|error| panic!("{error}"));
    let done = run(&mont, &image);
    assert_eq!(done, run(&reference, &image));
    if image.verify().is_err() {
        assert!(matches!(done, Err(Trap::Image(_))));
        return;
    }
    assert_eq!(assemble(&disassemble(&image)).as_ref(), Ok(&image));
    let object = Object::new(&image).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(object.image().as_ref(), Ok(&image));
    let layout = Layout::of(&image);
    for instruction in &image.instructions {
        let word = layout.encode(instruction).unwrap_or_else(|error| panic!("{error}"));
        assert!(word >> layout.word() == 0);
        assert_eq!(layout.decode(word).as_ref(), Ok(instruction));
    }
    for bytes in source.0.as_slice().chunks_exact(4) {
        let word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        if let Ok(instruction) = layout.decode(word) {
            assert_eq!(layout.encode(&instruction), Ok(word));
            assert!(instruction.opcode != Opcode::Halt || instruction.operands().count() == 0);
        }
    }
});
