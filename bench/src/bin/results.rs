//! `results`: makes tables and pictures from records.

use bilinear_bench::results::{Part, ResultsError, Source, made_anew, made_from, picture};
use bilinear_bench::search;
use clap::Parser;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make the table and the picture of a page from records of the ladder.
///
/// If several records have a curve, the last one counts. The picture is made if several batch sizes were measured; it
/// is stored beside the first record.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Records; without any, --into regenerates every part of the page from the records that the part names
    #[arg(value_name = "RECORD.json", required_unless_present = "into")]
    records: Vec<PathBuf>,
    /// A page with parts between "<!-- results of … -->" and "<!-- end of results -->"; the first part is replaced by
    /// that of the records. Without this option the part is written to standard output
    #[arg(long, value_name = "PAGE.md")]
    into: Option<PathBuf>,
    /// Only draw time per pairing against batch size
    #[arg(long, value_name = "FILE.svg", conflicts_with = "into", requires = "records")]
    plot: Option<PathBuf>,
}

/// The reason why the program fails.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{file}: {reason}")]
    Results { file: String, reason: ResultsError },
    #[error("{file}: {reason}")]
    Io { file: String, reason: io::Error },
    #[error("{file}: the record is not in the folder of the page or below it")]
    Elsewhere { file: String },
}

fn main() -> ExitCode {
    match make(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn make(args: &Args) -> Result<(), Failure> {
    let folder = match &args.into {
        Some(page) => folder(page)?,
        None => PathBuf::from("."),
    };
    let paths = match &args.into {
        Some(_) => args.records.iter().map(|record| below(&folder, record)).collect::<Result<Vec<_>, _>>()?,
        None => args.records.iter().map(|record| record.display().to_string()).collect(),
    };
    let paths: Vec<&str> = paths.iter().map(|path| &**path).collect();
    if let Some(file) = &args.plot {
        let read = |path: &&str| Source::read(&folder, path).map_err(failed(Path::new(path)));
        let sources = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        return std::fs::write(file, picture(&sources)).map_err(failed(file));
    }
    let Some(page) = &args.into else {
        let part = Part::new(&folder, &paths).map_err(no_results(Path::new("records")))?;
        return writeln!(io::stdout().lock(), "{}", part.text).map_err(failed(Path::new("standard output")));
    };
    let text = std::fs::read_to_string(page).map_err(failed(page))?;
    let made = if paths.is_empty() {
        search::made_anew(&text, &folder).map_err(failed(page)).map(|text| made_anew(&text, &folder))?
    } else {
        made_from(&text, &folder, &paths).map(|(text, part)| (text, vec![part]))
    };
    let (text, parts) = made.map_err(no_results(page))?;
    for (file, picture) in parts.into_iter().filter_map(|part| part.picture) {
        let file = folder.join(file);
        std::fs::write(&file, picture).map_err(failed(&file))?;
    }
    std::fs::write(page, text).map_err(failed(page))
}

/// Returns the folder that contains a file.
fn folder(file: &Path) -> Result<PathBuf, Failure> {
    let file = file.canonicalize().map_err(failed(file))?;
    Ok(file.parent().unwrap_or(Path::new("/")).to_owned())
}

/// Returns the path of a file relative to a folder that contains it, directly or further down.
fn below(folder: &Path, file: &Path) -> Result<String, Failure> {
    let whole = file.canonicalize().map_err(failed(file))?;
    let below = whole.strip_prefix(folder).ok().and_then(Path::to_str);
    below.map(str::to_owned).ok_or_else(|| Failure::Elsewhere { file: file.display().to_string() })
}

fn failed(file: &Path) -> impl FnOnce(io::Error) -> Failure {
    let file = file.display().to_string();
    move |reason| Failure::Io { file, reason }
}

fn no_results(file: &Path) -> impl FnOnce(ResultsError) -> Failure {
    let file = file.display().to_string();
    move |reason| Failure::Results { file, reason }
}
