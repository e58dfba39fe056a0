//! Co-simulation of whole pairings, instruction by instruction, on points of the curves; the cycles are those that
//! `rtl/syn/designs.json` reports.

use crate::build::{Core, PIPELINED, build, rtl, run};
use crate::script::Script;
use bilinear_engine::{Curve, Group, Options, PairingKind, Power, System, programs};
use bilinear_processor::Issue::{Beside, Serial};
use bilinear_processor::Reduction::{self, FiveStage, Montgomery, Polynomial};
use bilinear_processor::{Alu, Image, Issue, Names, compile};
use bilinear_program::Program;
use num_bigint::BigUint;
use std::fs;

/// Compiles a pairing for these numbers of registers and wide registers, and returns it with a core that can hold it.
fn compiled(curve: &Curve, options: Options, alu: Alu, issue: Issue, [registers, wide]: [u32; 2]) -> (Image, Core) {
    let all = programs(curve, options).unwrap();
    let pairing: Vec<&Program> = all[..2].iter().map(|(_, program)| &**program).collect();
    let number = |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect();
    let names =
        Names { inputs: number("x", pairing[0].inputs().len()), outputs: number("y", pairing[1].outputs().len()) };
    let core = Core { alu, issue, registers, wide, places: 0, instructions: 0, digits: 0, count_bits: 13 };
    let image = compile(&pairing, &names, &core.machine()).unwrap();
    let core = Core {
        places: image.memory.next_power_of_two(),
        instructions: (image.instructions.len() as u32 + 1).next_power_of_two(),
        digits: (image.digits.len() as u32).next_power_of_two().max(64),
        ..core
    };
    (image, core)
}

/// A design of the report, with the pairing that it computes.
struct Design {
    name: &'static str,
    core: &'static str,
    curve: &'static str,
    options: Options,
    alu: (Reduction, u32, u32, Issue),
    registers: [u32; 2],
}

impl Design {
    fn new(
        [name, core, curve]: [&'static str; 3],
        options: Options,
        alu: (Reduction, u32, u32, Issue),
        registers: [u32; 2],
    ) -> Self {
        Design { name, core, curve, options, alu, registers }
    }

    fn all() -> Vec<Design> {
        let exact = Options::default();
        let fast = |kind| Options { pairing: Some(kind), power: Power::Fast, ..exact };
        let optate = fast(PairingKind::OptAte);
        let (limbs, beside, polynomials) =
            ((Montgomery, 17, 4, Serial), (Montgomery, 17, 4, Beside), (Polynomial, 22, 5, Serial));
        let of = |curve: &'static str, core, options, alu, registers| {
            Design::new([curve, core, curve], options, alu, registers)
        };
        let [ate, rate] = ["bn-258, ate", "bn-258, R-ate"].map(|name| [name, "polynomials", "bn-258"]);
        vec![
            of("a-512", "Montgomery", exact, limbs, [24, 0]),
            of("a-512", "five stages", exact, (FiveStage, 17, 4, Serial), [24, 0]),
            of("a-512", "wide registers, Montgomery", exact, limbs, [20, 2]),
            of("a-512", "sums beside, Montgomery", exact, beside, [24, 0]),
            of("a1-1024", "Montgomery", exact, limbs, [32, 0]),
            of("bls12-381", "Montgomery", exact, limbs, [56, 0]),
            of("bls12-381", "wide registers, Montgomery", exact, limbs, [56, 20]),
            of("bls12-381", "sums beside, Montgomery", exact, beside, [56, 0]),
            of("bn-258", "Montgomery", optate, limbs, [56, 0]),
            of("bn-258", "wide registers, Montgomery", optate, limbs, [56, 20]),
            of("bn-258", "polynomials", optate, polynomials, [56, 0]),
            of("bn-258", "sums beside, polynomials", optate, (Polynomial, 22, 5, Beside), [120, 0]),
            of("bn-258", "pipelined, polynomials", optate, (Polynomial, 32, 5, PIPELINED), [248, 0]),
            Design::new(ate, fast(PairingKind::Ate), polynomials, [56, 0]),
            Design::new(rate, fast(PairingKind::RAte), polynomials, [56, 0]),
        ]
    }

    fn compiled(&self) -> (Image, Core) {
        let curve = Curve::named(self.curve).unwrap();
        let (reduction, limb, generators, issue) = self.alu;
        let alu = Alu { bits: curve.family().field().bits() as u32, limb, generators, reduction };
        compiled(&curve, self.options, alu, issue, self.registers)
    }

    /// Returns the entry of `designs.json` with this name and the core of this design.
    fn entry<'t>(&self, text: &'t str, name: &str) -> &'t str {
        let begins = format!(": \"{name}\", \"core\": \"{}, ", self.core);
        let entry = text.split("\"design\"").find(|entry| entry.starts_with(&begins));
        entry.unwrap_or_else(|| panic!("no design {name}, {}", self.core))
    }

    /// Checks that the synthesised core can hold the program. A design that takes the figures of another one also takes
    /// the other's sizes, except those that it `needs` itself.
    fn fits(&self, image: &Image) {
        let text = fs::read_to_string(rtl().join("syn/designs.json")).unwrap();
        let own = self.entry(&text, self.name);
        let other = own.split_once("\"as\": \"").and_then(|(_, rest)| rest.split('"').next());
        let other = other.map(|other| self.entry(&text, other));
        let size_in = |entry: &str, name: &str| -> Option<usize> {
            entry.split_once(&format!("\"{name}="))?.1.split('"').next()?.parse().ok()
        };
        let size = |name: &str| size_in(own, name).or_else(|| size_in(other?, name)).unwrap_or(0);
        let [registers, wide] = self.registers.map(|count| count as usize);
        for (name, needed) in [
            ("REGISTERS", registers),
            ("WIDE", wide),
            ("PLACES", image.memory as usize),
            // the instructions, and one word behind them
            ("INSTRUCTIONS", image.instructions.len() + 1),
            ("DIGITS", image.digits.len()),
        ] {
            assert!(size(name) >= needed, "{}, {}: {name}={}, not {needed}", self.name, self.core, size(name));
        }
    }

    /// Co-simulates a pairing of the generators and one of hashed points, and compares the cycles with the report.
    fn cosimulate(&self) {
        let curve = Curve::named(self.curve).unwrap();
        let system = System::with(&curve, self.options).unwrap();
        let p = curve.family().field();
        let (image, core) = self.compiled();
        self.fits(&image);
        let mut script = Script::new(&core, p);
        script.load(&image);
        let groups = [Group::G1, Group::G2];
        let generators = groups.map(|group| system.generator(group));
        let hashed = groups.map(|group| system.hash_to_curve(group, b"rtl", b"TEST-V01").unwrap());
        let mut cycles = vec![];
        for points in [generators, hashed] {
            let bytes = points.each_ref().map(|point| point.bytes().unwrap()).concat();
            let inputs: Vec<_> = bytes.chunks(p.bits().div_ceil(8) as usize).map(BigUint::from_bytes_be).collect();
            cycles.push(script.run(&image, &inputs));
        }
        let (said, equal) = run(&build(&core), &script.text);
        println!(
            "{}, {}: {} instructions, {} places, {} digits, {} cycles; {said}",
            self.name,
            self.core,
            image.instructions.len(),
            image.memory,
            image.digits.len(),
            cycles[0]
        );
        assert!(equal, "{said}");
        assert_eq!(cycles[0], cycles[1], "the time tells nothing");
        let text = fs::read_to_string(rtl().join("syn/designs.json")).unwrap();
        let entry = self.entry(&text, self.name);
        let found = cycles[0];
        assert!(entry.contains(&format!("\"cycles\": {found}, ")), "{found} cycles, not those of\n{entry}");
    }
}

fn cosimulate_all(curve: &str) {
    Design::all().iter().filter(|design| design.curve == curve).for_each(Design::cosimulate);
}

#[test]
fn synthesised_cores_hold_their_programs() {
    for design in Design::all() {
        let (image, _) = design.compiled();
        design.fits(&image);
    }
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_pairings_of_a_512() {
    cosimulate_all("a-512");
}

/// Two pairings of 50 million cycles each.
#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_pairings_of_a1_1024() {
    cosimulate_all("a1-1024");
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_pairings_of_bls12_381() {
    cosimulate_all("bls12-381");
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_pairings_of_bn_258() {
    cosimulate_all("bn-258");
}
