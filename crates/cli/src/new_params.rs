//! Fresh parameters: the steps that need the engine, and primes that the user supplies.

use crate::choice::{say_no_device, system};
use crate::error::CommandError;
use crate::secret::Source;
use bilinear_engine::{Engine, Group, Options, Point, System};
use bilinear_params::{Curve, Description, Factors, Family, MAX_FILE_BYTES};
use crypto_bigint::BoxedUint;
use num_bigint::BigUint;
use std::path::Path;
use zeroize::Zeroizing;

/// The domain separation tag of generators.
const TAG: &[u8] = b"BILINEAR-V01-GENERATOR";

/// Gives a fresh curve its generator: the first point of full order among the hashes to the group of
/// `<fingerprint>/0`, `<fingerprint>/1`, ... Anyone can verify that such a generator was not chosen freely. If
/// the factors are secret, the generators of their subgroups are added to them.
///
/// # Errors
/// Returns an error if the engine cannot compute with the curve.
pub(crate) fn with_generator(
    made: Description,
    engine: Option<Engine>,
) -> Result<(Curve, Option<Factors>), CommandError> {
    let Description { curve, factors } = made;
    if matches!(curve.family(), Family::Sextic(_)) {
        // sextic families were completed from the seed, generators included
        return Ok((curve, None));
    }
    let system = system(&curve, Options { engine, ..Options::default() })?;
    say_no_device(&system);
    let indices = 0..factors.as_ref().map_or(0, |factors| factors.primes().len());
    let cofactors: Vec<_> = indices.filter_map(|i| factors.as_ref()?.cofactor(i)).collect();
    let fingerprint = curve.fingerprint();
    let hash = |index: u64| system.hash_to_curve(Group::G1, format!("{fingerprint}/{index}").as_bytes(), TAG);
    let mut candidates = (0..).map(hash);
    let generator = loop {
        match candidates.next() {
            Some(Ok(point)) if generates(&system, &point, &cofactors) => break point,
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(CommandError::Engine(error.to_string())),
            None => return Err(CommandError::Engine("no generator was found".to_owned())),
        }
    };
    let (x, y) = coordinates(&generator);
    let factors = match factors {
        // (n/p)·G generates the subgroup of prime order p
        Some(factors) => {
            let part = |cofactor: &Zeroizing<Vec<u8>>| coordinates(&system.mul_secret(cofactor, &generator));
            Some(factors.with_generators(&curve, cofactors.iter().map(part).collect())?)
        }
        None => None,
    };
    Ok((curve.with_generator(x, y)?, factors))
}

/// Returns x and y of a point other than the point at infinity.
fn coordinates(point: &Point) -> (BigUint, BigUint) {
    let bytes = point.bytes().unwrap_or_default();
    let (x, y) = bytes.split_at(bytes.len() / 2);
    (BigUint::from_bytes_be(x), BigUint::from_bytes_be(y))
}

/// Returns true if the order of the point is divisible by every prime factor: no cofactor multiplies the point
/// to infinity.
fn generates(system: &System, point: &Point, cofactors: &[Zeroizing<Vec<u8>>]) -> bool {
    cofactors.iter().all(|cofactor| !system.mul_secret(cofactor, point).is_infinity())
}

/// Reads primes from a text file that only its owner may read: one per line, decimal, or hexadecimal with 0x.
/// Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, if others may read it, or if a line is not an integer. No
/// message quotes a line.
pub(crate) fn read_primes(path: &Path) -> Result<Vec<BoxedUint>, CommandError> {
    let file = path.display().to_string();
    let bytes = Source::File(path.to_owned()).read_at_most(MAX_FILE_BYTES)?;
    let text = str::from_utf8(&bytes).map_err(|_| CommandError::Usage(format!("{file}: not UTF-8 text")))?;
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, text)| {
            let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
            // the parser accepts underscores as separators, but the error message below does not allow them
            let digits = Some(digits)
                .filter(|d| !d.is_empty() && d.len() <= MAX_DIGITS && d.bytes().all(|b| b.is_ascii_hexdigit()));
            digits.and_then(|digits| BoxedUint::from_str_radix_vartime(digits, radix).ok()).ok_or_else(|| {
                CommandError::Line {
                    file: file.clone(),
                    line,
                    reason: "not a decimal or 0x hexadecimal integer of at most 4096 bits".to_owned(),
                }
            })
        })
        .collect()
}

/// The most digits of a prime factor: 4096 bits in decimal.
pub(crate) const MAX_DIGITS: usize = 1234;
