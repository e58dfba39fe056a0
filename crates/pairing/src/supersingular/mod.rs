//! The symmetric pairings of PBC types A and A1: E: y² = x³ + x over F_q, q ≡ 3 (mod 4), embedding degree 2.
//!
//! E is supersingular: E(F_q) is cyclic of order q + 1 = h·n, where n is the order of the group in use (a Solinas prime r
//! for type A, a product of primes for A1). The distortion map φ(x, y) = (−x, iy) into E(F_q²), i² = −1, gives
//!
//! e(P, Q) = f_{n,P}(φ(Q))^((q² − 1)/n),
//!
//! which is symmetric, and equal to PBC's value bit for bit. φ(Q) has x in F_q, so vertical lines vanish in the final
//! exponentiation and no denominator is ever computed.

mod affine;
mod bilinear_groups;
mod blocks;
mod final_exp;
mod function;
mod gt;
mod membership;
mod moving;
mod prepare;
mod prepared;
mod product;
mod step;
mod window;

pub use affine::MovingAffine;
pub use final_exp::final_exponentiation;
pub use membership::MembershipTest;
pub use prepared::{CoordinatePowers, PreparedFunctions};
pub use step::{Weighted, add_step, double_step};

use self::blocks::Block;
use self::prepared::CoefficientCounts;
use crate::bilinear_groups::Groups;
use crate::curve::{Affine, Curve};
use crate::miller::LoopDigits;
use bilinear_field::tower::Complex;
use bilinear_field::{Field, Prime};
use num_bigint::BigUint;
use num_traits::Zero;
use std::sync::OnceLock;

/// An element [re, im] of F_q².
pub type Fq2<F> = [<F as Field>::Elem; 2];

/// A type A or A1 pairing over an engine.
#[derive(Clone)]
pub struct SupersingularPairing<F: Prime> {
    groups: Groups<F, F, Complex<F>>,
    /// The loop over n for moving points, in windows where they pay.
    moving: LoopDigits,
    /// The loop over n for prepared functions, and its blocks.
    prepared: LoopDigits,
    blocks: Vec<Block>,
    /// The shapes of the blocks' functions.
    shapes: Vec<CoefficientCounts>,
    /// The membership test by a pairing, or `None` if there is none. Unset until the search for it has run.
    membership: OnceLock<Option<MembershipTest<F::Elem>>>,
    /// The constant 1/2.
    half: F::Elem,
    /// The constants 1/3 and −3/2, for slopes.
    third: F::Elem,
    less_three_halves: F::Elem,
}

impl<F: Prime + 'static> SupersingularPairing<F> {
    /// Creates the pairing over `fq` with n = `order` and q + 1 = `cofactor`·n. The parameters have been validated:
    /// q ≡ 3 (mod 4) is prime and n is odd.
    pub fn new(fq: F, order: &BigUint, cofactor: &BigUint) -> Self {
        let blocks = blocks::best(order);
        let half = (fq.modulus() + 1u32) >> 1;
        // 1/3 is a third of the one of 1 + q and 1 + 2q that is a multiple of 3
        let third = [1u32, 2].map(|k| fq.modulus() * k + 1u32).into_iter().find(|x| (x % 3u32).is_zero());
        let third = third.map_or(BigUint::ZERO, |x| x / 3u32);
        let curve = Curve::with_edwards_form(fq.clone());
        SupersingularPairing {
            moving: LoopDigits { digits: window::best(order), closes: true },
            prepared: blocks::digits(&blocks),
            shapes: prepared::shapes(&blocks),
            membership: OnceLock::new(),
            blocks,
            third: fq.constant(&third),
            less_three_halves: fq.constant(&((fq.modulus() - &half) * 3u32)),
            half: fq.constant(&half),
            groups: Groups {
                order: order.clone(),
                g1: curve.clone(),
                g2: curve,
                target: Complex::complex(fq),
                cofactors: [cofactor.clone(), cofactor.clone()],
            },
        }
    }
}

impl<F: Prime> SupersingularPairing<F> {
    /// The field F_q.
    pub fn fq(&self) -> &F {
        self.groups.g1.field()
    }

    /// The field F_q².
    pub fn fq2(&self) -> &Complex<F> {
        &self.groups.target
    }

    /// The curve E.
    pub fn curve(&self) -> &Curve<F> {
        &self.groups.g1
    }

    /// The Miller loop for moving points.
    pub fn moving_loop(&self) -> &LoopDigits {
        &self.moving
    }

    /// Returns the mask of the lanes where kP = O, that is, where P is in the subgroup of order dividing `k`. For
    /// `k` = n, this is membership of the group in use. It costs a multiplication by k. Not constant time in k, which
    /// is public.
    pub fn is_torsion(&self, k: &BigUint, p: &Affine<F>) -> F::Mask {
        let multiple = self.curve().mul(k, p);
        self.fq().is_zero(&multiple.z)
    }
}
