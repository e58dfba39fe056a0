//! Blank values for out-parameters, to which results are written.

/// A value that an out-parameter can point to before a result is written: its content is irrelevant. `Default` of an
/// array would serve as well, but it is not marked `#[inline]`, and blanks are made for every operation.
pub trait Blank: Default {
    /// Creates a blank value.
    #[inline]
    fn blank() -> Self {
        Self::default()
    }
}

impl Blank for () {}

/// An empty vector: the operation that writes the result allocates as many elements as it needs.
impl<T> Blank for Vec<T> {}

/// Implements [`Blank`] for arrays of blanks.
macro_rules! arrays {
    ($($n:literal: $($t:ident)*;)*) => {
        $(impl<T: Blank> Blank for [T; $n] {
            #[inline]
            fn blank() -> Self {
                [$($t::blank()),*]
            }
        })*
    };
}

arrays! {
    2: T T;
    3: T T T;
    4: T T T T;
    5: T T T T T;
    6: T T T T T T;
    7: T T T T T T T;
    9: T T T T T T T T T;
    10: T T T T T T T T T T;
    11: T T T T T T T T T T T;
    15: T T T T T T T T T T T T T T T;
}

/// Declares each result in its final place: `at! {f; v = mul(&a, &b); w = sqr(&v);}` declares `v` and `w` and fills
/// them through out-parameters of `f`, so that no element is ever moved. `at!(f; mul(&a, &b))` is the value of a single
/// operation.
#[macro_export]
macro_rules! at {
    ($f:expr; $($v:ident = $m:ident($($a:expr),* $(,)?);)*) => {
        $(let mut $v = $crate::Blank::blank(); $f.$m(&mut $v, $($a),*);)*
    };
    ($f:expr; $m:ident($($a:expr),* $(,)?)) => {{
        let mut out = $crate::Blank::blank();
        $f.$m(&mut out, $($a),*);
        out
    }};
}
