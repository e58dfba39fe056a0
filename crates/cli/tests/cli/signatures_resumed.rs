//! Interrupted jobs over tables of signatures.

use crate::resume::rows_done;
use crate::signers::*;
use crate::support::*;
use serde_json::{Value, json};

/// A job of each kind.
const JOBS: [&str; 5] = [
    "sign --variant min-pk --scheme pop --key key",
    "verify --variant min-pk --scheme pop",
    "key check --variant min-pk",
    "aggregate --variant min-pk --by group",
    "verify --variant min-pk --scheme pop --aggregate --by group",
];
const ROWS: u8 = 16;
/// The first rows of the groups.
const FIRST: [u8; 7] = [0, 1, 3, 6, 10, 13, 15];

/// Returns rows of one signer, each with the signature of the first message of its group.
fn signed(signer: &Signer) -> Vec<Value> {
    let row = |i: u8| {
        let group = FIRST.partition_point(|first| *first <= i) - 1;
        let (message, signature) = (hex(&[i]), (signer.sign)(&[FIRST[group]]));
        json!({"group": group, "message": message, "public_key": signer.public, "signature": signature, "proof": signer.proof})
    };
    (0..ROWS).map(row).collect()
}

/// A strict run ends at a row that cannot be read, or at a row of an earlier group. The run that resumes it,
/// with chunks of another size, ends with the bytes of a run that was never interrupted.
#[test]
fn runs_interrupted_anywhere_end_with_the_same_bytes() {
    let folder = Folder::new();
    let signer = Signer::new("min-pk", "pop", 1);
    write_key(&folder, "key", &signer.secret);
    let rows: Vec<String> = signed(&signer).iter().map(|row| format!("{row}\n")).collect();
    for job in JOBS {
        // a row of an earlier group is a fault only if rows have groups
        let faults = ["nonsense\n", &rows[0]];
        let faults = &faults[..if job.contains("--by") { 2 } else { 1 }];
        let mut kept = vec![];
        for (at, chunks) in [(2, [1, 3]), (3, [2, 1]), (4, [3, 2]), (8, [1, 1]), (10, [2, 5]), (15, [4, 1])] {
            for fault in faults {
                let mut faulty = rows.clone();
                faulty[at] = (*fault).to_owned();
                folder.write("in.jsonl", faulty.concat());
                let run = |options: &str| folder.run(&format!("{job} --in in.jsonl {options}")).ends(1);
                run("--out whole.jsonl");
                run(&format!("--out out.jsonl --strict --chunk {}", chunks[0]));
                let done = rows_done(&folder, "out.jsonl");
                let resumed = run(&format!("--out out.jsonl --resume --chunk {}", chunks[1]));
                if done > 0 {
                    resumed.says(&format!(", {done} of them before this run"));
                }
                assert_eq!(folder.text("out.jsonl"), folder.text("whole.jsonl"), "{job}: row {at}, {fault}");
                kept.push(done);
            }
        }
        kept.sort_unstable();
        kept.dedup();
        assert!(kept.len() > 3 && kept.iter().all(|done| *done < ROWS.into()), "{job}: {kept:?}");
    }
}

#[test]
fn another_job_is_refused() {
    let folder = Folder::new();
    let signer = Signer::new("min-pk", "pop", 1);
    write_key(&folder, "key", &signer.secret);
    write_key(&folder, "other", &Signer::new("min-pk", "pop", 2).secret);
    let mut rows = lines(&signed(&signer));
    rows.push_str("nonsense\n");
    folder.write("in.jsonl", rows);
    let places = "--in in.jsonl --out out.jsonl";
    for (job, changes) in [
        (
            0,
            &[
                ("--key key", "--key other", "option --key has changed: that of the public key "),
                ("--scheme pop", "--scheme aug", "option --scheme has changed: aug now, pop before"),
                ("min-pk", "min-sig", "option --key has changed: "),
                ("sign", "sign --text", "option --text has changed: yes now, not given before"),
            ][..],
        ),
        (1, &[("pop", "pop --signature-col proof", "option --signature-col has changed: proof now, signature before")]),
        (2, &[("check", "check --public-key-col proof", "option --public-key-col has changed: ")]),
        (3, &[("--by group", "--by message", "option --by has changed: message now, group before")]),
        (
            4,
            &[
                (
                    "--by group",
                    "--by group --proofs-verified",
                    "option --proof-col has changed: not given now, proof before",
                ),
                (
                    "--by group",
                    "--by group --one-message",
                    "option --one-message has changed: yes now, not given before",
                ),
                ("--aggregate --by group", "", "the command is verify and was verify --aggregate"),
            ],
        ),
    ] {
        folder.run(&format!("{} {places} --strict --chunk 3", JOBS[job])).ends(1);
        for (was, is, words) in changes {
            let other = JOBS[job].replace(was, is);
            folder.run(&format!("{other} {places} --resume")).ends(2).says("cannot resume: ").says(words);
        }
    }
}
