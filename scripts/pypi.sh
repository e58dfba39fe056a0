#!/bin/sh
# Installs packages of PyPI, in the versions that are given, into a virtual environment under the target folder, once, and prints the
# environment's folder:
#
#     scripts/pypi.sh FOLDER PACKAGE==VERSION ...     into FOLDER/venv of the target folder
#
# Tests run side by side, and each asks for its tools: one installs, the others wait. Status: 1 if they cannot be had; what is missing is
# named.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
folder=${CARGO_TARGET_DIR:-$root/target}/$1
shift

die() {
    echo "scripts/pypi.sh: $*" >&2
    exit 1
}

venv=$folder/venv
stamp=$venv/$(echo "$*" | tr ' ' '+')
mkdir -p "$folder"
exec 9>"$folder/installing"
flock 9
if [ ! -e "$stamp" ]; then
    command -v python3 >/dev/null || die "python3 is missing"
    echo "scripts/pypi.sh: installing $* into $venv" >&2
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2 || die "python3 cannot make a virtual environment (package python3-venv)"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" >&2 || die "pip could not install $*"
    touch "$stamp"
fi
echo "$venv"
