#!/bin/sh
# Downloads Debian or Ubuntu packages with their dependencies, unpacks them once into a folder below the target folder, and prints the
# path of that folder:
#
#     scripts/apt.sh FOLDER ARCHITECTURE PACKAGE ...     into FOLDER of the target folder
#
# The folder is recreated if it holds other packages. Nothing is installed, so the caller need not be root, and the system's own packages
# and lists stay as they are. Concurrent calls for the same folder wait for each other. Status: 1 if the packages are not available.

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
mkdir -p "$(dirname -- "$folder")"
exec 9>"$folder.lock"
flock 9
if [ "$(cat "$stamp" 2>/dev/null)" != "$architecture $*" ]; then
    { command -v apt-get && command -v dpkg-deb; } >/dev/null || die "there is no apt-get here to fetch $*"
    echo "scripts/apt.sh: unpacking $* for $architecture into $folder" >&2
    rm -rf "$folder" "$state"
    mkdir -p "$folder" "$state/lists/partial" "$state/archives/partial"
    : >"$state/status"
    apt() {
        apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State=$state" \
            -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o APT::Install-Recommends=false -o Debug::NoLocking=1 \
            -o "APT::Sandbox::User=$(id -un)" "$@" >&2
    }
    { apt update && apt --yes --download-only install "$@"; } || die "apt-get does not have all of $* for $architecture"
    for package in "$state"/archives/*.deb; do
        dpkg-deb -x "$package" "$folder" || die "$package cannot be unpacked"
    done
    rm -rf "$state"
    echo "$architecture $*" >"$stamp"
fi
echo "$folder"
