//! What the chains of the hard part are made of: lists of elements of the cyclotomic subgroup, which share inversions. Memory goes
//! round in a pool: in lanes an element is kilobytes, and pages that the system takes back and hands out again cost a tenth of it all.

use super::accumulator::Accumulator;
use super::compressed::{self, Compressed, compress, decompress, spread};
use super::power::Plan;
use super::{Fpk, Sextic};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field};
use std::cell::RefCell;
use std::ops::Deref;

/// Lists that are not in use.
struct Pool<T>(RefCell<Vec<Vec<T>>>);

impl<T> Pool<T> {
    fn new() -> Self {
        Pool(RefCell::new(vec![]))
    }

    fn list(&self, items: impl IntoIterator<Item = T>) -> List<'_, T> {
        let mut list = self.0.borrow_mut().pop().unwrap_or_default();
        list.extend(items);
        List { list, pool: self }
    }
}

/// A list that returns to its pool.
pub(super) struct List<'p, T> {
    list: Vec<T>,
    pool: &'p Pool<T>,
}

impl<T> Deref for List<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.list
    }
}

impl<T> Drop for List<'_, T> {
    fn drop(&mut self) {
        self.list.clear();
        self.pool.0.borrow_mut().push(std::mem::take(&mut self.list));
    }
}

/// Elements of the cyclotomic subgroup.
pub(super) type Values<'p, E> = List<'p, Fpk<E>>;

/// Operations on lists of values.
pub(super) struct Chain<'s, E: Extension, X: NonResidue<E>> {
    pub(super) system: &'s Sextic<E, X>,
    values: Pool<Fpk<E>>,
    /// What powers keep, which is more.
    kept: Pool<Fpk<E>>,
}

impl<'s, E: Extension, X: NonResidue<E>> Chain<'s, E, X> {
    pub(super) fn new(system: &'s Sextic<E, X>) -> Self {
        Chain { system, values: Pool::new(), kept: Pool::new() }
    }

    /// `map` of each.
    fn each(&self, f: &[Fpk<E>], map: impl Fn(&Fpk<E>) -> Fpk<E>) -> Values<'_, E> {
        self.values.list(f.iter().map(map))
    }

    /// f.
    pub(super) fn same(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        self.each(f, Fpk::<E>::clone)
    }

    /// f².
    pub(super) fn squares(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        self.each(f, |x| {
            let mut out = Blank::blank();
            self.system.cyclotomic_square(&mut out, x);
            out
        })
    }

    /// 1/f.
    pub(super) fn inverses(&self, f: &[Fpk<E>]) -> Values<'_, E> {
        self.each(f, |x| self.system.conjugate(x))
    }

    /// f^(p^i).
    pub(super) fn images(&self, f: &[Fpk<E>], i: usize) -> Values<'_, E> {
        self.each(f, |x| self.system.frobenius(x, i))
    }

    /// The products of at least one factor each.
    pub(super) fn products(&self, factors: &[&[Fpk<E>]]) -> Values<'_, E> {
        let (first, rest) = factors.split_first().unwrap_or_else(|| unreachable!("there is a factor"));
        self.values.list(first.iter().enumerate().map(|(i, x)| {
            let mut product = Accumulator::new();
            product.times(self.system, x);
            rest.iter().for_each(|factor| product.times(self.system, &factor[i]));
            product.finish(self.system)
        }))
    }

    /// The powers; at most one inversion for all.
    pub(super) fn powers(&self, f: &[Fpk<E>], plan: &Plan) -> Values<'_, E> {
        let power = if plan.compressed {
            self.by_compression(f, plan)
        } else {
            self.each(f, |x| self.system.by_window(x, plan))
        };
        if plan.negative { self.inverses(&power) } else { power }
    }

    /// With Q_d = Π f^(±2^i) over the digits ±d and T_d = Q_d·Q_(d+2)⋯, the power is T_1·(T_3·T_5⋯)².
    fn by_compression(&self, f: &[Fpk<E>], plan: &Plan) -> Values<'_, E> {
        let (system, target) = (self.system, self.system.target());
        // the digits ≠ 0 of i ≥ 1, and f^(2^i) there
        let apart: Vec<i8> = plan.digits.iter().rev().skip(1).copied().filter(|d| *d != 0).collect();
        let mut kept = self.kept.list([]);
        for f in f {
            let mut places = [compress::<E>(f), Compressed::<E>::blank()];
            let [mut running, mut next] = places.each_mut();
            for d in plan.digits.iter().rev().skip(1) {
                target.routine("compressed square", || compressed::square(target, next, running));
                std::mem::swap(&mut running, &mut next);
                if *d != 0 {
                    kept.list.push(spread::<E>(running));
                }
            }
        }
        decompress(target, &mut kept.list);
        let last = plan.digits.last().copied().filter(|d| *d != 0);
        let combine = |(i, f): (usize, &Fpk<E>)| {
            let powers = &kept[i * apart.len()..][..apart.len()];
            let factors = last.iter().map(|d| (*d, f)).chain(apart.iter().copied().zip(powers));
            let mut sums: Vec<Accumulator<E>> = (0..=plan.tallest()).map(|_| Accumulator::new()).collect();
            for (d, power) in factors {
                sums[usize::from(d.unsigned_abs()) / 2].times(system, &system.signed(power, d));
            }
            // tail = T_d, root = T_d·T_(d+2)⋯
            let (mut tail, mut root) = (Accumulator::new(), Accumulator::new());
            for sum in sums.drain(1..).rev() {
                tail.times_any(system, sum.value());
                root.times_any(system, tail.value());
            }
            root.square(system);
            sums[0].times_any(system, tail.value());
            sums[0].times_any(system, root.value());
            sums[0].finish(system)
        };
        self.values.list(f.iter().enumerate().map(combine))
    }
}
