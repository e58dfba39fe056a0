//! Tests of whole pairings: the processor must give the same values as the library.

use bilinear_engine::{CostModel, Curve, Group, Options, PairingKind, Point, Power, System, gt_order, programs};
use bilinear_field::reference::Reference;
use bilinear_field::{Engine, Job, Lanes, Prime, dispatch};
use bilinear_processor::{
    Alu, CompileError, Image, Issue, Machine, Names, Opcode, Reduction, Run, assemble, compile, disassemble, simulate,
    simulate_on,
};
use bilinear_program::Program;
use num_bigint::BigUint;

/// A compiled pairing of a curve.
struct Pairing {
    system: System,
    alu: Alu,
    image: Image,
}

fn names(programs: &[&Program]) -> Names {
    let number = |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect();
    let outputs = programs.last().map_or(0, |last| last.outputs().len());
    Names { inputs: number("x", programs[0].inputs().len()), outputs: number("y", outputs) }
}

/// Compiles a pairing of a curve.
fn pairing(curve: &Curve, options: Options, machine: &Machine) -> Result<Image, CompileError> {
    let all = programs(curve, options).unwrap();
    let pairing: Vec<&Program> = all[..2].iter().map(|(_, program)| &**program).collect();
    compile(&pairing, &names(&pairing), machine)
}

/// Compiles a pairing of a curve for this number of registers.
fn image(curve: &Curve, alu: &Alu, registers: u32, spill: bool, loops: bool) -> Result<Image, CompileError> {
    pairing(curve, Options::default(), &Machine { alu: *alu, issue: Issue::Serial, registers, wide: 0, spill, loops })
}

impl Pairing {
    fn new(name: &str, registers: u32, spill: bool, loops: bool) -> Self {
        let curve = Curve::named(name).unwrap();
        let alu = Alu {
            bits: curve.family().field().bits() as u32,
            limb: 17,
            generators: 4,
            reduction: Reduction::Montgomery,
        };
        let image = image(&curve, &alu, registers, spill, loops).unwrap();
        Pairing { system: System::new(&curve).unwrap(), alu, image }
    }

    /// Returns the coordinates of points as inputs.
    fn inputs(&self, points: [&Point; 2]) -> Vec<BigUint> {
        let p = self.system.curve().family().field();
        let bytes = points.map(|point| point.bytes().unwrap()).concat();
        bytes.chunks(p.bits().div_ceil(8) as usize).map(BigUint::from_bytes_be).collect()
    }

    fn run(&self, engine: Engine, points: [&Point; 2]) -> Outcome {
        let inputs = self.inputs(points);
        let p = self.system.curve().family().field();
        dispatch(engine, p, Simulation { pairing: self, inputs }).unwrap()
    }

    /// Compares with the library on generators, their multiples, and hashed points.
    fn check(&self, engine: Engine) -> Outcome {
        let system = &self.system;
        let generators = [Group::G1, Group::G2].map(|group| system.generator(group));
        let hashed =
            [Group::G1, Group::G2].map(|group| system.hash_to_curve(group, b"processor", b"TEST-V01").unwrap());
        let minus = system.neg(&hashed[0]);
        let mut last = None;
        for points in [[&hashed[0], &hashed[1]], [&generators[0], &generators[1]], [&minus, &generators[1]]] {
            let outcome = self.run(engine, points);
            assert_eq!(outcome.bytes, system.pair(points[0], points[1]).bytes(), "{}", system.curve().name());
            last = Some(outcome);
        }
        last.unwrap()
    }
}

/// The result of a run: the bytes of the value, and the cycles.
struct Outcome {
    bytes: Vec<u8>,
    cycles: u64,
}

struct Simulation<'p> {
    pairing: &'p Pairing,
    inputs: Vec<BigUint>,
}

impl Job for Simulation<'_> {
    type Output = Outcome;
    // the processor is simulated, so speed does not matter: few sizes suffice
    const WORDS: &'static [usize] = &[8, 17, 33];
    const LIMBS: &'static [usize] = &[10];

    fn run<F: Lanes + 'static>(self, f: F) -> Outcome {
        let Pairing { alu, image, .. } = self.pairing;
        let inputs: Vec<F::Elem> = self.inputs.iter().map(|x| f.constant(x)).collect();
        let run: Run<F::Elem> = simulate(&f, image, &inputs, alu, 10_000_000).unwrap();
        let len = f.modulus().bits().div_ceil(8) as usize;
        let order = gt_order(self.pairing.system.curve(), Options::default()).unwrap();
        let mut bytes = vec![0; len * order.len()];
        for (x, place) in run.outputs.iter().zip(order) {
            let value = f.value(x, 0).to_bytes_be();
            bytes[(place + 1) * len - value.len()..(place + 1) * len].copy_from_slice(&value);
        }
        Outcome { bytes, cycles: run.cycles }
    }
}

#[test]
fn supersingular_curves() {
    for (name, registers, loops) in [("a-512", 20, true), ("a-512", 20, false), ("e", 32, true)] {
        Pairing::new(name, registers, false, loops).check(Engine::Mont);
    }
    Pairing::new("a1-2x512-friendly", 32, true, true).check(Engine::Mont);
}

#[test]
fn barreto_naehrig_curves() {
    for (name, registers, spill) in [("bn-254n", 32, true), ("bn-258", 160, false)] {
        Pairing::new(name, registers, spill, true).check(Engine::Mont);
    }
}

#[test]
fn curves_of_other_families() {
    for (name, registers) in [("bls12-381", 64), ("d-159", 32), ("f", 64)] {
        Pairing::new(name, registers, true, true).check(Engine::Mont);
    }
}

/// The engine does not matter; lanes compute the same pairing eight times.
#[test]
fn engines_agree() {
    let pairing = Pairing::new("bn-258", 64, true, true);
    let p = pairing.system.curve().family().field().clone();
    let engines: Vec<Engine> = Engine::ALL.into_iter().filter(|engine| engine.is_field() && engine.suits(&p)).collect();
    assert!(engines.len() >= 4, "{engines:?}");
    let cycles: Vec<u64> = engines.iter().map(|engine| pairing.check(*engine).cycles).collect();
    assert!(cycles.iter().all(|c| *c == cycles[0]));
}

/// Twenty registers suffice for a pairing of type A, which stores only its value; with fewer the compiler reports the
/// shortage.
#[test]
fn few_registers() {
    let curve = Curve::named("a-512").unwrap();
    let alu = Alu { bits: 512, limb: 17, generators: 4, reduction: Reduction::Montgomery };
    let least = (1..32).find(|registers| image(&curve, &alu, *registers, false, true).is_ok()).unwrap();
    println!("type A takes {least} registers");
    assert!((8..=20).contains(&least));
    let stores = |image: &Image| image.instructions.iter().filter(|i| i.opcode == Opcode::St).count();
    assert_eq!(stores(&image(&curve, &alu, least, false, true).unwrap()), 2);
    let error = image(&curve, &alu, least - 1, false, true).unwrap_err();
    println!("{error}");
    let CompileError::Registers { routine, live, registers } = &error else { panic!("{error}") };
    assert_eq!((&**routine, *registers, *live), ("doubling step", least - 1, least as usize));
    // with a memory to spill to, a few registers suffice
    let small = Pairing::new("a-512", 4, true, true);
    let cycles = small.check(Engine::Mont).cycles;
    assert!(cycles > Pairing::new("a-512", 20, false, true).check(Engine::Mont).cycles);
}

/// Loops make programs small: a pairing of type A takes a few hundred instructions.
#[test]
fn loops_are_found() {
    let pairing = Pairing::new("a-512", 32, false, true);
    let flat = Pairing::new("a-512", 32, false, false);
    assert!(pairing.image.instructions.len() < 300, "{}", pairing.image.instructions.len());
    assert!(flat.image.instructions.len() > 7000);
    assert!(flat.image.digits.is_empty());
    assert_eq!(assemble(&disassemble(&pairing.image)).unwrap(), pairing.image);
}

/// Comments name ports, constants, the code that loops repeat, and values by their numbers in the recorded routine.
#[test]
fn comments_say_what_values_are() {
    let curve = Curve::named("a-512").unwrap();
    let alu = Alu { bits: 512, limb: 17, generators: 4, reduction: Reduction::Montgomery };
    let image = image(&curve, &alu, 20, false, true).unwrap();
    let all = programs(&curve, Options::default()).unwrap();
    // true if some routine of this name makes this value by a product
    let is_product = |name: &str, value: u32| {
        let named = all.iter().flat_map(|(_, program)| program.routines()).filter(|routine| routine.name == name);
        let op = named.flat_map(|routine| &routine.ops).filter(|op| op.value == value).map(|op| op.code.name());
        op.into_iter().any(|code| code.contains("mul") || code.contains("sqr"))
    };
    let text = disassemble(&image);
    let (mut routine, mut products, mut ports) = ("", 0, 0);
    for line in text.lines() {
        routine = line.strip_prefix(".routine ").unwrap_or(routine);
        let Some((code, comment)) = line.trim().split_once(';') else { continue };
        let (opcode, operands) = code.split_once(' ').unwrap();
        let value: Option<u32> = comment.trim().strip_prefix('v').and_then(|number| number.parse().ok());
        match (opcode, value) {
            ("mul" | "sqr", Some(value)) => {
                products += 1;
                assert!(is_product(routine, value), "{routine}: {line}");
            }
            ("ld", _) => {
                let address: u32 = operands.trim().rsplit_once('m').unwrap().1.parse().unwrap();
                let port = image.inputs.iter().find(|port| port.address == address);
                ports += usize::from(port.is_some());
                assert!(port.is_none_or(|port| port.name == comment.trim()), "{line}");
            }
            _ => {}
        }
    }
    assert!(products > 20 && ports == 4, "{products} products, {ports} inputs:\n{text}");
    for comment in ["; 158 times doubling step", "; where the digit is 1: Lucas step", "; y1", "; 2"] {
        assert!(text.lines().any(|line| line.ends_with(comment)), "{comment}:\n{text}");
    }
}

/// Returns the cycles of a pairing on a machine, after comparing its values with the library's.
fn cycles(name: &str, options: Options, machine: Machine) -> u64 {
    let curve = Curve::named(name).unwrap();
    let machine = Machine { alu: Alu { bits: curve.family().field().bits() as u32, ..machine.alu }, ..machine };
    let options = Options { cost_model: Some(CostModel { inversion: machine.inversion() }), ..options };
    let image = pairing(&curve, options, &machine).unwrap();
    let f = Reference::new(curve.family().field()).unwrap();
    let pairing = Pairing { system: System::with(&curve, options).unwrap(), alu: machine.alu, image };
    pairing.check(Engine::Mont);
    let [p, q] = [Group::G1, Group::G2].map(|group| pairing.system.generator(group));
    let inputs: Vec<_> = pairing.inputs([&p, &q]).iter().map(|x| f.constant(x)).collect();
    let run = simulate_on(&f, &pairing.image, &inputs, &machine, 10_000_000).unwrap();
    let Alu { limb, reduction, .. } = machine.alu;
    let size = pairing.image.instructions.len();
    println!(
        "{name}, {:?}, {:?}, {reduction:?}, W = {limb}, {:?}: {} cycles, {size} instructions",
        options.pairing, options.power, machine.issue, run.cycles
    );
    run.cycles
}

/// Checks figures of the report, by the model.
#[test]
fn cycles_of_pairings() {
    let alu = |limb, generators, reduction| Alu { bits: 0, limb, generators, reduction };
    let machine = |alu, issue, registers| Machine { alu, issue, registers, wide: 0, spill: true, loops: true };
    let exact = Options::default();
    let montgomery = alu(17, 4, Reduction::Montgomery);
    assert!(cycles("a-512", exact, machine(montgomery, Issue::Serial, 32)) <= 2_290_000);
    assert!(cycles("a-512", exact, machine(montgomery, Issue::Beside, 32)) <= 2_150_000);
    let wide = |registers, wide| Machine { wide, ..machine(montgomery, Issue::Serial, registers) };
    assert!(cycles("a-512", exact, wide(32, 2)) <= 2_205_000);
    assert!(cycles("f", exact, wide(64, 20)) < cycles("f", exact, wide(64, 0)) * 95 / 100);
    assert!(cycles("bn-254n", exact, wide(64, 20)) < cycles("bn-254n", exact, wide(64, 0)) * 91 / 100);
    assert!(cycles("a-512", exact, machine(alu(17, 4, Reduction::FiveStage), Issue::Serial, 32)) <= 2_820_000);
    let polynomial = |limb| alu(limb, 5, Reduction::Polynomial);
    let of = |kind, power| Options { pairing: Some(kind), power, ..exact };
    let serial = machine(polynomial(22), Issue::Serial, 128);
    assert!(cycles("bn-258", exact, serial) <= 351_000);
    assert!(cycles("bn-258", of(PairingKind::OptAte, Power::Fast), serial) <= 370_000);
    let rate = cycles("bn-258", of(PairingKind::RAte, Power::Fast), serial);
    let ate = cycles("bn-258", of(PairingKind::Ate, Power::Fast), serial);
    assert!(rate < ate && ate <= 550_000);
    let beside = machine(polynomial(22), Issue::Beside, 160);
    assert!(cycles("bn-258", of(PairingKind::OptAte, Power::Fast), beside) <= 270_000);
    let pipelined = machine(polynomial(32), Issue::Pipelined { product: 8 }, 256);
    assert!(cycles("bn-258", of(PairingKind::OptAte, Power::Fast), pipelined) <= 105_000);
}
