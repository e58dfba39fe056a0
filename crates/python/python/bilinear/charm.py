"""Charm's schemes on the curves of this package. This module replaces Charm's module for pairings, which needs PBC or RELIC to be built.

    import bilinear.charm
    bilinear.charm.install()
    from charm.toolbox.pairinggroup import PairingGroup, ZR, G1, G2, GT, pair
    group = PairingGroup('SS512')

Charm's Python modules must be on the path (its source is enough). Charm's curves (`charm.toolbox.pairingcurves`) are
the same here, under the same names. `BLS12-381`, `BLS12-377`, `A1-1024`, `A1-3x342` and `ALT-BN128` are added. The
bytes of hashes and of serialized elements differ from those of Charm over PBC.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import types
from collections.abc import Sequence
from typing import Any

import bilinear

__all__ = ["install"]

ZR, G1, G2, GT = range(4)
_GROUPS = {ZR: bilinear.Zr, G1: bilinear.G1, G2: bilinear.G2, GT: bilinear.GT}
# the tag under which messages and elements are hashed
_TAG = b"BILINEAR-CHARM-V01"
# the curves that Charm does not have, by the names that they get in Charm
_MORE = {"BLS12-381": "bls12-381", "BLS12-377": "bls12-377", "A1-1024": "a1-1024", "A1-3x342": "a1-3x342", "ALT-BN128": "alt-bn128"}


class pairing:
    """A curve, made from its name, or from Charm's parameters in PBC's format."""

    def __init__(self, string: str | None = None, file: str | None = None) -> None:
        if (string is None) == (file is None):
            raise ValueError("the parameters as a text, or the name of their file, are expected")
        self.curve = bilinear.Curve.load(file) if string is None else bilinear.Curve(string)

    def __repr__(self) -> str:
        return repr(self.curve)


class pc_element:
    """An element of ZR, G1, G2 or GT. All groups except ZR are written multiplicatively."""

    __slots__ = ("type", "pairing", "_value")

    def __init__(self, kind: int, group: pairing, value: Any) -> None:
        self.type, self.pairing, self._value = kind, group, value

    def initPP(self) -> None:
        """Does nothing: Charm's precomputation for powers makes no difference here."""

    def set(self, value: int | pc_element) -> int:
        """Gives the element another value in place."""
        self._value = (init(self.pairing, self.type, value) if isinstance(value, int) else self._like(value))._value
        return 1

    def _made(self, value: Any) -> pc_element:
        return pc_element(self.type, self.pairing, value)

    def _like(self, other: Any) -> pc_element:
        """Returns the other operand of a sum, product or comparison as an element of the same group."""
        if isinstance(other, pc_element):
            if other.type != self.type:
                raise TypeError("the elements are of different groups")
            return other
        if isinstance(other, int) and self.type == ZR:
            return self._made(self.pairing.curve.scalar(other))
        raise TypeError(f"an element is expected, not {type(other)}")

    def __mul__(self, other: Any) -> pc_element:
        if isinstance(other, pc_element) and other.type != self.type:
            # a multiple of a point in Charm's additive notation
            if self.type == ZR:
                return other**self
            if other.type == ZR:
                return self**other
        if isinstance(other, int) and self.type != ZR:
            return self**other
        return self._made(self._value * self._like(other)._value)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> pc_element:
        value = self._like(other)._value
        return self._made(self._value + value if self.type == ZR else self._value * value)

    __radd__ = __add__

    def __sub__(self, other: Any) -> pc_element:
        value = self._like(other)._value
        return self._made(self._value - value if self.type == ZR else self._value / value)

    def __rsub__(self, other: Any) -> pc_element:
        return self._like(other) - self

    def __truediv__(self, other: Any) -> pc_element:
        if isinstance(other, pc_element) and other.type == ZR and self.type != ZR:
            return self ** (~other)
        if isinstance(other, int) and self.type != ZR:
            return self / pc_element(ZR, self.pairing, self.pairing.curve.scalar(other))
        return self._made(self._value / self._like(other)._value)

    def __rtruediv__(self, other: Any) -> pc_element:
        if other == 1:
            return ~self
        return self._like(other) / self

    def __pow__(self, exponent: int | pc_element) -> pc_element:
        if isinstance(exponent, pc_element):
            if exponent.type != ZR:
                raise TypeError("an exponent must be an integer or an element of ZR")
            exponent = exponent._value if self.type != ZR else int(exponent)
        return self._made(self._value**exponent)

    def __neg__(self) -> pc_element:
        return self._made(-self._value if self.type == ZR else ~self._value)

    def __invert__(self) -> pc_element:
        return self._made(~self._value)

    def __int__(self) -> int:
        return int(self._value)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, pc_element):
            return self.type == other.type and self._value == other._value
        return self._value == other

    def __hash__(self) -> int:
        return hash(self._value)

    def __lt__(self, other: Any) -> bool:
        return bytes(self._value) < bytes(self._like(other)._value)

    def __le__(self, other: Any) -> bool:
        return not other < self

    def __gt__(self, other: Any) -> bool:
        return other < self

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __str__(self) -> str:
        return str(int(self._value)) if self.type == ZR else bytes(self._value).hex()

    __repr__ = __str__


def init(group: pairing, kind: int, value: int = 0) -> pc_element:
    """Returns a number in ZR, or the neutral element of another group, which Charm's schemes call 0 or 1."""
    if kind == ZR:
        return pc_element(ZR, group, group.curve.scalar(value))
    if value not in (0, 1):
        raise ValueError("only an element of ZR can be a number other than 0 and 1")
    return pc_element(kind, group, group.curve.identity(_GROUPS[kind]))


def random(group: pairing, kind: int, seed: int | None = None) -> pc_element:
    """Returns a random element. With a seed, for tests, returns the hash of the seed."""
    if seed is not None:
        return H(group, f"seed {seed}", kind)
    return pc_element(kind, group, group.curve.random(_GROUPS[kind]))


def pair(p: Any, q: Any, group: pairing | None = None) -> pc_element:
    """Computes e(p, q), in either order of the groups. For two lists, computes the product of the pairings of their elements."""
    if isinstance(p, pc_element) and isinstance(q, pc_element):
        return _product([p], [q])
    return _product(list(p), list(q))


def _product(p: Sequence[pc_element], q: Sequence[pc_element]) -> pc_element:
    if len(p) != len(q) or not p:
        raise ValueError("two lists of the same length, at least 1, are expected")
    group, curve = p[0].pairing, p[0].pairing.curve
    turned = [(b, a) if a.type == G2 and b.type == G1 else (a, b) for a, b in zip(p, q)]
    if len(turned) == 1:
        ((a, b),) = turned
        return pc_element(GT, group, curve.pair(a._value, b._value))
    outcomes = curve.products([a._value for a, _ in turned], [b._value for _, b in turned], len(turned))
    return pc_element(GT, group, outcomes[0])


def order(group: pairing) -> int:
    """Returns the order of the groups."""
    return group.curve.order


def ismember(group: pairing, element: Any) -> bool:
    """Returns whether this is an element of one of the groups. Every element that was read or made by this module is one."""
    return isinstance(element, pc_element) and element.pairing.curve == group.curve


def _bytes(item: Any) -> bytes:
    """Returns the bytes to hash for a text, bytes, an element, or several of these, with the length of each."""
    if isinstance(item, pc_element):
        data = bytes([item.type]) + bytes(item._value)
    elif isinstance(item, str):
        data = item.encode()
    elif isinstance(item, (bytes, bytearray)):
        data = bytes(item)
    elif isinstance(item, (tuple, list)):
        data = b"".join(_bytes(part) for part in item)
    else:
        raise TypeError(f"only texts, bytes and elements can be hashed, not {type(item)}")
    return len(data).to_bytes(8) + data


def H(group: pairing, item: Any, kind: int = ZR) -> pc_element:
    """Hashes texts, bytes and elements to ZR, G1 or G2; points by RFC 9380."""
    data, curve = _bytes(item), group.curve
    if kind in (G1, G2):
        return pc_element(kind, group, curve.hash(data, _GROUPS[kind], dst=_TAG))
    if kind != ZR:
        raise TypeError("hashing is possible only to ZR, G1 and G2")
    # at least 128 bits more than the order has
    length = (curve.order.bit_length() + 135) // 8
    number = int.from_bytes(hashlib.shake_256(_TAG + data).digest(length))
    return pc_element(ZR, group, curve.scalar(number))


def hashPair(element: pc_element) -> bytes:
    """Returns the SHA-256 of an element, in hexadecimal."""
    return hashlib.sha256(_bytes(element)).hexdigest().encode()


def serialize(element: pc_element, compression: bool = True) -> bytes:
    """Encodes an element as `TYPE:BASE64`, as Charm does."""
    value = element._value
    short = compression and element.type in (G1, G2) and not value.is_identity
    data = value.to_bytes(compressed=True) if short else bytes(value)
    return str(element.type).encode() + b":" + base64.b64encode(data)


def deserialize(group: pairing, data: bytes, compression: bool = True) -> pc_element:
    """Reads an element from the bytes of `serialize`, and checks it in full."""
    kind, text = data.split(b":", 1)
    value = group.curve.deserialize(base64.b64decode(text, validate=True), _GROUPS[int(kind)])
    return pc_element(int(kind), group, value)


def install() -> None:
    """Replaces `charm.core.math.pairing` by this module, and adds the curves that Charm does not have to its curves."""
    module = types.ModuleType("charm.core.math.pairing", __doc__)
    names = "pairing pc_element ZR G1 G2 GT init pair hashPair H random serialize deserialize ismember order".split()
    for name in names:
        setattr(module, name, globals()[name])
    sys.modules["charm.core.math.pairing"] = module
    import charm.core.math

    charm.core.math.pairing = module
    from charm.toolbox.pairingcurves import params

    params.update(_MORE)
