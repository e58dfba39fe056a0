//! Curves described by family and seed only: their pairings are pairings.

use bilinear_engine::{Engine, Group, Point, PointRef, System, Validate};
use bilinear_params::{Curve, Description, Family, SexticKind};
use num_bigint::BigUint;

/// Returns the curve of a family and a seed.
fn seed_only(family: &str, u: &str) -> Curve {
    let text = format!("name = \"mine\"\nfamily = \"{family}\"\n[parameters]\nu = \"{u}\"\n");
    Description::from_toml(&text, "mine.toml").unwrap().curve
}

/// Checks that groups of order r are recognised, and that the map is bilinear and not degenerate, with values of
/// order r.
fn is_a_pairing(curve: &Curve) {
    let (what, system) = (curve.to_toml(), System::new(curve).unwrap());
    let r = system.order();
    let killed = |point: &Point| system.mul(r, point).is_infinity();
    let [p, q] = Group::ALL.map(|group| {
        let generator = system.generator(group);
        let hashed = system.hash_to_curve(group, b"a message", b"QUUX-V01-CS02").unwrap();
        for point in [&generator, &hashed] {
            assert!(!point.is_infinity() && killed(point), "{group}: {what}");
            let bytes = PointRef::Bytes(point.bytes().unwrap());
            assert_eq!(system.decode(group, bytes, Validate::Subgroup).as_ref(), Ok(point), "{group}: {what}");
        }
        assert_ne!(system.mul(&5u32.into(), &generator), generator);
        [generator, hashed]
    });
    let (a, b) = (BigUint::from(1_000_003u32), r - 5u32);
    for (p, q) in [(&p[0], &q[0]), (&p[1], &q[0]), (&p[0], &q[1])] {
        let value = system.pair(p, q);
        assert_ne!(value, system.gt_one(), "{what}");
        assert_eq!(system.gt_pow(&value, r), system.gt_one(), "{what}");
        assert_eq!(system.pair(&system.mul(&a, p), &system.mul(&b, q)), system.gt_pow(&value, &(&a * &b)), "{what}");
        assert_eq!(system.decode_gt(value.bytes()).unwrap(), value, "{what}");
    }
}

/// Curves where b, the type of the twist or the tower differ from those of the shipped curve. The other curves have
/// the same fingerprint, and are tested by their names. Curves of the families below with long seeds are left to the
/// tests there, which cover any length.
#[test]
fn seeds_of_shipped_curves() {
    let mut others = 0;
    for name in Curve::names() {
        let known = Curve::named(name).unwrap();
        let Family::Sextic(s) = known.family() else { continue };
        let found = seed_only(known.family().name(), &s.u().to_string());
        if found.fingerprint() != known.fingerprint() {
            others += 1;
            if s.p().bits() < 400 || s.kind() == SexticKind::Bls48 {
                is_a_pairing(&found);
            }
        }
    }
    assert!(others >= 6, "{others}");
}

/// Sizes from 166 to 641 bits, p = 1 and 3 mod 4, seeds of both signs; most were found by counting up or down to the
/// next seed. The second curve of BLS24 has ξ = 14 + i.
#[test]
fn other_seeds() {
    for (family, seeds) in [
        ("bn", ["0x1000000014c", "4965661367192848995", "-0x3ffffffffffffffffffffdd8"]),
        ("bls12", ["0x1000004ec", "-0x6008204000000020001", "-0x7ffffffffffffffffffffffe2ff"]),
        ("bls24", ["0x1000057", "-53430773", "-0xfffffffffffddf0"]),
        ("kss18", ["0x40024220", "13246820031074", "-0xfffffffffffffff5d2f2"]),
    ] {
        seeds.iter().for_each(|u| is_a_pairing(&seed_only(family, u)));
    }
}

/// The least non-residues times sixth powers, so that they are not small.
#[test]
fn towers_of_any_non_residues() {
    // the roots of β times 3^6 are 3^3 times those of β
    for (family, u, root) in [
        ("kss18", "0x40024220", 27),
        ("bls12", "0x1000004ec", 1),
        ("bls12", "0x1000004ec", 27),
        ("bls24", "0x1000057", 27),
        // on words that p fills completely
        ("bls24", "-53430773", 1),
    ] {
        let least = seed_only(family, u);
        let Family::Sextic(s) = least.family() else { panic!("{family}") };
        let tower = s.tower().unwrap();
        let mut text = format!("name = \"mine\"\nfamily = \"{family}\"\n[parameters]\nu = \"{u}\"\n[tower]\n");
        text += &format!("beta = \"{}\"\n", &tower.beta * root * root);
        if let Some([a, c]) = &tower.xi {
            text += &format!("xi = [\"{}\", \"{}\"]\n", a * 729, c * (729 / root));
        }
        is_a_pairing(&Description::from_toml(&text, "mine.toml").unwrap().curve);
    }
}

/// Towers whose forms add up more products than columns in lanes hold (i² = −7 or −5, four levels above it), or more
/// than hold three times that (i² = −5 or a large ξ, on 9 to 13 limbs). A machine that carries such forms, or reduces
/// before it triples, computes them, and gives the values of the other engine.
#[test]
fn every_seed_runs_in_lanes() {
    if !Engine::Ifma.is_available() {
        return;
    }
    let bls24 = ["-3348192863", "-4209081791", "892527481132", "-748049683772", "-967681466861", "634909179334"];
    let bls12 = [
        "6873628453281177769",
        "-8386260069388091606",
        "181480461605205784397611",
        "431719363753683095442028",
        "435299231478295316130319",
        "14171303240249996372078385316",
        "14538276998064947280477410548354",
        "14503050408453298135856263044097",
        "14496644531783087922176570111266",
    ];
    let curves = bls24.map(|u| seed_only("bls24", u)).into_iter().chain(bls12.map(|u| seed_only("bls12", u)));
    for curve in curves {
        let what = curve.to_toml();
        let best = System::new(&curve).unwrap();
        assert!(best.batch_engine().is_some(), "{what}");
        let [mont, ifma] = [Engine::Mont, Engine::Ifma].map(|engine| best.on(engine).unwrap());
        let [p, q] = Group::ALL.map(|group| mont.hash_to_curve(group, b"a message", b"QUUX-V01-CS02").unwrap());
        let value = mont.pair(&p, &q);
        assert_ne!(value, mont.gt_one(), "{what}");
        assert_eq!(ifma.pair(&p, &q), value, "{what}");
        assert_eq!(ifma.hash_to_curve(Group::G2, b"a message", b"QUUX-V01-CS02").unwrap(), q, "{what}");
    }
}

/// Towers whose forms are larger than 14 or 16 spare bits allow: rows with one limb more compute these, and give the
/// values of the other engine. Eight limbs are the most.
#[test]
fn seeds_that_take_rows_a_limb_more() {
    if !Engine::Rows.is_available() {
        return;
    }
    for (family, u) in [("bn", "-162509653573176"), ("bls12", "2520838816081"), ("bls24", "906980782")] {
        let mont = System::new(&seed_only(family, u)).unwrap().on(Engine::Mont).unwrap();
        let rows = mont.on(Engine::Rows).unwrap_or_else(|e| panic!("{family}, {u}: {e}"));
        let values = |system: &System| {
            let points = Group::ALL.map(|group| system.hash_to_curve(group, b"a message", b"QUUX-V01-CS02").unwrap());
            let value = system.pair(&points[0], &points[1]);
            let multiples = points.each_ref().map(|point| system.mul(&1_000_003u32.into(), point));
            (system.gt_pow(&value, &1_000_003u32.into()), value, multiples, points)
        };
        assert_eq!(values(&rows), values(&mont), "{family}, {u}");
    }
    let longest = System::new(&seed_only("bls24", "1407722384938")).unwrap();
    let Err(reason) = longest.on(Engine::Rows) else { panic!("eight limbs suffice") };
    let end = "with more spare bits: modulus has 402 bits: this engine takes at most 362";
    assert!(reason.to_string().ends_with(end), "{reason}");
}
