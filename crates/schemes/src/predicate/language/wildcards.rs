//! Predicates as patterns of hidden vectors (Boneh and Waters, section 4). A text is one position. A range of
//! integers from i to j fixes two positions: one that must be 1 (x ≥ i) and one that must be 0 (x ≥ j + 1). For a
//! single choice its position must be 1; for several choices all other positions must be 0. Every condition fixes at
//! least one position, in which a missing value is neither 0 nor 1.

use super::compile::{Is, Node, Values};
use super::error::PredicateTextError;
use super::schema::{Attribute, Domain, Number, Schema};
use crate::scalar::Scalar;
use std::collections::BTreeMap;

/// The conditions of a conjunction, by attribute; empty if every row satisfies it.
type Conjunction = BTreeMap<usize, Condition>;

/// The values that a condition asks for; there may be none.
struct Condition {
    at: usize,
    ranges: Ranges,
}

/// Numbers of values, as ranges that include both ends, in ascending order; no two overlap or touch.
type Ranges = Vec<(u128, u128)>;

/// Returns the pattern of a predicate.
pub(super) fn pattern(schema: &Schema, node: &Node) -> Result<Vec<Option<Scalar>>, PredicateTextError> {
    let conjunction = conjunction(node)?;
    let mut pattern = Vec::with_capacity(schema.length());
    for (index, attribute) in schema.attributes.iter().enumerate() {
        let mut places = vec![None; attribute.width()];
        if let Some(condition) = conjunction.get(&index) {
            fix(&mut places, attribute, condition)?;
        }
        pattern.extend(places);
    }
    Ok(pattern)
}

/// Fixes the positions of an attribute.
fn fix(places: &mut [Option<Scalar>], attribute: &Attribute, condition: &Condition) -> Result<(), PredicateTextError> {
    let (at, name) = (condition.at, || attribute.name.clone());
    match (&attribute.domain, &condition.ranges[..]) {
        (_, []) => return Err(PredicateTextError::Nothing { at, attribute: name() }),
        (Domain::Text, [(hash, last)]) if hash == last => {
            places[0] = Some(Number::Hash(hash.to_be_bytes()).scalar());
        }
        (Domain::Text, _) => return Err(PredicateTextError::Texts { at, attribute: name() }),
        (Domain::Choice(_), ranges) => {
            let is_wanted = |i: usize| ranges.iter().any(|(from, to)| (*from..=*to).contains(&(i as u128)));
            let wanted = (0..places.len() - 1).filter(|i| is_wanted(*i)).count();
            for (i, place) in places[1..].iter_mut().enumerate() {
                *place = match wanted {
                    1 => is_wanted(i).then(|| 1.into()),
                    _ => (!is_wanted(i)).then(|| 0.into()),
                };
            }
            if places.iter().all(Option::is_none) {
                places[0] = Some(1.into());
            }
        }
        (Domain::Integer(..), [(from, to)]) => {
            // position i tells whether x ≥ i
            let beyond = places.get_mut(*to as usize + 1).map(|place| *place = Some(0.into()));
            if *from > 0 || beyond.is_none() {
                places[*from as usize] = Some(1.into());
            }
        }
        (Domain::Integer(..), _) => return Err(PredicateTextError::NoRange { at, attribute: name() }),
    }
    Ok(())
}

fn conjunction(node: &Node) -> Result<Conjunction, PredicateTextError> {
    match node {
        Node::All => Ok(Conjunction::new()),
        Node::Is(Is { at, attribute, values }) => {
            Ok(Conjunction::from([(*attribute, Condition { at: *at, ranges: ranges(values) })]))
        }
        Node::And(list) => {
            let mut all = Conjunction::new();
            for node in list {
                for (attribute, mut condition) in conjunction(node)? {
                    if let Some(other) = all.remove(&attribute) {
                        condition.ranges = both(&other.ranges, &condition.ranges);
                    }
                    all.insert(attribute, condition);
                }
            }
            Ok(all)
        }
        Node::Or(at, list) => {
            let mut union: Option<(usize, Condition)> = None;
            // a part that no row satisfies adds nothing
            let mut nothing = None;
            for node in list {
                let part = conjunction(node)?;
                if part.is_empty() {
                    // this part holds of every row, and so does the disjunction
                    return Ok(part);
                }
                if part.values().any(|condition| condition.ranges.is_empty()) {
                    nothing = nothing.or(Some(part));
                    continue;
                }
                let mut part = part.into_iter();
                let (Some((attribute, condition)), None) = (part.next(), part.next()) else {
                    return Err(PredicateTextError::Or { at: *at });
                };
                union = Some(match union {
                    Some((same, other)) if same == attribute => {
                        let ranges = joined([other.ranges, condition.ranges].concat());
                        (attribute, Condition { at: *at, ranges })
                    }
                    Some(_) => return Err(PredicateTextError::Or { at: *at }),
                    None => (attribute, condition),
                });
            }
            Ok(union.map(|one| Conjunction::from([one])).or(nothing).unwrap_or_default())
        }
    }
}

/// Returns the numbers of values; a hash is a number as well.
fn ranges(values: &Values) -> Ranges {
    match values {
        Values::Range(from, to) => vec![((*from).into(), (*to).into())],
        Values::Some(numbers) => {
            let number = |number: &Number| match number {
                Number::Index(x) => u128::from(*x),
                Number::Hash(hash) => u128::from_be_bytes(*hash),
            };
            joined(numbers.iter().map(number).map(|x| (x, x)).collect())
        }
    }
}

/// Merges ranges in any order to ascending ranges of which no two overlap or touch.
fn joined(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut joined: Ranges = vec![];
    for (from, to) in ranges {
        match joined.last_mut() {
            Some((_, last)) if from <= last.saturating_add(1) => *last = to.max(*last),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// Intersects two sets of values.
fn both(a: &Ranges, b: &Ranges) -> Ranges {
    let common = |(from, to): &(u128, u128)| {
        let (from, to) = (*from, *to);
        b.iter().map(move |(first, last)| (from.max(*first), to.min(*last))).filter(|(from, to)| from <= to)
    };
    a.iter().flat_map(common).collect()
}
