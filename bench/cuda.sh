#!/bin/sh
# Builds, checks and measures the engine `cuda` on a machine with a GPU:
#
#     bench/cuda.sh [ARGUMENT ...]
#
# The arguments are those of the program `gpu` of the bench (--help lists them), which compares batches on every shipped curve with the
# processor's and then times both. docs/engines/cuda.md says what is aimed at.
#
# Needs what a build needs, and a driver. Status: 1 if there is no GPU, a value differs, or the device fails.

set -eu

cd -- "$(dirname -- "$0")/.."
if command -v nvidia-smi > /dev/null; then
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader
fi
exec scripts/bootstrap.sh cargo run --release --locked -p bilinear-bench --bin gpu -- "$@"
