//! Arrow arrays one after the other, as a column of a table has them, read where they lie; a dictionary is looked up row by row.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;

/// Arrays of one type.
#[derive(Clone)]
pub(crate) struct Chunked {
    kind: DataType,
    arrays: Vec<ArrayRef>,
    /// Where each begins.
    begins: Vec<usize>,
    len: usize,
}

impl From<ArrayRef> for Chunked {
    fn from(array: ArrayRef) -> Chunked {
        Chunked::new(array.data_type().clone(), vec![array])
    }
}

impl Chunked {
    /// Arrays of this type.
    pub(crate) fn new(kind: DataType, arrays: Vec<ArrayRef>) -> Chunked {
        let (mut begins, mut len) = (Vec::with_capacity(arrays.len()), 0);
        for array in &arrays {
            begins.push(len);
            len += array.len();
        }
        Chunked { kind, arrays, begins, len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The type of values, be it by way of a dictionary.
    pub(crate) fn content(&self) -> &DataType {
        match &self.kind {
            DataType::Dictionary(_, content) => content,
            kind => kind,
        }
    }

    /// The columns of a table: those of arrays of structures, by their names. `None` where these are no structures.
    pub(crate) fn columns(&self) -> Option<Vec<(String, Chunked)>> {
        let DataType::Struct(fields) = &self.kind else { return None };
        let column = |i: usize| {
            let child = |array: &ArrayRef| child(array.as_struct(), i);
            Chunked::new(fields[i].data_type().clone(), self.arrays.iter().map(child).collect())
        };
        Some(fields.iter().enumerate().map(|(i, field)| (field.name().clone(), column(i))).collect())
    }

    /// The array that has the value of a row, and where; `None` where it is null.
    pub(crate) fn at(&self, row: usize) -> Option<(&dyn Array, usize)> {
        let chunk = self.begins.partition_point(|begin| *begin <= row) - 1;
        let (array, index) = (&self.arrays[chunk], row - self.begins[chunk]);
        // an array of the null type does not say so of its rows
        if array.is_null(index) || *array.data_type() == DataType::Null {
            return None;
        }
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Some((array, index)) };
        let key = usize::try_from(integer(dictionary.keys(), index)?).ok()?;
        dictionary.values().is_valid(key).then_some((&**dictionary.values(), key))
    }
}

/// A column of structures, which is null where the structure is.
fn child(array: &StructArray, i: usize) -> ArrayRef {
    let column = array.column(i);
    match array.nulls() {
        None => column.clone(),
        Some(nulls) => {
            let nulls = arrow_buffer::NullBuffer::union(Some(nulls), column.nulls());
            let data = column.to_data().into_builder().nulls(nulls).build();
            arrow_array::make_array(data.unwrap_or_else(|e| unreachable!("an array with fewer values: {e}")))
        }
    }
}

/// The integer of a row that is not null; `None` where the array holds something else.
pub(crate) fn integer(array: &dyn Array, index: usize) -> Option<i128> {
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

/// The text of a row that is not null, in an array of texts.
pub(crate) fn text(array: &dyn Array, index: usize) -> Option<&str> {
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(index)),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(index)),
        DataType::Utf8View => Some(array.as_string_view().value(index)),
        _ => None,
    }
}

/// The bytes of a row that is not null, in an array of binary or texts.
pub(crate) fn bytes(array: &dyn Array, index: usize) -> Option<&[u8]> {
    match array.data_type() {
        DataType::Binary => Some(array.as_binary::<i32>().value(index)),
        DataType::LargeBinary => Some(array.as_binary::<i64>().value(index)),
        DataType::BinaryView => Some(array.as_binary_view().value(index)),
        DataType::FixedSizeBinary(_) => Some(array.as_fixed_size_binary().value(index)),
        _ => text(array, index).map(str::as_bytes),
    }
}
