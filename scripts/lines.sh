#!/bin/sh
# Counts lines of Rust: no blank ones, no comments, nothing of tests and of the bench. Files that only tests use are those in
# folders called tests, and those called tests.rs; of other files the count ends at a module for tests that ends them.

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
