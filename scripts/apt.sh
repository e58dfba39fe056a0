#!/bin/sh
# Downloads packages of Debian or Ubuntu with all that they depend on, and unpacks them into a folder below the target folder, once, and prints
# that folder:
#
#     scripts/apt.sh FOLDER ARCHITECTURE PACKAGE ...     into FOLDER of the target folder
#
# Nothing is installed, so that nobody has to be root: the system's own packages and lists stay as they are. Those that ask at the same time wait. Status: 1 if
# they cannot be had.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
folder=${CARGO_TARGET_DIR:-$root/target}/$1
architecture=$2
shift 2

die() {
    echo "scripts/apt.sh: $*" >&2
    exit 1
}

state=$folder.apt
stamp=$folder/unpacked
mkdir -p "$folder"
exec 9>"$folder.lock"
flock 9
if [ ! -e "$stamp" ]; then
    { command -v apt-get && command -v dpkg-deb; } >/dev/null || die "there is no apt-get here to fetch $*"
    echo "scripts/apt.sh: unpacking $* for $architecture into $folder" >&2
    mkdir -p "$state/lists/partial" "$state/archives/partial"
    : >"$state/status"
    apt() {
        apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State=$state" \
            -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o APT::Install-Recommends=false -o Debug::NoLocking=1 \
            -o "APT::Sandbox::User=$(id -un)" "$@" >&2
    }
    { apt update && apt --yes --download-only install "$@"; } || die "apt-get has not all of $* for $architecture"
    for package in "$state"/archives/*.deb; do
        dpkg-deb -x "$package" "$folder" || die "$package cannot be unpacked"
    done
    rm -rf "$state"
    touch "$stamp"
fi
echo "$folder"
