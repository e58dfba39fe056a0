//! The common part of the operations on tables of points: the curve, the group, and the encodings of points.

use crate::choice::{CurveChoice, EngineChoice, suits};
use crate::commands::Outcome;
use crate::commands::table::{Job, Start, Table};
use crate::error::CommandError;
use crate::input::{Column, Kind};
use crate::job::columns::Columns;
use crate::job::points::{OutEncoding, Points};
use crate::job::work::Work;
use crate::output::Question;
use bilinear_engine::{Batch, Encoding, Group, Options, Side, System, Validate};

/// The curve, the group, the engine, and the encoding of the output points.
#[derive(Debug, clap::Args)]
pub(super) struct Target {
    #[command(flatten)]
    curve: CurveChoice,
    /// The group: g1 or g2, which are the same on a symmetric curve
    #[arg(long, value_name = "GROUP", default_value = "g1")]
    pub(super) group: Group,
    #[command(flatten)]
    engine: EngineChoice,
    /// Write points in their compressed form
    #[arg(long)]
    compressed: bool,
    /// Write points in the encoding of another system (default: that of --encoding, or else x and y).
    ///
    /// One of zcash, zcash-uncompressed, eip, gnark, gnark-uncompressed, arkworks and arkworks-uncompressed. `points
    /// decompress` writes x and y by default, even with --encoding.
    #[arg(long, value_name = "NAME", conflicts_with = "compressed")]
    out_encoding: Option<Encoding>,
}

impl Target {
    /// Loads the curve and prepares it for computing.
    ///
    /// # Errors
    /// Returns an error if the curve cannot be loaded, or if it does not have the encoding.
    pub(super) fn system(&self) -> Result<System, CommandError> {
        let system = self.curve.system(Options { engine: self.engine.chosen, ..Options::default() })?;
        if let Some(encoding) = self.out_encoding {
            suits(&system, encoding)?;
        }
        Ok(system)
    }

    /// Returns the encoding of the output, if one is requested.
    pub(super) fn written(&self) -> Option<OutEncoding> {
        if self.compressed { Some(OutEncoding::Compressed) } else { self.out_encoding.map(OutEncoding::As) }
    }

    /// Describes a job whose answers are points of the group.
    pub(super) fn job<'a>(&'a self, command: &'static str, system: &'a System) -> Job<'a> {
        Job {
            options: vec![
                ("group", Some(self.group.to_string())),
                ("compressed", self.compressed.then(|| "yes".to_owned())),
                ("out-encoding", self.out_encoding.map(|encoding| encoding.to_string())),
            ],
            reads: self.curve.source.reads().into_iter().collect(),
            ..Job::new(command, system, Question::Point(Side::of(self.group)))
        }
    }

    /// Describes the output of points that are computed without reading points from a table.
    pub(super) fn made(&self, batch: Batch, columns: Columns) -> Points {
        Points {
            batch,
            group: self.group,
            validate: Validate::Subgroup,
            encoding: None,
            written: self.written().unwrap_or(OutEncoding::Affine),
            columns,
        }
    }
}

/// The check of points, besides their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Checks {
    Subgroup,
    OnCurve,
}

/// An operation on a table of points: the encoding of the points, and how they are checked.
#[derive(Debug, clap::Args)]
pub(super) struct Operation {
    #[command(flatten)]
    pub(super) target: Target,
    /// The encoding of the points of the table (default: x and y or compressed).
    ///
    /// One of zcash, zcash-uncompressed, eip, gnark, gnark-uncompressed, arkworks and arkworks-uncompressed.
    #[arg(long, value_name = "NAME")]
    encoding: Option<Encoding>,
    /// Do not check that points are in the subgroup: only for points from a source that you trust
    #[arg(long)]
    trusted: bool,
    /// The check of points, besides that of their encoding.
    ///
    /// `subgroup` checks that points are in the group. `on-curve` checks that they are on the curve. Scalars are then
    /// not reduced: h times a point of the curve, for the cofactor h, is in the group.
    #[arg(long, value_name = "WHAT", default_value = "subgroup", ignore_case = true, conflicts_with = "trusted")]
    validate: Checks,
    #[command(flatten)]
    table: Table,
}

impl Operation {
    fn checks(&self) -> Validate {
        if self.trusted || self.validate == Checks::OnCurve { Validate::OnCurve } else { Validate::Subgroup }
    }

    /// Describes the job of the operation.
    pub(super) fn job<'a>(&'a self, command: &'static str, system: &'a System) -> Job<'a> {
        let mut job = self.target.job(command, system);
        job.options.extend([
            ("encoding", self.encoding.map(|encoding| encoding.to_string())),
            ("trusted", self.trusted.then(|| "yes".to_owned())),
            ("validate", (self.validate == Checks::OnCurve).then(|| "on-curve".to_owned())),
        ]);
        job
    }

    /// Describes the columns of points. Points are written in the encoding of the input, unless another one is
    /// requested.
    pub(super) fn points(&self, batch: Batch, columns: Columns) -> Points {
        Points {
            batch,
            group: self.target.group,
            validate: self.checks(),
            encoding: self.encoding,
            written: self.target.written().or(self.encoding.map(OutEncoding::As)).unwrap_or(OutEncoding::Affine),
            columns,
        }
    }

    /// Runs a job, with the requested checks of points.
    ///
    /// # Errors
    /// Returns an error if the curve does not have the encoding, or if the job cannot run.
    pub(super) fn run(
        &self,
        job: &Job<'_>,
        work: impl FnOnce(Start) -> Box<dyn Work>,
    ) -> Result<Outcome, CommandError> {
        if let Some(encoding) = self.encoding {
            suits(job.system, encoding)?;
        }
        self.table.run(job, Batch::new(job.system.clone()).validate(self.checks()), work)
    }
}

/// The choice of the column of points.
#[derive(Debug, clap::Args)]
pub(super) struct PointColumn {
    /// The column of the points (default: p for G1, q for G2)
    #[arg(long, value_name = "COL")]
    point_col: Option<String>,
}

impl PointColumn {
    /// Returns the column's name, which by default depends on the group.
    pub(super) fn name(&self, group: Group) -> String {
        self.point_col.clone().unwrap_or_else(|| Side::of(group).to_string())
    }

    /// Returns the column, and the option that names it.
    pub(super) fn column(&self, group: Group) -> (Column, (&'static str, Option<String>)) {
        let name = self.name(group);
        (Column::new(&name, Kind::Point), ("point-col", Some(name)))
    }
}
