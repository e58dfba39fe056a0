#!/bin/sh
# Makes a release build of the package, with the files of a wheel, and prints the folder for PYTHONPATH.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml" -p bilinear-python >&2
site=$target/python/site
rm -rf "$site"
mkdir -p "$site"
cp -R "$here/python/bilinear" "$site/"
cp "$target/release/lib_bilinear.so" "$site/bilinear/_bilinear.abi3.so"
echo "$site"
