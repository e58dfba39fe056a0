//! Until when something new is begun, and what was not.

use std::time::{Duration, Instant};

/// An end that is looked at before each measurement: what has begun is finished.
#[derive(Debug)]
pub struct Limit {
    begun: Instant,
    after: Option<Duration>,
    left_out: Vec<String>,
}

impl Limit {
    /// So long from now on, or without end.
    pub fn new(after: Option<Duration>) -> Limit {
        Limit { begun: Instant::now(), after, left_out: vec![] }
    }

    /// Whether there is time to begin this; if not, it is remembered, once.
    pub fn allows(&mut self, what: &str) -> bool {
        self.allows_at(self.begun.elapsed(), what)
    }

    fn allows_at(&mut self, elapsed: Duration, what: &str) -> bool {
        let allows = self.after.is_none_or(|after| elapsed < after);
        if !allows && self.left_out.iter().all(|known| known != what) {
            self.left_out.push(what.to_owned());
        }
        allows
    }

    /// What was not begun.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_in_time_is_allowed_and_the_rest_is_remembered_once() {
        let mut limit = Limit::new(Some(Duration::from_secs(10)));
        let seconds = [0, 9, 10, 11, 12];
        let allowed = seconds.map(|s| limit.allows_at(Duration::from_secs(s), if s < 12 { "a-512" } else { "d-179" }));
        assert_eq!(allowed, [true, true, false, false, false]);
        assert_eq!(limit.left_out(), ["a-512", "d-179"]);
        assert!(Limit::new(None).allows_at(Duration::MAX, "all"));
    }
}
