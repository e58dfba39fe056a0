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
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# Without the second a job cannot tell that Valgrind is missing.
export logs BILINEAR_MEMCHECK=1

# The packages and features of `make machines`, and its program of tests, so that all of it is compiled once. At once, too: field and engine
# are one unit each, beside which others are compiled.
compile() {
    cargo test --release --locked -p bilinear-schemes -p bilinear-field -p bilinear-engine --features bilinear-field/paths "$@"
}

# The test program of a package: its path into PACKAGE.program, its jobs into PACKAGE.jobs, a line each behind the package's name.
list() {
    package=$1 name=$2
    shift 2
    program=$(sed -n "s/^ *Executable .*\/$name\.rs (\(.*\))\$/\1/p" "$logs/build")
    realpath -- "$program" >"$logs/$package.program"
    "$program" --list --format terse secrets:: "$@" | sed -n "s/^\(.*\): test\$/$package \1/p" >"$logs/$package.jobs"
    if ! [ -s "$logs/$package.jobs" ]; then
        echo "secrets: $package has no job"
        return 1
    fi
}

# One job of a package. What memcheck finds where leaks are planted is of interest only if something fails.
# shellcheck disable=SC2016  # expanded by the shell that runs it
job='
cd "crates/${1#bilinear-}"
valgrind --quiet --error-limit=no --expensive-definedness-checks=yes "$(cat "$logs/$1.program")" --exact "$2" \
    >"$logs/$1-$2" 2>&1 </dev/null || { cat "$logs/$1-$2"; exit 1; }
'

lanes() {
    if grep -qw avx512ifma /proc/cpuinfo; then
        outcome="lanes, paths are equal"
    elif [ -n "${BOCHS:-}" ]; then
        export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="$PWD/scripts/emulate.sh"
        outcome="lanes, paths are equal on an emulated processor"
    else
        outcome="lanes NOT checked, no AVX-512 IFMA"
    fi
    if ! compile --test paths -- --test-threads=1 >"$logs/lanes" 2>&1 </dev/null; then
        cat "$logs/lanes"
        return 1
    fi
    echo "secrets: $outcome"
}

if ! compile --no-run --test secrets_of_fields --test secrets --test paths --test whole >"$logs/build" 2>&1 </dev/null; then
    cat "$logs/build"
    exit 1
fi
list bilinear-schemes secrets "$@"
list bilinear-field secrets_of_fields "$@"
# The longest begin first: others fill up the time beside and behind them.
long=multiples_and_powers
status=0
lanes &
stepped=$!
{
    grep -h "$long" "$logs"/*.jobs || true
    grep -hv "$long" "$logs"/*.jobs || true
} | xargs -P "$(nproc)" -L 1 sh -c "$job" sh || status=1
wait "$stepped" || status=1
if [ "$status" -eq 0 ]; then
    for package in bilinear-schemes bilinear-field; do
        echo "secrets: $package, $(wc -l <"$logs/$package.jobs") jobs passed"
    done
fi
exit "$status"
