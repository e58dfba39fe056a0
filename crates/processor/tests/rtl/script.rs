//! Scripts for the bench of a core (`rtl/sim/core.cpp`): the words that the host writes, and the effect of each
//! instruction by the simulator.

use crate::build::{Core, bits};
use bilinear_field::reference::Reference;
use bilinear_field::{Lanes, Prime};
use bilinear_processor::{Form, Image, Layout, Opcode, Reduction, simulate, trace};
use num_bigint::BigUint;
use std::fmt::Write;

/// The number of registers that a core reserves; they include those of p, the factor and the complement.
const RESERVED: u32 = 8;

/// A script for one core and one modulus.
pub(crate) struct Script<'c> {
    core: &'c Core,
    pub(crate) form: Form,
    f: Reference,
    pub(crate) text: String,
}

impl<'c> Script<'c> {
    pub(crate) fn new(core: &'c Core, p: &BigUint) -> Self {
        let form = Form::new(&core.alu, p).unwrap();
        let mut script = Script { core, form, f: Reference::new(p).unwrap(), text: "reset\n".to_owned() };
        let form = script.form.clone();
        let constants = match core.alu.reduction {
            Reduction::Polynomial => [&form.p, &form.one, &form.start],
            _ => [&form.p, &form.factor, &form.complement],
        };
        for (which, value) in constants.into_iter().enumerate() {
            script.write(2, core.registers + 2 * core.wide + which as u32, value);
        }
        if core.alu.reduction == Reduction::Polynomial {
            // the polynomial p itself, which is not a residue
            for (j, coefficient) in [1, 6, 24, 36, 36].into_iter().enumerate() {
                writeln!(script.text, "w 2 {:x} {j:x} {coefficient:x}", core.registers).unwrap();
            }
        } else {
            for (which, value) in [&form.p, &form.one, &form.start].into_iter().enumerate() {
                script.write(3, which as u32, value);
            }
        }
        script
    }

    pub(crate) fn write(&mut self, space: u32, place: u32, value: &BigUint) {
        for (j, limb) in self.form.words(value).into_iter().enumerate() {
            writeln!(self.text, "w {space:x} {place:x} {j:x} {limb:x}").unwrap();
        }
    }

    /// Loads the program, its digits and constants.
    pub(crate) fn load(&mut self, image: &Image) {
        let core = self.core;
        assert!(image.instructions.len() < core.instructions as usize && image.digits.len() <= core.digits as usize);
        for (number, instruction) in image.instructions.iter().enumerate() {
            self.word(number, self.layout().encode(instruction).unwrap());
        }
        // continuing behind the last instruction is a trap
        self.word(image.instructions.len(), 0);
        for (number, digit) in image.digits.iter().enumerate() {
            let last = u32::from(number + 1 == image.digits.len());
            writeln!(self.text, "w 1 {number:x} 0 {:x}", u32::from(*digit) | last << 1).unwrap();
        }
        for constant in &image.constants {
            self.write(4, constant.address, &self.form.enter(&constant.value));
        }
    }

    fn layout(&self) -> Layout {
        let core = self.core;
        let register = bits(core.registers + 2 * core.wide + RESERVED);
        Layout::new(register, bits(core.places), bits(core.instructions), core.count_bits).unwrap()
    }

    fn word(&mut self, number: usize, word: u64) {
        writeln!(self.text, "w 0 {number:x} 0 {word:x}").unwrap();
    }

    fn inputs(&mut self, image: &Image, inputs: &[BigUint]) {
        for constant in &image.constants {
            self.write(4, constant.address, &self.form.enter(&constant.value));
        }
        for (port, value) in image.inputs.iter().zip(inputs) {
            self.write(4, port.address, &self.form.enter(value));
        }
    }

    /// Returns the outputs of a program in the representation of the ALU.
    pub(crate) fn outputs(&self, image: &Image, inputs: &[BigUint]) -> Vec<BigUint> {
        let elements: Vec<_> = inputs.iter().map(|x| self.f.constant(x)).collect();
        let run = simulate(&self.f, image, &elements, &self.core.alu, 1 << 32).unwrap();
        run.outputs.iter().map(|y| self.form.enter(&self.f.value(y, 0))).collect()
    }

    /// Starts the program and stops it by a reset.
    pub(crate) fn cut(&mut self, image: &Image, inputs: &[BigUint], cycles: u32) {
        self.inputs(image, inputs);
        writeln!(self.text, "cut {cycles}").unwrap();
    }

    /// Runs the program to its end.
    pub(crate) fn run(&mut self, image: &Image, inputs: &[BigUint]) -> u64 {
        self.run_to(image, inputs, false)
    }

    /// Runs the program with this word in the place of its last instruction, a halt: the program must end in a trap,
    /// after the same number of cycles.
    pub(crate) fn trap(&mut self, image: &Image, word: u64) {
        let (halt, last) = (image.instructions.last().unwrap(), image.instructions.len() - 1);
        assert!(halt.opcode == Opcode::Halt && last > 0);
        self.word(last, word);
        self.run_to(image, &[], true);
        self.word(last, self.layout().encode(halt).unwrap());
    }

    fn run_to(&mut self, image: &Image, inputs: &[BigUint], trap: bool) -> u64 {
        self.inputs(image, inputs);
        let elements: Vec<_> = inputs.iter().map(|x| self.f.constant(x)).collect();
        let mut lines = "run\n".to_owned();
        let run = trace(&self.f, image, &elements, &self.core.machine(), 1 << 32, |step| {
            let place = match step.instruction.opcode {
                Opcode::St => format!("m {}", step.instruction.operands[1]),
                _ => format!("r {}", step.instruction.operands[0]),
            };
            let place = if step.written.is_some() { place } else { "n 0".to_owned() };
            write!(lines, "e {} {} {place}", step.begin, step.cycles).unwrap();
            if let Some(value) = step.written {
                for limb in self.form.words(&self.form.enter(&self.f.value(value, 0))) {
                    write!(lines, " {limb:x}").unwrap();
                }
            }
            lines.push('\n');
        });
        let cycles = run.unwrap().cycles;
        self.text += &lines;
        writeln!(self.text, "end {} {cycles}", u8::from(trap)).unwrap();
        cycles
    }
}
