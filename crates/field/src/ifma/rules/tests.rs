//! Tests that the range rules hold: windows of estimates, columns, products.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::bounds::Bounds;
use crate::contract::Field;
use crate::ifma::LIMBS;
use crate::ifma::modulus::{LIMB, MAX_SPARE};
use crate::ranges::largest;
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// The range of each column in units of 2^52.
type Ranges = Vec<(i64, i64)>;

fn add(to: &mut [(i64, i64)], by: &[(i64, i64)]) {
    for (to, by) in to.iter_mut().zip(by) {
        *to = (to.0 + by.0, to.1 + by.1);
    }
}

fn subtract(to: &mut [(i64, i64)], by: &[(i64, i64)]) {
    for (to, by) in to.iter_mut().zip(by) {
        *to = (to.0 - by.1, to.1 - by.0);
    }
}

/// The columns of a product by rows: row i adds low halves to columns i to i + L − 1, and high halves to the columns
/// one above.
fn by_rows(l: usize) -> Ranges {
    let mut columns = vec![(0, 0); 2 * l];
    for i in 0..l {
        add(&mut columns[i..i + l], &vec![(0, 1); l]);
        add(&mut columns[i + 1..=i + l], &vec![(0, 1); l]);
    }
    columns
}

/// The columns of a product: by rows, or as P_0 + (M − P_0 − P_2)·X + P_2·X² of build/karatsuba.rs.
fn product(l: usize) -> Ranges {
    if l < 20 || l == 21 {
        return by_rows(l);
    }
    let h = l / 2;
    let half = product(h);
    let mut middle = half.clone();
    add(&mut middle[h..], &vec![(0, 2); h]);
    middle.push((0, 1));
    subtract(&mut middle, &half);
    subtract(&mut middle, &half);
    let mut columns = [half.clone(), half].concat();
    add(&mut columns[h..], &middle);
    columns
}

/// The contributions to each column of the rows or blocks of a reduction, and one more for each carried column.
fn reduction(l: usize) -> Ranges {
    let mut columns = vec![(0, 0); 2 * l];
    if l < BLOCKS as usize {
        add(&mut columns, &by_rows(l));
    } else {
        let h = l / 2;
        for at in [0, h] {
            add(&mut columns[at..], &reduction(h));
            add(&mut columns[at + h..], &product(h));
        }
    }
    add(&mut columns, &vec![(0, 1); 2 * l]);
    columns
}

#[test]
fn what_is_inverted_is_multiplied_first() {
    for (high, violations) in [(2 * P, 0), (P << 6, 1)] {
        let bounds = Bounds::new(&BigUint::from(7u32), Arc::new(LaneRules::new(6, 5, Margin::default())));
        bounds.inv(&mut Range::default(), &Range::new(0, high));
        assert_eq!(bounds.report().violations.len(), violations, "{high}");
    }
}

#[test]
fn columns_keep_their_sign() {
    for l in LIMBS.iter().copied() {
        let (product, mut rest) = (product(l), reduction(l));
        // a limb of the bias, two halves of products of a quotient and a limb, a carry
        add(&mut rest, &vec![(-1, 4); 2 * l]);
        let rules = LaneRules::new(ROOMY, l, Margin::default());
        let largest_column = |n: i64| product.iter().zip(&rest).map(|(p, r)| n * p.1.max(-p.0) + r.1.max(-r.0)).max();
        let most = rules.products();
        assert!(largest_column(most) < Some(1 << 11), "{l} limbs: {most} products");
        // the bound of a product by halves is a round one
        assert!(rules.by_halves() || largest_column(most + 1) >= Some(1 << 11), "{l} limbs: {most} products");
    }
}

/// Examines the rules of each number of limbs and of spare bits, with the greatest modulus p of as many bits.
fn each(mut examine: impl FnMut(LaneRules, &BigUint, &str)) {
    for (l, spare) in LIMBS.iter().flat_map(|l| (MIN_SPARE..=MAX_SPARE).map(|spare| (*l, spare))) {
        let p = (BigUint::one() << (LIMB * l as u64 - spare)) - 1u32;
        examine(LaneRules::new(spare, l, Margin::default()), &p, &format!("{l} limbs, {spare} spare bits"));
    }
}

/// The bound R − 2^-52·R: a value whose quotient is estimated must stay below it.
fn window(rules: LaneRules) -> BigUint {
    let r = BigUint::one() << (LIMB * rules.limbs);
    &r - (&r >> LIMB)
}

#[test]
fn what_is_reduced_fits_its_window() {
    each(|rules, p, what| {
        let reduced = |low: i64, high: i64| rules.reduce(&[plus(&Range::new(low, high))]);
        let high = largest(PR << ROOMY, |high| reduced(0, high).is_ok()).unwrap();
        let low = -largest(PR << ROOMY, |low| reduced(-low, 0).is_ok()).unwrap();
        let bias = rules.bias_wide() as i64 * PR;
        if rules.tight {
            // a multiple of p that a reduction adds before the estimate
            let added = if rules.limbs > HELD { PR } else { 0 };
            let most = ((p * (high + bias + added) as u64) >> 40u32) + 1u32;
            assert!(most <= window(rules) && most + (p >> 7u32) > window(rules), "{what}");
            assert_eq!(low + bias, PR, "{what}: the estimate needs p at least");
        } else {
            assert_eq!(reduced(low, high).unwrap().high, 3 * P + SLACK - 1, "{what}");
            assert_eq!(low + bias, 0, "{what}");
        }
    });
}

#[test]
fn sums_fit_their_window() {
    each(|rules, p, what| {
        let sum = |low: i64, high: i64| rules.sum(&[plus(&Range::new(low, high))]);
        let bias = rules.bias() as i64 * P;
        let high = largest(rules.most(), |high| sum(0, high).is_ok()).unwrap();
        let most = (p * (high + bias) as u64) >> UNIT_BITS;
        assert!(most < window(rules), "{what}");
        assert!(rules.most() < P << rules.spare || most + (p >> 7u32) > window(rules), "{what}");
        let low = -largest(rules.most(), |low| sum(-low, 0).is_ok()).unwrap();
        assert_eq!(low + bias, P, "{what}: the estimate needs p at least");
        // a limb of the bias, two halves of products of a quotient and a limb, a carry
        let weight = largest(1 << 12, |c| rules.biased_sum(&[times(c as i32, &Range::default())]).is_ok());
        assert_eq!(weight, Some((1 << (63 - LIMB)) - 1 - 3), "{what}");
    });
}

#[test]
fn products_are_as_large_as_claimed() {
    each(|rules, p, what| {
        // two spare bits fewer in each factor: the units of the largest products exceed an i64
        let high = rules.most() >> 2;
        let claim = rules.product(Range::new(0, high), Range::new(0, high)).unwrap();
        let top = (p * high as u64) >> UNIT_BITS;
        let units = ((&top * &top) << 40u32) / (p << (LIMB * rules.limbs));
        let claim = BigUint::from(claim.high as u64);
        assert!(claim >= units && claim <= units + 2u32, "{what}");
        let [most, more] = [0, 1].map(|beyond| Range::new(0, rules.most() + beyond));
        assert!(rules.product(most, most).is_ok() && rules.product(most, more).is_err(), "{what}");
    });
}

#[test]
fn columns_are_carried_where_they_are_said_to_be() {
    for l in LIMBS.iter().copied() {
        let has_kernel = l as u64 <= HELD;
        for carries in [false, true] {
            let rules = LaneRules::new(ROOMY, l, Margin { carries, ..Margin::default() });
            let product = rules.product(rules.closed(), rules.closed()).unwrap();
            for (c, is_heavy) in [(1, false), (if has_kernel { 5 } else { 2 }, true)] {
                let columns = rules.lin(&[times(c, &product), times(c, &product)]).unwrap().columns;
                let sum = product.columns.map(|x| 2 * i64::from(c) * x);
                let is_carried = has_kernel && (carries || is_heavy);
                assert_eq!(columns, if is_carried { [-1, 1] } else { sum }, "{l} limbs, {carries}, {c}");
            }
        }
    }
}
