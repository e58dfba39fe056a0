//! Reading single values of columns, whatever the layout: texts, bytes, integers. Values are read in place. A
//! dictionary is looked up row by row, since unpacking it could multiply its size.

use super::GroupKey;
use super::group::LongName;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_schema::DataType;

/// A value as a column holds it.
pub(super) enum Value<'a> {
    /// A text, which is hexadecimal for points and expected values.
    Text(&'a str),
    /// The bytes of the value.
    Bytes(&'a [u8]),
    /// An integer.
    Integer(i128),
}

/// The description of the types of columns of points and expected values.
pub(crate) const VALUE_TYPES: &str = "binary (FixedSizeBinary of at most 1 MiB, Binary, LargeBinary, BinaryView), hexadecimal text \
     (Utf8, LargeUtf8, Utf8View), or a dictionary of one of these";

/// The description of the types of columns of texts.
pub(crate) const TEXT_TYPES: &str = "text (Utf8, LargeUtf8, Utf8View), binary (FixedSizeBinary of at most 1 MiB, Binary, LargeBinary, \
     BinaryView), or a dictionary of one of these";

/// The description of the types of columns of integers.
pub(crate) const INTEGER_TYPES: &str = "an integer (Int8 to Int64, UInt8 to UInt64), text in decimal or after 0x in hexadecimal, \
     big-endian binary, or a dictionary of one of these";

/// The description of the types of columns of groups.
pub(crate) const GROUP_TYPES: &str = "an integer (Int8 to Int64, UInt8 to UInt64), text (Utf8, LargeUtf8, Utf8View), or a dictionary of one \
     of these";

/// The description of the types of columns that are copied to the output unchanged.
pub(crate) const KEPT_TYPES: &str = "of any type, but FixedSizeBinary of at most 1 MiB";

/// The longest value of a fixed size: a null takes as much memory as any other value.
pub(crate) const MAX_FIXED: i32 = 1 << 20;

/// Returns true if a column of this type can hold points or expected values.
pub(super) fn is_value(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    match content(kind) {
        FixedSizeBinary(size) => *size <= MAX_FIXED,
        kind => is_text(kind) || matches!(kind, Binary | LargeBinary | BinaryView),
    }
}

/// Returns the type of a column's values, looking through a dictionary.
pub(super) fn content(kind: &DataType) -> &DataType {
    match kind {
        DataType::Dictionary(_, content) => content,
        kind => kind,
    }
}

/// Returns true if the values of a column are integers of up to 64 bits.
pub(super) fn is_integer(kind: &DataType) -> bool {
    content(kind).is_integer()
}

/// Returns true if the type is one of texts.
pub(super) fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Returns the value of a row in a column of values, or `None` if it is null.
pub(super) fn value(array: &dyn Array, index: usize) -> Option<Value<'_>> {
    let (array, index) = looked_up(array, index)?;
    Some(match array.data_type() {
        DataType::FixedSizeBinary(_) => Value::Bytes(array.as_fixed_size_binary().value(index)),
        DataType::Binary => Value::Bytes(array.as_binary::<i32>().value(index)),
        DataType::LargeBinary => Value::Bytes(array.as_binary::<i64>().value(index)),
        DataType::BinaryView => Value::Bytes(array.as_binary_view().value(index)),
        _ => integer(array, index).map_or_else(|| Value::Text(text(array, index)), Value::Integer),
    })
}

/// Returns the array that holds the value of a row, and the index there: the column itself or its dictionary.
/// Returns `None` if the value is null in either.
fn looked_up(array: &dyn Array, index: usize) -> Option<(&dyn Array, usize)> {
    if array.is_null(index) {
        return None;
    }
    let Some(dictionary) = array.as_any_dictionary_opt() else { return Some((array, index)) };
    let key = usize::try_from(integer(dictionary.keys(), index)?).ok()?;
    let values: &dyn Array = dictionary.values();
    values.is_valid(key).then_some((values, key))
}

fn text(array: &dyn Array, index: usize) -> &str {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(index),
        DataType::LargeUtf8 => array.as_string::<i64>().value(index),
        _ => array.as_string_view().value(index),
    }
}

/// Returns the integer of a row that is not null, or `None` unless the column holds integers.
fn integer(array: &dyn Array, index: usize) -> Option<i128> {
    macro_rules! of {
        ($($kind:ident: $type:ty),*) => {
            match array.data_type() {
                $(DataType::$kind => Some(array.as_primitive::<$type>().value(index).into()),)*
                _ => None,
            }
        };
    }
    of!(
        Int8: Int8Type, Int16: Int16Type, Int32: Int32Type, Int64: Int64Type,
        UInt8: UInt8Type, UInt16: UInt16Type, UInt32: UInt32Type, UInt64: UInt64Type
    )
}

/// Returns the name of a row's group, or `None` if it is null.
///
/// # Errors
/// Returns an error if the name is too long.
pub(super) fn group(array: &dyn Array, index: usize) -> Result<Option<GroupKey>, LongName> {
    let Some((array, index)) = looked_up(array, index) else { return Ok(None) };
    match integer(array, index) {
        Some(integer) => Ok(Some(GroupKey::Integer(integer))),
        None => GroupKey::named(text(array, index)).map(Some),
    }
}
