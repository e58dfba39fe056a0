//! Signing and verifying row by row.

use crate::fault::Fault;
use crate::input::Chunk;
use crate::job::columns::Columns;
use crate::job::work::{EachRow, Good};
use crate::output::Value;
use bilinear_engine::{PointError, in_place};
use bilinear_schemes::bls::{Bls, Possession, PublicKey, PublicKeyError, SecretKey, Signed};

/// Signing the message in column 0 of each row.
pub(super) struct Sign {
    pub(super) bls: Bls,
    pub(super) key: SecretKey,
}

/// Verifying the message, public key and signature in columns 0, 1 and 2 of each row.
pub(super) struct Verify {
    pub(super) bls: Bls,
    pub(super) columns: Columns,
}

/// Verifying the public key and proof of possession in columns 0 and 1 of each row.
pub(super) struct VerifyPossession {
    pub(super) bls: Bls,
    pub(super) columns: Columns,
}

impl EachRow for Sign {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let signatures = self.bls.sign_all(&self.key, &chunk.column(rows, 0));
        signatures.iter().map(|signature| Ok(Value::Bytes(self.bls.signature_bytes(signature).into()))).collect()
    }
}

impl EachRow for Verify {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let messages = chunk.column(rows, 0);
        let keys = self.columns.read(chunk, rows, 1, |keys| self.bls.read_public_keys(keys), PublicKeyError::code);
        let signatures = self.columns.read(chunk, rows, 2, |bytes| self.bls.read_signatures(bytes), PointError::code);
        let read = messages.into_iter().zip(keys).zip(signatures);
        in_place(read.map(|((message, key), signature)| Ok((message, key?, signature?))), |read| {
            let signed = read.iter().map(|(message, key, signature)| Signed { key, message, signature });
            let signed: Vec<Signed<'_>> = signed.collect();
            let one_by_one = |_| signed.iter().map(|s| self.bls.verify(s.key, s.message, s.signature)).collect();
            // a batch needs randomness; without it the signatures are verified one by one
            let verdicts = self.bls.verify_each(&signed).unwrap_or_else(one_by_one);
            verdicts.into_iter().map(Value::Ok).collect()
        })
    }
}

impl EachRow for VerifyPossession {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let keys = self.columns.read(chunk, rows, 0, |keys| self.bls.read_public_keys(keys), PublicKeyError::code);
        let proofs = self.columns.read(chunk, rows, 1, |proofs| self.bls.read_possessions(proofs), PointError::code);
        let read = keys.into_iter().zip(proofs).map(|(key, proof)| Ok((key?, proof?)));
        in_place(read, |read| {
            let proofs: Vec<(&PublicKey, &Possession)> = read.iter().map(|(key, proof)| (key, proof)).collect();
            possessions(&self.bls, &proofs).into_iter().map(Value::Ok).collect()
        })
    }
}

/// Returns the verdict on each proof of possession.
pub(super) fn possessions(bls: &Bls, proofs: &[(&PublicKey, &Possession)]) -> Vec<bool> {
    let one_by_one = |_| proofs.iter().map(|(key, proof)| bls.verify_possession(key, proof) == Ok(true)).collect();
    bls.verify_possessions(proofs).unwrap_or_else(one_by_one)
}
