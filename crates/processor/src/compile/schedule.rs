//! The scheduling of a block's lines for a processor that runs sums beside its multiplier.
//!
//! A list schedule: next comes the line that can begin first; among equals, the one with the longest path to the end of
//! the block. While too many values live, only lines that free a value are chosen, or else the first line in the given
//! order.

use crate::clock::Units;
use crate::compile::flow::{Block, Value};
use crate::isa::CostClass;
use crate::machine::Machine;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Returns the block in the order of its schedule. `after` tells which values are read after the block.
pub(crate) fn schedule(block: &Block, machine: &Machine, after: &dyn Fn(Value) -> bool) -> Block {
    let mut scheduled = Block::default();
    let name = |line: usize| {
        let at = block.names.partition_point(|(from, _)| *from <= line);
        at.checked_sub(1).map(|at| block.names[at].1)
    };
    for line in Schedule::new(block, machine, after).order() {
        if let Some(name) = name(line)
            && scheduled.names.last().is_none_or(|(_, last)| *last != name)
        {
            scheduled.names.push((scheduled.lines.len(), name));
        }
        scheduled.lines.push(block.lines[line]);
    }
    scheduled
}

struct Schedule<'b> {
    block: &'b Block,
    /// The number of live values above which lines that free values are preferred.
    limit: usize,
    machine: &'b Machine,
    /// The cycles of each line.
    cycles: Vec<u64>,
    /// For each line, the lines that read its value; `missing` counts the lines for which it waits.
    readers: Vec<Vec<usize>>,
    missing: Vec<usize>,
    /// The length of the longest path from the beginning of each line to the end of the block.
    way: Vec<u64>,
    /// The number of remaining reads of each value; one more if it is read after the block.
    uses: HashMap<Value, usize>,
    /// The number of live values among those that the block reads or makes.
    live: usize,
}

impl<'b> Schedule<'b> {
    fn new(block: &'b Block, machine: &'b Machine, after: &dyn Fn(Value) -> bool) -> Self {
        let lines = &block.lines;
        let made: HashMap<Value, usize> = lines.iter().zip(0..).map(|(line, i)| (line.out, i)).collect();
        let cycles: Vec<u64> = lines.iter().map(|line| machine.alu.cycles(line.opcode.entry().cost)).collect();
        let mut readers = vec![vec![]; lines.len()];
        let mut missing = vec![0; lines.len()];
        let mut uses: HashMap<Value, usize> = HashMap::new();
        for (i, line) in lines.iter().enumerate() {
            for x in distinct(line.args()) {
                let uses = uses.entry(*x).or_insert_with(|| usize::from(after(*x)));
                *uses += 1;
                if let Some(maker) = made.get(x) {
                    readers[*maker].push(i);
                    missing[i] += 1;
                }
            }
        }
        let live = uses.keys().filter(|x| !made.contains_key(x)).count();
        let mut way = cycles.clone();
        for i in (0..lines.len()).rev() {
            way[i] += readers[i].iter().map(|reader: &usize| way[*reader]).max().unwrap_or(0);
        }
        for line in lines {
            uses.entry(line.out).or_insert_with(|| usize::from(after(line.out)));
        }
        let limit = machine.registers as usize * 3 / 4;
        Schedule { block, limit, machine, cycles, readers, missing, way, uses, live }
    }

    fn order(mut self) -> Vec<usize> {
        let lines = &self.block.lines;
        let cost = |i: usize| -> CostClass { lines[i].opcode.entry().cost };
        let mut ready: Vec<usize> = (0..lines.len()).filter(|i| self.missing[*i] == 0).collect();
        // the cycle in which the operands of each line are available, the state of the units, and the earliest cycle of
        // the next line
        let mut there = vec![0; lines.len()];
        let (mut units, mut next) = (Units::new(self.machine.issue, self.machine.alu), 0);
        let mut order = Vec::with_capacity(lines.len());
        while !ready.is_empty() {
            let begin = |i: usize| units.begin(cost(i), next.max(there[i]));
            let dying = |i: usize| distinct(lines[i].args()).filter(|x| self.uses[*x] == 1).count();
            let is_full = self.live >= self.limit;
            let allowed = (0..ready.len()).filter(|at| !is_full || dying(ready[*at]) > 0);
            let best = allowed.min_by_key(|at| (begin(ready[*at]), Reverse(self.way[ready[*at]]), ready[*at]));
            let best = best.or_else(|| (0..ready.len()).min_by_key(|at| ready[*at])).unwrap_or(0);
            let line = ready.swap_remove(best);
            let (start, dying) = (begin(line), dying(line));
            let end = start + self.cycles[line];
            units.take(cost(line), start);
            next = start + 1;
            self.live = self.live + usize::from(self.uses[&lines[line].out] > 0) - dying;
            for x in distinct(lines[line].args()) {
                self.uses.entry(*x).and_modify(|uses| *uses -= 1);
            }
            for reader in &self.readers[line] {
                there[*reader] = end.max(there[*reader]);
                self.missing[*reader] -= 1;
                if self.missing[*reader] == 0 {
                    ready.push(*reader);
                }
            }
            order.push(line);
        }
        order
    }
}

/// Returns the operands without repetitions.
fn distinct(args: &[Value]) -> impl Iterator<Item = &Value> {
    args.iter().enumerate().filter(|(i, x)| !args[..*i].contains(x)).map(|(_, x)| x)
}
