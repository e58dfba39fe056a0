#!/bin/sh
# Installs the C library that a build has left in FOLDER (target/release): the shared and the static library, the headers, and the
# pkg-config file. Everybody may read them, whatever the umask.
#
#     [PREFIX=/usr/local] [DESTDIR=] crates/capi/install.sh FOLDER
#
# A relative PREFIX is taken from the working directory of the caller. Root without DESTDIR runs ldconfig.
#
# Status: 1 if something is missing, with a line that says what.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
from=${1:?install.sh needs the folder of the build}
prefix=${PREFIX:-/usr/local}
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
to=${DESTDIR:-}$prefix
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
# the name that the build has given the library: build.rs
name=libbilinear.so.${version%.*}

for file in libbilinear.so libbilinear.a; do
    [ -f "$from/$file" ] || {
        echo "install: $from/$file is missing: cargo build --release -p bilinear-capi makes it, on Linux" >&2
        exit 1
    }
done
umask 022
install -d -m 755 "$to/lib" "$to/lib/pkgconfig" "$to/include"
install -m 755 "$from/libbilinear.so" "$to/lib/libbilinear.so.$version"
ln -sf "libbilinear.so.$version" "$to/lib/$name"
ln -sf "$name" "$to/lib/libbilinear.so"
install -m 644 "$from/libbilinear.a" "$to/lib/libbilinear.a"
install -m 644 "$here"/include/*.h "$to/include/"
# as pkg-config reads a path, and that as sed does
escaped=$(printf '%s\n' "$prefix" | sed -e "s/[\\\\ \"'#]/\\\\&/g" -e 's/[\\&|]/\\&/g')
rm -f "$to/lib/pkgconfig/bilinear.pc"
sed -e "s|@PREFIX@|$escaped|" -e "s|@VERSION@|$version|" "$here/bilinear.pc.in" >"$to/lib/pkgconfig/bilinear.pc"

[ -z "${DESTDIR:-}" ] || exit 0
# root's PATH may be a user's
PATH=$PATH:/usr/sbin:/sbin
if [ "$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then
    ldconfig
else
    echo "install: if $prefix/lib is listed in /etc/ld.so.conf, programs find $name once root has run ldconfig"
fi
