//! Square roots in any F_q = F_p^d, q odd, without branches on values.
//!
//! * d a power of 2: by norms down to F_p ([`norms`]).
//! * Elsewhere by Tonelli and Shanks ([`powers`]).

mod norms;
mod powers;

use crate::at;
use crate::contract::Field;
use crate::extension::Extension;
use norms::Norms;
use powers::{Powers, Start, product};

/// The constants for square roots in a field.
#[derive(Clone)]
pub struct SquareRoot<F: Extension>(Method<F>);

#[derive(Clone)]
enum Method<F: Extension> {
    Powers(Powers<F>),
    Norms(Norms<F>),
}

/// A non-square c, for roots of multiples by c.
#[derive(Clone)]
pub struct NonSquare<F: Extension> {
    c: F::Elem,
    method: ByMethod<F>,
}

#[derive(Clone)]
enum ByMethod<F: Extension> {
    /// The start from c.
    Powers(Start<F>),
    /// A root of N(c)/c', where c' is the non-square of the field below.
    Norms(F::Elem),
}

impl<F: Extension> SquareRoot<F> {
    /// Computes the constants for a field and one of its non-squares.
    pub fn new(f: &F, non_square: &F::Elem) -> Self {
        let by_norms = F::TOWER && f.is_quadratic_tower();
        SquareRoot(if by_norms { Method::Norms(Norms::new(f)) } else { Method::Powers(Powers::new(f, non_square)) })
    }

    /// Computes out with out² = a where a is a square; returns the mask of those lanes.
    pub fn root(&self, f: &F, out: &mut F::Elem, a: &F::Elem) -> F::Mask {
        *out = match &self.0 {
            Method::Powers(method) => method.finish(f, &method.start(f, a)),
            Method::Norms(method) => {
                let (s, _) = method.norm_root(f, method.levels.len(), a);
                method.finish(f, method.levels.len(), a, &s)
            }
        };
        at! {f; square = sqr(out);}
        f.equal(&square, a)
    }

    /// Computes the constants that [`SquareRoot::root_of_either`] needs for a non-square.
    pub fn non_square(&self, f: &F, c: &F::Elem) -> NonSquare<F> {
        let method = match &self.0 {
            Method::Powers(method) => ByMethod::Powers(method.start(f, c)),
            Method::Norms(method) => ByMethod::Norms(method.scale(f, method.levels.len(), c)),
        };
        NonSquare { c: c.clone(), method }
    }

    /// Computes the root of whichever of a and ca is a square; both are if a = 0. Returns the mask of the lanes where
    /// it is a. Costs little more than one [`SquareRoot::root`].
    ///
    /// # Panics
    /// Panics if c was made for the roots of another field.
    pub fn root_of_either(&self, f: &F, out: &mut F::Elem, a: &F::Elem, c: &NonSquare<F>) -> F::Mask {
        let square;
        (*out, square) = match (&self.0, &c.method) {
            (Method::Powers(method), ByMethod::Powers(c)) => {
                let (start, square) = method.start_of_either(f, a, c);
                (method.finish(f, &start), square)
            }
            (Method::Norms(method), ByMethod::Norms(scale)) => method.either(f, method.levels.len(), a, &c.c, scale),
            _ => unreachable!("a non-square of another field"),
        };
        square
    }

    /// Computes the root of the first square among a, b and ab, of which one is a square. Returns the masks of the
    /// lanes where a is a square and where b is. Costs little more than one [`SquareRoot::root`] and the root of a norm
    /// or, where there is none, one power.
    pub fn root_of_first(&self, f: &F, out: &mut F::Elem, [a, b]: [&F::Elem; 2]) -> [F::Mask; 2] {
        match &self.0 {
            Method::Powers(method) => {
                let [x, y] = [a, b].map(|a| method.start(f, a));
                let squares = [(a, &x), (b, &y)].map(|(a, start)| method.is_square(f, a, start));
                let starts = [&x, &y, &product(f, &x, &y)];
                *out = method.finish(f, &std::array::from_fn(|i| first(f, squares, starts.map(|start| &start[i]))));
                squares
            }
            Method::Norms(method) => {
                let top = method.levels.len();
                let [(s, a_square), (t, b_square)] = [a, b].map(|a| method.norm_root(f, top, a));
                // where neither is a square, (st)² = c'²·N(ab)
                at! {f; ab = mul(a, b); st = mul(&s, &t); both = mul(&st, &method.levels[top - 1].inverses[1]);}
                let squares = [a_square, b_square];
                *out = method.finish(f, top, &first(f, squares, [a, b, &ab]), &first(f, squares, [&s, &t, &both]));
                squares
            }
        }
    }
}

/// Returns x where the first mask is set, else y where the second is, else z.
fn first<F: Field>(f: &F, masks: [F::Mask; 2], [x, y, z]: [&F::Elem; 3]) -> F::Elem {
    at! {f; rest = select(masks[1], y, z); out = select(masks[0], x, &rest);}
    out
}
