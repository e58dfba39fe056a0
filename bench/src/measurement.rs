//! One line of the results.

use serde::{Deserialize, Serialize};

/// What one contender took for one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The curve.
    pub curve: String,
    /// The engine that ours ran on; a peer's line names the one that it was compared with.
    pub engine: String,
    /// `pair`, `prepared`, `product`, `prepared-product`, or a rung of the ladder.
    pub job: String,
    /// Pairs, or values, of a call.
    pub batch: usize,
    /// Threads.
    pub threads: usize,
    /// Median time in microseconds, of one pair or value.
    pub us_per_pairing: f64,
    /// The least of these.
    pub us_min: f64,
    /// Cycles of the core's clock for the median.
    pub cycles: f64,
    /// How many samples.
    pub samples: usize,
    /// Who, if it was not us.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peer: Option<String>,
    /// The peer's time over ours, from turns side by side: above 1, ours is the faster.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ratio: Option<f64>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn json_has_the_documented_keys() {
        let ours = Measurement {
            curve: "a-512".into(),
            engine: "mont".into(),
            job: "pair".into(),
            batch: 8,
            threads: 2,
            us_per_pairing: 200.5,
            us_min: 199.0,
            cycles: 800_000.0,
            samples: 15,
            peer: None,
            ratio: None,
        };
        let keys = |m: &Measurement| {
            let json = serde_json::to_value(m).unwrap();
            json.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        let base = ["batch", "curve", "cycles", "engine", "job", "samples", "threads", "us_min", "us_per_pairing"];
        assert_eq!(keys(&ours), base);
        let peer = Measurement { peer: Some("pbc".into()), ratio: Some(2.0), ..ours.clone() };
        assert_eq!(keys(&peer), [&base[..4], &["job", "peer", "ratio"], &base[5..]].concat());
        for m in [ours, peer] {
            assert_eq!(serde_json::from_str::<Measurement>(&serde_json::to_string(&m).unwrap()).unwrap(), m);
        }
    }
}
