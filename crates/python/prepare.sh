#!/bin/sh
# Installs the PyPI packages that the tests of the Python package need (scripts/pypi.sh), and prints the folder of the
# environment. Status: 1 if they are not available, with a message that names what is missing.

set -eu

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "crates/python/prepare.sh: python3 is missing or older than 3.11" >&2
    exit 1
fi
exec "$(dirname -- "$0")/../../scripts/pypi.sh" python pytest==9.2.0 numpy==2.4.6 pyarrow==26.0.1 duckdb==2.0.1
