"""Tests of powers, of products over groups of rows, of elements or of powers, in G1, G2 and GT, and of projections to subgroups."""

import copy
import functools
import operator
import pickle

import numpy
import pyarrow
import pytest

from bilinear import G1, G2, GT, Curve, Error, Zr, ibe, pair

TAG = "TEST-V01"


def product(elements, one):
    return functools.reduce(operator.mul, elements, one)


@pytest.fixture(scope="module")
def elements(curve):
    """Returns six elements of each group."""
    p = curve.hashes([f"p{i}" for i in range(6)], G1, dst=TAG)
    q = curve.hashes([f"q{i}" for i in range(6)], G2, dst=TAG)
    return {G1: p, G2: q, GT: curve.pairings(p, q)}


@pytest.mark.parametrize("group", [G1, G2, GT])
def test_every_group_has_them(curve, elements, group):
    x, one = elements[group], curve.identity(group)
    e = [0, 1, -1, 7, curve.order - 2, int(curve.random(Zr))]
    raised = [a**b for a, b in zip(x, e)]
    assert list(curve.multiples(x, e, group)) == raised
    assert list(curve.multiples(x[3], e, group)) == [x[3] ** b for b in e]
    for groups, lengths in ((3, [3, 3]), ([1, 0, 5], [1, 0, 5]), ([], [])):
        if not lengths:
            assert len(curve.sums([], groups, group)) == len(curve.msms([], [], groups, group)) == 0
            continue
        begins = [sum(lengths[:i]) for i in range(len(lengths))]
        ranges = [slice(begin, begin + length) for begin, length in zip(begins, lengths)]
        assert list(curve.sums(x, groups, group)) == [product(list(x)[rows], one) for rows in ranges]
        wanted = [product(raised[rows], one) for rows in ranges]
        scalars = [curve.scalar(b) for b in e]
        assert list(curve.msms(x, e, groups, group)) == list(curve.msms(x, scalars, groups, group)) == wanted
    # one scalar for all rows, and one element for all rows
    assert curve.msms(x, 3, 6, group)[0] == product(x, one) ** 3
    assert curve.msms(x[0], e, 6, group)[0] == x[0] ** sum(e)


@pytest.mark.parametrize("group", [G1, GT])
def test_columns_of_every_form_agree(curve, elements, group):
    x = elements[group]
    rows = [bytes(a) for a in x]
    wanted = list(curve.sums(x, [2, 4], group))
    for form in (list(x), rows, numpy.asarray(x), pyarrow.array(x), (a for a in rows), [x[0], *rows[1:]], pickle.loads(pickle.dumps(x))):
        assert list(curve.sums(form, [2, 4], group)) == wanted
    told = []
    assert list(curve.sums(x, 1, group, progress=told.append)) == list(x) and sum(told) == 6


@pytest.mark.parametrize("group", [G1, G2, GT])
def test_a_bad_row_spoils_its_group(curve, elements, group):
    rows = [bytes(a) for a in elements[group]]
    rows[2] = rows[2][:-1]
    rows[3] = None
    for outcomes in (curve.sums(rows, [2, 2, 2], group), curve.msms(rows, 1, [2, 2, 2], group)):
        assert [(e.index, e.row, e.code) for e in outcomes.errors] == [(1, 2, "length")]
        assert outcomes[2] == elements[group][4] * elements[group][5]
    raised = curve.multiples(rows, 2, group)
    assert [(e.row, e.code) for e in raised.errors] == [(2, "length"), (3, "null")] and raised[5] == elements[group][5] ** 2
    nulls = pyarrow.array([b"\x01", None, b"\x01", b"\x01", b"\x01", b"\x01"])
    assert [(e.index, e.row) for e in curve.msms(elements[group], nulls, 3, group).errors] == [(0, 1)]


def test_secret_scalars_have_1024_bytes_at_most(bls):
    g = bls.generator(G1)
    e = bls.generator(GT)
    scalars = [b"\x03", bytes(1024) + b"\x03"]
    array = numpy.zeros((1, 1025), numpy.uint8)
    for group, element in ((G1, g), (GT, e)):
        outcomes = bls.multiples(element, pyarrow.array(scalars), group)
        assert outcomes[0] == element**3 and [(a.row, a.code) for a in outcomes.errors] == [(1, "length")]
        assert str(outcomes.errors[0]) == "row 1: a scalar of 1025 bytes: at most 1024 are allowed"
        assert [a.code for a in bls.multiples(element, array, group).errors] == ["length"]
    assert [(a.index, a.row, a.code) for a in bls.msms(e, pyarrow.array(scalars), 1, GT).errors] == [(1, 1, "length")]
    # sums of multiples of points take scalars of any length, since these scalars are not secret
    assert list(bls.msms(g, pyarrow.array(scalars), 1, G1)) == [g**3, g**3]


def test_outcomes_that_are_no_bytes_are_neither_scalars_nor_messages(bls):
    g = bls.generator(G1)
    points = bls.points([g], G1)
    values = bls.pairings(points, bls.generator(G2))
    for outcomes in (points, values, bls.checks(points, bls.generator(G2), 1)):
        for wrong in (
            lambda: bls.multiples(points, outcomes, G1),
            lambda: bls.multiples(values, outcomes, GT),
            lambda: bls.msms(points, outcomes, 1, G1),
            lambda: bls.hashes(outcomes, G1, dst=TAG),
        ):
            with pytest.raises(TypeError, match="^the outcomes are not bytes$"):
                wrong()
    public, master = ibe.keygen(bls)
    three = master.extract("ann").decrypt(public.encrypt(["ann"], [b"\x03"]))
    assert bls.multiples(g, three, G1)[0] == g**3


def test_calls_that_are_wrong(curve, elements):
    for wrong, code in [
        (lambda: curve.sums(elements[G1], 4, G1), "range"),
        (lambda: curve.msms(elements[G1], [1, 2], 1, G1), "length"),
        (lambda: curve.msms(elements[GT], [1, 2], 1, GT), "length"),
        (lambda: curve.sums(elements[G1], 1, Zr), "argument"),
        (lambda: curve.sums(Curve("e").pairings([], []), 1, GT), "context"),
        (lambda: curve.sums([Curve("e").identity(GT)], 1, GT), "context"),
        (lambda: curve.multiples(elements[GT], 2, GT, encoding="zcash"), "name"),
    ]:
        with pytest.raises(Error) as caught:
            wrong()
        assert caught.value.code == code
    for column, group in ((elements[G1], GT), (elements[GT], G1), ([elements[G1][0]], GT), ([elements[GT][0]], G1), ("text", GT)):
        with pytest.raises(TypeError):
            curve.sums(column, 1, group)


def test_elements_of_gt_have_encodings(bls):
    values = bls.pairings([bls.generator(G1)] * 2, bls.generator(G2))
    short = [value.to_bytes("torus6") for value in values]
    assert bls.multiples(short, 5, GT, encoding="torus6")[0] == values[0] ** 5
    assert bls.sums(short, 2, GT, encoding="torus6")[0] == values[0] ** 2
    assert [e.code for e in bls.sums(short, 2, GT).errors] == ["length"]


def test_a_curve_is_copied_with_its_factors_and_its_threads(small):
    curve = small["two"]
    assert copy.copy(curve) is curve and copy.deepcopy([curve])[0] is curve


def test_projections(small, small_files):
    for curve, count in ((small["two"], 2), (small["three"], 3)):
        p = curve.hashes([f"p{i}" for i in range(5)], G1, dst=TAG)
        parts = [curve.projections(p, i) for i in range(count)]
        assert [product(part, curve.identity(G1)) for part in zip(*parts)] == list(p)
        # points of different subgroups are orthogonal
        assert all(value.is_identity for value in curve.pairings(parts[0], parts[1]))
        assert list(curve.projections(parts[0], 0)) == list(parts[0]) and all(a.is_identity for a in curve.projections(parts[0], 1))
        assert [e.row for e in curve.projections([p[0], b"", bytes(p[1])], 0).errors] == [1]
        for index in (count, -1, 1 << 64):
            with pytest.raises(Error) as caught:
                curve.projections([], index)
            assert caught.value.code == "factors"
    for curve, reason in ((Curve.load(small_files["two"][0]), "this needs the secret factors of the group order"), (Curve("d-159"), "prime order")):
        with pytest.raises(Error, match=reason):
            curve.projections([], 0)
