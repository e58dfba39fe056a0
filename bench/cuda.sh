#!/bin/sh
# Builds, checks and measures the engine `cuda` on a machine with a GPU:
#
#     bench/cuda.sh [--host] [ARGUMENT ...]
#
# The arguments are those of the program `gpu` of the bench (--help lists them): it measures the curves of the figures first, and compares batches on
# every shipped curve with the processor's. docs/engines/cuda.md says what is aimed at, and in which order. `--seconds N` begins nothing new
# after N seconds; the record and the picture are written anew with every line.
#
# A machine without Rust or a network needs that program alone, built elsewhere, with the machine code that `make cuda` leaves in target/cuda:
#
#     BILINEAR_CUBINS=$PWD/target/cuda cargo build --release --locked -p bilinear-bench --bin gpu
#
# With --host the card is the processor behind the driver of the tests (crates/cuda/shim), which is compiled by g++: a rehearsal without a
# GPU, whose times mean nothing. `--host --curve d-179 --batch 1,64 --longest 0.5` takes minutes, all curves days.
#
# Needs what a build needs, and a driver. Status: 1 if there is no GPU, a value differs, or the device fails.

set -eu

cd -- "$(dirname -- "$0")/.."
if [ "${1-}" = --host ]; then
    shift
    shim=${CARGO_TARGET_DIR:-$PWD/target}/cuda-shim
    mkdir -p "$shim"
    scripts/bootstrap.sh g++ -std=c++17 -O2 -fPIC -shared -Wno-unknown-pragmas -o "$shim/libcuda.so" crates/cuda/shim/main.cpp
    export SHIM_DRIVER=nothing LD_LIBRARY_PATH="$shim"
elif command -v nvidia-smi > /dev/null; then
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader
fi
exec scripts/bootstrap.sh cargo run --release --locked -p bilinear-bench --bin gpu -- "$@"
