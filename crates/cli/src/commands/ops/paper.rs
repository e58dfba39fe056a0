//! `bilinear ops --paper`: the operations counted here beside those of the papers, for the same pairing and in
//! the papers' way of counting.

use super::published::{PUBLISHED, Paper, Part, Published};
use crate::choice::CurveSource;
use crate::console;
use crate::error::CommandError;
use bilinear_engine::{LineValues, Options, PairingKind, Phase, Power, line_values, operations};
use bilinear_params::Curve;
use serde::Serialize;
use std::fmt::{self, Write};

/// Returns the options of the pairing in the papers: optimal ate, raised to the multiple of the exponent that
/// costs least.
fn options() -> Options {
    Options { pairing: Some(PairingKind::OptAte), power: Power::Fast, ..Options::default() }
}

/// The name of the phase for counts of the Miller loop that leave out the values of its lines.
const WITHOUT_VALUES: &str = "Miller loop without values of lines";

/// Base-field operations as the papers count them, where a square counts as a product.
#[derive(Clone, Copy, Debug, Serialize)]
#[allow(non_snake_case)]
struct Cost {
    M: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    R: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    I: Option<u64>,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{}M", self.M);
        for (n, name) in [(self.R, "R"), (self.I, "I")] {
            if let Some(n) = n {
                write!(text, " + {n}{name}")?;
            }
        }
        f.pad(&text)
    }
}

impl From<&Phase> for Cost {
    fn from(phase: &Phase) -> Self {
        let c = phase.cost;
        Cost { M: c.mul + c.sqr, R: Some(c.reduction), I: Some(c.inversion).filter(|n| *n > 0) }
    }
}

/// A part of the pairing, with its counts.
#[derive(Debug, Serialize)]
struct Row {
    phase: String,
    /// The paper's count; `null` if the paper does not give one.
    published: Option<Cost>,
    here: Cost,
}

/// The cost of the values of a loop's lines.
#[derive(Debug, Serialize)]
#[allow(non_snake_case)]
struct Values {
    lines: u64,
    /// The number of products for one line.
    M: u64,
    /// The number of reductions for one line.
    R: u64,
}

/// A curve in a paper and its counts here.
#[derive(Debug, Serialize)]
struct Comparison {
    curve: &'static str,
    paper: &'static Paper,
    pairing: &'static str,
    power: &'static str,
    line_values: Values,
    phases: Vec<Row>,
}

/// Returns the output of `--paper`: for one curve, or for all curves with published counts.
///
/// # Errors
/// Returns an error if the chosen curve is unknown, or if no paper counts it.
pub(super) fn report(choice: &CurveSource, json: bool) -> Result<String, CommandError> {
    if !choice.is_made() {
        let all = PUBLISHED.iter().map(Comparison::new).collect::<Result<Vec<_>, _>>()?;
        return if json { console::json(&all) } else { Ok(all.iter().map(text).collect::<Vec<_>>().join("\n")) };
    }
    let curve = choice.load()?;
    for published in &PUBLISHED {
        if Curve::named(published.curve)?.fingerprint() == curve.fingerprint() {
            let comparison = Comparison::new(published)?;
            return if json { console::json(&comparison) } else { Ok(text(&comparison)) };
        }
    }
    let names = PUBLISHED.iter().map(|p| p.curve).collect::<Vec<_>>().join(", ");
    Err(CommandError::Usage(format!(
        "--paper: there are no published counts of {}; there are of {names}",
        curve.name()
    )))
}

impl Comparison {
    fn new(published: &'static Published) -> Result<Self, CommandError> {
        let curve = Curve::named(published.curve)?;
        let failed = |error: bilinear_engine::SystemError| CommandError::Engine(error.to_string());
        let table = operations(&curve, options()).map_err(failed)?;
        let of = |name: &str| table.iter().find(|phase| phase.name == name).map(Cost::from);
        let LineValues { lines, products } = line_values(&curve, options())
            .map_err(failed)?
            .ok_or_else(|| CommandError::Engine(format!("{}: not a curve with a sextic twist", curve.name())))?;
        let values = Cost { M: lines * products, R: Some(lines * products), I: None };
        let count = |part| {
            let count = published.counts.iter().find(|count| count.part == part)?;
            Some(Cost { M: count.products, R: count.reductions, I: None })
        };

        let mut phases = vec![];
        let mut push = |phase: String, published, here| phases.push(Row { phase, published, here });
        if let Some(cost) = of("Miller loop") {
            if let Some(published) = count(Part::LoopWithoutValues) {
                let without =
                    Cost { M: cost.M - values.M, R: cost.R.zip(values.R).map(|(all, out)| all - out), ..cost };
                push(WITHOUT_VALUES.to_owned(), Some(published), without);
                push(format!("values of lines, {lines}·({products}M + {products}R)"), None, values);
            }
            push("Miller loop".to_owned(), None, cost);
        }
        for (name, part) in [("final exponentiation", Part::FinalExponentiation), ("total", Part::Total)] {
            if let Some(cost) = of(name) {
                push(name.to_owned(), count(part), cost);
            }
        }
        Ok(Comparison {
            curve: published.curve,
            paper: published.paper,
            pairing: PairingKind::OptAte.name(),
            power: Power::Fast.name(),
            line_values: Values { lines, M: products, R: products },
            phases,
        })
    }
}

fn text(comparison: &Comparison) -> String {
    let Comparison { curve, paper: Paper { authors, venue, eprint }, pairing, power, line_values, phases } = comparison;
    let mut text =
        format!("{curve}: {pairing} pairing, {power} power, beside {authors} ({venue}, ePrint {eprint})\n\n");
    let _ = writeln!(text, "{:<38}{:>16}  {:>21}", "", "published", "here");
    for Row { phase, published, here } in phases {
        let published = published.map_or_else(|| "-".to_owned(), |cost| cost.to_string());
        let _ = writeln!(text, "{phase:<38}{published:>16}  {here:>21}");
    }
    text += "\nM product or square, R reduction, I inversion, in the base field; - not published\n";
    if phases.iter().any(|row| row.phase == WITHOUT_VALUES) {
        let Values { lines, M, R } = line_values;
        let _ = writeln!(text, "the paper leaves the values of the lines at P out, {lines}·({M}M + {R}R)");
    } else {
        text += "the paper gives the total of products alone\n";
    }
    text
}
