//! Compares predicate encryption over composite and prime orders: every scheme runs the same predicate over the same
//! table.
//!
//! A table has m attributes, which are texts, and the predicate compares each with a value. Hidden vectors have m
//! elements, inner products m + 1.

use crate::environment::Environment;
use crate::statistics::Summary;
use bilinear_engine::params::{Curve, Factors};
use bilinear_engine::{Batch, FactorsError, System, SystemError, Validate};
use bilinear_schemes::predicate::language::{
    Attribute, Predicate, PredicateTextError, Schema, SchemaError, Value, ValueError,
};
use bilinear_schemes::predicate::{
    DecodeError, Encryptor, Opened, PredicateError, Scalar, Scheme, Search, SecretKey, Token, setup,
};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

/// The text before the path of a record on a page; `END` follows the table.
const BEGIN: &str = "<!-- search of ";
const END: &str = "<!-- end of search -->";

/// The approximate duration of a sample, in seconds.
const SAMPLE: f64 = 0.25;
/// The maximum number of rows in a sample.
const MAX_ROWS: usize = 1024;

/// The results of one scheme on one curve and table, on one thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The scheme and its paper.
    pub scheme: String,
    /// The name of the curve.
    pub curve: String,
    /// The number of bits of the order.
    pub order_bits: u64,
    /// The estimate of the curve's security, in bits.
    pub security: u32,
    /// The engine that computes batches.
    pub engine: String,
    /// The number of attributes that the predicate compares.
    pub attributes: usize,
    /// The number of pairings per row.
    pub pairings: usize,
    /// The number of bytes of an encrypted row with an empty message.
    pub row_bytes: usize,
    /// The number of bytes of a token.
    pub token_bytes: usize,
    /// The number of bytes of a public key.
    pub public_bytes: usize,
    /// The median time to make a token, in milliseconds.
    pub token_ms: f64,
    /// The median number of rows encrypted per second, with the precomputed tables of the key's points.
    pub encrypted: f64,
    /// The median number of rows searched per second with a prepared token; points are checked to be on the curve.
    pub searched: f64,
}

/// The record of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The machine, the code and the date.
    pub environment: Environment,
    /// The number of turns in which everything was measured.
    pub rounds: usize,
    /// The results.
    pub lines: Vec<Line>,
}

/// The reason why nothing is measured.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The curve has no system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The factors belong to another curve.
    #[error(transparent)]
    Factors(#[from] FactorsError),
    /// Keys, tokens or rows cannot be made.
    #[error(transparent)]
    Scheme(#[from] PredicateError),
    /// A row cannot be read.
    #[error(transparent)]
    Row(#[from] DecodeError),
    /// The schema is invalid.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The predicate is invalid.
    #[error(transparent)]
    Predicate(#[from] PredicateTextError),
    /// A row belongs to another schema.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The operating system has no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
    /// The search finds other rows than those for which the predicate holds.
    #[error("{0}: the rows that are found differ from those of the plain table")]
    Found(String),
}

/// A scheme on a curve with a table.
pub struct Case {
    line: Line,
    batch: Batch,
    secret: SecretKey,
    encryptor: Encryptor,
    predicate: Predicate,
    vectors: Vec<Vec<Scalar>>,
    search: Search,
    /// Whether the predicate holds for each plaintext row of the table.
    holds: Vec<bool>,
    /// Encrypted rows: those of the table from its first on, repeated as needed. `wanted` says whether the search must
    /// find each.
    rows: Vec<Vec<u8>>,
    wanted: Vec<bool>,
    /// The numbers of rows that one sample encrypts and searches.
    counts: [usize; 2],
    samples: [Vec<f64>; 3],
}

/// Returns the name of a scheme in tables.
fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::InnerProductOnly | Scheme::InnerProduct => "Katz, Sahai, Waters 2008",
        Scheme::HiddenVector => "Boneh, Waters 2007",
        Scheme::DualSpaces => "Okamoto, Takashima 2012",
        Scheme::Matrices => "Chen, Gong, Wee 2018",
    }
}

/// Runs a job, and returns its duration in seconds and its value.
fn timed<T>(job: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let value = job();
    (start.elapsed().as_secs_f64(), value)
}

impl Case {
    /// Creates keys, an encrypted table and a token; `factors` are those of a composite order.
    ///
    /// # Errors
    /// Returns an error if the scheme is not suitable for the curve.
    pub fn new(
        curve: &Curve,
        factors: Option<&Factors>,
        scheme: Scheme,
        attributes: usize,
    ) -> Result<Case, SearchError> {
        let mut system = System::new(curve)?;
        if let Some(factors) = factors {
            system = system.with_factors(factors)?;
        }
        let batch = Batch::new(system).on_this_thread().validate(Validate::OnCurve);
        let texts = (0..attributes).map(|i| Attribute::text(&format!("a{i}"))).collect();
        let schema = match scheme {
            Scheme::HiddenVector => Schema::hidden_vector(texts)?,
            _ => Schema::inner_product(texts, &[])?.with_scheme(scheme)?,
        };
        let (public, secret) = setup(&batch, schema.scheme(), schema.length())?;
        let order = batch.system().order();
        // one row in four agrees with the predicate; the others agree in all attributes but one
        let value = |row: usize, i: usize| {
            Value::text(if !row.is_multiple_of(4) && row % attributes == i { "no" } else { "yes" })
        };
        let row = |row: usize| (0..attributes).map(|i| value(row, i)).collect::<Vec<_>>();
        let plain: Vec<_> = (0..MAX_ROWS).map(row).collect();
        let vectors = plain.iter().map(|row| schema.vector(order, row)).collect::<Result<Vec<_>, _>>()?;
        let asked: Vec<String> = (0..attributes).map(|i| format!("a{i} = 'yes'")).collect();
        let predicate = Predicate::new(&schema, &asked.join(" AND "))?;
        let holds = plain.iter().map(|row| predicate.holds(row)).collect::<Result<_, _>>()?;
        let token = secret.token(&batch, &predicate.pattern(order)?)?;
        let search = Search::new(batch.clone(), &token)?;
        let encryptor = Encryptor::new(batch.clone(), &public)?;
        let line = Line {
            scheme: name(scheme).to_owned(),
            curve: curve.name().to_owned(),
            order_bits: order.bits(),
            security: curve.security().bits,
            engine: batch.engine_for(MAX_ROWS).to_string(),
            attributes,
            pairings: token.pairings(),
            row_bytes: 0,
            token_bytes: token.to_bytes().len(),
            public_bytes: public.to_bytes().len(),
            token_ms: 0.0,
            encrypted: 0.0,
            searched: 0.0,
        };
        let lanes = batch.system().lanes().max(8);
        let samples = [vec![], vec![], vec![]];
        let mut case = Case {
            line,
            batch,
            secret,
            encryptor,
            predicate,
            vectors,
            search,
            holds,
            rows: vec![],
            wanted: vec![],
            counts: [lanes; 2],
            samples,
        };
        // prepares everything that is made once, then determines how many rows fill a sample
        case.add(case.encrypt()?);
        case.compare(case.open())?;
        let fill =
            |count: usize, time: f64| ((SAMPLE / time * count as f64) as usize / lanes * lanes).clamp(lanes, MAX_ROWS);
        let (encrypting, searching) = (timed(|| case.encrypt()).0, timed(|| case.open()).0);
        case.counts = [fill(lanes, encrypting), fill(lanes, searching)];
        while case.rows.len() < case.counts[1] {
            case.add(case.encrypt()?);
        }
        case.rows.truncate(case.counts[1].max(lanes));
        case.wanted.truncate(case.rows.len());
        case.line.row_bytes = case.rows[0].len();
        Ok(case)
    }

    /// Encrypts rows of the table.
    fn encrypt(&self) -> Result<Vec<Vec<u8>>, SearchError> {
        let plain: Vec<(&[Scalar], &[u8])> =
            self.vectors[..self.counts[0]].iter().map(|x| (&x[..], &b""[..])).collect();
        Ok(self.encryptor.encrypt(&plain)?)
    }

    /// Adds encrypted rows of the table, from its first row on, to the rows to search.
    fn add(&mut self, rows: Vec<Vec<u8>>) {
        self.wanted.extend(&self.holds[..rows.len()]);
        self.rows.extend(rows);
    }

    /// Searches the rows.
    fn open(&self) -> Vec<Opened> {
        self.search.open(&self.rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Returns an error unless the search found the rows for which the predicate holds.
    fn compare(&self, found: Vec<Opened>) -> Result<(), SearchError> {
        for (found, wanted) in found.into_iter().zip(&self.wanted) {
            if found?.is_some() != *wanted {
                return Err(SearchError::Found(self.line.scheme.clone()));
            }
        }
        Ok(())
    }

    /// Runs one turn: makes a token, encrypts rows, and searches rows.
    ///
    /// # Errors
    /// Returns an error if there is no randomness, a row cannot be read, or the search finds the wrong rows.
    pub fn turn(&mut self) -> Result<(), SearchError> {
        let pattern = self.predicate.pattern(self.batch.system().order())?;
        let (time, token) = timed(|| self.secret.token(&self.batch, &pattern));
        drop::<Token>(token?);
        self.samples[0].push(1e3 * time);
        let (time, rows) = timed(|| self.encrypt());
        self.samples[1].push(rows?.len() as f64 / time);
        let (time, found) = timed(|| self.open());
        self.samples[2].push(self.rows.len() as f64 / time);
        self.compare(found)
    }

    /// Returns the medians of the turns.
    pub fn line(mut self) -> Line {
        let median = |samples: &[f64]| Summary::of(samples).map_or(0.0, |summary| summary.median);
        let [token, encrypted, searched] = &self.samples;
        self.line.token_ms = median(token);
        self.line.encrypted = median(encrypted);
        self.line.searched = median(searched);
        self.line
    }
}

impl SearchRecord {
    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a record.
    pub fn read(path: &Path) -> io::Result<SearchRecord> {
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }
}

/// Returns a page whose tables between `<!-- search of RECORD -->` and `<!-- end of search -->` are regenerated from
/// the records. Records are named by their paths from a folder.
///
/// # Errors
/// Returns an error if a record cannot be read, or if a table has no end.
pub fn made_anew(page: &str, folder: &Path) -> io::Result<String> {
    let (mut out, mut rest) = (String::new(), page);
    while let Some((before, part)) = rest.split_once(BEGIN) {
        let ends = part.split_once(" -->").and_then(|(path, part)| Some((path, part.split_once(END)?.1)));
        let (path, after) = ends.ok_or_else(|| io::Error::other("a table of a search has no end"))?;
        let record = SearchRecord::read(&folder.join(path))?;
        out.extend([before, BEGIN, path, " -->\n\n", &table(&record.lines), "\n", END]);
        rest = after;
    }
    Ok(out + rest)
}

/// Formats the lines of a record as a table of a page.
pub fn table(lines: &[Line]) -> String {
    let mut text = String::from(
        "| attributes | scheme | curve | order, bits | level | pairings a row | bytes a row | bytes a token | bytes a public key | token, ms | encrypted a second | searched a second |\n\
         |---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let figure = |x: f64| if x < 100.0 { format!("{x:.1}") } else { format!("{x:.0}") };
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort_by_key(|line| (line.attributes, line.security));
    for line in sorted {
        let [token, encrypted, searched] = [line.token_ms, line.encrypted, line.searched].map(figure);
        let Line {
            attributes,
            scheme,
            curve,
            order_bits,
            security,
            pairings,
            row_bytes,
            token_bytes,
            public_bytes,
            ..
        } = line;
        let _ = writeln!(
            text,
            "| {attributes} | {scheme} | `{curve}` | {order_bits} | {security} | {pairings} | {row_bytes} | {token_bytes} | {public_bytes} | {token} | {encrypted} | {searched} |"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_case_is_measured_and_reported() {
        let curve = Curve::named("d-159").unwrap();
        let mut case = Case::new(&curve, None, Scheme::Matrices, 2).unwrap();
        case.turn().unwrap();
        // every turn checks the expected result of the last row
        let last = case.wanted.len() - 1;
        case.wanted[last] ^= true;
        assert!(matches!(case.turn(), Err(SearchError::Found(_))));
        let line = case.line();
        assert_eq!((line.order_bits, line.attributes, line.pairings), (158, 2, 11));
        assert_eq!((line.row_bytes, line.token_bytes), (23 + 18 + 11 * 40 + 4 + 32 + 16, 23 + 20 + 6 + 11 * 120 + 16));
        assert!(line.token_ms > 0.0 && line.encrypted > 0.0 && line.searched > 0.0);
        assert!(table(&[line]).lines().nth(2).unwrap().starts_with("| 2 | Chen, Gong, Wee 2018 | `d-159` | 158 |"));
        let composite = Case::new(&Curve::named("a1-2x512").unwrap(), None, Scheme::DualSpaces, 2);
        assert!(composite.is_err_and(|error| error.to_string().contains("needs a prime order")));
    }

    #[test]
    fn pages_that_cannot_be_made_are_refused() {
        let made = |page: &str| made_anew(page, Path::new("."));
        assert_eq!(made("no table").unwrap(), "no table");
        assert!(made("<!-- search of nowhere.json -->").unwrap_err().to_string().contains("no end"));
        assert!(made(&format!("{BEGIN}nowhere.json --> {END}")).is_err());
    }
}
