#!/bin/sh
# Makes the package of every crate, and checks those of the libraries, which must compile from what is in them alone:
#
#     scripts/package.sh
#
# The packages are unpacked side by side into a workspace of their own, with our Cargo.lock, in which each finds the others by their paths: a
# file that a package leaves out is missing there. So all of them are compiled once; `cargo package` would compile each anew for every
# one that depends on it. What they depend on was compiled for clippy, with the same profiles, and is taken from there.
#
# Status: that of the first command that fails.

set -eu

target=${CARGO_TARGET_DIR:-target}
packages=$target/packages
libraries="params field program processor pairing engine schemes cuda"
rm -rf "$packages"

cargo package --workspace --locked --allow-dirty --no-verify --target-dir "$packages"
{
    echo '[workspace]'
    echo 'resolver = "3"'
    echo 'members = ["*"]'
    echo '[patch.crates-io]'
    for library in $libraries; do
        file=$(echo "$packages/package/bilinear-$library"-[0-9]*.crate)
        mkdir -p "$packages/unpacked/$library"
        tar -xzf "$file" --strip-components 1 -C "$packages/unpacked/$library"
        # each package has a lock file of its own, which only one that is compiled alone reads
        echo "bilinear-$library = { path = \"$library\" }"
    done
    sed -n '/^\[profile.dev\]/,/^$/p' Cargo.toml
} >"$packages/packages.toml"
mv "$packages/packages.toml" "$packages/unpacked/Cargo.toml"
cp Cargo.lock "$packages/unpacked/"
cargo check --manifest-path "$packages/unpacked/Cargo.toml" --target-dir "$target" --workspace --lib
