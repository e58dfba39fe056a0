//! The pickled form of outcomes: their values and their errors. Group elements are stored as bytes, which are checked
//! when they are read. If some point is only known to be on the curve, all points are checked only to be on the curve.

use crate::bulk::values::ValueOptions;
use crate::bulk::{self, Form};
use crate::curve::{Curve, parsed};
use crate::error::{Fault, Saved};
use crate::group::Group;
use crate::outcomes::{Outcomes, Values};
use crate::point::{named_encoding, pickled};
use arrow_array::LargeBinaryArray;
use bilinear_engine::{self as engine, GtEncoding, Validate};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes};
use std::collections::BTreeMap;

/// Errors, each with its index among the outcomes.
type Errors = Vec<(usize, Saved)>;

/// The arguments of `read_outcomes`: the curve, the kind of the values, the encoding of points in bytes, the values,
/// the errors, and whether the group of points is checked.
pub(crate) type Parts<'py> = (Curve, &'static str, Option<&'static str>, Vec<Option<Bound<'py, PyAny>>>, Errors, bool);

/// Returns the pickled form of outcomes.
pub(crate) fn parts<'py>(
    py: Python<'py>,
    curve: &Curve,
    values: &Values,
    faults: &BTreeMap<usize, Fault>,
) -> Parts<'py> {
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).into_any();
    let mut check = true;
    let (kind, encoding, values) = match values {
        Values::Points(group, encoding, points) => {
            check = points.iter().flatten().all(|point| point.validated() == Validate::Subgroup);
            let points = points.iter().map(|point| point.as_ref().map(|point| bytes(&pickled(curve, point))));
            (group.name(), encoding.map(engine::Encoding::name), points.collect())
        }
        Values::Targets(values) => {
            (TARGETS, None, values.iter().map(|value| value.as_ref().map(|value| bytes(value.bytes()))).collect())
        }
        Values::Truths(truths) => {
            let truth = |truth: &Option<bool>| truth.map(|truth| PyBool::new(py, truth).to_owned().into_any());
            (TRUTHS, None, truths.iter().map(truth).collect())
        }
        Values::Bytes(values) => (BYTES, None, values.iter().map(|value| value.map(bytes)).collect()),
    };
    let faults = faults.iter().map(|(index, fault)| (*index, fault.saved())).collect();
    (curve.clone(), kind, encoding, values, faults, check)
}

const TARGETS: &str = "gt";
const TRUTHS: &str = "truths";
const BYTES: &str = "bytes";

/// Unpickles outcomes.
#[pyfunction]
#[pyo3(signature = (curve, kind, encoding, values, errors, check = true))]
pub(crate) fn read_outcomes(
    curve: &Bound<'_, Curve>,
    kind: &str,
    encoding: Option<&str>,
    values: &Bound<'_, PyAny>,
    errors: Errors,
    check: bool,
) -> PyResult<Outcomes> {
    let curve = curve.get();
    let read = match kind {
        TARGETS => bulk::values::decoded(curve, values, ValueOptions { encoding: GtEncoding::Plain, progress: None })?,
        TRUTHS => Outcomes::new(curve, Values::Truths(values.extract()?)),
        BYTES => {
            let values: Vec<Option<Vec<u8>>> = values.extract()?;
            Outcomes::new(curve, Values::Bytes(LargeBinaryArray::from_iter(values)))
        }
        group => {
            let group = Group::from(parsed::<engine::Group>(group)?);
            let validate = if check { Validate::Subgroup } else { Validate::OnCurve };
            bulk::points::decoded(curve, values, validate, &Form { group, encoding: None, progress: None })?
        }
    };
    let faults = errors.into_iter().map(|(index, fault)| (index, Fault::read(fault)));
    Ok(read.completed(named_encoding(encoding)?, faults.collect())?)
}
