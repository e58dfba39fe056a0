//! One pairing at a time: `pair --latency`, `ops --cores` and `bench`.

use crate::support::*;
use serde_json::Value;

#[test]
fn one_at_a_time_gives_the_values_and_the_errors_of_many() {
    let folder = Folder::new();
    for (curve, threads) in [("bn-254n", 2), ("a-512", 3)] {
        let points = folder.run(&format!("points random --curve {curve} --pairs --n 5")).ends(0).stdout;
        let mut lines: Vec<&str> = points.lines().collect();
        lines.insert(2, r#"{"p": "00", "q": "inf"}"#);
        lines.insert(4, r#"{"p": "inf", "q": "inf"}"#);
        folder.write("in.jsonl", lines.join("\n") + "\n");
        let many = folder.run(&format!("pair --curve {curve} --in in.jsonl")).ends(1);
        let options = format!("--latency --threads {threads}");
        let one = folder.run(&format!("pair --curve {curve} --in in.jsonl {options}")).ends(1);
        assert_eq!(one.records(), many.records(), "{curve}");
        assert_eq!(one.records()[2]["error"], "length");
    }
    let of_eta = "--curve ss2-353 --research";
    let points = folder.run(&format!("points random {of_eta} --pairs --n 3")).ends(0).stdout;
    folder.write("eta.jsonl", points);
    let many = folder.run(&format!("pair {of_eta} --in eta.jsonl")).ends(0).records();
    assert_eq!(folder.run(&format!("pair {of_eta} --in eta.jsonl --latency --threads 3")).ends(0).records(), many);
    // a fixed argument, whose lines are divided among the threads
    for (curve, column, side) in [("a-512", "p", "p"), ("bn-254n", "q", "q")] {
        let points = folder.run(&format!("points random --curve {curve} --pairs --n 4")).ends(0).stdout;
        let first: Value = serde_json::from_str(points.lines().next().unwrap()).unwrap();
        let other = if column == "p" { "q" } else { "p" };
        let others = points.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            format!("{{\"{other}\": {}}}\n", row[other])
        });
        folder.write("fixed.jsonl", format!("{{\"{column}\": {}}}\n", first[column]));
        folder.write("others.jsonl", others.collect::<String>());
        let run = |more: &str| {
            folder
                .run(&format!("pair --curve {curve} --in others.jsonl --fixed-{side} fixed.jsonl {more}"))
                .ends(0)
                .records()
        };
        assert_eq!(run("--latency --threads 3"), run(""), "{curve}");
    }
    let wrong = folder.run("pair --curve a-512 --in in.jsonl --latency --product-by id").ends(2);
    wrong.says("'--latency' cannot be used with '--product-by <COL>'");
}

#[test]
fn partitions_for_cores_are_printed() {
    let folder = Folder::new();
    let listing: Value =
        serde_json::from_str(&folder.run("ops --curve bn-254n --cores 4 --json").ends(0).stdout).unwrap();
    assert_eq!(listing["curve"], "bn-254n");
    let partitions = listing["partitions"].as_array().unwrap();
    let cores: Vec<&Value> = partitions.iter().map(|partition| &partition["cores"]).collect();
    assert_eq!(cores, [1, 2, 3, 4]);
    // Aranha, Knapp, Menezes and Rodríguez-Henríquez: 1.24 on two cores and 1.45 on four
    let speed_up = |i: usize| partitions[i]["speed_up"].as_f64().unwrap();
    assert!(speed_up(0) == 1.0 && speed_up(1) > 1.24 && speed_up(3) > 1.45, "{listing}");
    for partition in partitions {
        let parts = partition["parts"].as_array().unwrap();
        let most = parts.iter().map(|part| part["cost"].as_f64().unwrap()).fold(0.0, f64::max);
        let keys = ["alone", "longest", "finish", "speed_up"];
        let [alone, longest, finish, speed_up] = keys.map(|key| partition[key].as_f64().unwrap());
        assert_eq!(longest, most);
        assert!((alone / (longest + finish) - speed_up).abs() < 0.001, "{partition}");
        let last = parts.last().unwrap();
        assert_eq!((&last["squarings"], &parts[0]["steps"][0]), (&Value::from(0), &Value::from(0)));
        assert!(parts.windows(2).all(|pair| pair[0]["steps"][1] == pair[1]["steps"][0]), "{partition}");
    }
    folder.run("ops --curve bls12-381 --prepared").ends(2).says("--cores");
    let text = folder.run("ops --curve bls12-381 --cores 2").ends(0).stdout;
    assert!(text.contains(" part  loop       steps   squarings after the easy part"), "{text}");
    let text = folder.run("ops --curve ss2-1223 --research --cores 8").ends(0).stdout;
    assert!(text.contains("by the counts of its formulas") && text.contains("535..612"), "{text}");
    folder.run("ops --curve hss2-367 --research --cores 2").ends(2).says("hss2-367");
    folder.run("ops --curve bls12-381 --cores 0").ends(2).says("--cores");
}

/// Returns the partitions of a curve for one to eight cores.
fn partitions(folder: &Folder, curve: &str, options: &str) -> Vec<Value> {
    let listing = folder.run(&format!("ops --curve {curve} --cores 8 --json {options}")).ends(0).stdout;
    serde_json::from_str::<Value>(&listing).unwrap()["partitions"].as_array().unwrap().clone()
}

/// Returns the time of a partition in multiplications.
fn time(partition: &Value) -> f64 {
    partition["longest"].as_f64().unwrap() + partition["finish"].as_f64().unwrap()
}

fn mathematics() -> String {
    std::fs::read_to_string(vectors().join("../docs/mathematics.md")).unwrap()
}

#[test]
fn partitions_are_those_of_the_table_in_docs() {
    let (folder, text) = (Folder::new(), mathematics());
    for (curve, weil) in [("bn-254n", true), ("bls12-381", true), ("a1-2x512", false)] {
        let moving = partitions(&folder, curve, "");
        let row = |what: &str, alone: f64, partitions: &[Value]| {
            let ratios = [2, 4, 8].map(|cores: usize| format!("{:.2}", alone / time(&partitions[cores - 1])));
            let row = format!("| `{curve}`{what} | {} |", ratios.join(" | "));
            assert!(text.contains(&row), "{row}");
        };
        let alone = |partitions: &[Value]| partitions[0]["alone"].as_f64().unwrap();
        row("", alone(&moving), &moving);
        if weil {
            row(", β-Weil", alone(&moving), &partitions(&folder, curve, "--pairing betaweil"));
        }
        // a prepared argument has no points to move, which takes less time on any number of cores
        let prepared = partitions(&folder, curve, "--prepared");
        assert!(moving.iter().zip(&prepared).all(|(moving, prepared)| time(prepared) < time(moving)), "{curve}");
        row(", prepared", alone(&prepared), &prepared);
    }
}

#[test]
fn partitions_in_small_characteristic_are_those_of_the_table_in_docs() {
    let (folder, text) = (Folder::new(), mathematics());
    for curve in ["ss2-271", "ss2-353", "ss2-379", "ss2-1223", "ss3-97"] {
        let partitions = partitions(&folder, curve, "--research");
        let [two, four, eight] =
            [2, 4, 8].map(|cores: usize| format!("{:.2}", partitions[cores - 1]["speed_up"].as_f64().unwrap()));
        let row = text.lines().find(|line| line.starts_with(&format!("| `{curve}` | {two} | ")));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!(" | {four} | {eight} |"))),
            "{curve}: {two} {four} {eight}"
        );
    }
}

#[test]
fn the_benchmark_names_its_job_engine_and_threads() {
    let folder = Folder::new();
    let run = |options: &str| -> Vec<Value> {
        let out = folder.run(&format!("bench --samples 1 --json {options}")).ends(0).stdout;
        serde_json::from_str(&out).unwrap()
    };
    let rows = run("--curve bn-254n --jobs latency --engine mont --threads 3");
    let told: Vec<_> = rows.iter().map(|r| (r["job"].clone(), r["engine"].clone(), r["threads"].clone())).collect();
    assert_eq!(told, [1, 2, 3].map(|threads| ("latency".into(), "mont".into(), threads.into())));
    assert!(rows[0].get("speed_up").is_none());
    for row in &rows {
        let [time, least, rate] = ["microseconds", "min_microseconds", "rate"].map(|key| row[key].as_f64().unwrap());
        assert!(time >= least && least > 0.0 && (rate * time / 1e6 - 1.0).abs() < 1e-6, "{row}");
    }
    assert!(rows[1]["predicted"].as_f64().unwrap() > 1.2 && rows[1]["speed_up"].as_f64().unwrap() > 0.0);
    let batch = run("--curve bn-254n --jobs batch --engine portable --threads 1");
    assert_eq!((batch.len(), &batch[0]["job"], &batch[0]["engine"]), (1, &"batch".into(), &"portable".into()));
    let text = folder.run("bench --samples 1 --curve bn-254n --jobs latency --threads 2").ends(0).stdout;
    assert!(text.starts_with("job           engine         threads  microseconds"), "{text}");
    folder.run("bench --curve bn-254n --jobs all").ends(2).says("latency, few, product, prepared, batch");
    // one to eight pairings at a time: the row names the chosen engine, which is the one that the library
    // chooses
    let few = run("--curve d-159 --jobs few");
    let system = bilinear_engine::System::new(&bilinear_engine::Curve::named("d-159").unwrap()).unwrap();
    system.warm_up_few();
    let default: Vec<_> = few.iter().filter(|row| row["engine"] == "default").collect();
    for (n, row) in (1..).zip(&default) {
        assert_eq!(row["taken"], system.engine_for_pairings(n).name(), "{row}");
        assert_eq!(row["pairings"], n, "{row}");
    }
    let of_mont = few.iter().filter(|row| row["engine"] == "mont").count();
    assert!(default.len() == 8 && of_mont == 8 && few.iter().all(|row| row["threads"] == 1), "{few:?}");
    assert_eq!(run("--curve a-512 --jobs few --engine mont").len(), 8);
    // one product of one to eight pairs
    let products = run("--curve a-512 --jobs product,prepared --engine mont");
    let told: Vec<_> = products.iter().map(|row| (row["job"].clone(), row["pairings"].clone())).collect();
    let want = ["product", "prepared"].into_iter().flat_map(|job| (1..=8).map(move |pairs| (job.into(), pairs.into())));
    assert_eq!(told, want.collect::<Vec<_>>());
    let eta = run("--curve ss2-271 --research --jobs latency --threads 2");
    assert!(eta.len() == 2 && eta[1]["predicted"].as_f64().unwrap() > 1.5, "{eta:?}");
    // the loop of genus 2 is not divided: one row
    assert_eq!(run("--curve hss2-367 --research --jobs latency --threads 2").len(), 1);
}
