#!/bin/sh
# Builds, checks and measures the engine `cuda` on a machine with a GPU:
#
#     bench/cuda.sh [--host] [ARGUMENT ...]
#
# The arguments are those of the program `gpu` of the bench (--help lists them). It measures the curves of the figures first, and compares
# the results of batches on every shipped curve with those of the processor. docs/engines/cuda.md has the targets, and their order. With
# `--seconds N`, nothing new begins after N seconds. The record and the picture are rewritten with every line. An error or a hang of the card
# costs one process; the program starts itself again for each curve.
#
# On a machine without Rust or a network, the program `gpu` alone is enough, built elsewhere with the machine code that `make cuda` leaves
# in target/cuda:
#
#     BILINEAR_CUBINS=$PWD/target/cuda cargo build --release --locked -p bilinear-bench --bin gpu
#
# With --host, the processor takes the place of the GPU, behind the driver of the tests (crates/cuda/shim), which is
# compiled by g++. This is a rehearsal without a GPU, whose times mean nothing. `--host --curve d-179 --batch 1,64
# --longest 0.5` takes minutes; all curves take days, so a process may record nothing for a day. SHIM_DRIVER names a
# fault of this driver, such as `launch` (crates/cuda/shim/driver.hpp has all).
#
# Needs the tools of a build, and a driver. Status: 1 if there is no GPU, if a value differs, or if the device fails.

set -eu

cd -- "$(dirname -- "$0")/.."
if [ "${1-}" = --host ]; then
    shift
    shim=${CARGO_TARGET_DIR:-$PWD/target}/cuda-shim
    mkdir -p "$shim"
    scripts/bootstrap.sh g++ -std=c++17 -O2 -fPIC -shared -Wno-unknown-pragmas -o "$shim/libcuda.so" crates/cuda/shim/main.cpp
    export SHIM_DRIVER="${SHIM_DRIVER:-nothing}" LD_LIBRARY_PATH="$shim"
    set -- --hang 86400 "$@"
elif command -v nvidia-smi > /dev/null; then
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader || :
fi
exec scripts/bootstrap.sh cargo run --release --locked -p bilinear-bench --bin gpu -- "$@"
