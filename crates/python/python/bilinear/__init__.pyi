"""Cryptographic pairings in bulk: curves, points, pairings, and batches of them over numpy and Arrow."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Final, Generic, Literal, Protocol, SupportsIndex, TypeAlias, TypeVar, overload

class ArrowArray(Protocol):
    """An Arrow array of any library."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

_T_co = TypeVar("_T_co", covariant=True)

# A buffer is a contiguous array of bytes in two dimensions, (rows, bytes of a row), such as a numpy array of uint8.
Buffer: TypeAlias = Any
Progress: TypeAlias = Callable[[int], object] | None
Points: TypeAlias = Buffer | ArrowArray | Outcomes[Point] | Iterable[Point | bytes | None] | Point
Values: TypeAlias = Buffer | ArrowArray | Outcomes[Target] | Iterable[Target | bytes | None] | Target
Messages: TypeAlias = Buffer | ArrowArray | Iterable[bytes | str | None]
Scalars: TypeAlias = Buffer | ArrowArray | Iterable[Scalar | SupportsIndex | None] | Scalar | SupportsIndex
Validate: TypeAlias = Literal["subgroup", "on-curve"]
Argument: TypeAlias = Points | Prepared | Sequence[Prepared]

class Error(ValueError):
    """A value is not what it should be."""

    code: str | None
    """A stable word for the cause; None in an error that a Python program has created itself."""
    row: int | None
    """The row of the input that is at fault, from 0; None if there is none."""
    index: int | None
    """The outcome that has this error in place of a value, from 0; None if there is none."""

class Group:
    """A group by its name."""

    G1: Group
    G2: Group
    GT: Group
    Zr: Group

__version__: Final[str]
G1: Final[Group]
G2: Final[Group]
GT: Final[Group]
Zr: Final[Group]

class Curve:
    """A curve ready to compute."""

    def __new__(
        cls,
        name: str,
        *,
        engine: str | None = None,
        threads: SupportsIndex | None = None,
        pairing: str | None = None,
        power: str = "exact",
        research: bool = False,
    ) -> Curve: ...
    @staticmethod
    def load(
        path: str | PathLike[str],
        *,
        engine: str | None = None,
        threads: SupportsIndex | None = None,
        pairing: str | None = None,
        power: str = "exact",
        research: bool = False,
    ) -> Curve: ...
    def with_factors(self, path: str | PathLike[str]) -> Curve: ...
    @property
    def name(self) -> str: ...
    @property
    def engine(self) -> str: ...
    @property
    def batch_engine(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def pairing(self) -> str: ...
    @property
    def power(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def is_symmetric(self) -> bool: ...
    @property
    def security(self) -> str: ...
    def to_toml(self) -> str: ...
    def size(self, group: Group) -> int: ...
    def identity(self, group: Group) -> Any: ...
    def generator(self, group: Group) -> Any: ...
    def random(self, group: Group) -> Any: ...
    def scalar(self, value: SupportsIndex) -> Scalar: ...
    def hash(self, message: bytes | str, group: Group, *, dst: bytes | str) -> Point: ...
    def deserialize(
        self, data: bytes | bytearray | memoryview | Buffer, group: Group, *, encoding: str | None = None, validate: Validate = "subgroup"
    ) -> Any:
        """Reads an element from bytes that `to_bytes` wrote, or from another system's `encoding`."""

    def pair(self, p: Point, q: Point) -> Target: ...
    def prepare(self, point: Point, side: Literal["p", "q"] | None = None) -> Prepared:
        """Prepares a point as a fixed argument. On a symmetric curve it can stand for either argument, on others for
        the argument of its group."""

    def pairings(
        self,
        p: Argument,
        q: Argument,
        *,
        encoding: str | None = None,
        validate: Validate | Literal["allow-q-outside-g2"] = "subgroup",
        progress: Progress = None,
    ) -> Outcomes[Target]:
        """Computes e(P, Q) for every row of two columns. `encoding` is the encoding of points that are given as bytes.
        With `"allow-q-outside-g2"`, Q may be outside its group; the pairing must be `tate`."""

    def products(
        self,
        p: Argument,
        q: Argument,
        groups: SupportsIndex | Iterable[SupportsIndex],
        *,
        encoding: str | None = None,
        validate: Validate | Literal["allow-q-outside-g2"] = "subgroup",
        progress: Progress = None,
    ) -> Outcomes[Target]:
        """Computes the product of e(P, Q) over every group of rows. `encoding` is the encoding of points that are given as bytes."""

    def checks(
        self,
        p: Argument,
        q: Argument,
        groups: SupportsIndex | Iterable[SupportsIndex],
        *,
        encoding: str | None = None,
        validate: Validate | Literal["allow-q-outside-g2"] = "subgroup",
        progress: Progress = None,
    ) -> Outcomes[bool]:
        """Checks whether the product of e(P, Q) over every group of rows is 1. `encoding` is the encoding of points
        that are given as bytes."""

    def multiples(
        self, points: Points | Values, scalars: Scalars, group: Group, *, encoding: str | None = None, progress: Progress = None
    ) -> Outcomes[Any]:
        """Computes `P ** x` for every row, in GT as well. Each x has 1024 bytes at most. `encoding` is the encoding
        of elements that are given as bytes, and of the resulting points when the outcomes become bytes."""

    def sums(
        self,
        points: Points | Values,
        groups: SupportsIndex | Iterable[SupportsIndex],
        group: Group,
        *,
        encoding: str | None = None,
        validate: Validate = "subgroup",
        progress: Progress = None,
    ) -> Outcomes[Any]:
        """Computes the product of the elements of every group of rows, `P * Q * …`, in GT as well."""

    def msms(
        self,
        points: Points | Values,
        scalars: Scalars,
        groups: SupportsIndex | Iterable[SupportsIndex],
        group: Group,
        *,
        encoding: str | None = None,
        validate: Validate = "subgroup",
        progress: Progress = None,
    ) -> Outcomes[Any]:
        """Computes the product of `P ** x` over every group of rows, in GT as well. In GT, each x has 1024 bytes at
        most. For points, x may have any length, and the time depends on the x."""

    def projections(
        self, points: Points, index: SupportsIndex, *, encoding: str | None = None, progress: Progress = None
    ) -> Outcomes[Point]:
        """Computes the component of every point in the subgroup of the `index`-th prime factor of the order. The
        curve must know the factors."""

    def hashes(
        self,
        messages: Messages,
        group: Group,
        *,
        dst: bytes | str,
        encoding: str | None = None,
        progress: Progress = None,
    ) -> Outcomes[Point]:
        """Hashes each message to a point. `encoding` is the encoding of the points when the outcomes become bytes."""

    def points(
        self, data: Points, group: Group, *, encoding: str | None = None, validate: Validate = "subgroup", progress: Progress = None
    ) -> Outcomes[Point]:
        """Reads points from bytes. `encoding` is the encoding of the bytes, and of the points when the outcomes become bytes again."""

    def values(
        self, data: Values, *, encoding: str = "plain", progress: Progress = None
    ) -> Outcomes[Target]:
        """Reads elements of GT from bytes in this encoding."""


class Point:
    """A point of G1 or G2. The group is written multiplicatively."""

    @property
    def curve(self) -> Curve: ...
    @property
    def group(self) -> Group: ...
    @property
    def is_identity(self) -> bool: ...
    def __mul__(self, other: Point) -> Point: ...
    def __truediv__(self, other: Point) -> Point: ...
    def __pow__(self, exponent: Scalar | SupportsIndex) -> Point: ...
    def __invert__(self) -> Point: ...
    def __bytes__(self) -> bytes: ...
    def to_bytes(self, encoding: str | None = None, *, compressed: bool = False) -> bytes: ...

class Target:
    """An element of the target group."""

    @property
    def curve(self) -> Curve: ...
    @property
    def group(self) -> Group: ...
    @property
    def is_identity(self) -> bool: ...
    def __mul__(self, other: Target) -> Target: ...
    def __truediv__(self, other: Target) -> Target: ...
    def __pow__(self, exponent: Scalar | SupportsIndex) -> Target: ...
    def __invert__(self) -> Target: ...
    def __bytes__(self) -> bytes: ...
    def to_bytes(self, encoding: str = "plain") -> bytes: ...

class Scalar:
    """A residue modulo the order of a curve's groups."""

    @property
    def curve(self) -> Curve: ...
    @property
    def group(self) -> Group: ...
    def __add__(self, other: Scalar | SupportsIndex) -> Scalar: ...
    def __radd__(self, other: SupportsIndex) -> Scalar: ...
    def __sub__(self, other: Scalar | SupportsIndex) -> Scalar: ...
    def __rsub__(self, other: SupportsIndex) -> Scalar: ...
    def __mul__(self, other: Scalar | SupportsIndex) -> Scalar: ...
    def __rmul__(self, other: SupportsIndex) -> Scalar: ...
    def __truediv__(self, other: Scalar | SupportsIndex) -> Scalar: ...
    def __rtruediv__(self, other: SupportsIndex) -> Scalar: ...
    def __pow__(self, exponent: SupportsIndex) -> Scalar: ...
    def __neg__(self) -> Scalar: ...
    def __invert__(self) -> Scalar: ...
    def __int__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __bytes__(self) -> bytes: ...
    def to_bytes(self) -> bytes: ...

class Prepared:
    """A fixed argument of the pairing, prepared for the curve object that made it. An equal curve prepares the point anew for each call."""

    @property
    def curve(self) -> Curve: ...
    @property
    def point(self) -> Point: ...
    @property
    def side(self) -> str: ...

class Outcomes(Generic[_T_co]):
    """The outcomes of a batch, in the order of its rows or groups. Each outcome is a value or an error."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> _T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Outcomes[_T_co]: ...
    def __iter__(self) -> Iterator[_T_co]: ...
    @property
    def errors(self) -> list[Error]: ...
    @property
    def data(self) -> memoryview: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

def curves() -> list[str]:
    """Returns the names of the shipped curves."""

def pair(p: Point, q: Point) -> Target:
    """Computes e(P, Q) for P in G1 and Q in G2 of one curve, whose pairing and power must be the same in both points."""
