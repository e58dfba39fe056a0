//! BLS signatures as Ethereum uses them: keys and proofs of possession, one signature for a committee, and a batch of
//! signatures in which the wrong ones are found.
//!
//! `cargo run --release -p bilinear-schemes --example bls`

#![allow(clippy::print_stdout)]

use bilinear_schemes::bls::{Bls, PublicKey, Scheme, SecretKey, Signature, Signed, Variant};
use std::error::Error;

/// The number of members of the committee.
const MEMBERS: usize = 32;

fn main() -> Result<(), Box<dyn Error>> {
    committee()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Runs the steps of a committee and returns their results.
fn committee() -> Result<Vec<String>, Box<dyn Error>> {
    let mut said = vec![];
    // public keys in G1, signatures in G2
    let bls = Bls::new(Variant::MinPk, Scheme::ProofOfPossession)?;
    let keys = (0..MEMBERS).map(|_| SecretKey::random()).collect::<Result<Vec<_>, _>>()?;
    let publics: Vec<PublicKey> = keys.iter().map(|key| bls.public_key(key)).collect();

    // The owner of a key proves knowledge of the secret one: otherwise a key could be chosen that cancels others.
    let proofs = keys.iter().map(|key| bls.prove_possession(key)).collect::<Result<Vec<_>, _>>()?;
    let proved = bls.verify_possessions(&publics.iter().zip(&proofs).collect::<Vec<_>>())?;
    said.push(format!(
        "proofs of possession: {} of {MEMBERS} are right",
        proved.iter().filter(|right| **right).count()
    ));

    // All sign one message; the sum of their signatures is verified by two pairings.
    let message = b"a block";
    let mut signatures: Vec<Signature> = keys.iter().map(|key| bls.sign(key, message)).collect();
    let all = bls.aggregate(&signatures)?;
    said.push(format!("the committee has signed: {}", bls.fast_aggregate_verify(&publics, message, &all)?));
    said.push(format!("without its first member: {}", bls.fast_aggregate_verify(&publics[1..], message, &all)?));

    // Signatures that arrive one by one are verified together. Here two have been replaced by signatures of another
    // message.
    for i in [4, 21] {
        signatures[i] = bls.sign(&keys[i], b"another block");
    }
    let signed: Vec<Signed<'_>> =
        publics.iter().zip(&signatures).map(|(key, signature)| Signed { key, message, signature }).collect();
    let right = bls.verify_each(&signed)?;
    let wrong: Vec<usize> = (0..MEMBERS).filter(|i| !right[*i]).collect();
    said.push(format!("wrong signatures: {wrong:?}"));
    Ok(said)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn example_of_a_committee() {
        let wanted = [
            "proofs of possession: 32 of 32 are right",
            "the committee has signed: true",
            "without its first member: false",
            "wrong signatures: [4, 21]",
        ];
        assert_eq!(super::committee().unwrap(), wanted);
    }
}
