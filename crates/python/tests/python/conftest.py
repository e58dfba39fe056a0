"""Fixtures of all tests: shared curves, and the folder of known answers."""

from pathlib import Path

import pytest

from bilinear import Curve


@pytest.fixture(scope="session")
def vectors():
    return Path(__file__).resolve().parents[4] / "vectors"


@pytest.fixture(scope="session")
def bls():
    return Curve("bls12-381", threads=2)


@pytest.fixture(scope="session", params=["bls12-381", "a-512", "d-159"])
def curve(request):
    return Curve(request.param)


@pytest.fixture(scope="session")
def small_files(tmp_path_factory):
    """The files of the parameters and of the secret factors of curves for predicates. The factors are far too small for secrecy."""
    folder, private = Path(__file__).resolve().parent, tmp_path_factory.mktemp("factors")
    for name in ("two", "three"):
        (private / name).touch(0o600)
        (private / name).write_bytes((folder / f"{name}.factors.toml").read_bytes())
    return {name: (folder / f"{name}.toml", private / name) for name in ("two", "three")}


@pytest.fixture(scope="session")
def small(small_files):
    return {name: Curve.load(curve, threads=2).with_factors(factors) for name, (curve, factors) in small_files.items()}
