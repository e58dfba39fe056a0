//! Integers on the command line or in a column: scalars of points, exponents of values.

use crate::input::{Column, Integer, Kind};
use crate::job::points::Scalars;

/// The description of integers in the help of commands.
macro_rules! integers {
    () => {
        "An integer is decimal, or hexadecimal after 0x, with a leading - if it is negative, and has at most 8192 bits. In a \
         table it can also be a JSON number of up to 64 bits, an integer column, or big-endian bytes in a binary column. \
         Integers are public: anyone who sees the command line or the table knows them, and the computing time may \
         reveal them."
    };
}
pub(super) use integers;

/// The source of scalars, the column to read if there is one, and the option that determines the output.
pub(super) type Chosen = (Scalars, Option<Column>, (&'static str, Option<String>));

/// Chooses one integer for all rows, or a column of integers.
pub(super) fn chosen(fixed: Option<&Integer>, names: (&'static str, &'static str), column: &str) -> Chosen {
    match fixed {
        Some(integer) => (Scalars::Fixed(integer.clone()), None, (names.0, Some(integer.to_string()))),
        None => (Scalars::Column, Some(Column::new(column, Kind::Integer)), (names.1, Some(column.to_owned()))),
    }
}
