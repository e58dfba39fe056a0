//! Our figures in the table of `docs/papers.md` are those of the records that it names.

use crate::root;
use bilinear_bench::record::Record;
use std::fs;

/// As the table writes a time: three digits, or all before the point.
fn microseconds(us: f64) -> String {
    if us < 100.0 { format!("{us:.1} µs") } else { format!("{us:.0} µs") }
}

#[test]
fn our_times_beside_the_papers_are_those_of_records() {
    let page = fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let (_, rest) = page.split_once("<!-- times -->").unwrap();
    let (table, _) = rest.split_once("<!-- end of times -->").unwrap();
    let mut curves = vec![];
    for line in table.trim().lines().skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [.., ours, source] = cells[..] else { panic!("{line}") };
        let [curve, batch, link] = source.split(", ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (curve, batch): (&str, usize) = (curve.trim_matches('`'), batch.parse().unwrap());
        let path = link.split_once("](").unwrap().1.trim_end_matches(')');
        let record = Record::read(&root().join("docs").join(path)).unwrap();
        let ours_alone = |m: &&bilinear_bench::Measurement| m.peer.is_none() && m.threads == 1 && m.job == "pair";
        let mut found = record.measurements.iter().filter(ours_alone).filter(|m| m.curve == curve && m.batch == batch);
        let m = found.next().unwrap_or_else(|| panic!("{path} has no pairing of {curve} in batches of {batch}"));
        let (time, cycles) = (microseconds(m.us_per_pairing), format!("{:.2} million cycles", m.cycles / 1e6));
        assert!(ours == time || ours == format!("{time}, {cycles}"), "{line}\nthe record says {time}, {cycles}");
        curves.push(curve.to_owned());
    }
    for curve in ["a1-2x512", "a1-2x1024", "a-512", "bn-254n", "bn-638", "bls12-638", "kss18-508", "bls24-509"] {
        assert!(curves.iter().any(|c| c == curve), "{curve} is beside no paper");
    }
}
