#!/bin/sh
# Tests Spark over encrypted tables (tests/spark) with a release build of the package, on a local cluster of two workers. With --run, runs a
# program with that build and Spark instead:
#
#     crates/python/spark.sh [ARGUMENT OF PYTEST ...]
#     crates/python/spark.sh --run PROGRAM [ARGUMENT ...]
#
# prepare_spark.sh provides Spark and Java.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
PYTHONPATH=$("$here/site.sh")
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
venv=$("$here/prepare_spark.sh")
JAVA_HOME=$venv/java
export JAVA_HOME
if [ "${1:-}" = --run ]; then
    shift
    exec "$venv/bin/python" "$@"
fi
cd -- "$here"
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/spark "$@"
