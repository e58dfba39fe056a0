//! An estimate of the security of a curve's sizes, in bits.
//!
//! The level is the cheapest of the attacks that apply:
//!
//! | attack | applies to | cost |
//! |---|---|---|
//! | number field sieve in F_{q^2} | types A, A1 | L(2 bits(q)) |
//! | number field sieve in F_q | type E | L(bits(q)) |
//! | tower number field sieve in F_{q^k} | k = 6 and more | [`tower`](self#tower-number-field-sieve) |
//! | quasi-polynomial algorithms in F_2^(4m), F_2^(12m), F_3^(6m) | families `ss2`, `hss2`, `ss3` | 59 bits for 4m = 4 * 1223 (ePrint 2014/119), taken for all sizes |
//! | Pollard's rho in the subgroup of the smallest prime factor p | every curve | bits(p) / 2 |
//! | number field sieve on n | composite order | L(bits(n)) |
//! | elliptic-curve method on the smallest factor of n | composite order | see below |
//!
//! **Sieves.** L is the heuristic L_N\[1/3, (64/9)^(1/3)\] with its o(1) dropped, fitted to NIST SP 800-57 part 1
//! (rev. 5, table 2), which puts moduli and finite fields of 1024, 2048, 3072, 7680 and 15360 bits at 80, 112, 128,
//! 192 and 256 bits: between these sizes the level is interpolated linearly in log2 L, beyond them it continues with
//! slope 1. For F_{q^2} the same curve is used at size 2 bits(q). That is customary but somewhat generous: the records for
//! F_{p^2} (Barbulescu, Gaudry, Guillevic, Morain, "Improving NFS for the discrete logarithm problem in non-prime
//! finite fields", Eurocrypt 2015) took less work than those for prime fields of the same size. Neither n nor q, whose
//! cofactor is random or forced, has the special form that the special sieve needs; `docs/mathematics.md` says why that
//! holds for a Montgomery-friendly q as well. The exceptions are `a-1024` and `a-1536`, whose q is close to a power of 2
//! (see their notes).
//!
//! **Elliptic-curve method** (H. W. Lenstra, Ann. Math. 126, 1987): L_p\[1/2, sqrt 2\] group operations modulo n. The
//! constant is fitted at 80 digits (266 bits), where GMP-ECM's tables ask for 265,557 curves with B1 = 2.5e10. With
//! some 20 products a unit of B1 and 2^9 cycles a product modulo 1024 bits that is about 2^66 cycles. The sieve scale
//! above is 3 to 5 bits above the log2 of cycles actually spent (RSA-768: 2000 core-years at 2.2 GHz; RSA-240 and
//! RSA-250: 900 and 2700 core-years at 2.1 GHz), so an 80-digit factor comes to 70 bits, which is
//! log2 L_p\[1/2, sqrt 2\] + 7. Products cost bits(n)^2, relative to 1024.
//!
//! # Tower number field sieve
//!
//! Where k is composite, the extended tower number field sieve applies (Kim and Barbulescu, Crypto 2016): heuristically
//! L_{q^k}\[1/3, (48/9)^(1/3)\], and L_{q^k}\[1/3, (32/9)^(1/3)\] where q is the value of a polynomial of moderate
//! degree with small coefficients, as for all curves that come from a seed. What that means in bits is not settled by
//! the formula. Guillevic and Singh (ePrint 2019/885) simulate the sieve in detail; their figures for curves of these
//! families (test vectors of their program, <https://gitlab.inria.fr/tnfs-alpha/alpha>; Guillevic, "A short-list of
//! pairing-friendly curves resistant to special TNFS at the 128-bit security level", PKC 2020) are in
//! `security/tower.rs`, some at each family's sizes. Between them the level is interpolated linearly in log2 L with (32/9),
//! beyond them it continues with slope 1. Other estimates differ by a few bits: draft-irtf-cfrg-pairing-friendly-curves
//! gives BN curves of 254 bits no more than 100.
//!
//! The q of MNT curves (type D) is 4 l^2 + 1, and that of Freeman's curves (type G) a polynomial of degree 4, so these are
//! special as well; a curve of type D or G that was made in another way is somewhat stronger than the level says. For type
//! G there are no figures: the formula is fitted to a BN curve of 462 bits and accurate to no better than 10 bits.
//! No level exceeds that of the plain sieve in the table above.
//!
//! The estimate is no finer than a few bits and is rounded to the nearest one. It depends on sizes only: it assumes
//! random factors that stay secret, and no quantum computer (which would leave no security).

use std::fmt;

mod tower;

use crate::{Curve, Family, SupersingularKind};

/// The security level, in bits, below which parameters are generated only on express permission.
pub const MIN_BITS: u32 = 80;

/// An attack, with the size that determines its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Attack {
    /// Discrete logarithms in F_{q^2} by the number field sieve.
    FieldLogarithm {
        /// Bits of q^2.
        bits: u64,
    },
    /// Discrete logarithms in F_q by the number field sieve, for embedding degree 1.
    PrimeFieldLogarithm {
        /// Bits of q.
        bits: u64,
    },
    /// Discrete logarithms in F_{q^k} by the tower number field sieve.
    TowerSieve {
        /// The embedding degree.
        k: u32,
        /// k times the bits of q.
        bits: u64,
        /// True if the level lies between published figures for curves of the family, false if it is extrapolated by
        /// the asymptotic formula.
        published: bool,
    },
    /// Discrete logarithms in F_p^d for p = 2 or 3, which take quasi-polynomial time.
    SmallCharacteristic {
        /// The characteristic p.
        p: u32,
        /// d, the embedding degree times the degree of the curve's field.
        degree: u64,
    },
    /// Pollard's rho in the subgroup whose order is the smallest prime factor.
    SubgroupRho {
        /// Bits of the smallest prime factor of the order.
        bits: u64,
    },
    /// Factoring n by the number field sieve.
    Factoring {
        /// Bits of n.
        bits: u64,
    },
    /// Finding the smallest prime factor of n by the elliptic-curve method.
    EllipticCurveMethod {
        /// Bits of the smallest prime factor.
        bits: u64,
    },
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FieldLogarithm { bits } => write!(f, "discrete logarithms in the {bits}-bit field F_q^2"),
            Self::PrimeFieldLogarithm { bits } => write!(f, "discrete logarithms in the {bits}-bit prime field F_q"),
            Self::TowerSieve { k, bits, published } => {
                let basis = if *published { "published estimates" } else { "asymptotic formula" };
                write!(f, "discrete logarithms in the {bits}-bit field F_q^{k} (tower number field sieve, {basis})")
            }
            Self::SmallCharacteristic { p, degree } => {
                write!(f, "discrete logarithms in F_{p}^{degree}, which take quasi-polynomial time")
            }
            Self::SubgroupRho { bits } => write!(f, "Pollard's rho in a subgroup of {bits}-bit prime order"),
            Self::Factoring { bits } => write!(f, "factoring the {bits}-bit order n"),
            Self::EllipticCurveMethod { bits } => {
                write!(f, "the elliptic-curve method on a {bits}-bit prime factor of n")
            }
        }
    }
}

/// An estimate of the security of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Security {
    /// log2 of the work, rounded to the nearest integer.
    pub bits: u32,
    /// The cheapest attack.
    pub limit: Attack,
    /// True if the description publishes the factors of a composite order. Hiding them is then worth nothing, and
    /// `bits` is the level that the sizes would give with secret factors.
    pub test_only: bool,
    /// True if the note of a composite order begins with TEST ONLY and the description does not publish the
    /// factors. The maker of the curve may hold them, and `bits` is the level if nobody does.
    pub held_by_maker: bool,
    /// True if the sizes of the factors are unknown and two factors of equal size were assumed.
    pub assumes_two_primes: bool,
}

impl fmt::Display for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.test_only {
            write!(f, "TEST ONLY, the factors are public; with secret ones ")?;
        }
        if self.held_by_maker {
            write!(f, "TEST ONLY, whoever made it may hold the factors; if nobody does, ")?;
        }
        write!(f, "about {} bits, limited by {}", self.bits, self.limit)?;
        if self.assumes_two_primes {
            write!(f, " (two prime factors of equal size assumed)")?;
        }
        Ok(())
    }
}

/// Estimates the security of a curve.
pub(crate) fn of(curve: &Curve) -> Security {
    let family = curve.family();
    let (q_bits, order_bits, k) = (family.field().bits(), family.order().bits(), family.embedding_degree());
    let rho = (order_bits as f64 / 2.0, Attack::SubgroupRho { bits: order_bits });
    let bits = u64::from(k) * q_bits;
    match family {
        Family::Supersingular(s) => {
            let sizes = s.prime_bits().map_or_else(|| vec![order_bits.div_ceil(2); 2], <[u64]>::to_vec);
            let estimate = match s.kind() {
                SupersingularKind::A => estimate(order_bits, &[order_bits], q_bits),
                SupersingularKind::A1 => estimate(order_bits, &sizes, q_bits),
            };
            let test_only = s.published();
            let is_for_tests = s.kind() == SupersingularKind::A1 && curve.note().starts_with("TEST ONLY");
            let held_by_maker = is_for_tests && !test_only;
            Security { test_only, held_by_maker, assumes_two_primes: s.prime_bits().is_none(), ..estimate }
        }
        Family::Sextic(s) => cheapest(&[tower::attack(tower::sextic(s.kind()), k, q_bits), rho]),
        Family::QuadraticTwist(s) => cheapest(&[tower::attack(tower::quadratic(s.kind()), k, q_bits), rho]),
        Family::Binary(s) => small_characteristic(2, u64::from(k) * s.m(), rho),
        Family::Ternary(s) => small_characteristic(3, u64::from(k) * s.m(), rho),
        Family::DegreeOne(_) => cheapest(&[(sieve(bits), Attack::PrimeFieldLogarithm { bits }), rho]),
    }
}

/// The level that Granger, Kleinjung and Zumbragel estimate for F_2^(4 * 1223) (Crypto 2014, ePrint 2014/119).
/// Smaller fields are weaker, and nobody has claimed that larger ones gain much.
const SMALL_CHARACTERISTIC: f64 = 59.0;

/// Estimates the security of a curve whose pairing values lie in F_p^d.
fn small_characteristic(p: u32, degree: u64, rho: (f64, Attack)) -> Security {
    cheapest(&[(SMALL_CHARACTERISTIC, Attack::SmallCharacteristic { p, degree }), rho])
}

/// Returns the estimate of the cheapest attack, the first one in a tie.
fn cheapest(attacks: &[(f64, Attack)]) -> Security {
    let (mut bits, mut limit) = attacks[0];
    for &(cost, attack) in &attacks[1..] {
        if cost < bits {
            (bits, limit) = (cost, attack);
        }
    }
    Security { bits: bits.round() as u32, limit, test_only: false, held_by_maker: false, assumes_two_primes: false }
}

/// Estimates the security of an order of `order_bits` bits whose prime factors have the given sizes (one size means
/// a prime order), on a supersingular curve over a field of `q_bits` bits. Without sizes only the field counts.
pub fn estimate(order_bits: u64, prime_bits: &[u64], q_bits: u64) -> Security {
    let mut attacks = vec![(sieve(2 * q_bits), Attack::FieldLogarithm { bits: 2 * q_bits })];
    if let Some(&smallest) = prime_bits.iter().min() {
        attacks.push((smallest as f64 / 2.0, Attack::SubgroupRho { bits: smallest }));
        if prime_bits.len() > 1 {
            attacks.push((sieve(order_bits), Attack::Factoring { bits: order_bits }));
            attacks.push((ecm(smallest, order_bits), Attack::EllipticCurveMethod { bits: smallest }));
        }
    }
    cheapest(&attacks)
}

/// Sizes of a modulus or field and their levels: NIST SP 800-57 part 1 rev. 5, table 2.
const NIST: [(u64, f64); 5] = [(1024, 80.0), (2048, 112.0), (3072, 128.0), (7680, 192.0), (15360, 256.0)];

/// Computes the level of a sieve on a modulus or field of `bits` bits.
fn sieve(bits: u64) -> f64 {
    interpolate(&NIST, 64.0 / 9.0, bits)
}

/// Computes the level at a size from those at some sizes, of which there is at least one: linearly in log2 of
/// L_N[1/3, c^(1/3)] between them, and with slope 1 beyond them.
fn interpolate(levels: &[(u64, f64)], c: f64, bits: u64) -> f64 {
    let next = levels.partition_point(|(size, _)| *size < bits).min(levels.len() - 1);
    let last = next.saturating_sub(usize::from(bits <= levels[next].0));
    let ((b0, level0), (b1, level1)) = (levels[last], levels[next]);
    let [work, w0, w1] = [bits, b0, b1].map(|bits| log2_l(c, bits));
    let slope = if last == next { 1.0 } else { (level1 - level0) / (w1 - w0) };
    (level0 + slope * (work - w0)).max(0.0)
}

/// Computes log2 of L_N[1/3, c^(1/3)] for N of `bits` bits; 0 for sizes at which the formula is meaningless.
fn log2_l(c: f64, bits: u64) -> f64 {
    let ln = bits.max(2) as f64 * std::f64::consts::LN_2;
    let lnln = ln.ln().max(0.0);
    c.cbrt() * ln.cbrt() * (lnln * lnln).cbrt() / std::f64::consts::LN_2
}

/// Computes the level of the elliptic-curve method for a prime factor of `prime_bits` bits.
fn ecm(prime_bits: u64, order_bits: u64) -> f64 {
    let ln = prime_bits.max(2) as f64 * std::f64::consts::LN_2;
    let work = (2.0 * ln * ln.ln().max(0.0)).sqrt() / std::f64::consts::LN_2;
    (work + 7.0 + 2.0 * (order_bits.max(1) as f64 / 1024.0).log2()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_nist() {
        for (q_bits, level) in [(512, 80), (1024, 112), (1536, 128), (3840, 192), (7680, 256)] {
            let field_only = estimate(q_bits, &[], q_bits);
            assert_eq!((field_only.bits, field_only.limit), (level, Attack::FieldLogarithm { bits: 2 * q_bits }));
            let factoring = estimate(2 * q_bits, &[q_bits, q_bits], 100_000);
            assert_eq!((factoring.bits, factoring.limit), (level, Attack::Factoring { bits: 2 * q_bits }));
        }
    }

    #[test]
    fn more_bits_are_never_weaker() {
        for bits in 1..20_000 {
            assert!(sieve(bits) <= sieve(bits + 1) && sieve(bits) >= 0.0, "{bits}");
            assert!(ecm(bits, 1024) <= ecm(bits + 1, 1024) && ecm(bits, 1024) >= 0.0, "{bits}");
        }
    }

    #[test]
    fn the_fitted_points() {
        // an 80-digit factor of a 1024-bit modulus; RSA-768 with its 2^67 cycles lies 3 bits below the scale
        assert_eq!(ecm(266, 1024).round(), 70.0);
        assert_eq!(sieve(768).round(), 70.0);
    }

    #[test]
    fn each_attack_can_be_the_limit() {
        assert_eq!(estimate(160, &[160], 2048).limit, Attack::SubgroupRho { bits: 160 });
        assert_eq!(estimate(160, &[160], 2048).bits, 80);
        assert_eq!(estimate(2048, &[1024, 1024], 2060).limit, Attack::Factoring { bits: 2048 });
        assert_eq!(estimate(2048, &[200, 1848], 2060).limit, Attack::EllipticCurveMethod { bits: 200 });
        assert_eq!(estimate(224, &[224], 512).limit, Attack::FieldLogarithm { bits: 1024 });
        // one prime: nothing to factor
        assert_eq!(estimate(1024, &[1024], 1030).limit, Attack::FieldLogarithm { bits: 2060 });
        assert_eq!(estimate(0, &[0, 0], 0).bits, 0);
    }
}
