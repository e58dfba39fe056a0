//! `bilinear sign` and `verify`, row by row, and `key check`, compared with Ethereum's tests and blst.

use crate::signers::*;
use crate::support::*;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use arrow_ipc::writer::FileWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

#[test]
fn ethereums_signatures() {
    let folder = Folder::new();
    let cases = ethereum("sign", 10);
    for case in cases.iter().filter(|case| !case["output"].is_null()) {
        write_key(&folder, "key", case["input"]["privkey"].as_str().unwrap());
        folder.write("in.jsonl", lines(&[json!({"message": case["input"]["message"]})]));
        let run = folder.run("sign --variant min-pk --scheme pop --key key --in in.jsonl").ends(0);
        let wanted = case["output"].as_str().unwrap().trim_start_matches("0x");
        assert_eq!(run.records(), [json!({"row": 0, "signature": wanted})]);
    }
    let zero = cases.iter().find(|case| case["output"].is_null()).unwrap();
    fs::remove_file(folder.path("key")).unwrap();
    write_key(&folder, "key", zero["input"]["privkey"].as_str().unwrap());
    folder.run("sign --variant min-pk --scheme pop --key key --in in.jsonl").ends(2).says("key: the secret key is 0");
}

#[test]
fn ethereums_verdicts_on_signatures_in_one_table() {
    let folder = Folder::new();
    let row = |message: &Value, key: &Value, signature: &Value| json!({"message": message, "public_key": key, "signature": signature});
    let mut rows = Vec::new();
    let mut wanted = Vec::new();
    for case in ethereum("verify", 29) {
        let input = &case["input"];
        rows.push(row(&input["message"], &input["pubkey"], &input["signature"]));
        wanted.push(case["output"] == true);
    }
    assert!(wanted.iter().filter(|ok| **ok).count() > 8);
    for case in ethereum("batch_verify", 2) {
        let all = |name: &str| case["input"][name].as_array().unwrap().clone();
        let columns = all("messages").into_iter().zip(all("pubkeys")).zip(all("signatures"));
        let verdicts = columns.map(|((message, key), signature)| {
            rows.push(row(&message, &key, &signature));
            folder.write("one.jsonl", lines(&rows[rows.len() - 1..]));
            let verdict = folder.run("verify --variant min-pk --scheme pop --in one.jsonl").records();
            wanted.push(verdict[0]["ok"] == true);
            verdict[0]["ok"] == true
        });
        assert_eq!(verdicts.fold(true, |all, one| all & one), case["output"] == true);
    }
    folder.write("in.jsonl", lines(&rows));
    for options in ["", "--chunk 1", "--chunk 10 --threads 2", "--engine portable --threads 1"] {
        let run = folder.run(&format!("verify --variant MIN-PK --scheme POP --in in.jsonl {options}")).ends(1);
        let records = run.records();
        assert_eq!(records.iter().map(|record| record["ok"] == true).collect::<Vec<_>>(), wanted, "{options}");
        assert!((0..).zip(&records).all(|(row, record)| record["row"] == row));
        // values that cannot be read are errors, neither true nor false
        assert!(records.iter().any(|record| code(record) == "infinity"), "{records:?}");
    }
    folder.run("verify --variant min-pk --scheme basic --in in.jsonl").ends(1).says("check: 0 of");
}

#[test]
fn every_suite_signs_and_verifies_as_blst_does() {
    let folder = Folder::new();
    for (variant, scheme, ..) in SUITES {
        let signers = [1, 2].map(|seed| Signer::new(variant, scheme, seed));
        write_key(&folder, "key", &signers[0].secret);
        let messages: Vec<Vec<u8>> = (0..20).map(|i| vec![i; usize::from(i)]).collect();
        folder.write("in.jsonl", lines(&messages.iter().map(|m| json!({"m": hex(m)})).collect::<Vec<_>>()));
        let suite = format!("--variant {variant} --scheme {scheme}");
        let run = folder.run(&format!("sign {suite} --key key --in in.jsonl --message-col m --chunk 7 --threads 2"));
        let records = run.ends(0).says("rows: 20\nerrors: none\n").records();
        let wanted: Vec<Value> =
            (0..).zip(&messages).map(|(row, m)| json!({"row": row, "signature": (signers[0].sign)(m)})).collect();
        assert_eq!(records, wanted, "{suite}");
        // two keys, one row with another row's message, and one with another row's signature
        let row = |i: usize, message: &[u8]| {
            let signer = &signers[i % 2];
            json!({"message": hex(message), "public_key": signer.public, "signature": (signer.sign)(&messages[i])})
        };
        let mut rows: Vec<Value> = (0..20).map(|i| row(i, &messages[i])).collect();
        rows[4] = row(4, &messages[5]);
        rows[7]["signature"] = rows[9]["signature"].clone();
        folder.write("signed.jsonl", lines(&rows));
        let run = folder.run(&format!("verify {suite} --in signed.jsonl")).ends(1).says("check: 18 of 20 are right");
        let ok: Vec<bool> = run.records().iter().map(|record| record["ok"].as_bool().unwrap()).collect();
        assert_eq!(ok, (0..20).map(|i| i != 4 && i != 7).collect::<Vec<_>>(), "{suite}");
        // a message that is signed as text
        folder.write("text.jsonl", "{\"message\":\"Grüße, 0x00\"}\n");
        let run = folder.run(&format!("sign {suite} --key key --in text.jsonl --text")).ends(0);
        assert_eq!(run.records()[0]["signature"], (signers[0].sign)("Grüße, 0x00".as_bytes()));
        folder.run(&format!("sign {suite} --key key --in text.jsonl")).ends(1).says("errors: 1 (hex 1)");
    }
}

#[test]
fn a_bad_row_affects_no_other_row() {
    let folder = Folder::new();
    for (variant, scheme, ..) in [SUITES[0], SUITES[5]] {
        let signer = Signer::new(variant, scheme, 3);
        let good = json!({"message": "0a", "public_key": signer.public, "signature": (signer.sign)(&[10])});
        let with = |name: &str, value: Value| {
            let mut row = good.clone();
            row[name] = value;
            row
        };
        let infinity = |like: &str| format!("c0{}", "00".repeat(like.len() / 2 - 1));
        let large = |like: &str| format!("9f{}", "ff".repeat(like.len() / 2 - 1));
        let signature = good["signature"].as_str().unwrap();
        // points of small x on the curve, which are not in the much smaller subgroup
        let outside = |like: &str| format!("80{}04", "00".repeat(like.len() / 2 - 2));
        let rows = [
            (good.clone(), ""),
            (with("public_key", infinity(&signer.public).into()), "infinity"),
            (with("public_key", large(&signer.public).into()), "canonical"),
            (with("public_key", signer.public[2..].into()), "length"),
            (with("public_key", "inf".into()), "hex"),
            (with("public_key", json!(null)), "null"),
            (with("signature", large(signature).into()), "canonical"),
            (with("signature", "".into()), "length"),
            (with("signature", json!(7)), "json"),
            (with("message", "0".into()), "hex"),
            (json!({"public_key": signer.public, "signature": signature}), "missing"),
            (with("signature", infinity(signature).into()), "false"),
            (with("message", "0b".into()), "false"),
            (good.clone(), ""),
        ];
        folder.write("in.jsonl", lines(&rows.iter().map(|(row, _)| row.clone()).collect::<Vec<_>>()));
        let verify = format!("verify --variant {variant} --scheme {scheme} --in in.jsonl");
        for chunk in [1, 100] {
            let records = folder.run(&format!("{verify} --chunk {chunk}")).ends(1).records();
            for ((index, (_, wanted)), record) in rows.iter().enumerate().zip(&records) {
                assert_eq!(record["row"], index);
                match *wanted {
                    "" => assert_eq!(record["ok"], true, "{index}"),
                    "false" => assert_eq!(record["ok"], false, "{index}"),
                    error => {
                        assert_eq!(code(record), error, "{index}: {record}");
                        let message = record["message"].as_str().unwrap();
                        assert!(message.starts_with(&format!("in.jsonl: row {index}")), "{message}");
                    }
                }
            }
            let message = records[1]["message"].as_str().unwrap();
            assert!(message.ends_with("field public_key: the public key is the point at infinity"), "{message}");
        }
        folder.run(&format!("{verify} --strict")).ends(1).says("row 1 (line 2), field public_key").says("(infinity)");
        let key = outside(&signer.public);
        folder.write("in.jsonl", lines(&[with("public_key", key.into()), good.clone()]));
        let records = folder.run(&verify).ends(1).records();
        assert!(["curve", "subgroup"].contains(&code(&records[0])) && records[1]["ok"] == true, "{records:?}");
        // the same in columns
        folder.write("in.jsonl", lines(&rows.map(|(row, _)| row)));
        folder.run(&format!("{verify} --out ok.parquet")).ends(1);
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path("ok.parquet")).unwrap()).unwrap();
        let table = reader.build().unwrap().next().unwrap().unwrap();
        let names: Vec<_> = table.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names, ["row", "ok", "error", "message"]);
        let answers: Vec<_> = table.column(1).as_boolean().iter().collect();
        assert_eq!((answers[0], answers[1], answers[12]), (Some(true), None, Some(false)));
    }
}

#[test]
fn columns_of_bytes_in_and_out() {
    let folder = Folder::new();
    let signer = Signer::new("min-sig", "basic", 4);
    write_key(&folder, "key", &signer.secret);
    let messages = [&b""[..], b"one", b"inf"];
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(messages));
    let batch = RecordBatch::try_from_iter([("message", column.clone())]).unwrap();
    let write = |name: &str, batch: &RecordBatch| {
        let mut writer = FileWriter::try_new(File::create(folder.path(name)).unwrap(), &batch.schema()).unwrap();
        writer.write(batch).unwrap();
        writer.finish().unwrap();
    };
    write("in.arrow", &batch);
    let suite = "--variant min-sig --scheme basic";
    folder.run(&format!("sign {suite} --key key --in in.arrow --out signatures.parquet")).ends(0);
    let file = File::open(folder.path("signatures.parquet")).unwrap();
    let table = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().next().unwrap().unwrap();
    let signatures: Vec<String> = table.column(1).as_binary::<i32>().iter().map(|bytes| hex(bytes.unwrap())).collect();
    assert_eq!(signatures, messages.map(|message| (signer.sign)(message)));
    // whole tables, with the public keys in a column
    let bytes =
        |text: &str| (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect();
    let key: Vec<u8> = bytes(&signer.public);
    let keys: ArrayRef = Arc::new(BinaryArray::from_iter_values([&key[..]; 3]));
    let columns = [("message", column), ("public_key", keys), ("signature", table.column(1).clone())];
    let whole = RecordBatch::try_from_iter(columns.clone()).unwrap();
    write("signed.arrow", &whole);
    folder.run(&format!("verify {suite} --in signed.arrow")).ends(0).says("check: 3 of 3 are right");
    folder.run(&format!("verify {suite} --in signed.arrow --signature-col s")).ends(2).says("no column \"s\"");
}

#[test]
fn proofs_of_possession_in_a_table() {
    let folder = Folder::new();
    for (variant, ..) in [SUITES[2], SUITES[5]] {
        let [a, b] = [1, 2].map(|seed| Signer::new(variant, "pop", seed));
        let rows = [
            json!({"public_key": a.public, "proof": a.proof}),
            json!({"public_key": a.public, "proof": b.proof}),
            json!({"public_key": b.public, "proof": (b.sign)(b"m")}),
            json!({"public_key": b.public, "proof": "00"}),
            json!({"public_key": b.public, "proof": b.proof}),
        ];
        folder.write("in.jsonl", lines(&rows));
        let records = folder.run(&format!("key check --variant {variant} --in in.jsonl")).ends(1).records();
        let ok: Vec<Option<bool>> = records.iter().map(|record| record["ok"].as_bool()).collect();
        assert_eq!(ok, [Some(true), Some(false), Some(false), None, Some(true)]);
        assert_eq!(code(&records[3]), "length");
    }
    folder.write("none.jsonl", "");
    folder.run("key check --variant min-pk --in none.jsonl").ends(2).says("no rows: an empty table proves nothing");
    folder.run("key check --variant min-pk --in none.jsonl --allow-empty").ends(0);
}

#[test]
fn jobs_that_cannot_run() {
    let folder = Folder::new();
    let signer = Signer::new("min-pk", "basic", 1);
    write_key(&folder, "key", &signer.secret);
    folder.write("in.jsonl", "{\"message\":\"\"}\n");
    let suite = "--variant min-pk --scheme basic";
    for (arguments, words) in [
        ("sign --scheme basic --key key --in in.jsonl", "--variant"),
        ("sign --variant min-pk --key key --in in.jsonl", "--scheme"),
        (&format!("sign {suite} --in in.jsonl"), "--key"),
        (&format!("sign {suite} --key-fd 0"), "standard input cannot be the key and the table"),
        (&format!("sign {suite} --key key --in in.jsonl --threads 20000"), "at most 1024"),
        ("verify --variant min-pk --scheme pip --in in.jsonl", "a similar value exists: 'pop'"),
        (&format!("verify {suite} --by g --in in.jsonl"), "add --aggregate"),
        (&format!("verify {suite} --one-message --in in.jsonl"), "--aggregate"),
        (&format!("verify {suite} --aggregate --proofs-verified --in in.jsonl"), "only the scheme pop has proofs"),
        (&format!("verify {suite} --in none.jsonl"), "none.jsonl: no rows: an empty table proves nothing"),
    ] {
        folder.write("none.jsonl", "");
        folder.run(arguments).ends(2).says(words);
    }
    folder.run(&format!("verify {suite} --in none.jsonl --allow-empty")).ends(0);
    let run = folder.run(&format!("sign {suite} --in in.jsonl --key {}", signer.secret)).ends(2);
    assert!(!run.says("is itself a key: write it to a file").stderr.contains(&signer.secret[..8]));
    fs::set_permissions(folder.path("key"), Permissions::from_mode(0o644)).unwrap();
    let run =
        folder.run(&format!("sign {suite} --key key --in in.jsonl --out out.jsonl")).ends(2).says("its mode is 0644");
    assert!(!folder.exists("out.jsonl") && !run.stderr.contains(&signer.secret[..8]));
}

#[test]
fn a_reader_that_goes_away_ends_the_signing_quietly() {
    let folder = Folder::new();
    write_key(&folder, "key", &Signer::new("min-sig", "basic", 1).secret);
    folder.write("in.jsonl", "{\"message\":\"00\"}\n".repeat(3000));
    let mut child = folder.spawn("sign --variant min-sig --scheme basic --key key --in in.jsonl --chunk 1");
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"row\":0,\"signature\":\""), "{line}");
    drop(reader);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(141), ""));
}
