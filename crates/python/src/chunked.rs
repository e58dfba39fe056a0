//! Columns of consecutive Arrow arrays, as tables hold them; dictionaries are looked up row by row. Other code may
//! write to an array's memory while it is read here (pyarrow wraps numpy's memory). Bytes and texts are therefore
//! copied, and their offsets are read once and compared with the lengths of the buffers.

use crate::error::Fault;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ByteArrayType, ByteViewType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, GenericByteArray, GenericByteViewArray, StructArray};
use arrow_buffer::ArrowNativeType;
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::{DataType, FieldRef};
use std::hint::black_box;
use std::ops::Range;

/// Consecutive arrays of one type.
#[derive(Clone)]
pub(crate) struct Chunked {
    kind: DataType,
    arrays: Vec<ArrayRef>,
    /// The first row of each array.
    begins: Vec<usize>,
    len: usize,
}

/// Rows of bytes or texts, copied into one buffer.
pub(crate) struct Rows {
    bytes: Vec<u8>,
    /// The range of each row in `bytes`; `None` for a null.
    places: Vec<Option<Range<usize>>>,
}

impl Rows {
    /// Returns the bytes of a row, or `None` for a null.
    pub(crate) fn get(&self, i: usize) -> Option<&[u8]> {
        Some(&self.bytes[self.places[i].clone()?])
    }
}

/// Returns the fault of an array that was changed after its import.
fn changed() -> Fault {
    Fault::new("arrow", "the array was changed while it was read")
}

impl From<ArrayRef> for Chunked {
    fn from(array: ArrayRef) -> Chunked {
        Chunked::new(array.data_type().clone(), vec![array])
    }
}

impl Chunked {
    /// Creates a column from arrays of the type `kind`.
    pub(crate) fn new(kind: DataType, arrays: Vec<ArrayRef>) -> Chunked {
        let (mut begins, mut len) = (Vec::with_capacity(arrays.len()), 0);
        for array in &arrays {
            begins.push(len);
            // arrays without memory can claim any number of rows
            len = array.len().saturating_add(len);
        }
        Chunked { kind, arrays, begins, len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns true if rows of this type take memory.
    pub(crate) fn takes_memory(&self) -> bool {
        !matches!(self.kind, DataType::Null | DataType::FixedSizeBinary(0))
    }

    /// The type of the values. For a dictionary, the type of its entries.
    pub(crate) fn content(&self) -> &DataType {
        match &self.kind {
            DataType::Dictionary(_, content) => content,
            kind => kind,
        }
    }

    /// Returns the columns of a table by name: the fields of arrays of structures. Returns `None` if the arrays are not
    /// structures.
    pub(crate) fn columns(&self) -> Result<Option<Vec<(String, Chunked)>>, Fault> {
        let DataType::Struct(fields) = &self.kind else { return Ok(None) };
        let column = |(i, field): (usize, &FieldRef)| {
            let arrays = self.arrays.iter().map(|array| child(array.as_struct(), i)).collect::<Result<_, _>>()?;
            Ok((field.name().clone(), Chunked::new(field.data_type().clone(), arrays)))
        };
        fields.iter().enumerate().map(column).collect::<Result<_, _>>().map(Some)
    }

    /// Copies some rows of binary or text arrays.
    pub(crate) fn copied(&self, rows: &Range<usize>) -> Result<Rows, Fault> {
        let mut bytes = Vec::new();
        let copy = |row| {
            let Some((array, index)) = self.at(row)? else { return Ok(None) };
            let start = bytes.len();
            copy(array, index, &mut bytes)?;
            Ok(Some(start..bytes.len()))
        };
        let places = rows.clone().map(copy).collect::<Result<_, Fault>>()?;
        Ok(Rows { bytes, places })
    }

    /// Returns the array that holds the value of a row and the index in that array, or `None` for a null.
    pub(crate) fn at(&self, row: usize) -> Result<Option<(&dyn Array, usize)>, Fault> {
        let chunk = self.begins.partition_point(|begin| *begin <= row) - 1;
        let (array, index) = (&self.arrays[chunk], row - self.begins[chunk]);
        // an array of the null type does not report its rows as null
        if array.is_null(index) || *array.data_type() == DataType::Null {
            return Ok(None);
        }
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Ok(Some((array, index))) };
        let (key, values) = (integer(dictionary.keys(), index), dictionary.values());
        let key =
            key.and_then(|key| usize::try_from(key).ok()).filter(|key| *key < values.len()).ok_or_else(changed)?;
        Ok(values.is_valid(key).then_some((&**values, key)))
    }
}

/// Returns a field of an array of structures, with a null wherever the structure is null.
fn child(array: &StructArray, i: usize) -> Result<ArrayRef, Fault> {
    let column = array.column(i);
    match array.nulls() {
        None => Ok(column.clone()),
        // types without null buffers of their own: the values of the null type are all null, and the others occur in no
        // column that is read
        Some(_) if matches!(column.data_type(), DataType::Null | DataType::RunEndEncoded(..) | DataType::Union(..)) => {
            Ok(column.clone())
        }
        Some(nulls) => {
            let nulls = arrow_buffer::NullBuffer::union(Some(nulls), column.nulls());
            let data = column.to_data().into_builder().nulls(nulls).build();
            Ok(arrow_array::make_array(data.map_err(|_| changed())?))
        }
    }
}

/// Returns the integer in a row that is not null, or `None` if the array does not hold integers.
pub(crate) fn integer(array: &dyn Array, index: usize) -> Option<i128> {
    macro_rules! of {
        ($($kind:ident: $type:ty),*) => {
            match array.data_type() {
                $(DataType::$kind => Some(black_box(array.as_primitive::<$type>().value(index)).into()),)*
                _ => None,
            }
        };
    }
    of!(
        Int8: Int8Type, Int16: Int16Type, Int32: Int32Type, Int64: Int64Type,
        UInt8: UInt8Type, UInt16: UInt16Type, UInt32: UInt32Type, UInt64: UInt64Type
    )
}

/// Returns true if arrays of this type hold texts.
pub(crate) fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Returns the text in a row that is not null, of an array of texts.
pub(crate) fn text(array: &dyn Array, index: usize) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    copy(array, index, &mut bytes)?;
    String::from_utf8(bytes).map_err(|_| changed())
}

/// Appends the bytes of a row that is not null, of a binary or text array.
fn copy(array: &dyn Array, index: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let copied = match array.data_type() {
        DataType::Binary => copy_part(array.as_binary::<i32>(), index, out),
        DataType::LargeBinary => copy_part(array.as_binary::<i64>(), index, out),
        DataType::Utf8 => copy_part(array.as_string::<i32>(), index, out),
        DataType::LargeUtf8 => copy_part(array.as_string::<i64>(), index, out),
        DataType::BinaryView => copy_view(array.as_binary_view(), index, out),
        DataType::Utf8View => copy_view(array.as_string_view(), index, out),
        DataType::FixedSizeBinary(_) => {
            out.extend_from_slice(array.as_fixed_size_binary().value(index));
            Some(())
        }
        other => unreachable!("no column has this type: {other}"),
    };
    copied.ok_or_else(changed)
}

/// Appends the bytes of a row. Returns `None` if the offsets are outside the values.
fn copy_part<T: ByteArrayType>(array: &GenericByteArray<T>, index: usize, out: &mut Vec<u8>) -> Option<()> {
    let offset = |i: usize| black_box(array.value_offsets()[i]).to_usize();
    out.extend_from_slice(array.value_data().get(offset(index)?..offset(index + 1)?)?);
    Some(())
}

/// Appends the bytes of a row. Returns `None` if the view is outside the buffers.
fn copy_view<T: ByteViewType>(array: &GenericByteViewArray<T>, index: usize, out: &mut Vec<u8>) -> Option<()> {
    let view = black_box(array.views()[index]);
    let ByteView { length, buffer_index, offset, .. } = ByteView::from(view);
    // short values are stored in the view itself, behind their length
    if length <= MAX_INLINE_VIEW_LEN {
        out.extend_from_slice(&view.to_le_bytes()[4..4 + length as usize]);
        return Some(());
    }
    let rest = array.data_buffers().get(buffer_index as usize)?.get(offset as usize..)?;
    out.extend_from_slice(rest.get(..length as usize)?);
    Some(())
}
