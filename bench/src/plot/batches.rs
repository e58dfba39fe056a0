//! Draws time per pairing against batch size, all curves in one panel, as in Figure 1 of Zhang and others, ACNS 2012,
//! whose curves of prime order are dashed.

use super::axes::{Axes, Place};
use super::svg::{Anchor, Svg};
use super::{HEAD, LEGEND_ROW, MARGIN};

/// Colours that colour-blind readers can distinguish (Okabe and Ito, "Color Universal Design", 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const PANEL: [f64; 2] = [640.0, 420.0];

/// The times of one contender on one curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The curve.
    pub curve: String,
    /// The name of the contender.
    pub who: String,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Whether the line is thin, as a baseline for the others.
    pub thin: bool,
    /// The number of pairings of a batch, and the microseconds per pairing.
    pub points: Vec<(usize, f64)>,
}

impl Line {
    fn stroke(&self, colour: &str) -> String {
        let dashes = if self.dashed { " stroke-dasharray=\"7 4\"" } else { "" };
        format!("stroke=\"{colour}\" stroke-width=\"{}\"{dashes}", if self.thin { 1.0 } else { 2.4 })
    }
}

/// Draws the lines, with a colour for each curve. `about` describes the machine on which they were measured.
pub fn by_batch(about: &str, lines: &[Line]) -> String {
    let mut curves: Vec<&str> = vec![];
    for line in lines {
        if !curves.contains(&&*line.curve) {
            curves.push(&line.curve);
        }
    }
    let colour =
        |line: &Line| COLOURS[curves.iter().position(|curve| *curve == line.curve).unwrap_or(0) % COLOURS.len()];
    let (left, top) = (MARGIN.left, HEAD + 12.0);
    let (right, bottom) = (left + PANEL[0], top + PANEL[1]);
    let all: Vec<(usize, f64)> = lines.iter().flat_map(|line| line.points.clone()).collect();
    let axes = Axes::new(Place { corner: [left, top], size: PANEL }, &all, [0.03, 0.05]);
    let mut svg = Svg::new(right + MARGIN.right, bottom + MARGIN.bottom + lines.len() as f64 * LEGEND_ROW + 12.0);
    svg.text([22.0, 30.0], 18.0, Anchor::Start, "font-weight=\"bold\"", "Time per pairing by size of the batch");
    svg.text([22.0, 50.0], 12.5, Anchor::Start, "fill=\"#555\"", about);
    axes.draw(&mut svg, "pairings in a batch");
    for (row, line) in lines.iter().enumerate() {
        let stroke = line.stroke(colour(line));
        svg.polyline(&line.points.iter().map(|point| axes.place(*point)).collect::<Vec<_>>(), &stroke);
        let at = [22.0, bottom + MARGIN.bottom + 8.0 + row as f64 * LEGEND_ROW];
        svg.line(at, [at[0] + 34.0, at[1]], &stroke);
        svg.text([at[0] + 42.0, at[1] + 4.5], 13.0, Anchor::Start, "", &format!("{}, {}", line.curve, line.who));
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_points_and_a_legend() {
        let line = |curve: &str, dashed, thin, us: f64| Line {
            curve: curve.to_owned(),
            who: if thin { "ifma" } else { "cuda" }.to_owned(),
            dashed,
            thin,
            points: [1, 16, 256, 4096].iter().map(|size| (*size, us * (1.0 + 100.0 / *size as f64))).collect(),
        };
        let lines =
            [line("a1-2x512", false, false, 7.0), line("a-512", true, false, 0.5), line("a-512", true, true, 40.0)];
        let svg = by_batch("a card", &lines);
        assert_eq!(svg.matches("<polyline").count(), 3);
        assert_eq!(svg.matches("stroke-dasharray").count(), 4, "two lines, and both in the legend");
        for words in ["a card", "a1-2x512, cuda", "a-512, ifma", ">4096<", "pairings in a batch"] {
            assert!(svg.contains(words), "{words}");
        }
        // the curve of the first line has a different colour from that of the two others
        assert_eq!([COLOURS[0], COLOURS[1], COLOURS[2]].map(|colour| svg.matches(colour).count()), [2, 4, 0]);
    }
}
