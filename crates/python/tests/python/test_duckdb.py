"""Tests of SQL over encrypted tables in DuckDB: queries find the same rows as the same predicate on the plain table."""

import subprocess
import sys

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

import bilinear.duckdb
from bilinear.predicate import Schema, keygen

ROWS = 2500
SCHEMA = "hidden vector\ncity text\nstars integer 1 5\n"
CITIES = ["Lyon", "Paris", "Zürich", None]


@pytest.fixture(scope="module")
def keys(small):
    return keygen(small["two"], Schema(SCHEMA))


@pytest.fixture(scope="module")
def tables(keys):
    """Returns more rows than a DuckDB vector holds, plain and encrypted."""
    rows = range(ROWS)
    plain = pyarrow.table({"id": rows, "city": [CITIES[i % 4] for i in rows], "stars": [i // 3 % 5 + 1 for i in rows], "note": [f"row {i}" for i in rows]})
    encrypted = keys[0].encrypt(plain, messages="note")
    return plain, pyarrow.table({"id": plain["id"], "ct": pyarrow.array(encrypted)})


@pytest.fixture
def connection(tables):
    connection = duckdb.connect(config={"threads": 2})
    connection.register("plain", tables[0])
    connection.register("encrypted", tables[1])
    connection.execute("CREATE TABLE t AS SELECT id, ct::BLOB AS ct FROM encrypted")
    yield connection
    connection.close()


def ids(connection, query, *parameters):
    return [row[0] for row in connection.execute(query, parameters).fetchall()]


def test_rows_are_those_of_the_plain_table(connection, keys, tmp_path):
    predicates = {
        "lyon": "city = 'Lyon' AND stars >= 3",
        "some": "stars BETWEEN 2 AND 4",
        "none": "city = 'Bern'",
    }
    tokens = {name: keys[1].token(predicate) for name, predicate in predicates.items()}
    bilinear.duckdb.register(connection, tokens)
    connection.execute(f"COPY t TO '{tmp_path}/t.parquet'")
    for name, predicate in predicates.items():
        wanted = ids(connection, f"SELECT id FROM plain WHERE {predicate} ORDER BY id")
        assert ids(connection, f"SELECT id FROM t WHERE matches(ct, '{name}') ORDER BY id") == wanted
        assert ids(connection, f"SELECT id FROM '{tmp_path}/t.parquet' WHERE matches(ct, '{name}') ORDER BY id") == wanted
        assert ids(connection, "SELECT id FROM t WHERE matches(ct, ?) ORDER BY id", tokens[name].to_bytes().decode()) == wanted
        opened = connection.execute(f"SELECT id, opened(ct, '{name}')::VARCHAR FROM t ORDER BY id").fetchall()
        assert opened == [(i, f"row {i}" if i in set(wanted) else None) for i in range(ROWS)]
    tokens["lyon"].save(tmp_path / "lyon.token")
    of_file = f"SELECT count(*) FROM t WHERE matches(ct, (SELECT content FROM read_text('{tmp_path}/lyon.token')))"
    assert ids(connection, of_file) == ids(connection, f"SELECT count(*) FROM plain WHERE {predicates['lyon']}")
    # rows with different tokens
    asked = "CREATE TABLE asked AS SELECT id, ct, CASE id % 3 WHEN 0 THEN 'lyon' WHEN 1 THEN 'some' END AS token FROM t"
    connection.execute(asked)
    wanted = ids(connection, f"SELECT CASE id % 3 WHEN 0 THEN ifnull({predicates['lyon']}, false) WHEN 1 THEN {predicates['some']} END FROM plain ORDER BY id")
    assert ids(connection, "SELECT matches(ct, token) FROM asked ORDER BY id") == wanted
    assert wanted.count(None) == ROWS // 3 and wanted.count(True) > 250


def test_several_tokens_in_one_pass_answer_as_each_alone(connection, keys, small):
    tokens = {name: keys[1].token(predicate) for name, predicate in (("lyon", "city = 'Lyon'"), ("some", "stars BETWEEN 2 AND 4"), ("none", "city = 'Bern'"))}
    other = keygen(small["two"], Schema(SCHEMA))[1].token("stars = 1")
    bilinear.duckdb.register(connection, tokens | {"of another": other})
    for function in ("matches", "opened", "try_matches", "try_opened"):
        alone = connection.execute(f"SELECT id, [{', '.join(f'{function}(ct, {name!r})' for name in tokens)}] FROM t ORDER BY id").fetchall()
        assert connection.execute(f"SELECT id, {function}_each(ct, {list(tokens)}) FROM t ORDER BY id").fetchall() == alone
        assert len(alone) == ROWS and all(answers.count(None) < 3 or function.endswith("opened") for _, answers in alone)
    found = "SELECT id FROM (SELECT id, matches_each(ct, ['lyon', 'some']) AS found FROM t) WHERE found[1] AND found[2] ORDER BY id"
    assert ids(connection, found) == ids(connection, "SELECT id FROM plain WHERE city = 'Lyon' AND stars BETWEEN 2 AND 4 ORDER BY id")
    # the text of a token, rows with different lists, and NULL
    assert ids(connection, "SELECT matches_each(ct, ['lyon', ?]) FROM t WHERE id = 0", tokens["some"].to_bytes().decode()) == [[True, False]]
    asked = "CASE id WHEN 0 THEN ['lyon', NULL] WHEN 1 THEN ['some'] WHEN 2 THEN [] WHEN 4 THEN ['none', 'lyon'] END"
    assert ids(connection, f"SELECT matches_each(ct, {asked}) FROM t WHERE id < 5 ORDER BY id") == [[True, None], [False], [], None, [False, True]]
    assert ids(connection, "SELECT opened_each(NULL, ['lyon', 'some'])") == [[None, None]]
    # a bad row, and tokens of another key
    connection.execute("UPDATE t SET ct = ct[:-2] WHERE id = 3")
    assert ids(connection, "SELECT try_matches_each(ct, ['lyon', 'some']) FROM t WHERE id < 5 ORDER BY id")[3:] == [[None, None], [True, True]]
    for query in ("matches_each(ct, ['lyon', 'some']) FROM t", "try_matches_each(ct, ['lyon', 'of another']) FROM t", "matches_each(ct, ['nobody']) FROM t"):
        with pytest.raises(duckdb.Error, match="ciphertext, byte |token 1 belongs to a different key|no token is called"):
            ids(connection, f"SELECT {query}")


def test_bad_rows_end_the_query_or_are_null(connection, keys, tables, small):
    token = keys[1].token("stars >= 1")
    bilinear.duckdb.register(connection, {"all": token, "of another": keygen(small["two"], Schema(SCHEMA))[1].token("stars >= 1")})
    connection.execute("UPDATE t SET ct = NULL WHERE id = 7")
    assert ids(connection, "SELECT id FROM t WHERE matches(ct, 'all') IS NULL") == [7]
    # a row of the second vector
    connection.execute("UPDATE t SET ct = ct[:-2] WHERE id = 2100")
    other = keygen(small["two"], Schema(SCHEMA))[0].encrypt({"city": ["Lyon"], "stars": [1]})[0]
    connection.execute("UPDATE t SET ct = ? WHERE id = 2200", [other])
    for function in ("matches", "opened"):
        assert ids(connection, f"SELECT id FROM t WHERE try_{function}(ct, 'all') IS NULL ORDER BY id") == [7, 2100, 2200]
        assert len(ids(connection, f"SELECT id FROM t WHERE id NOT IN (2100, 2200) AND {function}(ct, 'all') IS NOT NULL")) == ROWS - 3
        with pytest.raises(duckdb.Error, match="Error: ciphertext, byte "):
            ids(connection, f"SELECT {function}(ct, 'all') FROM t WHERE id <> 2200")
        with pytest.raises(duckdb.Error, match="the object belongs to another key"):
            ids(connection, f"SELECT {function}(ct, 'all') FROM t WHERE id <> 2100")
        with pytest.raises(duckdb.Error, match="the object belongs to another key"):
            ids(connection, f"SELECT {function}(ct, 'of another') FROM t WHERE id = 1")
    assert ids(connection, "SELECT try_matches(ct, 'of another') FROM t WHERE id = 1") == [None]
    assert ids(connection, "SELECT id FROM t WHERE id BETWEEN 2098 AND 2101 AND TRY(matches(ct, 'all'))") == [2098, 2099, 2101]
    text = token.to_bytes().decode()
    for wrong in ("nobody", "", text[:-9], text.replace("key 4", "key 5", 1)):
        with pytest.raises(duckdb.Error):
            ids(connection, "SELECT matches(ct, ?) FROM t LIMIT 1", wrong)
    assert ids(connection, "SELECT matches(ct, NULL) FROM t LIMIT 1") == [None]
    assert ids(connection, "SELECT id FROM t WHERE false AND matches(ct, 'all')") == []


def test_the_package_does_without_duckdb_and_spark():
    hidden = "import sys; sys.modules['duckdb'] = sys.modules['pyspark'] = sys.modules['pyarrow'] = None; import bilinear, bilinear.predicate"
    assert subprocess.run([sys.executable, "-c", hidden]).returncode == 0
