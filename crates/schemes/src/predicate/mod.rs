//! Predicate encryption: rows are encrypted under a public key, and a token reveals of which rows a predicate holds,
//! and nothing else about them. A server can search a table that it cannot read.
//!
//! | [`Scheme`] | predicate | order | pairings a row |
//! |---|---|---|---:|
//! | [`InnerProductOnly`](Scheme::InnerProductOnly), [`InnerProduct`](Scheme::InnerProduct) | ⟨x, v⟩ = 0 | p·q·r | 2n + 1 |
//! | [`HiddenVector`](Scheme::HiddenVector) | x agrees with a pattern in s places, the others are wildcards | p·q | 2s + 1 |
//! | [`DualSpaces`](Scheme::DualSpaces) | ⟨x, v⟩ = 0 | a prime | 4n + 2 |
//! | [`Matrices`](Scheme::Matrices) | ⟨x, v⟩ = 0 | a prime | 3m + 2, for the m elements of v that are not 0 |
//!
//! [`language`] takes predicates as people write them and compiles them to vectors.
//!
//! ```
//! use bilinear_engine::params::{Curve, Factors};
//! use bilinear_engine::{Batch, System};
//! use bilinear_schemes::predicate::language::{Attribute, Predicate, Schema, Value};
//! use bilinear_schemes::predicate::{Search, setup};
//!
//! // for tests only: the factors of this curve's order are public
//! let curve = Curve::named("a1-2x512")?;
//! let batch = Batch::new(System::new(&curve)?);
//! let schema = Schema::hidden_vector(vec![Attribute::text("city"), Attribute::integer("stars", 1, 5)])?;
//! let (public, secret) = setup(&batch, schema.scheme(), schema.length())?;
//! let table = [("Lyon", 4), ("Lyon", 2), ("Paris", 5)];
//! let vectors: Vec<_> = table
//!     .iter()
//!     .map(|(city, stars)| schema.vector(batch.system().order(), &[Value::text(city), Value::Integer(*stars)]))
//!     .collect::<Result<_, _>>()?;
//! let rows: Vec<_> = vectors.iter().map(|x| (&x[..], &b"a message"[..])).collect();
//! let rows = public.encrypt(&batch, &rows)?;
//!
//! let predicate = Predicate::new(&schema, "city = 'Lyon' AND stars >= 3")?;
//! assert_eq!(predicate.pairings(), 5);
//! let token = secret.token(&batch, &predicate.pattern(batch.system().order())?)?;
//! let search = Search::new(batch, &token)?;
//! let found = search.open(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
//! assert_eq!(found[0].as_ref().unwrap().as_ref().unwrap()[..], b"a message"[..]);
//! assert!(found[1..].iter().all(|row| matches!(row, Ok(None))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is hidden, and what is not
//!
//! *Hidden* from those who hold ciphertexts and tokens, but neither key nor factors: the elements of a row, beyond
//! what the tokens reveal of it, and the message of a row for which no token's predicate holds. None of the schemes
//! is secure against chosen ciphertexts: the proofs consider adversaries who change no ciphertext. All schemes are
//! proved to hide the same (full attribute-hiding, as Katz, Sahai and Waters define it, except for hidden vectors).
//! Where the order is composite, the adversary must name the two vectors to be told apart before the public key is
//! known (selective security); where it is prime, the adversary may choose them at any time (adaptive security).
//!
//! *Not hidden*: of which rows a token's predicate holds, and so the access pattern; that several tokens hold of the
//! same rows; the number of elements of vectors; the lengths of messages; the public key to which a row belongs; the
//! positions that a hidden-vector token reads. The predicate of a token is no secret: since everybody can encrypt,
//! the token's holder can try it on any row.
//!
//! *Rows are not signed*: anyone with the public key can add rows of any content, including rows that match every
//! token where a vector of zeros does; anyone with a token can add rows that match it. Anyone with neither can copy
//! rows, and multiply their points if there are no messages. Rows of points outside the group match nothing. Keys and
//! tokens are checked in full. Points of rows are checked at least to be on the curve and, where a point outside the
//! group could change the result, to be in the group ([`Search::new`]).
//!
//! *Security* rests on the factors of N being unknown, so on factoring, and on assumptions of the two papers about
//! subgroups of composite-order groups (Katz, Sahai, Waters: their assumptions 1 and 2; Boneh, Waters: the composite
//! 3-party Diffie–Hellman and the bilinear Diffie–Hellman assumption in G_p).
//! [`Curve::security`](bilinear_engine::Curve::security) estimates a parameter set: two primes of 512 bits are at
//! about 80 bits. Over a prime order only the key is secret, and the assumptions are standard: in dual spaces the
//! decisional linear assumption (Okamoto, Takashima; on two groups, of both), with matrices SXDH, that decisional
//! Diffie–Hellman is hard in G1 and in G2 (Chen, Gong, Wee), for which the groups must be different ones. A message
//! may be empty: then a row reveals only whether a predicate holds of it. **The curves of composite order that are
//! shipped are for tests and measurements only: all but a1-pbc publish their factors, and the maker of a1-pbc may
//! hold its factors. Generate a curve of your own** ([`bilinear_engine::params::generate`]).
//!
//! Over a composite order a match depends on ⟨x, v⟩ = 0 modulo q only (or on agreement modulo p in hidden vectors).
//! Vectors for which that differs from equality modulo N give a factor of N. A vector of zeros matches every token of
//! an inner product. With matrices a token reveals which of its elements are 0.
//!
//! *Constant time*: [`PublicKey::encrypt`], [`Encryptor::encrypt`], [`SecretKey::token`] and
//! [`SecretKey::from_bytes`], as each says. Set-up computes multiples by secrets in the same way; the sizes of the
//! factors are public. Search, the decoding of everything else and the compilation of predicates process public
//! values in variable time.

mod dual_spaces;
mod encrypt;
mod encryptor;
mod error;
mod file;
mod hidden_vector;
mod inner_product;
mod keys;
pub mod language;
mod matrices;
mod matrix;
mod row;
mod scheme;
mod search;
mod searches;
mod token;

pub use crate::encoding::{DecodeError, DecodeErrorReason, ObjectKind, OtherCurve};
pub use crate::scalar::Scalar;
pub use encryptor::Encryptor;
pub use error::PredicateError;
pub use file::{Content, KeyFile, KeyFileError, MAX_FILE};
pub use keys::{PublicKey, SecretKey, setup};
pub use scheme::{MAX_LENGTH, Scheme};
pub use search::{Opened, Search};
pub use searches::Searches;
pub use token::{Pattern, Token};
