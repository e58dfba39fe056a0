//! Damaged keys, tokens and ciphertexts of predicates, BGN and identity-based encryption. Encoding an accepted object
//! gives the bytes that were read, and an encrypted row opens to nothing or to its message.
//!
//! The first byte chooses the object, and whether it gets a correct checksum. Three bytes describe one damage: the
//! offset and the new byte. From offset 0xfff0 on, the bytes are truncated instead. Keys are new in every run, so a
//! failure prints the bytes.
#![no_main]

use bilinear_engine::params::generate::Generator;
use bilinear_engine::params::{Curve, Factors};
use bilinear_engine::{Batch, System};
use bilinear_schemes::predicate::{Pattern, PublicKey, Scheme, Search, SecretKey, Token, setup};
use bilinear_schemes::{bgn, ibe};
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use std::fmt::Debug;
use std::sync::LazyLock;

/// The number of bytes of the checksum.
const CHECKSUM: usize = 16;

/// A valid specimen, and a function that reads such bytes. If it accepts them, it returns the bytes that it would
/// write.
type Kind = (Vec<u8>, Box<dyn Fn(&[u8]) -> Option<Vec<u8>> + Send + Sync>);

fn ok<T, E: Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Creates a batch on a curve whose order has this number of primes of 80 bits, or on a shipped curve of prime order.
fn batch(primes: usize) -> Batch {
    if primes == 1 {
        return Batch::new(ok(System::new(&ok(Curve::named("d-159"))))).on_this_thread();
    }
    let made = ok(Generator::new("small").insecure(true).a1(&vec![80; primes]));
    let factors: Factors = made.factors.unwrap_or_else(|| panic!("the factors of a new order"));
    Batch::new(ok(ok(System::new(&made.curve)).with_factors(&factors))).on_this_thread()
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let mut kinds: Vec<Kind> = vec![];
    let composite = [Scheme::InnerProductOnly, Scheme::InnerProduct, Scheme::HiddenVector];
    for scheme in composite.into_iter().chain([Scheme::DualSpaces, Scheme::Matrices]) {
        let batch = batch(scheme.primes());
        let (public, secret) = ok(setup(&batch, scheme, 2));
        let message: &[u8] = if scheme.has_message() { b"message" } else { b"" };
        let row = ok(public.encrypt(&batch, &[(&[0.into(), 1.into()], message)])).remove(0);
        let pattern = match scheme {
            Scheme::HiddenVector => Pattern::HiddenVector(vec![None, Some(1.into())]),
            _ => Pattern::InnerProduct(vec![1.into(), 0.into()]),
        };
        let token = ok(secret.token(&batch, &pattern));
        let search = ok(Search::new(batch.clone(), &token));
        let on = || batch.clone();
        let (a, b, c) = (on(), on(), on());
        kinds.push((public.to_bytes(), Box::new(move |bytes| Some(PublicKey::from_bytes(&a, bytes).ok()?.to_bytes()))));
        let read = move |bytes: &[u8]| Some(SecretKey::from_bytes(&b, bytes).ok()?.to_bytes().to_vec());
        kinds.push((secret.to_bytes().to_vec(), Box::new(read)));
        kinds.push((token.to_bytes(), Box::new(move |bytes| Some(Token::from_bytes(&c, bytes).ok()?.to_bytes()))));
        let open = move |bytes: &[u8]| {
            let opened = search.open(&[bytes]).remove(0).ok()?;
            assert!(opened.is_none_or(|opened| opened[..] == *message), "another message: {bytes:02x?}");
            Some(bytes.to_vec())
        };
        kinds.push((row, Box::new(open)));
    }
    let on = batch(2);
    let (public, secret) = ok(bgn::setup(&on));
    let number = ok(public.encrypt(&on, &[7])).remove(0);
    let product = public.as_product(&on, &number);
    let specimens = [public.ciphertext_bytes(&number), public.product_bytes(&product)];
    let [a, b, c, d] = [(); 4].map(|()| on.clone());
    let (p, q) = (public.clone(), public.clone());
    kinds
        .push((public.to_bytes(), Box::new(move |bytes| Some(bgn::PublicKey::from_bytes(&a, bytes).ok()?.to_bytes()))));
    let read = move |bytes: &[u8]| Some(bgn::SecretKey::from_bytes(&b, bytes).ok()?.to_bytes().to_vec());
    kinds.push((secret.to_bytes().to_vec(), Box::new(read)));
    let [number, product] = specimens;
    let read = move |bytes: &[u8]| Some(p.ciphertext_bytes(&p.read_ciphertext(&c, bytes).ok()?));
    kinds.push((number, Box::new(read)));
    kinds.push((product, Box::new(move |bytes| Some(q.product_bytes(&q.read_product(&d, bytes).ok()?)))));
    let (public, master) = ok(ibe::setup(&on));
    let user = ok(master.extract(&on, b"ann"));
    let row = ok(public.encrypt(&on, &[(b"ann", b"message")])).remove(0);
    let [a, b, c, d] = [(); 4].map(|()| on.clone());
    kinds
        .push((public.to_bytes(), Box::new(move |bytes| Some(ibe::PublicKey::from_bytes(&a, bytes).ok()?.to_bytes()))));
    let read = move |bytes: &[u8]| Some(ibe::MasterKey::from_bytes(&b, bytes).ok()?.to_bytes().to_vec());
    kinds.push((master.to_bytes().to_vec(), Box::new(read)));
    let read = move |bytes: &[u8]| Some(ibe::PrivateKey::from_bytes(&c, bytes).ok()?.to_bytes().to_vec());
    kinds.push((user.to_bytes().to_vec(), Box::new(read)));
    let open = move |bytes: &[u8]| {
        let opened = user.decrypt(&d, &[bytes]).remove(0).ok()?;
        assert!(opened.is_none_or(|opened| opened[..] == b"message"[..]), "another message: {bytes:02x?}");
        Some(bytes.to_vec())
    };
    kinds.push((row, Box::new(open)));
    for (specimen, read) in &kinds {
        assert_eq!(read(specimen).as_ref(), Some(specimen));
    }
    kinds
});

fuzz_target!(|data: &[u8]| {
    let [choice, damages @ ..] = data else { return };
    let (specimen, read) = &KINDS[usize::from(choice >> 1) % KINDS.len()];
    let mut bytes = specimen.clone();
    for damage in damages.chunks_exact(3) {
        let at = usize::from(damage[0]) << 8 | usize::from(damage[1]);
        match bytes.get_mut(at) {
            Some(byte) => *byte = damage[2],
            None if at >= 0xfff0 => bytes.truncate(usize::from(damage[2])),
            None => {}
        }
    }
    if choice & 1 == 1 && bytes.len() >= CHECKSUM {
        let end = bytes.len() - CHECKSUM;
        let checksum = Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum[..CHECKSUM]);
    }
    if let Some(written) = read(&bytes) {
        assert!(written == bytes, "written otherwise than read: {bytes:02x?}");
    }
});
