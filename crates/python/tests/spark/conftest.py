"""Fixtures of the tests of Spark: a cluster of two worker processes, keys, encrypted tables in Parquet, and a function that kills tasks."""

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
from bilinear.predicate import Schema, keygen

SCHEMA = "hidden vector\ncity text\nstars integer 1 5\n"
CITIES = ["Lyon", "Paris", "Zürich", None]
CURVES = pathlib.Path(__file__).resolve().parents[1] / "python"


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    os.environ |= {
        # the tests run for seconds only, so Java uses its first compiler alone
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
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


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    factors = tmp_path_factory.mktemp("factors") / "two"
    factors.touch(0o600)
    factors.write_bytes((CURVES / "two.factors.toml").read_bytes())
    curve = Curve.load(CURVES / "two.toml").with_factors(factors)
    return keygen(curve, Schema(SCHEMA))


@pytest.fixture(scope="session")
def written(keys, tmp_path_factory):
    """Returns a function that writes an encrypted table to Parquet files. It returns the plain rows, the encrypted table and the folder."""

    def write(rows, files):
        of = range(rows)
        columns = {"id": of, "city": [CITIES[i % 4] for i in of], "stars": [i // 3 % 5 + 1 for i in of], "note": [f"row {i}" for i in of]}
        plain = pyarrow.table(columns)
        encrypted = pyarrow.table({"id": plain["id"], "ciphertext": pyarrow.array(keys[0].encrypt(plain, messages="note"))})
        folder = tmp_path_factory.mktemp("encrypted")
        for i in range(files):
            pyarrow.parquet.write_table(encrypted[i * rows // files : (i + 1) * rows // files], folder / f"part{i}.parquet")
        return plain.to_pylist(), encrypted, str(folder)

    return write


@pytest.fixture(scope="session")
def saboteur():
    """Returns a function that makes a saboteur. A saboteur passes batches on. In the first attempts of given tasks,
    it kills its Python worker, or the executor with all its processes."""

    def make(folder, workers, executors, after):
        def sabotage(batches):
            task = TaskContext.get()
            for number, batch in enumerate(batches):
                yield batch
                marker = pathlib.Path(folder, f"killed{task.partitionId()}")
                if number == after and task.partitionId() in workers + executors and not marker.exists():
                    marker.write_text(str(task.attemptNumber()))
                    victim = os.getpid()
                    if task.partitionId() in executors:
                        # the daemon that has forked this worker belongs to the executor
                        victim = int(pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rsplit(")")[1].split()[1])
                        assert b"java" in pathlib.Path(f"/proc/{victim}/cmdline").read_bytes()
                    os.kill(victim, signal.SIGKILL)
                    time.sleep(60)

        # a nested function, which is pickled by value: the workers do not have this file
        return sabotage

    return make
