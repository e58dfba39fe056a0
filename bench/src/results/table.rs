//! Tables in Markdown: a row for each job of a curve, a column for each engine and peer.

use super::least::{least, who};
use super::{Source, merged, places, used};
use crate::bulk::Work;
use crate::measurement::Measurement;
use crate::names::{is_engine, title};

/// Returns the caption, the tables (pairings in batches, single pairings, operations on the field and the groups), and
/// the notes.
pub(super) fn text(sources: &[Source]) -> String {
    let all: Vec<Measurement> = merged(sources).into_iter().filter(|m| m.threads == 1).collect();
    let fast: Vec<&str> = curves(&all).into_iter().filter(|curve| is_fast(sources, curve)).collect();
    let files: Vec<String> =
        used(sources).iter().map(|source| format!("[{}]({})", name(&source.path), source.path)).collect();
    let samples = || all.iter().filter(|m| is_shown(m)).map(|m| m.samples);
    let (fewest, most) = (samples().min().unwrap_or(0), samples().max().unwrap_or(0));
    let mut out = format!(
        "Microseconds of each, the least of {fewest} to {most} samples, on one thread: {}. In brackets the time over ours (bold), measured in \
         turns: above 1, ours is faster. From {}.\n\n",
        places(sources),
        files.join(", ")
    );
    let rows = |choose: fn(&[&Measurement]) -> Option<usize>| pairings(&all, &fast, choose);
    let tables = [("", rows(shown)), ("One pairing at a time:\n\n", rows(single)), ("", operations(&all))];
    let tables = tables.into_iter().filter(|(_, rows)| !rows.is_empty());
    out += &tables.map(|(head, rows)| head.to_owned() + &table(&all, &rows)).collect::<Vec<_>>().join("\n");
    let peers: Vec<&str> = distinct(all.iter().filter(|m| m.job == Work::PreparedProduct.name()).map(who));
    let notes = [
        (
            !fast.is_empty(),
            "¹ The fast power (`--power fast`), a fixed multiple of the exact exponent, as the peers compute it.",
        ),
        (
            peers.iter().any(|who| !is_engine(who)),
            "PBC has no products of prepared arguments: its times there are those of prepared pairings, one by one.",
        ),
    ];
    notes.into_iter().filter(|(is_so, _)| *is_so).for_each(|(_, note)| out += &format!("\n{note}\n"));
    out
}

/// A row of a table: its head cells, and the measurements for it, ours first.
struct Line<'a> {
    heads: Vec<String>,
    own: Vec<&'a Measurement>,
}

/// Returns the rows of pairings: for each job of each curve the measurements of the batch size that `choose` selects.
fn pairings<'a>(
    all: &'a [Measurement],
    fast: &[&str],
    choose: impl Fn(&[&Measurement]) -> Option<usize>,
) -> Vec<Line<'a>> {
    let mut lines = vec![];
    for curve in curves(all) {
        let mark = if fast.contains(&curve) { " ¹" } else { "" };
        let mut label = format!("`{curve}`{mark}");
        for work in Work::ALL {
            let own: Vec<&Measurement> = all.iter().filter(|m| m.curve == curve && m.job == work.name()).collect();
            let Some(batch) = choose(&own) else { continue };
            let heads = vec![std::mem::take(&mut label), work.name().to_owned(), batch.to_string()];
            lines.push(Line { heads, own: own.into_iter().filter(|m| m.batch == batch).collect() });
        }
    }
    lines
}

/// The rungs of the field and the groups, and their names in the tables.
const OPERATIONS: [(&str, &str); 13] = [
    ("field product", "product in F_q"),
    ("field square", "square in F_q"),
    ("reduction", "reduction in F_q"),
    ("inversion", "inversion in F_q"),
    ("point validation", "validation in G1"),
    ("point validation, g2", "validation in G2"),
    ("hash to group", "hash to G1"),
    ("hash to group, g2", "hash to G2"),
    ("point multiplication", "multiplication in G1"),
    ("point multiplication, g2", "multiplication in G2"),
    ("fixed multiplication", "multiple of a fixed point of G1"),
    ("fixed multiplication, g2", "multiple of a fixed point of G2"),
    ("GT power", "power in GT"),
];

/// Returns the rows of operations on the field and the groups: the batch if there is one, with the single operation
/// beside it.
fn operations(all: &[Measurement]) -> Vec<Line<'_>> {
    let mut lines = vec![];
    for curve in distinct(all.iter().map(|m| &*m.curve)) {
        let mut label = format!("`{curve}`");
        for (job, called) in OPERATIONS {
            let mut own: Vec<&Measurement> = all.iter().filter(|m| m.curve == curve && m.job == job).collect();
            let Some(batch) = own.iter().map(|m| m.batch).max() else { continue };
            own.sort_by_key(|m| (m.peer.is_some(), m.batch != batch));
            let heads = vec![std::mem::take(&mut label), called.to_owned(), batch.to_string()];
            lines.push(Line { heads, own });
        }
    }
    lines
}

/// Returns true if a line is about a pairing or an operation.
fn is_shown(m: &Measurement) -> bool {
    Work::ALL.iter().any(|work| work.name() == m.job) || OPERATIONS.iter().any(|(job, _)| *job == m.job)
}

fn table(all: &[Measurement], lines: &[Line<'_>]) -> String {
    let columns = columns(lines.iter().flat_map(|line| &line.own));
    let heads: Vec<String> = columns.iter().map(|who| head(who)).collect();
    let mut out = format!("| curve | job | batch | {} |\n", heads.join(" | "));
    out += &format!("|---|---|---:|{}\n", "---:|".repeat(columns.len()));
    for Line { heads, own } in lines {
        let cells: Vec<String> = columns.iter().map(|who| cell(all, own, who)).collect();
        out += &format!("| {} | {} |\n", heads.join(" | "), cells.join(" | "));
    }
    out
}

/// Returns the curves with pairings, in order.
fn curves(all: &[Measurement]) -> Vec<&str> {
    distinct(all.iter().filter(|m| Work::ALL.iter().any(|work| work.name() == m.job)).map(|m| &*m.curve))
}

/// Returns the names of the columns: engines, then peers.
fn columns<'a>(shown: impl Iterator<Item = &'a &'a Measurement> + Clone) -> Vec<&'a str> {
    let peers = shown.clone().filter_map(|m| m.peer.as_deref());
    let (engines, peers): (Vec<&str>, Vec<&str>) =
        distinct(shown.map(|m| &*m.engine).chain(peers)).into_iter().partition(|who| is_engine(who));
    [engines, peers].concat()
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all = vec![];
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// Returns true if the last record with the curve has fast powers.
fn is_fast(sources: &[Source], curve: &str) -> bool {
    let last = sources.iter().rfind(|source| source.record.measurements.iter().any(|m| m.curve == curve));
    last.is_some_and(Source::is_fast)
}

/// Returns the batch size that is shown for a job: the largest that a peer ran beside, or the largest of all if no peer
/// took part.
fn shown(own: &[&Measurement]) -> Option<usize> {
    let beside = own.iter().filter(|m| m.peer.as_ref().is_some_and(|who| !is_engine(who))).map(|m| m.batch).max();
    beside.or(own.iter().map(|m| m.batch).max())
}

/// Returns a batch size of one, unless that size is shown anyway.
fn single(own: &[&Measurement]) -> Option<usize> {
    own.iter().map(|m| m.batch).find(|batch| *batch == 1 && shown(own) != Some(1))
}

/// Formats a time, with its ratio to ours if it is not ours.
fn cell(all: &[Measurement], own: &[&Measurement], name: &str) -> String {
    let (Some(mine), Some(ours)) = (own.iter().find(|m| who(m) == name), own.first()) else { return String::new() };
    let us = least(all, mine);
    if who(ours) == name {
        return format!("**{}**", short(us));
    }
    format!("{} ({:.*}x)", short(us), decimals(us / ours.us_min).min(2), us / ours.us_min)
}

/// Formats a number with three significant digits, and as a whole number from 100 on.
fn short(x: f64) -> String {
    format!("{x:.*}", decimals(x))
}

/// Returns the number of decimals that gives three significant digits, up to four.
fn decimals(x: f64) -> usize {
    let decimals = [(99.95, 0), (9.995, 1), (0.9995, 2), (0.09995, 3)];
    decimals.into_iter().find(|(least, _)| x >= *least).map_or(4, |(_, n)| n)
}

/// Returns the head of a column.
fn head(who: &str) -> String {
    if is_engine(who) { format!("`{who}`") } else { title(who) }
}

/// Returns the last part of a path, without its extension.
fn name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".json").unwrap_or(file)
}
