//! Least times: on a machine that others use too, medians depend on the other users.

use crate::bulk::Work;
use crate::measurement::Measurement;
use crate::names::is_engine;

/// Returns the name of a line's contender.
pub(super) fn who(m: &Measurement) -> &str {
    m.peer.as_deref().unwrap_or(&m.engine)
}

/// Returns the least time of a line's contender for this work, in microseconds. A peer that computes one pairing at a
/// time does the same work at every batch size, so the least time over all sizes counts. Such a peer has no product of
/// prepared arguments, and computes prepared pairings one by one instead.
pub fn least(all: &[Measurement], m: &Measurement) -> f64 {
    let prepared = [Work::Prepared.name(), Work::PreparedProduct.name()];
    let is_product = m.job == Work::Product.name();
    let is_same_job = |job: &str| job == m.job || prepared.contains(&job) && prepared.contains(&&*m.job);
    let is_same = |x: &&Measurement| {
        (&x.curve, x.threads, &x.peer) == (&m.curve, m.threads, &m.peer)
            && is_same_job(&x.job)
            && (x.batch == m.batch || !is_product)
    };
    if is_engine(who(m)) {
        return m.us_min;
    }
    all.iter().filter(is_same).fold(m.us_min, |least, x| least.min(x.us_min))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_counts_with_its_least_time_at_any_size() {
        let line = |job: &str, batch, peer: Option<&str>, us| Measurement {
            curve: "c".to_owned(),
            engine: "mont".to_owned(),
            job: job.to_owned(),
            batch,
            threads: 1,
            us_per_pairing: 2.0 * us,
            us_min: us,
            cycles: us,
            samples: 3,
            peer: peer.map(str::to_owned),
            ratio: peer.map(|_| 1.0),
        };
        let all = [
            line("pair", 1, None, 1.0),
            line("pair", 1, Some("pbc"), 4.0),
            line("pair", 64, Some("pbc"), 5.0),
            line("pair", 64, Some("mont"), 9.0),
            line("prepared", 64, Some("pbc"), 3.0),
            line("prepared-product", 8, Some("pbc"), 3.5),
            line("product", 8, Some("pbc"), 2.5),
            line("product", 2, Some("pbc"), 2.0),
        ];
        let found: Vec<f64> = all.iter().map(|m| least(&all, m)).collect();
        assert_eq!(found, [1.0, 4.0, 4.0, 9.0, 3.0, 3.0, 2.5, 2.0]);
    }
}
