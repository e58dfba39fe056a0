//! Tests that our figures in README and in `docs/papers.md` are those of the records named beside them.

use crate::root;
use bilinear_bench::Measurement;
use bilinear_bench::record::Record;
use bilinear_bench::results::least;
use bilinear_bench::search::SearchRecord;
use std::fs;
use std::path::Path;

/// Returns the rows of the table between `<!-- NAME -->` and `<!-- end of NAME -->`, cell by cell.
fn table(page: &Path, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(page).unwrap();
    let (_, rest) = text.split_once(&format!("<!-- {name} -->")).unwrap();
    let (table, _) = rest.split_once(&format!("<!-- end of {name} -->")).unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.trim().lines().skip(2).map(cells).collect()
}

/// Reads the record behind a link, `[text](path from the page's folder)`.
fn record(page: &Path, link: &str) -> Record {
    let path = link.split_once("](").unwrap().1.trim_end_matches(')');
    Record::read(&page.parent().unwrap().join(path)).unwrap()
}

/// Returns the pairings of a curve in a batch, on one thread.
fn pairings<'a>(record: &'a Record, curve: &str, batch: &str) -> Vec<&'a Measurement> {
    let of = |m: &&Measurement| m.curve == curve && m.batch.to_string() == batch && m.threads == 1 && m.job == "pair";
    record.measurements.iter().filter(of).collect()
}

/// Formats a time as the tables do.
fn time(us: f64) -> String {
    if us < 100.0 { format!("{us:.1} µs") } else { format!("{us:.0} µs") }
}

#[test]
fn our_times_beside_the_papers_are_those_of_records() {
    let page = root().join("docs/papers.md");
    let mut curves = vec![];
    for row in table(&page, "times") {
        let [.., figure, source] = &row[..] else { panic!("{row:?}") };
        let [curve, batch, link] = source.split(", ").collect::<Vec<_>>()[..] else { panic!("{row:?}") };
        let curve = curve.trim_matches('`');
        let record = record(&page, link);
        let m = pairings(&record, curve, batch).into_iter().find(|m| m.peer.is_none()).unwrap();
        let time = time(m.us_per_pairing);
        let cycles = format!("{:.2} million cycles", m.cycles / 1e6);
        assert!(*figure == time || *figure == format!("{time}, {cycles}"), "{row:?}: the record says {time}, {cycles}");
        curves.push(curve.to_owned());
    }
    for curve in ["a1-2x512", "a1-2x1024", "a-512", "bn-254n", "bn-638", "bls12-638", "kss18-508", "bls24-509"] {
        assert!(curves.iter().any(|c| c == curve), "{curve} is beside no paper");
    }
}

/// The figures are least times of at least fifteen samples, beside the fastest of the peers.
#[test]
fn the_first_results_are_those_of_records() {
    let page = root().join("README.md");
    let rows = table(&page, "first results");
    assert!(rows.len() > 3);
    for row in rows {
        let [curve, batch, figure, peer, link] = &row[..] else { panic!("{row:?}") };
        let record = record(&page, link);
        let all = pairings(&record, curve.split('`').nth(1).unwrap(), batch);
        let ours = all.iter().find(|m| m.peer.is_none()).unwrap();
        assert_eq!(*figure, time(ours.us_min), "{row:?}");
        assert!(all.iter().all(|m| m.samples >= 15), "{row:?}");
        let peers = all.iter().filter(|m| m.peer.as_ref().is_some_and(|who| who != "mont"));
        let times = peers.map(|m| (least(&record.measurements, m), m.peer.clone().unwrap()));
        let (us, who) = times.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let (beside, digits) = (us / ours.us_min, if us < 10.0 * ours.us_min { 2 } else { 1 });
        let title = if who == "pbc" { "PBC" } else { &who };
        assert_eq!(*peer, format!("{title} {beside:.digits$}x"), "{row:?}");
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
