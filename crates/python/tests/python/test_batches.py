"""Batches: every form of a column, errors of rows, groups, prepared arguments, and what happens meanwhile."""

import os
import signal
import threading
import time

import numpy
import pyarrow
import pytest

from bilinear import G1, G2, Curve, Error, Zr, pair

TAG = "TEST-V01"


@pytest.fixture(scope="module")
def table(bls):
    p = bls.hashes([f"p{i}" for i in range(9)], G1, tag=TAG)
    q = bls.hashes([f"q{i}".encode() for i in range(9)], G2, tag=TAG)
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
    # what was handed out outlives the outcomes
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
    for form in (rows, pyarrow.array(rows, pyarrow.binary())):
        outcomes = bls.pairings(form, q)
        assert [(e.row, e.index, e.code) for e in outcomes.errors] == [(0, 0, "null"), (3, 3, "length"), (5, 5, "subgroup")]
        assert outcomes[7].is_identity and outcomes[-1] == outcomes[8]
        assert [bytes(outcomes[i]) for i in (1, 2, 4, 6, 8)] == [wanted[i] for i in (1, 2, 4, 6, 8)]
        with pytest.raises(Error, match="^row 3: p: ") as caught:
            outcomes[3]
        assert caught.value.row == 3
        assert pyarrow.array(outcomes).null_count == 3 and not numpy.asarray(outcomes)[5].any()
    with pytest.raises(IndexError):
        outcomes[9]
    groups = bls.products(rows, q, [2, 0, 4, 3])
    assert [(e.index, e.row, e.code) for e in groups.errors] == [(0, 0, "null"), (2, 3, "length")]
    assert groups[1].is_identity and groups[3] == outcomes[6] * outcomes[8]


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
        bls.hashes(["x"], G1, tag="")
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
    assert list(bls.checks([p[0], ~p[0], p[0], p[0]], [fixed, fixed], 2)) == [True, False]
    assert pyarrow.array(bls.checks([p[0], ~p[0]], q[0], 2)).to_pylist() == [True]
    for wrong in (lambda: bls.products(p, fixed, 3), lambda: bls.pairings(fixed, q), lambda: bls.prepare(p[0])):
        with pytest.raises(Error):
            wrong()
    other = Curve("bls12-381", engine="portable")
    with pytest.raises(Error):
        other.pairings(p, fixed)


def test_multiples_and_hashes(curve):
    g = curve.generator(G1)
    x = [curve.random(Zr) for _ in range(3)]
    wanted = [g**a for a in x]
    assert list(curve.multiples(g, x, G1)) == wanted
    scalars = numpy.frombuffer(b"".join(bytes(a) for a in x), numpy.uint8).reshape(3, -1)
    assert list(curve.multiples([g, bytes(g), g], scalars, G1)) == wanted
    assert list(curve.multiples(g, [0, -1, curve.order + 2], G1)) == [g**0, ~g, g * g]
    outcomes = curve.multiples([g, None, b"\x01"], x, G1)
    assert [(e.row, e.code) for e in outcomes.errors] == [(1, "null"), (2, "length")] and outcomes[0] == wanted[0]
    messages = ["a", b"b", None]
    for form in (messages, pyarrow.array([b"a", b"b", None]), pyarrow.array(["a", "b", None])):
        points = curve.hashes(form, G2, tag=TAG)
        assert [points[i] for i in (0, 1)] == [curve.hash(m, G2, tag=TAG) for m in ("a", "b")]
        assert [(e.row, e.code) for e in points.errors] == [(2, "null")]


def test_progress_signals_and_threads(bls, table):
    p, q, _ = table
    many = [p[i % 9] for i in range(600)]
    told = []
    outcomes = bls.pairings(many, q[0], progress=told.append)
    assert sum(told) == 600 == len(outcomes) and len(told) > 1

    def stop(rows):
        raise KeyError(rows)

    with pytest.raises(KeyError):
        bls.pairings(many, q[0], progress=stop)

    # another thread of Python goes on while pairings are computed
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

    # Ctrl-C stops between two chunks; a shell's jobs in the background ignore it until told otherwise
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
