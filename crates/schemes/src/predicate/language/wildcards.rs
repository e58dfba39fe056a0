//! Predicates as patterns of hidden vectors (Boneh and Waters, section 4): a text is one place; a range of integers from i to j
//! fixes two, one that must be 1 (x ≥ i) and one that must be 0 (x ≥ j + 1); one choice must be 1, or else all others 0. Whatever is
//! asked fixes one place at least, in which a missing value is neither.

use super::compile::{Is, Node, Values};
use super::error::PredicateTextError;
use super::schema::{Domain, Number, Schema};
use crate::scalar::Scalar;
use std::collections::{BTreeMap, BTreeSet};

/// The conditions of a conjunction, by attribute.
type Conjunction = BTreeMap<usize, Is>;

/// The pattern of a predicate.
pub(super) fn pattern(schema: &Schema, node: &Node) -> Result<Vec<Option<Scalar>>, PredicateTextError> {
    let mut conjunction = conjunction(schema, node)?;
    let mut pattern = Vec::with_capacity(schema.length());
    for (index, attribute) in schema.attributes.iter().enumerate() {
        let mut places = vec![None; attribute.width()];
        if let Some(is) = conjunction.remove(&index) {
            match (&attribute.domain, &is.values) {
                (Domain::Text, values) => match values.numbers()[..] {
                    [number] => places[0] = Some(number.scalar()),
                    _ => {
                        let (at, attribute) = (is.at, attribute.name.clone());
                        return Err(PredicateTextError::Texts { at, attribute });
                    }
                },
                (Domain::Choice(_), values) => {
                    let wanted: BTreeSet<Number> = values.numbers().into_iter().collect();
                    let is_wanted = |i: usize| wanted.contains(&Number::Index(i as u64));
                    for (i, place) in places[1..].iter_mut().enumerate() {
                        *place = match wanted.len() {
                            1 => is_wanted(i).then(|| 1.into()),
                            _ => (!is_wanted(i)).then(|| 0.into()),
                        };
                    }
                    if places.iter().all(Option::is_none) {
                        places[0] = Some(1.into());
                    }
                }
                (Domain::Integer(..), values) => {
                    let no_range = || PredicateTextError::NoRange { at: is.at, attribute: attribute.name.clone() };
                    let (from, to) = range(values).ok_or_else(no_range)?;
                    // place i tells whether x ≥ i
                    let beyond = places.get_mut(to as usize + 1).map(|place| *place = Some(0.into()));
                    if from > 0 || beyond.is_none() {
                        places[from as usize] = Some(1.into());
                    }
                }
            }
        }
        pattern.extend(places);
    }
    Ok(pattern)
}

/// Both ends of a set of numbers without gaps.
fn range(values: &Values) -> Option<(u64, u64)> {
    match values {
        Values::Range(from, to) => Some((*from, *to)),
        Values::Some(numbers) => match (numbers.first(), numbers.last()) {
            (Some(Number::Index(from)), Some(Number::Index(to))) if to - from + 1 == numbers.len() as u64 => {
                Some((*from, *to))
            }
            _ => None,
        },
    }
}

fn conjunction(schema: &Schema, node: &Node) -> Result<Conjunction, PredicateTextError> {
    match node {
        Node::All => Ok(Conjunction::new()),
        Node::Is(is) => Ok(Conjunction::from([(is.attribute, is.clone())])),
        Node::And(list) => {
            let mut all = Conjunction::new();
            for node in list {
                for (attribute, is) in conjunction(schema, node)? {
                    let is = match all.remove(&attribute) {
                        Some(other) => both(schema, &other, &is)?,
                        None => is,
                    };
                    all.insert(attribute, is);
                }
            }
            Ok(all)
        }
        Node::Or(at, list) => {
            let mut union: Option<Is> = None;
            for node in list {
                let part = conjunction(schema, node)?;
                if part.is_empty() {
                    // everything, or something
                    return Ok(part);
                }
                let mut part = part.into_values();
                let (Some(is), None) = (part.next(), part.next()) else {
                    return Err(PredicateTextError::Or { at: *at });
                };
                union = Some(match union {
                    Some(other) if other.attribute == is.attribute => either(schema, *at, &other, &is)?,
                    Some(_) => return Err(PredicateTextError::Or { at: *at }),
                    None => is,
                });
            }
            Ok(union.into_iter().map(|is| (is.attribute, is)).collect())
        }
    }
}

/// Values that both have.
fn both(schema: &Schema, a: &Is, b: &Is) -> Result<Is, PredicateTextError> {
    let values = match (&a.values, &b.values) {
        (Values::Range(from, to), Values::Range(first, last)) => Some((*from.max(first), *to.min(last)))
            .filter(|(from, to)| from <= to)
            .map(|(from, to)| Values::Range(from, to)),
        (Values::Some(numbers), other) | (other, Values::Some(numbers)) => {
            let common: BTreeSet<Number> = numbers.iter().copied().filter(|number| other.contains(*number)).collect();
            (!common.is_empty()).then_some(Values::Some(common))
        }
    };
    let attribute = || schema.attributes[b.attribute].name.clone();
    let values = values.ok_or_else(|| PredicateTextError::Nothing { at: b.at, attribute: attribute() })?;
    Ok(Is { at: b.at, attribute: b.attribute, values })
}

/// Values that one of them has.
fn either(schema: &Schema, at: usize, a: &Is, b: &Is) -> Result<Is, PredicateTextError> {
    let values = match (range(&a.values), range(&b.values)) {
        // ranges that meet
        (Some((from, to)), Some((first, last))) if from <= last.saturating_add(1) && first <= to.saturating_add(1) => {
            Values::Range(from.min(first), to.max(last))
        }
        _ => match schema.attributes[a.attribute].domain {
            Domain::Integer(..) => {
                let attribute = schema.attributes[a.attribute].name.clone();
                return Err(PredicateTextError::NoRange { at, attribute });
            }
            _ => Values::Some(a.values.numbers().into_iter().chain(b.values.numbers()).collect()),
        },
    };
    Ok(Is { at, attribute: a.attribute, values })
}
