//! Schemas and predicates that somebody writes so that they take long: they are refused, or told, at once.

use bilinear_schemes::predicate::language::{Predicate, Schema};
use std::time::{Duration, Instant};

/// Twelve texts and what follows: 4096 elements where all are joined.
fn texts(joined: &str) -> String {
    ('a'..='l').fold("inner product\n".to_owned(), |text, name| format!("{text}{name} text\n")) + joined
}

#[test]
fn products_end_where_the_schema_ends() {
    let any = ('a'..='l').map(|name| format!("{name} = 'x'")).collect::<Vec<_>>().join(" OR ");
    let twice = format!("({any}) OR ({any})");
    let apart = "inner product\nx integer 0 99 most 44\ny integer 0 99 most 44\nz integer 0 99 most 44\nt integer 0 99 most 44\njoin x y\njoin z t\n";
    let both = "(x < 44 OR y < 44) OR (z < 44 OR t < 44)".to_owned();
    for (schema, predicate, words) in [
        (texts("join a b c d e f g h i j k l\n"), twice, "2 values of a, and the schema allows 1"),
        (apart.to_owned(), both, "OR brings t and x and y and z together, which the schema does not join"),
    ] {
        let schema: Schema = schema.parse().unwrap();
        let begin = Instant::now();
        let error = Predicate::new(&schema, &predicate).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        // in full these products take 10 s and more
        assert!(begin.elapsed() < Duration::from_secs(5), "{predicate}: {:?}", begin.elapsed());
    }
}
