//! One curve, described and used in different ways: the values of the target group in keys, and hashes to the curve,
//! then differ.

use bilinear_engine::params::{Curve, Description};
use bilinear_engine::{Batch, BigUint, Group, Options, PairingKind, Power, System};
use bilinear_schemes::ibe;
use bilinear_schemes::predicate::{
    Content, DecodeErrorReason, KeyFile, Pattern, PredicateError, PublicKey, Scalar, Scheme, Search, SecretKey, Token,
    setup,
};

fn with(curve: &Curve, options: Options) -> Batch {
    Batch::new(System::with(curve, options).unwrap()).on_this_thread()
}

fn on(curve: &Curve) -> Batch {
    with(curve, Options::default())
}

/// Returns the same curve under another name, which makes no difference.
fn renamed(curve: &Curve) -> Curve {
    let text = curve.to_toml().replacen(&format!("\"{}\"", curve.name()), "\"another-name\"", 1);
    let renamed = Description::from_toml(&text, "renamed").unwrap().curve;
    assert_ne!(renamed.name(), curve.name());
    renamed
}

#[test]
fn predicate_keys_are_for_one_pairing() {
    let curve = Curve::named("bls12-381").unwrap();
    let own = on(&curve);
    let [tate, ate] =
        [PairingKind::Tate, PairingKind::Ate].map(|pairing| Options { pairing: Some(pairing), ..Options::default() });
    let fast = Options { power: Power::Fast, ..Options::default() };
    let said = Options { pairing: Some(PairingKind::OptAte), power: Power::Exact, ..Options::default() };
    let x = [Scalar::from(1), Scalar::from(2)];
    let pattern = Pattern::InnerProduct(vec![2.into(), Scalar::from(&(own.system().order() - 1u8))]);
    for scheme in [Scheme::DualSpaces, Scheme::Matrices] {
        let (public, secret) = setup(&own, scheme, 2).unwrap();
        let token = secret.token(&own, &pattern).unwrap();
        let rows = public.encrypt(&own, &[(&x[..], b"message")]).unwrap();
        let fingerprint: String = public.to_bytes()[7..23].iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(curve.fingerprint().starts_with(&fingerprint));
        for batch in [on(&renamed(&curve)), with(&curve, said)] {
            assert_eq!(PublicKey::from_bytes(&batch, &public.to_bytes()).unwrap(), public);
            assert!(Search::new(batch, &token).unwrap().matches(&[&rows[0]])[0].unwrap());
        }
        for options in [tate, ate, fast] {
            let other = with(&curve, options);
            let there = setup(&other, scheme, 2).unwrap();
            let of_there = there.1.token(&other, &pattern).unwrap();
            let sealed = there.0.encrypt(&other, &[(&x[..], b"message")]).unwrap();
            for (a, b, (public, secret), token) in
                [(&own, &other, &(public.clone(), secret.clone()), &token), (&other, &own, &there, &of_there)]
            {
                let refused = |error: PredicateError| matches!(error, PredicateError::Curve(_));
                assert_eq!(PublicKey::from_bytes(b, &public.to_bytes()).unwrap_err().reason, DecodeErrorReason::Curve);
                assert_eq!(SecretKey::from_bytes(b, &secret.to_bytes()).unwrap_err().reason, DecodeErrorReason::Curve);
                assert_eq!(Token::from_bytes(b, &token.to_bytes()).unwrap_err().reason, DecodeErrorReason::Curve);
                assert!(public.encrypt(b, &[]).is_err_and(refused) && secret.token(b, &pattern).is_err_and(refused));
                assert!(Search::new(b.clone(), token).is_err_and(refused));
                assert_eq!(PublicKey::from_bytes(a, &public.to_bytes()).unwrap(), *public);
            }
            let [search, search_there] =
                [(&own, &token), (&other, &of_there)].map(|(batch, token)| Search::new(batch.clone(), token).unwrap());
            assert_eq!(search.matches(&[&sealed[0]])[0].unwrap_err().reason, DecodeErrorReason::Curve);
            assert_eq!(
                search_there.matches(&[&sealed[0], &rows[0]]).iter().filter(|found| **found == Ok(true)).count(),
                1
            );
        }
    }
}

/// Type F: its own pairing is PBC's if values are in PBC's order. Keys, tokens and rows of one layout are rejected with
/// the other.
#[test]
fn predicate_keys_are_for_one_layout() {
    let of_pbc = Curve::named("f").unwrap();
    let nested = of_pbc.to_toml().replacen("layout = \"pbc\"\n", "", 1);
    let nested = Description::from_toml(&nested, "nested").unwrap().curve;
    assert_eq!(nested.fingerprint(), of_pbc.fingerprint());
    let own = [on(&of_pbc), on(&nested)];
    assert_ne!(own[0].system().pairing(), own[1].system().pairing());
    let tate = with(&nested, Options { pairing: Some(PairingKind::Tate), ..Options::default() });
    let x = [Scalar::from(1), Scalar::from(2)];
    let pattern = Pattern::InnerProduct(vec![2.into(), Scalar::from(&(own[0].system().order() - 1u8))]);
    for (a, b) in [(&own[0], &own[1]), (&own[1], &own[0]), (&own[0], &tate), (&tate, &own[0])] {
        let (public, secret) = setup(a, Scheme::DualSpaces, 2).unwrap();
        let token = secret.token(a, &pattern).unwrap();
        let rows = public.encrypt(a, &[(&x[..], b"message")]).unwrap();
        assert!(Search::new(a.clone(), &token).unwrap().matches(&[&rows[0]])[0].unwrap());
        let refused = |error: PredicateError| matches!(error, PredicateError::Curve(_));
        assert!(public.encrypt(b, &[]).is_err_and(refused) && secret.token(b, &pattern).is_err_and(refused));
        assert!(Search::new(b.clone(), &token).is_err_and(refused));
        assert_eq!(Token::from_bytes(b, &token.to_bytes()).unwrap_err().reason, DecodeErrorReason::Curve);
        // a file names only the curve with its layout: it is accepted only if the pairing is the curve's own
        let (curve, other) = (a.system().curve(), b.system().curve());
        let text = KeyFile::text(Content::Token, &token.to_bytes(), curve, None);
        assert_eq!(KeyFile::parse("token", Content::Token, &text).is_ok(), a.system().is_default_pairing());
        let text = KeyFile::text(Content::Token, &token.to_bytes(), other, None);
        assert!(KeyFile::parse("token", Content::Token, &text).is_err());
    }
}

#[test]
fn identity_keys_are_for_one_description() {
    let [bls, a] = ["bls12-381", "a-512"].map(|name| Curve::named(name).unwrap());
    let system = System::new(&bls).unwrap();
    let twice = system.mul(&BigUint::from(2u8), &system.generator(Group::G1));
    let [x, y] = [0, 48].map(|at| BigUint::from_bytes_be(&twice.bytes().unwrap()[at..at + 48]));
    let by_seed = Description::from_text(
        "name = \"seed\"\nfamily = \"bls12\"\n[parameters]\nu = \"-0xd201000000010000\"\n",
        "seed.toml",
    )
    .unwrap()
    .curve;
    let of_pbc = include_str!("../../../../vectors/pbc/a.param");
    let of_pbc = Description::from_text(of_pbc, "a.param").unwrap().curve;
    let tate = Options { pairing: Some(PairingKind::Tate), ..Options::default() };
    let fast = Options { power: Power::Fast, ..Options::default() };
    for (what, curve, other) in [
        ("another generator", &bls, on(&bls.clone().with_generator(x, y).unwrap())),
        ("another map", &bls, on(&by_seed)),
        ("another pairing", &bls, with(&bls, tate)),
        ("another power", &bls, with(&bls, fast)),
        ("PBC's description", &a, on(&of_pbc)),
    ] {
        assert_eq!(other.system().curve().fingerprint(), curve.fingerprint(), "{what}");
        let own = on(curve);
        for (a, b) in [(&own, &other), (&other, &own)] {
            let (public, master) = ibe::setup(a).unwrap();
            let ann = master.extract(a, b"ann").unwrap();
            let sealed = public.encrypt(a, &[(b"ann", b"message")]).unwrap();
            let opened =
                |batch: &Batch| ann.decrypt(batch, &[&sealed[0]]).remove(0).map(|found| found.map(|m| m.to_vec()));
            let options =
                Options { pairing: Some(a.system().pairing()), power: a.system().power(), ..Options::default() };
            for same in [a.clone(), with(&renamed(a.system().curve()), options)] {
                assert_eq!(opened(&same), Ok(Some(b"message".to_vec())), "{what}");
                assert_eq!(ibe::PublicKey::from_bytes(&same, &public.to_bytes()), Ok(public.clone()), "{what}");
            }
            let refused = |error: ibe::IbeError| matches!(error, ibe::IbeError::Curve(_));
            assert!(public.encrypt(b, &[(b"ann", b"message")]).is_err_and(refused), "{what}");
            assert!(master.extract(b, b"ann").is_err_and(refused), "{what}");
            assert_eq!(opened(b).unwrap_err().reason, DecodeErrorReason::Curve, "{what}");
            assert_eq!(
                ibe::PublicKey::from_bytes(b, &public.to_bytes()).unwrap_err().reason,
                DecodeErrorReason::Curve,
                "{what}"
            );
            assert_eq!(
                ibe::MasterKey::from_bytes(b, &master.to_bytes()).unwrap_err().reason,
                DecodeErrorReason::Curve,
                "{what}"
            );
            assert_eq!(
                ibe::PrivateKey::from_bytes(b, &ann.to_bytes()).unwrap_err().reason,
                DecodeErrorReason::Curve,
                "{what}"
            );
            // a message encrypted with the other description
            let (there, _) = ibe::setup(b).unwrap();
            let sealed = there.encrypt(b, &[(b"ann", b"message")]).unwrap();
            assert_eq!(
                ann.decrypt(a, &[&sealed[0]])[0].as_ref().unwrap_err().reason,
                DecodeErrorReason::Curve,
                "{what}"
            );
        }
    }
}
