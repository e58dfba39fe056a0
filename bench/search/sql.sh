#!/bin/sh
# What DuckDB and Spark add to a search (sql.py says more), by crates/python/spark.sh with its release build and its packages.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
exec "$root/crates/python/spark.sh" --run "$root/bench/search/sql.py" "$@"
