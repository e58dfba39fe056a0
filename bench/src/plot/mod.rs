//! Time per pairing against the size of the batch, one panel a curve: an SVG picture of the results.

mod scale;
mod svg;

use crate::environment::Environment;
use crate::measurement::Measurement;
use crate::table::digits;
use scale::Scale;
use std::collections::BTreeSet;
use svg::{Anchor, Svg};

/// Jobs and their colours, which differ also to eyes that see few (Okabe and Ito, "Color Universal Design", 2008).
const JOBS: [(&str, &str); 3] = [("pair", "#0072b2"), ("prepared", "#009e73"), ("product", "#d55e00")];
/// Dashes of the peers in turn.
const DASHES: [&str; 4] = ["7 4", "2 3", "10 3 2 3", "4 2"];
/// The inside of a panel.
const PANEL: [f64; 2] = [360.0, 300.0];
/// Around a panel: room for its title and the axes' labels.
const MARGIN: Margin = Margin { left: 92.0, right: 22.0, top: 34.0, bottom: 54.0 };
const HEAD: f64 = 62.0;
const COLUMNS: usize = 3;
const LEGEND_ROW: f64 = 22.0;
const LEGEND_COLUMN: f64 = 225.0;

struct Margin {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// One line of the picture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    /// Index into [`JOBS`].
    job: usize,
    peer: Option<String>,
    threads: usize,
}

impl Series {
    fn of(m: &Measurement) -> Option<Series> {
        let job = JOBS.iter().position(|(name, _)| *name == m.job)?;
        Some(Series { job, peer: m.peer.clone(), threads: m.threads })
    }

    fn label(&self) -> String {
        let job = JOBS[self.job].0;
        match &self.peer {
            Some(peer) => format!("{job}, {peer}"),
            None if self.threads == 1 => format!("{job}, ours"),
            None => format!("{job}, ours, {} threads", self.threads),
        }
    }

    fn stroke(&self, peers: &[&str]) -> String {
        let colour = JOBS[self.job].1;
        let peer = self.peer.as_ref().and_then(|peer| peers.iter().position(|p| p == peer));
        match peer {
            Some(i) => {
                format!("stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{}\"", DASHES[i % DASHES.len()])
            }
            None => format!("stroke=\"{colour}\" stroke-width=\"2.2\""),
        }
    }

    /// A disc for one thread, a ring for more, a square for a peer.
    fn marker(&self, svg: &mut Svg, place: [f64; 2]) {
        let colour = JOBS[self.job].1;
        match (&self.peer, self.threads) {
            (Some(_), _) => svg.frame([place[0] - 2.5, place[1] - 2.5], [5.0, 5.0], &format!("fill=\"{colour}\"")),
            (None, 1) => svg.circle(place, 4.0, &format!("fill=\"{colour}\"")),
            (None, _) => svg.circle(place, 4.0, &format!("fill=\"white\" stroke=\"{colour}\" stroke-width=\"2\"")),
        }
    }
}

/// Draws the pairings among the results; other rungs are left out.
pub fn draw(environment: &Environment, measurements: &[Measurement]) -> String {
    let drawn: Vec<&Measurement> = measurements.iter().filter(|m| Series::of(m).is_some()).collect();
    let mut curves: Vec<&str> = vec![];
    for m in &drawn {
        if !curves.contains(&&*m.curve) {
            curves.push(&m.curve);
        }
    }
    let peers: BTreeSet<&str> = drawn.iter().filter_map(|m| m.peer.as_deref()).collect();
    let peers: Vec<&str> = peers.into_iter().collect();
    let series: BTreeSet<Series> = drawn.iter().filter_map(|m| Series::of(m)).collect();

    let cell = [MARGIN.left + PANEL[0] + MARGIN.right, MARGIN.top + PANEL[1] + MARGIN.bottom];
    let columns = curves.len().clamp(1, COLUMNS);
    let width = (columns as f64 * cell[0]).max(760.0);
    let panels = curves.len().div_ceil(columns) as f64 * cell[1];
    let legend_columns = (((width - 2.0 * MARGIN.right) / LEGEND_COLUMN) as usize).max(1);
    let legend_rows = series.len().div_ceil(legend_columns);
    let height = HEAD + panels + legend_rows as f64 * LEGEND_ROW + 24.0;

    let mut svg = Svg::new(width, height);
    svg.text([22.0, 30.0], 18.0, Anchor::Start, "font-weight=\"bold\"", "Time per pairing by size of the batch");
    let day = environment.date.split('T').next().unwrap_or_default();
    let about = format!(
        "{}, {:.1} GHz, commit {}, {day}; medians, lower is better",
        environment.cpu, environment.clock_ghz, environment.commit
    );
    svg.text([22.0, 50.0], 12.5, Anchor::Start, "fill=\"#555\"", &about);
    for (i, curve) in curves.iter().enumerate() {
        let corner = [(i % columns) as f64 * cell[0] + MARGIN.left, HEAD + (i / columns) as f64 * cell[1] + MARGIN.top];
        let own: Vec<&Measurement> = drawn.iter().copied().filter(|m| m.curve == **curve).collect();
        panel(&mut svg, corner, curve, &own, &peers);
    }
    // ordered by columns, so that a job's lines stand together
    for (i, s) in series.iter().enumerate() {
        let (column, row) = (i / legend_rows.max(1), i % legend_rows.max(1));
        let at = [22.0 + column as f64 * LEGEND_COLUMN, HEAD + panels + 12.0 + row as f64 * LEGEND_ROW];
        svg.line(at, [at[0] + 34.0, at[1]], &s.stroke(&peers));
        s.marker(&mut svg, [at[0] + 17.0, at[1]]);
        svg.text([at[0] + 42.0, at[1] + 4.5], 13.0, Anchor::Start, "", &s.label());
    }
    svg.finish()
}

fn panel(svg: &mut Svg, [left, top]: [f64; 2], curve: &str, own: &[&Measurement], peers: &[&str]) {
    let (right, bottom) = (left + PANEL[0], top + PANEL[1]);
    let x = Scale::over(own.iter().map(|m| m.batch as f64), 0.06, left, right);
    let y = Scale::over(own.iter().map(|m| m.us_per_pairing), 0.08, bottom, top);
    svg.text([left, top - 10.0], 15.0, Anchor::Start, "font-weight=\"bold\"", curve);
    for tick in y.ticks() {
        let at = y.place(tick);
        svg.line([left, at], [right, at], "stroke=\"#ddd\"");
        svg.text([left - 7.0, at + 4.5], 12.5, Anchor::End, "", &grouped(tick));
    }
    let batches: BTreeSet<usize> = own.iter().map(|m| m.batch).collect();
    let mut free = left - 20.0;
    for batch in batches {
        let (at, text) = (x.place(batch as f64), batch.to_string());
        svg.line([at, bottom], [at, bottom + 5.0], "stroke=\"#222\"");
        // a label has some 8 pixels a digit; one that would touch its neighbour is left out
        let half = 4.0 * text.len() as f64 + 2.0;
        if at - half >= free {
            svg.text([at, bottom + 20.0], 12.5, Anchor::Middle, "", &text);
            free = at + half;
        }
    }
    svg.frame([left, top], PANEL, "fill=\"none\" stroke=\"#222\"");
    svg.text([left + PANEL[0] / 2.0, bottom + 40.0], 13.0, Anchor::Middle, "", "pairings in a batch, or in a product");
    svg.upright_text([left - 74.0, top + PANEL[1] / 2.0], 13.0, "microseconds per pairing");

    let series: BTreeSet<Series> = own.iter().filter_map(|m| Series::of(m)).collect();
    // peers below, so that ours stay visible where lines meet
    for s in series.iter().filter(|s| s.peer.is_some()).chain(series.iter().filter(|s| s.peer.is_none())) {
        let mut points: Vec<(usize, f64)> =
            own.iter().filter(|m| Series::of(m).as_ref() == Some(s)).map(|m| (m.batch, m.us_per_pairing)).collect();
        points.sort_by_key(|(batch, _)| *batch);
        let mut places: Vec<[f64; 2]> =
            points.iter().map(|(batch, us)| [x.place(*batch as f64), y.place(*us)]).collect();
        places.iter().for_each(|place| s.marker(svg, *place));
        if let (Some(_), false, [[_, at]]) = (&s.peer, JOBS[s.job].0 == "product", &places[..]) {
            // a peer that computes one at a time takes as long for each at every size
            places = vec![[left, *at], [right, *at]];
        }
        svg.polyline(&places, &s.stroke(peers));
    }
}

/// A number with its digits in groups of three.
fn grouped(x: f64) -> String {
    if x < 1000.0 {
        return digits(x).trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let text = format!("{x:.0}");
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && (text.len() - i) % 3 == 0 {
            out.push('\u{2009}');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(curve: &str, job: &str, batch: usize, us: f64, peer: Option<&str>) -> Measurement {
        Measurement {
            curve: curve.to_owned(),
            engine: "mont".to_owned(),
            job: job.to_owned(),
            batch,
            threads: 1,
            us_per_pairing: us,
            us_min: us,
            cycles: 4000.0 * us,
            samples: 3,
            peer: peer.map(str::to_owned),
            ratio: peer.map(|_| 2.0),
        }
    }

    /// Checks that every tag is closed in order and every attribute is quoted.
    fn well_formed(xml: &str) {
        let mut open: Vec<&str> = vec![];
        let mut rest = xml;
        while let Some(start) = rest.find('<') {
            let (text, tag) = rest.split_at(start);
            assert!(!text.contains('>'), "a stray > in {text:?}");
            let end = tag.find('>').unwrap_or_else(|| panic!("an unclosed tag: {tag:?}"));
            let inside = &tag[1..end];
            assert!(inside.matches('"').count() % 2 == 0, "a quote is open: {inside:?}");
            assert!(!inside.contains('&'));
            let name = inside.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
            match (inside.starts_with('/'), inside.ends_with('/')) {
                (true, _) => assert_eq!(open.pop(), Some(name)),
                (false, true) => {}
                (false, false) => open.push(name),
            }
            rest = &tag[end + 1..];
        }
        assert!(open.is_empty(), "left open: {open:?}");
    }

    #[test]
    fn the_picture_is_well_formed_and_complete() {
        let all = [
            measurement("a-512", "pair", 1, 200.0, None),
            measurement("a-512", "pair", 64, 180.0, None),
            measurement("a-512", "pair", 1, 400.0, Some("pbc & <co>")),
            measurement("a-512", "product", 2, 150.0, None),
            measurement("a1-1024", "prepared", 8, 2000.0, None),
            measurement("a1-1024", "field product", 1, 0.1, None),
        ];
        let svg = draw(&Environment::here(), &all);
        well_formed(&svg);
        let count = |text: &str| svg.matches(text).count();
        assert_eq!(count(">a-512</text>") + count(">a1-1024</text>"), 2, "one panel a curve");
        assert_eq!(count("<polyline"), 4, "one line a series");
        assert_eq!(count("pair, pbc &amp; &lt;co&gt;</text>"), 1, "one entry in the legend");
        assert!(svg.contains("stroke-dasharray") && !svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn no_results_give_an_empty_picture() {
        let svg = draw(&Environment::here(), &[]);
        well_formed(&svg);
        assert!(!svg.contains("<polyline"));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0.5), "0.5");
        assert_eq!(grouped(200.0), "200");
        assert_eq!(grouped(20_000.0), "20\u{2009}000");
        assert_eq!(grouped(1_000_000.0), "1\u{2009}000\u{2009}000");
    }
}
