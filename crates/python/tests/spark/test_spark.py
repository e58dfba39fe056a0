"""Spark over encrypted tables, on a cluster of two worker processes: answers are those of one process, whatever is killed meanwhile."""

import os
import pathlib
import signal
import sys
import time

import pyarrow
import pyarrow.parquet
import pyspark
import pytest
from pyspark import TaskContext
from pyspark.sql import SparkSession

from bilinear import Curve
from bilinear.predicate import Schema, Token, keygen
from bilinear.spark import scan

ROWS, FILES = 4000, 8
SCHEMA = "hidden vector\ncity text\nstars integer 1 5\n"
PREDICATE = "city = 'Lyon' AND stars >= 3"
CITIES = ["Lyon", "Paris", "Zürich", None]
CURVES = pathlib.Path(__file__).resolve().parents[1] / "python"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    os.environ |= {
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(tmp_path_factory.mktemp("work")),
        "PYSPARK_PYTHON": sys.executable,
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
    # small parts and batches, so that a task that is killed has begun to answer
    builder = builder.config("spark.sql.files.maxPartitionBytes", "200k").config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    factors = tmp_path_factory.mktemp("factors") / "two"
    factors.touch(0o600)
    factors.write_bytes((CURVES / "two.factors.toml").read_bytes())
    curve = Curve.load(CURVES / "two.toml").with_factors(factors)
    return keygen(curve, Schema(SCHEMA))


@pytest.fixture(scope="module")
def table(keys, tmp_path_factory):
    """The rows in the clear, those encrypted, and the folder of Parquet files of these."""
    rows = range(ROWS)
    plain = pyarrow.table({"id": rows, "city": [CITIES[i % 4] for i in rows], "stars": [i // 3 % 5 + 1 for i in rows], "note": [f"row {i}" for i in rows]})
    encrypted = pyarrow.table({"id": plain["id"], "ciphertext": pyarrow.array(keys[0].encrypt(plain, messages="note"))})
    folder = tmp_path_factory.mktemp("encrypted")
    for i in range(FILES):
        pyarrow.parquet.write_table(encrypted[i * ROWS // FILES : (i + 1) * ROWS // FILES], folder / f"part{i}.parquet")
    return plain.to_pylist(), encrypted, str(folder)


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
    with pytest.raises(ValueError, match="there is a column match"):
        scan(frame.withColumnRenamed("id", "match"), token)


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


def saboteur(folder):
    """Passes batches on, and kills in the first attempt of two tasks: a worker of Python, and an executor with all that it runs."""

    def sabotage(batches):
        task = TaskContext.get()
        for number, batch in enumerate(batches):
            yield batch
            marker = pathlib.Path(folder, f"killed{task.partitionId()}")
            if number == 2 and task.partitionId() in (1, 4) and not marker.exists():
                marker.write_text(str(task.attemptNumber()))
                victim = os.getpid()
                if task.partitionId() == 4:
                    # the daemon that has forked this worker belongs to the executor
                    victim = int(pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rsplit(")")[1].split()[1])
                    assert b"java" in pathlib.Path(f"/proc/{victim}/cmdline").read_bytes()
                os.kill(victim, signal.SIGKILL)
                time.sleep(60)

    # not by name: the workers do not have this file
    return sabotage


def test_tasks_that_are_killed_are_done_again(spark, keys, table, tmp_path):
    plain, _, folder = table
    token = keys[1].token(PREDICATE)
    frame = spark.read.parquet(folder)
    killed = frame.mapInArrow(saboteur(str(tmp_path)), frame.schema)
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
