//! Statistics of sets of samples.

/// The summary of a set of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The middle sample; for an even number of samples, the mean of the two middle ones.
    pub median: f64,
    /// The least sample.
    pub min: f64,
    /// The number of samples.
    pub count: usize,
}

impl Summary {
    /// Summarises samples; `None` if there are none.
    pub fn of(samples: &[f64]) -> Option<Summary> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, count) = (*sorted.first()?, sorted.len());
        let median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        Some(Summary { median, min, count })
    }
}

/// Returns the median of b_i/a_i: how much longer b takes than a, if samples of equal index were taken side by side, so
/// that a drift of the machine cancels. `None` if there are no samples.
pub fn paired_ratio(a: &[f64], b: &[f64]) -> Option<f64> {
    let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| b / a).collect();
    Summary::of(&ratios).map(|s| s.median)
}

/// Returns Welch's t of two sets of samples (Biometrika 34, 1947): the difference of their means over its standard
/// error. 0 if a set has fewer than two samples.
pub fn welch(a: &[f64], b: &[f64]) -> f64 {
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
    };
    if a.len() < 2 || b.len() < 2 {
        return 0.0;
    }
    let ((mean_a, error_a), (mean_b, error_b)) = (moments(a), moments(b));
    let error = (error_a + error_b).sqrt();
    if error == 0.0 { 0.0 } else { (mean_a - mean_b) / error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_minimum() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[3.0]), Some(Summary { median: 3.0, min: 3.0, count: 1 }));
        assert_eq!(Summary::of(&[9.0, 1.0, 2.0]), Some(Summary { median: 2.0, min: 1.0, count: 3 }));
        assert_eq!(Summary::of(&[9.0, 1.0, 2.0, 4.0]), Some(Summary { median: 3.0, min: 1.0, count: 4 }));
    }

    #[test]
    fn means_that_differ() {
        // means 2 and 5, variances 1 and 14/3, of three and four samples
        let t = welch(&[1.0, 2.0, 3.0], &[3.0, 4.0, 5.0, 8.0]);
        assert!((t + 3.0 / (1.0f64 / 3.0 + 14.0 / 3.0 / 4.0).sqrt()).abs() < 1e-12, "{t}");
        assert_eq!(welch(&[1.0], &[2.0, 3.0]), 0.0);
        assert_eq!(welch(&[1.0, 1.0], &[1.0, 1.0]), 0.0);
    }

    #[test]
    fn paired_ratios_do_not_see_a_drift() {
        // the machine slows down by a factor of ten, and b takes twice as long as a throughout
        let a: Vec<f64> = (0..10).map(|i| 1.0 + f64::from(i)).collect();
        let b: Vec<f64> = a.iter().map(|a| 2.0 * a).collect();
        assert_eq!(paired_ratio(&a, &b), Some(2.0));
        assert_eq!(paired_ratio(&a, &[]), None);
    }
}
