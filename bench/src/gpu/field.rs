//! Finds contenders that do not differ from others: a card does not always run as it is told.

/// The way in which a contender executes the programs of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The name of the contender.
    pub who: String,
    /// The number of its cards.
    pub cards: usize,
    /// The ways of execution, as in [`Programs::kinds`](crate::ceilings::Programs::kinds).
    pub kinds: [String; 2],
}

impl Runs {
    /// Returns the reason to leave this contender out, if there is one: it was told to run the Miller loop in the way
    /// `told` and would not, or it would run like a contender in `before`.
    pub fn left_out(&self, told: Option<&str>, before: &[Runs]) -> Option<String> {
        let [miller, _] = &self.kinds;
        if told.is_some_and(|told| told != miller) {
            return Some(format!("it would run with {miller}"));
        }
        let same = before.iter().find(|other| (other.cards, &other.kinds) == (self.cards, &self.kinds));
        same.map(|other| format!("the same as {}", other.who))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_run_as_they_are_told_and_differ() {
        let runs =
            |who: &str, cards, kinds: [&str; 2]| Runs { who: who.to_owned(), cards, kinds: kinds.map(str::to_owned) };
        let before = [runs("cuda", 1, ["8 threads", "1 thread"])];
        let told = |told, runs: Runs| runs.left_out(told, &before);
        assert_eq!(
            told(Some("4 threads"), runs("a", 1, ["1 thread"; 2])).as_deref(),
            Some("it would run with 1 thread")
        );
        let same = runs("b", 1, ["8 threads", "1 thread"]);
        assert_eq!(told(Some("8 threads"), same.clone()).as_deref(), Some("the same as cuda"));
        assert_eq!(told(None, Runs { cards: 2, ..same }), None);
        assert_eq!(told(Some("8 threads"), runs("c", 1, ["8 threads"; 2])), None);
        assert_eq!(told(Some("1 thread"), runs("d", 1, ["1 thread"; 2])), None);
    }
}
