//! Curves with a sextic twist.

use crate::asymmetric;
use crate::operations::Phase;
use bilinear_backend::SystemError;
use bilinear_backend::build::sextic::{Compiled, Visit, with_tower};
use bilinear_field::bounds::{Bounds, Report};
use bilinear_field::count::Count;
use bilinear_field::{Engine, Field, SPARE, model};
use bilinear_pairing::asymmetric::Pairing;
use bilinear_pairing::sextic::{Line, Parameters, Power, Running, add_step, double_step, system};
use bilinear_params::{Curve, Sextic, Tower};

/// The operation table.
pub(crate) fn operations(
    curve: &Curve,
    sextic: &Sextic,
    pairing: Pairing,
    power: Power,
) -> Result<Vec<Phase>, SystemError> {
    with_tower(curve, sextic, Engine::Mont, Table { pairing, power })
}

/// The ranges that an engine meets.
pub(crate) fn bounds(curve: &Curve, sextic: &Sextic, engine: Engine) -> Result<Report, SystemError> {
    let report = with_tower(curve, sextic, Engine::Mont, Ranges(engine))?;
    report.ok_or(SystemError::NoRanges { engine })
}

struct Table {
    pairing: Pairing,
    power: Power,
}

impl Visit for Table {
    type Output = Vec<Phase>;
    fn visit<S: Compiled>(self, shape: S, parameters: Parameters, _: &Tower) -> Vec<Phase> {
        let count = Count::new(&parameters.p);
        let system = system(&shape, &parameters, count.clone()).with_power(self.power);
        let (e, b) = (system.e(), system.triple_b_twist());
        let phase = |name, work: &mut dyn FnMut()| Phase { name, cost: count.of(work) };
        let mut t = Running { x: e.zero(), y: e.zero(), z: e.zero() };
        let mut line = Line::default();
        let mut table = vec![
            phase("doubling step with its line, in G2", &mut || double_step(e, b, &mut t, &mut line)),
            phase("addition step with its line, in G2", &mut || add_step(e, &mut t, &mut line, [&e.one(), &e.one()])),
        ];
        table.extend(asymmetric::phases(&system, &count, self.pairing));
        table
    }
}

struct Ranges(Engine);

impl Visit for Ranges {
    type Output = Option<Report>;
    fn visit<S: Compiled>(self, shape: S, parameters: Parameters, _: &Tower) -> Option<Report> {
        let bounds = Bounds::new(&parameters.p, model(self.0, &parameters.p, S::WORDS, (S::LIMBS, SPARE))?);
        let system = system(&shape, &parameters, bounds.clone());
        asymmetric::exercise(&system);
        asymmetric::exercise(&system.with_power(Power::Fast));
        Some(bounds.report())
    }
}
