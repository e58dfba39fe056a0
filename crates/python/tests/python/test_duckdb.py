"""SQL over encrypted tables in DuckDB: the rows found are those of the same predicate on the plain table."""

import subprocess
import sys

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

import bilinear.duckdb
from bilinear.predicate import Schema, keygen

ROWS = 5000
SCHEMA = "hidden vector\ncity text\nstars integer 1 5\n"
CITIES = ["Lyon", "Paris", "Zürich", None]


@pytest.fixture(scope="module")
def keys(small):
    return keygen(small["two"], Schema(SCHEMA))


@pytest.fixture(scope="module")
def tables(keys):
    """More rows than a vector of DuckDB has, in the clear and encrypted."""
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
    # another token in each row
    asked = "CREATE TABLE asked AS SELECT id, ct, CASE id % 3 WHEN 0 THEN 'lyon' WHEN 1 THEN 'some' END AS token FROM t"
    connection.execute(asked)
    wanted = ids(connection, f"SELECT CASE id % 3 WHEN 0 THEN ifnull({predicates['lyon']}, false) WHEN 1 THEN {predicates['some']} END FROM plain ORDER BY id")
    assert ids(connection, "SELECT matches(ct, token) FROM asked ORDER BY id") == wanted
    assert wanted.count(None) == ROWS // 3 and wanted.count(True) > 500


def test_bad_rows_end_the_query_or_are_null(connection, keys, tables, small):
    token = keys[1].token("stars >= 1")
    bilinear.duckdb.register(connection, {"all": token, "of another": keygen(small["two"], Schema(SCHEMA))[1].token("stars >= 1")})
    connection.execute("UPDATE t SET ct = NULL WHERE id = 7")
    assert ids(connection, "SELECT id FROM t WHERE matches(ct, 'all') IS NULL") == [7]
    # of the second vector
    connection.execute("UPDATE t SET ct = ct[:-2] WHERE id = 3000")
    other = keygen(small["two"], Schema(SCHEMA))[0].encrypt({"city": ["Lyon"], "stars": [1]})[0]
    connection.execute("UPDATE t SET ct = ? WHERE id = 4000", [other])
    for function in ("matches", "opened"):
        assert ids(connection, f"SELECT id FROM t WHERE try_{function}(ct, 'all') IS NULL ORDER BY id") == [7, 3000, 4000]
        assert len(ids(connection, f"SELECT id FROM t WHERE id NOT IN (3000, 4000) AND {function}(ct, 'all') IS NOT NULL")) == ROWS - 3
        with pytest.raises(duckdb.Error, match="Error: ciphertext, byte "):
            ids(connection, f"SELECT {function}(ct, 'all') FROM t WHERE id <> 4000")
        with pytest.raises(duckdb.Error, match="it belongs to another key"):
            ids(connection, f"SELECT {function}(ct, 'all') FROM t WHERE id <> 3000")
        with pytest.raises(duckdb.Error, match="it belongs to another key"):
            ids(connection, f"SELECT {function}(ct, 'of another') FROM t WHERE id = 1")
    assert ids(connection, "SELECT try_matches(ct, 'of another') FROM t WHERE id = 1") == [None]
    assert ids(connection, "SELECT id FROM t WHERE id BETWEEN 2998 AND 3001 AND TRY(matches(ct, 'all'))") == [2998, 2999, 3001]
    text = token.to_bytes().decode()
    for wrong in ("nobody", "", text[:-9], text.replace("key 4", "key 5", 1)):
        with pytest.raises(duckdb.Error):
            ids(connection, "SELECT matches(ct, ?) FROM t LIMIT 1", wrong)
    assert ids(connection, "SELECT matches(ct, NULL) FROM t LIMIT 1") == [None]
    assert ids(connection, "SELECT id FROM t WHERE false AND matches(ct, 'all')") == []


def test_the_package_does_without_duckdb_and_spark():
    hidden = "import sys; sys.modules['duckdb'] = sys.modules['pyspark'] = sys.modules['pyarrow'] = None; import bilinear, bilinear.predicate"
    assert subprocess.run([sys.executable, "-c", hidden]).returncode == 0
