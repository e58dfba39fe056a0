//! Identity-based encryption: Boneh, Franklin, "Identity-based encryption from the Weil pairing", CRYPTO 2001, in its
//! form that is secure against chosen ciphertexts (FullIdent, by the transformation of Fujisaki and Okamoto). A
//! message is encrypted to an identity; the holder of the master key extracts the private key of each identity.
//!
//! The scheme runs on any curve of this library, for example BLS12-381: P generates G1 and identities are hashed to G2.
//! Where G1 and G2 are one group it is the scheme of the paper.
//!
//! | | | cost |
//! |---|---|---|
//! | master key | s; public key S = s·P | 1 multiple |
//! | private key | d = s·Q, Q = H_1(identity) | 1 hash, 1 multiple |
//! | ciphertext | r = H_3(σ, m) for random σ; U = r·P; V = σ ⊕ H_2(e(S, Q)^r); W = m ⊕ H_4(σ) | 1 hash, 1 pairing, 1 power, 1 multiple |
//! | message | σ = V ⊕ H_2(e(U, d)); m = W ⊕ H_4(σ); refused unless U = H_3(σ, m)·P | 1 pairing, 1 multiple |
//!
//! H_1 is the curve's hash by RFC 9380; H_2, H_3 and H_4 are HKDF-SHA-256 with one label each. RFC 5091 specifies
//! this scheme for y² = x³ + 1 and with hashes of its own, so its bytes differ from those here.
//!
//! ```
//! use bilinear_engine::{Batch, System, params::Curve};
//! use bilinear_schemes::ibe::{PrivateKey, setup};
//!
//! let batch = Batch::new(System::new(&Curve::named("bls12-381")?)?);
//! let (public, master) = setup(&batch)?;
//! let sealed = public.encrypt(&batch, &[(b"ann@example.org", b"a message"), (b"bob@example.org", b"another")])?;
//! let ann = master.extract(&batch, b"ann@example.org")?;
//! let opened = ann.decrypt(&batch, &[&sealed[0], &sealed[1]]);
//! assert_eq!(opened[0].as_ref().unwrap().as_ref().unwrap()[..], b"a message"[..]);
//! // a message for somebody else is not opened
//! assert!(matches!(opened[1], Ok(None)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! *Security* rests on the bilinear Diffie–Hellman problem in the groups, in the random oracle model. The holder of
//! the master key can read everything, and a private key cannot be revoked.
//!
//! *Constant time*: [`MasterKey::extract`], [`MasterKey::from_bytes`], [`PublicKey::encrypt`] and [`PrivateKey::decrypt`], as each says.

mod encrypt;
mod groups;
mod keys;

pub use crate::encoding::{DecodeError, DecodeErrorReason, ObjectKind, OtherCurve};
pub use keys::{IbeError, MasterKey, PrivateKey, PublicKey, setup};
