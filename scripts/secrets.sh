#!/bin/sh
# Runs the code that must be constant time, in its release build, under Valgrind's memcheck. Secrets are marked as uninitialised values, and
# a branch or an address that depends on a secret is an error. Arguments are passed on to the test programs and select the jobs
# (`--skip NAME`).
#
# Jobs are the tests in modules called `secrets` of the programs below; crates/field/src/memcheck says how secrets are marked. Each job is a
# process of its own, since Valgrind runs one thread at a time; as many run side by side as there are processors.
# Valgrind has no AVX-512. Therefore the engine in lanes is stepped through on the processor instead, and has to take the same path for
# every secret (crates/schemes/tests/paths.rs). With BILINEAR_PATHS=all this covers every group on curves of all kinds, for some minutes.
# If the processor has no lanes and BOCHS names an emulator, the steps run there and take a quarter of an hour (scripts/emulate.sh).

set -eu

cd -- "$(dirname -- "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
    echo "secrets: not checked, since secrets are marked on x86-64 only"
    exit 0
fi
. scripts/beside.sh
# BILINEAR_MEMCHECK tells jobs that this script runs them: a job then fails if Valgrind is missing. The CARGO_TERM variables keep cargo's
# messages about the test programs readable for this script, whatever the user's configuration hides or colours.
export work BILINEAR_MEMCHECK=1 CARGO_TERM_QUIET=false CARGO_TERM_COLOR=never

# Runs `cargo test` with the packages and features of `make machines`. The test program of `make machines` is compiled as well, so that
# everything is compiled once. All packages are compiled in one call: field and engine have one codegen unit each, beside which cargo
# compiles others.
compile() {
    beside cargo test --release --locked -p bilinear-schemes -p bilinear-field -p bilinear-engine --features bilinear-field/paths "$@"
}

# list PACKAGE NAME [ARGUMENT ...]: finds the test program NAME of a package. Writes its path to PACKAGE.program and its jobs to
# PACKAGE.jobs, one per line, after the name of the package.
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

# The command that runs one job of a package. Its output is shown only if it fails, since memcheck also reports the leaks that are planted.
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
# The longest jobs begin first: others fill the time beside and after them.
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
