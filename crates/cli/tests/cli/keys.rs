//! `bilinear key`: secret keys in files and descriptors, public keys, proofs of possession.

use crate::signers::write_key;
use crate::support::*;
use blst::{min_pk, min_sig};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::net::UnixStream;
use std::process::Command;

/// Returns blst's key for the given key material.
fn theirs(material: &[u8], info: &str) -> min_pk::SecretKey {
    min_pk::SecretKey::key_gen(material, info.as_bytes()).unwrap()
}

/// Runs the command in a shell that redirects its descriptors.
fn shell(folder: &Folder, line: &str) -> Run {
    let line = format!("{} {line}", env!("CARGO_BIN_EXE_bilinear"));
    Run::of(&Command::new("sh").current_dir(folder.path("")).args(["-c", &line]).output().unwrap())
}

#[test]
fn a_key_from_key_material_is_that_of_the_draft() {
    let folder = Folder::new();
    let material: Vec<u8> = (0..40).map(|i| 255 - i).collect();
    write_key(&folder, "material", &material);
    for (name, options, info) in [("a.key", "", ""), ("b.key", "--info second", "second")] {
        let run = folder.run(&format!("key generate --material material {options} --out {name}")).ends(0);
        assert_eq!(run.says(&format!("{name}: a secret key")).stdout, "");
        let key = theirs(&material, info);
        assert_eq!(folder.text(name), hex(&key.to_bytes()) + "\n");
        assert_eq!(fs::metadata(folder.path(name)).unwrap().mode() & 0o7777, 0o600);
        let public = folder.run(&format!("key public --variant min-pk --key {name}")).ends(0);
        assert_eq!(public.stdout, hex(&key.sk_to_pk().to_bytes()) + "\n");
        let other = min_sig::SecretKey::key_gen(&material, info.as_bytes()).unwrap();
        let public = folder.run(&format!("key public --variant Min-Sig --key {name}")).ends(0);
        assert_eq!(public.stdout, hex(&other.sk_to_pk().to_bytes()) + "\n");
        // a proof is a signature of the public key with a domain separation tag of its own
        let proof = folder.run(&format!("key prove --variant min-pk --key {name}")).ends(0);
        let tag = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
        assert_eq!(proof.stdout, hex(&key.sign(&key.sk_to_pk().to_bytes(), tag, b"").to_bytes()) + "\n");
        let proof = folder.run(&format!("key prove --variant min-sig --key {name}")).ends(0);
        let tag = b"BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
        assert_eq!(proof.stdout, hex(&other.sign(&other.sk_to_pk().to_bytes(), tag, b"").to_bytes()) + "\n");
    }
    // reads the material from a descriptor, so that it need not be in a file
    let run = shell(&folder, "key generate --material-fd 3 --out c.key 3<material").ends(0);
    assert!(run.stdout.is_empty());
    assert_eq!(folder.text("c.key"), folder.text("a.key"));
    write_key(&folder, "short", [1; 31]);
    folder
        .run("key generate --material short --out d.key")
        .ends(2)
        .says("short: at least 32 bytes of key material are needed, not 31");
    write_key(&folder, "long", [1; 4097]);
    folder.run("key generate --material long --out d.key").ends(2).says("long: more than 4096 bytes");
    folder.run("key generate --info x --out d.key").ends(2).says("--material");
    assert!(!folder.exists("d.key"));
}

#[test]
fn fresh_keys_differ_and_no_file_is_overwritten() {
    let folder = Folder::new();
    for name in ["a.key", "b.key"] {
        folder.run(&format!("key generate --out {name}")).ends(0);
        assert_eq!(fs::metadata(folder.path(name)).unwrap().mode() & 0o7777, 0o600);
    }
    let first = folder.text("a.key");
    assert_ne!(first, folder.text("b.key"));
    folder.run("key generate --out a.key").ends(2).says("a.key: cannot create: the file exists");
    symlink("a.key", folder.path("link")).unwrap();
    folder.run("key generate --out link").ends(2).says("link: cannot create: the file exists");
    assert_eq!(folder.text("a.key"), first);
}

#[test]
fn keys_that_others_may_read_are_refused() {
    let folder = Folder::new();
    folder.run("key generate --out a.key").ends(0);
    let key = folder.text("a.key");
    let public = folder.run("key public --variant min-pk --key a.key").ends(0).stdout;
    symlink("a.key", folder.path("link")).unwrap();
    for (mode, good) in [(0o600, true), (0o400, true), (0o640, false), (0o644, false), (0o604, false), (0o660, false)] {
        fs::set_permissions(folder.path("a.key"), Permissions::from_mode(mode)).unwrap();
        for name in ["a.key", "link"] {
            let run = folder.run(&format!("key public --variant min-pk --key {name}"));
            if good {
                assert_eq!(run.ends(0).stdout, public);
            } else {
                let run = run
                    .ends(2)
                    .says(&format!("{name}: its mode is 0{mode:o}: a secret must be in a file of mode 0600"));
                assert!(run.stdout.is_empty() && !run.stderr.contains(key.trim()));
            }
        }
        // whoever opened a descriptor is responsible for its access rights
        let run = shell(&folder, "key public --variant min-pk --key-fd 5 5<a.key").ends(0);
        assert_eq!(run.stdout, public);
    }
    // only root can give a file away, and root does not own this key then
    fs::set_permissions(folder.path("a.key"), Permissions::from_mode(0o600)).unwrap();
    if chown(folder.path("a.key"), Some(12345), None).is_ok() {
        folder.run("key public --variant min-pk --key link").ends(2).says("link: it belongs to user 12345");
        chown(folder.path("a.key"), Some(0), None).unwrap();
    }
    let piped = format!("key public --variant min-pk --key-fd 0 <<end\n0x{}\nend\n", key.trim().to_uppercase());
    assert_eq!(shell(&folder, &piped).ends(0).stdout, public);
    folder.run("key public --variant min-pk --key-fd 77").ends(2).says("descriptor 77: cannot open");
    folder.run("key public --variant min-pk --key absent").ends(2).says("absent: cannot open: No such file");
    folder.run("key public --variant min-pk --key /dev/null").ends(2).says("/dev/null: neither a file nor a pipe");
    folder.run("key public --variant min-pk").ends(2).says("--key");
    folder.run("key public --variant min-pk --key a.key --key-fd 0").ends(2).says("cannot be used with");
    folder.run("key public --key a.key").ends(2).says("--variant");
}

/// A descriptor is read from its current position, and need not be a file.
#[test]
fn descriptors_are_read_from_their_position() {
    let folder = Folder::new();
    folder.run("key generate --out a.key").ends(0);
    let public = folder.run("key public --variant min-pk --key a.key").ends(0).stdout;
    folder.write("two", format!("a line before it\n{}", folder.text("a.key")));
    let program = env!("CARGO_BIN_EXE_bilinear");
    let script = format!("{{ read line; exec {program} key public --variant min-pk --key-fd 0; }} <two");
    let run = Command::new("sh").current_dir(folder.path("")).args(["-c", &script]).output().unwrap();
    assert_eq!(Run::of(&run).ends(0).stdout, public);
    let (ours, theirs) = UnixStream::pair().unwrap();
    (&ours).write_all(&folder.read("a.key")).unwrap();
    drop(ours);
    let run = folder.command("key public --variant min-pk --key-fd 0").stdin(OwnedFd::from(theirs)).output().unwrap();
    assert_eq!(Run::of(&run).ends(0).stdout, public);
}

/// A shell has opened the key's file, so the command does not know its name.
#[test]
fn a_key_given_by_descriptor_is_not_replaced() {
    let folder = Folder::new();
    folder.run("key generate --out k.jsonl").ends(0);
    let key = folder.read("k.jsonl");
    folder.write("in.jsonl", "{\"message\":\"00\"}\n");
    for number in [0, 3] {
        let sign = "sign --variant min-pk --scheme pop --in in.jsonl --out k.jsonl";
        let run = shell(&folder, &format!("{sign} --key-fd {number} {number}<k.jsonl")).ends(2);
        run.says(&format!("error: /dev/fd/{number}: it is read (--key-fd), and --out would replace it"));
        assert_eq!(folder.read("k.jsonl"), key);
    }
}

#[test]
fn text_that_is_not_a_key_is_refused_and_not_shown() {
    let folder = Folder::new();
    let order = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
    for (text, words) in [
        ("", "a secret key takes 64 hexadecimal digits, not a text of length 0"),
        ("5e5e", "a secret key takes 64 hexadecimal digits, not a text of length 4"),
        (&"0".repeat(64), "the secret key is 0"),
        (order, "the secret key is not below the order"),
        (&format!("{}zz", "5e".repeat(31)), "not hexadecimal"),
        (&"5e".repeat(33), "a secret key takes 64 hexadecimal digits, not a text of length 66"),
    ] {
        write_key(&folder, "a.key", text);
        let run =
            folder.run("key public --variant min-sig --key a.key").ends(2).says(&format!("error: a.key: {words}"));
        assert!(!run.stderr.contains("5e5e") && !run.stderr.contains("73eda"), "{}", run.stderr);
    }
}

/// A user may write a key on the command line by mistake.
#[test]
fn a_key_on_the_command_line_is_not_shown() {
    let (folder, key) = (Folder::new(), "5e".repeat(32));
    let descriptor = "-fd <N>: the number of an open descriptor is expected";
    for (command, words) in [
        (format!("key public --variant min-pk --key-fd {key}"), &format!("error: --key{descriptor}")[..]),
        (format!("key prove --variant min-pk --key-fd=0x{key}"), &format!("error: --key{descriptor}")),
        (format!("sign --variant min-pk --scheme pop --key-fd {}", &key[2..]), &format!("error: --key{descriptor}")),
        (format!("key generate --out new --material-fd {key}"), &format!("error: --material{descriptor}")),
        (format!("key public --variant min-pk --key {key}"), "the file name given is itself a key"),
        (format!("key public --variant min-pk {key}"), "unexpected argument '(64 hexadecimal digits)' found"),
        (format!("key public --variant 0x{key}"), "invalid value '0x(64 hexadecimal digits)' for '--variant"),
        (format!("key {key}"), "unrecognized subcommand '(64 hexadecimal digits)'"),
        (format!("key public --variant min-pk --key 0X{key}"), "the file name given is itself a key"),
        (format!("key public --variant min-pk --{key}"), "unexpected argument '--(64 hexadecimal digits)' found"),
        (format!("pair --curve a-512 --in {key}"), "(64 hexadecimal digits): cannot open"),
        (format!("pair --curve a-512 --out ./{key}"), "./(64 hexadecimal digits): "),
        (format!("search token --secret {key} --out t *"), "(64 hexadecimal digits): cannot open"),
        (format!("pair --curve a-512 --in {}", &key[1..]), "(63 hexadecimal digits): cannot open"),
        (format!("key {}", &key[32..]), "unrecognized subcommand '(32 hexadecimal digits)'"),
        (format!("points mul --curve a-512 --k {key}f"), "invalid value '(65 hexadecimal digits)' for '--k <K>'"),
        ("asm in-a-file".to_owned(), "unknown instruction \"(40 hexadecimal digits)\"…"),
    ] {
        folder.write("in-a-file", &key);
        let run = folder.run(&command).ends(2).says(words);
        assert!(!run.stderr.contains("5e5e") && run.stdout.is_empty(), "{}", run.stderr);
    }
}

/// The name of a file may be a hash of its content.
#[test]
fn files_that_are_named_by_hashes_are_named() {
    let (folder, hash) = (Folder::new(), "5e".repeat(32));
    let no_table = format!("pair --curve a-512 --in {hash}.jsonl");
    folder.run(&no_table).ends(2).says(&format!("error: {hash}.jsonl: cannot open: "));
    let no_key = format!("key public --variant min-pk --key {hash}.key");
    folder.run(&no_key).ends(2).says(&format!("error: {hash}.key: cannot open: "));
    folder.write(&hash, "");
    let run = folder.run(&format!("pair --curve a-512 --in ./{hash}")).ends(2);
    run.says(&format!("error: ./{hash}: the name does not tell the format"));
}

/// The scheme of the draft on Ethereum's keys.
#[test]
fn known_public_keys() {
    let folder = Folder::new();
    let cases = vectors().join("bls12-381-tests-v0.1.1");
    let case: Value =
        serde_json::from_str(&fs::read_to_string(cases.join("sign/sign_case_11b8c7cad5238946.json")).unwrap()).unwrap();
    write_key(&folder, "a.key", case["input"]["privkey"].as_str().unwrap());
    let public = folder.run("key public --variant min-pk --key a.key").ends(0).stdout;
    // the key's signatures verify under this public key in another folder of the same tests
    let message = case["input"]["message"].as_str().unwrap();
    let of_the_same = fs::read_dir(cases.join("verify")).unwrap().any(|entry| {
        let case: Value = serde_json::from_str(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        let pubkey = case["input"]["pubkey"].as_str().unwrap().trim_start_matches("0x");
        case["output"] == true && case["input"]["message"] == message && pubkey == public.trim()
    });
    assert!(of_the_same, "{public}");
}
