//! The fields of one JSON object, found in a single pass that allocates only for escaped texts.

use super::{Fields, MAX_COLUMNS};
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A JSON value, as precisely as a row needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// The key is absent.
    Absent,
    /// The value null.
    Null,
    /// A string.
    Text(Cow<'a, str>),
    /// An integer of 64 bits.
    Integer(i128),
    /// Anything else.
    Other,
}

/// The number of fields that are looked for: those of the columns, and the group.
const FIELDS: usize = MAX_COLUMNS + 1;

/// The values of the columns, followed by the group.
pub(super) type Values<'a> = [Value<'a>; FIELDS];

/// Reads the wanted fields of the object in `line`. Other keys are skipped.
///
/// # Errors
/// Returns an error if the line is not one JSON object, or if a wanted key occurs twice.
pub(super) fn read<'a>(line: &'a [u8], fields: &Fields) -> Result<Values<'a>, serde_json::Error> {
    let mut names = [None; FIELDS];
    names.iter_mut().zip(&fields.columns).for_each(|(place, column)| *place = Some(&*column.name));
    names[MAX_COLUMNS] = fields.group.as_deref();
    let mut json = serde_json::Deserializer::from_slice(line);
    let values = json.deserialize_any(Object(names))?;
    json.end()?;
    Ok(values)
}

struct Object<'n>([Option<&'n str>; FIELDS]);

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Values<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }
    fn visit_seq<S: SeqAccess<'de>>(self, _: S) -> Result<Values<'de>, S::Error> {
        Err(S::Error::invalid_type(Unexpected::Other("an array"), &self))
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Values<'de>, M::Error> {
        let mut values = [const { Value::Absent }; FIELDS];
        while let Some(wanted) = map.next_key_seed(Key(&self.0))? {
            if wanted == [false; FIELDS] {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = map.next_value_seed(Field)?;
            for (slot, name) in values.iter_mut().zip(self.0).zip(wanted).filter_map(|(pair, hit)| hit.then_some(pair))
            {
                if *slot != Value::Absent {
                    return Err(M::Error::custom(format_args!("key {:?} occurs twice", name.unwrap_or_default())));
                }
                slot.clone_from(&value);
            }
        }
        Ok(values)
    }
}

/// The deserializer of a key, which finds the wanted fields of that name; two fields may share a column.
struct Key<'n>(&'n [Option<&'n str>; FIELDS]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = [bool; FIELDS];
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<[bool; FIELDS], D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = [bool; FIELDS];
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_str<E: Error>(self, key: &str) -> Result<[bool; FIELDS], E> {
        Ok(self.0.map(|name| name == Some(key)))
    }
}

struct Field;

impl<'de> DeserializeSeed<'de> for Field {
    type Value = Value<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Field {
    type Value = Value<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E: Error>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value<'de>, E> {
        // the parser reads -0 as a fraction, though it is an integer
        Ok(if value == 0.0 && value.is_sign_negative() { Value::Integer(0) } else { Value::Other })
    }
    fn visit_bool<E: Error>(self, _: bool) -> Result<Value<'de>, E> {
        Ok(Value::Other)
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Value<'de>, S::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Value<'de>, M::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}
