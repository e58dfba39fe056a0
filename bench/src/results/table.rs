//! Pairings in batches as a table of Markdown: a row for each job of a curve, a column for each engine and peer.

use super::{Source, merged, places};
use crate::bulk::Work;
use crate::measurement::Measurement;
use crate::names::{is_engine, title};

/// Caption, the table of batches, that of single pairings where there are any, and notes.
pub(super) fn text(sources: &[Source]) -> String {
    let all: Vec<Measurement> = merged(sources).into_iter().filter(|m| m.threads == 1).collect();
    let fast: Vec<&str> = curves(&all).into_iter().filter(|curve| is_fast(sources, curve)).collect();
    let files: Vec<String> =
        sources.iter().map(|source| format!("[{}]({})", name(&source.path), source.path)).collect();
    let mut out = format!(
        "Microseconds per pairing, medians, on one thread: {}. In brackets the time over ours (bold), measured alternately: above 1, ours is \
         faster. From {}.\n\n",
        places(sources),
        files.join(", ")
    );
    out += &table(&parts(&all, shown), &fast);
    let single = parts(&all, single);
    if !single.is_empty() {
        out += "\nOne pairing at a time:\n\n";
        out += &table(&single, &fast);
    }
    if !fast.is_empty() {
        out +=
            "\n¹ The fast power (`--power fast`), a fixed multiple of the exact exponent, as the peers compute it.\n";
    }
    out
}

fn table(parts: &[Vec<&Measurement>], fast: &[&str]) -> String {
    let columns = columns(parts.iter().flatten());
    let heads: Vec<String> = columns.iter().map(|who| head(who)).collect();
    let mut out = format!("| curve | job | batch | {} |\n", heads.join(" | "));
    out += &format!("|---|---|---:|{}\n", "---:|".repeat(columns.len()));
    let mut last = "";
    for part in parts {
        let Measurement { curve, job, batch, .. } = part[0];
        let mark = if fast.contains(&&**curve) { " ¹" } else { "" };
        let label = if *curve == last { String::new() } else { format!("`{curve}`{mark}") };
        let cells: Vec<String> = columns.iter().map(|who| cell(part, who)).collect();
        out += &format!("| {label} | {job} | {batch} | {} |\n", cells.join(" | "));
        last = curve;
    }
    out
}

/// The rows of a table: of each job of each curve what was measured with the size that `choose` takes.
fn parts(all: &[Measurement], choose: impl Fn(&[&Measurement]) -> Option<usize>) -> Vec<Vec<&Measurement>> {
    let mut parts = vec![];
    for curve in curves(all) {
        for work in Work::ALL {
            let own: Vec<&Measurement> = all.iter().filter(|m| m.curve == curve && m.job == work.name()).collect();
            let batch = choose(&own);
            parts.extend(batch.map(|batch| own.into_iter().filter(|m| m.batch == batch).collect()));
        }
    }
    parts
}

/// The curves in order.
fn curves(all: &[Measurement]) -> Vec<&str> {
    distinct(all.iter().filter(|m| Work::ALL.iter().any(|work| work.name() == m.job)).map(|m| &*m.curve))
}

/// Engines, then peers.
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

/// Whether the last record with the curve has fast powers.
fn is_fast(sources: &[Source], curve: &str) -> bool {
    let last = sources.iter().rfind(|source| source.record.measurements.iter().any(|m| m.curve == curve));
    last.is_some_and(Source::is_fast)
}

/// The size of the batch that is shown of a job: the largest that a peer ran beside, or the largest of all if none did.
fn shown(own: &[&Measurement]) -> Option<usize> {
    let beside = own.iter().filter(|m| m.peer.as_ref().is_some_and(|who| !is_engine(who))).map(|m| m.batch).max();
    beside.or(own.iter().map(|m| m.batch).max())
}

/// A batch of one, where that is not shown anyway.
fn single(own: &[&Measurement]) -> Option<usize> {
    own.iter().map(|m| m.batch).find(|batch| *batch == 1 && shown(own) != Some(1))
}

/// A time; with its ratio where it is not ours.
fn cell(own: &[&Measurement], who: &str) -> String {
    let mine = own.iter().find(|m| m.peer.as_deref().unwrap_or(&m.engine) == who);
    mine.map_or(String::new(), |m| match m.ratio {
        Some(ratio) => format!("{} ({}x)", short(m.us_per_pairing), short(ratio)),
        None => format!("**{}**", short(m.us_per_pairing)),
    })
}

/// Three significant digits; whole numbers from 100 on.
fn short(x: f64) -> String {
    let places = [(99.95, 0), (9.995, 1), (0.0, 2)].into_iter().find(|(least, _)| x >= *least).map_or(0, |(_, n)| n);
    format!("{x:.places$}")
}

/// The head of a column.
fn head(who: &str) -> String {
    if is_engine(who) { format!("`{who}`") } else { title(who) }
}

/// A path's last part without its ending.
fn name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".json").unwrap_or(file)
}
