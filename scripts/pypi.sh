#!/bin/sh
# Installs PyPI packages in the given versions, once, into a virtual environment under the target folder, and prints the folder of
# the environment:
#
#     scripts/pypi.sh FOLDER [OPTION OF PIP ...] PACKAGE==VERSION ...     into FOLDER/venv of the target folder
#
# The environment itself says whether it has these versions. An environment whose Python does not start, because the system's Python has
# changed, is recreated. Tests run side by side and each asks for its tools: one installs them while the others wait. Status: 1 if the
# packages are not available, with a message that names what is missing.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
folder=${CARGO_TARGET_DIR:-$root/target}/$1
shift

die() {
    echo "scripts/pypi.sh: $*" >&2
    exit 1
}

venv=$folder/venv
# Returns 0 if the environment has all packages in their versions. Packages on PYTHONPATH do not count (-I).
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
