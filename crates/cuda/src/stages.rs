//! Cuts the fused line into stages between inversions, and adds everything that passes into stages and out of them.
//!
//! A stage has a memory of its own. Inputs, and values of earlier stages, are loaded from slots of the pairing
//! before they are first read. Outputs, and values that later stages need, are saved as soon as they are made.
//! Inputs are residues below p, which x·(R² mod p) brings into Montgomery's form; outputs leave that form by a
//! reduction alone. Inversions are computed in words: elements that are residues modulo small numbers are converted
//! for them.

use crate::encoding::{Inversion, Slot};
use crate::form::{Form, Range};
use crate::fuse::{Line, Work};
use bilinear_field::Kind;
use bilinear_program::schedule::Schedule;
use bilinear_program::{Input, Output, Ref};
use std::collections::{HashMap, HashSet};

/// A stage: the lines between two inversions.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) lines: Vec<Line>,
    /// The inversions that follow the lines, shared by all pairings.
    pub(crate) inversions: Vec<Inversion>,
}

/// All stages of a program, with its values, inputs, outputs and slots.
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
    /// The kind of each value, the values of the schedule's routine first.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
    /// The number of words of the slots of a pairing.
    pub(crate) slots: u32,
}

/// The sizes of values in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// N, the size of a residue of the field: of inputs, of outputs and of operands of inversions.
    pub(crate) residue: u32,
    pub(crate) elem: u32,
    pub(crate) wide: u32,
}

impl Sizes {
    /// Returns the size of a value of a kind.
    pub(crate) fn of(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Elem => self.elem,
            Kind::Wide => self.wide,
            Kind::Mask => 1,
        }
    }
}

/// Constants that bring elements into Montgomery's form and out of it.
pub(crate) struct Conversions {
    /// The first constant that stands for an input that all pairings share.
    pub(crate) uniforms: usize,
    /// R² or A²: a reduction of x·R² brings an input into Montgomery's form.
    pub(crate) square: Ref,
    /// With residues: R·A and A²/R, which convert to and from the form of words that inversions read and write.
    pub(crate) words: Option<[Ref; 2]>,
}

/// Cuts the line into stages.
pub(crate) fn cut(schedule: &Schedule, lines: &[Line], sizes: Sizes, conversions: Conversions) -> Parts {
    let mut cut = Cut::new(schedule, sizes, conversions);
    cut.stages(lines);
    for line in lines {
        cut.line(line);
    }
    cut.rest(schedule.outputs());
    Parts { parts: cut.parts, kinds: cut.kinds, inputs: cut.inputs, outputs: cut.outputs, slots: cut.slots }
}

struct Cut {
    sizes: Sizes,
    conversions: Conversions,
    kinds: Vec<Kind>,
    parts: Vec<Part>,
    /// The slot of each value that has one.
    slot: HashMap<u32, u32>,
    slots: u32,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    /// Values in the form of residues of the field, with their slots and the factors that convert them to elements:
    /// inputs, and with residues inverses.
    raw: HashMap<u32, (u32, Ref)>,
    /// Inputs that are constants.
    shared: HashMap<u32, Ref>,
    /// Values that are read in a later stage than the one that makes or converts them.
    kept: HashSet<u32>,
    /// Slots of outputs, by the value that goes there.
    out: HashMap<Ref, Vec<u32>>,
    /// The values in the memory of the stage.
    here: HashSet<u32>,
}

impl Cut {
    fn new(schedule: &Schedule, sizes: Sizes, conversions: Conversions) -> Self {
        let kinds = schedule.routine().kinds.clone();
        let (mut uniform, square) = (conversions.uniforms, conversions.square);
        let mut cut = Cut {
            sizes,
            conversions,
            kinds,
            parts: vec![Part::default()],
            slot: HashMap::new(),
            slots: 0,
            inputs: vec![],
            outputs: vec![],
            raw: HashMap::new(),
            shared: HashMap::new(),
            kept: HashSet::new(),
            out: HashMap::new(),
            here: HashSet::new(),
        };
        for input in schedule.inputs() {
            let value = input.value();
            let slot = match input {
                Input::Uniform { .. } => {
                    cut.shared.insert(value, Ref::constant(uniform));
                    uniform += 1;
                    Slot::Constant((uniform - 1) as u32)
                }
                Input::Elem { .. } => {
                    let at = cut.new_residue();
                    cut.raw.insert(value, (at, square));
                    Slot::Elem(at)
                }
                Input::Mask { .. } => {
                    let at = cut.new_slot(Kind::Mask);
                    cut.slot.insert(value, at);
                    Slot::Mask(at)
                }
            };
            cut.inputs.push(slot);
        }
        for output in schedule.outputs() {
            let (at, slot) = if matches!(output, Output::Mask(_)) {
                let at = cut.new_slot(Kind::Mask);
                (at, Slot::Mask(at))
            } else {
                let at = cut.new_residue();
                (at, Slot::Elem(at))
            };
            cut.outputs.push(slot);
            cut.out.entry(cut.operand(output.value())).or_default().push(at);
        }
        cut
    }

    fn new_slot(&mut self, kind: Kind) -> u32 {
        let at = self.slots;
        self.slots += self.sizes.of(kind);
        at
    }

    fn new_residue(&mut self) -> u32 {
        let at = self.slots;
        self.slots += self.sizes.residue;
        at
    }

    fn has_residues(&self) -> bool {
        self.conversions.words.is_some()
    }

    fn new_value(&mut self, kind: Kind) -> u32 {
        self.kinds.push(kind);
        self.kinds.len() as u32 - 1
    }

    /// Returns an operand, or the constant that stands for it.
    fn operand(&self, x: Ref) -> Ref {
        let shared = if x.is_constant() { None } else { self.shared.get(&(x.number() as u32)) };
        shared.copied().unwrap_or(x)
    }

    /// Finds the values that are kept from stage to stage. The stages are those into which `line` will put the lines.
    fn stages(&mut self, lines: &[Line]) {
        let mut first: HashMap<u32, usize> = HashMap::new();
        let (mut stage, mut fresh) = (0, false);
        for line in lines {
            let inverts = matches!(line.work, Work::Invert(_));
            if !inverts && fresh {
                (stage, fresh) = (stage + 1, false);
            }
            let reads = line.work.reads().into_iter().map(|x| self.operand(x)).filter(|x| !x.is_constant());
            for v in reads.map(|x| x.number() as u32).collect::<Vec<_>>() {
                // the operand of an inversion goes through a slot, with residues through one that is written for it
                if *first.entry(v).or_insert(stage) < stage || inverts && !self.has_residues() {
                    self.kept.insert(v);
                }
            }
            fresh |= inverts;
            if let Some(v) = line.makes.filter(|_| !inverts) {
                first.insert(v, stage);
            }
        }
    }

    fn push(&mut self, work: Work, makes: Option<u32>) {
        let last = self.parts.len() - 1;
        self.parts[last].lines.push(Line { work, makes });
    }

    /// Makes sure that an operand is in the memory of the stage.
    fn fetch(&mut self, x: Ref) {
        let v = x.number() as u32;
        if x.is_constant() || !self.here.insert(v) {
            return;
        }
        if let Some(at) = self.slot.get(&v) {
            return self.push(Work::Load(*at), Some(v));
        }
        // an input that is read for the first time, or an inverse
        let (at, factor) = self.raw[&v];
        let raw = self.new_value(Kind::Elem);
        self.push(if self.has_residues() { Work::Residues(at) } else { Work::Load(at) }, Some(raw));
        self.push(Work::Close(Form::product(Ref::value(raw as usize), factor, Range::ONE)), Some(v));
        self.made(v);
    }

    /// Saves a value of the stage's memory if a later stage or an output needs it.
    fn made(&mut self, v: u32) {
        let x = Ref::value(v as usize);
        if self.kept.contains(&v) {
            let at = self.new_slot(self.kinds[v as usize]);
            self.slot.insert(v, at);
            self.push(Work::Save(at, x), None);
        }
        self.give(x);
    }

    /// Writes the outputs that have this value.
    fn give(&mut self, x: Ref) {
        for at in self.out.remove(&x).unwrap_or_default() {
            let is_mask = !x.is_constant() && self.kinds[x.number()] == Kind::Mask;
            if is_mask {
                self.push(Work::Save(at, x), None);
            } else {
                self.leave(at, x);
            }
        }
    }

    /// Writes x/R to a slot, or x/A with residues.
    fn leave(&mut self, at: u32, x: Ref) {
        let residue = self.new_value(Kind::Elem);
        self.push(Work::Leave(x), Some(residue));
        let out = Ref::value(residue as usize);
        self.push(if self.has_residues() { Work::Words(at, out) } else { Work::Save(at, out) }, None);
    }

    /// Returns the slot where an inversion finds x, in the form of words, and fills the slot if necessary.
    fn inverted(&mut self, x: Ref) -> u32 {
        let Some([to_words, from_words]) = self.conversions.words else {
            if x.is_constant() {
                let (at, value) = (self.new_slot(Kind::Elem), self.new_value(Kind::Elem));
                self.push(Work::Sum(Form::element(x, Range::ONE)), Some(value));
                self.push(Work::Save(at, Ref::value(value as usize)), None);
                return at;
            }
            if !self.slot.contains_key(&(x.number() as u32)) {
                // an input that nothing has read: it is converted and saved
                self.fetch(x);
            }
            return self.slot[&(x.number() as u32)];
        };
        if !x.is_constant()
            && let Some((at, factor)) = self.raw.get(&(x.number() as u32))
            && *factor == from_words
        {
            return *at;
        }
        self.fetch(x);
        let (at, value) = (self.new_residue(), self.new_value(Kind::Elem));
        self.push(Work::Close(Form::product(x, to_words, Range::ONE)), Some(value));
        self.leave(at, Ref::value(value as usize));
        at
    }

    fn line(&mut self, line: &Line) {
        if let (Work::Invert(x), Some(makes)) = (&line.work, line.makes) {
            let from = self.inverted(self.operand(*x));
            let to = self.new_residue();
            match self.conversions.words {
                Some([_, from_words]) => drop(self.raw.insert(makes, (to, from_words))),
                None => drop(self.slot.insert(makes, to)),
            }
            let last = self.parts.len() - 1;
            self.parts[last].inversions.push(Inversion { from, to });
            return;
        }
        if self.parts.last().is_some_and(|part| !part.inversions.is_empty()) {
            self.parts.push(Part::default());
            self.here.clear();
        }
        let work = self.resolved(&line.work);
        for x in work.reads() {
            self.fetch(x);
        }
        self.push(work, line.makes);
        if let Some(v) = line.makes {
            self.here.insert(v);
            self.made(v);
        }
    }

    /// Returns the work with the inputs that all pairings share replaced by constants.
    fn resolved(&self, work: &Work) -> Work {
        let x = |x: &Ref| self.operand(*x);
        let form = |form: &Form| {
            let mut form = form.clone();
            form.products.iter_mut().for_each(|(_, a, b)| (*a, *b) = (a.map(|a| x(&a)), b.map(|b| x(&b))));
            form.elements.iter_mut().for_each(|(_, a)| *a = x(a));
            form
        };
        match work {
            Work::Wide(f) => Work::Wide(form(f)),
            Work::Close(f) => Work::Close(form(f)),
            Work::Sum(f) => Work::Sum(form(f)),
            Work::Leave(a) => Work::Leave(x(a)),
            Work::Select([m, a, b]) => Work::Select([*m, x(a), x(b)]),
            Work::Zero(a) => Work::Zero(x(a)),
            Work::Odd(a) => Work::Odd(x(a)),
            Work::Invert(a) => Work::Invert(x(a)),
            Work::And(_) | Work::Not(_) | Work::Load(_) | Work::Save(..) | Work::Residues(_) | Work::Words(..) => {
                work.clone()
            }
        }
    }

    /// Writes the outputs that no operation of the line has written: constants, inputs or inverses.
    fn rest(&mut self, outputs: &[Output]) {
        if self.out.is_empty() {
            return;
        }
        if self.parts.last().is_some_and(|part| !part.inversions.is_empty()) {
            self.parts.push(Part::default());
            self.here.clear();
        }
        for output in outputs {
            let x = self.operand(output.value());
            if self.out.contains_key(&x) {
                self.fetch(x);
                self.give(x);
            }
        }
    }
}
