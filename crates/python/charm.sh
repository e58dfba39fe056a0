#!/bin/sh
# Runs schemes of Charm, unchanged, on the curves of a release build of the package (tests/charm). Charm's source
# comes from PyPI. None of it is compiled, since that would need PBC or RELIC. Arguments go to pytest.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
package=charm-crypto-framework
version=0.62
sum=531aa10b6d4e44b54f4eb09586d6836d4b48d0e2c1a35e50e5be6271c35db44f
site=$("$here/site.sh")
venv=$("$here/../../scripts/pypi.sh" charm pytest==9.2.0 pyparsing==3.3.3)
charm=$target/charm/charm_crypto_framework-$version
if [ ! -d "$charm" ]; then
    # a download that is interrupted stays in this folder, and the next run begins again
    part=$target/charm/part
    rm -rf "$part"
    mkdir -p "$part"
    "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary $package --dest "$part" $package==$version >&2
    echo "$sum  $part/${charm##*/}.tar.gz" | sha256sum --check --status || {
        echo "crates/python/charm.sh: $package $version is not the one that was tested: its SHA-256 is not $sum" >&2
        exit 1
    }
    tar -xzf "$part/${charm##*/}.tar.gz" -C "$part"
    mv "$part/${charm##*/}" "$charm"
    rm -rf "$part"
fi
cd -- "$here"
PYTHONPATH=$site:$charm PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/charm "$@"
