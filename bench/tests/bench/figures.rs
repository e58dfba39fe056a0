//! Our figures in README and in `docs/papers.md` are those of the records that stand beside them.

use crate::root;
use bilinear_bench::Measurement;
use bilinear_bench::record::Record;
use bilinear_bench::search::SearchRecord;
use std::fs;
use std::path::Path;

/// The rows of the table between `<!-- NAME -->` and `<!-- end of NAME -->`, cell by cell.
fn table(page: &Path, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(page).unwrap();
    let (_, rest) = text.split_once(&format!("<!-- {name} -->")).unwrap();
    let (table, _) = rest.split_once(&format!("<!-- end of {name} -->")).unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.trim().lines().skip(2).map(cells).collect()
}

/// The pairings of a curve, one thread, in a record: `[text](path from the page's folder)`.
fn pairings(page: &Path, link: &str, curve: &str, batch: &str) -> Vec<Measurement> {
    let path = link.split_once("](").unwrap().1.trim_end_matches(')');
    let record = Record::read(&page.parent().unwrap().join(path)).unwrap();
    let of = |m: &Measurement| m.curve == curve && m.batch.to_string() == batch && m.threads == 1 && m.job == "pair";
    record.measurements.into_iter().filter(of).collect()
}

/// Ours among them, as tables write a time.
fn ours(all: &[Measurement]) -> (String, &Measurement) {
    let m = all.iter().find(|m| m.peer.is_none()).unwrap();
    let us = m.us_per_pairing;
    (if us < 100.0 { format!("{us:.1} µs") } else { format!("{us:.0} µs") }, m)
}

#[test]
fn our_times_beside_the_papers_are_those_of_records() {
    let page = root().join("docs/papers.md");
    let mut curves = vec![];
    for row in table(&page, "times") {
        let [.., figure, source] = &row[..] else { panic!("{row:?}") };
        let [curve, batch, link] = source.split(", ").collect::<Vec<_>>()[..] else { panic!("{row:?}") };
        let curve = curve.trim_matches('`');
        let all = pairings(&page, link, curve, batch);
        let (time, m) = ours(&all);
        let cycles = format!("{:.2} million cycles", m.cycles / 1e6);
        assert!(*figure == time || *figure == format!("{time}, {cycles}"), "{row:?}: the record says {time}, {cycles}");
        curves.push(curve.to_owned());
    }
    for curve in ["a1-2x512", "a1-2x1024", "a-512", "bn-254n", "bn-638", "bls12-638", "kss18-508", "bls24-509"] {
        assert!(curves.iter().any(|c| c == curve), "{curve} is beside no paper");
    }
}

#[test]
fn the_first_results_are_those_of_records() {
    let page = root().join("README.md");
    let rows = table(&page, "first results");
    assert!(rows.len() > 3);
    for row in rows {
        let [curve, batch, figure, peer, link] = &row[..] else { panic!("{row:?}") };
        let all = pairings(&page, link, curve.split('`').nth(1).unwrap(), batch);
        assert_eq!(*figure, ours(&all).0, "{row:?}");
        let (who, ratio) = peer.split_once(' ').unwrap();
        let who = if who == "gnark-crypto" { "gnark".to_owned() } else { who.to_lowercase() };
        let beside = all.iter().find(|m| m.peer.as_ref() == Some(&who)).and_then(|m| m.ratio).unwrap();
        let digits = if beside < 10.0 { 2 } else { 1 };
        assert_eq!(ratio, format!("{beside:.digits$}x"), "{row:?}");
    }
}

#[test]
fn predicates_over_both_orders_are_those_of_records() {
    let page = root().join("README.md");
    let rows = table(&page, "predicates");
    let figure = |x: f64| if x < 100.0 { format!("{x:.1}") } else { format!("{x:.0}") };
    let mut levels = vec![];
    for row in &rows {
        let [scheme, curve, bytes, encrypted, searched, link] = &row[..] else { panic!("{row:?}") };
        let path = link.split_once("](").unwrap().1.trim_end_matches(')');
        let record = SearchRecord::read(&root().join(path)).unwrap();
        let scheme = scheme.split(':').next().unwrap();
        let of = |line: &&bilinear_bench::search::Line| {
            line.attributes == 4 && line.scheme == scheme && line.curve == curve.trim_matches('`')
        };
        let line = record.lines.iter().find(of).unwrap();
        assert_eq!(*bytes, line.row_bytes.to_string(), "{row:?}");
        assert_eq!([encrypted, searched], [&figure(line.encrypted), &figure(line.searched)], "{row:?}");
        levels.push(line.security);
    }
    assert!(rows.len() == 4 && levels.iter().all(|level| *level == 126), "{levels:?}");
}
