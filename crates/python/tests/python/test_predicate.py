"""Tests of encrypted tables: answers are those of the predicate on the plain rows; files and rows are those of the command."""

import json
import os
import pickle
import signal
import stat
import subprocess
import threading
import time

import numpy
import pyarrow
import pyarrow.parquet
import pytest

from bilinear import Curve, Error
from bilinear.predicate import PublicKey, Schema, SecretKey, Token, Tokens, keygen

HIDDEN = "hidden vector\ncity text\nstars integer 1 5\nstate choice 'new' 'paid'\n"
INNER = "inner product\ncity text most 2\nstars integer 1 5 most 2\njoin city stars\n"
CITIES = ["Lyon", "Paris", "Zürich", None]


def table(count):
    """Returns rows of three attributes and a message, with some null values."""
    rows = [
        {"city": CITIES[i % 4], "stars": None if i == 6 else i // 2 % 5 + 1, "state": ["new", "paid"][i % 2], "note": f"row {i} é"}
        for i in range(count)
    ]
    kinds = {"city": pyarrow.string(), "stars": pyarrow.int64(), "state": pyarrow.string(), "note": pyarrow.string()}
    return pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(kinds))


def compare(predicate, column):
    """Applies a predicate to every value of a column. A comparison with null is not true."""
    return [value is not None and predicate(value) for value in column.to_pylist()]


def all_of(*answers):
    return [all(row) for row in zip(*answers)]


def any_of(*answers):
    return [any(row) for row in zip(*answers)]


# predicates, the same in plain Python, and the number of pairings for each row
HIDDEN_PREDICATES = [
    ("city = 'Lyon' AND stars >= 3", lambda t: all_of(compare(lambda x: x == "Lyon", t["city"]), compare(lambda x: x >= 3, t["stars"])), 5),
    ("state IN ('new')", lambda t: compare(lambda x: x == "new", t["state"]), 3),
    ("stars BETWEEN 2 AND 4", lambda t: compare(lambda x: 2 <= x <= 4, t["stars"]), 5),
    ("city = 'Bern'", lambda t: [False] * len(t), 3),
    ("*", lambda t: [True] * len(t), 1),
]
INNER_PREDICATES = [
    ("city = 'Paris' OR stars IN (1, 4)", lambda t: any_of(compare(lambda x: x == "Paris", t["city"]), compare(lambda x: x in (1, 4), t["stars"])), 19),
    ("city IN ('Lyon', 'Zürich') AND stars = 2", lambda t: all_of(compare(lambda x: x in ("Lyon", "Zürich"), t["city"]), compare(lambda x: x == 2, t["stars"])), 19),
]


# over a prime order: the same predicates with another number of pairings
PRIME = INNER.replace("product", "product in dual spaces", 1)
PRIME_PREDICATES = [(text, answer, 38) for text, answer, _ in INNER_PREDICATES]


@pytest.fixture(scope="module", params=["hidden", "inner", "prime"])
def kept(request, small):
    """Returns keys, a table with its ciphertexts, and predicates."""
    curve, text, predicates = {
        "hidden": (small["two"], HIDDEN, HIDDEN_PREDICATES),
        "inner": (small["three"], INNER, INNER_PREDICATES),
        "prime": (Curve("bn-254n"), PRIME, PRIME_PREDICATES),
    }[request.param]
    schema = Schema(text)
    assert schema.scheme == text.splitlines()[0]
    public, secret = keygen(curve, schema)
    plain = table(24)
    return public, secret, plain, public.encrypt(plain, messages="note"), predicates


@pytest.fixture(scope="module")
def hidden(small):
    public, secret = keygen(small["two"], Schema(HIDDEN))
    return public, secret


def test_a_search_finds_what_the_predicate_finds_in_the_clear(kept):
    public, secret, plain, encrypted, predicates = kept
    assert len(encrypted) == 24 and not encrypted.errors and len(set(encrypted)) == 24
    rows = plain.to_pylist()
    for predicate, wanted, pairings in predicates:
        assert public.schema.pairings(predicate) == pairings
        token = secret.token(predicate)
        assert token.pairings == pairings and token.id == public.id == secret.id
        answers = wanted(plain)
        assert [public.schema.holds(predicate, row) for row in rows] == answers
        found = token.matches(encrypted)
        assert list(found) == answers, predicate
        array = pyarrow.array(found)
        assert array.type == pyarrow.bool_() and array.null_count == 0 and array.to_pylist() == answers
        messages = [row["note"].encode() if holds else None for row, holds in zip(rows, answers)]
        opened = token.open(encrypted)
        assert list(opened) == messages == pyarrow.array(opened).to_pylist() and not opened.errors
        assert pyarrow.array(opened).type == pyarrow.large_binary()


def test_several_tokens_in_one_pass_answer_as_each_alone(kept):
    public, secret, _, encrypted, predicates = kept
    tokens = [secret.token(predicate) for predicate, _, _ in predicates]
    several = Tokens(iter(tokens))
    assert len(several) == len(tokens) and list(several) == tokens and several[-1] == several[numpy.int64(-1)] == tokens[-1]
    pairings = sum(token.pairings for token in tokens)
    assert repr(several) == f"<Tokens for rows of {public.id[:8]}, {public.curve.name}: {len(tokens)}, pairings a row: {pairings}>"
    assert repr(tokens[0]) == f"<Token for rows of {public.id[:8]}, {public.curve.name}, pairings a row: {tokens[0].pairings}>"
    # valid rows, a truncated row, a row with a bad point that some tokens look at, a missing row, and a row of another key
    rows = list(encrypted)
    rows[3], rows[5], rows[7] = rows[3][:-1], rows[5][:40] + bytes(8) + rows[5][48:], None
    other_public, other = keygen(public.curve, public.schema)
    rows[9] = other_public.encrypt({name: [None] for name in public.schema.attributes})[0]
    told = []
    for column in (rows, pyarrow.array(rows, pyarrow.binary()), pyarrow.chunked_array([pyarrow.array(rows, pyarrow.large_binary())])):
        for asked, alone in ((several.matches, Token.matches), (several.open, Token.open)):
            found = asked(column, progress=told.append)
            assert len(found) == len(tokens)
            for token, outcomes in zip(tokens, found):
                wanted = alone(token, column)
                assert pyarrow.array(outcomes).equals(pyarrow.array(wanted))
                assert [(e.row, e.code, str(e)) for e in outcomes.errors] == [(e.row, e.code, str(e)) for e in wanted.errors]
    assert sum(told) == 6 * len(rows) and {e.row for e in found[0].errors} >= {3, 7, 9}
    assert [list(outcomes) for outcomes in pickle.loads(pickle.dumps(several)).matches(encrypted)] == [list(token.matches(encrypted)) for token in tokens]
    assert [list(outcomes) for outcomes in several.matches([])] == [[]] * len(tokens)
    with pytest.raises(IndexError, match=f"^index {len(tokens)} is out of range: the number of tokens is {len(tokens)}$"):
        several[len(tokens)]
    with pytest.raises(Error, match="at least one token is needed"):
        Tokens([])
    with pytest.raises(TypeError):
        Tokens([tokens[0], None])
    with pytest.raises(Error, match="token 1 belongs to a different key than the first"):
        Tokens([tokens[0], other.token("*")])


def test_forms_of_tables_and_columns_agree(hidden):
    public, secret = hidden
    plain = table(9)
    columns = {name: plain[name].to_pylist() for name in plain.column_names}
    chunks = pyarrow.concat_tables([plain[:4], plain[4:4], plain[4:]])
    struct = plain.to_struct_array()
    forms = [
        plain,
        chunks,
        chunks.to_reader(),
        plain.to_batches()[0],
        pyarrow.concat_arrays([struct.chunk(0)[:1], struct.chunk(0)])[1:],
        columns,
        {**columns, "stars": numpy.array([1 if x is None else x for x in columns["stars"]], numpy.int16)},
        {**columns, "city": plain["city"].dictionary_encode(), "stars": plain["stars"].cast(pyarrow.uint8()).combine_chunks()},
        plain.set_column(0, "city", plain["city"].cast(pyarrow.large_string())).set_column(1, "stars", plain["stars"].cast(pyarrow.int8())),
        plain.set_column(0, "city", plain["city"].cast(pyarrow.string_view())).append_column("more", [list(range(9))]),
    ]
    token = secret.token("city = 'Lyon' AND stars >= 3")
    wanted = [note.encode() if city == "Lyon" and stars is not None and stars >= 3 else None for city, stars, note in zip(*(columns[name] for name in ("city", "stars", "note")))]
    assert 0 < sum(message is not None for message in wanted) < 9
    for form in forms:
        encrypted = public.encrypt(form, messages=columns["note"])
        assert list(token.open(encrypted)) == wanted
    missing = {**columns, "city": pyarrow.nulls(9)}
    assert not any(token.matches(public.encrypt(missing)))
    assert list(secret.token("*").open(public.encrypt(missing))) == [b""] * 9
    for messages in ("note", plain["note"], plain["note"].cast(pyarrow.binary()), columns["note"], [note.encode() for note in columns["note"]]):
        assert list(token.open(public.encrypt(plain, messages=messages))) == wanted
    # all forms of a column of ciphertexts
    rows = list(public.encrypt(plain, messages="note"))
    array = pyarrow.array(rows, pyarrow.binary())
    chunked = pyarrow.chunked_array([array[:2], array[2:2], array[2:]])
    for form in (rows, array, chunked, array.cast(pyarrow.large_binary()), array.dictionary_encode(), chunked.cast(pyarrow.binary_view()), iter(rows)):
        assert list(token.open(form)) == wanted
    assert len(public.encrypt(plain[:0])) == 0 == len(token.matches([])) == len(token.matches(chunked[:0]))


def test_structures_that_are_null_may_have_columns_of_any_type(hidden):
    public, secret = hidden
    plain = table(4).to_struct_array().combine_chunks()
    columns = {name: plain.field(name) for name in ("city", "stars", "state")}
    union = pyarrow.UnionArray.from_sparse(pyarrow.array([0] * 4, pyarrow.int8()), [pyarrow.array([1] * 4)])
    runs = pyarrow.RunEndEncodedArray.from_arrays([4], [1])
    mask = pyarrow.array([False, True, False, False])
    answers = {}
    for name, other in (("text", pyarrow.array(["x"] * 4)), ("null", pyarrow.nulls(4)), ("union", union), ("runs", runs)):
        struct = pyarrow.StructArray.from_arrays([*columns.values(), other], [*columns, "other"], mask=mask)
        answers[name] = list(secret.token("stars >= 1").matches(public.encrypt(struct)))
    assert answers["text"][1] is False and all(found == answers["text"] for found in answers.values())
    no_stars = pyarrow.StructArray.from_arrays([columns["city"], pyarrow.nulls(4), columns["state"]], list(columns), mask=mask)
    assert not public.encrypt(no_stars).errors


def test_a_bad_row_costs_itself_alone(hidden, small):
    public, secret = hidden
    columns = {"city": ["Lyon"] * 6, "stars": [5, 6, 5, 2**70, None, 1], "state": ["new", "new", "old", "new", "new", "paid"]}
    encrypted = public.encrypt(columns, messages=["0", "1", "2", "3", None, b"5"])
    assert [(e.row, e.index, e.code) for e in encrypted.errors] == [(1, 1, "value"), (2, 2, "value"), (3, 3, "value"), (4, 4, "null")]
    assert str(encrypted.errors[0]).startswith("row 1: attribute stars: the value is not one of the integers from 1 to 5")
    array = pyarrow.array(encrypted)
    assert array.null_count == 4 and array[5].as_py() == encrypted[5]
    token = secret.token("city = 'Lyon'")
    # rows that were not encrypted are null
    found = token.open(encrypted)
    assert [(e.row, e.code) for e in found.errors] == [(row, "null") for row in (1, 2, 3, 4)]
    assert (found[0], found[5]) == (b"0", b"5") and pyarrow.array(token.matches(array)).to_pylist() == [True, None, None, None, None, True]

    good = encrypted[0]
    other_key = keygen(small["two"], Schema(HIDDEN))[0].encrypt(columns)[0]
    other_scheme = keygen(small["three"], Schema(INNER))[0].encrypt(columns)[0]
    middle = len(good) // 2
    flipped = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(0, len(good), 7)]
    rows = [good, other_key, None, good[:-1], b"", other_scheme, good + b"\0", b"not a row", *flipped, good]
    last = len(rows) - 1
    for form in (rows, pyarrow.array(rows), pyarrow.chunked_array([rows[:3], rows[3:]])):
        found = token.open(form)
        codes = {e.row: e.code for e in found.errors}
        assert found[0] == found[last] == b"0" and sorted(codes) == list(range(1, last))
        assert [codes[row] for row in range(1, 8)] == ["key", "null", *["ciphertext"] * 2, "key", *["ciphertext"] * 2]
        assert set(codes.values()) == {"key", "null", "ciphertext"}
        with pytest.raises(Error, match="^row 1: ciphertext, byte .*: the object belongs to another key") as caught:
            found[1]
        assert (caught.value.row, caught.value.index, caught.value.code) == (1, 1, "key")
    assert middle


def test_forms_that_are_none_are_refused(hidden, small):
    public, secret = hidden
    plain = table(3)
    for form, code in [
        (plain.drop_columns("city"), "missing"),
        ({"city": ["Lyon"]}, "missing"),
        (plain.append_column("city", plain["city"]), "repeated"),
        ({"city": ["Lyon"], "stars": [1, 2], "state": ["new"]}, "length"),
    ]:
        with pytest.raises(Error) as caught:
            public.encrypt(form)
        assert caught.value.code == code
    for messages, code in (("no column", "missing"), (["a"], "length")):
        with pytest.raises(Error) as caught:
            public.encrypt(plain, messages=messages)
        assert caught.value.code == code
    with_floats = plain.set_column(1, "stars", plain["stars"].cast(pyarrow.float64()))
    texts = {"city": ["Lyon"], "stars": ["5"], "state": ["new"]}
    for form in (with_floats, texts, {**texts, "stars": [5.0]}, {**texts, "city": [7]}, plain["city"], [1], 5, "city"):
        with pytest.raises(TypeError):
            public.encrypt(form)
    with pytest.raises(TypeError, match="^column city: a column is expected, not a single text: put it in a list$"):
        public.encrypt({"city": "Lyon", "stars": [1] * 4, "state": ["new"] * 4})
    token = secret.token("stars = 5")
    for form in (plain, plain["stars"], [5], 5):
        with pytest.raises(TypeError):
            token.matches(form)
    for attempt, code in [
        (lambda: Schema("hidden vector\ncity text\nCITY text"), "schema"),
        (lambda: Schema("hidden vector\n" + "".join(f"a{i} text\n" for i in range(16))), "schema"),
        (lambda: secret.token("city = Lyon"), "predicate"),
        (lambda: public.schema.pairings("town = 'Lyon'"), "predicate"),
        (lambda: public.schema.holds("city = 'Lyon'", {"city": "Lyon", "stars": 9, "state": "new"}), "value"),
        (lambda: keygen(small["three"], Schema(HIDDEN)), "factors"),
        (lambda: keygen(Curve("a-512"), Schema(HIDDEN)), "factors"),
        (lambda: keygen(Curve("bls12-381", pairing="tate"), Schema(PRIME)), "engine"),
        (lambda: keygen(Curve("bls12-381", power="fast"), Schema(PRIME)), "engine"),
    ]:
        with pytest.raises(Error) as caught:
            attempt()
        assert caught.value.code == code


def test_files_of_keys(hidden, small, tmp_path):
    public, secret = hidden
    token = secret.token("city = 'Lyon'")
    paths = {kind: tmp_path / kind for kind in ("public", "secret", "token")}
    for kind, key in (("public", public), ("secret", secret), ("token", token)):
        key.save(paths[kind])
        mode = stat.S_IMODE(os.stat(paths[kind]).st_mode)
        assert (mode & 0o77 == 0) == (kind != "public") and mode & 0o600 == 0o600
        with pytest.raises(Error, match="File exists"):
            key.save(paths[kind])
    again = [PublicKey.load(paths["public"], threads=1), SecretKey.load(str(paths["secret"])), Token.load(paths["token"], engine="portable")]
    assert again[0] == public and again[0].schema == public.schema == again[1].schema and again[2] == token
    assert (again[0].curve.threads, again[2].curve.engine) == (1, "portable") and {key.id for key in again} == {public.id}
    assert PublicKey.from_bytes(public.to_bytes()) == public and Token.from_bytes(token.to_bytes().decode()) == token
    assert paths["token"].read_bytes() == token.to_bytes()
    encrypted = again[0].encrypt(table(8))
    wanted = [row % 4 == 0 for row in range(8)]
    assert list(again[2].matches(encrypted)) == list(again[1].token("city = 'Lyon'").matches(encrypted)) == wanted
    # objects are restored from their bytes, also in other processes
    copy = pickle.loads(pickle.dumps(again[2]))
    assert copy == token and copy.curve.engine == "portable" and list(copy.matches(encrypted)) == wanted
    assert pickle.loads(pickle.dumps(public)) == public and pickle.loads(pickle.dumps(public.schema)) == public.schema
    for attempt in (lambda: pickle.dumps(secret), lambda: bytes(secret), lambda: secret.to_bytes()):
        with pytest.raises((TypeError, AttributeError)):
            attempt()
    assert "bilinear" not in repr(secret) and len(repr(secret)) < 60
    # keys of one curve share the curve object and its threads
    readers, before = ((PublicKey.load, "public"), (SecretKey.load, "secret"), (Token.load, "token")), len(os.listdir("/proc/self/task"))
    loaded = [read(paths[kind], threads=3) for read, kind in readers for _ in range(4)]
    loaded += [pickle.loads(pickle.dumps(key)) for key in loaded if not isinstance(key, SecretKey)]
    assert len(os.listdir("/proc/self/task")) <= before + 3 and {key.curve.threads for key in loaded} == {3}

    # files of another kind, damaged files, and a secret file that other users may read
    for read, kind in ((PublicKey.load, "secret"), (SecretKey.load, "public"), (Token.load, "public")):
        with pytest.raises(Error) as caught:
            read(paths[kind])
        assert caught.value.code == "file"
    with pytest.raises(Error, match="No such file"):
        Token.load(tmp_path / "absent")
    for kind, read in (("public", PublicKey.from_bytes), ("token", Token.from_bytes)):
        good = paths[kind].read_bytes()
        for at in range(0, len(good), 97):
            with pytest.raises(Error):
                read(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        for cut in (0, 1, len(good) // 2, len(good) - 1):
            with pytest.raises(Error):
                read(good[:cut])
    text = paths["secret"].read_bytes()
    digits = text.split(b"\n")[1].removeprefix(b"key ").decode()
    for at in range(0, len(text), 211):
        damaged = tmp_path / f"secret{at}"
        damaged.touch(0o600)
        damaged.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        with pytest.raises(Error) as caught:
            SecretKey.load(damaged)
        assert not any(digits[i : i + 12] in str(caught.value) for i in range(60, len(digits) - 12))
    for mode in (0o640, 0o644, 0o660, 0o700):
        paths["secret"].chmod(mode)
        with pytest.raises(Error, match="its mode is"):
            SecretKey.load(paths["secret"])


def test_factors_come_from_private_files(small, small_files, tmp_path):
    curve, factors = small_files["two"]
    path = tmp_path / "factors"
    path.touch(0o600)
    path.write_bytes(factors.read_bytes())
    for mode in (0o640, 0o644, 0o660, 0o700):
        path.chmod(mode)
        with pytest.raises(Error, match=f"its mode is {mode:04o}"):
            Curve.load(curve).with_factors(path)
    path.chmod(0o400)
    keygen(Curve.load(curve).with_factors(path), Schema(HIDDEN))
    with pytest.raises(Error):
        small["three"].with_factors(path)


def test_the_command_reads_what_python_writes_and_writes_what_it_reads(small, small_files, tmp_path):
    bilinear = os.environ.get("BILINEAR")
    if not bilinear:
        pytest.skip("no command: `make test` builds it")

    def run(*words):
        done = subprocess.run([bilinear, "search", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    plain = table(40)
    pyarrow.parquet.write_table(plain, tmp_path / "plain.parquet")
    (tmp_path / "schema").write_text(HIDDEN)
    (tmp_path / "factors").touch(0o600)
    (tmp_path / "factors").write_bytes(small_files["two"][1].read_bytes())
    curve = ("--params", str(small_files["two"][0]), "--factors", "factors")
    run("keygen", *curve, "--schema", "schema", "--public", "c.public", "--secret", "c.secret")
    public, secret = keygen(small["two"], Schema(HIDDEN))
    public.save(tmp_path / "p.public")
    secret.save(tmp_path / "p.secret")
    predicate, wanted, _ = HIDDEN_PREDICATES[0]
    answers = wanted(plain)
    messages = [row["note"].encode() if holds else None for row, holds in zip(plain.to_pylist(), answers)]
    for key in ("c", "p"):
        run("encrypt", "--public", f"{key}.public", "--message", "note", "--text", "--in", "plain.parquet", "--out", f"{key}.parquet")
        encrypted = PublicKey.load(tmp_path / f"{key}.public").encrypt(plain, messages="note")
        by_python = pyarrow.table({"ciphertext": pyarrow.array(encrypted)})
        pyarrow.parquet.write_table(by_python, tmp_path / f"{key}-python.parquet")
        with pyarrow.ipc.new_file(tmp_path / f"{key}-python.arrow", by_python.schema) as file:
            file.write_table(by_python)
        run("token", "--secret", f"{key}.secret", "--out", f"{key}.token", predicate)
        SecretKey.load(tmp_path / f"{key}.secret").token(predicate).save(tmp_path / f"{key}-python.token")
        for token in (f"{key}.token", f"{key}-python.token"):
            for name in (f"{key}.parquet", f"{key}-python.parquet", f"{key}-python.arrow"):
                records = [json.loads(line) for line in run("scan", "--token", token, "--in", name).splitlines()]
                assert [record["match"] for record in records] == answers
                assert [bytes.fromhex(record["opened"]) if record["match"] else None for record in records] == messages
            for name in (f"{key}.parquet", f"{key}-python.parquet"):
                column = pyarrow.parquet.read_table(tmp_path / name)["ciphertext"]
                if pyarrow.types.is_string(column.type):
                    column = [bytes.fromhex(text) for text in column.to_pylist()]
                assert list(Token.load(tmp_path / token).open(column)) == messages


def test_progress_signals_and_threads(hidden):
    public, secret = hidden
    token = secret.token("city = 'Lyon' AND stars >= 3 AND state = 'new'")
    encrypted = pyarrow.array(public.encrypt(table(200)))
    many = pyarrow.chunked_array([encrypted] * 20)
    told = []
    wanted = list(token.matches(encrypted))
    assert list(token.matches(many, progress=told.append)) == wanted * 20 and sum(told) == 4000 and len(told) > 1

    def stop(rows):
        raise KeyError(rows)

    for work in (lambda: token.matches(many, progress=stop), lambda: public.encrypt(table(50), progress=stop)):
        with pytest.raises(KeyError):
            work()

    # another Python thread runs during the search, and searches too
    ticks, answers, done = [], [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    threads = [threading.Thread(target=tick), threading.Thread(target=lambda: answers.append(list(token.matches(many))))]
    for thread in threads:
        thread.start()
    begun = time.perf_counter()
    assert list(token.matches(many)) == wanted * 20
    ended = time.perf_counter()
    done.set()
    for thread in threads:
        thread.join()
    assert len([tick for tick in ticks if begun < tick < ended]) > 5 and answers == [wanted * 20]

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            token.matches(pyarrow.chunked_array([encrypted] * 2000))
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def status(child):
    """Returns the exit code of a forked process, which is killed after 30 seconds."""
    deadline = time.monotonic() + 30
    while (state := os.waitpid(child, os.WNOHANG)) == (0, 0):
        assert time.monotonic() < deadline or os.kill(child, signal.SIGKILL)
        time.sleep(0.01)
    return os.waitstatus_to_exitcode(state[1])


def test_a_process_that_is_forked_while_a_key_is_prepared_prepares_it_itself():
    public, secret = keygen(Curve("a1-2x512", threads=1), Schema("hidden vector\ncity text\nstars integer 1 5\n"))
    rows = {"city": ["Lyon"], "stars": [4]}
    token = secret.token("city = 'Lyon'")
    thread = threading.Thread(target=public.encrypt, args=(rows,))
    thread.start()
    time.sleep(0.1)
    child = os.fork()
    if child == 0:
        os._exit(0 if list(token.matches(public.encrypt(rows))) == [True] else 1)
    assert thread.is_alive()
    try:
        assert status(child) == 0
    finally:
        thread.join()


def test_a_forked_process_has_threads_of_its_own(hidden):
    public, secret = hidden
    token = secret.token("city = 'Lyon'")
    encrypted = public.encrypt(table(8))
    wanted = [row % 4 == 0 for row in range(8)]
    assert list(token.matches(encrypted)) == wanted
    child = os.fork()
    if child == 0:
        right = list(token.matches(encrypted)) == wanted == list(token.matches(public.encrypt(table(8))))
        os._exit(0 if right else 1)
    assert status(child) == 0
