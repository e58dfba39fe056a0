#!/bin/sh
# The script of `make bench`: measures every rung on one core beside every peer that is available. Types A and A1 are
# measured with the exact power, BLS12-381 and alt_bn128 with the fast one, which the peers use. Each run leaves a
# record in bench/record and a picture in the folder of the build.
#
#     bench/run.sh [ARGUMENT ...]
#
# The arguments are those of the ladder (--help lists them), for both runs: `--rungs bulk`, `--quick`, `--rounds N`.
#
# arkworks uses assembly only if it is told at compile time that the processor has ADX.

set -eu

cd -- "$(dirname -- "$0")/.."
into=${CARGO_TARGET_DIR:-$PWD/target}/bench
triple=$(rustc -vV | sed -n 's/^host: //p')
flags=
if grep -qs ' adx ' /proc/cpuinfo; then
    flags="'-Ctarget-feature=+bmi2,+adx'"
fi
cargo build --release --locked --target-dir "$into" -p bilinear-bench --features gmp,blst,ark --config "target.$triple.rustflags = [$flags]"
pinned=
if command -v taskset > /dev/null; then
    pinned="taskset -c $(($(nproc) - 1))"
fi
ladder() {
    # shellcheck disable=SC2086  # words
    $pinned "$into/release/ladder" --threads 1 --record bench/record "$@"
}
ladder --plot "$into/ladder.svg" "$@" a-512 a1-1024 a1-2048
ladder --plot "$into/ladder-fast.svg" --power fast "$@" bls12-381 alt-bn128
