//! A line of the results.

use serde::{Deserialize, Serialize};

/// The times of one contender for one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The curve.
    pub curve: String,
    /// The engine of our measurement; a peer's line names the engine that the peer is compared with.
    pub engine: String,
    /// The name of the job: `pair`, `prepared`, `product`, `prepared-product`, or a rung of the ladder.
    pub job: String,
    /// The number of pairs or values of a call.
    pub batch: usize,
    /// The number of threads.
    pub threads: usize,
    /// The median time of one pair or value, in microseconds.
    pub us_per_pairing: f64,
    /// The least time of one pair or value, in microseconds.
    pub us_min: f64,
    /// The median in cycles of the core's clock.
    pub cycles: f64,
    /// The number of samples.
    pub samples: usize,
    /// The name of the peer; `None` for our own measurement.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peer: Option<String>,
    /// The peer's time divided by ours, from turns side by side: above 1, ours is faster.
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
