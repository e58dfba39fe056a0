//! Registers for the values of a block: which value leaves when there are too few.
//!
//! It is the one that is read again last (Belady, IBM Systems Journal 5, 1966), where a value that the memory holds already counts
//! as twice as far, since it need not be stored. Constants and inputs are in the memory from the start.

use crate::clock::Issue;
use crate::compile::closed::makes_wide;
use crate::compile::emit::Item;
use crate::compile::flow::{Block, Line, Value};
use crate::compile::schedule::schedule;
use crate::isa::{Instruction, Opcode, Operand};
use crate::machine::Machine;
use std::collections::{HashMap, HashSet};

/// There are too few registers for what lives in a routine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressure {
    pub(crate) routine: &'static str,
    /// How many values live at a time that no memory holds.
    pub(crate) live: usize,
}

/// Where values are, and the code so far.
#[derive(Clone, Debug)]
pub(crate) struct Allocator<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) items: Vec<Item>,
    pub(crate) holders: Vec<Option<Value>>,
    pub(crate) registers: HashMap<Value, u32>,
    /// The wide register of each wide value; they live within a routine, whose code keeps to the number that there are.
    pub(crate) wide: HashMap<Value, u32>,
    pub(crate) memory: HashMap<Value, u32>,
    /// Places that hold nothing any more.
    pub(crate) vacant: Vec<u32>,
    /// Places below are those of constants and ports.
    pub(crate) fixed: u32,
    /// Places that stay with a loop.
    pub(crate) kept: HashSet<u32>,
    /// How many there are.
    pub(crate) places: u32,
    /// When each register was left last, by the number of items before.
    pub(crate) left: Vec<usize>,
}

/// When values are read next.
pub(crate) struct Uses<'b> {
    pub(crate) lines: HashMap<Value, Vec<usize>>,
    pub(crate) after: &'b dyn Fn(Value) -> bool,
    /// In which registers values should be made.
    pub(crate) hints: &'b HashMap<Value, u32>,
}

impl Uses<'_> {
    /// The next line that reads the value; the greatest number if none does.
    fn next(&self, value: Value) -> usize {
        self.lines.get(&value).and_then(|lines| lines.last()).copied().unwrap_or(usize::MAX)
    }

    /// Line i was the next.
    fn passed(&mut self, value: Value, i: usize) {
        if let Some(lines) = self.lines.get_mut(&value) {
            while lines.pop_if(|line| *line == i).is_some() {}
        }
    }

    fn is_dead(&self, value: Value) -> bool {
        self.next(value) == usize::MAX && !(self.after)(value)
    }
}

impl<'m> Allocator<'m> {
    /// Nothing is in a register yet.
    pub(crate) fn new(machine: &'m Machine, memory: HashMap<Value, u32>, places: u32) -> Self {
        Allocator {
            machine,
            items: vec![],
            holders: vec![None; machine.registers as usize],
            registers: HashMap::new(),
            wide: HashMap::new(),
            memory,
            vacant: vec![],
            fixed: places,
            kept: HashSet::new(),
            places,
            left: vec![0; machine.registers as usize],
        }
    }

    /// Compiles a block. `after` says which values are read behind it, `hints` in which registers values should be made.
    pub(crate) fn block(
        &mut self,
        block: &Block,
        after: &dyn Fn(Value) -> bool,
        hints: &HashMap<Value, u32>,
    ) -> Result<(), Pressure> {
        let scheduled;
        let block = if self.machine.issue == Issue::Serial {
            block
        } else {
            scheduled = schedule(block, self.machine, after);
            &scheduled
        };
        let mut uses = Uses { lines: HashMap::new(), after, hints };
        for (i, line) in block.lines.iter().enumerate().rev() {
            line.args().iter().for_each(|x| uses.lines.entry(*x).or_default().push(i));
        }
        // what is only written again
        let held: Vec<Value> = self.holders.iter().flatten().copied().collect();
        held.into_iter().filter(|value| uses.is_dead(*value)).for_each(|value| self.forget(value));
        let mut names = block.names.iter().peekable();
        for (i, line) in block.lines.iter().enumerate() {
            while let Some((_, name)) = names.next_if(|(from, _)| *from <= i) {
                self.items.push(Item::Routine(name));
            }
            let operands = self.line(i, line, &mut uses);
            let operands = operands.ok_or_else(|| self.pressure(block, i, after))?;
            if let Some(number) = line.recorded {
                self.items.push(Item::Comment(format!("v{number}")));
            }
            self.items.push(Item::Code(Instruction { opcode: line.opcode, operands }));
        }
        Ok(())
    }

    /// The registers of a line, which are there; `None` if there are too few.
    fn line(&mut self, i: usize, line: &Line, uses: &mut Uses<'_>) -> Option<[u32; 3]> {
        let kinds = &line.opcode.entry().operands;
        let mut operands = [0; 3];
        let read = kinds.iter().zip(&mut operands).filter(|(kind, _)| kind.is_read());
        for ((kind, operand), x) in read.zip(line.args()) {
            *operand = if kind.is_wide() { self.wide[x] } else { self.read(*x, line.args(), uses)? };
        }
        for x in line.args() {
            uses.passed(*x, i);
            if uses.is_dead(*x) {
                self.forget(*x);
            }
        }
        if kinds[0].is_wide() {
            // an accumulator is read for the last time: its register is free
            let taken = |register: &u32| self.wide.values().any(|other| other == register);
            let free = (0..self.machine.wide).find(|register| !taken(register));
            let register = if kinds[0] == Operand::Accumulator { Some(operands[0]) } else { free };
            operands[0] = register.unwrap_or_else(|| unreachable!("a routine keeps to the wide registers"));
            self.wide.insert(line.out, operands[0]);
            if uses.is_dead(line.out) {
                self.forget(line.out);
            }
            return Some(operands);
        }
        operands[0] = match uses.hints.get(&line.out) {
            Some(hint) if self.holders[*hint as usize].is_none() => *hint,
            _ => self.room(&[], uses)?,
        };
        self.hold(line.out, operands[0]);
        if uses.is_dead(line.out) {
            self.forget(line.out);
        }
        Some(operands)
    }

    /// The register of a value, which is brought into one if need be. The locked values stay in theirs.
    pub(crate) fn read(&mut self, value: Value, locked: &[Value], uses: &Uses<'_>) -> Option<u32> {
        if let Some(register) = self.registers.get(&value) {
            return Some(*register);
        }
        let address = self.memory.get(&value).copied();
        let address = address.unwrap_or_else(|| unreachable!("value {value} is somewhere"));
        let register = self.room(locked, uses)?;
        self.items.push(Item::Code(Instruction::new(Opcode::Ld, &[register, address])));
        self.hold(value, register);
        Some(register)
    }

    /// A register that holds nothing: rather one that no hint asks for, else one that is vacated.
    fn room(&mut self, locked: &[Value], uses: &Uses<'_>) -> Option<u32> {
        let asked = |register: u32| uses.hints.values().any(|hint| *hint == register);
        let serial = self.machine.issue == Issue::Serial;
        // beside others, one that nobody reads or writes any more
        let since = |register: u32| if serial { 0 } else { self.left[register as usize] };
        let free = (0..self.machine.registers).filter(|register| self.holders[*register as usize].is_none());
        if let Some(register) = free.min_by_key(|register| (asked(*register), since(*register), *register)) {
            return Some(register);
        }
        let rank = |value: &Value| {
            let is_clean = self.memory.contains_key(value);
            (self.machine.spill || is_clean).then(|| uses.next(*value).saturating_mul(if is_clean { 2 } else { 1 }))
        };
        let held = self.holders.iter().flatten().filter(|value| !locked.contains(value));
        let (_, _, value) = held.filter_map(|v| rank(v).map(|rank| (rank, self.memory.contains_key(v), *v))).max()?;
        let register = self.registers[&value];
        if !self.memory.contains_key(&value) {
            let address = self.place();
            self.items.push(Item::Code(Instruction::new(Opcode::St, &[register, address])));
            self.memory.insert(value, address);
        }
        self.leave(value);
        Some(register)
    }

    /// A place of the memory that holds nothing.
    pub(crate) fn place(&mut self) -> u32 {
        self.vacant.pop().unwrap_or_else(|| {
            self.places += 1;
            self.places - 1
        })
    }

    /// The value is in the register now.
    pub(crate) fn hold(&mut self, value: Value, register: u32) {
        self.holders[register as usize] = Some(value);
        self.registers.insert(value, register);
    }

    /// The value is in no register any more.
    pub(crate) fn leave(&mut self, value: Value) {
        if let Some(register) = self.registers.remove(&value) {
            self.holders[register as usize] = None;
            self.left[register as usize] = self.items.len();
        }
    }

    /// The value is read no more.
    pub(crate) fn forget(&mut self, value: Value) {
        self.leave(value);
        self.wide.remove(&value);
        if let Some(address) = self.memory.get(&value).copied().filter(|address| *address >= self.fixed) {
            self.memory.remove(&value);
            if !self.kept.contains(&address) {
                self.vacant.push(address);
            }
        }
    }

    /// What to say where registers are too few: the line's routine, and the most values that live in it.
    fn pressure(&self, block: &Block, at: usize, after: &dyn Fn(Value) -> bool) -> Pressure {
        let named = block.names.iter().rev().find(|(from, _)| *from <= at);
        let (from, routine) = named.copied().unwrap_or((0, "loop"));
        let to = block.names.iter().map(|(from, _)| *from).find(|from| *from > at).unwrap_or(block.lines.len());
        let is_fixed = |value: &&Value| self.memory.get(*value).is_some_and(|address| *address < self.fixed);
        // from when to when each value lives: line i reads in moment 2i, and writes in the next, into a register that may have become free
        let end = 2 * block.lines.len();
        let mut spans: HashMap<Value, (usize, usize)> = HashMap::new();
        let wide: HashSet<Value> =
            block.lines.iter().filter(|line| makes_wide(line.opcode)).map(|line| line.out).collect();
        for (i, line) in block.lines.iter().enumerate() {
            if !wide.contains(&line.out) {
                spans.insert(line.out, (2 * i + 1, if after(line.out) { end } else { 2 * i + 1 }));
            }
            for x in line.args().iter().filter(|x| !is_fixed(x) && !wide.contains(*x)) {
                let span = spans.entry(*x).or_insert((0, if after(*x) { end } else { 2 * i }));
                span.1 = span.1.max(2 * i);
            }
        }
        let passing = self.registers.keys().filter(|v| !spans.contains_key(v) && !is_fixed(v) && after(**v));
        let live = (2 * from..2 * to).map(|moment| {
            let args = if moment % 2 == 0 { block.lines[moment / 2].args() } else { &[] };
            let operands: HashSet<&Value> = args.iter().filter(is_fixed).collect();
            operands.len() + spans.values().filter(|(made, last)| (*made..=*last).contains(&moment)).count()
        });
        Pressure { routine, live: passing.count() + live.max().unwrap_or(0) }
    }
}
