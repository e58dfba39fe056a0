//! `bilinear ops --paper`, and its output as quoted in `docs/papers.md`.

use crate::support::*;
use serde_json::Value;

/// The papers' own figures (EUROCRYPT 2011, Pairing 2012) beside the counts here, which are those of the
/// operation table.
#[test]
fn published_counts_beside_ours() {
    let folder = Folder::new();
    let all: Value = serde_json::from_str(&folder.run("ops --paper --json").ends(0).stdout).unwrap();
    let totals = [("bls24-509", 40775), ("bn-638", 37368), ("kss18-508", 36839), ("bls12-638", 29470)];
    let names: Vec<_> = all.as_array().unwrap().iter().map(|c| c["curve"].as_str().unwrap()).collect();
    assert_eq!(names[0], "bn-254n");
    assert_eq!(&names[1..], totals.map(|(name, _)| name));
    let row = |c: &Value, phase: &str| {
        let mut rows = c["phases"].as_array().unwrap().iter().filter(|row| row["phase"] == phase);
        rows.next().unwrap_or_else(|| panic!("{phase}: {c}")).clone()
    };
    let two = |cost: &Value| ["M", "R"].map(|key| cost[key].as_u64().unwrap());
    for (comparison, name) in all.as_array().unwrap().iter().zip(&names) {
        let table = folder.run(&format!("ops --curve {name} --pairing optate --power fast --json")).ends(0).stdout;
        let table: Value = serde_json::from_str(&table).unwrap();
        for phase in ["Miller loop", "final exponentiation"] {
            let ours = table["phases"].as_array().unwrap().iter().find(|p| p["phase"] == phase).unwrap();
            let products = ours["M"].as_u64().unwrap() + ours["S"].as_u64().unwrap();
            assert_eq!(
                two(&row(comparison, phase)["here"]),
                [products, ours["R"].as_u64().unwrap()],
                "{name}, {phase}"
            );
        }
        let one = folder.run(&format!("ops --curve {name} --paper --json")).ends(0).stdout;
        assert_eq!(&serde_json::from_str::<Value>(&one).unwrap(), comparison);
    }
    for (comparison, (name, products)) in all.as_array().unwrap()[1..].iter().zip(totals) {
        let total = row(comparison, "total");
        assert_eq!(total["published"], serde_json::json!({"M": products}), "{name}");
        let parts = ["Miller loop", "final exponentiation"].map(|phase| two(&row(comparison, phase)["here"]));
        assert_eq!(two(&total["here"]), [parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]], "{name}");
        assert!(row(comparison, "Miller loop")["published"].is_null(), "totals alone are published");
    }

    let bn = &all[0];
    assert_eq!(bn["line_values"], serde_json::json!({"lines": 70, "M": 4, "R": 4}));
    let without = row(bn, "Miller loop without values of lines");
    assert_eq!(two(&without["published"]), [6504, 2736]);
    assert_eq!(two(&row(bn, "final exponentiation")["published"]), [3648, 1926]);
    let with = two(&row(bn, "Miller loop")["here"]);
    assert_eq!(two(&without["here"]).map(|n| n + 70 * 4), with);
    let text = folder.run("ops --curve bn-254n --paper").ends(0).stdout;
    for part in
        ["EUROCRYPT 2011", "6504M + 2736R", "3648M + 1926R", "70·(4M + 4R)", &format!("{}M + {}R", with[0], with[1])]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // a file with the same groups is recognised as the same curve
    let shown = folder.run("params show --curve bn-638").ends(0).stdout.replace("bn-638", "my-own");
    folder.write("own.toml", shown);
    assert!(folder.run("ops --params own.toml --paper").ends(0).stdout.contains("37368M"));
    folder.run("ops --curve a-512 --paper").ends(2).says("no published counts of a-512").says("kss18-508");
    folder.run("ops --curve bn-254n --paper --power exact").ends(2).says("cannot be used with");
}

/// The table of counts in `docs/papers.md` equals the command's output.
#[test]
fn the_documented_counts_are_those_of_the_command() {
    let page = std::fs::read_to_string(vectors().join("../docs/papers.md")).unwrap();
    let (_, rest) = page.split_once("<!-- counts -->").unwrap();
    let (table, _) = rest.split_once("<!-- end of counts -->").unwrap();
    let folder = Folder::new();
    let mut rows = 0;
    for line in table.trim().lines().skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [curve, part, published, here] = cells[..] else { panic!("{line}") };
        let text = folder.run(&format!("ops --curve {} --paper", curve.trim_matches('`'))).ends(0).stdout;
        let printed = text
            .lines()
            .find(|printed| printed.starts_with(&format!("{part}  ")))
            .unwrap_or_else(|| panic!("{line}: {text}"));
        let columns: Vec<&str> = printed[part.len()..].split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
        let published = match published.trim_end_matches([' ', '¹', '²']) {
            "" | "left out" => "-",
            published => published,
        };
        assert_eq!(columns, [published, here], "{line}");
        rows += 1;
    }
    assert_eq!(rows, 8);
}
