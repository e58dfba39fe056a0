#!/bin/sh
# Fuzzes everything that reads bytes from outside with libFuzzer, under AddressSanitizer, and the range rules of the engines
# against their kernels. The tests of the rules print how many operations they did. Arguments:
#
#     scripts/fuzz.sh [SECONDS [TARGET ...]]      by default 60 seconds of every target in fuzz/targets, and of the rules
#
# New inputs are kept in fuzz/corpus, and failing inputs in fuzz/artifacts. The script needs cargo-fuzz, which it installs, and a C++
# compiler. The sanitizer is an unstable feature of the compiler: RUSTC_BOOTSTRAP lets the pinned compiler use it.

set -eu

cd -- "$(dirname -- "$0")/.."
seconds=${1:-60}
[ "$#" -eq 0 ] || shift
targets=${*:-$(cd fuzz/targets && ls | sed 's/\.rs$//') rules}
command -v cargo-fuzz >/dev/null || cargo install --locked --version 0.13.2 cargo-fuzz

for target in $targets; do
    if [ "$target" = rules ]; then
        BILINEAR_FUZZ_SECONDS=$seconds cargo test --release --locked -p bilinear-field --lib -- ranges:: words:: --nocapture
        continue
    fi
    mkdir -p "fuzz/corpus/$target"
    # -timeout: an input that takes longer than this number of seconds is a failure
    RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir fuzz "$target" "fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=4096
done
