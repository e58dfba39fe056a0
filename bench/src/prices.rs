//! The price of an hour of a graphics processor, from `bench/prices.json`: by card, each price with its month and its
//! source.

use serde::Deserialize;
use std::time::Duration;

/// The price of an hour of a card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// A word that occurs in the card's name.
    pub card: String,
    /// The price in USD.
    pub usd_per_hour: f64,
    /// The year and the month of the price.
    pub of: String,
    /// The place where the price was found, and what it covers.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    prices: Vec<Price>,
}

/// Reads all prices of a file.
///
/// # Errors
/// Returns an error if the text is not a price file.
pub fn prices(text: &str) -> Result<Vec<Price>, serde_json::Error> {
    serde_json::from_str::<File>(text).map(|file| file.prices)
}

/// Returns the price of a card, if `bench/prices.json` has one.
pub fn price_of(card: &str) -> Option<Price> {
    let all = prices(include_str!("../prices.json")).ok()?;
    let words: Vec<&str> = card.split(|c: char| !c.is_alphanumeric()).collect();
    all.into_iter().find(|price| words.contains(&&*price.card))
}

/// Returns the cost of this time, in USD.
pub fn cost(time: Duration, usd_per_hour: f64) -> f64 {
    time.as_secs_f64() * usd_per_hour / 3600.0
}
