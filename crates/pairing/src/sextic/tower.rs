//! The towers below F_p^k: what F_p^(k/6) is built of, and which element w^6 = ξ of it has the sixth root w.

use bilinear_field::tower::{Cubic, Either, General, NonResidue, Quadratic, Root, RootPlus, Small};
use bilinear_field::{Extension, Field, Prime};
use num_bigint::BigUint;

/// A kind of tower, over any engine.
pub trait SexticTower: Clone + Send + Sync {
    /// E = F_p^(k/6), the field of the twist.
    type Twist<F: Prime>: Extension<Prime = F> + Field<Mask = F::Mask>;
    /// ξ.
    type Xi<F: Prime>: NonResidue<Self::Twist<F>>;

    /// E over F_p.
    fn twist<F: Prime>(&self, f: F) -> Self::Twist<F>;
    /// ξ in E.
    fn xi<F: Prime>(&self, f: &F) -> Self::Xi<F>;
}

/// k = 12: F_p(i), i² = β, and ξ.
#[derive(Clone, Debug)]
pub enum Fp2 {
    /// Small integers β and a, ξ = a + i: multiples by both cost no product.
    Small {
        /// β.
        beta: i32,
        /// a.
        a: i32,
    },
    /// Any β in F_p and any ξ = a + c·i.
    Any {
        /// β.
        beta: BigUint,
        /// a and c.
        xi: [BigUint; 2],
    },
}

impl Fp2 {
    /// i² = −1, ξ = a + i.
    pub fn gaussian(a: i32) -> Self {
        Fp2::Small { beta: -1, a }
    }
}

impl SexticTower for Fp2 {
    type Twist<F: Prime> = Quadratic<F, Either<Small, General<F::Elem>>>;
    type Xi<F: Prime> = Either<RootPlus, General<[F::Elem; 2]>>;

    fn twist<F: Prime>(&self, f: F) -> Self::Twist<F> {
        let beta = match self {
            Fp2::Small { beta, .. } => Either::First(Small(*beta)),
            Fp2::Any { beta, .. } => Either::Second(General(f.constant(beta))),
        };
        Quadratic::new(f, beta)
    }

    fn xi<F: Prime>(&self, f: &F) -> Self::Xi<F> {
        match self {
            Fp2::Small { a, .. } => Either::First(RootPlus(*a)),
            Fp2::Any { xi, .. } => Either::Second(General(xi.each_ref().map(|x| f.constant(x)))),
        }
    }
}

/// k = 18: F_p(j), j³ = β, ξ = j.
#[derive(Clone, Copy, Debug)]
pub struct SmallCubic(pub i32);

impl SexticTower for SmallCubic {
    type Twist<F: Prime> = Cubic<F, Small>;
    type Xi<F: Prime> = Root;

    fn twist<F: Prime>(&self, f: F) -> Cubic<F, Small> {
        Cubic::new(f, Small(self.0))
    }

    fn xi<F: Prime>(&self, _: &F) -> Root {
        Root
    }
}

/// k = 24: a tower for k = 12 and a square root of its a + i: ξ = v with v² = a + i. k = 48: the same once more, ξ = s with
/// s² = v.
#[derive(Clone, Copy, Debug)]
pub struct Square<S>(pub S);

impl<S: SexticTower> SexticTower for Square<S> {
    type Twist<F: Prime> = Quadratic<S::Twist<F>, S::Xi<F>>;
    type Xi<F: Prime> = Root;

    fn twist<F: Prime>(&self, f: F) -> Self::Twist<F> {
        let xi = self.0.xi(&f);
        Quadratic::new(self.0.twist(f), xi)
    }

    fn xi<F: Prime>(&self, _: &F) -> Root {
        Root
    }
}
