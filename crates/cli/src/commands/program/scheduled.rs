//! The schedules of programs: how many bundles of products and reductions are issued, and how full the bundles
//! are.

use bilinear_engine::Program;
use bilinear_engine::schedule::{Counts, Schedule};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt::Write;

/// The programs of a curve, scheduled for a machine of a given width.
#[derive(serde::Serialize)]
pub(super) struct Scheduled {
    curve: String,
    /// The number of products or reductions in one bundle.
    width: usize,
    /// How far ahead of its turn an operation may be issued, in operations.
    ahead: usize,
    programs: Vec<Figures>,
}

/// The figures of one program.
struct Figures {
    name: &'static str,
    counts: Counts,
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = &self.counts;
        let mut fields = serializer.serialize_struct("Figures", 15)?;
        fields.serialize_field("name", self.name)?;
        fields.serialize_field("products", &counts.products)?;
        fields.serialize_field("product_bundles", &counts.product_bundles)?;
        fields.serialize_field("product_fill", &counts.product_fill())?;
        fields.serialize_field("reductions", &counts.reductions)?;
        fields.serialize_field("reduction_bundles", &counts.reduction_bundles)?;
        fields.serialize_field("reduction_fill", &counts.reduction_fill())?;
        fields.serialize_field("sums", &counts.sums)?;
        fields.serialize_field("forms", &counts.forms)?;
        fields.serialize_field("form_terms", &counts.form_terms)?;
        fields.serialize_field("reduced_terms", &counts.reduced_terms)?;
        fields.serialize_field("inversions", &counts.inversions)?;
        fields.serialize_field("depth", &counts.depth)?;
        fields.serialize_field("chain", &counts.chain)?;
        fields.serialize_field("live", &counts.live)?;
        fields.end()
    }
}

impl Scheduled {
    pub(super) fn new<'p>(
        curve: &str,
        programs: impl Iterator<Item = (&'static str, &'p Program)>,
        [width, ahead]: [usize; 2],
    ) -> Self {
        let figures =
            programs.map(|(name, p)| Figures { name, counts: Schedule::new(p, width, ahead).counts() }).collect();
        Scheduled { curve: curve.to_owned(), width, ahead, programs: figures }
    }

    pub(super) fn table(&self) -> String {
        let Scheduled { curve, width, ahead, programs } = self;
        let mut text = format!(
            "{curve}: one pairing, products or reductions at a time: {width}, operations issued early: up to {ahead}\n"
        );
        for Figures { name, counts: f } in programs {
            let _ = writeln!(text, "\n{name}:");
            for (what, operations, bundles, fill) in [
                ("products", f.products, f.product_bundles, f.product_fill()),
                ("reductions", f.reductions, f.reduction_bundles, f.reduction_fill()),
            ] {
                let full = 100.0 * fill;
                let _ = writeln!(text, "{operations:>9} {what:<10} in {bundles:>7} bundles, {full:.1} % full");
            }
            let _ = writeln!(text, "{:>9} terms in reduced values", f.reduced_terms);
            let _ = writeln!(text, "{:>9} forms of unreduced values, of {} terms", f.forms, f.form_terms);
            let _ = writeln!(text, "{:>9} sums, selections and truth values", f.sums);
            let _ = writeln!(text, "{:>9} inversions", f.inversions);
            let _ = writeln!(text, "{:>9} products on the longest chain, {} with reductions", f.depth, f.chain);
            let _ = writeln!(text, "{:>9} elements alive at a time", f.live);
        }
        text
    }
}
