//! The times that a card would need at its ceilings for the cost of a pairing, for comparison with measured times.

use crate::gpu::Job;
use bilinear_engine::cuda::{Ceilings, Cost, DeviceError, Driver, Encoding, Properties, Shape};
use bilinear_engine::{Curve, Options, SystemError, product_program, programs};
use std::time::Duration;

/// The number of parts of a cost that have a ceiling.
const PARTS: usize = 5;

/// The programs of a job as a card executes them: the Miller loop of a product, and its final exponentiation.
pub struct Programs {
    /// The number of pairs of a product.
    pairs: u64,
    encodings: [(Encoding, Shape); 2],
}

impl Programs {
    /// Encodes the programs of a job for a card with these properties. Returns `None` if a program has no encoding.
    ///
    /// # Errors
    /// Returns an error if the family does not have such a pairing.
    pub fn new(
        curve: &Curve,
        options: Options,
        job: Job,
        properties: &Properties,
    ) -> Result<Option<Programs>, SystemError> {
        let finish = programs(curve, options)?.swap_remove(1).1;
        let miller = product_program(curve, options, job.product, job.fixed)?;
        let encodings = [miller, finish].map(|program| Encoding::on(&program, properties).ok());
        let [Some(miller), Some(finish)] = encodings else { return Ok(None) };
        Ok(Some(Programs { pairs: job.product as u64, encodings: [miller, finish] }))
    }

    /// Returns how the Miller loop and the final exponentiation are executed. They can differ: for some programs a
    /// block has no memory for groups of threads, and not all programs run in residues.
    pub fn kinds(&self) -> [String; 2] {
        self.encodings.each_ref().map(|(encoding, shape)| match encoding.width() {
            _ if encoding.residues().is_some() => "residues".to_owned(),
            _ if shape.split > 1 => "split words".to_owned(),
            1 => "1 thread".to_owned(),
            width => format!("{width} threads"),
        })
    }

    /// Returns the cost of the programs, for each pair.
    pub fn cost(&self) -> Cost {
        let mut all = Cost::default();
        self.encodings.iter().for_each(|(encoding, _)| all += encoding.cost());
        all / self.pairs
    }

    /// Returns the number of warps of the Miller loop's kernel that a multiprocessor of a card can hold.
    ///
    /// # Errors
    /// Returns an error if the card fails.
    pub fn warps(&self, card: &Driver) -> Result<u32, DeviceError> {
        let [(encoding, shape), _] = &self.encodings;
        card.warps(encoding, shape)
    }
}

/// Returns the ceilings as a line of text.
pub fn text(ceilings: &Ceilings) -> String {
    let Ceilings { multiply_adds, digits, shared, memory, cached } = ceilings;
    format!(
        "ceilings of one card per second: {multiply_adds:.2e} multiply-adds of words, {digits:.2e} of 8 bits, {shared:.2e} words of shared memory, \
         {memory:.2e} of memory, {cached:.2e} of the second-level cache\n"
    )
}

/// Returns the time of each part of a cost at the ceilings of `cards` cards: multiply-adds, including those of waiting
/// threads; digits; shared memory; device memory; second-level cache.
pub fn at_ceilings(cost: &Cost, ceilings: &Ceilings, cards: usize) -> [(&'static str, Duration); PARTS] {
    let of = |count: u64, rate: f64| Duration::from_secs_f64(count as f64 / rate / cards as f64);
    [
        ("multiply-adds", of(cost.multiply_adds + cost.waited, ceilings.multiply_adds)),
        ("8-bit products", of(cost.digits, ceilings.digits)),
        ("shared memory", of(cost.shared, ceilings.shared)),
        ("memory", of(cost.memory, ceilings.memory)),
        ("L2", of(cost.cached, ceilings.cached)),
    ]
}

/// Returns the time of the longest part.
pub fn longest(parts: &[(&'static str, Duration); PARTS]) -> Duration {
    parts.iter().map(|(_, part)| *part).max().unwrap_or_default()
}

/// Returns the longest part's time as a share of a measured time.
pub fn share(parts: &[(&'static str, Duration); PARTS], time: Duration) -> f64 {
    longest(parts).as_secs_f64() / time.as_secs_f64()
}

/// Returns a line with the cost, its parts in microseconds, and the longest part's share of the measured time.
pub fn line(cost: &Cost, parts: &[(&'static str, Duration); PARTS], warps: u32, time: Duration) -> String {
    let list: Vec<String> =
        parts.iter().map(|(name, part)| format!("{name} {:.2}", part.as_secs_f64() * 1e6)).collect();
    let issued = cost.multiply_adds + cost.waited;
    format!(
        "  {} reductions, {:.0} % of multiply-adds by threads that wait, {} kB from L2, {warps} warps a multiprocessor; at the ceilings {}: \
         {:.0} % of the longest is reached",
        cost.reductions,
        100.0 * cost.waited as f64 / issued.max(1) as f64,
        4 * cost.cached / 1000,
        list.join(", "),
        100.0 * share(parts, time),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::prices;
    use bilinear_engine::cuda::Arithmetic;

    fn card(arithmetic: Arithmetic, width: usize) -> Properties {
        Properties {
            name: "a card".to_owned(),
            lanes: 64,
            width,
            arithmetic,
            vectors: 512,
            memory: 1 << 30,
            kept: 0,
            shared: 227 << 8,
            inverting: 132 * 128,
        }
    }

    fn cost(curve: &Curve, product: usize, fixed: bool, card: &Properties) -> Cost {
        Programs::new(curve, Options::default(), Job { product, fixed }, card).unwrap().unwrap().cost()
    }

    /// A1-1024 in words takes more multiply-adds than in residues, and reductions in residues have the expected
    /// products of digits.
    #[test]
    fn costs_are_those_of_the_programs() {
        let curve = Curve::named("a1-2x512").unwrap();
        let [in_words, either] = [Arithmetic::Words, Arithmetic::Either].map(|arithmetic| card(arithmetic, 8));
        let [words, residues] = [&in_words, &either].map(|card| cost(&curve, 1, false, card));
        assert_eq!((words.digits, residues.waited), (0, 0));
        let kinds = |name: &str, card| {
            let job = Job { product: 1, fixed: false };
            let programs = Programs::new(&Curve::named(name).unwrap(), Options::default(), job, card);
            programs.unwrap().unwrap().kinds()
        };
        assert_eq!([&in_words, &either].map(|card| kinds("a-512", card)), [["8 threads"; 2], ["4 threads"; 2]]);
        let small = Properties { shared: 1 << 8, ..card(Arithmetic::Words, 8) };
        assert_eq!(kinds("a-512", &small)[0], "1 thread", "a block has no room");
        assert_eq!(kinds("a-512", &card(Arithmetic::Residues, 8)), ["residues"; 2]);
        assert!(words.waited > words.multiply_adds / 3, "{words:?}");
        assert!(words.multiply_adds > 3 * residues.multiply_adds / 2, "{words:?} {residues:?}");
        assert!(residues.reductions > 17_000 && residues.digits / residues.reductions >= 46_000, "{residues:?}");
        let ceilings = Ceilings { multiply_adds: 1e13, digits: 1e15, shared: 1e13, memory: 1e12, cached: 1e13 };
        let parts = at_ceilings(&words, &ceilings, 2);
        assert_eq!(parts[0].1, Duration::from_secs_f64((words.multiply_adds + words.waited) as f64 / 2e13));
        let time = 2 * parts.iter().map(|part| part.1).max().unwrap();
        assert!(line(&words, &parts, 8, time).contains(": 50 %"));
        let [nine, key] = [false, true].map(|fixed| cost(&curve, 9, fixed, &either).reductions);
        assert!(key < nine && nine < residues.reductions, "{key} {nine}");
    }

    /// The table of docs/engines/cuda.md has these costs: thousands per pairing, in words by 8 threads.
    #[test]
    fn the_document_has_these_costs() {
        let text = include_str!("../../docs/engines/cuda.md");
        let mut missing = vec![];
        for name in ["a1-2x512", "a1-2x1024", "a-512", "bls12-381", "alt-bn128"] {
            let curve = Curve::named(name).unwrap();
            let of = |arithmetic, width| cost(&curve, 1, false, &card(arithmetic, width));
            let [four, words] = [4, 8].map(|width| of(Arithmetic::Words, width));
            let residues = of(Arithmetic::Residues, 8);
            let columns = [words.reductions, words.multiply_adds, four.waited, words.waited];
            let moved = [words.shared + words.memory, words.cached];
            let more = [residues.reductions, residues.multiply_adds, residues.digits];
            let more_moved = [residues.shared, residues.memory, residues.cached];
            let all = columns.iter().chain(&moved).chain(&more).chain(&more_moved);
            let thousands: Vec<String> = all.map(|x| (x.div_ceil(1000)).to_string()).collect();
            let row = format!("| `{name}` | {} |", thousands.join(" | "));
            if !text.contains(&row) {
                missing.push(row);
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }

    #[test]
    fn prices_have_a_month_and_a_source() {
        let all = prices::prices(include_str!("../prices.json")).unwrap();
        assert!(
            all.iter()
                .all(|price| price.of.len() == 7 && price.source.starts_with("https://") && price.usd_per_hour > 0.0)
        );
        assert_eq!(prices::price_of("NVIDIA H200").unwrap().card, "H200");
        assert_eq!(prices::price_of("NVIDIA H100 80GB HBM3").unwrap().card, "H100");
        assert!(["another", "NVIDIA GH200 480GB"].iter().all(|card| prices::price_of(card).is_none()));
        // 11.9 ms at 2.1 USD an hour
        let cost = prices::cost(Duration::from_micros(11_900), 2.1);
        assert!((cost - 6.94e-6).abs() < 1e-8);
    }
}
