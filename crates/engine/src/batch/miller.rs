//! The Miller values of one task: rows are decoded, and their products are computed in one call of an engine.

use super::Batch;
use crate::backend::{Encoded, MachineLines, Owned, PointError, RowError, Side};
use crate::batch::{PreparedRows, Row};
use crate::outcomes::in_place;
use crate::point::{MillerValue, PointRef, Prepared};
use bilinear_field::CollectVec;
use std::ops::Range;
use std::sync::Arc;

impl Batch {
    pub(super) fn decode_side<'a>(
        &self,
        side: Side,
        points: impl Iterator<Item = PointRef<'a>>,
    ) -> std::vec::IntoIter<Result<Owned, PointError>> {
        let (group, points) = (self.system.group(side.group()), points.collect_vec());
        self.system.decode_all(group, &points, self.checks(group)).into_iter()
    }

    /// Decodes groups of rows to pairs of checked points.
    pub(super) fn decoded<R: Row>(
        &self,
        rows: &[R],
        groups: &[Range<usize>],
    ) -> Vec<Result<Vec<(Owned, Owned)>, RowError>> {
        let members = || groups.iter().flat_map(|g| &rows[g.clone()]);
        let mut p = self.decode_side(Side::P, members().map(R::p));
        let mut q = self.decode_side(Side::Q, members().map(R::q));
        groups
            .iter()
            .map(|g| {
                // both iterators must advance over the whole group, even past an invalid row
                let pairs = p.by_ref().zip(q.by_ref()).take(g.len()).collect_vec();
                let pair = |(row, (p, q)): (usize, (Result<_, _>, Result<_, _>))| {
                    let error = |side| move |reason| RowError { row, side, reason };
                    Ok((p.map_err(error(Side::P))?, q.map_err(error(Side::Q))?))
                };
                g.clone().zip(pairs).map(pair).collect()
            })
            .collect_vec()
    }

    /// Computes the Miller products of groups of rows with moving arguments.
    pub(super) fn moving<R: Row>(&self, rows: &[R], groups: &[Range<usize>]) -> Vec<Result<MillerValue, RowError>> {
        let decoded = self.decoded(rows, groups);
        let products: Vec<Vec<[Encoded<'_>; 2]>> = decoded
            .iter()
            .flatten()
            .map(|pairs| pairs.iter().map(|(p, q)| [p.as_deref(), q.as_deref()]).collect_vec())
            .collect_vec();
        let meets = products.iter().flatten().all(|[p, q]| p.is_some() && q.is_some());
        let few = self.system.few().filter(|_| meets);
        let few = few.and_then(|few| few.take(few.pairs(products.iter().map(Vec::len))));
        let backend = few.as_deref().unwrap_or_else(|| self.system.backend_for(products.len()));
        let values = backend.miller(&products);
        self.outcomes(decoded, values)
    }

    /// Computes the Miller products of groups of rows with prepared arguments.
    pub(super) fn prepared(
        &self,
        fixed: &[Prepared],
        others: &[PointRef<'_>],
        groups: &[PreparedRows],
    ) -> Vec<Result<MillerValue, RowError>> {
        fixed.iter().for_each(|f| self.system.owns_prepared(f));
        let members = groups.iter().flat_map(|g| &others[g.rows.clone()]).copied();
        let mut others = self.decode_side(self.system.fixed_side().other(), members);
        let decoded: Vec<Result<Vec<(usize, Owned)>, RowError>> = groups
            .iter()
            .map(|g| {
                let points = others.by_ref().take(g.rows.len()).collect_vec();
                let point = |(i, point): (usize, Result<Owned, _>)| {
                    // either argument may be fixed on a symmetric curve
                    let side = fixed[g.first_prepared + i].side.other();
                    point.map(|point| (g.first_prepared + i, point)).map_err(|reason| RowError {
                        row: g.rows.start + i,
                        side,
                        reason,
                    })
                };
                points.into_iter().enumerate().map(point).collect()
            })
            .collect_vec();
        let count = decoded.iter().flatten().count();
        // O has no lines, and a pair with O counts as 1
        let met = |(i, point): &&(usize, Owned)| fixed[*i].lines.is_some() && point.is_some();
        let sizes = decoded.iter().flatten().map(|points| points.iter().filter(met).count());
        let few = self.system.few().and_then(|few| few.take(few.lines(sizes)));
        let lines = |i: usize| {
            let lines = fixed[i].lines.as_deref()?;
            Some(few.as_deref().map_or_else(|| lines.of(&self.system, count), |few| lines.of_few(few)))
        };
        let products: Vec<Vec<(Option<&MachineLines>, Encoded<'_>)>> = decoded
            .iter()
            .flatten()
            .map(|points| points.iter().map(|(i, point)| (lines(*i), point.as_deref())).collect_vec())
            .collect_vec();
        let backend = few.as_deref().unwrap_or_else(|| self.system.backend_for(count));
        let values = backend.miller_prepared(&products);
        self.outcomes(decoded, values)
    }

    /// Puts the values of the valid groups in the places of their groups.
    fn outcomes<T>(
        &self,
        decoded: Vec<Result<T, RowError>>,
        values: Vec<Arc<[u8]>>,
    ) -> Vec<Result<MillerValue, RowError>> {
        in_place(decoded, |_| values.into_iter().map(|value| self.system.miller(value)).collect_vec())
    }
}
