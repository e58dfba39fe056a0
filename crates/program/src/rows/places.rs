//! Places for rows by their lifetimes: a place is free again after the last read of what it holds. A replay by names
//! proves the places.

use super::calls::{Call, Lowered, Name, Port};
use bilinear_field::Kind;
use bilinear_field::rows::MAX_ROWS;

/// The first row of each name's place, in rows from the base.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) of: Vec<u32>,
    /// The number of all rows.
    pub(super) rows: usize,
}

impl Lowered {
    /// The number of rows of a name; an unreduced value takes `wide`.
    fn rows(&self, name: Name, wide: usize) -> usize {
        if self.kinds[name.number()] == Kind::Wide { wide } else { 1 }
    }

    /// The number of names that exist before the first call: constants and inputs.
    fn given(&self) -> usize {
        self.kinds.len() - self.calls.iter().map(|call| call.writes().len()).sum::<usize>()
    }

    /// Returns which names keep their places to the end: constants, which every run reads, and outputs.
    fn kept(&self) -> Vec<bool> {
        let mut kept = vec![false; self.kinds.len()];
        kept[..Name::CONSTANTS + self.constants.len()].fill(true);
        for port in &self.outputs {
            if let Port::Row(name) = port {
                kept[name.number()] = true;
            }
        }
        kept
    }
}

impl Places {
    /// Assigns places for a program whose unreduced values take this many rows.
    pub(super) fn new(lowered: &Lowered, wide: usize) -> Self {
        let mut last = vec![None; lowered.kinds.len()];
        for (i, call) in lowered.calls.iter().enumerate() {
            call.reads().into_iter().for_each(|name| last[name.number()] = Some(i));
        }
        let kept = lowered.kept();
        let mut places = Places { of: vec![u32::MAX; lowered.kinds.len()], rows: 0 };
        let mut free = Free::default();
        (0..lowered.given()).for_each(|n| places.take(&mut free, Name(n as u32), lowered.rows(Name(n as u32), wide)));
        for (i, call) in lowered.calls.iter().enumerate() {
            call.writes().iter().for_each(|name| places.take(&mut free, *name, lowered.rows(*name, wide)));
            let mut read = call.reads();
            read.sort_unstable_by_key(|name| name.0);
            read.dedup();
            let dead = read.into_iter().filter(|name| last[name.number()] == Some(i));
            let unread = call.writes().into_iter().filter(|name| last[name.number()].is_none());
            for name in dead.chain(unread).filter(|name| !kept[name.number()]) {
                free.of(lowered.rows(name, wide)).push(places.of[name.number()]);
            }
        }
        places
    }

    /// Checks that offsets reach all rows.
    ///
    /// # Errors
    /// Returns an error if there are too many rows.
    pub(super) fn fit(&self) -> Result<(), String> {
        match self.rows {
            ..=MAX_ROWS => Ok(()),
            rows => Err(format!("{rows} rows at a time: at most {MAX_ROWS} are reached")),
        }
    }

    /// Gives a name a place of this many rows.
    fn take(&mut self, free: &mut Free, name: Name, rows: usize) {
        self.of[name.number()] = free.of(rows).pop().unwrap_or_else(|| {
            self.rows += rows;
            (self.rows - rows) as u32
        });
    }

    /// Returns true if every place holds what is read there.
    pub(super) fn hold(&self, lowered: &Lowered, wide: usize) -> bool {
        let mut held = Held { of: vec![None; self.rows], places: self, lowered, wide };
        let given = (0..lowered.given()).all(|n| held.write(Name(n as u32)));
        let calls = lowered.calls.iter().all(|call| match call {
            // computed one after the other
            Call::Forms { forms, results, .. } => forms
                .iter()
                .zip(results)
                .all(|(form, result)| form.names().all(|name| held.has(name)) && held.write(*result)),
            Call::Multiples { terms, results, .. } => terms
                .iter()
                .zip(results)
                .all(|(term, result)| held.has(term.x) && held.has(term.y) && held.write(*result)),
            call => {
                call.reads().into_iter().all(|name| held.has(name))
                    && call.writes().into_iter().all(|name| held.write(name))
            }
        });
        given && calls && (0..).zip(lowered.kept()).all(|(n, kept)| !kept || held.has(Name(n)))
    }
}

/// The free places: those of one row, and those of an unreduced value.
#[derive(Default)]
struct Free([Vec<u32>; 2]);

impl Free {
    fn of(&mut self, rows: usize) -> &mut Vec<u32> {
        &mut self.0[usize::from(rows > 1)]
    }
}

/// The name that each row holds.
struct Held<'a> {
    of: Vec<Option<Name>>,
    places: &'a Places,
    lowered: &'a Lowered,
    wide: usize,
}

impl Held<'_> {
    fn rows(&self, name: Name) -> std::ops::Range<usize> {
        let first = self.places.of[name.number()] as usize;
        first..first + self.lowered.rows(name, self.wide)
    }

    /// Writes a name to its place. Returns false if there is no such place.
    fn write(&mut self, name: Name) -> bool {
        let rows = self.rows(name);
        self.of.get_mut(rows).map(|rows| rows.fill(Some(name))).is_some()
    }

    fn has(&self, name: Name) -> bool {
        self.of.get(self.rows(name)).is_some_and(|rows| rows.iter().all(|held| *held == Some(name)))
    }
}
