"""Prints the licences of all packages that are linked into the extension module: python3 licences.py [TARGET], by default for this machine.

A text that several packages share is printed once, below their names. A package without a text is listed with its licence and authors.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = "bilinear-"


def linked(target):
    """Returns the packages that are linked into the extension module, ordered by name and version, without those that only build it."""
    if target is None:
        about = subprocess.run(["rustc", "-vV"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        target = next(line.split()[1] for line in about.splitlines() if line.startswith("host:"))
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in told["packages"]}
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    waiting = [package["id"] for package in told["packages"] if package["name"] == "bilinear-python"]
    seen = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            name = dependency["pkg"]
            macro = any("proc-macro" in made["kind"] for made in packages[name]["targets"])
            if name not in seen and not macro and any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                seen.add(name)
                waiting.append(name)
    found = [packages[name] for name in seen if not packages[name]["name"].startswith(OURS)]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Returns the texts of a package's licences and notices."""
    folder = pathlib.Path(package["manifest_path"]).parent
    words = ("licen", "copying", "copyright", "notice", "unlicense")
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.lower().startswith(words))
    return [path.read_text(errors="replace").strip() for path in files]


def main():
    packages = linked(sys.argv[1] if len(sys.argv) > 1 else None)
    by_text, without = {}, []
    print("The extension module contains these packages of Rust, beside Rust's standard library (MIT OR Apache-2.0):\n")
    for package in packages:
        print(f"{package['name']} {package['version']}: {package['license']}")
        found = texts(package)
        for text in found:
            by_text.setdefault(text, []).append(package["name"])
        if not found:
            without.append(package)
    for package in without:
        authors = ", ".join(package["authors"]) or "the authors of " + package["name"]
        by_text.setdefault(f"No text is in this package, which is licensed as {package['license']}, by {authors}.", []).append(package["name"])
    for text, names in by_text.items():
        print("\n" + "=" * 100)
        print(", ".join(dict.fromkeys(names)) + "\n")
        print(text)


if __name__ == "__main__":
    main()
