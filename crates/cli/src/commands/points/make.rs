//! `bilinear points random|hash-lines`: random points for experiments, and hashes of lines of text to the curve.

use crate::choice::{CurveChoice, EngineChoice, say_no_device, suits};
use crate::commands::places::{interruptible, is_stdout, out_format};
use crate::commands::reads::{input, refuse_replacing};
use crate::error::CommandError;
use crate::hex;
use crate::input::Format;
use crate::output::files::is_stream;
use crate::output::kept::{Kept, State};
use crate::output::new_file::NewFile;
use crate::output::points::PointTable;
use crate::text_lines;
use bilinear_engine::{Encoding, Group, Options, Point, Side, System};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Make random points, as lines {"p": HEX} of G1, {"q": HEX} of G2, or {"p": HEX, "q": HEX}.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear points random --curve a-512 --pairs --n 1000 \\
      --out points.jsonl")]
pub(crate) struct Random {
    #[command(flatten)]
    target: Target,
    /// The number of lines
    #[arg(long, value_name = "N", default_value = "1")]
    n: u64,
    /// The group: g1 or g2, which are the same on a symmetric curve
    #[arg(long, value_name = "GROUP", default_value = "g1", conflicts_with = "pairs")]
    group: Group,
    /// Make two points per line, one of each group, as `bilinear pair` reads them
    #[arg(long)]
    pairs: bool,
}

/// Hash lines of text to points, as lines {"p": HEX} of G1 or {"q": HEX} of G2.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear points hash-lines --curve a-512 --dst MYAPP-V01-KEYWORD \\
      --message apple
  bilinear points hash-lines --curve a-512 --dst MYAPP-V01-KEYWORD \\
      --in words.txt --out points.jsonl")]
pub(crate) struct HashLines {
    #[command(flatten)]
    target: Target,
    /// The domain separation tag: a text of the application's own
    #[arg(long, value_name = "TEXT")]
    dst: String,
    /// The group: g1 or g2, which are the same on a symmetric curve
    #[arg(long, value_name = "GROUP", default_value = "g1")]
    group: Group,
    #[command(flatten)]
    source: Messages,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Messages {
    /// A file with one message per line, without the line ends; `-` is standard input
    #[arg(long = "in", value_name = "FILE")]
    input: Option<PathBuf>,
    /// The message to hash
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Target {
    #[command(flatten)]
    curve: CurveChoice,
    #[command(flatten)]
    engine: EngineChoice,
    /// Write the points to this file; `-` is standard output.
    ///
    /// The file appears only when it is complete.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The format of the output (default: that of its name; `-` is JSON Lines).
    ///
    /// This option overrides the name. Parquet and Arrow have binary columns.
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    out_format: Option<Format>,
    /// Write points in their compressed form instead of x and y
    #[arg(long)]
    compressed: bool,
    /// Write points in the encoding of another system.
    ///
    /// One of zcash, zcash-uncompressed, eip, gnark, gnark-uncompressed, arkworks and arkworks-uncompressed.
    #[arg(long, value_name = "NAME", conflicts_with = "compressed")]
    encoding: Option<Encoding>,
}

impl Target {
    /// Creates the output file, unless the output is standard output. An interrupted run leaves nothing of the
    /// file.
    fn file(&self, messages: Option<&Path>) -> Result<Option<NewFile>, CommandError> {
        let reads = self.curve.source.reads().into_iter();
        refuse_replacing(&self.out, reads.chain(messages.map(|path| input("--in", path))))?;
        if is_stdout(&self.out) {
            return Ok(None);
        }
        let kept = Kept::default();
        if !is_stream(&self.out) {
            interruptible(&self.out, kept.clone())?;
        }
        let file = NewFile::create(&self.out)?;
        *kept.lock() = State::Nothing;
        Ok(Some(file))
    }
}

/// Runs `points random`.
///
/// # Errors
/// Returns an error if the curve is unknown, or if a file cannot be written.
pub(super) fn run_random(args: &Random) -> Result<(), CommandError> {
    let groups = if args.pairs { &Group::ALL[..] } else { &[args.group] };
    let mut out = Output::create(&args.target, groups, None)?;
    for _ in 0..args.n {
        let point = |group: &Group| Ok((Side::of(*group), random(&out.system, *group)?));
        let points = groups.iter().map(point).collect::<Result<Vec<_>, CommandError>>()?;
        out.write(&points)?;
    }
    out.finish()
}

fn random(system: &System, group: Group) -> Result<Point, CommandError> {
    system.random(group).map_err(CommandError::randomness)
}

/// Runs `points hash-lines`.
///
/// # Errors
/// Returns an error if the curve is unknown, if the tag is empty, or if a file cannot be read or written.
pub(super) fn run_hash_lines(args: &HashLines) -> Result<(), CommandError> {
    let mut out = Output::create(&args.target, &[args.group], args.source.input.as_deref())?;
    let mut hash = |message: &str| {
        let point = out.system.hash_to_curve(args.group, message.as_bytes(), args.dst.as_bytes());
        let point = point.map_err(|error| CommandError::Usage(error.to_string()))?;
        out.write(&[(Side::of(args.group), point)])
    };
    match (&args.source.message, &args.source.input) {
        (Some(message), _) => hash(message)?,
        (None, Some(path)) => text_lines::of_file(path, |_, text| hash(text))?,
        (None, None) => {}
    }
    out.finish()
}

/// A table of points that is being written.
struct Output {
    system: System,
    writer: Writer,
    name: String,
    /// The file that is written; `None` for standard output.
    file: Option<NewFile>,
    compressed: bool,
    encoding: Option<Encoding>,
}

/// The writer of a table in its format.
enum Writer {
    /// A writer of JSON Lines.
    Lines(BufWriter<Box<dyn Write + Send>>),
    /// A writer of columns.
    Columns(Box<PointTable>),
}

impl Writer {
    fn new(writer: Box<dyn Write + Send>, format: Format, sides: &[&str]) -> io::Result<Self> {
        Ok(match format {
            Format::Jsonl => Writer::Lines(BufWriter::new(writer)),
            Format::Parquet | Format::Arrow => Writer::Columns(Box::new(PointTable::new(writer, format, sides)?)),
        })
    }
}

impl Output {
    /// Begins a table. `messages` is the file of messages that is read for it.
    fn create(target: &Target, groups: &[Group], messages: Option<&Path>) -> Result<Self, CommandError> {
        let format = out_format(&target.out, target.out_format)?;
        let system = target.curve.system(Options { engine: target.engine.chosen, ..Options::default() })?;
        say_no_device(&system);
        if let Some(encoding) = target.encoding {
            suits(&system, encoding)?;
        }
        let file = target.file(messages)?;
        let (name, writer): (String, Box<dyn Write + Send>) = match &file {
            None => ("standard output".to_owned(), Box::new(io::stdout())),
            Some(file) => (target.out.display().to_string(), Box::new(file.writer()?)),
        };
        let sides: Vec<String> = groups.iter().map(|group| Side::of(*group).to_string()).collect();
        let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
        let writer = Writer::new(writer, format, &sides).map_err(CommandError::io(&name, "write"))?;
        Ok(Self { system, writer, name, file, compressed: target.compressed, encoding: target.encoding })
    }

    fn write(&mut self, points: &[(Side, Point)]) -> Result<(), CommandError> {
        let bytes: Vec<Vec<u8>> = points.iter().map(|(_, point)| self.bytes(point).unwrap_or_default()).collect();
        let written = match &mut self.writer {
            Writer::Columns(table) => table.push(&bytes),
            Writer::Lines(writer) => {
                let text = |bytes: &[u8]| if bytes.is_empty() { "inf".to_owned() } else { hex::encode(bytes) };
                let fields =
                    points.iter().zip(&bytes).map(|((side, _), bytes)| format!("\"{side}\":\"{}\"", text(bytes)));
                writeln!(writer, "{{{}}}", fields.collect::<Vec<_>>().join(","))
            }
        };
        written.map_err(CommandError::io(&self.name, "write"))
    }

    /// Encodes a point; `None` is the point at infinity, if the encoding has no bytes for it.
    fn bytes(&self, point: &Point) -> Option<Vec<u8>> {
        match self.encoding {
            Some(encoding) => self.system.encode_as(encoding, point).ok(),
            None if self.compressed => self.system.compressed(point),
            None => point.bytes().map(<[u8]>::to_vec),
        }
    }

    fn finish(self) -> Result<(), CommandError> {
        let ended = match self.writer {
            Writer::Columns(table) => table.finish(),
            Writer::Lines(mut writer) => writer.flush(),
        };
        ended.map_err(CommandError::io(&self.name, "write"))?;
        self.file.map_or(Ok(()), NewFile::complete)
    }
}
