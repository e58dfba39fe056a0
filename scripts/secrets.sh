#!/bin/sh
# Runs what must be constant time under Valgrind's memcheck, as it is compiled for a release: secrets are marked as values that
# nobody has set, and a branch or an address that depends on one is an error. Arguments are handed on to the test programs, which then
# run the jobs that these choose (`--skip NAME`).
#
# Jobs are the tests in modules called `secrets` of the programs below; crates/field/src/memcheck says how one marks secrets. Each is a
# process of its own, since Valgrind runs one thread at a time: as many side by side as there are processors.
# Valgrind has no AVX-512: the engine in lanes is stepped through on the processor instead, and has to take the same path for
# every secret (crates/schemes/tests/paths.rs); with BILINEAR_PATHS=all in every group, on curves of all kinds, for some minutes.

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

# Builds the test program of a package: its path into PACKAGE.program, its jobs into PACKAGE.jobs, a line each behind the package's name.
build() {
    package=$1 name=$2
    shift 2
    if ! compile --no-run --test "$name" >"$logs/build" 2>&1 </dev/null; then
        cat "$logs/build"
        return 1
    fi
    program=$(sed -n 's/^ *Executable .*(\(.*\))$/\1/p' "$logs/build")
    realpath -- "$program" >"$logs/$package.program"
    "$program" --list --format terse secrets:: "$@" | sed -n "s/^\(.*\): test\$/$package \1/p" >"$logs/$package.jobs"
    if ! [ -s "$logs/$package.jobs" ]; then
        echo "secrets: $package has no job"
        return 1
    fi
}

# The same packages with the same features each time, and in `make machines`, so that all of it is compiled once.
compile() {
    cargo test --release --locked -p bilinear-schemes -p bilinear-field -p bilinear-engine --features bilinear-field/paths "$@"
}

# One job of a package. What memcheck finds where leaks are planted is of interest only if something fails.
# shellcheck disable=SC2016  # expanded by the shell that runs it
job='
cd "crates/${1#bilinear-}"
valgrind --quiet --error-limit=no --expensive-definedness-checks=yes "$(cat "$logs/$1.program")" --exact "$2" \
    >"$logs/$1-$2" 2>&1 </dev/null || { cat "$logs/$1-$2"; exit 1; }
'

lanes() {
    if ! compile --test paths -- --test-threads=1 >"$logs/lanes" 2>&1 </dev/null; then
        cat "$logs/lanes"
        return 1
    fi
    grep -qw avx512ifma /proc/cpuinfo && echo "secrets: lanes, paths are equal" || echo "secrets: lanes NOT checked, no AVX-512 IFMA"
}

# The jobs of a package, whose program is built.
jobs() {
    xargs -P "$(nproc)" -L 1 sh -c "$job" sh <"$logs/$1.jobs"
}

# Jobs of fields fill up the time in which the engine is compiled, as one unit.
status=0
build bilinear-field secrets_of_fields "$@"
jobs bilinear-field & fields=$!
build bilinear-schemes secrets "$@" && jobs bilinear-schemes || status=1
lanes || status=1
wait "$fields" || status=1
if [ "$status" -eq 0 ]; then
    for package in bilinear-schemes bilinear-field; do
        echo "secrets: $package, $(wc -l <"$logs/$package.jobs") jobs passed"
    done
fi
exit "$status"
