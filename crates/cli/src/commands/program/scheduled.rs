//! The schedules of programs: how many bundles of products and reductions are issued, and how full the bundles
//! are.

use bilinear_engine::Program;
use bilinear_engine::schedule::{Counts, Schedule};
use serde::Serialize;
use std::fmt::Write;

/// The programs of a curve, scheduled for a machine of a given width.
#[derive(Serialize)]
pub(super) struct Scheduled {
    curve: String,
    /// The number of products or reductions in one bundle.
    width: usize,
    /// How far ahead of its turn an operation may be issued, in operations.
    ahead: usize,
    programs: Vec<Figures>,
}

/// The figures of one program.
#[derive(Serialize)]
struct Figures {
    name: &'static str,
    products: usize,
    product_bundles: usize,
    product_fill: f64,
    reductions: usize,
    reduction_bundles: usize,
    reduction_fill: f64,
    sums: usize,
    forms: usize,
    form_terms: usize,
    reduced_terms: usize,
    inversions: usize,
    /// The number of products on the longest chain.
    depth: usize,
    /// The number of products and reductions on the longest chain.
    chain: usize,
    /// The number of elements alive at a time; an unreduced value counts as two.
    live: usize,
}

impl Figures {
    fn new(name: &'static str, counts: &Counts) -> Self {
        Figures {
            name,
            products: counts.products,
            product_bundles: counts.product_bundles,
            product_fill: counts.product_fill(),
            reductions: counts.reductions,
            reduction_bundles: counts.reduction_bundles,
            reduction_fill: counts.reduction_fill(),
            sums: counts.sums,
            forms: counts.forms,
            form_terms: counts.form_terms,
            reduced_terms: counts.reduced_terms,
            inversions: counts.inversions,
            depth: counts.depth,
            chain: counts.chain,
            live: counts.live,
        }
    }
}

impl Scheduled {
    pub(super) fn new<'p>(
        curve: &str,
        programs: impl Iterator<Item = (&'static str, &'p Program)>,
        [width, ahead]: [usize; 2],
    ) -> Self {
        let figures = programs.map(|(name, p)| Figures::new(name, &Schedule::new(p, width, ahead).counts())).collect();
        Scheduled { curve: curve.to_owned(), width, ahead, programs: figures }
    }

    pub(super) fn table(&self) -> String {
        let Scheduled { curve, width, ahead, programs } = self;
        let mut text = format!(
            "{curve}: one pairing, products or reductions at a time: {width}, operations issued early: up to {ahead}\n"
        );
        for f in programs {
            let _ = writeln!(text, "\n{}:", f.name);
            for (what, operations, bundles, fill) in [
                ("products", f.products, f.product_bundles, f.product_fill),
                ("reductions", f.reductions, f.reduction_bundles, f.reduction_fill),
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
