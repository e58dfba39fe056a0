//! A curve on an engine, with the threads of its batches.

use crate::code::Code;
use crate::fault::Fault;
use bilinear_engine::params::{Description, Factors};
use bilinear_engine::{Batch, Curve, Encoding, Group, GtEncoding, Options, Research, System, Validate};
use std::ffi::CString;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

/// The residues modulo the order of the groups.
pub const BILINEAR_ZR: i32 = 0;
/// The group of first arguments.
pub const BILINEAR_G1: i32 = 1;
/// The group of second arguments: the same as G1 on a symmetric curve.
pub const BILINEAR_G2: i32 = 2;
/// The target group.
pub const BILINEAR_GT: i32 = 3;

/// Points are checked to be on the curve, and assumed to be in their group: their order is not checked.
pub const BILINEAR_ON_CURVE: u32 = 1;
/// Second arguments may lie outside G2, as PBC writes them on types D, F and G. Only with the pairing `tate`. First
/// arguments are checked in full, unless BILINEAR_ON_CURVE is set too.
pub const BILINEAR_ALLOW_Q_OUTSIDE_G2: u32 = 2;

/// A curve on an engine, with the threads of its batches. Many threads may use one at the same time.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    batch: Batch,
    /// The number of threads that was asked for.
    threads: Option<NonZeroUsize>,
    curve: CString,
    engine: CString,
}

/// A group, as a number names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Zr,
    Points(Group),
    Gt,
}

/// The options of a new context. An option that is not set takes its default.
#[derive(Default)]
pub(crate) struct Choice<'a> {
    pub(crate) engine: Option<&'a str>,
    pub(crate) threads: usize,
    pub(crate) pairing: Option<&'a str>,
    pub(crate) power: Option<&'a str>,
    /// Whether curves whose discrete logarithms are broken are allowed.
    pub(crate) research: bool,
}

/// Parses a name, if there is one.
fn named<T: FromStr<Err: std::fmt::Display>>(name: Option<&str>) -> Result<Option<T>, Fault> {
    name.map(|name| name.parse().map_err(|error| Fault::new(Code::BilinearErrorName, error))).transpose()
}

impl Context {
    /// Creates a context of a shipped curve.
    pub(crate) fn named(name: &str, choice: &Choice<'_>) -> Result<Context, Fault> {
        let curve = Curve::named(name).map_err(|error| Fault::new(Code::BilinearErrorName, error))?;
        Context::of(&curve, None, choice)
    }

    /// Creates a context of a description: TOML, or PBC's parameter text. A PBC curve gets the name "parameters".
    pub(crate) fn described(text: &str, choice: &Choice<'_>) -> Result<Context, Fault> {
        let found = Description::from_text(text, "parameters")?;
        Context::of(&found.curve, found.factors.as_ref(), choice)
    }

    /// Creates a context of the description in a file.
    pub(crate) fn loaded(path: &str, choice: &Choice<'_>) -> Result<Context, Fault> {
        let found = Description::load(path)?;
        Context::of(&found.curve, found.factors.as_ref(), choice)
    }

    fn of(curve: &Curve, factors: Option<&Factors>, choice: &Choice<'_>) -> Result<Context, Fault> {
        let options = Options {
            engine: named(choice.engine)?,
            pairing: named(choice.pairing)?,
            power: named(choice.power)?.unwrap_or_default(),
            research: choice.research.then(Research::knowing_it_is_broken),
            ..Options::default()
        };
        let system = System::with(curve, options)?;
        let system = match factors {
            // if a description gives factors for a prime order, they are the order itself
            Some(factors) if system.is_symmetric() => system.with_factors(factors)?,
            _ => system,
        };
        Context::on(system, NonZeroUsize::new(choice.threads))
    }

    /// Creates a context of the same curve, engine and number of threads that knows the factors of the order from a file.
    pub(crate) fn knowing_factors(&self, path: &str) -> Result<Context, Fault> {
        let factors = Factors::load(path, self.system().curve())?;
        Context::on(self.system().with_factors(&factors)?, self.0.threads)
    }

    fn on(system: System, threads: Option<NonZeroUsize>) -> Result<Context, Fault> {
        // names are of printable characters
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let (name, engine) = (text(system.curve().name()), text(system.engine_for(usize::MAX).name()));
        let batch = Batch::new(system);
        let batch = match threads {
            Some(threads) => batch.threads(threads)?,
            None => batch,
        };
        Ok(Context(Arc::new(Inner { batch, threads, curve: name, engine })))
    }

    pub(crate) fn system(&self) -> &System {
        self.0.batch.system()
    }

    pub(crate) fn batch(&self) -> &Batch {
        &self.0.batch
    }

    /// Returns the batch that checks as the flags say.
    pub(crate) fn checking(&self, flags: u32) -> Result<Batch, Fault> {
        if flags & !(BILINEAR_ON_CURVE | BILINEAR_ALLOW_Q_OUTSIDE_G2) != 0 {
            return Err(Fault::new(Code::BilinearErrorArgument, format!("unknown flags: {flags}")));
        }
        let mut batch = self.0.batch.clone();
        if flags & BILINEAR_ALLOW_Q_OUTSIDE_G2 != 0 {
            batch = batch.allow_q_outside_g2()?;
        }
        Ok(if flags & BILINEAR_ON_CURVE == 0 { batch } else { batch.validate(Validate::OnCurve) })
    }

    /// Returns the batch that checks points of one group as the flags say, and what it checks. Such points have no
    /// second arguments.
    pub(crate) fn checks(&self, flags: u32) -> Result<(Batch, Validate), Fault> {
        let validate = match flags {
            0 => Validate::Subgroup,
            BILINEAR_ON_CURVE => Validate::OnCurve,
            other => {
                return Err(Fault::new(Code::BilinearErrorArgument, format!("flags {other} do not apply to points")));
            }
        };
        Ok((self.0.batch.clone().validate(validate), validate))
    }

    /// The name of the curve.
    pub(crate) fn curve_name(&self) -> &std::ffi::CStr {
        &self.0.curve
    }

    /// The name of the engine of batches.
    pub(crate) fn engine_name(&self) -> &std::ffi::CStr {
        &self.0.engine
    }

    /// Returns true if both are the same context, and not two contexts of the same curve.
    pub(crate) fn is(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the number of bytes of an element of a group in an encoding.
    pub(crate) fn size(&self, group: Of, encoding: Option<&str>) -> Result<usize, Fault> {
        let system = self.system();
        match (group, encoding) {
            (Of::Zr, None) => Ok(system.scalar_len()),
            (Of::Zr, Some(_)) => Err(Fault::new(Code::BilinearErrorEncoding, "residues have only one encoding: NULL")),
            (Of::Points(group), name) => match PointForm::new(name)? {
                PointForm::Full => Ok(system.point_len(group)),
                PointForm::Compressed => Ok(system.compressed_len(group)),
                PointForm::As(encoding) => Ok(system.encoded_len(group, encoding)?),
            },
            (Of::Gt, name) => Ok(system.gt_encoded_len(gt_encoding(name)?)?),
        }
    }
}

impl Of {
    pub(crate) fn new(group: i32) -> Result<Of, Fault> {
        match group {
            BILINEAR_ZR => Ok(Of::Zr),
            BILINEAR_G1 => Ok(Of::Points(Group::G1)),
            BILINEAR_G2 => Ok(Of::Points(Group::G2)),
            BILINEAR_GT => Ok(Of::Gt),
            other => Err(Fault::new(Code::BilinearErrorArgument, format!("unknown group: {other}"))),
        }
    }

    /// Returns the group of points with this number.
    pub(crate) fn points(group: i32) -> Result<Group, Fault> {
        match Of::new(group)? {
            Of::Points(group) => Ok(group),
            _ => Err(Fault::new(Code::BilinearErrorArgument, "BILINEAR_G1 or BILINEAR_G2 is expected")),
        }
    }
}

/// The form in which points are written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PointForm {
    /// x and y.
    Full,
    /// x and the sign of y.
    Compressed,
    /// The encoding of another system.
    As(Encoding),
}

impl PointForm {
    /// Returns the form with this name; without a name, x and y.
    pub(crate) fn new(name: Option<&str>) -> Result<PointForm, Fault> {
        Ok(match name {
            None => PointForm::Full,
            Some(name) if name.eq_ignore_ascii_case("compressed") => PointForm::Compressed,
            Some(name) => PointForm::As(name.parse()?),
        })
    }
}

/// Returns the encoding of target-group values with this name; without a name, the one of all coefficients.
pub(crate) fn gt_encoding(name: Option<&str>) -> Result<GtEncoding, Fault> {
    Ok(named(name)?.unwrap_or_default())
}
