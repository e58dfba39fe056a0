//! Boneh, Goh, Nissim: computations on ciphertexts against integers, and encodings.

use crate::small::{Random, batch, damaged, on, resealed};
use bilinear_engine::Engine;
use bilinear_schemes::bgn::{BgnError, DecodeErrorReason, ObjectKind, PublicKey, SecretKey, setup};

#[test]
fn sums_and_products_are_those_of_integers() {
    let seed = 1921;
    let (batch, mut random) = (batch(2), Random(seed));
    let (public, secret) = setup(&batch).unwrap();
    let bound = 40_000;
    let table = secret.dlog_table(&batch, bound).unwrap();
    let mut numbers = vec![0, 1, -1, 2, 200, -200, 7, 7];
    numbers.extend((0..8).map(|_| random.below(400) as i64 - 200));
    let c = public.encrypt(&batch, &numbers).unwrap();
    let wanted: Vec<_> = numbers.iter().map(|m| Some(*m)).collect();
    assert_eq!(table.decrypt(&batch, &c), wanted, "seed {seed}");
    let fresh = public.rerandomize(&batch, &c).unwrap();
    assert_eq!(table.decrypt(&batch, &fresh), wanted);
    assert!(fresh.iter().zip(&c).all(|(a, b)| a != b) && c[6] != c[7]);
    let pairs: Vec<_> = (0..16).map(|i| (i, random.below(16))).collect();
    let products = public.products(&batch, &pairs.iter().map(|(i, j)| (&c[*i], &c[*j])).collect::<Vec<_>>()).unwrap();
    let wanted: Vec<_> = pairs.iter().map(|(i, j)| Some(numbers[*i] * numbers[*j])).collect();
    assert_eq!(table.decrypt_products(&batch, &products), wanted, "seed {seed}");
    for len in [0, 1, 2, 5] {
        let sum = public.add(&batch, &c[8..8 + len]);
        assert_eq!(table.decrypt(&batch, &[sum]), [Some(numbers[8..8 + len].iter().sum())]);
    }
    // an inner product with a number that is not a product, and multiples
    let some = public.products(&batch, &[(&c[8], &c[9]), (&c[1], &c[10])]).unwrap();
    let all = [
        some[0].clone(),
        some[1].clone(),
        public.as_product(&batch, &c[11]),
        public.scale_product(&batch, -3, &some[1]),
    ];
    let sum = public.add_products(&batch, &all);
    assert_eq!(table.decrypt_products(&batch, &[sum]), [Some(numbers[8] * numbers[9] - 2 * numbers[10] + numbers[11])]);
    for k in [0, 1, -1, 13, -100] {
        assert_eq!(table.decrypt(&batch, &[public.scale(&batch, k, &c[4])]), [Some(200 * k)]);
    }
}

#[test]
fn every_number_up_to_the_bound_and_none_beyond() {
    let batch = batch(2);
    let (public, secret) = setup(&batch).unwrap();
    for bound in [1, 2, 3, 50] {
        let table = secret.dlog_table(&batch, bound).unwrap();
        let last = bound as i64 + 3;
        let numbers: Vec<i64> = (-last..=last).collect();
        let wanted: Vec<_> = numbers.iter().map(|m| (m.unsigned_abs() <= bound).then_some(*m)).collect();
        let c = public.encrypt(&batch, &numbers).unwrap();
        assert_eq!(table.decrypt(&batch, &c), wanted, "bound {bound}");
        let products: Vec<_> = c.iter().map(|c| public.as_product(&batch, c)).collect();
        assert_eq!(table.decrypt_products(&batch, &products), wanted, "bound {bound}");
    }
    // more than one run of giant steps, and the ends
    let bound = 1 << 24;
    let table = secret.dlog_table(&batch, bound).unwrap();
    let edge = bound as i64;
    let numbers = [edge, -edge, edge + 1, -edge - 1, edge - 1, 12_345_678, -9_876_543, i64::MIN, i64::MAX];
    let found = table.decrypt(&batch, &public.encrypt(&batch, &numbers).unwrap());
    let wanted: Vec<_> = numbers.iter().map(|m| (m.unsigned_abs() <= bound).then_some(*m)).collect();
    assert_eq!(found, wanted);
    for bound in [0, (1 << 40) + 1] {
        assert!(matches!(secret.dlog_table(&batch, bound), Err(BgnError::Bound(_))));
    }
}

/// O is a ciphertext of 0 that anyone can make: it is encoded and decoded like others.
#[test]
fn visible_zeros_round_trip() {
    let batch = batch(2);
    let (public, secret) = setup(&batch).unwrap();
    let c = public.encrypt(&batch, &[7]).unwrap().remove(0);
    let minus = public.scale(&batch, -1, &c);
    let zeros = [public.scale(&batch, 0, &c), public.add(&batch, &[c.clone(), minus]), public.add(&batch, &[])];
    let len = public.ciphertext_bytes(&c).len();
    for zero in &zeros {
        let bytes = public.ciphertext_bytes(zero);
        assert_eq!(bytes.len(), len);
        assert_eq!(public.read_ciphertext(&batch, &bytes).as_ref(), Ok(zero));
        for (what, changed) in damaged(&bytes) {
            assert!(public.read_ciphertext(&batch, &changed).is_err(), "{what}");
        }
    }
    assert_eq!(secret.dlog_table(&batch, 10).unwrap().decrypt(&batch, &zeros), [Some(0); 3]);
    let products = public.products(&batch, &[(&zeros[0], &c)]).unwrap();
    let ones = [public.scale_product(&batch, 0, &products[0]), public.add_products(&batch, &[])];
    for one in ones {
        assert_eq!(public.read_product(&batch, &public.product_bytes(&one)), Ok(one));
    }
}

#[test]
fn mixed_objects_are_refused_and_bytes_round_trip() {
    let (two, three) = (batch(2), batch(3));
    assert!(matches!(setup(&three), Err(BgnError::Primes { found: 3, .. })));
    assert!(matches!(setup(&on(2, Engine::Mont)), Err(BgnError::Factors(_))));
    let (public, secret) = setup(&two).unwrap();
    let (other, _) = setup(&two).unwrap();
    assert!(matches!(public.encrypt(&three, &[1]), Err(BgnError::Curve(_))));
    assert!(matches!(secret.dlog_table(&three, 10), Err(BgnError::Curve(_))));
    let c = public.encrypt(&two, &[5]).unwrap().remove(0);
    let product = public.products(&two, &[(&c, &c)]).unwrap().remove(0);
    let (bytes, product_bytes) = (public.ciphertext_bytes(&c), public.product_bytes(&product));
    let read = PublicKey::from_bytes(&two, &public.to_bytes()).unwrap();
    assert_eq!(read, public);
    assert_eq!(read.read_ciphertext(&two, &bytes), Ok(c));
    assert_eq!(read.read_product(&two, &product_bytes), Ok(product.clone()));
    let read_secret = SecretKey::from_bytes(&two, &secret.to_bytes()).unwrap();
    assert_eq!(read_secret.to_bytes(), secret.to_bytes());
    assert_eq!(read_secret.dlog_table(&two, 100).unwrap().decrypt_products(&two, &[product]), [Some(25)]);
    assert_eq!(read_secret.id(), read.id());
    let error = other.read_ciphertext(&two, &bytes).unwrap_err();
    assert_eq!((error.what, error.at, error.reason), (ObjectKind::Ciphertext, 23, DecodeErrorReason::Key));
    assert!(public.read_product(&two, &bytes).is_err() && public.read_ciphertext(&two, &product_bytes).is_err());
    for (what, changed) in damaged(&bytes) {
        assert!(public.read_ciphertext(&two, &changed).is_err(), "{what}");
    }
    for (what, changed) in damaged(&product_bytes) {
        assert!(public.read_product(&two, &changed).is_err(), "{what}");
    }
    for (what, changed) in damaged(&public.to_bytes()) {
        assert!(PublicKey::from_bytes(&two, &changed).is_err(), "{what}");
    }
    for (what, changed) in damaged(&secret.to_bytes()) {
        assert!(SecretKey::from_bytes(&two, &changed).is_err(), "{what}");
    }
    // a q_1 that is not a factor
    let mut changed = secret.to_bytes().to_vec();
    let last = changed.len() - 17;
    changed[last] ^= 2;
    assert_eq!(SecretKey::from_bytes(&two, &resealed(changed)).unwrap_err().reason, DecodeErrorReason::Range("q_1"));
    assert_eq!(format!("{secret:?}"), "SecretKey(…)");
}
