//! Accumulators whose value alternates between the caller's place and one here: a step writes where the last one did not, and
//! nothing is copied. An element of F_p^k in eight lanes is kilobytes.

/// The second place of an accumulator, and whether the value is in it.
#[derive(Clone, Default)]
pub(crate) struct Alternating<T> {
    place: T,
    here: bool,
}

impl<T: Clone> Alternating<T> {
    /// x ← `map`(x), for the x of the caller's place `there`.
    #[inline(always)]
    pub(crate) fn update(&mut self, there: &mut T, map: impl FnOnce(&mut T, &T)) {
        if self.here {
            map(there, &self.place)
        } else {
            map(&mut self.place, there)
        }
        self.here = !self.here;
    }

    /// x, of which the caller's place is `there`.
    pub(crate) fn value<'x>(&'x self, there: &'x T) -> &'x T {
        if self.here { &self.place } else { there }
    }

    /// The caller sets x.
    pub(crate) fn restart(&mut self) {
        self.here = false;
    }

    /// Brings x to the caller's place.
    pub(crate) fn finish(&mut self, there: &mut T) {
        if std::mem::take(&mut self.here) {
            there.clone_from(&self.place);
        }
    }
}
