//! What a card would take at its ceilings for what a pairing asks of it, beside which times are put.

use bilinear_engine::cuda::{Ceilings, Cost, Encoding, Properties};
use bilinear_engine::{Curve, Options, SystemError, product_program, programs};
use std::time::Duration;

/// What the Miller loop of a product and its final exponentiation ask of a device, for each pair. `None` where a program has no encoding.
///
/// # Errors
/// If the family has no such pairing.
pub fn cost(
    curve: &Curve,
    options: Options,
    pairs: usize,
    properties: &Properties,
) -> Result<Option<Cost>, SystemError> {
    let finish = programs(curve, options)?.swap_remove(1).1;
    let mut all = Cost::default();
    for program in [product_program(curve, options, pairs)?, finish] {
        match Encoding::on(&program, properties) {
            Ok((encoding, _)) => all += encoding.cost(),
            Err(_) => return Ok(None),
        }
    }
    let each = |count: u64| count / pairs as u64;
    Ok(Some(Cost {
        multiply_adds: each(all.multiply_adds),
        digits: each(all.digits),
        shared: each(all.shared),
        memory: each(all.memory),
        reductions: each(all.reductions),
    }))
}

/// The time of each part of a cost at the ceilings: multiply-adds, digits, shared memory, memory of the device.
pub fn at_ceilings(cost: &Cost, ceilings: &Ceilings) -> [(&'static str, Duration); 4] {
    let of = |count: u64, rate: f64| Duration::from_secs_f64(count as f64 / rate);
    [
        ("multiply-adds", of(cost.multiply_adds, ceilings.multiply_adds)),
        ("8-bit products", of(cost.digits, ceilings.digits)),
        ("shared memory", of(cost.shared, ceilings.shared)),
        ("memory", of(cost.memory, ceilings.memory)),
    ]
}

/// A line: the parts in microseconds, and the share of the longest that a time reaches.
pub fn line(cost: &Cost, ceilings: &Ceilings, time: Duration) -> String {
    let parts = at_ceilings(cost, ceilings);
    let longest = parts.iter().map(|(_, part)| *part).max().unwrap_or_default();
    let list: Vec<String> =
        parts.iter().map(|(name, part)| format!("{name} {:.2}", part.as_secs_f64() * 1e6)).collect();
    let share = 100.0 * longest.as_secs_f64() / time.as_secs_f64();
    format!(
        "  {} reductions; at the ceilings {}: {share:.0} % of the longest is reached",
        cost.reductions,
        list.join(", ")
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::prices;
    use bilinear_engine::cuda::Arithmetic;

    fn card(arithmetic: Arithmetic) -> Properties {
        Properties {
            name: "a card".to_owned(),
            lanes: 64,
            width: 8,
            arithmetic,
            vectors: 512,
            memory: 1 << 30,
            kept: 0,
            shared: 227 << 8,
            inverting: 132 * 128,
        }
    }

    /// A1-1024 in words takes more multiply-adds than in residues, and the products of digits that a reduction has.
    #[test]
    fn costs_are_those_of_the_programs() {
        let curve = Curve::named("a1-2x512").unwrap();
        let [words, residues] = [Arithmetic::Words, Arithmetic::Either]
            .map(|arithmetic| cost(&curve, Options::default(), 1, &card(arithmetic)).unwrap().unwrap());
        assert_eq!(words.digits, 0);
        assert!(words.multiply_adds > 3 * residues.multiply_adds / 2, "{words:?} {residues:?}");
        assert!(residues.reductions > 17_000 && residues.digits / residues.reductions >= 46_000, "{residues:?}");
        let ceilings = Ceilings { multiply_adds: 1e13, digits: 1e15, shared: 1e13, memory: 1e12 };
        let parts = at_ceilings(&residues, &ceilings);
        assert_eq!(parts[0].1, Duration::from_secs_f64(residues.multiply_adds as f64 / 1e13));
        assert!(line(&residues, &ceilings, 2 * parts.iter().map(|part| part.1).max().unwrap()).contains(": 50 %"));
        let nine = cost(&curve, Options::default(), 9, &card(Arithmetic::Either)).unwrap().unwrap();
        assert!(nine.reductions < residues.reductions);
    }

    /// The table of docs/engines/cuda.md: thousands for a pairing.
    #[test]
    fn the_document_has_these_costs() {
        let text = include_str!("../../docs/engines/cuda.md");
        for name in ["a1-2x512", "a1-2x1024", "a-512", "bls12-381", "alt-bn128"] {
            let curve = Curve::named(name).unwrap();
            let of = |arithmetic| cost(&curve, Options::default(), 1, &card(arithmetic)).unwrap().unwrap();
            let (words, residues) = (of(Arithmetic::Words), of(Arithmetic::Residues));
            let columns = [words.reductions, words.multiply_adds, words.shared + words.memory];
            let more = [residues.reductions, residues.multiply_adds, residues.digits, residues.shared, residues.memory];
            let thousands: Vec<String> = columns.iter().chain(&more).map(|x| (x.div_ceil(1000)).to_string()).collect();
            let row = format!("| `{name}` | {} |", thousands.join(" | "));
            assert!(text.contains(&row), "{row}");
        }
    }

    #[test]
    fn prices_have_a_month_and_a_source() {
        let all = prices::prices(include_str!("../prices.json")).unwrap();
        assert!(
            all.iter()
                .all(|price| price.of.len() == 7 && price.source.starts_with("https://") && price.usd_per_hour > 0.0)
        );
        assert_eq!(prices::price_of("NVIDIA H200").unwrap().card, "H200");
        assert!(prices::price_of("another").is_none());
        // 11.9 ms at 2.1 USD an hour
        let cost = prices::cost(Duration::from_micros(11_900), 2.1);
        assert!((cost - 6.94e-6).abs() < 1e-8);
    }
}
