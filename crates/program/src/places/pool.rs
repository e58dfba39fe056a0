//! The free places, single and in pairs, and the pairs of values that lie side by side.

/// The places of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    singles: Free,
    pairs: Free,
    len: u32,
}

/// A stack of free places. Places that were taken out of turn remain in it until they come up.
#[derive(Clone, Debug, Default)]
struct Free {
    stack: Vec<u32>,
    is_free: Vec<bool>,
}

impl Free {
    fn push(&mut self, place: u32) {
        let i = place as usize;
        self.is_free.resize(self.is_free.len().max(i + 1), false);
        self.is_free[i] = true;
        self.stack.push(place);
    }

    fn pop(&mut self) -> Option<u32> {
        while let Some(place) = self.stack.pop() {
            if self.remove(place) {
                return Some(place);
            }
        }
        None
    }

    /// Takes a place and returns true, if it is free.
    fn remove(&mut self, place: u32) -> bool {
        self.is_free.get_mut(place as usize).is_some_and(std::mem::take)
    }
}

impl Pool {
    /// Takes a place, or the first of two places that lie side by side.
    pub(super) fn take(&mut self, pair: bool) -> u32 {
        let free = if pair { self.pairs.pop() } else { self.singles.pop().or_else(|| self.half()) };
        free.unwrap_or_else(|| {
            let place = self.len;
            self.len += if pair { 2 } else { 1 };
            place
        })
    }

    /// Takes the first of the liked places that is free, or else any place.
    pub(super) fn take_of(&mut self, mut liked: impl Iterator<Item = u32>, pair: bool) -> u32 {
        let free = if pair { &mut self.pairs } else { &mut self.singles };
        liked.find(|place| free.remove(*place)).unwrap_or_else(|| self.take(pair))
    }

    /// Takes one place of a free pair. The other one is a single place from now on.
    fn half(&mut self) -> Option<u32> {
        let pair = self.pairs.pop()?;
        self.singles.push(pair + 1);
        Some(pair)
    }

    /// Frees a place or a pair of places.
    pub(super) fn give(&mut self, place: u32, pair: bool) {
        if pair { self.pairs.push(place) } else { self.singles.push(place) }
    }

    /// The number of places.
    pub(super) fn len(&self) -> u32 {
        self.len
    }
}

/// The pairs of values that lie side by side. A value has at most one partner.
#[derive(Clone, Debug)]
pub(crate) struct Pairs(Vec<Option<(u32, bool)>>);

impl Pairs {
    /// Creates the set of no pairs among this many values.
    pub(crate) fn new(values: usize) -> Self {
        Pairs(vec![None; values])
    }

    /// Adds a value, and returns its number.
    pub(super) fn push(&mut self) -> u32 {
        self.0.push(None);
        self.0.len() as u32 - 1
    }

    /// Puts b behind a. Returns false if one of them has another partner.
    pub(crate) fn tie(&mut self, a: u32, b: u32) -> bool {
        match (self.0[a as usize], self.0[b as usize]) {
            (None, None) if a != b => {
                self.0[a as usize] = Some((b, false));
                self.0[b as usize] = Some((a, true));
                true
            }
            (Some((x, false)), Some((y, true))) => x == b && y == a,
            _ => false,
        }
    }

    /// Takes the pair of a and b apart.
    pub(crate) fn untie(&mut self, a: u32, b: u32) {
        self.0[a as usize] = None;
        self.0[b as usize] = None;
    }

    /// Returns the first value of the unit that a value belongs to, and the second value if the unit is a pair.
    pub(crate) fn unit(&self, v: u32) -> (u32, Option<u32>) {
        match self.0[v as usize] {
            None => (v, None),
            Some((other, false)) => (v, Some(other)),
            Some((other, true)) => (other, Some(v)),
        }
    }
}
