"""Checks the contents of a wheel: python3 wheel.py WHEEL PROCESSOR GLIBC.

Checks the tags in its name and in its files; that it holds the package with its type stubs and README, its licences and those of the linked
packages, and nothing else; the processor of the module, the libraries it needs and the versions of their symbols (with readelf, binutils);
that the module names no folder of the machine that has built it; and its size. Status: 1 with a line for each fault.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# the libraries of the C compiler and of the system that the module may need, a part of those that manylinux allows
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
MACHINES = {"x86_64": "Advanced Micro Devices X86-64", "aarch64": "AArch64"}
# the maximum size in bytes: the wheel for x86-64 has 7.5 million
MOST = 10_000_000


def told(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wrong(path, processor, glibc):
    """Yields the faults of a wheel, and prints its sizes."""
    tags = {f"cp311-abi3-manylinux_{glibc.replace('.', '_')}_{processor}", f"cp311-abi3-manylinux2014_{processor}"}
    files = zipfile.ZipFile(path)
    info = next(name.split("/")[0] for name in files.namelist() if name.endswith(".dist-info/WHEEL"))
    if found := tags ^ set(re.findall(r"^Tag: (.*)$", files.read(f"{info}/WHEEL").decode(), re.MULTILINE)):
        yield f"tags in WHEEL: {sorted(found)}"
    if set(path.stem.split("-")[4].split(".")) != {tag.split("-")[2] for tag in tags}:
        yield f"tags in its name: {path.name}"

    module = "bilinear/_bilinear.abi3.so"
    package = {f"bilinear/{file.name}" for file in (HERE / "python/bilinear").iterdir() if file.is_file()}
    known = {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "sboms/bilinear-python.cyclonedx.json")}
    licences = {f"{info}/licenses/{name}" for name in ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt")}
    wanted = package | {module} | known | licences
    if found := wanted ^ set(files.namelist()):
        yield f"files that are missing or too many: {sorted(found)}"
        return
    if not {name for name in package if name.endswith(".pyi")} or "bilinear/py.typed" not in package:
        yield "no type stubs"
    metadata = files.read(f"{info}/METADATA").decode()
    if (HERE / "README.md").read_text().strip() not in metadata or "License-Expression: Apache-2.0 OR MIT" not in metadata:
        yield "METADATA is without the README or the licence"
    if "pyo3" not in files.read(f"{info}/licenses/THIRD-PARTY.txt").decode():
        yield "THIRD-PARTY.txt is without the packages"

    data = files.read(module)
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(data)
        file.flush()
        if MACHINES[processor] not in told("readelf", "-h", file.name):
            yield f"the module is for another processor than {processor}"
        if found := set(re.findall(r"\(NEEDED\).*\[(.*)\]", told("readelf", "-dW", file.name))) - LIBRARIES:
            yield f"the module needs {sorted(found)}"
        symbols = told("readelf", "-W", "--dyn-syms", file.name)
    versions = {tuple(map(int, found.split("."))) for found in re.findall(r"@GLIBC_([0-9.]+)", symbols)}
    if not versions or max(versions) > tuple(map(int, glibc.split("."))):
        yield f"symbols of glibc {sorted(versions)}: {glibc} is the newest that the tag allows"
    home = pathlib.Path.home()
    for folder in {str(HERE.parents[1]), str(home / ".cargo"), str(home / ".rustup")}:
        if folder.encode() in data:
            yield f"the module names {folder}, of this machine"
    if path.stat().st_size > MOST:
        yield f"{path.stat().st_size} bytes, more than {MOST}"
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, module {len(data) / 1e6:.1f} MB, glibc {'.'.join(map(str, max(versions, default=())))} at most")


if __name__ == "__main__":
    faults = list(wrong(pathlib.Path(sys.argv[1]), *sys.argv[2:]))
    print("".join(f"wheel.py: {fault}\n" for fault in faults), end="")
    sys.exit(bool(faults))
