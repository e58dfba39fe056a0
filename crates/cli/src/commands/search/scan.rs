//! `bilinear search scan`: finds the rows for which the predicates of tokens hold.

use crate::choice::{EngineChoice, named};
use crate::commands::Outcome;
use crate::commands::table::{Job, Table, Unit};
use crate::console;
use crate::counted::counted;
use crate::error::CommandError;
use crate::hex;
use crate::input::open::Input;
use crate::input::{Column, Fields, Format, Kind};
use crate::job::search::Scan;
use crate::job::summary::Compared;
use crate::job::verify::{Counts, Sample, Verify};
use crate::output::found::Filter;
use crate::output::{Form, Question};
use bilinear_engine::{Batch, Engine, System, Validate};
use bilinear_schemes::predicate::{Content, KeyFile, Searches, Token};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Find the rows of an encrypted table for which a token's predicate holds.
///
/// {"ciphertext": HEX} becomes {"row": N, "match": true, "opened": HEX} with the message of the row, or {"row": N,
/// "match": false}. A row that is damaged, or encrypted with another key, gives {"row": N, "error": CODE, "message":
/// TEXT}, and the job continues with the other rows.
///
/// The points of rows are checked to be on the curve, and to be in the group where a point outside it could change the
/// result. Rows are not authenticated: anyone with the public key, or with one of the tokens, can add rows that match.
///
/// With several tokens each row is read once and has one answer for each token: {"row": N, "token": NAME, ...}. The
/// name of a token is the name of its file without folder and extension.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear search scan --token lyon.token --in encrypted.parquet \\
      --out found.parquet
  bilinear search scan --token lyon.token --token paris.token \\
      --result bitmap --in encrypted.parquet --out found.arrow
  bilinear search scan --token lyon.token --result rows \\
      --in encrypted.parquet --verify 20 --out rows.parquet")]
pub(crate) struct Args {
    /// The file of a token; repeat the option to search for several tokens in one pass
    #[arg(long, value_name = "FILE", required = true)]
    token: Vec<PathBuf>,
    #[command(flatten)]
    table: Table,
    /// The column of the encrypted rows
    #[arg(long, value_name = "COL", default_value = "ciphertext")]
    ciphertext_col: String,
    /// The form of the output
    #[arg(long, value_enum, value_name = "RESULT", default_value_t = ResultForm::Answers)]
    result: ResultForm,
    /// The table, in Parquet or Arrow, whose rows `--result rows` keeps (default: the table of --in).
    ///
    /// It has the rows of --in in the same order.
    #[arg(long, value_name = "FILE")]
    rows_of: Option<PathBuf>,
    /// Evaluate K random rows again, on another engine and without prepared points.
    ///
    /// A row whose answers differ gives the error `differs`.
    #[arg(long, value_name = "K")]
    verify: Option<u64>,
    /// The seed of the random rows, to draw the same rows as an earlier run
    #[arg(long, value_name = "SEED", requires = "verify")]
    verify_seed: Option<u64>,
    #[command(flatten)]
    engine: EngineChoice,
}

/// A form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ResultForm {
    /// One answer for each row and token.
    Answers,
    /// One column of truth values for each token, null where a row has an error: one bit each, in Parquet or Arrow.
    Bitmap,
    /// The rows that are found, with all columns of their table and the messages, in Parquet or Arrow.
    Rows,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the job cannot run. Faults of single rows are part of the output.
pub(super) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let names = names(&args.token)?;
    let files = args.token.iter().map(|path| KeyFile::read(path, Content::Token)).collect::<Result<Vec<_>, _>>()?;
    let [first, ..] = &files[..] else { unreachable!("an argument that is required") };
    let system = super::system(first, args.engine.chosen)?;
    let batch = Batch::new(system.clone()).validate(Validate::OnCurve);
    let read = |file: &KeyFile| Token::from_bytes(&batch, file.key()).map_err(|error| file.refused(error));
    let tokens = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if let Some(foreign) = tokens.iter().position(|token| token.id() != tokens[0].id()) {
        let first = args.token[0].display();
        return Err(files[foreign].refused(format_args!("the token belongs to a different key than {first}")).into());
    }
    let form = args.form(&names)?;
    let options = args.options(&form, &names, &files);
    let verified = args.sample(&system)?;
    let rows_of = args.rows_of.iter().map(|path| ("--rows-of", &**path));
    let job = Job {
        fields: Fields { columns: vec![Column::new(&args.ciphertext_col, Kind::Bytes)], group: None },
        unit: if tokens.len() == 1 { Unit::Row } else { Unit::Tokens },
        form,
        options,
        compared: Some(Compared::Predicate),
        operation: "pairings",
        pairing: Some(format!("{} pairings a row", tokens.iter().map(Token::pairings).sum::<usize>())),
        reads: args.token.iter().map(|path| ("--token", &**path)).chain(rows_of).collect(),
        ..Job::new("search scan", &system, Question::Match)
    };
    let mut counts = Counts::default();
    let outcome = args.table.run(&job, batch, |start| {
        start.rows(None, |batch, columns| {
            let own = "tokens of one key, on their own curve";
            let verify = verified.map(|(other, sample)| {
                Verify::new(&batch, &other, &tokens, sample).unwrap_or_else(|e| unreachable!("{own}: {e}"))
            });
            counts = verify.as_ref().map_or_else(Counts::default, Verify::counts);
            let searches = Searches::new(batch, &tokens).unwrap_or_else(|e| unreachable!("{own}: {e}"));
            let pairings = searches.pairings().into_iter().map(|pairings| pairings as u64);
            Scan { tokens: names.into_iter().zip(pairings).collect(), searches, columns, verify }
        })
    })?;
    if args.verify.is_some() && (!args.table.is_quiet() || counts.differ() > 0) {
        let (answers, differ) = (counted(counts.answers(), "answer"), counts.differ());
        console::note(format_args!("verified: {answers} in this run, {differ} of them differ"));
    }
    Ok(outcome)
}

/// Returns the names of tokens: the names of their files, without folders and extensions.
fn names(paths: &[PathBuf]) -> Result<Vec<Arc<str>>, CommandError> {
    let mut names: Vec<Arc<str>> = Vec::new();
    for path in paths {
        let name: Arc<str> = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into();
        if let Some(other) = names.iter().position(|other| *other == name) {
            let (path, other) = (path.display(), paths[other].display());
            let reason = "tokens are distinguished by their file names, without folder and extension";
            return Err(CommandError::Usage(format!("{path}: {other} is also called {name}; {reason}")));
        }
        names.push(name);
    }
    Ok(names)
}

impl Args {
    /// Returns the form of the output.
    fn form(&self, names: &[Arc<str>]) -> Result<Form, CommandError> {
        let (table, format) = self.table.input()?;
        if self.result != ResultForm::Answers && self.table.out_format()? == Format::Jsonl {
            let (result, reason) =
                (named(&self.result).unwrap_or_default(), "--out or --out-format must be Parquet or Arrow");
            return Err(CommandError::Usage(format!("--result {result} is written in columns: {reason}")));
        }
        let input = table.regular();
        match (self.result, &self.rows_of, input) {
            (ResultForm::Answers, None, _) => Ok(Form::Answers),
            (ResultForm::Bitmap, None, _) => Ok(Form::Bitmap(names.into())),
            (ResultForm::Answers | ResultForm::Bitmap, Some(_), _) => {
                Err(CommandError::Usage("--rows-of names the table that --result rows keeps rows of".to_owned()))
            }
            (ResultForm::Rows, _, None) => {
                let reason =
                    "--result rows needs a file for --in: its rows are counted, or read again, beside the search";
                Err(CommandError::Usage(reason.to_owned()))
            }
            (ResultForm::Rows, None, Some(path)) => self.found(path, format, names),
            (ResultForm::Rows, Some(path), Some(_)) => {
                let rows_of = Input::File(path.clone());
                if path.exists() && Format::of(path).is_none() {
                    let reason = "the name of the table of --rows-of must show its format, as .parquet and .arrow do";
                    return Err(CommandError::Usage(format!("{}: {reason}", path.display())));
                }
                let rows_format = rows_of.format(None)?;
                let [searched, kept] = [table.count(format)?, rows_of.count(rows_format)?];
                if searched != kept {
                    let (path, kept, name) = (path.display(), counted(kept, "row"), table.name());
                    let reason = format!("{path} has {kept}, {name} has {searched}: row by row they must be the same");
                    return Err(CommandError::Usage(reason));
                }
                self.found(path, rows_format, names)
            }
        }
    }

    fn found(&self, path: &Path, format: Format, names: &[Arc<str>]) -> Result<Form, CommandError> {
        let filter = Filter::new(path.to_owned(), format, self.ciphertext_col.clone(), names, self.table.out()?)?;
        Ok(Form::Found(Arc::new(filter)))
    }

    /// Returns the options that determine the output, besides the table.
    fn options(&self, form: &Form, names: &[Arc<str>], files: &[KeyFile]) -> Vec<(&'static str, Option<String>)> {
        let token = |(name, file): (&Arc<str>, &KeyFile)| {
            let hash = hex::encode(&Sha256::digest(file.key()));
            format!("{name} ({})", &hash[..32])
        };
        let tokens: Vec<String> = names.iter().zip(files).map(token).collect();
        let rows_of = match (form, &self.rows_of) {
            (Form::Found(filter), Some(path)) => Some(format!("{} ({})", path.display(), filter.sha256())),
            _ => None,
        };
        vec![
            ("token", Some(tokens.join(", "))),
            ("ciphertext-col", Some(self.ciphertext_col.clone())),
            ("result", named(&self.result)),
            ("rows-of", rows_of),
        ]
    }

    /// Draws the sample of rows for verification, and returns it with a system on another engine.
    fn sample(&self, system: &System) -> Result<Option<(System, Sample)>, CommandError> {
        let Some(count) = self.verify else { return Ok(None) };
        let (input, format) = self.table.input()?;
        if input.regular().is_none() {
            let reason = "--verify needs a file for --in, whose rows are counted before some are drawn";
            return Err(CommandError::Usage(reason.to_owned()));
        }
        let other = if system.engine() == Engine::Portable { Engine::Mont } else { Engine::Portable };
        let other = system.on(other).map_err(|error| CommandError::Engine(error.to_string()))?;
        let seed = match self.verify_seed {
            Some(seed) => seed,
            None => {
                let mut bytes = [0; 8];
                getrandom::fill(&mut bytes).map_err(CommandError::randomness)?;
                u64::from_be_bytes(bytes)
            }
        };
        let rows = input.count(format)?;
        let (drawn, of, engine) = (count.min(rows), counted(rows, "row"), other.engine());
        if !self.table.is_quiet() {
            let again = format!("--verify {count} --verify-seed {seed}");
            console::note(format_args!("verify: {drawn} of {of} again on {engine}; {again} draws the same"));
        }
        Ok(Some((other, Sample::draw(count, 0..rows, seed))))
    }
}
