//! Predicates as people write them, over the attributes of a table: `city = 'Lyon' AND age BETWEEN 30 AND 39`.
//!
//! A [`Schema`] says which attributes rows have and how they become vectors. A [`Predicate`] is compiled against a
//! schema, and states its cost before anything is computed.
//!
//! | | hidden vectors | inner products |
//! |---|---|---|
//! | `city = 'Lyon'` | 1 place of a text; 1 of a choice | n elements, whatever is asked; with matrices those of the attributes that are asked for |
//! | `age BETWEEN 30 AND 39`, `<`, `<=`, `>`, `>=` | 2 places | as many values as the range has integers |
//! | `status IN ('new', 'paid')` | of choices, the t − 2 others | 2 values |
//! | `AND` | yes | yes |
//! | `OR`, `IN` | within one choice, or integers that make one range; of a text one value | yes, of attributes that the schema joins |
//! | `age = *`, `*` | 0 places | yes |
//!
//! ```
//! use bilinear_schemes::predicate::language::{Attribute, Predicate, Schema, Value};
//!
//! let schema = Schema::inner_product(
//!     vec![Attribute::text("city").most(2), Attribute::integer("age", 0, 120).most(10)],
//!     &[&["city", "age"]],
//! )?;
//! let predicate = Predicate::new(&schema, "city IN ('Lyon', 'Nice') OR age BETWEEN 30 AND 39")?;
//! assert_eq!(predicate.pairings(), 2 * 33 + 1);
//! assert!(predicate.holds(&[Value::text("Paris"), Value::Integer(30)])?);
//! let wrong = Predicate::new(&schema, "city = Lyon").unwrap_err();
//! assert_eq!(wrong.to_string(), "character 8: expected a value ('text' or a number), found Lyon");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compile;
mod error;
mod lex;
mod parse;
mod polynomial;
mod schema;
mod text;
mod wildcards;

pub use error::{PredicateTextError, SchemaError, SyntaxError, ValueError};
pub use schema::{Attribute, MAX_ATTRIBUTES, MAX_JOINT, Schema, Value};

use super::token::Pattern;
use crate::scalar::Scalar;
use bilinear_engine::BigUint;
use compile::Node;
use polynomial::{Compiler, Failure, Polynomial};
use schema::{Monomial, Shape};
use sha2::{Digest, Sha256};

/// A predicate over the attributes of a schema.
#[derive(Clone, Debug)]
pub struct Predicate {
    schema: Schema,
    node: Node,
    pairings: usize,
}

impl Predicate {
    /// Parses a predicate, and checks that the schema's vectors can express it.
    ///
    /// # Errors
    /// Returns the first error, with its position.
    pub fn new(schema: &Schema, text: &str) -> Result<Predicate, PredicateTextError> {
        let node = compile::compile(schema, &parse::parse(text)?)?;
        let pairings = match &schema.shape {
            Shape::HiddenVector => schema.scheme().pairings(&Pattern::HiddenVector(wildcards::pattern(schema, &node)?)),
            Shape::InnerProduct(_, monomials) => {
                // the set of monomials does not depend on the modulus, if the modulus is large
                let (order, mut count) = (BigUint::from(1u8) << 521, 0u64);
                let mut factor = || {
                    count += 1;
                    Ok(BigUint::from_bytes_be(&Sha256::digest(count.to_be_bytes())[..16]))
                };
                match polynomial(schema, monomials, &node, &order, &mut factor) {
                    Err(Failure::Text(error)) => return Err(error),
                    Err(Failure::Randomness(e)) => unreachable!("these factors do not fail: {e}"),
                    Ok(v) => schema.scheme().pairings(&coefficients(monomials, v)),
                }
            }
        };
        Ok(Predicate { schema: schema.clone(), node, pairings })
    }

    /// The number of pairings that the predicate costs per row.
    pub fn pairings(&self) -> usize {
        self.pairings
    }

    /// Returns true if the predicate holds of a row in the clear.
    ///
    /// # Errors
    /// Returns an error if the row does not fit the schema.
    pub fn holds(&self, row: &[Value]) -> Result<bool, ValueError> {
        compile::holds(&self.schema, &self.node, row)
    }

    /// Creates the pattern from which [`SecretKey::token`](super::SecretKey::token) makes a token, for groups of this
    /// order. For inner products it is a different one each time. Variable time: a predicate is no secret.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn pattern(&self, order: &BigUint) -> Result<Pattern, getrandom::Error> {
        let compiled = "a predicate that was compiled before";
        match &self.schema.shape {
            Shape::HiddenVector => {
                let pattern = wildcards::pattern(&self.schema, &self.node);
                Ok(Pattern::HiddenVector(pattern.unwrap_or_else(|e| unreachable!("{compiled}: {e}"))))
            }
            Shape::InnerProduct(_, monomials) => {
                let mut random = || {
                    let mut bytes = [0; 16];
                    getrandom::fill(&mut bytes)?;
                    Ok(BigUint::from_bytes_be(&bytes))
                };
                let v = match polynomial(&self.schema, monomials, &self.node, order, &mut random) {
                    Ok(v) => v,
                    Err(Failure::Randomness(error)) => return Err(error),
                    Err(Failure::Text(e)) => unreachable!("{compiled}: {e}"),
                };
                Ok(coefficients(monomials, v))
            }
        }
    }
}

/// Returns the vector of a polynomial's coefficients.
fn coefficients(monomials: &[Monomial], mut v: Polynomial) -> Pattern {
    let coefficient = |m: &Monomial| Scalar::from(&v.remove(m).unwrap_or_default());
    Pattern::InnerProduct(monomials.iter().map(coefficient).collect())
}

fn polynomial(
    schema: &Schema,
    monomials: &[Monomial],
    node: &Node,
    order: &BigUint,
    random: &mut dyn FnMut() -> Result<BigUint, getrandom::Error>,
) -> Result<Polynomial, Failure> {
    Compiler { schema, monomials, order, random }.polynomial(node)
}
