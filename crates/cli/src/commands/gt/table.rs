//! The common part of the operations on tables of values: the curve, and the encodings of values.

use crate::choice::{CurveChoice, EngineChoice};
use crate::commands::reads::Reads;
use crate::error::CommandError;
use crate::job::columns::Columns;
use crate::job::gt::Values;
use bilinear_engine::{Batch, GtEncoding, Options, System};

/// The curve, the engine, and the encoding of the input values.
#[derive(Debug, clap::Args)]
pub(super) struct Target {
    #[command(flatten)]
    curve: CurveChoice,
    #[command(flatten)]
    engine: EngineChoice,
    /// The encoding of values: plain, torus2 or torus6.
    ///
    /// `plain` is all k coefficients. `torus2` is half of them, where k is even. `torus6` is a third, on BN, BLS and
    /// KSS18 curves.
    #[arg(long, value_name = "NAME", default_value = "plain")]
    gt_encoding: GtEncoding,
}

/// The encoding of the output values.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Answers {
    /// The encoding of the answers: plain, torus2 or torus6 (default: that of the table)
    #[arg(long, value_name = "NAME")]
    out_gt_encoding: Option<GtEncoding>,
}

impl Target {
    /// Loads the curve and prepares it for computing.
    ///
    /// # Errors
    /// Returns an error if the curve cannot be loaded, or if it does not have the encodings.
    pub(super) fn system(&self, answers: Option<Answers>) -> Result<System, CommandError> {
        let system = self.curve.system(Options { engine: self.engine.chosen, ..Options::default() })?;
        for encoding in [self.gt_encoding, self.written(answers)] {
            system.gt_encoded_len(encoding).map_err(|error| CommandError::Usage(error.to_string()))?;
        }
        Ok(system)
    }

    /// Returns the files that are read besides the table: the parameter file, if one is given.
    pub(super) fn reads(&self) -> Vec<Reads<'_>> {
        self.curve.source.reads().into_iter().collect()
    }

    fn written(&self, answers: Option<Answers>) -> GtEncoding {
        answers.and_then(|answers| answers.out_gt_encoding).unwrap_or(self.gt_encoding)
    }

    /// Returns the options that determine the output.
    pub(super) fn options(&self, answers: Option<Answers>) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("gt-encoding", Some(self.gt_encoding.to_string())),
            ("out-gt-encoding", Some(self.written(answers).to_string())),
        ]
    }

    /// Describes the columns of values, to be computed with by `batch`.
    pub(super) fn values(&self, answers: Option<Answers>, batch: Batch, columns: Columns) -> Values {
        Values { batch, encoding: self.gt_encoding, written: self.written(answers), columns }
    }
}
