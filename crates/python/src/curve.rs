//! A curve on an engine, with the threads of its batches. The methods that Python sees are in `methods`.

pub(crate) mod methods;

use crate::error::Fault;
use crate::group::Group;
use crate::per_process::PerProcess;
use crate::point::Point;
use bilinear_engine::params::{Factors, Layout};
use bilinear_engine::{self as engine, Batch, Options, Research, Side, System, Validate};
use bilinear_schemes::predicate::KeyFile;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A curve ready to compute.
#[pyclass(frozen, from_py_object, module = "bilinear")]
#[derive(Clone)]
pub(crate) struct Curve(Arc<Inner>);

struct Inner {
    system: System,
    /// The identity of the curve: the fingerprint of its parameters, and the layout of its values.
    id: (String, Layout),
    engine: Option<String>,
    threads: Option<NonZeroUsize>,
    /// The batch, with the threads of this process.
    batch: PerProcess<Batch>,
}

/// A function and its arguments, as `__reduce__` gives them.
pub(crate) type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Group));

/// Curves are equal if their parameters and the layout of their values are, whatever they compute with: pairing, power,
/// engine, threads and factors.
impl PartialEq for Curve {
    fn eq(&self, other: &Curve) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.id == other.0.id
    }
}

/// The pickled form of a curve: its name or its parameters, engine, threads, pairing and power, and whether it is for
/// research. The curve of a key file is kept by its parameters and no pairing, since a file stands for the curve's own.
pub(crate) type Saved = (String, Option<String>, Option<NonZeroUsize>, String, String, bool);

/// The curves that were unpickled or read from key files, as long as any of their values exists. A holder of the lock computes nothing and
/// lets no other Python thread run, so the lock is never held when a process is forked.
static READ: Mutex<BTreeMap<Saved, Weak<Inner>>> = Mutex::new(BTreeMap::new());

/// The options with which a curve is made.
struct Choice<'a> {
    engine: Option<&'a str>,
    threads: Option<NonZeroUsize>,
    pairing: Option<&'a str>,
    power: &'a str,
    /// Whether a curve whose discrete logarithms are broken is accepted.
    research: bool,
}

/// Parses a name; an unknown name is a fault with the code `name`.
pub(crate) fn parsed<T: FromStr<Err: std::fmt::Display>>(name: &str) -> Result<T, Fault> {
    name.parse().map_err(|error| Fault::new("name", error))
}

fn batch_of(system: &System, threads: Option<NonZeroUsize>) -> Result<Batch, Fault> {
    let batch = Batch::new(system.clone());
    match threads {
        Some(threads) => batch.threads(threads).map_err(|error| Fault::new("threads", error)),
        None => Ok(batch),
    }
}

impl Curve {
    fn make(py: Python<'_>, curve: &engine::Curve, choice: &Choice<'_>, factors: Option<&Factors>) -> PyResult<Curve> {
        let engine = choice.engine.map(parsed).transpose()?;
        let pairing = choice.pairing.map(parsed).transpose()?;
        let research = choice.research.then(Research::knowing_it_is_broken);
        let options = Options { engine, pairing, power: parsed(choice.power)?, research, ..Options::default() };
        let made = py.detach(|| {
            let system = System::with(curve, options).map_err(|error| Fault::new("engine", error))?;
            match factors {
                // if a description gives factors for a prime order, they are the order itself
                Some(factors) if system.is_symmetric() => {
                    system.with_factors(factors).map_err(|error| Fault::new("factors", error))
                }
                _ => Ok(system),
            }
        });
        Ok(Curve::of(made?, choice.engine, choice.threads)?)
    }

    /// Returns the curve that a key file describes, on the named engine. Files of one curve share it, as long as any of
    /// its values exists.
    pub(crate) fn of_key(
        py: Python<'_>,
        file: &KeyFile,
        engine: Option<&str>,
        threads: Option<NonZeroUsize>,
    ) -> PyResult<Curve> {
        let choice = Choice { engine, threads, pairing: None, power: "exact", research: false };
        let (parameters, power) = (file.parameters().to_owned(), choice.power.to_owned());
        let saved = (parameters, engine.map(str::to_owned), threads, String::new(), power, choice.research);
        if let Some(curve) = Curve::read_before(&saved) {
            return Ok(curve);
        }
        let curve = py.detach(|| file.curve()).map_err(Fault::from)?;
        Ok(Curve::make(py, &curve, &choice, None)?.keep(saved))
    }

    /// Returns the requested engine and number of threads.
    pub(crate) fn chosen(&self) -> (Option<&str>, Option<NonZeroUsize>) {
        (self.0.engine.as_deref(), self.0.threads)
    }

    fn of(system: System, engine: Option<&str>, threads: Option<NonZeroUsize>) -> Result<Curve, Fault> {
        let batch = PerProcess::default();
        batch.get(|| batch_of(&system, threads))?;
        let id = (system.curve().fingerprint(), system.curve().layout());
        Ok(Curve(Arc::new(Inner { id, engine: engine.map(str::to_owned), threads, batch, system })))
    }

    /// Returns the curve that was made from `saved` before (unpickled, or read from a key file), if it still exists.
    pub(crate) fn read_before(saved: &Saved) -> Option<Curve> {
        READ.lock().unwrap_or_else(PoisonError::into_inner).get(saved)?.upgrade().map(Curve)
    }

    /// Registers a curve that was made from `saved`, so that it is shared later. Returns the registered curve: if
    /// another thread was faster, that thread's.
    pub(crate) fn keep(self, saved: Saved) -> Curve {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = read.get(&saved).and_then(Weak::upgrade) {
            return Curve(other);
        }
        read.retain(|_, curve| curve.strong_count() > 0);
        read.insert(saved, Arc::downgrade(&self.0));
        self
    }

    pub(crate) fn system(&self) -> &System {
        &self.0.system
    }

    /// Returns the batch of this process, with its threads.
    pub(crate) fn batch(&self) -> Result<Batch, Fault> {
        self.0.batch.get(|| batch_of(self.system(), self.0.threads))
    }

    /// Returns the batch that computes pairings of points with the named validation.
    pub(crate) fn pairing_batch(&self, validate: &str) -> Result<Batch, Fault> {
        let batch = self.batch()?;
        match validate {
            OUTSIDE_G2 => Ok(batch.allow_q_outside_g2()?),
            name => Ok(batch.validate(validation(name)?)),
        }
    }

    /// Returns true if both are the same object, and so on the same engine.
    pub(crate) fn is_same(&self, other: &Curve) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the group itself, or G1 if both groups are one.
    pub(crate) fn group(&self, group: engine::Group) -> engine::Group {
        if self.system().is_symmetric() { engine::Group::G1 } else { group }
    }

    /// Returns an error unless a value of the curve `other` is a value of this curve.
    pub(crate) fn owns(&self, other: &Curve) -> Result<(), Fault> {
        if self == other {
            return Ok(());
        }
        let (ours, theirs) = (self.system().curve().name(), other.system().curve().name());
        Err(Fault::new("context", format!("a value of curve {theirs} was handed to curve {ours}")))
    }

    /// Returns an error if equal curves differ in pairing or power, so that it is open which of them a function uses.
    pub(crate) fn pairs_as(&self, other: &Curve) -> Result<(), Fault> {
        let [ours, theirs] = [self, other].map(|curve| (curve.system().pairing(), curve.system().power()));
        if self != other || ours == theirs {
            return Ok(());
        }
        let [p, q] = [ours, theirs].map(|(pairing, power)| format!("pairing {pairing} and power {power}"));
        Err(Fault::new(
            "context",
            format!("the curve of p has {p}, the curve of q {q}: use the method pair of a curve"),
        ))
    }

    /// Returns an error unless points of the group `found` of `curve` are points of the group `wanted` of this curve.
    pub(crate) fn takes(&self, wanted: engine::Group, (curve, found): (&Curve, engine::Group)) -> Result<(), Fault> {
        self.owns(curve)?;
        if self.group(wanted) == self.group(found) {
            return Ok(());
        }
        let [wanted, found] = [wanted, found].map(|group| group.name().to_uppercase());
        Err(Fault::new("argument", format!("a point of {found}: one of {wanted} is expected")))
    }

    /// Returns a point of this curve as an argument of the pairing.
    pub(crate) fn argument<'a>(&self, side: Side, point: &'a Point) -> Result<&'a engine::Point, Fault> {
        self.takes(side.group(), (&point.curve, point.point.group())).map_err(|fault| fault.of(side))?;
        Ok(&point.point)
    }

    pub(crate) fn hash_of(&self, value: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.id.0.hash(&mut hasher);
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the pickled form of a value: a function and the bytes that it reads. Unpickling checks the bytes as far
    /// as the value is known to be good.
    pub(crate) fn reader<'py>(
        &self,
        py: Python<'py>,
        bytes: Bound<'py, PyBytes>,
        group: Group,
        known: Validate,
    ) -> PyResult<Pickled<'py>> {
        let read = Bound::new(py, self.clone())?.getattr("deserialize")?;
        let read = match known {
            Validate::Subgroup => read,
            Validate::OnCurve => {
                let options = [("validate", "on-curve")].into_py_dict(py)?;
                py.import("functools")?.getattr("partial")?.call((read,), Some(&options))?
            }
        };
        Ok((read, (bytes, group)))
    }
}

/// The name of the validation that lets second arguments of the pairing be outside G2.
const OUTSIDE_G2: &str = "allow-q-outside-g2";

/// Returns the validation of points that has a name.
pub(crate) fn validation(name: &str) -> Result<Validate, Fault> {
    match name {
        "subgroup" => Ok(Validate::Subgroup),
        "on-curve" => Ok(Validate::OnCurve),
        OUTSIDE_G2 => Err(Fault::new("argument", format!("{name} applies only to pairings, products and checks"))),
        _ => {
            let names = format!("subgroup, on-curve or, for pairings, {OUTSIDE_G2}");
            Err(Fault::new("name", format!("no validation is called {name}: choose {names}")))
        }
    }
}
