#!/bin/sh
# Builds the wheels of the package for Linux on x86-64 and aarch64, both here, and checks them:
#
#     crates/python/wheels.sh [x86_64] [aarch64]     by default both; into the folder wheels of the target folder
#
# The wheels also hold the kernels of the engine cuda as machine code (scripts/cuda.sh), for GPUs of compute capability 8.x and 9.x.
# maturin, Zig (the linker, with the symbols of glibc 2.17) and auditwheel come from PyPI (scripts/pypi.sh), Rust's standard library for
# aarch64 from rustup. wheel.py says what is checked in a wheel. Each wheel is then installed without this repository's modules and has to
# pass tests/python. The wheel for this processor is tested in an environment of its own, with all tests and the examples of the manual.
# On x86-64, the wheel for aarch64 is tested in QEMU's user-mode emulation, with an aarch64 Python; apt-get downloads both into the target
# folder and installs neither. These tests leave out tests that fork (QEMU 7 cannot run threads of a forked process), and the tests of the
# notebook and of DuckDB, which take minutes. If apt-get does not have both, the script says that this wheel was not run.
#
# Status: 1 if a wheel cannot be built, or a check or test fails.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
out=$target/wheels
glibc=2_17
needs="pytest==9.2.0 numpy==2.4.6 pyarrow==26.0.1 duckdb==2.0.1"
tests="-q -p no:cacheprovider"
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH

die() {
    echo "crates/python/wheels.sh: $*" >&2
    exit 1
}

venv=$("$root/scripts/pypi.sh" wheels maturin==1.16.0 ziglang==0.17.1 auditwheel==6.8.2)
PATH=$venv/bin:$PATH
mkdir -p "$out"

# standard_library TARGET: installs Rust's standard library for a target if it is missing.
standard_library() {
    libraries=$(cd "$root" && rustc --print target-libdir --target "$1")
    [ -d "$libraries" ] || (cd "$root" && rustup target add "$1" >&2) || die "no standard library of Rust for $1: rustup cannot add it"
}

"$root/scripts/cuda.sh" >&2
export BILINEAR_CUBINS="$target/cuda"

# build PROCESSOR: builds and checks the wheel for a processor, with the licences of all packages that are linked into it. Panic messages
# name no folder of this machine; the flags for this are added to those of .cargo/config.toml.
build() {
    triple=$1-unknown-linux-gnu
    standard_library "$triple"
    rm -f "$out"/*"_$1.whl"
    python3 "$here/licences.py" "$triple" >"$here/THIRD-PARTY.txt"
    flags="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=${RUSTUP_HOME:-$HOME/.rustup}=rustup"
    env "CARGO_TARGET_$(echo "$triple" | tr a-z- A-Z_)_RUSTFLAGS=$flags --remap-path-prefix=$root=bilinear" \
        maturin build --quiet --manifest-path "$here/Cargo.toml" --release --locked --zig --target "$triple" \
        --compatibility "manylinux_$glibc" --out "$out" >&2
    rm -f "$here/THIRD-PARTY.txt"
    wheel=$(echo "$out"/*"_$1.whl")
    [ -f "$wheel" ] || die "maturin has left no wheel for $1"
    auditwheel show "$wheel" | grep -q "\"manylinux_${glibc}_$1\"" || die "auditwheel: $wheel is not manylinux_${glibc}_$1"
    python3 "$here/wheel.py" "$wheel" "$1" "$(echo $glibc | tr _ .)"
}

# Installs the wheel into an environment of its own, and tests it there.
install_and_test() {
    rm -rf "$out/installed"
    python3 -m venv "$out/installed"
    # shellcheck disable=SC2086  # lists
    "$out/installed/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $needs "$wheel"
    # shellcheck disable=SC2086
    (cd "$here" && "$out/installed/bin/python" -m pytest $tests --doctest-glob='*.md' tests/python ../../docs/python.md)
}

# Prints the path of the emulator of aarch64: the system's QEMU, or else the one of a Debian package.
emulator() {
    command -v qemu-aarch64 || command -v qemu-aarch64-static || {
        folder=$("$root/scripts/apt.sh" wheels/qemu "$(dpkg --print-architecture)" qemu-user-static) &&
            find "$folder/usr/bin" -name qemu-aarch64 -o -name qemu-aarch64-static | grep .
    }
}

# Tests the wheel for aarch64 in emulation. This machine's pip chooses and installs the packages for the emulated Python.
emulate() {
    if ! { qemu=$(emulator) && aarch64=$("$root/scripts/apt.sh" wheels/aarch64 arm64 python3 libstdc++6); }; then
        echo "crates/python/wheels.sh: the wheel for aarch64 was built and inspected, and NOT run: apt-get has no QEMU or no aarch64 Python" >&2
        return 0
    fi
    python=$aarch64/usr/bin/python3
    version=$("$qemu" -L "$aarch64" "$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    rm -rf "$out/site"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check --target "$out/site" --only-binary :all: --python-version "$version" \
        --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 --platform manylinux_2_17_aarch64 $needs "$wheel"
    # shellcheck disable=SC2086
    (cd "$here" && "$qemu" -L "$aarch64" -E "PYTHONPATH=$out/site" "$python" -m pytest $tests -k 'not forked' \
        --ignore=tests/python/test_duckdb.py --ignore=tests/python/test_examples.py tests/python)
}

for processor in ${*:-x86_64 aarch64}; do
    case $processor in
    x86_64 | aarch64) build "$processor" ;;
    *) die "$processor: the wheels are for x86_64 and aarch64" ;;
    esac
    case $(uname -m)-$processor in
    x86_64-x86_64 | aarch64-aarch64) install_and_test ;;
    x86_64-aarch64) emulate ;;
    *) echo "crates/python/wheels.sh: the wheel for $processor was built and inspected, and NOT run" >&2 ;;
    esac
done
