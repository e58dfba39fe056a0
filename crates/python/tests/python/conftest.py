"""Curves that all tests share, and the folder of known answers."""

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
