//! The curves that are compiled in: the files of this crate's `curves/` folder.

use crate::nearest::nearest;
use crate::{Curve, Error, toml_reader};

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../curves/", $name, ".toml")))),*]
    };
}

/// The name and text of every shipped curve except those of [`RESEARCH`]. New curves are added here.
pub(crate) const SHIPPED: &[(&str, &str)] = shipped![
    "a-512",
    "a-1024",
    "a-1536",
    "ss1536",
    "a1-2x512",
    "a1-2x1024",
    "a1-3x342",
    "a1-3x512",
    "a1-4x256",
    "a1-4x512",
    "a1-2x512-friendly",
    "a1-2x1024-friendly",
    "a1-pbc",
    "bn-254n",
    "bn-258",
    "alt-bn128",
    "bn-462",
    "bn-638",
    "bn-638-b257",
    "bls12-377",
    "bls12-381",
    "bls12-461",
    "bls12-461-b4",
    "bls12-638",
    "kss18-508",
    "bls24-315",
    "bls24-477",
    "bls24-509",
    "bls48-581",
    "d-159",
    "d-179",
    "d-201",
    "d-224",
    "d-105171-196-185",
    "d-277699-175-167",
    "d-278027-190-181",
    "e",
    "f",
    "g-149",
];

/// The name and text of the shipped curves whose discrete logarithms are broken: for research only.
pub(crate) const RESEARCH: &[(&str, &str)] =
    shipped!["ss2-271", "ss2-353", "ss2-379", "ss2-1223", "hss2-367", "hss2-439", "ss3-97", "ss3-193", "ss3-509"];

/// Returns the name and text of every shipped curve, those for research included.
fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> + Clone {
    SHIPPED.iter().chain(RESEARCH)
}

/// Finds a curve by name, in which _ may stand for -, then by alias; case does not matter.
pub(crate) fn named(name: &str) -> Result<Curve, Error> {
    // names and aliases are written in lower case
    let wanted = name.to_ascii_lowercase();
    let hyphenated = wanted.replace('_', "-");
    if let Some((name, text)) = all().find(|(known, _)| *known == hyphenated) {
        return read(name, text);
    }
    // an alias occurs literally in its file, so only files that mention it are read: reading all would take some
    // milliseconds
    let mentions = all().filter(|(_, text)| !wanted.is_empty() && text.contains(&wanted));
    for (file, text) in mentions {
        let curve = read(file, text)?;
        if curve.aliases.contains(&wanted) {
            return Ok(curve);
        }
    }
    let known = all().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    Err(Error::UnknownCurve { name: name.to_owned(), suggestions: suggestions(&wanted)?, known })
}

/// Returns the names and aliases of shipped curves that are close to `wanted`.
fn suggestions(wanted: &str) -> Result<Vec<String>, Error> {
    let aliases = all().map(|(name, text)| read(name, text).map(|curve| (*name, curve.aliases)));
    let aliases = aliases.collect::<Result<Vec<_>, _>>()?;
    let names =
        aliases.iter().map(|(name, aliases)| [*name].into_iter().chain(aliases.iter().map(String::as_str)).collect());
    Ok(nearest(wanted, names).into_iter().map(str::to_owned).collect())
}

/// Reads a shipped curve with structure checks only: the tests of this crate check once that the shipped files hold
/// primes.
fn read(name: &str, text: &str) -> Result<Curve, Error> {
    toml_reader::read(text, &format!("{name}.toml")).map(|(curve, _)| curve)
}
