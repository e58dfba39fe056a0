//! Texts of predicates, over schemas of both kinds, and texts of schemas. An accepted predicate compiles to a pattern
//! with the announced length and number of pairings, a schema is written as it was read, and nothing panics. The first
//! byte chooses.
#![no_main]

use bilinear_schemes::predicate::language::{Attribute, Predicate, Schema, Value};
use libfuzzer_sys::fuzz_target;
use num_bigint::BigUint;
use std::sync::LazyLock;

static SCHEMAS: LazyLock<[Schema; 2]> = LazyLock::new(|| {
    let attributes = || {
        let state = Attribute::choice("state", &["new", "paid", "late"]);
        vec![Attribute::text("city").most(2), Attribute::integer("age", -3, 40).most(4), state.most(2)]
    };
    let patterns = Schema::hidden_vector(attributes()).unwrap_or_else(|error| panic!("{error}"));
    let products = Schema::inner_product(attributes(), &[&["city", "age"], &["age", "state"]]);
    [patterns, products.unwrap_or_else(|error| panic!("{error}"))]
});

fuzz_target!(|data: &[u8]| {
    let [choice, text @ ..] = data else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    if choice & 2 == 0 {
        let schema = &SCHEMAS[usize::from(choice & 1)];
        let Ok(predicate) = Predicate::new(schema, text) else { return };
        let order = (BigUint::from(1u8) << 127u32) - 1u8;
        let pattern = predicate.pattern(&order).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((schema.scheme().pairings(&pattern), pattern.length()), (predicate.pairings(), schema.length()));
        let row = [Value::text("Lyon"), Value::Integer(30), Value::text("new")];
        predicate.holds(&row).unwrap_or_else(|error| panic!("{error}"));
    } else if let Ok(schema) = text.parse::<Schema>() {
        let again: Schema = schema.to_string().parse().unwrap_or_else(|error| panic!("{error}: {schema}"));
        assert_eq!(again.to_string(), schema.to_string());
    }
});
