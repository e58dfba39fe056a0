//! `bilinear aggregate` and `verify --aggregate`: one signature for a group of rows.

use crate::columnar::read_parquet;
use crate::signers::*;
use crate::support::*;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use serde_json::{Value, json};

/// Builds a table of groups from Ethereum's aggregate tests, and returns it with the expected answer of each
/// group.
fn groups(folder: &str, count: usize, rows: impl Fn(&Value) -> Vec<Value>) -> (Vec<Value>, Vec<Value>) {
    let (mut table, mut wanted) = (Vec::new(), Vec::new());
    for (number, case) in ethereum(folder, count).into_iter().enumerate() {
        let mut rows = rows(&case["input"]);
        rows.iter_mut().for_each(|row| row["group"] = number.into());
        // a group without rows cannot occur in a table
        if !rows.is_empty() {
            wanted.push(json!([number, rows.len(), case["output"]]));
            table.extend(rows);
        }
    }
    (table, wanted)
}

#[test]
fn ethereums_aggregates() {
    let folder = Folder::new();
    let list = |v: &Value| v.as_array().unwrap().clone();
    let (rows, wanted) = groups("aggregate", 6, |input| list(input).iter().map(|s| json!({"signature": s})).collect());
    folder.write("in.jsonl", lines(&rows));
    for options in ["", "--chunk 1", "--chunk 2"] {
        let run = folder.run(&format!("aggregate --variant min-pk --by group --in in.jsonl {options}")).ends(0);
        let got: Vec<Value> = run
            .records()
            .iter()
            .map(|r| json!([r["group"], r["rows"], format!("0x{}", r["signature"].as_str().unwrap())]))
            .collect();
        assert_eq!(got, wanted, "{options}");
    }
    // the whole table as one group
    folder.write("one.jsonl", lines(&rows[..3]));
    let record = &folder.run("aggregate --variant min-pk --in one.jsonl").ends(0).records()[0];
    assert_eq!((&record["group"], &record["rows"]), (&Value::Null, &json!(3)));
    assert_eq!(format!("0x{}", record["signature"].as_str().unwrap()), wanted[0][2].as_str().unwrap());
    folder.write("none.jsonl", "");
    folder.run("aggregate --variant min-pk --in none.jsonl").ends(2).says("no rows: an aggregate has at least one");
    // verification, with a message for each key and with one message for all keys
    let verdicts = |records: &[Value]| records.iter().map(|r| r["ok"] == true).collect::<Vec<_>>();
    let expected = |wanted: &[Value]| wanted.iter().map(|w| w[2] == true).collect::<Vec<_>>();
    let (rows, wanted) = groups("aggregate_verify", 5, |input| {
        let pairs = list(&input["pubkeys"]).into_iter().zip(list(&input["messages"]));
        let row = |(key, message)| json!({"public_key": key, "message": message, "signature": input["signature"]});
        pairs.map(row).collect()
    });
    folder.write("in.jsonl", lines(&rows));
    let verify = "verify --variant min-pk --scheme pop --aggregate --by group --in in.jsonl --proofs-verified";
    for options in ["", "--chunk 1", "--chunk 3"] {
        let records = folder.run(&format!("{verify} {options}")).ends(1).records();
        assert_eq!(verdicts(&records), expected(&wanted), "{options}");
        assert_eq!(records.iter().filter(|record| code(record) == "infinity").count(), 1);
    }
    let (rows, wanted) = groups("fast_aggregate_verify", 12, |input| {
        let row = |(i, key)| match i {
            // only the first row has the message and the signature
            0 => json!({"public_key": key, "message": input["message"], "signature": input["signature"]}),
            _ => json!({"public_key": key, "message": null}),
        };
        (0..).zip(list(&input["pubkeys"])).map(row).collect()
    });
    folder.write("in.jsonl", lines(&rows));
    for options in ["", "--chunk 1", "--expect-groups 10"] {
        let run = folder.run(&format!("{verify} --one-message {options}")).ends(1);
        assert_eq!(verdicts(&run.records()), expected(&wanted), "{options}");
    }
    folder.run(&format!("{verify} --one-message --expect-groups 11")).ends(2).says("groups found: 10");
}

/// A group without a name is not the same as the whole table of a command without groups.
#[test]
fn the_whole_table_in_columns() {
    let folder = Folder::new();
    let signers: Vec<Signer> = (1..=3).map(|seed| Signer::new("min-pk", "basic", seed)).collect();
    let row = |(signer, message): (&Signer, &str)| json!({"message": hex(message.as_bytes()), "public_key": signer.public, "signature": (signer.sign)(message.as_bytes())});
    let mut rows: Vec<Value> = signers.iter().zip(["a", "b", "c"]).map(row).collect();
    folder.write("in.jsonl", lines(&rows));
    let aggregate = "aggregate --variant min-pk --in in.jsonl";
    let sum = folder.run(aggregate).ends(0).records()[0]["signature"].clone();
    folder.run(&format!("{aggregate} --out out.parquet")).ends(0);
    let batch = &read_parquet(&folder, "out.parquet")[0];
    assert!(batch["group"].is_null(0) && batch["rows"].as_primitive::<UInt64Type>().values()[..] == [3]);
    assert_eq!(hex(batch["signature"].as_binary::<i32>().value(0)), sum);
    rows.iter_mut().for_each(|row| row["signature"] = sum.clone());
    folder.write("in.jsonl", lines(&rows));
    folder.run("verify --variant min-pk --scheme basic --aggregate --in in.jsonl --out ok.parquet").ends(0);
    let batch = &read_parquet(&folder, "ok.parquet")[0];
    assert!(batch["group"].is_null(0) && batch["ok"].as_boolean().value(0));
}

#[test]
fn aggregates_in_every_suite() {
    let folder = Folder::new();
    for (variant, scheme, ..) in SUITES {
        let signers: Vec<Signer> = (1..=3).map(|seed| Signer::new(variant, scheme, seed)).collect();
        let signed = |messages: [&[u8]; 3]| -> Vec<Value> {
            let row = |(signer, message): (&Signer, &[u8])| json!({"message": hex(message), "public_key": signer.public, "proof": signer.proof, "signature": (signer.sign)(message)});
            signers.iter().zip(messages).map(row).collect()
        };
        let suite = format!("--variant {variant} --scheme {scheme}");
        // replaces the signatures by the aggregate that the command computes
        let aggregated = |mut rows: Vec<Value>| {
            folder.write("sign.jsonl", lines(&rows));
            let run = folder.run(&format!("aggregate --variant {variant} --in sign.jsonl")).ends(0);
            rows.iter_mut().for_each(|row| row["signature"] = Value::Null);
            rows[1]["signature"] = run.records()[0]["signature"].clone();
            rows
        };
        let verify = |rows: &[Value], options: &str| {
            folder.write("in.jsonl", lines(rows));
            folder.run(&format!("verify {suite} --aggregate --in in.jsonl {options}"))
        };
        let distinct = aggregated(signed([b"a", b"b", b"c"]));
        for chunk in ["", "--chunk 1", "--chunk 2"] {
            let wanted = [json!({"group": null, "rows": 3, "ok": true})];
            assert_eq!(verify(&distinct, chunk).ends(0).records(), wanted, "{suite}");
        }
        let wrong = |name: &str, value: Value| {
            let mut rows = distinct.clone();
            rows[2][name] = value;
            rows
        };
        assert_eq!(verify(&wrong("message", "00".into()), "").ends(1).records()[0]["ok"], false);
        assert_eq!(verify(&distinct[..2], "").ends(1).records()[0]["ok"], false);
        let other = verify(&wrong("signature", (signers[0].sign)(b"a").into()), "").ends(1).records();
        assert!(
            code(&other[0]) == "mismatch"
                && other[0]["message"].as_str().unwrap().contains("row 2 (line 3), field signature")
        );
        let mut none = distinct.clone();
        none[1]["signature"] = Value::Null;
        assert_eq!(code(&verify(&none, "").ends(1).records()[0]), "missing");
        // the same message again
        let same = aggregated(signed([b"a", b"b", b"a"]));
        for chunk in ["", "--chunk 1"] {
            let records = verify(&same, chunk).records();
            if scheme == "basic" {
                assert_eq!(code(&records[0]), "repeated");
                let message = records[0]["message"].as_str().unwrap();
                assert!(
                    message.contains("row 2 (line 3), field message: the message of row 0 is repeated"),
                    "{message}"
                );
                assert!(message.contains("takes the scheme pop"), "{message}");
            } else {
                assert_eq!(records[0]["ok"], true, "{suite}");
            }
        }
        // one message under many keys
        let one = aggregated(signed([b"a", b"a", b"a"]));
        let run = verify(&one, "--one-message");
        if scheme == "pop" {
            assert_eq!(run.ends(0).records()[0]["ok"], true);
            possession(&verify, &one);
        } else {
            let run = run.ends(2).says("one message under many keys can be verified with the scheme pop only");
            assert_eq!(run.stdout, "");
        }
    }
}

/// In the scheme pop a key is accepted only with its proof of possession.
fn possession(verify: &dyn Fn(&[Value], &str) -> Run, rows: &[Value]) {
    let without: Vec<Value> = rows
        .iter()
        .map(|row| json!({"message": row["message"], "public_key": row["public_key"], "signature": row["signature"]}))
        .collect();
    for options in ["", "--one-message"] {
        let records = verify(&without, options).ends(1).records();
        assert_eq!(code(&records[0]), "missing");
        assert!(
            records[0]["message"].as_str().unwrap().contains("row 0") && records[0].to_string().contains("field proof")
        );
        verify(&without, &format!("{options} --proofs-verified")).ends(0);
        let mut exchanged = rows.to_vec();
        exchanged[2]["proof"] = rows[0]["proof"].clone();
        let records = verify(&exchanged, options).ends(1).records();
        assert_eq!(code(&records[0]), "possession");
        assert!(records[0]["message"].as_str().unwrap().contains("row 2 (line 3), field proof"), "{records:?}");
        // a signature is not a proof of possession
        exchanged[2]["proof"] = rows[1]["signature"].clone();
        assert_eq!(code(&verify(&exchanged, options).ends(1).records()[0]), "possession");
    }
    let mut two = rows.to_vec();
    two[2]["message"] = "00".into();
    let records = verify(&two, "--one-message").ends(1).records();
    assert!(code(&records[0]) == "mismatch" && records[0].to_string().contains("field message"), "{records:?}");
}

/// The error of a group is that of its first faulty row, in whatever column it is and wherever chunks end.
#[test]
fn the_first_fault_of_an_aggregate_counts() {
    let folder = Folder::new();
    for (scheme, column, value, wanted) in [
        ("basic", "signature", json!("01"), "mismatch"),
        ("basic", "message", json!("61"), "repeated"),
        ("pop", "proof", json!("00"), "length"),
        ("pop", "proof", Value::Null, "possession"),
    ] {
        let signers: Vec<Signer> = (1..=3).map(|seed| Signer::new("min-pk", scheme, seed)).collect();
        let row = |(signer, message): (&Signer, &str)| json!({"message": message, "public_key": signer.public, "proof": signer.proof, "signature": null});
        let mut rows: Vec<Value> = signers.iter().zip(["61", "62", "63"]).map(row).collect();
        rows[0]["signature"] = "00".into();
        rows[1][column] = if value.is_null() { rows[0]["proof"].clone() } else { value };
        rows[2]["public_key"] = "00".into();
        folder.write("in.jsonl", lines(&rows));
        for chunk in [1, 100] {
            let verify = format!("verify --variant min-pk --scheme {scheme} --aggregate --in in.jsonl --chunk {chunk}");
            let records = folder.run(&verify).ends(1).records();
            let message = records[0]["message"].as_str().unwrap();
            let place = format!("in.jsonl: row 1 (line 2), field {column}: ");
            assert!(code(&records[0]) == wanted && message.starts_with(&place), "{chunk}: {records:?}");
        }
    }
}

/// A signature that cannot be read is an error of its own row, not of the last row of its group.
#[test]
fn a_bad_signature_is_named_by_its_row_and_line() {
    let folder = Folder::new();
    let signer = Signer::new("min-pk", "aug", 1);
    let row = |signature: Value| json!({"message": "00", "public_key": signer.public, "signature": signature});
    folder.write("in.jsonl", lines(&[Value::Null, json!("00"), Value::Null].map(row)));
    for chunk in [1, 100] {
        let verify = format!("verify --variant min-pk --scheme aug --aggregate --in in.jsonl --chunk {chunk}");
        let records = folder.run(&verify).ends(1).records();
        let message = records[0]["message"].as_str().unwrap();
        assert!(message.starts_with("in.jsonl: row 1 (line 2), field signature: "), "{chunk}: {message}");
    }
}

#[test]
fn groups_that_are_split_bad_or_null() {
    let folder = Folder::new();
    let signature = (Signer::new("min-sig", "basic", 1).sign)(b"m");
    let row = |group: Value| json!({"group": group, "signature": signature});
    let bad = json!({"group": 3, "signature": "00"});
    let rows = [
        row(json!(1)),
        row(json!(2)),
        row(json!(1)),
        bad,
        row(json!(3)),
        row(json!(null)),
        row(json!(4)),
        row(json!("5")),
    ];
    folder.write("in.jsonl", lines(&rows));
    for chunk in [1, 2, 100] {
        let run = folder.run(&format!("aggregate --variant min-sig --by group --in in.jsonl --chunk {chunk}")).ends(1);
        let records = run.records();
        let codes: Vec<&str> = records.iter().map(code).collect();
        assert_eq!(codes, ["", "", "group_split", "length", "null", "null", ""], "{chunk}: {records:?}");
        let groups: Vec<Value> = records.iter().map(|record| record["group"].clone()).collect();
        assert_eq!(groups, [json!(1), json!(2), json!(1), json!(3), json!(null), json!(4), json!("5")]);
        assert!(records[2]["message"].as_str().unwrap().contains("row 2 (line 3), field group: "), "{records:?}");
        assert!(records[3]["message"].as_str().unwrap().contains("row 3"), "{records:?}");
        assert!(records[5]["message"].as_str().unwrap().contains("may belong to it"), "{records:?}");
    }
}
