//! Moves of values to their homes at a loop: parallel moves, ordered so that no value is overwritten before it is
//! moved.

use crate::compile::allocate::{Allocator, Uses};
use crate::compile::emit::Item;
use crate::compile::flow::Value;
use crate::isa::{Instruction, Opcode};
use std::collections::HashMap;

/// The place that a loop assigns to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Home {
    Register(u32),
    Memory(u32),
}

impl Allocator<'_> {
    /// Moves each value to its own home. Any other value that is only in a register is lost. `None` if there is no
    /// spare register and the machine must not spill.
    pub(crate) fn settle(&mut self, moves: &[(Value, Home)]) -> Option<()> {
        self.settle_memory(moves)?;
        // loads from the memory come last
        let mut loads = vec![];
        let mut pending: Vec<(u32, u32)> = vec![];
        let mut taken = vec![];
        for (value, home) in moves {
            let Home::Register(to) = *home else { continue };
            match self.registers.get(value) {
                Some(from) if *from == to => taken.push(to),
                Some(from) => pending.push((*from, to)),
                None => loads.push((to, self.memory[value])),
            }
        }
        while !pending.is_empty() {
            let free = pending.iter().position(|(_, to)| !pending.iter().any(|(from, _)| from == to));
            if let Some(at) = free {
                let (from, to) = pending.swap_remove(at);
                self.code(Opcode::Copy, &[to, from]);
                taken.push(to);
                continue;
            }
            // only cycles are left: one value is moved aside
            let from = pending[0].0;
            let busy = |r: &u32| taken.contains(r) || pending.iter().any(|(from, to)| from == r || to == r);
            if let Some(aside) = (0..self.machine.registers).find(|r| !busy(r)) {
                self.code(Opcode::Copy, &[aside, from]);
                pending.iter_mut().filter(|(own, _)| *own == from).for_each(|(own, _)| *own = aside);
            } else if !self.machine.spill {
                return None;
            } else {
                let address = self.place();
                self.code(Opcode::St, &[from, address]);
                loads.extend(pending.iter().filter(|(own, _)| *own == from).map(|(_, to)| (*to, address)));
                pending.retain(|(own, _)| *own != from);
                self.vacant.push(address);
            }
        }
        loads.into_iter().for_each(|(to, address)| self.code(Opcode::Ld, &[to, address]));
        Some(())
    }

    /// Stores the values whose homes are in the memory.
    fn settle_memory(&mut self, moves: &[(Value, Home)]) -> Option<()> {
        let targets: HashMap<u32, Value> = moves
            .iter()
            .filter_map(|(value, home)| if let Home::Memory(address) = home { Some((*address, *value)) } else { None })
            .collect();
        // every value that moves is kept; the values with the farthest next read are evicted first
        let all: HashMap<Value, Vec<usize>> = moves.iter().map(|(value, _)| (*value, vec![0])).collect();
        let uses = Uses { lines: all, after: &|_| false, hints: &HashMap::new() };
        // a value whose only place is about to be overwritten
        for (value, _) in moves {
            if let Some(address) = self.memory.get(value).copied()
                && targets.get(&address).is_some_and(|other| other != value)
            {
                self.read(*value, &[], &uses)?;
                self.memory.remove(value);
            }
        }
        for (value, home) in moves {
            if let Home::Memory(address) = *home
                && self.memory.get(value) != Some(&address)
            {
                let register = self.read(*value, &[], &uses)?;
                self.code(Opcode::St, &[register, address]);
            }
        }
        Some(())
    }

    /// Assumes from here on that these values are in their homes, and that no other value is in a register.
    pub(crate) fn assume(&mut self, homes: &[(Value, Home)]) {
        self.registers.clear();
        self.holders.fill(None);
        for (value, home) in homes {
            match *home {
                Home::Register(register) => self.hold(*value, register),
                Home::Memory(address) => _ = self.memory.insert(*value, address),
            }
        }
    }

    fn code(&mut self, opcode: Opcode, operands: &[u32]) {
        self.items.push(Item::Code(Instruction::new(opcode, operands)));
    }
}
