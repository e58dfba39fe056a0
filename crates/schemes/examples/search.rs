//! A server searches a table that it cannot read: keys, an encrypted table, a token for a predicate, the rows found.
//!
//! `cargo run --release -p bilinear-schemes --example search -- 256` searches 256 rows, and prints rates on one
//! thread beside the rate of the engine's products alone.

#![allow(clippy::print_stdout)]

use bilinear_engine::params::Curve;
use bilinear_engine::{Batch, Group, Point, PointRef, Prepared, PreparedRows, System, Validate};
use bilinear_schemes::predicate::language::{Attribute, Predicate, Schema, Value};
use bilinear_schemes::predicate::{Encryptor, PublicKey, Search, SecretKey, Token, setup};
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(64), |rows| rows.parse())?;
    // For this example only: the factors of this curve's order are public. `bilinear params new a1` generates curves
    // with secret factors.
    let batch = Batch::new(System::new(&Curve::named("a1-1024")?)?).on_this_thread();
    let order = batch.system().order().clone();

    // The owner of the table defines what predicates may refer to, and creates keys.
    let schema = Schema::hidden_vector(["city", "team", "state", "plan"].map(Attribute::text).to_vec())?;
    let (public, secret) = setup(&batch, schema.scheme(), schema.length())?;
    let (public_file, secret_file) = (public.to_bytes(), secret.to_bytes());

    // Anyone can encrypt rows with the public key.
    let public = PublicKey::from_bytes(&batch, &public_file)?;
    let city = |i| if i % 16 == 0 { "Lyon" } else { "Paris" };
    let row = |i: usize| [city(i), ["red", "blue"][i % 2], ["new", "paid"][i / 2 % 2], "basic"].map(Value::text);
    let vectors = (0..count).map(|i| schema.vector(&order, &row(i))).collect::<Result<Vec<_>, _>>()?;
    let messages: Vec<String> = (0..count).map(|i| format!("row {i}")).collect();
    let plain: Vec<_> = vectors.iter().zip(&messages).map(|(x, m)| (&x[..], m.as_bytes())).collect();
    let (encryptor, preparing) = timed(|| Encryptor::new(batch.clone(), &public));
    let encryptor = encryptor?;
    // the first row also computes everything that is prepared once
    encryptor.encrypt(&plain[..plain.len().min(batch.system().lanes())])?;
    let (table, encrypting) = timed(|| encryptor.encrypt(&plain));
    let table = table?;

    // The owner creates a token for a predicate, whose cost is known beforehand.
    let text = "city = 'Lyon' AND team = 'red' AND state = 'new' AND plan = 'basic'";
    let predicate = Predicate::new(&schema, text)?;
    let secret = SecretKey::from_bytes(&batch, &secret_file)?;
    let token_file = secret.token(&batch, &predicate.pattern(&order)?)?.to_bytes();
    println!("{text}: {} pairings a row", predicate.pairings());

    // The server has the encrypted table and the token, and nothing else.
    let token = Token::from_bytes(&batch, &token_file)?;
    let rows: Vec<&[u8]> = table.iter().map(Vec::as_slice).collect();
    let mut found = vec![];
    for (checks, validate) in
        [("points checked in full", Validate::Subgroup), ("points on the curve", Validate::OnCurve)]
    {
        let batch = batch.clone().validate(validate);
        let search = Search::new(batch.clone(), &token)?;
        let alone = Products::new(&batch, count, search.pairings())?;
        // alternating, the least time of each: the first run also computes everything that is prepared once
        let (mut searching, mut products) = (Duration::MAX, Duration::MAX);
        for _ in 0..4 {
            let (opened, time) = timed(|| search.open(&rows));
            found = opened.into_iter().collect::<Result<Vec<_>, _>>()?;
            searching = searching.min(time);
            products = products.min(timed(|| alone.compute(&batch)).1);
        }
        let share = 100.0 * products.as_secs_f64() / searching.as_secs_f64();
        println!("{checks}: {}; products alone {}, {share:.1} %", rate(count, searching), rate(count, products));
    }
    let messages: Vec<_> = found.iter().flatten().map(|m| String::from_utf8_lossy(m).into_owned()).collect();
    println!("{} rows found: {}", messages.len(), messages.join(", "));
    let tables = preparing.as_secs_f64();
    println!("encrypted {}, after {tables:.2} s for tables; {} bytes a row", rate(count, encrypting), table[0].len());
    let wanted = (0..count).filter(|i| predicate.holds(&row(*i)) == Ok(true)).count();
    assert_eq!(messages.len(), wanted);
    Ok(())
}

fn timed<T>(job: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = job();
    (value, start.elapsed())
}

fn rate(count: usize, time: Duration) -> String {
    format!("{:.0} rows/s", count as f64 / time.as_secs_f64())
}

/// The engine's products of the same number of prepared pairs, with points as bytes, without keys, rows and messages
/// around them.
struct Products {
    fixed: Vec<Prepared>,
    moving: Vec<Point>,
    rows: usize,
}

impl Products {
    fn new(batch: &Batch, rows: usize, pairs: usize) -> Result<Products, Box<dyn Error>> {
        let system = batch.system();
        let random = |count| (0..count).map(|_| system.random(Group::G1)).collect::<Result<Vec<Point>, _>>();
        let fixed = random(pairs)?.iter().map(|p| system.prepare(system.fixed_side(), p)).collect::<Result<_, _>>()?;
        Ok(Products { fixed, moving: random(pairs * rows)?, rows })
    }

    fn compute(&self, batch: &Batch) {
        let points: Vec<PointRef<'_>> =
            self.moving.iter().map(|p| PointRef::Bytes(p.bytes().unwrap_or_default())).collect();
        let pairs = self.fixed.len();
        let group = |i: usize| PreparedRows { rows: i * pairs..(i + 1) * pairs, first_prepared: 0 };
        let values = batch.product_prepared(&self.fixed, &points, &(0..self.rows).map(group).collect::<Vec<_>>());
        assert!(values.iter().all(Result::is_ok));
    }
}
