//! The code with which a call, or a row of a batch, ends: a number for programs and a word that is the same in all of
//! Bilinear (docs/formats.md).

use std::ffi::CStr;

/// The outcome of a call. Codes from 1 to 15 are also outcomes of rows.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Success.
    BilinearOk = 0,
    /// An array, or a value in it, has a wrong length.
    BilinearLength = 1,
    /// A coordinate, a coefficient or a residue is not below its modulus.
    BilinearCanonical = 2,
    /// The last byte of a compressed point is neither 0 nor 1, or 1 where y is 0.
    BilinearSign = 3,
    /// Not on the curve.
    BilinearCurve = 4,
    /// On the curve, but not in the group.
    BilinearSubgroup = 5,
    /// The curve has no such encoding.
    BilinearEncoding = 6,
    /// Flags that the encoding does not have, or that contradict y.
    BilinearFlags = 7,
    /// Bytes above a coefficient are not 0.
    BilinearPadding = 8,
    /// The mark of the point at infinity comes with other data, or the encoding cannot hold the point at infinity.
    BilinearInfinity = 9,
    /// The lengths of the groups do not match the number of rows.
    BilinearRange = 10,
    /// Not in the target group.
    BilinearGroup = 11,
    /// A group has more or fewer rows than there are prepared arguments.
    BilinearFixedCount = 12,
    /// A pointer is NULL that must not be.
    BilinearNull = 16,
    /// A number is not a group, not flags or not a size, or a text is not UTF-8.
    BilinearArgument = 17,
    /// No curve, engine, pairing, power or encoding has this name.
    BilinearName = 18,
    /// The parameters of a curve cannot be read, or are wrong.
    BilinearParameters = 19,
    /// The engine does not support the curve, or the curve has no such pairing.
    BilinearEngine = 20,
    /// Threads cannot be started.
    BilinearThreads = 21,
    /// The tag of hashing is empty.
    BilinearTag = 22,
    /// The pairing cannot be prepared for this argument.
    BilinearPrepare = 23,
    /// A prepared argument belongs to another context.
    BilinearContext = 24,
    /// The operating system has no randomness.
    BilinearRandomness = 25,
    /// Some rows have no value: their codes are in `status`.
    BilinearRows = 26,
    /// A fault of the library.
    BilinearInternal = 27,
    /// The factors of the order are unknown or belong to another curve, the order is prime, or it has no factor of this number.
    BilinearFactors = 28,
}

impl Code {
    /// All codes.
    pub(crate) const ALL: [Code; 26] = [
        Code::BilinearOk,
        Code::BilinearLength,
        Code::BilinearCanonical,
        Code::BilinearSign,
        Code::BilinearCurve,
        Code::BilinearSubgroup,
        Code::BilinearEncoding,
        Code::BilinearFlags,
        Code::BilinearPadding,
        Code::BilinearInfinity,
        Code::BilinearRange,
        Code::BilinearGroup,
        Code::BilinearFixedCount,
        Code::BilinearNull,
        Code::BilinearArgument,
        Code::BilinearName,
        Code::BilinearParameters,
        Code::BilinearEngine,
        Code::BilinearThreads,
        Code::BilinearTag,
        Code::BilinearPrepare,
        Code::BilinearContext,
        Code::BilinearRandomness,
        Code::BilinearRows,
        Code::BilinearInternal,
        Code::BilinearFactors,
    ];

    /// The word of the code.
    pub fn word(self) -> &'static CStr {
        match self {
            Code::BilinearOk => c"ok",
            Code::BilinearLength => c"length",
            Code::BilinearCanonical => c"canonical",
            Code::BilinearSign => c"sign",
            Code::BilinearCurve => c"curve",
            Code::BilinearSubgroup => c"subgroup",
            Code::BilinearEncoding => c"encoding",
            Code::BilinearFlags => c"flags",
            Code::BilinearPadding => c"padding",
            Code::BilinearInfinity => c"infinity",
            Code::BilinearRange => c"range",
            Code::BilinearGroup => c"group",
            Code::BilinearFixedCount => c"fixed_count",
            Code::BilinearNull => c"null",
            Code::BilinearArgument => c"argument",
            Code::BilinearName => c"name",
            Code::BilinearParameters => c"parameters",
            Code::BilinearEngine => c"engine",
            Code::BilinearThreads => c"threads",
            Code::BilinearTag => c"tag",
            Code::BilinearPrepare => c"prepare",
            Code::BilinearContext => c"context",
            Code::BilinearRandomness => c"randomness",
            Code::BilinearRows => c"rows",
            Code::BilinearInternal => c"internal",
            Code::BilinearFactors => c"factors",
        }
    }

    /// Returns the code with this number; if there is none, that of a fault of the library.
    pub fn of_number(code: i32) -> Code {
        Code::ALL.into_iter().find(|known| *known as i32 == code).unwrap_or(Code::BilinearInternal)
    }

    /// Returns the code of an error of the engine, by the error's word.
    pub(crate) fn of(word: &str) -> Code {
        let known = Code::ALL.into_iter().find(|code| code.word().to_bytes() == word.as_bytes());
        known.unwrap_or(Code::BilinearInternal)
    }
}
