"""Measures what DuckDB and Spark add to a search: a plain batch in one process, DuckDB and Spark search the same table with the same token.

    bench/search/sql.sh [--rows 100000] [--rounds 3] [--only "DuckDB, a table in memory"]

A table with 4 text columns is encrypted at the size of a1-1024 (9 pairings a row). Only `--distinct` rows are
encrypted and then repeated, since every row costs the same. All ways use the same number of cores: the batch and
DuckDB as threads, Spark as worker processes of one core. Each round runs the batch, DuckDB and Spark in turn, and the
results are medians. Seconds of processors are more reliable where other work runs at the same time. All ways must
find the same rows. Times of Spark exclude the start of the session and one query before, in which workers start.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

import duckdb
import pyarrow
import pyarrow.parquet
import pyspark
from pyspark.sql import SparkSession

import bilinear.duckdb
import bilinear.spark
from bilinear import Curve
from bilinear.predicate import Schema, keygen

SCHEMA = "hidden vector\ncity text\nteam text\nstate text\nplan text\n"
PREDICATE = "city = 'Lyon' AND team = 'red' AND state = 'paid' AND plan = 'basic'"


def encrypted(public, rows, distinct):
    plain = {
        "city": [["Lyon", "Paris", "Nice"][i % 3] for i in range(distinct)],
        "team": [["red", "blue"][i // 3 % 2] for i in range(distinct)],
        "state": ["paid"] * distinct,
        "plan": ["basic"] * distinct,
    }
    column = pyarrow.array(public.encrypt(plain)).cast(pyarrow.binary())
    whole = pyarrow.chunked_array([column] * (rows // distinct + 1))[:rows]
    return pyarrow.table({"id": range(rows), "ciphertext": whole})


def session(cores, folder):
    os.environ |= {
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": folder,
        "PYSPARK_PYTHON": sys.executable,
    }
    builder = SparkSession.builder.master(f"local-cluster[{cores},1,2048]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executor.memory", "2g").config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def used():
    """Returns the processor seconds used by this process and by all its descendants, including those of Spark."""
    parents, ticks = {}, {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        pid = int(stat.parent.name)
        parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    mine, more = set(), {os.getpid()}
    while more:
        mine |= more
        more = {pid for pid, parent in parents.items() if parent in mine} - mine
    return sum(ticks[pid] for pid in mine) / os.sysconf("SC_CLK_TCK")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--curve", default="a1-1024")
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--distinct", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--files", type=int, default=16, help="Parquet files, of which each is a task of Spark")
    arguments.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    arguments.add_argument("--only", action="append", help="a way to measure beside the batch; all of them by default")
    given = arguments.parse_args()
    curve = Curve(given.curve, threads=given.cores)
    public, secret = keygen(curve, Schema(SCHEMA))
    token = secret.token(PREDICATE)
    began = time.monotonic()
    table = encrypted(public, given.rows, given.distinct)
    print(f"{curve.name}, engine {curve.batch_engine}, {given.cores} cores, {token.pairings} pairings a row, {given.rows} rows of {table['ciphertext'].nbytes // given.rows} bytes")
    print(f"encrypted {given.distinct} rows in {time.monotonic() - began:.1f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        parquet = pathlib.Path(folder, "table")
        parquet.mkdir()
        step = -(-given.rows // given.files)
        for i in range(given.files):
            pyarrow.parquet.write_table(table[i * step : (i + 1) * step], parquet / f"{i}.parquet")
        connection = duckdb.connect(config={"threads": given.cores})
        bilinear.duckdb.register(connection, {"token": token})
        connection.register("given", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM given")
        spark = session(given.cores, folder)
        # by default, Spark packs small files into tasks that two workers cannot share evenly
        spark.conf.set("spark.sql.files.maxPartitionBytes", max(file.stat().st_size for file in parquet.iterdir()))
        frame = spark.read.parquet(str(parquet))
        print(f"{frame.rdd.getNumPartitions()} tasks of Spark", flush=True)

        def batch():
            found = pyarrow.array(token.matches(table["ciphertext"]))
            return table["id"].filter(found).to_pylist()

        def sql(source):
            return lambda: [row[0] for row in connection.execute(f"SELECT id FROM {source} WHERE matches(ciphertext, 'token') ORDER BY id").fetchall()]

        def in_spark(frame=frame):
            return sorted(row.id for row in bilinear.spark.scan(frame, token).where("match").select("id").collect())

        ways = {
            "batch": batch,
            "DuckDB, a table in memory": sql("t"),
            "DuckDB, Parquet files": sql(f"'{parquet}/*.parquet'"),
            "Spark, Parquet files": in_spark,
        }
        if given.only:
            unknown = set(given.only) - set(ways)
            if unknown:
                sys.exit(f"{', '.join(sorted(unknown))}: the ways are {'; '.join(ways)}")
            ways = {name: way for name, way in ways.items() if name == "batch" or name in given.only}
        if in_spark in ways.values():
            in_spark(frame.limit(given.cores * 10))
        first = list(token.matches(table["ciphertext"][: given.distinct]))
        times, wanted = {name: [] for name in ways}, [i for i in range(given.rows) if first[i % given.distinct]]
        for round in range(given.rounds):
            for name, way in ways.items():
                began, before = time.monotonic(), used()
                found = way()
                times[name].append(time.monotonic() - began)
                taken = used() - before
                if found != wanted:
                    sys.exit(f"{name}: {len(found)} rows found, {len(wanted)} by the batch, or others")
                print(f"round {round + 1}: {name}: {times[name][-1]:.2f} s, {taken:.1f} s of processors", flush=True)
        spark.stop()
    base = statistics.median(times["batch"])
    print("\n| way | median, s | rows/s | over the batch |\n|---|---:|---:|---:|")
    for name, all_of in times.items():
        median = statistics.median(all_of)
        print(f"| {name} | {median:.2f} | {given.rows / median:.0f} | {100 * (median / base - 1):+.1f} % |")


main()
