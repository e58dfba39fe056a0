//! Faults of calls: a code, a text, and the row where there is one.

use crate::code::Code;
use bilinear_engine::params;
use bilinear_engine::{
    EncodingError, FactorsError, GtError, HashError, OutsideG2Error, PointError, PrepareError, RowError, Side,
    SystemError, ThreadsError, UnknownName,
};
use std::ffi::CString;
use std::fmt::Display;

/// A fault, before it is handed to the caller.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    message: String,
    /// The row of the table, from 0.
    pub(crate) row: Option<usize>,
}

impl Fault {
    pub(crate) fn new(code: Code, message: impl Display) -> Fault {
        Fault { code, message: message.to_string(), row: None }
    }

    /// Returns this fault as one of an argument of the pairing.
    pub(crate) fn of(self, side: Side) -> Fault {
        Fault { message: format!("{side}: {}", self.message), ..self }
    }

    /// Returns this fault as one of a row.
    pub(crate) fn at(self, row: usize) -> Fault {
        Fault { row: Some(row), ..self }
    }

    /// Returns the fault of a call in which some outcomes are bad; this fault is the first of theirs.
    pub(crate) fn of_rows(&self, bad: usize, all: usize) -> Fault {
        let place = self.row.map_or(String::new(), |row| format!("row {row}, "));
        let message = format!("{bad} of {all} have no value; the first: {place}{}", self.message);
        Fault { code: Code::BilinearErrorRows, message, row: self.row }
    }
}

impl From<RowError> for Fault {
    fn from(error: RowError) -> Fault {
        Fault::from(error.reason).of(error.side).at(error.row)
    }
}

impl From<PointError> for Fault {
    fn from(error: PointError) -> Fault {
        Fault::new(Code::of(error.code()), error)
    }
}

impl From<GtError> for Fault {
    fn from(error: GtError) -> Fault {
        Fault::new(Code::of(error.code()), error)
    }
}

/// Errors that have one code each.
macro_rules! coded {
    ($($error:ty => $code:ident),* $(,)?) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Fault {
                Fault::new(Code::$code, error)
            }
        })*
    };
}

coded! {
    params::Error => BilinearErrorParameters,
    SystemError => BilinearErrorEngine,
    ThreadsError => BilinearErrorThreads,
    UnknownName => BilinearErrorName,
    EncodingError => BilinearErrorEncoding,
    HashError => BilinearErrorDst,
    PrepareError => BilinearErrorPrepare,
    OutsideG2Error => BilinearErrorArgument,
    getrandom::Error => BilinearErrorRandomness,
    FactorsError => BilinearErrorFactors,
}

/// The error of a call. It is made by the call that failed, and freed by the caller.
pub struct Error {
    code: Code,
    row: Option<usize>,
    message: CString,
}

impl Error {
    /// The code of the error.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// The row of the error, counted from 0.
    pub(crate) fn row(&self) -> Option<usize> {
        self.row
    }

    /// The text of the error.
    pub(crate) fn message(&self) -> &std::ffi::CStr {
        &self.message
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        // a text that quotes the input may hold a byte 0
        let text: String = fault.message.chars().filter(|c| *c != '\0').collect();
        Error { code: fault.code, row: fault.row, message: CString::new(text).unwrap_or_default() }
    }
}
