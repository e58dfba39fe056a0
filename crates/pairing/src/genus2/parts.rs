//! The octuplings of a loop in parts of equal length, one part in each lane. If there are fewer octuplings than steps
//! in all lanes, the first lanes are idle at first.
//!
//! Octupling i is step s of lane j for i + idle = j·L + s. Let f_j be the product of the functions of lane j, each to
//! the power of 8 to which it counts in the lane. Then the product of all functions is (…(f_0^(8^L)·f_1)^(8^L)
//! …)·f_3.

use super::points::{Coordinates, Point, Powers};
use super::tower::{self, Over, Product, Twelve};
use crate::unitary_power::Unitary;
use bilinear_field::binary::{Binary, Power, Quad};
use bilinear_field::{Blank, Lanes, at};
use std::sync::OnceLock;

/// The number of lanes.
const LANES: usize = Quad::<1>::LANES;

/// The division of a loop into parts.
pub(super) struct Parts<const N: usize> {
    octuplings: usize,
    /// The number of steps in a lane.
    steps: usize,
    powers: OnceLock<LongPowers<N>>,
}

/// Powers by 2^n of coordinates and values.
struct LongPowers<const N: usize> {
    /// The power of coordinates that leads to the first lane that does not begin with octupling 0: n is six times its
    /// first octupling.
    first: Power<N>,
    /// The power of coordinates from one lane to the next: n = 6L.
    next: Power<N>,
    /// The power of values from one lane to the next: n = 3L.
    value: Power<N>,
}

impl<const N: usize> Parts<N> {
    /// Divides a loop of `octuplings` octuplings.
    pub(super) fn new(octuplings: usize) -> Self {
        Parts { octuplings, steps: octuplings.div_ceil(LANES), powers: OnceLock::new() }
    }

    /// The number of steps in a lane.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// The number of idle steps.
    pub(super) fn idle(&self) -> usize {
        LANES * self.steps - self.octuplings
    }

    /// Returns, for each lane, whether it is idle at a step.
    pub(super) fn idle_lanes(&self, step: usize) -> [bool; LANES] {
        std::array::from_fn(|lane| lane * self.steps + step < self.idle())
    }

    /// The lane and the step of the octupling with which the second half begins.
    pub(super) fn half(&self) -> [usize; 2] {
        let place = self.octuplings / 2 + self.idle();
        [place / self.steps, place % self.steps]
    }

    /// The first octupling of the first lane that does not begin at P.
    fn first(&self) -> usize {
        let behind = (0..LANES).find_map(|lane| (lane * self.steps).checked_sub(self.idle()).filter(|i| *i > 0));
        behind.unwrap_or_else(|| unreachable!("there are more lanes than idle steps"))
    }

    fn powers(&self, f: &Binary<N>) -> &LongPowers<N> {
        let m = f.degree();
        let of = |n: usize| Power::new(f, n % m);
        self.powers.get_or_init(|| LongPowers {
            first: of(6 * self.first()),
            next: of(6 * self.steps),
            value: of(3 * self.steps),
        })
    }

    /// Returns the points where the lanes begin: ε^i π^(6i) P if the lane begins with octupling i, and P if it is
    /// idle.
    pub(super) fn starts<K>(&self, k: &K, point: &Point<K::C>) -> Vec<Point<K::C>>
    where
        K: Coordinates<Binary<N>, C: Powers<N>>,
    {
        let powers = self.powers(k.field());
        let mut power = point.clone();
        let start = |lane: usize| {
            let i = (lane * self.steps).saturating_sub(self.idle());
            if i == 0 {
                return point.clone();
            }
            let by = if i == self.first() { &powers.first } else { &powers.next };
            power = Powers::powers(by, &power);
            turned(k, &power, i)
        };
        (0..LANES).map(start).collect()
    }

    /// Returns the values of all octuplings and of the first half. `product` has the product of each lane, and `half`
    /// what it was when the second half began.
    pub(super) fn joined(
        &self,
        f: &Binary<N>,
        lanes: &Quad<N>,
        product: &Twelve<Quad<N>>,
        half: &Twelve<Quad<N>>,
    ) -> [Twelve<Binary<N>>; 2] {
        let [middle, step] = self.half();
        let (parts, of_half) = (scattered(lanes, product), scattered(lanes, half));
        let (mut whole, mut half) = (Product::<Binary<N>>::new(parts[0].clone()), Over(f).one());
        for (lane, part) in parts.iter().enumerate().skip(1) {
            let before = whole.value().clone();
            if lane == middle {
                whole.set(&Over(f).sqr_times(&before, 3 * step));
                whole.times(f, &of_half[lane]);
                half.clone_from(whole.value());
            }
            whole.set(&tower::power_of(f, &self.powers(f).value, &before, 3 * self.steps));
            whole.times(f, part);
        }
        [whole.value().clone(), half]
    }
}

/// Returns ε^i of a point: ε(x, y) = (x + 1, y + x² + 1), ε²(x, y) = (x, y + 1).
fn turned<F: Lanes, K: Coordinates<F>>(k: &K, [x, y]: &Point<K::C>, i: usize) -> Point<K::C> {
    let y = if i / 2 % 2 == 1 { k.plus_one(y) } else { y.clone() };
    if i.is_multiple_of(2) {
        return [x.clone(), y];
    }
    [k.plus_one(x), at!(k; add(&k.plus_one(&y), &k.squared(x, 1)))]
}

/// Returns the values of the lanes.
fn scattered<const N: usize>(lanes: &Quad<N>, x: &Twelve<Quad<N>>) -> [Twelve<Binary<N>>; LANES] {
    let mut out: [Twelve<Binary<N>>; LANES] = Blank::blank();
    for (i, coefficient) in x.as_flattened().as_flattened().iter().enumerate() {
        lanes.scatter(coefficient, |lane, residue| {
            out[lane].as_flattened_mut().as_flattened_mut()[i].clone_from(residue)
        });
    }
    out
}
