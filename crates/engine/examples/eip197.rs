//! The pairing check of EIP-197 on alt_bn128. A line of the input is the input of a contract to the precompiled
//! contract 8: pairs of 64 bytes of G1 and 128 of G2 in hexadecimal. Prints for each line 1 if the product of its
//! pairings is 1, 0 if it is not, and `invalid` if the contract fails. All lines are checked in one batch.
//!
//! `cargo run --release -p bilinear-engine --example eip197 < calls.txt`

#![allow(clippy::print_stdout)]

use bilinear_engine::{Batch, Curve, Encoding, Group, Point, System, Validate};
use std::error::Error;
use std::io::BufRead;

/// The number of bytes of a point of G1, and of a pair.
const G1: usize = 64;
const PAIR: usize = 192;

/// Decodes hexadecimal digits.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let byte = |i: usize| digits.get(2 * i..2 * i + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..digits.len().div_ceil(2)).map(byte).collect()
}

/// Decodes the pairs of an input; `None` if a length, a coordinate, a curve or a group is wrong.
fn pairs(system: &System, input: &[u8]) -> Option<Vec<(Point, Point)>> {
    let point = |group, bytes: &[u8]| system.decode_as(group, Encoding::Eip, bytes, Validate::Subgroup).ok();
    let pair = |pair: &[u8]| Some((point(Group::G1, &pair[..G1])?, point(Group::G2, &pair[G1..])?));
    if input.len().is_multiple_of(PAIR) { input.chunks(PAIR).map(pair).collect() } else { None }
}

/// Returns the answers to all calls.
fn answers<'c>(calls: impl Iterator<Item = &'c str>) -> Result<Vec<&'static str>, Box<dyn Error>> {
    let system = System::new(&Curve::named("alt-bn128")?)?;
    let calls: Vec<_> = calls.map(|call| bytes(call).and_then(|input| pairs(&system, &input))).collect();
    // the pairs of all calls follow each other
    let (mut rows, mut products) = (vec![], vec![]);
    for pairs in calls.iter().flatten() {
        products.push(rows.len()..rows.len() + pairs.len());
        rows.extend_from_slice(pairs);
    }
    let mut ones = Batch::new(system).check(&rows, &products).into_iter();
    let answer = |pairs: Option<_>| match pairs.and_then(|_: Vec<_>| ones.next()) {
        Some(Ok(true)) => "1",
        Some(Ok(false)) => "0",
        // decoded points give no errors
        Some(Err(_)) | None => "invalid",
    };
    Ok(calls.into_iter().map(answer).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let calls = std::io::stdin().lock().lines().collect::<Result<Vec<_>, _>>()?;
    answers(calls.iter().map(|call| call.trim()))?.iter().for_each(|answer| println!("{answer}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    /// Runs Ethereum's own tests of the contract, and inputs that it rejects.
    #[test]
    fn example_of_eip_197_gives_the_results_of_ethereum() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/evm-bn254/bn256Pairing.json");
        let tests: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let field = |name: &str| -> Vec<&str> {
            tests.as_array().unwrap().iter().map(|test| test[name].as_str().unwrap()).collect()
        };
        let mut calls: Vec<String> = field("Input").into_iter().map(str::to_owned).collect();
        let mut wanted: Vec<&str> = field("Expected").into_iter().map(|output| &output[63..]).collect();
        // another y, an x that is not below q, a missing byte, and a character that is not a digit
        let first = calls[0].clone();
        let other_y = format!("{}f{}", &first[..127], &first[128..]);
        calls.splice(2..2, [other_y, format!("ff{}", &first[2..]), first[2..].to_owned(), format!("x{}", &first[1..])]);
        wanted.splice(2..2, ["invalid"; 4]);
        assert_eq!(super::answers(calls.iter().map(String::as_str)).unwrap(), wanted);
    }
}
