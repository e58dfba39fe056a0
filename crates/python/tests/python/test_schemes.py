"""Tests of BGN, whose results are those of integer arithmetic, and of IBE, where only the key of a name reads its messages."""

import os
import pickle
import random
import stat

import numpy
import pyarrow
import pytest

from bilinear import Error, bgn, ibe


@pytest.fixture(scope="module")
def numbers(small):
    return bgn.keygen(small["two"])


class Long(list):
    def __len__(self):
        return 2**62


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_numbers_are_those_of_integers(numbers):
    public, secret = numbers
    rng = random.Random(7)
    a, b = ([rng.randint(-30, 30) for _ in range(20)] for _ in range(2))
    c, d = public.encrypt(a), public.encrypt(pyarrow.array(b, pyarrow.int8()))
    table = secret.dlog_table(30_000)
    products = public.products(c, d)
    assert table.decrypt(c) == a and table.decrypt(d) == b
    assert table.decrypt(products) == [x * y for x, y in zip(a, b)]
    assert table.decrypt([public.sum(c), public.sum_products(products)]) == [sum(a), sum(x * y for x, y in zip(a, b))]
    for x, y, p, q in zip(a[:6], b, c, d):
        # ciphertexts and products in one list
        pq = p * q
        given = [p + q, p - q, -p, p * 3, -4 * p, pq, pq + q * q, pq - pq, -pq, pq * -2, 5 * pq, q.as_product() + pq]
        wanted = [x + y, x - y, -x, 3 * x, -4 * x, x * y, x * y + y * y, 0, -x * y, -2 * x * y, 5 * x * y, y + x * y]
        assert table.decrypt(given) == wanted
    # lists are read item by item, whatever length they claim to have
    assert table.decrypt(Long([public.sum(Long(c)), public.sum_products(Long(products))])) == [sum(a), sum(x * y for x, y in zip(a, b))]
    again = public.rerandomize(c)
    assert table.decrypt(again) == a and not set(map(bytes, again)) & set(map(bytes, c))
    assert table.decrypt([c[0] * numpy.int8(3), numpy.int8(3) * products[0]]) == [3 * a[0], 3 * a[0] * b[0]]
    assert secret.dlog_table(numpy.int64(5)).decrypt(public.encrypt([5, -5, 6, -7])) == [5, -5, None, None]
    extremes = public.encrypt(numpy.array([2**63 - 1, -(2**63)], numpy.int64))
    assert table.decrypt([extremes[0] + extremes[1]]) == [-1]
    told = []
    assert len(public.encrypt(range(100), progress=told.append)) == 100 == sum(told)


def test_keys_and_ciphertexts_of_numbers_as_bytes(numbers, small, tmp_path):
    public, secret = numbers
    curve = small["two"]
    (c,) = public.encrypt([7])
    x = c * c
    same = bgn.PublicKey.from_bytes(curve, public.to_bytes())
    assert same == public and same.ciphertext(bytes(c)) == c and same.product(bytes(x)) == x
    for zero in (c * 0, c - c, public.sum([])):
        assert same.ciphertext(bytes(zero)) == zero and len(bytes(zero)) == len(bytes(c))
    secret.save(tmp_path / "key")
    assert stat.S_IMODE(os.stat(tmp_path / "key").st_mode) == 0o600
    table = bgn.SecretKey.load(curve, tmp_path / "key").dlog_table(100)
    assert table.decrypt([same.ciphertext(bytes(c)), x]) == [7, 49]
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(Error, match="its mode is"):
        bgn.SecretKey.load(curve, tmp_path / "key")
    readers = [
        (public.ciphertext, bytes(c)),
        (public.product, bytes(x)),
        (lambda data: bgn.PublicKey.from_bytes(curve, data), public.to_bytes()),
    ]
    for read, good in readers:
        for at in range(len(good)):
            with pytest.raises(Error):
                read(flipped(good, at))
        with pytest.raises(Error):
            read(good[:-1])
    with pytest.raises(Error):
        public.product(bytes(c))
    for attempt in (lambda: pickle.dumps(secret), lambda: bytes(secret), lambda: secret.to_bytes()):
        with pytest.raises((TypeError, AttributeError)):
            attempt()


def test_what_belongs_to_another_key_or_is_no_number_is_refused(numbers, small):
    public, secret = numbers
    (c,), table = public.encrypt([7]), secret.dlog_table(100)
    other, other_secret = bgn.keygen(small["two"])
    (foreign,) = other.encrypt([1])
    attempts = (
        lambda: c + foreign,
        lambda: c - foreign,
        lambda: c * foreign,
        lambda: c * c + foreign * foreign,
        lambda: public.sum([c, foreign]),
        lambda: public.products([c], [foreign]),
        lambda: public.ciphertext(bytes(foreign)),
        lambda: table.decrypt([c, foreign]),
        lambda: other_secret.dlog_table(10).decrypt([c * c]),
    )
    for attempt in attempts:
        with pytest.raises(Error) as caught:
            attempt()
        assert caught.value.code == "key"
    rows = [
        ([1, 2**64], "value", 1),
        ([None], "null", 0),
        (pyarrow.array([1, 2, None]), "null", 2),
        (pyarrow.array([2**63], pyarrow.uint64()), "value", 0),
    ]
    for column, code, row in rows:
        with pytest.raises(Error) as caught:
            public.encrypt(column)
        assert (caught.value.code, caught.value.row) == (code, row)
    for wrong in (["1"], [1.0], pyarrow.array([1.0]), 5):
        with pytest.raises(TypeError):
            public.encrypt(wrong)
    for wrong in ([c, 7], "c", 5):
        with pytest.raises(TypeError):
            public.sum(wrong)
    for k in (2**63, -(2**63) - 1, 10**30):
        for attempt in (lambda: c * k, lambda: k * c, lambda: (c * c) * k, lambda: k * (c * c)):
            with pytest.raises(Error, match="^an integer of more than 64 bits$") as caught:
                attempt()
            assert caught.value.code == "value"
    for bound in (0, -1, 2**41, 2**64):
        with pytest.raises(Error, match=str(bound)) as caught:
            secret.dlog_table(bound)
        assert caught.value.code == "range"
    for attempt in (lambda: c * 1.5, lambda: (c * c) * (c * c), lambda: secret.dlog_table("1")):
        with pytest.raises(TypeError):
            attempt()
    with pytest.raises(Error):
        bgn.keygen(small["three"])
    with pytest.raises(Error, match="^the lists differ in length: 1 and 0$"):
        public.products([c], [])


def test_messages_are_read_by_those_whose_names_they_are(curve):
    public, master = ibe.keygen(curve)
    names = ["ann@example.org", b"bob", "ann@example.org", "", None]
    encrypted = public.encrypt(names, ["to ann", b"\x00to bob", "", b"to nobody", "lost"])
    assert [(e.row, e.code) for e in encrypted.errors] == [(4, "null")]
    array = pyarrow.array(encrypted)
    assert array.null_count == 1
    wanted = {
        "ann@example.org": [b"to ann", None, b"", None],
        "bob": [None, b"\x00to bob", None, None],
        b"": [None, None, None, b"to nobody"],
        "eve": [None] * 4,
    }
    for name, opened in wanted.items():
        found = master.extract(name).decrypt(array)
        assert [found[i] for i in range(4)] == opened and [(e.row, e.code) for e in found.errors] == [(4, "null")]
    with pytest.raises(Error, match="^the numbers of rows of identities and messages differ: 2 and 1$") as caught:
        public.encrypt(["a", "b"], ["c"])
    assert caught.value.code == "length"


def test_keys_of_names_in_files_and_damaged_messages(curve, tmp_path):
    public, master = ibe.keygen(curve)
    ann = master.extract(b"ann")
    master.save(tmp_path / "master")
    ann.save(tmp_path / "ann")
    assert all(stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600 for name in ("master", "ann"))
    same = ibe.PublicKey.from_bytes(curve, public.to_bytes())
    assert same == public and same.id == public.id
    for key in (ibe.PrivateKey.load(curve, tmp_path / "ann"), ibe.MasterKey.load(curve, tmp_path / "master").extract("ann")):
        assert list(key.decrypt(same.encrypt(["ann"], ["again"]))) == [b"again"]
    (row,) = public.encrypt(["ann"], ["a message"])
    for at in range(0, len(row), 5):
        found = ann.decrypt([flipped(row, at), row])
        assert found[1] == b"a message" and [e.row for e in found.errors] == [0]
    (foreign,) = ibe.keygen(curve)[0].encrypt(["ann"], ["x"])
    wanted = [(1, "key"), (2, "ciphertext"), (3, "null")]
    assert [(e.row, e.code) for e in ann.decrypt([row, foreign, b"", None]).errors] == wanted
    for secret in (master, ann):
        for attempt in (lambda: pickle.dumps(secret), lambda: bytes(secret), lambda: secret.to_bytes()):
            with pytest.raises((TypeError, AttributeError)):
                attempt()
    (tmp_path / "ann").chmod(0o640)
    for path in (tmp_path / "ann", tmp_path / "absent", tmp_path / "master"):
        with pytest.raises(Error):
            ibe.PrivateKey.load(curve, path)
