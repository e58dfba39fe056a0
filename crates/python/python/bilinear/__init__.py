"""Cryptographic pairings in bulk: curves, points, pairings, and batches of them over numpy and Arrow."""

from bilinear._bilinear import (
    Curve,
    Error,
    Group,
    Outcomes,
    Point,
    Prepared,
    Scalar,
    Target,
    __version__,
    curves,
    pair,
)

G1 = Group.G1
G2 = Group.G2
GT = Group.GT
Zr = Group.Zr

__all__ = [
    "Curve",
    "Error",
    "G1",
    "G2",
    "GT",
    "Group",
    "Outcomes",
    "Point",
    "Prepared",
    "Scalar",
    "Target",
    "Zr",
    "curves",
    "pair",
]
