#!/bin/sh
# What `make rtl` does: co-simulation on every width and with planted faults.

set -eu

cd -- "$(dirname -- "$0")/.."
rtl/prepare.sh verilator >/dev/null
cargo test --locked -p bilinear-processor --test rtl -- --include-ignored --test-threads 2
