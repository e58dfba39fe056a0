#!/bin/sh
# Counts lines of Rust without blank lines, comments, tests and the bench. Files that only tests use are in folders called tests, or
# are called tests.rs. In other files, the count ends where a test module at their end begins.

set -eu

cd -- "$(dirname -- "$0")/.."
git ls-files 'crates/*.rs' | grep -v -e '/tests/' -e '/tests\.rs$' | while read -r file; do
    awk '
        /^#\[cfg\(test\)\]$/ { held = 1; next }
        held && /^mod [a-z_]* *\{$/ { exit }
        { held = 0 }
        /^[ \t]*$/ || /^[ \t]*\/\// { next }
        { count++ }
        END { print count + 0 }' "$file"
done | awk '{ sum += $1 } END { print sum " lines" }'
