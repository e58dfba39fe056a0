//! Ordinary curves y^2 = x^3 + a x + b of embedding degree 1: PBC type E (Koblitz and Menezes, "Pairing-based
//! cryptography at high security levels", 2005).
//!
//! q = h r^2 + 1 and #E(F_q) = q - 1 = h r^2, and r does not divide h. The r-th roots of unity lie in F_q, and so do the
//! pairing's values and all r^2 points of orders that divide r: the exponent of the group divides h r.

use std::borrow::Cow;

use num_bigint::BigUint;
use num_traits::Zero;

use crate::Error;
use crate::extension::ExtensionField;
use crate::integer::is_prime;
use crate::origin::{KeyNames, Origin};
use crate::points::Points;
use crate::solinas::Solinas;
use crate::weierstrass::Equation;
use crate::weil::Weil;

/// The parameters of a curve of embedding degree 1, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DegreeOne {
    parts: Parts,
}

/// The parameters of a description before the consistency checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) q: BigUint,
    pub(crate) r: BigUint,
    pub(crate) h: BigUint,
    pub(crate) a: BigUint,
    pub(crate) b: BigUint,
    pub(crate) form: Option<Solinas>,
    pub(crate) g1: Option<(BigUint, BigUint)>,
    pub(crate) g2: Option<(BigUint, BigUint)>,
}

impl DegreeOne {
    /// The field characteristic, h r^2 + 1.
    pub fn q(&self) -> &BigUint {
        &self.parts.q
    }

    /// The order of the pairing groups, an odd prime.
    pub fn r(&self) -> &BigUint {
        &self.parts.r
    }

    /// (q - 1) / r^2.
    pub fn h(&self) -> &BigUint {
        &self.parts.h
    }

    /// Coefficient of x in the curve equation, below q.
    pub fn a(&self) -> &BigUint {
        &self.parts.a
    }

    /// Constant of the curve equation, below q.
    pub fn b(&self) -> &BigUint {
        &self.parts.b
    }

    /// The form of r as a Solinas prime, if the description gives it.
    pub fn form(&self) -> Option<Solinas> {
        self.parts.form
    }

    /// The embedding degree: 1.
    pub fn k(&self) -> u32 {
        1
    }

    /// Affine coordinates (x, y) of the first generator; it lies on the curve.
    pub fn g1(&self) -> Option<(&BigUint, &BigUint)> {
        self.parts.g1.as_ref().map(|(x, y)| (x, y))
    }

    /// Affine coordinates (x, y) of the second generator, which together with the first one generates the points of
    /// order r. It lies on the curve, in another subgroup than the first one.
    pub fn g2(&self) -> Option<(&BigUint, &BigUint)> {
        self.parts.g2.as_ref().map(|(x, y)| (x, y))
    }

    pub(crate) fn equation(&self) -> Equation<'_> {
        self.parts.equation()
    }

    /// Sets the first generator after checking range and curve equation.
    pub(crate) fn set_g1(&mut self, x: BigUint, y: BigUint, origin: &Origin) -> Result<(), Error> {
        self.equation().check(&x, &y, |of_y| origin.at(if of_y { "g1.y" } else { "g1.x" }))?;
        self.parts.g1 = Some((x, y));
        Ok(())
    }

    /// Sets the second generator after checking range and curve equation.
    pub(crate) fn set_g2(&mut self, x: BigUint, y: BigUint, origin: &Origin) -> Result<(), Error> {
        self.equation().check(&x, &y, |of_y| origin.at(if of_y { "g2.y" } else { "g2.x" }))?;
        self.parts.g2 = Some((x, y));
        Ok(())
    }

    /// Performs the costly half of validation: checks that q and r are prime and that the curve has q - 1 points.
    pub(crate) fn verify(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        if !is_prime(self.q()) {
            return Err(Error::FieldComposite { at: origin.at(&words.parameter("q")) });
        }
        if !is_prime(self.r()) {
            return Err(Error::OrderComposite { at: origin.at(&words.parameter("r")) });
        }
        self.verify_orders(origin, words)
    }

    /// Checks that the curve has q - 1 points, r^2 of them of orders that divide r, and that the generators have
    /// order r and lie in different subgroups.
    fn verify_orders(&self, origin: &Origin, words: KeyNames) -> Result<(), Error> {
        let Parts { q, r, h, a, b, g1, g2, .. } = &self.parts;
        let wrong = |at, reason| Err(Error::WrongOrder { at, reason });
        let curve = Points::new(ExtensionField::base(q), vec![b.clone()]).with_a(vec![a.clone()]);
        if !curve.have_order(&(q - 1u8)) {
            return wrong(origin.at(&words.parameter("b")), "with these a and b the curve does not have q - 1 points");
        }
        // r does not divide h: r^2 points have a power of r as their order, and none of them has the order r^2
        if !curve.have_order(&(h * r)) {
            let reason = "with these a and b the curve does not have r^2 points of orders that divide r";
            return wrong(origin.at(&words.parameter("b")), reason);
        }
        for (key, generator) in [("g1.x", g1), ("g2.x", g2)] {
            if let Some((x, y)) = generator
                && !curve.has_order(r, &(vec![x.clone()], vec![y.clone()]))
            {
                return wrong(origin.at(key), "the order of the generator is not r");
            }
        }
        match (g1, g2) {
            (Some(g1), Some(g2)) if (Weil { q, a }).is_one(r, g1, g2) => {
                wrong(origin.at("g2.x"), "the generators are in one subgroup: their Weil pairing is 1")
            }
            _ => Ok(()),
        }
    }
}

impl Parts {
    fn equation(&self) -> Equation<'_> {
        let (a, b) = (Cow::Borrowed(&self.a), Cow::Borrowed(&self.b));
        Equation { q: &self.q, a, b, text: "y^2 = x^3 + a x + b" }
    }

    /// Performs the cheap half of validation.
    pub(crate) fn check(mut self, origin: &Origin, words: KeyNames) -> Result<DegreeOne, Error> {
        let at = |name: &str| origin.at(&words.parameter(name));
        if self.q < BigUint::from(5u8) {
            return Err(Error::FieldTooSmall { at: at("q") });
        }
        if !self.q.bit(0) {
            return Err(Error::FieldEven { at: at("q") });
        }
        if !self.r.bit(0) || self.r < BigUint::from(3u8) {
            return Err(Error::OrderNotOdd { at: at("r") });
        }
        if &self.h * &self.r * &self.r + 1u8 != self.q {
            return Err(Error::UnitCofactor { at: at("h") });
        }
        if (&self.h % &self.r).is_zero() {
            return Err(Error::CommonFactor { at: at("h") });
        }
        if self.form.is_some_and(|form| form.value().as_ref() != Some(&self.r)) {
            return Err(Error::ExponentForm { at: at("r") });
        }
        self.equation().check_coefficients(|of_b| at(if of_b { "b" } else { "a" }))?;
        let (g1, g2) = (self.g1.take(), self.g2.take());
        let mut curve = DegreeOne { parts: self };
        if let Some((x, y)) = g1 {
            curve.set_g1(x, y, origin)?;
        }
        if let Some((x, y)) = g2 {
            curve.set_g2(x, y, origin)?;
        }
        Ok(curve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Description;
    use crate::extension::products;

    /// A short file in which a large power of 2 divides q - 1 is rejected after a bounded number of products.
    #[test]
    fn work_for_a_hostile_file_is_bounded() {
        let q = |k: &u32| (BigUint::from(9 * k) << 500u32) + 1u8;
        let k = (1u32..).find(|k| is_prime(&q(k))).unwrap_or_default();
        let (q, h) = (q(&k), BigUint::from(k) << 500u32);
        let text = format!("type e\nq {q}\nr 3\nh {h}\na 1\nb 1\nexp2 2\nexp1 1\nsign1 -1\nsign0 1\n");
        let before = products();
        let refused = Description::from_pbc(&text, "f");
        assert!(matches!(refused, Err(Error::WrongOrder { .. })), "{refused:?}");
        assert!(products() - before < 60 * q.bits(), "{} products", products() - before);
    }
}
