"""Encrypted tables in Apache Spark: each task searches its part of the table on one core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow
import pyarrow.compute

from bilinear import Outcomes
from bilinear.predicate import Token, Tokens

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["scan"]


@lru_cache(maxsize=16)
def _tokens(data: tuple[bytes, ...], engine: str | None) -> Tokens:
    """Returns the tokens of a worker process, prepared once: Spark keeps the process for many tasks."""
    return Tokens([Token.from_bytes(token, engine=engine, threads=1) for token in data])


def _answers(outcomes: Outcomes[Any], opened: bool) -> dict[str, pyarrow.Array]:
    """Returns the columns with the answers of a token."""
    found = pyarrow.array(outcomes)
    # the number of a row in a batch says nothing about the table
    errors = {error.row: f"{error.code}: " + str(error).removeprefix(f"row {error.row}: ") for error in outcomes.errors}
    error = pyarrow.array([errors.get(row) for row in range(len(found))] if errors else pyarrow.nulls(len(found)), pyarrow.string())
    match = pyarrow.compute.if_else(error.is_null(), found.is_valid(), None) if opened else found
    return {"match": match, "error": error} | ({"opened": found.cast(pyarrow.binary())} if opened else {})


class _Scan:
    """The function that a task applies to the batches of its part of the table."""

    def __init__(self, tokens: Any, names: tuple[str, ...] | None, column: str, opened: bool, engine: str | None) -> None:
        self._tokens, self._names, self._column, self._opened, self._engine = tokens, names, column, opened, engine

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        data = self._tokens if isinstance(self._tokens, tuple) else self._tokens.value
        tokens = _tokens(data, self._engine)
        ask = tokens.open if self._opened else tokens.matches
        for batch in batches:
            each = [_answers(outcomes, self._opened) for outcomes in ask(batch.column(self._column))]
            columns: dict[str, pyarrow.Array] = {name: batch.column(name) for name in batch.schema.names if name != self._column}
            if self._names is None:
                columns |= each[0]
            else:
                columns |= {name: pyarrow.StructArray.from_arrays(list(of.values()), list(of)) for name, of in zip(self._names, each)}
            yield pyarrow.RecordBatch.from_pydict(columns)


def scan(
    frame: DataFrame,
    token: Token | Mapping[str, Token],
    column: str = "ciphertext",
    *,
    opened: bool = False,
    engine: str | None = None,
) -> DataFrame:
    """Returns the frame with the answers of a token in place of a column of encrypted rows.

    The column `match` says whether the predicate of the token holds for the row. With `opened`, the column `opened`
    has the messages of the rows for which it holds. A row that is null, damaged, or encrypted with another key has
    null in these columns, and a code and the reason in the column `error`. Several tokens of one key search the rows in one
    pass: a mapping from names to tokens gives a column for each name, a struct with these fields. The tokens are
    broadcast. The workers need this package and pyarrow.
    """
    from pyspark.sql.types import BinaryType, BooleanType, StringType, StructField, StructType

    fields = {"match": BooleanType(), "error": StringType()} | ({"opened": BinaryType()} if opened else {})
    named = [StructField(name, kind) for name, kind in fields.items()]
    if isinstance(token, Token):
        tokens, names, answers = Tokens([token]), None, named
    else:
        tokens, names = Tokens(token.values()), tuple(token)
        answers = [StructField(name, StructType(named)) for name in names]
    kept = [field for field in frame.schema.fields if field.name != column]
    if len(kept) == len(frame.schema.fields):
        raise ValueError(f"there is no column {column}")
    taken = {field.name for field in answers}
    if there := [field.name for field in kept if field.name in taken]:
        raise ValueError(f"there is already a column {there[0]}")
    data: Any = tuple(token.to_bytes() for token in tokens)
    # a remote session (Spark Connect) has no context: the tokens go with the function
    if hasattr(frame.sparkSession, "_jsc"):
        data = frame.sparkSession.sparkContext.broadcast(data)
    return frame.mapInArrow(_Scan(data, names, column, opened, engine), StructType(kept + answers))
