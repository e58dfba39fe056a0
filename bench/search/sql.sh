#!/bin/sh
# Measures what DuckDB and Spark add to a search (sql.py), with the release build and the packages of crates/python/spark.sh.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
exec "$root/crates/python/spark.sh" --run "$root/bench/search/sql.py" "$@"
