//! Schemas and predicates that are written to take long: they are rejected, or evaluated, at once.

use bilinear_schemes::predicate::language::{MAX_JOINT, Predicate, Schema, SchemaError};
use std::time::{Duration, Instant};

/// Returns a schema of twelve texts, with further lines: 4096 elements if all are joined.
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
        (texts("join a b c d e f g h i j k l\n"), twice, "2 values of a, but the schema allows 1"),
        (apart.to_owned(), both, "OR combines t and x and y and z, which the schema does not join"),
    ] {
        let schema: Schema = schema.parse().unwrap();
        let begin = Instant::now();
        let error = Predicate::new(&schema, &predicate).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        // computed in full, these products take 10 s or more
        assert!(begin.elapsed() < Duration::from_secs(5), "{predicate}: {:?}", begin.elapsed());
    }
}

#[test]
fn lists_of_joined_attributes_count_once() {
    let lines = |count: usize| texts(&"join a b c d e f g h i j k l\n".repeat(count));
    let taken = |count: usize| {
        let (text, begin) = (lines(count), Instant::now());
        assert_eq!(text.parse::<Schema>().unwrap().length(), 4096);
        begin.elapsed()
    };
    let (one, all) = (taken(1), taken(MAX_JOINT));
    assert!(all < one * (MAX_JOINT / 4) as u32, "{one:?}, {all:?}");
    let given = MAX_JOINT + 1;
    assert_eq!(lines(given).parse::<Schema>(), Err(SchemaError::Joints { given, most: MAX_JOINT }));
    // lists within another one change no vector, but the text keeps them
    let [one, more] = ["join c a b\n", "join b a\njoin c a b\njoin a\njoin a c b\n"].map(texts);
    let [one, more]: [Schema; 2] = [one, more].map(|text| text.parse().unwrap());
    assert_eq!((one.length(), more.length()), (8 + 9, 8 + 9));
    assert!(
        more.to_string().ends_with("join \"b\" \"a\"\njoin \"c\" \"a\" \"b\"\njoin \"a\"\njoin \"a\" \"c\" \"b\"\n"),
        "{more}"
    );
}
