//! Outcomes as they are pickled: their values, of which those of groups are bytes that are checked when they are read, and their errors.

use crate::bulk::values::Written;
use crate::bulk::{self, Form};
use crate::curve::{Curve, parsed};
use crate::error::{Fault, Saved};
use crate::group::Group;
use crate::outcomes::{Outcomes, Values};
use crate::point::{encoded, named_encoding};
use arrow_array::LargeBinaryArray;
use bilinear_engine::{self as engine, GtEncoding};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes};
use std::collections::BTreeMap;

/// A place among the outcomes, and its error.
type Errors = Vec<(usize, Saved)>;

/// What `read_outcomes` takes: the curve, what the values are, how points are written as bytes, the values, and the errors.
pub(crate) type Parts<'py> = (Curve, &'static str, Option<&'static str>, Vec<Option<Bound<'py, PyAny>>>, Errors);

/// What outcomes are pickled as.
pub(crate) fn parts<'py>(
    py: Python<'py>,
    curve: &Curve,
    values: &Values,
    faults: &BTreeMap<usize, Fault>,
) -> Parts<'py> {
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).into_any();
    let (kind, encoding, values) = match values {
        Values::Points(group, encoding, points) => {
            let points = points.iter().map(|point| point.as_ref().map(|point| bytes(&encoded(curve, point))));
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
    (curve.clone(), kind, encoding, values, faults.iter().map(|(index, fault)| (*index, fault.saved())).collect())
}

const TARGETS: &str = "gt";
const TRUTHS: &str = "truths";
const BYTES: &str = "bytes";

/// Outcomes from what they were pickled as.
#[pyfunction]
pub(crate) fn read_outcomes(
    curve: &Bound<'_, Curve>,
    kind: &str,
    encoding: Option<&str>,
    values: &Bound<'_, PyAny>,
    errors: Errors,
) -> PyResult<Outcomes> {
    let curve = curve.get();
    let read = match kind {
        TARGETS => bulk::values::decoded(curve, values, Written { encoding: GtEncoding::Plain, progress: None })?,
        TRUTHS => Outcomes::new(curve, Values::Truths(values.extract()?)),
        BYTES => {
            let values: Vec<Option<Vec<u8>>> = values.extract()?;
            Outcomes::new(curve, Values::Bytes(LargeBinaryArray::from_iter(values)))
        }
        group => {
            let group = Group::from(parsed::<engine::Group>(group)?);
            bulk::points::decoded(curve, values, true, &Form { group, encoding: None, progress: None })?
        }
    };
    let faults = errors.into_iter().map(|(index, fault)| (index, Fault::read(fault)));
    Ok(read.completed(named_encoding(encoding)?, faults)?)
}
