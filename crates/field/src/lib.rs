//! The field layer of Bilinear: one contract, many fields.
//!
//! A pairing is written once, over a [`Field`], which every engine implements. The same generic formula, run over
//!
//! * [`Mont`](mont::Mont), is a pairing on 64-bit words (Montgomery form, any modulus up to 4160 bits, chosen at run time);
//! * [`Ifma`](ifma::Ifma), is eight pairings in the lanes of AVX-512 (where the processor has it);
//! * [`Hmm`](hmm::Hmm), is a pairing on polynomials in a seed of special form, as hardware multiplies them;
//! * [`Rns`](rns::Rns), is a pairing on residues modulo many small primes, as GPUs compute them by products of
//!   matrices;
//! * `Binary`, is a pairing over F_2^m by carry-less products: another kind of field, which the contract covers
//!   unchanged;
//! * `Ternary`, is a pairing over F_3^m in planes of bits, many products side by side (both with the feature
//!   `research`);
//! * [`Reference`](reference::Reference), is a pairing over plain big integers: slow, and obviously right;
//! * [`Count`](count::Count), is the table of its operation counts;
//! * [`Bounds`](bounds::Bounds), is a proof that lazy reduction never overflows.
//!
//! Run over the recorder of `bilinear-program`, it is a program that another machine can execute.
//!
//! Extension fields ([`tower`]) implement the same trait over any of them, which is what makes a product in F_p^k cost
//! exactly k reductions.
//!
//! Loops over words that run in every operation use an index where zipped or chained iterators, or a map of an array,
//! would read better: those call functions of the standard library that are not marked `#[inline]`. Such functions are
//! compiled in one codegen unit of a crate and called from the others, and a dependent's release build has sixteen
//! units.
//!
//! ```
//! use bilinear_field::{Field, Lanes, Prime, mont::Mont};
//! use num_bigint::BigUint;
//!
//! let f = Mont::<1>::new(&BigUint::from(1_000_003u32))?;
//! let (a, b) = (f.constant(&BigUint::from(20u32)), f.constant(&BigUint::from(500_000u32)));
//! let mut c = f.zero();
//! f.mul(&mut c, &a, &b);
//! assert_eq!(f.value(&c, 0), BigUint::from(10_000_000u32 % 1_000_003));
//! # Ok::<(), bilinear_field::ModulusError>(())
//! ```

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod called;
#[cfg(feature = "research")]
pub mod binary;
mod blank;
pub mod bounds;
mod cache;
mod choice;
mod code;
mod collect_vec;
mod complex;
mod contract;
pub mod count;
mod dispatch;
mod exponent;
mod extension;
pub mod hmm;
#[cfg(target_arch = "x86_64")]
pub mod ifma;
mod kernel;
pub mod memcheck;
pub mod mont;
mod named;
#[cfg(feature = "paths")]
pub mod paths;
#[cfg(test)]
#[path = "tests/ranges.rs"]
mod ranges;
pub mod reference;
pub mod rns;
pub mod rows;
#[cfg(feature = "research")]
mod small_characteristic;
mod sqrt;
mod term;
#[cfg(feature = "research")]
pub mod ternary;
pub mod tower;
mod words;

pub use blank::Blank;
pub use cache::prefetch;
pub use code::{Arity, Code, Kind};
pub use collect_vec::CollectVec;
pub use contract::{Field, Lanes, ModulusError, Prime};
pub use dispatch::{Engine, EngineError, Job, LIMBS, Margin, SPARE, WORDS, dispatch, rules};
pub use exponent::pow;
pub use extension::{Extension, PrimeElem};
pub use kernel::{Arguments, Function, Kernel};
pub use sqrt::{NonSquare, SquareRoot};
pub use term::{List, MAX_TERMS, Term, minus, plus, times};
