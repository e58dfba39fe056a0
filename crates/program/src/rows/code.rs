//! The lists that kernels read, written one behind the other, and their check.

use super::calls::{Call, Form, Lowered, Multiple, Name, Port};
use super::places::Places;
use bilinear_field::CollectVec;
use bilinear_field::rows::{Kernel, LANES, MAX_ROWS};
use std::iter::repeat_n;

/// An instruction, with rows as numbers from the base on.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    /// A call of a kernel: where its list begins, and how many sums it makes.
    Kernel { kernel: Kernel, list: usize, count: usize },
    /// The inverse 1/x.
    Invert { x: u32, result: u32 },
    /// The row a if the truth value holds, otherwise b.
    Select { mask: u32, a: u32, b: u32, result: u32 },
    /// Tests whether each row is 0, or odd.
    Test { is_odd: bool, rows: Vec<u32>, results: Vec<u32> },
    /// The truth value "a and b".
    And { a: u32, b: u32, result: u32 },
    /// The truth value "not a".
    Not { a: u32, result: u32 },
}

/// Instructions and lists over `rows` rows.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    pub(super) lists: Vec<u16>,
    pub(super) rows: usize,
    /// The number of rows of an unreduced value.
    pub(super) wide: usize,
    pub(super) masks: usize,
    /// The row of [`Name::BIAS`], and of each constant.
    pub(super) bias: u32,
    pub(super) constants: Vec<u32>,
    /// The row, or the number of the truth value, of each port.
    pub(super) inputs: Vec<u32>,
    pub(super) outputs: Vec<u32>,
}

/// Returns the offset of a row from the base, in words. There are no more than `MAX_ROWS` rows.
fn offset(row: u32) -> u16 {
    (row * LANES as u32) as u16
}

impl Code {
    /// Creates the code of a program whose unreduced values take this many rows.
    pub(super) fn new(lowered: &Lowered, wide: usize) -> Self {
        let places = Places::new(lowered, wide);
        assert!(places.hold(lowered, wide), "places hold what is read there");
        let row = |name: Name| places.of[name.number()];
        let ports = |ports: &[Port]| {
            let number = |port: &Port| match port {
                Port::Row(name) => row(*name),
                Port::Mask(mask) => *mask,
            };
            ports.iter().map(number).collect_vec()
        };
        let mut code = Code {
            instructions: vec![],
            lists: vec![],
            rows: places.rows,
            wide,
            masks: lowered.masks,
            bias: row(Name::BIAS),
            constants: (0..lowered.constants.len()).map(|i| row(Name((Name::CONSTANTS + i) as u32))).collect_vec(),
            inputs: ports(&lowered.inputs),
            outputs: ports(&lowered.outputs),
        };
        for call in &lowered.calls {
            let list = code.lists.len();
            let instruction = match call {
                Call::Product { factors, pairs, operands, results } => {
                    for i in 0..2 {
                        let forms: Vec<&Form> = operands.iter().map(|both| &both[i]).collect_vec();
                        code.layers(&places, &forms, factors.terms());
                    }
                    code.lanes(&places, results.iter().copied(), Name::NOWHERE);
                    let kernel = Kernel::Mul { factors: *factors, pairs: *pairs as u8 };
                    Instruction::Kernel { kernel, list, count: 1 }
                }
                Call::Gather { kernel, forms, results } => {
                    code.gathered(&places, forms);
                    code.lanes(&places, results.iter().copied(), Name::NOWHERE);
                    Instruction::Kernel { kernel: *kernel, list, count: 1 }
                }
                Call::Triples { forms, beside, results } => {
                    code.gathered(&places, forms);
                    for i in 0..2 {
                        let names = beside.iter().map(|both| both.map_or(Name::ZERO, |both| both[i]));
                        code.lanes(&places, names, Name::ZERO);
                    }
                    let bits = beside.iter().rev().fold(0, |bits, both| 2 * bits + u16::from(both.is_some()));
                    code.lists.push(bits);
                    code.lanes(&places, results.iter().copied(), Name::NOWHERE);
                    Instruction::Kernel { kernel: Kernel::ReduceThree, list, count: 1 }
                }
                Call::Forms { kernel, forms, results } => {
                    let [plus, minus] = if *kernel == Kernel::Form { Kernel::FORM } else { Kernel::FORM_WIDE };
                    for (form, result) in forms.iter().zip(results) {
                        let whole = |names: &[Name], count| {
                            names.iter().copied().chain(repeat_n(Name::ZERO, count)).take(count).collect_vec()
                        };
                        let names = [whole(&form.plus, plus), whole(&form.minus, minus), vec![*result]].concat();
                        code.lists.extend(names.into_iter().map(|name| offset(row(name))));
                    }
                    Instruction::Kernel { kernel: *kernel, list, count: forms.len() }
                }
                Call::Multiples { kernel, terms, results } => {
                    for (Multiple { x, shift, y }, result) in terms.iter().zip(results) {
                        code.lists.extend([offset(row(*x)), *shift, offset(row(*y)), offset(row(*result))]);
                    }
                    Instruction::Kernel { kernel: *kernel, list, count: terms.len() }
                }
                Call::Invert { x, result } => Instruction::Invert { x: row(*x), result: row(*result) },
                Call::Select { mask, a, b, result } => {
                    Instruction::Select { mask: *mask, a: row(*a), b: row(*b), result: row(*result) }
                }
                Call::Test { is_odd, rows, results } => Instruction::Test {
                    is_odd: *is_odd,
                    rows: rows.iter().map(|name| row(*name)).collect_vec(),
                    results: results.clone(),
                },
                Call::And { a, b, result } => Instruction::And { a: *a, b: *b, result: *result },
                Call::Not { a, result } => Instruction::Not { a: *a, result: *result },
            };
            code.instructions.push(instruction);
        }
        assert!(code.is_sound(), "lists lead to rows");
        code
    }

    /// Writes the offsets of the names of eight lanes. Lanes behind the last name get `beyond`.
    fn lanes(&mut self, places: &Places, names: impl Iterator<Item = Name>, beyond: Name) {
        let rows = names.chain(repeat_n(beyond, LANES)).take(LANES);
        self.lists.extend(rows.map(|name| offset(places.of[name.number()])));
    }

    /// Writes the rows that are added, as many for each form, lane by lane, and those that are subtracted; 0 where a
    /// form has fewer.
    fn layers(&mut self, places: &Places, forms: &[&Form], [plus, minus]: [usize; 2]) {
        for k in 0..plus {
            let names = forms.iter().map(|form| form.plus.get(k).copied().unwrap_or(Name::ZERO));
            self.lanes(places, names, Name::ZERO);
        }
        for k in 0..minus {
            let names = forms.iter().map(|form| form.minus.get(k).copied().unwrap_or(Name::ZERO));
            self.lanes(places, names, Name::ZERO);
        }
    }

    /// Writes how many rows are added and how many are subtracted, and then these rows.
    fn gathered(&mut self, places: &Places, forms: &[Form]) {
        let most = |of: fn(&Form) -> usize| forms.iter().map(of).max().unwrap_or(0);
        let shape = [most(|form| form.plus.len()).max(1), most(|form| form.minus.len())];
        self.lists.extend(shape.map(|n| n as u16));
        self.layers(places, &forms.iter().collect_vec(), shape);
    }

    /// Returns true if every list is whole and leads to existing rows, and so does every instruction. The `unsafe`
    /// code of the executor rests on this.
    pub(super) fn is_sound(&self) -> bool {
        let has_row = |row: u32| (row as usize) < self.rows;
        let has_mask = |mask: u32| (mask as usize) < self.masks;
        let is_whole = |kernel: Kernel, list: usize, count: usize| {
            self.lists.get(list..).is_some_and(|list| kernel.is_sound(list, count, self.rows, self.wide))
        };
        let instructions = self.rows <= MAX_ROWS
            && self.instructions.iter().all(|instruction| match instruction {
                Instruction::Kernel { kernel, list, count } => is_whole(*kernel, *list, *count),
                Instruction::Invert { x, result } => has_row(*x) && has_row(*result),
                Instruction::Select { mask, a, b, result } => {
                    has_mask(*mask) && [a, b, result].into_iter().all(|x| has_row(*x))
                }
                Instruction::Test { rows, results, .. } => {
                    rows.len() == results.len()
                        && rows.iter().all(|x| has_row(*x))
                        && results.iter().all(|m| has_mask(*m))
                }
                Instruction::And { a, b, result } => [a, b, result].into_iter().all(|m| has_mask(*m)),
                Instruction::Not { a, result } => has_mask(*a) && has_mask(*result),
            });
        instructions && has_row(self.bias) && self.constants.iter().all(|x| has_row(*x))
    }
}
