//! The free places, single and in pairs, and the pairs of values that lie side by side.

/// The places of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    singles: Free,
    pairs: Free,
    len: u32,
}

/// Free places: a stack, in which those that were taken out of turn remain until they come up.
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

    /// Takes a place, if it is free.
    fn remove(&mut self, place: u32) -> bool {
        self.is_free.get_mut(place as usize).is_some_and(std::mem::take)
    }
}

impl Pool {
    /// A place, or the first of two that lie side by side.
    pub(super) fn take(&mut self, pair: bool) -> u32 {
        let free = if pair { self.pairs.pop() } else { self.singles.pop().or_else(|| self.half()) };
        free.unwrap_or_else(|| {
            let place = self.len;
            self.len += if pair { 2 } else { 1 };
            place
        })
    }

    /// The first of these places that is free, or else any.
    pub(super) fn take_of(&mut self, mut liked: impl Iterator<Item = u32>, pair: bool) -> u32 {
        let free = if pair { &mut self.pairs } else { &mut self.singles };
        liked.find(|place| free.remove(*place)).unwrap_or_else(|| self.take(pair))
    }

    /// One place of a free pair; the other one is single from now on.
    fn half(&mut self) -> Option<u32> {
        let pair = self.pairs.pop()?;
        self.singles.push(pair + 1);
        Some(pair)
    }

    /// Gives places back.
    pub(super) fn give(&mut self, place: u32, pair: bool) {
        if pair { self.pairs.push(place) } else { self.singles.push(place) }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> u32 {
        self.len
    }
}

/// Which values lie side by side: a value has at most one partner.
#[derive(Clone, Debug)]
pub(crate) struct Pairs(Vec<Option<(u32, bool)>>);

impl Pairs {
    /// No pairs among so many values.
    pub(crate) fn new(values: usize) -> Self {
        Pairs(vec![None; values])
    }

    /// One more value.
    pub(super) fn push(&mut self) -> u32 {
        self.0.push(None);
        self.0.len() as u32 - 1
    }

    /// Puts b behind a, where neither has another partner. False if one has.
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

    /// Takes a and b apart.
    pub(crate) fn untie(&mut self, a: u32, b: u32) {
        self.0[a as usize] = None;
        self.0[b as usize] = None;
    }

    /// The first value of the unit that a value belongs to, and the second, if it is a pair.
    pub(crate) fn unit(&self, v: u32) -> (u32, Option<u32>) {
        match self.0[v as usize] {
            None => (v, None),
            Some((other, false)) => (v, Some(other)),
            Some((other, true)) => (other, Some(v)),
        }
    }
}
