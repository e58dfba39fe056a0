//! Factors of a composite order: their file, and that they appear nowhere else.

use bilinear_params::generate::Generator;
use bilinear_params::{Curve, Description, Error, Factors};
use crypto_bigint::BoxedUint;
use num_bigint::BigUint;

fn made() -> (Curve, Factors) {
    let Description { curve, factors } = Generator::new("secret").insecure(true).a1(&[64, 80]).unwrap();
    (curve, factors.unwrap())
}

/// A curve with a Montgomery-friendly field, for which the last prime depends on the others, and its factors.
fn friendly() -> (Curve, Factors) {
    let generator = Generator::new("secret").insecure(true).friendly(true);
    let Description { curve, factors } = generator.a1(&[148, 80]).unwrap();
    (curve, factors.unwrap())
}

/// Every way in which a factor might be printed.
fn spellings(factors: &Factors) -> Vec<String> {
    let values = factors.to_biguints();
    values.iter().flat_map(|p| [p.to_string(), format!("{p:x}"), format!("{p:X}")]).collect()
}

#[test]
fn numbers_made_of_factors() {
    let of_shipped = |name| {
        let curve = Curve::named(name).unwrap();
        let factors = Factors::public(&curve).unwrap();
        (curve, factors)
    };
    for (curve, factors) in [made(), friendly(), of_shipped("a1-3x342"), of_shipped("a1-4x256"), of_shipped("a-512")] {
        let n = curve.family().order();
        assert!(factors.belong_to(&curve) && !factors.belong_to(&Curve::named("a1-2x512").unwrap()));
        let number = |bytes: Option<zeroize::Zeroizing<Vec<u8>>>| {
            let bytes = bytes.unwrap();
            assert_eq!(bytes.len() as u64, n.bits().div_ceil(8), "as many bytes as the order, whatever the factor");
            BigUint::from_bytes_be(&bytes)
        };
        let primes = factors.to_biguints();
        for (i, p) in primes.iter().enumerate() {
            assert_eq!(number(factors.prime(i)), *p);
            assert_eq!(number(factors.cofactor(i)) * p, *n);
            let idempotent = number(factors.idempotent(i));
            assert!(idempotent < *n);
            for (j, q) in primes.iter().enumerate() {
                assert_eq!(&idempotent % q, BigUint::from(u32::from(i == j)), "{} modulo factor {j}", curve.name());
            }
        }
        let none = primes.len();
        assert!(
            factors.prime(none).is_none() && factors.cofactor(none).is_none() && factors.idempotent(none).is_none()
        );
    }
}

#[test]
fn nothing_public_shows_the_factors() {
    for (curve, factors) in [made(), friendly()] {
        assert_hidden(curve, factors);
    }
}

fn assert_hidden(curve: Curve, factors: Factors) {
    let spellings = spellings(&factors);
    let description = Description { curve: curve.clone(), factors: Some(factors.clone()) };
    let other = Curve::named("a-512").unwrap();
    let error = Factors::from_toml(&factors.to_toml(), "f", &other).unwrap_err();
    let cut = factors.to_toml().replacen("\"", "\"x", 5);
    let syntax = Factors::from_toml(&factors.to_toml().replace("]", ""), "f", &curve).unwrap_err();
    let integer = Factors::from_toml(&cut, "f", &curve).unwrap_err();
    let composite = Factors::new(
        &curve,
        [factors
            .to_biguints()
            .iter()
            .fold(BoxedUint::one(), |_, p| BoxedUint::from_be_slice_vartime(&p.to_bytes_be()))],
    );
    for shown in [
        format!("{factors:?}"),
        format!("{description:?}"),
        format!("{description:#?}"),
        curve.to_toml(),
        format!("{error} {error:?}"),
        format!("{syntax} {syntax:?}"),
        format!("{integer} {integer:?}"),
        format!("{composite:?}"),
    ] {
        assert!(spellings.iter().all(|s| !shown.contains(s)), "{shown}");
    }
    assert!(spellings.iter().any(|s| factors.to_toml().contains(s)), "the test looks for the wrong text");
}

#[test]
fn file_round_trip_and_mode() {
    let (curve, factors) = made();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("curve.secret.toml");
    factors.write(&path).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let read = Factors::load(&path, &curve).unwrap();
    assert!(read.primes().eq(factors.primes()));
    assert_eq!(read.curve_name(), "secret");
    assert_eq!(read.prime_bits(), [64, 80]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let with_mode = |mode| {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            Factors::load(&path, &curve)
        };
        for mode in [0o644, 0o640, 0o604, 0o700] {
            let error = with_mode(mode).unwrap_err();
            let says = format!("curve.secret.toml: its mode is {mode:04o}");
            assert!(matches!(error, Error::NotPrivate { .. }) && error.to_string().contains(&says), "{error}");
        }
        assert!(with_mode(0o400).is_ok() && with_mode(0o600).is_ok());
        assert!(matches!(Factors::load(folder.path(), &curve), Err(Error::NotPrivate { .. })));
    }
    let other = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        bilinear_params::private::create(&path, bytes).unwrap();
        Factors::load(path, &curve).unwrap_err()
    };
    assert!(matches!(other("large", &vec![b'#'; bilinear_params::MAX_FILE_BYTES + 1]), Error::FileTooLarge { .. }));
    assert!(matches!(other("bytes", &[0xff]), Error::NotUtf8 { .. }));
    assert!(matches!(Factors::load(folder.path().join("none"), &curve), Err(Error::Io { .. })));
    // an existing file is left alone
    let error = factors.write(&path).unwrap_err();
    assert!(matches!(error, Error::Io { .. }) && error.to_string().contains("curve.secret.toml"), "{error}");
}

#[test]
fn factors_belong_to_one_curve() {
    let (curve, factors) = made();
    let (other, _) = made();
    let mismatch = Factors::from_toml(&factors.to_toml(), "f.toml", &other).unwrap_err();
    assert!(matches!(mismatch, Error::FingerprintMismatch { .. }));
    assert!(mismatch.to_string().starts_with("f.toml, line 3: `fingerprint`"), "{mismatch}");

    let primes: Vec<BoxedUint> = factors.primes().cloned().collect();
    assert!(matches!(Factors::new(&other, primes.clone()), Err(Error::FactorProduct { .. })));
    assert!(matches!(Factors::new(&curve, primes[..1].to_vec()), Err(Error::FactorProduct { .. })));
    assert!(matches!(Factors::new(&curve, []), Err(Error::FactorProduct { .. })));
    let with_one = [vec![BoxedUint::one()], primes.clone()].concat();
    assert!(matches!(Factors::new(&curve, with_one), Err(Error::FactorProduct { .. })));
    let twice = [primes.clone(), primes.clone()].concat();
    assert!(matches!(Factors::new(&curve, twice), Err(Error::FactorRepeated { index: 2, .. })));
    let n = factors.to_biguints().iter().product::<BigUint>();
    let n = BoxedUint::from_be_slice_vartime(&n.to_bytes_be());
    assert!(matches!(Factors::new(&curve, [n]), Err(Error::FactorComposite { index: 0, .. })));
    assert!(Factors::new(&curve, primes).is_ok());

    // every factor is tested for primality: the product of two of three primes is found at either index
    let three = Curve::named("a1-3x342").unwrap();
    let public = Factors::public(&three).unwrap().to_biguints();
    let boxed = |p: &BigUint| BoxedUint::from_be_slice_vartime(&p.to_bytes_be());
    let (single, both) = (boxed(&public[0]), boxed(&(&public[1] * &public[2])));
    for (index, pair) in [[both.clone(), single.clone()], [single, both]].into_iter().enumerate() {
        let found = Factors::new(&three, pair).map(|_| ());
        assert!(matches!(found, Err(Error::FactorComposite { index: at, .. }) if at == index), "{found:?}");
    }
}

#[test]
fn broken_secret_files() {
    let (curve, factors) = made();
    let text = factors.to_toml();
    let read = |text: &str| Factors::from_toml(text, "f.toml", &curve).unwrap_err();
    assert!(matches!(read(&text.replace("primes", "prime")), Error::UnknownKey { .. }));
    assert!(matches!(read(&text.replace("curve =", "# curve =")), Error::MissingKey { .. }));
    assert!(matches!(read(&text.replace("primes = [", "primes = [1,")), Error::WrongType { .. }));
    assert!(matches!(read("= = ="), Error::Syntax { .. }));
    let long = format!("primes = [\"{}\",", "9".repeat(100_000));
    assert!(matches!(read(&text.replace("primes = [", &long)), Error::TooManyBits { .. }));
}

#[test]
fn generators_travel_with_the_factors() {
    let (curve, factors) = made();
    let bilinear_params::Family::Supersingular(s) = curve.family() else { panic!("type a1") };
    // the first points with x = 1, 2, …: they are on the curve, which is all that this crate checks here
    let exponent = (s.q() + 1u32) >> 2;
    let point = |x: u32| {
        let x = BigUint::from(x);
        let right = (&x * &x * &x + &x) % s.q();
        let y = right.modpow(&exponent, s.q());
        (&y * &y % s.q() == right).then_some((x, y))
    };
    let points: Vec<_> = (1..).filter_map(point).take(2).collect();
    let with = factors.clone().with_generators(&curve, points.clone()).unwrap();
    assert_eq!(with.generators(), points);
    let text = with.to_toml();
    let read = Factors::from_toml(&text, "f", &curve).unwrap();
    assert_eq!(read.generators(), points);
    assert_eq!(read.to_biguints(), factors.to_biguints());
    assert!(factors.generators().is_empty());
    // faults
    let refused = |generators| factors.clone().with_generators(&curve, generators).unwrap_err();
    assert!(matches!(refused(points[..1].to_vec()), Error::GeneratorCount { .. }));
    let mut changed = points.clone();
    changed[1].1 += 1u32;
    assert!(matches!(refused(changed), Error::GeneratorOffCurve { .. }));
    let mut changed = points.clone();
    changed[0].0 += s.q();
    assert!(matches!(refused(changed), Error::GeneratorRange { .. }));
    let cut = text.split("generators_y").next().unwrap();
    assert!(matches!(Factors::from_toml(cut, "f", &curve), Err(Error::GeneratorCount { .. })));
}

/// Reads the memory of the process at an address into an existing buffer.
#[cfg(target_os = "linux")]
fn peek(memory: &mut std::fs::File, at: usize, into: &mut [u8]) {
    use std::io::{Read, Seek, SeekFrom};
    memory.seek(SeekFrom::Start(at as u64)).unwrap();
    memory.read_exact(into).unwrap();
}

/// The allocator writes two words at the beginning of freed memory, and others may have used the memory since, but
/// no word is the factor's.
#[cfg(target_os = "linux")]
#[test]
fn factors_are_wiped_when_they_are_dropped() {
    let factors = Factors::public(&Curve::named("a1-2x512").unwrap()).unwrap();
    let places: Vec<(usize, Vec<u8>)> = factors
        .primes()
        .map(|p| (p.as_words().as_ptr().addr(), p.as_words().iter().flat_map(|word| word.to_ne_bytes()).collect()))
        .collect();
    let (mut memory, mut seen) = (std::fs::File::open("/proc/self/mem").unwrap(), vec![0; places[0].1.len()]);
    assert!(seen.len() >= 64);
    for (at, words) in &places {
        peek(&mut memory, *at, &mut seen);
        assert_eq!(seen, *words);
    }
    drop(factors);
    for (at, words) in &places {
        peek(&mut memory, *at, &mut seen);
        assert!(seen.chunks(8).zip(words.chunks(8)).skip(2).all(|(now, before)| now != before), "{seen:x?}");
    }
}
