//! Predicate encryption: rows are encrypted under a public key, and a token tells of which rows a predicate holds, and nothing
//! else of them. A server can search a table that it cannot read.
//!
//! | [`Scheme`] | predicate | order | pairings a row |
//! |---|---|---|---:|
//! | [`InnerProductOnly`](Scheme::InnerProductOnly), [`InnerProduct`](Scheme::InnerProduct) | ⟨x, v⟩ = 0 | p·q·r | 2n + 1 |
//! | [`HiddenVector`](Scheme::HiddenVector) | x agrees with a pattern in s places, the others are wildcards | p·q | 2s + 1 |
//! | [`DualSpaces`](Scheme::DualSpaces) | ⟨x, v⟩ = 0 | a prime | 4n + 2 |
//! | [`Matrices`](Scheme::Matrices) | ⟨x, v⟩ = 0 | a prime | 3m + 2, for the m elements of v that are not 0 |
//!
//! [`language`] writes predicates as people do and compiles them to vectors.
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
//! *Hidden* from those who hold ciphertexts and tokens, but neither key nor factors: the elements of a row, beyond what the tokens
//! tell of it; the message of a row of which no token's predicate holds. None of the schemes stands chosen ciphertexts: the proofs are for
//! adversaries who do not change any. What they are proved to hide is the same (full attribute-hiding, as Katz, Sahai and Waters define it, but
//! for hidden vectors), against adversaries who name the two vectors that they want to tell apart before they see the public key (selective
//! security) where the order is composite, and at any time (adaptive security) where it is prime.
//!
//! *Not hidden*: of which rows a token's predicate holds, and so the access pattern; that several tokens hold of the same rows; how
//! many elements vectors have; lengths of messages; which public key a row belongs to; which places a hidden-vector token looks
//! at. The predicate of a token is no secret: since everybody can encrypt, its holder can try it on any row.
//!
//! *Nobody signs rows*: whoever has the public key can add some that say what they like, and that match every token where a vector of zeros
//! does; whoever has a token can add some that match it. Who has neither can copy rows, and without messages multiply their points.
//! Rows of points outside the group match nothing: keys and tokens are checked in full, points of rows at least to be on the curve
//! and, where one outside the group could change what is found, to be in it ([`Search::new`]).
//!
//! *It rests on* the factors of N being unknown, so on factoring, and on assumptions of the two papers about subgroups of
//! composite-order groups (Katz, Sahai, Waters: their assumptions 1 and 2; Boneh, Waters: the composite 3-party Diffie–Hellman and the
//! bilinear Diffie–Hellman assumption in G_p). [`Curve::security`](bilinear_engine::Curve::security) estimates a parameter set: two primes of 512 bits
//! are at about 80 bits. Over a prime order nothing is secret but the key, and what is assumed is standard: in dual spaces the decisional linear
//! assumption (Okamoto, Takashima; on two groups, of both), with matrices SXDH, that decisional Diffie–Hellman is hard in G1 and in G2 (Chen,
//! Gong, Wee), for which the groups must be different ones. A message may be empty: then a row says nothing but whether a predicate
//! holds of it. **The curves of composite order that are shipped are for tests and measurements only: all but a1-pbc publish their
//! factors, and whoever made a1-pbc may hold its own. Make your own** ([`bilinear_engine::params::generate`]).
//!
//! Over a composite order a match is told by ⟨x, v⟩ = 0 modulo q alone (or agreement modulo p in hidden vectors). Vectors for which that differs from equality modulo N give a factor of N.
//! A vector of zeros matches every token of an inner product. With matrices a token tells which of its elements are 0.
//!
//! *Constant time*: [`PublicKey::encrypt`], [`Encryptor::encrypt`], [`SecretKey::token`] and [`SecretKey::read_secret`], as each says. Set-up takes multiples
//! by secrets in the same way; the sizes of the factors are public. Search, the reading of everything else and the compilation of
//! predicates treat public values in variable time.

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

pub use crate::encoding::{DecodeError, Kind, OtherCurve, Reason};
pub use crate::scalar::Scalar;
pub use encryptor::Encryptor;
pub use error::PredicateError;
pub use file::{Content, KeyFile, KeyFileError, MOST_FILE};
pub use keys::{PublicKey, SecretKey, setup};
pub use scheme::{MOST_LENGTH, Scheme};
pub use search::{Opened, Search};
pub use searches::Searches;
pub use token::{Pattern, Token};
