#!/bin/sh
# Installs from PyPI, in pinned versions, what the tests of the Python package need, into a virtual environment under the target
# folder, once, and prints the environment's folder.
#
#     crates/python/prepare.sh [PACKAGE==VERSION ...]     further packages
#
# Status: 1 if they cannot be had; what is missing is named.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/python/venv

die() {
    echo "crates/python/prepare.sh: $*" >&2
    exit 1
}

set -- pytest==9.2.0 numpy==2.4.6 pyarrow==26.0.1 "$@"
stamp=$venv/$(echo "$*" | tr ' ' '+')
mkdir -p "$target/python"
exec 9>"$target/python/installing"
flock 9
if [ ! -e "$stamp" ]; then
    command -v python3 >/dev/null || die "python3 is missing"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "python3 is older than 3.11"
    echo "crates/python/prepare.sh: installing $* into $venv" >&2
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2 || die "python3 cannot make a virtual environment (package python3-venv)"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" >&2 || die "pip could not install $*"
    touch "$stamp"
fi
echo "$venv"
