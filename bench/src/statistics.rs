//! What is reported of a set of samples.

use serde::Serialize;

/// A set of samples in short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The middle one; of an even number, the mean of the two middle ones.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// How many.
    pub count: usize,
}

impl Summary {
    /// Of these samples; `None` if there are none.
    pub fn of(samples: &[f64]) -> Option<Summary> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, count) = (*sorted.first()?, sorted.len());
        let median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        Some(Summary { median, min, count })
    }
}

/// The median of b_i/a_i: how much longer b takes than a, where samples of equal index were taken side by side, so that
/// a drift of the machine cancels. `None` if there are none.
pub fn paired_ratio(a: &[f64], b: &[f64]) -> Option<f64> {
    let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| b / a).collect();
    Summary::of(&ratios).map(|s| s.median)
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
    fn paired_ratios_do_not_see_a_drift() {
        // the machine slows down by a factor of ten, and b takes twice as long as a throughout
        let a: Vec<f64> = (0..10).map(|i| 1.0 + f64::from(i)).collect();
        let b: Vec<f64> = a.iter().map(|a| 2.0 * a).collect();
        assert_eq!(paired_ratio(&a, &b), Some(2.0));
        assert_eq!(paired_ratio(&a, &[]), None);
    }
}
