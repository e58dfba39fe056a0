//! Predicates as polynomials in the attributes, which are 0 where the predicate holds (Katz, Sahai, Waters, section
//! 5): "x is one of a_1, …, a_d" is Π (x − a_j), OR is a product, AND is Σ ρ_j·f_j for random ρ_j of 128 bits. The
//! coefficients are the vector v, and the monomials of a row its vector x, so that ⟨x, v⟩ = f(row). If f is a sum
//! whose terms are not all 0, it is 0 with probability at most 2^−128 for each AND.

use super::compile::{Is, Node};
use super::error::PredicateTextError;
use super::schema::{Monomial, Schema};
use bilinear_engine::BigUint;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The coefficients modulo the order, by monomial; coefficients of 0 are absent.
pub(super) type Polynomial = BTreeMap<Monomial, BigUint>;

/// The context of a compilation. The modulus may be a substitute if the question is only what a schema can express.
pub(super) struct Compiler<'a> {
    pub(super) schema: &'a Schema,
    pub(super) monomials: &'a [Monomial],
    pub(super) order: &'a BigUint,
    /// The source of the random numbers for AND.
    pub(super) random: &'a mut dyn FnMut() -> Result<BigUint, getrandom::Error>,
}

/// The reason why a predicate has no polynomial.
pub(super) enum Failure {
    Text(PredicateTextError),
    Randomness(getrandom::Error),
}

impl Compiler<'_> {
    /// Computes the polynomial of a predicate.
    pub(super) fn polynomial(&mut self, node: &Node) -> Result<Polynomial, Failure> {
        match node {
            Node::All => Ok(Polynomial::new()),
            Node::Is(is) => self.one_of(is),
            Node::And(list) => {
                let mut sum = Polynomial::new();
                for node in list {
                    let rho = (self.random)().map_err(Failure::Randomness)?;
                    for (monomial, c) in self.polynomial(node)? {
                        self.add(&mut sum, monomial, &rho * c);
                    }
                }
                Ok(sum)
            }
            Node::Or(at, list) => {
                let mut product = self.constant(BigUint::from(1u8));
                for node in list {
                    let factor = self.polynomial(node)?;
                    product = self.product(*at, &product, &factor)?;
                }
                Ok(product)
            }
        }
    }

    fn one_of(&self, is: &Is) -> Result<Polynomial, Failure> {
        let (attribute, wanted) = (&self.schema.attributes[is.attribute], is.values.count());
        if wanted > attribute.most as u64 {
            let (at, attribute, most) = (is.at, attribute.name.clone(), attribute.most);
            return Err(Failure::Text(PredicateTextError::Values { at, attribute, wanted, most }));
        }
        let mut product = self.constant(BigUint::from(1u8));
        for number in is.values.numbers() {
            let a = BigUint::from_bytes_be(number.scalar().as_ref()) % self.order;
            let mut x = vec![0; self.schema.attributes.len()];
            x[is.attribute] = 1;
            let mut factor = self.constant(self.order - a);
            factor.insert(x, BigUint::from(1u8));
            product = self.product(is.at, &product, &factor)?;
        }
        Ok(product)
    }

    fn constant(&self, c: BigUint) -> Polynomial {
        let mut constant = Polynomial::new();
        self.add(&mut constant, vec![0; self.schema.attributes.len()], c);
        constant
    }

    fn add(&self, sum: &mut Polynomial, monomial: Monomial, c: BigUint) {
        let before = sum.remove(&monomial).unwrap_or_default();
        let c = (before + c) % self.order;
        if c != BigUint::default() {
            sum.insert(monomial, c);
        }
    }

    /// Multiplies two polynomials; fails at the first monomial that vectors of the schema do not have.
    fn product(&self, at: usize, f: &Polynomial, g: &Polynomial) -> Result<Polynomial, Failure> {
        let mut product = Polynomial::new();
        if f.is_empty() || g.is_empty() {
            return Ok(product);
        }
        self.check_degrees(at, f, g)?;
        // the largest monomials come first, since they are the first to exceed the schema
        for ((m, a), (n, b)) in f.iter().rev().flat_map(|f| g.iter().rev().map(move |g| (f, g))) {
            match product.entry(m.iter().zip(n).map(|(d, e)| d + e).collect()) {
                Entry::Occupied(mut sum) => *sum.get_mut() += a * b,
                Entry::Vacant(new) => {
                    self.check(at, new.key())?;
                    new.insert(a * b);
                }
            }
        }
        product.values_mut().for_each(|c| *c %= self.order);
        product.retain(|_, c| *c != BigUint::default());
        Ok(product)
    }

    /// Returns an error if the product of two polynomials has more values of an attribute than the schema allows.
    fn check_degrees(&self, at: usize, f: &Polynomial, g: &Polynomial) -> Result<(), Failure> {
        let degree = |f: &Polynomial, i: usize| f.keys().map(|monomial| monomial[i]).max().unwrap_or_default();
        for (i, attribute) in self.schema.attributes.iter().enumerate() {
            let wanted = u64::from(degree(f, i)) + u64::from(degree(g, i));
            if wanted > attribute.most as u64 {
                let (attribute, most) = (attribute.name.clone(), attribute.most);
                return Err(Failure::Text(PredicateTextError::Values { at, attribute, wanted, most }));
            }
        }
        Ok(())
    }

    /// Returns an error unless the vectors of the schema have a monomial, whose degrees they allow.
    fn check(&self, at: usize, monomial: &Monomial) -> Result<(), Failure> {
        if self.monomials.binary_search(monomial).is_ok() {
            return Ok(());
        }
        let attributes = self.schema.attributes.iter().zip(monomial).filter(|(_, e)| **e > 0);
        let names: BTreeSet<&str> = attributes.map(|(attribute, _)| attribute.name.as_str()).collect();
        let attributes = names.into_iter().collect::<Vec<_>>().join(" and ");
        Err(Failure::Text(PredicateTextError::Joint { at, attributes }))
    }
}
