#!/bin/sh
# Makes the package of every crate, and checks that the libraries compile from their packages alone:
#
#     scripts/package.sh
#
# The packages are unpacked side by side into a workspace of their own with this Cargo.lock, in which they find each other by path. A file
# that a package leaves out is missing there. Each package is compiled once; `cargo package` would compile it again for every package that
# depends on it. Dependencies were already compiled for clippy, with the same profiles, and are reused.
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
        # the lock file in each package does not count in a workspace: only a package that is compiled alone reads it
        echo "bilinear-$library = { path = \"$library\" }"
    done
    sed -n '/^\[profile.dev\]/,/^$/p' Cargo.toml
} >"$packages/packages.toml"
mv "$packages/packages.toml" "$packages/unpacked/Cargo.toml"
cp Cargo.lock "$packages/unpacked/"
cargo check --manifest-path "$packages/unpacked/Cargo.toml" --target-dir "$target" --workspace --lib
