//! Register allocation for the values of a block: chooses the value to evict when there are too few registers.
//!
//! The evicted value is the one whose next read is farthest away (Belady, IBM Systems Journal 5, 1966). A value that
//! the memory already holds counts as twice as far, since it need not be stored. Constants and inputs are in the memory
//! from the start.

use crate::clock::Issue;
use crate::compile::closed::makes_wide;
use crate::compile::emit::Item;
use crate::compile::flow::{Block, Line, Value};
use crate::compile::schedule::schedule;
use crate::isa::{Instruction, Opcode, Operand};
use crate::machine::Machine;
use std::collections::{HashMap, HashSet};

/// The error that a routine needs more registers than there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressure {
    pub(crate) routine: &'static str,
    /// The number of values that live at the same time and are not in the memory.
    pub(crate) live: usize,
}

/// The places of values, and the code so far.
#[derive(Clone, Debug)]
pub(crate) struct Allocator<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) items: Vec<Item>,
    pub(crate) holders: Vec<Option<Value>>,
    pub(crate) registers: HashMap<Value, u32>,
    /// The wide register of each wide value. Wide values live within a routine, whose code respects the number of wide
    /// registers.
    pub(crate) wide: HashMap<Value, u32>,
    pub(crate) memory: HashMap<Value, u32>,
    /// Places that are free again.
    pub(crate) vacant: Vec<u32>,
    /// The number of places of constants and ports; these come first.
    pub(crate) fixed: u32,
    /// Places that are reserved during a loop.
    pub(crate) kept: HashSet<u32>,
    /// The number of places so far, including free ones.
    pub(crate) places: u32,
    /// For each register, the number of items that were emitted before it was last freed.
    pub(crate) left: Vec<usize>,
}

/// The future reads of values.
pub(crate) struct Uses<'b> {
    pub(crate) lines: HashMap<Value, Vec<usize>>,
    pub(crate) after: &'b dyn Fn(Value) -> bool,
    /// The registers in which values should preferably be made.
    pub(crate) hints: &'b HashMap<Value, u32>,
}

impl Uses<'_> {
    /// Returns the next line that reads the value; the greatest number if there is none.
    fn next(&self, value: Value) -> usize {
        self.lines.get(&value).and_then(|lines| lines.last()).copied().unwrap_or(usize::MAX)
    }

    /// Removes line i, which was the next, from the reads of the value.
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
    /// Creates an allocator with empty registers.
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

    /// Compiles a block. `after` tells which values are read after the block, `hints` in which registers values should
    /// preferably be made.
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
        // values that are never read before they are written again
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

    /// Assigns registers to the operands of a line; `None` if there are too few.
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
            // an accumulator is read for the last time, so its register is reused
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

    /// Returns the register of a value, loading the value if necessary. The locked values are not evicted.
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

    /// Returns a free register, preferably one that no hint asks for; evicts a value if there is none.
    fn room(&mut self, locked: &[Value], uses: &Uses<'_>) -> Option<u32> {
        let asked = |register: u32| uses.hints.values().any(|hint| *hint == register);
        let serial = self.machine.issue == Issue::Serial;
        // on machines that issue instructions beside others, prefers the register that has been free for longest
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

    /// Returns a free place of the memory.
    pub(crate) fn place(&mut self) -> u32 {
        self.vacant.pop().unwrap_or_else(|| {
            self.places += 1;
            self.places - 1
        })
    }

    /// Records that the value is in the register from now on.
    pub(crate) fn hold(&mut self, value: Value, register: u32) {
        self.holders[register as usize] = Some(value);
        self.registers.insert(value, register);
    }

    /// Records that the value is no longer in a register.
    pub(crate) fn leave(&mut self, value: Value) {
        if let Some(register) = self.registers.remove(&value) {
            self.holders[register as usize] = None;
            self.left[register as usize] = self.items.len();
        }
    }

    /// Frees the register and the place of a value that is not read any more.
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

    /// Describes the shortage of registers: the routine of the line, and the largest number of values that live in this
    /// routine.
    fn pressure(&self, block: &Block, at: usize, after: &dyn Fn(Value) -> bool) -> Pressure {
        let named = block.names.iter().rev().find(|(from, _)| *from <= at);
        let (from, routine) = named.copied().unwrap_or((0, "loop"));
        let to = block.names.iter().map(|(from, _)| *from).find(|from| *from > at).unwrap_or(block.lines.len());
        let is_fixed = |value: &&Value| self.memory.get(*value).is_some_and(|address| *address < self.fixed);
        // the lifetime of each value: line i reads at moment 2i and writes at the next moment, into a register that may
        // have just become free
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
