//! The set of groups that have ended. A group is stored as 128 bits of a hash under keys that only this run
//! knows: two SipHashes (Aumasson and Bernstein, 2012). An attacker cannot choose names that collide, and a set
//! of millions of groups stays small.

use crate::input::GroupKey;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// The groups that have ended.
#[derive(Default)]
pub(crate) struct Closed {
    keys: [RandomState; 2],
    hashes: HashSet<[u64; 2]>,
}

impl Closed {
    fn hash(&self, group: &GroupKey) -> [u64; 2] {
        self.keys.each_ref().map(|key| key.hash_one(group))
    }

    pub(crate) fn insert(&mut self, group: &GroupKey) {
        self.hashes.insert(self.hash(group));
    }

    /// Returns the number of groups that have ended.
    pub(crate) fn len(&self) -> u64 {
        self.hashes.len() as u64
    }

    pub(crate) fn contains(&self, group: &GroupKey) -> bool {
        self.hashes.contains(&self.hash(group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_hashed_with_keys_of_the_run() {
        let text = |name: &str| GroupKey::Text(name.into());
        let mut closed = Closed::default();
        for name in ["a", "b", ""] {
            assert!(!closed.contains(&text(name)));
            closed.insert(&text(name));
            assert!(closed.contains(&text(name)));
        }
        closed.insert(&GroupKey::Integer(1));
        assert!(closed.contains(&GroupKey::Integer(1)) && !closed.contains(&text("1")) && closed.len() == 4);
        let [first, second] = closed.hash(&text("a"));
        let [again, _] = Closed::default().hash(&text("a"));
        assert!(first != second && first != again, "keys that are known make collisions");
    }
}
