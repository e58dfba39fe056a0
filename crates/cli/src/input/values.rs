//! Single values of columns, whatever the layout: texts, bytes, integers. Columns are read where they lie; a dictionary is looked
//! up row by row, since unpacking one could multiply its size.

use super::GroupKey;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_schema::DataType;

/// A point or an expected value as a column has it.
pub(super) enum Value<'a> {
    /// Hexadecimal.
    Text(&'a str),
    /// Itself.
    Bytes(&'a [u8]),
}

/// Whether a column of this type holds points or expected values.
pub(super) fn is_value(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    is_text(kind) || matches!(kind, FixedSizeBinary(_) | Binary | LargeBinary | BinaryView)
}

/// Whether its values are texts.
pub(super) fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The value of a row that is not null, in a column of values.
pub(super) fn value(array: &dyn Array, index: usize) -> Value<'_> {
    match array.data_type() {
        DataType::FixedSizeBinary(_) => Value::Bytes(array.as_fixed_size_binary().value(index)),
        DataType::Binary => Value::Bytes(array.as_binary::<i32>().value(index)),
        DataType::LargeBinary => Value::Bytes(array.as_binary::<i64>().value(index)),
        DataType::BinaryView => Value::Bytes(array.as_binary_view().value(index)),
        _ => Value::Text(text(array, index)),
    }
}

fn text(array: &dyn Array, index: usize) -> &str {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(index),
        DataType::LargeUtf8 => array.as_string::<i64>().value(index),
        _ => array.as_string_view().value(index),
    }
}

/// The integer of a row that is not null, in a column of integers.
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

/// The name of a row's product; `None` where it is null.
pub(super) fn group(array: &dyn Array, index: usize) -> Option<GroupKey> {
    if array.is_null(index) {
        return None;
    }
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let key = usize::try_from(integer(dictionary.keys(), index)?).ok()?;
        return group(dictionary.values(), key);
    }
    Some(match integer(array, index) {
        Some(integer) => GroupKey::Integer(integer),
        None => GroupKey::Text(text(array, index).into()),
    })
}
