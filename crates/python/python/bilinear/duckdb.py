"""Encrypted tables in DuckDB: SELECT id FROM t WHERE matches(ciphertext, 'lyon')."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow
import pyarrow.compute

from bilinear import Error, Outcomes
from bilinear.predicate import Token

__all__ = ["register"]

# the first words of a token's text, which no name has
_TEXT = "bilinear search token "
# tokens that were given as texts and are kept prepared
_KEPT = 16


class _Tokens:
    """Tokens by their names or by their texts."""

    def __init__(self, named: Mapping[str, Token], engine: str, threads: int | None) -> None:
        self._named, self._engine, self._threads = dict(named), engine, threads
        self._read: OrderedDict[str, Token] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str) -> Token:
        if text in self._named:
            return self._named[text]
        if not text.startswith(_TEXT):
            known = ", ".join(sorted(self._named)) or "none"
            raise ValueError(f"no token is called {text[:40]!r}: known are {known}, or the text of a token's file")
        with self._lock:
            if text not in self._read:
                self._read[text] = Token.from_bytes(text, engine=self._engine, threads=self._threads)
            self._read.move_to_end(text)
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
            return self._read[text]


def _answers(outcomes: Outcomes[Any], strict: bool) -> pyarrow.Array:
    """The answers for rows; null where a row is null. A bad row is null, too, or the end of the query."""
    if strict:
        for error in outcomes.errors:
            if error.code != "null":
                # its number in the vector says nothing of the table
                raise Error(str(error).removeprefix(f"row {error.row}: "))
    return pyarrow.array(outcomes)


def _function(tokens: _Tokens, kind: pyarrow.DataType, ask: Callable[[Token, Any], Outcomes[Any]], strict: bool) -> Callable[..., Any]:
    """A function of a vector of rows and one of tokens, which mostly has one token in all."""

    def answer(rows: pyarrow.ChunkedArray, names: pyarrow.ChunkedArray) -> Any:
        distinct = names.unique().to_pylist()
        if len(distinct) == 1 and distinct[0] is not None:
            return _answers(ask(tokens.get(distinct[0]), rows), strict)
        parts, places = [], []
        for name in distinct:
            same = pyarrow.compute.is_null(names) if name is None else pyarrow.compute.equal(names, name)
            place = pyarrow.compute.indices_nonzero(same)
            if name is None:
                parts.append(pyarrow.nulls(len(place), kind))
            else:
                parts.append(_answers(ask(tokens.get(name), rows.take(place)), strict))
            places.append(place)
        if not parts:
            return pyarrow.nulls(0, kind)
        back = pyarrow.compute.sort_indices(pyarrow.concat_arrays(places))
        return pyarrow.concat_arrays(parts).take(back)

    return answer


def register(connection: Any, tokens: Mapping[str, Token] | None = None, *, engine: str = "auto", threads: int | None = None) -> None:
    """Adds functions to a connection of DuckDB.

    matches(row, token) says whether the token's predicate holds of an encrypted row, a BLOB; opened(row, token) gives the row's message,
    or NULL where it does not hold. A token is a name of `tokens`, or the text of a token's file, which is read for `engine` and `threads`.
    A row or token that is NULL gives NULL. A row that is damaged, or encrypted with another key, is an error that ends the
    query; try_matches and try_opened give NULL for it.
    """
    known = _Tokens(tokens or {}, engine, threads)
    asked = {
        "matches": (Token.matches, pyarrow.bool_(), "BOOLEAN"),
        "opened": (Token.open, pyarrow.large_binary(), "BLOB"),
    }
    for name, (ask, kind, returned) in asked.items():
        for prefix, strict in (("", True), ("try_", False)):
            connection.create_function(
                prefix + name,
                _function(known, kind, ask, strict),
                ["BLOB", "VARCHAR"],
                returned,
                type="arrow",
                null_handling="special",
            )
