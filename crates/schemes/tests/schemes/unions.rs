//! OR over the values of one attribute in hidden vectors.

use bilinear_schemes::predicate::Pattern;
use bilinear_schemes::predicate::language::{Predicate, Schema};

/// Unions are judged as a whole, in any order, and a part that no row satisfies adds nothing.
#[test]
fn unions_of_ranges() {
    let schema: Schema = "hidden vector\nage integer 0 9\ncity text\nstate choice 'a' 'b' 'c'\n".parse().unwrap();
    let pattern =
        |text: &str| match Predicate::new(&schema, text).map(|predicate| predicate.pattern(&(1u32 << 20).into())) {
            Ok(Ok(Pattern::HiddenVector(elements))) => elements,
            other => panic!("{text}: {other:?}"),
        };
    for (plain, others) in [
        (
            "age BETWEEN 1 AND 3",
            &[
                "age = 1 OR age = 3 OR age = 2",
                "age = 3 OR age = 2 OR age = 1",
                "age IN (1, 3) OR age = 2",
                "age = 2 OR age IN (3, 1)",
                "(age < 3 OR age > 5) AND age BETWEEN 1 AND 5 OR age = 3",
                "age IN (1, 2, 3, 5, 7) AND age < 4",
            ][..],
        ),
        ("age >= 0", &["(age < 3 OR age > 5) OR age BETWEEN 3 AND 5", "age > 4 OR age IN (0, 2, 4) OR age IN (1, 3)"]),
        (
            "age = 3",
            &[
                "(age = 1 AND age = 2) OR age = 3",
                "age = 3 OR (age = 1 AND age = 2)",
                "(city = 'x' AND age = 1 AND age = 2) OR age = 3",
                "(city = 'x' AND city = 'y') OR age = 3",
                "((age = 1 AND age = 2) OR (city = 'x' AND city = 'y')) OR age = 3",
            ],
        ),
        (
            "state IN ('a', 'c')",
            &["state = 'c' OR state = 'a'", "state IN ('a', 'b', 'c') AND (state = 'c' OR state = 'a')"],
        ),
        ("city = 'x'", &["city IN ('x', 'y') AND city = 'x'", "city = 'x' OR city = 'x'"]),
    ] {
        for other in others {
            assert_eq!(format!("{:?}", pattern(other)), format!("{:?}", pattern(plain)), "{other}");
        }
    }
    for (text, error) in [
        ("(age = 1 AND age = 2) OR (city = 'x' AND city = 'y')", "character 20: no value of age satisfies this"),
        (
            "age = 1 OR age = 2 OR age = 5",
            "character 9: these values of age are not a range, and hidden vectors allow only ranges",
        ),
        ("(age = 1 OR age = 3) AND age = 2", "character 32: no value of age satisfies this"),
    ] {
        assert_eq!(Predicate::new(&schema, text).unwrap_err().to_string(), error, "{text}");
    }
}
