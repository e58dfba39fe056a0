//! Numbers that are added, and multiplied once, while they are encrypted: Boneh, Goh, Nissim, "Evaluating 2-DNF
//! formulas on ciphertexts", TCC 2005. Groups of order N = q_1·q_2, written additively, with generators g of the
//! group and h of its subgroup of order q_1.
//!
//! | | | cost |
//! |---|---|---|
//! | secret key | q_1 | |
//! | ciphertext of m | C = m·g + r·h | 2 multiples of points |
//! | sum | C + C' | 1 addition |
//! | product | e(C, C')·e(g, h)^r = e(g, g)^(m·m')·e(g, h)^(…) | 1 pairing, 1 power |
//! | m | the logarithm of q_1·C to the base q_1·g, or of a product's q_1-th power in GT | 1 multiple or power, √B/2 additions on average for \|m\| ≤ B |
//!
//! ```
//! use bilinear_engine::{Batch, System, params::Curve};
//! use bilinear_schemes::bgn::setup;
//!
//! // for tests only: the factors of this curve's order are public
//! let batch = Batch::new(System::new(&Curve::named("a1-2x512")?)?);
//! let (public, secret) = setup(&batch)?;
//! let c = public.encrypt(&batch, &[3, -4, 10])?;
//! // 3·(−4) + 10·10
//! let products = public.products(&batch, &[(&c[0], &c[1]), (&c[2], &c[2])])?;
//! let sum = public.add_products(&batch, &products);
//! let table = secret.dlog_table(&batch, 1000)?;
//! assert_eq!(table.decrypt_products(&batch, &[sum]), [Some(88)]);
//! assert_eq!(table.decrypt(&batch, &[public.add(&batch, &c)]), [Some(9)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! *Hidden* from those who hold the public key alone: the numbers, if it is hard to tell points of order q_1 from
//! others (the subgroup decision assumption of the paper, which requires that the factors of N are unknown). *Not
//! hidden*: anyone who can change ciphertexts can change numbers, which is the purpose of the scheme. A result of
//! [`PublicKey::add`] reveals its summands to those who have these ciphertexts ([`PublicKey::rerandomize`] hides them). The
//! two primes of 512 bits of `a1-2x512` give a level of about 80 bits, with secret factors.
//!
//! *Constant time*: [`PublicKey::encrypt`] and [`PublicKey::rerandomize`], as each says. The time of a decryption depends
//! on the number, and so do the table entries that it reads.

mod ciphertext;
mod dlog;
mod keys;

pub use crate::encoding::{DecodeError, DecodeErrorReason, ObjectKind, OtherCurve};
pub use ciphertext::{Ciphertext, Product};
pub use dlog::DlogTable;
pub use keys::{BgnError, PublicKey, SecretKey, setup};
