//! The code with which a call, or a row of a batch, ends: a number for programs and a name that is the same in all of
//! Bilinear (docs/formats.md).

use std::ffi::CStr;

/// The outcome of a call. Codes from 1 to 15 are also outcomes of rows.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Success.
    BilinearOk = 0,
    /// An array, or a value in it, has a wrong length.
    BilinearErrorLength = 1,
    /// A coordinate, a coefficient or a residue is not below its modulus.
    BilinearErrorCanonical = 2,
    /// The last byte of a compressed point is neither 0 nor 1, or 1 where y is 0.
    BilinearErrorSign = 3,
    /// Not on the curve.
    BilinearErrorCurve = 4,
    /// On the curve, but not in the group.
    BilinearErrorSubgroup = 5,
    /// The curve has no such encoding.
    BilinearErrorEncoding = 6,
    /// Flags that the encoding does not have, or that contradict y.
    BilinearErrorFlags = 7,
    /// Bytes above a coefficient are not 0.
    BilinearErrorPadding = 8,
    /// The mark of the point at infinity comes with other data, or the encoding cannot hold the point at infinity.
    BilinearErrorInfinity = 9,
    /// The lengths of the groups do not match the number of rows.
    BilinearErrorRange = 10,
    /// Not in the target group.
    BilinearErrorGroup = 11,
    /// A group has more or fewer rows than there are prepared arguments.
    BilinearErrorFixedCount = 12,
    /// A pointer is NULL that must not be.
    BilinearErrorPointer = 16,
    /// A number is not a group, not flags or not a size, or a text is not UTF-8.
    BilinearErrorArgument = 17,
    /// No curve, engine, pairing, power or encoding has this name.
    BilinearErrorName = 18,
    /// The parameters of a curve cannot be read, or are wrong.
    BilinearErrorParameters = 19,
    /// The engine does not support the curve, or the curve has no such pairing.
    BilinearErrorEngine = 20,
    /// Threads cannot be started.
    BilinearErrorThreads = 21,
    /// The domain separation tag of hashing is empty.
    BilinearErrorDst = 22,
    /// The pairing cannot be prepared for this argument.
    BilinearErrorPrepare = 23,
    /// A prepared argument, a base or an element belongs to another context.
    BilinearErrorContext = 24,
    /// The operating system has no randomness.
    BilinearErrorRandomness = 25,
    /// Some rows have no value: their codes are in `status`.
    BilinearErrorRows = 26,
    /// A fault of the library.
    BilinearErrorInternal = 27,
    /// The factors of the order are unknown or belong to another curve, the order is prime, or it has no factor of this number.
    BilinearErrorFactors = 28,
}

/// All codes with their names.
const NAMES: [(Code, &CStr); 26] = [
    (Code::BilinearOk, c"ok"),
    (Code::BilinearErrorLength, c"length"),
    (Code::BilinearErrorCanonical, c"canonical"),
    (Code::BilinearErrorSign, c"sign"),
    (Code::BilinearErrorCurve, c"curve"),
    (Code::BilinearErrorSubgroup, c"subgroup"),
    (Code::BilinearErrorEncoding, c"encoding"),
    (Code::BilinearErrorFlags, c"flags"),
    (Code::BilinearErrorPadding, c"padding"),
    (Code::BilinearErrorInfinity, c"infinity"),
    (Code::BilinearErrorRange, c"range"),
    (Code::BilinearErrorGroup, c"group"),
    (Code::BilinearErrorFixedCount, c"fixed_count"),
    (Code::BilinearErrorPointer, c"pointer"),
    (Code::BilinearErrorArgument, c"argument"),
    (Code::BilinearErrorName, c"name"),
    (Code::BilinearErrorParameters, c"parameters"),
    (Code::BilinearErrorEngine, c"engine"),
    (Code::BilinearErrorThreads, c"threads"),
    (Code::BilinearErrorDst, c"dst"),
    (Code::BilinearErrorPrepare, c"prepare"),
    (Code::BilinearErrorContext, c"context"),
    (Code::BilinearErrorRandomness, c"randomness"),
    (Code::BilinearErrorRows, c"rows"),
    (Code::BilinearErrorInternal, c"internal"),
    (Code::BilinearErrorFactors, c"factors"),
];

impl Code {
    /// Returns the name of the code.
    pub fn name(self) -> &'static CStr {
        find(|code, _| code == self).1
    }

    /// Returns the code with this number; if there is none, that of a fault of the library.
    pub fn of_number(number: i32) -> Code {
        find(|code, _| code as i32 == number).0
    }

    /// Returns the code of an error of the engine, by its name.
    pub(crate) fn of(name: &str) -> Code {
        find(|_, known| known.to_bytes() == name.as_bytes()).0
    }
}

/// Returns the first code that suits, and its name; if none does, those of a fault of the library.
fn find(suits: impl Fn(Code, &CStr) -> bool) -> (Code, &'static CStr) {
    let known = NAMES.into_iter().find(|(code, name)| suits(*code, name));
    known.unwrap_or((Code::BilinearErrorInternal, c"internal"))
}
