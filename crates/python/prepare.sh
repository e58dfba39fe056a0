#!/bin/sh
# Installs what the tests of the Python package need from PyPI (scripts/pypi.sh), and prints the environment's folder. Status: 1 if it cannot
# be had; what is missing is named.

set -eu

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "crates/python/prepare.sh: python3 is missing or older than 3.11" >&2
    exit 1
fi
exec "$(dirname -- "$0")/../../scripts/pypi.sh" python pytest==9.2.0 numpy==2.4.6 pyarrow==26.0.1 duckdb==2.0.1
