#!/bin/sh
# Runs what must be constant time under Valgrind's memcheck, as it is compiled for a release: secrets are marked as values that
# nobody has set, and a branch or an address that depends on one is an error. Arguments go to the test programs.
#
# Jobs are the tests in modules called `secrets` of the programs below; crates/field/src/memcheck says how one marks secrets.
# Valgrind has no AVX-512: the engine in lanes is stepped through on the processor instead, and has to take the same path for
# every secret (crates/schemes/tests/paths.rs); with BILINEAR_PATHS=all in every group, on curves of all kinds, for some minutes.

set -eu

# Package and target of each program.
programs='
bilinear-field --lib
bilinear-schemes --test=secrets
'

cd -- "$(dirname -- "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
    echo "secrets: not checked, since secrets are marked on x86-64 only"
    exit 0
fi
# Without this a job cannot tell that Valgrind is missing.
export BILINEAR_MEMCHECK=1
memcheck='["valgrind", "--quiet", "--error-limit=no", "--expensive-definedness-checks=yes"]'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s' "$programs" | sed '/^$/d' | while read -r package target; do
    echo "secrets: $package"
    # what memcheck finds where leaks are planted is of interest only if something fails
    # shellcheck disable=SC2086  # a list of arguments
    if ! cargo test --release --locked -p "$package" $target --config "target.'cfg(all())'.runner = $memcheck" \
        -- secrets:: --test-threads=1 "$@" >"$log" 2>&1 </dev/null; then
        cat "$log"
        exit 1
    fi
    passed=$(sed -n 's/^test result: ok. \([0-9]*\) passed.*/\1/p' "$log")
    if [ "${passed:-0}" -eq 0 ]; then
        echo "secrets: $package has no job"
        exit 1
    fi
    echo "secrets: $passed jobs passed"
done
echo "secrets: lanes"
cargo test --release --locked -p bilinear-schemes --test paths -- --test-threads=1 >"$log" 2>&1 </dev/null || {
    cat "$log"
    exit 1
}
grep -qw avx512ifma /proc/cpuinfo && echo "secrets: paths are equal" || echo "secrets: lanes NOT checked, no AVX-512 IFMA"
