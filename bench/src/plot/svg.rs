//! A minimal SVG 1.1 writer: shapes and text at absolute positions, in CSS pixels.

use std::fmt::Write;

/// The part of a text that is placed at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing on a white background.
pub(super) struct Svg {
    body: String,
    size: [f64; 2],
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        Svg { body: String::new(), size: [width, height] }
    }

    pub(super) fn text(&mut self, [x, y]: [f64; 2], size: f64, anchor: Anchor, style: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" {style}>{}</text>",
            escaped(text)
        ));
    }

    /// Draws a text that reads from bottom to top, centred on its position.
    pub(super) fn upright_text(&mut self, [x, y]: [f64; 2], size: f64, text: &str) {
        let turned = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.text([x, y], size, Anchor::Middle, &turned, text);
    }

    /// Draws a line. `style` holds attributes such as `stroke`, which has no other default than none.
    pub(super) fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], style: &str) {
        self.push(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"));
    }

    pub(super) fn polyline(&mut self, points: &[[f64; 2]], style: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.push(format_args!("<polyline points=\"{}\" fill=\"none\" {style}/>", points.join(" ")));
    }

    pub(super) fn polygon(&mut self, points: &[[f64; 2]], style: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.push(format_args!("<polygon points=\"{}\" {style}/>", points.join(" ")));
    }

    pub(super) fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: &str) {
        self.push(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}/>"));
    }

    pub(super) fn frame(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], style: &str) {
        self.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>"
        ));
    }

    pub(super) fn finish(self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"#222\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{}</svg>\n",
            self.body
        )
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // writing to a String cannot fail
        let _ = writeln!(self.body, "{element}");
    }
}

/// Escapes a text for XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 cannot represent control characters
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{7}>"), "a&lt;b &amp; &quot;c&quot; &gt;");
    }
}
