#!/bin/sh
# Runs schemes of Charm, unchanged, on the curves of the package (tests/charm), with a release build of it. Charm's source comes from PyPI; nothing of it is
# compiled, which would need PBC or RELIC. Arguments go to pytest.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
package=charm-crypto-framework
version=0.62
site=$("$here/site.sh")
venv=$("$here/../../scripts/pypi.sh" charm pytest==9.2.0 pyparsing==3.3.3)
charm=$target/charm/charm_crypto_framework-$version
if [ ! -d "$charm" ]; then
    "$venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary $package --dest "$target/charm" $package==$version >&2
    tar -xzf "$charm.tar.gz" -C "$target/charm"
fi
cd -- "$here"
PYTHONPATH=$site:$charm PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/charm "$@"
