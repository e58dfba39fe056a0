"""Compares with known answers of other implementations, which the files name."""

import json

from bilinear import G1, G2, Curve, pair


def rows(file, count):
    lines = file.read_text().splitlines()
    return [json.loads(line) for line in lines[:count]]


def joined(numbers, size):
    flat = [n for part in numbers for n in (part if isinstance(part, list) else [part])]
    return b"".join(int(n).to_bytes(size, "big") for n in flat)


def test_type_a1(vectors):
    """Compares e(P, Q), as PBC defines it, with the oracle."""
    curve = Curve("a1-2x512")
    size = curve.size(G1) // 2
    table = rows(vectors / "oracle" / "A1_2x512.jsonl", 3)
    p, q, wanted = ([joined(row[key], size) for row in table] for key in ("P", "Q", "tate"))
    outcomes = curve.pairings(p, q)
    assert [bytes(value) for value in outcomes] == wanted and outcomes.errors == []
    assert bytes(pair(curve.deserialize(p[0], G1), curve.deserialize(q[0], G2))) == wanted[0]


def of_pbc(file, size):
    """Returns the first rows of a file of PBC: P, Q and e(P, Q)."""

    def encoded(row, *keys):
        return b"".join(bytes.fromhex(c.zfill(2 * size)) for key in keys for c in row[key])

    table = rows(file, 3)
    return [[encoded(row, *keys) for row in table] for keys in (("Px", "Py"), ("Qx", "Qy"), ("e",))]


def test_type_d_by_pbc(vectors):
    """Compares e(P, Q) with PBC 0.5.14, also where PBC has left Q outside G2."""
    curve = Curve.load(vectors / "pbc" / "d159.param")
    p, q, wanted = of_pbc(vectors / "pbc" / "d159-rtors.jsonl", curve.size(G1) // 2)
    assert [bytes(value) for value in curve.pairings(p, q)] == wanted
    p, q, wanted = of_pbc(vectors / "pbc" / "d159.jsonl", curve.size(G1) // 2)
    assert [e.code for e in curve.pairings(p, q).errors] == ["subgroup"] * 3
    loose = curve.points(q, G2, validate="on-curve")
    assert [e.code for e in curve.pairings(p, loose).errors] == ["subgroup"] * 3
    for column in (q, loose):
        outcomes = curve.pairings(p, column, validate="allow-q-outside-g2")
        assert [bytes(value) for value in outcomes] == wanted
    inverse = [~x for x in curve.points(p, G1)]
    assert list(curve.checks([p[0], inverse[0], p[1]], [q[0], q[0], q[1]], [2, 1], validate="allow-q-outside-g2")) == [True, False]
    assert list(curve.products(p, q, 3, validate="allow-q-outside-g2")) == [outcomes[0] * outcomes[1] * outcomes[2]]


def test_bls_signature_suite(vectors):
    """Runs Ethereum's tests: e(-g, S) e(X, H(m)) = 1 for valid signatures, and not for signatures that were tampered with."""
    curve = Curve("bls12-381")
    tag = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"
    folder = vectors / "bls12-381-tests-v0.1.1" / "verify"
    seen = set()
    minus = ~curve.generator(G1)
    for file in sorted(folder.glob("verify_*case*.json")):
        case = json.loads(file.read_text())
        key, message, signature = (bytes.fromhex(case["input"][k][2:]) for k in ("pubkey", "message", "signature"))
        x = curve.deserialize(key, G1, encoding="zcash")
        hashed = curve.hash(message, G2, dst=tag)
        s = curve.points([signature], G2, encoding="zcash")
        truth = not s.errors and curve.checks([x, minus], [hashed, s[0]], 2)[0]
        assert truth == case["output"], file.name
        seen.add(truth)
    assert seen == {True, False}


def lifted(c0, c1):
    """Returns the coefficients of 1 and i of c0 + c1·w⁶ for w⁶ = 1 + i."""
    q = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
    return [(int(c0) + int(c1)) % q, int(c1)]


def test_bls12_381(vectors):
    """Compares the optimal ate pairing with the oracle, whose coefficients belong to powers of w."""
    curve = Curve("bls12-381")
    table = rows(vectors / "oracle" / "BLS12_381.jsonl", 3)
    p = [joined(row["P"], 48) for row in table]
    q = [joined(row["Q_twist"], 48) for row in table]
    powers = [0, 2, 4, 1, 3, 5]
    wanted = [joined([lifted(row["optate"][i], row["optate"][i + 6]) for i in powers], 48) for row in table]
    assert [bytes(value) for value in curve.pairings(p, q)] == wanted
