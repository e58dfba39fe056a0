//! The commands other than `pair`.

use crate::signers::write_key;
use crate::support::*;
use bilinear_engine::{Group, PointRef, System, Validate};
use bilinear_params::{Curve, Factors};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

#[test]
fn version_and_help() {
    let folder = Folder::new();
    let version = folder.run("--version").ends(0);
    assert_eq!(version.stdout, format!("bilinear {}\n", env!("CARGO_PKG_VERSION")));
    for command in [
        "",
        "curves",
        "params",
        "params show",
        "params new",
        "params new a",
        "params new a1",
        "params new seed",
        "points",
        "points random",
        "points hash",
        "points hash-lines",
        "points add",
        "points mul",
        "points msm",
        "points decompress",
        "points project",
        "gt",
        "gt mul",
        "gt pow",
        "gt check",
        "pair",
        "check",
        "ops",
        "bench",
        "program",
        "sim",
        "asm",
        "search",
        "search keygen",
        "search encrypt",
        "search token",
        "search scan",
        "key",
        "key generate",
        "key public",
        "key prove",
        "key check",
        "sign",
        "verify",
        "aggregate",
        "completions",
        "man",
    ] {
        let help = folder.run(&format!("{command} --help")).ends(0).stdout;
        let is_list = ["params", "params new", "points", "gt", "search", "key"].contains(&command);
        assert!(is_list || help.contains("Example"), "{command} has no example: {help}");
        // a line that a terminal or a manual page breaks cannot be copied
        let examples = help.split_once("\nExample").map_or("", |(_, examples)| examples);
        assert!(examples.lines().all(|line| line.len() <= 71), "{command}: {examples}");
    }
}

/// The help of every command over tables describes its exit statuses.
#[test]
fn help_texts_describe_exit_statuses() {
    let folder = Folder::new();
    for command in ["pair", "check", "points", "gt", "gt check", "search", "key check", "sign", "verify", "aggregate"] {
        let help = folder.run(&format!("{command} --help")).ends(0).stdout;
        // joins the lines, which depend on the terminal's width
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for status in [
            "Exit status: 0 if all ",
            "; 1 if some ",
            "; 2 if the job could not run",
            "; 130 if interrupted while writing a file; 141 if the output was not read to its end.",
        ] {
            assert!(help.contains(status), "{command}: no {status:?} in {help}");
        }
    }
}

#[test]
fn the_list_of_curves() {
    let folder = Folder::new();
    let list: Value = serde_json::from_str(&folder.run("curves --json").ends(0).stdout).unwrap();
    let text = folder.run("curves").ends(0).stdout;
    let names: Vec<_> = Curve::names().collect();
    assert_eq!(list.as_array().unwrap().len(), names.len());
    for (entry, name) in list.as_array().unwrap().iter().zip(names) {
        assert_eq!(entry["name"], name);
        for key in ["field_bits", "order_bits", "embedding_degree", "security_bits"] {
            assert!(entry[key].as_u64().unwrap() > 0);
        }
        assert!(text.contains(&format!("{name}\n")) || text.contains(&format!("{name} (also ")), "{name}");
    }
    let aliased = list.as_array().unwrap().iter().find(|entry| entry["name"] == "a1-2x512").unwrap();
    assert_eq!((&aliased["family"], &aliased["aliases"][0]), (&"a1".into(), &"a1-1024".into()));
}

/// Names are recognised in either case, on the command line as in the library.
#[test]
fn names_in_any_case() {
    let folder = Folder::new();
    let make = |names: &str| folder.run(&format!("points hash-lines --dst TAG --message m {names}")).ends(0).stdout;
    let wanted = make("--curve bls12-381 --engine mont --group g2 --encoding zcash");
    assert_eq!(make("--curve BLS12-381 --engine MONT --group G2 --encoding ZCash"), wanted);
    assert_eq!(make("--curve Alt_BN128"), make("--curve alt-bn128"));
    let table = make("--curve bls12-381 --group g1").trim_end_matches("}\n").to_owned();
    folder.write("in", format!("{table},{}", make("--curve bls12-381 --group g2").trim_start_matches('{')));
    let pair = |names: &str| folder.run(&format!("pair --curve Bls12-381 --in in {names}")).ends(0).stdout;
    let wanted = pair("--format jsonl --pairing ate --power fast --gt-encoding torus2 --validate subgroup");
    assert_eq!(pair("--format JSONL --pairing Ate --power FAST --gt-encoding Torus2 --validate SubGroup"), wanted);
    assert!(wanted.contains("gt"));
}

#[test]
fn shown_parameters_are_parameters() {
    let folder = Folder::new();
    let shown = folder.run("params show --curve a-512").ends(0).stdout;
    folder.write("shown.toml", &shown);
    assert_eq!(Curve::load(folder.path("shown.toml")).unwrap(), Curve::named("a-512").unwrap());
    assert!(shown.contains("# security: about 80 bits") && shown.contains("# fingerprint: "));
    // factors in a PBC file are secret and are not shown
    let pbc = vectors().join("pbc/a1-1024.param");
    let factor = fs::read_to_string(&pbc).unwrap();
    let factor = factor.lines().find_map(|line| line.strip_prefix("n0 ")).unwrap().to_owned();
    let shown = folder.run(&format!("params show --params {}", pbc.display())).ends(0).stdout;
    assert!(shown.contains("family = \"a1\"") && !shown.contains(factor.trim()));
}

#[test]
fn parameters_from_a_seed() {
    let folder = Folder::new();
    let new = "params new seed --family bls12 --u=-0x6008204000000020001";
    folder.run(&format!("{new} --out bls12-446.toml")).ends(0).says("bls12-446.toml: ");
    let whole = Curve::load(folder.path("bls12-446.toml")).unwrap();
    // the seed alone suffices
    folder.write("seed.toml", "name = \"mine\"\nfamily = \"bls12\"\n[parameters]\nu = \"-0x6008204000000020001\"\n");
    let shown = folder.run("params show --params seed.toml").ends(0).stdout;
    assert!(shown.contains("b = \"1\"\ntwist = \"M\"") && shown.contains("xi = [\"1\", \"1\"]"), "{shown}");
    folder.write("shown.toml", &shown);
    assert_eq!(Curve::load(folder.path("shown.toml")).unwrap().family(), whole.family());
    let pairs = folder.run("points random --params seed.toml --pairs --n 3").ends(0).stdout;
    folder.write("in.jsonl", pairs);
    let values = folder.run("pair --params seed.toml --in in.jsonl").ends(0).stdout;
    assert_eq!(folder.run("pair --params bls12-446.toml --in in.jsonl").ends(0).stdout, values);
    // faults name the file, the field and the reason
    folder.write("bad.toml", "name = \"mine\"\nfamily = \"bls12\"\n[parameters]\nu = \"-0x6008204000000020002\"\n");
    let bad = folder.run("pair --params bad.toml --in in.jsonl").ends(2);
    bad.says("bad.toml, line 4: `parameters.u`: p(u) is not an integer");
    let small = folder.run("params new seed --family bn --u 1 --out small.toml").ends(2).says("refused");
    assert!(small.stderr.ends_with("fewer than 80 need --insecure\n"), "{}", small.stderr);
    let long = format!("params new seed --family bn --u {} --out long.toml", "1".repeat(401));
    folder.run(&long).ends(2).says("of at most 400 digits");
    folder
        .run("params new seed --family bls9 --u 1 --out small.toml")
        .ends(2)
        .says("bn, bls12, bls24, bls48 and kss18");
}

#[test]
fn new_parameters_of_prime_order() {
    let folder = Folder::new();
    folder.run("params new a --r-bits 40 --q-bits 96 --out my-a.toml").ends(2).says("refused: about 20 bits");
    assert!(folder.names().is_empty());
    folder.run("params new a --r-bits 40 --q-bits 96 --out my-a.toml --insecure").ends(0).says("about 20 bits");
    assert_eq!(Curve::load(folder.path("my-a.toml")).unwrap().name(), "my-a");
    let pairs = folder.run("points random --params my-a.toml --pairs --n 5").ends(0).stdout;
    folder.write("in.jsonl", pairs);
    folder.run("pair --params my-a.toml --in in.jsonl").ends(0);
    let again = folder.run("params new a --r-bits 40 --q-bits 96 --out my-a.toml --insecure").ends(2);
    again.says("my-a.toml: cannot create: ").says("exists");
    // faults that are found before the search
    let new = |out: &str| folder.run(&format!("params new a --r-bits 40 --q-bits 96 --insecure --out {out}"));
    new("none/my.toml").ends(2).says("none/my.toml: cannot create: No such file");
    new("my+a.toml").ends(2).says("my+a.toml: the name of --out is no name of a curve; give --name");
    let same = "params new a1 --primes 40,41 --insecure --out n.toml --factors-out ./n.toml";
    folder.run(same).ends(2).says("the public and the secret file need different names");
}

#[test]
fn new_parameters_of_composite_order() {
    let folder = Folder::new();
    let options = "--out n.toml --factors-out n.secret.toml --name three --insecure";
    folder.run(&format!("params new a1 --primes 40,41,42 {options}")).ends(0).says("n.secret.toml: the secret factors");
    let curve = Curve::load(folder.path("n.toml")).unwrap();
    assert_eq!(curve.name(), "three");
    let factors = Factors::load(folder.path("n.secret.toml"), &curve).unwrap();
    let public = folder.text("n.toml");
    assert!(factors.to_biguints().iter().all(|prime| !public.contains(&prime.to_string())));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder.path("n.secret.toml")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // the generator generates the whole group: every prime factor divides its order
    let system = System::new(&curve).unwrap();
    let generator = system.generator(Group::G1);
    assert!(system.mul(system.order(), &generator).is_infinity());
    assert_eq!(factors.generators().len(), 3);
    for (prime, (x, y)) in factors.to_biguints().iter().zip(factors.generators()) {
        assert!(!system.mul(&(system.order() / prime), &generator).is_infinity());
        // the secret file has a generator of each prime-order subgroup
        let padded = |v: &num_bigint::BigUint| {
            [vec![0; system.point_len(Group::G1) / 2 - v.to_bytes_be().len()], v.to_bytes_be()].concat()
        };
        let bytes = [padded(x), padded(y)].concat();
        let point = system.decode(Group::G1, PointRef::Bytes(&bytes), Validate::Subgroup).unwrap();
        assert!(!point.is_infinity() && system.mul(prime, &point).is_infinity());
    }
}

#[test]
fn parameters_from_own_primes() {
    let folder = Folder::new();
    let options = "--out n.toml --factors-out n.secret.toml --insecure";
    write_key(&folder, "primes", "# two of them\n549755813911\n\n  0xccccccccf7  \n");
    folder.run(&format!("params new a1 --factors primes {options}")).ends(0);
    let curve = Curve::load(folder.path("n.toml")).unwrap();
    let factors = Factors::load(folder.path("n.secret.toml"), &curve).unwrap().to_biguints();
    let texts: Vec<_> = factors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["549755813911", "879609302263"]);
    // a prime that is 0
    for zero in ["0", "00", "0x0"] {
        folder.write("primes", format!("{zero}\n1000003\n"));
        let own = "params new a1 --factors primes --out b.toml --factors-out b.secret.toml --insecure";
        folder.run(own).ends(2).says("prime factor of 0 bits is too small");
    }
    // a bad line is named but not quoted, since it may contain most of a secret
    folder.write("primes", "1000003\n99998x\n");
    let run = folder.run("params new a1 --factors primes --out b.toml --factors-out b.secret.toml --insecure").ends(2);
    assert!(!run.says("primes: line 2: ").stderr.contains("99998"));
    // the file of primes is treated like any other secret
    let own = "params new a1 --factors primes --out b.toml --factors-out b.secret.toml --insecure";
    write_key(&folder, "primes", "1000003\n".repeat(1 << 18));
    folder.run(own).ends(2).says("primes: more than 1048576 bytes");
    folder.write("primes", "1000003\n999983\n");
    fs::set_permissions(folder.path("primes"), Permissions::from_mode(0o644)).unwrap();
    folder.run(own).ends(2).says("primes: its mode is 0644: a secret must be in a file of mode 0600");
}

#[test]
fn new_parameters_with_a_friendly_field() {
    let folder = Folder::new();
    let a1 = "params new a1 --friendly --out n.toml --factors-out n.secret.toml --insecure";
    folder.run(&format!("{a1} --primes 148,148")).ends(0);
    folder.run("params new a --friendly --r-bits 40 --q-bits 256 --out a.toml --insecure").ends(0);
    for name in ["n.toml", "a.toml"] {
        let curve = Curve::load(folder.path(name)).unwrap();
        assert_eq!(curve.family().field() % (1u128 << 104), 3u8.into(), "{name}");
        assert!(curve.source().contains("3 mod 2^104 (Montgomery-friendly)"), "{name}");
        folder.write("in.jsonl", folder.run(&format!("points random --params {name} --pairs --n 3")).ends(0).stdout);
        folder.run(&format!("pair --params {name} --in in.jsonl")).ends(0);
    }
    // rejects `--friendly` with given primes, and sizes that are too small
    let own = "params new a1 --friendly --factors primes --out b.toml --factors-out b.secret.toml --insecure";
    folder.run(own).ends(2).says("--friendly").says("--factors");
    let small = "params new a --friendly --r-bits 40 --q-bits 128 --out b.toml --insecure";
    folder.run(small).ends(2).says("of 128 bits is too small: at least 248 bits");
    assert!(!folder.names().iter().any(|name| name.starts_with('b')));
}

#[test]
fn random_points_are_points() {
    let folder = Folder::new();
    for (options, length) in [("", SYSTEM.point_len(Group::G1)), ("--compressed", SYSTEM.compressed_len(Group::G1))] {
        let lines = folder.run(&format!("points random --params {TOY} --n 20 {options}")).ends(0).records();
        assert_eq!(lines.len(), 20);
        for line in &lines {
            let text = line["p"].as_str().unwrap();
            let bytes: Vec<u8> =
                (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect();
            assert_eq!(bytes.len(), length);
            SYSTEM.decode(Group::G1, PointRef::Bytes(&bytes), Validate::Subgroup).unwrap();
        }
        assert_ne!(lines[0], lines[1]);
    }
}

#[test]
fn points_are_written_in_the_format_of_their_name() {
    let folder = Folder::new();
    // more than a batch of a columnar file, twice
    for (name, n) in [("p.parquet", 9000), ("p.arrow", 9000), ("p.feather", 90), ("p.jsonl", 90)] {
        folder.run(&format!("points random --params {TOY} --pairs --n {n} --out {name}")).ends(0);
        let head = folder.read(name)[..4].to_vec();
        let format = match &head[..] {
            b"PAR1" => "parquet",
            b"ARRO" => "arrow",
            _ => "jsonl",
        };
        let meant = if name.ends_with("parquet") {
            "parquet"
        } else if name.ends_with("arrow") || name.ends_with("feather") {
            "arrow"
        } else {
            "jsonl"
        };
        assert_eq!(format, meant, "{name}");
        let values = folder.run(&format!("pair --params {TOY} --in {name} --in-format {format}")).ends(0).records();
        assert_eq!(values.len(), n, "{name}");
    }
    let other = format!("points random --params {TOY} --out p.csv");
    folder.run(&other).ends(2).says("p.csv: the name does not tell the format").says(".feather): add --out-format");
    assert!(!folder.exists("p.csv"));
    folder.run(&format!("{other} --out-format arrow")).ends(0);
    assert!(folder.read("p.csv").starts_with(b"ARROW1"));
    folder.write("words", "apple\npear\n");
    folder.run(&format!("points hash-lines --params {TOY} --dst T --in words --group g2 --out h.parquet")).ends(0);
    folder.run(&format!("points hash-lines --params {TOY} --dst T --in words --group g2 --out h.jsonl")).ends(0);
    folder.write("one", folder.text("h.jsonl").lines().next().unwrap().replace("\"q\"", "\"p\""));
    let [a, b] = ["h.parquet", "h.jsonl"]
        .map(|name| folder.run(&format!("pair --params {TOY} --in {name} --fixed-p one")).ends(0).records());
    assert!(a == b && a.len() == 2);
}

#[test]
fn hashed_points_are_those_of_the_engine() {
    let folder = Folder::new();
    folder.write("words", "apple\n\npear tree\r\n");
    let dst = "TEST-V01";
    let point = |message: &str| text(&SYSTEM.hash_to_curve(Group::G1, message.as_bytes(), dst.as_bytes()).unwrap());
    let lines = folder.run(&format!("points hash-lines --params {TOY} --dst {dst} --in words")).ends(0).records();
    let points: Vec<_> = lines.iter().map(|line| line["p"].as_str().unwrap()).collect();
    assert_eq!(points, [point("apple"), point(""), point("pear tree")]);
    let one =
        folder.run(&format!("points hash-lines --params {TOY} --dst {dst} --message apple --out one.jsonl")).ends(0);
    assert_eq!(one.stdout, "");
    assert_eq!(parse(&folder.text("one.jsonl"))[0]["p"], point("apple"));
    let mut command = folder.command(&format!("points hash-lines --params {TOY} --message apple"));
    Run::of(&command.args(["--dst", ""]).output().unwrap()).ends(2).says("domain separation tag is empty");
    folder.run(&format!("points hash-lines --params {TOY} --dst {dst}")).ends(2).says("--in <FILE>");
}

#[test]
fn the_operation_table_of_a_curve() {
    let folder = Folder::new();
    let table: Value = serde_json::from_str(&folder.run("ops --curve a1-1024 --json").ends(0).stdout).unwrap();
    assert_eq!(table["curve"], "a1-2x512");
    let phase = |name: &str| table["phases"].as_array().unwrap().iter().find(|p| p["phase"] == name).unwrap().clone();
    let doubling = phase("doubling step with its line");
    assert_eq!([&doubling["M"], &doubling["S"], &doubling["R"]], [5, 7, 11]);
    for key in ["M", "S", "R"] {
        let parts = [phase("Miller loop"), phase("final exponentiation")];
        let sum: u64 = parts.iter().map(|p| p[key].as_u64().unwrap()).sum();
        assert_eq!(table["total"][key], sum, "{key}");
    }
    let text = folder.run(&format!("ops --params {}", vectors().join("pbc/a.param").display())).ends(0).stdout;
    assert!(text.contains("Miller loop") && text.contains("total"));
    folder.run("ops --curve no-such-curve").ends(2).says("no-such-curve");
    folder.run("ops").ends(2).says("choose a curve by --curve or --params");
    // no other command takes a curve as a positional argument
    folder.run("ops a-512").ends(2).says("unexpected argument 'a-512'");
    folder.run("program a-512").ends(2).says("unexpected argument 'a-512'");
}

#[test]
fn the_programs_of_a_curve() {
    let folder = Folder::new();
    let listing: Value = serde_json::from_str(&folder.run("program --curve a-512 --json").ends(0).stdout).unwrap();
    assert_eq!(listing["curve"], "a-512");
    let programs = listing["programs"].as_array().unwrap();
    assert_eq!(programs.len(), 4);
    for program in programs {
        let routines = program["routines"].as_array().unwrap();
        let of = |r: &Value, key: &str| r[key].as_u64().unwrap();
        let total: u64 = routines.iter().map(|r| of(r, "calls") * of(r, "operations")).sum();
        assert_eq!(program["operations"], total, "{program}");
        assert!(routines.iter().all(|r| of(r, "live") > 0 && r["name"].is_string()));
        assert!(!program["plan"].as_array().unwrap().is_empty());
    }
    let loop_of_one = programs[0]["routines"].as_array().unwrap();
    let doubling = loop_of_one.iter().max_by_key(|r| r["calls"].as_u64()).unwrap();
    assert!(doubling["calls"].as_u64() > Some(100), "equal steps are one routine");
    let text = folder.run("program --curve a-512").ends(0).stdout;
    assert!(text.contains("Miller loop") && text.contains("doubling step"));
    let mut command = folder.command("program --curve a-512 --routine");
    let text = Run::of(&command.arg("doubling step").output().unwrap()).ends(0).stdout;
    assert!(text.contains("complex_mul") && text.contains("return"));
    folder.run("program --curve a-512 --routine nothing").ends(2).says("nothing");
    folder.run("program --curve no-such-curve").ends(2).says("no-such-curve");
}

#[test]
fn the_schedules_of_a_curve() {
    let folder = Folder::new();
    let run = |options: &str| folder.run(&format!("program --curve a-512 --schedule {options}"));
    let listing: Value = serde_json::from_str(&run("8 --json").ends(0).stdout).unwrap();
    assert_eq!((&listing["curve"], &listing["width"], &listing["ahead"]), (&"a-512".into(), &8.into(), &1000.into()));
    let programs = listing["programs"].as_array().unwrap();
    assert_eq!(programs.len(), 4);
    for program in programs {
        let of = |key: &str| program[key].as_f64().unwrap();
        assert!(of("products") / 8.0 <= of("product_bundles") && of("depth") <= of("product_bundles"), "{program}");
        let full = of("products") / 8.0 / of("product_bundles");
        assert!((of("product_fill") - full).abs() < 1e-9, "{program}");
    }
    let alone: Value = serde_json::from_str(&run("1 --ahead 0 --json").ends(0).stdout).unwrap();
    for program in alone["programs"].as_array().unwrap() {
        assert_eq!((&program["product_bundles"], program["product_fill"].as_f64()), (&program["products"], Some(1.0)));
    }
    let text = run("8").ends(0).stdout;
    assert!(text.contains("Miller loop:") && text.contains("% full"));
    run("0").ends(2).says("1..=1024");
    run("8 --routine nothing").ends(2).says("--routine");
    folder.run("program --curve a-512 --ahead 7").ends(2).says("--schedule");
}

#[test]
fn points_of_either_group() {
    let folder = Folder::new();
    let point = text(&SYSTEM.hash_to_curve(Group::G2, b"apple", b"T").unwrap());
    for (group, key) in [("", "p"), ("--group g1", "p"), ("--group g2", "q")] {
        let hash = format!("points hash-lines --params {TOY} --dst T --message apple {group}");
        assert_eq!(folder.run(&hash).ends(0).records()[0], serde_json::json!({key: point}), "both groups are one");
        let random = folder.run(&format!("points random --params {TOY} {group}")).ends(0).records();
        assert!(random[0][key].is_string() && random[0].as_object().unwrap().len() == 1);
    }
    folder.run(&format!("points random --params {TOY} --group g3")).ends(2).says("no group is called \"g3\"");
    folder.run(&format!("points random --params {TOY} --group g2 --pairs")).ends(2).says("cannot be used with");
}

#[test]
fn pairings_that_a_family_has_and_lacks() {
    let folder = Folder::new();
    folder.write("in.jsonl", rows(2));
    let input = format!("--params {TOY} --in in.jsonl");
    let toy = format!("--params {TOY}");
    let plain = folder.run(&format!("pair {input}")).ends(0).says("curve: toy, engine ").says(", tate pairing, ");
    let named = folder.run(&format!("pair {input} --pairing tate --power exact")).ends(0);
    assert_eq!(named.stdout, plain.stdout);
    folder.run(&format!("ops {toy} --pairing tate --power exact")).ends(0);
    for command in [format!("pair {input}"), format!("ops {toy}"), format!("program {toy}")] {
        let refused = folder.run(&format!("{command} --pairing rate")).ends(2);
        refused.says("error: curve toy: no rate pairing is implemented for its family; available: tate");
        let refused = folder.run(&format!("{command} --power fast")).ends(2);
        refused.says("error: curve toy: no fast power of the pairing is implemented for its family; available: exact");
        folder
            .run(&format!("{command} --pairing miller"))
            .ends(2)
            .says("no pairing is called \"miller\": choose one of");
    }
    folder.run(&format!("check {input} --pairing ate")).ends(2).says("no ate pairing is implemented for its family");
}

/// Every shipped curve can be computed with. If the field of a seed is too long for b to be searched, the seed does not
/// determine the groups, and every command that computes says so.
#[test]
fn every_curve_computes_or_says_why_not() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    for name in Curve::names() {
        System::new(&Curve::named(name).unwrap()).unwrap();
        let shown = folder.run(&format!("params show --curve {name}")).ends(0).stdout;
        assert!(shown.starts_with("# family "), "{shown}");
    }
    // u = 2^512 + 138894 gives a BN curve
    let seed = format!("name = \"seed\"\nfamily = \"bn\"\n[parameters]\nu = \"0x1{:0128x}\"\n", 138_894);
    folder.write("seed.toml", &seed);
    let error = "error: curve seed: its description has no b, twist or tower";
    for command in ["pair --in in.jsonl", "check --in in.jsonl", "points random", "program"] {
        folder.run(&format!("{command} --params seed.toml")).ends(2).says(error);
    }
    folder.run("ops --params seed.toml").ends(2).says(error);
}
