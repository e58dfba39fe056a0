"""Tests of batches: every form of a column, errors of rows, groups, prepared arguments, progress, other threads and signals."""

import os
import pickle
import signal
import threading
import time

import numpy
import pyarrow
import pytest

from bilinear import G1, G2, GT, Curve, Error, Zr, ibe, pair

TAG = "TEST-V01"


class Long(list):
    """A list that claims to have more items than fit in memory."""

    def __len__(self):
        return 2**62


@pytest.fixture(scope="module")
def table(bls):
    p = bls.hashes([f"p{i}" for i in range(9)], G1, dst=TAG)
    q = bls.hashes([f"q{i}".encode() for i in range(9)], G2, dst=TAG)
    return p, q, [bytes(pair(a, b)) for a, b in zip(p, q)]


def test_forms_of_columns_agree(bls, table):
    p, q, wanted = table
    array = numpy.asarray(p)
    assert array.shape == (9, 96) and not array.flags.writeable and bytes(array[2]) == bytes(p[2])
    rows = [bytes(x) for x in p]
    forms = [
        p,
        array,
        memoryview(array),
        pyarrow.array(p),
        pyarrow.array(rows, pyarrow.binary()),
        pyarrow.array(rows, pyarrow.large_binary()),
        pyarrow.array(rows, pyarrow.binary_view()),
        pyarrow.array([b"", *rows], pyarrow.binary())[1:],
        rows,
        list(p),
        (x for x in rows),
    ]
    for form in forms:
        outcomes = bls.pairings(form, q)
        assert [bytes(x) for x in outcomes] == wanted and len(outcomes) == 9
    outcomes = bls.pairings(array, numpy.asarray(q))
    assert bytes(outcomes.data) == b"".join(wanted) == numpy.asarray(outcomes).tobytes()
    assert pyarrow.array(outcomes).to_pylist() == wanted
    # views and arrays outlive the outcomes that they came from
    held = [outcomes.data, numpy.asarray(outcomes), pyarrow.array(outcomes)]
    del outcomes
    assert bytes(held[0]) == held[1].tobytes() == b"".join(held[2].to_pylist()) == b"".join(wanted)
    with pytest.raises(TypeError):
        held[0][0, 0] = 1
    compressed = [x.to_bytes("zcash") for x in p]
    assert bls.points(compressed, G1, encoding="zcash").data.nbytes == 9 * 48
    with pytest.raises(Error):
        bls.pairings(compressed, q, encoding="gnark")[0]


def test_bad_rows_are_errors_of_their_own(bls, table):
    p, q, wanted = table
    rows = [bytes(x) for x in p]
    rows[0] = None
    rows[3] = rows[3][:-1]
    rows[5] = bytes(95) + b"\x02"
    rows[7] = b""
    wrong = [(0, 0, "null"), (3, 3, "length"), (5, 5, "subgroup")]
    # in Arrow, an empty value stands for the point at infinity; elsewhere it is an error
    for form, more in ((rows, [(7, 7, "length")]), (pyarrow.array(rows, pyarrow.binary()), [])):
        outcomes = bls.pairings(form, q)
        assert [(e.row, e.index, e.code) for e in outcomes.errors] == wrong + more
        assert (more or outcomes[7].is_identity) and outcomes[-1] == outcomes[8]
        assert [bytes(outcomes[i]) for i in (1, 2, 4, 6, 8)] == [wanted[i] for i in (1, 2, 4, 6, 8)]
        with pytest.raises(Error, match="^row 3, p: ") as caught:
            outcomes[3]
        assert caught.value.row == 3
        assert pyarrow.array(outcomes).null_count == 3 + len(more) and (numpy.asarray(outcomes)[5] == 255).all()
    with pytest.raises(IndexError, match="^index -10 is out of range: the number of outcomes is 9$"):
        outcomes[-10]
    assert repr(outcomes) == "<values of bls12-381: 9, errors: 3>"
    rows[7] = bytes(96)
    groups = bls.products(rows, q, [2, 0, 4, 3])
    assert [(e.index, e.row, e.code) for e in groups.errors] == [(0, 0, "null"), (2, 3, "length")]
    assert groups[1].is_identity and groups[3] == outcomes[6] * outcomes[8]


@pytest.mark.parametrize(
    "name, encodings",
    [
        ("bls12-381", ["zcash", "zcash-uncompressed", "eip"]),
        ("alt-bn128", ["gnark", "gnark-uncompressed", "arkworks", "arkworks-uncompressed", "eip"]),
        ("a-512", []),
        ("ss2-271", []),
        ("hss2-367", []),
        ("ss3-97", []),
    ],
)
def test_an_error_stays_an_error_through_numpy(name, encodings):
    curve = Curve(name, research=True)
    g, h = curve.generator(G1), curve.generator(G2)
    for encoding in [None, *encodings]:
        rows = numpy.asarray(curve.points([g.to_bytes(encoding), None], G1, encoding=encoding))
        for outcomes in (
            curve.checks(rows, h, 1, encoding=encoding),
            curve.points(rows, G1, encoding=encoding, validate="on-curve"),
            curve.sums(rows, 1, G1, encoding=encoding),
            curve.msms(rows, 1, 1, G1, encoding=encoding),
        ):
            assert [e.row for e in outcomes.errors] == [1]
    assert [e.row for e in curve.values(numpy.asarray(curve.pairings([g, None], h))).errors] == [1]


def test_names_of_validations(bls):
    outside = bytes(95) + b"\x02"
    assert [e.code for e in bls.points([outside], G1, validate="subgroup").errors] == ["subgroup"]
    for outcomes in (
        bls.pairings([outside], bls.generator(G2), validate="on-curve"),
        bls.sums([outside], 1, G1, validate="on-curve"),
        bls.msms([outside], 1, 1, G1, validate="on-curve"),
    ):
        assert not outcomes.errors
    for wrong, code, text in (
        (lambda: bls.points([], G1, validate="allow-q-outside-g2"), "argument", "applies only to pairings, products and checks"),
        (lambda: bls.sums([], 1, GT, validate="curve"), "name", "^no validation is called curve: choose subgroup, on-curve or, "),
        (lambda: bls.deserialize(b"", GT, validate="curve"), "name", "no validation"),
        (lambda: bls.checks([], [], 1, validate="curve"), "name", "no validation"),
        # second arguments outside G2 have the Tate pairing alone, and only where G1 and G2 are two groups
        (lambda: bls.pairings([], [], validate="allow-q-outside-g2"), "argument", "bls12-381"),
        (lambda: Curve("a-512").pairings([], [], validate="allow-q-outside-g2"), "argument", "a-512"),
    ):
        with pytest.raises(Error, match=text) as caught:
            wrong()
        assert caught.value.code == code
    with pytest.raises(TypeError):
        bls.points([], G1, validate=False)


def test_no_bytes_are_no_point(bls, table):
    _, q, _ = table
    h = bytes(q[0])
    truths = bls.checks([b"", b""], [h, h], 1)
    assert [(e.row, e.code) for e in truths.errors] == [(0, "length"), (1, "length")] and not numpy.asarray(truths).any()
    nothing = numpy.zeros((2, 0), numpy.uint8)
    assert [e.code for e in bls.pairings(nothing, q[0]).errors] == [e.code for e in bls.points(nothing, G1).errors] == ["length"] * 2
    assert bls.points(pyarrow.array([b""]), G1)[0].is_identity
    with pytest.raises(TypeError, match="not points"):
        bls.points(truths, G1)


def test_truths_are_booleans_to_numpy(bls, table):
    p, q, _ = table
    truths = bls.checks([p[0], ~p[0], p[0], p[1], None, p[1]], q[0], 2)
    array = numpy.asarray(truths)
    assert array.dtype == bool and array.tolist() == [True, False, False]
    rows = numpy.arange(3)
    assert rows[array].tolist() == [0] and numpy.asarray(bls.checks([], [], 1)).shape == (0,)
    assert truths.data.shape == (3, 1) and not truths.data[2, 0]


def test_numpy_has_copies_where_it_asks_for_them(bls, table):
    p, q, _ = table
    truths = bls.checks(p, q, 1)
    for outcomes, kind, other in ((p, numpy.uint8, numpy.int16), (truths, numpy.bool_, numpy.uint8)):
        array = numpy.asarray(outcomes)
        for shared in (numpy.asarray(outcomes, kind), numpy.array(outcomes, kind, copy=False), numpy.array(outcomes, copy=False)):
            assert numpy.shares_memory(array, shared) and not shared.flags.writeable
        for copied in (numpy.array(outcomes, kind), numpy.array(outcomes), numpy.asarray(outcomes, other)):
            assert not numpy.shares_memory(array, copied) and (copied == array).all() and copied.flags.writeable
        with pytest.raises(ValueError, match="in numpy: as"):
            numpy.array(outcomes, other, copy=False)


def test_texts_are_neither_columns_nor_points(bls, table):
    p, q, _ = table
    for wrong in (lambda: bls.hashes("abc", G1, dst=TAG), lambda: bls.pairings(bytes(p[0]).hex(), q[0])):
        with pytest.raises(TypeError, match="a column is expected, not a single text"):
            wrong()
    with pytest.raises(TypeError, match="^row 1: a point or bytes are expected, not text: bytes.fromhex"):
        bls.pairings([p[0], bytes(p[0]).hex()], q[0])
    with pytest.raises(TypeError, match="text: binary is expected"):
        bls.points(pyarrow.array(["00"]), G1)
    with pytest.raises(TypeError, match="^text or bytes are expected, not <class 'int'>"):
        bls.hash(5, G1, dst=TAG)


def test_points_of_another_group_or_curve_are_refused(bls, table):
    p, q, _ = table
    a = Curve("a-512").generator(G1)
    swapped = "p: a point of G2: one of G1 is expected"
    for call, code, row, text in (
        (lambda: bls.pairings(q, p), "argument", None, swapped),
        (lambda: bls.pairings(q[0], p[0]), "argument", None, swapped),
        (lambda: bls.pairings([p[0], q[0]], q[:2]), "argument", 1, f"row 1, {swapped}"),
        (lambda: bls.pairings(p[:2], [None, a]), "context", 1, "row 1, q: a value of curve a-512 was handed to curve bls12-381"),
        (lambda: bls.multiples(q, 2, G1), "argument", None, "a point of G2: one of G1 is expected"),
        (lambda: bls.points([a], G1), "context", 0, "row 0: a value of curve a-512 was handed to curve bls12-381"),
    ):
        with pytest.raises(Error) as caught:
            call()
        assert (caught.value.code, caught.value.row, str(caught.value)) == (code, row, text)


def test_groups_that_are_none_are_refused(bls, table):
    p, q, _ = table
    for groups, text in (
        (2, "the number of rows, 9, is not a multiple of 2"),
        (0, "products of 0 rows: a number of at least 1 is expected"),
        (-1, "a product of -1 rows is impossible"),
        (10**30, f"a product of {10**30} rows is impossible"),
        ([-1, 5], "groups[0]: a product of -1 rows is impossible"),
        ([4, 10**30], f"groups[1]: a product of {10**30} rows is impossible"),
        ([3, 3, 4], "the lengths of the products add up to more than the number of rows, 9"),
        ([2, 3], "the lengths of the products add up to 5, but the number of rows is 9"),
    ):
        with pytest.raises(Error) as caught:
            bls.products(p, q, groups)
        assert (caught.value.code, str(caught.value)) == ("range", text)
    for groups, text in (("2", "groups: a number of rows or a list"), ([9, "1"], r"groups\[1\]: an integer is expected"), (None, "groups: ")):
        with pytest.raises(TypeError, match=f"^{text}"):
            bls.products(p, q, groups)
    assert list(bls.products(p, q, numpy.array([9]))) == list(bls.products(p, q, numpy.int64(9)))


def test_slices_and_rows_of_outcomes(bls, table):
    p, q, _ = table
    rows = [None, *(bytes(x) for x in p[:4])]
    outcomes = bls.points(rows, G1)
    part = outcomes[3::-2]
    assert len(part) == 2 and part[0] == p[2] and outcomes[1:][0] == p[0] and len(outcomes[7:]) == 0
    part = outcomes[:2]
    assert [(e.row, e.index) for e in part.errors] == [(0, 0)] and numpy.asarray(part).shape == (2, 96)
    assert [(e.row, e.index) for e in outcomes[::-1].errors] == [(0, 4)]
    assert list(bls.pairings(p, q)[2:4]) == list(bls.pairings(p[2:4], q[2:4]))
    assert list(bls.checks([p[0], ~p[0], p[0], p[0]], q[0], 2)[1:]) == [False]
    # rows of an array in a list
    array = numpy.asarray(p)
    assert list(bls.points([array[1], array[2]], G1)) == [p[1], p[2]]
    with pytest.raises(TypeError):
        outcomes["1"]


def test_outcomes_are_pickled_with_their_errors(bls, table):
    p, q, _ = table
    bad = [p[0], None, b"\x01", bls.identity(G1)]
    for outcomes in (
        bls.points(bad, G1, encoding="zcash"),
        bls.pairings(bad, q[:4]),
        bls.checks([p[0], ~p[0], None, p[0]], q[0], 2),
        bls.hashes([], G2, dst=TAG),
        ibe.keygen(bls)[0].encrypt(["ann", None], ["a message", "another"]),
    ):
        again = pickle.loads(pickle.dumps(outcomes))
        assert repr(again) == repr(outcomes) and pyarrow.array(again).equals(pyarrow.array(outcomes))
        told = [[(e.row, e.index, e.code, str(e)) for e in x.errors] for x in (outcomes, again)]
        assert told[0] == told[1]
    # unpickled values are checked like other input, and an invalid value is not mistaken for a row without a value
    forged = pickle.dumps(bls.points([p[0]], G1)).replace(bytes(p[0]), bytes(95) + b"\x02")
    with pytest.raises(Error, match="^row 0: ") as caught:
        pickle.loads(forged)
    assert caught.value.code == "subgroup"


def test_outcomes_are_pickled_as_far_as_they_were_checked(bls, table):
    p, q, _ = table
    outside = bytes(95) + b"\x02"
    loose = bls.points([bytes(p[0]), outside, None], G1, validate="on-curve")
    again = pickle.loads(pickle.dumps(loose))
    assert list(again[:2]) == list(loose[:2]) and again[1] ** 3 == bls.identity(G1)
    assert [(e.row, e.code) for e in again.errors] == [(2, "null")]
    # these points are known to be on the curve, but not to be in the subgroup
    for points in (again, list(pickle.loads(pickle.dumps(list(loose[:2]))))):
        assert [(e.row, e.code) for e in bls.points(points, G1).errors][0] == (1, "subgroup")
    broken = pickle.dumps(loose).replace(outside, bytes(95) + b"\x03")
    with pytest.raises(Error, match="^row 1: ") as caught:
        pickle.loads(broken)
    assert caught.value.code == "curve"


def test_values_of_the_target_group(bls, table):
    p, q, wanted = table
    values = bls.pairings(p, q)
    rows = [None, b"", *wanted, wanted[0][:-1] + bytes([wanted[0][-1] ^ 1])]
    read = bls.values(rows)
    assert [(e.row, e.code) for e in read.errors] == [(0, "null"), (1, "length"), (11, "group")] and list(read[2:11]) == list(values)
    for form in (numpy.asarray(values), pyarrow.array(values)):
        assert list(bls.values(form)) == list(values)
    assert bls.values([values[0].to_bytes("torus2")], encoding="torus2")[0] == values[0]
    with pytest.raises(TypeError, match="^row 0: an element of GT or bytes are expected, not text"):
        bls.values(["00"])
    assert list(bls.values(values)) == list(bls.values(list(values))) == list(values)


def test_forms_that_are_none_are_refused(bls, table):
    p, q, _ = table
    wide = numpy.zeros((9, 192), numpy.uint8)
    wrong = (numpy.zeros((9, 96)), numpy.zeros(96, numpy.uint8), wide[:, ::2], pyarrow.array([1]), [1], 5, [bls.scalar(1)])
    for form in wrong:
        with pytest.raises(TypeError):
            bls.pairings(form, q)
    with pytest.raises(Error) as caught:
        bls.pairings(p, list(q)[:8])
    assert caught.value.code == "length"
    with pytest.raises(Error):
        bls.hashes(["x"], G1, dst="")
    for groups in (2, 0, [8], [10], [3, 3, 4]):
        with pytest.raises(Error) as caught:
            bls.products(p, q, groups)
        assert caught.value.code == "range"
    none = bls.pairings(numpy.zeros((0, 96), numpy.uint8), [])
    assert len(none) == 0 and numpy.asarray(none).shape == (0, 576) and len(pyarrow.array(none)) == none.data.nbytes == 0


def test_products_and_prepared_arguments(bls, table):
    p, q, _ = table
    values = list(bls.pairings(p, q))
    assert list(bls.products(p, q, 3)) == [values[i] * values[i + 1] * values[i + 2] for i in (0, 3, 6)]
    fixed = bls.prepare(q[0])
    assert fixed.side == "q" and fixed.point == q[0]
    assert list(bls.pairings(p, fixed)) == list(bls.pairings(p, q[0])) == [pair(x, q[0]) for x in p]
    several = [bls.prepare(q[i]) for i in range(3)]
    assert list(bls.products(p, several, 3)) == list(bls.products(p, [q[i % 3] for i in range(9)], 3))
    assert list(bls.checks([p[0], ~p[0], p[0], p[0]], fixed, [1, 0, 1, 1, 1])) == [False, True, False, False, False]
    assert list(bls.checks([], several, [0])) == [True]
    assert list(bls.checks([p[0], ~p[0], p[0], p[0]], [fixed, fixed], 2)) == [True, False]
    assert pyarrow.array(bls.checks([p[0], ~p[0]], q[0], 2)).to_pylist() == [True]
    assert list(bls.products(p[:3], Long(several), 3)) == list(bls.products(p[:3], several, 3))
    for wrong in (lambda: bls.pairings(fixed, q), lambda: bls.prepare(p[0])):
        with pytest.raises(Error):
            wrong()
    # an equal curve prepares the point anew, on its own engine
    other = Curve("bls12-381", engine="portable")
    assert list(other.pairings(p, fixed)) == list(bls.pairings(p, fixed))
    again = pickle.loads(pickle.dumps(fixed))
    assert again.point == fixed.point and again.side == "q" and list(bls.pairings(p, again)) == list(bls.pairings(p, fixed))
    for wrong, code in ((lambda: Curve("a-512").pairings([], fixed), "context"), (lambda: bls.pairings(fixed, q), "argument")):
        with pytest.raises(Error) as caught:
            wrong()
        assert caught.value.code == code


def test_groups_have_as_many_rows_as_there_are_prepared_arguments(bls, table):
    p, q, _ = table
    none, one, other = bls.prepare(bls.identity(G2)), bls.prepare(q[0]), bls.prepare(q[1])
    few = "row {}: the group has fewer rows ({}) than there are fixed points ({})"
    many = "row {}: the group has more rows than there are fixed points ({})"
    for outcomes, errors in (
        (bls.checks([p[0], p[0]], [none, one], 1), {0: (0, few.format(0, 1, 2)), 1: (1, few.format(1, 1, 2))}),
        (bls.products(p[:6], [one, other], [2, 0, 3, 1]), {2: (4, many.format(4, 2)), 3: (5, few.format(5, 1, 2))}),
        (bls.products(p[:3], one, 3), {0: (1, many.format(1, 1))}),
    ):
        assert {e.index: (e.row, str(e)) for e in outcomes.errors} == errors
        assert all(e.code == "fixed_count" for e in outcomes.errors)
    groups = bls.products(p[:6], [one, other], [2, 0, 3, 1])
    assert groups[0] == pair(p[0], q[0]) * pair(p[1], q[1]) and groups[1].is_identity
    for wrong in ([one, other], [none, one, other]):
        with pytest.raises(Error, match=f"^{len(wrong)} fixed points: for pairings there must be exactly one$") as caught:
            bls.pairings(p, wrong)
        assert caught.value.code == "fixed_count"
    assert bls.pairings(p, [one])[8] == pair(p[8], q[0])


@pytest.mark.parametrize("name", ["a-512", "a1-2x512", "ss2-271"])
def test_an_argument_is_prepared_for_either_side_of_a_symmetric_curve(name):
    curve = Curve(name, research=True)
    p, h = curve.hashes(["one", "two"], G1, dst=TAG), curve.generator(G2)
    wanted = [pair(x, h) for x in p]
    for key in (curve.prepare(h), curve.prepare(h, "p"), curve.prepare(h, "q")):
        assert list(curve.pairings(p, key)) == list(curve.pairings(key, p)) == wanted
    # errors name the argument whose column is at fault
    bad = [b"\x01"]
    assert [str(e) for e in curve.pairings(bad, key).errors][0].startswith("row 0, p: ")
    assert [str(e) for e in curve.pairings(key, bad).errors][0].startswith("row 0, q: ")


def test_multiples_and_hashes(curve):
    g = curve.generator(G1)
    x = [curve.random(Zr) for _ in range(3)]
    wanted = [g**a for a in x]
    assert list(curve.multiples(g, x, G1)) == wanted
    scalars = numpy.frombuffer(b"".join(bytes(a) for a in x), numpy.uint8).reshape(3, -1)
    assert list(curve.multiples([g, bytes(g), g], scalars, G1)) == wanted
    assert list(curve.multiples(g, [0, -1, curve.order + 2], G1)) == [g**0, ~g, g * g]
    assert list(curve.multiples([g, ~g], 5, G1)) == list(curve.multiples([g, ~g], curve.scalar(5), G1)) == [g**5, g**-5]
    assert list(curve.multiples(g, 5, G1)) == [g**5]
    with pytest.raises(Error, match="^the numbers of rows of points and scalars differ: 2 and 1$"):
        curve.multiples([g, g], [5], G1)
    with pytest.raises(TypeError, match="^row 1: an integer or a residue is expected, not <class 'str'>$"):
        curve.multiples([g, g], [1, "1"], G1)
    with pytest.raises(Error, match="^row 0: a value of curve a1-2x512") as caught:
        curve.multiples([g], [Curve("a1-2x512").scalar(1)], G1)
    assert (caught.value.code, caught.value.row) == ("context", 0)
    outcomes = curve.multiples([g, None, b"\x01"], x, G1)
    assert [(e.row, e.code) for e in outcomes.errors] == [(1, "null"), (2, "length")] and outcomes[0] == wanted[0]
    messages = ["a", b"b", None]
    for form in (messages, pyarrow.array([b"a", b"b", None]), pyarrow.array(["a", "b", None])):
        points = curve.hashes(form, G2, dst=TAG)
        assert [points[i] for i in (0, 1)] == [curve.hash(m, G2, dst=TAG) for m in ("a", "b")]
        assert [(e.row, e.code) for e in points.errors] == [(2, "null")]


def test_progress_signals_and_threads(bls, table):
    p, q, _ = table
    many = [p[i % 9] for i in range(600)]
    told = []
    outcomes = bls.pairings(many, q[0], progress=told.append)
    assert sum(told) == 600 == len(outcomes) and len(told) > 1

    # a chunk holds few groups if the groups are long
    for call in (lambda told: bls.products(many, q[0], 60, progress=told), lambda told: bls.sums(many, 60, G1, progress=told)):
        told = []
        call(told.append)
        assert sum(told) == 10 and told[0] <= 8

    def stop(rows):
        raise KeyError(rows)

    with pytest.raises(KeyError):
        bls.pairings(many, q[0], progress=stop)

    # another Python thread runs while pairings are computed
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.perf_counter()
    bls.pairings(many, q[0])
    ended = time.perf_counter()
    done.set()
    thread.join()
    inside = [tick for tick in ticks if begun < tick < ended]
    assert len(inside) > 5

    # Ctrl-C stops a batch between two chunks; background jobs of a shell ignore it unless a handler is set
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            bls.pairings([p[0]] * 20_000, q[0])
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_a_forked_process_has_threads_of_its_own(bls, table):
    p, q, wanted = table
    bls.pairings(p, q)
    child = os.fork()
    if child == 0:
        os._exit(0 if [bytes(x) for x in bls.pairings(p, q)] == wanted else 1)
    deadline = time.monotonic() + 30
    while (state := os.waitpid(child, os.WNOHANG)) == (0, 0):
        assert time.monotonic() < deadline or os.kill(child, signal.SIGKILL)
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(state[1]) == 0


class Taken:
    """An array that returns the same capsules on every call."""

    def __init__(self, array):
        self.capsules = array.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def test_an_arrow_array_is_taken_once(bls):
    taken = Taken(pyarrow.array([b"a", b"b"]))
    assert len(bls.hashes(taken, G1, dst="T")) == 2
    with pytest.raises(Error, match="the array has already been read"):
        bls.hashes(taken, G1, dst="T")


def test_outcomes_that_are_read_have_a_value_or_an_error_in_each_place(bls):
    from bilinear._bilinear import read_outcomes

    error = ("length", "too short", 1)
    assert list(read_outcomes(bls, "truths", None, [True], [])) == [True]
    assert [e.code for e in read_outcomes(bls, "truths", None, [True, None], [(1, error)]).errors] == ["length"]
    for values, errors in (([None], []), ([True], [(1, error)])):
        with pytest.raises(Error, match="each outcome must have a value or an error"):
            read_outcomes(bls, "truths", None, values, errors)
