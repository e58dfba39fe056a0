#!/bin/sh
# Builds the release binary, and kills encryptions and searches at random moments (kills.py).

set -eu

cd -- "$(dirname -- "$0")/../.."
cargo build --release --locked --quiet -p bilinear-cli
exec python3 bench/search/kills.py --bilinear "${CARGO_TARGET_DIR:-$PWD/target}/release/bilinear" "$@"
