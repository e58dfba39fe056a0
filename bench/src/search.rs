//! Predicate encryption over composite and prime orders beside each other: the same predicate over the same table with every scheme.
//!
//! A table has m attributes, texts, and the predicate asks each for a value. Hidden vectors have m elements, inner products m + 1.

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

/// What stands before the path of a record and behind its table, on a page.
const BEGIN: &str = "<!-- search of ";
const END: &str = "<!-- end of search -->";

/// Seconds that a sample takes, about.
const SAMPLE: f64 = 0.25;
/// Rows in a sample, at most.
const MOST_ROWS: usize = 1024;

/// What was measured of one scheme, curve and table. One thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The scheme and its paper.
    pub scheme: String,
    /// The curve.
    pub curve: String,
    /// Bits of the order.
    pub order_bits: u64,
    /// The estimate of its security, in bits.
    pub security: u32,
    /// The engine of batches.
    pub engine: String,
    /// Attributes that the predicate asks.
    pub attributes: usize,
    /// Pairings a row.
    pub pairings: usize,
    /// Bytes of an encrypted row with an empty message.
    pub row_bytes: usize,
    /// Bytes of a token.
    pub token_bytes: usize,
    /// Bytes of a public key.
    pub public_bytes: usize,
    /// Milliseconds to make a token, median.
    pub token_ms: f64,
    /// Rows encrypted a second, from tables, median.
    pub encrypted: f64,
    /// Rows searched a second with a prepared token, points checked to be on the curve, median.
    pub searched: f64,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// Where and when.
    pub environment: Environment,
    /// How often everything was measured, in turns.
    pub rounds: usize,
    /// What came of it.
    pub lines: Vec<Line>,
}

/// Why nothing is measured.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A curve without a system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// Factors of another curve.
    #[error(transparent)]
    Factors(#[from] FactorsError),
    /// No keys, no token or no rows.
    #[error(transparent)]
    Scheme(#[from] PredicateError),
    /// A row that cannot be read.
    #[error(transparent)]
    Row(#[from] DecodeError),
    /// No schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// No predicate.
    #[error(transparent)]
    Predicate(#[from] PredicateTextError),
    /// A row of another schema.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// No randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
    /// Other rows are found than those of which the predicate holds.
    #[error("{0}: other rows are found than in the clear")]
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
    /// Whether the predicate holds of each row of the table in the clear.
    holds: Vec<bool>,
    /// Encrypted rows, those of the table from its first on as often as is needed, and whether each is to be found.
    rows: Vec<Vec<u8>>,
    wanted: Vec<bool>,
    /// Rows of which one sample encrypts and searches.
    counts: [usize; 2],
    samples: [Vec<f64>; 3],
}

/// The name of a scheme in tables.
fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::InnerProductOnly | Scheme::InnerProduct => "Katz, Sahai, Waters 2008",
        Scheme::HiddenVector => "Boneh, Waters 2007",
        Scheme::DualSpaces => "Okamoto, Takashima 2012",
        Scheme::Matrices => "Chen, Gong, Wee 2018",
    }
}

/// Seconds that something takes, and what comes of it.
fn timed<T>(job: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let value = job();
    (start.elapsed().as_secs_f64(), value)
}

impl Case {
    /// Keys, an encrypted table and a token; the factors are those of a composite order.
    ///
    /// # Errors
    /// If the scheme does not suit the curve.
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
        let batch = Batch::new(system).on_this_thread().validate(Validate::Curve);
        let texts = (0..attributes).map(|i| Attribute::text(&format!("a{i}"))).collect();
        let schema = match scheme {
            Scheme::HiddenVector => Schema::hidden_vector(texts)?,
            _ => Schema::inner_product(texts, &[])?.with_scheme(scheme)?,
        };
        let (public, secret) = setup(&batch, schema.scheme(), schema.length())?;
        let order = batch.system().order();
        // one row in four agrees with the predicate; the others in all attributes but one
        let value = |row: usize, i: usize| {
            Value::text(if !row.is_multiple_of(4) && row % attributes == i { "no" } else { "yes" })
        };
        let row = |row: usize| (0..attributes).map(|i| value(row, i)).collect::<Vec<_>>();
        let plain: Vec<_> = (0..MOST_ROWS).map(row).collect();
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
            engine: batch.engine_for(MOST_ROWS).to_string(),
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
        // what is prepared once, then how many rows fill a sample
        case.add(case.encrypt()?);
        case.compare(case.open())?;
        let fill =
            |count: usize, time: f64| ((SAMPLE / time * count as f64) as usize / lanes * lanes).clamp(lanes, MOST_ROWS);
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

    /// Rows of the table, encrypted.
    fn encrypt(&self) -> Result<Vec<Vec<u8>>, SearchError> {
        let plain: Vec<(&[Scalar], &[u8])> =
            self.vectors[..self.counts[0]].iter().map(|x| (&x[..], &b""[..])).collect();
        Ok(self.encryptor.encrypt(&plain)?)
    }

    /// Takes rows of the table, from its first on, to those that are searched.
    fn add(&mut self, rows: Vec<Vec<u8>>) {
        self.wanted.extend(&self.holds[..rows.len()]);
        self.rows.extend(rows);
    }

    /// Searches the rows.
    fn open(&self) -> Vec<Opened> {
        self.search.open(&self.rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Compares what was found with the table in the clear.
    fn compare(&self, found: Vec<Opened>) -> Result<(), SearchError> {
        for (found, wanted) in found.into_iter().zip(&self.wanted) {
            if found?.is_some() != *wanted {
                return Err(SearchError::Found(self.line.scheme.clone()));
            }
        }
        Ok(())
    }

    /// One turn: a token, rows encrypted, rows searched.
    ///
    /// # Errors
    /// If there is no randomness, a row cannot be read, or other rows are found than in the clear.
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

    /// What came of the turns.
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
    /// If the file cannot be read, or is none.
    pub fn read(path: &Path) -> io::Result<SearchRecord> {
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }
}

/// A page whose tables between `<!-- search of RECORD -->` and `<!-- end of search -->` are those of the records, which are named by
/// their paths from a folder.
///
/// # Errors
/// If a record cannot be read, or a table has no end.
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

/// The lines of a record as a table of a page.
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
    fn a_case_is_measured_and_told() {
        let curve = Curve::named("d-159").unwrap();
        let mut case = Case::new(&curve, None, Scheme::Matrices, 2).unwrap();
        case.turn().unwrap();
        // what the last row should be is compared in every turn
        let last = case.wanted.len() - 1;
        case.wanted[last] ^= true;
        assert!(matches!(case.turn(), Err(SearchError::Found(_))));
        let line = case.line();
        assert_eq!((line.order_bits, line.attributes, line.pairings), (158, 2, 11));
        assert_eq!((line.row_bytes, line.token_bytes), (23 + 18 + 11 * 40 + 4 + 32 + 16, 23 + 20 + 6 + 11 * 120 + 16));
        assert!(line.token_ms > 0.0 && line.encrypted > 0.0 && line.searched > 0.0);
        assert!(table(&[line]).lines().nth(2).unwrap().starts_with("| 2 | Chen, Gong, Wee 2018 | `d-159` | 158 |"));
        let composite = Case::new(&Curve::named("a1-2x512").unwrap(), None, Scheme::DualSpaces, 2);
        assert!(composite.is_err_and(|error| error.to_string().contains("takes a prime order")));
    }

    #[test]
    fn pages_that_cannot_be_made() {
        let made = |page: &str| made_anew(page, Path::new("."));
        assert_eq!(made("no table").unwrap(), "no table");
        assert!(made("<!-- search of nowhere.json -->").unwrap_err().to_string().contains("no end"));
        assert!(made(&format!("{BEGIN}nowhere.json --> {END}")).is_err());
    }
}
