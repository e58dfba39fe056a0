//! The stored form of a prepared argument: the coefficients of its lines. They are the same in every lane, so they
//! are stored once and broadcast to all lanes.

use bilinear_field::{Extension, Prime};

/// Elements of extensions of F_p, stored as coefficients over F_p in the order of use.
pub struct LineCoefficients<P: Prime>(Vec<P::Uniform>);

/// A reader that returns the stored elements in order.
#[derive(Clone)]
pub struct LineReader<'a, P: Prime>(std::slice::Iter<'a, P::Uniform>);

impl<P: Prime> LineCoefficients<P> {
    /// Creates an empty list.
    pub(crate) fn new() -> Self {
        LineCoefficients(vec![])
    }

    /// Creates the list from residues in the order of use.
    pub fn from_residues(residues: Vec<P::Uniform>) -> Self {
        LineCoefficients(residues)
    }

    /// The residues, in the order of use.
    pub fn residues(&self) -> &[P::Uniform] {
        &self.0
    }

    /// Appends an element that is the same in every lane.
    pub(crate) fn push<E: Extension<Prime = P>>(&mut self, field: &E, x: &E::Elem) {
        field.coefficients(x, &mut |c| self.0.push(field.prime().uniform(c)));
    }

    /// Releases the spare capacity.
    pub(crate) fn complete(mut self) -> Self {
        self.0.shrink_to_fit();
        self
    }

    /// Returns a reader that starts at the first element.
    pub(crate) fn reader(&self) -> LineReader<'_, P> {
        LineReader(self.0.iter())
    }
}

impl<P: Prime> LineReader<'_, P> {
    /// Skips `count` coefficients in F_p.
    pub(crate) fn skip(&mut self, count: usize) {
        self.0.by_ref().take(count).for_each(drop);
    }

    /// Reads the next element. `field` must be the field from which it was pushed.
    pub(crate) fn next<E: Extension<Prime = P>>(&mut self, field: &E, out: &mut E::Elem) {
        field.coefficients_mut(out, &mut |c| {
            let stored = self.0.next().unwrap_or_else(|| unreachable!("as many elements are read as were stored"));
            field.prime().broadcast(c, stored);
        });
    }
}
