#!/bin/sh
# Compares random predicates over an encrypted table with pandas (predicates.py). Builds the release binary, and installs pandas by
# scripts/pypi.sh.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cd -- "$root"
cargo build --release --locked --quiet -p bilinear-cli
venv=$(scripts/pypi.sh pandas pandas==3.1.1 numpy==2.4.6 pyarrow==26.0.1)
exec "$venv/bin/python" bench/search/predicates.py --bilinear "${CARGO_TARGET_DIR:-$root/target}/release/bilinear" "$@"
