//! A time limit for the start of new work, and a list of the work that was not started.

use std::time::{Duration, Instant};

/// A time limit that is checked before each measurement. A measurement that has begun is finished.
#[derive(Debug)]
pub struct Limit {
    begun: Instant,
    after: Option<Duration>,
    left_out: Vec<String>,
}

impl Limit {
    /// Creates a limit that ends after this duration from now, or never.
    pub fn new(after: Option<Duration>) -> Limit {
        Limit { begun: Instant::now(), after, left_out: vec![] }
    }

    /// Returns true if there is time to begin `what`. Otherwise records it as left out, once.
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

    /// The duration that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        self.after.map(|after| after.saturating_sub(self.begun.elapsed()))
    }

    /// The work that was not started.
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
        assert!(limit.left().is_some_and(|left| left > Duration::from_secs(5) && left <= Duration::from_secs(10)));
        assert!(Limit::new(None).allows_at(Duration::MAX, "all") && Limit::new(None).left().is_none());
    }
}
