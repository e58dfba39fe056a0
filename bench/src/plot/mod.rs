//! Draws time per pairing against batch size, one panel per curve: an SVG picture of the results.

mod axes;
mod batches;
mod scale;
mod svg;

pub use batches::{Line, by_batch};

use crate::bulk::Work;
use crate::measurement::Measurement;
use crate::names::{is_engine, title};
use axes::{Axes, Place};
use std::collections::BTreeSet;
use svg::{Anchor, Svg};

/// Jobs and their colours, which colour-blind readers can distinguish (Okabe and Ito, "Color Universal Design", 2008).
const JOBS: [(Work, &str); 4] = [
    (Work::Pair, "#0072b2"),
    (Work::Prepared, "#009e73"),
    (Work::Product, "#d55e00"),
    (Work::PreparedProduct, "#cc79a7"),
];
/// The dash patterns of the peers, in turn.
const DASHES: [&str; 4] = ["7 4", "2 3", "10 3 2 3", "4 2"];
/// The markers, in turn: a disc, or a polygon with this number of corners, whose first corner is turned by this number
/// of degrees from the right.
const MARKERS: [Option<(u32, f64)>; 7] =
    [None, Some((4, 0.0)), Some((3, -90.0)), Some((4, 45.0)), Some((3, 90.0)), Some((5, -90.0)), Some((6, 0.0))];
/// The size of the inside of a panel.
const PANEL: [f64; 2] = [360.0, 300.0];
/// The margins of a panel, for its title and the labels of its axes.
const MARGIN: Margin = Margin { left: 92.0, right: 22.0, top: 34.0, bottom: 54.0 };
const HEAD: f64 = 62.0;
const COLUMNS: usize = 3;
const LEGEND_ROW: f64 = 22.0;
const LEGEND_COLUMN: f64 = 240.0;

struct Margin {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// The contender whose time a line shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    /// One of our engines, on this number of threads.
    Engine { name: String, threads: usize },
    /// A peer.
    Peer(String),
}

/// One line of the picture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    /// Index into [`JOBS`].
    job: usize,
    who: Who,
}

impl Series {
    fn of(m: &Measurement) -> Option<Series> {
        let job = JOBS.iter().position(|(work, _)| work.name() == m.job)?;
        let name = m.peer.as_ref().unwrap_or(&m.engine).clone();
        let who = if is_engine(&name) { Who::Engine { name, threads: m.threads } } else { Who::Peer(name) };
        // no peer has products of prepared arguments: the measured values are its prepared pairings
        let has_it = JOBS[job].0 != Work::PreparedProduct || matches!(who, Who::Engine { .. });
        has_it.then_some(Series { job, who })
    }

    fn is_peer(&self) -> bool {
        matches!(self.who, Who::Peer(_))
    }

    fn colour(&self) -> &'static str {
        JOBS[self.job].1
    }

    fn label(&self) -> String {
        let job = JOBS[self.job].0.name();
        match &self.who {
            Who::Peer(name) | Who::Engine { name, threads: 1 } => format!("{job}, {}", title(name)),
            Who::Engine { name, threads } => format!("{job}, {name}, {threads} threads"),
        }
    }
}

/// The styles of lines, all different: colours show jobs, dashes and hollow markers show peers, and thin lines show
/// engines after the first.
struct Style {
    engines: Vec<String>,
    peers: Vec<String>,
}

impl Style {
    /// Creates the styles for these results; the first engine has the thickest line.
    fn of(drawn: &[&Measurement]) -> Style {
        let mut style = Style { engines: vec![], peers: vec![] };
        let ours = drawn.iter().filter(|m| m.peer.is_none());
        let others = drawn.iter().filter(|m| m.peer.is_some());
        for series in ours.chain(others).filter_map(|m| Series::of(m)) {
            let (names, name) = match series.who {
                Who::Engine { name, .. } => (&mut style.engines, name),
                Who::Peer(name) => (&mut style.peers, name),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        style
    }

    /// Returns the index of a line's engine among the engines, or of its peer among the peers.
    fn place(&self, s: &Series) -> usize {
        let (names, name) = match &s.who {
            Who::Engine { name, .. } => (&self.engines, name),
            Who::Peer(name) => (&self.peers, name),
        };
        names.iter().position(|n| n == name).unwrap_or(0)
    }

    fn stroke(&self, s: &Series) -> String {
        let (colour, place) = (s.colour(), self.place(s));
        if s.is_peer() {
            let dashes = DASHES[place % DASHES.len()];
            return format!("stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{dashes}\"");
        }
        let width = if place == 0 { 2.4 } else { 1.2 };
        format!("stroke=\"{colour}\" stroke-width=\"{width}\"")
    }

    /// Draws a marker: full for one thread of an engine, hollow for more threads and for a peer.
    fn marker(&self, svg: &mut Svg, s: &Series, at: [f64; 2]) {
        let (colour, place) = (s.colour(), self.place(s));
        let is_full = matches!(s.who, Who::Engine { threads: 1, .. });
        let fill = if is_full { colour } else { "white" };
        let style = format!("fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.4\"");
        let radius = 3.6;
        match MARKERS[place % MARKERS.len()] {
            None => svg.circle(at, radius, &style),
            Some((corners, turned)) => {
                let corner = |i| {
                    let angle = (turned + f64::from(360 * i) / f64::from(corners)).to_radians();
                    [at[0] + 1.2 * radius * angle.cos(), at[1] + 1.2 * radius * angle.sin()]
                };
                svg.polygon(&(0..corners).map(corner).collect::<Vec<_>>(), &style);
            }
        }
    }
}

/// Draws the pairings among the results; other rungs are left out. `about` describes the machine on which they were
/// measured.
pub fn draw(about: &str, measurements: &[Measurement]) -> String {
    let drawn: Vec<&Measurement> = measurements.iter().filter(|m| Series::of(m).is_some()).collect();
    let mut curves: Vec<&str> = vec![];
    for m in &drawn {
        if !curves.contains(&&*m.curve) {
            curves.push(&m.curve);
        }
    }
    let style = Style::of(&drawn);
    let series: BTreeSet<Series> = drawn.iter().filter_map(|m| Series::of(m)).collect();

    let cell = [MARGIN.left + PANEL[0] + MARGIN.right, MARGIN.top + PANEL[1] + MARGIN.bottom];
    let columns = columns(curves.len());
    let width = (columns as f64 * cell[0]).max(760.0);
    let panels = curves.len().div_ceil(columns) as f64 * cell[1];
    // one column for each job
    let legend: Vec<Vec<&Series>> = (0..JOBS.len())
        .map(|job| series.iter().filter(|s| s.job == job).collect())
        .filter(|own: &Vec<&Series>| !own.is_empty())
        .collect();
    let legend_rows = legend.iter().map(Vec::len).max().unwrap_or(0);
    let height = HEAD + panels + legend_rows as f64 * LEGEND_ROW + 24.0;

    let mut svg = Svg::new(width, height);
    svg.text([22.0, 30.0], 18.0, Anchor::Start, "font-weight=\"bold\"", "Time per pairing by size of the batch");
    let about = format!("{about}; least times, lower is better");
    svg.text([22.0, 50.0], 12.5, Anchor::Start, "fill=\"#555\"", &about);
    for (i, curve) in curves.iter().enumerate() {
        let corner = [(i % columns) as f64 * cell[0] + MARGIN.left, HEAD + (i / columns) as f64 * cell[1] + MARGIN.top];
        let own: Vec<&Measurement> = drawn.iter().copied().filter(|m| m.curve == **curve).collect();
        panel(&mut svg, corner, curve, &own, &style);
    }
    for (column, own) in legend.iter().enumerate() {
        for (row, s) in own.iter().enumerate() {
            let at = [22.0 + column as f64 * LEGEND_COLUMN, HEAD + panels + 12.0 + row as f64 * LEGEND_ROW];
            svg.line(at, [at[0] + 34.0, at[1]], &style.stroke(s));
            style.marker(&mut svg, s, [at[0] + 17.0, at[1]]);
            svg.text([at[0] + 42.0, at[1] + 4.5], 13.0, Anchor::Start, "", &s.label());
        }
    }
    svg.finish()
}

/// Returns the number of panels in a row: four panels form two rows of two, not a row of three and a single panel.
fn columns(panels: usize) -> usize {
    if panels == 4 { 2 } else { panels.clamp(1, COLUMNS) }
}

fn panel(svg: &mut Svg, [left, top]: [f64; 2], curve: &str, own: &[&Measurement], style: &Style) {
    let points: Vec<(usize, f64)> = own.iter().map(|m| (m.batch, m.us_min)).collect();
    let axes = Axes::new(Place { corner: [left, top], size: PANEL }, &points, [0.06, 0.08]);
    svg.text([left, top - 10.0], 15.0, Anchor::Start, "font-weight=\"bold\"", curve);
    axes.draw(svg, "pairings in a batch, or in a product");

    let series: BTreeSet<Series> = own.iter().filter_map(|m| Series::of(m)).collect();
    // draws peers first, so that our lines stay visible where lines meet
    for s in series.iter().filter(|s| s.is_peer()).chain(series.iter().filter(|s| !s.is_peer())) {
        let mut points: Vec<(usize, f64)> =
            own.iter().filter(|m| Series::of(m).as_ref() == Some(s)).map(|m| (m.batch, m.us_min)).collect();
        points.sort_by_key(|(batch, _)| *batch);
        let one_by_one = s.is_peer() && JOBS[s.job].0 != Work::Product;
        if one_by_one {
            // the time per pairing is the same at every size
            let least = points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
            points = least.into_iter().collect();
        }
        let marked: Vec<[f64; 2]> = points.iter().map(|point| axes.place(*point)).collect();
        match &marked[..] {
            [[_, at]] if one_by_one => svg.polyline(&[[left, *at], [left + PANEL[0], *at]], &style.stroke(s)),
            places => svg.polyline(places, &style.stroke(s)),
        }
        // draws markers over the line, so that hollow ones look hollow
        marked.iter().for_each(|place| style.marker(svg, s, *place));
    }
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
            measurement("a-512", "pair", 64, 390.0, Some("pbc & <co>")),
            measurement("a-512", "prepared-product", 8, 90.0, Some("pbc & <co>")),
            measurement("a-512", "product", 2, 150.0, None),
            measurement("a1-1024", "prepared", 8, 2000.0, None),
            measurement("a1-1024", "field product", 1, 0.1, None),
        ];
        let svg = draw("here", &all);
        well_formed(&svg);
        let count = |text: &str| svg.matches(text).count();
        assert_eq!(count(">a-512</text>") + count(">a1-1024</text>"), 2, "one panel a curve");
        assert_eq!(count("<polyline"), 4, "one line a series");
        assert_eq!(count("pair, PBC (pbc &amp; &lt;co&gt;)</text>"), 1, "one entry in the legend");
        assert!(svg.contains("stroke-dasharray") && !svg.contains("NaN") && !svg.contains("inf"));
    }

    /// The lines of a machine with all engines and peers.
    #[test]
    fn no_two_lines_look_alike() {
        let engines = ["mont", "ifma", "rows", "portable", "hmm"];
        let peers = ["blst", "mcl", "pbc", "gnark-crypto", "arkworks", "relic-bls12-381", "gmp-6.3.0"];
        let own = engines
            .map(|engine| Measurement { engine: engine.to_owned(), ..measurement("a-512", "pair", 1, 1.0, None) });
        let threads = engines.map(|engine| Measurement {
            engine: engine.to_owned(),
            threads: 2,
            ..measurement("a-512", "pair", 1, 1.0, None)
        });
        let others = peers.map(|peer| measurement("a-512", "pair", 1, 1.0, Some(peer)));
        let all: Vec<&Measurement> = own.iter().chain(&threads).chain(&others).collect();
        let style = Style::of(&all);
        let looks: BTreeSet<String> = all
            .iter()
            .filter_map(|m| Series::of(m))
            .map(|s| {
                let mut svg = Svg::new(1.0, 1.0);
                style.marker(&mut svg, &s, [0.0, 0.0]);
                style.stroke(&s) + &svg.finish()
            })
            .collect();
        assert_eq!(looks.len(), all.len());
    }

    #[test]
    fn no_results_give_an_empty_picture() {
        let svg = draw("here", &[]);
        well_formed(&svg);
        assert!(!svg.contains("<polyline"));
    }
}
