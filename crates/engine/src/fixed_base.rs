//! Points that are multiplied repeatedly by secret scalars, with tables of their multiples.

use crate::backend::{Group, MachineTables};
use crate::lanes::{Bulk, Engines, OnEach};
use crate::point::Point;
use crate::system::System;
use bilinear_field::CollectVec;
use bilinear_pairing::booth::{ENTRIES, window_count};
use bilinear_params::Family;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A point with tables of its multiples, for scalars of a limited length.
/// [`Batch::fixed_bases`](crate::Batch::fixed_bases) creates bases, [`Batch::fixed_sums`](crate::Batch::fixed_sums)
/// sums their multiples. Cheap to clone.
///
/// A base for scalars of b bytes has ⌊8b/5⌋ + 1 tables of 16 points, whose coordinates are in the form of an engine: two
/// for each point, and three on types A and A1. On type A1 over a field of 1036 bits a base for scalars of 80 bytes takes
/// 129·48 elements, of 17 words on `mont` (840 kB) and of 21 in lanes (1.04 MB). A system with two engines holds the
/// tables twice if it computes both single sums and many sums.
#[derive(Clone)]
pub struct FixedBase(Arc<Inner>);

struct Inner {
    point: Point,
    /// The length of the longest scalar, in bytes.
    bytes: usize,
    engines: Engines,
    /// The tables; `None` where a table would hold O.
    tables: Option<Tables>,
}

/// The tables in the form of each engine that has used the base.
#[derive(Default)]
struct Tables {
    single: OnceLock<Arc<MachineTables>>,
    bulk: OnEach<Arc<MachineTables>>,
}

impl Tables {
    /// The tables of the engine for batches, or else of the engine for single values.
    fn on(&self, bulk: Option<&Bulk>) -> &OnceLock<Arc<MachineTables>> {
        bulk.map_or(&self.single, |bulk| self.bulk.on(bulk.engine))
    }
}

impl fmt::Debug for FixedBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FixedBase").field("point", self.point()).field("bytes", &self.0.bytes).finish_non_exhaustive()
    }
}

impl FixedBase {
    /// Creates bases of one group; their windows are computed side by side.
    pub(crate) fn of_points(system: &System, group: Group, points: &[Point], bytes: usize) -> Vec<FixedBase> {
        let finite: Vec<&[u8]> = points.iter().filter_map(Point::bytes).collect_vec();
        let (bulk, backend) = (system.bulk_for(finite.len()), system.backend_for(finite.len()));
        let mut made = backend.fixed_tables(group, &finite, window_count(bytes)).into_iter();
        let base = |point: &Point| {
            let own = if point.is_infinity() { None } else { made.next().flatten() };
            let tables = own.map(|own| {
                let tables = Tables::default();
                tables.on(bulk).get_or_init(|| own);
                tables
            });
            FixedBase(Arc::new(Inner { point: point.clone(), bytes, engines: system.engines(), tables }))
        };
        points.iter().map(base).collect_vec()
    }

    /// The point that is multiplied.
    pub fn point(&self) -> &Point {
        &self.0.point
    }

    /// The length in bytes of the longest scalar that the tables serve.
    pub fn byte_len(&self) -> usize {
        self.0.bytes
    }

    /// The number of bytes of the tables of one base for scalars of `bytes` bytes, with encoded coordinates. On `mont` and in lanes the
    /// tables take as much, or up to 2.5 times as much where the modulus just misses a length in words; on `rows` and `rns` more.
    pub fn table_len(system: &System, group: Group, bytes: usize) -> usize {
        let coordinates = if let Family::Supersingular(_) = system.curve().family() { 3 } else { 2 };
        window_count(bytes).saturating_mul(ENTRIES * system.point_len(group) / 2 * coordinates)
    }

    /// Returns true if the base has tables. There are none for O, nor for points for which j·32^i·P is O for a j up to 16, or for 32, and
    /// one of the windows i. The order of such a point is a power of 2 times an odd factor up to 15, so that logarithms are no secret.
    pub fn has_tables(&self) -> bool {
        self.0.tables.is_some()
    }

    pub(crate) fn engines(&self) -> Engines {
        self.0.engines
    }

    /// An identifier that clones of a base share, and no other base has.
    pub(crate) fn id(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Returns true if the tables serve scalars of `bytes` bytes.
    pub(crate) fn serves(&self, bytes: usize) -> bool {
        self.has_tables() && bytes <= self.0.bytes
    }

    /// The tables for one of a system's engines. The base must have tables.
    pub(crate) fn tables(&self, system: &System, values: usize) -> &MachineTables {
        let Inner { point, bytes, tables, .. } = &*self.0;
        let tables = tables.as_ref().unwrap_or_else(|| unreachable!("a base with tables"));
        &**tables.on(system.bulk_for(values)).get_or_init(|| {
            let encoded: Vec<&[u8]> = point.bytes().into_iter().collect_vec();
            let made = system.backend_for(values).fixed_tables(point.group, &encoded, window_count(*bytes));
            made.into_iter().next().flatten().unwrap_or_else(|| unreachable!("another engine made them"))
        })
    }
}
