//! Suggestions for a mistyped name: the known names that begin with it, and those at a small distance of Damerau
//! and Levenshtein (insertions, deletions, substitutions, neighbours exchanged; the variant that edits no part
//! twice).

/// The largest number of suggestions.
const MAX: usize = 3;
/// The length in bytes beyond which a text does not count as a mistyped name.
const LONGEST: usize = 40;

/// Returns at most three names, nearest first, and at most one of each group, which holds the names of one thing.
/// `name` must be in lower case.
pub(crate) fn nearest<'a>(name: &str, groups: impl Iterator<Item = Vec<&'a str>>) -> Vec<&'a str> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let least = (name.len() / 3).max(1);
    let best = |names: Vec<&'a str>| {
        let rated = names.into_iter().map(|known| (rate(name, known), known)).filter(|(rate, _)| *rate <= least);
        rated.min_by_key(|(rate, _)| *rate)
    };
    let mut hits: Vec<(usize, &str)> = groups.filter_map(best).collect();
    hits.sort_by_key(|(rate, _)| *rate);
    hits.truncate(MAX);
    hits.into_iter().map(|(_, known)| known).collect()
}

/// Formats the question that follows an unknown name in a message; empty if there are no suggestions.
pub(crate) fn did_you_mean(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => format!(" (did you mean {name}?)"),
        [first @ .., last] => format!(" (did you mean {} or {last}?)", first.join(", ")),
    }
}

/// Returns the distance of a known name; a prefix of two letters or more counts as one edit.
fn rate(name: &str, known: &str) -> usize {
    if name.len() > 1 && known.starts_with(name) { 1 } else { distance(name.as_bytes(), known.as_bytes()) }
}

/// Computes the number of edits that lead from one text to the other, in |a|·|b| steps.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let (mut before, mut last) = (vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<_>>());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, wanted) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("bls12-318", "bls12-381", 1),
            ("ca", "abc", 3),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), wanted, "{a} {b}");
            assert_eq!(distance(b.as_bytes(), a.as_bytes()), wanted, "{b} {a}");
        }
    }

    #[test]
    fn each_thing_is_suggested_once_and_nothing_distant() {
        let known = || [vec!["alpha", "alfa"], vec!["beta"], vec!["alphabet"]].into_iter();
        assert_eq!(nearest("alpa", known()), ["alpha"]);
        assert_eq!(nearest("alph", known()), ["alpha", "alphabet"]);
        assert_eq!(nearest("gamma", known()), [""; 0]);
        assert_eq!(nearest(&"alpha".repeat(1000), known()), [""; 0]);
    }
}
