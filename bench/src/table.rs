//! Formats results as a text table.

use crate::measurement::Measurement;
use std::fmt::Write;

/// Returns the head of the table.
pub fn head() -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "{:<21} {:<12} {:>5} {:>3} {:>12} {:>12} {:>13} {:>5}  its time over that of",
        "job", "by", "batch", "thr", "median µs", "min µs", "cycles", "n"
    );
    out
}

/// Returns a line of the table. A peer's line ends with its time over ours, and with the name of our engine.
pub fn line(m: &Measurement) -> String {
    let by = m.peer.as_ref().unwrap_or(&m.engine);
    let job = if m.peer.is_some() { "" } else { &m.job };
    let ratio = m.ratio.map(|ratio| format!("{:>8} {}", format!("{ratio:.2}x"), m.engine)).unwrap_or_default();
    let (median, min) = (digits(m.us_per_pairing), digits(m.us_min));
    let line = format!(
        "{job:<21} {by:<12} {:>5} {:>3} {median:>12} {min:>12} {:>13} {:>5}  {ratio}",
        m.batch,
        m.threads,
        digits(m.cycles),
        m.samples
    );
    line.trim_end().to_owned()
}

/// Formats a number with four significant digits, and as a whole number from 1000 on.
pub fn digits(x: f64) -> String {
    let whole = if x >= 1.0 { x.log10().floor() as usize + 1 } else { 1 };
    let small = if x > 0.0 && x < 0.1 { (-x.log10()).ceil() as usize - 1 } else { 0 };
    format!("{x:.*}", 4usize.saturating_sub(whole) + small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_significant() {
        let cases = [
            (123_456.7, "123457"),
            (1234.5, "1234"),
            (123.45, "123.5"),
            (12.345, "12.35"),
            (1.0, "1.000"),
            (0.12345, "0.123"),
            (0.012_345, "0.0123"),
            (0.0, "0.000"),
        ];
        for (x, text) in cases {
            assert_eq!(digits(x), text);
        }
    }

    #[test]
    fn a_line_shows_whether_it_is_of_a_peer() {
        let ours = Measurement {
            curve: "a-512".into(),
            engine: "mont".into(),
            job: "pair".into(),
            batch: 8,
            threads: 1,
            us_per_pairing: 200.5,
            us_min: 199.0,
            cycles: 8e5,
            samples: 15,
            peer: None,
            ratio: None,
        };
        let text = line(&ours);
        assert!(text.starts_with("pair ") && text.contains(" mont ") && text.ends_with(" 15"), "{text}");
        let peer = Measurement { peer: Some("pbc".into()), ratio: Some(2.0), ..ours };
        let text = line(&peer);
        assert!(text.starts_with("   ") && text.contains(" pbc ") && text.ends_with("2.00x mont"), "{text}");
    }
}
