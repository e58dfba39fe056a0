#!/bin/sh
# Installs packages of PyPI, in the versions that are given, into a virtual environment under the target folder, once, and prints the
# environment's folder:
#
#     scripts/pypi.sh FOLDER [OPTION OF PIP ...] PACKAGE==VERSION ...     into FOLDER/venv of the target folder
#
# The environment itself is asked whether it has these versions. One whose Python does not start, since the system's is another one now, is made anew.
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
# without what PYTHONPATH names
installed() {
    "$venv/bin/python" -I -c '
import sys
from importlib.metadata import version
wanted = [word.split("==") for word in sys.argv[1:] if not word.startswith("-")]
sys.exit(any(version(name) != number for name, number in wanted))' "$@" 2>/dev/null
}
pip() { "$venv/bin/python" -I -m pip --disable-pip-version-check "$@" >&2; }

mkdir -p "$folder"
exec 9>"$folder/installing"
flock 9
if ! installed "$@"; then
    command -v python3 >/dev/null || die "python3 is missing"
    echo "scripts/pypi.sh: installing $* into $venv" >&2
    pip --version >/dev/null 2>&1 || python3 -m venv --clear "$venv" >&2 || die "python3 cannot make a virtual environment (package python3-venv)"
    pip install --quiet --only-binary :all: "$@" || die "pip could not install $*"
fi
echo "$venv"
