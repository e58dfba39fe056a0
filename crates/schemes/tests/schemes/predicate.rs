//! Inner products and hidden vectors: outcomes against plain integers, equations against pairings one by one,
//! encodings.

use crate::prime::PRIME;
use crate::small::{Random, batch, damaged, named, on, prime, resealed};
use bilinear_engine::params::{Curve, Factors};
use bilinear_engine::{Batch, BigUint, Engine, Group, Point, PointRef, System, Validate};
use bilinear_schemes::predicate::{
    DecodeErrorReason, MAX_LENGTH, ObjectKind, Pattern, PredicateError, PublicKey, Scalar, Scheme, Search, Searches,
    SecretKey, Token, setup,
};

pub(crate) fn scalars(v: &[BigUint]) -> Vec<Scalar> {
    v.iter().map(Scalar::from).collect()
}

pub(crate) fn encrypted(public: &PublicKey, batch: &Batch, rows: &[(Vec<BigUint>, &[u8])]) -> Vec<Vec<u8>> {
    let rows: Vec<(Vec<Scalar>, &[u8])> = rows.iter().map(|(x, message)| (scalars(x), *message)).collect();
    public.encrypt(batch, &rows.iter().map(|(x, message)| (&x[..], *message)).collect::<Vec<_>>()).unwrap()
}

pub(crate) fn refs(rows: &[Vec<u8>]) -> Vec<&[u8]> {
    rows.iter().map(Vec::as_slice).collect()
}

/// Decodes `count` points of a group that follow `before` bytes.
pub(crate) fn points(system: &System, group: Group, bytes: &[u8], before: usize, count: usize) -> Vec<Point> {
    let len = system.point_len(group);
    let chunks = bytes[before..before + count * len].chunks(len);
    chunks.map(|bytes| system.decode(group, PointRef::Bytes(bytes), Validate::Subgroup).unwrap()).collect()
}

#[test]
fn inner_products_are_those_of_integers() {
    let seed = 1901;
    let (batch, mut random) = (batch(3), Random(seed));
    let (n, [p, q, r]) = (batch.system().order().clone(), [0, 1, 2].map(prime));
    let [zero, one] = [0u8, 1].map(BigUint::from);
    // 1 modulo one prime, 0 modulo the others
    let (only_p, only_q) = (&q * &r, &p * &r);
    let mut values = vec![zero.clone(), one.clone(), &n - 1u8, n.clone(), p.clone(), q.clone(), only_p, only_q];
    values.extend((0..4).map(|_| random.number(&n)));
    for scheme in [Scheme::InnerProductOnly, Scheme::InnerProduct] {
        let (public, secret) = setup(&batch, scheme, 3).unwrap();
        let message: &[u8] = if scheme.has_message() { b"message" } else { b"" };
        for round in 0..12 {
            let mut vector =
                || -> Vec<BigUint> { (0..3).map(|_| values[random.below(values.len())].clone()).collect() };
            let v = if round == 0 { vec![zero.clone(); 3] } else { vector() };
            let mut xs: Vec<Vec<BigUint>> = (0..6).map(|_| vector()).collect();
            xs.push(vec![zero.clone(); 3]);
            // an orthogonal vector: the cross product, also of equal vectors
            let minus = |x: BigUint| (&n - x % &n) % &n;
            xs.push(vec![&v[1] % &n, minus(v[0].clone()), zero.clone()]);
            xs.push(xs[7].clone());
            let rows: Vec<_> = xs.iter().map(|x| (x.iter().map(|x| x % &n).collect(), message)).collect();
            let rows = encrypted(&public, &batch, &rows);
            let token = secret
                .token(&batch, &Pattern::InnerProduct(scalars(&v.iter().map(|v| v % &n).collect::<Vec<_>>())))
                .unwrap();
            assert_eq!(token.pairings(), 7);
            let found = Search::new(batch.clone(), &token).unwrap();
            let (matches, opened) = (found.matches(&refs(&rows)), found.open(&refs(&rows)));
            for ((x, matches), opened) in xs.iter().zip(matches).zip(opened) {
                let product: BigUint = x.iter().zip(&v).map(|(x, v)| x * v).sum();
                let wanted = &product % &q == zero;
                assert_eq!(matches, Ok(wanted), "seed {seed}, round {round}, {scheme}: {x:?}, {v:?}");
                assert_eq!(opened.unwrap().map(|m| m.to_vec()), wanted.then(|| message.to_vec()));
            }
        }
        // orthogonal modulo q only, and modulo p and r only
        let rows = encrypted(&public, &batch, &[(vec![one.clone(), one.clone(), zero.clone()], message)]);
        for (last, wanted) in [(&q - 1u8, true), (&p * &r - 1u8, false), (&p * &q - 1u8, true), (&n - 1u8, true)] {
            let v = [BigUint::from(1u8), last, BigUint::from(5u8)];
            let token = secret.token(&batch, &Pattern::InnerProduct(scalars(&v))).unwrap();
            assert_eq!(Search::new(batch.clone(), &token).unwrap().matches(&refs(&rows)), [Ok(wanted)]);
        }
    }
}

#[test]
fn hidden_vectors_agree_where_there_is_no_wildcard() {
    let seed = 1902;
    let (batch, mut random) = (batch(2), Random(seed));
    let (public, secret) = setup(&batch, Scheme::HiddenVector, 4).unwrap();
    let n = batch.system().order().clone();
    let values: Vec<BigUint> = vec![0u8.into(), 1u8.into(), 2u8.into(), &n - 1u8, random.number(&n)];
    let mut vector = |some: usize| -> Vec<BigUint> { (0..4).map(|_| values[random.below(some)].clone()).collect() };
    let xs: Vec<Vec<BigUint>> = (0..20).map(|i| vector(if i < 10 { 2 } else { 5 })).collect();
    let messages: Vec<Vec<u8>> = (0..20).map(|i| vec![i; 3 * usize::from(i)]).collect();
    let rows: Vec<_> = xs.iter().zip(&messages).map(|(x, message)| (x.clone(), &message[..])).collect();
    let rows = encrypted(&public, &batch, &rows);
    let mut held = 0;
    for round in 0..24usize {
        let pattern: Vec<Option<BigUint>> =
            vector(2).into_iter().enumerate().map(|(i, x)| (round >> i & 1 == 1).then_some(x)).collect();
        let places = pattern.iter().flatten().count();
        let pattern_of_scalars = Pattern::HiddenVector(pattern.iter().map(|x| x.as_ref().map(Scalar::from)).collect());
        let token = secret.token(&batch, &pattern_of_scalars).unwrap();
        assert_eq!((token.pairings(), public.scheme().pairings(&pattern_of_scalars)), (2 * places + 1, 2 * places + 1));
        let opened = Search::new(batch.clone(), &token).unwrap().open(&refs(&rows));
        for ((x, message), opened) in xs.iter().zip(&messages).zip(opened) {
            let wanted = x.iter().zip(&pattern).all(|(x, wanted)| wanted.as_ref().is_none_or(|wanted| wanted == x));
            held += usize::from(wanted);
            assert_eq!(
                opened.unwrap().map(|m| m.to_vec()),
                wanted.then(|| message.clone()),
                "seed {seed}, round {round}: {x:?}, {pattern:?}"
            );
        }
    }
    assert!(held > 40, "{held} matches");
}

/// Checks the product of the pairings one by one, and the subgroups in which the points of a row and a token lie.
#[test]
fn the_equations_hold_one_by_one() {
    let batch = batch(3);
    let system = batch.system();
    let (public, secret) = setup(&batch, Scheme::InnerProductOnly, 2).unwrap();
    let [one, two, three] = [1u8, 2, 3].map(BigUint::from);
    let rows = encrypted(&public, &batch, &[(vec![three, two.clone()], b""), (vec![one.clone(), one.clone()], b"")]);
    let v = [two, system.order() - 3u8];
    let token = secret.token(&batch, &Pattern::InnerProduct(scalars(&v))).unwrap();
    let keys = points(system, Group::G1, &token.to_bytes(), 23 + 20 + 4, 5);
    let matches: Vec<bool> = rows
        .iter()
        .map(|row| {
            let row = points(system, Group::G1, row, 23 + 18, 5);
            let pairs = row.iter().zip(&keys).map(|(c, k)| system.pair(c, k));
            let product = pairs.fold(system.gt_one(), |product, e| system.gt_mul(&product, &e));
            // C_0 is in G_p; the others have components in all three subgroups
            assert_eq!(system.in_subgroup(0, &row[0]), Ok(true));
            for c in &row[1..] {
                assert!((0..3).all(|i| !system.project(i, c).unwrap().is_infinity()));
            }
            product == system.gt_one()
        })
        .collect();
    assert_eq!(matches, [true, false]);
    let parts = |k: &Point| [0, 1, 2].map(|i| !system.project(i, k).unwrap().is_infinity());
    assert_eq!(parts(&keys[0]), [true; 3]);
    assert!(keys[1..].iter().all(|k| parts(k) == [true, true, false]));
    // tokens and rows for the same input differ each time
    assert!(token != secret.token(&batch, &Pattern::InnerProduct(scalars(&v))).unwrap());
    let twice = encrypted(&public, &batch, &vec![(vec![one.clone(), one], &b""[..]); 2]);
    let [a, b] = [0, 1].map(|i| points(system, Group::G1, &twice[i], 23 + 18, 5));
    assert!(a.iter().zip(&b).all(|(a, b)| a != b));
}

#[test]
fn the_parts_of_hidden_vectors() {
    let batch = batch(2);
    let system = batch.system();
    let (public, secret) = setup(&batch, Scheme::HiddenVector, 3).unwrap();
    let x: Vec<BigUint> = [7u8, 0, 9].map(BigUint::from).to_vec();
    let rows = encrypted(&public, &batch, &[(x, b"")]);
    let pattern = Pattern::HiddenVector(vec![None, Some(0.into()), Some(9.into())]);
    let token = secret.token(&batch, &pattern).unwrap();
    let keys = points(system, Group::G1, &token.to_bytes(), 23 + 20 + 4, 5);
    assert!(keys.iter().all(|k| system.in_subgroup(0, k) == Ok(true)));
    let row = points(system, Group::G1, &rows[0], 23 + 18, 7);
    assert!(row.iter().all(|c| (0..2).all(|i| !system.project(i, c).unwrap().is_infinity())));
    // the key of the message is the product over C_0 and the two positions
    let pairs = [0, 3, 4, 5, 6].iter().zip(&keys).map(|(i, k)| system.pair(&row[*i], k));
    let product = pairs.fold(system.gt_one(), |product, e| system.gt_mul(&product, &e));
    let all = secret.token(&batch, &Pattern::HiddenVector(vec![None; 3])).unwrap();
    let k = points(system, Group::G1, &all.to_bytes(), 23 + 20, 1);
    assert_eq!(system.pair(&row[0], &k[0]), product);
}

/// Without the masks of a row, which are drawn for each point, the pairings of its points with those of the public
/// key would reveal to everybody where an element is 0: e(s·A, B) = e(s·B, A).
#[test]
fn every_point_of_a_row_is_masked() {
    for scheme in [Scheme::InnerProductOnly, Scheme::InnerProduct, Scheme::HiddenVector] {
        let batch = batch(scheme.primes());
        let system = batch.system();
        let (public, _) = setup(&batch, scheme, 2).unwrap();
        let zero = BigUint::default();
        let row = encrypted(&public, &batch, &[(vec![zero.clone(), zero], b"")]).remove(0);
        let c = points(system, Group::G1, &row, 23 + 18, 5);
        let before = 23 + 2 + 2 * scheme.primes();
        // the point that s multiplies in each point of the row
        let factors = match scheme {
            Scheme::HiddenVector => {
                let key = points(system, Group::G1, &public.to_bytes(), before, 8);
                [1, 3, 4, 6, 7].map(|i| key[i].clone())
            }
            _ => {
                let key = points(system, Group::G1, &public.to_bytes(), before, 7);
                [0, 3, 4, 5, 6].map(|i| key[i].clone())
            }
        };
        // C_0 of an inner product has no mask, and needs none
        let first = usize::from(scheme != Scheme::HiddenVector);
        for (i, j) in (first..5).flat_map(|i| (i + 1..5).map(move |j| (i, j))) {
            assert_ne!(system.pair(&c[i], &factors[j]), system.pair(&c[j], &factors[i]), "{scheme}, {i} and {j}");
        }
    }
}

/// Batches in lanes, on threads and on one engine find the same rows.
#[test]
fn engines_agree() {
    let many = batch(3);
    let (public, secret) = setup(&many, Scheme::InnerProduct, 2).unwrap();
    let xs: Vec<Vec<BigUint>> = (0..40u8).map(|i| vec![BigUint::from(i % 5), 1u8.into()]).collect();
    let rows: Vec<_> = xs.iter().map(|x| (x.clone(), &b"m"[..])).collect();
    let rows = encrypted(&public, &many, &rows);
    let v = [BigUint::from(1u8), many.system().order() - 3u8];
    let token = secret.token(&many, &Pattern::InnerProduct(scalars(&v))).unwrap();
    let wanted: Vec<_> = (0..40).map(|i| Ok(i % 5 == 3)).collect();
    let two = many.clone().threads(2.try_into().unwrap()).unwrap();
    for batch in [many, two, on(3, Engine::Mont), on(3, Engine::Portable)] {
        assert_eq!(Search::new(batch.clone(), &token).unwrap().matches(&refs(&rows)), wanted);
        assert_eq!(Search::unprepared(batch, &token).unwrap().matches(&refs(&rows)), wanted);
    }
}

/// Tokens in one pass find what each finds alone, prepared or not, in valid rows and invalid ones; only the tokens
/// that read an invalid point see it.
#[test]
fn several_tokens_in_one_pass() {
    for scheme in [Scheme::InnerProductOnly, Scheme::InnerProduct, Scheme::HiddenVector] {
        let batch = batch(scheme.primes()).validate(Validate::OnCurve);
        let (public, secret) = setup(&batch, scheme, 3).unwrap();
        let message: &[u8] = if scheme.has_message() { b"message" } else { b"" };
        let xs: Vec<Vec<BigUint>> = (0..24u8).map(|i| [i % 2, i % 3, i % 4].map(BigUint::from).to_vec()).collect();
        let mut rows = encrypted(&public, &batch, &xs.iter().map(|x| (x.clone(), message)).collect::<Vec<_>>());
        let some = |v: [Option<u64>; 3]| match scheme {
            Scheme::HiddenVector => Pattern::HiddenVector(v.map(|x| x.map(Scalar::from)).to_vec()),
            _ => Pattern::InnerProduct(v.map(|x| Scalar::from(x.unwrap_or(0))).to_vec()),
        };
        let patterns =
            [[Some(1), None, None], [None, Some(2), Some(0)], [None; 3], [Some(0), Some(1), Some(2)]].map(some);
        let tokens = patterns.map(|pattern| secret.token(&batch, &pattern).unwrap());
        // the x of C_0 and of the two points of each element, and a byte of the checksum
        let point = (rows[0].len() - 16 - 23 - 18 - if scheme.has_message() { 4 + 7 + 32 } else { 0 }) / 7;
        for (i, row) in rows.iter_mut().take(7).enumerate() {
            row[23 + 18 + i * point + 3] ^= 1;
            *row = resealed(row.clone());
        }
        rows[7].pop();
        let searches = Searches::new(batch.clone(), &tokens).unwrap();
        let together = searches.open(&refs(&rows));
        let other = on(scheme.primes(), Engine::Portable).validate(Validate::OnCurve);
        let mut bad = vec![];
        for (i, (token, found)) in tokens.iter().zip(&together).enumerate() {
            let alone = Search::new(batch.clone(), token).unwrap().open(&refs(&rows));
            assert_eq!(*found, alone, "{scheme}, token {i}");
            let unprepared = Search::unprepared(other.clone(), token).unwrap().open(&refs(&rows));
            assert_eq!(*found, unprepared, "{scheme}, token {i}, not prepared");
            assert_eq!(searches.pairings()[i], token.pairings());
            bad.push(found.iter().filter(|row| row.is_err()).count());
            let holds = found.iter().flatten().filter(|row| row.is_some()).count();
            assert!(holds > 0, "{scheme}, token {i}");
        }
        // the damaged row, and the invalid points that a token reads
        let wanted = if scheme == Scheme::HiddenVector { [4, 6, 2, 8] } else { [8; 4] };
        assert_eq!(bad, wanted, "{scheme}");
        let (_, foreign) = setup(&batch, scheme, 3).unwrap();
        let foreign = foreign.token(&batch, &some([Some(1); 3])).unwrap();
        let tokens = [tokens[0].clone(), foreign];
        assert!(matches!(Searches::new(batch, &tokens), Err(PredicateError::Token(1))));
    }
}

#[test]
fn mixed_objects_are_refused() {
    let (three, two) = (batch(3), batch(2));
    let (public, secret) = setup(&three, Scheme::InnerProduct, 2).unwrap();
    let (others, other) = setup(&three, Scheme::InnerProduct, 2).unwrap();
    let (only, _) = setup(&three, Scheme::InnerProductOnly, 2).unwrap();
    let (hidden, _) = setup(&two, Scheme::HiddenVector, 2).unwrap();
    let zero = || vec![BigUint::default(); 2];
    let good = encrypted(&public, &three, &[(zero(), b"good")]).remove(0);
    let foreign = encrypted(&others, &three, &[(zero(), b"")]).remove(0);
    let scheme = encrypted(&only, &three, &[(zero(), b"")]).remove(0);
    let curve = encrypted(&hidden, &two, &[(zero(), b"")]).remove(0);
    let mut off_curve = good.clone();
    off_curve[23 + 18 + 3] ^= 1;
    let pattern = Pattern::InnerProduct(vec![1.into(), 1.into()]);
    let token = secret.token(&three, &pattern).unwrap();
    let token_bytes = token.to_bytes();
    let search = Search::new(three.clone(), &token).unwrap();
    let off_curve = resealed(off_curve);
    let rows: [&[u8]; 8] = [&good, &foreign, &scheme, &curve, &token_bytes, b"nonsense", &off_curve, &good];
    let found = search.open(&rows);
    for i in [0, 7] {
        assert_eq!(found[i].as_ref().unwrap().as_ref().unwrap()[..], b"good"[..]);
    }
    let errors: Vec<_> = found[1..7].iter().map(|row| *row.as_ref().unwrap_err()).collect();
    assert!(errors.iter().all(|error| error.what == ObjectKind::Ciphertext));
    let reasons: Vec<(usize, DecodeErrorReason)> = errors.iter().map(|error| (error.at, error.reason)).collect();
    assert_eq!(reasons[..2], [(23, DecodeErrorReason::Key), (5, DecodeErrorReason::Scheme(1))]);
    // another curve, and another scheme, which is reported first
    assert_eq!(
        reasons[2..5],
        [
            (5, DecodeErrorReason::Scheme(3)),
            (6, DecodeErrorReason::Kind(3)),
            (8, DecodeErrorReason::Length { given: 8, wanted: 39 })
        ]
    );
    assert!(matches!(reasons[5], (41, DecodeErrorReason::Point(_))));
    assert_eq!(errors[0].to_string(), "ciphertext, byte 23: the object belongs to another key");
    // a token of another key
    let foreign_token = other.token(&three, &pattern).unwrap();
    let found = Search::new(three.clone(), &foreign_token).unwrap().matches(&[&good]);
    assert_eq!(found[0].unwrap_err().reason, DecodeErrorReason::Key);
    // errors of calls
    assert!(matches!(Search::new(two.clone(), &token), Err(PredicateError::Curve(_))));
    assert!(matches!(secret.token(&two, &pattern), Err(PredicateError::Curve(_))));
    assert!(matches!(public.encrypt(&two, &[]), Err(PredicateError::Curve(_))));
    let wildcards = Pattern::HiddenVector(vec![None; 2]);
    assert!(matches!(secret.token(&three, &wildcards), Err(PredicateError::Pattern(_))));
    let long = Pattern::InnerProduct(vec![1.into(); 3]);
    let wrong = secret.token(&three, &long);
    assert!(matches!(wrong, Err(PredicateError::VectorLength { row: 0, given: 3, wanted: 2 })));
    let element = [Scalar::from(1), Scalar::new(&[0; 31])];
    let wrong = public.encrypt(&three, &[(&[1.into(), 1.into()], b""), (&element, b"")]);
    assert!(matches!(wrong, Err(PredicateError::Element { row: 1, element: 1, given: 31, most: 30 })));
    let wrong = only.encrypt(&three, &[(&[1.into(), 1.into()], b"m")]);
    assert!(matches!(wrong, Err(PredicateError::NoMessages { row: 0, given: 1 })));
    let long = vec![0; (1 << 24) + 1];
    let wrong = public.encrypt(&three, &[(&[1.into(), 1.into()], &long)]);
    assert!(matches!(wrong, Err(PredicateError::Message { row: 0, .. })));
    // errors of set-up
    assert!(matches!(setup(&two, Scheme::InnerProduct, 2), Err(PredicateError::Primes { wanted: 3, found: 2, .. })));
    assert!(matches!(setup(&three, Scheme::HiddenVector, 2), Err(PredicateError::Primes { wanted: 2, found: 3, .. })));
    for length in [0, MAX_LENGTH + 1] {
        assert!(matches!(setup(&three, Scheme::InnerProduct, length), Err(PredicateError::Length { .. })));
    }
    assert!(matches!(setup(&on(3, Engine::Mont), Scheme::InnerProduct, 2), Err(PredicateError::Factors(_))));
    assert!(format!("{secret:?} {element:?}").contains("…"));
}

#[test]
fn bytes_round_trip_and_damaged_bytes_are_refused() {
    let composite = [Scheme::InnerProductOnly, Scheme::InnerProduct, Scheme::HiddenVector];
    for scheme in composite.into_iter().chain(PRIME) {
        let batch = if scheme.primes() == 1 { named("d-159") } else { batch(scheme.primes()) };
        let (public, secret) = setup(&batch, scheme, 2).unwrap();
        let message: &[u8] = if scheme.has_message() { b"message" } else { b"" };
        let row = encrypted(&public, &batch, &[(vec![0u8.into(), 1u8.into()], message)]).remove(0);
        let pattern = match scheme {
            Scheme::HiddenVector => Pattern::HiddenVector(vec![None, Some(1.into())]),
            _ => Pattern::InnerProduct(vec![3.into(), 0.into()]),
        };
        // decoded keys and tokens work like the original ones
        let public_bytes = public.to_bytes();
        let read = PublicKey::from_bytes(&batch, &public_bytes).unwrap();
        assert!(read == public && read.id() == secret.id() && read.scheme() == scheme && read.length() == 2);
        let secret_bytes = secret.to_bytes();
        let read_secret = SecretKey::from_bytes(&batch, &secret_bytes).unwrap();
        assert_eq!(read_secret.to_bytes(), secret_bytes);
        let again = read_secret.token(&batch, &pattern).unwrap();
        let token_bytes = again.to_bytes();
        let token_read = Token::from_bytes(&batch, &token_bytes).unwrap();
        assert_eq!(token_read, again);
        let row_again = encrypted(&read, &batch, &[(vec![0u8.into(), 1u8.into()], message)]).remove(0);
        let search = Search::new(batch.clone(), &token_read).unwrap();
        for row in [&row, &row_again] {
            assert_eq!(search.open(&[row])[0].as_ref().unwrap().as_ref().unwrap()[..], *message);
        }
        // every damage is detected
        for (what, bytes) in damaged(&public_bytes) {
            assert!(PublicKey::from_bytes(&batch, &bytes).is_err(), "public key, {scheme}, {what}");
        }
        for (what, bytes) in damaged(&secret_bytes) {
            assert!(SecretKey::from_bytes(&batch, &bytes).is_err(), "secret key, {scheme}, {what}");
        }
        for (what, bytes) in damaged(&token_bytes) {
            assert!(Token::from_bytes(&batch, &bytes).is_err(), "token, {scheme}, {what}");
        }
        let changed: Vec<(String, Vec<u8>)> = damaged(&row).collect();
        let outcomes = search.matches(&changed.iter().map(|(_, bytes)| &bytes[..]).collect::<Vec<_>>());
        for ((what, _), outcome) in changed.iter().zip(outcomes) {
            assert!(outcome.is_err(), "row, {scheme}, {what}");
        }
        // changes by someone who knows how checksums are computed are rejected, or give something else. A point has
        // twenty bytes or more, of which a third is changed
        let forged = |bytes: &[u8]| -> Vec<Vec<u8>> {
            (0..bytes.len() - 16)
                .filter(|i| *i < 64 || i % 3 == 0)
                .map(|i| {
                    let mut bytes = bytes.to_vec();
                    bytes[i] ^= 1 << (i % 8);
                    resealed(bytes)
                })
                .collect()
        };
        for bytes in forged(&public_bytes) {
            assert!(PublicKey::from_bytes(&batch, &bytes).map_or(true, |key| key.id() != public.id()));
        }
        for bytes in forged(&token_bytes) {
            if let Ok(token) = Token::from_bytes(&batch, &bytes) {
                let found = Search::new(batch.clone(), &token).unwrap().matches(&[&row]);
                assert!(found[0] != Ok(true), "{scheme}");
            }
        }
        let rows = forged(&row);
        let found = search.matches(&refs(&rows));
        assert!(found.iter().all(|outcome| *outcome != Ok(true)), "{scheme}");
        for bytes in forged(&secret_bytes) {
            let Ok(key) = SecretKey::from_bytes(&batch, &bytes) else { continue };
            let token = key.token(&batch, &pattern);
            let Ok(token) = token else { continue };
            assert!(token.id() != public.id() || *key.to_bytes() == bytes);
        }
    }
}

/// Parameters with secret factors, as users have them, and the sizes of keys, tokens and rows.
#[test]
fn sizes() {
    let curve = Curve::named("a1-2x512").unwrap();
    let system = System::new(&curve).unwrap().with_factors(&Factors::public(&curve).unwrap()).unwrap();
    let batch = Batch::new(system).on_this_thread();
    let (public, secret) = setup(&batch, Scheme::HiddenVector, 4).unwrap();
    let row = encrypted(&public, &batch, &[([1u8, 2, 3, 4].map(BigUint::from).to_vec(), b"")]).remove(0);
    assert_eq!(row.len(), 23 + 18 + 9 * 260 + 4 + 32 + 16);
    let token = secret.token(&batch, &Pattern::HiddenVector([1, 2, 3, 4].map(|x| Some(x.into())).to_vec())).unwrap();
    assert_eq!(token.to_bytes().len(), 23 + 20 + 8 + 9 * 260 + 16);
    assert_eq!(Search::new(batch, &token).unwrap().matches(&[&row]), [Ok(true)]);
}
