"""Tests of Arrow arrays: memory that changes during a call, offsets that are not aligned, and the meaning of empty values."""

import threading
import time

import numpy
import pyarrow
import pytest

from bilinear import G1, G2, GT, Curve, Error
from bilinear.predicate import Schema, keygen

TAG = "TEST-V01"
ROWS = 1000


def memory(array, kind):
    """Returns a writable copy of a buffer."""
    return numpy.frombuffer(array, kind).copy()


def binary(kind, offset):
    offsets = numpy.arange(ROWS + 1, dtype=offset)
    column = pyarrow.Array.from_buffers(kind, ROWS, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(b"x" * ROWS)])

    def change(_):
        offsets[-2], offsets[-1] = -(2**30), 2**30

    return column, change


def views(kind, value, field):
    given = pyarrow.array([value] * ROWS, kind).buffers()
    views = memory(given[1], numpy.int32)
    column = pyarrow.Array.from_buffers(kind, ROWS, [None, pyarrow.py_buffer(views), *given[2:]])

    def change(_):
        views[field - 4] = 2**30

    return column, change


def empty(kind, rows):
    return pyarrow.Array.from_buffers(kind, rows, [None, pyarrow.py_buffer(b"")][: 1 + (kind != pyarrow.null())])


def test_rows_that_take_no_memory_are_counted(bls, small):
    most = 2**20
    rows = 2**31 - 1
    none = empty(pyarrow.binary(0), rows)
    public, _ = keygen(small["two"], Schema("hidden vector\ncity text\n"))
    for wrong in (
        lambda: bls.points(none, G1),
        lambda: bls.hashes(pyarrow.chunked_array([none, none]), G1, dst=TAG),
        lambda: bls.pairings(numpy.empty((2**40, 0), numpy.uint8), bls.generator(G2)),
        lambda: public.encrypt({"city": empty(pyarrow.null(), rows)}),
        lambda: public.encrypt(pyarrow.table({"city": empty(pyarrow.null(), most + 1), "none": ["x"] * (most + 1)})),
    ):
        with pytest.raises(Error, match="rows that take no memory: at most 1048576 are allowed$") as caught:
            wrong()
        assert caught.value.code == "length"
    assert len(bls.points(numpy.empty((most, 0), numpy.uint8), G1)) == most
    # null columns beside other columns may be longer
    with pytest.raises(Error, match="^the numbers of rows of city and messages differ: 1048577 and 1$"):
        public.encrypt({"city": empty(pyarrow.null(), most + 1)}, messages=["x"])


def test_more_rows_than_there_is_memory_for(bls, tmp_path):
    file = tmp_path / "sparse"
    try:
        rows = numpy.memmap(file, numpy.uint8, "w+", shape=(2**42, 1))
    except OSError:
        pytest.skip("a sparse file of 4 TB cannot be mapped here")
    finally:
        file.unlink()
    for wrong in (lambda: bls.points(rows, G1), lambda: bls.pairings(rows, bls.generator(G2)), lambda: bls.sums(rows, 1, G1)):
        with pytest.raises(MemoryError, match=f"^there is no memory for {2**42} outcomes$"):
            wrong()


def test_types_are_nested_so_deep(bls):
    def nested(depth):
        kind = pyarrow.binary()
        for level in range(depth - 1):
            kind = pyarrow.list_(kind) if level % 2 else pyarrow.struct([("x", kind)])
        return pyarrow.array([], kind)

    for depth, wrong, text in ((64, TypeError, "binary is expected$"), (65, Error, "^a type nested more than 64 levels deep$"), (500, Error, "64")):
        for column in (nested(depth), pyarrow.chunked_array([nested(depth)])):
            with pytest.raises(wrong, match=text):
                bls.points(column, G1)


def dictionary():
    keys = numpy.zeros(ROWS, numpy.int32)
    column = pyarrow.Array.from_buffers(pyarrow.int32(), ROWS, [None, pyarrow.py_buffer(keys)])

    def change(_):
        keys[-1] = 2**30

    return pyarrow.DictionaryArray.from_arrays(column, pyarrow.array([b"x", b"y"])), change


@pytest.mark.parametrize(
    "make",
    [
        lambda: binary(pyarrow.binary(), numpy.int32),
        lambda: binary(pyarrow.large_binary(), numpy.int64),
        lambda: binary(pyarrow.string(), numpy.int32),
        # changes the length, the index of the buffer, and the offset in the buffer
        lambda: views(pyarrow.binary_view(), b"a value beyond the view", 0),
        lambda: views(pyarrow.binary_view(), b"a value beyond the view", 2),
        lambda: views(pyarrow.string_view(), "a value beyond the view", 3),
        dictionary,
    ],
)
def test_an_array_that_is_changed_meanwhile_ends_the_call(bls, make):
    column, change = make()
    column.validate(full=True)
    with pytest.raises(Error, match="^the array was changed while it was read$") as caught:
        bls.hashes(column, G1, dst=TAG, progress=change)
    assert caught.value.code == "arrow"


@pytest.mark.parametrize("group", [G1, GT])
def test_the_bytes_that_are_checked_are_those_that_are_computed_with(group):
    curve = Curve("alt-bn128", threads=1)
    points = curve.hashes([str(i) for i in range(512)], G1, dst=TAG)
    good = numpy.asarray(points if group == G1 else curve.pairings(points[:64], curve.generator(G2)))
    shared, done = good.copy(), threading.Event()
    last = shared[:, -1]
    column = pyarrow.Array.from_buffers(pyarrow.binary(good.shape[1]), len(good), [None, pyarrow.py_buffer(shared)])

    def flip():
        while not done.is_set():
            numpy.bitwise_xor(last, 1, out=last)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        begun = time.monotonic()
        while time.monotonic() < begun + 1:
            outcomes = curve.points(column, G1) if group == G1 else curve.values(column)
            bad = {error.row for error in outcomes.errors}
            rows = [row for row in range(len(good)) if row not in bad]
            assert (numpy.asarray(outcomes)[rows] == good[rows]).all()
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("kind, offset", [(pyarrow.binary(), numpy.int32), (pyarrow.large_string(), numpy.int64)])
def test_offsets_that_are_not_aligned_are_refused(bls, kind, offset):
    shifted = pyarrow.py_buffer(b"\0" + numpy.arange(3, dtype=offset).tobytes()).slice(1)
    column = pyarrow.Array.from_buffers(kind, 2, [None, shifted, pyarrow.py_buffer(b"ab")])
    keys = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 0]), column)
    for wrong in (column, pyarrow.chunked_array([column]), keys):
        with pytest.raises(Error, match="not aligned") as caught:
            bls.hashes(wrong, G1, dst=TAG)
        assert caught.value.code == "arrow"
    # values of fixed size need no alignment
    values = pyarrow.py_buffer(b"\0ab").slice(1)
    column = pyarrow.Array.from_buffers(pyarrow.binary(1), 2, [None, values])
    assert list(bls.hashes(column, G1, dst=TAG)) == list(bls.hashes(["a", "b"], G1, dst=TAG))


def test_texts_are_neither_scalars_nor_elements(bls):
    g, texts = bls.generator(G1), pyarrow.array(["05"])
    dictionary = texts.dictionary_encode()
    for column in (texts, texts.cast(pyarrow.large_string()), texts.cast(pyarrow.string_view()), dictionary):
        for call in (
            lambda: bls.multiples(g, column, G1),
            lambda: bls.msms(g, column, 1, G1),
            lambda: bls.multiples(bls.generator(GT), column, GT),
            lambda: bls.values(column),
            lambda: bls.sums(column, 1, GT),
            lambda: bls.points(column, G1),
        ):
            with pytest.raises(TypeError, match="^an Arrow array of text: binary is expected$"):
                call()


def test_an_empty_value_is_the_neutral_element(bls):
    g, h, e = (bls.generator(group) for group in (G1, G2, GT))
    for group, element in ((G1, g), (G2, h), (GT, e)):
        column = pyarrow.array([bytes(element), b"", bytes(element), None])
        outcomes = bls.multiples(column, 3, group)
        assert list(outcomes[:3]) == [element**3, bls.identity(group), element**3]
        assert [(error.row, error.code) for error in outcomes.errors] == [(3, "null")]
        assert bls.sums(column[:3], 3, group)[0] == element**2
    assert list(bls.values(pyarrow.array([b"", bytes(e)]))) == [bls.identity(GT), e]
    # an encoding that is named has its own form of the neutral element, so that an empty value is an error
    for outcomes in (
        bls.points(pyarrow.array([b"", g.to_bytes("zcash")]), G1, encoding="zcash"),
        bls.values(pyarrow.array([b"", e.to_bytes("torus2")]), encoding="torus2"),
    ):
        assert [(error.row, error.code) for error in outcomes.errors] == [(0, "length")]
