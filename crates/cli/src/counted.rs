//! Numbers of things in messages.

use std::fmt::Display;

/// Formats a number of things, such as `1 row` or `2 rows`.
pub(crate) fn counted(count: impl Display, what: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[test]
fn one_is_no_plural() {
    assert_eq!([0, 1, 2].map(|count| counted(count, "row")), ["0 rows", "1 row", "2 rows"]);
}
