#!/bin/sh
# Runs what must be constant time under Valgrind's memcheck, as it is compiled for a release: secrets are marked as values that
# nobody has set, and a branch or an address that depends on one is an error. Arguments go to the test programs.
#
# Jobs are the tests in modules called `secrets` of the programs below; crates/field/src/memcheck says how one marks secrets.
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
# Without this a job cannot tell that Valgrind is missing.
export BILINEAR_MEMCHECK=1
memcheck='["valgrind", "--quiet", "--error-limit=no", "--expensive-definedness-checks=yes"]'

# The jobs of a package's test program under memcheck: package, target, arguments to the program. What memcheck finds where leaks are
# planted is of interest only if something fails.
under_memcheck() {
    package=$1 target=$2 log=$logs/$1
    shift 2
    if ! cargo test --release --locked -p "$package" "$target" --config "target.'cfg(all())'.runner = $memcheck" \
        -- secrets:: --test-threads=1 "$@" >"$log" 2>&1 </dev/null; then
        cat "$log"
        return 1
    fi
    passed=$(sed -n 's/^test result: ok. \([0-9]*\) passed.*/\1/p' "$log")
    if [ "${passed:-0}" -eq 0 ]; then
        echo "secrets: $package has no job"
        return 1
    fi
    echo "secrets: $package, $passed jobs passed"
}

lanes() {
    if ! cargo test --release --locked -p bilinear-schemes --test paths -- --test-threads=1 >"$logs/lanes" 2>&1 </dev/null; then
        cat "$logs/lanes"
        return 1
    fi
    grep -qw avx512ifma /proc/cpuinfo && echo "secrets: lanes, paths are equal" || echo "secrets: lanes NOT checked, no AVX-512 IFMA"
}

# A job takes one core, so they run side by side.
under_memcheck bilinear-schemes --test=secrets "$@" & schemes=$!
under_memcheck bilinear-field --lib "$@" & field=$!
lanes & lanes=$!
status=0
for job in "$schemes" "$field" "$lanes"; do
    wait "$job" || status=1
done
exit "$status"
