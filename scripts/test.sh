#!/bin/sh
# Runs every test of the workspace and ends with two lines: on which processor, with or without the instructions that the engine in
# lanes needs, and how many tests passed, failed and were skipped. Tests of lanes pass without them, but show nothing. Arguments go
# to `cargo test`. The status is cargo's; a run in which no test ran has failed.

set -eu

cd -- "$(dirname -- "$0")/.."
log=$(mktemp)
status=$(mktemp)
trap 'rm -f "$log" "$status"' EXIT

{
    rc=0
    cargo test --workspace --locked --no-fail-fast "$@" 2>&1 || rc=$?
    echo "$rc" >"$status"
} | tee "$log"

read -r rc <"$status"
model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
if grep -qw avx512ifma /proc/cpuinfo 2>/dev/null; then
    lanes="lanes were tested (AVX-512 IFMA)"
else
    lanes="lanes were NOT tested: no AVX-512 IFMA"
fi
printf '\n%s: %s\n' "${model:-unknown processor}" "$lanes"
awk -v rc="$rc" '
    /^test .* \.\.\. FAILED$/ { failed_names = failed_names "\n  " $2 }
    /^test result: / {
        for (i = 2; i <= NF; i++) {
            if ($i == "passed;") passed += $(i - 1)
            if ($i == "failed;") failed += $(i - 1)
            if ($i == "ignored;") skipped += $(i - 1)
        }
    }
    END {
        if (failed_names != "") print "\nfailed:" failed_names
        if (rc != 0 && failed == 0) print "\ncargo test stopped with status " rc ": see the first error above"
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit rc != 0 ? rc : passed + failed == 0
    }' "$log"
