#!/bin/sh
# Makes the package of every crate, and builds those of the libraries from what is in them alone:
#
#     scripts/package.sh
#
# Cargo knows what it unpacked and what it built of a registry by name and version, the packages of this run among them,
# and would take what an earlier run left for what this one made. Both places are emptied first.
#
# Status: that of the first command that fails.

set -eu

target=${CARGO_TARGET_DIR:-target}/packages
rm -rf "$target" "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/bilinear-*

cargo package --workspace --locked --allow-dirty --no-verify --target-dir "$target"
CARGO_PROFILE_DEV_DEBUG=0 cargo package --locked --allow-dirty --target-dir "$target" \
    -p bilinear-params -p bilinear-field -p bilinear-program -p bilinear-processor -p bilinear-pairing -p bilinear-engine -p bilinear-schemes -p bilinear-cuda
rm -rf "$target/debug"
