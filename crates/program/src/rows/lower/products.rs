//! Bundles of products: whole triples by Karatsuba's method first, factors that the kernel adds up, and triples whose
//! products are not in one bundle.

use super::{Lower, Parts, Value, price};
use crate::op::Ref;
use crate::program::Op;
use crate::rows::calls::{Call, Form, Name};
use bilinear_field::CollectVec;
use bilinear_field::Kind;
use bilinear_field::rows::{Factors, Kernel};

impl Lower<'_> {
    /// Returns a value as a factor of a product.
    fn factor(&self, x: Ref) -> Form {
        match self.value(x) {
            Value::Row(name) => Form::of(name),
            Value::Sum(form) => form,
            Value::Part | Value::Mask(_) => unreachable!("a checked schedule multiplies elements"),
        }
    }

    pub(super) fn product(&mut self, ops: &[Op]) {
        // whole triples first, as many as the kernel takes
        let made: Vec<usize> = ops.iter().map(|op| op.value as usize).collect_vec();
        let number = |value: &usize| made.iter().position(|v| v == value);
        let whole = |i: usize| {
            let (triple, place) = self.pairs.of[made[i]]?;
            let numbers: Option<Vec<usize>> = self.pairs.triples[triple].iter().map(number).collect();
            numbers.filter(|_| place == 2)
        };
        let mut order: Vec<usize> =
            (0..ops.len()).filter_map(whole).take(usize::from(Kernel::PAIRS)).flatten().collect_vec();
        let pairs = order.len() / 3;
        order.extend((0..ops.len()).filter(|i| !order.contains(i)).collect_vec());

        let operands: Vec<[Ref; 2]> = order
            .iter()
            .map(|i| {
                let operands = self.operands(&ops[*i]);
                [operands[0].value, operands[operands.len() - 1].value]
            })
            .collect_vec();
        let mut distinct: Vec<Ref> = operands.concat();
        distinct.sort_unstable();
        distinct.dedup();
        // factors whose sum the kernel does not take are made first
        let beyond = |lower: &Self, factors: Factors| -> Vec<Ref> {
            distinct.iter().filter(|x| !lower.factor(**x).fits(factors.terms())).copied().collect_vec()
        };
        let cost = |f: &Factors| price::PRODUCTS[*f as usize] + price::FORM * beyond(self, *f).len();
        let factors = Factors::ALL.into_iter().min_by_key(cost).unwrap_or(Factors::Differences);
        for x in beyond(self, factors) {
            self.row(x);
        }
        let operands: Vec<[Form; 2]> = operands.iter().map(|both| both.map(|x| self.factor(x))).collect_vec();
        operands.iter().flatten().for_each(|form| {
            self.weigh(form);
        });

        let mut results = vec![Name::NOWHERE; ops.len()];
        self.values.extend(ops.iter().map(|_| Value::Part));
        for (lane, i) in order.into_iter().enumerate() {
            if lane < 3 * pairs && lane % 3 == 1 {
                continue;
            }
            let name = self.name(Kind::Wide, 1);
            results[lane] = name;
            match self.pairs.of[made[i]] {
                Some((triple, 2)) if lane < 3 * pairs => self.parts[triple].made = Some([results[lane - 2], name]),
                Some(_) if lane < 3 * pairs => {}
                Some((triple, place)) => self.parts[triple].products[place] = Some(name),
                None => self.values[made[i]] = Value::Row(name),
            }
        }
        let reads: Vec<Name> = operands.iter().flatten().flat_map(Form::names).collect_vec();
        self.call(reads, Call::Product { factors, pairs, operands, results });
        self.pair(&made);
    }

    /// Makes u − v and w − u − v of the triples whose last product is among these.
    fn pair(&mut self, made: &[usize]) {
        for value in made {
            let Some((triple, _)) = self.pairs.of[*value] else { continue };
            let Parts { products: [Some(u), Some(v), Some(w)], made: None } = self.parts[triple] else { continue };
            let first = self.make(self.wide, Form { plus: vec![u], minus: vec![v] });
            let second = self.make(self.wide, Form { plus: vec![w], minus: vec![u, v] });
            self.parts[triple].made = Some([first, second]);
        }
    }
}
