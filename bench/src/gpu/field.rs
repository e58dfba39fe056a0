//! Which contenders are different ones: a card does not always run as it is told.

/// How a contender executes the programs of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Its name.
    pub who: String,
    /// Its cards.
    pub cards: usize,
    /// [`Programs::kinds`](crate::ceilings::Programs::kinds).
    pub kinds: [String; 2],
}

impl Runs {
    /// Why it is left out, told to run the Miller loop so, after some others: it does not, or does what one of these does.
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
