//! The fused line in stages between inversions, with everything that passes in and out of them.
//!
//! A stage has a memory of its own. What it needs of an earlier one, and the inputs, it loads from slots of the pairing before they
//! are read first; what later ones need, and the outputs, it saves as soon as it is made. Inputs are residues below p, which
//! x·(R² mod p) brings into Montgomery's form; outputs leave it by a reduction alone.

use crate::encoding::{Inversion, Slot};
use crate::form::Form;
use crate::fuse::{Line, Work};
use bilinear_field::Kind;
use bilinear_program::schedule::Schedule;
use bilinear_program::{Input, Output, Ref};
use std::collections::{HashMap, HashSet};

/// What runs between two inversions.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) lines: Vec<Line>,
    /// Inversions behind it, shared by all pairings.
    pub(crate) inversions: Vec<Inversion>,
}

/// All stages.
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
    /// The kind of each value, those of the schedule's routine first.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
    /// Words of the slots of a pairing.
    pub(crate) slots: u32,
}

/// The words of a value of a kind.
pub(crate) fn size(kind: Kind, words: usize) -> u32 {
    match kind {
        Kind::Elem => words as u32,
        Kind::Wide => 2 * words as u32 + 1,
        Kind::Mask => 1,
    }
}

/// Cuts the line. `uniforms` is the number of the first constant that stands for an input that all pairings share, `square` that of R².
pub(crate) fn cut(schedule: &Schedule, lines: &[Line], words: usize, uniforms: usize, square: Ref) -> Parts {
    let mut cut = Cut::new(schedule, words, uniforms, square);
    cut.stages(lines);
    for line in lines {
        cut.line(line);
    }
    cut.rest(schedule.outputs());
    Parts { parts: cut.parts, kinds: cut.kinds, inputs: cut.inputs, outputs: cut.outputs, slots: cut.slots }
}

struct Cut {
    words: usize,
    square: Ref,
    kinds: Vec<Kind>,
    parts: Vec<Part>,
    /// The slot of each value that has one.
    slot: HashMap<u32, u32>,
    slots: u32,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    /// Inputs in the form in which they come, by value.
    raw: HashMap<u32, u32>,
    /// Inputs that are constants.
    shared: HashMap<u32, Ref>,
    /// Values that are read in a later stage than the one that makes or converts them.
    kept: HashSet<u32>,
    /// Slots of outputs, by the value that goes there.
    out: HashMap<Ref, Vec<u32>>,
    /// What is in the memory of the stage.
    here: HashSet<u32>,
}

impl Cut {
    fn new(schedule: &Schedule, words: usize, uniforms: usize, square: Ref) -> Self {
        let kinds = schedule.routine().kinds.clone();
        let mut cut = Cut {
            words,
            square,
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
        let mut uniform = uniforms;
        for input in schedule.inputs() {
            let value = input.value();
            let slot = match input {
                Input::Uniform { .. } => {
                    cut.shared.insert(value, Ref::constant(uniform));
                    uniform += 1;
                    Slot::Constant((uniform - 1) as u32)
                }
                Input::Elem { .. } => {
                    let at = cut.new_slot(Kind::Elem);
                    cut.raw.insert(value, at);
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
            let at = cut.new_slot(if matches!(output, Output::Mask(_)) { Kind::Mask } else { Kind::Elem });
            cut.outputs.push(if matches!(output, Output::Mask(_)) { Slot::Mask(at) } else { Slot::Elem(at) });
            cut.out.entry(cut.operand(output.value())).or_default().push(at);
        }
        cut
    }

    fn new_slot(&mut self, kind: Kind) -> u32 {
        let at = self.slots;
        self.slots += size(kind, self.words);
        at
    }

    fn new_value(&mut self, kind: Kind) -> u32 {
        self.kinds.push(kind);
        self.kinds.len() as u32 - 1
    }

    /// The operand, or the constant that it stands for.
    fn operand(&self, x: Ref) -> Ref {
        let shared = if x.is_constant() { None } else { self.shared.get(&(x.number() as u32)) };
        shared.copied().unwrap_or(x)
    }

    /// Finds what is kept from stage to stage: the stages are those in which `line` will put the lines.
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
                // what an inversion reads goes through a slot
                if *first.entry(v).or_insert(stage) < stage || inverts {
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
        // an input that is read for the first time
        let at = self.raw[&v];
        let raw = self.new_value(Kind::Elem);
        self.push(Work::Load(at), Some(raw));
        let form = Form::product(Ref::value(raw as usize), self.square);
        self.push(Work::Close(form), Some(v));
        self.made(v);
    }

    /// Saves a value that is there, where that is needed.
    fn made(&mut self, v: u32) {
        let x = Ref::value(v as usize);
        if self.kept.contains(&v) {
            let at = self.new_slot(self.kinds[v as usize]);
            self.slot.insert(v, at);
            self.push(Work::Save(at, x), None);
        }
        self.give(x);
    }

    /// Writes the outputs that a value is.
    fn give(&mut self, x: Ref) {
        for at in self.out.remove(&x).unwrap_or_default() {
            let is_mask = !x.is_constant() && self.kinds[x.number()] == Kind::Mask;
            let mut out = x;
            if !is_mask {
                let residue = self.new_value(Kind::Elem);
                self.push(Work::Leave(x), Some(residue));
                out = Ref::value(residue as usize);
            }
            self.push(Work::Save(at, out), None);
        }
    }

    fn line(&mut self, line: &Line) {
        if let (Work::Invert(x), Some(makes)) = (&line.work, line.makes) {
            let x = self.operand(*x);
            let from = if x.is_constant() {
                let (at, value) = (self.new_slot(Kind::Elem), self.new_value(Kind::Elem));
                self.push(Work::Sum(Form::element(x)), Some(value));
                self.push(Work::Save(at, Ref::value(value as usize)), None);
                at
            } else {
                if !self.slot.contains_key(&(x.number() as u32)) {
                    // an input that nothing has read: it is converted and saved
                    self.fetch(x);
                }
                self.slot[&(x.number() as u32)]
            };
            let to = self.new_slot(Kind::Elem);
            self.slot.insert(makes, to);
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

    /// The work with constants for what all pairings share.
    fn resolved(&self, work: &Work) -> Work {
        let x = |x: &Ref| self.operand(*x);
        let form = |form: &Form| {
            let mut form = form.clone();
            form.products.iter_mut().for_each(|(_, a, b)| (*a, *b) = (x(a), x(b)));
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
            Work::And(_) | Work::Not(_) | Work::Load(_) | Work::Save(..) => work.clone(),
        }
    }

    /// What no operation of the line wrote: outputs that are constants, inputs or inverses.
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
