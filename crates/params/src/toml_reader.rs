//! Reads curve descriptions from TOML.
//!
//! Top level: `name`, optional `aliases`, `family`, optional `layout` (`nested`, the default, or `pbc`), `source` and
//! `note`; the table `[parameters]` with the integers that define the curve, and further tables. Integers are strings,
//! decimal or 0x hexadecimal; u, b, beta and xi may have a minus sign. The family decides what the tables hold:
//!
//! * `a`: r and one or both of q, h (q + 1 = r h); `[g1]` with x, y.
//! * `a1`: n and one or both of q, l (q + 1 = n l); `prime_bits`, the sizes of the secret factors, or for test curves
//!   `factors` with `factors_public = true`; `[g1]` with x, y.
//! * `bn`, `bls12`, `bls24`, `bls48`, `kss18`: u; optional, and found where they are missing (`sextic/complete.rs`): b, twist (`"D"` or
//!   `"M"`), `[tower]` with beta and, except for `kss18`, xi as `["a", "c"]`, `[g1]` with x, y, `[g2]` with x, y as arrays of
//!   k/6 coefficients; optional: `[hash.g1]` and `[hash.g2]` with z, a, b, kernel and scale, arrays of signed integers.
//!   [`crate::Sextic`], [`crate::Suite`] and their accessors say what they mean.
//! * `d`, `g`: q, n, h, r, a, b, nqr and coefficients as an array of k/2, constant term first; optional `[g1]` with x,
//!   y and `[g2]` with x, y as arrays of k/2 coefficients.
//! * `e`: q, r, h, a, b; optional exp2, exp1, sign1, sign0, which are plain TOML integers; optional `[g1]` and `[g2]`
//!   with x, y.
//! * `ss2`: polynomial, the exponents of the field's polynomial as plain TOML integers, from m down to 0; b, 0 or 1 likewise; h.
//! * `hss2`: polynomial, d and h, likewise.
//! * `ss3`: polynomial, likewise; coefficients, 1 or 2 for each exponent; b, 1 or -1; h.

mod families;
mod table;

use std::cell::RefCell;

pub(crate) use table::{Table, parse};

use crate::curve::is_name;
use crate::origin::Origin;
use crate::{Curve, Error, Family, Genus, Layout, QuadraticKind, SexticKind, SupersingularKind};

/// Reads a description and performs the cheap half of its validation. The origin serves later messages.
pub(crate) fn read(text: &str, file: &str) -> Result<(Curve, Origin), Error> {
    let document = parse(text, file)?;
    let origin = RefCell::new(Origin::file(file));
    let known = ["name", "aliases", "family", "layout", "source", "note", "parameters", "tower", "g1", "g2", "hash"];
    let top = Table::new(text, &document, String::new(), &origin, &known)?;
    let name = top.required("name", Table::string)?.to_owned();
    if !is_name(&name) {
        return Err(Error::BadName { at: top.at("name") });
    }
    let aliases: Vec<String> = top.strings("aliases")?.unwrap_or_default().into_iter().map(str::to_owned).collect();
    if !aliases.iter().all(|alias| is_name(alias)) {
        return Err(Error::BadName { at: top.at("aliases") });
    }
    let source = top.string("source")?.unwrap_or_default().to_owned();
    let note = top.string("note")?.unwrap_or_default().to_owned();
    let family = family(&top)?;
    let layout = layout(&top, &family)?;
    let curve = Curve { name, aliases, family, layout, source, note };
    Ok((curve, origin.into_inner()))
}

fn family(top: &Table<'_>) -> Result<Family, Error> {
    let name = top.required("family", Table::string)?;
    let others: &[&str] = match name {
        "a" | "a1" => &["tower", "g2", "hash"],
        "d" | "g" | "e" => &["tower", "hash"],
        "ss2" | "hss2" | "ss3" => &["tower", "g1", "g2", "hash"],
        _ => &[],
    };
    if let Some(key) = others.iter().find(|key| top.has(key)) {
        return Err(Error::UnknownKey { at: top.at(key) });
    }
    Ok(match name {
        "a" => Family::Supersingular(families::supersingular(SupersingularKind::A, top)?),
        "a1" => Family::Supersingular(families::supersingular(SupersingularKind::A1, top)?),
        "bn" => Family::Sextic(families::sextic(SexticKind::Bn, top)?),
        "bls12" => Family::Sextic(families::sextic(SexticKind::Bls12, top)?),
        "bls24" => Family::Sextic(families::sextic(SexticKind::Bls24, top)?),
        "bls48" => Family::Sextic(families::sextic(SexticKind::Bls48, top)?),
        "kss18" => Family::Sextic(families::sextic(SexticKind::Kss18, top)?),
        "d" => Family::QuadraticTwist(families::quadratic(QuadraticKind::D, top)?),
        "g" => Family::QuadraticTwist(families::quadratic(QuadraticKind::G, top)?),
        "e" => Family::DegreeOne(families::degree_one(top)?),
        "ss2" => Family::Binary(families::binary(Genus::One, top)?),
        "hss2" => Family::Binary(families::binary(Genus::Two, top)?),
        "ss3" => Family::Ternary(families::ternary(top)?),
        other => return Err(Error::UnknownFamily { at: top.at("family"), value: other.chars().take(40).collect() }),
    })
}

/// Reads the layout. PBC's order exists only where PBC has the field: for its own types and their embedding degrees.
fn layout(top: &Table<'_>, family: &Family) -> Result<Layout, Error> {
    let pbc = match family {
        Family::Sextic(s) => s.k() == 12,
        Family::Binary(_) => false,
        _ => true,
    };
    match top.string("layout")? {
        None | Some("nested") => Ok(Layout::Nested),
        Some("pbc") if pbc => Ok(Layout::Pbc),
        Some(_) => {
            let known = if pbc { "\"nested\" or \"pbc\"" } else { "\"nested\" for this family" };
            Err(Error::BadLayout { at: top.at("layout"), known })
        }
    }
}
