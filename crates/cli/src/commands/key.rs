//! `bilinear key`: keys of BLS signatures, and proofs of possession.

use super::{Outcome, fresh};
use crate::bls::columns::{KeyColumn, ProofColumn};
use crate::bls::table::{Complete, SignatureTable};
use crate::bls::{KeyChoice, Material, VariantChoice};
use crate::console;
use crate::error::CommandError;
use crate::{hex, secret};
use bilinear_schemes::bls::{Scheme, SecretKey};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Make keys for BLS signatures, and make and verify proofs of possession.
///
/// A secret key is a file of 64 hexadecimal digits that only its owner can read (mode 0600). A file that others may
/// read is refused. Instead of a file, an open descriptor can be named (--key-fd 3 3<...). Secrets are never taken from
/// the command line or the environment, and are never printed.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Generate(Generate),
    Public(Public),
    Prove(Prove),
    Check(Check),
}

/// Make a secret key from the operating system's randomness or from key material.
///
/// From key material, this is KeyGen of draft-irtf-cfrg-bls-signature.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear key generate --out my.key")]
pub(crate) struct Generate {
    /// Write the secret key to this new file, which only you can read
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    material: Material,
    /// Public text that distinguishes several keys made from the same material
    #[arg(long, value_name = "TEXT", default_value = "", requires = "Material")]
    info: String,
}

/// Print the public key of a secret key.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear key public --variant min-pk --key my.key")]
pub(crate) struct Public {
    #[command(flatten)]
    variant: VariantChoice,
    #[command(flatten)]
    key: KeyChoice,
}

/// Print a proof of possession: the public key, signed with its own secret key.
///
/// This is PopProve of draft-irtf-cfrg-bls-signature, for the scheme pop.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear key prove --variant min-pk --key my.key")]
pub(crate) struct Prove {
    #[command(flatten)]
    variant: VariantChoice,
    #[command(flatten)]
    key: KeyChoice,
}

/// Verify a table of proofs of possession.
///
/// This is PopVerify of draft-irtf-cfrg-bls-signature. {"public_key": HEX, "proof": HEX} becomes {"row": N, "ok": true}
/// or false, or {"row": N, "error": CODE, "message": TEXT}.
///
/// Exit status: 0 if all proofs are valid; 1 if some are not, or cannot be read; 2 if the job could not run, or if the
/// table has no rows; 130 if interrupted while writing a file; 141 if the output was not read to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear key check --variant min-pk --in keys.jsonl --out ok.jsonl")]
pub(crate) struct Check {
    #[command(flatten)]
    variant: VariantChoice,
    #[command(flatten)]
    table: SignatureTable,
    #[command(flatten)]
    key: KeyColumn,
    #[command(flatten)]
    proof: ProofColumn,
    #[command(flatten)]
    complete: Complete,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if there is no such key, or if a file cannot be read or written.
pub(crate) fn run(command: &Command) -> Result<Outcome, CommandError> {
    match command {
        Command::Generate(args) => generate(args)?,
        Command::Public(args) => {
            let bls = args.variant.with(Scheme::Basic, None)?;
            let key = args.key.load()?;
            print(&bls.public_key_bytes(&bls.public_key(&key)))?;
        }
        Command::Check(args) => {
            let bls = args.variant.with(Scheme::ProofOfPossession, args.table.engine.chosen)?;
            return args.table.verify_possessions(&bls, &args.key, &args.proof, &args.complete);
        }
        Command::Prove(args) => {
            let bls = args.variant.with(Scheme::ProofOfPossession, None)?;
            let proof = bls.prove_possession(&args.key.load()?);
            print(&bls.possession_bytes(&proof.map_err(|error| CommandError::Usage(error.to_string()))?))?;
        }
    }
    Ok(Outcome::Good)
}

fn generate(args: &Generate) -> Result<(), CommandError> {
    fresh::check(&args.out)?;
    let key = match args.material.source() {
        None => SecretKey::random().map_err(CommandError::randomness)?,
        Some(source) => {
            let key = SecretKey::generate(&source.read()?, args.info.as_bytes());
            key.map_err(|error| CommandError::Usage(format!("{}: {error}", source.name())))?
        }
    };
    let mut text = Zeroizing::new([b'\n'; 65]);
    text[..64].copy_from_slice(&key.to_hex()[..]);
    secret::create(&args.out, &text[..])?;
    console::note(format_args!("{}: a secret key; anyone who reads it can sign with it", args.out.display()));
    Ok(())
}

fn print(bytes: &[u8]) -> Result<(), CommandError> {
    console::print(hex::encode(bytes) + "\n")
}
