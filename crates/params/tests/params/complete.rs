//! Descriptions that leave out what their seed determines. The parameters found are compared with other people's
//! choices, and the parameters that a description gives are checked and kept.

use bilinear_params::generate::Generator;
use bilinear_params::{Curve, Description, Error, Family, MAX_COMPLETED_BITS, Sextic, SexticKind, Twist};
use num_bigint::BigUint;
use std::collections::BTreeSet;

fn sextic(curve: &Curve) -> &Sextic {
    match curve.family() {
        Family::Sextic(s) => s,
        other => panic!("{other:?}"),
    }
}

fn shipped() -> impl Iterator<Item = Curve> {
    Curve::names().map(|name| Curve::named(name).unwrap()).filter(|curve| matches!(curve.family(), Family::Sextic(_)))
}

/// Reads the curve of a family and a seed; `rest` has further lines of [parameters] and further tables.
fn curve(family: &str, seed: &str, rest: &str) -> Result<Curve, Error> {
    let text = format!("name = \"mine\"\nfamily = \"{family}\"\n[parameters]\nu = \"{seed}\"\n{rest}");
    Description::from_toml(&text, "mine.toml").map(|description| description.curve)
}

/// Curves whose b, type of twist or tower is not the least that serves, with the value that differs.
const OTHERWISE: [(&str, &str); 6] = [
    ("bn-462", "xi = 2 + i"),
    ("bn-638-b257", "b = 257"),
    ("bls12-461", "b = 9"),
    ("bls24-315", "beta = 13"),
    ("bls48-581", "xi = -1 + i"),
    ("f", "PBC's b and tower"),
];

#[test]
fn the_seeds_of_shipped_curves() {
    for known in shipped() {
        let (name, k) = (known.name(), sextic(&known));
        let found = curve(known.family().name(), &k.u().to_string(), "").unwrap();
        let s = sextic(&found);
        assert_eq!((s.p(), s.r(), s.t(), s.h1(), s.h2()), (k.p(), k.r(), k.t(), k.h1(), k.h2()), "{name}");
        // the same parameters, if the authors took the least numbers
        let least = !OTHERWISE.iter().any(|(other, _)| *other == name);
        assert_eq!(found.fingerprint() == known.fingerprint(), least, "{name}");
        // written out and read again, the curve found is the same, as with shipped curves
        if !least {
            let again = Description::from_toml(&found.to_toml(), "mine.toml").unwrap().curve;
            assert_eq!(again, found, "{name}");
        }
        assert!(s.g1().is_some() && s.g2().is_some(), "{name}");
    }
}

/// Zcash chose the generators of BLS12-381 by the same rule (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1): the
/// least x, the smaller y, times the cofactor. That of alt_bn128 in G1 has the least x as well.
#[test]
fn generators_of_others() {
    let seed_only = |known: &Curve| curve(known.family().name(), &sextic(known).u().to_string(), "").unwrap();
    let known = Curve::named("bls12-381").unwrap();
    let found = seed_only(&known);
    assert_eq!(sextic(&found).g1(), sextic(&known).g1());
    assert_eq!(sextic(&found).g2(), sextic(&known).g2());
    let known = Curve::named("alt-bn128").unwrap();
    assert_eq!(sextic(&seed_only(&known)).g1(), sextic(&known).g1());
}

#[test]
fn what_is_given_is_kept() {
    // one curve of each family, and the curves that differ from what their seed gives; the test above has the others
    let mut families = BTreeSet::new();
    let otherwise = |known: &Curve| OTHERWISE.iter().any(|(other, _)| *other == known.name());
    for known in shipped().filter(|known| families.insert(known.family().name()) || otherwise(known)) {
        // `shipped.rs` tests that each curve with its generators is read as itself
        let toml = known.to_toml();
        let without = toml.split("\n[g1]").next().unwrap();
        let found = Description::from_toml(without, "f").unwrap().curve;
        assert_eq!(found.fingerprint(), known.fingerprint(), "{}", known.name());
        assert!(sextic(&found).g1().is_some() && sextic(&found).g2().is_some());
    }
    // another b of the same class, b * 2^6, and another tower, the one of the draft
    let toml = Curve::named("bls12-381").unwrap().to_toml();
    let toml = toml
        .split("\n[g1]")
        .next()
        .unwrap()
        .replace("b = \"4\"", "b = \"256\"")
        .replace("\"1\", \"1\"", "\"1\", \"-1\"");
    let found = Description::from_toml(&toml, "f").unwrap().curve;
    let s = sextic(&found);
    assert_eq!((s.b(), s.twist()), (Some(&BigUint::from(256u32)), Some(Twist::M)));
    assert_eq!(s.tower().unwrap().xi, Some([1.into(), (-1).into()]));
}

/// Seeds that are not shipped, with b, type of twist and non-residues of RELIC (src/ep/relic_ep_param.c, relic_fp_prime.c).
#[test]
fn seeds_of_others() {
    let curves = [
        ("bls12", "-0x6008204000000020001", 446, 1u32, Twist::M, -1, Some([1, 1])),
        ("bls24", "0xd9018000", 317, 4, Twist::M, -1, Some([1, 1])),
        ("kss18", "0xc0c44000000", 345, 2, Twist::D, 2, None),
    ];
    for (family, seed, bits, b, twist, beta, xi) in curves {
        let found = curve(family, seed, "").unwrap();
        let s = sextic(&found);
        assert_eq!((s.p().bits(), s.b(), s.twist()), (bits, Some(&b.into()), Some(twist)), "{family} {seed}");
        let tower = s.tower().unwrap();
        assert_eq!((&tower.beta, &tower.xi), (&beta.into(), &xi.map(|xi| xi.map(Into::into))), "{family} {seed}");
    }
}

#[test]
fn what_is_given_is_checked() {
    let known = Curve::named("bls12-381").unwrap();
    let u = sextic(&known).u().to_string();
    let fails = |rest: &str| {
        let error = curve("bls12", &u, rest).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("mine.toml, line "), "{text}");
        (error, text)
    };
    let (error, text) = fails("b = \"5\"\n");
    assert!(matches!(&error, Error::WrongOrder { at, .. } if at.key == "parameters.b" && at.line == Some(5)), "{text}");
    let (error, text) = fails("twist = \"D\"\n[tower]\nbeta = \"-1\"\nxi = [\"1\", \"1\"]\n");
    assert!(matches!(&error, Error::WrongOrder { at, .. } if at.key == "parameters.twist"), "{text}");
    // (0, 2) has the order 3
    let (error, text) = fails("b = \"4\"\n[g1]\nx = \"0\"\ny = \"2\"\n");
    assert!(matches!(&error, Error::WrongOrder { at, .. } if at.key == "g1.x" && at.line == Some(7)), "{text}");
    // not a seed: the wrong residue class, a composite p, a composite r
    for (family, seed, reason) in [
        ("bls12", "-15132376222941642751", "p(u) is not an integer: its numerator is not divisible by 3"),
        ("bls24", "3640754177", "not divisible by 3"),
        ("kss18", "13246819991553", "not divisible by 21"),
        ("bn", "4965661367192848883", "field characteristic is not prime"),
        ("bn", "4965661367192848882", "group order is not prime"),
        ("bls12", "-15132376222941642749", "field characteristic is not prime"),
        ("bls12", "-15132376222941642731", "group order is not prime"),
        ("bls24", "3640754179", "field characteristic is not prime"),
        ("bls24", "3640754440", "group order is not prime"),
        ("kss18", "13246819991573", "field characteristic is not prime"),
        ("kss18", "13246819993862", "group order is not prime"),
    ] {
        let text = curve(family, seed, "").unwrap_err().to_string();
        assert!(
            text.starts_with("mine.toml, line 4: `parameters.u`: ") && text.contains(reason),
            "{family} {seed}: {text}"
        );
    }
}

#[test]
fn from_a_seed_and_nothing_else() {
    let made = |family, u: i64, insecure| Generator::new("mine").insecure(insecure).seed(family, u.into());
    let found = made(SexticKind::Bls24, 3640754176, false).unwrap().curve;
    let loaded = curve("bls24", "3640754176", "").unwrap();
    assert_eq!(found.family(), loaded.family());
    assert_eq!(Description::from_toml(&found.to_toml(), "f").unwrap().curve, found);
    assert!(matches!(made(SexticKind::Bn, 1, false), Err(Error::Insecure { .. })));
    assert_eq!(made(SexticKind::Bn, 1, true).unwrap().curve.family().order(), &BigUint::from(97u8));
    assert!(matches!(made(SexticKind::Kss18, 7, true), Err(Error::SeedCongruence { .. })));
    assert!(matches!(made(SexticKind::Bn, 2, true), Err(Error::FieldComposite { .. })));
}

/// The least u from 2^258 on that gives a BN curve. Its p has 1038 bits.
fn large() -> String {
    ((BigUint::from(1u8) << 258u32) + 5341u32).to_string()
}

/// A curve over a field too large for a search for b: described by its seed, it is neither completed nor rejected, but
/// not generated.
#[test]
fn larger_fields_are_left_as_they_are() {
    let u = (BigUint::from(1u8) << 512u32) + 138_894u32;
    let found = curve("bn", &u.to_string(), "").unwrap();
    let s = sextic(&found);
    assert!(s.p().bits() > MAX_COMPLETED_BITS);
    assert_eq!((s.b(), s.g1()), (None, None));
    assert_eq!(Description::from_toml(&found.to_toml(), "f").unwrap().curve, found);
    let error = Generator::new("mine").seed(SexticKind::Bn, u.into()).unwrap_err();
    assert!(matches!(error, Error::NotFound { key: "parameters.b", .. }), "{error}");
}

/// Without a bound, the generator of G2 of this description of 83 bytes would take two minutes.
#[test]
fn large_twists_need_a_generator() {
    let error = curve("bls48", "12980742146337069071326240823528881", "b = \"8\"\n").unwrap_err();
    assert!(matches!(error, Error::NotFound { key: "g2", .. }), "{error}");
    let reason = "the field of G2 is too large to search for a generator; give `g2`";
    assert_eq!(error.to_string(), format!("mine.toml, line 4: `parameters.u`: {reason}"));
}

/// The description of a curve over a large field is checked like any other if it has b: of the six classes of
/// b, up to sixth powers, one has the order r.
#[test]
fn larger_fields_with_b_are_checked() {
    let outcomes: Vec<_> = (1u32..=12).map(|b| (b, curve("bn", &large(), &format!("b = \"{b}\"")))).collect();
    let good: Vec<u32> = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).map(|(b, _)| *b).collect();
    let found = outcomes.iter().find_map(|(_, outcome)| outcome.as_ref().ok()).unwrap();
    let s = sextic(found);
    let p = s.p();
    let in_class = |b: u32| {
        let ratio = b * BigUint::from(good[0]).modpow(&(p - 2u32), p) % p;
        ratio.modpow(&((p - 1u32) / 6u32), p) == BigUint::from(1u8)
    };
    assert_eq!(good, (1..=12).filter(|b| in_class(*b)).collect::<Vec<_>>());
    for (b, outcome) in &outcomes {
        assert!(outcome.is_ok() || matches!(outcome, Err(Error::WrongOrder { .. })), "{b}");
    }
    assert!(s.g1().is_some() && s.g2().is_some());
}
