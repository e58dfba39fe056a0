//! Products of pairings: one value a group of adjacent rows, with one final exponentiation each.
//!
//! A group may span chunks: its Miller values are multiplied as they come. A job goes on from the first row of a group
//! that was open when it was cut off; the rows before are read again, since they tell which groups are closed.

use super::closed::Closed;
use super::context::{Context, Done, Work};
use super::product::Product;
use super::tally::Tally;
use crate::fault::{Fault, code};
use crate::input::{Chunk, GroupKey, Row};
use crate::output::{Key, Question, Record, Value};
use bilinear_engine::{FixedRows, Miller, PointRef, RowError, Side};

/// The job `gt = product of e(p, q)`, or whether that is 1, for each group.
pub(crate) struct Products {
    context: Context,
    tally: Tally,
    /// The input row to go on from.
    start: u64,
    closed: Closed,
    /// The group that the last row belongs to.
    open: Option<Product>,
    /// A row whose group is unreadable makes its neighbours doubtful: this is for the next one.
    doubt: Option<Fault>,
}

/// What comes out of a chunk, in order.
enum Item {
    Product(Product),
    /// A row whose group is unreadable.
    Orphan(Fault),
}

/// The pairs of a chunk that are to be computed, with their input rows.
#[derive(Default)]
struct Pairs<'c> {
    points: Vec<(PointRef<'c>, PointRef<'c>)>,
    rows: Vec<u64>,
}

impl Products {
    /// A job that goes on after the rows of `tally`.
    pub(crate) fn new(context: Context, tally: Tally) -> Self {
        let start = tally.rows;
        Self { context, tally, start, closed: Closed::default(), open: None, doubt: None }
    }

    /// Sorts the chunk's rows into products. Those that ended, and rows without a group, are added to `items`.
    fn walk<'c>(&mut self, chunk: &'c Chunk, pairs: &mut Pairs<'c>, items: &mut Vec<Item>) {
        if let Some(open) = &mut self.open {
            (open.before, open.pending) = (open.rows, 0..0);
        }
        for (number, row) in (chunk.first..).zip(&chunk.rows) {
            match &row.group {
                Some(group) => {
                    if self.open.as_ref().is_none_or(|open| open.group != *group) {
                        self.close(items);
                        self.begin(group, number, pairs.rows.len());
                    }
                    self.add(chunk, number, row, pairs);
                }
                None => self.orphan(row, items),
            }
        }
    }

    fn begin(&mut self, group: &GroupKey, number: u64, pairs: usize) {
        let mut fault = self.doubt.take();
        if self.closed.contains(group) {
            let field = None;
            let reason = "rows of this group stood further up: the rows of a group must be adjacent".to_owned();
            fault.get_or_insert(Fault { code: code::GROUP_SPLIT, row: number, line: None, field, reason });
        }
        self.open = Some(Product { pending: pairs..pairs, ..Product::new(group.clone(), number, fault) });
    }

    fn add<'c>(&mut self, chunk: &'c Chunk, number: u64, row: &Row, pairs: &mut Pairs<'c>) {
        let Some(product) = &mut self.open else { return };
        product.rows += 1;
        if number < self.start || product.fault.is_some() {
            return;
        }
        match &row.cells {
            Err(fault) => product.fail(fault.clone()),
            Ok(cells) => {
                let index = product.rows - 1;
                match &self.context.fixed {
                    Some(fixed) if index >= fixed.points.len() as u64 => {
                        let reason = format!("the group has more rows than the {} fixed points", fixed.points.len());
                        product.fail(Fault { code: code::FIXED_COUNT, row: number, line: None, field: None, reason });
                    }
                    _ => {
                        if let Err(fault) = self.context.fixed_point(chunk, number, cells, index as usize) {
                            return product.fail(fault);
                        }
                        pairs.points.push((self.context.point(chunk, cells.p()), self.context.point(chunk, cells.q())));
                        pairs.rows.push(number);
                        product.pending.end += 1;
                    }
                }
                if let Some(expect) = cells.expect() {
                    product.expect(number, chunk.get(expect).unwrap_or_default(), &self.context);
                }
            }
        }
    }

    fn orphan(&mut self, row: &Row, items: &mut Vec<Item>) {
        let Err(fault) = &row.cells else { return };
        let doubtful = Fault {
            reason: format!("{}; it stands next to this group and may belong to it", fault.reason),
            ..fault.clone()
        };
        if let Some(open) = &mut self.open {
            open.fail(doubtful.clone());
        }
        self.close(items);
        self.doubt = Some(doubtful);
        if fault.row >= self.start {
            items.push(Item::Orphan(fault.clone()));
        }
    }

    fn close(&mut self, items: &mut Vec<Item>) {
        let Some(mut product) = self.open.take() else { return };
        self.closed.insert(&product.group);
        if product.first >= self.start {
            product.close(&self.context);
            items.push(Item::Product(product));
        }
    }

    /// Multiplies the pending pairs into their products.
    fn multiply(&mut self, pairs: &Pairs<'_>, items: &mut [Item]) {
        let closed = items.iter_mut().filter_map(|item| match item {
            Item::Product(product) => Some(product),
            Item::Orphan(_) => None,
        });
        let products: Vec<_> = closed.chain(&mut self.open).filter(|product| !product.pending.is_empty()).collect();
        let values = miller(&self.context, &pairs.points, &products);
        for (product, value) in products.into_iter().zip(values) {
            match value {
                Err(error) => {
                    let row = pairs.rows.get(error.row).copied().unwrap_or(product.first);
                    product.fail(self.context.fault(row, &error));
                }
                Ok(value) => {
                    product.miller = Some(match &product.miller {
                        None => value,
                        Some(earlier) => self.context.system.join(earlier, &value),
                    });
                }
            }
        }
    }

    /// The records of what has ended.
    fn records(&mut self, items: Vec<Item>) -> Vec<Record> {
        let mut finished = Vec::new();
        for item in &items {
            if let Item::Product(Product { fault: None, miller: Some(miller), .. }) = item {
                finished.push(miller.clone());
            }
        }
        let mut values = self.finish_all(&finished).into_iter();
        let mut records = Vec::with_capacity(items.len());
        for item in items {
            let (group, outcome, rows) = match item {
                Item::Orphan(fault) => (None, Err(fault), 0),
                Item::Product(product) => {
                    let value = if product.fault.is_none() { values.next() } else { None };
                    let outcome = product.outcome(value, &self.context);
                    (Some(product.group), outcome, product.rows)
                }
            };
            let key = Key::Group { group, rows: outcome.is_ok().then_some(rows) };
            let outcome = outcome.map_err(|fault| fault.failure(&self.context.file));
            let record = Record { key, outcome };
            self.tally.add(&record, rows);
            records.push(record);
        }
        records
    }

    fn finish_all(&self, products: &[Miller]) -> Vec<Value> {
        let batch = &self.context.batch;
        match self.context.question {
            Question::Value(_) => batch.finish(products).iter().map(|gt| self.context.value(gt)).collect(),
            Question::IsOne => batch.finish_check(products).into_iter().map(Value::Ok).collect(),
        }
    }

    fn done(&mut self, items: Vec<Item>, end: u64) -> Done {
        let records = self.records(items);
        let whole = self.open.as_ref().map_or(end, |open| open.first);
        self.tally.rows = self.tally.rows.max(whole);
        Done { records, tally: self.tally.clone() }
    }
}

impl Work for Products {
    fn process(&mut self, chunk: &Chunk) -> Done {
        let (mut pairs, mut items) = (Pairs::default(), Vec::new());
        self.walk(chunk, &mut pairs, &mut items);
        self.multiply(&pairs, &mut items);
        self.done(items, chunk.first + chunk.rows.len() as u64)
    }

    fn finish(&mut self) -> Done {
        let end = self.open.as_ref().map_or(self.tally.rows, |open| open.first + open.rows);
        let mut items = Vec::new();
        self.close(&mut items);
        self.done(items, end)
    }
}

fn miller(
    context: &Context,
    pairs: &[(PointRef<'_>, PointRef<'_>)],
    products: &[&mut Product],
) -> Vec<Result<Miller, RowError>> {
    match &context.fixed {
        None => {
            let groups: Vec<_> = products.iter().map(|product| product.pending.clone()).collect();
            context.batch.miller(pairs, &groups)
        }
        Some(fixed) => {
            let moving = |(p, q): &(_, _)| if fixed.side == Side::P { *q } else { *p };
            let others: Vec<_> = pairs.iter().map(moving).collect();
            // a product with more rows than fixed points has failed, so its index is small
            let group = |p: &&mut Product| FixedRows { rows: p.pending.clone(), first_fixed: p.before as usize };
            let groups: Vec<_> = products.iter().map(group).collect();
            context.batch.miller_with(&fixed.points, &others, &groups)
        }
    }
}
