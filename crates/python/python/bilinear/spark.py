"""Encrypted tables in Apache Spark: each task searches its part of the table on one core."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow
import pyarrow.compute

from bilinear.predicate import Token

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["scan"]


@lru_cache(maxsize=16)
def _token(data: bytes, engine: str) -> Token:
    """The token of a process of workers, which Spark keeps for many tasks."""
    return Token.from_bytes(data, engine=engine, threads=1)


class _Scan:
    """What a task does with the batches of its part."""

    def __init__(self, token: Any, column: str, opened: bool, engine: str) -> None:
        self._token, self._column, self._opened, self._engine = token, column, opened, engine

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        data = self._token if isinstance(self._token, bytes) else self._token.value
        token = _token(data, self._engine)
        for batch in batches:
            rows = batch.column(self._column)
            outcomes: Any = (token.open if self._opened else token.matches)(rows)
            found = pyarrow.array(outcomes)
            # the number of a row in a batch says nothing of the table
            errors = {error.row: f"{error.code}: " + str(error).removeprefix(f"row {error.row}: ") for error in outcomes.errors}
            error = pyarrow.array([errors.get(row) for row in range(len(found))] if errors else pyarrow.nulls(len(found)), pyarrow.string())
            match = pyarrow.compute.if_else(error.is_null(), found.is_valid(), None) if self._opened else found
            kept = {name: batch.column(name) for name in batch.schema.names if name != self._column}
            answers = {"match": match, "error": error}
            if self._opened:
                answers["opened"] = found.cast(pyarrow.binary())
            yield pyarrow.RecordBatch.from_pydict(kept | answers)


def scan(frame: DataFrame, token: Token, column: str = "ciphertext", *, opened: bool = False, engine: str = "auto") -> DataFrame:
    """The frame with the answers of a token in place of a column of encrypted rows.

    `match` says whether the token's predicate holds of the row, and with `opened` a column of that name has the messages of those rows.
    A row that is null, damaged, or encrypted with another key has null there, and in `error` a code and the reason. The token is broadcast;
    the workers need this package, and pyarrow.
    """
    from pyspark.sql.types import BinaryType, BooleanType, StringType, StructField, StructType

    answers = {"match": BooleanType(), "error": StringType()} | ({"opened": BinaryType()} if opened else {})
    kept = [field for field in frame.schema.fields if field.name != column]
    if len(kept) == len(frame.schema.fields):
        raise ValueError(f"there is no column {column}")
    if taken := [field.name for field in kept if field.name in answers]:
        raise ValueError(f"there is a column {taken[0]} already")
    schema = StructType(kept + [StructField(name, kind) for name, kind in answers.items()])
    data: Any = token.to_bytes()
    # a remote session (Spark Connect) has no context: the token goes with the function
    if hasattr(frame.sparkSession, "_jsc"):
        data = frame.sparkSession.sparkContext.broadcast(data)
    return frame.mapInArrow(_Scan(data, column, opened, engine), schema)
