"""Tests of Spark over encrypted tables, on a cluster of two worker processes: answers are those of one process, even
if tasks are killed."""

import pathlib

import pyarrow
import pyarrow.parquet
import pytest

from bilinear.predicate import Schema, Token, keygen
from bilinear.spark import scan

ROWS, FILES = 4000, 8
SCHEMA = "hidden vector\ncity text\nstars integer 1 5\n"
PREDICATE = "city = 'Lyon' AND stars >= 3"


@pytest.fixture(scope="module")
def table(written):
    return written(ROWS, FILES)


def holds(row):
    return row["city"] == "Lyon" and row["stars"] >= 3


def test_answers_are_those_of_the_plain_table(spark, keys, table):
    plain, encrypted, folder = table
    token = keys[1].token(PREDICATE)
    frame = spark.read.parquet(folder)
    assert frame.rdd.getNumPartitions() >= FILES
    answers = scan(frame, token)
    assert answers.columns == ["id", "match", "error"]
    found = {row.id: (row.match, row.error) for row in answers.collect()}
    assert found == {row["id"]: (holds(row), None) for row in plain}
    assert [found[i][0] for i in range(ROWS)] == list(token.matches(encrypted["ciphertext"]))
    wanted = [(row["id"], row["note"].encode()) for row in plain if holds(row)]
    opened = scan(frame, token, opened=True).where("match").orderBy("id")
    assert [(row.id, bytes(row.opened)) for row in opened.collect()] == wanted
    assert scan(frame, token, opened=True).where("NOT match AND opened IS NOT NULL").count() == 0
    with pytest.raises(ValueError, match="there is no column"):
        scan(frame, token, "row")
    with pytest.raises(ValueError, match="there is already a column match"):
        scan(frame.withColumnRenamed("id", "match"), token)


def test_several_tokens_in_one_pass_answer_as_each_alone(spark, keys, table):
    tokens = {name: keys[1].token(predicate) for name, predicate in (("lyon", "city = 'Lyon'"), ("some", "stars BETWEEN 2 AND 4"))}
    frame = spark.read.parquet(table[2])
    for opened in (False, True):
        answers = scan(frame, tokens, opened=opened)
        assert answers.columns == ["id", "lyon", "some"]
        found = {row.id: row for row in answers.collect()}
        for name, token in tokens.items():
            for row in scan(frame, token, opened=opened).collect():
                assert found[row.id][name] == row[1:]
    assert scan(frame, tokens).where("lyon.match AND some.match").count() == sum(row["city"] == "Lyon" and 2 <= row["stars"] <= 4 for row in table[0])
    with pytest.raises(ValueError, match="there is already a column lyon"):
        scan(frame.withColumnRenamed("id", "lyon"), tokens)


def test_bad_rows_cost_themselves_alone(spark, keys, table, tmp_path):
    rows = table[1]["ciphertext"].to_pylist()[:300]
    rows[7], rows[130], rows[299] = None, rows[130][:-1], keygen(keys[0].curve, Schema(SCHEMA))[0].encrypt({"city": ["Lyon"], "stars": [1]})[0]
    pyarrow.parquet.write_table(pyarrow.table({"id": range(300), "row": pyarrow.array(rows, pyarrow.binary())}), tmp_path / "bad.parquet")
    for opened in (False, True):
        answers = scan(spark.read.parquet(str(tmp_path / "bad.parquet")), keys[1].token("stars >= 1"), "row", opened=opened).collect()
        bad = {row.id: row.error.split(":")[0] for row in answers if row.error is not None}
        assert bad == {7: "null", 130: "ciphertext", 299: "key"}
        assert {row.id for row in answers if row.match is None} == set(bad) and sum(row.match is True for row in answers) == 297
        assert "another key" in next(row.error for row in answers if row.id == 299)


def test_tasks_that_are_killed_are_done_again(spark, keys, table, saboteur, tmp_path):
    plain, _, folder = table
    token = keys[1].token(PREDICATE)
    frame = spark.read.parquet(folder)
    killed = frame.mapInArrow(saboteur(str(tmp_path), (1,), (4,), 2), frame.schema)
    answers = scan(killed, token, opened=True)
    answers.write.parquet(str(tmp_path / "answers"))
    assert sorted(path.name for path in tmp_path.glob("killed*")) == ["killed1", "killed4"]
    found = sorted((row.id, row.match, row.error, row.opened and bytes(row.opened)) for row in spark.read.parquet(str(tmp_path / "answers")).collect())
    assert found == [(row["id"], holds(row), None, row["note"].encode() if holds(row) else None) for row in plain]


def test_the_example_of_the_manual_runs(spark, keys, table, tmp_path, monkeypatch, capfd):
    text = (pathlib.Path(__file__).resolve().parents[4] / "docs/python.md").read_text()
    (example,) = [block.split("```")[0] for block in text.split("```python\n")[1:] if "from bilinear.spark" in block]
    monkeypatch.chdir(tmp_path)
    keys[1].token(PREDICATE).save("lyon.token")
    pathlib.Path("encrypted.parquet").symlink_to(table[2])
    example = example.replace("encrypted.parquet", str(tmp_path / "encrypted.parquet"))
    exec(compile(example, "docs/python.md", "exec"), {"spark": spark})
    assert "| id|" in capfd.readouterr().out and Token.load("lyon.token").id == keys[0].id
