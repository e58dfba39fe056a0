//! Inner products over a prime order: outcomes against plain integers, equations against pairings one by one.

use crate::predicate::{encrypted, points, refs, scalars};
use crate::small::{Random, batch, damaged, moved, named, outside, resealed};
use bilinear_engine::params::Curve;
use bilinear_engine::{Batch, BigUint, Engine, Group, Gt, Point, PointRef, System, Validate};
use bilinear_schemes::predicate::language::{Attribute, Predicate, Schema, SchemaError, Value};
use bilinear_schemes::predicate::{
    DecodeErrorReason, Encryptor, Pattern, PredicateError, Scheme, Search, Searches, SecretKey, Token, setup,
};

pub(crate) const PRIME: [Scheme; 2] = [Scheme::DualSpaces, Scheme::Matrices];

/// Schemes with curves: curves with sextic twists, one whose pairing prepares points of G1 only, and a symmetric one.
const ON: [(Scheme, &str); 7] = [
    (Scheme::DualSpaces, "bls12-381"),
    (Scheme::Matrices, "bls12-381"),
    (Scheme::DualSpaces, "bn-254n"),
    (Scheme::Matrices, "bn-254n"),
    (Scheme::DualSpaces, "d-159"),
    (Scheme::Matrices, "d-159"),
    (Scheme::DualSpaces, "a-512"),
];

/// Computes a product of pairings, one by one.
fn product<'a>(system: &System, pairs: impl IntoIterator<Item = (&'a Point, &'a Point)>) -> Gt {
    pairs.into_iter().fold(system.gt_one(), |product, (p, q)| system.gt_mul(&product, &system.pair(p, q)))
}

fn inner(v: &[BigUint]) -> Pattern {
    Pattern::InnerProduct(scalars(v))
}

#[test]
fn inner_products_are_those_of_integers() {
    for (scheme, name) in ON {
        let seed = 1951;
        let (batch, mut random) = (named(name), Random(seed));
        let r = batch.system().order().clone();
        let [zero, one] = [0u8, 1].map(BigUint::from);
        let mut values = vec![zero.clone(), one.clone(), &r - 1u8, r.clone(), BigUint::from(u64::MAX)];
        values.extend((0..3).map(|_| random.number(&r)));
        let (public, secret) = setup(&batch, scheme, 3).unwrap();
        let encryptor = Encryptor::new(batch.clone(), &public).unwrap();
        for round in 0..5 {
            let mut vector =
                || -> Vec<BigUint> { (0..3).map(|_| values[random.below(values.len())].clone()).collect() };
            let v = if round == 0 { vec![zero.clone(); 3] } else { vector() };
            let mut xs: Vec<Vec<BigUint>> = (0..4).map(|_| vector()).collect();
            xs.push(vec![zero.clone(); 3]);
            // an orthogonal vector: the cross product
            let minus = |x: &BigUint| (&r - x % &r) % &r;
            xs.push(vec![v[1].clone(), minus(&v[0]), zero.clone()]);
            xs.push(vec![zero.clone(), v[2].clone(), minus(&v[1])]);
            let messages: Vec<Vec<u8>> = (0..xs.len()).map(|i| vec![i as u8; 5 * i]).collect();
            let plain: Vec<_> = xs.iter().zip(&messages).map(|(x, m)| (x.clone(), &m[..])).collect();
            let of_scalars: Vec<_> = plain.iter().map(|(x, m)| (scalars(x), *m)).collect();
            let with_tables = encryptor.encrypt(&of_scalars.iter().map(|(x, m)| (&x[..], *m)).collect::<Vec<_>>());
            let token = secret.token(&batch, &inner(&v)).unwrap();
            let nonzero = v.iter().filter(|v| *v % &r != zero).count();
            assert_eq!(token.pairings(), if scheme == Scheme::DualSpaces { 14 } else { 3 * nonzero + 2 });
            if v.iter().all(|v| *v != r) {
                assert_eq!(scheme.pairings(&inner(&v)), token.pairings());
            }
            let search = Search::new(batch.clone(), &token).unwrap();
            let unprepared = Search::unprepared(batch.clone(), &token).unwrap();
            for rows in [encrypted(&public, &batch, &plain), with_tables.unwrap()] {
                let (opened, matches) = (search.open(&refs(&rows)), unprepared.matches(&refs(&rows)));
                for (i, (opened, matches)) in opened.into_iter().zip(matches).enumerate() {
                    let wanted = xs[i].iter().zip(&v).map(|(x, v)| x * v).sum::<BigUint>() % &r == zero;
                    let what = format!("{scheme}, {name}, seed {seed}, round {round}, row {i}");
                    assert_eq!(opened.unwrap().map(|m| m.to_vec()), wanted.then(|| messages[i].clone()), "{what}");
                    assert_eq!(matches, Ok(wanted), "{what}");
                }
            }
        }
    }
}

/// The bases are dual, and the row satisfies its equation: values of the public key's points with those of a token of
/// (1, 2, 0), one pairing at a time.
#[test]
fn dual_spaces_satisfy_their_equations() {
    for name in ["bls12-381", "a-512"] {
        let batch = named(name);
        let system = batch.system();
        let (public, secret) = setup(&batch, Scheme::DualSpaces, 3).unwrap();
        let (bytes, n) = (public.to_bytes(), 14);
        let basis = points(system, Group::G1, &bytes, 23 + 4, 5 * n);
        let message = system.decode_gt(&bytes[bytes.len() - 16 - system.gt_len()..bytes.len() - 16]).unwrap();
        let token = secret.token(&batch, &inner(&[1u8, 2, 0].map(BigUint::from))).unwrap();
        let key = points(system, Group::G2, &token.to_bytes(), 23 + 20 + 6, n);
        let values: Vec<Gt> = basis.chunks(n).map(|b| product(system, b.iter().zip(&key))).collect();
        // g_T; then g_T^σ, its square, and 1; then 1
        assert_eq!(values[0], message);
        assert_eq!(values[2], system.gt_mul(&values[1], &values[1]));
        let one = system.gt_one();
        assert!(values[1] != one && values[1] != message && values[3] == one && values[4] == one);
        // rows of orthogonal vectors give one value with every token, other rows another value
        let rows = [[2u8, 0, 5], [0, 0, 1], [1, 1, 1]].map(|x| (x.map(BigUint::from).to_vec(), &b""[..]));
        let rows = encrypted(&public, &batch, &rows);
        let tokens = [[1u8, 2, 0], [0, 1, 0]].map(|v| secret.token(&batch, &inner(&v.map(BigUint::from))).unwrap());
        let keys = tokens.map(|token| points(system, Group::G2, &token.to_bytes(), 23 + 20 + 6, n));
        let value = |row: usize, key: usize| {
            product(system, points(system, Group::G1, &rows[row], 23 + 18, n).iter().zip(&keys[key]))
        };
        assert!(value(1, 0) == value(1, 1) && value(0, 0) != value(0, 1) && value(2, 0) != value(2, 1));
        // no coordinate occurs in another row or token
        assert!(keys[0].iter().all(|k| !keys[1].contains(k)));
    }
}

#[test]
fn matrices_satisfy_their_equations() {
    let batch = named("bls12-381");
    let system = batch.system();
    let (public, secret) = setup(&batch, Scheme::Matrices, 3).unwrap();
    let bytes = public.to_bytes();
    let all = points(system, Group::G1, &bytes, 23 + 4, 5 + 9);
    let (a, u, w) = (&all[..2], &all[2..5], &all[5..]);
    let message = system.decode_gt(&bytes[bytes.len() - 16 - system.gt_len()..bytes.len() - 16]).unwrap();
    let token = secret.token(&batch, &inner(&[1u8, 2, 0].map(BigUint::from))).unwrap();
    let key = points(system, Group::G2, &token.to_bytes(), 23 + 20 + 4, 8);
    let (k, rest) = key.split_at(2);
    // the token differs each time
    let again = secret.token(&batch, &inner(&[1u8, 2, 0].map(BigUint::from))).unwrap();
    let again = points(system, Group::G2, &again.to_bytes(), 23 + 20 + 4, 8);
    assert!(key.iter().zip(&again).all(|(one, other)| one != other));
    // aᵀ(k + Σ v_i·W_i·tb) less aᵀ·Σ v_i·W_i·tb is ⟨a, k⟩
    let first = product(system, a.iter().zip(k));
    assert_eq!(system.gt_mul(&first, &product(system, w.iter().zip(rest))), message);
    assert_ne!(first, message);
    // −v_1·K' and −v_2·K'
    let [one, two] = [&rest[..3], &rest[3..]].map(|part| product(system, u.iter().zip(part)));
    assert_eq!(system.gt_mul(&one, &one), two);
    // rows of orthogonal vectors give one value with every token, other rows another value
    let rows = [[2u8, 0, 5], [0, 0, 1], [1, 1, 1]].map(|x| (x.map(BigUint::from).to_vec(), &b""[..]));
    let rows = encrypted(&public, &batch, &rows);
    let other = secret.token(&batch, &inner(&[0u8, 1, 0].map(BigUint::from))).unwrap();
    let other_key = points(system, Group::G2, &other.to_bytes(), 23 + 20 + 2, 5);
    let value = |row: usize, key: &[Point], places: &[usize]| {
        let row = points(system, Group::G1, &rows[row], 23 + 18, 11);
        let met = [0, 1].into_iter().chain(places.iter().flat_map(|i| 3 * i + 2..3 * i + 5));
        product(system, met.map(|i| &row[i]).zip(key))
    };
    assert_eq!(value(1, &key, &[0, 1]), value(1, &other_key, &[1]));
    for row in [0, 2] {
        assert_ne!(value(row, &key, &[0, 1]), value(row, &other_key, &[1]));
    }
}

/// Rows of one vector differ in every point, and zeros do not show: no point is O or equals that of another position.
#[test]
fn points_of_rows_are_fresh() {
    for scheme in PRIME {
        let batch = named("bls12-381");
        let (public, _) = setup(&batch, scheme, 2).unwrap();
        let zero = (vec![BigUint::default(); 2], &b""[..]);
        let rows = encrypted(&public, &batch, &[zero.clone(), zero]);
        let count = if scheme == Scheme::DualSpaces { 10 } else { 8 };
        assert_eq!(rows[0].len(), 23 + 18 + count * 96 + 4 + 32 + 16);
        let mut all: Vec<&[u8]> = rows.iter().flat_map(|row| row[41..41 + count * 96].chunks(96)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2 * count);
    }
}

/// Engines and threads find the same; several tokens in one pass find what each finds alone; an invalid row fails
/// alone.
#[test]
fn engines_and_passes_agree() {
    for (scheme, name) in [(Scheme::DualSpaces, "bn-254n"), (Scheme::Matrices, "bn-254n"), (Scheme::Matrices, "d-159")]
    {
        let many = named(name);
        let (public, secret) = setup(&many, scheme, 2).unwrap();
        let xs: Vec<Vec<BigUint>> = (0..20u8).map(|i| vec![BigUint::from(i % 5), 1u8.into()]).collect();
        let mut rows = encrypted(&public, &many, &xs.iter().map(|x| (x.clone(), &b"m"[..])).collect::<Vec<_>>());
        let vs = [[1u8.into(), many.system().order() - 3u8], [0u8.into(), 1u8.into()], [1u8.into(), 0u8.into()]];
        let tokens = vs.map(|v| secret.token(&many, &inner(&v)).unwrap());
        // an invalid point of the second element, and a missing byte
        rows[0][23 + 18 + 6 * many.system().point_len(Group::G1) + 3] ^= 1;
        rows[0] = resealed(rows[0].clone());
        rows[1].pop();
        let two = many.clone().threads(2.try_into().unwrap()).unwrap();
        let curve = Curve::named(name).unwrap();
        let on = |engine| Batch::new(System::with_engine(&curve, engine).unwrap()).on_this_thread();
        let mut found = vec![];
        for batch in [many, two, on(Engine::Mont), on(Engine::Portable)] {
            let searches = Searches::new(batch.clone(), &tokens).unwrap();
            assert_eq!(searches.pairings(), tokens.iter().map(Token::pairings).collect::<Vec<_>>());
            let together = searches.open(&refs(&rows));
            for (token, together) in tokens.iter().zip(&together) {
                assert_eq!(Search::new(batch.clone(), token).unwrap().open(&refs(&rows)), *together);
                assert_eq!(Search::unprepared(batch.clone(), token).unwrap().open(&refs(&rows)), *together);
            }
            found.push(together);
        }
        assert!(found.iter().all(|other| *other == found[0]));
        for (i, row) in found[0][0].iter().enumerate().skip(2) {
            assert_eq!(row.as_ref().unwrap().is_some(), i % 5 == 3);
        }
        assert!(found[0][1].iter().skip(2).all(|row| row == &Ok(None)));
        let bad: Vec<_> = found[0].iter().map(|rows| rows.iter().filter(|row| row.is_err()).count()).collect();
        // with matrices the third token does not read the second element
        assert_eq!(bad, if scheme == Scheme::Matrices { [2, 2, 1] } else { [2; 3] });
        assert!(matches!(found[0][0][0].as_ref().unwrap_err().reason, DecodeErrorReason::Point(_)));
    }
}

/// If points are only checked to be on the curve, a part outside the group changes no pairing; but the tag of the
/// message covers the bytes of the points.
#[test]
fn parts_outside_the_group() {
    for scheme in PRIME {
        let full = named("bls12-381");
        let (public, secret) = setup(&full, scheme, 1).unwrap();
        let system = full.system();
        let row = encrypted(&public, &full, &[(vec![5u8.into()], b"m")]).remove(0);
        let tokens = [0u8, 1].map(|v| secret.token(&full, &inner(&[v.into()])).unwrap());
        let len = system.point_len(Group::G1);
        let moved = moved(system, &row, 2, &outside(system, Group::G1));
        let key = points(system, Group::G2, &tokens[1].to_bytes(), 23 + 20 + 2, 2);
        let batch = full.clone().validate(Validate::OnCurve);
        let values = [&row, &moved].map(|row| {
            let pair = |i: usize| (PointRef::Bytes(&row[41 + i * len..41 + (i + 1) * len]), key[i].as_ref());
            batch.pair(&[pair(0), pair(1)])
        });
        assert_eq!(values[0], values[1]);
        for (token, wanted) in tokens.iter().zip([true, false]) {
            let found = Search::new(full.clone(), token).unwrap().matches(&[&row, &moved]);
            assert!(found[0] == Ok(wanted) && matches!(found[1].unwrap_err().reason, DecodeErrorReason::Point(_)));
            let on_curve = Search::new(full.clone().validate(Validate::OnCurve), token).unwrap();
            assert_eq!(on_curve.matches(&[&row, &moved]), [Ok(wanted), Ok(false)]);
        }
    }
}

#[test]
fn mixed_objects_are_refused() {
    let (prime, symmetric, composite) = (named("d-159"), named("a-512"), batch(2));
    for scheme in PRIME {
        assert!(matches!(setup(&composite, scheme, 2), Err(PredicateError::Composite { .. })));
        for length in [0, scheme.most_length() + 1] {
            assert!(matches!(setup(&prime, scheme, length), Err(PredicateError::Length { .. })));
        }
        let (public, secret) = setup(&prime, scheme, 2).unwrap();
        let hidden = Pattern::HiddenVector(vec![None; 2]);
        assert!(matches!(secret.token(&prime, &hidden), Err(PredicateError::Pattern(_))));
        let (others, _) = setup(&prime, scheme, 2).unwrap();
        let zero = (vec![BigUint::default(); 2], &b""[..]);
        let rows = encrypted(&others, &prime, std::slice::from_ref(&zero));
        let token = secret.token(&prime, &inner(&[1u8.into(), 1u8.into()])).unwrap();
        let search = Search::new(prime.clone(), &token).unwrap();
        assert_eq!(search.matches(&refs(&rows))[0].unwrap_err().reason, DecodeErrorReason::Key);
        // the token and key of one scheme are not accepted for the other
        let other = PRIME.into_iter().find(|other| *other != scheme).unwrap();
        let (of_other, _) = setup(&prime, other, 2).unwrap();
        let rows = encrypted(&of_other, &prime, std::slice::from_ref(&zero));
        assert!(matches!(search.matches(&refs(&rows))[0].unwrap_err().reason, DecodeErrorReason::Scheme(_)));
        for (what, bytes) in damaged(&token.to_bytes()).take(60) {
            assert!(Token::from_bytes(&prime, &bytes).is_err(), "{what}");
        }
        let mut bytes = secret.to_bytes().to_vec();
        bytes[5] = 2;
        assert!(matches!(
            SecretKey::from_bytes(&prime, &resealed(bytes)).unwrap_err().reason,
            DecodeErrorReason::Range(_)
        ));
        assert!(format!("{public:?}").contains("PublicKey") && !format!("{secret:?}").contains("seed"));
    }
    for one_group in [&symmetric, &named("e")] {
        assert!(matches!(setup(one_group, Scheme::Matrices, 2), Err(PredicateError::Symmetric { .. })));
    }
    // a key that must be rejected on a symmetric curve
    let (_, secret) = setup(&symmetric, Scheme::DualSpaces, 2).unwrap();
    let mut bytes = secret.to_bytes().to_vec();
    bytes[5] = 5;
    let refused = SecretKey::from_bytes(&symmetric, &resealed(bytes)).unwrap_err();
    assert_eq!((refused.at, refused.reason), (5, DecodeErrorReason::Scheme(5)));
}

/// Predicates of the language find the rows for which they hold, at the cost that they state.
#[test]
fn predicates_over_a_prime_order() {
    let attributes = || vec![Attribute::text("city").most(2), Attribute::integer("stars", 1, 5).most(2)];
    let plain = || Schema::inner_product(attributes(), &[&["city", "stars"]]).unwrap();
    let batch = named("bn-254n");
    let order = batch.system().order();
    let table: Vec<Vec<Value>> = ["Lyon", "Nice", "Paris"]
        .iter()
        .flat_map(|city| (1..=5).map(|stars| vec![Value::text(city), Value::Integer(stars)]))
        .chain([vec![Value::Null, Value::Null]])
        .collect();
    let texts = [
        ("city = 'Lyon'", 9),
        ("stars IN (2, 3)", 9),
        ("city = 'Nice' AND stars >= 4", 15),
        ("city IN ('Lyon', 'Paris') OR stars = 1", 18),
        ("*", 0),
    ];
    for scheme in PRIME {
        let schema = plain().with_scheme(scheme).unwrap();
        assert_eq!(schema.to_string().parse(), Ok(schema.clone()));
        let (public, secret) = setup(&batch, schema.scheme(), schema.length()).unwrap();
        let rows: Vec<_> = table.iter().map(|row| schema.vector(order, row).unwrap()).collect();
        let rows = public.encrypt(&batch, &rows.iter().map(|x| (&x[..], &b"m"[..])).collect::<Vec<_>>()).unwrap();
        for (text, most) in texts {
            let predicate = Predicate::new(&schema, text).unwrap();
            let token = secret.token(&batch, &predicate.pattern(order).unwrap()).unwrap();
            assert_eq!(predicate.pairings(), token.pairings(), "{scheme}: {text}");
            let wanted = if scheme == Scheme::DualSpaces { 4 * 9 + 2 } else { 3 * most.min(9) + 2 };
            assert!(token.pairings() <= wanted, "{scheme}: {text}");
            let found = Search::new(batch.clone(), &token).unwrap().matches(&refs(&rows));
            let wanted: Vec<_> = table.iter().map(|row| Ok(predicate.holds(row).unwrap())).collect();
            assert_eq!(found, wanted, "{scheme}: {text}");
        }
    }
    let kinds =
        [Scheme::InnerProduct, Scheme::DualSpaces, Scheme::Matrices].map(|s| plain().with_scheme(s).unwrap().kind());
    assert_eq!(kinds, ["inner product", "inner product in dual spaces", "inner product with matrices"]);
    let hidden = Schema::hidden_vector(attributes()).unwrap();
    assert_eq!(hidden.with_scheme(Scheme::Matrices), Err(SchemaError::Scheme(Scheme::Matrices)));
    assert_eq!(plain().with_scheme(Scheme::HiddenVector), Err(SchemaError::Scheme(Scheme::HiddenVector)));
    let long = Schema::inner_product(vec![Attribute::text("a").most(60)], &[]).unwrap();
    assert_eq!(long.with_scheme(Scheme::DualSpaces), Err(SchemaError::Length { length: 61, most: 60 }));
}
