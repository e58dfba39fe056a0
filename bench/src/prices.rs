//! What an hour of a graphics processor costs: `bench/prices.json`, by card, each price with its month and its source.

use serde::Deserialize;
use std::time::Duration;

/// A price.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// A word of the card's name.
    pub card: String,
    /// In USD.
    pub usd_per_hour: f64,
    /// Year and month.
    pub of: String,
    /// Where it was found, and for what.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    prices: Vec<Price>,
}

/// All prices of a file.
///
/// # Errors
/// If it is not one of prices.
pub fn prices(text: &str) -> Result<Vec<Price>, serde_json::Error> {
    serde_json::from_str::<File>(text).map(|file| file.prices)
}

/// The price of a card, if the file of the bench has one.
pub fn price_of(card: &str) -> Option<Price> {
    let all = prices(include_str!("../prices.json")).ok()?;
    let words: Vec<&str> = card.split(|c: char| !c.is_alphanumeric()).collect();
    all.into_iter().find(|price| words.contains(&&*price.card))
}

/// What so much time costs, in USD.
pub fn cost(time: Duration, usd_per_hour: f64) -> f64 {
    time.as_secs_f64() * usd_per_hour / 3600.0
}
