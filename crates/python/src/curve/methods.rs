//! The Python methods of a curve: its parameters, single values, and batches.

use super::{Choice, Curve, Saved, validation};
use crate::bulk::values::ValueOptions;
use crate::bulk::{self, Call, Form};
use crate::error::Fault;
use crate::group::Group;
use crate::groups::Groups;
use crate::number::{Integer, at_least_one, residue, to_int};
use crate::outcomes::Outcomes;
use crate::point::{Point, named_encoding};
use crate::prepared::Prepared;
use crate::scalar::Scalar;
use crate::target::{self, Target};
use crate::text::{Data, Text};
use bilinear_engine::params::{Description, Factors};
use bilinear_engine::{self as engine, Side};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[pymethods]
impl Curve {
    /// Creates a shipped curve from its name, or a curve from a description of several lines: TOML, or PBC's parameter
    /// text.
    #[new]
    #[pyo3(signature = (name, *, engine = None, threads = None, pairing = None, power = "exact", research = false))]
    fn new(
        py: Python<'_>,
        name: &str,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
        pairing: Option<&str>,
        power: &str,
        research: bool,
    ) -> PyResult<Curve> {
        let choice = Choice { engine, threads, pairing, power, research };
        if !name.contains('\n') {
            let curve = engine::Curve::named(name).map_err(|error| Fault::new("name", error))?;
            return Curve::make(py, &curve, &choice, None);
        }
        let found = py.detach(|| Description::from_text(name, "parameters")).map_err(Fault::from)?;
        Curve::make(py, &found.curve, &choice, found.factors.as_ref())
    }

    /// Reads a curve from a file in TOML or in PBC's parameter format.
    #[staticmethod]
    #[pyo3(signature = (path, *, engine = None, threads = None, pairing = None, power = "exact", research = false))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
        pairing: Option<&str>,
        power: &str,
        research: bool,
    ) -> PyResult<Curve> {
        let found = py.detach(|| Description::load(path)).map_err(Fault::from)?;
        Curve::make(py, &found.curve, &Choice { engine, threads, pairing, power, research }, found.factors.as_ref())
    }

    /// Returns this curve with the secret factors of its order, read from the file that holds them.
    fn with_factors(&self, py: Python<'_>, path: PathBuf) -> PyResult<Curve> {
        let made = py.detach(|| {
            let factors = Factors::load(path, self.system().curve())?;
            self.system().with_factors(&factors).map_err(|error| Fault::new("factors", error))
        });
        Ok(Curve::of(made?, self.0.engine.as_deref(), self.0.threads)?)
    }

    /// The name of the curve.
    #[getter]
    fn name(&self) -> &str {
        self.system().curve().name()
    }

    /// The engine that computes single values.
    #[getter]
    fn engine(&self) -> String {
        self.system().engine().to_string()
    }

    /// The engine that computes batches.
    #[getter]
    fn batch_engine(&self) -> String {
        self.system().engine_for(usize::MAX).to_string()
    }

    /// The number of threads of a batch.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.batch()?.thread_count())
    }

    /// The pairing: `optate`, `ate`, `rate`, `tate`, `betaweil`, `alphaweil`, `weil`, `etat` or `opteta`.
    #[getter]
    fn pairing(&self) -> String {
        self.system().pairing().to_string()
    }

    /// The power of the pairing: `exact` or `fast`.
    #[getter]
    fn power(&self) -> String {
        self.system().power().to_string()
    }

    /// The order of the groups.
    #[getter]
    fn order<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        to_int(py, self.system().order())
    }

    /// True if G1 and G2 are one group.
    #[getter]
    fn is_symmetric(&self) -> bool {
        self.system().is_symmetric()
    }

    /// An estimate of the curve's security, in words.
    #[getter]
    fn security(&self) -> String {
        self.system().curve().security().to_string()
    }

    /// Returns the parameters as a description in TOML, without secret factors.
    fn to_toml(&self) -> String {
        self.system().curve().to_toml()
    }

    /// Returns the number of bytes of an uncompressed element of a group.
    fn size(&self, group: Group) -> PyResult<usize> {
        Ok(match group {
            Group::Zr => self.system().scalar_len(),
            Group::GT => self.system().gt_len(),
            points => self.system().point_len(points.of_points()?),
        })
    }

    /// Returns the neutral element of G1, G2 or GT.
    fn identity(&self, py: Python<'_>, group: Group) -> PyResult<Py<PyAny>> {
        match group {
            Group::Zr => Err(not_zr()),
            Group::GT => Ok(Py::new(py, Target::new(self, self.system().gt_one()))?.into_any()),
            points => Ok(Py::new(py, Point::new(self, self.system().infinity(points.of_points()?)))?.into_any()),
        }
    }

    /// Returns the generator of G1 or G2: the one in the parameters, or else one derived from them. For GT, returns
    /// e(g1, g2).
    fn generator(&self, py: Python<'_>, group: Group) -> PyResult<Py<PyAny>> {
        let (system, [g1, g2]) = (self.system(), engine::Group::ALL);
        match group {
            Group::Zr => Err(not_zr()),
            Group::GT => {
                let value = py.detach(|| system.pair(&system.generator(g1), &system.generator(g2)));
                Ok(Py::new(py, Target::new(self, value))?.into_any())
            }
            points => Ok(Py::new(py, Point::new(self, system.generator(points.of_points()?)))?.into_any()),
        }
    }

    /// Returns a uniformly random element of G1, G2, GT or Zr, drawn with the operating system's randomness. Points of
    /// G1 and G2 are not O.
    fn random(&self, py: Python<'_>, group: Group) -> PyResult<Py<PyAny>> {
        match group {
            Group::Zr => Ok(Py::new(py, Scalar::random(self)?)?.into_any()),
            Group::GT => {
                let system = self.system();
                let value = py.detach(|| system.random_gt()).map_err(Fault::from)?;
                Ok(Py::new(py, Target::new(self, value))?.into_any())
            }
            points => {
                let group = points.of_points()?;
                let point = py.detach(|| self.system().random(group)).map_err(Fault::from)?;
                Ok(Py::new(py, Point::new(self, point))?.into_any())
            }
        }
    }

    /// Returns the residue of an integer modulo the order.
    fn scalar(&self, value: Integer<'_>) -> PyResult<Scalar> {
        Ok(Scalar::new(self, residue(&value.0, self.system().order())?))
    }

    /// Hashes a message to a point (RFC 9380), under a tag that separates one use from all others.
    #[pyo3(signature = (message, group, *, dst))]
    fn hash(&self, py: Python<'_>, message: Text, group: Group, dst: Text) -> PyResult<Point> {
        let group = group.of_points()?;
        let hash = || self.system().hash_to_curve(group, message.as_bytes(), dst.as_bytes());
        Ok(Point::new(self, py.detach(hash).map_err(Fault::from)?))
    }

    /// Reads an element from bytes that `to_bytes` wrote, or from another system's `encoding`. The bytes are checked in
    /// full. With `validate="on-curve"`, a point is not checked to be in its group.
    #[pyo3(signature = (data, group, *, encoding = None, validate = "subgroup"))]
    fn deserialize(
        &self,
        py: Python<'_>,
        data: Data,
        group: Group,
        encoding: Option<&str>,
        validate: &str,
    ) -> PyResult<Py<PyAny>> {
        let (system, Data(data), validate) = (self.system(), data, validation(validate)?);
        match group {
            Group::Zr if encoding.is_some() => {
                Err(Fault::new("encoding", "residues have only one encoding: None").into())
            }
            Group::Zr => Ok(Py::new(py, Scalar::decode(self, &data)?)?.into_any()),
            Group::GT => {
                let encoding = target::named_encoding(encoding.unwrap_or("plain"))?;
                let value = py.detach(|| system.decode_gt_as(encoding, &data)).map_err(Fault::from)?;
                Ok(Py::new(py, Target::new(self, value))?.into_any())
            }
            points => {
                let (group, encoding) = (points.of_points()?, named_encoding(encoding)?);
                let point = system.point_ref(group, encoding, &data);
                let point = py.detach(|| system.decode(group, point, validate)).map_err(Fault::from)?;
                Ok(Py::new(py, Point::new(self, point))?.into_any())
            }
        }
    }

    /// Computes e(P, Q) for P in G1 and Q in G2.
    fn pair(&self, py: Python<'_>, p: &Bound<'_, Point>, q: &Bound<'_, Point>) -> PyResult<Target> {
        let (p, q) = (self.argument(Side::P, p.get())?, self.argument(Side::Q, q.get())?);
        Ok(Target::new(self, py.detach(|| self.system().pair(p, q))))
    }

    /// Prepares a point as a fixed argument, whose lines are computed once. By default the point is the argument of its
    /// own group. On a symmetric curve the result can stand for either argument.
    #[pyo3(signature = (point, side = None))]
    fn prepare(&self, py: Python<'_>, point: &Bound<'_, Point>, side: Option<&str>) -> PyResult<Prepared> {
        let side = match side {
            None => Side::of(point.get().point.group()),
            Some("p") => Side::P,
            Some("q") => Side::Q,
            Some(other) => {
                return Err(Fault::new("name", format!("no argument is called {other}: choose p or q")).into());
            }
        };
        let point = self.argument(side, point.get())?;
        let prepared =
            py.detach(|| self.system().prepare(side, point)).map_err(|error| Fault::new("prepare", error))?;
        Ok(Prepared { curve: self.clone(), point: point.clone(), prepared })
    }

    /// Computes e(P, Q) for every row of two columns. `encoding` is the encoding of points that are given as bytes.
    /// `validate` is `"subgroup"`, `"on-curve"` (the groups of points are not checked) or `"allow-q-outside-g2"` (only
    /// Q may be outside its group, with the pairing `tate`).
    #[pyo3(signature = (p, q, *, encoding = None, validate = "subgroup", progress = None))]
    fn pairings(
        &self,
        p: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        encoding: Option<&str>,
        validate: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::pairings(self, &Call { p, q, encoding, validate, progress })
    }

    /// Computes the product of e(P, Q) over every group of rows. `encoding` and `validate` have the meaning that they
    /// have in `pairings`.
    #[pyo3(signature = (p, q, groups, *, encoding = None, validate = "subgroup", progress = None))]
    fn products(
        &self,
        p: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        groups: Groups,
        encoding: Option<&str>,
        validate: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::products(self, &Call { p, q, encoding, validate, progress }, &groups, &bulk::PRODUCTS)
    }

    /// Checks whether the product of e(P, Q) over every group of rows is 1. `encoding` and `validate` have the meaning
    /// that they have in `pairings`.
    #[pyo3(signature = (p, q, groups, *, encoding = None, validate = "subgroup", progress = None))]
    fn checks(
        &self,
        p: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        groups: Groups,
        encoding: Option<&str>,
        validate: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::products(self, &Call { p, q, encoding, validate, progress }, &groups, &bulk::CHECKS)
    }

    /// Computes `P ** x` for every row, in GT as well, by the routine that is constant time in the x. Each x has 1024
    /// bytes at most. `encoding` is that of elements that are given as bytes, and that of the resulting points when the
    /// outcomes become bytes.
    #[pyo3(signature = (points, scalars, group, *, encoding = None, progress = None))]
    fn multiples(
        &self,
        points: &Bound<'_, PyAny>,
        scalars: &Bound<'_, PyAny>,
        group: Group,
        encoding: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        match group {
            Group::GT => bulk::values::powers(self, points, scalars, written(self, encoding, progress)?),
            group => bulk::points::multiples(self, points, scalars, &Form { group, encoding, progress }),
        }
    }

    /// Computes the product of the elements of every group of rows, `P * Q * …`, in GT as well: 1 for a group without
    /// rows. With `validate="on-curve"`, points are not checked to be in their group; elements of GT are always checked
    /// in full.
    #[pyo3(signature = (points, groups, group, *, encoding = None, validate = "subgroup", progress = None))]
    fn sums(
        &self,
        points: &Bound<'_, PyAny>,
        groups: Groups,
        group: Group,
        encoding: Option<&str>,
        validate: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        let validate = validation(validate)?;
        match group {
            Group::GT => bulk::values::products(self, (points, None), &groups, written(self, encoding, progress)?),
            group => bulk::points::sums(self, points, &groups, validate, &Form { group, encoding, progress }),
        }
    }

    /// Computes the product of `P ** x` over every group of rows, in GT as well. In GT, each x has 1024 bytes at most.
    /// For points, x may have any length, and the time depends on the x. `validate` has the meaning that it has in `sums`.
    #[pyo3(signature = (points, scalars, groups, group, *, encoding = None, validate = "subgroup", progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn msms(
        &self,
        points: &Bound<'_, PyAny>,
        scalars: &Bound<'_, PyAny>,
        groups: Groups,
        group: Group,
        encoding: Option<&str>,
        validate: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        let validate = validation(validate)?;
        match group {
            Group::GT => {
                bulk::values::products(self, (points, Some(scalars)), &groups, written(self, encoding, progress)?)
            }
            group => {
                bulk::points::msms(self, (points, scalars), &groups, validate, &Form { group, encoding, progress })
            }
        }
    }

    /// Computes the component of every point in the subgroup of the `index`-th prime factor of the order, by the
    /// routine that is constant time in the factors. The curve must know the factors.
    #[pyo3(signature = (points, index, *, encoding = None, progress = None))]
    fn projections(
        &self,
        points: &Bound<'_, PyAny>,
        index: Integer<'_>,
        encoding: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::points::projections(self, points, &index, &Form { group: Group::G1, encoding, progress })
    }

    /// Hashes each message to a point. `encoding` is that of the points when the outcomes become bytes.
    #[pyo3(signature = (messages, group, *, dst, encoding = None, progress = None))]
    fn hashes(
        &self,
        messages: &Bound<'_, PyAny>,
        group: Group,
        dst: Text,
        encoding: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::points::hashes(self, messages, &dst, &Form { group, encoding, progress })
    }

    /// Reads points from bytes and checks them in full. With `validate="on-curve"`, points are not checked to be in
    /// their group. `encoding` is that of the bytes, and that of the points when the outcomes become bytes again.
    #[pyo3(signature = (data, group, *, encoding = None, validate = "subgroup", progress = None))]
    fn points(
        &self,
        data: &Bound<'_, PyAny>,
        group: Group,
        encoding: Option<&str>,
        validate: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::points::decoded(self, data, validation(validate)?, &Form { group, encoding, progress })
    }

    /// Reads elements of GT from bytes and checks them in full.
    #[pyo3(signature = (data, *, encoding = "plain", progress = None))]
    fn values(
        &self,
        data: &Bound<'_, PyAny>,
        encoding: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcomes> {
        bulk::values::decoded(self, data, written(self, Some(encoding), progress)?)
    }

    fn __eq__(&self, other: &Bound<'_, Curve>) -> bool {
        self == other.get()
    }

    fn __hash__(&self) -> u64 {
        self.hash_of(&())
    }

    fn __repr__(&self) -> String {
        let engine = self.system().engine_for(usize::MAX);
        format!("<Curve {}: {} pairing, engine {engine}>", self.name(), self.system().pairing())
    }

    /// Returns the curve itself, with the factors that it knows.
    fn __copy__(itself: Py<Curve>) -> Py<Curve> {
        itself
    }

    /// Returns the curve itself, as `__copy__` does.
    fn __deepcopy__(itself: Py<Curve>, _copied: &Bound<'_, PyAny>) -> Py<Curve> {
        itself
    }

    /// Pickles the curve, without secret factors.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Saved)> {
        let curve = self.system().curve();
        // the name stands for the whole curve, the order of its coefficients included
        let is_shipped = engine::Curve::named(curve.name()).is_ok_and(|shipped| shipped == *curve);
        let name = if is_shipped { curve.name().to_owned() } else { curve.to_toml() };
        let (engine, threads) = (self.0.engine.clone(), self.0.threads);
        let saved = (name, engine, threads, self.pairing(), self.power(), curve.is_for_research());
        Ok((py.import("bilinear._bilinear")?.getattr("read_curve")?, saved))
    }
}

/// Unpickles a curve. As long as values of the curve exist, a process has a single object for it, with its threads.
#[pyfunction]
pub(crate) fn read_curve(
    py: Python<'_>,
    name: String,
    engine: Option<String>,
    threads: Option<NonZeroUsize>,
    pairing: String,
    power: String,
    research: bool,
) -> PyResult<Curve> {
    let saved: Saved = (name, engine, threads, pairing, power, research);
    if let Some(curve) = Curve::read_before(&saved) {
        return Ok(curve);
    }
    let (name, engine, _, pairing, power, _) = &saved;
    let made = Curve::new(py, name, engine.as_deref(), threads, Some(pairing), power, research)?;
    Ok(made.keep(saved))
}

fn not_zr() -> PyErr {
    Fault::new("argument", "G1, G2 or GT is expected, not Zr").into()
}

fn written<'a, 'py>(
    curve: &Curve,
    encoding: Option<&str>,
    progress: Option<&'a Bound<'py, PyAny>>,
) -> Result<ValueOptions<'a, 'py>, Fault> {
    let encoding = target::named_encoding(encoding.unwrap_or("plain"))?;
    curve.system().gt_encoded_len(encoding)?;
    Ok(ValueOptions { encoding, progress })
}

/// Returns the names of the shipped curves.
#[pyfunction]
pub(crate) fn curves() -> Vec<&'static str> {
    engine::Curve::names().collect()
}

/// Computes e(P, Q) for P in G1 and Q in G2 of one curve, whose pairing and power must be the same in both points.
#[pyfunction]
pub(crate) fn pair(py: Python<'_>, p: &Bound<'_, Point>, q: &Bound<'_, Point>) -> PyResult<Target> {
    let curve = &p.get().curve;
    curve.pairs_as(&q.get().curve)?;
    curve.pair(py, p, q)
}
