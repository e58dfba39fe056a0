//! Logarithmic axes.

/// A map from values in [least, most] to positions in [start, end].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Scale {
    /// Creates an axis for these positive values with a margin on both sides; it spans at least a factor of two.
    pub(super) fn over(values: impl Iterator<Item = f64>, margin: f64, start: f64, end: f64) -> Scale {
        let (low, high) = values.fold((f64::INFINITY, 0f64), |(low, high), x| (low.min(x), high.max(x)));
        let (low, high) = if low <= high { (low, high) } else { (1.0, 1.0) };
        let spread = (high / low).powf(margin).max(if high / low < 2.0 { 1.5 } else { 1.0 });
        Scale { least: low / spread, most: high * spread, start, end }
    }

    pub(super) fn place(&self, x: f64) -> f64 {
        self.start + (x / self.least).ln() / (self.most / self.least).ln() * (self.end - self.start)
    }

    /// Returns round values inside the axis: 1, 2 and 5 of each decade. If these are more than ten, returns only the
    /// decades; if they are fewer than three, adds more steps.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let decades = || (self.least.log10().floor() as i32..=self.most.log10().ceil() as i32).map(|d| 10f64.powi(d));
        let inside = |steps: &[f64]| -> Vec<f64> {
            let all = decades().flat_map(|d| steps.iter().map(move |s| s * d));
            all.filter(|x| (self.least..=self.most).contains(x)).collect()
        };
        let (coarse, middle) = (inside(&[1.0]), inside(&[1.0, 2.0, 5.0]));
        match (coarse.len(), middle.len()) {
            (2.., 11..) => coarse,
            (_, 3..) => middle,
            _ => inside(&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_where_they_should() {
        let scale = Scale { least: 1.0, most: 100.0, start: 200.0, end: 0.0 };
        for (x, place) in [(1.0, 200.0), (10.0, 100.0), (100.0, 0.0)] {
            assert!((scale.place(x) - place).abs() < 1e-9);
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |least, most| Scale { least, most, start: 0.0, end: 1.0 }.ticks();
        assert_eq!(ticks(90.0, 1100.0), [100.0, 200.0, 500.0, 1000.0]);
        assert_eq!(ticks(0.9, 1_100_000.0), [1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0, 1_000_000.0]);
        assert!(ticks(110.0, 220.0).len() >= 2);
    }

    #[test]
    fn an_axis_holds_its_values_and_has_a_width() {
        for values in [vec![], vec![7.0], vec![7.0, 7.1], vec![1.0, 1e6]] {
            let scale = Scale::over(values.iter().copied(), 0.1, 0.0, 100.0);
            assert!(scale.most >= 2.0 * scale.least, "{values:?}");
            assert!(values.iter().all(|x| (0.0..=100.0).contains(&scale.place(*x))), "{values:?}");
        }
    }
}
