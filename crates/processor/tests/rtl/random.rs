//! Seeded random numbers, moduli, and random programs that end.

use bilinear_processor::{Alu, Constant, CostClass, Image, Instruction, Opcode, Port};
use num_bigint::BigUint;

/// The generator xorshift64* (Vigna, ACM Trans. Math. Software 42, 2016).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, most: u32) -> u32 {
        (self.next() % u64::from(most)) as u32
    }

    /// Returns a number of at most this many bits: of random words, or of long runs of equal bits, each preceded by a
    /// 1.
    fn bits(&mut self, bits: u64) -> BigUint {
        let mut number = BigUint::default();
        let runs = self.below(2) == 0;
        while number.bits() < bits && number.bits() < bits + 1 {
            let word = self.next();
            let (length, value) =
                if runs { (1 + word % 40, if word & 64 == 0 { u64::MAX } else { 0 }) } else { (64, word) };
            number =
                (number << 1u32 | BigUint::from(1u32)) << length | BigUint::from(value & (u64::MAX >> (64 - length)));
        }
        number & ((BigUint::from(1u32) << bits) - 1u32)
    }

    /// Returns a residue: an edge value, or a random one.
    pub(crate) fn residue(&mut self, p: &BigUint) -> BigUint {
        match self.below(12) {
            0 => BigUint::default(),
            1 => BigUint::from(1u32),
            2 => p - 1u32,
            3 => (p - 1u32) >> 1,
            _ => self.bits(p.bits()) % p,
        }
    }
}

/// Returns primes of N bits: the greatest and the least (found by trial; their primality was checked by the
/// Miller–Rabin test).
pub(crate) fn moduli(bits: u32) -> [BigUint; 2] {
    let (below, above) = match bits {
        30 => (35u32, 11u32),
        61 => (1, 33),
        158 => (15, 69),
        254 => (245, 39),
        258 => (87, 155),
        381 => (313, 127),
        512 => (569, 111),
        1033 => (319, 877),
        _ => panic!("no primes of {bits} bits"),
    };
    let power = |bits: u32| BigUint::from(1u32) << bits;
    [power(bits) - below, power(bits - 1) + above]
}

/// The number of registers of random programs; `PLACES` is their number of places of the memory.
pub(crate) const REGISTERS: u32 = 12;
/// The number of wide registers of random programs for cores that have some.
pub(crate) const WIDE: u32 = 3;
const PLACES: u32 = 16;

/// Returns a program: it loads registers, then runs blocks, some of which are loops that contain a branch on a digit.
pub(crate) fn program(random: &mut Random, p: &BigUint, blocks: u32, wide: bool) -> Image {
    let mut instructions: Vec<Instruction> = vec![];
    let mut push = |opcode, operands: &[u32]| {
        instructions.push(Instruction::new(opcode, operands));
        instructions.len() as u32
    };
    for register in 0..REGISTERS {
        push(Opcode::Ld, &[register, register]);
    }
    for w in 0..if wide { WIDE } else { 0 } {
        push(Opcode::WMul, &[w, random.below(REGISTERS), random.below(REGISTERS)]);
    }
    for _ in 0..blocks {
        // runs each operation at least once
        for opcode in OPERATIONS {
            operation(random, opcode, &mut push);
        }
        // a stored value is available to the next instruction
        let address = random.below(PLACES);
        push(Opcode::St, &[random.below(REGISTERS), address]);
        push(Opcode::Ld, &[random.below(REGISTERS), address]);
        if wide {
            unreduced(random, &mut push);
        }
        let head = push(Opcode::Load, &[2 + random.below(3)]);
        operation(random, Opcode::Mul, &mut push);
        push(Opcode::Jsr, &[head + 4]);
        let any = OPERATIONS[random.below(OPERATIONS.len() as u32) as usize];
        operation(random, any, &mut push);
        push(Opcode::Jump, &[head + 5]);
        operation(random, Opcode::Sub, &mut push);
        operation(random, Opcode::Add, &mut push);
        push(Opcode::Jdec, &[head]);
    }
    push(Opcode::Halt, &[]);
    let constants = (REGISTERS / 2..PLACES).map(|address| Constant { address, value: random.residue(p) });
    Image {
        registers: REGISTERS,
        wide: if wide { WIDE } else { 0 },
        memory: PLACES,
        constants: constants.collect(),
        inputs: (0..REGISTERS / 2).map(|i| Port { name: format!("x{i}"), address: i }).collect(),
        outputs: vec![Port { name: "y".to_owned(), address: PLACES - 1 }],
        digits: (0..2 + random.below(6)).map(|_| random.below(2) == 0).collect(),
        instructions,
        sections: vec![],
        comments: vec![],
    }
}

/// Returns a program with sums, differences and halves that could begin around the cycles of a product in which they may
/// begin beside it, and in which they may not.
pub(crate) fn windows(random: &mut Random, p: &BigUint, alu: &Alu) -> Image {
    let mut instructions: Vec<Instruction> = vec![];
    let mut push = |opcode, operands: &[u32]| {
        instructions.push(Instruction::new(opcode, operands));
        instructions.len() as u32
    };
    (0..4).for_each(|register| _ = push(Opcode::Ld, &[register, register]));
    let (sum, product, [first, last]) = (alu.cycles(CostClass::Sum), alu.cycles(CostClass::Product), alu.ends());
    let latest = product - last - sum;
    for cycle in (first - 1..first + 2).chain(latest - 2..latest + 4) {
        for opcode in [Opcode::Add, Opcode::Sub, Opcode::Halve] {
            push(Opcode::Mul, &[0, 1, 2]);
            // a loop that, with the instructions around it, takes as long as it is to that cycle
            if let Some(count) = cycle.checked_sub(2).filter(|count| *count > 0) {
                let next = push(Opcode::Load, &[count as u32]);
                push(Opcode::Jdec, &[next]);
            }
            push(opcode, &[3, 3, 2][..opcode.entry().operands.len()]);
            push(Opcode::Sub, &[2, 0, 3]);
        }
    }
    // stores to one place do not wait for each other, but a load waits
    for _ in 0..3 {
        push(Opcode::St, &[2, PLACES - 1]);
    }
    push(Opcode::Ld, &[1, PLACES - 1]);
    // instructions that wait for a product: readers of its result as first or second operand, and writers of its
    // register
    for (opcode, operands) in [(Opcode::Add, &[2, 3, 1][..]), (Opcode::Sub, &[2, 1, 3]), (Opcode::Neg, &[1, 3])] {
        push(Opcode::Mul, &[1, 2, 3]);
        push(opcode, operands);
        push(Opcode::Sqr, &[3, 1]);
    }
    push(Opcode::Halt, &[]);
    Image {
        registers: REGISTERS,
        memory: PLACES,
        constants: (0..4).map(|address| Constant { address, value: random.residue(p) }).collect(),
        instructions,
        ..Image::default()
    }
}

const OPERATIONS: [Opcode; 14] = [
    Opcode::Add,
    Opcode::Mul,
    Opcode::Sub,
    Opcode::Mul,
    Opcode::Neg,
    Opcode::Sqr,
    Opcode::Halve,
    Opcode::Copy,
    Opcode::Ld,
    Opcode::St,
    Opcode::Mul,
    Opcode::Inv,
    Opcode::IsZero,
    Opcode::Add,
];

/// Runs each operation on wide values twice and reduces the result, so that it is compared.
fn unreduced(random: &mut Random, push: &mut impl FnMut(Opcode, &[u32]) -> u32) {
    for opcode in [Opcode::WMac, Opcode::WMsc, Opcode::WAdd, Opcode::WSub, Opcode::WMul] {
        let w = random.below(WIDE);
        for _ in 0..2 {
            match opcode {
                Opcode::WAdd | Opcode::WSub => push(opcode, &[w, random.below(WIDE), random.below(WIDE)]),
                _ => push(opcode, &[w, random.below(REGISTERS), random.below(REGISTERS)]),
            };
        }
        push(Opcode::WRed, &[random.below(REGISTERS), w]);
    }
}

fn operation(random: &mut Random, opcode: Opcode, push: &mut impl FnMut(Opcode, &[u32]) -> u32) {
    let mut register = || random.below(REGISTERS);
    let (x, y, z) = (register(), register(), register());
    let operands: &[u32] = match opcode {
        Opcode::Ld | Opcode::St => &[x, random.below(PLACES)],
        Opcode::Add | Opcode::Sub | Opcode::Mul => &[x, y, z],
        _ => &[x, y],
    };
    push(opcode, operands);
}
