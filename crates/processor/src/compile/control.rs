//! The control program: blocks one after the other, and loops controlled by the counter and by the digits in the shift
//! register.
//!
//! At the head of a loop every value that lives there has a home, a register or a place of the memory, to which each
//! iteration returns it. Different numbers of values in the memory are tried, and the trial with the fewest cycles is
//! taken.
//!
//! ```text
//!       load n
//! head: what all iterations begin with
//!       jsr  other          ; by the digits
//!       the most frequent body
//! next: jdec head
//!       ...
//!       halt
//! other: another body
//!       jump next
//! ```

use crate::clock::Clock;
use crate::compile::allocate::{Allocator, Pressure};
use crate::compile::digits::{Tree, codes};
use crate::compile::emit::{Item, Label};
use crate::compile::flow::{Block, Body, Flow, Loop, Node, Value};
use crate::compile::settle::Home;
use crate::isa::{Instruction, Opcode};
use crate::machine::Machine;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The compilation of a computation.
pub(crate) struct Control<'m, 'f> {
    allocator: Allocator<'m>,
    flow: &'f Flow,
    /// The last node that reads each value.
    last: HashMap<Value, usize>,
    labels: Label,
    /// Code that is placed behind the end of the program.
    aside: Vec<Item>,
    digits: Vec<bool>,
}

/// A compiled computation.
pub(crate) struct Compiled {
    pub(crate) items: Vec<Item>,
    pub(crate) digits: Vec<bool>,
    pub(crate) places: u32,
}

/// Values with their homes.
type Homes = Vec<(Value, Home)>;

/// Compiles a computation whose outputs are stored at these places.
pub(crate) fn compile(allocator: Allocator<'_>, flow: &Flow, outputs: &[u32]) -> Result<Compiled, Pressure> {
    let mut last = HashMap::new();
    for (k, node) in flow.nodes.iter().enumerate() {
        node.reads().for_each(|value| _ = last.insert(value, k));
    }
    flow.outputs.iter().for_each(|value| _ = last.insert(*value, flow.nodes.len()));
    let mut control = Control { allocator, flow, last, labels: 0, aside: vec![], digits: vec![] };
    for (k, node) in flow.nodes.iter().enumerate() {
        match node {
            Node::Block(block) => {
                let last = &control.last;
                let after = |value: Value| last.get(&value).is_some_and(|last| *last > k);
                control.allocator.block(block, &after, &HashMap::new())?;
            }
            Node::Loop(repeated) => control.repeat(k, repeated)?,
        }
    }
    let moves: Homes = flow.outputs.iter().zip(outputs).map(|(value, place)| (*value, Home::Memory(*place))).collect();
    control.allocator.items.push(Item::Routine("outputs"));
    control.allocator.settle(&moves).ok_or(Pressure { routine: "outputs", live: moves.len() })?;
    let Control { allocator, aside, digits, .. } = control;
    let mut items = allocator.items;
    items.push(Item::Code(Instruction::new(Opcode::Halt, &[])));
    items.extend(aside);
    Ok(Compiled { items, digits, places: allocator.places })
}

/// A loop, compiled with some of its values in the memory.
struct Trial<'m> {
    allocator: Allocator<'m>,
    head: Vec<Item>,
    common: Vec<Item>,
    bodies: Vec<Vec<Item>>,
    cycles: u64,
}

/// The number of trials without improvement after which no more are made.
const PATIENCE: usize = 6;

impl Trial<'_> {
    /// Returns true if an iteration neither reads nor writes the memory.
    fn stays(&self) -> bool {
        let moves = |item: &Item| matches!(item, Item::Code(i) if matches!(i.opcode, Opcode::Ld | Opcode::St));
        !self.common.iter().chain(self.bodies.iter().flatten()).any(moves)
    }
}

impl<'m> Control<'m, '_> {
    fn label(&mut self) -> Label {
        self.labels += 1;
        self.labels
    }

    fn repeat(&mut self, k: usize, repeated: &Loop) -> Result<(), Pressure> {
        let candidates = self.candidates(k, repeated);
        let mut best: Result<Trial<'m>, Pressure> = Err(Pressure { routine: "", live: 0 });
        let mut since = 0;
        for in_memory in 0..=candidates.len() {
            let trial = self.trial(k, repeated, &candidates[..in_memory]);
            since += 1;
            let is_better = match (&trial, &best) {
                (Ok(trial), Ok(best)) => trial.cycles < best.cycles,
                _ => best.is_err(),
            };
            if is_better {
                (best, since) = (trial, 0);
            }
            // an iteration does not access the memory, or more values in the memory have not helped for a while
            if best.as_ref().is_ok_and(|best| best.stays() || since == PATIENCE) {
                break;
            }
        }
        let Trial { mut allocator, head, common, bodies, .. } = best?;
        allocator.items = std::mem::take(&mut self.allocator.items);
        self.allocator = allocator;
        self.allocator.items.extend(head);
        let count = repeated.digits.len() as u32;
        self.allocator.items.push(Item::Comment(format!("{count} times {}", repeated.name())));
        self.allocator.items.push(Item::Code(Instruction::new(Opcode::Load, &[count])));
        let (head, next) = (self.label(), self.label());
        self.allocator.items.push(Item::Label(head));
        self.allocator.items.extend(common);
        let (tree, codes) = codes(&repeated.digits, bodies.len());
        for body in &repeated.digits {
            self.digits.extend(&codes[*body]);
        }
        let mut main = vec![];
        self.branch(&tree, repeated, &bodies, next, &mut main, true);
        self.allocator.items.extend(main);
        self.allocator.items.extend([Item::Label(next), Item::Branch(Opcode::Jdec, head)]);
        Ok(())
    }

    /// Emits the code that chooses among bodies: the first body falls through to `next`, the others jump there.
    fn branch(
        &mut self,
        tree: &Tree,
        repeated: &Loop,
        bodies: &[Vec<Item>],
        next: Label,
        code: &mut Vec<Item>,
        is_first: bool,
    ) {
        match tree {
            Tree::Leaf(body) => {
                code.extend(bodies[*body].iter().cloned());
                if !is_first {
                    code.push(Item::Branch(Opcode::Jump, next));
                }
            }
            Tree::Fork(zero, one) => {
                let label = self.label();
                if let Tree::Leaf(body) = &**one {
                    let name = repeated.bodies[*body].block.names.first().map_or("nothing else", |(_, name)| name);
                    code.push(Item::Comment(format!("where the digit is 1: {name}")));
                }
                code.push(Item::Branch(Opcode::Jsr, label));
                self.branch(zero, repeated, bodies, next, code, is_first);
                let mut other = vec![Item::Label(label)];
                self.branch(one, repeated, bodies, next, &mut other, false);
                self.aside.extend(other);
            }
        }
    }

    /// Returns the values that may live in the memory during the loop, the best first: values that the loop does not
    /// read, then values that it does not change, then values that it changes, each group ordered by the number of
    /// reads.
    fn candidates(&self, k: usize, repeated: &Loop) -> Vec<Value> {
        let node = &self.flow.nodes[k];
        let mut reads: BTreeMap<Value, usize> = BTreeMap::new();
        for line in node.blocks().iter().flat_map(|block| &block.lines) {
            line.args().iter().for_each(|value| *reads.entry(*value).or_default() += 1);
        }
        let spill = self.allocator.machine.spill;
        let allowed = |value: &Value| spill || self.allocator.memory.contains_key(value);
        let mut through: Vec<Value> = self.through(k, repeated).into_iter().filter(allowed).collect();
        let count = |value: &Value| reads.get(value).copied().unwrap_or(0);
        through.sort_by_key(|value| (count(value), *value));
        let mut changed: Vec<Value> = repeated.slots.iter().map(|slot| slot.header).filter(|_| spill).collect();
        changed.sort_by_key(|value| (count(value), *value));
        through.extend(changed);
        through
    }

    /// Returns the values that live before, in and after the loop, and the constants that the loop reads.
    fn through(&self, k: usize, repeated: &Loop) -> Vec<Value> {
        let node = &self.flow.nodes[k];
        let mut made: HashSet<Value> = node.blocks().iter().flat_map(|b| &b.lines).map(|line| line.out).collect();
        made.extend(repeated.slots.iter().map(|slot| slot.header));
        let nexts = repeated.bodies.iter().flat_map(|body| body.next.iter().copied());
        let lines =
            node.blocks().into_iter().flat_map(|block| block.lines.iter().flat_map(|line| line.args().to_vec()));
        let mut through: HashSet<Value> = lines.chain(nexts).filter(|value| !made.contains(value)).collect();
        let behind = |value: &&Value| self.last.get(value).is_some_and(|last| *last > k);
        through.extend(self.allocator.registers.keys().filter(behind));
        let mut through: Vec<Value> = through.into_iter().collect();
        through.sort_unstable();
        through
    }

    /// Compiles the loop with these values in the memory.
    fn trial(&self, k: usize, repeated: &Loop, in_memory: &[Value]) -> Result<Trial<'m>, Pressure> {
        let mut allocator = Allocator { items: vec![], ..self.allocator.clone() };
        let homes = self.enter(k, repeated, in_memory, &mut allocator)?;
        let head = std::mem::take(&mut allocator.items);
        let through: HashSet<Value> = homes.iter().map(|(value, _)| *value).collect();
        let through: HashSet<Value> = &through - &repeated.slots.iter().map(|slot| slot.header).collect();
        let start = allocator.clone();
        let home: HashMap<Value, Home> = homes.iter().copied().collect();
        // values read or kept by some body after the common part
        let mut later = through.clone();
        for body in &repeated.bodies {
            later.extend(body.block.lines.iter().flat_map(|line| line.args().to_vec()));
            later.extend(&body.next);
        }
        let hints = |body: &Body| -> HashMap<Value, u32> {
            let slots = body.next.iter().zip(&repeated.slots);
            let register = slots.filter_map(|(next, slot)| match home[&slot.header] {
                Home::Register(register) if *next != slot.header => Some((*next, register)),
                _ => None,
            });
            register.collect()
        };
        allocator.block(&repeated.common, &|value| later.contains(&value), &hints(&repeated.bodies[0]))?;
        let common = std::mem::take(&mut allocator.items);
        let (fork, mut places) = (allocator, 0);
        let mut bodies = vec![];
        for body in &repeated.bodies {
            let mut allocator = Allocator { places: fork.places.max(places), ..fork.clone() };
            let nexts: HashSet<Value> = &through | &body.next.iter().copied().collect();
            allocator.block(&body.block, &|value| nexts.contains(&value), &hints(body))?;
            let mut moves: Homes = through.iter().map(|value| (*value, home[value])).collect();
            moves.sort_unstable_by_key(|(value, _)| *value);
            moves.extend(body.next.iter().zip(&repeated.slots).map(|(next, slot)| (*next, home[&slot.header])));
            let name = |block: &Block| block.names.last().map(|(_, name)| *name);
            let routine = name(&body.block).or(name(&repeated.common)).unwrap_or("loop");
            allocator.settle(&moves).ok_or(Pressure { routine, live: moves.len() })?;
            bodies.push(allocator.items);
            places = allocator.places;
        }
        // all places that were used in between are free again
        let mut allocator = start;
        allocator.vacant.extend(allocator.places..places);
        allocator.places = allocator.places.max(places);
        allocator.kept.clear();
        let each: Vec<u64> = bodies.iter().map(|body| self.cycles(body)).collect();
        let cycles = self.cycles(&head)
            + repeated.digits.len() as u64 * self.cycles(&common)
            + repeated.digits.iter().map(|body| each[*body]).sum::<u64>();
        Ok(Trial { allocator, head, common, bodies, cycles })
    }

    /// Returns the cycles of these items on an idle machine.
    fn cycles(&self, items: &[Item]) -> u64 {
        let Machine { issue, alu, registers, .. } = *self.allocator.machine;
        let mut clock = Clock::new(issue, alu, registers);
        for item in items {
            if let Item::Code(instruction) = item {
                clock.execute(instruction);
            }
        }
        clock.end
    }

    /// Moves values to their homes at the head of a loop.
    fn enter(
        &self,
        k: usize,
        repeated: &Loop,
        in_memory: &[Value],
        allocator: &mut Allocator<'m>,
    ) -> Result<Homes, Pressure> {
        let through = self.through(k, repeated);
        let slots = repeated.slots.iter().map(|slot| (slot.header, slot.initial));
        // each header value, and the value that it has before the loop
        let all: Vec<(Value, Value)> = through.iter().map(|value| (*value, *value)).chain(slots).collect();
        let mut taken: HashSet<u32> = HashSet::new();
        let mut home: HashMap<Value, Home> = HashMap::new();
        for (header, before) in &all {
            if in_memory.contains(header) {
                let own = allocator.memory.get(before).copied().filter(|_| header == before);
                let address = own.unwrap_or_else(|| allocator.place());
                allocator.kept.insert(address);
                home.insert(*header, Home::Memory(address));
            } else if let Some(register) = allocator.registers.get(before).filter(|r| !taken.contains(r)) {
                taken.insert(*register);
                home.insert(*header, Home::Register(*register));
            }
        }
        let mut free = (0..allocator.machine.registers).filter(|register| !taken.contains(register));
        for (header, _) in &all {
            if !home.contains_key(header) {
                let routine = repeated.common.names.first().map_or("loop", |(_, name)| name);
                let register = free.next().ok_or(Pressure { routine, live: all.len() })?;
                home.insert(*header, Home::Register(register));
            }
        }
        let moves: Homes = all.iter().map(|(header, before)| (*before, home[header])).collect();
        allocator.settle(&moves).ok_or(Pressure { routine: "loop", live: all.len() })?;
        // forgets values from before the loop that are not read any more
        let kept: HashSet<Value> = through.into_iter().collect();
        let is_gone = |value: &Value| !kept.contains(value) && self.last.get(value).is_none_or(|last| *last <= k);
        let mut gone: Vec<Value> = allocator.memory.keys().copied().filter(is_gone).collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|value| allocator.forget(value));
        let homes: Homes = all.iter().map(|(header, _)| (*header, home[header])).collect();
        allocator.assume(&homes);
        Ok(homes)
    }
}
