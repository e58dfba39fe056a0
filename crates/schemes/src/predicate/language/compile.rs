//! Compiles expressions to conditions on the attributes of a schema, and evaluates these on a row.

use super::error::{PredicateTextError, ValueError};
use super::parse::{Condition, Expression};
use super::schema::{Attribute, Domain, Number, Schema, Value};
use std::collections::BTreeSet;

/// A predicate over the attributes of a schema.
#[derive(Clone, Debug)]
pub(super) enum Node {
    All,
    And(Vec<Node>),
    Or(usize, Vec<Node>),
    Is(Is),
}

/// The condition that an attribute has one of some values.
#[derive(Clone, Debug)]
pub(super) struct Is {
    pub(super) at: usize,
    pub(super) attribute: usize,
    pub(super) values: Values,
}

/// A non-empty set of values of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Some(BTreeSet<Number>),
    /// The numbers from the first to the second, both included.
    Range(u64, u64),
}

impl Values {
    /// The number of values.
    pub(super) fn count(&self) -> u64 {
        match self {
            Values::Some(numbers) => numbers.len() as u64,
            Values::Range(from, to) => to - from + 1,
        }
    }

    pub(super) fn contains(&self, number: Number) -> bool {
        match self {
            Values::Some(numbers) => numbers.contains(&number),
            Values::Range(from, to) => (Number::Index(*from)..=Number::Index(*to)).contains(&number),
        }
    }

    /// Lists all values; only for small sets.
    pub(super) fn numbers(&self) -> Vec<Number> {
        match self {
            Values::Some(numbers) => numbers.iter().copied().collect(),
            Values::Range(from, to) => (*from..=*to).map(Number::Index).collect(),
        }
    }
}

/// Resolves the attributes and values of an expression.
pub(super) fn compile(schema: &Schema, expression: &Expression) -> Result<Node, PredicateTextError> {
    let all = |list: &[Expression]| list.iter().map(|e| compile(schema, e)).collect::<Result<Vec<_>, _>>();
    Ok(match expression {
        Expression::All => Node::All,
        Expression::And(list) => Node::And(all(list)?),
        Expression::Or(at, list) => Node::Or(*at, all(list)?),
        Expression::Is(at, name, condition) => {
            let index = schema.attributes.iter().position(|a| a.name.eq_ignore_ascii_case(name));
            let index = index.ok_or_else(|| PredicateTextError::Unknown {
                at: *at,
                name: name.clone(),
                known: schema.attributes.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", "),
            })?;
            match values(&schema.attributes[index], condition)? {
                Some((at, values)) => Node::Is(Is { at, attribute: index, values }),
                None => Node::All,
            }
        }
    })
}

/// Returns the values of a condition and their position; `None` if all values satisfy it.
fn values(attribute: &Attribute, condition: &Condition) -> Result<Option<(usize, Values)>, PredicateTextError> {
    match condition {
        Condition::Any => Ok(None),
        Condition::In(values) => {
            let at = values.first().map_or(1, |(at, _)| *at);
            let number = |(at, value): &(usize, Value)| {
                let number = attribute.number(value).map_err(|reason| PredicateTextError::Value { at: *at, reason })?;
                Ok(number.unwrap_or_else(|| unreachable!("the grammar has no missing values")))
            };
            Ok(Some((at, Values::Some(values.iter().map(number).collect::<Result<_, PredicateTextError>>()?))))
        }
        Condition::Between(at, from, to) => {
            let Domain::Integer(first, last) = attribute.domain else {
                let attribute_name = attribute.name.clone();
                return Err(PredicateTextError::Order { at: *at, attribute: attribute_name, kind: attribute.kind() });
            };
            let (from, to) = (*from.max(&first), *to.min(&last));
            if from > to {
                return Err(PredicateTextError::Nothing { at: *at, attribute: attribute.name.clone() });
            }
            let index = |x: i64| (i128::from(x) - i128::from(first)) as u64;
            Ok(Some((*at, Values::Range(index(from), index(to)))))
        }
    }
}

/// Returns true if the predicate holds of a row in the clear.
pub(super) fn holds(schema: &Schema, node: &Node, row: &[Value]) -> Result<bool, ValueError> {
    if row.len() != schema.attributes.len() {
        return Err(ValueError::Count { given: row.len(), wanted: schema.attributes.len() });
    }
    let numbers = schema.attributes.iter().zip(row).map(|(attribute, value)| attribute.number(value));
    let numbers: Vec<Option<Number>> = numbers.collect::<Result<_, _>>()?;
    Ok(of_numbers(node, &numbers))
}

fn of_numbers(node: &Node, row: &[Option<Number>]) -> bool {
    match node {
        Node::All => true,
        Node::And(list) => list.iter().all(|node| of_numbers(node, row)),
        Node::Or(_, list) => list.iter().any(|node| of_numbers(node, row)),
        Node::Is(is) => row[is.attribute].is_some_and(|number| is.values.contains(number)),
    }
}
