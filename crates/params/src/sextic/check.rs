//! Consistency checks for descriptions with a sextic twist.
//!
//! Structure (every load): the seed's congruences, ranges, b other than 0, and the generators on their curves.
//! [`Sextic::verify`] adds the checks that cost exponentiations: the hash maps (`suite.rs`), that p and r are
//! primes, that beta is a non-residue of F_p, that xi is neither a square nor a cube in F_{p^2}. Then the tower is
//! a tower of fields: w^6 = xi, for k = 24 w^12 = xi and for k = 48 w^24 = xi, is irreducible, since 2 and 3 are
//! the only primes in the degree and p^2 = 1 mod 12 (Lidl and Niederreiter, "Finite Fields", theorem 3.75). For
//! k = 18 the same holds of w^18 = beta with p = 1 mod 6. Residues of F_{p^2} are recognised by the norm:
//! xi^((p^2 - 1)/n) = N(xi)^((p - 1)/n).

use std::borrow::Cow;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::{ExtensionPoint, Numbers, Sextic, SexticKind, Tower, Twist, seed};
use crate::extension::ExtensionField;
use crate::integer::{MAX_FIELD_BITS, is_power, is_prime, residue};
use crate::origin::{KeyNames, Origin};
use crate::weierstrass::Equation;
use crate::{Error, Location, Suite, suite};

/// The names of the integers in the format of a description.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    pub(crate) seed: &'static str,
    pub(crate) order: &'static str,
    pub(crate) b: &'static str,
    pub(crate) twist: &'static str,
    pub(crate) beta: &'static str,
    /// The names of the two parts of xi.
    pub(crate) xi: [&'static str; 2],
}

impl Keys {
    /// Returns the names in a format. The seed of a PBC file is implied in its q.
    pub(crate) fn new(words: KeyNames) -> Self {
        match words {
            KeyNames::Toml => Self {
                seed: "parameters.u",
                order: "parameters.u",
                b: "parameters.b",
                twist: "parameters.twist",
                beta: "tower.beta",
                xi: ["tower.xi"; 2],
            },
            KeyNames::Pbc => {
                Self { seed: "q", order: "r", b: "b", twist: "alpha0", beta: "beta", xi: ["alpha0", "alpha1"] }
            }
        }
    }
}

/// The parameters of a description before the consistency checks.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) kind: SexticKind,
    pub(crate) u: BigInt,
    pub(crate) b: Option<BigInt>,
    pub(crate) twist: Option<Twist>,
    pub(crate) tower: Option<Tower>,
    pub(crate) g1: Option<(BigUint, BigUint)>,
    pub(crate) g2: Option<ExtensionPoint>,
    pub(crate) suites: [Option<suite::Parts>; 2],
}

impl Parts {
    /// Performs the cheap half of validation and derives the numbers that the seed determines.
    pub(crate) fn check(self, origin: &Origin, keys: &Keys) -> Result<Sextic, Error> {
        let Self { kind, u, b, twist, tower, g1, g2, suites } = self;
        let at = origin.at(keys.seed);
        let Numbers { p, r, t, h1, h2 } = seed::numbers(kind, &u).map_err(|refusal| match refusal {
            seed::Refusal::Congruence(polynomial, divisor) => Error::SeedCongruence { at, polynomial, divisor },
            seed::Refusal::TooLarge => Error::SeedTooLarge { at, limit: MAX_FIELD_BITS },
            seed::Refusal::TooSmall => Error::SeedTooSmall { at },
        })?;
        let mut curve = Sextic {
            kind,
            u,
            p,
            r,
            t,
            h1,
            h2,
            b: None,
            twist: None,
            tower: None,
            g1: None,
            g2: None,
            suites: [None, None],
        };
        if let Some(b) = b {
            curve.b = Some(curve.constant(&b, || origin.at(keys.b))?);
        }
        if let Some(tower) = tower {
            curve.check_tower(&tower, origin, keys)?;
            curve.tower = Some(tower);
        }
        if twist.is_some() && curve.tower.is_none() {
            return Err(Error::NeedsKey { at: origin.at(keys.twist), key: "tower" });
        }
        curve.twist = twist;
        if let Some((x, y)) = g1 {
            curve.set_g1(x, y, origin)?;
        }
        if let Some((x, y)) = g2 {
            curve.set_g2(x, y, origin)?;
        }
        for (i, parts) in suites.into_iter().enumerate() {
            let Some(parts) = parts else { continue };
            let suite = {
                let (field, _) = curve.equation_over(i, || suite_key(i, "z", origin))?;
                Suite::new(parts, &field, |key| suite_key(i, key, origin))?
            };
            curve.suites[i] = Some(Box::new(suite));
        }
        Ok(curve)
    }
}

/// Returns the location of a key of the suite of G1 (0) or G2 (1).
fn suite_key(i: usize, key: &str, origin: &Origin) -> Location {
    origin.at(&format!("hash.g{}.{key}", i + 1))
}

impl Sextic {
    /// Returns the field of the curve of G1 (0) or of the twist (1), and l and r of its equation l (y^2 - x^3) = r. `at`
    /// is the place of what needs them.
    fn equation_over(
        &self,
        i: usize,
        at: impl Fn() -> Location,
    ) -> Result<(ExtensionField<'_>, [Vec<BigUint>; 2]), Error> {
        let needs = |key| Error::NeedsKey { at: at(), key };
        let b = self.b.as_ref().ok_or_else(|| needs("parameters.b"))?;
        let one = BigUint::from(1u8);
        if i == 0 {
            return Ok((ExtensionField::base(&self.p), [vec![one], vec![b.clone()]]));
        }
        let tower = self.tower.as_ref().ok_or_else(|| needs("tower"))?;
        let twist = self.twist.ok_or_else(|| needs("parameters.twist"))?;
        let (field, w6) = self.twist_field(tower);
        let (one, b) = (field.constant(&one), field.constant(b));
        let equation = match twist {
            Twist::D => [w6, b],
            Twist::M => [one, field.mul(&b, &w6)],
        };
        Ok((field, equation))
    }

    /// Returns b as a residue after checking that it is below p in absolute value and not 0.
    fn constant(&self, b: &BigInt, at: impl Fn() -> Location) -> Result<BigUint, Error> {
        if *b.magnitude() >= self.p {
            return Err(Error::CoefficientRange { at: at() });
        }
        // y^2 = x^3 has the discriminant 0
        if b.is_zero() {
            return Err(Error::SingularCurve { at: at() });
        }
        Ok(residue(b, &self.p))
    }

    fn check_tower(&self, tower: &Tower, origin: &Origin, keys: &Keys) -> Result<(), Error> {
        match (&tower.xi, self.kind) {
            (Some(_), SexticKind::Kss18) => return Err(Error::UnknownKey { at: origin.at(keys.xi[0]) }),
            (None, SexticKind::Bn | SexticKind::Bls12 | SexticKind::Bls24 | SexticKind::Bls48) => {
                return Err(Error::MissingKey { at: origin.at(keys.xi[0]) });
            }
            _ => {}
        }
        let xi = tower.xi.iter().flatten().zip(keys.xi);
        for (value, key) in xi.chain([(&tower.beta, keys.beta)]) {
            if *value.magnitude() >= self.p {
                return Err(Error::CoefficientRange { at: origin.at(key) });
            }
        }
        Ok(())
    }

    /// The curve equation y^2 = x^3 + b, if b is known.
    pub(crate) fn equation(&self) -> Option<Equation<'_>> {
        let b = Cow::Borrowed(self.b.as_ref()?);
        Some(Equation { q: &self.p, a: Cow::Owned(BigUint::ZERO), b, text: "y^2 = x^3 + b" })
    }

    /// Sets the generator of G1 after checking range and curve equation.
    pub(crate) fn set_g1(&mut self, x: BigUint, y: BigUint, origin: &Origin) -> Result<(), Error> {
        let at = |of_y| origin.at(if of_y { "g1.y" } else { "g1.x" });
        let equation = self.equation().ok_or_else(|| Error::NeedsKey { at: at(false), key: "parameters.b" })?;
        equation.check(&x, &y, at)?;
        self.g1 = Some((x, y));
        Ok(())
    }

    /// Sets the generator of G2 after checking lengths, range and the equation of the twist.
    pub(crate) fn set_g2(&mut self, x: Vec<BigUint>, y: Vec<BigUint>, origin: &Origin) -> Result<(), Error> {
        let at = |of_y| origin.at(if of_y { "g2.y" } else { "g2.x" });
        let (field, [left, right]) = self.equation_over(1, || at(false))?;
        field.check_range(&x, &y, at)?;
        let cube = field.mul(&field.mul(&x, &x), &x);
        if field.mul(&left, &field.sub(&field.mul(&y, &y), &cube)) != right {
            let curve = if self.twist == Some(Twist::D) {
                "the twist y^2 = x^3 + b / w^6"
            } else {
                "the twist y^2 = x^3 + b w^6"
            };
            return Err(Error::GeneratorOffCurve { at: at(true), curve });
        }
        self.g2 = Some((x, y));
        Ok(())
    }

    /// Returns the field of the twist and w^6 in it.
    pub(super) fn twist_field(&self, tower: &Tower) -> (ExtensionField<'_>, Vec<BigUint>) {
        let base = ExtensionField::base(&self.p);
        let beta = vec![tower.beta_mod(&self.p)];
        let xi = tower.xi_mod(&self.p).map(Vec::from).unwrap_or_default();
        match self.kind {
            SexticKind::Bn | SexticKind::Bls12 => (base.binomial(2, beta), xi),
            SexticKind::Kss18 => {
                let field = base.binomial(3, beta);
                let j = field.x();
                (field, j)
            }
            SexticKind::Bls24 => {
                let field = base.binomial(2, beta).binomial(2, xi);
                let v = field.x();
                (field, v)
            }
            SexticKind::Bls48 => {
                let field = base.binomial(2, beta).binomial(2, xi);
                let v = field.x();
                let field = field.binomial(2, v);
                let s = field.x();
                (field, s)
            }
        }
    }

    /// Performs the costly half of validation.
    pub(crate) fn verify(&self, origin: &Origin, keys: &Keys) -> Result<(), Error> {
        if !is_prime(&self.p) {
            return Err(Error::FieldComposite { at: origin.at(keys.seed) });
        }
        if !is_prime(&self.r) {
            return Err(Error::OrderComposite { at: origin.at(keys.order) });
        }
        self.verify_tower(origin, keys)?;
        self.verify_suites(origin)
    }

    /// Verifies the hash maps. The tower must have been verified to be one of fields.
    fn verify_suites(&self, origin: &Origin) -> Result<(), Error> {
        for (i, suite) in self.suites.iter().enumerate() {
            let Some(suite) = suite else { continue };
            let (field, [left, right]) = self.equation_over(i, || suite_key(i, "z", origin))?;
            suite.verify(&field, [&left, &right], |key| suite_key(i, key, origin))?;
        }
        Ok(())
    }

    /// Verifies the non-residues of the tower, if there is one. p must be prime.
    fn verify_tower(&self, origin: &Origin, keys: &Keys) -> Result<(), Error> {
        match self.tower.as_ref().and_then(|tower| tower.residue(&self.p)) {
            None => Ok(()),
            Some(Residue { of_xi, power, field }) => {
                let key = if of_xi { keys.xi[0] } else { keys.beta };
                Err(Error::NotANonResidue { at: origin.at(key), power, field })
            }
        }
    }
}

/// A number of a tower that is a residue and must not be one.
pub(super) struct Residue {
    of_xi: bool,
    power: &'static str,
    field: &'static str,
}

impl Tower {
    /// Returns the residue that keeps the tower from being one of fields, if there is one. p must be prime.
    pub(super) fn residue(&self, p: &BigUint) -> Option<Residue> {
        let residue = |of_xi, power, field| Some(Residue { of_xi, power, field });
        let beta = self.beta_mod(p);
        if is_power(&beta, 2, p) {
            return residue(false, "square", "F_p");
        }
        if let Some([a, c]) = self.xi_mod(p) {
            // N(a + c i) = a^2 - beta c^2
            let norm = (&a * &a + &beta * (p - &c) * &c) % p;
            if is_power(&norm, 2, p) {
                return residue(true, "square", "F_p^2");
            }
            if is_power(&norm, 3, p) {
                return residue(true, "cube", "F_p^2");
            }
        } else if is_power(&beta, 3, p) {
            return residue(false, "cube", "F_p");
        }
        None
    }
}
