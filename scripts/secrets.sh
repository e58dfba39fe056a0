#!/bin/sh
# Runs what must be constant time under Valgrind's memcheck, as it is compiled for a release: secrets are marked as values that
# nobody has set, and a branch or an address that depends on one is an error. Arguments are handed on to the test programs, which then
# run the jobs that these choose (`--skip NAME`).
#
# Jobs are the tests in modules called `secrets` of the programs below; crates/field/src/memcheck says how one marks secrets. Each is a
# process of its own, since Valgrind runs one thread at a time: as many side by side as there are processors.
# Valgrind has no AVX-512: the engine in lanes is stepped through on the processor instead, and has to take the same path for
# every secret (crates/schemes/tests/paths.rs); with BILINEAR_PATHS=all in every group, on curves of all kinds, for some minutes. Where the
# processor has no lanes and BOCHS names an emulator, that takes a quarter of an hour there (scripts/emulate.sh).

set -eu

cd -- "$(dirname -- "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
    echo "secrets: not checked, since secrets are marked on x86-64 only"
    exit 0
fi
. scripts/beside.sh
# Without the second a job cannot tell that Valgrind is missing. What cargo says of the programs is read, whatever its configuration hides or colours.
export work BILINEAR_MEMCHECK=1 CARGO_TERM_QUIET=false CARGO_TERM_COLOR=never

# The packages and features of `make machines`, and its program of tests, so that all of it is compiled once. At once, too: field and engine
# are one unit each, beside which others are compiled.
compile() {
    beside cargo test --release --locked -p bilinear-schemes -p bilinear-field -p bilinear-engine --features bilinear-field/paths "$@"
}

# The test program of a package: its path into PACKAGE.program, its jobs into PACKAGE.jobs, a line each behind the package's name.
list() {
    package=$1 name=$2
    shift 2
    program=$(sed -n "s/^ *Executable .*\/$name\.rs (\(.*\))\$/\1/p" "$work/build")
    realpath -- "$program" >"$work/$package.program"
    "$program" --list --format terse secrets:: "$@" | sed -n "s/^\(.*\): test\$/$package \1/p" >"$work/$package.jobs"
    if ! [ -s "$work/$package.jobs" ]; then
        echo "secrets: $package has no job"
        return 1
    fi
}

# One job of a package. What memcheck finds where leaks are planted is of interest only if something fails.
# shellcheck disable=SC2016  # expanded by the shell that runs it
job='
cd "crates/${1#bilinear-}"
valgrind --quiet --error-limit=no --expensive-definedness-checks=yes "$(cat "$work/$1.program")" --exact "$2" \
    >"$work/$1-$2" 2>&1 </dev/null || { cat "$work/$1-$2"; exit 1; }
'

compile --no-run --test secrets_of_fields --test secrets --test paths --test whole >"$work/build" 2>&1
if ! wait "$!"; then
    cat "$work/build"
    exit 1
fi
list bilinear-schemes secrets "$@"
list bilinear-field secrets_of_fields "$@"
set --
if grep -qw avx512ifma /proc/cpuinfo; then
    outcome="lanes, paths are equal"
elif [ -n "${BOCHS:-}" ]; then
    # in a list, so that the path may have spaces
    set -- --config "target.x86_64-unknown-linux-gnu.runner=['$PWD/scripts/emulate.sh']"
    outcome="lanes, paths are equal on an emulated processor"
else
    outcome="lanes NOT checked, no AVX-512 IFMA"
fi
compile "$@" --test paths -- --test-threads=1 >"$work/lanes" 2>&1
lanes=$!
# The longest begin first: others fill up the time beside and behind them.
long=multiples_and_powers
{
    grep -h "$long" "$work"/*.jobs || true
    grep -hv "$long" "$work"/*.jobs || true
} >"$work/all"
beside xargs -a "$work/all" -P "$(nproc)" -L 1 sh -c "$job" sh
jobs=$!
status=0
if wait "$lanes"; then
    echo "secrets: $outcome"
else
    cat "$work/lanes"
    status=1
fi
wait "$jobs" || status=1
if [ "$status" -eq 0 ]; then
    for package in bilinear-schemes bilinear-field; do
        echo "secrets: $package, $(wc -l <"$work/$package.jobs") jobs passed"
    done
fi
exit "$status"
