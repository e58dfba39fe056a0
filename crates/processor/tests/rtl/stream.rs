//! Co-simulation of several cores behind one stream: back-pressure, a full queue, jobs back to back, malformed packets,
//! resets in the middle.

use crate::build::{Core, compile, core_parameters, rtl, run};
use crate::programs::bn_258;
use crate::random::{REGISTERS, Random, WIDE, moduli, program};
use crate::script::Script;
use bilinear_processor::Reduction::{Montgomery, Polynomial};
use bilinear_processor::{Constant, CostClass, Image, Opcode, Port};
use num_bigint::BigUint;
use std::fmt::Write;
use std::path::Path;

const CORES: u32 = 3;
const QUEUE: u32 = 128;

struct Stream<'c> {
    script: Script<'c>,
    image: Image,
    random: Random,
    p: BigUint,
}

impl Stream<'_> {
    /// Adds a job and its expected result. The packet has `words` more words than it should (fewer if negative); if
    /// this is not 0, the job is faulty.
    fn job(&mut self, words: i32) {
        let inputs: Vec<_> = (0..REGISTERS / 2).map(|_| self.random.residue(&self.p)).collect();
        let mut sent: Vec<u64> =
            inputs.iter().flat_map(|x| self.script.form.words(&self.script.form.enter(x))).collect();
        sent.resize((sent.len() as i32 + words) as usize, 5);
        let last = sent.len() - 1;
        for (j, word) in sent.into_iter().enumerate() {
            writeln!(self.script.text, "in {} {word:x}", u8::from(j == last)).unwrap();
        }
        let outputs = self.script.outputs(&self.image, &inputs);
        let expected: Vec<u64> = outputs.iter().flat_map(|x| self.script.form.words(x)).collect();
        let last = expected.len() - 1;
        for (j, word) in expected.into_iter().enumerate() {
            let word = if words < 0 { "-".to_owned() } else { format!("{word:x}") };
            writeln!(self.script.text, "out {} {} {word}", u8::from(j == last), u8::from(words != 0)).unwrap();
        }
    }

    fn jobs(&mut self, how_many: u32) {
        (0..how_many).for_each(|_| self.job(0));
    }

    fn say(&mut self, line: &str) {
        writeln!(self.script.text, "{line}").unwrap();
    }
}

#[test]
fn cosimulated_stream_of_three_cores() {
    let (said, equal) = stream_equal(&rtl());
    assert!(equal, "{said}");
}

#[test]
#[ignore = "half a minute: make rtl"]
fn cosimulated_stream_of_polynomials() {
    let (said, equal) = polynomial_stream_equal(&rtl());
    assert!(equal, "{said}");
}

/// Returns true if the bench finds no difference, with its output: for cores that work limb by limb.
pub(crate) fn stream_equal(source: &Path) -> (String, bool) {
    let core = Core { wide: WIDE, ..Core::small(158, 17, 4, Montgomery) };
    equal(source, "stream", &core, &moduli(158)[0], &[], 16)
}

/// Returns true if the bench finds no difference, with its output: for cores for polynomials.
pub(crate) fn polynomial_stream_equal(source: &Path) -> (String, bool) {
    let core = Core::small(258, 22, 5, Polynomial);
    equal(source, "stream-polynomial", &core, &bn_258(), &[("POLYNOMIAL", 1)], 17)
}

/// Runs the bench on these cores; `kind` is a parameter of the processor that is also a macro of the bench.
fn equal(
    source: &Path,
    name: &str,
    core: &Core,
    p: &BigUint,
    kind: &[(&'static str, u32)],
    seed: u64,
) -> (String, bool) {
    let parameters = [&core_parameters(core)[..], &[("CORES", CORES), ("QUEUE", QUEUE)], kind].concat();
    let bench = compile(source, name, "processor", "processor", &parameters, kind);
    let p = p.clone();
    let mut random = Random(seed);
    let mut image = program(&mut random, &p, 1, core.wide > 0);
    // neither inputs nor outputs are at consecutive addresses, unlike in loading order
    image.outputs = [9, 3, 12].map(|address| Port { name: format!("y{address}"), address }).to_vec();
    // a program that does not overwrite its constants can run again
    let constants: Vec<u32> = image.constants.iter().map(|constant| constant.address).collect();
    for instruction in &mut image.instructions {
        if instruction.opcode == Opcode::St && !image.outputs.iter().any(|port| port.address == instruction.operands[1])
        {
            instruction.operands[1] = 9;
        }
    }
    image.constants.retain(|constant| !image.outputs.iter().any(|port| port.address == constant.address));
    assert!(constants.len() > image.constants.len());
    for instruction in &mut image.instructions {
        if instruction.opcode == Opcode::Ld && [9, 12].contains(&instruction.operands[1]) {
            instruction.operands[1] = 8;
        }
    }
    let halt = image.instructions.len() - 1;
    let halt = image.instructions.remove(halt);
    for (register, address) in [(1, 9), (5, 3), (7, 12)] {
        image.instructions.push(bilinear_processor::Instruction::new(Opcode::St, &[register, address]));
    }
    image.instructions.push(halt);
    let mut script = Script::new(core, &p);
    script.load(&image);
    for (which, port) in image.inputs.iter().enumerate() {
        writeln!(script.text, "w 5 {which:x} 0 {:x}", port.address).unwrap();
    }
    for (which, port) in image.outputs.iter().enumerate() {
        writeln!(script.text, "w 6 {which:x} 0 {:x}", port.address).unwrap();
    }
    writeln!(script.text, "w 7 0 0 {:x}\nw 7 1 0 {:x}", image.inputs.len() - 1, image.outputs.len() - 1).unwrap();
    let mut stream = Stream { script, image, random, p };
    // one job alone, then jobs back to back
    stream.jobs(1);
    stream.say("go 0 0 0");
    stream.jobs(7);
    stream.say("go 0 0 0");
    // pauses on both sides
    stream.jobs(5);
    stream.say("go 100 200 0");
    stream.jobs(5);
    stream.say("go 250 30 0");
    // a full queue
    stream.jobs(CORES + 6);
    stream.say("fill");
    // packets that are too short or too long spoil only their own results
    stream.job(0);
    stream.job(-7);
    stream.job(0);
    stream.job(9);
    // an excess that passes all values of the index of an input once more
    stream.job(8 * core.alu.limbs() as i32);
    stream.jobs(2);
    stream.say("go 20 20 0");
    // the host writes at the same time, to places that nothing reads
    stream.say(&format!("beside 4 {:x} 0 3", core.places - 1));
    stream.jobs(8);
    stream.say("go 0 0 0");
    stream.jobs(5);
    stream.say("go 100 200 0");
    // changes a constant on which results depend while words are dealt: the change must reach every core
    let inputs = vec![BigUint::from(3u32); stream.image.inputs.len()];
    let other = |which: usize| {
        let mut image = stream.image.clone();
        image.constants[which].value = &stream.p - 1u32 - &image.constants[which].value;
        image
    };
    let outputs = |image: &Image| stream.script.outputs(image, &inputs);
    let which =
        (0..stream.image.constants.len()).find(|which| outputs(&other(*which)) != outputs(&stream.image)).unwrap();
    stream.image = other(which);
    let Constant { address, value } = stream.image.constants[which].clone();
    stream.jobs(2 * CORES);
    stream.say("go 0 0 6");
    let value = stream.script.form.enter(&value);
    stream.script.write(4, address, &value);
    stream.say("go 0 0 0");
    // a reset while results are waiting
    stream.jobs(4);
    stream.say("go 0 256 20000");
    stream.say("reset");
    stream.jobs(2);
    stream.say("go 0 0 0");
    // resets while words are dealt, while they are processed, and while results are collected
    let most = (3 * core.alu.cycles(CostClass::Inverse) / 2) as u32;
    for _ in 0..6 {
        stream.jobs(6);
        let cycles = 1 + stream.random.below(most);
        stream.say(&format!("go 10 60 {cycles}"));
        stream.say("reset");
        stream.jobs(2);
        stream.say("go 10 60 0");
    }
    run(&bench, &stream.script.text)
}
