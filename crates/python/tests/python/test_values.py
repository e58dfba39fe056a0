"""Tests of single values: the laws of the groups, encodings, errors, pickling."""

import os
import pickle

import numpy
import pytest

import bilinear
from bilinear import G1, G2, GT, Curve, Error, Group, Zr, curves, pair


def test_pairing_is_bilinear_on_every_family(curve):
    g, h, x, y = curve.random(G1), curve.random(G2), curve.random(Zr), curve.random(Zr)
    assert pair(g**x, h**y) == pair(g, h) ** (x * y)
    assert pair(g * g, h) == pair(g, h) ** 2
    assert pair(g, h) != pair(g, h) ** 2
    assert pair(curve.identity(G1), h) == curve.identity(GT)
    assert pair(curve.generator(G1), curve.generator(G2)) == curve.generator(GT)


def test_groups_have_inverses(curve):
    for group in (G1, G2, GT):
        g, h = curve.random(group), curve.random(group)
        assert (g * h) / h == g
        assert g * ~g == g / g == curve.identity(group) == g**0 == g**curve.order
        assert (g * ~g).is_identity and not g.is_identity
        assert g**-3 == ~(g * g * g)
        assert g ** curve.scalar(-3) == g**-3


def test_residues_are_those_of_integers(curve):
    n = curve.order
    for a in (0, 1, 5, n - 1, n, -7, 3 * n + 2):
        x = curve.scalar(a)
        assert int(x) == a % n and bool(x) == (a % n != 0)
        for b in (1, 2, n - 1, -4):
            y = curve.scalar(b)
            assert int(x + y) == int(x + b) == int(b + x) == (a + b) % n
            assert int(x - y) == int(x - b) == (a - b) % n and int(b - x) == (b - a) % n
            assert int(x * y) == int(b * x) == a * b % n
            assert int(x / y) == a * pow(b, -1, n) % n
            assert y * ~y == curve.scalar(1) and 1 / y == ~y == y**-1
        assert int(-x) == -a % n and int(x**3) == a**3 % n
    with pytest.raises(ZeroDivisionError):
        ~curve.scalar(0)


def test_residues_are_compared_with_integers(bls):
    n = bls.order
    for a in (0, 1, 6, n - 1):
        x = bls.scalar(a)
        assert x == a and a == x and x == a + n and x == a - n and x != a + 1 and hash(x) == hash(a) and a in {x} and x in {a}
    assert bls.scalar(-1) == -1 and bls.scalar(6) != 6.5 and bls.scalar(6) != "6" and bls.scalar(6) is not None
    assert bls.scalar(6) != Curve("a-512").scalar(6)
    # objects that stand for integers, such as numpy's
    six, g = numpy.int64(6), bls.generator(G1)
    assert bls.scalar(six) == six == 6 and bls.scalar(2) * numpy.uint8(3) == 6 and bls.scalar(2) ** numpy.int32(3) == 8
    assert g**six == g**6 and six + bls.scalar(1) == 7 and Curve("a-512", threads=numpy.int64(2)).threads == 2
    for wrong in (6.0, "6", numpy.float64(6), None):
        with pytest.raises(TypeError, match="an integer is expected"):
            bls.scalar(wrong)


def test_a_curve_that_has_the_name_of_a_shipped_one_is_pickled_as_itself():
    shipped = Curve("f")
    text = shipped.to_toml()
    assert 'layout = "pbc"' in text
    mine = Curve(text.replace('layout = "pbc"', 'layout = "nested"'))
    assert mine.name == shipped.name
    for curve in (shipped, mine):
        again = pickle.loads(pickle.dumps(curve))
        assert again.to_toml() == curve.to_toml()
        assert again.generator(GT).to_bytes() == curve.generator(GT).to_bytes()
    assert mine.generator(GT).to_bytes() != shipped.generator(GT).to_bytes()


def test_a_text_of_pbc_may_begin_with_a_comment():
    n, l = 483570327889282379180593, 68
    text = f"# a comment\n\ntype a1\np {n * l - 1}\nn {n}\nl {l}\n"
    assert Curve(text).order == n


def test_bytes_and_pickles_give_the_value_again(curve):
    for group in (G1, G2, GT, Zr):
        for value in (curve.random(group), curve.scalar(0) if group == Zr else curve.identity(group)):
            data = value.to_bytes()
            assert data == bytes(value) and len(data) == curve.size(group)
            assert curve.deserialize(data, group) == value
            again = pickle.loads(pickle.dumps(value))
            assert again == value and hash(again) == hash(value) and again.curve == curve
    g = curve.random(G1)
    assert curve.deserialize(g.to_bytes(compressed=True), G1) == g
    assert curve.deserialize(curve.generator(GT).to_bytes("torus2"), GT, encoding="torus2") == curve.generator(GT)
    assert len({g, g * g, g * curve.identity(G1)}) == 2
    assert all(pickle.loads(pickle.dumps(group)) is group or pickle.loads(pickle.dumps(group)) == group for group in (G1, Zr))
    assert Group.G1 == G1 and repr(G1) == "G1"


def test_values_that_were_pickled_share_a_curve_and_its_threads():
    curve = Curve("bls12-381", threads=3)
    values = [curve.generator(G1), curve.generator(G2), curve.generator(GT), curve.scalar(5), curve.prepare(curve.generator(G2)), curve]
    before = len(os.listdir("/proc/self/task"))
    again = [pickle.loads(pickle.dumps(value, protocol)) for value in values for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    assert len(os.listdir("/proc/self/task")) <= before + 3
    assert again[0] == values[0] and again[-1] == curve and again[-1].threads == 3
    assert pickle.loads(pickle.dumps(Curve("bls12-381", threads=2))).threads == 2


def test_points_are_pickled_as_far_as_they_were_checked(bls):
    outside = bls.deserialize(bytes(95) + b"\x02", G1, validate="on-curve")
    again = pickle.loads(pickle.dumps(outside))
    assert again == outside and again**3 == bls.identity(G1)
    with pytest.raises(Error) as caught:
        bls.points([again], G1)[0]
    assert caught.value.code == "subgroup"
    # a pickled point that claims to be in its group is checked again
    forged = pickle.dumps(bls.generator(G1)).replace(bytes(bls.generator(G1)), bytes(outside))
    with pytest.raises(Error) as caught:
        pickle.loads(forged)
    assert caught.value.code == "subgroup"
    # (0, 0) on a curve of type a, which has the same x and y as the encoding of the neutral element
    a = Curve("a-512")
    zero = a.deserialize(bytes(65), G1, validate="on-curve")
    again = pickle.loads(pickle.dumps(zero))
    assert not zero.is_identity and not again.is_identity and again == zero


def test_wrong_bytes_have_codes(bls):
    g = bls.random(G1).to_bytes()
    for data, code in ((g[:-1], "length"), (b"\xff" * 96, "canonical"), (g[:-1] + bytes([g[-1] ^ 1]), "curve")):
        with pytest.raises(Error) as caught:
            bls.deserialize(data, G1)
        assert caught.value.code == code and caught.value.row is None and isinstance(caught.value, ValueError)
    # (0, 2) is on the curve, and of order 3
    outside = bytes(95) + b"\x02"
    with pytest.raises(Error) as caught:
        bls.deserialize(outside, G1)
    assert caught.value.code == "subgroup"
    unchecked = bls.deserialize(outside, G1, validate="on-curve")
    assert unchecked**3 == bls.identity(G1) and unchecked ** (bls.order + 1) != unchecked**0
    for nothing in (b"", bytearray()):
        with pytest.raises(Error) as caught:
            bls.deserialize(nothing, G1)
        assert caught.value.code == "length"
    with pytest.raises(TypeError, match="bytes.fromhex"):
        bls.deserialize(g.hex(), G1)
    for form in (bytearray(g), memoryview(g), numpy.frombuffer(g, numpy.uint8), numpy.frombuffer(g + g, numpy.uint8)[: len(g)]):
        assert bls.deserialize(form, G1).to_bytes() == g
    assert bls.deserialize(bytes(96), G1).is_identity
    with pytest.raises(Error) as caught:
        bls.deserialize(b"\x02" * 576, GT)
    assert caught.value.code == "group"
    with pytest.raises(Error) as caught:
        bls.deserialize(bls.order.to_bytes(32, "big"), Zr)
    assert caught.value.code == "canonical"
    with pytest.raises(Error, match="^a residue takes 32 bytes, not 1$"):
        bls.deserialize(b"1", Zr)


def test_words_of_errors(bls):
    error = Error("x")
    assert (error.code, error.row, error.index) == (None, None, None)
    for wrong in (bls.identity, bls.generator):
        with pytest.raises(Error, match="^G1, G2 or GT is expected, not Zr$") as caught:
            wrong(Zr)
        assert caught.value.code == "argument"


def test_encodings_that_do_not_apply_are_refused(bls):
    a, ss2 = Curve("a-512"), Curve("ss2-271", research=True)
    for wrong in (
        lambda: bls.deserialize(bytes(32), Zr, encoding="zcash"),
        lambda: a.hashes([], G1, dst="TEST", encoding="zcash"),
        lambda: a.points([], G1, encoding="zcash"),
        lambda: a.multiples([], [], G2, encoding="zcash"),
        lambda: a.sums(a.points([], G1), [], G1, encoding="zcash"),
        lambda: a.pairings([], [], encoding="zcash"),
        lambda: ss2.values([], encoding="torus2"),
        lambda: ss2.multiples([], [], GT, encoding="torus2"),
    ):
        with pytest.raises(Error) as caught:
            wrong()
        assert caught.value.code == "encoding"


def test_mixed_values_are_refused(bls):
    other = Curve("a-512")
    g, h, a = bls.generator(G1), bls.generator(G2), other.generator(G1)
    foreign = (lambda: g * a, lambda: pair(a, h), lambda: g ** other.scalar(2))
    groups = (lambda: g * h, lambda: pair(h, g), lambda: bls.hash("x", GT, dst="TEST"), lambda: bls.points([], Zr))
    # the codes are the same words as in the C library
    for code, wrongs in (("context", foreign), ("argument", groups)):
        for wrong in wrongs:
            with pytest.raises(Error) as caught:
                wrong()
            assert caught.value.code == code
    for wrong in (lambda: g.to_bytes("morse"), lambda: bls.generator(GT).to_bytes("torus3"), lambda: bls.points([], G1, encoding="x")):
        with pytest.raises(Error) as caught:
            wrong()
        assert caught.value.code == "name"
    for wrong in (lambda: g + g, lambda: 2 * g, lambda: g * 2, lambda: pow(g, 2, 7), lambda: g**0.5, lambda: pair(g, 3)):
        with pytest.raises(TypeError):
            wrong()
    assert g != a and g != h and g != 1 and bls != other


def test_a_pairing_is_that_of_both_points_or_of_the_curve_that_is_named():
    exact, portable = Curve("bls12-381"), Curve("bls12-381", engine="portable")
    g, h = exact.generator(G1), portable.generator(G2)
    assert pair(g, h) == exact.generator(GT)
    for other, names in (
        (Curve("bls12-381", power="fast"), "pairing optate and power fast"),
        (Curve("bls12-381", pairing="tate"), "pairing tate and power exact"),
    ):
        assert other == exact == portable and hash(other) == hash(exact)
        match = f"^the curve of p has pairing optate and power exact, the curve of q {names}: "
        with pytest.raises(Error, match=match) as caught:
            pair(g, other.generator(G2))
        assert caught.value.code == "context"
        assert other.pair(g, h) == other.generator(GT) != pair(g, h)


def test_curves_are_found_by_name_and_by_description(vectors):
    assert "bls12-381" in curves()
    with pytest.raises(Error, match="bls12-381") as caught:
        Curve("bls12-318")
    assert caught.value.code == "name"
    for threads in (0, -1, 10**30):
        with pytest.raises(Error, match=f"^{threads} threads: a number of at least 1") as caught:
            Curve("a-512", threads=threads)
        assert caught.value.code == "threads"
    with pytest.raises(TypeError, match="an integer is expected, not <class 'str'>"):
        Curve("a-512", threads="2")
    for wrong in ({"engine": "abacus"}, {"pairing": "miller"}, {"power": "half"}, {"threads": 5000}):
        with pytest.raises(Error):
            Curve("a-512", **wrong)
    text = (vectors / "pbc" / "d159.param").read_text()
    pbc = Curve(text)
    assert pbc.order == Curve.load(vectors / "pbc" / "d159.param").order
    again = pickle.loads(pickle.dumps(pbc))
    assert again == pbc and again != Curve("d-201") and again.name == "parameters"
    assert Curve(Curve("a-512").to_toml()) == Curve("A-512")
    with pytest.raises(Error) as caught:
        Curve(text.replace("type d", "type x"))
    assert caught.value.code == "parameters"


def test_package_says_its_version_and_what_errors_have():
    assert bilinear.__version__.count(".") >= 2
    assert all(f"`{field}`" in Error.__doc__ for field in ("code", "row", "index"))


def test_engines_agree():
    a, b = Curve("a-512", engine="portable"), Curve("a-512", engine="mont")
    g = a.hash("g", G1, dst="TEST")
    assert a.engine == "portable" and a.pair(g, g) == b.pair(g, g)


def test_a_graphics_processor_or_why_there_is_none():
    best = Curve("a-512")
    g = best.generator(G1)
    for engine in "cuda", "auto":
        curve = Curve("a-512", engine=engine)
        assert curve.pair(g, g) == best.pair(g, g) and curve.batch_engine in (engine, best.batch_engine)


def test_curves_for_research_are_asked_for():
    with pytest.raises(Error, match="for research only") as caught:
        Curve("ss2-271")
    assert caught.value.code == "engine"
    curve = Curve("ss2-271", research=True)
    g, h, x = curve.random(G1), curve.random(G1), curve.random(Zr)
    assert pair(g**x, h) == pair(h, g) ** x
    again = pickle.loads(pickle.dumps(g))
    assert again == g and again.curve == curve
