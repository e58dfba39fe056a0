#!/bin/sh
# Searches that are killed at random moments (kills.py says more): builds the release binary, and runs them.

set -eu

cd -- "$(dirname -- "$0")/../.."
cargo build --release --locked --quiet -p bilinear-cli
exec python3 bench/search/kills.py --bilinear "${CARGO_TARGET_DIR:-$PWD/target}/release/bilinear" "$@"
