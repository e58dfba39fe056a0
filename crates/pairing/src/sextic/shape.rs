//! The towers below F_p^k: what F_p^(k/6) is built of, and which element w^6 = ξ of it has the sixth root w.

use bilinear_field::tower::{Complex, Constant, Cubic, NonResidue, Quadratic, Root, RootPlus, Small};
use bilinear_field::{Extension, Field, Prime};
use num_bigint::BigUint;

/// A kind of tower, over any engine.
pub trait Shape: Clone + Send + Sync {
    /// E = F_p^(k/6), the field of the twist.
    type Twist<F: Prime>: Extension<Prime = F> + Field<Mask = F::Mask>;
    /// ξ.
    type Xi<F: Prime>: NonResidue<Self::Twist<F>>;

    /// E over F_p.
    fn twist<F: Prime>(&self, f: F) -> Self::Twist<F>;
    /// ξ in E.
    fn xi<F: Prime>(&self, f: &F) -> Self::Xi<F>;
}

/// k = 12: F_p(i), i² = −1, ξ = a + i.
#[derive(Clone, Copy, Debug)]
pub struct Gaussian(pub i32);

impl Shape for Gaussian {
    type Twist<F: Prime> = Complex<F>;
    type Xi<F: Prime> = RootPlus;

    fn twist<F: Prime>(&self, f: F) -> Complex<F> {
        Complex::new(f)
    }

    fn xi<F: Prime>(&self, _: &F) -> RootPlus {
        RootPlus(self.0)
    }
}

/// k = 12: F_p(i), i² = β, ξ = a + i, with small integers β and a.
#[derive(Clone, Copy, Debug)]
pub struct SmallQuadratic {
    /// β.
    pub beta: i32,
    /// a.
    pub a: i32,
}

impl Shape for SmallQuadratic {
    type Twist<F: Prime> = Quadratic<F, Small>;
    type Xi<F: Prime> = RootPlus;

    fn twist<F: Prime>(&self, f: F) -> Quadratic<F, Small> {
        Quadratic::new(f, Small(self.beta))
    }

    fn xi<F: Prime>(&self, _: &F) -> RootPlus {
        RootPlus(self.a)
    }
}

/// k = 12: F_p(i), i² = β, and any ξ = a + c·i.
#[derive(Clone, Debug)]
pub struct AnyQuadratic {
    /// β.
    pub beta: BigUint,
    /// a and c.
    pub xi: [BigUint; 2],
}

impl Shape for AnyQuadratic {
    type Twist<F: Prime> = Quadratic<F, Constant<F::Elem>>;
    type Xi<F: Prime> = Constant<[F::Elem; 2]>;

    fn twist<F: Prime>(&self, f: F) -> Self::Twist<F> {
        let beta = f.constant(&self.beta);
        Quadratic::new(f, Constant(beta))
    }

    fn xi<F: Prime>(&self, f: &F) -> Self::Xi<F> {
        Constant(std::array::from_fn(|i| f.constant(&self.xi[i])))
    }
}

/// k = 18: F_p(j), j³ = β, ξ = j.
#[derive(Clone, Copy, Debug)]
pub struct SmallCubic(pub i32);

impl Shape for SmallCubic {
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

impl<S: Shape> Shape for Square<S> {
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
