//! The language: predicates against their evaluation on plain rows, and errors in predicates.

use crate::small::{Random, batch};
use bilinear_engine::Batch;
use bilinear_schemes::predicate::language::{
    Attribute, MAX_ATTRIBUTES, Predicate, PredicateTextError, Schema, SchemaError, Value, ValueError,
};
use bilinear_schemes::predicate::{Search, Searches, Token, setup};

const CITIES: [&str; 4] = ["Lyon", "Nice", "Saint-Étienne", "L'Isle"];
const STATES: [&str; 3] = ["new", "paid", "sent"];

fn attributes() -> Vec<Attribute> {
    vec![
        Attribute::text("city").most(2),
        Attribute::integer("age", -2, 9).most(3),
        Attribute::choice("state", &STATES).most(2),
    ]
}

fn row(random: &mut Random) -> Vec<Value> {
    let missing = random.below(12);
    let values = [
        Value::text(CITIES[random.below(4)]),
        Value::Integer(random.below(12) as i64 - 2),
        Value::text(STATES[random.below(3)]),
    ];
    values.into_iter().enumerate().map(|(i, value)| if i == missing { Value::Null } else { value }).collect()
}

/// Returns a condition on one attribute, with as many values as inner products allow.
fn condition(random: &mut Random) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    match random.below(9) {
        0 | 1 => format!("city = {}", quoted(CITIES[random.below(4)])),
        2 => format!("City in ({}, {})", quoted(CITIES[random.below(4)]), quoted(CITIES[random.below(4)])),
        3 => format!("age = {}", random.below(12) as i64 - 2),
        4 => {
            let from = random.below(10) as i64 - 2;
            format!("age BETWEEN {from} AND {}", from + random.below(3) as i64)
        }
        5 => ["age < 1", "age <= -1", "age > 6", "age >= 8"][random.below(4)].to_owned(),
        6 => format!("state = {}", quoted(STATES[random.below(3)])),
        7 => format!("\"state\" IN ({}, {})", quoted(STATES[random.below(3)]), quoted(STATES[random.below(3)])),
        _ => ["age = *", "*", "(city = *)"][random.below(3)].to_owned(),
    }
}

/// Compares random predicates on random rows: tokens must find the rows for which the predicate holds, and treat null
/// as SQL's WHERE does.
fn agree(batch: &Batch, schema: &Schema, seed: u64, text: impl Fn(&mut Random) -> String, rounds: usize) {
    let mut random = Random(seed);
    let (public, secret) = setup(batch, schema.scheme(), schema.length()).unwrap();
    let order = batch.system().order();
    let table: Vec<Vec<Value>> = (0..24).map(|_| row(&mut random)).collect();
    let vectors: Vec<_> = table.iter().map(|row| schema.vector(order, row).unwrap()).collect();
    let rows = public.encrypt(batch, &vectors.iter().map(|x| (&x[..], &b"m"[..])).collect::<Vec<_>>()).unwrap();
    let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
    let (mut asked, mut held) = (0, 0);
    for round in 0..rounds {
        let text = text(&mut random);
        let what = format!("seed {seed}, round {round}: {text}");
        let predicate = match Predicate::new(schema, &text) {
            Ok(predicate) => predicate,
            // two conditions on one attribute
            Err(
                PredicateTextError::Values { .. }
                | PredicateTextError::Nothing { .. }
                | PredicateTextError::NoRange { .. }
                | PredicateTextError::Texts { .. }
                | PredicateTextError::Or { .. },
            ) => continue,
            Err(error) => panic!("{what}: {error}"),
        };
        let pattern = predicate.pattern(order).unwrap();
        let token = secret.token(batch, &pattern).unwrap();
        assert_eq!(
            (predicate.pairings(), schema.scheme().pairings(&pattern)),
            (token.pairings(), token.pairings()),
            "{what}"
        );
        let found = Search::new(batch.clone(), &token).unwrap().matches(&rows);
        let wanted: Vec<_> = table.iter().map(|row| Ok(predicate.holds(row).unwrap())).collect();
        assert_eq!(found, wanted, "{what}");
        asked += 1;
        held += wanted.iter().filter(|holds| **holds == Ok(true)).count();
    }
    assert!(asked > rounds / 3 && held > asked, "{asked} predicates, {held} rows");
}

#[test]
fn inner_products_agree_with_predicates() {
    let batch = batch(3);
    let schema = Schema::inner_product(attributes(), &[&["city", "age"], &["age", "state"]]).unwrap();
    // the constant 1, 2 + 3 + 2 powers, 2·3 + 3·2 products
    assert_eq!(schema.length(), 20);
    let text = |random: &mut Random| {
        let [a, b, c] = [(); 3].map(|()| condition(random));
        match random.below(6) {
            0 => a,
            1 => format!("{a} AND {b}"),
            2 => format!("{a} AND {b} and {c}"),
            3 => format!("(({a}) and ({b}))"),
            4 => format!("city = 'Lyon' OR {}", ["age = 3", "age < 0", "age = 4 AND city = *"][random.below(3)]),
            _ => format!("{a} AND (state = 'paid' OR age BETWEEN 2 AND 4 AND {b})"),
        }
    };
    agree(
        &batch,
        &schema,
        1911,
        |random| {
            let mut predicate = text(random);
            // OR of attributes that are not joined has an error of its own
            while matches!(Predicate::new(&schema, &predicate), Err(PredicateTextError::Joint { .. })) {
                predicate = text(random);
            }
            predicate
        },
        48,
    );
}

#[test]
fn hidden_vectors_agree_with_predicates() {
    let batch = batch(2);
    let schema = Schema::hidden_vector(attributes()).unwrap();
    assert_eq!(schema.length(), 1 + 12 + 4);
    agree(
        &batch,
        &schema,
        1912,
        |random| {
            let [a, b, c] = [(); 3].map(|()| condition(random));
            match random.below(6) {
                0 => a,
                1 => format!("{a} AND {b}"),
                2 => format!("{a} AND {b} AND {c}"),
                3 => format!("(age < 3 OR age BETWEEN 2 AND {}) AND {a}", 3 + random.below(6)),
                4 => format!("(state = 'new' OR state = 'sent') AND {a}"),
                _ => ["age >= -2", "state IN ('new', 'paid', 'sent')", "age < 4 OR age > 3", "* OR city = 'Lyon'"]
                    [random.below(4)]
                .to_owned(),
            }
        },
        80,
    );
}

/// The meaning of a predicate on a row, written beside its text.
type Says = Box<dyn Fn(&[Value]) -> bool>;

/// Returns a condition on the attribute with this index, for either scheme, with its meaning: of null nothing but a
/// wildcard holds.
fn plain_condition(random: &mut Random, attribute: usize) -> (String, Says) {
    let text_of = |row: &[Value], i: usize| match &row[i] {
        Value::Text(text) => text.clone(),
        _ => String::new(),
    };
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    match (attribute, random.below(4)) {
        (_, 0) => ("*".to_owned(), Box::new(|_| true)),
        (0, _) => {
            let city = CITIES[random.below(4)];
            (format!("city = {}", quoted(city)), Box::new(move |row| text_of(row, 0) == city))
        }
        (1, kind) => {
            let (low, high) = match kind {
                1 => (-2, random.below(3) as i64 - 2),
                2 => (9 - random.below(3) as i64, 9),
                _ => {
                    let low = random.below(10) as i64 - 2;
                    (low, low + random.below(3) as i64)
                }
            };
            let text = match kind {
                1 => format!("age <= {high}"),
                2 => format!("age > {}", low - 1),
                _ => format!("age BETWEEN {low} AND {high}"),
            };
            (text, Box::new(move |row| matches!(row[1], Value::Integer(age) if low <= age && age <= high)))
        }
        _ => {
            let [a, b] = [(); 2].map(|()| STATES[random.below(3)]);
            let text = match a == b {
                true => format!("state = {}", quoted(a)),
                false if random.below(2) == 0 => format!("(state = {} OR state = {})", quoted(a), quoted(b)),
                false => format!("state IN ({}, {})", quoted(a), quoted(b)),
            };
            (text, Box::new(move |row| [a, b].contains(&&*text_of(row, 2))))
        }
    }
}

/// Random predicates in one pass over an encrypted table, judged by closures that are independent of the language.
#[test]
fn tables_in_the_clear_have_the_same_answers() {
    let seed = 1914;
    let mut random = Random(seed);
    for (primes, schema) in
        [(2, Schema::hidden_vector(attributes()).unwrap()), (3, Schema::inner_product(attributes(), &[]).unwrap())]
    {
        let batch = batch(primes);
        let order = batch.system().order();
        let (public, secret) = setup(&batch, schema.scheme(), schema.length()).unwrap();
        let table: Vec<Vec<Value>> = (0..40).map(|_| row(&mut random)).collect();
        let vectors: Vec<_> = table.iter().map(|row| schema.vector(order, row).unwrap()).collect();
        let rows = public.encrypt(&batch, &vectors.iter().map(|x| (&x[..], &b"m"[..])).collect::<Vec<_>>()).unwrap();
        let drawn: Vec<(String, Vec<Says>)> = (0..16)
            .map(|_| {
                let first = random.below(3);
                let parts = (0..1 + random.below(3)).map(|i| plain_condition(&mut random, (first + i) % 3));
                let (texts, says): (Vec<String>, Vec<Says>) = parts.unzip();
                (texts.join(" AND "), says)
            })
            .collect();
        let tokens: Vec<Token> = drawn
            .iter()
            .map(|(text, _)| {
                let predicate =
                    Predicate::new(&schema, text).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error}"));
                secret.token(&batch, &predicate.pattern(order).unwrap()).unwrap()
            })
            .collect();
        let found =
            Searches::new(batch.clone(), &tokens).unwrap().open(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut held = 0;
        for ((text, says), found) in drawn.iter().zip(found) {
            let found: Vec<bool> = found.into_iter().map(|row| row.unwrap().is_some()).collect();
            let wanted: Vec<bool> = table.iter().map(|row| says.iter().all(|says| says(row))).collect();
            assert_eq!(found, wanted, "seed {seed}: {text}");
            held += wanted.iter().filter(|holds| **holds).count();
        }
        assert!((40..600).contains(&held), "seed {seed}: {held} of 640 answers are yes");
    }
}

#[test]
fn costs() {
    let schema = Schema::hidden_vector(vec![
        Attribute::text("city"),
        Attribute::integer("age", 0, 120),
        Attribute::choice("state", &["a", "b", "c", "d", "e"]),
    ])
    .unwrap();
    for (text, pairings) in [
        ("*", 1),
        ("city = 'Lyon'", 3),
        ("city = 'Lyon' AND age BETWEEN 30 AND 39", 7),
        ("age < 40", 3),
        ("age >= 0", 3),
        ("age <= 39 AND age >= 30", 5),
        ("state = 'a'", 3),
        ("state IN ('a', 'b')", 7),
        ("state IN ('a', 'b', 'c', 'd')", 3),
        ("city = 'x' AND age = 7 AND state = 'e'", 9),
    ] {
        assert_eq!(Predicate::new(&schema, text).unwrap().pairings(), pairings, "{text}");
    }
    // four elements, the constant included
    let plain = vec![Attribute::text("a"), Attribute::text("b"), Attribute::text("c")];
    let schema = Schema::inner_product(plain, &[]).unwrap();
    assert_eq!(Predicate::new(&schema, "a = 'x'").unwrap().pairings(), 9);
}

#[test]
fn what_is_wrong_and_where() {
    let inner = Schema::inner_product(attributes(), &[&["city", "age"]]).unwrap();
    let hidden = Schema::hidden_vector(attributes()).unwrap();
    for (text, error) in [
        ("", "character 1: expected the name of an attribute, ( or *, found the end"),
        ("city", "character 5: expected =, <, <=, >, >=, IN or BETWEEN, found the end"),
        ("city = Lyon", "character 8: expected a value ('text' or a number), found Lyon"),
        ("city = 'Lyon", "character 8: expected a closing ', found the end"),
        ("Saint = 'É' AND", "character 16: expected the name of an attribute, ( or *, found the end"),
        ("(age = 1", "character 9: expected ), found the end"),
        ("age = 1 city = 'x'", "character 9: expected AND, OR or the end, found city"),
        ("age IN 1", "character 8: expected (, found 1"),
        ("age IN (1 2)", "character 11: expected ), found 2"),
        ("age BETWEEN 1, 2", "character 14: expected AND, found ,"),
        ("age < 'x'", "character 7: expected a number, found 'x'"),
        (
            "age = 99999999999999999999",
            "character 7: expected a number from -2^63 to 2^63 - 1, found 99999999999999999999",
        ),
        ("age = -", "character 7: expected a number from -2^63 to 2^63 - 1, found -"),
        ("age # 3", "character 5: expected a name, a value or a sign, found #"),
        ("AND = 3", "character 1: expected the name of an attribute, ( or *, found AND"),
        ("age = 1 AND street = 'x'", "character 13: no attribute is called street; the schema has city, age, state"),
        ("city = 7", "character 8: attribute city: expected a text"),
        ("age = 'x'", "character 7: attribute age: expected an integer"),
        ("age = 10", "character 7: attribute age: the value is not one of the integers from -2 to 9"),
        ("state = 'old'", "character 9: attribute state: the value is not one of the choices new, paid, sent"),
        ("city < 3", "character 6: city holds texts, which cannot be compared by order"),
        ("age < -2", "character 5: no value of age satisfies this"),
        ("age > 9223372036854775807", "character 5: no value of age satisfies this"),
        ("age BETWEEN 4 AND 3", "character 5: no value of age satisfies this"),
    ] {
        for schema in [&inner, &hidden] {
            assert_eq!(Predicate::new(schema, text).unwrap_err().to_string(), error, "{text}");
        }
    }
    for (text, error) in [
        (
            "age < 4",
            "character 5: 6 values of age, but the schema allows 3: add \"most 6\" to the attribute in the schema before the \
             keys are made (a range counts each of its integers)",
        ),
        ("city = 'x' OR state = 'new'", "character 12: OR combines city and state, which the schema does not join"),
        (
            "age = 1 OR age < 1",
            "character 9: 4 values of age, but the schema allows 3: add \"most 4\" to the attribute in the schema before the \
             keys are made (a range counts each of its integers)",
        ),
    ] {
        assert_eq!(Predicate::new(&inner, text).unwrap_err().to_string(), error, "{text}");
    }
    for (text, error) in [
        (
            "city = 'x' OR age = 1",
            "character 12: hidden vectors allow OR only between values of one attribute; inner products allow more",
        ),
        (
            "city IN ('x', 'y')",
            "character 10: hidden vectors allow only one value of the text city: make it a choice in the schema, or \
             use several tokens",
        ),
        (
            "age = 1 AND (city = 'x' OR city = 'y')",
            "character 25: hidden vectors allow only one value of the text city: make it a choice in the schema, or \
             use several tokens",
        ),
        ("age IN (1, 3)", "character 9: these values of age are not a range, and hidden vectors allow only ranges"),
        (
            "age = 1 OR age = 3",
            "character 9: these values of age are not a range, and hidden vectors allow only ranges",
        ),
        ("city = 'x' AND city = 'y'", "character 23: no value of city satisfies this"),
    ] {
        assert_eq!(Predicate::new(&hidden, text).unwrap_err().to_string(), error, "{text}");
    }
    // a predicate may ask for 255 values of an attribute; the range of the attribute may have more
    let long = Schema::inner_product(vec![Attribute::integer("age", 0, 999).most(255)], &[]).unwrap();
    assert!(Predicate::new(&long, "age BETWEEN 0 AND 254").is_ok());
    let error = Predicate::new(&long, "age < 256").unwrap_err().to_string();
    let wanted = "character 5: 256 values of age, but the schema allows 255: no schema allows more than 255 (a range counts \
                  each of its integers)";
    assert_eq!(error, wanted);
    let error = Predicate::new(&long, "age BETWEEN 1 AND 200 OR age BETWEEN 301 AND 400").unwrap_err().to_string();
    let wanted = "character 23: 300 values of age, but the schema allows 255: no schema allows more than 255 (a range counts \
                  each of its integers)";
    assert_eq!(error, wanted);
    let deep = |depth: usize| Predicate::new(&inner, &("(".repeat(depth) + "age = 1" + &")".repeat(depth))).map(|_| ());
    assert_eq!(deep(64), Ok(()));
    let error = "character 65: expected a condition with at most 64 parentheses around it, found (";
    assert_eq!(deep(1000).unwrap_err().to_string(), error);
    // no input may panic
    let mut random = Random(1913);
    let pieces = [
        "city", "age", "=", "<", ">=", "'x'", "3", "-1", "(", ")", "IN", "BETWEEN", "AND", "OR", "*", ",", "\"", "'",
        "é", "\0",
    ];
    for _ in 0..3000 {
        let text: String = (0..random.below(12)).map(|_| pieces[random.below(pieces.len())].to_owned() + " ").collect();
        for schema in [&inner, &hidden] {
            drop(Predicate::new(schema, &text));
        }
    }
}

#[test]
fn schemas_and_rows_that_cannot_be() {
    let hidden = |attributes| Schema::hidden_vector(attributes).unwrap_err();
    assert_eq!(hidden(vec![]), SchemaError::Empty);
    assert_eq!(hidden(vec![Attribute::text("a"), Attribute::text("a")]), SchemaError::Repeated("a".into()));
    assert_eq!(hidden(vec![Attribute::text("a"), Attribute::text("A")]), SchemaError::Repeated("A".into()));
    assert_eq!(hidden(vec![Attribute::choice("a", &["x", "y\n"])]), SchemaError::Break("a".into()));
    assert_eq!(hidden(vec![Attribute::integer("a", 1, 0)]), SchemaError::Range("a".into()));
    assert_eq!(hidden(vec![Attribute::integer("a", i64::MIN, i64::MAX)]), SchemaError::Range("a".into()));
    assert_eq!(hidden(vec![Attribute::choice("a", &[])]), SchemaError::Choices("a".into()));
    assert_eq!(hidden(vec![Attribute::choice("a", &["x", "x"])]), SchemaError::Choices("a".into()));
    assert!(matches!(hidden(vec![Attribute::integer("a", 0, 1 << 40)]), SchemaError::Length { .. }));
    let inner = |attributes, joint: &[&[&str]]| Schema::inner_product(attributes, joint).unwrap_err();
    let most = |most| vec![Attribute::text("a").most(most), Attribute::text("b").most(200)];
    assert!(matches!(inner(most(0), &[]), SchemaError::Most { most: 0, limit: 255, .. }));
    assert!(matches!(inner(most(256), &[]), SchemaError::Most { most: 256, .. }));
    assert!(matches!(inner(most(255), &[&["a", "b"]]), SchemaError::Length { .. }));
    assert_eq!(inner(most(1), &[&["a", "c"]]), SchemaError::Joint("c".into()));
    assert_eq!(inner(most(1), &[&["a", "a"]]), SchemaError::Joint("a".into()));
    let batch = batch(3);
    let order = batch.system().order();
    let schema = Schema::inner_product(attributes(), &[]).unwrap();
    let row = |values: &[Value]| schema.vector(order, values).unwrap_err();
    assert_eq!(row(&[]), ValueError::Count { given: 0, wanted: 3 });
    assert!(matches!(row(&[Value::Integer(1), Value::Null, Value::Null]), ValueError::Type { .. }));
    assert!(matches!(row(&[Value::Null, Value::Integer(10), Value::Null]), ValueError::Domain { .. }));
    assert!(matches!(row(&[Value::Null, Value::Null, Value::text("old")]), ValueError::Domain { .. }));
    let choices: Vec<String> = (0..11).map(|i| format!("c{i}")).collect();
    for (count, words) in [
        (10, "the choices c0, c1, c2, c3, c4, c5, c6, c7, c8, c9"),
        (11, "the 11 choices c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, …"),
    ] {
        let choices: Vec<&str> = choices[..count].iter().map(String::as_str).collect();
        let schema = Schema::hidden_vector(vec![Attribute::choice("a", &choices)]).unwrap();
        let error = schema.vector(order, &[Value::text("old")]).unwrap_err();
        assert_eq!(error.to_string(), format!("attribute a: the value is not one of {words}"));
    }
}

#[test]
fn schemas_as_text() {
    let odd = || {
        vec![Attribute::text("a \"b\""), Attribute::choice("c", &["it's", "x y"]), Attribute::integer("join", -3, 3)]
    };
    let inner = Schema::inner_product(attributes(), &[&["city", "age"], &["state", "age"]]).unwrap();
    for schema in [
        inner,
        Schema::hidden_vector(attributes().into_iter().map(|a| a.most(1)).collect()).unwrap(),
        Schema::hidden_vector(odd()).unwrap(),
    ] {
        assert_eq!(schema.to_string().parse::<Schema>().unwrap(), schema, "{schema}");
    }
    let text =
        "inner product\n\ncity text most 2\nage integer 0 120 most 10\nstate choice 'new' 'paid'\njoin city age\n";
    let schema: Schema = text.parse().unwrap();
    assert_eq!((schema.attributes().len(), schema.length()), (3, 1 + 2 + 10 + 1 + 20));
    let of = |count: usize| (0..count).fold("hidden vector\n".to_owned(), |text, i| format!("{text}a{i} text\n"));
    assert_eq!(of(MAX_ATTRIBUTES).parse::<Schema>().unwrap().attributes().len(), MAX_ATTRIBUTES);
    for (text, error) in [
        (&of(MAX_ATTRIBUTES + 1)[..], "16 attributes: at most 15 are allowed"),
        (
            "",
            "line 1: expected one of hidden vector, inner product, inner product in dual spaces, inner product with matrices",
        ),
        ("hidden vector", "a schema needs at least one attribute"),
        ("hidden vector\na", "line 2: expected text, integer or choice after the name"),
        ("hidden vector\n7 text", "line 2: expected the name of an attribute"),
        ("hidden vector\na integer 1", "line 2: expected two numbers after integer"),
        ("hidden vector\na text most 2", "line 2: expected the end, found most"),
        ("hidden vector\na text 'x", "line 2: character 8: expected a closing ', found the end"),
        ("inner product\na text most x", "line 2: expected a number after most"),
        ("inner product\na text most -1", "attribute a: 0 values in one predicate: 1 to 255 are allowed"),
        ("inner product\na text\njoin a b", "cannot join attribute b: it does not exist, or is joined with itself"),
    ] {
        assert_eq!(text.parse::<Schema>().unwrap_err().to_string(), error, "{text}");
    }
}
