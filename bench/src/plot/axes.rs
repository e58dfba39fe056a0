//! The axes of a panel, both logarithmic: batch sizes, and microseconds per pairing.

use super::scale::Scale;
use super::svg::{Anchor, Svg};
use crate::table::digits;
use std::collections::BTreeSet;

/// Half the width of a digit of a label.
const HALF_DIGIT: f64 = 4.0;

/// The position and the size of a panel.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) corner: [f64; 2],
    pub(super) size: [f64; 2],
}

/// The axes of a panel, scaled to its points.
pub(super) struct Axes {
    place: Place,
    x: Scale,
    y: Scale,
    sizes: BTreeSet<usize>,
}

impl Axes {
    /// Creates axes for these sizes and times, with these margins on both sides of each axis.
    pub(super) fn new(place: Place, points: &[(usize, f64)], margins: [f64; 2]) -> Axes {
        let Place { corner: [left, top], size: [width, height] } = place;
        let x = Scale::over(points.iter().map(|(size, _)| *size as f64), margins[0], left, left + width);
        let y = Scale::over(points.iter().map(|(_, us)| *us), margins[1], top + height, top);
        Axes { place, x, y, sizes: points.iter().map(|(size, _)| *size).collect() }
    }

    /// Returns the position of a point.
    pub(super) fn place(&self, (size, us): (usize, f64)) -> [f64; 2] {
        [self.x.place(size as f64), self.y.place(us)]
    }

    /// Draws the frame, lines at round times, and a label for each size. A label that would touch its neighbour is left
    /// out. `of` is the caption of the sizes.
    pub(super) fn draw(&self, svg: &mut Svg, of: &str) {
        let Place { corner: [left, top], size: [width, height] } = self.place;
        let (right, bottom) = (left + width, top + height);
        for tick in self.y.ticks() {
            let at = self.y.place(tick);
            svg.line([left, at], [right, at], "stroke=\"#ddd\"");
            svg.text([left - 7.0, at + 4.5], 12.5, Anchor::End, "", &grouped(tick));
        }
        let mut free = left - 20.0;
        for size in &self.sizes {
            let (at, text) = (self.x.place(*size as f64), size.to_string());
            svg.line([at, bottom], [at, bottom + 5.0], "stroke=\"#222\"");
            let half = HALF_DIGIT * text.len() as f64 + 2.0;
            if at - half >= free {
                svg.text([at, bottom + 20.0], 12.5, Anchor::Middle, "", &text);
                free = at + half;
            }
        }
        svg.frame([left, top], self.place.size, "fill=\"none\" stroke=\"#222\"");
        svg.text([left + width / 2.0, bottom + 40.0], 13.0, Anchor::Middle, "", of);
        svg.upright_text([left - 74.0, top + height / 2.0], 13.0, "microseconds per pairing");
    }
}

/// Formats a number with its digits in groups of three.
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

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0.5), "0.5");
        assert_eq!(grouped(200.0), "200");
        assert_eq!(grouped(20_000.0), "20\u{2009}000");
        assert_eq!(grouped(1_000_000.0), "1\u{2009}000\u{2009}000");
    }
}
